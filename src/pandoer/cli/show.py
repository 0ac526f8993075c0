"""Printing: tables and texts on standard output, notes on standard error."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from pandoer.cards import Card, Suit

if TYPE_CHECKING:
    from rich.console import RenderableType

BAR = "█"
_LETTERS = str.maketrans({BAR: "#", **{suit.symbol: suit.letter for suit in Suit}})


def note(message: str) -> None:
    """One line on standard error."""
    line = "".join(c if c.isprintable() else repr(c)[1:-1] for c in message)
    if sys.stderr is not None:
        print(f"pandoer: {line}", file=sys.stderr)


def write_json(answer: Any) -> None:
    """An answer on one line."""
    print(json.dumps(answer))


def is_terminal(stream: Any) -> bool:
    """Whether somebody looks at a stream."""
    return stream is not None and stream.isatty()


def room() -> int:
    """How many characters a line may have."""
    return shutil.get_terminal_size().columns if is_terminal(sys.stdout) else 1000


def card_of(text: str | None, lang: str) -> Card | None:
    """A card that may be missing."""
    return None if text is None else Card(text, lang=lang)


def table(head: Sequence[str], rows: Iterable[Sequence[str]], figures: Collection[str] = ()) -> RenderableType:
    """A table without lines; the columns named in `figures` are set to the right."""
    from rich.table import Table  # noqa: PLC0415

    found = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for i, name in enumerate(head):
        found.add_column(name, justify="right" if name in figures else "left", overflow="fold", no_wrap=i == 0)
    for row in rows:
        found.add_row(*row)
    return found


def facts(pairs: Iterable[tuple[str, str]]) -> RenderableType:
    """Labels and texts in two columns."""
    from rich.table import Table  # noqa: PLC0415

    grid = Table.grid(padding=(0, 2))
    grid.add_column()
    grid.add_column(overflow="fold")
    for label, text in pairs:
        grid.add_row(f"  {label}", text)
    return grid


def show(*parts: RenderableType, fold: bool = True) -> None:
    """Print texts and tables: in a terminal within its width, unless they are not to be folded; elsewhere plain."""
    from rich.console import Console  # noqa: PLC0415

    terminal = is_terminal(sys.stdout)
    console = Console(
        force_terminal=terminal, width=None if terminal else 1000, markup=False, highlight=False, emoji=False
    )
    with console.capture() as captured:
        for part in parts:
            console.print(part, soft_wrap=not fold)
    print(writable("\n".join(line.rstrip() for line in captured.get().splitlines())))


def writable(text: str) -> str:
    """A text as standard output can write it: with letters for symbols where there are none."""
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.translate(_LETTERS).encode(encoding, "replace").decode(encoding)
    return text
