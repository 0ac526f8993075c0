"""The hidden hands: every deal a partition, all deals equally likely, the same in any portions."""

from __future__ import annotations

import importlib
import pickle
import re
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations, pairwise
from math import comb, factorial
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pandoer import dealing
from pandoer.cards import DECK24, DECK33, Card, Hand, Suit
from pandoer.dealing import BLOCK, Layouts, Stream, sample, seed_sequence
from pandoer.errors import PandoerError

stats: Any = importlib.import_module("scipy.stats")

KNOWN = Hand("♠J9A ♥KQ ♦8 ♣T7 H7")
UNSEEN = DECK33 - KNOWN
SEED = np.random.SeedSequence(1958)
SIX = Hand("SA HK DQ CJ H6 C7")
MAJORS = [Suit.SPADES, Suit.HEARTS]

CONSTRAINED = {
    "a known card": Layouts(SIX, 2, 2, known={2: Hand("SA")}),
    "a void": Layouts(SIX, 3, 2, void={1: [Suit.CLUBS]}),
    "a lack": Layouts(SIX, 2, 3, lacks={2: Hand("H6 DQ")}),
    "a void and a stock": Layouts(SIX, 1, 3, void={1: [Suit.HEARTS]}),
    "all of them": Layouts(
        Hand("SA HK DQ CJ H6 C7 S9 D9"), 3, 2,
        known={1: Hand("HK"), 3: Hand("D9")}, void={2: [Suit.SPADES]}, lacks={3: Hand("C7"), 1: Hand("CJ SA")},
    ),
    "seven cards in four hands": Layouts(Hand("SA HK DQ CJ H6 C7 S9"), 4, 1, void={4: [Suit.CLUBS, Suit.HEARTS]}),
}  # fmt: skip


def brute_force(
    unseen: Hand,
    hands: int,
    cards: int,
    known: dict[int, Hand],
    void: dict[int, list[Suit]],
    lacks: dict[int, Hand],
    seat: int = 1,
) -> Iterator[tuple[int, ...]]:
    """All layouts, hand by hand."""
    if seat > hands:
        if not any(card in hand for hand in known.values() for card in unseen):
            yield ()
        return
    for chosen in combinations(unseen, cards):
        hand = Hand(chosen)
        if (
            not known.get(seat, Hand()) - hand
            and not hand & lacks.get(seat, Hand())
            and not any(hand.of_suit(suit) for suit in void.get(seat, []))
        ):
            for rest in brute_force(unseen - hand, hands, cards, known, void, lacks, seat + 1):
                yield hand.bits, *rest


