"""Strength tables as they are read: `StrengthTable`, its rows, and the search for a hand."""

from __future__ import annotations

import html
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np

from pandoer.cards import Card, Hand, Suit
from pandoer.errors import PandoerError
from pandoer.plans import Plan
from pandoer.symmetry import Renaming, renamed, renamed_card, renamings
from pandoer.tables.arrow import parquet, pyarrow
from pandoer.tables.columns import FIGURES, column, facts_of, read_plan
from pandoer.tables.writing import row_groups, write

__all__ = ["Strength", "StrengthRow", "StrengthTable"]

SHOWN = 10
"""Rows of a table in Jupyter."""

AT_A_TIME = 65_536
"""Rows that are looked through together."""


@dataclass(frozen=True)
class Strength:
    """What a table says of one bid with one hand.

    Attributes
    ----------
    bid
        The bid.
    chance
        Its chance with the best plan, 0 to 1.
    error
        The standard error of the chance.
    expected
        What the declarer wins on average, in the ruleset's unit per deal.
    samples
        Deals on which the chance was counted.
    plan
        The best plan; ``None`` when it depends on a closed watch card.
    """

    bid: str
    chance: float
    error: float
    expected: float
    samples: int
    plan: Plan | None

    def to_json(self) -> dict[str, Any]:
        """The bid as a JSON object."""
        return {
            "bid": self.bid, "chance": self.chance, "error": self.error, "expected": self.expected,
            "samples": self.samples, "plan": None if self.plan is None else self.plan.to_json(),
        }  # fmt: skip


@dataclass(frozen=True)
class StrengthRow:
    """What a table says of one hand.

    Attributes
    ----------
    hand, watch
        The hand, and its watch card where that lies open.
    weight
        How many deals of hand and watch card the row stands for; 1 in a random sample.
    bids
        The bids that the hand can make.
    """

    hand: Hand
    watch: Card | None
    weight: float
    bids: tuple[Strength, ...]

    def __getitem__(self, bid: str | int) -> Strength:
        for strength in self.bids:
            if strength.bid == str(bid):
                return strength
        raise PandoerError(
            f"bid {str(bid)!r}: expected one of {', '.join(strength.bid for strength in self.bids) or 'none'}"
        )

    def renamed(self, names: Renaming) -> StrengthRow:
        """The row with its suits renamed."""
        bids = tuple(
            Strength(b.bid, b.chance, b.error, b.expected, b.samples, b.plan and b.plan.renamed(names))
            for b in self.bids
        )
        hand = Hand.from_bits(int(renamed(np.array(self.hand.bits, np.uint64), names)))
        return StrengthRow(hand, renamed_card(self.watch, names), self.weight, bids)

    def to_json(self) -> dict[str, Any]:
        """The row as a JSON object."""
        watch = None if self.watch is None else str(self.watch)
        bids = [bid.to_json() for bid in self.bids]
        return {"hand": str(self.hand), "watch": watch, "weight": self.weight, "bids": bids}

    def lines(self) -> list[str]:
        """The row in words, a line each."""
        found = [str(self.hand) if self.watch is None else f"{self.hand}, watch card {self.watch.text(symbols=True)}"]
        for b in self.bids:
            plan = "the best plan for each watch card" if b.plan is None else str(b.plan)
            found.append(f"{b.bid}: {100 * b.chance:.1f} % ± {100 * b.error:.1f}, expected {b.expected:+.2f}; {plan}")
        return found

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _repr_html_(self) -> str:
        head, *rows = map(html.escape, self.lines())
        return f"{head}<ul>{''.join(f'<li>{row}</li>' for row in rows)}</ul>"


