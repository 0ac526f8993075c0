"""The race between plans, the ledgers behind it, and whether intervals and chances mean what they say."""

from __future__ import annotations

import importlib
import math
import re
from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from pandoer import Card, Deal, Hand, Odds, Play, State, odds, ruleset, solve, solve_many
from pandoer.contracts import Contract
from pandoer.dealing import Layouts
from pandoer.errors import PandoerError
from pandoer.intervals import stratified, wilson
from pandoer.ledger import Game, Ledger, Want, settle
from pandoer.plans import Plan, contract_of
from pandoer.question import Question
from pandoer.race import ERROR, LOOKS, Book, Effort, Goal, Race, worse
from tests import chances

stats: Any = importlib.import_module("scipy.stats")
batch: Any = importlib.import_module("pandoer.batch")

HAND = Hand("SJ S9 SA HK HQ D8 CT C7")
OWN = Hand("SJ S9 SA HK HQ D8 CT H7")


# Exact chances


@pytest.mark.parametrize("seed", range(150))
def test_exact_chances_are_those_of_the_reference(seed: int) -> None:
    """Tiny games: every layout, every plan, every objective, ruleset and view."""
    asked = chances.random_question(Random(seed), milliseconds=200)
    expected = asked.answer()
    known: dict[str, Any] = {
        "rules": asked.rules, "watch": asked.watch, "players": asked.players, "view": asked.view, "exact": True,
        "bidders": [seat for seat in asked.bidders if seat], "joiners": asked.joiners,
        "known": {seat: " ".join(cards) for seat, cards in asked.known.items()}, "void": asked.void,
    }  # fmt: skip
    if stock := known["known"].pop(asked.players, None):
        known["bottom"] = stock
    if asked.players == 3:  # Pandur: the reference has the dealer who sits out in his place
        known["players"] = 4
    hand = " ".join(asked.hand)
    if not any(there.plans for there in (expected, *expected.watches.values())):
        with pytest.raises(PandoerError, match="no legal plan"):
            odds(hand, asked.bid, **known)
        return
    answer = odds(hand, asked.bid, **known)
    assert answer.exact
    assert answer.low == answer.probability == answer.high == pytest.approx(float(expected.chance), abs=1e-12)
    if asked.joiners:
        assert answer.together is not None
        assert expected.together is not None
        assert answer.together.probability == pytest.approx(float(expected.together), abs=1e-12)
    if asked.closed:
        for row in answer.plans:
            there = expected.watches[str(row.watch)]
            assert row.probability == pytest.approx(float(there.chance), abs=1e-12)
            assert row.share == pytest.approx(there.layouts / expected.layouts)
        return
    assert answer.samples == expected.layouts
    for row in answer.plans:
        if row.samples == answer.samples:
            assert row.probability == pytest.approx(float(expected.plans[key_of(row.plan)]), abs=1e-12)
    best = key_of(answer.plan)
    assert expected.plans[best] == expected.chance
    if asked.joiners:
        return
    paid = asked.payoffs(best)
    assert {amount.seat for amount in answer.money} == set(paid)
    for amount in answer.money:
        if paid[amount.seat] is not None:
            assert amount.low == amount.expected == amount.high
            assert amount.expected == pytest.approx(float(paid[amount.seat] or 0), abs=1e-12)
    if asked.rules.name == "pandur":
        others = [amount.expected for amount in answer.money[1:]]
        assert answer.gain == pytest.approx(answer.expected - sum(others) / len(others), abs=1e-12)
    if asked.bid.objective.counts is not None:
        check_distribution(asked, answer, known)


def check_distribution(asked: chances.Question, answer: Odds, known: dict[str, Any]) -> None:
    """The points of the best plan are distributed as in the reference."""
    plan = answer.plan
    assert plan is not None
    again = odds(
        " ".join(asked.hand), asked.bid, distribution=True, trump=plan.trump, discard=plan.discard, called=plan.called,
        lead=plan.lead, **known,
    )  # fmt: skip
    assert again.probability == answer.probability
    found = again.distribution
    assert found is not None
    expected = {-1 if n is None else n: float(c) for n, c in asked.points(key_of(plan)).items() if c}
    assert dict(zip(found.points, found.chances, strict=True)) == pytest.approx(expected)
    assert found.at_least(asked.bid.target or 0) == pytest.approx(answer.probability)


