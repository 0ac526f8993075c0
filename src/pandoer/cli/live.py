"""What can be seen while an answer is being worked out, and what is left of it after Ctrl-C."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Generic, TypeVar

from pandoer.cli.show import is_terminal

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.live import Live
    from rich.progress import Progress

A = TypeVar("A")


class Display(Generic[A]):
    """A live table on standard output, where that is a terminal; else a progress bar on standard error, where that is.

    Parameters
    ----------
    words
        Says an answer as far as it is known in texts and tables; ``None`` for no live table.

    Attributes
    ----------
    latest
        The last answer that was told.
    """

    PATIENCE = 1.0
    """Seconds of work without a progress bar."""

    BETWEEN = 0.125
    """Seconds between two live tables, at least."""

    def __init__(self, words: Callable[[A], Sequence[RenderableType]] | None) -> None:
        self.words = words if is_terminal(sys.stdout) else None
        self.latest: A | None = None
        self.share = 0.0
        self.start = time.monotonic()
        self.shown = 0.0
        self.live: Live | None = None
        self.bar: Progress | None = None

    def __enter__(self) -> Display[A]:
        return self

    def __exit__(self, *_: object) -> None:
        if self.live is not None:
            self.live.stop()
        if self.bar is not None:
            self.bar.stop()

    def update(self, answer: A) -> None:
        """Take up an answer as far as it is known."""
        first, self.latest = self.latest is None, answer
        self._refresh(at_once=first)

    def progress(self, share: float) -> None:
        """Take up the share of the work that is done, 0 to 1."""
        self.share = share
        if self.words is not None:
            self._refresh()
        elif self.bar is not None or (is_terminal(sys.stderr) and time.monotonic() - self.start >= self.PATIENCE):
            self._move_bar()

    def _refresh(self, *, at_once: bool = False) -> None:
        now = time.monotonic()
        if self.words is None or (now - self.shown < self.BETWEEN and not at_once):
            return
        from rich.console import Console, Group  # noqa: PLC0415
        from rich.live import Live  # noqa: PLC0415

        if self.live is None:
            console = Console(markup=False, highlight=False, emoji=False)
            self.live = Live(
                console=console, transient=True, auto_refresh=False, redirect_stdout=False, redirect_stderr=False
            )
            self.live.start()
        known = () if self.latest is None else self.words(self.latest)
        self.live.update(Group(f"{100 * self.share:3.0f} % done; Ctrl-C shows what is known", *known), refresh=True)
        self.shown = time.monotonic()

    def _move_bar(self) -> None:
        from rich.console import Console  # noqa: PLC0415
        from rich.progress import Progress  # noqa: PLC0415

        if self.bar is None:
            self.bar = Progress(console=Console(stderr=True), transient=True)
            self.bar.start()
            self.bar.add_task("solving deals", total=1.0)
        self.bar.update(self.bar.task_ids[0], completed=self.share)
