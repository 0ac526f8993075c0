"""Looking ahead without seeing through the cards: alpha-mu for the declarer.

Perfect-information Monte Carlo lets the declarer play each deal differently although he cannot tell them apart.
Alpha-mu (Cazenave and Ventos, *The alpha-mu search algorithm for the game of bridge*) keeps, for each way of playing,
in which worlds it succeeds: a *vector*.  The *front* of a position has the vectors of which no other is better in
every world.

1. At the declarer's card the front is the union of those after each card, because he plays the same one in all worlds.
2. At another player's card he knows what is hidden.  In worlds where he opposes the contract a way succeeds if it
   does after each card that he may play; in worlds where he is the partner, if it does after one.  So the fronts are
   joined vector by vector, world by world.
3. Of another player's card the declarer remembers only its suit, which of his own cards it beats, and whose trick it is
   then; the called card he knows.  Otherwise the cards of one trick would tell a few sampled worlds apart, although so
   many deals have them in common that in play nobody could.  So a *group* holds worlds with different cards fallen, one
   world perhaps several times, and vectors have a bit for each of these situations.  What may be played, and who wins
   with it, is the same in all of them.  Who forgets has fewer ways to play, so never more worlds than who does not.
   Where the worlds are all there are he forgets nothing.
4. After the last of the declarer's cards that are looked ahead each situation is solved with all hands known.

Such a vector is a bound from above for every position below it.  So worlds that are lost double-dummy are looked at no
further; a card whose bound is no better than a vector that is there is passed over (early cut); and at the root the
search ends when no card can succeed in more worlds than one that was searched (root cut).

Vectors are whole numbers with a bit for each world or situation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pandoer.cards import Rank, Suit
from pandoer.contracts import Contract
from pandoer.line import Line
from pandoer.problems import Play
from pandoer.view import View
from pandoer.worlds import Situations, Worlds

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
    made: npt.NDArray[np.int16] | None = None,
    most_nodes: int = MOST_NODES,
    cut: bool = True,
    forgets: bool | None = None,
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
    made
        What `Worlds.values` says of them, if that is known.
    most_nodes
        The search ends after about so many cards played in all worlds, and what it has not found is taken from one card
        less.
    cut
        Pass over plays that cannot be better than the best.
    forgets
        Let the declarer forget which of equivalent cards fell; by default where these are not all worlds there are.

    Returns
    -------
    dict
        For each legal play what comes of its best vector.
    """
    forgets = not worlds.complete if forgets is None else forgets
    search = _Search(view, worlds, most_nodes + worlds.nodes, forgets=forgets)
    plays = view.legal if plays is None else plays
    line = Line.of(view.history)
    root = _Group([*range(len(worlds))], [0] * len(worlds), [line])
    bounds = _vectors(plays, worlds.values(root.situations, plays) if made is None else made)
    found = {play: Ahead(bound.bit_count(), (), True) for play, bound in bounds.items()}
    for further in range(1, depth):
        try:
            found = _deeper(search, root, bounds, found, further, cut=cut)
        except _TooLong:
            break
    return found


def _deeper(
    search: _Search, root: _Group, bounds: dict[Play, int], before: dict[Play, Ahead], depth: int, *, cut: bool
) -> dict[Play, Ahead]:
    """The same with so many cards after this one, the best by what was found `before` first."""
    found: dict[Play, Ahead] = {}
    best = -1
    alike = search.alike(root.lines[0], [*bounds])
    for play in sorted(bounds, key=lambda play: (-before[play].made, *(-made for made in before[play].before))):
        earlier = (before[play].made, *before[play].before)
        if cut and (earlier[0] <= best or not before[play].searched):
            found[play] = Ahead(earlier[0], earlier, False)  # the root cut: it cannot be better
            continue
        twin = alike[play]
        if twin in found:
            found[play] = Ahead(found[twin].made, earlier, True)
            continue
        front = search.front(root.after(play, bounds[play]), depth, best if cut else -1)
        found[play] = Ahead(max(vector.bit_count() for vector in front), earlier, True)
        best = max(best, found[play].made)
    return found


