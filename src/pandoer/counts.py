"""Counts of points: `fit` makes a `Count` from a strength table, and `builtin` has those of the package.

A hand is *worth* a bid when the bid wins something on average.  The count is made in steps, on the hands that are not
held out:

1. Logistic regression says from the features whether a hand is worth it; each hand counts as much as the bid wins or
   loses with it.  At first the features are those of the plans in the table; then those of the plans that the weights
   themselves like best, because at the table the count chooses the plan.
2. Features are dropped one by one, each time the one that is missed least, until there are few and none that is left
   can be spared.
3. The weights are multiplied by a factor and rounded; of many factors the one is taken that loses least, and then
   single points are moved as long as that helps.
4. The threshold is the number of points from which bidding wins the most.
5. Isotonic regression of the chances says how likely the bid succeeds with so many points.

In steps 1 to 3 the weights of the table do not matter, as which hands are in a table is decided by their cards; the
others are means over deals and use them, and so does all about the hands held out.

The chances of a table have errors of their own, great ones where each was counted on a few deals.  None of the steps
minds: what a bid wins is right on average however few deals a hand has, and of hands that look alike the bid is worth
making exactly if, weighed by what they win and lose, more seem to be worth it than not.  (Were each hand of step 1 to
count once, a hand that wins little now and then would outweigh one that loses much.)  In the same way what the count
wins, its chances and their score are right on average.  But the choice of the table is made and judged by the same
deals, so it looks better than it is, and how often the count agrees with it is too low.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
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
from pandoer.tables.included import data

__all__ = ["Count", "HeldOut", "Term", "builtin", "fit", "load"]

MOST_TERMS = 7
MOST_HANDS = 10_000
"""Of a larger table so many hands make the count, drawn by the seed."""

FEWEST = 10
"""So many hands that are worth the bid are needed to make a count, and as many that are not."""

ENDING = "-counts.json"
"""How the names of files with the counts of the package end."""

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
    order = np.random.default_rng(seed).permutation(len(found))
    held = order[: max(1, round(held_out * len(order)))]
    made, stands_for = _thinned(order[len(held) :], found.chance)
    worth, wins = _worth(found, threshold)
    for label, few in (("worth", worth[made]), ("not worth", ~worth[made])):
        if few.sum() < FEWEST:
            raise PandoerError(
                f"{found.bid}: {int(few.sum())} of {len(made)} hands are {label} making it with, expected at least"
                f" {FEWEST}; a larger table, or one of better hands, has more"
            )
    pays = wins if threshold is None else found.chance - threshold
    data = _Data.of(found, made, stands_for, pays, names)
    data, weights = _few(data, most_terms)
    points = _whole(data, weights)
    kept = points != 0
    data, points = data.only(kept), points[kept]
    sums = best_points(data.choices, points)
    least = _threshold(sums, data)
    start = 10 * (-(least - 1) // 10 + 1) if least < 1 else 0
    terms = tuple(Term(name, int(n)) for name, n in zip(data.names, points, strict=True))
    curve = tuple((points + start, chance) for points, chance in _curve(sums, data))
    count = Count(
        found.bid.name, found.rules, terms, start, least + start, curve, threshold, HeldOut.nothing()
    )  # fmt: skip
    return replace(count, held_out=judge(count, found, held, worth, wins, data))


def _thinned(rows: npt.NDArray[np.intp], chance: Floats) -> tuple[npt.NDArray[np.intp], Floats]:
    """`MOST_HANDS` of some rows in random order, and for how many each of them stands.

    They are the first of those that succeed now and then, and of those that never do; where the bid is a rare one, all
    of the former.
    """
    now_and_then = chance[rows] > 0
    some, never = rows[now_and_then], rows[~now_and_then]
    share = round(MOST_HANDS * len(some) / len(rows))
    kept = [some[: max(share, MOST_HANDS // 2)]]
    kept.append(never[: MOST_HANDS - len(kept[0])])
    stands_for = [np.full(len(part), len(every) / max(1, len(part)))
                  for part, every in zip(kept, (some, never), strict=True)]  # fmt: skip
    return np.concatenate(kept), np.concatenate(stands_for)


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
    pays, chance
        What each wins, less 0 if it loses, and its chance.
    care, weight
        How much each counts in the regression, and how often such a hand is dealt.
    """

    names: tuple[str, ...]
    choices: Choices
    seen: Ints
    pays: Floats
    chance: Floats
    care: Floats
    weight: Floats

    @classmethod
    def of(
        cls, found: BidRows, rows: npt.NDArray[np.intp], stands_for: Floats, pays: Floats, names: list[str]
    ) -> _Data:
        seen = features_of(found.after[rows], found.plans[rows], found.rules, names)
        choices = Choices.of(found.bid, found.rules, found.hands[rows], found.watch[rows], names)
        table = np.column_stack([seen[name] for name in names])
        care = stands_for * np.abs(pays[rows])
        weight = stands_for * found.weight[rows]
        data = cls(tuple(names), choices, table, pays[rows], found.chance[rows], care / care.mean(), weight)
        return data.only(np.ptp(choices.counted, axis=0) > 0)

    @property
    def worth(self) -> Floats:
        """Whether each is worth the bid, 1 or 0."""
        return (self.pays > 0).astype(float)

    def only(self, kept: Flags) -> _Data:
        """The same with some of the features."""
        names = tuple(name for name, keep in zip(self.names, kept, strict=True) if keep)
        choices = replace(self.choices, counted=self.choices.counted[:, kept])
        return replace(self, names=names, choices=choices, seen=self.seen[:, kept])

    def planned(self, weights: Floats) -> _Data:
        """The same with the plans that the weights like best."""
        places = self.choices.best(weights)
        return replace(self, seen=np.where(places[:, np.newaxis] < 0, self.seen, self.choices.counted[places]))


