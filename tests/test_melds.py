"""Melds: examples, and the vectorised functions against slow ones written straight from the rules."""

from __future__ import annotations

import doctest
import pickle
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pandoer import melds
from pandoer.cards import DECK24, DECK33, Card, Hand, Rank, Suit
from pandoer.errors import PandoerError
from pandoer.melds import (
    CAPPELLE_MELDS,
    PAGAT_MELDS,
    PANDUR_MELDS,
    WIKIPEDIA_EN_MELDS,
    WIKIPEDIA_NL_MELDS,
    Meld,
    MeldRules,
    best_meld,
    describe,
    marriage,
    meld_points,
    side_points,
)

RULES = {
    "pagat": PAGAT_MELDS,
    "cappelle": CAPPELLE_MELDS,
    "wikipedia-nl": WIKIPEDIA_NL_MELDS,
    "wikipedia-en": WIKIPEDIA_EN_MELDS,
    "pandur": PANDUR_MELDS,
}
KINDS = ["run 3", "run 4", "run 5", "four Q", "four K", "four A", "run 6", "run 7", "run 8", "four J"]


def points(text: str, rules: MeldRules) -> int:
    return int(meld_points(Hand(text).bits, rules))


def best(text: str, rules: MeldRules) -> int:
    return int(best_meld(Hand(text).bits, rules))


# The rules of melds once more, on sets of cards and with every choice tried.


def every_meld(cards: frozenset[Card], rules: MeldRules) -> list[Meld]:
    """Every run, of any length from three and maximal or not, and every four in the cards."""
    found = []
    for suit, bottom in product(Suit, Rank):
        run: list[Card] = []
        for rank in list(Rank)[bottom:]:
            match = [card for card in cards if card.suit == suit and card.rank == rank]
            if not match:
                break
            run += match
            if len(run) >= 3:
                longest = max(length for length, _ in rules.runs)
                value = dict(rules.runs)[min(len(run), longest)]
                found.append(Meld("run", len(run), run[-1], Hand(run), value))
    for letter, value in rules.fours:
        four = [card for card in cards if card.rank.letter == letter]
        if len(four) == 4:
            found.append(Meld("four", 4, max(four), Hand(four), value))
    return found


def maximal(meld: Meld, among: list[Meld]) -> bool:
    return meld.kind == "four" or not any(
        other.kind == "run" and meld.cards != other.cards and not meld.cards - other.cards for other in among
    )


def slow_points(cards: frozenset[Card], rules: MeldRules) -> int:
    """Points of the melds that count; where a card counts once, the most over all sets of disjoint melds."""
    found = every_meld(cards, rules)
    if rules.card_in_both:
        return sum(meld.points for meld in found if maximal(meld, found))

    def most(left: list[Meld], used: Hand) -> int:
        if not left:
            return 0
        first, *rest = left
        without = most(rest, used)
        return without if first.cards & used else max(without, first.points + most(rest, used | first.cards))

    return most(found, Hand())


def beats(one: Meld, two: Meld, rules: MeldRules) -> bool:
    """Whether one single meld is strictly better than another."""
    longest = max(length for length, _ in rules.runs)
    lengths = [min(meld.length, longest) for meld in (one, two)]
    if rules.order == "points":
        if one.points != two.points:
            return one.points > two.points
        if one.kind != two.kind:
            return one.kind == "four"
        return (lengths[0], one.top.rank) > (lengths[1], two.top.rank)
    places = [
        KINDS.index(f"run {length}" if meld.kind == "run" else f"four {meld.top.rank.letter}")
        for meld, length in zip((one, two), lengths, strict=True)
    ]
    if places[0] != places[1]:
        return places[0] > places[1]
    if one.top.rank != two.top.rank:
        return one.top.rank > two.top.rank
    return rules.order == "kind-suit" and one.top.suit > two.top.suit


def slow_best(cards: frozenset[Card], rules: MeldRules) -> Meld | None:
    winner = None
    for meld in every_meld(cards, rules):
        if winner is None or beats(meld, winner, rules):
            winner = meld
    return winner


