"""Chances of bids: hand-made certainties, honest samples, fixed plans, closed watch cards, and error texts."""

from __future__ import annotations

import importlib
import json
import math
import pickle
import re
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import pandoer
from pandoer import Bid, Card, Hand, Odds, PandoerError, Plan, PlanChance, Rank, Suit, odds, ruleset
from pandoer.cards import DECK33
from pandoer.choices import crude_points, likeliest
from pandoer.dealing import Stream, sample
from pandoer.features import features
from pandoer.intervals import wilson
from pandoer.plans import legal_plans
from pandoer.results import plan_name

stats: Any = importlib.import_module("scipy.stats")
race: Any = importlib.import_module("pandoer.race")
ledger: Any = importlib.import_module("pandoer.ledger")

HAND = Hand("SJ S9 SA HK HQ D8 CT C7")
PLAN: dict[str, Any] = {"trump": "S", "discard": "C7", "called": "HA"}
"""A plan for `HAND` with watch card H7; pandoer succeeds about three times in five."""

ALL_SPADES = Hand("SA SK SQ SJ ST S9 S8 S7")
LOW = Hand("S7 S8 S9 D7 D8 D9 C7 C8")
BALANCED = Hand("SA S9 DA D8 CA C7 HA HK")
"""With watch card HQ and three like suits, three discards are equally good in a Dutch zwabber."""

RULESETS_33 = ("wikipedia-nl", "pagat", "cappelle", "wikipedia-en", "butselaar")


def chance(count: int, samples: int, expected: float) -> bool:
    """Whether `count` of `samples` is compatible with the expected chance."""
    return bool(stats.binomtest(count, samples, expected).pvalue > 1e-4)


def made(answer: Odds) -> int:
    """The number of counted deals in which the contract was made."""
    return round(answer.probability * answer.samples)


def check(answer: Odds) -> None:
    """What holds for every answer."""
    assert answer.view == ("blind-lead" if ruleset(answer.rules).bid(answer.bid).shown == "lead" else "double-dummy")
    assert answer.finished
    assert answer.view_says.endswith(".")
    assert [amount.seat for amount in answer.money] == list(range(len(answer.money)))
    assert answer.money[0].expected == answer.expected
    assert answer.expected_low <= answer.expected <= answer.expected_high
    assert 0 <= answer.probability <= 1
    rows: list[Odds | PlanChance] = [answer, *answer.plans]
    for row in rows:
        assert 0 <= row.low <= row.probability <= row.high <= 1
        assert row.samples >= 1
    for row in answer.plans:
        assert (row.low, row.high) == wilson(round(row.probability * row.samples), row.samples)


# Every bid of every ruleset


def number_of_plans(rules: pandoer.Ruleset, bid: Bid) -> int:
    """How many plans there are for `HAND` with one discard: trump suits times cards to call."""
    if bid.partner == "jack":
        return 3  # the trump jack may not be the jack of spades
    if bid.partner == "called":
        # Three aces are out; with plain-first the trump ace only when it is the last.
        if bid.trump == "none":
            return 3
        return 3 + 3 * (2 if rules.calling == "plain-first" else 3)
    return 1 if bid.trump == "none" else 4


EVERY_BID = [
    pytest.param(rules, bid.name, id=f"{rules}-{bid.name}") for rules in RULESETS_33 for bid in ruleset(rules).bids
]


@pytest.mark.parametrize(("rules", "name"), EVERY_BID)
def test_every_bid_has_an_answer(rules: str, name: str) -> None:
    game = ruleset(rules)
    bid = game.bid(name)
    if bid.target is None:
        answer = odds(HAND, name, rules=rules, watch="H7", samples=20, discard="C7")
        assert answer.samples == 20
        plans = number_of_plans(game, bid)
        if answer.view == "blind-lead":
            # Of the eight cards king and queen of hearts are alike to lead; ace and nine of spades if they are trumps.
            plans = 7 * plans - 1
        assert len(answer.plans) == plans
    else:
        answer = odds(HAND, name, rules=rules, watch="H7", samples=3, **PLAN)
        assert answer.samples == 3
        assert len(answer.plans) == 1
    check(answer)
    assert (answer.bid, answer.rules, answer.hand, answer.watch) == (name, rules, HAND, Card("H7"))
    assert (answer.value, answer.unit) == (bid.value, game.unit)
    assert answer.plan == answer.plans[0].plan
    assert answer.plan is not None
    assert answer.plan.discard == Card("C7")
    assert (answer.plan.trump is None) == (bid.trump == "none")
    assert (answer.plan.called is None) == (bid.partner != "called")


@pytest.mark.parametrize("rules", RULESETS_33)
def test_points_with_a_meld_that_is_enough(rules: str) -> None:
    for bid in ruleset(rules).bids:
        if bid.target is not None:
            answer = odds(ALL_SPADES, bid, rules=rules, watch="H7", samples=20, trump="S", discard="H7")
            assert answer.probability == 1
            check(answer)


@pytest.mark.parametrize("raised", ["pandoer+20", "pandoer+40"])
def test_melds_are_asked_of_a_raised_bid(raised: str) -> None:
    """The marriage of spades is the only meld; other trumps have none."""
    hand = Hand("SJ S9 SA SK SQ HA DA CA")
    answer = odds(hand, raised, rules="pagat", watch="H7", samples=50, trump="S", discard="H7", called="HK")
    bare = odds(hand, "pandoer", rules="pagat", watch="H7", samples=50, trump="S", discard="H7", called="HK")
    # Four aces and a run of three (A K Q) are 120 more.
    assert answer.probability == bare.probability > 0
    assert odds(HAND, raised, rules="pagat", watch="H7", samples=50, **PLAN).probability < bare.probability


# Certain and hopeless hands


@pytest.mark.parametrize("rules", RULESETS_33)
@pytest.mark.parametrize("suit", ["S", "C"])
def test_all_cards_of_a_suit_win_every_trick(rules: str, suit: str) -> None:
    hand = Hand(f"{suit}{rank}" for rank in "J9AKQT87")
    answer = odds(hand, "prive", rules=rules, watch="D8", samples=40)
    assert answer.probability == 1
    assert answer.plan is not None
    assert answer.plan.trump == Suit.parse(suit)
    check(answer)


