"""Exact results with all hands known: `solve` and `legal_plays`.

Here everything is validated, named and explained; `pandoer._solver` only computes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from pandoer import _solver
from pandoer.cards import Card, Deal, Hand, Rank, Suit
from pandoer.contracts import CardRules, Contract, PlayRules
from pandoer.errors import PandoerError
from pandoer.melds import side_points
from pandoer.objectives import ALL, LOST, POINTS, TRICKS, Objective, Seats, automaton, replay
from pandoer.problems import CallName, Play, Problem, State, problem
from pandoer.rulesets.base import parse_trump

TABLE_BITS = 15
"""Default size of a transposition table: 2 ** 15 entries of about 100 bytes, 3.5 MB a thread."""

CALLS: tuple[CallName | None, ...] = (None, "must", "need-not")


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
        next=machine.next, side=machine.side, avoid=machine.avoid, shun=machine.shun,
        jack=machine.jack, owe=machine.owe, must=machine.must, enough=machine.enough, share=machine.share,
    )  # fmt: skip


def spec_of(contract: Contract, seats: Seats, end: int, partner: int | None) -> _solver.Spec:
    """The kernel's form of a contract; `partner` holds the protected card, if there is one."""
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
        The transposition table has ``2 ** table_bits`` entries of about 100 bytes, 4 to 26.

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
    check_table_bits(table_bits)
    search = _Search(asked, _solver.Table(table_bits))
    solution = search.solve()
    if not asked.contract.joiners:
        return solution
    dry = []
    nodes = solution.nodes
    for seat in (asked.contract.declarer, *asked.contract.joiners):
        alone = _Search(asked, search.table, side=frozenset({seat}))
        dry.append((seat, alone.reached()))
        nodes += alone.nodes
    return Solution(solution.made, None, None, solution.best, nodes, tuple(sorted(dry)))


class _Search:
    """One position in the kernel, with what happened before it and the melds added to its counts."""

    def __init__(self, asked: Problem, table: _solver.Table, side: frozenset[int] | None = None) -> None:
        self.asked = asked
        self.table = table
        contract, number = asked.contract, asked.number
        seats = asked.seats
        if side is not None:
            seats = Seats(min(side), side, seats.players)
        self.seats = seats
        objective, state = contract.objective, asked.state
        self.state = self._start_state(objective)
        self.end = number + asked.cards_each
        self.melds = melds_of(asked, seats)
        self.before = 0
        if objective.counts == "points":
            self.before = state.points + self.melds
        elif objective.counts == "tricks":
            self.before = sum(winner in seats.side for winner in state.winners or ())
        self.position = _solver.Position(
            spec_of(contract, seats, self.end, asked.partner if contract.protected else None),
            table,
            [hand.bits for hand in asked.deal],
            leader=asked.first, trick=[card.bit for card in asked.trick], call=CALLS.index(asked.call),
            state=max(self.state, 0), number=number, end=self.end, stop=np.zeros(1, np.int32),
        )  # fmt: skip
        self._check_trick()

    def _start_state(self, objective: Objective) -> int:
        state, seats = self.asked.state, self.seats
        if state.lost:
            return LOST
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
        hands = list(asked.start_hands)
        for i, card in enumerate(asked.trick):
            seat = (asked.first + i) % asked.players
            hand = hands[seat]
            earlier = _solver.Position(
                self.position.spec, self.table, [h.bits for h in hands], leader=asked.first,
                trick=[c.bit for c in asked.trick[:i]], call=CALLS.index(asked.call) if i else 0,
                state=max(self.state, 0), number=asked.number, end=self.end, stop=np.zeros(1, np.int32),
            )  # fmt: skip
            hands[seat] = hand - card
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

    def reached(self) -> bool:
        """Whether a yes or no is reached, by one of the forced leads if a lead is forced."""
        lead = self.asked.lead
        moves = [None] if lead is None else self._forced(self.position.moves(), lead)
        return any(self.value(move) > 0 for move in moves)

    def solve(self) -> Solution:
        asked, position = self.asked, self.position
        objective, target = asked.contract.objective, asked.contract.target
        moves = position.moves()
        if asked.lead is not None:
            moves = self._forced(moves, asked.lead)
            values = {m: self.value(m) for m in moves}
            value = max(values.values()) if self.maximises else min(values.values())
            best = [m for m in moves if values[m] == value]
        else:
            value = self.value()
            best = [m for m in moves if self._reaches(m, value)]
        made: bool | None = None
        points = tricks = None
        if objective.counts is None:
            made = value > 0
            if target is not None and objective is ALL and self._melds_are_asked():
                made = made and self.melds >= target
                best = best if made else moves
        else:
            total = None if value < 0 else value + self.before
            made = None if target is None else total is not None and total >= target
            if objective.counts == "points":
                points = total
            else:
                tricks = total
        plays = plays_of(best)
        return Solution(made, points, tricks, tuple(plays), position.nodes)

    def _melds_are_asked(self) -> bool:
        """In an ending of a bid such as pandoer+20 the melds were settled long ago, and it is alive."""
        asked = self.asked
        return asked.full or asked.contract.bid is None or asked.state.melds is not None

    @property
    def maximises(self) -> bool:
        """Whether the player to move is on the declaring side."""
        return self.asked.turn in self.asked.contract.objective.side(max(self.state, 0), self.seats)

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
            if index == lead.card.index and (lead.call is None or CALLS[call] == lead.call)
        ]
        if not chosen:
            legal = " ".join(str(Play(_card_of(index), CALLS[call])) for index, call in moves)
            raise PandoerError(f"lead {str(lead)!r}: expected one of {legal or 'no cards'}")
        return chosen


