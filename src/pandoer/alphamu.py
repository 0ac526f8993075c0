"""Looking ahead without seeing through the cards: alpha-mu for the declarer.

Perfect-information Monte Carlo lets the declarer play each deal differently although he cannot tell them apart.
Alpha-mu (Cazenave and Ventos, *The alpha-mu search algorithm for the game of bridge*) keeps, for each way of playing,
in which worlds it succeeds: a *vector*.  The *front* of a position has the vectors of which no other is better in
every world.

1. At the declarer's card the front is the union of those after each card, because he plays the same one in all worlds.
2.  At another player's card he knows what is hidden.  In worlds where he opposes the contract a way succeeds if it
   does after each card that he may play; in worlds where he is the partner, if it does after one.  So the fronts are
   joined vector by vector, world by world.
3. After the last of the declarer's cards that are looked ahead each world is solved with all hands known.

Such a vector is a bound from above for every position below it.  So worlds that are lost double-dummy are looked at no
further; a card whose bound is no better than a vector that is there is passed over (early cut); and at the root the
search ends when no card can succeed in more worlds than one that was searched (root cut).

Vectors are whole numbers with a bit for each world.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from pandoer.cards import Card, Hand, Suit
from pandoer.history import History
from pandoer.problems import Play
from pandoer.view import View
from pandoer.worlds import Worlds

__all__ = ["best_front"]

MOST_VECTORS = 12
"""A front keeps no more vectors than these, those that succeed in most worlds."""

MOST_NODES = 2_000_000
"""Cards played in the searches of one decision, after which it looks no further; about a fifth of a second."""

Front = tuple[int, ...]


class _TooLong(Exception):  # noqa: N818
    """The search has taken as many cards as it may."""


def best_front(
    view: View, worlds: Worlds, depth: int, *, most_nodes: int = MOST_NODES, cut: bool = True
) -> dict[Play, int]:
    """In how many worlds the contract is made with each play of the declarer, who looks ahead.

    Parameters
    ----------
    view
        The declarer's, at his turn.
    worlds
        Deals that agree with it.
    depth
        How many of his cards are looked ahead, this one included.
    most_nodes
        The search ends after about so many cards played in all worlds, and what it has not found is taken from one card
        less.
    cut
        Pass over plays that cannot be better than the best.

    Returns
    -------
    dict
        For each legal play the number of worlds of its best vector; -1 for a play that was passed over because it
        cannot be better than the best.
    """
    search = _Search(view, worlds, most_nodes)
    bounds = search.solved(view, (1 << len(worlds)) - 1)
    found = {play: bound.bit_count() for play, bound in bounds.items()}
    for further in range(1, depth):
        try:
            found = _deeper(search, view, bounds, found, further, cut=cut)
        except _TooLong:
            break
    return found


def _deeper(
    search: _Search, view: View, bounds: dict[Play, int], before: dict[Play, int], depth: int, *, cut: bool
) -> dict[Play, int]:
    """The same with so many cards after this one, the best by what was found `before` first."""
    found: dict[Play, int] = {}
    best = -1
    for play in sorted(bounds, key=lambda play: -before[play]):
        if cut and before[play] <= best:
            found[play] = -1  # the root cut: it cannot be better
            continue
        front = search.front(view.after(play), bounds[play], depth, best if cut else -1)
        found[play] = max(vector.bit_count() for vector in front)
        best = max(best, found[play])
    return found


class _Search:
    """The worlds of one decision."""

    def __init__(self, view: View, worlds: Worlds, most_nodes: int) -> None:
        self.worlds, self.most_nodes = worlds, most_nodes
        self.declarer = view.seat

    def solved(self, view: View, among: int) -> dict[Play, int]:
        """For each play of the declarer the worlds `among` these in which it succeeds, all hands known."""
        if self.worlds.nodes > self.most_nodes:
            raise _TooLong
        rows = _rows(among)
        plays = view.legal
        made = self.worlds.values(view.history, plays, rows) != 0  # where it was given up there is hope
        return {play: _mask(rows[made[:, i]]) for i, play in enumerate(plays)}

    def front(self, view: View, among: int, depth: int, least: int) -> Front:
        """The front of a position; `least`: vectors with no more worlds than these are not wanted any more."""
        if not among:
            return (0,)
        history = view.history
        if depth == 0 or history.finished:
            return (among,)  # the worlds are those that succeed double-dummy
        if history.turn == self.declarer:
            return self._own(view, among, depth, least)
        return self._others(view, among, depth, least)

    def _own(self, view: View, among: int, depth: int, least: int) -> Front:
        bounds = self.solved(view, among)
        found: Front = ()
        for play in sorted(bounds, key=lambda play: -bounds[play].bit_count()):
            bound = bounds[play]
            if any(bound & ~vector == 0 for vector in found):
                continue  # the early cut
            further = (bound,) if depth == 1 else self.front(view.after(play), bound, depth - 1, least)
            found = _union((*found, *further))
        return found

    def _others(self, view: View, among: int, depth: int, least: int) -> Front:
        history = view.history
        rows = _rows(among)
        helps = self.worlds.on_side(history, history.turn)[rows]
        partner = _mask(rows[helps])
        opposed = among & ~partner
        found: Front = (opposed,)
        for card, where in _by_card(self._merged(history, rows), rows):
            after = view.after(Play(card))
            theirs = self.front(after, where, depth, least)
            found = _union(
                (vector & (mine | ~where) & opposed) | ((vector | mine & where) & partner)
                for vector in found for mine in theirs
            )  # fmt: skip
            if all((vector | partner).bit_count() <= least for vector in found):
                return found[:1]
        return found

    def _merged(self, history: History, rows: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """What the player to move may play in each world; of cards that are the same for the rest of play only one."""
        legal = self.worlds.legal(history, rows)
        contract = self.worlds.contract
        out = history.out - Hand(history.trick)
        held = self.worlds.held(history, rows)[:, history.turn]
        for suit in Suit:
            order = contract.rules.cards.order(suit == contract.trump)
            cards = (contract.rules.deck - out).of_suit(suit)
            for low, high in pairwise(sorted(cards, key=lambda card: order.index(card.rank))):
                if not _alike(history, low, high):
                    continue
                both = (held & np.uint64(low.bit) != 0) & (legal & np.uint64(high.bit) != 0)
                both &= legal & np.uint64(low.bit) != 0
                legal[both] &= ~np.uint64(low.bit)
        return legal


def _alike(history: History, low: Card, high: Card) -> bool:
    """Whether two neighbours in a suit differ in name only."""
    contract = history.contract
    special = contract.partner_card
    if special in (low, high) or (low.suit == contract.trump and "J" in (low.rank.letter, high.rank.letter)):
        return False
    if contract.objective.counts != "points":
        return True
    points = contract.rules.cards.points
    return points(low.suit, low.rank, contract.trump) == points(high.suit, high.rank, contract.trump)


def _rows(mask: int) -> npt.NDArray[Any]:
    return np.array([row for row in range(mask.bit_length()) if mask >> row & 1], np.intp)


def _mask(rows: Iterable[int]) -> int:
    return sum(1 << int(row) for row in rows)


def _by_card(legal: npt.NDArray[Any], rows: npt.NDArray[Any]) -> list[tuple[Card, int]]:
    """Each card that may be played in one of the worlds, with these worlds."""
    together = int(np.bitwise_or.reduce(legal)) if len(legal) else 0
    return [(card, _mask(rows[legal & np.uint64(card.bit) != 0])) for card in Hand.from_bits(together)]


def _union(vectors: Iterable[int]) -> Front:
    """The vectors of which no other one has all worlds."""
    kept: list[int] = []
    for vector in sorted(set(vectors), key=lambda vector: (-vector.bit_count(), vector)):
        if not any(vector & ~other == 0 for other in kept):
            kept.append(vector)
    return tuple(kept[:MOST_VECTORS])

