"""Advice: the bids that are open, in order, with the figures of `odds`."""

from __future__ import annotations

import json
import pickle
import re
from typing import Any

import pytest

from pandoer import Advice, Auction, Card, Hand, PandoerError, advise, odds, ruleset
from pandoer.advice import open_bids, own_melds
from pandoer.question import Question

HAND = Hand("SJ S9 SA HK HQ D8 CT C7")
LOW = Hand("S7 S8 S9 D7 D8 D9 C7 C8")
QUICK: dict[str, Any] = {"rules": "cappelle", "watch": "H7", "precision": 0.2}


def check(advice: Advice) -> None:
    """What holds for every advice."""
    assert advice.finished
    gains = [row.odds.gain for row in advice.bids]
    assert gains == sorted(gains, reverse=True)
    rules = ruleset(advice.rules)
    ranks = {row.odds.bid: rules.rank(row.odds.bid.partition("+run")[0]) for row in advice.bids}
    for row in advice.bids:
        assert row.odds.finished
        assert row.rank == 1 + ranks[row.odds.bid][0]
        better = [
            other.odds.gain
            for other in advice.bids
            if ranks[other.odds.bid] > ranks[row.odds.bid] and other.odds.gain >= row.odds.gain
        ]
        assert (row.dominated_by is None) == (not better)
        if row.dominated_by is not None:
            dominant = next(other for other in advice.bids if other.odds.bid == row.dominated_by)
            assert dominant.odds.gain == max(better)
    best = advice.best
    assert (best is None) == (not gains or gains[0] <= 0)


@pytest.mark.parametrize("rules", ["pagat", "cappelle", "wikipedia-nl", "wikipedia-en", "butselaar", "pandur"])
def test_every_ruleset(rules: str) -> None:
    hand = "SJ S9 SA HK HQ DT CT C9" if rules == "pandur" else HAND
    watch = None if rules == "pandur" else "H7"
    advice = advise(hand, rules=rules, watch=watch, samples=4, threads=2)
    check(advice)
    names = [row.odds.bid for row in advice.bids]
    assert {bid.name for bid in ruleset(rules).bids} <= set(names)
    assert len(set(names)) == len(names)


def test_figures_are_those_of_odds() -> None:
    """The bids share deals and solves, and yet each has the answer that it has alone."""
    advice = advise(HAND, **QUICK, seed=4, auction="pass 120 pass")
    check(advice)
    for row in advice.bids:
        assert row.odds == odds(HAND, row.odds.bid, **QUICK, seed=4, bidders=[2])


def test_threads_do_not_matter() -> None:
    asked = QUICK | {"auction": "150"}
    one = advise(HAND, **asked, threads=1)
    assert advise(HAND, **asked, threads=2) == one
    assert advise(str(HAND), **asked, progress=lambda share: None, update=lambda advice: None) == one
    assert advise(HAND, **asked, seed=1) != one


def test_node_limit() -> None:
    """Bids that share their deals: one that is given up for a high bid may be won for a low one."""
    hand = "SJ HJ DJ CJ S9 SA D8 C7"
    advice = advise(hand, rules="cappelle", watch="H7", samples=30, node_limit=300, auction="140")
    by_name = {row.odds.bid: row.odds for row in advice.bids}
    assert by_name["150"].unknown == 0 < by_name["300"].unknown
    for row in by_name.values():
        assert 0 <= row.low <= row.probability <= row.high <= 1


def test_few_plans_of_each_bid() -> None:
    advice = advise(HAND, rules="pagat", watch="H7", samples=10, plans=2, auction="pass 160")
    check(advice)
    for row in advice.bids:
        assert row.odds == odds(HAND, row.odds.bid, rules="pagat", watch="H7", samples=10, plans=2, bidders=[3])
        assert len({(plan.trump, plan.discard, plan.called) for one in row.odds.plans if (plan := one.plan)}) <= 2
    precise = advise(HAND, rules="pagat", watch="H7", precision=0.3, plans=1, auction="pandoer")
    assert {row.odds.bid: len(row.odds.plans) for row in precise.bids}["prive"] == 1


def test_a_closed_watch_card() -> None:
    advice = advise(LOW, rules="cappelle", samples=25, auction="200")
    check(advice)
    assert advice.watch is None
    assert all(row.odds.plan is None and len(row.odds.plans) == 25 for row in advice.bids)
    best = advice.best
    assert best is not None
    assert best.odds.bid == "stil-praatje"  # pays the most for no trick in this ruleset


def test_after_an_auction_only_what_outranks_is_open() -> None:
    advice = advise(HAND, **QUICK, auction="pass pandoer+20 pass")
    assert {row.odds.bid for row in advice.bids} == {"pandoer+30", "praatje", "prive"}
    check(advice)
    assert advise(HAND, **QUICK, auction=["pass", "prive"]).bids == ()


def test_passing_is_best_when_no_bid_wins() -> None:
    advice = advise("S7 S8 HA HT DQ D9 CK CJ", **QUICK)
    assert advice.best is None
    assert "pass: +0.00 points" in advice.lines()[1]


