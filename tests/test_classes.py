"""Hands up to renaming of suits: their number, their order, and the way from hand to number and back."""

from __future__ import annotations

import copy
import pickle
from itertools import combinations, pairwise, permutations
from math import comb
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pandoer import Hand, PandoerError, Suit, ruleset
from pandoer.cards import DECK24, DECK32, DECK33
from pandoer.classes import HandClasses, hand_classes

PANDUR = HandClasses(DECK24, 8)
GAMES = [(DECK24, 8, 735_471, 34_497), (DECK33, 8, 13_884_156, 2_413_523), (DECK33, 9, 38_567_100, 6_625_091)]
DECKS = {
    "24": DECK24,
    "32": DECK32,
    "33": DECK33,
    "two pairs of suits": Hand("SAKQ HAKQ DA9 CA9"),
    "four sorts of suits": Hand("SAKQ HAK DA CQ"),
    "no spades": Hand("HAK DAK CAJ9"),
    "empty": Hand(),
}

Bits = npt.NDArray[np.uint64]


def renamings(deck: Hand) -> list[tuple[int, ...]]:
    """The ways to rename the suits of a deck: suit i becomes the i-th number."""
    ranks = [deck.bits >> 16 * suit & 0xFFFF for suit in range(4)]
    return [names for names in permutations(range(4)) if all(ranks[i] == ranks[name] for i, name in enumerate(names))]


def renamed(hands: Bits, names: tuple[int, ...]) -> Bits:
    """Hands with suit i called by the i-th name."""
    found = np.zeros_like(hands)
    for suit, name in enumerate(names):
        found |= (hands >> np.uint64(16 * suit) & np.uint64(0xFFFF)) << np.uint64(16 * name)
    return found


def burnside(deck: Hand, cards: int) -> int:
    """The number of classes: the mean number of hands that a renaming leaves as they are."""
    fixed = 0
    names = renamings(deck)
    for renaming in names:
        ways = [1] + [0] * len(deck)
        for suits in {frozenset(orbit(renaming, suit)) for suit in range(4)}:
            # A rank is in the hand in all of these suits or in none.
            for _ in deck.of_suit(Suit(min(suits))):
                ways = [n + (ways[i - len(suits)] if i >= len(suits) else 0) for i, n in enumerate(ways)]
        fixed += ways[cards]
    assert fixed % len(names) == 0
    return fixed // len(names)


def orbit(renaming: tuple[int, ...], suit: int) -> set[int]:
    """The suits that a suit becomes."""
    found = {suit}
    while renaming[suit] not in found:
        suit = renaming[suit]
        found.add(suit)
    return found


def random_hands(deck: Hand, cards: int, number: int, seed: int = 0) -> Bits:
    """Random hands, as bits."""
    bits = np.array([card.bit for card in deck], np.uint64)
    order = np.random.default_rng(seed).permuted(np.tile(bits, (number, 1)), axis=1)
    hands: Bits = np.bitwise_or.reduce(order[:, :cards], axis=1)
    return hands


@pytest.mark.parametrize(("deck", "cards", "hands", "count"), GAMES)
def test_number_of_hands_and_classes(deck: Hand, cards: int, hands: int, count: int) -> None:
    classes = HandClasses(deck, cards)
    assert (classes.hands, classes.count, len(classes)) == (hands, count, count)
    assert burnside(deck, cards) == count


@pytest.mark.parametrize("deck", DECKS.values(), ids=DECKS)
def test_number_of_classes_is_that_of_burnside(deck: Hand) -> None:
    for cards in range(len(deck) + 1):
        assert HandClasses(deck, cards).count == burnside(deck, cards)


@pytest.mark.parametrize(("deck", "cards", "hands", "count"), GAMES)
def test_all_classes_there_and_back(deck: Hand, cards: int, hands: int, count: int) -> None:
    classes = HandClasses(deck, cards)
    every = np.arange(count)
    canonical = classes.unrank(every)
    assert np.array_equal(classes.rank(canonical), every)
    assert np.array_equal(classes.canonical(canonical), canonical)
    assert classes.size(every).sum() == hands == comb(len(deck), cards)


