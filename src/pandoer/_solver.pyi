"""The compiled search, as far as Python uses it; every call is made with data already checked."""

from collections.abc import Callable, Sequence
from typing import Self

import numpy as np
import numpy.typing as npt
from typing_extensions import disjoint_base

from pandoer.contracts import PlayRules

# Left in the module by Cython.
__test__: dict[str, str]
__reduce_cython__: Callable[[object], object]
__setstate_cython__: Callable[[object, object], None]

@disjoint_base
class Table:
    """A transposition table of ``2 ** bits`` entries of 24 bytes, for one thread at a time."""

    def __new__(cls, bits: int = 15) -> Self: ...
    @property
    def nbytes(self) -> int: ...

@disjoint_base
class Spec:
    """A contract with its seats, encoded for the search."""

    def __new__(
        cls,
        *,
        players: int,
        declarer: int,
        partner: int,
        trump: int,
        play: PlayRules,
        orders: Sequence[Sequence[int]],
        card_points: Sequence[Sequence[int]],
        last_points: int,
        trick_points: int,
        counts: str | None,
        called: int | None,
        needs_jack: bool,
        next: bytes,
        side: bytes,
        avoid: bytes,
        shun: bytes,
        jack: bytes,
        owe: bytes,
        must: bytes,
        enough: bytes,
        share: bytes,
    ) -> Self: ...

@disjoint_base
class Position:
    """A position to search: hands as they stand, cards laid to the trick, whose turn it is."""

    @property
    def spec(self) -> Spec: ...
    @property
    def total(self) -> int: ...
    @property
    def nodes(self) -> int: ...
    @property
    def lost(self) -> bool: ...
    def __new__(
        cls,
        spec: Spec,
        table: Table,
        hands: Sequence[int],
        *,
        leader: int,
        trick: Sequence[int] = (),
        call: int = 0,
        state: int = 0,
        number: int = 0,
        end: int = 8,
        stop: npt.NDArray[np.int32],
    ) -> Self: ...
    def moves(self) -> list[tuple[int, int]]: ...
    def reaches(self, need: int, move: tuple[int, int] | None = None) -> int: ...

def solve_block(
    specs: Sequence[Spec],
    which: npt.NDArray[np.uint8],
    hands: npt.NDArray[np.uint64],
    needs: npt.NDArray[np.int16],
    order: npt.NDArray[np.int64],
    *,
    leader: int,
    number: int,
    end: int,
    first: int,
    call: int,
    exact: bool,
    keep: bool,
    limit: int,
    table: Table,
    out: npt.NDArray[np.int16],
    nodes: npt.NDArray[np.int64],
    stop: npt.NDArray[np.int32],
) -> None: ...

def solve_moves(
    specs: Sequence[Spec],
    states: npt.NDArray[np.int8],
    which: npt.NDArray[np.uint8],
    hands: npt.NDArray[np.uint64],
    needs: npt.NDArray[np.int16],
    moves: npt.NDArray[np.int32],
    *,
    leader: int,
    trick: npt.NDArray[np.uint64],
    call: int,
    number: int,
    end: int,
    exact: bool,
    limit: int,
    table: Table,
    out: npt.NDArray[np.int16],
    nodes: npt.NDArray[np.int64],
    stop: npt.NDArray[np.int32],
) -> None: ...

def excluded(
    spec: Spec,
    trick: Sequence[int],
    *,
    leader: int,
    call: int,
    number: int,
    call_live: bool,
    seat: int,
    card: int,
    said: int,
    among: int,
) -> int: ...

def legal_in_worlds(
    specs: Sequence[Spec],
    which: npt.NDArray[np.uint8],
    hands: npt.NDArray[np.uint64],
    *,
    leader: int,
    trick: npt.NDArray[np.uint64],
    call: int,
    number: int,
    out: npt.NDArray[np.uint64],
) -> None: ...

TECHNIQUE_NAMES: tuple[str, ...]

def switch_off(*names: str) -> None: ...
def has_switches() -> bool: ...
