"""Fitting a count of points to a strength table: `fit`, which gives a `Count`.

A hand is *worth* a bid when the bid wins something on average.  The count is made in steps, on the hands that are not
held out:

1. Logistic regression says from the features how likely a hand is worth it.  At first the features are those of the
   plans in the table; then those of the plans that the weights themselves like best, because at the table the count
   chooses the plan.
2. Features are dropped one by one, each time the one that is missed least, until there are few and none that is left
   can be spared.
3. The weights are multiplied by a factor and rounded; of many factors the one is taken that loses least, and then
   single points are moved as long as that helps.
4. The threshold is the number of points from which bidding wins the most.

Here each hand counts once, as which hands are in a table is decided by their cards; threshold and the chance to be
worth the bid are means over deals and use the weights of the table, and so does all about the hands held out.

The chances of a table have errors of their own.  The choice of the table is made and judged by the same ones, so it
looks better than it is, and a count looks as if it cost more than it does: with few deals a hand its cost is a bound
from above.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from pandoer.choices import Choices, wants_tricks
from pandoer.contracts import Bid
from pandoer.counting import Bin, Count, HeldOut, Interval, Term, best_points
from pandoer.errors import PandoerError
from pandoer.features import features as features_of
from pandoer.features import find
from pandoer.frames import BidRows, Floats, Frame, TableLike, needed
from pandoer.intervals import Z95
from pandoer.pivot import mean_chance
from pandoer.planned import Flags, Ints
from pandoer.rulesets import Ruleset

__all__ = ["Count", "HeldOut", "Term", "fit"]

MOST_TERMS = 7
MOST_HANDS = 10_000
"""Of a larger table so many hands are used, drawn by the seed."""

FEWEST = 10
"""So many hands that are worth the bid are needed to make a count, and as many that are not."""

BINS = (0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 1.01)
"""The ends of the bins of predicted chances."""

MOST_POINTS = 10
"""The most points for one of anything."""

ROUNDS = 3
"""How often the plans are chosen anew."""

TRUMPS = ("trump_jack", "trump_nine", "trump_ace", "other_trumps", "marriage")
PLAIN = ("side_aces", "side_kings_guarded", "side_tops", "second_suit", "voids", "singletons")
CALLED = ("called_length", "called_void", "called_singleton", "called_trump")
LOW = ("low_gaps", "later_gaps", "low_cards", "high_cards", "safe_suits", "danger_suits", "voids", "singletons")
LOW_TRUMPS = ("trumps", "trump_jack", "trump_gaps")


def usual_features(bid: Bid) -> tuple[str, ...]:
    """The names of the features that a count of a bid may use."""
    trump = bid.trump != "none"
    if not wants_tricks(bid):
        return (*(LOW_TRUMPS if trump else ()), *LOW)
    called = [name for name in CALLED if trump or name != "called_trump"] if bid.partner == "called" else []
    return (*(TRUMPS if trump else ()), *PLAIN, *(["melds"] if bid.target is not None else []), *called)


def fit(
    table: TableLike,
    bid: str | int | Bid,
    *,
    rules: str | Ruleset | None = None,
    features: Iterable[str] | None = None,
    most_terms: int = MOST_TERMS,
    threshold: float | None = None,
    held_out: float = 0.25,
    seed: int = 0,
) -> Count:
    """A count of points that says whether a bid is worth making; needs scikit-learn.

    Parameters
    ----------
    table
        A strength table: a `pyarrow.Table`, a data frame, a mapping of arrays, the path of a Parquet file, or the name
        of a table of the package, such as ``"pagat"``.
    bid
        A bid of the table.
    rules
        The ruleset or its name, for a table that does not say.
    features
        Names of the features that may be counted; by default those of `usual_features`.
    most_terms
        How many may be left.
    threshold
        The chance from which the bid is worth making, 0 to 1.  Unless given, it is worth making when it wins something
        on average: where points are written and never lost, when its chance is more than a half.
    held_out
        The share of the hands that is held out, more than 0 and less than 1.
    seed
        Decides which hands these are.

    Raises
    ------
    PandoerError
        If the table is none or lacks the bid; if hardly any hand, or nearly every hand, is worth the bid; if a number
        is out of range, or scikit-learn is missing.
    """
    if not 0 < held_out < 1:
        raise PandoerError(f"held_out {held_out!r}: expected a share between 0 and 1")
    if threshold is not None and not 0 < threshold < 1:
        raise PandoerError(f"threshold {threshold!r}: expected a chance between 0 and 1")
    if most_terms < 1:
        raise PandoerError(f"most_terms {most_terms!r}: expected at least 1")
    found = Frame.of(table, rules).of_bid(bid)
    names = [find(name).name for name in (usual_features(found.bid) if features is None else features)]
    if not names:
        raise PandoerError("features []: expected at least one feature")
    order = np.random.default_rng(seed).permutation(len(found))[:MOST_HANDS]
    held = order[: max(1, round(held_out * len(order)))]
    made = order[len(held) :]
    worth, wins = _worth(found, threshold)
    for label, few in (("worth", worth[made]), ("not worth", ~worth[made])):
        if few.sum() < FEWEST:
            raise PandoerError(
                f"{found.bid}: {int(few.sum())} of {len(made)} hands are {label} making it with, expected at least"
                f" {FEWEST}; a larger table, or one of better hands, has more"
            )
    pays = wins if threshold is None else found.chance - threshold
    data = _Data.of(found, made, worth, pays, names)
    data, weights = _few(data, most_terms)
    points = _whole(data, weights)
    kept = points != 0
    data, points = data.only(kept), points[kept]
    sums = best_points(data.choices, points)
    least = _threshold(sums, data)
    slope, middle = _curve(sums, data)
    start = 10 * (-(least - 1) // 10 + 1) if least < 1 else 0
    terms = tuple(Term(name, int(n)) for name, n in zip(data.names, points, strict=True))
    count = Count(
        found.bid.name, found.rules, terms, start, least + start, slope, middle + start, threshold,
        HeldOut(0, 0, 0, 0, Interval(0, 0, 0), 0, 0, (), Interval(0, 0, 0), 0),
    )  # fmt: skip
    return replace(count, held_out=judge(count, found, held, worth, wins, data))


def _worth(found: BidRows, threshold: float | None) -> tuple[Flags, Floats]:
    """Which hands are worth the bid, and what it wins with each."""
    wins = found.expected
    if found.rules.payment == "written":
        wins = found.bid.value * (2 * found.chance - 1)
    return (wins > 0 if threshold is None else found.chance >= threshold), wins


@dataclass(frozen=True, eq=False)
class _Data:
    """The hands that make a count.

    Attributes
    ----------
    names
        The features.
    choices
        Their plans with these features.
    seen
        ``int [n, features]``: those of the plan at hand.
    worth, pays, weight
        Whether each is worth the bid, by how much, and how often it is dealt.
    """

    names: tuple[str, ...]
    choices: Choices
    seen: Ints
    worth: Flags
    pays: Floats
    weight: Floats

    @classmethod
    def of(cls, found: BidRows, rows: npt.NDArray[np.intp], worth: Flags, pays: Floats, names: list[str]) -> _Data:
        seen = features_of(found.after[rows], found.plans[rows], found.rules, names)
        choices = Choices.of(found.bid, found.rules, found.hands[rows], found.watch[rows], names)
        table = np.column_stack([seen[name] for name in names])
        data = cls(tuple(names), choices, table, worth[rows], pays[rows], found.weight[rows])
        return data.only(np.ptp(choices.counted, axis=0) > 0)

    def only(self, kept: Flags) -> _Data:
        """The same with some of the features."""
        names = tuple(name for name, keep in zip(self.names, kept, strict=True) if keep)
        choices = replace(self.choices, counted=self.choices.counted[:, kept])
        return replace(self, names=names, choices=choices, seen=self.seen[:, kept])

    def planned(self, weights: Floats) -> _Data:
        """The same with the plans that the weights like best."""
        places = self.choices.best(weights)
        return replace(self, seen=np.where(places[:, np.newaxis] < 0, self.seen, self.choices.counted[places]))


def _logistic(table: npt.NDArray[Any], worth: Flags, weight: Floats | None = None) -> tuple[Floats, float, float]:
    """Weights, intercept and mean loss of logistic regression."""
    linear = needed("sklearn.linear_model", "fit", "fitting a count")
    model = linear.LogisticRegression(C=10.0, solver="newton-cholesky", tol=1e-8, max_iter=200)
    model.fit(table, worth, sample_weight=weight)
    logit = np.clip(model.decision_function(table), -30, 30)
    loss = np.average(np.logaddexp(0, np.where(worth, -logit, logit)), weights=weight)
    return np.asarray(model.coef_[0], float), float(model.intercept_[0]), float(loss)


def _settled(data: _Data) -> tuple[_Data, Floats, float]:
    """Weights and plans that fit each other, and their loss."""
    weights, _, loss = _logistic(data.seen, data.worth)
    for _ in range(ROUNDS):
        data = data.planned(weights)
        weights, _, loss = _logistic(data.seen, data.worth)
    return data, weights, loss


def _few(data: _Data, most_terms: int) -> tuple[_Data, Floats]:
    """Drop features, each time the one that is missed least; as long as there are too many, or it is hardly missed."""
    data, weights, loss = _settled(data)
    hardly = np.log(len(data.worth)) / 2 / len(data.worth)  # Schwarz's criterion
    while len(data.names) > 1:
        trials = []
        for out in range(len(data.names)):
            kept = np.arange(len(data.names)) != out
            trials.append((_logistic(data.seen[:, kept], data.worth)[2], out))
        out = min(trials)[1]
        fewer, found, more = _settled(data.only(np.arange(len(data.names)) != out))
        if len(data.names) <= most_terms and more > loss + hardly:
            break
        data, weights, loss = fewer, found, more
    return data, weights


def _whole(data: _Data, weights: Floats) -> Ints:
    """Whole points for weights."""

    def loss(points: Ints) -> float:
        return _logistic(best_points(data.choices, points)[there, np.newaxis], data.worth[there])[2]

    there = data.choices.best(weights) >= 0
    found: dict[tuple[int, ...], float] = {}
    for most in np.arange(1.0, MOST_POINTS + 0.5, 0.25):
        points = np.rint(weights * most / np.abs(weights).max()).astype(np.int64)
        if tuple(points) not in found:
            found[tuple(points)] = loss(points)
    least = min(found.values())
    enough = [points for points, value in found.items() if value <= 1.02 * least]
    best = min(enough, key=lambda points: (max(map(abs, points)), found[points]))
    while True:
        near = [
            (*best[:i], best[i] + step, *best[i + 1 :])
            for i in range(len(best)) for step in (-1, 1) if abs(best[i] + step) <= max(map(abs, best))
        ]  # fmt: skip
        for points in near:
            if points not in found and any(points):
                found[points] = loss(np.array(points))
        better = min((points for points in near if points in found), key=lambda points: found[points], default=best)
        if found[better] >= found[best] * 0.998:
            return np.array(best)
        best = better


def _threshold(sums: Floats, data: _Data) -> int:
    """The points from which bidding wins the most; of equals the most points, which may be more than any hand has."""
    values = np.unique(sums[np.isfinite(sums)]).astype(int)
    won = [float((data.weight * data.pays)[sums >= value].sum()) for value in values]
    return int(max([*zip(won, values, strict=True), (0.0, values[-1] + 1)])[1])


def _curve(sums: Floats, data: _Data) -> tuple[float, float]:
    """Slope and middle of the chance to be worth the bid by points."""
    there = np.isfinite(sums)
    weight = data.weight[there] / data.weight[there].mean()
    (slope,), intercept, _ = _logistic(sums[there, np.newaxis], data.worth[there], weight)
    return float(slope), float(-intercept / slope)


def judge(
    count: Count, found: BidRows, held: npt.NDArray[np.intp], worth: Flags, wins: Floats, data: _Data
) -> HeldOut:
    """How good a count is on the hands of some rows."""
    points = count.points_of(found.hands[held], found.watch[held])
    bids, own, weight = points >= count.threshold, worth[held], found.weight[held]
    predicted = np.where(np.isfinite(points), count.worth(np.where(np.isfinite(points), points, 0)), 0)
    base = float(np.average(data.worth, weights=data.weight))
    bins = []
    for low, high in pairwise(BINS):
        here = (predicted >= low) & (predicted < high)
        if here.any():
            share = mean_chance(own[here].astype(float), weight[here])
            bins.append(Bin(int(here.sum()), float(np.average(predicted[here], weights=weight[here])), *share))
    lost = np.where(own, wins[held], 0) - np.where(bids, wins[held], 0)
    return HeldOut(
        hands=len(held), fitted=len(data.worth), worth=float(np.average(own, weights=weight)),
        bids=float(np.average(bids, weights=weight)),
        agrees=Interval(*mean_chance((bids == own).astype(float), weight)),
        brier=float(np.average((predicted - own) ** 2, weights=weight)),
        base_brier=float(np.average((base - own) ** 2, weights=weight)), bins=tuple(bins),
        cost=_mean(lost, weight), passing=float(np.average(np.where(own, wins[held], 0), weights=weight)),
    )  # fmt: skip


def _mean(values: Floats, weights: Floats) -> Interval:
    """A weighted mean and its 95 % interval, by the normal distribution."""
    share = weights / weights.sum()
    mean = float(share @ values)
    spread = Z95 * float(np.sqrt(share**2 @ (values - mean) ** 2))
    return Interval(mean, mean - spread, mean + spread)
