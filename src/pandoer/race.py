"""Choosing a plan, and counting how often it succeeds.

1. *Choosing.*  All plans for a watch card run on the same deals, looked at after 1, 4, 8, 16, 24, ... of them.  A plan
   is dropped when another one has beaten it so often that a plan as good would be dropped with a chance of at most
   `ERROR`, shared among all plans and looks.  So the best plan is lost with a chance of at most `ERROR`.
2. The race ends when one plan is left, when no other is better by more than half the precision (with the same error),
   or when it has cost enough.  The plan with the most successes is taken.
3. *Counting.*  Its chance is counted on new deals, which did not choose it, so it is not too high for having been the
   highest.

Where all layouts are enumerated instead, the plan that leads after a few is asked for all, the others until they cannot
be better any more, and the chance of the best one is exact.

Plans that differ in the names of suits only, for a declarer to whom these suits look alike, are one plan.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from math import ceil
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from pandoer.choices import likeliest
from pandoer.contracts import Bid, Contract
from pandoer.errors import PandoerError
from pandoer.intervals import Z95
from pandoer.ledger import Bools, Game, Ledger, Source, Want
from pandoer.objectives import ALL, Objective
from pandoer.plans import Plan, contract_of, legal_plans, with_leads
from pandoer.problems import Play
from pandoer.question import Enumerated, Question, Stratum
from pandoer.solver import legal_leads

if TYPE_CHECKING:
    from pandoer.at_the_table import Strength

ERROR = 0.05
"""The chance that a race loses the best plan, at most."""

LOOKS = (1, 4, 8, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024)
"""Deals after which a race is looked at."""

ENOUGH = 32
"""After so many deals a race ends when the leading plan succeeded always or never."""

LEAST = 8
"""The same where the chance is counted on a few deals only, all watch cards together."""

CHEAP = 2
"""A contract that is made or not is solved so much faster than points that its race may be longer by this."""

FIRST_COUNT = 64
"""Deals that count a chance at first; then more and more."""

AT_A_TIME = 20_000
"""Deals that are counted at a time."""

TINY = 1e-300


@dataclass(frozen=True)
class Goal:
    """What is asked of the deals.

    Attributes
    ----------
    bid
        The bid.
    fixed
        Parts of the plan that are fixed.
    blind_lead
        The first lead belongs to the plan.
    joiners
        Seats that joined the misère.
    together
        With joiners: whether all of them stay dry together; else whether the declarer does, everybody else against
        him.
    points
        Points that the side has already, in an ending of a contract of points.
    given
        Discard, trump and call have been chosen, and the unseen cards are known.
    ending
        Cards have been played as well: melds are settled.
    """

    bid: Bid
    fixed: Plan
    blind_lead: bool = False
    joiners: tuple[int, ...] = ()
    together: bool = False
    points: int = 0
    given: bool = False
    ending: bool = False

    @property
    def objective(self) -> Objective:
        """The bid's objective."""
        return self.bid.objective

    @property
    def target(self) -> int | None:
        """Points, or points of melds, that are still to be reached; at least 0, for a lost contract has less."""
        if self.bid.target is None or (self.ending and self.objective.counts is None):
            return None
        return max(self.bid.target - self.points, 0)


@dataclass(frozen=True)
class Effort:
    """How exact an answer is wanted: so many deals, or half the width of the interval, or all layouts.

    With `plans` no more than so many plans of a bid are compared, the likeliest ones; with a `strength` deals are
    played out to count a chance.
    """

    samples: int | None = None
    precision: float | None = None
    exact: bool = False
    plans: int | None = None
    strength: Strength | None = None

    def deals(self, p: float) -> int:
        """About how many deals that takes for a chance."""
        if self.precision is None:
            return self.samples or 0
        return max(FIRST_COUNT, ceil(p * (1 - p) * (Z95 / self.precision) ** 2))

    @property
    def indifference(self) -> float:
        """A gain that is not worth looking for."""
        return self.precision / 2 if self.precision is not None else Z95 / (4 * (self.samples or 1) ** 0.5)