@dataclass(frozen=True, eq=False, repr=False)
class StrengthTable:
    """Chances of bids for many hands: a row a hand.

    It lies in a Parquet file, of which only what is asked for is read, or in memory.  `strength_table` makes one,
    `open` opens a file, and `of` takes rows in memory.  `pandoer.tables.columns` describes the columns.

    Attributes
    ----------
    path
        The file; ``None`` for a table in memory.
    rows
        The ``pyarrow.Table`` of a table in memory.
    """

    path: Path | None = None
    rows: Any = None

    def __reduce__(self) -> tuple[type[StrengthTable], tuple[Path | None, Any]]:
        return StrengthTable, (self.path, self.rows)

    @classmethod
    def open(cls, path: str | Path) -> StrengthTable:
        """Open a Parquet file that `strength_table` wrote.

        Raises
        ------
        PandoerError
            If it is none.
        OSError
            If it cannot be read.
        """
        table = cls(Path(path))
        _ = table.parameters
        return table

    @classmethod
    def of(cls, rows: Any) -> StrengthTable:
        """A table in memory of an Arrow table, such as `to_arrow` gave, perhaps with fewer rows."""
        table = cls(None, rows)
        _ = table.parameters
        return table

    def save(self, path: str | Path) -> None:
        """Write the table to a Parquet file: the same as with ``out=``."""
        tables = (pyarrow().Table.from_batches([batch]) for batch in self.batches())
        write(row_groups(tables, self.schema), self.schema, Path(path))

    # How it was made

    @property
    def schema(self) -> Any:
        """The Arrow schema, with the parameters among its metadata."""
        return self.rows.schema if self.path is None else self._file().schema_arrow

    @cached_property
    def parameters(self) -> Mapping[str, Any]:
        """How it was made."""
        return MappingProxyType(facts_of(self.schema, str(self.path or "table in memory")))

    @property
    def bids(self) -> tuple[str, ...]:
        """The bids, by name."""
        return tuple(self.parameters["bids"])

    @property
    def rules(self) -> str:
        """The name of the ruleset."""
        return str(self.parameters["rules"])

    @property
    def watch(self) -> str | None:
        """How the watch card lies: ``"open"``, ``"closed"``, or ``None`` in a game without one."""
        watch: str | None = self.parameters["watch"]
        return watch

    def column(self, bid: str | int, figure: str = "chance") -> str:
        """The column of a bid: ``"chance"``, ``"error"``, ``"expected"``, ``"samples"`` or ``"plan"``.

        Raises
        ------
        PandoerError
            If the table has not this bid.
        """
        if str(bid) not in self.bids:
            raise PandoerError(f"bid {str(bid)!r}: expected one of {', '.join(self.bids)}")
        return column(str(bid), figure)

    # Its rows

    def __len__(self) -> int:
        return len(self.rows) if self.path is None else int(self._file().metadata.num_rows)

    def to_arrow(self, columns: Iterable[str] | None = None) -> Any:
        """All rows as a ``pyarrow.Table``, with all columns or some."""
        names = None if columns is None else [*columns]
        if self.path is None:
            return self.rows if names is None else self.rows.select(names)
        return self._file().read(names)

    def batches(self, columns: Iterable[str] | None = None) -> Iterator[Any]:
        """The rows portion by portion, as ``pyarrow.RecordBatch``: for tables that do not fit in memory."""
        names = None if columns is None else [*columns]
        if self.path is None:
            yield from self.to_arrow(names).to_batches(AT_A_TIME)
            return
        file = self._file()
        for group in range(file.num_row_groups):
            yield from file.read_row_group(group, names).to_batches(AT_A_TIME)

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
        """The rows for any library that reads Arrow streams, such as Polars, DuckDB and pandas."""
        arrow = pyarrow()
        stream = arrow.RecordBatchReader.from_batches(self.schema, self.batches())
        return stream.__arrow_c_stream__(requested_schema)

    def __getitem__(self, number: int) -> StrengthRow:
        rows = len(self)
        if not -rows <= number < rows:
            raise IndexError(f"row {number}: expected {-rows} to {rows - 1}")
        number %= rows
        if self.path is None:
            return self._row(self.rows.slice(number, 1).to_pylist()[0])
        file = self._file()
        for group in range(file.num_row_groups):
            size = file.metadata.row_group(group).num_rows
            if number < size:
                return self._row(file.read_row_group(group).slice(number, 1).to_pylist()[0])
            number -= size
        raise AssertionError("the rows are in the row groups")

    def __iter__(self) -> Iterator[StrengthRow]:
        for batch in self.batches():
            for row in batch.to_pylist():
                yield self._row(row)

    def row(self, hand: Hand | str, watch: Card | str | None = None) -> StrengthRow:
        """The row of a hand, or of one that differs in the names of suits only, with its plans in this hand's suits.

        Raises
        ------
        PandoerError
            If the table has no such row, or `watch` is missing or too much.
        """
        own = Hand(hand)
        card = None if watch is None else Card(watch)
        if (card is None) == (self.watch == "open"):
            what = "a watch card, which lies open" if self.watch == "open" else "none"
            raise PandoerError(f"hand {str(own)!r}, watch card {watch!r}: expected {what} in this table")
        wanted: dict[tuple[int, str | None], Renaming] = {}
        for names in self._renamings:
            image = renamed(np.array(own.bits, np.uint64), names), renamed_card(card, names)
            wanted.setdefault((int(image[0]), None if image[1] is None else str(image[1])), names)
        found = self._find(wanted)
        if found is None:
            shown = str(own) if card is None else f"{own}, watch card {card.text(symbols=True)}"
            raise PandoerError(f"hand {shown!r}: expected one of the {len(self):,} in this table, or like one of them")
        number, names = found
        return self[number].renamed(tuple(Suit(names.index(suit)) for suit in Suit))

    def _find(self, wanted: Mapping[tuple[int, str | None], Renaming]) -> tuple[int, Renaming] | None:
        hands = np.array([*{hand for hand, _ in wanted}], np.uint64)
        before = 0
        for batch in self.batches(("hand", "watch")):
            here = batch.column(0).to_numpy()
            for place in np.flatnonzero(np.isin(here, hands)).tolist():
                names = wanted.get((int(here[place]), batch.column(1)[place].as_py()))
                if names is not None:
                    return before + place, names
            before += len(here)
        return None

    @cached_property
    def _renamings(self) -> list[Renaming]:
        """The ways to rename suits that change nothing for these bids."""
        if not self.parameters["suits_alike"]:
            return [tuple(Suit)]
        return [tuple(Suit), *renamings([Hand(self.parameters["deck"])])]

    def _row(self, row: Mapping[str, Any]) -> StrengthRow:
        found = []
        for bid in self.bids:
            chance, error, expected, samples, plan = (row[column(bid, figure)] for figure in FIGURES)
            if chance is not None:
                found.append(Strength(bid, chance, error, expected, samples, None if plan is None else read_plan(plan)))
        watch = None if row["watch"] is None else Card(row["watch"])
        return StrengthRow(Hand.from_bits(row["hand"]), watch, row["weight"], tuple(found))

    def _file(self) -> Any:
        try:
            return parquet().ParquetFile(self.path)
        except pyarrow().ArrowInvalid as error:
            raise PandoerError(f"cannot read the table {str(self.path)!r}: {error}") from None

    # How it shows itself

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StrengthTable):
            return NotImplemented
        same = self.parameters == other.parameters and len(self) == len(other)
        return same and all(one == another for one, another in zip(self, other, strict=True))

    def __hash__(self) -> int:
        return hash((json.dumps(dict(self.parameters), sort_keys=True), len(self)))

    def head(self) -> str:
        """What it is, in a line."""
        facts = self.parameters
        watch = "" if self.watch is None else f", watch card {self.watch}"
        effort = next((f"{name} {facts[name]}" for name in ("samples", "precision") if facts[name]), None)
        effort = effort or ("exact" if facts["exact"] else "usual effort")
        return f"{self.rules}: {len(self):,} hands{watch}, {effort}, seed {facts['seed']}; {', '.join(self.bids)}"

    def __repr__(self) -> str:
        where = "" if self.path is None else f" in {str(self.path)!r}"
        return f"<StrengthTable {self.head()}{where}>"

    def _repr_html_(self) -> str:
        watch = ["watch"] if self.watch == "open" else []
        heads = ["hand", *watch, *self.bids]
        rows = ""
        for row in islice(self, SHOWN):
            chances = {bid.bid: f"{100 * bid.chance:.1f} %" for bid in row.bids}
            cells = [row.hand._repr_html_(), *([] if row.watch is None else [row.watch._repr_html_()])]
            cells += [chances.get(bid, "") for bid in self.bids]
            rows += f"<tr>{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
        top = "".join(f"<th>{head}</th>" for head in heads)
        more = f"<br>and {len(self) - SHOWN:,} more" if len(self) > SHOWN else ""
        return f"<b>{html.escape(self.head())}</b><table><tr>{top}</tr>{rows}</table>{more}"
