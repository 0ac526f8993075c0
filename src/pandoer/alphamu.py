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

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from pandoer.cards import Card, Rank, Suit
from pandoer.contracts import Contract
from pandoer.line import Line
from pandoer.problems import Play
from pandoer.view import View
from pandoer.worlds import Worlds

__all__ = ["Ahead", "best_front"]

MOST_VECTORS = 12
"""A front keeps no more vectors than these, those that succeed in most worlds."""

MOST_NODES = 2_000_000
"""Cards played in the searches of one decision, after which it looks no further; about a fifth of a second."""

Front = tuple[int, ...]


class _TooLong(Exception):  # noqa: N818
    """The search has taken as many cards as it may."""


class Ahead(NamedTuple):
    """What comes of a play.

    Attributes
    ----------
    made
        In how many worlds the contract is made with it; at most so many where it was passed over.
    before
        The same by one card less, two less and so on: the last of them all hands known.
    searched
        Whether it was not passed over, because it cannot be better than one that comes before it.
    """

    made: int
    before: tuple[int, ...]
    searched: bool


def best_front(
    view: View,
    worlds: Worlds,
    depth: int,
    *,
    plays: Sequence[Play] | None = None,
    most_nodes: int = MOST_NODES,
    cut: bool = True,
) -> dict[Play, Ahead]:
    """In how many worlds the contract is made with each play of the declarer, who looks ahead.

    Parameters
    ----------
    view
        The declarer's, at his turn.
    worlds
        Deals that agree with it.
    depth
        How many of his cards are looked ahead, this one included.
    plays
        The legal plays, of equals the better one first; ``view.legal`` unless given.
    most_nodes
        The search ends after about so many cards played in all worlds, and what it has not found is taken from one card
        less.
    cut
        Pass over plays that cannot be better than the best.

    Returns
    -------
    dict
        For each legal play what comes of its best vector.
    """
    search = _Search(view, worlds, most_nodes)
    line = Line.of(view.history)
    bounds = search.solved(line, view.legal if plays is None else plays, (1 << len(worlds)) - 1)
    found = {play: Ahead(bound.bit_count(), (), True) for play, bound in bounds.items()}
    for further in range(1, depth):
        try:
            found = _deeper(search, line, bounds, found, further, cut=cut)
        except _TooLong:
            break
    return found


def _deeper(
    search: _Search, line: Line, bounds: dict[Play, int], before: dict[Play, Ahead], depth: int, *, cut: bool
) -> dict[Play, Ahead]:
    """The same with so many cards after this one, the best by what was found `before` first."""
    found: dict[Play, Ahead] = {}
    best = -1
    alike = search.alike(line, [*bounds])
    for play in sorted(bounds, key=lambda play: (-before[play].made, *(-made for made in before[play].before))):
        earlier = (before[play].made, *before[play].before)
        if cut and (earlier[0] <= best or not before[play].searched):
            found[play] = Ahead(earlier[0], earlier, False)  # the root cut: it cannot be better
            continue
        twin = alike[play]
        if twin in found:
            found[play] = Ahead(found[twin].made, earlier, True)
            continue
        front = search.front(line.after(play), bounds[play], depth, best if cut else -1)
        found[play] = Ahead(max(vector.bit_count() for vector in front), earlier, True)
        best = max(best, found[play].made)
    return found


