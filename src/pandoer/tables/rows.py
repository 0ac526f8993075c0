"""The work of a strength table: what is asked of each hand, and the rows that come of it.

A worker gets a `Task` and some rows without their figures, and gives them back as bytes of an Arrow stream.  All bids
of a hand are asked of one `Book`, as in `advise`: the same deals, and nothing is solved twice.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from threading import Event
from typing import Any

import numpy as np

import pandoer
from pandoer.answers import answer
from pandoer.asks import Ask
from pandoer.cards import Card, Hand
from pandoer.contracts import Bid
from pandoer.dealing import below
from pandoer.errors import PandoerError
from pandoer.odds import ask, check_effort, check_view, seats_of
from pandoer.plans import Plan, check_fixed
from pandoer.race import Book, Goal
from pandoer.results import Odds, ViewName
from pandoer.rulesets import Ruleset
from pandoer.tables.arrow import pyarrow
from pandoer.tables.columns import FIGURES, FIXED, column, figures, schema
from pandoer.tables.hands import Block, cards_of
from pandoer.work import Work

__all__ = ["Solved", "Task", "packed", "solve", "unpacked"]


class Stopped(Exception):  # noqa: N818
    """The work is not wanted any more."""


@dataclass(frozen=True)
class Task:
    """What is asked of each hand.

    Attributes
    ----------
    rules, bids
        The ruleset and its bids.
    samples, precision, exact, view, players, plans, node_limit
        As in `odds`.
    seed
        The seed of the table; that of a row has the number of its question as one more spawn key.
    version
        The version of the package that asks.
    """

    rules: Ruleset
    bids: tuple[Bid, ...]
    samples: int | None
    precision: float | None
    exact: bool | None
    view: ViewName | None
    players: int | None
    plans: int | None
    node_limit: int | None
    seed: np.random.SeedSequence
    version: str = field(default_factory=lambda: pandoer.__version__)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the bids."""
        return tuple(bid.name for bid in self.bids)

    def row_seed(self, question: int) -> np.random.SeedSequence:
        """The seed of the rows of a question."""
        return below(self.seed, question)


@dataclass(frozen=True)
class Solved:
    """Rows with their figures.

    Attributes
    ----------
    payload
        An Arrow stream.
    rows, seconds
        How many, and how long that took.
    """

    payload: bytes
    rows: int
    seconds: float


def solve(task: Task, block: Block, stop: Event | None = None) -> Solved:
    """Answer some rows.

    Raises
    ------
    Stopped
        When `stop` is set meanwhile.
    PandoerError
        If a question makes no sense, or this is another version of the package than the one that asks.
    """
    if task.version != pandoer.__version__:
        raise PandoerError(f"a worker has pandoer {pandoer.__version__}: expected {task.version}, as the program has")
    start = time.perf_counter()
    found: list[tuple[Any, ...]] = []
    last = -1
    for question, hand, watch in zip(block.questions, block.hands, block.watches, strict=True):
        if question != last or not found:
            row = answers(task, int(question), cards_of(int(hand), int(watch)), stop)
        last = question
        found.append(tuple(figure for odds in row for figure in figures(odds)))
    return Solved(packed(task, block, found), len(block), time.perf_counter() - start)


def answers(
    task: Task, question: int, cards: tuple[Hand] | tuple[Hand, Card], stop: Event | None = None
) -> list[Odds | None]:
    """The odds of each bid with a hand, and its watch card; ``None`` for a bid that this hand cannot make."""
    hand, watch = cards if len(cards) == 2 else (cards[0], None)
    seats, sits_out = seats_of(task.rules, task.players, None)
    asked = ask(
        hand, task.rules, watch, players=seats, auction=None, bidders=None, known=None, void=None, weight=None,
        listen=False, private=False, sits_out=sits_out,
    )  # fmt: skip
    effort = check_effort(task.samples, task.precision, task.exact, asked, task.plans)
    book = Book(asked, task.row_seed(question), effort)
    asks: list[Ask | None] = [_ask(task, bid, book) for bid in task.bids]

    def check(_: float) -> None:
        if stop is not None and stop.is_set():
            raise Stopped

    for _ in Work(1, check, task.node_limit).through([one for one in asks if one is not None]):
        check(0)
    return [None if one is None else answer([one]) for one in asks]


def _ask(task: Task, bid: Bid, book: Book) -> Ask | None:
    asked = book.question
    try:
        check_fixed(task.rules, bid, asked.hand, asked.watch, Plan())
    except PandoerError:
        return None  # no trump suit is left to this hand
    found = Ask(Goal(bid, Plan(), check_view(bid, task.view) == "blind-lead"), book)
    return found if any(race.plans for race in found.races) else None


def packed(task: Task, block: Block, figures: list[tuple[Any, ...]]) -> bytes:
    """Rows with their figures, as bytes of an Arrow stream."""
    arrow = pyarrow()
    own = schema(task.names, {"bids": task.names}, final=False)
    cards = [cards_of(hand, watch) for hand, watch in zip(block.hands.tolist(), block.watches.tolist(), strict=True)]
    texts = [str(row[0]) for row in cards]
    watches = [str(row[1]) if len(row) > 1 else None for row in cards]
    columns: dict[str, Any] = dict(zip(FIXED, (block.hands, texts, watches, block.weights), strict=True))
    names = [column(bid, figure) for bid in task.names for figure in FIGURES]
    columns |= dict(zip(names, zip(*figures, strict=True) if figures else ([] for _ in names), strict=True))
    batch = arrow.record_batch([arrow.array(columns[field.name], field.type) for field in own], schema=own)
    sink = arrow.BufferOutputStream()
    with arrow.ipc.new_stream(sink, own, options=arrow.ipc.IpcWriteOptions(compression="zstd")) as stream:
        stream.write_batch(batch)
    payload: bytes = sink.getvalue().to_pybytes()
    return payload


def unpacked(payload: bytes) -> Any:
    """The rows in bytes that `packed` or `joined` gave, as an Arrow table."""
    return pyarrow().ipc.open_stream(payload).read_all()


def joined(payloads: list[bytes]) -> bytes:
    """Several of them one after the other."""
    arrow = pyarrow()
    rows = arrow.concat_tables([unpacked(payload) for payload in payloads]).combine_chunks()
    sink = arrow.BufferOutputStream()
    with arrow.ipc.new_stream(sink, rows.schema, options=arrow.ipc.IpcWriteOptions(compression="zstd")) as stream:
        stream.write_table(rows)
    payload: bytes = sink.getvalue().to_pybytes()
    return payload
