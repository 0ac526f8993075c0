"""The chance of a bid by what is in the hand: `pivot`.

**The interval.**  A cell holds the weighted mean of the chances of its hands, and the interval is that of the mean over
all such hands, of which those of the table are a random sample.  A chance in the table differs from that of its hand by
the error of its own deals; both kinds of spread are in the chances as they stand, so their variance between the rows is
all that is needed.  It is expressed in simple trials: hands that are either certain or hopeless vary by p (1 - p), and
hands that vary by the share r of that count for 1 / r trials each.  One more hand, certain or hopeless, is added to the
estimate of r, so that few hands which agree by accident do not look like many.  Unequal weights count as Kish's number
of hands, (sum w)^2 / sum w^2.  The interval is Wilson's for as many trials.

A table of all hands is no sample: only the errors of the chances are left, those of different nine cards independent,
and rows of the same nine cards share theirs, since they were asked once.  Exact chances leave no interval.
"""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pandoer.contracts import Bid
from pandoer.errors import PandoerError
from pandoer.features import features
from pandoer.frames import BidRows, Floats, Frame, TableLike, needed
from pandoer.intervals import Z95, wilson
from pandoer.rulesets import Ruleset

__all__ = ["Cell", "Pivot", "mean_chance", "mean_of", "pivot"]

ALL = slice(None)


@dataclass(frozen=True)
class Cell:
    """The chance of a bid with hands that are alike.

    Attributes
    ----------
    row, column
        The values of the two features; `column` is ``None`` in a pivot by one.  ``None`` stands for all.
    hands
        How many rows of the table are behind it.
    share
        The share of all hands that is like this, 0 to 1.
    chance, low, high
        The weighted mean of their chances, 0 to 1, and its 95 % interval.
    """

    row: int | None
    column: int | None
    hands: int
    share: float
    chance: float
    low: float
    high: float

    def to_dict(self) -> dict[str, Any]:
        """The cell as a JSON object."""
        return asdict(self)


@dataclass(frozen=True, repr=False)
class Pivot:
    """The chance of a bid by one or two features.

    Attributes
    ----------
    bid, rules
        The names of the bid and its ruleset.
    rows, columns
        The names of the features; `columns` is ``None`` in a pivot by one.
    cells
        A cell for each pair of values that occurs, in ascending order.
    total
        All hands together.
    """

    bid: str
    rules: str
    rows: str
    columns: str | None
    cells: tuple[Cell, ...]
    total: Cell

    @property
    def row_values(self) -> tuple[int, ...]:
        """The values of the first feature, ascending."""
        return tuple(sorted({cell.row for cell in self.cells if cell.row is not None}))

    @property
    def column_values(self) -> tuple[int, ...]:
        """The values of the second feature, ascending; empty in a pivot by one."""
        return tuple(sorted({cell.column for cell in self.cells if cell.column is not None}))

    def __getitem__(self, values: int | tuple[int, int]) -> Cell:
        """The cell of a value, or of a pair; `KeyError` for one that does not occur."""
        found = self.get(*values) if isinstance(values, tuple) else self.get(values)
        if found is None:
            raise KeyError(values)
        return found

    def get(self, row: int, column: int | None = None) -> Cell | None:
        """The cell of a value, or of a pair, if it occurs."""
        return next((cell for cell in self.cells if (cell.row, cell.column) == (row, column)), None)

    def __len__(self) -> int:
        return len(self.cells)

    def __iter__(self) -> Iterator[Cell]:
        return iter(self.cells)

    @property
    def title(self) -> str:
        """What it shows, in a line."""
        by = self.rows if self.columns is None else f"{self.rows} and {self.columns}"
        return f"{self.bid} ({self.rules}): chance by {by}, {self.total.hands:,} hands"

    def grid(self) -> list[list[str]]:
        """It as rows of text, with a head: by one feature a column for each figure, by two a column for each value."""
        if self.columns is None:
            head = [self.rows, "chance", "95 % interval", "hands", "of all"]
            return [head, *([str(cell.row), *_figures(cell)] for cell in self.cells), ["all", *_figures(self.total)]]
        found = [[f"{self.rows} \\ {self.columns}", *map(str, self.column_values)]]
        for row in self.row_values:
            cells = (self.get(row, column) for column in self.column_values)
            found.append([str(row), *("" if cell is None else _short(cell) for cell in cells)])
        return found

    def __str__(self) -> str:
        rows = self.grid()
        widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
        lines = ["  ".join(text.rjust(width) for text, width in zip(row, widths, strict=True)).rstrip() for row in rows]
        notes = [] if self.columns is None else ["chance in %, 95 % interval, hands"]
        return "\n".join([self.title, *lines, *notes])

    def __repr__(self) -> str:
        return f"<Pivot of {self.title}>"

    def _repr_html_(self) -> str:
        head, *rest = self.grid()
        lines = ["".join(f"<th>{html.escape(text)}</th>" for text in head)]
        for row in rest:
            cells = "".join(f"<td>{html.escape(text)}</td>" for text in row[1:])
            lines.append(f"<th>{html.escape(row[0])}</th>{cells}")
        return f"<b>{html.escape(self.title)}</b><table>{''.join(f'<tr>{line}</tr>' for line in lines)}</table>"

    def to_dict(self) -> dict[str, Any]:
        """The pivot as a JSON object."""
        return {
            "bid": self.bid, "rules": self.rules, "rows": self.rows, "columns": self.columns,
            "cells": [cell.to_dict() for cell in self.cells], "total": self.total.to_dict(),
        }  # fmt: skip

    def to_arrow(self) -> Any:
        """The cells as a `pyarrow.Table`, with a column for each feature; needs pyarrow."""
        pa = needed("pyarrow", "tables", "Pivot.to_arrow")
        columns: dict[str, list[Any]] = {self.rows: [cell.row for cell in self.cells]}
        if self.columns is not None:
            columns[self.columns] = [cell.column for cell in self.cells]
        for name in ("hands", "share", "chance", "low", "high"):
            columns[name] = [getattr(cell, name) for cell in self.cells]
        return pa.table(columns)