@pytest.mark.parametrize("deck", DECKS.values(), ids=DECKS)
def test_random_hands_belong_to_the_class_of_their_canonical_hand(deck: Hand) -> None:
    for cards in {0, len(deck) // 4, min(8, len(deck)), min(9, len(deck)), len(deck)}:
        classes = HandClasses(deck, cards)
        hands = random_hands(deck, cards, 10_000 if len(deck) > 20 else 100)
        index, canonical = classes.rank(hands), classes.canonical(hands)
        assert np.array_equal(classes.unrank(index), canonical)
        assert np.array_equal(classes.rank(canonical), index)
        every = np.array([renamed(hands, names) for names in renamings(deck)])
        assert (classes.rank(every) == index).all()
        assert (classes.canonical(every) == canonical).all()
        assert (every == canonical).any(axis=0).all()
        ways = (np.diff(np.sort(every, axis=0), axis=0) != 0).sum(axis=0) + 1
        assert np.array_equal(classes.size(index), ways)


def test_every_hand_of_a_small_deck() -> None:
    deck = Hand("SAKQ HAKQ DAKQ CAK")
    for cards in range(len(deck) + 1):
        classes = HandClasses(deck, cards)
        hands = np.array([Hand(chosen).bits for chosen in combinations(deck, cards)], np.uint64)
        index = classes.rank(hands)
        assert np.array_equal(np.bincount(index, minlength=classes.count), classes.size(range(classes.count)))


def test_hands_are_renamed_within_groups_only() -> None:
    assert PANDUR.groups == ((Suit.SPADES, Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS),)
    assert hand_classes("pagat").groups == ((Suit.SPADES, Suit.DIAMONDS, Suit.CLUBS), (Suit.HEARTS,))
    classes = hand_classes("pagat")
    assert classes.canonical(Hand("CAKQ D987 H76")) == Hand("SAKQ D987 H76")
    assert classes.rank(Hand("SAKQ H987 D87")) != classes.rank(Hand("SAKQ D987 H87"))


@given(st.integers(0, PANDUR.count - 1))
def test_the_greatest_pattern_is_in_the_highest_suit(index: int) -> None:
    hand = Hand.from_bits(PANDUR.unrank(index))
    patterns = [(len(hand.of_suit(suit)), hand.of_suit(suit).bits >> 16 * suit) for suit in reversed(Suit)]
    assert patterns == sorted(patterns, reverse=True)


def test_classes_are_in_the_order_of_their_canonical_hands() -> None:
    for classes in (PANDUR, hand_classes("pagat", 3)):
        suits = [suit for group in classes.groups for suit in group]
        keys = []
        for bits in classes.unrank(range(classes.count)).tolist():
            patterns = [bits >> 16 * suit & 0xFFFF for suit in suits]
            keys.append([(pattern.bit_count(), pattern) for pattern in patterns])
        assert all(one < other for one, other in pairwise(keys))


def test_one_or_many() -> None:
    hand = Hand("DAK HA9 CQJT9")
    index = PANDUR.rank(hand)
    assert type(index) is type(PANDUR.unrank(index)) is type(PANDUR.size(index)) is int
    assert PANDUR.canonical(hand) == Hand.from_bits(PANDUR.unrank(index)) == Hand("SQJT9 HAK DA9")
    for shape in ((2, 0, 3), (2, 3), (1,)):
        many = np.full(shape, index)
        hands = PANDUR.unrank(many)
        found: list[tuple[npt.NDArray[Any], type]] = [
            (hands, np.uint64),
            (PANDUR.canonical(hands), np.uint64),
            (PANDUR.rank(hands), np.int64),
            (PANDUR.size(many), np.int64),
        ]
        for array, kind in found:
            assert array.shape == shape
            assert array.dtype == kind
    assert PANDUR.rank([hand.bits]).tolist() == PANDUR.rank(np.array([hand.bits], np.int64)).tolist() == [index]
    assert PANDUR.rank(hand.bits).shape == ()
    assert PANDUR.rank([]).tolist() == PANDUR.unrank([]).tolist() == []


WRONG: list[tuple[str, tuple[Any, ...], str]] = [
    ("rank", (Hand("SAK"),), "hand '♠AK': expected 8 cards, not 2"),
    ("rank", ([Hand("SAKQJT9 HAK").bits, Hand("SAKQJT9 HAKQ").bits],), "hand '♠AKQJT9 ♥AKQ': expected 8 cards, not 9"),
    ("canonical", (Hand("SAKQJT9 HA7"),), "hand '♠AKQJT9 ♥A7': expected cards of the deck '♠AKQJT9"),
    ("rank", ([3],), "hand of bits 0x3: expected cards of the deck"),
    ("rank", ([-5],), "hand -5: expected bits of cards"),
    ("rank", ([0.5],), r"hands \[0.5\]: expected whole numbers, not float64"),
    ("rank", ("SAK",), "hands 'SAK': expected whole numbers"),
    ("unrank", (34_497,), "class 34497: expected 0 to 34496"),
    ("size", ([0, -1],), "class -1: expected 0 to 34496"),
    ("unrank", (True,), "classes True: expected whole numbers, not bool"),
    ("unrank", (2**64,), "classes 18446744073709551616: expected whole numbers"),
]


@pytest.mark.parametrize(("method", "given", "message"), WRONG)
def test_wrong_input_is_quoted(method: str, given: tuple[Any, ...], message: str) -> None:
    with pytest.raises(PandoerError, match=message):
        getattr(PANDUR, method)(*given)


@pytest.mark.parametrize("cards", [-1, 25, 1.0, True, "8"])
def test_wrong_number_of_cards(cards: Any) -> None:
    with pytest.raises(PandoerError, match=f"cards {cards!r}: expected a whole number, 0 to 24"):
        HandClasses(DECK24, cards)


def test_a_deck_is_a_hand() -> None:
    with pytest.raises(PandoerError, match="deck 'SAK': expected a Hand"):
        HandClasses("SAK", 1)  # type: ignore[arg-type]


def test_classes_of_a_ruleset_are_made_once() -> None:
    assert hand_classes("pandur") is hand_classes(ruleset("pandur"), 8)
    assert hand_classes("pandur") == PANDUR
    assert hand_classes("pagat", 9) is hand_classes("cappelle", 9)
    assert hand_classes() == HandClasses(DECK33, 8)
    with pytest.raises(PandoerError, match="unknown ruleset 'bridge'"):
        hand_classes("bridge")


def test_it_is_a_value() -> None:
    for again in (pickle.loads(pickle.dumps(PANDUR)), copy.deepcopy(PANDUR)):
        assert again == PANDUR
        assert hash(again) == hash(PANDUR)
    assert HandClasses(DECK24, 7) != PANDUR
    assert eval(repr(PANDUR), {"HandClasses": HandClasses, "Hand": Hand}) == PANDUR