class Book:
    """The games, deals and ledgers of one question, each there once."""

    def __init__(self, question: Question, root: np.random.SeedSequence, effort: Effort) -> None:
        self.question, self.root, self.effort = question, root, effort
        self._games: dict[object, Game] = {}
        self._deals: dict[tuple[Stratum, int], Source] = {}
        self._ledgers: dict[tuple[Game, int, Stratum, int], Ledger] = {}

    def deals(self, stratum: Stratum, phase: int) -> Source:
        """The deals that choose (phase 0) or count (phase 1); all layouts do both."""
        if (stratum, phase) not in self._deals:
            source = Enumerated(stratum) if self.effort.exact else stratum.sampled(self.root, phase)
            self._deals[stratum, phase] = source
        return self._deals[stratum, phase]

    @cached_property
    def masses(self) -> dict[Stratum, float]:
        """The watch cards that are possible, each with its chance up to a common factor."""
        strata = self.question.strata
        if self.effort.exact:
            masses = {stratum: float(enumerated(self.deals(stratum, 0)).weights.sum()) for stratum in strata}
        else:
            masses = {stratum: stratum.mass(self.root) for stratum in strata}
        possible = {stratum: mass for stratum, mass in masses.items() if mass > 0}
        if not possible:
            raise PandoerError("none of the deals fits the weight")
        return possible

    def contract(self, goal: Goal, plan: Plan) -> Contract:
        """The contract of a plan."""
        contract = contract_of(self.question.rules, goal.bid, plan, goal.joiners)
        return contract if goal.together else replace(contract, joiners=())

    def game(self, contract: Contract, lead: Play | None) -> Game:
        """The game of a contract, whatever it is called and however much it promises."""
        key = (contract.objective.name, contract.trump, contract.called, contract.partner, contract.play,
               contract.joiners, lead)  # fmt: skip
        if key not in self._games:
            bare = replace(contract, name=contract.objective.name, target=None, bid=None)
            self._games[key] = Game(bare, lead, self.question.bidders)
        return self._games[key]

    def ledger(self, contract: Contract, plan: Plan, stratum: Stratum, phase: int) -> Ledger:
        """The ledger of a plan; with a first lead below that of the plan without it."""
        own = stratum.cards if plan.discard is None else stratum.cards - plan.discard
        phase = 0 if self.effort.exact else phase
        deals = self.deals(stratum, phase)
        parent: Ledger | None = None
        for lead in dict.fromkeys((None, plan.lead)):
            game = self.game(contract, lead)
            key = (game, own.bits, stratum, phase)
            if key not in self._ledgers:
                self._ledgers[key] = Ledger(game, own, deals, parent)
            parent = self._ledgers[key]
        assert parent is not None
        return parent

    def leads(self, contract: Contract, plan: Plan, stratum: Stratum) -> list[Play]:
        """The legal first leads of a plan, which do not depend on what lies hidden."""
        own = stratum.cards if plan.discard is None else stratum.cards - plan.discard
        hidden = self.deals(stratum, 0).hidden(0, 1)[0]
        return legal_leads(contract, [own.bits, *map(int, hidden)])