def slow_side_points(
    hands: list[frozenset[Card]],
    side: set[int],
    trump: Suit | None,
    rules: MeldRules,
    declarer: int,
    bidders: set[int],
) -> int:
    tops = [slow_best(hand, rules) for hand in hands]
    entitled = {"none": set[int](), "opponents": set(range(len(hands))), "bidders": bidders}[rules.denial]
    defended = {declarer} if rules.own_best else side
    denied = any(
        (theirs := tops[seat]) is not None
        and all(ours is None or beats(theirs, ours, rules) for ours in (tops[other] for other in defended))
        for seat in entitled - side
    )
    total = 0 if denied else sum(slow_points(hands[seat], rules) for seat in side)
    for seat in side:
        if trump is not None and {Card.of(trump, Rank.KING), Card.of(trump, Rank.QUEEN)} <= hands[seat]:
            total += rules.marriage
    return total


@st.composite
def tables(draw: st.DrawFn) -> tuple[list[Hand], MeldRules]:
    """Hands and rules for their pack. A pack in order, mixed a little, is cut, so that there are melds."""
    rules = draw(st.sampled_from(list(RULES.values())))
    pack = DECK24 if rules is PANDUR_MELDS else DECK33
    by_rank = sorted(pack, key=lambda card: (card.rank, card.suit))
    cards = list(draw(st.one_of(st.sampled_from([list(pack), by_rank]), st.permutations(by_rank))))
    places = st.integers(0, len(cards) - 1)
    for one, two in draw(st.lists(st.tuples(places, places), max_size=12)):
        cards[one], cards[two] = cards[two], cards[one]
    start = draw(places)
    cards = cards[start:] + cards[:start]
    size = draw(st.sampled_from([8, 8, 9]))
    return [Hand(cards[first : first + size]) for first in range(0, len(cards) - size + 1, size)], rules


def test_doctests() -> None:
    assert doctest.testmod(melds).failed == 0


# Points


@pytest.mark.parametrize(
    ("hand", "pagat", "wikipedia_nl", "pandur"),
    [
        (".", 0, 0, 0),
        ("SAK HQJ DT9 CT9", 0, 0, 0),
        ("SAKQ HJT9", 40, 40, 40),
        ("SAKQJ H987", 70, 70, 70),
        ("SKQJT9 HA D9 C9", 100, 100, 100),
        ("SAKQJT9", 120, 150, 150),
        ("SAKQJT98", 140, 200, 150),
        ("SAKQJT987", 160, 250, 150),
        ("HAKQJT9876", 160, 250, 150),
        ("HT9876 SAKQ", 120, 120, 120),
        ("HKQJ SA DKQJ CA", 40, 40, 40),
        ("SJ HJ DJ CJ SA HA DA CA", 300, 300, 300),
        ("SQ HQ DQ CQ SK HK DK CK", 200, 200, 200),
        ("S9 H9 D9 C9", 0, 0, 150),
        ("ST HT DT CT", 0, 0, 100),
        ("SJT9 HJ DJ CJ", 220, 220, 200),
        ("SKQJT9 HJ DJ CJ", 300, 300, 200),
        ("SAKQJ HJ DJ CJ", 250, 250, 220),
        ("SKQJT9 HT DT CT", 100, 100, 120),
        ("SAKQJT HA DA CA", 200, 200, 150),
        ("SAKQJ HAQ DA CA", 150, 150, 120),
    ],
)
def test_meld_points(hand: str, pagat: int, wikipedia_nl: int, pandur: int) -> None:
    for rules in (PAGAT_MELDS, CAPPELLE_MELDS, WIKIPEDIA_EN_MELDS):
        assert points(hand, rules) == pagat
    assert points(hand, WIKIPEDIA_NL_MELDS) == wikipedia_nl
    assert points(hand, PANDUR_MELDS) == pandur