def test_bids_raised_by_own_melds() -> None:
    """King and queen of hearts: a marriage of 20 that stays in the hand."""
    question = Question(ruleset("pagat"), HAND, Card("H7"), 4)
    names = [bid.name for bid in open_bids(question, Auction.parse("", "pagat"))]
    assert names == [
        "120", "130", "140", "piccolo", "misere", "150", "160", "kereltje", "zwabber", "170", "180", "190",
        "solo-zwabber", "piccolo-ouvert", "200", "misere-ouvert", "stil-praatje", "pandoer", "pandoer+20", "praatje",
        "prive",
    ]  # fmt: skip
    suits = [*ruleset("pagat").deck.cards[0].suit.__class__]
    assert own_melds(question, suits) == 20
    assert own_melds(question, [None]) == 0
    jacks = Question(ruleset("pagat"), Hand("SJ HJ DJ CJ SK SQ S7 S8"), Card("ST"), 4)
    assert own_melds(jacks, suits) == 200 + 50 + 20
    assert own_melds(Question(ruleset("pagat"), jacks.hand, None, 4), suits) == 200 + 20 + 20


def test_an_equal_bid_with_better_melds() -> None:
    """In the Dutch game a pandoer outranks a pandoer by its melds."""
    hand = "SA SK SQ SJ HA HK D8 C7"
    question = Question(ruleset("wikipedia-nl"), Hand(hand), Card("D7"), 4)

    def names(calls: str) -> list[str]:
        return [bid.name for bid in open_bids(question, Auction.parse(calls, "wikipedia-nl"))]

    assert names("pandoer") == ["pandoer+run4", "piccolo-praatje", "praatje", "prive"]
    assert names("pandoer+run3") == ["pandoer+run4", "piccolo-praatje", "praatje", "prive"]
    assert names("pandoer+run4") == ["piccolo-praatje", "praatje", "prive"]
    advice = advise(hand, watch="D7", auction="pandoer", samples=4)
    check(advice)
    raised = next(row.odds for row in advice.bids if row.odds.bid == "pandoer+run4")
    bare = odds(hand, "pandoer", watch="D7", samples=4)
    assert (raised.probability, raised.plan) == (bare.probability, bare.plan)


def test_points_bids_go_as_far_as_own_melds() -> None:
    jacks = Question(ruleset("pagat"), Hand("SJ HJ DJ CJ SK SQ S7 S8"), Card("ST"), 4)
    names = [bid.name for bid in open_bids(jacks, Auction.parse("", "pagat"))]
    assert ruleset("pagat").all_points == 146
    assert "410" in names
    assert "420" not in names
    assert "pandoer+270" in names


def test_bids_without_a_trump_suit_are_left_out() -> None:
    advice = advise("SJ HJ DJ CJ S7 H8 D7 C7", watch="H7", samples=2, auction="200")
    assert {row.odds.bid for row in advice.bids} == {"pandoer", "piccolo-praatje", "praatje", "prive"}


def test_views() -> None:
    asked: dict[str, Any] = {"rules": "pagat", "watch": "H7", "samples": 4, "auction": "200"}
    views = {row.odds.bid: row.odds.view for row in advise(LOW, **asked).bids}
    assert {bid for bid, view in views.items() if view == "blind-lead"} == {"stil-praatje", "praatje"}
    blind = advise(LOW, **asked, view="blind-lead").bids
    assert {row.odds.view for row in blind} == {"blind-lead"}


def test_updates_come_as_it_goes_on() -> None:
    seen: list[Advice] = []
    shares: list[float] = []
    advice = advise(HAND, **QUICK, update=seen.append, progress=shares.append)
    assert len(seen) > 3
    assert not seen[0].finished
    assert all(not row.odds.finished for row in seen[0].bids)
    assert seen[-1].bids == advice.bids
    assert len(seen[0].bids) == len(advice.bids)
    assert shares == sorted(shares)
    assert shares[-1] == 1.0
    for early in seen:
        assert str(early)
        assert json.dumps(early.to_json())


def test_json() -> None:
    advice = advise(HAND, **QUICK)
    data = advice.to_json()
    assert json.loads(json.dumps(data)) == data
    for row, there in zip(data, advice.bids, strict=True):
        assert row == {**there.odds.to_json(), "rank": there.rank, "dominated_by": there.dominated_by}


def test_text() -> None:
    advice = advise(HAND, **QUICK, auction="pass 130")
    lines = str(advice).splitlines()
    assert lines[0] == "cappelle with ♠AJ9 ♥KQ ♦8 ♣T7, watch card ♥7, after pass 130"
    assert len(lines) == len(advice.bids) + 2
    assert advice._repr_html_().count("<li>") == len(advice.bids) + 1


def test_advice_is_a_value() -> None:
    advice = advise(HAND, **QUICK)
    again = pickle.loads(pickle.dumps(advice))
    assert again == advice
    assert hash(again) == hash(advice)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"auction": "pass pass pass pass"}, "auction 'pass pass pass pass' is over: expected one in which somebody"),
        ({"auction": "pass 90"}, "cannot read call '90'"),
        ({"watch": "SJ"}, "watch card 'SJ' is in the hand"),
        ({"samples": 5}, "samples 5, precision 0.2, exact False: expected one of them"),
        ({"view": "blind"}, "view 'blind': expected one of double-dummy, blind-lead"),
        ({"seed": -1}, "seed -1: expected a whole number"),
    ],
)
def test_errors(change: dict[str, Any], message: str) -> None:
    with pytest.raises(PandoerError, match=f"^{re.escape(message)}"):
        advise(HAND, **QUICK | change)
