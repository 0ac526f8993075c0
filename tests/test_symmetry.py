"""Suits that look alike: layouts and plans that differ in the names of suits only."""

from __future__ import annotations

from itertools import permutations
from random import Random
from typing import Any

import numpy as np
import pytest

from pandoer import Card, Hand, Suit, odds, ruleset, solve_many
from pandoer.dealing import Layouts
from pandoer.plans import Plan
from pandoer.problems import Play
from pandoer.symmetry import renamed, renamed_card, renamings, twins

C, D, H, S = Suit
ALIKE = Hand("SJ SA HJ HA DT D9 CK CQ")
"""Spades and hearts look alike."""


def test_renaming_a_hand() -> None:
    names = (S, C, H, D)  # clubs become spades, diamonds clubs, spades diamonds
    bits = np.array([[Hand("CA D9 HK SJ").bits], [Hand("CT").bits]], np.uint64)
    assert [Hand.from_bits(int(b)) for b in renamed(bits, names).ravel()] == [Hand("SA C9 HK DJ"), Hand("ST")]
    assert renamed_card(Card("D9"), names) == Card("C9")
    assert renamed_card(None, names) is None


@pytest.mark.parametrize(
    ("hand", "suits", "found"),
    [
        ("SJ SA HJ HA DT D9 CK CQ", (), {(C, D, S, H)}),
        ("SJ SA HJ HA DT D9 CK CQ", (S,), set()),
        ("SJ SA HJ HA DT D9 CK CQ", (C, None), {(C, D, S, H)}),
        ("SA HA DA CA", (), {names for names in permutations(Suit) if names != (C, D, H, S)}),
        ("SA HA DA CA", (H, D), {(S, D, H, C)}),
        ("SA HK DQ CJ", (), set()),
    ],
)
def test_renamings_leave_the_hand_as_it_is(hand: str, suits: Any, found: Any) -> None:
    assert set(renamings([Hand(hand)], suits)) == found


def test_renamings_of_several_hands() -> None:
    assert renamings([ALIKE, Hand("S9")]) == ()
    assert renamings([ALIKE, Hand("S9 H9")]) == ((C, D, S, H),)


def test_twins_are_the_first_of_their_kind() -> None:
    layouts = Layouts(ruleset("pandur").deck - ALIKE, 2, 8).enumerate()
    names = renamings([ALIKE])
    first = twins(layouts, names)
    assert (first <= np.arange(len(first))).all()
    assert (first[first] == first).all()
    for i in Random(1).sample(range(len(layouts)), 300):
        images = {tuple(layouts[i]), *(tuple(renamed(layouts[i], way)) for way in names)}
        assert tuple(layouts[first[i]]) in images
    # As many kinds as Burnside's lemma says: half of all layouts and those that stay as they are.
    same = sum((renamed(layouts, way) == layouts).all(axis=1).sum() for way in names)
    assert len(np.unique(first)) == (len(layouts) + same) / 2


@pytest.mark.parametrize(
    ("hand", "bid", "trump"),
    [
        ("SJ SA HJ HA DT D9 CK CQ", "110", "C"),
        ("SA S9 HA H9 DA D9 CA CK", "misere-ohne", None),
        ("S9 ST H9 HT D9 DT CQ CJ", "misere-ohne", None),
        ("SA HA DA CA SK HK DK CK", "pandur-ohne", None),
        ("SJ S9 HJ H9 DA DK CA CK", "pandur-mit", "S"),
    ],
)
def test_exact_chances_with_suits_alike(hand: str, bid: str, trump: str | None) -> None:
    """The share of all layouts, each solved by itself."""
    rules, own = ruleset("pandur"), Hand(hand)
    hidden = Layouts(rules.deck - own, 2, 8).enumerate()
    hands = np.column_stack([np.full(len(hidden), own.bits, np.uint64), hidden])
    made = solve_many(hands, rules.contract(bid, trump=trump), exact=False)
    answer = odds(own, bid, rules=rules, trump=trump)
    assert answer.exact
    assert answer.probability == pytest.approx(made.mean(), abs=1e-12)