@pytest.mark.parametrize("rules", RULESETS_33)
def test_the_lowest_cards_win_no_trick(rules: str) -> None:
    trump = None if rules == "wikipedia-en" else "H"
    answer = odds(LOW, "misere", rules=rules, watch="C9", samples=40, trump=trump, discard="C9")
    assert answer.probability == 1
    assert answer.low > 0.9


@pytest.mark.parametrize("rules", ["pagat", "cappelle", "wikipedia-en"])
def test_a_high_card_can_be_laid_away(rules: str) -> None:
    answer = odds(LOW, "misere", rules=rules, watch="CA", samples=40)
    assert answer.probability == 1
    assert answer.plan is not None
    assert answer.plan.discard == Card("CA")


@pytest.mark.parametrize("rules", RULESETS_33)
def test_low_cards_do_not_win_every_trick(rules: str) -> None:
    answer = odds(LOW, "prive", rules=rules, watch="H6", samples=40)
    assert answer.probability == 0
    assert answer.expected < 0


def test_high_cards_win_a_trick() -> None:
    answer = odds("SA SK DA DK CA CK HA HK", "misere", rules="wikipedia-en", watch="SQ", samples=40)
    assert answer.probability == 0


def test_aces_and_kings_are_enough_without_trump() -> None:
    answer = odds("SA SK DA DK CA CK HA HK", "solo-zwabber", watch="S7", samples=40)
    assert answer.probability == 1
    assert answer.plan is not None
    assert answer.plan.discard == Card("S7")


SEVEN_TRUMPS = Hand("SJ S9 SA SK SQ ST S8 D7")


def test_partner_with_the_one_winner_that_is_missing() -> None:
    """Seven trumps and the seven of diamonds: the last trick is won by whoever holds the ace of diamonds."""
    certain = odds(SEVEN_TRUMPS, "pandoer", rules="pagat", watch="S7", samples=60, trump="S", discard="S7")
    assert certain.probability == 1
    assert certain.plan is not None
    assert certain.plan.called == Card("DA")


def test_partner_may_hold_another_given_card() -> None:
    """The same with another ace called: its holder has the ace of diamonds with chance 7 out of 23."""
    answer = odds(
        SEVEN_TRUMPS, "pandoer", rules="pagat", watch="S7", samples=1500, trump="S", discard="S7", called="HA"
    )
    assert chance(made(answer), answer.samples, 7 / 23)


def test_partner_may_ruff() -> None:
    """With the last trump unseen, he may also have that: 1 - 16/23 x 15/22."""
    answer = odds(
        SEVEN_TRUMPS, "pandoer", rules="pagat", watch="C7", samples=1500, trump="S", discard="C7", called="HA"
    )
    assert chance(made(answer), answer.samples, 1 - 16 / 23 * 15 / 22)


def test_the_holder_of_the_called_ace_in_samples() -> None:
    unseen = DECK33 - HAND - Card("H7")
    deals = sample(unseen, 3, 8, 0, 20_000, np.random.SeedSequence(4))
    called = (deals & np.uint64(Card("HA").bit)) != 0
    assert (called.sum(axis=1) == 1).all()
    partners = deals[called]
    for card in unseen - Card("HA"):
        assert chance(int(((partners & np.uint64(card.bit)) != 0).sum()), 20_000, 7 / 23)


# Pandur


def test_two_players_of_pandur_leave_eight_cards_unseen() -> None:
    """Seven winners and a king: lost to the ace, which the other holds with chance a half."""
    hand = "SA SK SQ SJ ST HA HK DK"
    two = odds(hand, "pandur-ohne", rules="pandur", players=2, samples=1500)
    assert chance(made(two), two.samples, 1 / 2)
    three = odds(hand, "pandur-ohne", rules="pandur", players=3, samples=200)
    assert three.probability == 0
    assert odds(hand, "pandur-ohne", rules="pandur", samples=200) == three


@pytest.mark.parametrize("players", [2, 3])
@pytest.mark.parametrize("bid", ["160", "misere-ohne", "misere-mit", "pandur-ohne", "pandur-mit", "300"])
def test_pandur(players: int, bid: str) -> None:
    answer = odds("SJ S9 SA SK HA HK DA CA", bid, rules="pandur", players=players, samples=20)
    check(answer)
    assert answer.watch is None
    assert answer.plan is not None
    assert answer.plan.discard is None
    assert answer.plan.called is None
    assert answer.expected == pytest.approx(answer.value * answer.probability)
    # Diamonds and clubs look alike.
    assert len(answer.plans) == (1 if bid in ("misere-ohne", "pandur-ohne") else 3)


def test_the_first_lead_makes_trump_of_a_suit_one_holds() -> None:
    answer = odds("SJ S9 SA SK SQ ST HA HK", "pandur-mit", rules="pandur", samples=20)
    assert {row.plan.trump for row in answer.plans if row.plan is not None} == {Suit.SPADES, Suit.HEARTS}
    assert answer.plan == Plan(trump=Suit.SPADES)
    assert answer.probability == 1


# The same question has the same answer


@pytest.mark.parametrize("fixed", [{"watch": "H7", "trump": "S", "called": "HA"}, PLAN])
def test_threads_do_not_matter(fixed: dict[str, Any]) -> None:
    """With a known watch card and a discard to choose, and with a closed one."""
    asked: dict[str, Any] = {"rules": "pagat", "samples": 150, "seed": 11, **fixed}
    one = odds(HAND, "pandoer", threads=1, **asked)
    assert odds(HAND, "pandoer", threads=2, **asked) == one
    assert odds(HAND, "pandoer", threads=None, **asked) == one
    assert odds(HAND, "pandoer", threads=2, progress=lambda share: None, **asked) == one


