"""The plans between which many declarers may choose, with the features of each: `Choices`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from pandoer.contracts import Bid
from pandoer.features import Feature, find
from pandoer.objectives import EXACTLY_ONE, FIRST_ONLY, JACK_ONLY, NONE
from pandoer.planned import NONE as NO_CARD
from pandoer.planned import Bits, Cards, Ints, Plans, after_discard, candidate_plans
from pandoer.rulesets import Ruleset

AT_A_TIME = 2_000
"""Hands whose plans are worked out together."""

STRONG: Mapping[str, int] = MappingProxyType({
    "trump_jack": 5, "trump_nine": 3, "trump_ace": 2, "other_trumps": 2, "side_tops": 2, "side_losers": -1,
})  # fmt: skip
WEAK: Mapping[str, int] = MappingProxyType({"trumps": -2, "trump_gaps": -1, "low_gaps": -2, "later_gaps": -1})

Rows = npt.NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Choices:
    """Plans of many hands, and what is counted of each.

    Attributes
    ----------
    hands
        How many hands there are.
    rows
        ``intp [m]``: to which hand a plan belongs, in ascending order.
    plans
        The plans.
    counted
        ``float32 [m, features]``: the features; whole numbers, as floats for the sake of quick sums.
    """

    hands: int
    rows: Rows
    plans: Plans
    counted: npt.NDArray[np.float32]

    @classmethod
    def of(cls, bid: Bid, rules: Ruleset, hands: Bits, watch: Bits, names: Iterable[str]) -> Choices:
        """Every plan of a bid.

        Parameters
        ----------
        bid, rules
            The bid and its ruleset.
        hands, watch
            ``uint64 [n]``: `Hand.bits` before the discard, and the watch card as a hand of one; 0 where it is not
            known, and then nothing is laid away.
        names
            The features.  Plans that differ in the called card only are told apart if one of them looks at it.
        """
        wanted = [find(name) for name in names]
        call = any(feature.name.startswith("called") for feature in wanted)
        parts = [*_portions(bid, rules, hands, watch, wanted, call=call)]
        rows = np.concatenate([part[0] for part in parts])
        order = np.argsort(rows, kind="stable")
        plans = [part[1] for part in parts]
        together = Plans(*(
            np.concatenate([getattr(plan, name) for plan in plans]) for name in ("trump", "discard", "called")
        ))  # fmt: skip
        return cls(len(hands), rows[order], together[order], np.concatenate([part[2] for part in parts])[order])

    def best(self, weights: npt.NDArray[Any]) -> Rows:
        """The plan with the greatest weighted sum of features, the first one of several.

        Parameters
        ----------
        weights
            ``[features]``.

        Returns
        -------
        numpy.ndarray
            ``intp [n]``: its place among the plans, -1 for a hand without one.
        """
        found = np.full(self.hands, -1)
        if len(self.rows):
            sums = self.counted @ weights.astype(np.float32)
            starts = np.flatnonzero(np.diff(self.rows, prepend=-1))
            most = np.repeat(np.maximum.reduceat(sums, starts), np.diff(starts, append=len(sums)))
            places = np.flatnonzero(sums == most)
            owners, first = np.unique(self.rows[places], return_index=True)
            found[owners] = places[first]
        return found


def _portions(
    bid: Bid, rules: Ruleset, hands: Bits, watch: Bits, wanted: list[Feature], *, call: bool
) -> Iterator[tuple[Rows, Plans, npt.NDArray[np.float32]]]:
    """Plans and features, some hands at a time; those with a known watch card apart."""
    yield np.zeros(0, np.intp), Plans.of([]), np.zeros((0, len(wanted)), np.float32)
    for known in (True, False):
        mine = np.flatnonzero((watch != 0) == known)
        for start in range(0, len(mine), AT_A_TIME):
            some = mine[start : start + AT_A_TIME]
            rows, plans = candidate_plans(rules, bid, hands[some] | watch[some], discard=known, call=call)
            cards = Cards.of(after_discard(hands[some][rows], watch[some][rows], plans), plans, rules)
            counted = [feature.function(cards).astype(np.float32) for feature in wanted]
            yield some[rows], plans, np.column_stack(counted)


def wants_tricks(bid: Bid) -> bool:
    """Whether the declarer wants many tricks, rather than none or one."""
    return bid.objective not in (NONE, EXACTLY_ONE, FIRST_ONLY, JACK_ONLY)


def usual_plans(bid: Bid, rules: Ruleset, hands: Bits, watch: Bits) -> Plans:
    """A sensible plan for each hand, by a crude count of trumps, tops and gaps; no card is called.

    Parameters
    ----------
    bid, rules
        The bid and its ruleset; a hand with which it is impossible gets no trump and no discard.
    hands, watch
        As in `Choices.of`.
    """
    worth = STRONG if wants_tricks(bid) else WEAK
    found: Ints = np.full((3, len(hands)), NO_CARD, np.int64)
    for start in range(0, len(hands), AT_A_TIME):
        some = slice(start, start + AT_A_TIME)
        choices = Choices.of(bid, rules, hands[some], watch[some], worth)
        best = choices.best(np.array([*worth.values()]))
        there, own = best >= 0, choices.plans[best[best >= 0]]
        found[:, some][:, there] = own.trump, own.discard, own.called
    return Plans(*found)