def test_describe() -> None:
    found = describe(Hand("SJT9 HJ DJ CJ H87"), PAGAT_MELDS)
    assert found == [
        Meld("four", 4, Card("SJ"), Hand("SJ HJ DJ CJ"), 200),
        Meld("run", 3, Card("SJ"), Hand("SJT9"), 20),
    ]
    assert [str(meld) for meld in found] == ["four jacks ♠J ♥J ♦J ♣J (200)", "run of 3 ♠JT9 (20)"]
    assert pickle.loads(pickle.dumps(found)) == found
    shortened = describe(Hand("SAKQJ HJ DJ CJ"), PANDUR_MELDS)
    assert [str(meld) for meld in shortened] == ["four jacks ♠J ♥J ♦J ♣J (200)", "run of 3 ♠AKQ (20)"]
    assert [str(meld) for meld in describe(Hand("HAKQJT9876"), PAGAT_MELDS)] == ["run of 9 ♥AKQJT9876 (160)"]
    assert describe(Hand(), PAGAT_MELDS) == []


def test_describe_prefers_the_better_single_meld() -> None:
    # Four tens alone and a run of five alone are both worth 100.
    found = describe(Hand("SAKQJT HT DT CT"), PANDUR_MELDS)
    assert [str(meld) for meld in found] == ["four tens ♠T ♥T ♦T ♣T (100)", "run of 4 ♠AKQJ (50)"]
    assert [meld.kind for meld in describe(Hand("SQJT98 HT DT CT"), PANDUR_MELDS)] == ["four"]


# The best single meld

FOURS = ["SQ HQ DQ CQ", "SK HK DK CK", "SA HA DA CA"]
ASCENDING = ["C987", "CT987", "CJT987", *FOURS, "CQJT987", "CKQJT987", "CAKQJT987"]


@pytest.mark.parametrize("rules", [PAGAT_MELDS, CAPPELLE_MELDS, WIKIPEDIA_NL_MELDS, WIKIPEDIA_EN_MELDS])
def test_best_meld_by_kind(rules: MeldRules) -> None:
    codes = [best(text, rules) for text in [".", *ASCENDING, "SJ HJ DJ CJ"]]
    assert codes[0] == 0
    assert codes == sorted(set(codes))
    assert best("SAKQ", rules) < best("CT987", rules)
    assert best("CAKQ", rules) > best("SKQJ", rules)
    assert best("CAKQ SJT98", rules) == best("SJT98", rules)


def test_suit_breaks_ties_in_some_rules() -> None:
    runs = ["CAKQ", "DAKQ", "HAKQ", "SAKQ"]
    for rules in (PAGAT_MELDS, CAPPELLE_MELDS):
        codes = [best(text, rules) for text in runs]
        assert codes == sorted(set(codes))
        assert best("CAKQ HAKQ", rules) == best("HAKQ", rules)
    for rules in (WIKIPEDIA_NL_MELDS, WIKIPEDIA_EN_MELDS, PANDUR_MELDS):
        assert len({best(text, rules) for text in runs}) == 1


def test_best_meld_in_pandur_goes_by_points_first() -> None:
    four = "S{0} H{0} D{0} C{0}".format
    ascending = [
        ".",
        "CJT9",
        "SAKQ",
        "CQJT9",
        "SAKQJ",
        "CKQJT9",
        "SAKQJT",
        four("T"),
        four("Q"),
        four("K"),
        four("A"),
        "CAKQJT9",
        four("9"),
        four("J"),
    ]
    codes = [best(text, PANDUR_MELDS) for text in ascending]
    assert codes == sorted(set(codes))


# Marriage


def test_marriage() -> None:
    bits = [[Hand(text).bits for text in ("SKQ HK", "SK HQ", "HKQ SA", ".")]] * 2
    assert marriage(bits, Suit.SPADES, PAGAT_MELDS).tolist() == [[20, 0, 0, 0]] * 2
    assert marriage(bits, Suit.HEARTS, PAGAT_MELDS).tolist() == [[0, 0, 20, 0]] * 2
    assert marriage(bits, None, PAGAT_MELDS).tolist() == [[0, 0, 0, 0]] * 2
    assert not marriage(bits, Suit.SPADES, PANDUR_MELDS).any()


# What the side counts

HANDS = ["SKQJ HA", "HKQJT CA", "DAKQ C9", "CKQJT9"]
DEAL = np.array([Hand(text).bits for text in HANDS], dtype=np.uint64)
SEATS_0_2, SEATS_0_3, SEATS_0_1 = 0b0101, 0b1001, 0b0011