def test_forms_of_the_question_do_not_matter() -> None:
    first = odds(HAND, "solo-zwabber", rules="pagat", watch="H7", samples=30, seed=3)
    others = [
        odds("♠J9A ♥KQ ♦8 ♣T7", "Zwabber Solo", rules="PAGAT", watch=Card("H7"), samples=30, seed=3),
        odds(
            str(HAND),
            ruleset("pagat").bid("solo-zwabber"),
            rules=ruleset("pagat"),
            watch="♥7",
            samples=30,
            seed=np.random.SeedSequence(3),
        ),
    ]
    assert others == [first, first]


def test_a_seed_sequence_is_left_as_it_was() -> None:
    seed = np.random.SeedSequence(3)
    first = odds(HAND, "prive", watch="H7", samples=10, seed=seed)
    assert seed.n_children_spawned == 0
    assert odds(HAND, "prive", watch="H7", samples=10, seed=seed) == first


def test_seeds_differ() -> None:
    children: list[Any] = [*np.random.SeedSequence(5).spawn(3), *range(5)]
    answers = [odds(HAND, "pandoer", rules="pagat", watch="H7", samples=200, seed=seed, **PLAN) for seed in children]
    assert len({answer.probability for answer in answers}) > 3


def test_seed_is_zero_unless_given() -> None:
    asked: dict[str, Any] = {"rules": "pagat", "watch": "H7", "samples": 50, **PLAN}
    assert odds(HAND, "pandoer", **asked) == odds(HAND, "pandoer", seed=0, **asked)


def test_more_samples_begin_with_the_same_deals() -> None:
    counts = [
        made(odds(HAND, "pandoer", rules="pagat", watch="H7", samples=samples, threads=1, **PLAN))
        for samples in range(1, 61)
    ]
    assert {after - before for before, after in pairwise(counts)} == {0, 1}
    hundred = odds(HAND, "pandoer", rules="pagat", watch="H7", samples=100, **PLAN)
    two_hundred = odds(HAND, "pandoer", rules="pagat", watch="H7", samples=200, **PLAN)
    assert made(hundred) <= made(two_hundred) <= made(hundred) + 100


@pytest.mark.parametrize("watch", ["H7", None])
def test_portions_do_not_matter(monkeypatch: pytest.MonkeyPatch, watch: str | None) -> None:
    shares: list[float] = []
    asked: dict[str, Any] = {"rules": "pagat", "watch": watch, "samples": 330, "progress": shares.append, **PLAN}
    at_once = odds(HAND, "pandoer", **asked)
    shares.clear()
    monkeypatch.setattr(race, "AT_A_TIME", 70)
    assert odds(HAND, "pandoer", **asked) == at_once
    assert sorted(shares) == shares
    assert shares[-1] == 1.0


def test_precision_takes_the_same_deals() -> None:
    asked: dict[str, Any] = {"rules": "pagat", "watch": "H7", "seed": 2, **PLAN}
    answer = odds(HAND, "pandoer", precision=0.04, **asked)
    assert odds(HAND, "pandoer", samples=answer.samples, **asked) == answer


# Which deals are used


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[npt.NDArray[np.uint64]]:
    """The deals that `odds` draws, call by call."""
    calls: list[npt.NDArray[np.uint64]] = []
    draw = Stream.deals

    def spy(self: Stream, start: int, stop: int) -> npt.NDArray[np.uint64]:
        calls.append(draw(self, start, stop))
        return calls[-1]

    monkeypatch.setattr(Stream, "deals", spy)
    return calls


def deals(calls: Iterable[npt.NDArray[np.uint64]]) -> list[tuple[int, ...]]:
    """All deals of some calls, in order, each once."""
    return [*dict.fromkeys(tuple(row) for call in calls for row in call.tolist())]


def test_the_plan_is_counted_on_deals_that_did_not_choose_it(drawn: list[npt.NDArray[np.uint64]]) -> None:
    asked: dict[str, Any] = {"rules": "pagat", "watch": "H7", "samples": 80, "trump": "S", "called": "HA"}
    free = odds(HAND, "pandoer", **asked)
    calls = drawn.copy()
    drawn.clear()
    assert free.plan is not None
    fixed = odds(HAND, "pandoer", discard=free.plan.discard, **asked)
    counted = deals(drawn)
    assert len(counted) == fixed.samples == 80
    # One of seven discards was chosen (nine and ace of trumps are alike, and king and queen of hearts): other deals
    # first, then the very deals of the question with the plan fixed.
    assert len(free.plans) == 7
    assert deals(calls)[-80:] == counted
    chose = set(deals(calls)[:-80])
    assert len(chose) >= 16
    assert not chose & set(counted)
    assert (free.probability, free.low, free.high, free.samples) == (
        fixed.probability,
        fixed.low,
        fixed.high,
        fixed.samples,
    )


def test_all_plans_are_compared_on_the_same_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    solved: list[npt.NDArray[np.uint64]] = []
    batch = ledger.Batch

    def spy(hands: npt.NDArray[np.uint64], *args: Any) -> Any:
        solved.append(hands.copy())
        return batch(hands, *args)

    monkeypatch.setattr(ledger, "Batch", spy)
    answer = odds(BALANCED, "zwabber", watch="HQ", samples=40)
    plans = len(answer.plans)
    assert plans == 7  # nine discards, of which A K Q of hearts are alike
    looks = solved[:4]
    for look, deals in zip(looks, (1, 3, 4, 8), strict=True):
        by_plan = look.reshape(plans, deals, 4)
        assert len(np.unique(by_plan[:, 0, 0])) == plans
        assert (by_plan[:, :, 1:] == by_plan[:1, :, 1:]).all()


def test_deals_depend_on_the_question_alone(drawn: list[npt.NDArray[np.uint64]]) -> None:
    def asked(**more: Any) -> list[tuple[int, ...]]:
        drawn.clear()
        odds(HAND, "pandoer", rules="pagat", watch="H7", samples=70, seed=9, **(PLAN | more))
        return deals(drawn)

    first = asked()
    assert asked() == first
    np.random.seed(1)
    assert asked() == first
    assert asked(threads=2) == first
    assert asked(progress=print) == first
    assert asked(trump="H") == first
    assert asked(called="DA") == first
    assert asked(discard="H7") == first


