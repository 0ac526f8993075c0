"""How likely a bid is to succeed when the unseen cards are sampled: `odds`.

A plan (discard, trump, called card) is chosen without seeing the hidden cards.  All legal plans are compared on
the same deals; the chance is then counted on deals that the choice did not use, so that it is not too high
because it was the highest.  Each deal is solved exactly with all hands known, so the chance is a *double-dummy*
one: after the plan is fixed, everybody plays as if he saw every card.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from math import ceil, sqrt
from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt

from pandoer.batch import Batch, Job, check_node_limit, run
from pandoer.cards import Card, Hand, Suit
from pandoer.contracts import Bid
from pandoer.dealing import Seed, sample, seed_sequence
from pandoer.errors import PandoerError
from pandoer.intervals import Z95, wilson
from pandoer.plans import Plan, check_fixed, contract_of, legal_plans
from pandoer.rulesets import DEFAULT, Ruleset, ruleset
from pandoer.rulesets.base import parse_trump

DEFAULT_SAMPLES = 1000
VIEW = "double-dummy"
VIEW_SAYS = "all hands are known to everybody once discard, trump and call are chosen"

MOST_SAMPLES = 10_000_000
AT_A_TIME = 20_000
"""Deals that are in memory at a time when many are counted."""

FIRST_LOOK = 16
"""Deals on which all plans are compared before the first is dropped; doubled from look to look."""

Progress = Callable[[float], object]


@dataclass(frozen=True)
class PlanChance:
    """The chance of one plan.

    Attributes
    ----------
    plan
        The plan.
    probability, low, high
        The chance and its 95 % Wilson interval, 0 to 1.
    samples
        Deals behind it.  A plan that was dropped early has few.
    watch
        The watch card that this plan is for, when it lies closed.
    unknown
        Deals that were given up at the limit of nodes; see `Odds`.
    """

    plan: Plan | None
    probability: float
    low: float
    high: float
    samples: int
    watch: Card | None = None
    unknown: int = 0

    @classmethod
    def counted(
        cls, plan: Plan | None, made: int, samples: int, watch: Card | None = None, unknown: int = 0
    ) -> PlanChance:
        """From the number of deals in which the contract was made, and of those that were given up."""
        return cls(plan, *_chance(made, unknown, samples), samples, watch, unknown)

    def to_json(self) -> dict[str, Any]:
        """The chance as a JSON object."""
        answer: dict[str, Any] = {
            "plan": None if self.plan is None else self.plan.to_json(),
            "probability": self.probability, "low": self.low, "high": self.high, "samples": self.samples,
        }  # fmt: skip
        if self.watch is not None:
            answer["watch"] = str(self.watch)
        if self.unknown:
            answer["unknown"] = self.unknown
        return answer


@dataclass(frozen=True)
class Odds:
    """How likely a bid is to succeed.

    Attributes
    ----------
    bid, rules, hand, watch
        The question; `watch` is ``None`` for a watch card that nobody has seen.
    probability
        The chance of the best plan, 0 to 1; with a closed watch card the mean over the cards that it may be,
        each with the best plan for it.
    low, high
        Its 95 % interval (Wilson's).  With a closed watch card it is that of a simple sample of the same size,
        which is a little too wide for one that takes every watch card equally often.
    samples
        Deals on which it was counted; the deals that chose the plan are not among them.
    plan
        The best plan; ``None`` with a closed watch card.
    plans
        With a known watch card every legal plan, best first: the chosen one with the figures above, the others
        with those of the deals that chose.  With a closed one, the best plan for each watch card.
    value
        What the contract pays, in `unit`.
    expected
        What the declarer wins on average, in `unit` per deal; a bonus for all tricks is left out.
    unit
        The ruleset's unit.
    view
        ``"double-dummy"``.
    unknown
        Deals that were given up at the limit of nodes.  `low` is for all of them lost and `high` for all of them
        won; `probability` counts each as a half.
    """

    bid: str
    rules: str
    hand: Hand
    watch: Card | None
    probability: float
    low: float
    high: float
    samples: int
    plan: Plan | None
    plans: tuple[PlanChance, ...] = field(repr=False)
    value: int
    expected: float
    unit: str
    view: str = VIEW
    unknown: int = 0

    def to_json(self) -> dict[str, Any]:
        """The answer as a JSON object; ``"unknown"`` is there only when deals were given up."""
        answer = {
            "bid": self.bid, "rules": self.rules, "view": self.view, "probability": self.probability,
            "low": self.low, "high": self.high, "samples": self.samples,
            "plan": None if self.plan is None else self.plan.to_json(),
            "plans": [plan.to_json() for plan in self.plans], "value": self.value, "expected": self.expected,
        }  # fmt: skip
        return {**answer, "unknown": self.unknown} if self.unknown else answer

    def lines(self) -> list[str]:
        """The answer in words, a line each."""
        watch = ", watch card unknown" if self.plan is None else ""
        if self.watch is not None:
            watch = f", watch card {self.watch.text(symbols=True)}"
        best = "the best plan for each watch card" if self.plan is None else str(self.plan)
        return [
            f"{self.bid} ({self.rules}) with {self.hand}{watch}",
            f"chance {_percent(self)} with 95 % interval, double-dummy, {self.samples} deals"
            + (f", {self.unknown} of them unknown" if self.unknown else ""),
            f"plan: {best}",
            f"pays {self.value}; expected {self.expected:+.2f} {self.unit} a deal",
        ]

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{plan_name(row)}</td><td>{_percent(row)}</td><td>{row.samples}</td></tr>"
            for row in self.plans[:25]
        )
        head = "<br>".join(self.lines())
        return f"{head}<table><tr><th>plan</th><th>chance</th><th>deals</th></tr>{rows}</table>"


def _chance(made: float, unknown: int, samples: int) -> tuple[float, float, float]:
    """A chance with its interval: the unknown deals lost for the lower end, won for the upper, halves between."""
    if samples == 0:
        return 0.0, 0.0, 1.0
    return (made + unknown / 2) / samples, wilson(made, samples)[0], wilson(made + unknown, samples)[1]


def plan_name(row: PlanChance) -> str:
    """A plan in words, with the watch card it is for."""
    name = "no legal plan" if row.plan is None else str(row.plan)
    return name if row.watch is None else f"watch card {row.watch.text(symbols=True)}: {name}"


def _percent(row: Odds | PlanChance) -> str:
    return f"{100 * row.probability:.1f} % ({100 * row.low:.1f} to {100 * row.high:.1f})"


def odds(
    hand: Hand | str,
    bid: str | int | Bid,
    *,
    rules: str | Ruleset = DEFAULT,
    watch: Card | str | None = None,
    samples: int | None = None,
    precision: float | None = None,
    seed: Seed = 0,
    trump: Suit | str | None = None,
    discard: Card | str | None = None,
    called: Card | str | None = None,
    players: int | None = None,
    bidders: tuple[int, ...] = (),
    node_limit: int | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
) -> Odds:
    """How likely a bid is to succeed, with the best discard, trump and called card.

    Parameters
    ----------
    hand
        The bidder's eight cards.
    bid
        A bid of the ruleset, such as ``"pandoer"`` or ``160``.
    rules
        The ruleset or its name.
    watch
        The watch card, when it is known; ``None``: it is one of the 25 unseen cards, and discard, trump and
        call are chosen after it is seen.
    samples
        Deals on which the chance is counted (default 1,000).
    precision
        Instead of `samples`: half the width of the interval that is to be reached, such as 0.01.
    seed
        A whole number or a `numpy.random.SeedSequence`; the same seed gives the same answer for any number of
        threads.
    trump, discard, called
        Parts of the plan that are fixed.  With a closed watch card a fixed call or trump is given up for a
        watch card that forbids it.
    players
        Players who hold cards, in games that allow several numbers.
    bidders
        Seats that made a bid, counted from the declarer (1 is next in turn), for the denial of melds.
    node_limit
        Give up a deal after so many cards played in its search; see `Odds.unknown`.
    threads
        Number of threads; ``None`` for one a core.
    progress
        Called now and then with the share of the work that is done, 0 to 1.

    Returns
    -------
    Odds

    Raises
    ------
    PandoerError
        If hand, bid or plan make no sense; the message quotes the input.
    """
    rules = ruleset(rules)
    bid = rules.bid(bid)
    hand = Hand(hand)
    card = None if watch is None else Card(watch)
    fixed = Plan(
        parse_trump(trump), None if discard is None else Card(discard), None if called is None else Card(called)
    )
    _check_question(rules, hand, card, samples, precision)
    check_fixed(rules, bid, hand, card, fixed)
    seats = rules.players[0] if players is None else players
    if seats not in rules.players:
        raise PandoerError(f"players {seats!r}: {rules.name} is played by {' or '.join(map(str, rules.players))}")
    if not set(bidders) <= set(range(1, seats)):
        raise PandoerError(f"bidders {list(bidders)}: expected seats 1 to {seats - 1}, counted from the declarer")
    if trump is not None and fixed.trump is None and bid.trump != "none":
        raise PandoerError(f"trump {trump!r}: {bid.name} in {rules.name} needs a trump suit, one of C, D, H, S")
    check_node_limit(node_limit)
    root = seed_sequence(seed)
    unseen = rules.deck - hand
    closed = rules.watch is not None and card is None
    watches: list[Card | None] = [*unseen] if closed else [card]
    strata = [_Stratum(rules, bid, hand, w, fixed, seats, bidders, root, closed, node_limit) for w in watches]
    if fixed.called is not None and all(plan.called != fixed.called for s in strata for plan in s.plans):
        allowed = sorted({str(plan.called) for s in strata for plan in s.plans}) or sorted(
            {str(c) for s in strata for c in rules.callable_cards(s.cards, fixed.trump)}
        )
        raise PandoerError(
            f"called card {str(fixed.called)!r} may not be called with {str(hand)!r}:"
            f" expected one of {' '.join(allowed)}"
        )
    if not any(stratum.plans for stratum in strata):
        raise PandoerError(f"no legal plan for {bid.name} with {str(hand)!r} and the parts that are fixed")
    work = _Work(threads, progress)
    choosing = max(64, min(512, (samples or DEFAULT_SAMPLES) // 2)) if not closed else 64
    _choose(strata, choosing, work)
    made, counted = _count(strata, samples, precision, work)
    if progress is not None:
        progress(1.0)
    unknown = sum(stratum.final_unknown for stratum in strata)
    probability, low, high = _chance(made, unknown, counted)
    if closed:
        # Every watch card is equally likely, though some got a deal more than others.
        probability = sum(stratum.final().probability for stratum in strata) / len(strata)
        known_made = min(max(0.0, probability * counted - unknown / 2), counted - unknown)
        low, high = _chance(known_made, unknown, counted)[1:]
        best = None
        plans = tuple(stratum.final() for stratum in strata)
    else:
        best = strata[0].best
        plans = (strata[0].final(), *strata[0].others())
    return Odds(
        bid=bid.name, rules=rules.name, hand=hand, watch=card, probability=probability, low=low, high=high,
        samples=counted, plan=best, plans=plans, value=bid.value, expected=rules.payoff(bid, probability),
        unit=rules.unit, unknown=unknown,
    )  # fmt: skip


def _check_question(
    rules: Ruleset, hand: Hand, watch: Card | None, samples: int | None, precision: float | None
) -> None:
    if len(hand) != rules.hand:
        raise PandoerError(f"hand {str(hand)!r}: expected {rules.hand} cards, not {len(hand)}")
    for card in (*hand, *([] if watch is None else [watch])):
        if card not in rules.deck:
            raise PandoerError(f"card {str(card)!r} is not in the deck of {rules.name}")
    if watch is not None:
        if rules.watch is None:
            raise PandoerError(f"watch card {str(watch)!r}: {rules.name} has none")
        if watch in hand:
            raise PandoerError(f"watch card {str(watch)!r} is in the hand {str(hand)!r}")
    if samples is not None and precision is not None:
        raise PandoerError(f"samples {samples!r} and precision {precision!r}: expected one of them")
    if samples is not None and (
        isinstance(samples, bool) or not isinstance(samples, Integral) or not 1 <= samples <= MOST_SAMPLES
    ):
        raise PandoerError(f"samples {samples!r}: expected a whole number, 1 to {MOST_SAMPLES:,}")
    if precision is not None and (
        isinstance(precision, bool) or not isinstance(precision, int | float) or not 0.001 <= precision < 0.5
    ):
        raise PandoerError(f"precision {precision!r}: expected 0.001 to 0.5")


class _Work:
    """Runs jobs in threads and tells how much of the whole is done.

    The whole is two parts of equal weight: choosing the plans and counting on new deals.
    """

    def __init__(self, threads: int | None, progress: Progress | None) -> None:
        self.threads = threads
        self.progress = progress

    def run(self, jobs: list[Job], share_from: float, share_to: float) -> None:
        """Do the jobs, which are the work between these two shares of the whole."""
        total = sum(len(job.hands) for job in jobs)
        done = 0

        def step(finished: int) -> None:
            nonlocal done
            done += finished
            if self.progress is not None:
                self.progress(min(share_to, share_from + (share_to - share_from) * done / total))

        if total:
            run(jobs, threads=self.threads, progress=step)


class _Stratum:
    """One watch card: the plans for it, and what the deals said about them."""

    def __init__(
        self,
        rules: Ruleset,
        bid: Bid,
        hand: Hand,
        watch: Card | None,
        fixed: Plan,
        players: int,
        bidders: tuple[int, ...],
        seed: np.random.SeedSequence,
        closed: bool,
        node_limit: int | None,
    ) -> None:
        self.rules, self.bid, self.watch, self.closed = rules, bid, watch, closed
        self.players, self.bidders, self.node_limit = players, bidders, node_limit
        self.cards = hand if watch is None else hand | watch
        self.unseen = rules.deck - self.cards
        self.plans = list(legal_plans(rules, bid, self.cards, fixed))
        if closed and not self.plans:
            # The watch card forbids the fixed call or trump, or both, and the declarer sees it before he chooses.
            for less in ({"called": None}, {"trump": None}, {"called": None, "trump": None}):
                self.plans = self.plans or list(legal_plans(rules, bid, self.cards, replace(fixed, **less)))
        index = 0 if watch is None else watch.index + 1
        self.seeds = [
            np.random.SeedSequence(entropy=seed.entropy, spawn_key=(*seed.spawn_key, index, phase)) for phase in (0, 1)
        ]
        self.choice: dict[Plan, npt.NDArray[np.bool_]] = {}
        self.alive = list(self.plans)
        self.final_made = self.final_unknown = self.final_samples = 0

    @property
    def best(self) -> Plan | None:
        """The chosen plan, ``None`` when there is no legal one."""
        return self.alive[0] if self.alive else None

    def hidden(self, phase: int, start: int, stop: int) -> npt.NDArray[np.uint64]:
        """The hidden hands of deals `start` to `stop`; those of phase 0 choose, those of phase 1 count."""
        return sample(self.unseen, self.players - 1, self.rules.hand, start, stop, self.seeds[phase])

    def job(self, plan: Plan, hidden: npt.NDArray[np.uint64]) -> Job:
        """The work of solving these deals with a plan."""
        own = self.cards if plan.discard is None else self.cards.remove(plan.discard)
        hands = np.empty((len(hidden), self.players), np.uint64)
        hands[:, 0] = own.bits
        hands[:, 1:] = hidden
        contract = contract_of(self.rules, self.bid, plan)
        card = contract.partner_card
        partners = np.full(len(hidden), -1, np.int8)
        if card is not None:
            partners = ((hidden & np.uint64(card.bit)) != 0).argmax(axis=1).astype(np.int8) + np.int8(1)
        counts_melds = contract.target is not None
        return Batch(hands, contract, 0, 0, self.rules.hand, self.bidders, counts_melds, partners).job(
            exact=False, node_limit=self.node_limit
        )

    def keep_best(self, most: int) -> None:
        """Drop the plans that the deals so far speak against, and keep at most `most`.

        A plan is dropped when it lost to the leading plan in c deals and beat it in d with
        c - d > 3 sqrt(c + d): about one time in 1,500 if it is in truth as good.
        """
        self.alive.sort(key=lambda plan: -int(self.choice[plan].sum()))
        first = self.choice[self.alive[0]]
        kept = []
        for plan in self.alive[:most]:
            behind = int((first & ~self.choice[plan]).sum())
            ahead = int((self.choice[plan] & ~first).sum())
            if behind - ahead <= 3 * sqrt(behind + ahead):
                kept.append(plan)
        self.alive = kept

    def final(self) -> PlanChance:
        """The chosen plan with the deals that did not choose it."""
        return PlanChance.counted(
            self.best, self.final_made, self.final_samples, self.watch if self.closed else None, self.final_unknown
        )

    def others(self) -> list[PlanChance]:
        """The other plans with the deals that chose, those that stayed longest first."""
        rows = [
            PlanChance.counted(plan, int(made.sum()), len(made))
            for plan, made in self.choice.items()
            if plan != self.best
        ]
        return sorted(rows, key=lambda row: (-row.samples, -row.probability))


def _choose(strata: list[_Stratum], deals: int, work: _Work) -> None:
    """Compare all plans on common deals, dropping the weaker ones from look to look."""
    seen, looks = 0, ceil(np.log2(deals / FIRST_LOOK)) + 1
    most = 64
    for look in range(looks):
        upto = min(FIRST_LOOK << look, deals)
        jobs = []
        for stratum in strata:
            if len(stratum.alive) > 1:
                hidden = stratum.hidden(0, seen, upto)
                jobs += [(stratum, plan, stratum.job(plan, hidden)) for plan in stratum.alive]
        work.run([job for _, _, job in jobs], 0.5 * look / looks, 0.5 * (look + 1) / looks)
        for stratum, plan, job in jobs:
            made = job.made()
            stratum.choice[plan] = np.concatenate([stratum.choice.get(plan, np.zeros(0, np.bool_)), made])
        for stratum in strata:
            if len(stratum.alive) > 1:
                stratum.keep_best(most)
        seen, most = upto, max(4, most // 2)


def _count(
    strata: list[_Stratum], samples: int | None, precision: float | None, work: _Work
) -> tuple[int, int]:
    """Count on new deals how often the chosen plans make it."""
    wanted = DEFAULT_SAMPLES if samples is None else samples
    if precision is not None:
        wanted = 256
    done, reached = 0, 0.5
    while True:
        upto = min(wanted, done + AT_A_TIME)
        jobs = []
        for i, stratum in enumerate(strata):
            own = max(1, (upto + len(strata) - 1 - i) // len(strata))
            plan = stratum.best
            if plan is not None and own > stratum.final_samples:
                jobs.append((stratum, stratum.job(plan, stratum.hidden(1, stratum.final_samples, own))))
            stratum.final_samples = max(own, stratum.final_samples)
        # With a precision nobody knows how many deals it takes: each round is half of what is left.
        share, goal = (0.5 + 0.5 * done / wanted, 0.5 + 0.5 * upto / wanted)
        if precision is not None:
            share, goal = reached, (1 + reached) / 2
        work.run([job for _, job in jobs], share, goal)
        reached = goal
        for stratum, job in jobs:
            stratum.final_made += int(job.made().sum())
            stratum.final_unknown += int(job.unknown().sum())
        made, done = sum(s.final_made for s in strata), sum(s.final_samples for s in strata)
        if done < wanted:
            continue
        if precision is None:
            return made, done
        low, high = wilson(made, done)
        if (high - low) / 2 <= precision:
            return made, done
        p = (low + high) / 2
        wanted = max(done + 256, min(4 * done, ceil(p * (1 - p) * (Z95 / precision) ** 2)))