class _Group(NamedTuple):
    """Situations that the declarer does not tell apart; vectors of a group have a bit for each of them.

    Attributes
    ----------
    rows, at, lines
        For each situation its world, and the place of its cards so far among these lines.
    """

    rows: list[int]
    at: list[int]
    lines: list[Line]

    @property
    def all(self) -> int:
        """The vector of all."""
        return (1 << len(self.rows)) - 1

    @property
    def situations(self) -> Situations:
        """The same for `Worlds`."""
        return Situations(self.lines, np.array(self.at, np.intp), np.array(self.rows, np.intp))

    def after(self, play: Play, among: int) -> _Group:
        """Those `among` them after a card of the declarer."""
        places = _places(among)
        lines = [line.after(play) for line in self.lines]
        return _Group([self.rows[i] for i in places], [self.at[i] for i in places], lines)


class _Search:
    """The worlds of one decision."""

    def __init__(self, view: View, worlds: Worlds, most_nodes: int, *, forgets: bool) -> None:
        self.worlds, self.most_nodes, self.forgets = worlds, most_nodes, forgets
        self.declarer = view.seat
        contract = view.contract
        self.contract, self.cards = contract, {card.bit: card for card in contract.rules.deck}
        self.protected = 0 if contract.protected is None else contract.protected.bit
        self.known = {card.bit for card in (contract.protected, contract.partner_card) if card is not None}
        self.held = view.held.bits
        self._kinds = _kinds(contract)
        self._pairs: dict[int, list[tuple[int, int]]] = {}
        self._above = {
            bit: sum(other for other, _ in suit[place + 1 :])
            for suit in self._kinds for place, (bit, _) in enumerate(suit)
        }  # fmt: skip

    def solved(self, group: _Group, plays: Sequence[Play]) -> dict[Play, int]:
        """For each play of the declarer the situations in which it succeeds, all hands known."""
        if self.worlds.nodes > self.most_nodes:
            raise _TooLong
        return _vectors(plays, self.worlds.values(group.situations, plays))

    def plays(self, group: _Group) -> list[Play]:
        """What the declarer may play, which is the same in all situations; of cards that are the same only one."""
        line, first = group.lines[0], group._replace(rows=group.rows[:1], at=group.at[:1]).situations
        if self.protected and not line.trick and not self.protected & line.out:
            return self.worlds.calls(first)
        legal = _merged(int(self.worlds.legal(first)[0]), self._neighbours(group.lines))
        return [Play(self.cards[bit]) for bit in _bits(legal)]

    def alike(self, line: Line, plays: Sequence[Play]) -> dict[Play, Play]:
        """For each play another one, or itself, that is the same for the rest of play."""
        found = {play: play for play in plays}
        for low, high in reversed(self._neighbours([line])):
            for play in plays:
                twin = Play(self.cards[high], play.call)
                if play.card.bit == low and twin in found:
                    found[play] = found[twin]
        return found

    def front(self, group: _Group, depth: int, least: int = -1) -> Front:
        """The front of a group; `least`: vectors with no more situations than these are not wanted any more."""
        line = group.lines[0]
        if not group.rows or depth == 0 or line.finished:
            return (group.all,)  # these are situations that succeed double-dummy
        if line.turn == self.declarer:
            return self._own(group, depth)
        return self._others(group, depth, least)

    def _own(self, group: _Group, depth: int) -> Front:
        plays = self.plays(group)
        if len(plays) == 1:
            return (group.all,) if depth == 1 else self.front(group.after(plays[0], group.all), depth - 1)
        bounds = self.solved(group, plays)
        if depth == 1:
            return _union(bounds.values())
        found: Front = ()
        for play in sorted(bounds, key=lambda play: -bounds[play].bit_count()):
            bound = bounds[play]
            if any(bound & ~vector == 0 for vector in found):
                continue  # the early cut
            places = _places(bound)
            theirs = self.front(group.after(play, bound), depth - 1)
            found = _union((*found, *(sum(1 << places[i] for i in _places(vector)) for vector in theirs)))
        return found

    def _others(self, group: _Group, depth: int, least: int) -> Front:
        helps = self.worlds.on_side(group.lines[0], group.lines[0].turn)
        partner = sum(1 << i for i, row in enumerate(group.rows) if helps[row])
        opposed = group.all & ~partner
        found: Front = (opposed,)
        for parents, children in self._told_apart(group):
            some = every = found[0]
            for vector in found:
                some |= vector
                every &= vector
            unsettled = some & opposed | ~every & partner
            kept = [i for i, parent in enumerate(parents) if unsettled >> parent & 1]
            if not kept:
                continue
            rest = _Group([children.rows[i] for i in kept], [children.at[i] for i in kept], children.lines)
            theirs = []
            for vector in self.front(rest, depth):
                good = bad = 0
                for place, i in enumerate(kept):
                    if vector >> place & 1:
                        good |= 1 << parents[i]
                    else:
                        bad |= 1 << parents[i]
                theirs.append((good, bad))
            found = _union(
                (vector & ~bad & opposed) | ((vector | good) & partner) for vector in found for good, bad in theirs
            )
            if all((vector | partner).bit_count() <= least for vector in found):
                return found[:1]
        return found

    def _told_apart(self, group: _Group) -> list[tuple[list[int], _Group]]:
        """The situations after a card of another player, in groups, each with the places of those they come from."""
        legal = self.worlds.legal(group.situations).tolist()
        pairs = [self._neighbours([line]) for line in group.lines]
        after: dict[tuple[int, int], tuple[object, Line]] = {}
        found: dict[object, tuple[list[int], _Group, dict[int, int]]] = {}
        for i, (row, at) in enumerate(zip(group.rows, group.at, strict=True)):
            for bit in _bits(_merged(legal[i], pairs[at])):
                if (at, bit) not in after:
                    line = group.lines[at].after(Play(self.cards[bit]))
                    after[at, bit] = self._remembered(group.lines[at], line, bit), line
                key, line = after[at, bit]
                parents, children, places = found.setdefault(key, ([], _Group([], [], []), {}))
                if id(line) not in places:
                    places[id(line)] = len(children.lines)
                    children.lines.append(line)
                parents.append(i)
                children.rows.append(row)
                children.at.append(places[id(line)])
        groups = [(parents, children) for parents, children, _ in found.values()]
        return sorted(groups, key=lambda one: -len(one[0]))

    def _remembered(self, line: Line, after: Line, bit: int) -> object:
        """What the declarer keeps in mind of a card of another player: see 3 above."""
        if not self.forgets or bit in self.known:
            return bit
        mine = self.held & ~line.played[self.declarer]
        takes = after.leader
        if after.trick:
            takes += after.trick.index(self.contract.winner(after.trick, must=after.call == "must"))
        return self.cards[bit].suit, mine & self._above[bit], takes

    def _neighbours(self, lines: Sequence[Line]) -> list[tuple[int, int]]:
        """Pairs of neighbours in a suit that differ in name only after all of these, as bits, the lowest first."""
        gone = -1
        for line in lines:
            gone &= line.out & ~sum(card.bit for card in line.trick)
        if gone not in self._pairs:
            left = ([card for card in suit if not card[0] & gone] for suit in self._kinds)
            self._pairs[gone] = [
                (low[0], high[0]) for suit in left for low, high in pairwise(suit) if low[1] == high[1]
            ]
        return self._pairs[gone]


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


def _vectors(plays: Sequence[Play], made: npt.NDArray[np.int16]) -> dict[Play, int]:
    """For each play where it succeeds, of `Worlds.values`; where it was given up there is hope."""
    packed = np.packbits(made != 0, axis=0, bitorder="little")
    return {play: int.from_bytes(packed[:, i].tobytes(), "little") for i, play in enumerate(plays)}


def _places(vector: int) -> list[int]:
    return [bit.bit_length() - 1 for bit in _bits(vector)]


def _bits(mask: int) -> list[int]:
    found = []
    while mask:
        found.append(mask & -mask)
        mask &= mask - 1
    return found


def _merged(legal: int, pairs: list[tuple[int, int]]) -> int:
    """Legal cards, of those that are the same for the rest of play only the highest."""
    for low, high in pairs:
        if legal & low and legal & high:
            legal ^= low
    return legal


def _union(vectors: Iterable[int]) -> Front:
    """The vectors of which no other one has all worlds."""
    kept: list[int] = []
    for vector in sorted(set(vectors), key=lambda vector: (-vector.bit_count(), vector)):
        if not any(vector & ~other == 0 for other in kept):
            kept.append(vector)
    return tuple(kept[:MOST_VECTORS])
