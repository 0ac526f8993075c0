"""What has to happen in the eight tricks: every objective as a small automaton (RULES.md section 4).

An automaton reads who won each trick and says what is true afterwards: a new state, or that the contract is
lost.  Each state also says who is on the declaring side from then on.  A counting objective (card points or
tricks) has a single state and a target instead.  Nothing else in the package, the compiled kernel included,
knows an objective by its name, so a new one is a function of three lines.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from typing import Any, Literal

LOST = -1
"""What a step returns when the contract can no longer be made."""

TRICKS = 8
"""The most tricks that a hand has."""


@dataclass(frozen=True)
class Seats:
    """Who plays for the contract when the first card is led.

    Attributes
    ----------
    declarer
        Seat of the declarer.
    side
        Seats of the declaring side as far as it is known by then, the declarer included.
    players
        Number of players, 2 to 4.
    joined
        Seats that joined the declarer's misère.
    """

    declarer: int
    side: frozenset[int]
    players: int
    joined: frozenset[int] = frozenset()


Step = Callable[[int, int, int, bool, Seats], int]


def _everybody_fixed(state: int, seats: Seats) -> frozenset[int]:
    return seats.side


def _always(state: int) -> bool:
    return True


def _stay(state: int, trick: int, winner: int, with_jack: bool, seats: Seats) -> int:
    return state


@dataclass(frozen=True)
class Objective:
    """One objective, as data and up to three small functions.

    Attributes
    ----------
    name
        The name used in problems, such as ``"exactly-one"``.
    step
        ``step(state, trick, winner, with_jack, seats)`` gives the state after a trick, or `LOST`.  States are
        integers from 0 (the start) to 15; `trick` counts from 0; `with_jack` says that the trump jack won.
    side
        ``side(state, seats)`` gives the seats of the declaring side.
    accept
        ``accept(state)`` says whether the contract is made when the last trick is over.
    counts
        ``"points"`` or ``"tricks"`` for a counting objective, ``None`` for a yes or no.
    joins
        A partner comes into being during play: state p + 1 says that seat p has joined.
    needs_jack
        The objective asks whether a trick was won by the trump jack, so it needs a trump suit.
    about_declarer
        The objective speaks of tricks of the declarer himself, so he is on the side.
    """

    name: str
    step: Step = _stay
    side: Callable[[int, Seats], frozenset[int]] = _everybody_fixed
    accept: Callable[[int], bool] = _always
    counts: Literal["points", "tricks"] | None = None
    joins: bool = False
    needs_jack: bool = False
    about_declarer: bool = False

    def __str__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[Any, ...]:
        """One of the objectives here stays the one that it is when it is pickled or copied."""
        if any(known is self for known in OBJECTIVES):
            return _known, (self.name,)
        return Objective, tuple(getattr(self, field.name) for field in fields(self))


def _all(state: int, trick: int, winner: int, with_jack: bool, seats: Seats) -> int:
    return state if winner in seats.side else LOST


def _none(state: int, trick: int, winner: int, with_jack: bool, seats: Seats) -> int:
    return LOST if winner == seats.declarer or winner in seats.joined else state


def _exactly_one(state: int, trick: int, winner: int, with_jack: bool, seats: Seats) -> int:
    if winner != seats.declarer:
        return state
    return 1 if state == 0 else LOST


def _first_only(state: int, trick: int, winner: int, with_jack: bool, seats: Seats) -> int:
    return state if (winner == seats.declarer) == (trick == 0) else LOST


def _jack_only(state: int, trick: int, winner: int, with_jack: bool, seats: Seats) -> int:
    if winner != seats.declarer:
        return state
    return 1 if state == 0 and with_jack else LOST


def _one(state: int) -> bool:
    return state == 1


def _zwabber_called(state: int, trick: int, winner: int, with_jack: bool, seats: Seats) -> int:
    return state if winner == seats.declarer or (trick >= 4 and winner in seats.side) else LOST


def _zwabber_en(state: int, trick: int, winner: int, with_jack: bool, seats: Seats) -> int:
    """State 0: nobody has joined; state p + 1: seat p won a trick and is the partner."""
    if winner == seats.declarer:
        return state
    return winner + 1 if state in (0, winner + 1) else LOST


def _zwabber_nl(state: int, trick: int, winner: int, with_jack: bool, seats: Seats) -> int:
    if trick < 4 and winner != seats.declarer:
        return LOST
    return _zwabber_en(state, trick, winner, with_jack, seats)


def _joined(state: int, seats: Seats) -> frozenset[int]:
    return seats.side if state == 0 else seats.side | {state - 1}


def _somebody_joined(state: int) -> bool:
    return state > 0


ALL = Objective("all", _all)
NONE = Objective("none", _none, about_declarer=True)
EXACTLY_ONE = Objective("exactly-one", _exactly_one, accept=_one, about_declarer=True)
FIRST_ONLY = Objective("first-only", _first_only, about_declarer=True)
JACK_ONLY = Objective("jack-only", _jack_only, accept=_one, needs_jack=True, about_declarer=True)
ZWABBER_CALLED = Objective("zwabber-called", _zwabber_called, about_declarer=True)
ZWABBER_NL = Objective("zwabber-nl", _zwabber_nl, _joined, _somebody_joined, joins=True, about_declarer=True)
ZWABBER_EN = Objective("zwabber-en", _zwabber_en, _joined, joins=True, about_declarer=True)
POINTS = Objective("points", counts="points")
TRICKS_WON = Objective("tricks", counts="tricks")

OBJECTIVES: tuple[Objective, ...] = (
    ALL, NONE, EXACTLY_ONE, FIRST_ONLY, JACK_ONLY, ZWABBER_CALLED, ZWABBER_NL, ZWABBER_EN, POINTS, TRICKS_WON,
)  # fmt: skip
"""Every objective of RULES.md section 4, and the count of tricks."""


def _known(name: str) -> Objective:
    return next(known for known in OBJECTIVES if known.name == name)


MADE_CODE, LOST_CODE, STATES = 254, 255, 16


@dataclass(frozen=True)
class Automaton:
    """An objective worked out for given seats and a given number of tricks, as tables for the kernel.

    Attributes
    ----------
    next
        ``uint8 [16 states, 8 tricks, 4 winners, 2]``, flattened: the next state, or 254 when the contract is
        then made whatever follows, or 255 when it is lost whatever follows.  The last axis is 1 when the
        trump jack won the trick.
    side
        ``uint8 [16]``: the declaring side as a mask of seats, per state.
    avoid
        ``uint8 [16, 8]``, flattened: a mask of seats when from this state and trick on the contract is
        exactly "none of these wins a trick any more", else 0.
    shun
        ``uint8 [16, 8]``, flattened: the mask of a player alone on his side when from this state and trick on
        each trick that he wins without the trump jack loses the contract, else 0.
    jack
        ``uint8 [16, 8]``, flattened: a mask of seats, one of whom still has to win a trick with the trump jack
        or the contract is lost; 0 when nobody has to.
    owe
        ``uint8 [16, 8]``, flattened: the mask of a player alone on his side who from this state and trick on has
        to win exactly one trick, any one or any one with the trump jack, else 0.
    must
        ``uint8 [16, 8]``, flattened: so many tricks from this one on a player alone on his side has to win
        himself, one after another, or the contract is lost.
    enough
        ``uint8 [16, 8]``, flattened: when he has won so many, the contract is made whatever follows; 0 for never.
    share
        ``uint8 [16, 8]``, flattened: one more than the number of tricks that he has to win first; then whoever
        else wins a trick is his partner, and those two have to win all that follow.  0 when it is not so.
    """

    next: bytes
    side: bytes
    avoid: bytes
    shun: bytes
    jack: bytes
    owe: bytes
    must: bytes
    enough: bytes
    share: bytes


@lru_cache(maxsize=4096)
def automaton(objective: Objective, seats: Seats, end: int) -> Automaton:
    """Work out the tables of `objective` for a game whose last trick is number ``end - 1``.

    Parameters
    ----------
    objective
        The objective; a counting one gives the trivial automaton.
    seats
        The declarer, his side and the number of players.
    end
        Number of tricks of the whole game, those already played included (1 to 8).
    """
    reached = [{0}]
    for trick in range(end):
        after = {
            objective.step(state, trick, winner, jack, seats)
            for state in reached[trick]
            for winner in range(seats.players)
            for jack in (False, True)
        }
        reached.append(after - {LOST})
    side = bytearray(STATES)
    for state in set().union(*reached):
        side[state] = _mask(objective.side(state, seats))
    blank = bytes(STATES * TRICKS)
    if objective.counts:
        # A count goes on to the end: no state is ever decided before it.
        return Automaton(bytes(STATES * TRICKS * 8), bytes(side), *[blank] * 7)
    tables = _Tables(objective, seats, end, reached)
    return Automaton(
        bytes(tables.next), bytes(side), tables.avoid, tables.shun(), tables.jack(), tables.owe(), tables.must(),
        tables.enough(), tables.share(),
    )  # fmt: skip


class _Tables:
    """The tables of a yes or no, each worked out from the last trick backwards."""

    def __init__(self, objective: Objective, seats: Seats, end: int, reached: list[set[int]]) -> None:
        self.objective, self.seats, self.end, self.reached = objective, seats, end, reached
        self.next = bytearray([LOST_CODE]) * (STATES * TRICKS * 8)
        # Decided states become made or lost.
        codes = {state: MADE_CODE if objective.accept(state) else LOST_CODE for state in reached[end]}
        for trick in reversed(range(end)):
            now: dict[int, int] = {}
            for state in reached[trick]:
                seen = set()
                for winner in range(seats.players):
                    for jack in (0, 1):
                        after = objective.step(state, trick, winner, bool(jack), seats)
                        code = LOST_CODE if after == LOST else codes[after]
                        self.next[((state * TRICKS + trick) * 4 + winner) * 2 + jack] = code
                        seen.add(code)
                now[state] = seen.pop() if seen in ({MADE_CODE}, {LOST_CODE}) else state
            codes = now

    def code(self, state: int, trick: int, winner: int, jack: int) -> int:
        """What is true after a trick."""
        return self.next[((state * TRICKS + trick) * 4 + winner) * 2 + jack]

    def _backwards(self, entry: Callable[[int, int, bytearray], int]) -> bytes:
        """A table [state, trick] whose entries depend on those of the next trick."""
        table = bytearray(STATES * TRICKS)
        for trick in reversed(range(self.end)):
            for state in self.reached[trick]:
                table[state * TRICKS + trick] = entry(state, trick, table)
        return bytes(table)

    @cached_property
    def avoid(self) -> bytes:
        """See `Automaton`: whoever is not in the mask changes nothing by winning."""

        def entry(state: int, trick: int, table: bytearray) -> int:
            last = trick + 1 == self.end
            losing = 0
            for winner in range(self.seats.players):
                codes = {self.code(state, trick, winner, jack) for jack in (0, 1)}
                if codes == {LOST_CODE}:
                    losing |= 1 << winner
                elif codes != {MADE_CODE if last else state}:
                    return 0
            return losing if last or table[state * TRICKS + trick + 1] == losing else 0

        return self._backwards(entry)

    def shun(self) -> bytes:
        """See `Automaton`."""

        def entry(state: int, trick: int, table: bytearray) -> int:
            codes = self._codes(state, trick)
            alone = self.objective.side(state, self.seats)
            if len(alone) != 1 or codes == {LOST_CODE}:
                return 0
            (seat,) = alone
            later = {table[code * TRICKS + trick + 1] for code in codes if code < MADE_CODE}
            lost = self.code(state, trick, seat, 0) == LOST_CODE
            return 1 << seat if lost and later <= {1 << seat} else 0

        return self._backwards(entry)

    def jack(self) -> bytes:
        """See `Automaton`."""
        seats = 0
        for trick in range(self.end):
            for state in self.reached[trick]:
                for winner in range(self.seats.players):
                    if self.code(state, trick, winner, 0) != self.code(state, trick, winner, 1):
                        seats |= 1 << winner

        def entry(state: int, trick: int, table: bytearray) -> int:
            if self._codes(state, trick) == {LOST_CODE}:
                return 0
            plain = {self.code(state, trick, winner, 0) for winner in range(self.seats.players)}
            needed = all(
                code == LOST_CODE or (code < MADE_CODE and table[code * TRICKS + trick + 1]) for code in plain
            )
            return seats if needed else 0

        return self._backwards(entry)

    def owe(self) -> bytes:
        """See `Automaton`."""
        dry = self.avoid

        def entry(state: int, trick: int, table: bytearray) -> int:
            alone = self.objective.side(state, self.seats)
            if len(alone) != 1:
                return 0
            (seat,) = alone
            last = trick + 1 == self.end
            others = {
                self.code(state, trick, winner, jack)
                for winner in range(self.seats.players) if winner != seat for jack in (0, 1)
            }  # fmt: skip
            if others != {LOST_CODE if last else state}:
                return 0
            won = self.code(state, trick, seat, 1)
            paid = won == MADE_CODE if last else won < MADE_CODE and dry[won * TRICKS + trick + 1] == 1 << seat
            if not paid or self.code(state, trick, seat, 0) not in (won, LOST_CODE):
                return 0
            return 1 << seat if last or table[state * TRICKS + trick + 1] == 1 << seat else 0

        return self._backwards(entry)

    def must(self) -> bytes:
        """See `Automaton`."""

        def entry(state: int, trick: int, table: bytearray) -> int:
            own = self._own(state, trick)
            others = {
                self.code(state, trick, winner, jack)
                for winner in range(self.seats.players) for jack in (0, 1)
                if {winner} != self.objective.side(state, self.seats)
            }  # fmt: skip
            if own is None or own == LOST_CODE or others != {LOST_CODE}:
                return 0
            return 1 if own == MADE_CODE else 1 + table[own * TRICKS + trick + 1]

        return self._backwards(entry)

    def enough(self) -> bytes:
        """See `Automaton`."""

        def entry(state: int, trick: int, table: bytearray) -> int:
            own = self._own(state, trick)
            if own is None or own == LOST_CODE:
                return 0
            later = 0 if own == MADE_CODE else table[own * TRICKS + trick + 1]
            return later + 1 if own == MADE_CODE or later else 0

        return self._backwards(entry)

    def share(self) -> bytes:
        """See `Automaton`."""

        def entry(state: int, trick: int, table: bytearray) -> int:
            own = self._own(state, trick)
            if own is None:
                return 0
            others = set(range(self.seats.players)) - self.objective.side(state, self.seats)
            if len(others) < 2:
                return 0
            joined = {(seat, self.code(state, trick, seat, jack)) for seat in others for jack in (0, 1)}
            if trick + 1 == self.end:
                return int(all(code == MADE_CODE for _, code in joined))
            if all(
                code < MADE_CODE and self.avoid[code * TRICKS + trick + 1] == _mask(frozenset(others - {seat}))
                for seat, code in joined
            ):
                return 1
            later = table[own * TRICKS + trick + 1] if own < MADE_CODE else 0
            return later + 1 if later and {code for _, code in joined} == {LOST_CODE} else 0

        return self._backwards(entry)

    def _own(self, state: int, trick: int) -> int | None:
        """What is true after a trick won by a player alone on his side, if the jack makes no difference."""
        alone = self.objective.side(state, self.seats)
        codes = {self.code(state, trick, seat, jack) for seat in alone for jack in (0, 1)}
        return codes.pop() if len(alone) == len(codes) == 1 else None

    def _codes(self, state: int, trick: int) -> set[int]:
        return {self.code(state, trick, winner, jack) for winner in range(self.seats.players) for jack in (0, 1)}


def _mask(seats: frozenset[int]) -> int:
    return sum(1 << seat for seat in seats)


def replay(objective: Objective, seats: Seats, winners: tuple[int, ...], jack: bool) -> int:
    """The state after `winners` won the first tricks, or `LOST`.

    `jack` says that the declarer's one trick was won by the trump jack.
    """
    state = 0
    for trick, winner in enumerate(winners):
        state = objective.step(state, trick, winner, jack and winner == seats.declarer, seats)
        if state == LOST:
            return LOST
    return state


def settled(objective: Objective, seats: Seats, winners: tuple[int, ...], jack: bool, end: int) -> bool | None:
    """Whether a yes or no is made by the first tricks whatever follows, or lost; ``None`` while both may be.

    `winners` and `jack` are as in `replay`; the game's last trick is number ``end - 1``.
    """
    state, trick = replay(objective, seats, winners, jack), len(winners)
    if state == LOST:
        return False
    if trick == end:
        return objective.accept(state)
    here = (state * TRICKS + trick) * 8
    codes = set(automaton(objective, seats, end).next[here : here + 2 * seats.players])
    return {MADE_CODE: True, LOST_CODE: False}.get(codes.pop()) if len(codes) == 1 else None