def test_hidden_hands_hold_the_unseen_cards(drawn: list[npt.NDArray[np.uint64]]) -> None:
    odds(HAND, "pandoer", rules="pagat", samples=100, trump="S", discard="C7", called="HA")
    unseen = np.uint64((DECK33 - HAND).bits)
    together = np.concatenate([np.bitwise_or.reduce(call, axis=1) for call in drawn])
    # With a closed watch card 25 cards are unseen; each of them is the watch card in its turn.
    assert (together & ~unseen == 0).all()
    assert {int(unseen & ~row) for row in together} == {card.bit for card in DECK33 - HAND}


def test_no_bias_among_plans_that_are_nearly_equal() -> None:
    """The best of three equal plans looks better than it is on the deals that chose it, not on others."""
    errors = []
    truth: dict[Plan, float] = {}
    for seed in range(60):
        answer = odds(BALANCED, "zwabber", watch="HQ", samples=60, seed=seed, threads=1)
        plan = answer.plan
        assert plan is not None
        if plan not in truth:
            large = odds(BALANCED, "zwabber", watch="HQ", samples=3000, seed=1_000_000, discard=plan.discard)
            truth[plan] = large.probability
        errors.append(answer.probability - truth[plan])
    assert len(truth) > 1
    standard_error = math.hypot(np.std(errors) / math.sqrt(len(errors)), 0.5 / math.sqrt(3000))
    assert abs(np.mean(errors)) < 3 * standard_error


# Fixed parts of the plan


@pytest.mark.parametrize(
    "fixed",
    [
        {"trump": "H"},
        {"trump": "spades", "called": "DA"},
        {"discard": "SJ", "trump": "S"},
        {"called": Card("CA"), "discard": Card("H7")},
        {"trump": Suit.DIAMONDS, "discard": "C10", "called": "HA"},
    ],
)
def test_fixed_parts_are_kept(fixed: dict[str, Any]) -> None:
    answer = odds(HAND, "pandoer", rules="pagat", watch="H7", samples=20, **fixed)
    check(answer)
    for row in answer.plans:
        assert row.plan is not None
        if "trump" in fixed:
            assert row.plan.trump == Suit.parse(fixed["trump"])
        if "discard" in fixed:
            assert row.plan.discard == Card(fixed["discard"])
        if "called" in fixed:
            assert row.plan.called == Card(fixed["called"])


def test_plans_are_all_different_and_legal() -> None:
    rules = ruleset("wikipedia-nl")
    answer = odds(HAND, "pandoer", watch="H7", samples=20, trump="H")
    plans = [row.plan for row in answer.plans]
    assert len(set(plans)) == len(plans) == 2 * 8  # king and queen of trumps are alike
    for plan in plans:
        assert plan is not None
        assert plan.discard is not None
        assert plan.discard in HAND | Card("H7")
        assert plan.called in rules.callable_cards(HAND | Card("H7"), plan.trump)


def test_a_watch_card_that_is_the_last_ace_leaves_kings_to_call() -> None:
    answer = odds("SA HA DA S7 S8 H7 H8 D7", "pandoer", rules="pagat", watch="CA", samples=5, trump="S", discard="D7")
    called = {row.plan.called for row in answer.plans if row.plan is not None}
    assert called == {Card("SK"), Card("HK"), Card("DK"), Card("CK")}


# A closed watch card

CLOSED = [
    ("wikipedia-nl", "prive", HAND, {}),
    ("wikipedia-nl", "zwabber", BALANCED, {}),
    ("wikipedia-nl", "100", ALL_SPADES, {"trump": "S", "discard": "S7", "called": "HA"}),
    ("pagat", "pandoer", HAND, {"trump": "S", "discard": "C7"}),
    ("wikipedia-en", "misere", LOW, {}),
    ("butselaar", "solo-zwabber", HAND, {}),
]


@pytest.mark.parametrize(("rules", "bid", "hand", "fixed"), CLOSED, ids=str)
def test_closed_watch_card(rules: str, bid: str, hand: Hand, fixed: dict[str, Any]) -> None:
    answer = odds(hand, bid, rules=rules, samples=100, **fixed)
    assert answer.watch is None
    assert answer.plan is None
    assert answer.samples == 100
    assert {row.watch for row in answer.plans} == set(DECK33 - hand)
    assert len(answer.plans) == 25
    assert {row.samples for row in answer.plans} == {4}
    assert answer.probability == pytest.approx(np.mean([row.probability for row in answer.plans]))
    for row in answer.plans:
        assert row.plan is not None
        assert row.watch is not None
        assert row.plan.discard is not None
        assert row.plan.discard in hand | row.watch
        assert row.plan.called != row.watch
    check(answer)


def test_every_watch_card_counts_alike_whatever_the_samples() -> None:
    answer = odds(BALANCED, "zwabber", samples=60)
    assert sum(row.samples for row in answer.plans) == answer.samples == 60
    assert {row.samples for row in answer.plans} == {2, 3}
    assert answer.probability == pytest.approx(np.mean([row.probability for row in answer.plans]))


def test_closed_watch_card_by_hand() -> None:
    """Seven trumps and the seven of diamonds: the ace of diamonds is called, or it is the watch card."""
    answer = odds(SEVEN_TRUMPS, "pandoer", rules="pagat", samples=100, trump="S", called="DA")
    assert answer.probability == 1


def test_the_plan_is_made_after_the_watch_card_is_seen() -> None:
    answer = odds(LOW, "misere", rules="wikipedia-en", samples=100)
    assert answer.probability == 1
    discards = {row.watch: row.plan.discard for row in answer.plans if row.plan is not None}
    for watch in ("HA", "HK", "HQ"):
        assert discards[Card(watch)] == Card(watch)


def test_a_call_of_the_watch_card_is_given_up() -> None:
    answer = odds(HAND, "pandoer", rules="pagat", samples=50, trump="D", discard="C7", called="HA")
    for row in answer.plans:
        assert row.plan is not None
        assert row.plan.discard == Card("C7")
        if row.watch == Card("HA"):
            assert row.plan.called in {Card("CA"), Card("DA")}
        else:
            assert row.plan.called == Card("HA")


