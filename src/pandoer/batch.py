"""Many deals at once on several threads: `solve_many`, and the batches behind it and behind `odds`."""

from __future__ import annotations

import os
import queue
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt

from pandoer import _solver
from pandoer.cards import Card, Deal, Hand, Rank, Suit
from pandoer.contracts import Contract
from pandoer.errors import PandoerError
from pandoer.melds import side_points
from pandoer.objectives import ALL, Seats
from pandoer.problems import Play, Problem
from pandoer.solver import CALLS, TABLE_BITS, check_table_bits, seat_mask, spec_of

Results = npt.NDArray[np.bool_] | npt.NDArray[np.int16]
"""Bool or int16 per deal; with a limit of nodes a masked array, whose masked entries are unknown."""

Progress = Callable[[int], object]
T = TypeVar("T")
R = TypeVar("R")

OUT_OF_REACH = 5000
"""More than any count can reach, and far from the kernel's mark of a lost contract."""

AT_A_TIME = 512
"""Deals that a thread takes at a time, at most."""

_SKIP = np.int16(-32768)
_GIVEN_UP = np.int16(-32767)


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
    node_limit: int | None = None,
    table_bits: int = TABLE_BITS,
    progress: Progress | None = None,
) -> Results:
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
    node_limit
        Give up a deal after so many cards played in its search; ``None`` for never.  Then the result is a
        `numpy.ma.MaskedArray`, whose masked entries are unknown.  Those are not a random choice of the deals.
    table_bits
        Size of each thread's transposition table, ``2 ** table_bits`` entries of about 100 bytes.
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
    job = batch.job(exact=exact, node_limit=node_limit)
    run([job], threads=threads, table_bits=table_bits, progress=progress)
    return job.result()


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
    melds: npt.NDArray[np.int16] | None = None
    """Points of melds and marriage per deal, when they are known already."""

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
            return cls(hands, contract, 0, 0, contract.rules.hand, bidders, False, np.zeros(0, np.int8))
        # The first deal as a problem of its own finds everything that is wrong with all of them.
        try:
            first = Problem(
                _deal(hands[0]), contract, leader=leader, trick_number=trick_number, bidders=bidders, melds=melds
            )
        except PandoerError as error:
            raise PandoerError(f"deal 0: {error}") from None
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

    def job(
        self,
        *,
        exact: bool,
        node_limit: int | None = None,
        targets: npt.ArrayLike | None = None,
        lead: Play | None = None,
        alike: bool = False,
    ) -> Job:
        """The work of solving them: their values if `exact`, else whether the target is reached.

        `targets`: one for each deal instead of the contract's; `lead`: the first card, a legal one; `alike`: the deals
        have so much in common, being many of all layouts, that proofs are worth keeping in contracts that count.
        """
        check_node_limit(node_limit)
        deals = len(self.hands)
        objective = self.contract.objective
        target = self.contract.target if targets is None else np.asarray(targets, np.int64)
        seats, which = np.unique(self.partners, return_inverse=True)
        end = self.number + self.cards_each
        specs = []
        for seat in seats:
            partner = None if seat < 0 else int(seat)
            specs.append(
                spec_of(self.contract, self._seats(partner), end, partner if self.contract.protected else None)
            )
        melds = self._melds()
        full = self.cards_each == self.contract.rules.hand
        needs = np.ones(deals, np.int16)
        if objective.counts is not None and not exact:
            assert target is not None
            needs = np.clip(target - melds.astype(np.int64), -OUT_OF_REACH, OUT_OF_REACH).astype(np.int16)
        elif objective is ALL and target is not None and (full or self.contract.bid is None):
            needs[melds < target] = _SKIP
        over = None
        if self.cards_each == 0 and objective.counts is None:
            over = objective.accept(0)
            needs[:] = _SKIP
        return Job(
            self.hands, specs, which.astype(np.uint8), needs, melds, self.leader, self.number, end, exact,
            objective.counts,
            np.zeros(deals, np.int16), np.zeros(deals, np.int64), over, node_limit, lead,
            keep=alike or objective.counts is None,
        )  # fmt: skip

    def _seats(self, partner: int | None) -> Seats:
        contract = self.contract
        side = {contract.declarer, *contract.joiners}
        if contract.side is not None:
            side = set(contract.side)
        elif partner is not None:
            side.add(partner)
        return Seats(contract.declarer, frozenset(side), self.hands.shape[1], frozenset(contract.joiners))

    def _melds(self) -> npt.NDArray[np.int16]:
        """Points of melds and marriage per deal."""
        if not self.counts_melds:
            return np.zeros(len(self.hands), np.int16)
        if self.melds is not None:
            return self.melds
        fixed = seat_mask(self._seats(None).side)
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


