"""Who does the work of a table: threads, processes that are replaced when they die, or any other executor.

`run` hands chunks to an executor, a few more at a time than it has workers, and takes their results as they come.
"""

from __future__ import annotations

import multiprocessing
import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing.connection import Connection, wait
from types import FrameType
from typing import Any

from pandoer.batch import cores
from pandoer.errors import PandoerError
from pandoer.tables.chunks import Chunk
from pandoer.tables.hands import Block
from pandoer.tables.rows import Solved, Task, solve

__all__ = ["Processes", "UnfinishedError", "run"]

TRIES = 3
"""How often a chunk is tried whose worker dies."""

ASK_AGAIN = 5.0
"""Seconds after which a cluster is asked again how many workers it has."""


class UnfinishedError(PandoerError):
    """A table could not be finished, for no fault of what was asked; the finished parts are kept."""


class Processes(Executor):
    """Processes of this machine.

    One that dies, by lack of memory perhaps, is replaced with all the others, and what they did is lost; when this
    program dies they end as well.  A program that uses it has to keep its own start behind
    ``if __name__ == "__main__":``, as always with processes.

    Parameters
    ----------
    workers
        How many.
    """

    def __init__(self, workers: int) -> None:
        if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
            raise PandoerError(f"processes {workers!r}: expected a whole number, 1 or more")
        self.workers = workers
        self._context = multiprocessing.get_context("spawn")
        self._start()

    def _start(self) -> None:
        reader, self._writer = self._context.Pipe(duplex=False)
        self._pool = ProcessPoolExecutor(
            self.workers, mp_context=self._context, initializer=_begin, initargs=(reader,)
        )

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Have a function called by one of the processes."""
        try:
            return self._pool.submit(fn, *args, **kwargs)
        except BrokenExecutor:
            self.shutdown()
            self._start()
            return self._pool.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the processes: when they have finished, or with `cancel_futures` at once."""
        if cancel_futures:
            self._writer.close()
        self._pool.shutdown(wait, cancel_futures=cancel_futures)
        self._writer.close()

    def __exit__(self, kind: object, *_: object) -> None:
        self.shutdown(cancel_futures=kind is not None)


def _begin(reader: Connection) -> None:
    """In a new process: leave Ctrl-C to the program, and end with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with, args=(reader,), daemon=True).start()


def _end_with(reader: Connection) -> None:
    wait([reader])  # the other end is closed: by the program, or because it is dead
    os._exit(1)


def width(executor: Executor) -> Callable[[], int]:
    """A function that says how many workers an executor has now."""
    client = getattr(executor, "_client", None)
    if client is None:
        workers = getattr(executor, "workers", None) or getattr(executor, "_max_workers", None) or cores()
        return lambda: int(workers)
    known, asked = 1, -ASK_AGAIN

    def ask() -> int:
        nonlocal known, asked
        if time.monotonic() - asked >= ASK_AGAIN:
            known, asked = sum(client.nthreads().values()), time.monotonic()
        return max(1, known)

    return ask


def run(task: Task, chunks: Iterable[Chunk], take: Callable[[Chunk, Solved], object], executor: Executor) -> None:
    """Have all chunks answered.

    Parameters
    ----------
    task
        What is asked of each hand.
    chunks
        The chunks; made one by one, when there is a worker for them.
    take
        Called with each chunk and what came of it, in the order in which they are finished, in this thread.
    executor
        Who does it.

    Raises
    ------
    UnfinishedError
        If the executor or its workers die.
    """
    stop = threading.Event()
    work = partial(solve, task)
    if isinstance(executor, ThreadPoolExecutor):
        work = partial(solve, task, stop=stop)
    with interruptible() as check:
        try:
            _run(work, iter(chunks), take, executor, check)
        finally:
            stop.set()


def _run(
    work: Callable[[Block], Solved], chunks: Iterator[Chunk], take: Callable[[Chunk, Solved], object],
    executor: Executor, check: Callable[[], None],
) -> None:  # fmt: skip
    workers = width(executor)
    running: dict[Future[Solved], Chunk] = {}
    # A C queue: waiting for futures is not safe against Ctrl-C.
    finished: queue.SimpleQueue[Future[Solved]] = queue.SimpleQueue()
    again: list[Chunk] = []
    died: dict[int, int] = {}
    try:
        while True:
            check()
            while len(running) < 2 * workers() + 1 and (chunk := again.pop() if again else next(chunks, None)):
                check()
                if not len(chunk.block):
                    take(chunk, work(chunk.block))
                    continue
                future = _submit(executor, work, chunk)
                running[future] = chunk
                future.add_done_callback(finished.put)
            if not running:
                return
            try:
                future = finished.get(timeout=0.1)
            except queue.Empty:
                continue
            chunk = running.pop(future)
            try:
                solved = future.result()
            except (BrokenExecutor, CancelledError) as error:
                died[chunk.start] = died.get(chunk.start, 0) + 1
                if died[chunk.start] >= TRIES:
                    raise UnfinishedError(f"workers died again and again: {_named(error)}") from error
                again.append(chunk)
                continue
            except Exception as error:
                if type(error).__module__.partition(".")[0] == "distributed":
                    raise UnfinishedError(f"the cluster has given up: {_named(error)}") from error
                raise
            take(chunk, solved)
    except BaseException:
        for future in running:
            future.cancel()
        _take_what_is_there(running, take)
        raise


def _take_what_is_there(running: dict[Future[Solved], Chunk], take: Callable[[Chunk, Solved], object]) -> None:
    """Keep what is finished already, as far as that goes."""
    for future, chunk in running.items():
        if future.done() and not future.cancelled() and future.exception() is None:
            try:
                take(chunk, future.result())
            except OSError:
                return


def _submit(executor: Executor, work: Callable[[Block], Solved], chunk: Chunk) -> Future[Solved]:
    try:
        return executor.submit(work, chunk.block)
    except BrokenExecutor as error:
        raise UnfinishedError(f"a worker died: {_named(error)}") from error
    except RuntimeError as error:
        raise UnfinishedError(f"the executor takes no more work: {_named(error)}") from error


def _named(error: BaseException) -> str:
    return f"{type(error).__name__} {error}".strip()


@contextmanager
def interruptible() -> Iterator[Callable[[], None]]:
    """While it lasts, Ctrl-C waits until the function that it gives is called; a second one does not wait."""
    pressed = 0

    def note(number: int, frame: FrameType | None) -> None:
        nonlocal pressed
        pressed += 1
        if pressed > 1:
            signal.default_int_handler(number, frame)

    def check() -> None:
        if pressed:
            raise KeyboardInterrupt

    is_main = threading.current_thread() is threading.main_thread()
    if not is_main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield check
        return
    signal.signal(signal.SIGINT, note)
    try:
        yield check
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