def test_the_trump_is_kept_when_only_the_call_is_given_up() -> None:
    answer = odds(HAND, "pandoer", rules="pagat", samples=50, trump="D", discard="C7", called="HA")
    assert {row.plan.trump for row in answer.plans if row.plan is not None} == {Suit.DIAMONDS}


def test_a_trump_whose_jack_is_the_watch_card_is_given_up() -> None:
    answer = odds(HAND, "kereltje", rules="pagat", samples=50, trump="H", discard="C7")
    for row in answer.plans:
        assert row.plan is not None
        assert (row.plan.trump == Suit.HEARTS) == (row.watch != Card("HJ"))


def test_no_legal_plan_for_one_watch_card() -> None:
    """With all four jacks nobody can be the declarer's partner."""
    answer = odds("SJ HJ DJ SA HA DA CA S9", "kereltje", rules="pagat", samples=50, discard="S9")
    rows = {row.watch: row for row in answer.plans}
    assert len(rows) == 25
    without = rows.pop(Card("CJ"))
    assert (without.plan, without.probability) == (None, 0.0)
    assert all(row.plan is not None and row.plan.trump == Suit.CLUBS for row in rows.values())
    assert answer.probability == pytest.approx(sum(row.probability for row in rows.values()) / 25)
    assert str(answer)
    assert "no legal plan" in plan_name(without)


# Samples and precision


@pytest.mark.parametrize("precision", [0.2, 0.05, 0.03])
@pytest.mark.parametrize("watch", ["H7", None])
def test_precision_is_reached(precision: float, watch: str | None) -> None:
    answer = odds(HAND, "pandoer", rules="pagat", watch=watch, precision=precision, **PLAN)
    assert (answer.high - answer.low) / 2 <= precision
    assert answer.samples < max(300, 5 / precision**2)


def test_precision_of_a_certain_bid_takes_few_deals() -> None:
    assert odds(ALL_SPADES, "prive", watch="H7", precision=0.01).samples < 1000


def test_a_thousand_samples_unless_given() -> None:
    assert odds(HAND, "prive", watch="H7", trump="S", discard="C7").samples == 1000


def test_interval_is_wilsons() -> None:
    answer = odds(HAND, "pandoer", rules="pagat", watch="H7", samples=120, **PLAN)
    assert (answer.low, answer.high) == wilson(made(answer), 120)


# What it pays


@pytest.mark.parametrize(
    ("rules", "bid", "payers"),
    [
        ("pagat", "prive", 1),
        ("pagat", "pandoer", 1),
        ("cappelle", "prive", 1),
        ("butselaar", "pandoer", 1),
        ("wikipedia-en", "pandoer", 1),
        ("wikipedia-nl", "prive", 3),
        ("wikipedia-nl", "misere", 3),
        ("wikipedia-nl", "piccolo", 3),
        ("wikipedia-nl", "solo-zwabber", 3),
        ("wikipedia-nl", "pandoer", 1),
        ("wikipedia-nl", "kereltje", 1),
        ("wikipedia-nl", "zwabber", 1),
    ],
)
def test_expected(rules: str, bid: str, payers: int) -> None:
    answer = odds(HAND, bid, rules=rules, watch="H7", samples=20, discard="C7")
    assert answer.value == ruleset(rules).bid(bid).value
    assert answer.expected == pytest.approx(payers * answer.value * (2 * answer.probability - 1))


def test_expected_by_example() -> None:
    certain: dict[str, Any] = {"watch": "H7", "samples": 10}
    assert odds(ALL_SPADES, "prive", rules="pagat", **certain).expected == 10
    assert odds(ALL_SPADES, "prive", rules="cappelle", **certain).expected == 6
    assert odds(ALL_SPADES, "prive", rules="wikipedia-nl", **certain).expected == 21
    assert odds(LOW, "prive", rules="wikipedia-nl", **certain).expected == -21
    assert odds(LOW, "prive", rules="butselaar", **certain).expected == -10
    pandur = odds("SA SK HA HK DA DK CA CK", "pandur-ohne", rules="pandur", samples=10)
    assert (pandur.probability, pandur.expected, pandur.unit) == (1, 5, "Schreibpunkte")
    assert odds("S9 H9 D9 C9 ST HT DT CT", "pandur-ohne", rules="pandur", samples=10).expected == 0


# How an answer shows itself

KEYS = [
    "bid", "rules", "view", "probability", "low", "high", "samples", "plan", "plans", "value", "expected",
    "expected_low", "expected_high", "money", "gain", "gain_low", "gain_high", "unit", "view_says",
]  # fmt: skip


def test_json_of_an_answer() -> None:
    answer = odds(HAND, "pandoer", rules="pagat", watch="H7", samples=20, discard="C7")
    data = answer.to_json()
    assert list(data) == KEYS
    assert json.loads(json.dumps(data)) == data
    assert list(data["plan"]) == ["trump", "discard", "called", "lead"]
    assert data["plan"]["trump"] in ["C", "D", "H", "S"]
    assert data["plan"]["discard"] == "C7"
    assert data["plans"][0]["plan"] == data["plan"]
    assert len(data["plans"]) == len(answer.plans)
    assert (data["bid"], data["rules"], data["view"]) == ("pandoer", "pagat", "double-dummy")
    assert (data["probability"], data["expected"]) == (answer.probability, answer.expected)


def test_json_with_a_closed_watch_card() -> None:
    data = odds(HAND, "solo-zwabber", samples=25).to_json()
    assert list(data) == KEYS
    assert data["plan"] is None
    assert {row["watch"] for row in data["plans"]} == {str(card) for card in DECK33 - HAND}
    assert {row["plan"]["trump"] for row in data["plans"]} == {"-"}
    assert json.loads(json.dumps(data)) == data