@dataclass(frozen=True)
class Job:
    """The arrays of one batch, which the kernel reads and fills in part by part."""

    hands: npt.NDArray[np.uint64]
    specs: Sequence[_solver.Spec]
    which: npt.NDArray[np.uint8]
    needs: npt.NDArray[np.int16]
    melds: npt.NDArray[np.int16]
    leader: int
    number: int
    end: int
    exact: bool
    counts: str | None
    out: npt.NDArray[np.int16]
    nodes: npt.NDArray[np.int64]
    over: bool | None = None
    node_limit: int | None = None
    lead: Play | None = None
    keep: bool = False

    def work(self, part: slice, table: _solver.Table, stop: npt.NDArray[np.int32]) -> None:
        """Solve a slice of the deals in their `order`."""
        _solver.solve_block(
            self.specs, self.which, self.hands, self.needs, self.order[part], leader=self.leader,
            number=self.number, end=self.end, first=-1 if self.lead is None else self.lead.card.index,
            call=0 if self.lead is None else CALLS.index(self.lead.call), exact=self.exact, keep=self.keep,
            limit=int(self.node_limit or 0), table=table, out=self.out, nodes=self.nodes, stop=stop,
        )  # fmt: skip

    @cached_property
    def order(self) -> npt.NDArray[np.int64]:
        """Deals whose hidden hands have the same suit lengths next to each other: they have proofs in common."""
        key = self.which.astype(np.uint64)
        players = self.hands.shape[1]
        for seat in (2, 1, 3) if players == 4 else range(1, players):  # the lengths in seat 0 follow from the others
            for suit in range(4):
                cards = (self.hands[:, seat] >> np.uint64(16 * suit)) & np.uint64(0xFFFF)
                key = key << np.uint64(4) | np.bitwise_count(cards)
        return np.argsort(key, kind="stable")

    def result(self) -> Results:
        """What `solve_many` returns, once all slices are done."""
        if self.over is not None:
            return np.full(len(self.out), self.over)
        result: Results
        if self.exact:
            result = np.where(self.out < 0, np.int16(-1), self.out + self.melds)
        else:
            result = (self.out >= self.needs) & (self.needs != _SKIP)
        if self.node_limit is None:
            return result
        masked: Any = np.ma.MaskedArray(result, mask=self.unknown())
        return cast(Results, masked)

    def bounds(self) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]]:
        """At least and at most what each deal is worth, as far as this work has shown.

        Points or tricks, with -1 for a contract lost by a protected card; 1 or 0 for made or not.
        """
        reached = self.out >= self.needs
        if self.counts is None:
            least = np.where(reached, np.int16(1), np.int16(0))
            return least, np.where(self.unknown(), np.int16(1), least)
        # A bound below nothing says that the contract is lost; or, where it was reached, no more than that it is not.
        above = np.maximum(self.out, 0) + self.melds
        below = np.where(self.out < 0, np.int16(-1), above)
        nothing, everything = np.int16(-1), np.int16(OUT_OF_REACH)
        known = ~self.unknown()
        if self.exact:
            return np.where(known, below, nothing), np.where(known, below, everything)
        return np.where(known & reached, above, nothing), np.where(known & ~reached, below, everything)

    def unknown(self) -> npt.NDArray[np.bool_]:
        """The deals that were given up."""
        given_up: npt.NDArray[np.bool_] = self.out == _GIVEN_UP
        return given_up


