"""The plans between which many declarers may choose, with the features of each: `Choices`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from pandoer.cards import Hand
from pandoer.contracts import Bid
from pandoer.features import Feature, find
from pandoer.objectives import EXACTLY_ONE, FIRST_ONLY, JACK_ONLY, NONE
from pandoer.planned import NONE as NO_CARD
from pandoer.planned import Bits, Cards, Ints, Plans, after_discard, candidate_plans
from pandoer.plans import Plan
from pandoer.rulesets import Ruleset

AT_A_TIME = 2_000
"""Hands whose plans are worked out together."""

Points = Mapping[str, int]
"""What each of a feature counts."""

STRONG: Points = MappingProxyType(
    {"trump_jack": 9, "trump_nine": 6, "trump_ace": 4, "other_trumps": 2, "side_aces": 2, "called_trump": 2}
)
MELDING: Points = MappingProxyType({**STRONG, "marriage": 4, "melds": 1})
PLAIN: Points = MappingProxyType({"side_tops": 4, "side_aces": -2, "second_suit": 1, "voids": 1, "called_void": -3})
WEAK: Points = MappingProxyType({"trumps": -2, "trump_gaps": -1, "low_gaps": -2, "later_gaps": -1})
ONE_TRICK: Points = MappingProxyType(
    {"trumps": -2, "trump_jack": 10, "trump_gaps": -1, "low_gaps": -1, "later_gaps": -1}
)

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


def crude_points(bid: Bid) -> Points:
    """A crude count by which the plans of a bid can be compared.

    The points were fitted to the successes of all plans with some hundred random hands by the rules of `pagat`, each
    compared with the other plans of its hand, and made whole numbers.
    """
    if not wants_tricks(bid):
        return WEAK if bid.objective is NONE else ONE_TRICK
    if bid.trump == "none":
        return PLAIN
    return STRONG if bid.target is None else MELDING


def likeliest(rules: Ruleset, bid: Bid, cards: Hand, plans: Sequence[Plan], most: int) -> list[Plan]:
    """Some of the plans of a hand, those that `crude_points` likes best, the best of them first.

    Parameters
    ----------
    rules, bid
        The bid and its ruleset.
    cards
        What the declarer holds, the watch card among it if he has seen it.
    plans
        The plans to choose from.
    most
        How many are kept.
    """
    return [*plans] if len(plans) <= most else by_likelihood(rules, bid, cards, plans)[:most]


def by_likelihood(rules: Ruleset, bid: Bid, cards: Hand, plans: Sequence[Plan]) -> list[Plan]:
    """The plans of a hand, the one with the most `crude_points` first; of equals the one that came first."""
    own = Plans.of(plans)
    bits = np.full(len(own), cards.bits, np.uint64)
    held = Cards.of(after_discard(bits, np.zeros_like(bits), own), own, rules)
    return [plans[i] for i in np.argsort(-crude_sums(bid, held), kind="stable").tolist()]


def crude_sums(bid: Bid, cards: Cards) -> Ints:
    """The `crude_points` of many hands after the discard, ``int64 [n]``."""
    sums = [points * find(name).function(cards) for name, points in crude_points(bid).items()]
    return np.asarray(np.sum(sums, axis=0), np.int64)


def usual_plans(bid: Bid, rules: Ruleset, hands: Bits, watch: Bits) -> Plans:
    """A sensible plan for each hand, the one with the most `crude_points`.

    Parameters
    ----------
    bid, rules
        The bid and its ruleset; a hand with which it is impossible gets no trump and no discard.
    hands, watch
        As in `Choices.of`.
    """
    worth = crude_points(bid)
    found: Ints = np.full((3, len(hands)), NO_CARD, np.int64)
    for start in range(0, len(hands), AT_A_TIME):
        some = slice(start, start + AT_A_TIME)
        choices = Choices.of(bid, rules, hands[some], watch[some], worth)
        best = choices.best(np.array([*worth.values()]))
        there, own = best >= 0, choices.plans[best[best >= 0]]
        found[:, some][:, there] = own.trump, own.discard, own.called
    return Plans(*found)
