"""``pandoer table``: makes strength tables, shows them and looks hands up."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pandoer.cards import Card, Hand
from pandoer.cli.bids import INTERRUPTED
from pandoer.cli.counting import Counter
from pandoer.cli.show import card_of, facts, note, show, table, write_json
from pandoer.errors import PandoerError
from pandoer.rulesets import DEFAULT
from pandoer.tables import ChanceTable, Processes, StrengthTable, UnfinishedError, builtin, load, strength_table
from pandoer.tables.arrow import needed
from pandoer.tables.included import named, names

if TYPE_CHECKING:
    from rich.console import RenderableType

ROWS = 10
"""Rows that are shown."""

_AS_GIVEN = ("watch", "samples", "precision", "exact", "view", "players", "plans", "node_limit", "seed", "chunk")


def run_build(arguments: argparse.Namespace) -> int:
    """Make a table."""
    given = {name: getattr(arguments, name) for name in _AS_GIVEN}
    hands = _hands(arguments)
    try:
        with Counter("hands") as counter, _executor(arguments) as executor:
            made = strength_table(
                arguments.bids, hands=hands, rules=arguments.rules or DEFAULT, out=arguments.out, executor=executor,
                threads=arguments.workers, progress=counter.tell, **given,
            )  # fmt: skip
    except UnfinishedError as error:
        note(str(error))
        return 1
    except KeyboardInterrupt:
        note(f"interrupted: what is finished is kept beside {arguments.out}, and the same command goes on from there")
        return INTERRUPTED
    if arguments.json:
        size = Path(arguments.out).stat().st_size
        write_json({"out": arguments.out, "rows": len(made), "bytes": size, "parameters": dict(made.parameters)})
    else:
        show(f"{arguments.out}: {made.head()}")
    return 0


def _hands(arguments: argparse.Namespace) -> Any:
    if (arguments.hands is None) == (arguments.hands_file is None):
        raise PandoerError("hands: expected --hands all, --hands with a number, or --hands-file")
    if arguments.hands_file is not None:
        return read_hands(arguments.hands_file, arguments.lang or "en")
    text = arguments.hands.replace(",", "").replace("_", "")
    return int(text) if text.isdecimal() else arguments.hands


def read_hands(path: str, lang: str) -> list[tuple[Hand, Card | None]]:
    """The hands in a file, a line each, with ``/`` before the watch card; ``#`` begins a remark.  ``-``: the input."""
    try:
        text = sys.stdin.read() if path == "-" else Path(path).read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PandoerError(f"cannot read the hands in {path!r}: {error}") from None
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        hand, slash, watch = line.partition("#")[0].partition("/")
        if hand.strip():
            try:
                found.append((Hand(hand.strip(), lang=lang), Card(watch.strip(), lang=lang) if slash else None))
            except PandoerError as error:
                raise PandoerError(f"{path}, line {number}: {error}") from None
    return found


@contextmanager
def _executor(arguments: argparse.Namespace) -> Iterator[Executor | None]:
    """Who does the work; ``None`` for threads."""
    asked = {name: value for name in ("workers", "processes", "scheduler", "local_cluster")
             if (value := getattr(arguments, name)) is not None}  # fmt: skip
    if len(asked) > 1:
        raise PandoerError(f"{' and '.join('--' + name.replace('_', '-') for name in asked)}: expected one of them")
    if arguments.processes is not None:
        with Processes(arguments.processes) as executor:
            yield executor
    elif arguments.scheduler is not None or arguments.local_cluster is not None:
        with _cluster(arguments.scheduler, arguments.local_cluster) as executor:
            yield executor
    else:
        yield None


@contextmanager
def _cluster(address: str | None, workers: int | None) -> Iterator[Executor]:
    distributed = needed("distributed", "a cluster needs dask.distributed", "dask")
    if workers is not None and workers < 1:
        raise PandoerError(f"--local-cluster {workers}: expected a whole number, 1 or more")
    local = None
    try:
        if address is None:
            local = address = distributed.LocalCluster(
                n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs="ERROR"
            )
        try:
            client = distributed.Client(address, timeout="30s", set_as_default=False)
        except (OSError, ValueError) as error:
            raise UnfinishedError(f"no cluster at {address!r}: {error}") from None
        with client:
            yield client.get_executor(pure=False)
    finally:
        if local is not None:
            local.close()