def key_of(plan: Plan | None) -> chances.Plan:
    """A plan as the reference writes it."""
    assert plan is not None
    texts = [None if part is None else str(part) for part in (plan.discard, plan.called, plan.lead)]
    return ("-" if plan.trump is None else plan.trump.letter, texts[0], texts[1], texts[2])


def test_exact_says_when_there_are_too_many_layouts() -> None:
    with pytest.raises(PandoerError, match=r"^exact: there are 9,465,511,770 layouts of the unseen cards, more than"):
        odds(HAND, "prive", watch="H7", exact=True)
    with pytest.raises(PandoerError, match=r"^exact: there are 236,637,794,250 layouts"):
        odds(HAND, "prive", exact=True)


def test_exact_with_cards_that_are_known() -> None:
    """All but eleven cards are known, and so is who can beat a king of hearts: somebody can."""
    known = {1: "S8 S7 H9 H8 D7 DK CK CA", 2: "H6 HT DQ DJ DT"}
    answer = odds("SJ S9 SA SK SQ ST HK HQ", "prive", rules="pagat", watch="D8", trump="S", discard="D8", known=known,
                  exact=True)  # fmt: skip
    assert answer.samples == math.comb(11, 3)
    assert answer.probability == 0  # whoever has the ace takes the first of two hearts
    partner = odds("SJ S9 SA SK SQ ST HK HQ", "pandoer", rules="pagat", watch="D8", trump="S", discard="D8",
                   called="DA", known=known, exact=True)  # fmt: skip
    # The aces of hearts and diamonds are two of eleven cards, of which seat 2 gets three and seat 3 eight.
    assert partner.probability == pytest.approx((math.comb(3, 2) + math.comb(8, 2)) / math.comb(11, 2))


def test_weights_of_an_exact_chance() -> None:
    """A weight of a half on the layouts in which the ace lies with seat 1 makes them count half."""
    ace = np.uint64(Card("DA").bit)
    hand = "SA SK SQ SJ ST HA HK DK"

    def half(hidden: npt.NDArray[np.uint64]) -> npt.NDArray[np.float64]:
        return np.where(hidden[:, 0] & ace, 0.5, 1.0)

    plain = odds(hand, "pandur-ohne", rules="pandur", players=2, exact=True)
    assert (plain.probability, plain.samples) == (0.5, 12870)
    weighted = odds(hand, "pandur-ohne", rules="pandur", players=2, exact=True, weight=half)
    assert weighted.probability == pytest.approx(1 / 1.5)
    sampled = odds(hand, "pandur-ohne", rules="pandur", players=2, samples=2000, weight=half)
    assert sampled.low < 1 / 1.5 < sampled.high


@pytest.mark.parametrize("scale", [0.1, 1 / 3, 0.7])
def test_the_ends_of_an_exact_chance_are_the_chance_whatever_the_weights(scale: float) -> None:
    known = {1: "DK DQ DJ HQ HJ", 2: "CA CJ SQ"}

    def weight(hidden: npt.NDArray[np.uint64]) -> npt.NDArray[np.float64]:
        some = np.bitwise_count(hidden[:, 0] & np.uint64(Hand("SK ST HT DT D9").bits))
        powers: npt.NDArray[np.float64] = np.power(scale, 1.0 + some)
        return powers

    answer = odds("SJ S9 SA HA HK DA CK CQ", "130", rules="pandur", known=known, exact=True, weight=weight)
    assert 0 < answer.probability < 1
    assert answer.low == answer.probability == answer.high


@pytest.mark.parametrize("wrong", [np.full(12870, 5.0), np.full(12870, -1.0), np.ones(3), np.float64(1)])
def test_weights_of_an_exact_chance_are_checked(wrong: npt.NDArray[np.float64]) -> None:
    with pytest.raises(PandoerError, match=r"^weight.*expected"):
        odds("SA SK SQ SJ ST HA HK DK", "pandur-ohne", rules="pandur", players=2, exact=True, weight=lambda _: wrong)


def test_a_bonus_while_all_layouts_are_swept() -> None:
    """What is told on the way changes nothing, and never counts a bonus that has not been found."""
    known = {1: "DA DK DQ DJ DT D9 D7 CA", 2: "CK CQ CJ C9 C8 H6 H8"}
    asked: dict[str, Any] = {"rules": "wikipedia-en", "watch": "H7", "exact": True, "known": known}
    seen: list[Odds] = []
    answer = odds(HAND, "120", update=seen.append, **asked)
    assert answer == odds(HAND, "120", **asked)
    assert seen[0].expected <= answer.expected