class _Search:
    """The worlds of one decision."""

    def __init__(self, view: View, worlds: Worlds, most_nodes: int) -> None:
        self.worlds, self.most_nodes = worlds, most_nodes
        self.declarer = view.seat
        self.cards = {card.bit: card for card in view.contract.rules.deck}
        protected = view.contract.protected
        self.protected = 0 if protected is None else protected.bit
        self._kinds = _kinds(view.contract)
        self._pairs: dict[int, list[tuple[int, int]]] = {}

    def solved(self, line: Line, plays: Sequence[Play], among: int) -> dict[Play, int]:
        """For each play of the declarer the worlds `among` these in which it succeeds, all hands known."""
        if self.worlds.nodes > self.most_nodes:
            raise _TooLong
        rows = _rows(among)
        made = self.worlds.values(line, plays, rows) != 0  # where it was given up there is hope
        found = dict.fromkeys(plays, 0)
        for row, succeeds in zip(rows.tolist(), made.tolist(), strict=True):
            for play, yes in zip(plays, succeeds, strict=True):
                if yes:
                    found[play] |= 1 << row
        return found

    def plays(self, line: Line, among: int) -> list[Play]:
        """What the declarer may play, which is the same in all worlds; of cards that are the same only one."""
        row = (among & -among).bit_length() - 1
        if self.protected and not line.trick and not self.protected & line.out:
            return self.worlds.calls(line, row)
        legal = self._merged(line, np.array([row], np.intp))[0]
        return [Play(self.cards[bit]) for bit in _bits(legal)]

    def alike(self, line: Line, plays: Sequence[Play]) -> dict[Play, Play]:
        """For each play another one, or itself, that is the same for the rest of play."""
        found = {play: play for play in plays}
        for low, high in reversed(self._neighbours(line)):
            for play in plays:
                twin = Play(self.cards[high], play.call)
                if play.card.bit == low and twin in found:
                    found[play] = found[twin]
        return found

    def front(self, line: Line, among: int, depth: int, least: int) -> Front:
        """The front of a position; `least`: vectors with no more worlds than these are not wanted any more."""
        if not among:
            return (0,)
        if depth == 0 or line.finished:
            return (among,)  # the worlds are those that succeed double-dummy
        if line.turn == self.declarer:
            return self._own(line, among, depth, least)
        return self._others(line, among, depth, least)

    def _own(self, line: Line, among: int, depth: int, least: int) -> Front:
        plays = self.plays(line, among)
        if len(plays) == 1:
            return (among,) if depth == 1 else self.front(line.after(plays[0]), among, depth - 1, least)
        bounds = self.solved(line, plays, among)
        if depth == 1:
            return _union(bounds.values())
        found: Front = ()
        for play in sorted(bounds, key=lambda play: -bounds[play].bit_count()):
            bound = bounds[play]
            if any(bound & ~vector == 0 for vector in found):
                continue  # the early cut
            found = _union((*found, *self.front(line.after(play), bound, depth - 1, least)))
        return found

    def _others(self, line: Line, among: int, depth: int, least: int) -> Front:
        rows = _rows(among)
        helps = self.worlds.on_side(line, line.turn)[rows]
        partner = _mask(rows[helps].tolist())
        opposed = among & ~partner
        found: Front = (opposed,)
        for card, all_where in self._by_card(self._merged(line, rows), rows):
            some = every = found[0]
            for vector in found:
                some |= vector
                every &= vector
            where = all_where & (some & opposed | ~every & partner)  # the others are settled
            if not where:
                continue
            theirs = self.front(line.after(Play(card)), where, depth, least)
            found = _union(
                (vector & (mine | ~where) & opposed) | ((vector | mine & where) & partner)
                for vector in found for mine in theirs
            )  # fmt: skip
            if all((vector | partner).bit_count() <= least for vector in found):
                return found[:1]
        return found

    def _merged(self, line: Line, rows: npt.NDArray[Any]) -> list[int]:
        """What the player to move may play in each world; of cards that are the same for the rest of play only one."""
        pairs, found = self._neighbours(line), []
        for bits in self.worlds.legal(line, rows).tolist():
            legal: int = bits
            for low, high in pairs:
                if legal & low and legal & high:
                    legal ^= low
            found.append(legal)
        return found

    def _neighbours(self, line: Line) -> list[tuple[int, int]]:
        """Pairs of neighbours in a suit that differ in name only, as bits, the lowest first."""
        gone = line.out & ~sum(card.bit for card in line.trick)
        if gone not in self._pairs:
            left = ([card for card in suit if not card[0] & gone] for suit in self._kinds)
            self._pairs[gone] = [
                (low[0], high[0]) for suit in left for low, high in pairwise(suit) if low[1] == high[1]
            ]
        return self._pairs[gone]

    def _by_card(self, legal: list[int], rows: npt.NDArray[Any]) -> list[tuple[Card, int]]:
        """Each card that may be played in one of the worlds, with these worlds."""
        found: dict[int, int] = {}
        for row, bits in zip(rows.tolist(), legal, strict=True):
            for bit in _bits(bits):
                found[bit] = found.get(bit, 0) | 1 << row
        return [(self.cards[bit], found[bit]) for bit in sorted(found, key=lambda bit: (-found[bit].bit_count(), bit))]


def _kinds(contract: Contract) -> list[list[tuple[int, object]]]:
    """The cards of each suit from the lowest, with what tells them apart besides their rank."""
    found = []
    for suit in Suit:
        order = contract.rules.cards.order(suit == contract.trump)
        cards = []
        for card in sorted(contract.rules.deck.of_suit(suit), key=lambda card: order.index(card.rank)):
            kind: object = 0
            if card == contract.partner_card or (suit == contract.trump and card.rank == Rank.JACK):
                kind = card
            elif contract.objective.counts == "points":
                kind = contract.rules.cards.points(suit, card.rank, contract.trump)
            cards.append((card.bit, kind))
        found.append(cards)
    return found


def _rows(mask: int) -> npt.NDArray[Any]:
    return np.array([row for row in range(mask.bit_length()) if mask >> row & 1], np.intp)


def _mask(rows: Iterable[int]) -> int:
    return sum(1 << row for row in rows)


def _bits(mask: int) -> list[int]:
    found = []
    while mask:
        found.append(mask & -mask)
        mask &= mask - 1
    return found


def _union(vectors: Iterable[int]) -> Front:
    """The vectors of which no other one has all worlds."""
    kept: list[int] = []
    for vector in sorted(set(vectors), key=lambda vector: (-vector.bit_count(), vector)):
        if not any(vector & ~other == 0 for other in kept):
            kept.append(vector)
    return tuple(kept[:MOST_VECTORS])