# Reading them


def run_show(arguments: argparse.Namespace) -> int:
    """How a table was made, and some of its rows."""
    found = opened(arguments.file)
    if arguments.rows < 0:
        raise PandoerError(f"--rows {arguments.rows}: expected 0 or more")
    if isinstance(found, ChanceTable):
        _show_chances(found, arguments)
        return 0
    bids = found.bids if arguments.bid is None else tuple(_named(found, bid) for bid in arguments.bid)
    rows = [*islice(found, arguments.rows)]
    if arguments.json:
        shown = [{**row.to_json(), "bids": [b.to_json() for b in row.bids if b.bid in bids]} for row in rows]
        write_json({"parameters": dict(found.parameters), "length": len(found), "rows": shown})
        return 0
    heads = ["hand", *(["watch"] if found.watch == "open" else []), *bids]
    cells = []
    for row in rows:
        watch = [] if row.watch is None else [row.watch.text(symbols=True)]
        chances = {b.bid: f"{100 * b.chance:.1f} ± {100 * b.error:.1f} %" for b in row.bids}
        cells.append((str(row.hand), *watch, *(chances.get(bid, "-") for bid in bids)))
    made = [(name, _in_words(value)) for name, value in found.parameters.items() if value is not None]
    parts: list[RenderableType] = [f"{arguments.file}: {len(found):,} hands", facts(made)]
    show(*parts, *(["", table(heads, cells, figures=bids)] if cells else []))
    return 0


def _named(found: StrengthTable, bid: str) -> str:
    found.column(bid)
    return bid


def _show_chances(found: ChanceTable, arguments: argparse.Namespace) -> None:
    bids = arguments.bid or found.bids
    means = {bid: found.mean(bid) for bid in bids}
    rows = [*islice(found, arguments.rows)]
    if arguments.json:
        parameters = {"rules": found.rules.name, "bids": [*found.bids], "version": found.version, "exact": True}
        shown = [{"hand": str(hand), "weight": size, "bids": [{"bid": bid, "chance": chances[bid]} for bid in bids]}
                 for hand, size, chances in rows]  # fmt: skip
        write_json({"parameters": parameters, "length": len(found), "means": means, "rows": shown})
        return
    cells = [(str(hand), f"{size:,}", *(f"{100 * chances[bid]:.2f} %" for bid in bids)) for hand, size, chances in rows]
    averages = facts([(bid, f"{100 * mean:.2f} % on average") for bid, mean in means.items()])
    title = f"{arguments.file}: {len(found):,} classes of hands, exact over {found.layouts:,} layouts"
    show(title, averages, *(["", table(["hand", "hands", *bids], cells, figures=["hands", *bids])] if cells else []))


def run_lookup(arguments: argparse.Namespace) -> int:
    """The row of a hand."""
    lang = arguments.lang or "en"
    found = opened(arguments.file)
    hand, watch = Hand(arguments.hand, lang=lang), card_of(arguments.watch, lang)
    if isinstance(found, StrengthTable):
        row = found.row(hand, watch)
        if arguments.bid is not None:
            row = replace(row, bids=tuple(row[_named(found, bid)] for bid in arguments.bid))
        if arguments.json:
            write_json(row.to_json())
        else:
            show(*row.lines())
        return 0
    if watch is not None:
        raise PandoerError(f"watch card {str(watch)!r}: {found.rules.name} has none")
    chances = {bid: found.chance(hand, bid) for bid in arguments.bid or found.bids}
    if arguments.json:
        write_json({"hand": str(hand), "bids": [{"bid": bid, "chance": chance} for bid, chance in chances.items()]})
    else:
        show(str(hand), *(f"{bid}: {100 * chance:.2f} %, exact" for bid, chance in chances.items()))
    return 0


def opened(given: str) -> ChanceTable | StrengthTable:
    """A table in a file, or one of the package by its name."""
    name = named(given)
    if name is not None:
        return builtin(name)
    path = Path(given)
    try:
        with path.open("rb") as file:
            start = file.read(4)
    except OSError as error:
        known = ", ".join(names())
        raise PandoerError(f"cannot read {given!r}: {error.strerror}; expected a file, or one of {known}") from None
    return load(path) if start[:2] == b"PK" else StrengthTable.open(path)


def _in_words(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key} {_in_words(part)}" for key, part in value.items())
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return str(value)