def test_a_bonus_while_no_layout_that_was_looked_at_has_a_weight() -> None:
    """What is told on the way are numbers."""
    known = {1: "DA DK DQ DJ DT D9 D7 CA", 2: "CK CQ CJ C9 C8"}
    asked: dict[str, Any] = {"rules": "wikipedia-en", "watch": "H7", "exact": True, "known": known, "trump": "S"}
    fixed: dict[str, Any] = {"discard": "C7", "called": "HA"}
    unseen = ruleset("pagat").deck - HAND - Card("H7")
    layouts = Layouts(unseen, 3, 8, known={seat: Hand(cards) for seat, cards in known.items()}).enumerate()
    last = layouts[np.random.default_rng(0).permutation(len(layouts))[-1]]
    seen: list[Odds] = []
    odds(HAND, "120", weight=lambda hidden: (hidden == last).all(axis=1), update=seen.append, **asked, **fixed)
    assert all(math.isfinite(amount.expected) for answer in seen for amount in answer.money)


# Ledgers


def ledger(bid: str, rules: str, plan: Plan, lead: Play | None = None, parent: Ledger | None = None) -> Ledger:
    """A ledger of sampled deals."""
    game = ruleset(rules)
    contract = contract_of(game, game.bid(bid), plan)
    return Ledger(Game(bare(contract), lead, ()), OWN, Deals(), parent)


def bare(contract: Contract) -> Contract:
    """The contract without what it promises."""
    return replace(contract, target=None, bid=None)


class Deals:
    """Deals in which seat 0 holds `OWN` and has laid away C7."""

    alike = False

    def hidden(self, start: int, stop: int) -> npt.NDArray[np.uint64]:
        unseen = ruleset("pagat").deck - HAND - Card("H7")
        return Layouts(unseen, 3, 8).sample(start, stop, np.random.SeedSequence(3))


def run(jobs: list[Any]) -> None:
    batch.run(jobs, threads=1)


PLAN = Plan(ruleset("pagat").deck.cards[0].suit, Card("C7"), Card("HA"))


@pytest.mark.parametrize("rules", ["cappelle", "wikipedia-nl"])
def test_bounds_hold_the_exact_points(rules: str) -> None:
    """Whatever was asked, the exact points lie between the bounds, and every answer is that of a search of its own."""
    game = ruleset(rules)
    book = ledger("130", rules, PLAN)
    wants = [Want(book, target, 0, 30) for target in (110, 120, 130, 140, 150, 160)]
    settle(wants[:2] + wants[4:], run)
    contract = contract_of(game, game.bid("130"), PLAN)
    exact = solve_many(book.hands(0, 30), contract, threads=1)
    assert (book.least <= exact).all()
    assert (exact <= book.most).all()
    settle(wants, run)
    for want in wants:
        assert want.target is not None
        assert (book.made(want.target, 0, 30) == (np.asarray(exact, np.int64) >= want.target)).all()
        assert not book.open(want.target, 0, 30).any()
    settle([Want(book, None, 0, 30, exact=True)], run)
    assert (book.least == exact).all()
    assert (book.most == exact).all()


def test_a_protected_card_may_lose_what_melds_alone_would_win() -> None:
    """Melds of 100 and more: 100 is reached unless the contract is lost, so every deal has to be solved, and once."""
    hand = Hand("SA SK SQ SJ ST H9 H8 D7")
    rules = ruleset("wikipedia-nl")
    fixed: dict[str, Any] = {"watch": "D8", "trump": "D", "discard": "H8", "called": "HA", "samples": 60}
    answer = odds(hand, "100", **fixed)
    contract = rules.contract("100", trump="D", called="HA")
    hidden = Layouts(rules.deck - hand - Card("D8"), 3, 8).sample(0, 60, np.random.SeedSequence(0, spawn_key=(0, 1)))
    own = (hand | Card("D8")) - Card("H8")
    hands = np.column_stack([np.full(60, own.bits, np.uint64), hidden])
    made = solve_many(hands, contract, exact=False)
    assert answer.probability == pytest.approx(made.mean())