class Race:
    """The plans for one watch card, and what the deals said about them."""

    def __init__(self, goal: Goal, stratum: Stratum, share: float, book: Book) -> None:
        self.goal, self.stratum, self.share, self.book = goal, stratum, share, book
        self.plans = self._legal_plans()
        self.alive = np.arange(len(self.plans))
        self.ledgers = [self._ledger(plan, 0) for plan in self.plans]
        self.seen = self.spent = self.looks = 0
        self.made = np.zeros(len(self.plans), np.int64)
        """Successes of each plan on the deals seen, up to where it was dropped."""
        self.doubts = np.zeros(len(self.plans), np.int64)
        """Deals among them that were given up."""
        self.reached = np.zeros(len(self.plans), np.int64)
        """Deals for which each plan was asked."""
        self.over = len(self.plans) <= 1
        self.counted = 0
        self.successes = self.unknown = 0
        self._finals: dict[int, Ledger] = {}

    def _legal_plans(self) -> list[Plan]:
        question, goal = self.stratum.question, self.goal
        rules, cards = question.rules, self.stratum.cards

        def legal(fixed: Plan) -> list[Plan]:
            if goal.given:
                return [replace(fixed, lead=None)]
            return [*legal_plans(rules, goal.bid, cards, fixed, joined=bool(goal.joiners))]

        plans = legal(goal.fixed)
        if question.closed and not plans:
            # The watch card forbids the fixed call or trump, or both, and the declarer sees it before he chooses.
            for less in ({"called": None}, {"trump": None}, {"called": None, "trump": None}):
                plans = plans or legal(replace(goal.fixed, **less))
        if self.book.effort.plans is not None:
            plans = likeliest(rules, goal.bid, cards, self._distinct(plans), self.book.effort.plans)
        if not goal.blind_lead:
            return self._distinct(plans)
        found = []
        for plan in plans:
            leads = self.book.leads(self.book.contract(goal, plan), plan, self.stratum)
            found += with_leads(rules, goal.bid, cards, plan, leads, goal.fixed)
        return self._distinct(found)

    def _distinct(self, plans: list[Plan]) -> list[Plan]:
        """Of plans that differ in the names of suits only the first one."""
        ways = self.stratum.renamings(self.goal.bid)
        found: dict[Plan, None] = {}
        for plan in plans:
            if not any(plan.renamed(names) in found for names in ways):
                found[plan] = None
        return [*found]

    def _ledger(self, plan: Plan, phase: int) -> Ledger:
        return self.book.ledger(self.book.contract(self.goal, plan), plan, self.stratum, phase)

    # Choosing

    def progress(self) -> float:
        """About how much of the choosing is done, 0 to 1."""
        return 1.0 if self.over else self.seen / (self.seen + 64)

    @property
    def best(self) -> int | None:
        """The plan that leads, or was chosen; ``None`` when there is no legal one."""
        if not len(self.alive):
            return None
        score = 2 * self.made[self.alive] + self.doubts[self.alive]  # a deal that was given up counts as a half
        return int(self.alive[np.argmax(score)])

    def upto(self) -> int:
        """Deals at the next look."""
        return LOOKS[self.looks]

    def wants(self) -> Iterable[Want]:
        """The results that the next look needs."""
        stop = self.upto()
        return [Want(self.ledgers[i], self.goal.target, self.seen, stop) for i in self.alive]

    def look(self, wanted: int) -> None:
        """Compare the plans; `wanted` is about how many deals will count the chance for this watch card."""
        stop = self.upto()
        self.spent += len(self.alive) * (stop - self.seen)
        made = np.array([self.ledgers[i].made(self.goal.target, 0, stop) for i in self.alive])
        unknown = np.array([self.ledgers[i].unknown(self.goal.target, 0, stop) for i in self.alive])
        self.seen, self.looks = stop, self.looks + 1
        self.made[self.alive] = made.sum(axis=1)
        self.doubts[self.alive] = unknown.sum(axis=1)
        self.reached[self.alive] = stop
        best = int(np.flatnonzero(self.alive == self.best)[0])
        known = ~(unknown | unknown[best])
        behind = (made[best] & ~made & known).sum(axis=1)
        ahead = (made & ~made[best] & known).sum(axis=1)
        error = ERROR / (len(LOOKS) * len(self.plans))
        kept = ~worse(ahead, behind, error)
        self.alive = self.alive[kept]
        # At most so much better is each plan, but for the same error (Hoeffding's bound on the deals that tell).
        gain = (ahead - behind + np.sqrt(2 * (ahead + behind + 1) * -np.log(error))) / stop
        gain[best] = -np.inf  # of itself
        self.over = len(self.alive) == 1 or self.looks == len(LOOKS) or self._enough(gain[kept], wanted)

    def _enough(self, gain: npt.NDArray[np.float64], wanted: int) -> bool:
        """Whether a better plan among those that are left is not worth looking for."""
        best = self.made[self.alive].max()
        cheap = CHEAP if self.goal.objective.counts is None else 1
        whole = int(wanted / self.share)  # a plan that is a little too bad for each watch card is so on the whole
        enough = min(cheap * ENOUGH, max(LEAST, wanted // 2, min(ENOUGH, whole // 2)))
        if self.seen >= enough and best in (0, self.seen):
            return True
        if gain.max() <= self.book.effort.indifference:
            return True
        price = len(self.alive) * (self.upto() - self.seen)
        return self.spent + price > enough * len(self.plans) + 2 * cheap * wanted

    # Counting

    @property
    def final(self) -> Ledger:
        """The ledger of the chosen plan on the deals that count."""
        best = self.best
        assert best is not None
        if best not in self._finals:
            self._finals[best] = self._ledger(self.plans[best], 1)
        return self._finals[best]

    @property
    def sweeper(self) -> Ledger | None:
        """The ledger that says whether the side wins every trick, for a bid with a bonus."""
        if not self.goal.bid.bonus or self.goal.ending or self.best is None:
            return None
        plan = self.plans[self.best]
        contract = replace(self.book.contract(self.goal, plan), objective=ALL, target=None)
        return self.book.ledger(contract, plan, self.stratum, 1)

    def swept(self) -> Bools | None:
        """The counted deals in which the side is known to win every trick, for a bid with a bonus."""
        sweeper = self.sweeper
        if sweeper is None:
            return None
        sweeper.extend(self.counted)  # while all layouts are swept nothing has been asked yet
        return sweeper.made(None, 0, self.counted)

    def figures(self) -> tuple[int, int, int]:
        """Successes, deals and unknown deals: those counted, or before that those of the leading plan."""
        if self.counted:
            return self.successes, self.counted, self.unknown
        best = self.best
        return (0, self.seen, 0) if best is None else (int(self.made[best]), self.seen, int(self.doubts[best]))

    def count_to(self, stop: int) -> list[Want]:
        """The results that counting to a number of deals needs."""
        if not self.plans or stop <= self.counted:
            return []
        wants = [Want(self.final, self.goal.target, self.counted, stop)]
        if self.sweeper is not None:
            wants.append(Want(self.sweeper, None, self.counted, stop))
        return wants

    def outcomes(self, start: int, stop: int) -> tuple[Bools, Bools]:
        """In which of these deals the chosen plan succeeds, and which were given up."""
        return self.final.made(self.goal.target, start, stop), self.final.unknown(self.goal.target, start, stop)

    def count(self, stop: int) -> None:
        """Count the deals up to a number."""
        if stop > self.counted:
            if self.plans:
                made, unknown = self.outcomes(self.counted, stop)
                self.successes += int(made.sum())
                self.unknown += int(unknown.sum())
            self.counted = stop


def worse(ahead: npt.NDArray[np.int64], behind: npt.NDArray[np.int64], error: float) -> Bools:
    """Whether a plan that was ahead and behind in so many deals is worse than the other, but for this error.

    If it were as good, each deal that tells them apart would be for it with a chance of at least a half.  The chance
    that at most `ahead` of n such deals are for it is then at most exp(-n D), with D the divergence of ahead/n from a
    half (Chernoff's bound).
    """
    n = np.maximum(ahead + behind, 1)
    a, b = ahead / n, behind / n
    with np.errstate(divide="ignore", invalid="ignore"):
        divergence = np.log(2) + np.where(a > 0, a * np.log(a), 0) + np.where(b > 0, b * np.log(b), 0)
    return np.asarray((behind > ahead) & (np.exp(-n * divergence) < error))


class Sweep(Race):
    """A race over all layouts, with their weights.

    The plan that seems best on the first layouts is asked for all of them; then the others until they cannot be better.
    """

    def __init__(self, goal: Goal, stratum: Stratum, share: float, book: Book) -> None:
        super().__init__(goal, stratum, share, book)
        self.weights = enumerated(book.deals(stratum, 0)).weights
        self.over = not self.plans
        self.counted = len(self.weights) if self.over else 0
        self.score = np.zeros(len(self.plans))
        """The weight of the layouts in which each plan succeeds, as far as it was asked; half where it was given up."""
        self.unsure = np.zeros(len(self.plans))
        """The weight of the layouts that were given up."""
        self.looked = np.zeros(len(self.plans))
        """The weight of the layouts for which each was asked."""

    @property
    def best(self) -> int | None:
        """The plan that leads."""
        if not len(self.alive):
            return None
        rate = self.score[self.alive] / np.maximum(self.looked[self.alive], TINY)
        return int(self.alive[np.argmax(rate)])

    def _next(self) -> list[tuple[int, int]]:
        """The plans to ask for next, each up to which layout."""
        layouts, best = len(self.weights), self.best
        assert best is not None
        if not self.reached[best]:
            return [(int(i), min(layouts, FIRST_COUNT)) for i in self.alive]
        if self.reached[best] < layouts:
            return [(best, min(layouts, int(self.reached[best]) + AT_A_TIME))]
        found = []
        room = float(self.weights.sum() - self.score[best])  # what another plan may lose and still be as good
        for i in map(int, self.alive[self.alive != best]):
            # Where it will be out if it goes on losing as it began, and a little further.
            seen, lost = int(self.reached[i]), float(self.looked[i] - self.score[i])
            out = int(1.05 * seen * room / lost) if lost * layouts > seen * room else layouts
            found.append((i, min(layouts, seen + AT_A_TIME, max(2 * seen, out))))
        return found

    def wants(self) -> Iterable[Want]:
        """The results that the next look needs."""
        return [Want(self.ledgers[i], self.goal.target, int(self.reached[i]), stop) for i, stop in self._next()]

    def look(self, wanted: int) -> None:
        """Compare the plans."""
        for i, stop in self._next():
            start = int(self.reached[i])
            made = self.ledgers[i].made(self.goal.target, start, stop)
            unknown = self.ledgers[i].unknown(self.goal.target, start, stop)
            self.made[i] += int(made.sum())
            self.doubts[i] += int(unknown.sum())
            weights = self.weights[start:stop]
            self.unsure[i] += float(weights[unknown].sum())
            self.score[i] += float(weights[made].sum()) + float(weights[unknown].sum()) / 2
            self.looked[i] += float(self.weights[start:stop].sum())
            self.reached[i] = stop
        score = self.score[self.alive]
        kept = score + self._left(self.alive) > score.max()
        kept[np.argmax(score)] = True
        self.alive = self.alive[kept]
        best = self.best
        assert best is not None
        self.seen = self.counted = int(self.reached[best])
        self.over = len(self.alive) == 1 and self.counted == len(self.weights)
        self.successes = int(self.made[best])
        self.unknown = int(self.doubts[best])

    def _left(self, plans: npt.NDArray[np.intp]) -> npt.NDArray[np.float64]:
        """The weight of the layouts for which plans have not been asked."""
        left: npt.NDArray[np.float64] = self.weights.sum() - self.looked[plans]
        left[self.reached[plans] == len(self.weights)] = 0.0
        return left

    def progress(self) -> float:
        """About how much is done, 0 to 1."""
        return 1.0 if self.over else 0.8 * self.counted / len(self.weights)

    def chance_of(self, plan: int) -> tuple[float, float, float]:
        """The chance of a plan as far as it was asked, with the ends between which it lies."""
        total, score, doubt = self.weights.sum(), self.score[plan], self.unsure[plan] / 2
        looked = total if self.reached[plan] == len(self.weights) else max(self.looked[plan], TINY)
        high = (score + doubt + (total - looked)) / total  # nothing is left when all are known
        return float(score / looked), float((score - doubt) / total), float(min(high, 1.0))

    def chance(self) -> tuple[float, float, float]:
        """The chance of the plan that leads, with the ends between which that of the best one lies."""
        best = self.best
        if best is None or not self.counted:
            return 0.0, 0.0, float(best is not None)
        p, low, high = self.chance_of(best)
        others = (self.score[self.alive] + self.unsure[self.alive] / 2 + self._left(self.alive)) / self.weights.sum()
        return p, low, max(high, float(min(others.max(), 1.0)))


def enumerated(source: Source) -> Enumerated:
    """All layouts, where they are enumerated."""
    assert isinstance(source, Enumerated)
    return source