def _logistic(table: npt.NDArray[Any], share: Floats, weight: Floats) -> tuple[Floats, float, float]:
    """Weights, intercept and mean loss of logistic regression; `share` is 1 or 0, or anything between."""
    linear = needed("sklearn.linear_model", "fit", "fitting a count")
    model = linear.LogisticRegression(C=10.0, solver="newton-cholesky", tol=1e-8, max_iter=200)
    for_it, against = share > 0, share < 1  # what lies between is there twice
    twice = np.concatenate([np.flatnonzero(for_it), np.flatnonzero(against)])
    label = np.repeat([True, False], [for_it.sum(), against.sum()])
    counts = np.concatenate([(weight * share)[for_it], (weight * (1 - share))[against]])
    model.fit(table[twice], label, sample_weight=counts)
    logit = np.clip(model.decision_function(table), -30, 30)
    loss = np.average(share * np.logaddexp(0, -logit) + (1 - share) * np.logaddexp(0, logit), weights=weight)
    return np.asarray(model.coef_[0], float), float(model.intercept_[0]), float(loss)


def _settled(data: _Data) -> tuple[_Data, Floats, float]:
    """Weights and plans that fit each other, and their loss."""
    weights, _, loss = _logistic(data.seen, data.worth, data.care)
    for _ in range(ROUNDS):
        data = data.planned(weights)
        weights, _, loss = _logistic(data.seen, data.worth, data.care)
    return data, weights, loss


def _few(data: _Data, most_terms: int) -> tuple[_Data, Floats]:
    """Drop features, each time the one that is missed least; as long as there are too many, or it is hardly missed."""
    data, weights, loss = _settled(data)
    hardly = np.log(len(data.worth)) / 2 / len(data.worth)  # Schwarz's criterion
    while len(data.names) > 1:
        trials = []
        for out in range(len(data.names)):
            kept = np.arange(len(data.names)) != out
            trials.append((_logistic(data.seen[:, kept], data.worth, data.care)[2], out))
        out = min(trials)[1]
        fewer, found, more = _settled(data.only(np.arange(len(data.names)) != out))
        if len(data.names) <= most_terms and more > loss + hardly:
            break
        data, weights, loss = fewer, found, more
    return data, weights


