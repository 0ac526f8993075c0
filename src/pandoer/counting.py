"""A count of points to use at the table: `Count`.

`pandoer.counts.fit` makes one from a strength table.
"""

from __future__ import annotations

import html
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pandoer.cards import Card, Hand
from pandoer.choices import Choices
from pandoer.errors import PandoerError
from pandoer.features import find
from pandoer.planned import Bits
from pandoer.plans import Plan
from pandoer.rulesets import Ruleset

__all__ = ["Bin", "Count", "HeldOut", "Interval", "Term"]


@dataclass(frozen=True)
class Term:
    """What a count counts.

    Attributes
    ----------
    feature
        The name of a feature.
    points
        The points for one of it; not 0.
    """

    feature: str
    points: int

    def __str__(self) -> str:
        return f"{find(self.feature).label} {self.points}"


@dataclass(frozen=True)
class Interval:
    """A mean with its 95 % interval."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class Bin:
    """Held-out hands to which the count gives about the same chance to be worth the bid.

    Attributes
    ----------
    hands
        How many.
    predicted
        The mean of the predicted chances, 0 to 1.
    found, low, high
        The share of them that is worth the bid, 0 to 1, with its 95 % interval.
    """

    hands: int
    predicted: float
    found: float
    low: float
    high: float


@dataclass(frozen=True)
class HeldOut:
    """How good a count is on hands that did not make it.

    All means are weighted as the hands of the table are: they are means over deals.

    Attributes
    ----------
    hands, fitted
        Hands held out, and hands that made the count.
    worth, bids
        The share with which the bid is worth making by the table, and by the count.
    agrees
        How often the two agree.
    brier, base_brier
        The mean squared error of the predicted chance to be worth the bid, and that of the base rate: of the same
        chance for every hand.
    bins
        Predicted chances beside what was found.
    cost
        What is lost on average by following the count rather than the table, in the ruleset's unit per deal.
    passing
        What is lost on average by never making the bid, likewise.
    """

    hands: int
    fitted: int
    worth: float
    bids: float
    agrees: Interval
    brier: float
    base_brier: float
    bins: tuple[Bin, ...]
    cost: Interval
    passing: float


@dataclass(frozen=True, repr=False)
class Count:
    """A count of points that says whether a bid is worth making.

    Attributes
    ----------
    name, rules
        The name of the bid, and its ruleset.
    terms
        What is counted; the points of a plan are `start` and the sum of these.
    start
        Points to begin with.
    threshold
        The bid is made with so many points or more.
    slope, middle
        With x points the chance that the bid is worth making is the logistic function of slope * (x - middle).
    worth_from
        The chance from which the bid counts as worth making; ``None``: when it wins something on average.
    held_out
        How good it is on hands that did not make it.
    """

    name: str
    rules: Ruleset
    terms: tuple[Term, ...]
    start: int
    threshold: int
    slope: float
    middle: float
    worth_from: float | None
    held_out: HeldOut

    @property
    def features(self) -> tuple[str, ...]:
        """The names of the features that are counted."""
        return tuple(term.feature for term in self.terms)

    def points(self, hand: Hand | str, watch: Card | str | None = None) -> int:
        """The points of a hand with the plan that has the most of them.

        Parameters
        ----------
        hand
            The eight cards.
        watch
            The watch card, when it is known; then the discard is chosen as well.

        Raises
        ------
        PandoerError
            If there are not eight cards of the game, or no plan.
        """
        return self._must(hand, watch)[0]

    def plan(self, hand: Hand | str, watch: Card | str | None = None) -> Plan:
        """The plan with the most points, the first of several; see `points`.

        It names no called card if that is not counted.
        """
        return self._must(hand, watch)[1]

    def bid(self, hand: Hand | str, watch: Card | str | None = None) -> bool:
        """Whether the count says to make the bid; see `points`.  A bid without a plan is not made."""
        best = self._best(hand, watch)
        return best is not None and best[0] >= self.threshold

    def worth(self, points: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """The chance that the bid is worth making with so many points, ``float64 [...]``, 0 to 1."""
        logit = self.slope * (np.asarray(points, float) - self.middle)
        return np.asarray(1 / (1 + np.exp(-np.clip(logit, -30, 30))))

    def points_of(self, hands: Bits, watch: Bits) -> npt.NDArray[np.float64]:
        """The points of many hands.

        Parameters
        ----------
        hands, watch
            ``uint64 [n]``: `Hand.bits` before the discard, and the watch card as a hand of one; 0 where it is unknown.

        Returns
        -------
        numpy.ndarray
            ``float64 [n]``, minus infinity for a hand without a plan.
        """
        choices = self._choices(hands, watch)
        return self.start + best_points(choices, self._weights)

    @property
    def _weights(self) -> npt.NDArray[np.float32]:
        return np.array([term.points for term in self.terms], np.float32)

    def _choices(self, hands: Bits, watch: Bits) -> Choices:
        return Choices.of(self.rules.bid(self.name), self.rules, hands, watch, self.features)

    def _best(self, hand: Hand | str, watch: Card | str | None) -> tuple[int, Plan] | None:
        cards, seen = Hand(hand), None if watch is None else Card(watch)
        if len(cards) != self.rules.hand or cards - self.rules.deck:
            raise PandoerError(f"hand {str(cards)!r}: expected {self.rules.hand} cards of {self.rules.name}")
        if seen is not None and (self.rules.watch is None or seen in cards or seen not in self.rules.deck):
            raise PandoerError(f"watch card {str(seen)!r}: expected a card of {self.rules.name} outside the hand")
        choices = self._choices(np.array([cards.bits], np.uint64), np.array([seen.bit if seen else 0], np.uint64))
        place = int(choices.best(self._weights)[0])
        if place < 0:
            return None
        return self.start + round(float(choices.counted[place] @ self._weights)), choices.plans.plan(place)

    def _must(self, hand: Hand | str, watch: Card | str | None) -> tuple[int, Plan]:
        best = self._best(hand, watch)
        if best is None:
            raise PandoerError(f"{self.name} with {str(Hand(hand))!r}: expected a hand that has a plan for it")
        return best

    @property
    def card(self) -> str:
        """The count in one line, to keep."""
        begin = [f"begin with {self.start}"] if self.start else []
        terms = ", ".join([*begin, *map(str, self.terms)])
        return f"{self.name} ({self.rules.name}): {terms}; bid at {self.threshold}"

    def lines(self) -> list[str]:
        """The count and how good it is, a line each."""
        found, unit = self.held_out, self.rules.unit
        agrees, cost = found.agrees, found.cost
        pays = "it wins on average"
        if self.worth_from is not None:
            pays = f"its chance is {100 * self.worth_from:g} % or more"
        return [
            self.card,
            f"worth making: {pays}; on {found.hands:,} hands held out ({found.fitted:,} made the count)",
            f"agrees {100 * agrees.mean:.1f} % ({100 * agrees.low:.1f} to {100 * agrees.high:.1f});"
            f" bids {100 * found.bids:.1f} % of all hands, worth it {100 * found.worth:.1f} %",
            f"costs {cost.mean:.3f} {unit} a deal ({cost.low:.3f} to {cost.high:.3f});"
            f" never bidding {found.passing:.3f}",
            f"Brier score {found.brier:.3f}, of the base rate {found.base_brier:.3f}",
        ]

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        return f"<Count {self.card}>"

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{html.escape(find(term.feature).label)}</td><td>{term.points}</td></tr>" for term in self.terms
        )
        begin = f"<tr><td>to begin with</td><td>{self.start}</td></tr>" if self.start else ""
        notes = "<br>".join(html.escape(line) for line in self.lines()[1:])
        title = html.escape(f"{self.name} ({self.rules.name})")
        end = f"<tr><th>bid at</th><th>{self.threshold}</th></tr>"
        return f"<b>{title}</b><table>{begin}{rows}{end}</table>{notes}"

    def to_dict(self) -> dict[str, Any]:
        """The count as a JSON object."""
        return {
            "bid": self.name, "rules": self.rules.name, "start": self.start,
            "terms": [{**asdict(term), "label": find(term.feature).label} for term in self.terms],
            "threshold": self.threshold, "slope": self.slope, "middle": self.middle, "worth_from": self.worth_from,
            "unit": self.rules.unit, "card": self.card, "held_out": asdict(self.held_out),
        }  # fmt: skip


def best_points(choices: Choices, weights: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """The greatest weighted sum over the plans of each hand, ``float64 [n]``; minus infinity without a plan."""
    places = choices.best(weights)
    sums = choices.counted[places] @ weights.astype(np.float32) if len(choices.rows) else np.zeros(len(places))
    return np.where(places < 0, -np.inf, sums).astype(float)
