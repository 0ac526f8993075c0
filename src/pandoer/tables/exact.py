"""Exact chances of bids for every hand of a game: `ChanceTable`, `exact_chances`.

In Pandur with three hands, a player who knows nothing but his own hand faces 12,870 layouts of the other cards, and
there are 34,497 hands up to renaming of suits (`pandoer.classes`).  So the exact chances of a bid fit a small table.
A file is a numpy archive: for each bid an array of the number of layouts in which it is made, by class; and the names
of the ruleset and of the package's version that made it.

The chances are double-dummy ones, like those of `pandoer.odds`: after the plan, everybody plays as if he saw all cards.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import IO, Any, overload

import numpy as np
import numpy.typing as npt

from pandoer.cards import Card, Hand, Rank, Suit
from pandoer.classes import HandClasses, hand_classes
from pandoer.contracts import Bid
from pandoer.dealing import Layouts
from pandoer.errors import PandoerError
from pandoer.objectives import ALL
from pandoer.odds import odds
from pandoer.rulesets import Ruleset, ruleset
from pandoer.work import Progress

__all__ = ["ChanceTable", "exact_chances", "hopeless", "load", "read"]

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


def exact_chances(
    bid: str | int | Bid,
    classes: npt.ArrayLike | None = None,
    *,
    rules: str | Ruleset = "pandur",
    threads: int | None = None,
    progress: Progress | None = None,
) -> npt.NDArray[np.int32]:
    """In how many layouts of the others' cards a bid is made, with the best plan for the hand.

    Parameters
    ----------
    bid
        A bid of the ruleset.
    classes
        ``int [...]``, classes of hands as in `hand_classes`; by default all, in order.
    rules
        The ruleset or its name.
    threads
        Number of threads; ``None`` for one a core.
    progress
        Called with the share of the hands that is done, 0 to 1.

    Returns
    -------
    numpy.ndarray
        ``int32 [...]``, 0 to the number of layouts.

    Raises
    ------
    PandoerError
        For an unknown bid, ruleset or class, or more layouts than can be enumerated.

    Examples
    --------
    >>> exact_chances("pandur-ohne", [34495, 34496]).tolist()
    [1584, 12870]
    """
    rules = ruleset(rules)
    bid = rules.bid(bid)
    own = hand_classes(rules)
    numbers = np.arange(own.count) if classes is None else own.check(classes)
    hands = own.unrank(numbers.ravel())
    made = np.zeros(len(hands), np.int32)
    todo = np.flatnonzero(~hopeless(hands, bid, rules))
    for done, i in enumerate(todo.tolist(), start=1):
        found = odds(Hand.from_bits(hands[i]), bid, rules=rules, exact=True, threads=threads)
        made[i] = round(found.probability * found.samples)
        if progress is not None:
            progress(done / len(todo))
    if progress is not None and not len(todo):
        progress(1.0)
    return made.reshape(numbers.shape)


def hopeless(hands: npt.NDArray[np.uint64], bid: Bid, rules: Ruleset) -> npt.NDArray[np.bool_]:
    """Hands with which a bid is proved to be lost whatever the others hold: ``bool [n]``.

    To win all tricks alone and without trump, where the others hold all other cards, the declarer needs the ace of each
    suit that he holds.  For say that there are suits whose ace he lacks.  Until he leads such a suit he can lead only
    others, and each opponent keeps the aces that he has of such suits: he holds as many cards as the declarer, that is
    at least one for each of these suits and the one for the card that is led, and that one he may play, because the
    aces are not of the suit led.  When such a suit is led at last, its ace is there and wins.
    """
    found = np.zeros(hands.shape, bool)
    alone = bid.objective is ALL and bid.partner is None and bid.trump == "none"
    if not alone or rules.watch is not None or len(rules.deck) != rules.players[0] * rules.hand:
        return found
    for suit in Suit:
        ace = np.uint64(Card.of(suit, Rank.ACE).bit)
        found |= ((hands & np.uint64(rules.deck.of_suit(suit).bits)) != 0) & ((hands & ace) == 0)
    return found


@dataclass(frozen=True, eq=False, repr=False)
class ChanceTable:
    """Exact chances of some bids for every hand of a game.

    Parameters
    ----------
    rules
        The ruleset.
    counts
        By the name of a bid, in how many layouts it is made: ``int [classes]``, in the order of `classes`.
    version
        The version of the package that made the table.

    Raises
    ------
    PandoerError
        For an unknown bid, a wrong number of counts, or one that is no number of layouts.
    """

    rules: Ruleset
    counts: Mapping[str, npt.NDArray[np.integer[Any]]]
    version: str = ""
    classes: HandClasses = field(init=False)
    """The classes of the hands of the game."""
    layouts: int = field(init=False)
    """In how many ways the others' cards may lie."""

    def __post_init__(self) -> None:
        rules, classes = self.rules, hand_classes(self.rules)
        unseen = rules.deck - Hand.from_bits(classes.unrank(0))
        layouts = Layouts(unseen, rules.players[0] - 1, rules.hand).count
        counts = {}
        for name, given in self.counts.items():
            array = np.asarray(given)
            what = f"counts of {name!r}"
            if array.shape != (classes.count,) or array.dtype.kind not in "iu":
                raise PandoerError(f"{what}, {array.dtype} {array.shape}: expected {classes.count} whole numbers")
            wrong = (array < 0) | (array > layouts)
            if wrong.any():
                raise PandoerError(f"{what}: {int(array[wrong][0])} layouts, expected 0 to {layouts}")
            array = array.astype(np.min_scalar_type(layouts))
            array.flags.writeable = False
            counts[rules.bid(name).name] = array
        object.__setattr__(self, "counts", MappingProxyType(counts))
        object.__setattr__(self, "classes", classes)
        object.__setattr__(self, "layouts", layouts)

    def __reduce__(self) -> tuple[type[ChanceTable], tuple[Any, ...]]:
        return ChanceTable, (self.rules, dict(self.counts), self.version)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ChanceTable):
            return NotImplemented
        if (self.rules, self.bids, self.version) != (other.rules, other.bids, other.version):
            return False
        return all(np.array_equal(self.counts[bid], other.counts[bid]) for bid in self.bids)

    def __hash__(self) -> int:
        return hash((self.rules, self.bids, self.version))

    @property
    def bids(self) -> tuple[str, ...]:
        """The bids of which it holds the chances."""
        return tuple(self.counts)

    @overload
    def made(self, classes: int, bid: str | int | Bid) -> int: ...
    @overload
    def made(self, classes: npt.NDArray[Any] | list[int] | range, bid: str | int | Bid) -> Ints: ...
    def made(self, classes: int | npt.NDArray[Any] | list[int] | range, bid: str | int | Bid) -> int | Ints:
        """In how many of the `layouts` a bid is made with hands of these classes.

        Returns
        -------
        int or numpy.ndarray
            ``int64 [...]``, 0 to `layouts`.

        Raises
        ------
        PandoerError
            If the table has not this bid, or a number is no class.
        """
        found = self._of(bid)[self.classes.check(classes)].astype(np.int64)
        return found if np.ndim(classes) else int(found)

    @overload
    def chance(self, hands: Hand | str, bid: str | int | Bid) -> float: ...
    @overload
    def chance(self, hands: npt.NDArray[Any] | list[int], bid: str | int | Bid) -> Floats: ...
    def chance(self, hands: Hand | str | npt.NDArray[Any] | list[int], bid: str | int | Bid) -> float | Floats:
        """The chance of a bid with the best plan.

        Parameters
        ----------
        hands
            A `Hand` or its text, or ``uint64 [...]`` of `Hand.bits`.
        bid
            A bid of the table.

        Returns
        -------
        float or numpy.ndarray
            ``float64 [...]``, 0 to 1.

        Raises
        ------
        PandoerError
            If the table has not this bid, or a hand is none of the game.
        """
        if isinstance(hands, (Hand, str)):
            return self.made(self.classes.rank(Hand(hands)), bid) / self.layouts
        return self.made(self.classes.rank(hands), bid) / self.layouts

    def mean(self, bid: str | int | Bid) -> float:
        """The chance of a bid with a random hand, 0 to 1."""
        return self._share(self._of(bid)) / self.layouts

    def to_array(self) -> npt.NDArray[Any]:
        """The whole table, in the order of the classes.

        Returns
        -------
        numpy.ndarray
            Structured, ``[classes]``: ``hand``, the bits of the canonical hand (uint64); ``size``, the number of hands
            in the class (int64); and for each bid its chance (float64).
        """
        every = np.arange(self.classes.count)
        rows = np.empty(len(every), [("hand", "u8"), ("size", "i8"), *((bid, "f8") for bid in self.bids)])
        rows["hand"], rows["size"] = self.classes.unrank(every), self.classes.size(every)
        for bid in self.bids:
            rows[bid] = self.counts[bid] / self.layouts
        return rows

    def __iter__(self) -> Iterator[tuple[Hand, int, dict[str, float]]]:
        """The canonical hand of each class, the number of hands in it, and the chance of each bid."""
        for hand, size, *chances in self.to_array().tolist():
            yield Hand.from_bits(hand), size, dict(zip(self.bids, chances, strict=True))

    def __len__(self) -> int:
        return self.classes.count

    def save(self, path: str | Path) -> None:
        """Write the table to a file that `load` reads."""
        with Path(path).open("wb") as file:
            arrays: dict[str, Any] = {"rules": self.rules.name, "version": self.version, **self.counts}
            np.savez_compressed(file, **arrays)

    def __repr__(self) -> str:
        bids = ", ".join(f"{bid} {100 * self.mean(bid):.2f} %" for bid in self.bids)
        return f"<ChanceTable {self.rules.name}: {len(self):,} classes, {self.layouts:,} layouts; {bids}>"

    def _repr_html_(self) -> str:
        head = "".join(f"<th>{name}</th>" for name in ("bid", "mean chance", "hands that always make it", "never"))
        rows = ""
        for bid, counts in self.counts.items():
            shares = (self.mean(bid), self._share(counts == self.layouts), self._share(counts == 0))
            rows += f"<tr><td>{bid}</td>" + "".join(f"<td>{100 * share:.2f} %</td>" for share in shares) + "</tr>"
        title = f"{self.rules.title}: {len(self):,} classes of hands, {self.layouts:,} layouts each"
        return f"<b>{title}</b><table><tr>{head}</tr>{rows}</table>"

    def _of(self, bid: str | int | Bid) -> npt.NDArray[np.integer[Any]]:
        name = self.rules.bid(bid).name
        if name not in self.counts:
            raise PandoerError(f"no chances of {name!r} in this table: expected one of {', '.join(self.bids)}")
        return self.counts[name]

    def _share(self, values: npt.NDArray[Any]) -> float:
        """The mean of a value of each class over all hands."""
        sizes = self.classes.size(np.arange(len(self)))
        return float(values @ sizes) / self.classes.hands


def load(path: str | Path) -> ChanceTable:
    """Read a table that `ChanceTable.save` wrote.

    Raises
    ------
    PandoerError
        If the file is no table.
    OSError
        If it cannot be read.
    """
    with Path(path).open("rb") as file:
        return read(file, str(path))


def read(file: IO[bytes], path: str) -> ChanceTable:
    """The table in an open file; `path` is what an error calls it."""
    try:
        with np.load(file, allow_pickle=False) as arrays:
            counts = {name: arrays[name] for name in arrays.files}
        rules, version = str(counts.pop("rules")), str(counts.pop("version"))
    except (KeyError, ValueError, EOFError, AttributeError, TypeError, zipfile.BadZipFile) as error:
        raise PandoerError(f"cannot read the table {path!r}: {error}") from None
    return ChanceTable(ruleset(rules), counts, version)