@pytest.mark.parametrize(
    ("rules", "side", "bidders", "expected"),
    [
        (WIKIPEDIA_NL_MELDS, SEATS_0_2, [1, 3], 40),  # nobody may deny
        (PAGAT_MELDS, SEATS_0_2, [], 40),  # no opponent made a bid
        (PAGAT_MELDS, SEATS_0_2, [0, 2], 40),  # the side does not deny itself
        (PAGAT_MELDS, SEATS_0_2, [1], 0),  # a run of four over runs of three
        (PAGAT_MELDS, SEATS_0_1, [2], 70),  # the partner's run of four saves the declarer's
        (PAGAT_MELDS, SEATS_0_1, [2, 3], 0),
        (CAPPELLE_MELDS, SEATS_0_1, [], 0),  # every opponent may deny
        (CAPPELLE_MELDS, SEATS_0_3, [], 120),
        (CAPPELLE_MELDS, 0b1111, [], 190),
    ],
)
def test_denial(rules: MeldRules, side: int, bidders: list[int], expected: int) -> None:
    assert side_points(DEAL, side, None, rules, 0, bidders) == expected
    # The king and queen of spades are never denied.
    assert side_points(DEAL, side, Suit.SPADES, rules, 0, bidders) == expected + 20


def test_equal_melds_do_not_deny() -> None:
    hands = [Hand(text).bits for text in ("CAKQ", "SAKQ", ".", ".")]
    suit_counts, suit_is_nothing = CAPPELLE_MELDS, replace(WIKIPEDIA_EN_MELDS, denial="opponents")
    assert side_points(hands, 1, None, suit_counts, 0) == 0
    assert side_points(hands, 1, None, suit_is_nothing, 0) == 20


def test_own_best_looks_at_the_declarer_only() -> None:
    hands = [Hand(text).bits for text in ("SJT9", "HKQJT", "DAKQ")]
    together = replace(PANDUR_MELDS, own_best=False)
    assert side_points(hands, 0b011, None, together, 0) == 70
    assert side_points(hands, 0b011, None, PANDUR_MELDS, 0) == 0
    assert side_points(hands, 0b011, None, PANDUR_MELDS, 1) == 70


def test_published_pandur_deal() -> None:
    """The Swiss federation's example: four nines deny four kings."""
    texts = ["CJAKT DAK HK SK", "CQ HJ DJ SJ DT SQ HT ST", "C9 D9 H9 S9 DQ HQ HA SA"]
    hands = [Hand(text).bits for text in texts]
    assert meld_points(hands, PANDUR_MELDS).tolist() == [100, 20, 150]
    assert side_points(hands, 0b001, Suit.CLUBS, PANDUR_MELDS, 0) == 0
    assert side_points(hands, 0b100, Suit.CLUBS, PANDUR_MELDS, 2) == 150
    assert side_points([hands[0], hands[1]], 0b01, Suit.CLUBS, PANDUR_MELDS, 0) == 100


def test_sides_by_deal() -> None:
    hands = np.stack([DEAL] * 3)
    sides = np.array([SEATS_0_2, SEATS_0_1, SEATS_0_3], dtype=np.uint8)
    assert side_points(hands, sides, Suit.SPADES, CAPPELLE_MELDS, 0).tolist() == [20, 20, 140]
    assert side_points(hands[:0], sides[:0], None, PANDUR_MELDS, 0).shape == (0,)


# Shapes, and mistakes


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_shapes(rules: MeldRules) -> None:
    texts = ["SKQJT9 HJ DJ CJ", "SAKQJT HT DT CT", "HAKQ", "S9 H9 D9 C9 SJ HJ DJ CJ", ".", "CAKQJT9"]
    bits = np.array([Hand(text).bits for text in texts], dtype=np.uint64)
    for function in (meld_points, best_meld):
        flat = function(bits, rules)
        assert flat.dtype == np.int32
        grid = bits.reshape(2, 3)
        assert function(grid, rules).tolist() == flat.reshape(2, 3).tolist()
        assert function(grid.T, rules).tolist() == flat.reshape(2, 3).T.tolist()
        assert function(grid[:, ::2], rules).tolist() == flat.reshape(2, 3)[:, ::2].tolist()
        assert function(np.empty((0, 4), dtype=np.uint64), rules).shape == (0, 4)
        scalar = function(int(bits[0]), rules)
        assert scalar.shape == ()
        assert scalar == flat[0]
    assert side_points(bits.reshape(2, 1, 3), 1, None, rules, 0).shape == (2, 1)


