"""The hands of a strength table: all classes, random ones, or listed ones, made portion by portion.

Each source has numbered *places*, and a row belongs to a place; some places have no row.  So any portion of a table can
be made by itself.  Rows of one *question* have the same answer, since only the declarer's nine cards matter and not
which of them was the watch card; the number of the question is that of its seed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from numbers import Integral
from typing import Any, Literal, Protocol, cast

import numpy as np
import numpy.typing as npt

from pandoer.cards import Card, Hand
from pandoer.classes import HandClasses, hand_classes, shown
from pandoer.contracts import Bid
from pandoer.dealing import BLOCK, Seed, seed_sequence
from pandoer.errors import PandoerError
from pandoer.rulesets import Ruleset
from pandoer.symmetry import Renaming, renamed, renamings

__all__ = ["Block", "HandSource", "Source", "all_hands", "listed_hands", "random_hands", "source_of"]

GROUP = 4608
"""Places that are made together; a multiple of nine, so that a nine-card class is never cut."""

MOST_HANDS = 10_000_000_000

Bits = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]
Keep = Callable[..., object]


@dataclass(frozen=True, eq=False)
class Block:
    """Some rows of a table, before anything is known of them.

    Attributes
    ----------
    places, questions
        ``int64 [rows]``, both ascending; see this module.
    hands, watches
        ``uint64 [rows]``: `Hand.bits` of the hand, and the watch card's bit, 0 without one.
    weights
        ``float64 [rows]``: for how many deals of hand and watch card a row stands.
    """

    places: Ints
    questions: Ints
    hands: Bits
    watches: Bits
    weights: npt.NDArray[np.float64]

    def __len__(self) -> int:
        return len(self.places)

    def __getitem__(self, rows: slice | npt.NDArray[np.bool_]) -> Block:
        return Block(
            self.places[rows], self.questions[rows], self.hands[rows], self.watches[rows], self.weights[rows]
        )


class Source(Protocol):
    """Hands by place."""

    @property
    def places(self) -> int:
        """How many places there are."""

    def block(self, start: int, stop: int) -> Block:
        """The rows of places `start` to `stop`, which are multiples of nine or the last place."""

    def describe(self) -> dict[str, Any]:
        """What tells it from other sources, for JSON."""


@dataclass(frozen=True)
class HandSource:
    """Hands to make a table of, whatever the ruleset: see `all_hands`, `random_hands` and `listed_hands`.

    Attributes
    ----------
    kind
        ``"all"``, ``"random"`` or ``"listed"``.
    count
        How many random hands.
    seed
        Their seed; ``None`` for that of the table.
    hands, watches
        `Hand.bits` of those that are listed, and the bits of their watch cards, 0 without one.
    keep
        A filter, or ``None``.
    """

    kind: Literal["all", "random", "listed"]
    count: int = 0
    seed: Seed | None = None
    hands: tuple[int, ...] = ()
    watches: tuple[int, ...] = ()
    keep: Keep | None = None

    def where(self, keep: Keep) -> HandSource:
        """Those for which a function is true.

        It gets the `Hand`, and as a second argument the watch `Card` where that lies open.  It has to say the same of
        the same hand each time.
        """
        if not callable(keep):
            raise PandoerError(f"filter {keep!r}: expected a function of a hand, or of a hand and its watch card")
        before = self.keep
        if before is None:
            return replace(self, keep=keep)
        return replace(self, keep=lambda *row: before(*row) and keep(*row))


def all_hands() -> HandSource:
    """All hands up to renaming of suits; where the watch card lies open, with each card that it may be."""
    return HandSource("all")


def random_hands(count: int, seed: Seed | None = None) -> HandSource:
    """Random hands, each with a random watch card, all deals equally likely.

    Parameters
    ----------
    count
        How many.
    seed
        Their seed; by default that of the table.
    """
    if isinstance(count, bool) or not isinstance(count, Integral) or not 1 <= count <= MOST_HANDS:
        raise PandoerError(f"hands {count!r}: expected a whole number, 1 to {MOST_HANDS:,}")
    if seed is not None:
        seed_sequence(seed)
    return HandSource("random", int(count), seed)


def listed_hands(hands: Iterable[Any]) -> HandSource:
    """Hands of a list.

    Parameters
    ----------
    hands
        Hands or their texts; or pairs of a hand and its watch card; or an array of `Hand.bits`, ``uint64 [hands]``, or
        with the watch card's bit beside it, ``uint64 [hands, 2]``.
    """
    if isinstance(hands, np.ndarray):
        return _of_array(hands)
    found = [_row(number, given) for number, given in enumerate(hands)]
    if not found:
        raise PandoerError("hands: expected one or more, there are none")
    return HandSource("listed", hands=tuple(hand for hand, _ in found), watches=tuple(watch for _, watch in found))


def _of_array(array: npt.NDArray[Any]) -> HandSource:
    if array.dtype.kind not in "iu" or array.ndim not in (1, 2) or (array.ndim == 2 and array.shape[1] != 2):
        what = f"hands, {array.dtype} {array.shape}"
        raise PandoerError(f"{what}: expected uint64 [hands], or [hands, 2] with watch cards")
    if not len(array):
        raise PandoerError("hands: expected one or more, there are none")
    columns = array.reshape(len(array), -1).T.tolist()
    watches = columns[1] if len(columns) > 1 else [0] * len(array)
    return HandSource("listed", hands=tuple(columns[0]), watches=tuple(watches))


def _row(number: int, given: Any) -> tuple[int, int]:
    try:
        if isinstance(given, (Hand, str)):
            return Hand(given).bits, 0
        if isinstance(given, Integral):
            return int(given), 0
        hand, watch = given
        return Hand(hand).bits, 0 if watch is None else Card(watch).bit
    except PandoerError as error:
        raise PandoerError(f"hand {number}: {error}") from None
    except (TypeError, ValueError):
        raise PandoerError(f"hand {number}, {given!r}: expected a hand, or a hand and its watch card") from None


def source_of(hands: Any, rules: Ruleset, bids: Iterable[Bid], *, is_open: bool, seed: Seed) -> Source:
    """The hands that `strength_table` is asked for; `is_open`: each has a watch card."""
    asked = _asked(hands)
    if asked.kind == "all":
        if rules.melds.denial == "opponents" and rules.melds.order == "kind-suit":
            for bid in bids:
                if bid.target is not None:
                    raise PandoerError(
                        f"hands 'all': in {rules.name} the suit decides between melds, so that hands of {bid.name} are"
                        " not alike up to names of suits: expected other bids, or random or listed hands"
                    )
        source: Source = _AllOpen(rules) if is_open else _AllClosed(rules)
    elif asked.kind == "random":
        source = _Random(rules, asked.count, seed_sequence(seed if asked.seed is None else asked.seed), is_open)
    else:
        source = _Listed(np.array(asked.hands, np.uint64), np.array(asked.watches, np.uint64))
        _check_listed(source, rules, is_open=is_open)
    return source if asked.keep is None else _Filtered(source, asked.keep)


def _asked(hands: Any) -> HandSource:
    if isinstance(hands, HandSource):
        return hands
    if isinstance(hands, str):
        if hands.strip().lower() != "all":
            raise PandoerError(f"hands {hands!r}: expected 'all', a number, or a list of hands")
        return all_hands()
    if isinstance(hands, Integral):
        return random_hands(cast(int, hands))
    if isinstance(hands, Hand) or not (callable(hands) or isinstance(hands, Iterable)):
        raise PandoerError(f"hands {hands!r}: expected 'all', a number, a list of hands, or a filter")
    return all_hands().where(hands) if callable(hands) else listed_hands(hands)


def _check_listed(source: _Listed, rules: Ruleset, *, is_open: bool) -> None:
    for number, (bits, bit) in enumerate(zip(source.hands.tolist(), source.watches.tolist(), strict=True)):
        try:
            hand = Hand.from_bits(bits)
        except PandoerError as error:
            raise PandoerError(f"hand {number}: {error}") from None
        what = f"hand {number}, {str(hand)!r}"
        if len(hand) != rules.hand:
            raise PandoerError(f"{what}: expected {rules.hand} cards, not {len(hand)}")
        if hand - rules.deck:
            raise PandoerError(f"{what}: {hand - rules.deck} is not in the deck of {rules.name}")
        if bool(bit) != is_open:
            raise PandoerError(f"{what}: expected {'its' if is_open else 'no'} watch card")
        if bit and (bit.bit_count() != 1 or bit & bits or bit & ~rules.deck.bits):
            raise PandoerError(f"{what}, watch card {shown(bit)}: expected another card of {rules.name}")


class _AllClosed:
    """The classes of the hands that are dealt; a place is a class."""

    def __init__(self, rules: Ruleset) -> None:
        self.classes = hand_classes(rules)
        self.places = self.classes.count

    def block(self, start: int, stop: int) -> Block:
        places = np.arange(start, stop)
        weights = self.classes.size(places).astype(np.float64)
        return Block(places, places, self.classes.unrank(places), np.zeros(len(places), np.uint64), weights)

    def describe(self) -> dict[str, Any]:
        return {"kind": "all"}


class _AllOpen:
    """The classes of hand and watch card: a place is a class of nine cards and one of them, the watch card.

    Of watch cards that a renaming turns into each other, without changing the nine cards, only the first has a row.
    """

    def __init__(self, rules: Ruleset) -> None:
        self.classes = hand_classes(rules, rules.hand + 1)
        self.each = rules.hand + 1
        self.places = self.classes.count * self.each
        self.names = group_of(self.classes)

    def block(self, start: int, stop: int) -> Block:
        classes = np.arange(start // self.each, -(-stop // self.each))
        nine = self.classes.unrank(classes)
        watches = _bits_of(nine, self.each)
        first, orbit = watches.copy(), np.ones(watches.shape, np.int64)
        for names in self.names:
            same = renamed(nine, names) == nine
            images = np.where(same[:, None], renamed(watches, names), watches)
            first = np.minimum(first, images)
        for column in range(self.each):
            orbit[:, column] = (first == first[:, column : column + 1]).sum(axis=1)
        kept = first == watches
        weights = (self.classes.size(classes)[:, None] * orbit)[kept].astype(np.float64)
        questions = np.repeat(classes[:, None], self.each, axis=1)[kept]
        places = (classes[:, None] * self.each + np.arange(self.each))[kept]
        block = Block(places, questions, (nine[:, None] ^ watches)[kept], watches[kept], weights)
        return block[(places >= start) & (places < stop)]

    def describe(self) -> dict[str, Any]:
        return {"kind": "all"}


class _Random:
    """Uniform deals of a hand and a watch card, drawn in blocks from seeds of their own."""

    def __init__(self, rules: Ruleset, count: int, root: np.random.SeedSequence, is_open: bool) -> None:
        self.places, self.root, self.is_open, self.size = count, root, is_open, rules.hand
        self.deck = np.array([card.bit for card in rules.deck], np.uint64)

    def block(self, start: int, stop: int) -> Block:
        drawn = np.concatenate([self._drawn(number) for number in range(start // BLOCK, -(-stop // BLOCK))])
        cards = drawn[start % BLOCK :][: stop - start]
        places = np.arange(start, stop)
        hands = np.bitwise_or.reduce(cards[:, : self.size], axis=1)
        watches = cards[:, self.size] if self.is_open else np.zeros(len(places), np.uint64)
        return Block(places, places, hands, watches, np.ones(len(places)))

    def _drawn(self, number: int) -> Bits:
        key = (*self.root.spawn_key, 0, number)
        random = np.random.default_rng(np.random.SeedSequence(self.root.entropy, spawn_key=key))
        return random.permuted(np.tile(self.deck, (BLOCK, 1)), axis=1)[:, : self.size + 1]

    def describe(self) -> dict[str, Any]:
        return {"kind": "random", "count": self.places, "seed": seed_json(self.root)}


class _Listed:
    """Hands of a list."""

    def __init__(self, hands: Bits, watches: Bits) -> None:
        self.hands, self.watches, self.places = hands, watches, len(hands)

    def block(self, start: int, stop: int) -> Block:
        places = np.arange(start, stop)
        return Block(places, places, self.hands[start:stop], self.watches[start:stop], np.ones(len(places)))

    def describe(self) -> dict[str, Any]:
        digest = hashlib.sha256(self.hands.tobytes() + self.watches.tobytes()).hexdigest()
        return {"kind": "listed", "count": self.places, "sha256": digest}


class _Filtered:
    """The hands of another source that a function keeps, in their places."""

    def __init__(self, source: Source, keep: Keep) -> None:
        self.source, self.keep, self.places = source, keep, source.places

    def block(self, start: int, stop: int) -> Block:
        block = self.source.block(start, stop)
        rows = zip(block.hands.tolist(), block.watches.tolist(), strict=True)
        return block[np.array([bool(self.keep(*cards_of(hand, watch))) for hand, watch in rows], np.bool_)]

    def describe(self) -> dict[str, Any]:
        return {**self.source.describe(), "filter": getattr(self.keep, "__qualname__", type(self.keep).__name__)}


def cards_of(hand: int, watch: int) -> tuple[Hand] | tuple[Hand, Card]:
    """A hand, and its watch card if there is one, from their bits."""
    return (Hand.from_bits(hand),) if watch == 0 else (Hand.from_bits(hand), card_of(watch))


def card_of(bit: int) -> Card:
    """The card of a bit."""
    return Hand.from_bits(bit).cards[0]


def group_of(classes: HandClasses) -> list[Renaming]:
    """The ways to rename suits that leave a deck as it is, all but the one that changes nothing."""
    return [*renamings([classes.deck])]


def seed_json(seed: np.random.SeedSequence) -> Any:
    """A seed for JSON: its number, or a text of all its parts."""
    if isinstance(seed.entropy, int) and not seed.spawn_key:
        return seed.entropy
    return {"entropy": np.asarray(seed.entropy, object).tolist(), "spawn_key": [*map(int, seed.spawn_key)]}


def _bits_of(hands: Bits, each: int) -> Bits:
    """The single bits of hands of so many cards, ascending: ``uint64 [hands, each]``."""
    found, rest = np.empty((len(hands), each), np.uint64), hands.copy()
    for column in range(each):
        found[:, column] = rest & (~rest + np.uint64(1))
        rest &= rest - np.uint64(1)
    return found
