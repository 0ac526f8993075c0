"""Many deals that a player thinks possible, asked together: `Worlds`.

Each deal is one in which the cards played so far were legal.  It is solved with all hands known, so what comes out is
double-dummy in each world; what a player makes of it is the matter of `pandoer.players`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from pandoer import _solver
from pandoer.contracts import Contract
from pandoer.history import History
from pandoer.line import Line
from pandoer.melds import side_points
from pandoer.objectives import ALL, LOST, POINTS, Seats, replay
from pandoer.problems import Play
from pandoer.solver import CALLS, TABLE_BITS, plays_of, seat_mask, spec_of

__all__ = ["Situations", "Worlds"]

Deals = npt.NDArray[np.uint64]
Bools = npt.NDArray[np.bool_]

GIVEN_UP = np.int16(-32767)

AT_A_TIME = 10
"""Worlds that are solved before Ctrl-C is looked for; at the players' limit of nodes that is a tenth of a second."""


class Situations(NamedTuple):
    """Worlds, each after certain cards; whose turn it is and how many cards are in the trick is the same in all.

    Attributes
    ----------
    lines
        The cards that were played.
    at, rows
        ``intp [situations]``: the place of each situation's cards in `lines`, and its world.
    """

    lines: Sequence[Line]
    at: npt.NDArray[np.intp]
    rows: npt.NDArray[np.intp]


