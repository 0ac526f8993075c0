"""Many deals that a player thinks possible, asked together: `Worlds`.

Each deal is one in which the cards played so far were legal.  It is solved with all hands known, so what comes out is
double-dummy in each world; what a player makes of it is the matter of `pandoer.players`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
import numpy.typing as npt

from pandoer import _solver
from pandoer.cards import Hand
from pandoer.contracts import Contract
from pandoer.history import History
from pandoer.line import Line
from pandoer.melds import side_points
from pandoer.objectives import ALL, LOST, POINTS, Seats, replay
from pandoer.problems import Play
from pandoer.solver import CALLS, TABLE_BITS, seat_mask, spec_of

__all__ = ["Worlds"]

Deals = npt.NDArray[np.uint64]
Bools = npt.NDArray[np.bool_]

GIVEN_UP = np.int16(-32767)

AT_A_TIME = 10
"""Worlds that are solved before Ctrl-C is looked for; at the players' limit of nodes that is a tenth of a second."""


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

    Attributes
    ----------
    solved
        Positions that were solved so far, each play of each world counted.
    nodes
        Cards played in all searches so far.
    """

    def __init__(
        self, contract: Contract, deals: Deals, bidders: Sequence[int] = (), *, node_limit: int | None = None
    ) -> None:
        self.contract, self.deals, self.bidders, self.node_limit = contract, deals, tuple(bidders), node_limit
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

    def held(self, line: Line, rows: npt.NDArray[np.intp]) -> Deals:
        """The cards still held, ``uint64 [rows, players]``."""
        return np.ascontiguousarray(self.deals[rows] & ~np.array(line.played, np.uint64))

    def on_side(self, line: Line, seat: int) -> Bools:
        """In which worlds a seat plays for the contract, ``bool [worlds]``."""
        contract = self.contract
        if contract.objective.joins:
            return np.full(len(self), seat in (contract.declarer, line.partner))
        side = {contract.declarer} if contract.side is None else contract.side
        return np.asarray((self.partners == seat) | (seat in side))

    def values(
        self,
        play: History | Line,
        plays: Sequence[Play],
        rows: npt.NDArray[np.intp] | None = None,
        *,
        exact: bool = False,
    ) -> npt.NDArray[np.int16]:
        """What becomes of each play of the player to move, with all hands known.

        Parameters
        ----------
        play
            The play so far.
        plays
            Legal plays of the player to move.
        rows
            Which worlds; all unless given.
        exact
            Find the points or tricks themselves where the contract counts, rather than whether the target is reached.

        Returns
        -------
        numpy.ndarray
            ``int16 [rows, plays]``: 1 where the contract is made, 0 where not, and -1 where the search was given up.
            If `exact`, the points or tricks of the side, melds included, and -1 also where a protected card loses
            them.
        """
        contract = self.contract
        line = Line.of(play) if isinstance(play, History) else play
        rows = np.arange(len(self)) if rows is None else rows
        counts = contract.objective.counts
        specs, states, before = self._specs(line)
        which = self._which[rows]
        earlier = before[which] + (self.melds[rows] if counts == "points" else 0)
        needs = np.ones(len(rows), np.int16)
        if counts is not None and not exact:
            needs = np.clip((contract.target or 0) - earlier, -5000, 5000).astype(np.int16)
        dead = self.melds[rows] < (contract.target or 0) if self._all_melds else np.zeros(len(rows), np.bool_)
        if dead.any():
            which = np.where(dead, len(specs), which).astype(np.uint8)
            specs, states = [*specs, specs[0]], [*states, LOST]
        out = np.zeros((len(rows), len(plays)), np.int16)
        nodes = np.zeros(len(rows), np.int64)
        moves = np.array([(play.card.index, CALLS.index(play.call)) for play in plays], np.int32).reshape(-1, 2)
        held, trick = self.held(line, rows), np.array([card.bit for card in line.trick], np.uint64)
        for start in range(0, len(rows), AT_A_TIME):
            some = slice(start, start + AT_A_TIME)
            _solver.solve_moves(
                specs, np.array(states, np.int8), which[some], held[some], needs[some], moves, leader=line.leader,
                trick=trick, call=CALLS.index(line.call), number=line.number, end=contract.rules.hand,
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

    def legal(self, line: Line, rows: npt.NDArray[np.intp]) -> Deals:
        """What the player to move may play in each world, ``uint64 [rows]`` of `Card.bit`; not what he says with it."""
        out = np.zeros(len(rows), np.uint64)
        _solver.legal_in_worlds(
            [spec for _, spec in self.sides.values()], self._which[rows], self.held(line, rows), leader=line.leader,
            trick=np.array([card.bit for card in line.trick], np.uint64), call=CALLS.index(line.call),
            number=line.number, out=out,
        )  # fmt: skip
        return out

    def calls(self, line: Line, row: int) -> list[Play]:
        """What the declarer may lead in a world while his called suit is led with *must* or with *need not*."""
        rules = self.contract.rules
        spec = self.sides[int(self.partners[row])][1]
        position = _solver.Position(
            spec, _solver.Table(4), self.held(line, np.array([row]))[0].tolist(), leader=line.leader,
            number=line.number, end=rules.hand, stop=np.zeros(1, np.int32),
        )  # fmt: skip
        return [Play(Hand.from_bits(1 << index).cards[0], CALLS[call]) for index, call in position.moves()]

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

    def _specs(self, line: Line) -> tuple[list[_solver.Spec], list[int], npt.NDArray[np.int64]]:
        """For each seat that may be the partner's: the contract for the kernel, its state, and what the side has."""
        objective, winners, states, before = self.contract.objective, line.winners, [], []
        for seats, _ in self.sides.values():
            states.append(LOST if line.lost else replay(objective, seats, winners, objective.needs_jack and line.jack))
            has = 0
            if objective.counts == "points":
                has = sum(line.points[seat] for seat in seats.side)
            if objective.counts == "tricks":
                has = sum(winner in seats.side for winner in winners)
            before.append(has)
        return [spec for _, spec in self.sides.values()], states, np.array(before, np.int64)
