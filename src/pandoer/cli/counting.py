"""How far long work is: a bar where somebody looks at standard error, else a line now and then."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

from pandoer.cli.show import is_terminal, note

if TYPE_CHECKING:
    from rich.progress import Progress


class Counter:
    """Counts things that are done, and tells the rate and how long the rest will take.

    Parameters
    ----------
    what
        The things.
    """

    BETWEEN = 10.0
    """Seconds between two lines."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.start = self.told = time.monotonic()
        self.first: int | None = None
        self.bar: Progress | None = None

    def __enter__(self) -> Counter:
        return self

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.stop()

    def tell(self, done: int, total: int) -> None:
        """Take up how many are done."""
        now = time.monotonic()
        if self.first is None:  # those that were there at the start took no time
            self.first, self.start = done, now
        rate = (done - self.first) / max(now - self.start, 1e-9)
        words = f"{rate:,.2f} {self.what}/s" if done > self.first else "", self._left(total - done, rate)
        if is_terminal(sys.stderr):
            self._move_bar(done, total, *words)
        elif now - self.told >= self.BETWEEN:
            self.told = now
            note(", ".join([f"{done:,} of {total:,} {self.what}", *filter(None, words)]))

    @staticmethod
    def _left(rest: int, rate: float) -> str:
        if not rest or not rate:
            return ""
        seconds = rest / rate
        for unit, size in (("days", 86_400), ("h", 3600), ("min", 60)):
            if seconds >= 2 * size:
                return f"{seconds / size:,.0f} {unit} left"
        return f"{seconds:.0f} s left"

    def _move_bar(self, done: int, total: int, rate: str, left: str) -> None:
        from rich.console import Console  # noqa: PLC0415
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskProgressColumn, TextColumn  # noqa: PLC0415

        if self.bar is None:
            columns = TextColumn(self.what), BarColumn(), MofNCompleteColumn(), TaskProgressColumn()
            texts = TextColumn("{task.fields[rate]}"), TextColumn("{task.fields[left]}")
            self.bar = Progress(*columns, *texts, console=Console(stderr=True), transient=True)
            self.bar.start()
            self.bar.add_task(self.what, total=total, rate="", left="")
        self.bar.update(self.bar.task_ids[0], completed=done, total=total, rate=rate, left=left)