@pytest.mark.parametrize("rules", ["pagat", "cappelle", "wikipedia-nl", "wikipedia-en", "butselaar", "pandur"])
def test_plans_that_differ_in_names_are_one(rules: str) -> None:
    """What is left out has, on average, the chance of what is named in its place; exactly so in an ending."""
    hand, unseen = "SJ SA HJ HA", "CT C9 DT D9 CQ DQ SK HK ST HT S9 H9"
    bid = "pandur-mit" if rules == "pandur" else "prive"
    ending: dict[str, Any] = {"rules": rules, "exact": True}
    if rules == "pandur":
        unseen = "CT C9 DT D9 CQ DQ SK HK"
    chances = {suit: odds(hand, bid, unseen=unseen, trump=suit, **ending).probability for suit in "SHDC"}
    assert chances["S"] == chances["H"]
    assert chances["D"] == chances["C"]


@pytest.mark.parametrize("bid", ["120", "misere-ohne", "misere-mit", "pandur-mit"])
def test_chances_do_not_depend_on_the_names_of_suits(bid: str) -> None:
    """In Pandur all four may be renamed."""
    rng = Random(bid)
    hand = Hand("CJ CA CK DA DK DQ HA S9") if bid in ("120", "pandur-mit") else Hand("SA S9 HK HT H9 D9 DT C9")
    expected = odds(hand, bid, rules="pandur")
    for _ in range(3):
        names = tuple(rng.sample([*Suit], 4))
        other = Hand.from_bits(int(renamed(np.array(hand.bits, np.uint64), names)))
        answer = odds(other, bid, rules="pandur")
        assert (answer.probability, answer.money) == (expected.probability, expected.money)
        if answer.plan != expected.plan:  # the names are renamed, but for a plan that is as good
            assert answer.plan is not None
            assert expected.plan is not None
            assert answer.plan == expected.plan.renamed(names)


def test_a_trump_suit_of_two_that_look_alike_is_named_once() -> None:
    answer = odds("SJ SA HJ HA DT D9 CK CQ", "pandur-mit", rules="pandur", samples=20)
    assert sorted(row.plan.trump for row in answer.plans if row.plan and row.plan.trump is not None) == [C, D, H]
    told = odds("SJ SA HJ HA DT D9 CK CQ", "pandur-mit", rules="pandur", samples=20, known={1: "SK"})
    assert len(told.plans) == 4  # spades are no longer like hearts
    void = odds("SJ SA HJ HA DT D9 CK CQ", "pandur-mit", rules="pandur", samples=20, void={1: "S"})
    assert len(void.plans) == 4
    weighed = odds("SJ SA HJ HA DT D9 CK CQ", "pandur-mit", rules="pandur", samples=20, weight=lambda h: h[:, 0] > 0)
    assert len(weighed.plans) == 4


def test_suits_decide_between_melds_in_pagat() -> None:
    """There they are not alike where melds count; elsewhere they are, but for hearts, which have the six."""

    def trumps(bid: str, rules: str) -> int:
        answer = odds("SJ SA CJ CA DT D9 HK HQ", bid, rules=rules, watch="H7", samples=4)
        return len({row.plan.trump for row in answer.plans if row.plan})

    assert trumps("130", "pagat") == 4
    assert trumps("prive", "pagat") == 3
    assert trumps("130", "wikipedia-nl") == 3


def test_renaming_a_plan() -> None:
    plan = Plan(S, Card("D9"), Card("HA"), Play(Card("CK"), "must"))
    assert plan.renamed((D, C, S, H)) == Plan(H, Card("C9"), Card("SA"), Play(Card("DK"), "must"))
    assert Plan().renamed((D, C, S, H)) == Plan()