def _figures(cell: Cell) -> list[str]:
    interval = f"{100 * cell.low:.1f} to {100 * cell.high:.1f}"
    return [f"{100 * cell.chance:.1f} %", interval, f"{cell.hands:,}", f"{100 * cell.share:.1f} %"]


def _short(cell: Cell) -> str:
    return f"{100 * cell.chance:.0f} ({100 * cell.low:.0f}-{100 * cell.high:.0f}) {cell.hands:,}"


def pivot(
    table: TableLike,
    bid: str | int | Bid,
    rows: str,
    columns: str | None = None,
    rules: str | Ruleset | None = None,
) -> Pivot:
    """The chance of a bid by one or two features.

    Parameters
    ----------
    table
        A strength table: a `pyarrow.Table`, a data frame, a mapping of arrays, the path of a Parquet file, or the name
        of a table of the package, such as ``"pagat"``.  The features are those of the plan in the table; of a hand
        without one (its watch card is not known) those of a sensible plan, see `pandoer.choices.usual_plans`.
    bid
        A bid of the table.
    rows, columns
        Names of features, from `pandoer.features.FEATURES`.
    rules
        The ruleset or its name, for a table that does not say.

    Raises
    ------
    PandoerError
        If the table is none or lacks the bid, or a feature is unknown.
    """
    found = Frame.of(table, rules).of_bid(bid)
    names = [rows] if columns is None else [rows, columns]
    if rows == columns:
        raise PandoerError(f"rows and columns {rows!r}: expected two features")
    seen = features(found.after, found.plans, found.rules, names)
    keys = np.column_stack([seen[name] for name in names])
    pairs, inverse = np.unique(keys, axis=0, return_inverse=True)
    cells = []
    for number, pair in enumerate(pairs.tolist()):
        here = inverse.ravel() == number
        cells.append(_cell(found, here, pair[0], pair[1] if columns is not None else None))
    total = _cell(found, ALL, None, None)
    return Pivot(found.bid.name, found.rules.name, rows, columns, tuple(cells), total)


def _cell(found: BidRows, here: npt.NDArray[np.bool_] | slice, row: int | None, column: int | None) -> Cell:
    chance, low, high = mean_of(found, here)
    share = float(found.weight[here].sum() / found.weight.sum())
    return Cell(row, column, len(found.weight[here]), share, chance, low, high)


def mean_of(found: BidRows, here: npt.NDArray[np.bool_] | slice = ALL) -> tuple[float, float, float]:
    """The weighted mean of the chances of some rows and its 95 % interval, whether they are a sample or all hands."""
    chances, weights = found.chance[here], found.weight[here]
    if not found.every:
        return mean_chance(chances, weights)
    share = weights / weights.sum()
    p = float(share @ chances)
    asked = np.unique(found.hands[here] | found.watch[here], return_inverse=True)[1]
    spread = Z95 * float(np.linalg.norm(np.bincount(asked, share * found.error[here])))
    return p, max(p - spread, 0.0), min(p + spread, 1.0)


def mean_chance(chances: Floats, weights: Floats) -> tuple[float, float, float]:
    """The weighted mean of chances and its 95 % interval as a mean over all hands; see above.

    Parameters
    ----------
    chances, weights
        ``float64 [n]``, at least one; the weights are more than 0.

    >>> p, low, high = mean_chance(np.array([0.2, 0.4, 0.6, 0.8]), np.ones(4))
    >>> f"{p:.2f} {low:.2f} {high:.2f}"
    '0.50 0.25 0.75'
    """
    share = weights / weights.sum()
    hands = 1 / float((share**2).sum())
    p = float(share @ chances)
    if np.ptp(chances) == 0:  # no rounding
        p = float(chances[0])
    most = p * (1 - p)
    ratio = float(share @ (chances - p) ** 2) / most if most > 0 else 1.0
    ratio = min((hands * ratio + 1) / (hands + 1), 1.0)
    trials = hands / ratio
    return p, *wilson(p * trials, trials)
