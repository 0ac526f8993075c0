"""The cards nobody has seen: where they may lie, counted, listed and sampled uniformly.

`Layouts` is the set of all layouts of the unseen cards that agree with what is known.  The cards are placed one
after the other, and at each it is counted in how many ways the rest can be placed.  So every layout has a number,
and a random layout is a random number.  `Stream` passes over some of the sampled deals, to weigh them.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from functools import cached_property, reduce
from itertools import combinations
from math import factorial
from operator import or_
from threading import Lock

import numpy as np
import numpy.typing as npt

from pandoer.cards import DECK33, Hand, Suit
from pandoer.errors import PandoerError

BLOCK = 256
"""Deals are drawn in blocks of this many, each from a seed of its own, so that how many are asked for at a time
changes nothing."""

AT_A_TIME = 64 * BLOCK
"""Layouts that are worked out together: many for numpy, few for the cache."""

MOST_HANDS = 4
MOST_PASSED_OVER = 1_000_000
"""A stream gives up when its weight keeps none of so many deals in a row."""

Seed = int | np.random.SeedSequence
Weight = Callable[[npt.NDArray[np.uint64]], npt.ArrayLike]


@dataclass(frozen=True, eq=False)
class Layouts:
    """Where the unseen cards may lie: in the hands of the other players, `cards` in each, the rest nowhere.

    Parameters
    ----------
    unseen
        The cards that lie in the hidden hands, or nowhere (in a stock).
    hands, cards
        How many hidden hands, 1 to 4, and cards in each.  They are those of seats 1 to `hands`.
    known
        Cards that are known to lie with a seat.
    void
        Suits of which a seat holds no card.
    lacks
        Single cards that a seat does not hold.
    held
        Cards that lie in one of the hands.

    Raises
    ------
    PandoerError
        If no layout agrees with all this; the message names seats and cards.

    Examples
    --------
    >>> layouts = Layouts(Hand("SA SK HA HK"), hands=2, cards=2, void={2: [Suit.SPADES]})
    >>> layouts.count
    1
    >>> [str(Hand.from_bits(bits)) for bits in layouts.enumerate()[0]]
    ['♠AK', '♥AK']
    """

    unseen: Hand
    hands: int
    cards: int
    _: KW_ONLY
    known: Mapping[int, Hand] | None = None
    void: Mapping[int, Iterable[Suit]] | None = None
    lacks: Mapping[int, Hand] | None = None
    held: Hand | None = None
    _places: tuple[tuple[int, npt.NDArray[np.int64]], ...] = field(init=False, repr=False)
    """Each card's bit, and the columns of the hands that may hold it, with `hands` if it may lie nowhere."""

    def __post_init__(self) -> None:
        _check_whole("hands", self.hands, 1, MOST_HANDS)
        _check_whole("cards", self.cards, 0, len(DECK33))
        total, dealt = len(self.unseen), self.hands * self.cards
        if total < dealt:
            raise PandoerError(f"{total} unseen cards {str(self.unseen)!r}: expected at least {dealt}")
        if self._most >= 2**63:
            raise PandoerError(
                f"{self.hands} hands of {self.cards} of {total} unseen cards: more layouts than can be counted"
            )
        for name, given in (("known", self.known), ("void", self.void), ("lacks", self.lacks)):
            for seat in given or ():
                if seat not in range(1, self.hands + 1):
                    raise PandoerError(f"{name} of seat {seat!r}: expected seats 1 to {self.hands}")
        could, settled = self._could_hold()
        if self.held is not None:
            settled |= self.held
        places = []
        for card in self.unseen:
            holders = [column for column, hand in enumerate(could) if hand.bits & card.bit]
            nowhere = [self.hands] if total > dealt and not settled.bits & card.bit else []
            if not holders + nowhere:
                raise PandoerError(f"card {card} may lie with nobody")
            places.append((card.bit, np.array(holders + nowhere)))
        for size in range(1, self.hands + 1):
            for group in combinations(range(self.hands), size):
                self._check_filled([column + 1 for column in group], reduce(or_, (could[column] for column in group)))
        object.__setattr__(self, "_places", tuple(places))

    def _could_hold(self) -> tuple[list[Hand], Hand]:
        """The cards that may lie in each hand, and all those of which the hand is known."""
        known = [(self.known or {}).get(seat, Hand()) for seat in range(1, self.hands + 1)]
        settled = reduce(or_, known)
        could = []
        for seat, own in enumerate(known, start=1):
            may = self.unseen - (self.lacks or {}).get(seat, Hand())
            for suit in (self.void or {}).get(seat, ()):
                may -= may.of_suit(suit)
            for card in own:
                lies = f"card {card} is known to lie with"
                if card not in self.unseen:
                    raise PandoerError(f"{lies} seat {seat}: expected one of the unseen cards {str(self.unseen)!r}")
                if card not in may:
                    raise PandoerError(f"{lies} seat {seat}: expected one that its voids and lacks allow")
                for other in range(1, seat):
                    if card in known[other - 1]:
                        raise PandoerError(f"{lies} seats {other} and {seat}: expected one seat")
            if len(own) > self.cards:
                raise PandoerError(f"seat {seat}: expected {self.cards} cards, {len(own)} are known: {str(own)!r}")
            could.append(may - (settled - own))
        return could, settled

    def _check_filled(self, seats: list[int], could: Hand) -> None:
        """Raise if these seats together have too few cards; if none have, a layout exists by Hall's theorem."""
        needed = len(seats) * self.cards
        if len(could) >= needed:
            return
        if len(seats) == 1:
            who, them = f"seat {seats[0]}: expected {needed} cards", "it"
        else:
            who, them = f"seats {', '.join(map(str, seats[:-1]))} and {seats[-1]} need {needed} cards", "them"
        raise PandoerError(f"{who}, only {len(could)} unseen cards may lie with {them}: {str(could)!r}")

    @property
    def count(self) -> int:
        """The number of layouts."""
        return self._most if self._unconstrained else self._table[0]

    @property
    def _most(self) -> int:
        """The number of layouts if every card may lie everywhere."""
        total, dealt = len(self.unseen), self.hands * self.cards
        number: int = factorial(total) // (factorial(self.cards) ** self.hands * factorial(total - dealt))
        return number

    def sample(self, start: int, stop: int, seed: np.random.SeedSequence) -> npt.NDArray[np.uint64]:
        """Deals number `start` to `stop` of an endless sequence in which every layout is equally likely.

        Parameters
        ----------
        start, stop
            Which deals of the sequence.
        seed
            The sequence.

        Returns
        -------
        numpy.ndarray
            ``uint64 [stop - start, hands]`` of `Hand.bits`.
        """
        _check_range("deals", start, stop)
        return self.take(np.arange(start, stop), seed)

    def take(self, numbers: npt.NDArray[np.int64], seed: np.random.SeedSequence) -> npt.NDArray[np.uint64]:
        """The deals of the sequence `sample` that have these numbers: ``int64 [n]``, ascending, none twice."""
        if not len(numbers):
            return np.zeros((0, self.hands), np.uint64)
        blocks, firsts = np.unique(numbers // BLOCK, return_index=True)
        portions = zip(blocks.tolist(), np.split(numbers % BLOCK, firsts[1:]), strict=True)
        drawn = ((_random(seed, block), within) for block, within in portions)
        if self._unconstrained:
            return np.concatenate([self._shuffled(random)[within] for random, within in drawn])
        ranks = [random.integers(self.count, size=BLOCK)[within] for random, within in drawn]
        return self._unrank(np.concatenate(ranks))

    def enumerate(self, start: int = 0, stop: int | None = None) -> npt.NDArray[np.uint64]:
        """Layouts number `start` to `stop`, by default all, each once in a fixed order.

        A `stop` beyond the last layout means the last, so that they can be taken portion by portion.

        Returns
        -------
        numpy.ndarray
            ``uint64 [stop - start, hands]`` of `Hand.bits`.
        """
        stop = self.count if stop is None else stop
        _check_range("layouts", start, stop)
        return self._unrank(np.arange(start, min(stop, self.count)))

    @cached_property
    def _unconstrained(self) -> bool:
        """Whether every card may lie everywhere, so that shuffling will do."""
        stock = len(self.unseen) > self.hands * self.cards
        return all(len(places) == self.hands + stock for _, places in self._places)

    def _shuffled(self, random: np.random.Generator) -> npt.NDArray[np.uint64]:
        """A block of deals, the cards shuffled and cut: ``uint64 [BLOCK, hands]``."""
        bits = np.array([bit for bit, _ in self._places], np.uint64)
        shuffled = random.permuted(np.tile(bits, (BLOCK, 1)), axis=1)
        dealt = shuffled[:, : self.hands * self.cards].reshape(BLOCK, self.hands, self.cards)
        hands: npt.NDArray[np.uint64] = np.bitwise_or.reduce(dealt, axis=2)
        return hands

    @cached_property
    def _table(self) -> tuple[int, list[npt.NDArray[np.int64]]]:
        """The number of layouts, and for each card ``int64 [places, states]``.

        A state is the room left in each hand, as the digits of a number in base `cards` + 1, the first hand's first.
        An entry says in how many ways this card and those after it can be placed in the room of the state, this
        card in a place before that of the row.  No state that can be reached has more ways than there are layouts,
        so it fits; others may overflow and are never looked at.
        """
        ways = np.zeros((self.cards + 1,) * self.hands, np.int64)
        ways[(0,) * self.hands] = 1  # the last card is placed: no room is left
        before = []
        for _, places in reversed(self._places):
            upto = np.zeros((len(places) + 1, *ways.shape), np.int64)
            for row, place in enumerate(places):
                upto[row + 1] = upto[row]
                if place == self.hands:
                    upto[row + 1] += ways
                else:
                    with_room = np.moveaxis(upto[row + 1], place, 0)[1:]
                    with_room += np.moveaxis(ways, place, 0)[:-1]
            before.append(upto[:-1].reshape(len(places), -1))
            ways = upto[-1]
        return int(ways.flat[-1]), before[::-1]

    def _unrank(self, numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        """The layouts of these numbers, ``int64 [n]``, each 0 to `count` - 1: ``uint64 [n, hands]``."""
        hands = np.empty((len(numbers), self.hands), np.uint64)
        for first in range(0, len(numbers), AT_A_TIME):
            portion = slice(first, first + AT_A_TIME)
            hands[portion] = self._unrank_portion(numbers[portion])
        return hands

    def _unrank_portion(self, numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.uint64]:
        """Place card after card: the number left says where, as the layouts are in order of the card's place."""
        steps = np.array([(self.cards + 1) ** (self.hands - 1 - column) for column in range(self.hands)] + [0])
        rest = numbers.copy()
        room = np.full(len(rest), (self.cards + 1) ** self.hands - 1)
        held = np.zeros((self.hands + 1, len(rest)), np.uint64)
        every = np.arange(len(rest))
        for (bit, places), before in zip(self._places, self._table[1], strict=True):
            row = np.zeros(len(rest), np.int64)
            for upto in before[1:]:
                row += rest >= upto[room]
            rest -= before[row, room]
            place = places[row]
            room -= steps[place]
            held[place, every] |= np.uint64(bit)
        return held[:-1].T


class Stream:
    """An endless sequence of deals, some of them passed over by a weight.

    Parameters
    ----------
    layouts
        Where the cards may lie.
    seed
        The sequence; without a weight the deals are those of `Layouts.sample`.
    weight
        Gets hidden hands, ``uint64 [n, hands]``, and says how likely each deal is beside the likeliest ones: ``[n]``
        numbers from 0 to 1, or booleans.  A deal is kept with this probability.  It must look at the hands alone,
        as it may see a deal with any others beside it.

    Attributes
    ----------
    tried
        Deals looked at so far.  Some more than needed are looked at together; how many depends only on the furthest
        deal that was asked for.
    """

    def __init__(self, layouts: Layouts, seed: np.random.SeedSequence, weight: Weight | None = None) -> None:
        self.layouts = layouts
        self.seed = seed
        self.weight = weight
        self.tried = 0
        self._kept = array("q")  # by their numbers in the sequence of the layouts
        self._lock = Lock()

    @property
    def kept(self) -> int:
        """How many of the deals looked at were kept."""
        return self.tried if self.weight is None else len(self._kept)

    def deals(self, start: int, stop: int) -> npt.NDArray[np.uint64]:
        """Deals number `start` to `stop` of those that are kept, the same in whatever portions.

        Returns
        -------
        numpy.ndarray
            ``uint64 [stop - start, hands]`` of `Hand.bits`.

        Raises
        ------
        PandoerError
            If the weight gives anything but one number from 0 to 1 for each deal, or keeps none of
            `MOST_PASSED_OVER` in a row.
        """
        _check_range("deals", start, stop)
        with self._lock:
            if self.weight is None:
                self.tried = max(self.tried, stop)
                numbers = np.arange(start, stop)
            else:
                while len(self._kept) < stop:
                    self._look_further(self.weight)
                numbers = np.array(self._kept[start:stop], np.int64)
        return self.layouts.take(numbers, self.seed)

    def _look_further(self, weight: Weight) -> None:
        """Look at the next deals: one block, later a quarter of those looked at before."""
        start = self.tried
        if start - (self._kept[-1] + 1 if self._kept else 0) >= MOST_PASSED_OVER:
            raise PandoerError(
                f"none of {MOST_PASSED_OVER:,} deals fits the weight: {self.kept:,} kept of {start:,} in all"
            )
        blocks = range(start // BLOCK, start // BLOCK + min(max(start // BLOCK // 4, 1), AT_A_TIME // BLOCK))
        stop = blocks.stop * BLOCK
        hidden = self.layouts.sample(start, stop, self.seed)
        chances = check_weights(weight(hidden), hidden)
        # A seed below that of the block: the deals are the same with and without a weight.
        lots = np.concatenate([_random(self.seed, block, 0).random(BLOCK) for block in blocks])
        self._kept.extend((start + np.flatnonzero(lots < chances)).tolist())
        self.tried = stop


def check_weights(given: npt.ArrayLike, hidden: npt.NDArray[np.uint64]) -> npt.NDArray[np.float64]:
    """What a weight gave for these hands, checked."""
    chances = np.asarray(given)
    if chances.shape != (len(hidden),):
        raise PandoerError(f"weights of shape {chances.shape}: expected {(len(hidden),)}, one for each deal")
    if chances.dtype.kind not in "biuf":
        raise PandoerError(f"weight {chances.tolist()[0]!r}: expected a number from 0 to 1, or a boolean")
    bad = np.flatnonzero(~((chances >= 0) & (chances <= 1)))
    if len(bad):
        deal = " / ".join(str(Hand.from_bits(bits)) for bits in hidden[bad[0]])
        raise PandoerError(f"weight {chances[bad[0]]} of deal {deal!r}: expected a number from 0 to 1")
    return chances.astype(np.float64)


def sample(
    unseen: Hand, hands: int, cards: int, start: int, stop: int, seed: np.random.SeedSequence
) -> npt.NDArray[np.uint64]:
    """Deals number `start` to `stop` when nothing is known of the unseen cards: `Layouts.sample`."""
    return Layouts(unseen, hands, cards).sample(start, stop, seed)


def seed_sequence(seed: Seed) -> np.random.SeedSequence:
    """A seed as a `numpy.random.SeedSequence`; anything but a number of 0 or more is an error."""
    if isinstance(seed, np.random.SeedSequence):
        return seed
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise PandoerError(f"seed {seed!r}: expected a whole number, 0 or more")
    return np.random.SeedSequence(int(seed))


def below(seed: np.random.SeedSequence, *key: int) -> np.random.SeedSequence:
    """A seed below another one, which follows from it and the key."""
    return np.random.SeedSequence(entropy=seed.entropy, spawn_key=(*seed.spawn_key, *key))


def _random(seed: np.random.SeedSequence, *key: int) -> np.random.Generator:
    """The random numbers of a seed below this one."""
    return np.random.Generator(np.random.PCG64(below(seed, *key)))


def _check_whole(name: str, number: int, least: int, most: int) -> None:
    if isinstance(number, bool) or not isinstance(number, int) or not least <= number <= most:
        raise PandoerError(f"{name} {number!r}: expected a whole number, {least} to {most}")


def _check_range(name: str, start: int, stop: int) -> None:
    if not 0 <= start <= stop:
        raise PandoerError(f"{name} {start!r} to {stop!r}: expected 0 or more, and an end not before the start")
