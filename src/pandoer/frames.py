"""Reading a strength table, whatever holds it: `Frame`.

A strength table has a row a hand: the bits of the hand and its text, the watch card, a weight, and for each bid its
chance, the chance's standard error, what the declarer wins on average, the number of deals, and the plan.  It may be a
`pyarrow.Table`, a pandas or Polars data frame, a mapping of arrays, the path of a Parquet file, or the name of a table
of the package.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from pandoer.cards import Card
from pandoer.choices import usual_plans
from pandoer.contracts import Bid
from pandoer.errors import PandoerError
from pandoer.planned import NONE, Bits, Ints, Plans, after_discard
from pandoer.rulesets import Ruleset, ruleset
from pandoer.tables import ChanceTable, StrengthTable, column
from pandoer.tables.included import builtin, named, names

__all__ = ["BidRows", "Frame", "TableLike"]

TableLike: TypeAlias = Any
"""A strength table: a `pyarrow.Table`, a data frame, a mapping of arrays, a path, the name of a table of the package
such as ``"pagat"``, or a `Frame`.  A table of exact chances will do as well."""

Floats: TypeAlias = npt.NDArray[np.float64]

METADATA = b"pandoer"
"""The key of the metadata of a file."""

TEXTS = ("hand_text", "watch")
"""Columns of text, like those of plans."""


def needed(module: str, extra: str, purpose: str) -> Any:
    """A module of an optional package.

    Raises
    ------
    PandoerError
        If it is not installed; the message says how to install it.
    """
    try:
        return importlib.import_module(module)
    except ImportError:
        package = module.partition(".")[0].replace("sklearn", "scikit-learn")
        message = f"{purpose} needs {package}: expected it installed, as by pip install 'pandoer[{extra}]'"
        raise PandoerError(message) from None


@dataclass(frozen=True, eq=False)
class BidRows:
    """The rows of a table in which a bid has a chance.

    Attributes
    ----------
    bid, rules
        The bid and its ruleset.
    hands, watch
        ``uint64 [n]``: `Hand.bits` before the discard, and the watch card as a hand of one, 0 where it is not known.
    weight
        ``float64 [n]``: how often such a hand is dealt.
    chance, error, expected
        ``float64 [n]``: the chance of the bid, 0 to 1; its standard error; what the declarer wins, in the ruleset's
        unit per deal.
    samples
        ``int64 [n]``: the deals behind each chance.
    plans
        The plans of the table; where it has none, those of `usual_plans`.
    every
        Whether these are all hands of the game, or all of some kind, and not a sample of them.
    """

    bid: Bid
    rules: Ruleset
    hands: Bits
    watch: Bits
    weight: Floats
    chance: Floats
    error: Floats
    expected: Floats
    samples: Ints
    plans: Plans
    every: bool = False

    def __len__(self) -> int:
        return len(self.hands)

    @property
    def after(self) -> Bits:
        """The hands after the discard, ``uint64 [n]``."""
        return after_discard(self.hands, self.watch, self.plans)


@dataclass(frozen=True, eq=False)
class Frame:
    """A strength table as arrays.

    Attributes
    ----------
    rules
        The ruleset.
    bids
        The names of the bids of which it has chances.
    columns
        The arrays by name.
    hands, watch
        ``uint64 [n]``: `Hand.bits`, and the watch card as a hand of one, 0 where it is not known.
    weight
        ``float64 [n]``, more than 0 in all.
    every
        Whether these are all hands of the game, or all of some kind, as its metadata say, and not a sample of them.
    """

    rules: Ruleset
    bids: tuple[str, ...]
    columns: Mapping[str, npt.NDArray[Any]] = field(repr=False)
    hands: Bits = field(repr=False)
    watch: Bits = field(repr=False)
    weight: Floats = field(repr=False)
    every: bool = False

    @classmethod
    def of(cls, table: TableLike, rules: str | Ruleset | None = None) -> Frame:
        """Read a table.

        Parameters
        ----------
        table
            The table; see `TableLike`.
        rules
            The ruleset or its name; unless given, that of the table's metadata.

        Raises
        ------
        PandoerError
            If it cannot be read, or is no strength table.
        """
        if isinstance(table, Frame):
            return table
        table = _opened(table)
        if isinstance(table, ChanceTable):
            return _exact(table)
        told = _metadata(table)
        if rules is None and "rules" not in told:
            raise PandoerError("this table does not say whose rules it is by: expected rules=, such as 'pagat'")
        game = ruleset(told["rules"] if rules is None else rules)
        there = [str(name) for name in _names(table)]
        if "hand" not in there:
            raise PandoerError(f"columns {', '.join(there) or 'none'}: expected a strength table, with a column hand")
        columns = _Columns(table, there)
        hands = _whole(columns["hand"], "hand")
        wrong = (hands & ~np.uint64(game.deck.bits)) != 0
        if wrong.any():
            raise PandoerError(f"hand {int(hands[wrong][0]):#x}: expected cards of {game.name}")
        watch = _cards(columns.get("watch", np.full(len(hands), None, object)))
        weight = np.asarray(columns.get("weight", np.ones(len(hands))), float)
        if not (np.isfinite(weight) & (weight >= 0)).all():
            raise PandoerError("weights: expected numbers of 0 or more")
        found = [name.removesuffix("_chance") for name in columns if name.endswith("_chance")]
        bids = tuple(game.bid(name.replace("_plus_", "+").replace("_", "-")).name for name in found)
        return cls(game, bids, columns, hands, watch, weight, told.get("hands", {}).get("kind") == "all")

    def __len__(self) -> int:
        return len(self.hands)

    def of_bid(self, bid: str | int | Bid) -> BidRows:
        """The rows in which a bid has a chance.

        Raises
        ------
        PandoerError
            If the table has not this bid, or no chance of it.
        """
        own = self.rules.bid(bid)
        if own.name not in self.bids:
            raise PandoerError(f"no chances of {own.name!r} in this table: expected one of {', '.join(self.bids)}")
        chance, error, expected = (self._floats(column(own.name, name)) for name in ("chance", "error", "expected"))
        there = np.isfinite(chance) & (self.weight > 0)
        if not there.any():
            raise PandoerError(f"no chances of {own.name!r} in this table: expected at least one hand with one")
        wrong = (chance[there] < 0) | (chance[there] > 1)
        if wrong.any():
            raise PandoerError(f"chance {chance[there][wrong][0]} of {own.name!r}: expected 0 to 1")
        hands, watch = self.hands[there], self.watch[there]
        texts = self.columns.get(column(own.name, "plan"))
        given = np.full(len(hands), None, object) if texts is None else texts[there]
        plans = _plans(given, own, self.rules, hands, watch)
        samples = self._floats(column(own.name, "samples"))[there].astype(np.int64)
        found = (self.weight[there], chance[there], error[there], expected[there], samples)
        return BidRows(own, self.rules, hands, watch, *found, plans, self.every)

    def _floats(self, name: str) -> Floats:
        if name not in self.columns:
            raise PandoerError(f"no column {name!r} in this table: expected one of {', '.join(self.columns)}")
        return np.asarray(self.columns[name], float)


class _Columns(Mapping[str, npt.NDArray[Any]]):
    """The columns of a table as arrays, each made when it is asked for: there are a hundred where all bids are."""

    def __init__(self, table: Any, names: Iterable[str]) -> None:
        self.table, self.names = table, dict.fromkeys(names)

    def __getitem__(self, name: str) -> npt.NDArray[Any]:
        if name not in self.names:
            raise KeyError(name)
        return _column(self.table, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __len__(self) -> int:
        return len(self.names)


def _opened(table: TableLike) -> Any:
    name = named(table)
    if name is not None:
        table = builtin(name)
    if isinstance(table, StrengthTable):
        return table.to_arrow()
    if not isinstance(table, (str, PathLike)):
        return table
    path = Path(table)
    parquet = needed("pyarrow.parquet", "tables", "reading a table")
    if not path.is_file():
        known = ", ".join(names())
        raise PandoerError(f"no file {str(path)!r}: expected a table in a Parquet file, or one of {known}")
    try:
        return parquet.read_table(path)
    except (OSError, ValueError) as error:  # pyarrow's own errors are ValueErrors
        raise PandoerError(f"cannot read {str(path)!r}: expected a Parquet file ({error})") from None


def _exact(table: ChanceTable) -> Frame:
    """A table of exact chances, which has all hands of its game."""
    classes = np.arange(table.classes.count)
    columns: dict[str, npt.NDArray[Any]] = {}
    for name in table.bids:
        chance = table.made(classes, name) / table.layouts
        columns |= {
            column(name): chance, column(name, "error"): np.zeros(len(classes)),
            column(name, "expected"): table.rules.bid(name).value * chance,
            column(name, "samples"): np.full(len(classes), table.layouts),
        }  # fmt: skip
    hands, watch = table.classes.unrank(classes), np.zeros(len(classes), np.uint64)
    return Frame(table.rules, table.bids, columns, hands, watch, table.classes.size(classes).astype(float), every=True)


def _metadata(table: Any) -> dict[str, Any]:
    """What a pyarrow table tells about itself."""
    metadata = getattr(getattr(table, "schema", None), "metadata", None) or {}
    told: dict[str, Any] = json.loads(metadata.get(METADATA, b"{}"))
    return told


def _names(table: Any) -> Iterable[Any]:
    for attribute in ("column_names", "columns"):
        if hasattr(table, attribute):
            names: Iterable[Any] = getattr(table, attribute)
            return names
    if isinstance(table, Mapping):
        return table.keys()
    kind = type(table).__name__
    raise PandoerError(f"table of type {kind}: expected a pyarrow table, a data frame, arrays or a path")


def _column(table: Any, name: str) -> npt.NDArray[Any]:
    column = table[name]
    if not hasattr(column, "combine_chunks"):
        return np.asarray(column)
    if name in TEXTS or name.endswith("_plan"):  # perhaps a dictionary of texts, and perhaps null
        return np.array([*column.to_pylist(), None], object)[:-1]
    return np.asarray(column.to_numpy())


def _whole(values: npt.NDArray[Any], name: str) -> Bits:
    if values.dtype.kind not in "iu" and values.size:
        raise PandoerError(f"column {name!r} of {values.dtype}: expected whole numbers, the bits of hands")
    return values.astype(np.uint64)


def _cards(texts: npt.NDArray[Any]) -> Bits:
    """Cards of texts, as hands of one; 0 for what is missing."""
    known = {text: Card(text).bit for text in {text for text in texts.tolist() if isinstance(text, str)} if text}
    return np.array([known.get(text, 0) for text in texts.tolist()], np.uint64)


def _plans(texts: npt.NDArray[Any], bid: Bid, rules: Ruleset, hands: Bits, watch: Bits) -> Plans:
    """Plans of texts, and the usual ones for hands whose text lacks what a plan of the bid has."""
    own = Plans.of([text if isinstance(text, str) else "-" for text in texts.tolist()])
    lacking = np.full(len(hands), False)
    if bid.trump != "none":
        lacking |= own.trump == NONE
    if rules.watch is not None:
        lacking |= (own.discard == NONE) & (watch != 0)
    if not lacking.any():
        return own
    usual = usual_plans(bid, rules, hands[lacking], watch[lacking])
    for name in ("trump", "discard", "called"):
        getattr(own, name)[lacking] = getattr(usual, name)
    return own