class Worlds:
    """Deals of one contract, and what may come of them.

    Parameters
    ----------
    contract
        The contract.
    deals
        ``uint64 [worlds, players]``: the hands when play began.
    bidders
        Seats that made a bid, for the denial of melds.
    node_limit
        Give up a world after so many cards played in its search; ``None`` for never.
    complete
        These are all deals that agree with what a player knows.

    Attributes
    ----------
    solved
        Positions that were solved so far, each play of each world counted.
    nodes
        Cards played in all searches so far.
    """

    def __init__(
        self,
        contract: Contract,
        deals: Deals,
        bidders: Sequence[int] = (),
        *,
        node_limit: int | None = None,
        complete: bool = False,
    ) -> None:
        self.contract, self.deals, self.bidders, self.node_limit = contract, deals, tuple(bidders), node_limit
        self.complete = complete
        self.solved = self.nodes = 0
        self._table = _solver.Table(TABLE_BITS)
        card = contract.partner_card
        if card is None:
            self.partners = np.full(len(deals), -1)
        else:
            holds = (deals & np.uint64(card.bit)) != 0
            self.partners = np.where(holds.any(axis=1), holds.argmax(axis=1), -1)
        self._seats: npt.NDArray[np.intp]
        self._seats, which = np.unique(self.partners, return_inverse=True)
        self._which = which.astype(np.uint8)

    def __len__(self) -> int:
        return len(self.deals)

    @cached_property
    def melds(self) -> npt.NDArray[np.int64]:
        """Points of melds and marriage of the side, ``int64 [worlds]``."""
        contract = self.contract
        takes = contract.objective is POINTS or (contract.objective is ALL and contract.target is not None)
        if not takes or contract.bid is None:
            return np.zeros(len(self), np.int64)
        side = np.full(len(self), seat_mask(contract.side or {contract.declarer}), np.int64)
        side |= np.where(self.partners >= 0, 1 << np.maximum(self.partners, 0), 0)
        points = side_points(
            self.deals, side, contract.trump, contract.rules.melds, declarer=contract.declarer, bidders=self.bidders
        )
        return np.asarray(points, np.int64)

    @cached_property
    def _all_melds(self) -> bool:
        contract = self.contract
        return contract.objective is ALL and contract.target is not None

    def all_at(self, play: History | Line) -> Situations:
        """All worlds after the same cards."""
        line = Line.of(play) if isinstance(play, History) else play
        return Situations([line], np.zeros(len(self), np.intp), np.arange(len(self)))

    def held(self, there: Situations) -> Deals:
        """The cards still held, ``uint64 [situations, players]``."""
        played = np.array([line.played for line in there.lines], np.uint64)
        return np.ascontiguousarray(self.deals[there.rows] & ~played[there.at])

    def on_side(self, line: Line, seat: int) -> Bools:
        """In which worlds a seat plays for the contract, ``bool [worlds]``."""
        contract = self.contract
        if contract.objective.joins:
            return np.full(len(self), seat in (contract.declarer, line.partner))
        side = {contract.declarer} if contract.side is None else contract.side
        return np.asarray((self.partners == seat) | (seat in side))

    def values(
        self, play: History | Line | Situations, plays: Sequence[Play], *, exact: bool = False
    ) -> npt.NDArray[np.int16]:
        """What becomes of each play of the player to move, with all hands known.

        Parameters
        ----------
        play
            The play so far in all worlds, or `Situations`.
        plays
            Legal plays of the player to move.
        exact
            Find the points or tricks themselves where the contract counts, rather than whether the target is reached.

        Returns
        -------
        numpy.ndarray
            ``int16 [worlds or situations, plays]``: 1 where the contract is made, 0 where not, and -1 where the search
            was given up.  If `exact`, the points or tricks of the side, melds included, and -1 also where a protected
            card loses them.
        """
        there = play if isinstance(play, Situations) else self.all_at(play)
        contract, line, rows = self.contract, there.lines[0], there.rows
        counts = contract.objective.counts
        which, melds = self._which[rows], self.melds[rows]
        standing, before = self._standing(there.lines)
        states = standing[there.at, which]
        earlier = before[there.at, which] + (melds if counts == "points" else 0)
        needs = np.ones(len(rows), np.int16)
        if counts is not None and not exact:
            needs = np.clip((contract.target or 0) - earlier, -5000, 5000).astype(np.int16)
        if self._all_melds:
            states[melds < (contract.target or 0)] = LOST
        out = np.zeros((len(rows), len(plays)), np.int16)
        nodes = np.zeros(len(rows), np.int64)
        moves = np.array([(play.card.index, CALLS.index(play.call)) for play in plays], np.int32).reshape(-1, 2)
        held, trick = self.held(there), _laid(there)
        specs = [spec for _, spec in self.sides.values()]
        for start in range(0, len(rows), AT_A_TIME):
            some = slice(start, start + AT_A_TIME)
            _solver.solve_moves(
                specs, states[some], which[some], held[some], needs[some], moves, leader=line.leader,
                trick=trick[some], call=CALLS.index(line.call), number=line.number, end=contract.rules.hand,
                exact=exact and counts is not None, limit=self.node_limit or 0, table=self._table, out=out[some],
                nodes=nodes[some], stop=np.zeros(1, np.int32),
            )  # fmt: skip
        self.solved += out.size
        self.nodes += int(nodes.sum())
        given_up = out == GIVEN_UP
        if exact and counts is not None:
            found = np.where(out < 0, -1, out + earlier[:, np.newaxis])
        else:
            found = (out >= needs[:, np.newaxis]).astype(np.int64)
        found[given_up] = -1
        return found.astype(np.int16)

    def legal(self, there: Situations) -> Deals:
        """What the player to move may play, ``uint64 [situations]`` of `Card.bit`; not what he says with it."""
        out, line = np.zeros(len(there.rows), np.uint64), there.lines[0]
        _solver.legal_in_worlds(
            [spec for _, spec in self.sides.values()], self._which[there.rows], self.held(there), leader=line.leader,
            trick=_laid(there), call=CALLS.index(line.call), number=line.number, out=out,
        )  # fmt: skip
        return out

    def calls(self, there: Situations) -> list[Play]:
        """What the declarer may lead in one situation while his called suit is led with *must* or with *need not*."""
        (row,), line = there.rows, there.lines[there.at[0]]
        spec = self.sides[int(self.partners[row])][1]
        position = _solver.Position(
            spec, _solver.Table(4), self.held(there)[0].tolist(), leader=line.leader, number=line.number,
            end=self.contract.rules.hand, stop=np.zeros(1, np.int32),
        )  # fmt: skip
        return plays_of(position.moves())

    @cached_property
    def sides(self) -> dict[int, tuple[Seats, _solver.Spec]]:
        """For each seat that may be the partner's, -1 for none: who plays for the contract, and the kernel's form."""
        contract, found = self.contract, {}
        for seat in self._seats.tolist():
            partner = None if seat < 0 else seat
            side = {contract.declarer} if contract.side is None else {*contract.side}
            if partner is not None and contract.side is None and not contract.objective.joins:
                side.add(partner)
            seats = Seats(contract.declarer, frozenset(side), self.deals.shape[1])
            protected = partner if contract.protected else None
            found[seat] = seats, spec_of(contract, seats, contract.rules.hand, protected)
        return found

    def _standing(self, lines: Sequence[Line]) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int64]]:
        """The state of the contract and what the side has, ``[lines, seats that may be the partner's]``."""
        objective = self.contract.objective
        states = np.zeros((len(lines), len(self.sides)), np.int8)
        before = np.zeros((len(lines), len(self.sides)), np.int64)
        for i, line in enumerate(lines):
            jack = objective.needs_jack and line.jack
            for j, (seats, _) in enumerate(self.sides.values()):
                states[i, j] = LOST if line.lost else replay(objective, seats, line.winners, jack)
                if objective.counts == "points":
                    before[i, j] = sum(line.points[seat] for seat in seats.side)
                if objective.counts == "tricks":
                    before[i, j] = sum(winner in seats.side for winner in line.winners)
        return states, before


def _laid(there: Situations) -> Deals:
    """The cards in the trick, ``uint64 [situations, cards]`` of `Card.bit`."""
    tricks = [[card.bit for card in line.trick] for line in there.lines]
    return np.ascontiguousarray(np.array(tricks, np.uint64).reshape(len(tricks), -1)[there.at])