def _whole(data: _Data, weights: Floats) -> Ints:
    """Whole points for weights."""

    def loss(points: Ints) -> float:
        sums = best_points(data.choices, points)[there, np.newaxis]
        return _logistic(sums, data.worth[there], data.care[there])[2]

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


def _curve(sums: Floats, data: _Data) -> list[tuple[int, float]]:
    """Points and the chance of the bid with them: the rising ones that are nearest to the chances of the hands."""
    there = np.isfinite(sums)
    model = needed("sklearn.isotonic", "fit", "fitting a count").IsotonicRegression()
    model.fit(sums[there], data.chance[there], sample_weight=data.weight[there])
    return [(round(x), float(y)) for x, y in zip(model.X_thresholds_, model.y_thresholds_, strict=True)]


def judge(
    count: Count, found: BidRows, held: npt.NDArray[np.intp], worth: Flags, wins: Floats, data: _Data
) -> HeldOut:
    """How good a count is on the hands of some rows."""
    points = count.points_of(found.hands[held], found.watch[held])
    bids, own, chance, weight = points >= count.threshold, worth[held], found.chance[held], found.weight[held]
    predicted = np.where(np.isfinite(points), count.chance(np.where(np.isfinite(points), points, 0)), 0)
    base = float(np.average(data.chance, weights=data.weight))
    bins = []
    for low, high in pairwise(BINS):
        here = (predicted >= low) & (predicted < high)
        if here.any():
            mean = float(np.average(predicted[here], weights=weight[here]))
            bins.append(Bin(int(here.sum()), mean, *mean_chance(chance[here], weight[here])))
    best = np.where(own, wins[held], 0)
    return HeldOut(
        hands=len(held), fitted=len(data.pays), deals=int(np.median(found.samples[held])),
        worth=float(np.average(own, weights=weight)), bids=float(np.average(bids, weights=weight)),
        agrees=Interval(*mean_chance((bids == own).astype(float), weight)),
        brier=_brier(predicted, chance, weight), base_brier=_brier(np.full(len(held), base), chance, weight),
        bins=tuple(bins), wins=_mean(np.where(bids, wins[held], 0), weight),
        cost=_mean(best - np.where(bids, wins[held], 0), weight), best=float(np.average(best, weights=weight)),
    )  # fmt: skip


def _brier(predicted: Floats, chance: Floats, weight: Floats) -> float:
    """The mean squared error of predicted chances in a single deal, which is made or not."""
    return float(np.average((predicted - chance) ** 2 + chance * (1 - chance), weights=weight))


def _mean(values: Floats, weights: Floats) -> Interval:
    """A weighted mean and its 95 % interval, by the normal distribution."""
    share = weights / weights.sum()
    mean = float(share @ values)
    spread = Z95 * float(np.sqrt(share**2 @ (values - mean) ** 2))
    return Interval(mean, mean - spread, mean + spread)


# Counts that are there already


def load(path: str | Path) -> Mapping[str, Count]:
    """The counts in a file that ``pandoer table fit --json`` wrote, by bid.

    Raises
    ------
    PandoerError
        If it cannot be read, or holds no counts.
    """
    try:
        found = json.loads(Path(path).read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise PandoerError(f"cannot read the counts in {str(path)!r}: {error}") from None
    counts = [Count.from_dict(each) for each in (found if isinstance(found, list) else [found])]
    if not counts:
        raise PandoerError(f"no counts in {str(path)!r}: expected one or more")
    return MappingProxyType({count.name: count for count in counts})


@cache
def builtin(name: str = "pagat") -> Mapping[str, Count]:
    """The counts of the package for a ruleset, by bid; they were fitted to its table.

    Raises
    ------
    PandoerError
        If there are none.
    """
    file = data().joinpath(f"{name}{ENDING}")
    if not file.is_file():
        known = sorted(found.name for found in data().iterdir() if found.name.endswith(ENDING))
        names = ", ".join(name.removesuffix(ENDING) for name in known)
        raise PandoerError(f"no counts of {name!r}: expected one of {names}")
    return load(Path(str(file)))
