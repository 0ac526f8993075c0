"""What a player sees in his hand: by example, by property, and the plans he may choose from."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pandoer import RULESETS, Card, Hand, PandoerError, Plan, Suit, ruleset
from pandoer.features import FEATURES, features, find
from pandoer.planned import Cards, Plans, after_discard, candidate_plans, plan_of
from pandoer.plans import legal_plans
from pandoer.symmetry import renamed

SPADES = "SJ9A HKQ D8 CT7"


def seen(hand: str, plan: str, rules: str = "pagat") -> dict[str, int]:
    """All features of one hand."""
    return {name: int(values[0]) for name, values in features(Hand(hand), plan, rules).items()}


@pytest.mark.parametrize(
    ("hand", "plan", "expected"),
    [
        (SPADES, "S D7 HA", {"trumps": 3, "trump_jack": 1, "trump_nine": 1, "trump_ace": 1, "other_trumps": 0}),
        (SPADES, "S D7 HA", {"trump_tops": 3, "marriage": 0, "side_aces": 0, "side_kings_guarded": 1}),
        (SPADES, "S D7 HA", {"side_tops": 0, "side_losers": 5, "second_suit": 2, "voids": 0, "singletons": 1}),
        (SPADES, "S D7 HA", {"called_length": 2, "called_void": 0, "called_singleton": 0, "called_trump": 0}),
        (SPADES, "S D7 DA", {"called_length": 1, "called_singleton": 1}),
        (SPADES, "H D7 HA", {"trumps": 2, "trump_jack": 0, "other_trumps": 2, "marriage": 1, "called_trump": 1}),
        (SPADES, "H D7 HA", {"trump_tops": 0, "side_aces": 1, "side_tops": 1}),
        # Jack and nine, but the ace is another's: the king does not count from the top.
        ("SJ9K HAKQ DA C7", "S D7 CA", {"trump_tops": 2, "side_aces": 2, "side_tops": 4, "side_losers": 1}),
        # Laying the ace away makes the king the highest.
        ("SJ9K HKQ DA C87", "S HA CA", {"side_tops": 3, "called_length": 2}),
        ("SJ9K HKQT9 DA", "S HA CA", {"voids": 1, "called_void": 1, "singletons": 1, "best_meld": 0}),
        ("SKQJ HKQJT DA", "S H7 CA", {"best_meld": 5, "melds": 7, "marriage": 1}),
        ("SJ HJ DJ CJ SAKQ H8", "S H7 CA", {"best_meld": 20, "melds": 25}),
        # Without trump every suit is a plain one.
        ("SAKQ HAK DA C87", "- C9 CA", {"trumps": 0, "trump_jack": 0, "side_aces": 3, "side_tops": 6, "marriage": 0}),
        # Misère: the seven and the nine of a suit are safe, the ten and the king above all others are not.
        ("S79 HTK D87 CA7", "C S8 -", {"safe_suits": 2, "danger_suits": 1, "trumps": 2, "voids": 0}),
        ("S7J H6 D87 C7", "C C8 -", {"safe_suits": 2, "danger_suits": 1, "low_gaps": 0, "later_gaps": 2}),
        ("S9 HK D87 C7", "C C8 -", {"low_gaps": 2 + 4, "later_gaps": 0, "low_cards": 2, "high_cards": 1}),
        ("S7 H7 D8 CJ", "C C8 -", {"low_gaps": 1 + 1, "trump_gaps": 4, "low_cards": 3, "danger_suits": 2}),
    ],
)  # fmt: skip
def test_features_by_example(hand: str, plan: str, expected: dict[str, int]) -> None:
    found = seen(hand, plan)
    assert {name: found[name] for name in expected} == expected


def test_pandur_has_its_own_lowest_cards_and_melds() -> None:
    found = seen("S9T H9T D9T C9T", "- - -", "pandur")
    assert (found["safe_suits"], found["low_gaps"], found["best_meld"], found["melds"]) == (4, 0, 15, 25)


def test_every_feature_is_described() -> None:
    for name, feature in FEATURES.items():
        assert feature.name == name
        assert feature.label
        assert feature.description
        assert not feature.description.endswith(".")
        assert find(name) is feature
    with pytest.raises(TypeError):
        FEATURES["x"] = find("trumps")  # type: ignore[index]


def some_hands(rules: str, count: int, cards: int, seed: int = 3) -> npt.NDArray[np.uint64]:
    """Random hands of so many cards, ``uint64 [count]``."""
    bits = np.array([card.bit for card in ruleset(rules).deck], np.uint64)
    shuffled = np.random.default_rng(seed).permuted(np.tile(bits, (count, 1)), axis=1)
    return np.asarray(shuffled[:, :cards].sum(axis=1), np.uint64)


@given(st.integers(0, 2**32 - 1), st.sampled_from(["pagat", "pandur"]))
def test_renaming_suits_changes_no_feature(seed: int, name: str) -> None:
    rules = ruleset(name)
    rng = np.random.default_rng(seed)
    cards = some_hands(name, 4, 9 if rules.watch else 8, seed)
    bid = rules.bid("pandoer" if rules.watch else "130")
    rows, plans = candidate_plans(rules, bid, cards, discard=rules.watch is not None)
    chosen = rng.integers(0, len(rows), 6)
    hands, plans = after_discard(cards[rows[chosen]], np.zeros(6, np.uint64), plans[chosen]), plans[chosen]
    found = features(hands, plans, rules)
    ways = [way for way in permutations(Suit) if rules.watch is None or way[Suit.HEARTS] == Suit.HEARTS]
    way = ways[rng.integers(len(ways))]
    other = features(renamed(hands, way), [plans.plan(row).renamed(way) for row in range(6)], rules)
    assert {key: values.tolist() for key, values in found.items()} == {
        key: values.tolist() for key, values in other.items()
    }


@given(st.integers(0, 2**32 - 1))
def test_features_fit_together(seed: int) -> None:
    cards = some_hands("pagat", 5, 9, seed)
    rows, plans = candidate_plans(ruleset("pagat"), ruleset("pagat").bid("130"), cards, discard=True)
    hands = after_discard(cards[rows], np.zeros(len(rows), np.uint64), plans)
    found = features(hands, plans, "pagat")
    assert (found["trumps"] + found["side_tops"] + found["side_losers"] == 8).all()
    assert (found["safe_suits"] + found["danger_suits"] + found["voids"] == 3).all()
    assert (found["called_void"] + found["called_singleton"] + found["called_trump"] <= 1).all()
    assert (found["best_meld"] <= found["melds"]).all()
    assert (found["trump_tops"] <= found["trumps"]).all()
    assert (found["second_suit"] * 3 >= 8 - found["trumps"]).all()
    assert ((found["danger_suits"] > 0) == (found["low_gaps"] + found["later_gaps"] > 0)).all()


def test_one_plan_serves_all_hands_and_hands_may_be_objects() -> None:
    hands = [Hand("SJ9 HA"), Hand("S8 HA")]
    many = features(hands, Plan(Suit.SPADES), "pagat", ["trump_jack", "trumps"])
    assert {name: values.tolist() for name, values in many.items()} == {"trump_jack": [1, 0], "trumps": [2, 1]}
    bits = np.array([hand.bits for hand in hands], np.uint64)
    assert features(bits, ["S", "S - -"], "pagat", ["trumps"])["trumps"].tolist() == [2, 1]
    assert features(bits[:0], [], "pagat", ["trumps"])["trumps"].tolist() == []


@pytest.mark.parametrize(
    ("hands", "plans", "names", "said"),
    [
        (Hand(SPADES), "S D7 HA", ["jacks"], "unknown feature 'jacks': expected one of trumps, "),
        (Hand(SPADES), "S D7 H", None, "cannot read plan 'S D7 H': expected trump, discard and called card"),
        (Hand(SPADES), "X", None, "cannot read plan 'X'"),
        (Hand(SPADES), "S C7 HA", None, "holds the discard"),
        (Hand(SPADES), ["S D7 HA"] * 2, None, "2 plans for 1 hands: expected one for each"),
        ([1 << 60], "S", None, "no cards of the game"),
        (np.zeros((2, 2), np.uint64), "S", None, "shape (2, 2)"),
        ([0.5], "S", None, "float64"),
    ],
)
def test_mistakes_are_told(hands: object, plans: object, names: list[str] | None, said: str) -> None:
    with pytest.raises(PandoerError) as caught:
        features(hands, plans, "pagat", names)  # type: ignore[arg-type]
    assert said in str(caught.value)


# Plans


def test_a_plan_is_read_and_shown() -> None:
    assert plan_of("S C7 HA") == Plan(Suit.SPADES, Card("C7"), Card("HA"))
    assert plan_of("- C7 HA HK must") == Plan(None, Card("C7"), Card("HA"))
    assert plan_of("- - -") == Plan()
    texts = Plans.of(["S C7 HA", "- C7 -"])
    assert [texts.plan(0), texts.plan(1)] == [plan_of("S C7 HA"), plan_of("- C7 -")]


@pytest.mark.parametrize("name", [rules.name for rules in RULESETS])
def test_candidates_are_the_legal_plans(name: str) -> None:
    rules = ruleset(name)
    watch = rules.watch is not None
    some = some_hands(name, 12, 9 if watch else 8)
    tops = Hand("SAJ9 HA DA CAKQJ") if watch else Hand("SAJ9 HA DA CAK")  # nothing but kings or less can be called
    jacks = Hand("SJ9 HJ DJ CJAKQT") if watch else Hand("SJ9 HJ DJ CJAKQ")
    cards = np.array([*some, tops.bits, jacks.bits], np.uint64)
    bids = {(bid.objective.name, bid.trump, bid.partner): bid for bid in rules.bids}.values()
    more = [rules.bid("pandoer+50")] if name == "wikipedia-en" else []
    for bid in [*bids, *more]:
        rows, plans = candidate_plans(rules, bid, cards, discard=watch)
        for number, bits in enumerate(cards):
            mine = np.flatnonzero(rows == number)
            legal = set(legal_plans(rules, bid, Hand.from_bits(bits), Plan(), everything=True))
            assert {plans.plan(int(row)) for row in mine} == legal
            assert len(mine) == len(legal)


def test_tops_need_the_order_of_the_suit() -> None:
    hands = np.array([Hand("SJ HA").bits], np.uint64)
    cards = Cards.of(hands, Plans.of("S"), ruleset("pagat"))
    assert cards.tops[:, 0].tolist() == [0, 0, 1, 1]
    assert Cards.of(hands, Plans.of("-"), ruleset("pagat")).tops[:, 0].tolist() == [0, 0, 1, 0]