def test_what_is_known_is_not_asked_again() -> None:
    book = ledger("130", "cappelle", PLAN)
    solved: list[int] = []

    def count(jobs: list[Any]) -> None:
        solved.extend(len(job.hands) for job in jobs)
        run(jobs)

    settle([Want(book, 130, 0, 20)], count)
    assert sum(solved) == 20
    settle([Want(book, 130, 0, 20), Want(book, 130, 5, 15)], count)
    assert sum(solved) == 20
    settle([Want(book, 10, 0, 20)], count)  # more than ten points are known of most deals by now
    assert sum(solved) < 40
    settle([Want(book, 130, 0, 30)], count)
    assert sum(solved) < 51


def test_a_deal_that_is_given_up_for_one_target_may_be_known_for_another() -> None:
    book = ledger("130", "cappelle", PLAN)
    settle([Want(book, 100, 0, 30)], run)
    settle([Want(book, 150, 0, 30)], run, 1)
    made, unknown = book.made(100, 0, 30), book.unknown(150, 0, 30)
    assert (made & unknown).any()
    assert not book.unknown(100, 0, 30).any()
    assert not book.unknown(None, 0, 30).any()


def test_a_deal_that_is_lost_with_any_lead_is_lost_with_each() -> None:
    free = ledger("misere", "pagat", PLAN_OF_MISERE)
    leads = {card: ledger("misere", "pagat", PLAN_OF_MISERE, Play(card), free) for card in OWN}
    settle([Want(led, None, 0, 60) for led in leads.values()], run)
    for card, led in leads.items():
        alone = ledger("misere", "pagat", PLAN_OF_MISERE, Play(card))
        settle([Want(alone, None, 0, 60)], run)
        assert (led.made(None, 0, 60) == alone.made(None, 0, 60)).all()
        assert not (led.made(None, 0, 60) & ~free.made(None, 0, 60)).any()


PLAN_OF_MISERE = Plan(ruleset("pagat").deck.cards[0].suit, Card("C7"))


# The race


def test_a_plan_is_dropped_for_enough_deals_only() -> None:
    """Against the exact binomial tail: Chernoff's bound is never below it."""
    error = ERROR / (len(LOOKS) * 80)
    for behind in range(60):
        for ahead in range(behind + 1):
            dropped = worse(np.array([ahead]), np.array([behind]), error)[0]
            tail = stats.binom.cdf(ahead, ahead + behind, 0.5)
            if dropped:
                assert tail < error
            if tail < error / 10:
                assert dropped


@pytest.mark.parametrize("gap", [0.0, 0.02, 0.1])
def test_the_best_plan_is_seldom_lost(gap: float) -> None:
    """Simulated races of twenty plans: at most one in twenty loses the best."""
    rng = np.random.default_rng(5)
    races, plans, lost = 400, 20, 0
    chance = np.full(plans, 0.5 - gap)
    chance[7] = 0.5
    for _ in range(races):
        luck = rng.random(512)  # a part of the luck is common to all plans
        made = (0.6 * luck + 0.4 * rng.random((plans, 512))) < np.quantile(
            0.6 * rng.random(4000) + 0.4 * rng.random(4000), chance
        )[:, np.newaxis]
        alive = np.arange(plans)
        for seen in (look for look in LOOKS if look <= 512):
            part = made[alive, :seen]
            first = part[part.sum(axis=1).argmax()]
            behind, ahead = (first & ~part).sum(axis=1), (part & ~first).sum(axis=1)
            alive = alive[~worse(ahead, behind, ERROR / (len(LOOKS) * plans))]
        lost += 7 not in alive
    assert lost <= ERROR * races


class Coins:
    """Stands for the ledger of a plan whose deals are made or not as it is told."""

    given_up = np.zeros(LOOKS[-1], np.bool_)

    def __init__(self, made: npt.NDArray[np.bool_]) -> None:
        self.results = made

    def made(self, target: int | None, start: int, stop: int) -> npt.NDArray[np.bool_]:
        return self.results[start:stop]

    def unknown(self, target: int | None, start: int, stop: int) -> npt.NDArray[np.bool_]:
        return self.given_up[start:stop]