def test_text_of_an_answer() -> None:
    answer = odds(HAND, "pandoer", rules="pagat", watch="H7", samples=20, **PLAN)
    text = str(answer)
    assert "double-dummy" in text
    assert "pandoer (pagat)" in text
    assert str(HAND) in text
    assert "watch card ♥7" in text
    assert f"{100 * answer.probability:.1f} %" in text
    assert "trump ♠, discard ♣7, call ♥A" in text
    assert "20 deals" in text
    assert repr(answer).startswith("Odds(bid='pandoer', rules='pagat', hand=Hand('♠AJ9 ♥KQ ♦8 ♣T7'), ")
    assert "PlanChance" not in repr(answer)
    html = answer._repr_html_()
    assert "double-dummy" in html
    assert html.count("<tr>") == html.count("</tr>") == 2


def test_text_with_a_closed_watch_card() -> None:
    answer = odds(HAND, "solo-zwabber", samples=25)
    assert "double-dummy" in str(answer)
    assert "watch card unknown" in str(answer)
    html = answer._repr_html_()
    for card in DECK33 - HAND:
        assert card.text(symbols=True) in html


@pytest.mark.parametrize("watch", ["H7", None])
def test_answers_are_values(watch: str | None) -> None:
    answer = odds(HAND, "solo-zwabber", watch=watch, samples=25)
    again = pickle.loads(pickle.dumps(answer))
    assert again == answer
    assert hash(again) == hash(answer)
    assert {answer, again} == {answer}
    assert answer != odds(HAND, "solo-zwabber", watch=watch, samples=26)
    with pytest.raises(AttributeError):
        answer.probability = 1.0  # type: ignore[misc]


def test_plan_chance_from_a_count() -> None:
    row = PlanChance(Plan(Suit.SPADES, Card("C7"), Card("HA")), 0.75, *wilson(15, 20), 20)
    assert (row.probability, row.samples, row.watch) == (0.75, 20, None)
    assert row.to_json() == {
        "plan": {"trump": "S", "discard": "C7", "called": "HA", "lead": None},
        "probability": 0.75,
        "low": row.low,
        "high": row.high,
        "samples": 20,
    }


# Progress


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    ("watch", "fixed"), [("H7", {"discard": "C7"}), ("H7", PLAN), (None, {"trump": "S", "discard": "C7"})]
)
def test_progress_goes_from_0_to_1(threads: int, watch: str | None, fixed: dict[str, Any]) -> None:
    shares: list[float] = []
    odds(HAND, "pandoer", rules="pagat", watch=watch, samples=300, threads=threads, progress=shares.append, **fixed)
    assert shares
    assert shares[0] >= 0
    assert all(before <= after for before, after in pairwise(shares))
    assert shares[-1] == 1.0


def test_progress_begins_early() -> None:
    shares: list[float] = []
    odds(HAND, "pandoer", rules="pagat", watch="H7", samples=20, threads=1, progress=shares.append)
    assert shares[0] < 0.1
    assert len(shares) > 10


@pytest.mark.parametrize("fixed", [PLAN, {"discard": "C7"}])
def test_progress_with_a_precision(fixed: dict[str, Any]) -> None:
    shares: list[float] = []
    odds(HAND, "pandoer", rules="pagat", watch="H7", precision=0.02, threads=1, progress=shares.append, **fixed)
    assert all(0 <= before <= after for before, after in pairwise(shares))
    assert shares[-1] == 1.0


def test_what_the_callback_raises_comes_out() -> None:
    def stop(share: float) -> None:
        raise KeyboardInterrupt

    for threads in (1, 2):
        with pytest.raises(KeyboardInterrupt):
            odds(HAND, "prive", watch="H7", samples=200, threads=threads, progress=stop)


# Errors

