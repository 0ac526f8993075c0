"""Exact results with all hands known: `solve`, `solve_many` and `legal_plays`.

Here everything is validated, named and explained; `pandoer._solver` only computes.
"""

from __future__ import annotations

import os
import queue
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from pandoer import _solver
from pandoer.cards import Card, Deal, Hand, Rank, Suit
from pandoer.contracts import CardRules, Contract, PlayRules
from pandoer.errors import PandoerError
from pandoer.melds import side_points
from pandoer.objectives import ALL, LOST, POINTS, TRICKS, Objective, Seats, automaton, replay
from pandoer.problems import CallName, Play, Problem, State, problem
from pandoer.rulesets.base import parse_trump

TABLE_BITS = 16
"""Default size of a transposition table: 2 ** 16 entries of 24 bytes, 1.5 MB a thread."""

_CALLS: tuple[CallName | None, ...] = (None, "must", "need-not")
_SKIP = np.int16(-32768)
_NO_MELDS = np.int16(0)


@dataclass(frozen=True)
class Solution:
    """The exact result of a position, all hands known.

    Attributes
    ----------
    made
        Whether the contract is made; ``None`` for a count without a target.
    points
        The most card points of the side, earlier ones and the last trick's included, melds and marriage when
        they count; for a points objective only, and ``None`` when a protected card loses the contract.
    tricks
        The most tricks of the side, earlier ones included; for a count of tricks only.
    best
        Every card of the player to move that reaches the result, all his legal cards when all are lost.
    nodes
        Cards played by the search.
    dry
        In a joined misère, seat by seat: whether this player stays without a trick when everybody else is
        against him.
    """

    made: bool | None
    points: int | None
    tricks: int | None
    best: tuple[Play, ...]
    nodes: int = field(compare=False)
    dry: tuple[tuple[int, bool], ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The answer as a JSON object."""
        answer: dict[str, Any] = {
            "made": self.made, "points": self.points, "tricks": self.tricks,
            "best": [str(play) for play in self.best], "nodes": self.nodes,
        }  # fmt: skip
        if self.dry:
            answer["dry"] = {str(seat): dry for seat, dry in self.dry}
        return answer

    def __str__(self) -> str:
        parts = []
        if self.made is not None:
            parts.append("made" if self.made else "not made")
        if self.points is not None:
            parts.append(f"{self.points} points")
        if self.tricks is not None:
            parts.append(f"{self.tricks} tricks")
        parts.extend(f"seat {seat} {'stays dry' if dry else 'wins a trick'}" for seat, dry in self.dry)
        best = " ".join(map(str, self.best))
        return f"{', '.join(parts)}, double-dummy" + (f"; best: {best}" if best else "")


@lru_cache(maxsize=1024)
def _spec(
    cards: CardRules,
    play: PlayRules,
    objective: Objective,
    seats: Seats,
    trump: Suit | None,
    end: int,
    partner: int | None,
    called: Card | None,
) -> _solver.Spec:
    """A contract with its seats as the kernel wants it; `called` only when it is protected."""
    machine = automaton(objective, seats, end)
    points = [[cards.points(suit, rank, trump) for rank in Rank] for suit in Suit]
    return _solver.Spec(
        players=seats.players, declarer=seats.declarer, partner=-1 if partner is None else partner,
        trump=-1 if trump is None else int(trump), play=play,
        orders=[[int(rank) for rank in cards.order(suit == trump)] for suit in Suit], card_points=points,
        last_points=cards.last_trick if objective.counts == "points" else 0,
        trick_points=1 if objective.counts == "tricks" else 0, counts=objective.counts,
        called=None if called is None else called.index, needs_jack=objective.needs_jack,
        next=machine.next, side=machine.side, avoid=machine.avoid,
    )  # fmt: skip


def _spec_of(contract: Contract, seats: Seats, end: int, partner: int | None) -> _solver.Spec:
    return _spec(
        contract.rules.cards, contract.play, contract.objective, seats, contract.trump, end, partner, contract.protected
    )


def solve(
    deal: Deal | str | Problem | Mapping[str, Any],
    contract: Contract | None = None,
    *,
    leader: int | None = None,
    trick: Iterable[Card | str] = (),
    trick_number: int | None = None,
    state: State | None = None,
    call: CallName | None = None,
    bidders: Iterable[int] = (),
    lead: Play | Card | str | None = None,
    melds: bool | None = None,
    table_bits: int = TABLE_BITS,
) -> Solution:
    """The exact result of one position with all hands known, and the cards that reach it.

    Parameters
    ----------
    deal
        A deal with its `contract`; or a `Problem`, or a JSON object for one, alone.
    contract
        From `Ruleset.contract`.
    leader, trick, trick_number, state, call, bidders, lead, melds
        See `Problem`.
    table_bits
        The transposition table has ``2 ** table_bits`` entries of 24 bytes, 4 to 28.

    Raises
    ------
    PandoerError
        If the position makes no sense.
    KeyboardInterrupt
        On Ctrl-C, within a tenth of a second.
    """
    if isinstance(deal, Problem | Mapping):
        if contract is not None:
            raise PandoerError("a problem has its own contract: expected no second one")
        asked = deal if isinstance(deal, Problem) else problem(deal)
    else:
        if contract is None:
            raise PandoerError(f"deal {str(deal)!r} without a contract")
        asked = Problem(
            deal=Deal(deal), contract=contract, leader=leader, trick=tuple(Card(card) for card in trick),
            trick_number=trick_number, state=state or State(), call=call, bidders=tuple(bidders),
            lead=None if lead is None else Play.parse(lead), melds=melds,
        )  # fmt: skip
    if not isinstance(table_bits, int) or not 4 <= table_bits <= 28:
        raise PandoerError(f"table_bits {table_bits!r}: expected 4 to 28")
    search = _Search(asked, _solver.Table(table_bits))
    solution = search.solve()
    if not asked.contract.joiners:
        return solution
    dry = []
    nodes = solution.nodes
    for seat in (asked.contract.declarer, *asked.contract.joiners):
        alone = _Search(asked, search.table, side=frozenset({seat}))
        value = alone.value()
        nodes += alone.nodes
        dry.append((seat, value > 0))
    return Solution(solution.made, None, None, solution.best, nodes, tuple(sorted(dry)))


class _Search:
    """One position in the kernel, with what happened before it and the melds added to its counts."""

    def __init__(self, asked: Problem, table: _solver.Table, side: frozenset[int] | None = None) -> None:
        self.asked = asked
        self.table = table
        contract, number = asked.contract, asked.number
        seats = asked.seats
        if side is not None:
            seats = Seats(seats.declarer if len(side) > 1 else min(side), side, seats.players)
        self.seats = seats
        objective, state = contract.objective, asked.state
        self.state = self._start_state(objective)
        self.end = number + asked.cards_each
        self.melds = 0
        if asked.counts_melds:
            hands = np.array([[hand.bits for hand in asked.start_hands]], np.uint64)
            self.melds = int(
                side_points(
                    hands, _mask(seats.side), contract.trump, contract.rules.melds, declarer=contract.declarer,
                    bidders=asked.bidders,
                )[0]
            )  # fmt: skip
        self.before = 0
        if objective.counts == "points":
            self.before = state.points + self.melds
        elif objective.counts == "tricks":
            self.before = sum(winner in seats.side for winner in state.winners or ())
        self.position = _solver.Position(
            _spec_of(contract, seats, self.end, asked.partner if contract.protected else None),
            table,
            [hand.bits for hand in asked.deal],
            leader=asked.first, trick=[card.bit for card in asked.trick], call=_CALLS.index(asked.call),
            state=max(self.state, 0), number=number, end=self.end, stop=np.zeros(1, np.int32),
        )  # fmt: skip
        self._check_trick()

    def _start_state(self, objective: Objective) -> int:
        state, seats = self.asked.state, self.seats
        if state.winners is not None:
            return replay(objective, seats, state.winners, state.jack)
        if state.jack and objective.needs_jack:
            return objective.step(0, 0, seats.declarer, True, seats)
        if state.partner is not None and objective.joins:
            return state.partner + 1
        return 0

    def _check_trick(self) -> None:
        """Every card of the trick has to have been legal when it was laid."""
        asked = self.asked
        for i, card in enumerate(asked.trick):
            seat = (asked.first + i) % asked.players
            hand = asked.start_hands[seat]
            earlier = _solver.Position(
                self.position.spec, self.table, [hand.bits] * asked.players, leader=asked.first,
                trick=[c.bit for c in asked.trick[:i]], call=_CALLS.index(asked.call) if i else 0,
                state=max(self.state, 0), number=asked.number, end=self.end, stop=np.zeros(1, np.int32),
            )  # fmt: skip
            if all(index != card.index for index, _ in earlier.moves()):
                raise PandoerError(
                    f"card {str(card)!r} of the trick was no legal play for seat {seat} with {str(hand)!r}"
                )

    @property
    def nodes(self) -> int:
        return self.position.nodes

    @property
    def decided(self) -> bool:
        """The contract is lost before the search, or nothing is left to play."""
        return self.state == LOST or self.position.lost or self.asked.cards_each == 0

    def value(self, move: tuple[int, int] | None = None) -> int:
        """What the side still gets, after `move` if given; 1 or 0 for a yes or no, -1 when it is lost."""
        position = self.position
        counts = self.asked.contract.objective.counts
        if self.state == LOST or position.lost:
            return -1 if counts else 0
        if self.asked.cards_each == 0:
            return 0 if counts else int(self.asked.contract.objective.accept(self.state))
        if not counts:
            return int(position.reaches(1, move) >= 1)
        low, high = -1, position.total
        if not self.asked.contract.protected:
            low = 0
        while low < high:
            need = max(0, (low + high + 1) // 2)
            bound = position.reaches(need, move)
            if bound >= need:
                low = bound
            else:
                high = max(bound, -1)
        return low

    def solve(self) -> Solution:
        asked, position = self.asked, self.position
        objective, target = asked.contract.objective, asked.contract.target
        moves = position.moves()
        move = None
        if asked.lead is not None:
            moves = self._forced(moves, asked.lead)
            values = {m: self.value(m) for m in moves}
            value = max(values.values()) if self.maximises else min(values.values())
            best = [m for m in moves if values[m] == value]
        else:
            value = self.value(move)
            best = [m for m in moves if self._reaches(m, value)]
        plays = tuple(
            sorted((Play(_card_of(index), _CALLS[call]) for index, call in best), key=_display_order)
        )
        made: bool | None = None
        points = tricks = None
        if objective.counts is None:
            made = value > 0
            if target is not None and objective is ALL and self._melds_are_asked():
                made = made and self.melds >= target
                if not made:
                    plays = tuple(
                        sorted((Play(_card_of(i), _CALLS[call]) for i, call in moves), key=_display_order)
                    )
        else:
            total = None if value < 0 else value + self.before
            made = None if target is None else total is not None and total >= target
            if objective.counts == "points":
                points = total
            else:
                tricks = total
        return Solution(made, points, tricks, plays, position.nodes)

    def _melds_are_asked(self) -> bool:
        """In an ending of a bid such as pandoer+20 the melds were settled long ago, and it is alive."""
        return self.asked.full or self.asked.contract.bid is None

    @property
    def maximises(self) -> bool:
        """Whether the player to move is on the declaring side."""
        asked = self.asked
        seat = (asked.first + len(asked.trick)) % asked.players
        return seat in asked.contract.objective.side(max(self.state, 0), self.seats)

    def _reaches(self, move: tuple[int, int], value: int) -> bool:
        """Whether `move` reaches the value of the position."""
        if self.decided:
            return True
        counts = self.asked.contract.objective.counts is not None
        if self.maximises:
            if value == (-1 if counts else 0):
                return True
            need = value if counts else 1
            return self.position.reaches(need, move) >= need
        if not counts and value == 1:
            return True
        need = value + 1 if counts else 1
        return self.position.reaches(need, move) < need

    def _forced(self, moves: list[tuple[int, int]], lead: Play) -> list[tuple[int, int]]:
        """The moves that begin with a forced lead."""
        chosen = [
            (index, call)
            for index, call in moves
            if index == lead.card.index and (lead.call is None or _CALLS[call] == lead.call)
        ]
        if not chosen:
            legal = " ".join(str(Play(_card_of(index), _CALLS[call])) for index, call in moves)
            raise PandoerError(f"lead {str(lead)!r}: expected one of {legal or 'no cards'}")
        return chosen


def legal_plays(
    hand: Hand | str,
    trick: Sequence[Card | str] = (),
    trump: Suit | str | None = None,
    play: PlayRules | None = None,
    *,
    cards: CardRules | None = None,
    side_wins: bool = False,
) -> Hand:
    """The cards of a hand that may be played to a trick (RULES.md section 3).

    Parameters
    ----------
    hand
        The hand of the player to move.
    trick
        The cards laid so far, in order; empty for a lead.
    trump
        The trump suit, ``None`` or ``"-"`` for none.
    play
        The play switches, such as ``ruleset("pagat").play``; those of the default ruleset when left out.
        What depends on who leads (`trump_leads`) or was said with a lead (`called_card`) is not looked at.
    cards
        Rank orders, when they are not Pandoer's.
    side_wins
        The player's own side is winning the trick; matters with `PlayRules.partner_exempt` only.
    """
    hand, laid, suit = Hand(hand), tuple(Card(card) for card in trick), parse_trump(trump)
    if len(laid) > 3:
        raise PandoerError(f"trick {' '.join(map(str, laid))!r}: expected at most 3 cards")
    for i, card in enumerate(laid):
        if card in hand or card in laid[:i]:
            raise PandoerError(f"card {str(card)!r} of the trick is twice in {str(hand)!r} and the trick")
    rules = PlayRules() if play is None else play
    if not laid:
        return hand
    side = frozenset(range(4)) if side_wins else frozenset({len(laid)})
    spec = _spec(cards or CardRules(), rules, POINTS, Seats(0, side, 4), suit, TRICKS, None, None)
    hands = [0, 0, 0, 0]
    hands[len(laid)] = hand.bits
    position = _solver.Position(
        spec, _solver.Table(4), hands, leader=0, trick=[card.bit for card in laid], stop=np.zeros(1, np.int32)
    )
    return Hand(_card_of(index) for index, _ in position.moves())


def solve_many(
    hands: npt.ArrayLike,
    contract: Contract,
    threads: int | None = None,
    *,
    leader: int | None = None,
    trick_number: int | None = None,
    bidders: Iterable[int] = (),
    melds: bool | None = None,
    exact: bool | None = None,
    table_bits: int = TABLE_BITS,
    progress: Callable[[int], object] | None = None,
) -> npt.NDArray[np.bool_] | npt.NDArray[np.int16]:
    """The exact results of many deals in one contract, all hands known, on several threads.

    Parameters
    ----------
    hands
        ``uint64 [deals, players]`` of `Hand.bits`, as many cards in every hand.
    contract
        The contract of all deals; who holds the called card may differ from deal to deal.
    threads
        Number of threads; ``None`` for one a core.  The result does not depend on it.
    leader
        Who leads; the declarer unless given.
    trick_number, bidders, melds
        As in `Problem`.
    exact
        ``True``: the most points or tricks.  ``False``: whether the target is reached, which is much faster.
        ``None``: exact for objectives that count, since a yes or no has nothing else.
    table_bits
        Size of each thread's transposition table, ``2 ** table_bits`` entries of 24 bytes.
    progress
        Called in the calling thread with the number of deals finished since its last call.

    Returns
    -------
    numpy.ndarray
        ``bool [deals]``: made or not; or ``int16 [deals]``: points or tricks, with -1 for a contract lost by a
        protected card.

    Raises
    ------
    PandoerError
        If a deal makes no sense; the message names its row.
    """
    array = np.asarray(hands)
    if array.ndim != 2 or array.shape[1] not in (2, 3, 4):
        raise PandoerError(f"hands of shape {array.shape}: expected [deals, 2 to 4 players]")
    if array.dtype != np.uint64:
        if array.dtype.kind not in "iu" or (array.size and array.min() < 0):
            raise PandoerError(f"hands of dtype {array.dtype}: expected uint64")
        array = array.astype(np.uint64)
    batch = Batch.checked(
        np.ascontiguousarray(array), contract, leader=leader, trick_number=trick_number, bidders=tuple(bidders),
        melds=melds,
    )  # fmt: skip
    if exact is None:
        exact = contract.objective.counts is not None
    if exact and contract.objective.counts is None:
        raise PandoerError(f"{contract.name} is made or not: expected exact=False")
    if not exact and contract.objective.counts and contract.target is None:
        raise PandoerError(f"{contract.name} has no target: expected exact=True")
    return batch.run(exact=exact, threads=threads, table_bits=table_bits, progress=progress)


@dataclass(frozen=True)
class Batch:
    """Deals of one contract, ready for the kernel."""

    hands: npt.NDArray[np.uint64]
    contract: Contract
    leader: int
    number: int
    cards_each: int
    bidders: tuple[int, ...]
    counts_melds: bool
    partners: npt.NDArray[np.int8]

    @classmethod
    def checked(
        cls,
        hands: npt.NDArray[np.uint64],
        contract: Contract,
        *,
        leader: int | None = None,
        trick_number: int | None = None,
        bidders: tuple[int, ...] = (),
        melds: bool | None = None,
    ) -> Batch:
        """A batch whose every deal has been looked at."""
        deals, players = hands.shape
        if deals == 0:
            return cls(hands, contract, 0, 0, TRICKS, bidders, False, np.zeros(0, np.int8))
        # The first deal as a problem of its own finds everything that is wrong with all of them.
        first = Problem(
            _deal(hands[0]), contract, leader=leader, trick_number=trick_number, bidders=bidders, melds=melds
        )
        deck = np.uint64(contract.rules.deck.bits)
        together = np.bitwise_or.reduce(hands, axis=1)
        wrong = (np.bitwise_count(hands) != first.cards_each).any(axis=1)
        wrong |= np.bitwise_count(together) != first.cards_each * players
        wrong |= (together & ~deck) != 0
        partners = np.full(deals, -1, np.int8)
        card = contract.partner_card
        if card is not None:
            holds = (hands & np.uint64(card.bit)) != 0
            partners = np.where(holds.any(axis=1), holds.argmax(axis=1), -1).astype(np.int8)
            wrong |= (partners == contract.declarer) | (partners < 0)
        if wrong.any():
            row = int(wrong.argmax())
            try:
                Problem(_deal(hands[row]), contract, leader=leader, trick_number=trick_number)
            except PandoerError as error:
                raise PandoerError(f"deal {row}: {error}") from None
            raise PandoerError(f"deal {row}: expected {first.cards_each} cards in each hand, as in deal 0")
        if contract.called is not None and first.full and contract.bid is not None:
            _check_calls(hands, together, contract)
        return cls(
            hands, contract, first.first, first.number, first.cards_each, bidders, first.counts_melds, partners
        )

    def run(
        self,
        *,
        exact: bool,
        threads: int | None = None,
        table_bits: int = TABLE_BITS,
        progress: Callable[[int], object] | None = None,
        nodes: npt.NDArray[np.int64] | None = None,
    ) -> npt.NDArray[np.bool_] | npt.NDArray[np.int16]:
        """Solve them; see `solve_many`.  `nodes`, if given, receives the cards played per deal."""
        if threads is None:
            threads = _cores()
        if isinstance(threads, bool) or not isinstance(threads, int) or threads < 1:
            raise PandoerError(f"threads {threads!r}: expected a whole number, 1 or more")
        if not isinstance(table_bits, int) or not 4 <= table_bits <= 28:
            raise PandoerError(f"table_bits {table_bits!r}: expected 4 to 28")
        deals = len(self.hands)
        objective, target = self.contract.objective, self.contract.target
        out = np.zeros(deals, np.int16)
        counted = np.zeros(deals, np.int64) if nodes is None else nodes
        if deals == 0:
            return out if exact else out.astype(np.bool_)
        end = self.number + self.cards_each
        seats, which = np.unique(self.partners, return_inverse=True)
        which = which.astype(np.uint8)
        specs = []
        for seat in seats:
            partner = None if seat < 0 else int(seat)
            specs.append(
                _spec_of(self.contract, self._seats(partner), end, partner if self.contract.protected else None)
            )
        melds = self._melds()
        needs = np.ones(deals, np.int16)
        if objective.counts is not None and not exact:
            assert target is not None
            needs = (target - melds).astype(np.int16)
        elif objective is ALL and target is not None and (self.cards_each == TRICKS or self.contract.bid is None):
            needs[melds < target] = _SKIP
        _run_blocks(
            lambda part, table, stop: _solver.solve_block(
                specs, which[part], self.hands[part], needs[part], leader=self.leader, number=self.number, end=end,
                exact=exact, table=table, out=out[part], nodes=counted[part], stop=stop,
            ),
            deals, threads, table_bits, progress,
        )  # fmt: skip
        if exact:
            lost = out < 0
            out += melds if objective.counts == "points" else _NO_MELDS
            out[lost] = -1
            return out
        made: npt.NDArray[np.bool_] = (out >= needs) & (needs != _SKIP)
        return made

    def _seats(self, partner: int | None) -> Seats:
        contract = self.contract
        side = {contract.declarer, *contract.joiners}
        if contract.side is not None:
            side = set(contract.side)
        elif partner is not None:
            side.add(partner)
        return Seats(contract.declarer, frozenset(side), self.hands.shape[1])

    def _melds(self) -> npt.NDArray[np.int16]:
        """Points of melds and marriage per deal."""
        if not self.counts_melds:
            return np.zeros(len(self.hands), np.int16)
        fixed = _mask(self._seats(None).side)
        side = np.full(len(self.hands), fixed, np.int64)
        if self.contract.side is None:
            side |= np.where(self.partners >= 0, 1 << np.maximum(self.partners, 0).astype(np.int64), 0)
        return side_points(
            self.hands, side, self.contract.trump, self.contract.rules.melds, declarer=self.contract.declarer,
            bidders=self.bidders,
        ).astype(np.int16)  # fmt: skip


def _check_calls(hands: npt.NDArray[np.uint64], together: npt.NDArray[np.uint64], contract: Contract) -> None:
    """The called card has to be allowed in every deal."""
    rules, called = contract.rules, contract.called
    assert called is not None
    known = hands[:, contract.declarer]
    if rules.watch is not None:
        known = known | (np.uint64(rules.deck.bits) & ~together)
    # Only the aces, kings and queens among the known cards matter, so few cases differ.
    high = sum(Card.of(suit, rank).bit for suit in Suit for rank in (Rank.ACE, Rank.KING, Rank.QUEEN))
    for case in np.unique(known & np.uint64(high)):
        allowed = rules.callable_cards(Hand.from_bits(int(case)), contract.trump)
        if called not in allowed:
            row = int(((known & np.uint64(high)) == case).argmax())
            names = " ".join(map(str, allowed))
            raise PandoerError(f"deal {row}: called card {str(called)!r} may not be called: expected one of {names}")


def _run_blocks(
    work: Callable[[slice, _solver.Table, npt.NDArray[np.int32]], None],
    deals: int,
    threads: int,
    table_bits: int,
    progress: Callable[[int], object] | None,
) -> None:
    """Do `work` on slices of the deals, in threads that share nothing but the order to stop."""
    stop = np.zeros(1, np.int32)
    size = max(1, min(256, deals // (4 * threads) or 1))
    parts = [slice(start, min(start + size, deals)) for start in range(0, deals, size)]
    if threads == 1 or len(parts) == 1:
        table = _solver.Table(table_bits)
        for part in parts:
            work(part, table, stop)
            if progress is not None:
                progress(part.stop - part.start)
        return
    tables: queue.SimpleQueue[_solver.Table] = queue.SimpleQueue()
    for _ in range(threads):
        tables.put(_solver.Table(table_bits))

    def task(part: slice) -> int:
        table = tables.get()
        try:
            work(part, table, stop)
        finally:
            tables.put(table)
        return part.stop - part.start

    with ThreadPoolExecutor(threads) as pool:
        waiting: set[Future[int]] = {pool.submit(task, part) for part in parts}
        try:
            while waiting:
                done, waiting = wait(waiting, timeout=0.05, return_when=FIRST_COMPLETED)
                finished = sum(future.result() for future in done)
                if progress is not None and finished:
                    progress(finished)
        except BaseException:
            stop[0] = 1
            for future in waiting:
                future.cancel()
            raise


def _cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _mask(seats: Iterable[int]) -> int:
    return sum(1 << seat for seat in seats)


def _deal(row: npt.NDArray[np.uint64]) -> Deal:
    return Deal([Hand.from_bits(int(bits)) for bits in row])


def _card_of(index: int) -> Card:
    return Card.of(Suit(index // 16), Rank(index % 16))


def _display_order(play: Play) -> tuple[int, int, str]:
    return -play.card.suit, -play.card.rank, play.call or ""