@pytest.mark.parametrize(("alike", "seen"), [(False, 1024), (True, 256)])
def test_a_race_ends_when_no_other_plan_can_be_much_better(alike: bool, seen: int) -> None:
    """Two plans that succeed as often: on the same deals, or on others, which leaves open which is the better one."""
    question = Question(ruleset("pagat"), HAND, Card("H7"), 4)
    book = Book(question, np.random.SeedSequence(1), Effort(samples=1000))
    fixed = Plan(ruleset("pagat").deck.cards[0].suit, None, Card("HA"))
    race = Race(Goal(ruleset("pagat").bid("130"), fixed), question.strata[0], 1.0, book)
    even = np.arange(LOOKS[-1]) % 2 == 0
    race.plans, race.alive = race.plans[:2], np.arange(2)
    race.ledgers = [Coins(even), Coins(even if alike else ~even)]  # type: ignore[list-item]
    while not race.over:
        race.look(1000)
    assert (race.seen, len(race.alive)) == (seen, 2)


# Intervals


@pytest.mark.parametrize("spread", [0.0, 0.3, 0.49])
@pytest.mark.parametrize("each", [4, 10, 40])
@pytest.mark.parametrize("middle", [0.2, 0.5])
def test_intervals_of_stratified_means_cover(spread: float, each: int, middle: float) -> None:
    rng = np.random.default_rng(1)
    truth = np.clip(middle + np.linspace(-spread, spread, 25), 0, 1)
    shares = np.full(25, 1 / 25)
    inside = 0
    for _ in range(2000):
        made = rng.binomial(each, truth)
        p, low, high = stratified(list(made), [each] * 25, list(shares))
        assert low <= p <= high
        inside += low <= truth.mean() <= high
    assert 0.93 <= inside / 2000 <= (0.97 if each > 4 else 0.985)  # with four deals a stratum it is a little wide


@pytest.mark.parametrize("asked", [{"samples": 300}, {"precision": 0.05}])
def test_coverage_of_a_known_watch_card(asked: dict[str, Any]) -> None:
    """The interval covers the chance in 93 to 97 of a hundred questions, also when it stops at a precision."""
    fixed: dict[str, Any] = {"rules": "pagat", "watch": "SJ", "trump": "H", "discard": "SJ", "threads": 1}
    hand = "♥AJ96 ♦A ♣AK7"
    truth = odds(hand, "prive", samples=200_000, seed=99, **fixed).probability
    assert 0.2 < truth < 0.8
    answers = [odds(hand, "prive", seed=seed, **asked, **fixed) for seed in range(800)]
    inside = sum(answer.low <= truth <= answer.high for answer in answers)
    assert stats.binomtest(inside, 800, 0.93, alternative="less").pvalue > 1e-3
    assert stats.binomtest(inside, 800, 0.97, alternative="greater").pvalue > 1e-3
    errors = np.array([answer.probability - truth for answer in answers])
    assert abs(errors.mean()) < 4 * errors.std() / math.sqrt(800)


def test_coverage_of_a_closed_watch_card() -> None:
    """With trump and discard fixed the truth for each watch card is known, and so is their mean."""
    fixed: dict[str, Any] = {"rules": "pagat", "trump": "H", "discard": "C7", "threads": 1}
    hand = "♥AJ96 ♦A ♣AK7"
    truth = odds(hand, "prive", samples=250_000, seed=99, **fixed).probability
    assert 0.2 < truth < 0.8
    inside, widths = 0, []
    for seed in range(300):
        answer = odds(hand, "prive", seed=seed, samples=250, **fixed)
        low, high = wilson(answer.probability * 250, 250)
        widths.append((answer.high - answer.low) / (high - low))
        inside += answer.low <= truth <= answer.high
    assert np.mean(widths) < 0.95  # the strata take a part of the variance away
    assert stats.binomtest(inside, 300, 0.93, alternative="less").pvalue > 1e-3
    assert stats.binomtest(inside, 300, 0.97, alternative="greater").pvalue > 1e-3


def test_sampled_chances_agree_with_exact_ones() -> None:
    """Pandur for two: 12,870 layouts, so the truth is known."""
    deck = [*ruleset("pandur").deck]
    inside = total = 0
    for seed in range(40):
        hand = Hand(deck[i] for i in np.random.default_rng(seed).permutation(24)[:8])
        for bid in ("misere-ohne", "pandur-ohne"):
            truth = odds(hand, bid, rules="pandur", players=2, exact=True).probability
            answer = odds(hand, bid, rules="pandur", players=2, samples=200, seed=seed)
            if 0.02 < truth < 0.98:
                total += 1
                inside += answer.low <= truth <= answer.high
    assert total > 15
    assert stats.binomtest(inside, total, 0.93, alternative="less").pvalue > 1e-3


# Endings