def test_mistakes() -> None:
    with pytest.raises(PandoerError, match=r"^seat 4: expected 0 to 3$"):
        side_points(DEAL, 1, None, PAGAT_MELDS, 4)
    with pytest.raises(PandoerError, match=r"^seat -1: expected 0 to 3$"):
        side_points(DEAL, 1, None, PAGAT_MELDS, 0, [-1])
    with pytest.raises(PandoerError, match=r"^side of dtype bool: expected integers"):
        side_points(DEAL, [True, False, False, False], None, PAGAT_MELDS, 0)
    with pytest.raises(PandoerError, match=r"^hands of dtype float64: expected the integer bits of hands$"):
        meld_points([1.5], PAGAT_MELDS)
    with pytest.raises(PandoerError, match=r"^hands 0: expected an array with a last axis of seats$"):
        side_points(0, 1, None, PAGAT_MELDS, 0)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"runs": ()}, r"^runs of lengths \[\]: expected consecutive lengths from 3 or more$"),
        ({"runs": ((2, 5), (3, 20))}, r"^runs of lengths \[2, 3\]: expected consecutive"),
        ({"runs": ((3, 20), (5, 100))}, r"^runs of lengths \[3, 5\]: expected consecutive"),
        ({"fours": (("6", 100),)}, r"^four of a kind '6': expected a rank letter A K Q J T 9 8 7$"),
        ({"fours": (("9", 150),)}, r"^'four 9' has no place in order 'kind-suit', expected 'points'$"),
        ({"order": "suit"}, r"^order 'suit': expected one of kind-suit, kind, points$"),
        ({"denial": "all"}, r"^denial 'all': expected one of bidders, opponents, none$"),
    ],
)
def test_contradictory_rules(change: dict[str, object], message: str) -> None:
    with pytest.raises(PandoerError, match=message):
        MeldRules(**change)  # type: ignore[arg-type]


# Against the slow rules


@given(tables())
def test_melds_against_the_slow_rules(table: tuple[list[Hand], MeldRules]) -> None:
    hands, rules = table
    bits = np.array([hand.bits for hand in hands], dtype=np.uint64)
    codes = best_meld(bits, rules).tolist()
    tops = [slow_best(frozenset(hand), rules) for hand in hands]
    assert meld_points(bits, rules).tolist() == [slow_points(frozenset(hand), rules) for hand in hands]
    for hand, top, code in zip(hands, tops, codes, strict=True):
        found = describe(hand, rules)
        assert sum(meld.points for meld in found) == slow_points(frozenset(hand), rules)
        assert all(not meld.cards - hand and len(meld.cards) == meld.length for meld in found)
        assert bool(found) == (top is not None) == (code > 0)
    for (one, code_one), (two, code_two) in product(zip(tops, codes, strict=True), repeat=2):
        if one is not None and two is not None:
            assert beats(one, two, rules) == (code_one > code_two)


@given(tables(), st.data())
def test_side_points_against_the_slow_rules(table: tuple[list[Hand], MeldRules], data: st.DataObject) -> None:
    hands, rules = table
    seats = st.integers(0, len(hands) - 1)
    declarer = data.draw(seats)
    side = {declarer, *data.draw(st.sets(seats))}
    bidders = data.draw(st.sets(seats))
    trump = data.draw(st.sampled_from([None, *Suit]))
    bits = np.array([[hand.bits for hand in hands]], dtype=np.uint64)
    mask = np.array([sum(1 << seat for seat in side)])
    expected = slow_side_points([frozenset(hand) for hand in hands], side, trump, rules, declarer, bidders)
    assert side_points(bits, mask, trump, rules, declarer, bidders).tolist() == [expected]