def run(
    jobs: Sequence[Job],
    *,
    threads: int | None = None,
    table_bits: int = TABLE_BITS,
    progress: Progress | None = None,
) -> None:
    """Do all the work of `jobs` in threads that share nothing but the order to stop."""
    if threads is None:
        threads = cores()
    if isinstance(threads, bool) or not isinstance(threads, int | np.integer) or threads < 1:
        raise PandoerError(f"threads {threads!r}: expected a whole number, 1 or more")
    check_table_bits(table_bits)
    stop = np.zeros(1, np.int32)
    for job in jobs:
        _ = job.order  # worked out once, before the threads ask for it
    parts = list(_parts(jobs, threads))

    def worker() -> Callable[[tuple[Job, slice]], int]:
        table = _solver.Table(table_bits)

        def work(task: tuple[Job, slice]) -> int:
            job, part = task
            job.work(part, table, stop)
            return int(part.stop - part.start)

        return work

    spread(parts, worker, (lambda _: None) if progress is None else progress, stop, threads)


def _parts(jobs: Sequence[Job], threads: int) -> Iterator[tuple[Job, slice]]:
    """Slices of the jobs, with fewer deals towards the end, so that all threads end at about the same time."""
    left = sum(len(job.hands) for job in jobs)
    for job in jobs:
        start = 0
        while start < len(job.hands):
            stop = min(start + max(1, min(AT_A_TIME, left // (8 * threads))), len(job.hands))
            yield job, slice(start, stop)
            left -= stop - start
            start = stop


def spread(
    tasks: Sequence[T],
    worker: Callable[[], Callable[[T], R]],
    take: Callable[[R], object],
    stop: npt.NDArray[np.int32],
    threads: int,
) -> None:
    """Do tasks in threads.

    Parameters
    ----------
    tasks
        In the order in which they are begun.
    worker
        Called once in each thread; what it gives does one task after the other.
    take
        Called in this thread with what comes of each task, in the order in which they end.
    stop
        ``int32 [1]``, set to 1 when nothing more is wanted: all is done, or something was raised, here or in a thread.
    threads
        How many.
    """
    threads = min(threads, len(tasks)) or 1
    if threads == 1:
        work = worker()
        for task in tasks:
            take(work(task))
        return
    # Plain threads and C queues: waiting for futures is not safe against Ctrl-C, which may leave their locks held.
    todo: queue.SimpleQueue[T] = queue.SimpleQueue()
    for task in tasks:
        todo.put(task)
    done: queue.SimpleQueue[tuple[R | None, BaseException | None]] = queue.SimpleQueue()

    def run_tasks() -> None:
        try:
            work = worker()
            while not stop[0]:
                done.put((work(todo.get_nowait()), None))
        except queue.Empty:
            pass
        except BaseException as error:
            done.put((None, error))

    workers = [threading.Thread(target=run_tasks, name="pandoer") for _ in range(threads)]
    left = len(tasks)
    try:
        for thread in workers:
            thread.start()
        while left:
            try:
                found, error = done.get(timeout=0.1)
            except queue.Empty:
                continue
            if error is not None:
                raise error
            left -= 1
            take(found)  # type: ignore[arg-type]
    finally:
        stop[0] = 1
        for thread in workers:
            _join(thread)


def _join(worker: threading.Thread) -> None:
    """Wait for a thread that is about to end, even if Ctrl-C is pressed again."""
    while worker.ident is not None and worker.is_alive():
        with suppress(KeyboardInterrupt):
            worker.join(0.1)


def check_node_limit(node_limit: int | None) -> None:
    """Refuse what is no limit of nodes."""
    if node_limit is not None and (
        isinstance(node_limit, bool) or not isinstance(node_limit, int | np.integer) or node_limit < 1
    ):
        raise PandoerError(f"node_limit {node_limit!r}: expected a whole number, 1 or more")


def cores() -> int:
    """The cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _deal(row: npt.NDArray[np.uint64]) -> Deal:
    return Deal([Hand.from_bits(int(bits)) for bits in row])