ERRORS: list[tuple[dict[str, Any], str]] = [
    ({"hand": "SJ S9 SA HK HQ D8 CT"}, "hand '♠AJ9 ♥KQ ♦8 ♣T': expected 8 cards, not 7"),
    ({"hand": "SJ S9 SA HK HQ D8 CT C7 CA"}, "hand '♠AJ9 ♥KQ ♦8 ♣AT7': expected 8 cards, not 9"),
    ({"hand": ""}, "hand '.': expected 8 cards, not 0"),
    ({"hand": "SJ SJ SA HK HQ D8 CT C7"}, "cannot read hand 'SJ SJ SA HK HQ D8 CT C7': SJ is in it twice"),
    ({"hand": "SJ S9 SA HK HQ D8 CT C1"}, "cannot read hand 'SJ S9 SA HK HQ D8 CT C1'"),
    ({"hand": "SJ S9 SA HK HQ D8 CT C6"}, "cannot read hand 'SJ S9 SA HK HQ D8 CT C6': there is no C6"),
    ({"watch": "SJ"}, "watch card 'SJ' is in the hand"),
    ({"watch": "X7"}, "cannot read card 'X7'"),
    ({"watch": "H7 H8"}, "cannot read card 'H7 H8'"),
    ({"called": "SA"}, "called card 'SA' is in the declarer's own hand"),
    ({"called": "H7"}, "called card 'H7' is in the declarer's own hand"),
    ({"called": "Z"}, "cannot read card 'Z'"),
    ({"bid": "prive", "called": "HA"}, "called card 'HA': prive in pagat calls no card"),
    ({"bid": "kereltje", "called": "HA"}, "called card 'HA': kereltje in pagat calls no card"),
    ({"discard": "DA"}, "discard 'DA' is not in the hand"),
    ({"discard": "D1"}, "cannot read card 'D1'"),
    ({"discard": "H7", "watch": None}, "discard 'H7' is not in the hand"),
    ({"trump": "X"}, "unknown trump 'X': expected C, D, H, S or '-' for none"),
    ({"bid": "solo-zwabber", "trump": "S"}, "trump 'S': solo-zwabber in pagat is played without trump"),
    ({"bid": "zwabber", "trump": "H"}, "trump 'H': zwabber in pagat is played without trump"),
    ({"bid": "kereltje", "trump": "S"}, "trump 'S': kereltje is played with the holder of the trump jack"),
    ({"bid": "kereltje", "hand": "SJ HJ DJ CJ S7 H8 D7 C7"}, "kereltje: expected a jack that is not in the hand"),
    ({"bid": "slem"}, "unknown bid 'slem' in pagat: expected one of 120, 130"),
    ({"bid": "110"}, "unknown bid '110' in pagat"),
    ({"rules": "bridge"}, "unknown ruleset 'bridge': expected one of wikipedia-nl, pagat"),
    ({"samples": -5}, "samples -5: expected a whole number"),
    ({"samples": 0}, "samples 0: expected a whole number, 1 to "),
    ({"samples": 10**9}, "samples 1000000000: expected a whole number, 1 to 10,000,000"),
    ({"samples": 2.5}, "samples 2.5: expected a whole number"),
    ({"samples": "20"}, "samples '20': expected a whole number"),
    ({"samples": True}, "samples True: expected a whole number"),
    ({"seed": -1}, "seed -1: expected a whole number, 0 or more"),
    ({"seed": 1.5}, "seed 1.5: expected a whole number"),
    ({"seed": "seven"}, "seed 'seven': expected a whole number"),
    ({"seed": None}, "seed None: expected a whole number"),
    ({"samples": None, "precision": 0}, "precision 0: expected 0.001 to 0.5"),
    ({"samples": None, "precision": -0.1}, "precision -0.1: expected 0.001 to 0.5"),
    ({"samples": None, "precision": 0.7}, "precision 0.7: expected 0.001 to 0.5"),
    ({"samples": None, "precision": math.nan}, "precision nan: expected 0.001 to 0.5"),
    ({"samples": None, "precision": "0.01"}, "precision '0.01': expected 0.001 to 0.5"),
    ({"samples": 20, "precision": 0.01}, "samples 20, precision 0.01, exact False: expected one of them"),
    ({"threads": 0}, "threads 0: expected a whole number, 1 or more"),
    ({"threads": -2}, "threads -2: expected a whole number, 1 or more"),
    ({"threads": 1.5}, "threads 1.5: expected a whole number"),
    ({"threads": "2"}, "threads '2': expected a whole number"),
    ({"players": 3}, "players 3: pagat is played by 4"),
    ({"bidders": (0,)}, "bidders [0]: expected seats 1 to 3"),
    ({"bidders": (4,)}, "bidders [4]: expected seats 1 to 3"),
]
PANDUR_HAND = "SJ S9 SA HK HQ DT CT C9"
PANDUR_ERRORS: list[tuple[dict[str, Any], str]] = [
    ({"hand": "SJ S9 SA HK HQ DT CT C7"}, "card 'C7' is not in the deck of pandur"),
    ({"watch": "HA"}, "watch card 'HA': pandur has none"),
    ({"discard": "SJ"}, "discard 'SJ': pandur has no discard"),
    ({"called": "HA"}, "called card 'HA': 160 in pandur calls no card"),
    ({"bid": "misere-ohne", "trump": "S"}, "trump 'S': misere-ohne in pandur is played without trump"),
    ({"players": 5}, "players 5: pandur is played by 3 or 2, or by 4 of whom the dealer sits out"),
    ({"bid": "pandoer"}, "unknown bid 'pandoer' in pandur"),
]


def check_error(asked: dict[str, Any], message: str) -> None:
    hand, bid = asked.pop("hand"), asked.pop("bid")
    with pytest.raises(PandoerError, match=f"^{re.escape(message)}") as caught:
        odds(hand, bid, **asked)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("change", "message"), ERRORS)
def test_errors(change: dict[str, Any], message: str) -> None:
    check_error({"hand": HAND, "bid": "pandoer", "rules": "pagat", "watch": "H7", "samples": 20} | change, message)


@pytest.mark.parametrize(("change", "message"), PANDUR_ERRORS)
def test_errors_in_pandur(change: dict[str, Any], message: str) -> None:
    check_error({"hand": PANDUR_HAND, "bid": "160", "rules": "pandur", "samples": 20} | change, message)


@pytest.mark.parametrize("watch", ["H7", None])
@pytest.mark.parametrize(("rules", "fixed"), [("pagat", {"called": "DK"}), ("wikipedia-nl", {"called": "D7"})])
def test_a_call_that_no_watch_card_allows(rules: str, fixed: dict[str, Any], watch: str | None) -> None:
    """A king may be called only by who knows all four aces."""
    with pytest.raises(PandoerError, match=fixed["called"]):
        odds(HAND, "pandoer", rules=rules, watch=watch, samples=20, trump="S", discard="C7", **fixed)


def test_plain_first_refuses_the_trump_ace() -> None:
    with pytest.raises(PandoerError, match="HA"):
        odds(HAND, "pandoer", watch="H7", samples=20, trump="H", called="HA")
    answer = odds(HAND, "pandoer", rules="pagat", watch="H7", samples=20, trump="H", called="HA", discard="C7")
    assert answer.plan == Plan(Suit.HEARTS, Card("C7"), Card("HA"))


def test_no_trump_named_for_a_bid_that_needs_one() -> None:
    with pytest.raises(PandoerError, match="'-'"):
        odds(HAND, "pandoer", rules="pagat", watch="H7", samples=20, trump="-")


def test_a_dash_is_no_trump() -> None:
    asked: dict[str, Any] = {"rules": "pagat", "watch": "H7", "samples": 20}
    assert odds(HAND, "solo-zwabber", trump="-", **asked) == odds(HAND, "solo-zwabber", **asked)


def test_a_jack_may_be_the_discard_of_another_trump() -> None:
    answer = odds(HAND, "kereltje", rules="pagat", watch="H7", samples=20, discard="SJ")
    trumps = {row.plan.trump for row in answer.plans if row.plan is not None}
    assert trumps == {suit for suit in Suit if Card.of(suit, Rank.JACK) not in HAND}


def test_a_distribution_leaves_out_what_was_given_up() -> None:
    """Of a watch card whose deals were all given up nothing is known, and the others share its chance."""
    asked: dict[str, Any] = {"rules": "cappelle", "trump": "S", "discard": "C7", "samples": 40, "distribution": True}
    found = odds(HAND, "130", node_limit=300, **asked).distribution
    assert found is not None
    assert 0 < found.samples < 40
    assert found.at_least(-1) == pytest.approx(1)


