"""``python -m pandoer.tables``: makes a table of exact chances that the package holds."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import pandoer
from pandoer.errors import PandoerError
from pandoer.rulesets import ruleset
from pandoer.tables.exact import ChanceTable, exact_chances
from pandoer.tables.included import BUILTIN

TELL = 0.05
"""The share of the work after which a log, as opposed to a terminal, hears of it."""


def main(argv: Sequence[str] | None = None) -> int:
    """Make the table of a ruleset; the exit status is 2 for a mistake of the user and 130 after Ctrl-C."""
    parser = argparse.ArgumentParser(prog="python -m pandoer.tables", description="Make a table of the package.")
    parser.add_argument("rules", choices=[*BUILTIN], help="the ruleset")
    parser.add_argument("out", type=Path, metavar="OUT.npz", help="the file to write")
    parser.add_argument("--threads", type=int, help="one a core by default")
    asked = parser.parse_args(argv)
    if not asked.out.parent.is_dir():
        parser.error(f"{str(asked.out)!r}: expected a file in a directory that exists")
    try:
        counts = {
            bid: exact_chances(bid, rules=asked.rules, threads=asked.threads, progress=_telling(bid))
            for bid in BUILTIN[asked.rules]
        }
    except PandoerError as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        print("\ninterrupted" if sys.stderr.isatty() else "interrupted", file=sys.stderr)
        return 130
    table = ChanceTable(ruleset(asked.rules), counts, pandoer.__version__)
    table.save(asked.out)
    print(f"{asked.out}: {table!r}", file=sys.stderr)
    return 0


def _telling(bid: str) -> Callable[[float], None]:
    """A progress that tells on standard error what is done and how long the rest may take."""
    start, told = time.monotonic(), 0.0
    live = sys.stderr.isatty()

    def tell(share: float) -> None:
        nonlocal told
        if share < 1 and share - told < (TELL / 50 if live else TELL):
            return
        told = share
        spent = time.monotonic() - start
        left = f"{spent:.0f} s" if share == 1 else f"about {spent * (1 - share) / share / 60:.0f} min left"
        line = f"{bid}: {100 * share:.1f} %, {left}"
        print(f"\r\x1b[K{line}" if live else line, end="" if live and share < 1 else "\n", file=sys.stderr, flush=True)

    return tell