def melds_of(asked: Problem, seats: Seats) -> int:
    """Points of melds and marriage that count for a side: on full hands, or what `State.melds` says in an ending."""
    if not asked.counts_melds:
        return asked.state.melds or 0
    contract = asked.contract
    points = side_points(
        np.array([hand.bits for hand in asked.start_hands], np.uint64), seat_mask(seats.side), contract.trump,
        contract.rules.melds, declarer=contract.declarer, bidders=asked.bidders,
    )  # fmt: skip
    return int(points)


def legal_moves(asked: Problem) -> tuple[Play, ...]:
    """Every legal play of the player to move, spades first; none when no cards are left.

    The called suit is there twice, with *must* and *need not*, when the called card is protected.
    """
    moves = _Search(asked, _solver.Table(4)).position.moves()
    return tuple(plays_of(moves))


def legal_leads(contract: Contract, hands: Sequence[int]) -> list[Play]:
    """What the declarer may lead to the first trick, or when he leads in an ending, from the bits of all hands.

    The called suit is there twice, with *must* and *need not*, when the called card is protected.
    """
    card = contract.partner_card
    partner = None if card is None else next(seat for seat, bits in enumerate(hands) if bits & card.bit)
    side = {contract.declarer, *contract.joiners} | ({partner} if partner is not None else set())
    seats = Seats(contract.declarer, frozenset(side), len(hands), frozenset(contract.joiners))
    cards = hands[0].bit_count()
    number = contract.rules.hand - cards
    position = _solver.Position(
        spec_of(contract, seats, number + cards, partner if contract.protected else None), _solver.Table(4), hands,
        leader=contract.declarer, number=number, end=number + cards, stop=np.zeros(1, np.int32),
    )  # fmt: skip
    return plays_of(position.moves())


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


def check_table_bits(table_bits: int) -> None:
    """Refuse what is no size of a transposition table."""
    if not isinstance(table_bits, int) or not 4 <= table_bits <= 26:
        raise PandoerError(f"table_bits {table_bits!r}: expected 4 to 26")


def seat_mask(seats: Iterable[int]) -> int:
    """A set of seats as bits."""
    return sum(1 << seat for seat in seats)


def plays_of(moves: Iterable[tuple[int, int]]) -> list[Play]:
    """The kernel's moves as plays, spades first."""
    return sorted((Play(_card_of(index), CALLS[call]) for index, call in moves), key=_display_order)


def _card_of(index: int) -> Card:
    return Card.of(Suit(index // 16), Rank(index % 16))


def _display_order(play: Play) -> tuple[int, int, str]:
    return -play.card.suit, -play.card.rank, play.call or ""
