"""A count of points to use at the table: `Count`.

`pandoer.counts.fit` makes one from a strength table.
"""

from __future__ import annotations

import html
from collections.abc import Mapping
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
from pandoer.rulesets import Ruleset, ruleset

__all__ = ["Bin", "Count", "HeldOut", "Interval", "Term"]

LEVELS = (0.1, 0.25, 0.5, 0.75, 0.9)
"""Chances of which it is told with how many points the bid has them."""


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
    """Held-out hands to which the count gives about the same chance.

    Attributes
    ----------
    hands
        How many.
    predicted
        The mean of the predicted chances, 0 to 1.
    found, low, high
        The mean of their chances in the table, 0 to 1, with its 95 % interval.
    """

    hands: int
    predicted: float
    found: float
    low: float
    high: float


@dataclass(frozen=True)
class HeldOut:
    """How good a count is on hands that did not make it.

    All means are weighted as the hands of the table are: they are means over deals.  What the count wins, its bins and
    scores are right on average however few deals each chance of the table was counted on.  The table itself chooses and
    is judged by the same deals: with few of them `best` and `cost` are too high, and `agrees` is too low.

    Attributes
    ----------
    hands, fitted
        Hands held out, and hands that made the count.
    deals
        On how many deals a chance of the table was counted.
    worth, bids
        The share with which the bid is worth making by the table, and by the count.
    agrees
        How often the two agree.
    brier, base_brier
        The mean squared error of the predicted chance in a single deal, and that of the base rate: of the same chance
        for every hand.
    bins
        Predicted chances beside what was found.
    wins
        What is won on average by following the count, in the ruleset's unit per deal; never making the bid wins 0.
    cost
        What is lost on average by following the count rather than the table, likewise.
    best
        What is won on average by following the table, likewise.
    """

    hands: int
    fitted: int
    deals: int
    worth: float
    bids: float
    agrees: Interval
    brier: float
    base_brier: float
    bins: tuple[Bin, ...]
    wins: Interval
    cost: Interval
    best: float

    @classmethod
    def nothing(cls) -> HeldOut:
        """That of no hands, of a count of one's own."""
        none = Interval(0, 0, 0)
        return cls(0, 0, 0, 0, 0, none, 0, 0, (), none, none, 0)

    @classmethod
    def from_dict(cls, given: Mapping[str, Any]) -> HeldOut:
        """What `dataclasses.asdict` made a dictionary of."""
        means = {name: Interval(**given[name]) for name in ("agrees", "wins", "cost")}
        return cls(**{**given, **means, "bins": tuple(Bin(**each) for each in given["bins"])})


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
    curve
        Points and the chance of the bid with them, both ascending; between them the chance rises evenly.
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
    curve: tuple[tuple[int, float], ...]
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

    def chance(self, points: npt.ArrayLike) -> npt.NDArray[np.float64]:
        """The chance of the bid with so many points, ``float64 [...]``, 0 to 1."""
        known, chances = np.array(self.curve).T
        return np.asarray(np.interp(np.asarray(points, float), known, chances))

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

    def _chances(self) -> str:
        """From how many points on the bid has which chance."""
        points = np.arange(self.curve[0][0], self.curve[-1][0] + 1)
        places = np.searchsorted(self.chance(points), LEVELS)
        reached = {points[i]: level for level, i in zip(LEVELS, places, strict=True) if i < len(points)}
        return ", ".join(f"{100 * level:.0f} % from {least} points" for least, level in reached.items())

    def lines(self) -> list[str]:
        """The count and how good it is, a line each."""
        found, unit = self.held_out, self.rules.unit
        agrees, wins = found.agrees, found.wins
        pays = "it wins on average"
        if self.worth_from is not None:
            pays = f"its chance is {100 * self.worth_from:g} % or more"
        return [
            self.card,
            f"chance {self._chances()}",
            f"worth making: {pays}; on {found.hands:,} hands held out ({found.fitted:,} made the count),"
            f" {found.deals:,} deals each",
            f"wins {wins.mean:.3f} {unit} a deal ({wins.low:.3f} to {wins.high:.3f}),"
            f" the table's own choice seems to win {found.best:.3f}",
            f"agrees with it {100 * agrees.mean:.1f} % ({100 * agrees.low:.1f} to {100 * agrees.high:.1f});"
            f" bids {100 * found.bids:.1f} % of all hands, worth it {100 * found.worth:.1f} %",
            f"Brier score of its chances {found.brier:.3f}, of the base rate {found.base_brier:.3f}",
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
            "threshold": self.threshold, "curve": [[*pair] for pair in self.curve], "worth_from": self.worth_from,
            "unit": self.rules.unit, "card": self.card, "held_out": asdict(self.held_out),
        }  # fmt: skip

    @classmethod
    def from_dict(cls, given: Mapping[str, Any], rules: Ruleset | None = None) -> Count:
        """The count of which `to_dict` made a JSON object; `rules` are needed if they are of one's own.

        Raises
        ------
        PandoerError
            If it is none.
        """
        try:
            game = ruleset(given["rules"] if rules is None else rules)
            terms = tuple(Term(find(each["feature"]).name, int(each["points"])) for each in given["terms"])
            curve = tuple((int(points), float(chance)) for points, chance in given["curve"])
            numbers = {name: given[name] for name in ("start", "threshold", "worth_from")}
            name, held_out = game.bid(given["bid"]).name, HeldOut.from_dict(given["held_out"])
        except (KeyError, TypeError, AttributeError, ValueError) as error:
            raise PandoerError(f"count {str(given)[:60]!r}: expected one that to_dict gave ({error})") from None
        return cls(name=name, rules=game, terms=terms, curve=curve, held_out=held_out, **numbers)


def best_points(choices: Choices, weights: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """The greatest weighted sum over the plans of each hand, ``float64 [n]``; minus infinity without a plan."""
    places = choices.best(weights)
    sums = choices.counted[places] @ weights.astype(np.float32) if len(choices.rows) else np.zeros(len(places))
    return np.where(places < 0, -np.inf, sums).astype(float)
