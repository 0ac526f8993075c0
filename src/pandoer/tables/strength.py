"""Making strength tables: `strength_table`."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass
from numbers import Integral
from pathlib import Path
from shutil import rmtree
from typing import Any, Literal

from pandoer.batch import check_node_limit, cores
from pandoer.cards import Hand
from pandoer.contracts import Bid
from pandoer.dealing import Seed, seed_sequence
from pandoer.errors import PandoerError
from pandoer.odds import ask, check_effort, check_view, seats_of
from pandoer.results import ViewName
from pandoer.rulesets import DEFAULT, RULESETS, Ruleset, ruleset
from pandoer.tables.arrow import pyarrow
from pandoer.tables.chunks import Chunk, Chunks, Pace, join_group
from pandoer.tables.columns import column, schema
from pandoer.tables.hands import Source, seed_json, source_of
from pandoer.tables.parts import Kept, Parts, Store, differences
from pandoer.tables.rows import Solved, Task
from pandoer.tables.table import StrengthTable
from pandoer.tables.workers import UnfinishedError, run
from pandoer.tables.writing import row_groups, rows_of, write

__all__ = ["strength_table"]

TABLE_VIEWS: tuple[ViewName, ...] = ("double-dummy", "blind-lead")
"""Views of which tables are made; a deal that is played out takes a thousand times as long as one that is solved."""

FORMAT = 1
"""The number of the format of the columns and of the parameters."""

Progress = Callable[[int, int], object]
Watch = Literal["open", "closed"]


def strength_table(
    bids: str | int | Bid | Iterable[str | int | Bid],
    *,
    hands: Any,
    rules: str | Ruleset = DEFAULT,
    watch: Watch | None = None,
    samples: int | None = None,
    precision: float | None = None,
    exact: bool | None = None,
    view: ViewName | None = None,
    players: int | None = None,
    plans: int | None = None,
    node_limit: int | None = None,
    seed: Seed = 0,
    out: str | Path | None = None,
    executor: Executor | None = None,
    threads: int | None = None,
    chunk: int | None = None,
    progress: Progress | None = None,
) -> StrengthTable:
    """The chances of bids for many hands: a row a hand, with the best plan of each bid.

    Each row has a seed of its own, which follows from `seed` and the number of the row, so the table is the same, and
    its file byte for byte, for any executor, number of workers and size of chunks, and however often the work was
    broken off.

    Parameters
    ----------
    bids
        ``"all"`` bids of the ruleset, or some of them: a list, or a text such as ``"130,pandoer,misere"``.
    hands
        - ``"all"``: all hands up to renaming of suits, each with its number of hands as weight; with an open watch
          card all pairs of a hand and a watch card;
        - a number: so many random ones, with weight 1; or `random_hands`;
        - a list of hands, of pairs of a hand and its watch card, or an array of bits: see `listed_hands`;
        - a function: those for which it is true, of all; or ``random_hands(...).where(function)``.
    rules
        The ruleset or its name.
    watch
        ``"open"`` or ``"closed"``: whether the watch card is known; by default as the ruleset has it.
    samples, precision, exact, view, players, plans, node_limit
        As in `odds`, for each bid and hand; the view is not that of the table.
    seed
        A whole number or a `numpy.random.SeedSequence`.
    out
        A Parquet file to write; without it the table is kept in memory.  Finished parts are kept beside it, in the
        directory ``OUT.parts``, until all is done.  When the program is broken off, the same call goes on from there;
        when the file is there already, it is opened.
    executor
        Who does the work: any `concurrent.futures.Executor`, such as `pandoer.tables.Processes`, or dask's
        ``Client.get_executor(pure=False)``.  Threads of this program unless given.
    threads
        How many of these; ``None`` for one a core.
    chunk
        How many rows are given out at a time; by default as many as take about a second.
    progress
        Called with the numbers of hands that are done and of all; hands that a filter leaves out count as well.

    Returns
    -------
    StrengthTable
        With `out` the file, of which what is asked for is read.

    Raises
    ------
    PandoerError
        If a question makes no sense, or `out` holds another table, or parts of another one; or
        `pandoer.tables.UnfinishedError` when workers die or the disk is full.
    """
    rules = ruleset(rules)
    chosen = _bids(bids, rules)
    lies = _watch(watch, rules)
    root = seed_sequence(seed)
    for name, value in (("threads", threads), ("chunk", chunk)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, Integral) or value < 1):
            raise PandoerError(f"{name} {value!r}: expected a whole number, 1 or more")
    if executor is not None and (threads is not None or not isinstance(executor, Executor)):
        raise PandoerError(f"executor {executor!r}, threads {threads!r}: expected an Executor, or threads, or neither")
    source = source_of(hands, rules, chosen, is_open=lies == "open", seed=root)
    task = Task(rules, chosen, samples, precision, exact, view, players, plans, node_limit, root)
    _check(task, lies)
    facts = _facts(task, source, lies)
    final = schema(task.names, facts)
    making = _Making(task, source, Pace(chunk), progress)
    if out is None:
        kept = Kept()
        making.fill(kept, executor, threads)
        rows = pyarrow().Table.from_batches([], final)
        return StrengthTable.of(pyarrow().concat_tables([rows, *row_groups(rows_of(kept), final)]).unify_dictionaries())
    path = Path(out)
    if not path.parent.is_dir() or path.is_dir():
        raise PandoerError(f"{str(path)!r}: expected a file in a directory that exists")
    there = path.exists()
    table = _finished(path, facts) if there else making.write(path, facts, final, executor, threads)
    if progress is not None:
        progress(source.places, source.places)
    return table


@dataclass(frozen=True)
class _Making:
    """A table that is being made."""

    task: Task
    source: Source
    pace: Pace
    progress: Progress | None

    def fill(self, store: Store, executor: Executor | None, threads: int | None) -> None:
        """Have all parts made that are not in the store."""
        chunks = Chunks(self.source, store, self.pace)
        done = chunks.done
        if self.progress is not None:
            self.progress(done, chunks.total)

        def take(chunk: Chunk, solved: Solved) -> None:
            nonlocal done
            self.pace.took(solved.rows, solved.seconds)
            store.save(chunk.start, chunk.stop, solved.payload)
            join_group(store, chunk, chunks.total)
            done += chunk.stop - chunk.start
            if self.progress is not None:
                self.progress(done, chunks.total)

        if executor is not None:
            run(self.task, chunks, take, executor)
            return
        with ThreadPoolExecutor(threads or cores(), "pandoer") as own:
            run(self.task, chunks, take, own)

    def write(
        self, out: Path, facts: dict[str, Any], final: Any, executor: Executor | None, threads: int | None
    ) -> StrengthTable:
        """Make the file, going on from the parts that are there."""
        try:
            parts = Parts(out, facts)
        except OSError as error:
            raise UnfinishedError(f"{str(out)!r} cannot be made: {_why(error)}") from error
        try:
            self.fill(parts, executor, threads)
            write(row_groups(rows_of(parts), final), final, out)
        except UnfinishedError as error:
            raise UnfinishedError(f"{error}; {self._kept(parts)}") from error
        except OSError as error:
            raise UnfinishedError(f"{str(out)!r} cannot be written: {_why(error)}; {self._kept(parts)}") from error
        finally:
            parts.close()
        table = StrengthTable.open(out)
        parts.remove()
        return table

    def _kept(self, parts: Parts) -> str:
        done = sum(stop - start for start, stop in parts.spans())
        return f"{done:,} of {self.source.places:,} hands are kept in {str(parts.directory)!r}: run it again to go on"


def _why(error: OSError) -> str:
    return error.strerror or str(error)


def _finished(path: Path, facts: dict[str, Any]) -> StrengthTable:
    """A file that is there already, if it is the table that is asked for."""
    table = StrengthTable.open(path)
    if found := differences(dict(table.parameters), facts):
        raise PandoerError(
            f"{str(path)!r} holds another table, with {found}: expected the same parameters, another file, or that one"
            " removed"
        )
    with suppress(FileNotFoundError):
        rmtree(path.with_name(path.name + ".parts"))
    return table


def _bids(given: str | int | Bid | Iterable[str | int | Bid], rules: Ruleset) -> tuple[Bid, ...]:
    if isinstance(given, str):
        every = given.strip().lower() == "all"
        given = [*rules.bids] if every else [name for name in given.split(",") if name.strip()]
    elif isinstance(given, (int, Bid)):
        given = [given]
    if not isinstance(given, Iterable):
        raise PandoerError(f"bids {given!r}: expected 'all', or bids such as '130,pandoer'")
    found = {bid.name: bid for bid in (rules.bid(one.strip() if isinstance(one, str) else one) for one in given)}
    if not found:
        raise PandoerError("bids: expected one or more, there are none")
    if len({column(name) for name in found}) < len(found):
        raise PandoerError(f"bids {', '.join(found)}: expected names that give different columns")
    return tuple(found.values())


def _watch(given: str | None, rules: Ruleset) -> Watch | None:
    if given is not None and given not in ("open", "closed"):
        raise PandoerError(f"watch {given!r}: expected 'open' or 'closed'")
    if given is not None and rules.watch is None:
        raise PandoerError(f"watch {given!r}: {rules.name} has no watch card")
    return rules.watch if given is None else given  # type: ignore[return-value]


def _check(task: Task, lies: Watch | None) -> None:
    """Refuse at once what would be refused for each hand."""
    check_node_limit(task.node_limit)
    for bid in task.bids:
        check_view(bid, task.view)
    if task.view is not None and task.view not in TABLE_VIEWS:
        raise PandoerError(f"view {task.view!r} in a table of many hands: expected one of {', '.join(TABLE_VIEWS)}")
    cards = [*task.rules.deck]
    hand, watch = Hand(cards[: task.rules.hand]), cards[task.rules.hand] if lies == "open" else None
    seats, sits_out = seats_of(task.rules, task.players, None)
    asked = ask(
        hand, task.rules, watch, players=seats, auction=None, bidders=None, known=None, void=None, weight=None,
        listen=False, private=False, sits_out=sits_out,
    )  # fmt: skip
    check_effort(task.samples, task.precision, task.exact, asked, task.plans)


def _facts(task: Task, source: Source, watch: Watch | None) -> dict[str, Any]:
    """How a table is made, for its metadata."""
    rules = task.rules
    by_suit = rules.melds.denial == "opponents" and rules.melds.order == "kind-suit"
    return {
        "format": FORMAT, "version": task.version, "rules": rules.name, "bids": [*task.names], "watch": watch,
        "hands": source.describe(), "samples": task.samples, "precision": task.precision, "exact": task.exact,
        "view": task.view, "players": task.players, "plans": task.plans, "node_limit": task.node_limit,
        "seed": seed_json(task.seed), "unit": rules.unit, "deck": str(rules.deck),
        "suits_alike": not (by_suit and any(bid.target is not None for bid in task.bids)),
        "rules_sha256": None if rules in RULESETS else _digest(rules),
    }  # fmt: skip


def _digest(rules: Ruleset) -> str:
    """What tells a ruleset of the user's own from others of its name."""
    bids = [{**asdict(bid), "objective": bid.objective.name} for bid in rules.bids]
    text = json.dumps({**asdict(rules), "bids": bids}, sort_keys=True, default=str)
    return hashlib.sha256(text.encode()).hexdigest()