def test_numbers_of_numpy() -> None:
    asked: dict[str, Any] = {"rules": "pagat", "watch": "H7"}
    plain = odds(HAND, "prive", precision=0.25, node_limit=10**6, threads=1, players=4, **asked)
    numbers: dict[str, Any] = {
        "precision": np.float32(0.25), "node_limit": np.int64(10**6), "threads": np.int32(1), "players": np.int64(4),
    }  # fmt: skip
    assert odds(HAND, "prive", **numbers, **asked) == plain
    with pytest.raises(PandoerError, match=r"^players '4': pagat is played by 4"):
        odds(HAND, "prive", players="4", known={1: "HA"}, **asked)  # type: ignore[arg-type]


def test_node_limit() -> None:
    """Unknown deals are told, and widen the interval from all lost to all won."""
    question = {"rules": "cappelle", "watch": "H7", "trump": "S", "discard": "D8", "called": "HA", "samples": 60}
    hand = "SJ S9 SA HK HQ D8 CT C7"
    full = odds(hand, "130", **question)  # type: ignore[arg-type]
    limited = odds(hand, "130", node_limit=500, **question)  # type: ignore[arg-type]
    assert full.unknown == 0
    assert "unknown" not in full.to_json()
    assert 0 < limited.unknown <= 60
    assert limited.to_json()["unknown"] == limited.plans[0].unknown == limited.unknown
    assert limited.low <= full.low < full.high <= limited.high
    assert f"{limited.unknown} of them unknown" in str(limited)
    assert odds(hand, "130", node_limit=10**9, **question) == full  # type: ignore[arg-type]


# A few plans only


def test_fewer_plans_are_compared() -> None:
    asked: dict[str, Any] = {"rules": "pagat", "watch": "H7", "samples": 20}
    for bid in ("pandoer", "130", "misere", "zwabber"):
        every, few = odds(HAND, bid, **asked), odds(HAND, bid, plans=3, **asked)
        check(few)
        assert len(few.plans) == 3 < len(every.plans)
        assert {row.plan for row in few.plans} <= {row.plan for row in every.plans}
    alone = odds(HAND, "pandoer", plans=1, **asked)
    assert [row.plan for row in alone.plans] == [alone.plan]
    # In the blind-lead view each is there with all its first leads.
    leads = odds(HAND, "praatje", plans=1, **asked).plans
    assert len(leads) > 1
    assert len({(row.plan.trump, row.plan.discard) for row in leads if row.plan is not None}) == 1


@pytest.mark.parametrize("bid", ["pandoer", "130", "misere", "zwabber", "kereltje", "praatje", "prive"])
def test_as_many_plans_as_there_are_change_nothing(bid: str) -> None:
    asked: dict[str, Any] = {"rules": "pagat", "watch": "H7", "samples": 10}
    assert odds(HAND, bid, plans=500, **asked) == odds(HAND, bid, **asked)


def test_as_many_plans_as_there_are_for_each_watch_card() -> None:
    asked: dict[str, Any] = {"rules": "pagat", "samples": 25, "trump": "S"}
    assert odds(HAND, "pandoer", plans=500, **asked) == odds(HAND, "pandoer", **asked)
    assert len(odds(HAND, "pandoer", plans=1, **asked).plans) == 25


def test_what_is_fixed_stays_fixed_among_few_plans() -> None:
    fixed: dict[str, Any] = {"trump": "C", "discard": "SJ", "called": "DA"}
    plans = [odds(HAND, "pandoer", rules="pagat", watch="H7", samples=5, plans=1, **{name: fixed[name]}).plan
             for name in fixed]  # fmt: skip
    assert [plan and getattr(plan, name) for name, plan in zip(fixed, plans, strict=True)] == [
        Suit.CLUBS, Card("SJ"), Card("DA"),
    ]  # fmt: skip
    both = odds(HAND, "pandoer", rules="pagat", watch="H7", samples=5, plans=2, trump="C", discard="SJ")
    assert {(row.plan.trump, row.plan.discard) for row in both.plans if row.plan} == {(Suit.CLUBS, Card("SJ"))}
    assert len(both.plans) == 2
    led = odds(HAND, "praatje", rules="pagat", watch="H7", samples=5, plans=1, lead="HK")
    assert led.plan is not None
    assert led.plan.lead is not None
    assert led.plan.lead.card == Card("HK")


@pytest.mark.parametrize("bid", ["pandoer", "130", "misere", "zwabber", "piccolo", "kereltje"])
def test_the_likeliest_plans_come_first(bid: str) -> None:
    rules = ruleset("pagat")
    own, cards = rules.bid(bid), HAND | Card("H7")
    every = [*legal_plans(rules, own, cards, Plan())]
    points = crude_points(own)

    def worth(plan: Plan) -> int:
        assert plan.discard is not None
        seen = features(cards - plan.discard, plan, rules, points)
        return sum(each * int(seen[name][0]) for name, each in points.items())

    found = likeliest(rules, own, cards, every, 5)
    assert len(found) == 5
    assert [worth(plan) for plan in found] == sorted(map(worth, every), reverse=True)[:5]
    assert likeliest(rules, own, cards, every, len(every)) == every
    best = odds(HAND, bid, rules="pagat", watch="H7", samples=1, plans=1).plan
    assert best is not None
    assert worth(best) == worth(found[0])


def test_few_plans_hold_a_good_one() -> None:
    asked: dict[str, Any] = {"rules": "pagat", "watch": "H7", "samples": 400}
    assert odds(HAND, "pandoer", plans=3, **asked).probability > odds(HAND, "pandoer", **asked).probability - 0.1


@pytest.mark.parametrize("plans", [0, -1, 2.5, True, "3"])
def test_numbers_of_plans_that_are_none(plans: Any) -> None:
    message = re.escape(f"plans {plans!r}: expected a whole number, 1 or more")
    with pytest.raises(PandoerError, match=message):
        odds(HAND, "prive", rules="pagat", watch="H7", samples=1, plans=plans)
    with pytest.raises(PandoerError, match=message):
        pandoer.advise(HAND, rules="pagat", watch="H7", samples=1, plans=plans)
    with pytest.raises(PandoerError, match=message):
        pandoer.strength_table("prive", hands=1, rules="pagat", samples=1, plans=plans)