@st.composite
def questions(draw: st.DrawFn) -> dict[str, Any]:
    """A few unseen cards, and things known of them that may contradict each other."""
    hands = draw(st.integers(1, 4))
    cards = draw(st.integers(0, 7 // hands))
    unseen = draw(st.lists(st.sampled_from([*DECK33]), unique=True, min_size=hands * cards, max_size=7))
    seats = st.integers(1, hands)
    some = st.lists(st.sampled_from(unseen), unique=True, max_size=2).map(Hand) if unseen else st.just(Hand())
    return {
        "unseen": Hand(unseen),
        "hands": hands,
        "cards": cards,
        "known": draw(st.dictionaries(seats, some, max_size=2)),
        "void": draw(st.dictionaries(seats, st.lists(st.sampled_from(Suit), max_size=2), max_size=2)),
        "lacks": draw(st.dictionaries(seats, some, max_size=3)),
    }


# Which layouts there are


@given(questions())
@example({"unseen": Hand(), "hands": 1, "cards": 0, "known": {}, "void": {}, "lacks": {}})
def test_layouts_are_those_of_brute_force(question: dict[str, Any]) -> None:
    expected = set(brute_force(**question))
    if not expected:
        with pytest.raises(PandoerError):
            Layouts(**question)
        return
    layouts = Layouts(**question)
    listed = list(map(tuple, layouts.enumerate().tolist()))
    assert layouts.count == len(expected) == len(listed)
    assert set(listed) == expected
    assert set(map(tuple, layouts.sample(0, 20, SEED).tolist())) <= expected


@pytest.mark.parametrize(
    ("layouts", "count"),
    [
        (Layouts(UNSEEN, 3, 8), factorial(24) // factorial(8) ** 3),
        (Layouts(DECK33, 3, 8), factorial(33) // factorial(8) ** 3 // factorial(9)),
        (Layouts(DECK33, 4, 8), factorial(33) // factorial(8) ** 4),
        (Layouts(DECK33, 1, 33), 1),
        (Layouts(UNSEEN, 3, 8, void={1: [Suit.SPADES]}), comb(19, 8) * comb(16, 8)),
        (Layouts(UNSEEN, 3, 8, known={2: Hand("HA")}), comb(23, 7) * comb(16, 8)),
        (Layouts(UNSEEN, 3, 8, lacks={2: Hand("HA")}), comb(23, 8) * comb(16, 8)),
        (Layouts(Hand("♠AKQJT987 ♥AKQJT987"), 1, 8), 12_870),
        (Layouts(Hand("♠AKQJT987 ♥AKQJT98"), 1, 8), 6_435),
    ],
)
def test_counts_of_whole_deals(layouts: Layouts, count: int) -> None:
    assert layouts.count == count


@pytest.mark.parametrize("layouts", CONSTRAINED.values(), ids=CONSTRAINED)
def test_layouts_come_in_any_portions(layouts: Layouts) -> None:
    whole = layouts.enumerate()
    assert whole.dtype == np.uint64
    assert whole.shape == (layouts.count, layouts.hands)
    portions = [layouts.enumerate(start, start + 7) for start in range(0, layouts.count + 7, 7)]
    assert np.array_equal(np.concatenate(portions), whole)
    assert layouts.enumerate(3, 3).shape == (0, layouts.hands)


def test_a_few_of_very_many_layouts() -> None:
    layouts = Layouts(DECK33, 4, 8)
    few = np.concatenate([layouts.enumerate(0, 5), layouts.enumerate(layouts.count - 5)])
    assert len(np.unique(few, axis=0)) == 10
    assert (np.bitwise_count(few) == 8).all()


def test_layouts_that_are_worked_out_in_many_portions() -> None:
    layouts = Layouts(Hand("♠AKQJT98 ♥AKQJT98"), 2, 5, lacks={1: Hand("SA")})
    listed = layouts.enumerate()
    assert len(listed) == layouts.count > 2 * dealing.AT_A_TIME
    assert len(np.unique(listed, axis=0)) == layouts.count


def test_voids_are_read_once() -> None:
    layouts = Layouts(SIX, 2, 2, void={1: iter([Suit.CLUBS])})
    assert layouts.count == Layouts(SIX, 2, 2, void={1: [Suit.CLUBS]}).count


# Every deal


def test_a_deal_is_a_partition_of_the_unseen_cards() -> None:
    deals = sample(UNSEEN, 3, 8, 0, 3 * BLOCK, SEED)
    assert deals.shape == (3 * BLOCK, 3)
    assert deals.dtype == np.uint64
    assert (np.bitwise_count(deals) == 8).all()
    assert (np.bitwise_or.reduce(deals, axis=1) == np.uint64(UNSEEN.bits)).all()


@pytest.mark.parametrize("hands", [1, 2])
def test_cards_left_over_lie_nowhere(hands: int) -> None:
    unseen = DECK24 - Hand("SJ S9 HA HK DQ DT C9 CA")
    deals = sample(unseen, hands, 8, 0, 500, SEED)
    together = np.bitwise_or.reduce(deals, axis=1)
    assert (np.bitwise_count(deals) == 8).all()
    assert (np.bitwise_count(together) == 8 * hands).all()
    assert (together & ~np.uint64(unseen.bits) == 0).all()


def test_no_deals() -> None:
    for start in (0, 5, BLOCK, BLOCK + 5):
        assert sample(UNSEEN, 3, 8, start, start, SEED).shape == (0, 3)


# All deals are equally likely


def test_every_unseen_card_lies_in_every_hand_with_chance_a_third() -> None:
    count = 30_000
    deals = sample(UNSEEN, 3, 8, 0, count, SEED)
    for card in UNSEEN:
        found = ((deals & np.uint64(card.bit)) != 0).sum(axis=0)
        assert found.sum() == count
        assert stats.chisquare(found).pvalue > 1e-4, card


def test_two_unseen_cards_lie_in_one_hand_with_chance_7_out_of_23() -> None:
    count = 30_000
    deals = sample(UNSEEN, 3, 8, 0, count, SEED)
    for first, second in (("HA", "DA"), ("S7", "CK"), ("H6", "H8")):
        both = np.uint64(Card(first).bit | Card(second).bit)
        together = int(((deals & both) == both).sum())
        assert stats.binomtest(together, count, 7 / 23).pvalue > 1e-4


def test_the_whole_deal_is_uniform() -> None:
    """Six cards, two hands of two and two cards left over: 90 deals."""
    count = 45_000
    deals = sample(Hand("SA HK DQ CJ H6 C7"), 2, 2, 0, count, SEED)
    seen = Counter(map(tuple, deals.tolist()))
    assert len(seen) == 90
    assert stats.chisquare(list(seen.values())).pvalue > 1e-3


@pytest.mark.parametrize("layouts", CONSTRAINED.values(), ids=CONSTRAINED)
def test_every_layout_is_equally_likely(layouts: Layouts) -> None:
    count = 100 * layouts.count
    seen = Counter(map(tuple, layouts.sample(0, count, SEED).tolist()))
    found = [seen.pop(tuple(layout)) for layout in layouts.enumerate().tolist()]
    assert not seen
    assert stats.chisquare(found).pvalue > 1e-3


def test_a_known_card_draws_another_to_its_hand_with_chance_7_out_of_23() -> None:
    count = 30_000
    deals = Layouts(UNSEEN, 3, 8, known={2: Hand("HA")}).sample(0, count, SEED)
    assert (deals[:, 1] & np.uint64(Card("HA").bit) != 0).all()
    for card in UNSEEN - Hand("HA"):
        found = (deals & np.uint64(card.bit) != 0).sum(axis=0)
        assert stats.chisquare(found, count * np.array([8, 7, 8]) / 23).pvalue > 1e-4, card


def test_a_void_sends_its_suit_to_the_others() -> None:
    """Of 24 cards 5 are spades; seat 1 has 8 of the other 19."""
    count = 30_000
    deals = Layouts(UNSEEN, 3, 8, void={1: [Suit.SPADES]}).sample(0, count, SEED)
    for card in UNSEEN:
        own = 0 if card.suit is Suit.SPADES else 8 / 19
        found = (deals & np.uint64(card.bit) != 0).sum(axis=0)
        assert found.sum() == count
        assert own or not found[0]
        expected = count * np.array([own, (1 - own) / 2, (1 - own) / 2])
        assert stats.chisquare(found[expected > 0], expected[expected > 0]).pvalue > 1e-4, card


def test_deals_of_a_sequence_are_not_repeated() -> None:
    deals = sample(UNSEEN, 3, 8, 0, 4 * BLOCK, SEED)
    assert len(np.unique(deals, axis=0)) == 4 * BLOCK


# The same deals in any portions


@given(st.lists(st.integers(0, 3 * BLOCK), max_size=5))
def test_portions_do_not_matter(cuts: list[int]) -> None:
    bounds = [0, *sorted(cuts), 3 * BLOCK]
    whole = sample(UNSEEN, 3, 8, 0, 3 * BLOCK, SEED)
    portions = [sample(UNSEEN, 3, 8, start, stop, SEED) for start, stop in pairwise(bounds)]
    assert np.array_equal(np.concatenate(portions), whole)


@pytest.mark.parametrize("layouts", CONSTRAINED.values(), ids=CONSTRAINED)
def test_portions_of_constrained_deals_do_not_matter(layouts: Layouts) -> None:
    whole = layouts.sample(0, 3 * BLOCK, SEED)
    bounds = [0, 1, 1, BLOCK - 1, BLOCK, 2 * BLOCK + 3, 3 * BLOCK]
    portions = [layouts.sample(start, stop, SEED) for start, stop in pairwise(bounds)]
    assert np.array_equal(np.concatenate(portions), whole)
    some = np.array([0, 5, BLOCK, 2 * BLOCK + 9, 3 * BLOCK - 1])
    assert np.array_equal(layouts.take(some, SEED), whole[some])
    assert np.array_equal(pickle.loads(pickle.dumps(layouts)).sample(0, 3 * BLOCK, SEED), whole)


def test_the_deals_of_a_seed_stay() -> None:
    """Chances that were published with a seed come from these deals."""
    deals = [" / ".join(str(Hand.from_bits(bits)) for bits in deal) for deal in sample(UNSEEN, 3, 8, 299, 301, SEED)]
    assert deals == [
        "♥AT6 ♦AKJT ♣9 / ♠T8 ♥9 ♦Q97 ♣AK / ♠KQ7 ♥J8 ♣QJ8",
        "♠8 ♥T ♦AKT9 ♣QJ / ♠KQT ♥A86 ♦Q ♣8 / ♠7 ♥J9 ♦J7 ♣AK9",
    ]
    nothing = Layouts(UNSEEN, 3, 8, void={2: []}, lacks={1: Hand("SJ"), 3: Hand()})
    assert np.array_equal(nothing.sample(0, 300, SEED), sample(UNSEEN, 3, 8, 0, 300, SEED))


def test_a_seed_gives_its_own_deals_and_is_left_as_it_was() -> None:
    first = sample(UNSEEN, 3, 8, 0, 50, SEED)
    assert np.array_equal(sample(UNSEEN, 3, 8, 0, 50, np.random.SeedSequence(1958)), first)
    assert SEED.n_children_spawned == 0
    others = [np.random.SeedSequence(1959), *np.random.SeedSequence(1958).spawn(2)]
    for other in others:
        assert not np.array_equal(sample(UNSEEN, 3, 8, 0, 50, other), first)


def test_the_state_of_numpy_does_not_matter() -> None:
    first = sample(UNSEEN, 3, 8, 0, 50, SEED)
    np.random.seed(5)
    assert np.array_equal(sample(UNSEEN, 3, 8, 0, 50, SEED), first)


# Seeds


@pytest.mark.parametrize("seed", [0, 7, 2**70, np.int64(7), np.uint8(7)])
def test_seed_sequence_of_a_number(seed: Any) -> None:
    made = seed_sequence(seed)
    assert made.entropy == int(seed)
    assert made.spawn_key == ()


def test_seed_sequence_of_a_sequence_is_itself() -> None:
    child = np.random.SeedSequence(5, spawn_key=(3,))
    assert seed_sequence(child) is child


# Streams


def hearts(hands: npt.NDArray[np.uint64]) -> npt.ArrayLike:
    """A weight: an eighth for each heart of seat 1."""
    return np.asarray(np.bitwise_count(hands[:, 0] & np.uint64(0xFFFF << 16 * Suit.HEARTS)) / 8)


def holds(*cards: str) -> dealing.Weight:
    """A weight: seat 1 holds all these cards."""
    wanted = np.uint64(Hand(" ".join(cards)).bits)
    return lambda hands: hands[:, 0] & wanted == wanted


LAYOUTS = Layouts(UNSEEN, 3, 8, void={2: [Suit.CLUBS]})
SAMPLED = LAYOUTS.sample(0, 3, SEED)


@pytest.mark.parametrize("layouts", [Layouts(SIX, 2, 2), CONSTRAINED["all of them"]], ids=["free", "constrained"])
def test_a_weight_makes_deals_as_likely_as_it_says(layouts: Layouts) -> None:
    listed = layouts.enumerate()
    weights = np.random.default_rng(5).choice([0, 0.1, 0.5, 1], len(listed))
    weight_of = dict(zip(map(tuple, listed.tolist()), weights, strict=True))
    stream = Stream(layouts, SEED, lambda hands: [weight_of[tuple(deal)] for deal in hands.tolist()])
    count = 200 * len(listed)
    seen = Counter(map(tuple, stream.deals(0, count).tolist()))
    found = np.array([seen[deal] for deal in weight_of])
    assert not found[weights == 0].any()
    expected = count * weights / weights.sum()
    assert stats.chisquare(found[weights > 0], expected[weights > 0]).pvalue > 1e-3
    assert stats.binomtest(stream.kept, stream.tried, weights.mean()).pvalue > 1e-3


@pytest.mark.parametrize("lacks", [{}, {1: Hand("SK")}], ids=["free", "constrained"])
def test_what_is_kept_has_nothing_to_do_with_how_it_was_dealt(lacks: dict[int, Hand]) -> None:
    layouts = Layouts(UNSEEN, 3, 8, lacks=lacks)
    count = 20_000
    deals = Stream(layouts, SEED, lambda hands: np.full(len(hands), 0.5)).deals(0, count)
    dealt = layouts.sample(0, 2 * count, SEED)
    for card in UNSEEN:
        found = [(some[:, 1] & np.uint64(card.bit) != 0).sum() for some in (deals, dealt)]
        table = [[found[0], found[1]], [count - found[0], 2 * count - found[1]]]
        assert stats.chi2_contingency(table).pvalue > 1e-4, card


@pytest.mark.parametrize("weight", [None, lambda hands: np.ones(len(hands)), lambda hands: [True] * len(hands)])
def test_a_weight_that_keeps_everything_changes_nothing(weight: dealing.Weight | None) -> None:
    stream = Stream(LAYOUTS, SEED, weight)
    assert stream.tried == stream.kept == 0
    assert np.array_equal(stream.deals(0, 700), LAYOUTS.sample(0, 700, SEED))
    assert 700 <= stream.tried == stream.kept < 700 + BLOCK


def test_what_is_kept_is_in_the_order_of_what_is_looked_at() -> None:
    stream = Stream(LAYOUTS, SEED, holds("HA", "SK"))
    kept = stream.deals(0, 300)
    tried = LAYOUTS.sample(0, stream.tried, SEED)
    assert np.array_equal(tried[np.asarray(holds("HA", "SK")(tried))][:300], kept)


@given(st.lists(st.tuples(st.integers(0, 900), st.integers(0, 300)), max_size=5))
def test_portions_and_order_of_a_stream_do_not_matter(portions: list[tuple[int, int]]) -> None:
    whole = Stream(LAYOUTS, SEED, hearts)
    deals = whole.deals(0, 1200)
    stream = Stream(LAYOUTS, SEED, hearts)
    for start, length in portions:
        assert np.array_equal(stream.deals(start, start + length), deals[start : start + length])
    assert np.array_equal(stream.deals(1100, 1200), deals[1100:])
    assert (stream.tried, stream.kept) == (whole.tried, whole.kept)


def test_threads_may_share_a_stream() -> None:
    deals = Stream(LAYOUTS, SEED, hearts).deals(0, 2000)
    stream = Stream(LAYOUTS, SEED, hearts)
    with ThreadPoolExecutor(8) as pool:
        portions = list(pool.map(lambda start: stream.deals(start, start + 100), range(0, 2000, 100)))
    assert np.array_equal(np.concatenate(portions), deals)


def test_a_weight_may_spoil_the_hands_it_gets() -> None:
    def spoil(hands: npt.NDArray[np.uint64]) -> npt.ArrayLike:
        kept = np.bitwise_count(hands[:, 0] >> np.uint64(32)) > 3
        hands[:] = 0
        return np.asarray(kept)

    assert (np.bitwise_count(Stream(LAYOUTS, SEED, spoil).deals(0, 500)) == 8).all()


def test_a_rare_deal_is_found() -> None:
    """Seat 1 holds eight given cards once in 735,471 deals, seven given ones once in 43,263."""
    seven = "HA", "SK", "DA", "CK", "S7", "D7", "C9"
    stream = Stream(Layouts(UNSEEN, 3, 8), SEED, holds(*seven))
    assert np.asarray(holds(*seven)(stream.deals(0, 2))).all()
    assert stream.kept < 20


def test_a_weight_that_keeps_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dealing, "MOST_PASSED_OVER", 5_000)
    stream = Stream(LAYOUTS, SEED, lambda hands: np.zeros(len(hands)))
    with pytest.raises(PandoerError, match=r"^none of 5,000 deals fits the weight: 0 kept of 5,\d+ in all$"):
        stream.deals(0, 1)
    tried = stream.tried
    with pytest.raises(PandoerError, match=r"^none of 5,000 deals fits the weight"):
        stream.deals(0, 1)
    assert stream.tried == tried
    assert stream.deals(0, 0).shape == (0, 3)


def test_a_weight_that_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was found before stays, and it is deals in a row that count."""
    monkeypatch.setattr(dealing, "MOST_PASSED_OVER", 5_000)
    looked = 0

    def first_10_000(hands: npt.NDArray[np.uint64]) -> npt.ArrayLike:
        nonlocal looked
        numbers = looked + np.arange(len(hands))
        looked += len(hands)
        return np.asarray((numbers < 10_000) & (numbers % 1_000 == 0))

    stream = Stream(LAYOUTS, SEED, first_10_000)
    with pytest.raises(PandoerError, match=r"^none of 5,000 deals fits the weight: 10 kept of 1\d,\d+ in all$"):
        stream.deals(0, 11)
    assert np.array_equal(stream.deals(0, 10), LAYOUTS.sample(0, 10_000, SEED)[::1_000])


def test_a_weight_that_raises() -> None:
    def raises(hands: npt.NDArray[np.uint64]) -> npt.ArrayLike:
        raise KeyError("mine")

    stream = Stream(LAYOUTS, SEED, raises)
    for _ in range(2):
        with pytest.raises(KeyError, match="mine"):
            stream.deals(0, 1)
    assert stream.tried == stream.kept == 0


@pytest.mark.parametrize(
    ("weight", "message"),
    [
        (lambda hands: 1.0, "weights of shape (): expected (256,), one for each deal"),
        (lambda hands: np.ones(len(hands) - 1), "weights of shape (255,): expected (256,), one for each deal"),
        (lambda hands: np.ones((len(hands), 1)), "weights of shape (256, 1): expected (256,), one for each deal"),
        (lambda hands: [None] * len(hands), "weight None: expected a number from 0 to 1, or a boolean"),
        (lambda hands: ["1"] * len(hands), "weight '1': expected a number from 0 to 1, or a boolean"),
        (lambda hands: [1j] * len(hands), "weight 1j: expected a number from 0 to 1, or a boolean"),
        (lambda hands: np.where(hands[:, 0] == SAMPLED[2, 0], np.nan, 0.5), "weight nan of deal DEAL: expected "),
        (lambda hands: np.where(hands[:, 0] == SAMPLED[2, 0], 1.5, 0.5), "weight 1.5 of deal DEAL: expected "),
        (lambda hands: np.where(hands[:, 0] == SAMPLED[2, 0], -1, 0), "weight -1 of deal DEAL: expected "),
        (lambda hands: np.where(hands[:, 0] == SAMPLED[2, 0], np.inf, 0), "weight inf of deal DEAL: expected "),
    ],
)
def test_weight_errors(weight: dealing.Weight, message: str) -> None:
    deal = " / ".join(str(Hand.from_bits(bits)) for bits in SAMPLED[2])
    with pytest.raises(PandoerError, match="^" + re.escape(message.replace("DEAL", repr(deal)))):
        Stream(LAYOUTS, SEED, weight).deals(0, 1)


# Errors


@pytest.mark.parametrize("seed", [-1, 1.5, "7", None, True, [1, 2]])
def test_seed_error(seed: Any) -> None:
    message = f"seed {seed!r}: expected a whole number, 0 or more"
    with pytest.raises(PandoerError, match=f"^{re.escape(message)}$"):
        seed_sequence(seed)


def test_too_few_cards() -> None:
    few = Hand("SA HK DQ")
    with pytest.raises(PandoerError, match=re.escape(f"3 unseen cards {str(few)!r}: expected at least 4")):
        sample(few, 2, 2, 0, 1, SEED)


@pytest.mark.parametrize(
    ("question", "message"),
    [
        ({"hands": 0}, "hands 0: expected a whole number, 1 to 4"),
        ({"hands": 5, "cards": 1}, "hands 5: expected a whole number, 1 to 4"),
        ({"hands": True}, "hands True: expected a whole number, 1 to 4"),
        ({"cards": -1}, "cards -1: expected a whole number, 0 to 33"),
        ({"cards": 2.0}, "cards 2.0: expected a whole number, 0 to 33"),
        ({"cards": 3}, "8 unseen cards '♠AK ♥AK ♦AK ♣AK': expected at least 9"),
        ({"unseen": DECK33, "hands": 4, "cards": 7},
         "4 hands of 7 of 33 unseen cards: more layouts than can be counted"),
        ({"known": {0: Hand("SA")}}, "known of seat 0: expected seats 1 to 3"),
        ({"void": {4: []}}, "void of seat 4: expected seats 1 to 3"),
        ({"lacks": {"1": Hand()}}, "lacks of seat '1': expected seats 1 to 3"),
        ({"known": {2: Hand("SA S7")}},
         "card S7 is known to lie with seat 2: expected one of the unseen cards '♠AK ♥AK ♦AK ♣AK'"),
        ({"known": {1: Hand("SA"), 3: Hand("SA")}}, "card SA is known to lie with seats 1 and 3: expected one seat"),
        ({"known": {2: Hand("SA HA CA")}}, "seat 2: expected 2 cards, 3 are known: '♠A ♥A ♣A'"),
        ({"known": {2: Hand("SA HA")}, "void": {2: [Suit.HEARTS]}},
         "card HA is known to lie with seat 2: expected one that its voids and lacks allow"),
        ({"known": {2: Hand("SA HA")}, "lacks": {2: Hand("SA")}},
         "card SA is known to lie with seat 2: expected one that its voids and lacks allow"),
        ({"void": {2: [Suit.SPADES, Suit.HEARTS, Suit.CLUBS]}, "lacks": {2: Hand("DA")}},
         "seat 2: expected 2 cards, only 1 unseen cards may lie with it: '♦K'"),
        ({"known": {1: Hand("SA"), 3: Hand("SK")}, "void": {2: [Suit.HEARTS, Suit.CLUBS, Suit.DIAMONDS]}},
         "seat 2: expected 2 cards, only 0 unseen cards may lie with it: '.'"),
        ({"void": {1: MAJORS, 2: MAJORS}, "lacks": {1: Hand("CA"), 2: Hand("CA")}},
         "seats 1 and 2 need 4 cards, only 3 unseen cards may lie with them: '♦AK ♣K'"),
        ({"lacks": {seat: Hand("♠AK ♥A") for seat in (1, 2, 3)}},
         "seats 1, 2 and 3 need 6 cards, only 5 unseen cards may lie with them: '♥K ♦AK ♣AK'"),
        ({"unseen": Hand("♠AK ♥AK ♦AK"), "lacks": {seat: Hand("HA") for seat in (1, 2, 3)}},
         "card HA may lie with nobody"),
        ({"unseen": Hand("♠AK ♥AK ♦AK"), "lacks": {1: Hand("♥AK ♠A"), 2: Hand("♥AK ♠A")}},
         "seats 1 and 2 need 4 cards, only 3 unseen cards may lie with them: '♠K ♦AK'"),
    ],
)  # fmt: skip
def test_nothing_fits(question: dict[str, Any], message: str) -> None:
    base: dict[str, Any] = {"unseen": Hand("♠AK ♥AK ♦AK ♣AK"), "hands": 3, "cards": 2}
    with pytest.raises(PandoerError, match=f"^{re.escape(message)}$"):
        Layouts(**base | question)


@pytest.mark.parametrize(("start", "stop"), [(-1, 5), (5, 4)])
def test_portions_that_make_no_sense(start: int, stop: int) -> None:
    message = re.escape(f"{start} to {stop}: expected 0 or more, and an end not before the start")
    with pytest.raises(PandoerError, match=f"^deals {message}$"):
        LAYOUTS.sample(start, stop, SEED)
    with pytest.raises(PandoerError, match=f"^deals {message}$"):
        Stream(LAYOUTS, SEED).deals(start, stop)
    with pytest.raises(PandoerError, match=f"^layouts {message}$"):
        LAYOUTS.enumerate(start, stop)
