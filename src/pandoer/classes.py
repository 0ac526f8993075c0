"""The hands of a game up to renaming of suits, numbered without gaps: `HandClasses`.

Suits of which the deck holds the same ranks may be renamed: clubs, diamonds and spades among the 33 cards of
Pandoer, where hearts have the six, and all four suits of Pandur.  Hands that differ in such names only form a class.
The best chance of a bid is the same for all hands of a class, as long as the question does not tell the suits apart:
nothing about trump, called card or the others' cards is fixed, and no melds of others are compared by suit.

**Order.**  The cards of one suit form a *pattern*.  The longer pattern is the greater; of equally long ones, the one
with the highest card that the other lacks.  The *canonical* hand of a class has its greatest pattern in the highest
suit that it may be in, and so on: spades, then hearts, diamonds and clubs.  Classes are numbered in the order of their
canonical hands, compared by the patterns of spades first, then those of the other suits of their group from high to
low, then those of the next group (hearts, among 33 cards).

**Numbers.**  `_Step.below` says for each suit, for each number of cards left to it and the suits after it, and for each
pattern, how many canonical ways there are to fill them with a smaller pattern in this suit.  So the number of a hand is
the sum of four entries; and the hand of a number is found suit by suit, by bisection.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from math import comb
from typing import Any, overload

import numpy as np
import numpy.typing as npt

from pandoer.cards import Hand, Suit
from pandoer.errors import PandoerError
from pandoer.rulesets import DEFAULT, Ruleset, ruleset

__all__ = ["HandClasses", "hand_classes"]

AT_A_TIME = 16_384
"""Hands that are worked out together: many for numpy, few for the cache."""

_RANKS = 9
_SUIT = (1 << _RANKS) - 1

Bits = npt.NDArray[np.uint64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class _Step:
    """One suit of a canonical hand, with the tables that its group has in common.

    Attributes
    ----------
    suit
        The suit.
    first
        Whether it is the first of its group: if not, its pattern is at most that of the suit before.
    patterns
        ``uint64 [patterns]``: the patterns in ascending order, as bits of a suit.
    places
        ``int64 [512]``: the place of a pattern in that order.
    lengths
        ``int64 [patterns]``: the number of cards of each.
    below
        ``int64 [cards + 1, patterns + 1]``: in how many ways this suit and those after it can hold so many cards, with
        one of so many smallest patterns in this suit.
    """

    suit: Suit
    first: bool
    patterns: Bits
    places: Ints
    lengths: Ints
    below: Ints


@dataclass(frozen=True)
class HandClasses:
    """The hands of so many cards of a deck, up to renaming of suits.

    Where a method takes hands it takes a `Hand`, or an array of `Hand.bits` of any shape; where it takes classes, a
    number or an array of numbers, 0 to `count` - 1.  For one it gives one, for an array an array of that shape.

    Parameters
    ----------
    deck
        The cards of the game.
    cards
        How many a hand holds.

    Raises
    ------
    PandoerError
        If the deck has not so many cards.

    Examples
    --------
    >>> from pandoer.cards import DECK24
    >>> classes = HandClasses(DECK24, 8)
    >>> classes.hands, classes.count
    (735471, 34497)
    >>> index = classes.rank(Hand("DAK HA9 CQJT9"))
    >>> index, classes.size(index)
    (25450, 24)
    >>> Hand.from_bits(classes.unrank(index))
    Hand('♠QJT9 ♥AK ♦A9')
    """

    deck: Hand
    cards: int
    groups: tuple[tuple[Suit, ...], ...] = field(init=False, repr=False, compare=False)
    """The suits that may be renamed among themselves, each group from high to low."""
    _steps: tuple[_Step, ...] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not isinstance(self.deck, Hand):
            raise PandoerError(f"deck {self.deck!r}: expected a Hand")
        cards = self.cards
        if isinstance(cards, bool) or not isinstance(cards, int) or not 0 <= cards <= len(self.deck):
            raise PandoerError(f"cards {cards!r}: expected a whole number, 0 to {len(self.deck)}")
        groups: dict[int, list[Suit]] = {}
        for suit in reversed(Suit):
            groups.setdefault(_of_suit(self.deck.bits, suit), []).append(suit)
        steps: list[_Step] = []
        after = np.zeros(cards + 1, np.int64)
        after[0] = 1
        for ranks, suits in reversed(groups.items()):
            steps[:0] = _group(ranks, suits, after)
            after = steps[0].below[:, -1]
        object.__setattr__(self, "groups", tuple(map(tuple, groups.values())))
        object.__setattr__(self, "_steps", tuple(steps))

    def __reduce__(self) -> tuple[type[HandClasses], tuple[Hand, int]]:
        return HandClasses, (self.deck, self.cards)

    @property
    def count(self) -> int:
        """The number of classes."""
        return int(self._steps[0].below[self.cards, -1])

    @property
    def hands(self) -> int:
        """The number of hands."""
        return comb(len(self.deck), self.cards)

    def __len__(self) -> int:
        return self.count

    @overload
    def rank(self, hands: Hand) -> int: ...
    @overload
    def rank(self, hands: npt.ArrayLike) -> Ints: ...
    def rank(self, hands: Hand | npt.ArrayLike) -> int | Ints:
        """The classes of hands.

        Parameters
        ----------
        hands
            A `Hand`, or ``uint64 [...]`` of `Hand.bits`.

        Returns
        -------
        int or numpy.ndarray
            ``int64 [...]``, 0 to `count` - 1.

        Raises
        ------
        PandoerError
            If a hand has a wrong number of cards, or one that is not in the deck.
        """
        bits = self._checked(hands)
        found = np.empty(bits.size, np.int64)
        for part in _parts(bits.size):
            found[part] = self._rank(self._places(bits.ravel()[part]))
        return int(found[0]) if isinstance(hands, Hand) else found.reshape(bits.shape)

    @overload
    def unrank(self, classes: int) -> int: ...
    @overload
    def unrank(self, classes: npt.NDArray[Any] | list[int] | range) -> Bits: ...
    def unrank(self, classes: int | npt.NDArray[Any] | list[int] | range) -> int | Bits:
        """The canonical hands of classes.

        Returns
        -------
        int or numpy.ndarray
            ``uint64 [...]`` of `Hand.bits`.

        Raises
        ------
        PandoerError
            If a number is no class.
        """
        numbers = self.check(classes)
        found = np.empty(numbers.size, np.uint64)
        for part in _parts(numbers.size):
            found[part] = self._bits(self._unrank(numbers.ravel()[part]))
        return found.reshape(numbers.shape) if np.ndim(classes) else int(found[0])

    @overload
    def canonical(self, hands: Hand) -> Hand: ...
    @overload
    def canonical(self, hands: npt.ArrayLike) -> Bits: ...
    def canonical(self, hands: Hand | npt.ArrayLike) -> Hand | Bits:
        """The canonical hands of the classes of hands: ``uint64 [...]`` of `Hand.bits`, or a `Hand` for one.

        Raises
        ------
        PandoerError
            As in `rank`.
        """
        bits = self._checked(hands)
        found = np.empty(bits.size, np.uint64)
        for part in _parts(bits.size):
            found[part] = self._bits(self._places(bits.ravel()[part]))
        return Hand.from_bits(found[0]) if isinstance(hands, Hand) else found.reshape(bits.shape)

    @overload
    def size(self, classes: int) -> int: ...
    @overload
    def size(self, classes: npt.NDArray[Any] | list[int] | range) -> Ints: ...
    def size(self, classes: int | npt.NDArray[Any] | list[int] | range) -> int | Ints:
        """How many hands there are in classes: ``int64 [...]``.

        Raises
        ------
        PandoerError
            If a number is no class.
        """
        numbers = self.check(classes)
        found = np.empty(numbers.size, np.int64)
        for part in _parts(numbers.size):
            found[part] = self._size(self._unrank(numbers.ravel()[part]))
        return found.reshape(numbers.shape) if np.ndim(classes) else int(found[0])

    def _checked(self, hands: Hand | npt.ArrayLike) -> Bits:
        """The bits of hands, each with the right number of cards of the deck."""
        bits = _integers("hands", hands.bits if isinstance(hands, Hand) else hands).astype(np.uint64)
        strange = bits & ~np.uint64(self.deck.bits)
        if strange.any():
            wrong = int(bits[strange != 0][0])
            raise PandoerError(f"hand {shown(wrong)}: expected cards of the deck {str(self.deck)!r}")
        counts = np.bitwise_count(bits)
        if (counts != self.cards).any():
            wrong = int(bits[counts != self.cards][0])
            raise PandoerError(f"hand {shown(wrong)}: expected {self.cards} cards, not {wrong.bit_count()}")
        return bits

    def check(self, classes: npt.ArrayLike) -> Ints:
        """The same classes, ``int64 [...]``; a number that is none is a `PandoerError`."""
        numbers = _integers("classes", classes)
        wrong = (numbers < 0) | (numbers >= self.count)
        if wrong.any():
            raise PandoerError(f"class {int(numbers[wrong][0])}: expected 0 to {self.count - 1}")
        return numbers.astype(np.int64)

    def _places(self, bits: Bits) -> list[Ints]:
        """The places of the patterns of canonical hands, ``int64 [n]`` for each step."""
        places = [step.places[_of_suit(bits, step.suit)] for step in self._steps]
        # Exchange neighbours in each group until its patterns descend.
        for _ in range(max(map(len, self.groups)) - 1):
            for i, step in enumerate(self._steps):
                if not step.first:
                    one, other = places[i - 1], places[i]
                    places[i - 1], places[i] = np.maximum(one, other), np.minimum(one, other)
        return places

    def _rank(self, places: list[Ints]) -> Ints:
        """The classes of canonical hands."""
        found = np.zeros(len(places[0]), np.int64)
        left = np.full(len(places[0]), self.cards)
        for step, place in zip(self._steps, places, strict=True):
            found += step.below[left, place]
            left -= step.lengths[place]
        return found

    def _unrank(self, numbers: Ints) -> list[Ints]:
        """The places of the patterns of canonical hands: in each suit the greatest that does not count too many."""
        rest = numbers.copy()
        left = np.full(len(rest), self.cards)
        found = []
        for step in self._steps:
            width = step.below.shape[1]
            below, row = step.below.ravel(), left * width
            place = np.zeros(len(rest), np.int64)
            for bit in reversed(range((width - 1).bit_length() - 1)):
                further = place + (1 << bit)
                place = np.where(below[row + further] <= rest, further, place)
            rest -= below[row + place]
            left -= step.lengths[place]
            found.append(place)
        return found

    def _bits(self, places: list[Ints]) -> Bits:
        """The hands with these patterns."""
        bits = np.zeros(len(places[0]), np.uint64)
        for step, place in zip(self._steps, places, strict=True):
            bits |= step.patterns[place] << np.uint64(16 * step.suit)
        return bits

    def _size(self, places: list[Ints]) -> Ints:
        """In how many ways the patterns can be given to the suits: k! over the factorials of those that are equal."""
        size = np.ones(len(places[0]), np.int64)
        for i, step in enumerate(self._steps):
            if step.first:
                suits, equal = 1, np.ones_like(size)
            else:
                suits += 1
                equal = np.where(places[i] == places[i - 1], equal + 1, 1)
            size = size * suits // equal
        return size


def hand_classes(rules: str | Ruleset = DEFAULT, cards: int | None = None) -> HandClasses:
    """The classes of the hands of a ruleset, by default of those that are dealt.

    >>> hand_classes("pagat", 9).count
    6625091

    Raises
    ------
    PandoerError
        For an unknown ruleset, or more cards than it has.
    """
    rules = ruleset(rules)
    return _hand_classes(rules.deck, rules.hand if cards is None else cards)


@lru_cache(maxsize=32)
def _hand_classes(deck: Hand, cards: int) -> HandClasses:
    return HandClasses(deck, cards)


def _group(ranks: int, suits: list[Suit], after: Ints) -> list[_Step]:
    """The steps of a group of suits, each with these ranks; `after`: ways to fill all later suits, by their cards."""
    patterns = np.array([bits for bits in range(_SUIT + 1) if not bits & ~ranks], np.uint64)
    patterns = patterns[np.argsort(np.bitwise_count(patterns), kind="stable")]
    lengths = np.bitwise_count(patterns).astype(np.int64)
    places = np.zeros(_SUIT + 1, np.int64)
    places[patterns] = np.arange(len(patterns))
    # By the cards left and the pattern of a suit: in how many ways those after it can be filled.
    later = np.repeat(after[:, None], len(patterns), axis=1)
    steps: list[_Step] = []
    for suit in reversed(suits):
        ways = np.zeros_like(later)
        for length in range(min(ranks.bit_count() + 1, len(after))):
            these = lengths == length
            ways[length:, these] = later[: len(after) - length, these]
        below = np.concatenate([np.zeros((len(after), 1), np.int64), ways.cumsum(axis=1)], axis=1)
        steps.insert(0, _Step(suit, suit == suits[0], patterns, places, lengths, below))
        later = below[:, 1:]
    for array in (patterns, places, lengths, *(step.below for step in steps)):
        array.flags.writeable = False
    return steps


@overload
def _of_suit(bits: int, suit: Suit) -> int: ...
@overload
def _of_suit(bits: Bits, suit: Suit) -> Bits: ...
def _of_suit(bits: int | Bits, suit: Suit) -> int | Bits:
    """The cards of one suit, as its nine lowest bits."""
    if isinstance(bits, int):
        return bits >> 16 * suit & _SUIT
    return bits >> np.uint64(16 * suit) & np.uint64(_SUIT)


def _parts(size: int) -> list[slice]:
    return [slice(start, start + AT_A_TIME) for start in range(0, size, AT_A_TIME)]


def _integers(what: str, given: Any) -> npt.NDArray[Any]:
    """An array of integers, whatever their kind."""
    array = np.asarray(given)
    if array.size and array.dtype.kind not in "iu":
        raise PandoerError(f"{what} {given!r:.200}: expected whole numbers, not {array.dtype}")
    if what == "hands" and array.size and array.min() < 0:
        raise PandoerError(f"hand {int(array.min())}: expected bits of cards, 0 or more")
    return array if array.size else array.astype(np.int64)


def shown(bits: int) -> str:
    """A hand for a message: its cards, or its bits if they are no cards."""
    try:
        return repr(str(Hand.from_bits(bits)))
    except PandoerError:
        return f"of bits {bits:#x}"