ENDINGS: list[tuple[str, str, str | None, str | None, str]] = [
    # ruleset, bid, trump, called card, cards of three hands and the declarer's
    ("pagat", "pandoer", "S", "HA", "SJ HK C8 / HA S7 D7 / S8 DA CA / H7 C9 D9"),
    ("pagat", "pandoer+20", "S", "HA", "SJ HK C8 / HA S7 D7 / S8 DA CA / H7 C9 D9"),
    ("wikipedia-nl", "pandoer", "S", "HA", "HK HQ C8 / HA S7 D7 / S8 DA CA / H7 C9 D9"),
    ("wikipedia-nl", "kereltje", "S", None, "HA HQ SA / H8 SJ D7 / S8 DA CA / H7 HK D9"),
    ("pagat", "prive", "H", None, "HA HQ SA / H8 SK D7 / S8 DA CA / H7 HK D9"),
    ("pagat", "misere", "H", None, "H8 S7 D9 / HA SK D7 / S8 DA C7 / H7 HK D8"),
    ("butselaar", "piccolo", "H", None, "HJ S7 D9 / HA SK D7 / S8 DA C7 / H7 HK D8"),
    ("wikipedia-en", "zwabber", None, None, "HA S7 DA / HK SK D7 / S8 DQ C7 / H7 HQ D8"),
    ("cappelle", "130", "H", "SA", "HA SK DT / HK SA D7 / ST DA CT / H9 HQ DK"),
    ("pandur", "misere-mit", "H", None, "H9 ST DT / HA SK DA / SA CA CT"),
]


@pytest.mark.parametrize(("rules", "bid", "trump", "called", "cards"), ENDINGS)
def test_endings(rules: str, bid: str, trump: str | None, called: str | None, cards: str) -> None:
    """Every layout of the unseen cards, solved one by one as a problem."""
    game = ruleset(rules)
    hand, *others = map(Hand, cards.split(" / "))
    unseen = Hand(card for other in others for card in other)
    points = 70 if bid == "130" else 0
    asked: dict[str, Any] = {"rules": rules, "trump": trump, "called": called, "unseen": unseen, "points": points}
    answer = odds(hand, bid, exact=True, **asked)
    layouts = Layouts(unseen, len(others), 3)
    assert answer.samples == layouts.count
    contract = game.contract(bid, trump=trump, called=called)
    made = 0
    for hidden in layouts.enumerate():
        deal = Deal([hand, *(Hand.from_bits(int(bits)) for bits in hidden)])
        made += bool(solve(deal, contract, state=State(points=points)).made)
    assert answer.probability == pytest.approx(made / layouts.count)
    assert answer.view == "double-dummy"
    assert answer.expected == answer.expected_low == answer.expected_high
    sampled = odds(hand, bid, samples=300, seed=1, **asked)
    assert sampled.low <= answer.probability <= sampled.high
    for card in hand if bid != "misere-mit" else ():
        led = odds(hand, bid, exact=True, view="blind-lead", lead=card, **asked)
        assert led.probability <= answer.probability


def test_points_of_an_ending() -> None:
    """The distribution goes on from the points that the side has."""
    told: dict[str, Any] = {"rules": "cappelle", "trump": "H", "called": "SA", "exact": True, "distribution": True,
                            "unseen": "HK SA D7 ST DA CT H9 HQ DK"}  # fmt: skip
    none = odds("HA SK DT", "130", **told).distribution
    some = odds("HA SK DT", "130", points=70, **told).distribution
    assert none is not None
    assert some is not None
    assert some.points == tuple(n + 70 for n in none.points)
    assert some.chances == none.chances


@pytest.mark.parametrize("bid", ["130", "pandoer", "pandoer+20"])
def test_unseen_cards_before_the_first_lead(bid: str) -> None:
    """Nothing has been played: melds count, as they do when discard and watch card are told."""
    told: dict[str, Any] = {"rules": "pagat", "trump": "S", "called": "HA", "samples": 60}
    unseen = ruleset("pagat").deck - HAND - Card("H7")
    given = odds(HAND - Card("C7") | Card("H7"), bid, unseen=unseen, **told)
    whole = odds(HAND, bid, watch="H7", discard="C7", **told)
    assert (given.probability, given.money) == (whole.probability, whole.money)
    with pytest.raises(PandoerError, match=r"^points 5: expected them in an ending"):
        odds(HAND - Card("C7") | Card("H7"), "130", unseen=unseen, points=5, **told)


