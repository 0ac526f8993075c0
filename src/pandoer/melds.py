"""Melds (roem, Weis), marriage (stuk), and which side may count them.

What counts is data, a `MeldRules`. `describe` names the melds of one hand; the other functions take the bits
of many hands at once, in numpy arrays of any shape, and look them up suit by suit.

A maximal run of three or more consecutive cards of a suit counts once, in plain order even if the suit is
trump. A run longer than the longest listed (six to ace of hearts, in a hand of nine) counts as the longest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np
import numpy.typing as npt

from pandoer.cards import Card, Hand, Rank, Suit
from pandoer.errors import PandoerError

__all__ = [
    "CAPPELLE_MELDS",
    "PAGAT_MELDS",
    "PANDUR_MELDS",
    "WIKIPEDIA_EN_MELDS",
    "WIKIPEDIA_NL_MELDS",
    "Meld",
    "MeldRules",
    "best_meld",
    "describe",
    "marriage",
    "meld_points",
    "side_points",
]

Order: TypeAlias = Literal["kind-suit", "kind", "points"]
Denial: TypeAlias = Literal["bidders", "opponents", "none"]
_Ints: TypeAlias = npt.NDArray[np.int32]
_Lanes: TypeAlias = npt.NDArray[np.intp]

# The kinds of melds in ascending strength; the last part is the length of a run or the rank of a four.
_KINDS = ("run 3", "run 4", "run 5", "four Q", "four K", "four A", "run 6", "run 7", "run 8", "four J")
_RANKS = {rank.letter: rank for rank in Rank}
_LANES = 1 << len(Rank)
_LANE_SHIFTS = np.array([16 * suit for suit in Suit], dtype=np.uint64)


@dataclass(frozen=True)
class MeldRules:
    """What melds count, how two are compared, and who may deny.

    Attributes
    ----------
    runs : tuple of (length, points)
        Points of a run by its length; the lengths are consecutive and at least 3.
    fours : tuple of (rank letter, points)
        Points of four of a kind, such as ``("J", 200)``.
    card_in_both : bool
        Whether a card may count in a run and in a four. If not, the choice of fours with the most points in
        all counts, and a run is what they leave of it.
    order : {"kind-suit", "kind", "points"}
        How single melds compare. ``"kind"``: runs of 3, 4 and 5, four queens, kings and aces, runs of 6, 7
        and 8, four jacks; between runs of one length the higher top card. ``"kind-suit"``: then the suit,
        spades over hearts over diamonds over clubs. ``"points"``: more points, then the four, the longer run,
        the higher top card. What is left is a tie.
    denial : {"bidders", "opponents", "none"}
        Which opponents of the side deny it all its melds by a strictly better single meld: those who made a
        bid, all, or none.
    own_best : bool
        Whether their meld is compared with the declarer's own best rather than with the best of the side.
    marriage : int
        Points of king and queen of trump in one hand.
    raise_by_own : bool
        A bid is raised by melds that the bidder himself holds, watch card included, and he has to keep their cards:
        what he lays away must leave him as many points of melds and marriage as he raised by.  Otherwise the melds of
        the side after the discard are asked for.

    Raises
    ------
    PandoerError
        If the rules contradict the above.
    """

    runs: tuple[tuple[int, int], ...] = ((3, 20), (4, 50), (5, 100), (6, 120), (7, 140), (8, 160))
    fours: tuple[tuple[str, int], ...] = (("J", 200), ("A", 100), ("K", 100), ("Q", 100))
    card_in_both: bool = True
    order: Order = "kind-suit"
    denial: Denial = "none"
    own_best: bool = False
    marriage: int = 20
    raise_by_own: bool = False

    def __post_init__(self) -> None:
        lengths = [length for length, _ in self.runs]
        if not lengths or lengths[0] < 3 or lengths != list(range(lengths[0], lengths[0] + len(lengths))):
            raise PandoerError(f"runs of lengths {lengths}: expected consecutive lengths from 3 or more")
        for letter, _ in self.fours:
            if letter not in _RANKS or letter == "6":
                raise PandoerError(f"four of a kind {letter!r}: expected a rank letter A K Q J T 9 8 7")
        for name, value, known in (("order", self.order, Order), ("denial", self.denial, Denial)):
            if value not in get_args(known):
                raise PandoerError(f"{name} {value!r}: expected one of {', '.join(get_args(known))}")
        if self.order != "points":
            kinds = [f"run {length}" for length in lengths] + [f"four {letter}" for letter, _ in self.fours]
            for kind in kinds:
                if kind not in _KINDS:
                    raise PandoerError(f"{kind!r} has no place in order {self.order!r}, expected 'points'")

    @property
    def kinds(self) -> tuple[str, ...]:
        """The kinds of melds in ascending strength, as an auction announces them.

        >>> WIKIPEDIA_NL_MELDS.kinds
        ('run3', 'run4', 'run5', 'fourQ', 'fourK', 'fourA', 'run6', 'run7', 'run8', 'fourJ')
        """
        named = [(_strength(self, "run", n, Rank.SIX, Suit.CLUBS, points), f"run{n}") for n, points in self.runs]
        for letter, points in self.fours:
            named.append((_strength(self, "four", 4, _RANKS[letter], Suit.CLUBS, points), f"four{letter}"))
        return tuple(kind for _, kind in sorted(named))

    def run_value(self, length: int) -> tuple[int, int]:
        """The length a run counts as and its points; ``(0, 0)`` if it is too short to count."""
        (shortest, _), longest = self.runs[0], self.runs[-1]
        return (0, 0) if length < shortest else self.runs[min(length, longest[0]) - shortest]


#: J. McLeod's site, pagat.com, and A. C. Butselaar's booklet: opponents who made a bid may deny.
PAGAT_MELDS = MeldRules(denial="bidders")
#: The ``cappelle`` rules: as on pagat.com, but every opponent may deny.
CAPPELLE_MELDS = MeldRules(denial="opponents")
#: The Dutch encyclopedia's article: longer runs are worth more, nobody denies, suits do not break ties.
WIKIPEDIA_NL_MELDS = MeldRules(runs=((3, 20), (4, 50), (5, 100), (6, 150), (7, 200), (8, 250)), order="kind")
#: The international encyclopedia's article: nobody denies, suits do not break ties, a bid is raised by own melds.
WIKIPEDIA_EN_MELDS = MeldRules(order="kind", raise_by_own=True)
#: Pandur, from the Swiss federation's article: also four nines and tens, a card counts once, no marriage.
PANDUR_MELDS = MeldRules(
    runs=((3, 20), (4, 50), (5, 100), (6, 150)),
    fours=(("J", 200), ("9", 150), ("A", 100), ("K", 100), ("Q", 100), ("T", 100)),
    card_in_both=False,
    order="points",
    denial="opponents",
    own_best=True,
    marriage=0,
)


@dataclass(frozen=True)
class Meld:
    """One run or four of a kind in a hand.

    Attributes
    ----------
    kind : {"run", "four"}
    length : int
        The number of cards.
    top : Card
        The highest card; of a four the one of spades.
    cards : Hand
    points : int
    """

    kind: Literal["run", "four"]
    length: int
    top: Card
    cards: Hand
    points: int

    def __str__(self) -> str:
        name = f"run of {self.length}" if self.kind == "run" else f"four {self.top.rank.name.lower()}s"
        return f"{name} {self.cards} ({self.points})"


def describe(hand: Hand, rules: MeldRules) -> list[Meld]:
    """Name the melds of a hand that count, the best single one first.

    Parameters
    ----------
    hand : Hand
    rules : MeldRules

    Returns
    -------
    list of Meld
        Their points add up to `meld_points` of the hand. Where a card counts only once and two choices are
        worth the same, the one with the better single meld.

    Examples
    --------
    >>> for meld in describe(Hand("SJT9 HJ DJ CJ H87"), PAGAT_MELDS):
    ...     print(meld)
    four jacks ♠J ♥J ♦J ♣J (200)
    run of 3 ♠JT9 (20)
    """

    def strength(meld: Meld) -> int:
        return _strength(rules, meld.kind, meld.length, meld.top.rank, meld.top.suit, meld.points)

    fours = []
    for letter, points in rules.fours:
        cards = Hand(f"{suit.letter}{letter}" for suit in Suit if f"{suit.letter}{letter}" in hand)
        if len(cards) == 4:
            fours.append(Meld("four", 4, cards.cards[0], cards, points))
    choices = []
    for number in range(len(fours) + 1):
        for chosen in combinations(fours, number):
            rest = hand
            for four in chosen if not rules.card_in_both else ():
                rest -= four.cards
            melds = [*chosen, *_runs_of(rest, rules)]
            choices.append(sorted(melds, key=strength, reverse=True))
    return max(choices, key=lambda melds: (sum(m.points for m in melds), [strength(m) for m in melds]))


def meld_points(bits: npt.ArrayLike, rules: MeldRules) -> _Ints:
    """Points of the melds of each hand, marriage apart.

    Parameters
    ----------
    bits : array_like of uint64
        `Hand.bits`, in any shape.
    rules : MeldRules

    Returns
    -------
    ndarray of int32
        Points, in the shape of `bits`.
    """
    hands = _as_bits(bits)
    lanes, tables = _lanes(hands.ravel()), _tables(rules)
    held = _fours(lanes, tables)
    points: _Ints = tables.run_points[lanes].sum(axis=0, dtype=np.int32) + tables.four_points[held]
    if not rules.card_in_both:
        # Hands with a four are few: for each set of fours held, weigh each part of it and the runs it leaves.
        for fours in np.unique(held[held > 0]):
            where = np.flatnonzero(held == fours)
            points[where] = 0
            for chosen in _subsets(int(fours)):
                runs = tables.run_points[lanes[:, where] & ~chosen].sum(axis=0, dtype=np.int32)
                points[where] = np.maximum(points[where], runs + tables.four_points[chosen])
    return points.reshape(hands.shape)


def best_meld(bits: npt.ArrayLike, rules: MeldRules) -> _Ints:
    """Strength of the best single meld of each hand, in the order of the rules.

    Parameters
    ----------
    bits : array_like of uint64
        `Hand.bits`, in any shape.
    rules : MeldRules

    Returns
    -------
    ndarray of int32
        A code in the shape of `bits`: 0 without a meld, larger is better, equal is a tie. Codes compare under
        one set of rules only and mean nothing else.
    """
    lanes, tables = _lanes(_as_bits(bits)), _tables(rules)
    best: _Ints = tables.four_best[_fours(lanes, tables)]
    for suit in Suit:
        best = np.maximum(best, tables.run_best[suit, lanes[suit]])
    return np.asarray(best, dtype=np.int32)


def marriage(bits: npt.ArrayLike, trump: Suit | None, rules: MeldRules) -> _Ints:
    """Points of the marriage in each hand: king and queen of trump together.

    Parameters
    ----------
    bits : array_like of uint64
        `Hand.bits`, in any shape.
    trump : Suit or None
        Without trump there is no marriage.
    rules : MeldRules

    Returns
    -------
    ndarray of int32
        Points, in the shape of `bits`.
    """
    hands = _as_bits(bits)
    if trump is None:
        return np.zeros(hands.shape, dtype=np.int32)
    pair = np.uint64(Card.of(trump, Rank.KING).bit | Card.of(trump, Rank.QUEEN).bit)
    return np.asarray(np.where(hands & pair == pair, rules.marriage, 0), dtype=np.int32)


def side_points(
    hands: npt.ArrayLike,
    side: npt.ArrayLike,
    trump: Suit | None,
    rules: MeldRules,
    declarer: int,
    bidders: Iterable[int] = (),
) -> _Ints:
    """Points of melds and marriage that count for the declaring side of each deal.

    If an opponent entitled to deny has a strictly better single meld than the best of the side (than the
    declarer's best, if ``rules.own_best``), the side counts no melds at all; so a partner's good meld saves
    the declarer's. The marriage is never denied.

    Parameters
    ----------
    hands : array_like of uint64, shape (..., players)
        `Hand.bits` by deal and seat, as they are after the discard.
    side : array_like of int, shape (...)
        The seats of the side in each deal as bits, ``1 << seat``; one number does for all deals.
    trump : Suit or None
    rules : MeldRules
    declarer : int
        The declarer's seat.
    bidders : iterable of int
        Seats that made a bid; only ``denial="bidders"`` looks at them, and only at the opponents among them.

    Returns
    -------
    ndarray of int32, shape (...)
        Points for each deal.

    Raises
    ------
    PandoerError
        If a seat does not exist, or `side` is not of integers.
    """
    bits = _as_bits(hands)
    mask = np.asarray(side)
    if bits.ndim == 0:
        raise PandoerError(f"hands {hands!r}: expected an array with a last axis of seats")
    if mask.dtype.kind not in "iu":
        raise PandoerError(f"side of dtype {mask.dtype}: expected integers, a bit 1 << seat for each seat")
    players = bits.shape[-1]
    callers = tuple(bidders)
    for seat in (declarer, *callers):
        if not 0 <= seat < players:
            raise PandoerError(f"seat {seat}: expected 0 to {players - 1}")
    seats = np.arange(players)
    ours = (mask[..., np.newaxis].astype(np.int64) >> seats & 1).astype(bool)
    points = np.where(ours, meld_points(bits, rules), 0).sum(axis=-1)
    if rules.denial != "none":
        best = best_meld(bits, rules)
        deniers = ~ours & np.isin(seats, callers) if rules.denial == "bidders" else ~ours
        own = best[..., declarer] if rules.own_best else np.where(ours, best, 0).max(axis=-1)
        points = np.where(np.where(deniers, best, 0).max(axis=-1) > own, 0, points)
    return np.asarray(points + np.where(ours, marriage(bits, trump, rules), 0).sum(axis=-1), dtype=np.int32)


class _Tables(NamedTuple):
    """Lookup tables over the 512 sets of ranks: what a suit holds, or of which ranks a hand holds four."""

    run_points: _Ints  # [512]
    run_best: _Ints  # [suit, 512]
    four_points: _Ints  # [512]
    four_best: _Ints  # [512]
    fours: int  # the ranks of which four count


@lru_cache(maxsize=64)
def _tables(rules: MeldRules) -> _Tables:
    """Tabulate the rules."""
    run_points = np.zeros(_LANES, dtype=np.int32)
    run_best = np.zeros((len(Suit), _LANES), dtype=np.int32)
    four_points = np.zeros(_LANES, dtype=np.int32)
    four_best = np.zeros(_LANES, dtype=np.int32)
    fours = {_RANKS[letter]: points for letter, points in rules.fours}
    for lane in range(_LANES):
        for top, length in _runs(lane):
            points = rules.run_value(length)[1]
            run_points[lane] += points
            for suit in Suit if length >= rules.runs[0][0] else ():
                strength = _strength(rules, "run", length, top, suit, points)
                run_best[suit, lane] = max(strength, run_best[suit, lane])
        for rank, points in fours.items():
            if lane >> rank & 1:
                four_points[lane] += points
                strength = _strength(rules, "four", 4, rank, Suit.SPADES, points)
                four_best[lane] = max(strength, four_best[lane])
    for table in (run_points, run_best, four_points, four_best):
        table.flags.writeable = False
    return _Tables(run_points, run_best, four_points, four_best, sum(1 << rank for rank in fours))


def _strength(rules: MeldRules, kind: str, length: int, top: Rank, suit: Suit, points: int) -> int:
    """The code of a single meld: compared as numbers, codes rank melds in the order of the rules."""
    four = kind == "four"
    length = length if four else rules.run_value(length)[0]
    if rules.order == "points":
        return ((2 * points + four) * 16 + length) * 16 + top
    # No two hands have fours of the same rank, so top and suit decide between runs alone.
    place = 1 + _KINDS.index(f"four {top.letter}" if four else f"run {length}")
    return (place * 16 + top) * 4 + (suit if rules.order == "kind-suit" else 0)


def _runs(lane: int) -> Iterator[tuple[Rank, int]]:
    """Top rank and length of each maximal sequence in the ranks of one suit, highest first."""
    while lane:
        top = bottom = lane.bit_length() - 1
        while bottom and lane >> bottom - 1 & 1:
            bottom -= 1
        yield Rank(top), top - bottom + 1
        lane &= (1 << bottom) - 1


def _runs_of(hand: Hand, rules: MeldRules) -> Iterator[Meld]:
    """Yield the runs of a hand that are long enough to count."""
    for suit in Suit:
        for top, length in _runs(hand.bits >> 16 * suit & _LANES - 1):
            if length >= rules.runs[0][0]:
                cards = Hand(Card.of(suit, Rank(top - below)) for below in range(length))
                yield Meld("run", length, Card.of(suit, top), cards, rules.run_value(length)[1])


def _as_bits(bits: npt.ArrayLike) -> npt.NDArray[np.uint64]:
    array = np.asarray(bits)
    if array.dtype.kind not in "iu" and array.size:
        raise PandoerError(f"hands of dtype {array.dtype}: expected the integer bits of hands")
    return array.astype(np.uint64, copy=False)


def _lanes(bits: npt.NDArray[np.uint64]) -> _Lanes:
    """The ranks held in each suit, one set of bits a suit; the suits are a new first axis."""
    shifts = _LANE_SHIFTS.reshape(-1, *(1 for _ in bits.shape))
    return (bits >> shifts & np.uint64(_LANES - 1)).astype(np.intp)


def _fours(lanes: _Lanes, tables: _Tables) -> _Lanes:
    """The ranks held in all four suits, as far as they count."""
    return np.asarray(np.bitwise_and.reduce(lanes, axis=0) & tables.fours, dtype=np.intp)


def _subsets(ranks: int) -> Iterator[int]:
    """Yield every subset of a set of bits, the empty one last."""
    subset = ranks
    while subset:
        yield subset
        subset = (subset - 1) & ranks
    yield 0