def test_what_is_chosen_before_the_first_lead_has_to_be_allowed() -> None:
    unseen = ruleset("pagat").deck - HAND - Card("H7")
    with pytest.raises(PandoerError, match=r"^called card 'DK' may not be called: expected one of CA DA HA$"):
        odds(HAND, "pandoer", rules="pagat", trump="S", called="DK", unseen=unseen)
    hand = Hand("CA CK CQ CJ CT C9 DA DK")
    with pytest.raises(PandoerError, match=r"^trump 'H': misere-mit is begun with a trump"):
        odds(hand, "misere-mit", rules="pandur", trump="H", unseen=ruleset("pandur").deck - hand)


def test_an_exact_chance_with_deals_that_were_given_up() -> None:
    """The chosen plan has the figures of the answer."""
    known = {1: "DA DK DQ DJ DT D9 D7 CA", 2: "CK CQ CJ C9 C8 H6 H8"}
    answer = odds(HAND, "130", rules="cappelle", watch="H7", known=known, exact=True, node_limit=40, trump="S",
                  discard="C7", called="HA")  # fmt: skip
    row = answer.plans[0]
    assert 0 < answer.unknown == row.unknown
    assert answer.low < answer.probability < answer.high
    assert (row.probability, row.low, row.high) == (answer.probability, answer.low, answer.high)


def test_the_plan_of_an_exact_chance_with_deals_that_were_given_up() -> None:
    """A layout that was given up counts as a half, so a plan that may succeed is not dropped for one that cannot."""
    known = {1: "DK DQ DJ HQ HJ", 2: "CA CJ SQ"}
    answer = odds("SJ S9 ST HA HK DA CK CQ", "140", rules="pandur", known=known, exact=True, node_limit=100)
    assert str(answer.plan) == "trump ♠"
    assert answer.unknown > 0
    assert answer.low < answer.probability < answer.high
    assert answer.probability == max(row.probability for row in answer.plans)
    assert f"to {100 * answer.high:.1f}), 56 layouts, {answer.unknown} of them unknown" in str(answer)


@pytest.mark.parametrize(("lead", "chance"), [("H7 must", 1), ("H7 need-not", 0)])
def test_points_are_no_use_when_a_protected_card_is_given_away(lead: str, chance: int) -> None:
    told: dict[str, Any] = {"trump": "S", "called": "HA", "points": 150, "unseen": "HA C7 D7"}
    answer = odds("H7", "130", rules="wikipedia-nl", view="blind-lead", lead=lead, **told)
    assert answer.probability == chance


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hand": ""}, "hand '.': expected 1 to 8 cards, not 0"),
        ({"unseen": "HA S7 D7"}, "unseen cards '♠7 ♥A ♦7': expected 9, 3 for each other player, not 3"),
        ({"unseen": "HK S7 D7 S8 DA CA H7 C9 D9"}, "unseen cards '♠87 ♥K7 ♦A97 ♣A9': ♥K is in the hand"),
        ({"watch": "H6"}, "watch card 'H6' and unseen cards: in an ending it has been taken up"),
        ({"trump": None}, "pandoer in pagat needs a trump suit"),
        ({"called": None}, "pandoer in pagat needs a called card"),
        ({"called": "HQ"}, "called card 'HQ': expected one of the unseen cards"),
        ({"discard": "C8"}, "discard 'C8': in an ending it has been laid away"),
        ({"bid": "kereltje", "called": None, "trump": "H"}, "trump jack 'HJ': expected one of the unseen cards"),
        ({"points": -1}, "points -1: expected a whole number, 0 to 10,000"),
        ({"points": True}, "points True: expected a whole number"),
        ({"points": 100_000}, "points 100000: expected a whole number"),
        ({"auction": "pass pass pass", "listen": True}, "listen: in an ending nobody knows any more with which cards"),
        ({"points": 5}, "points 5: expected them in an ending of a contract of points only"),
    ],
)
def test_errors_of_endings(change: dict[str, Any], message: str) -> None:
    asked: dict[str, Any] = {
        "hand": "SJ HK C8", "bid": "pandoer", "rules": "pagat", "trump": "S", "called": "HA", "exact": True,
        "unseen": "HA S7 D7 S8 DA CA H7 C9 D9",
    } | change  # fmt: skip
    with pytest.raises(PandoerError, match=f"^{re.escape(message)}"):
        odds(asked.pop("hand"), asked.pop("bid"), **asked)
