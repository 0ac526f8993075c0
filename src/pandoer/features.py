"""What a player sees in his hand, as numbers: `features`, and `FEATURES`, which names them all.

A feature is a whole number that can be counted at the table: how many trumps, whether the trump jack is there, how many
plain suits have a card that is in danger of a trick.  It is of the hand *after the discard* and of the plan, which says
what is trump and which card is called; of the cards of others it knows only which they are.

>>> found = features(Hand("SJ9A HKQ D8 CT7"), "S D7 HA", "pagat", ["trumps", "trump_jack", "called_length"])
>>> {name: values.tolist() for name, values in found.items()}
{'trumps': [3], 'trump_jack': [1], 'called_length': [2]}

Every function here takes `Cards`, which are many hands at once.  The names of suits do not matter, except that of a
suit of which the deck has other cards (hearts have the six).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from pandoer.cards import Hand, Rank
from pandoer.errors import PandoerError
from pandoer.melds import MeldRules, meld_points
from pandoer.planned import SUITS, Bits, Cards, Flags, Ints, Plans, by_suit, card_bits
from pandoer.plans import Plan
from pandoer.rulesets import Ruleset, ruleset

__all__ = ["FEATURES", "Feature", "features", "find"]


@dataclass(frozen=True)
class Feature:
    """A feature.

    Attributes
    ----------
    name
        Its name, such as ``"trump_jack"``.
    label
        What it is called on a card to keep, one of it: ``"each further trump"``.
    description
        What it counts, in one line.
    function
        Counts it: ``int64 [n]`` of `Cards`.
    """

    name: str
    label: str
    description: str
    function: Callable[[Cards], Ints]


_found: dict[str, Feature] = {}

FEATURES: Mapping[str, Feature] = MappingProxyType(_found)
"""Every feature by its name."""


def _feature(label: str) -> Callable[[Callable[[Cards], Ints]], Callable[[Cards], Ints]]:
    """Enter a function into `FEATURES`."""

    def enter(function: Callable[[Cards], Ints]) -> Callable[[Cards], Ints]:
        name = function.__name__
        _found[name] = Feature(name, label, (function.__doc__ or "").partition("\n")[0].rstrip("."), function)
        return function

    return enter


def features(
    hands: npt.ArrayLike | Hand | Iterable[Hand],
    plans: Plans | Plan | str | Iterable[Plan | str],
    rules: str | Ruleset,
    names: Iterable[str] | None = None,
) -> dict[str, Ints]:
    """Features of many hands.

    Parameters
    ----------
    hands
        After the discard: ``uint64 [n]`` of `Hand.bits`, or a `Hand`, or several.
    plans
        The plan of each hand, or one for all: `Plan` objects, or texts such as ``"S C7 HA"`` (``-`` for what is
        absent).
    rules
        The ruleset or its name.
    names
        The features, by default all of `FEATURES`.

    Returns
    -------
    dict
        By name, ``int64 [n]``.

    Raises
    ------
    PandoerError
        For an unknown feature, a text that is no plan, a discard that is in the hand, or another number of plans than
        of hands.
    """
    rules = ruleset(rules)
    wanted = [find(name) for name in (FEATURES if names is None else names)]
    bits = _bits(hands)
    own = Plans.of(plans)
    if len(own) == 1 and len(bits) != 1:
        own = own[np.zeros(len(bits), np.intp)]
    if len(own) != len(bits):
        raise PandoerError(f"{len(own)} plans for {len(bits)} hands: expected one for each, or one for all")
    for cards, what in ((bits & ~np.uint64(rules.deck.bits), "no cards of the game"),
                        (bits & card_bits(own.discard), "the discard, which is not in a hand after it")):  # fmt: skip
        if cards.any():
            row = int(np.flatnonzero(cards)[0])
            raise PandoerError(f"hand {int(bits[row]):#x} in row {row} holds {what}")
    together = Cards.of(bits, own, rules)
    return {feature.name: feature.function(together) for feature in wanted}


def _bits(hands: npt.ArrayLike | Hand | Iterable[Hand]) -> Bits:
    given: Any = [hands] if isinstance(hands, Hand) else hands
    if not isinstance(given, np.ndarray) and isinstance(given, Iterable):
        given = [hand.bits if isinstance(hand, Hand) else hand for hand in given]
    array = np.atleast_1d(np.asarray(given))
    if array.ndim != 1 or (array.dtype.kind not in "iu" and array.size):
        raise PandoerError(f"hands of dtype {array.dtype}, shape {array.shape}: expected the bits of hands in a row")
    return array.astype(np.uint64)


def find(name: str) -> Feature:
    """The feature of a name; an unknown one is an error that quotes it."""
    if name not in FEATURES:
        raise PandoerError(f"unknown feature {name!r}: expected one of {', '.join(FEATURES)}")
    return FEATURES[name]


# Trump


@_feature("each trump")
def trumps(cards: Cards) -> Ints:
    """Cards of the trump suit."""
    return cards.in_trump(cards.length)


@_feature("trump jack")
def trump_jack(cards: Cards) -> Ints:
    """The trump jack, 0 or 1."""
    return cards.in_trump(cards.has(Rank.JACK, trump=True))


@_feature("trump nine")
def trump_nine(cards: Cards) -> Ints:
    """The trump nine, 0 or 1."""
    return cards.in_trump(cards.has(Rank.NINE, trump=True))


@_feature("trump ace")
def trump_ace(cards: Cards) -> Ints:
    """The trump ace, 0 or 1."""
    return cards.in_trump(cards.has(Rank.ACE, trump=True))


@_feature("each further trump")
def other_trumps(cards: Cards) -> Ints:
    """Trumps besides jack, nine and ace."""
    return trumps(cards) - trump_jack(cards) - trump_nine(cards) - trump_ace(cards)


@_feature("each trump from the top")
def trump_tops(cards: Cards) -> Ints:
    """Trumps above all those of others."""
    return cards.in_trump(cards.tops)


@_feature("marriage")
def marriage(cards: Cards) -> Ints:
    """King and queen of trump, 0 or 1."""
    both = cards.has(Rank.KING, trump=True) & cards.has(Rank.QUEEN, trump=True)
    return cards.in_trump(both)


# Plain suits, for those who want tricks


@_feature("side ace")
def side_aces(cards: Cards) -> Ints:
    """Aces of plain suits."""
    return cards.in_plain(cards.has(Rank.ACE, trump=False))


@_feature("guarded side king")
def side_kings_guarded(cards: Cards) -> Ints:
    """Kings of plain suits with another card of the suit."""
    return cards.in_plain(cards.has(Rank.KING, trump=False) & (cards.length > 1))


@_feature("each side card from the top")
def side_tops(cards: Cards) -> Ints:
    """Cards of plain suits above all those of others, from the ace down."""
    return cards.in_plain(cards.tops)


@_feature("each side card that is not from the top")
def side_losers(cards: Cards) -> Ints:
    """Cards of plain suits with a higher one in another hand."""
    return cards.in_plain(cards.length - cards.tops)


@_feature("each card of the longest side suit")
def second_suit(cards: Cards) -> Ints:
    """Length of the longest plain suit."""
    return np.asarray(np.where(cards.trump, 0, cards.length).max(axis=0), np.int64)


@_feature("void side suit")
def voids(cards: Cards) -> Ints:
    """Plain suits without a card."""
    return cards.in_plain(cards.length == 0)


@_feature("singleton")
def singletons(cards: Cards) -> Ints:
    """Plain suits with one card."""
    return cards.in_plain(cards.length == 1)


# Melds


@_feature("every ten points of the best meld")
def best_meld(cards: Cards) -> Ints:
    """Points of the best single meld, in tens."""
    run_points, four_points = _single_melds(cards.rules.melds)
    ranks = by_suit(cards.hands)
    four = np.bitwise_and.reduce(ranks, axis=0)
    return np.asarray(np.maximum(run_points[ranks].max(axis=0), four_points[four]) // 10, np.int64)


@_feature("every ten points of melds")
def melds(cards: Cards) -> Ints:
    """Points of all melds, marriage apart, in tens."""
    return np.asarray(meld_points(cards.hands, cards.rules.melds) // 10, np.int64)


@lru_cache(maxsize=16)
def _single_melds(rules: MeldRules) -> tuple[Ints, Ints]:
    """Points of the best run in a suit, and of the best four of ranks held in all suits: twice ``int64 [512]``."""
    runs, fours = np.zeros(512, np.int64), np.zeros(512, np.int64)
    fours_by_rank = {rank: points for letter, points in rules.fours for rank in Rank if rank.letter == letter}
    for ranks in range(512):
        longest = max(map(len, "".join("x" if ranks >> rank & 1 else " " for rank in Rank).split()), default=0)
        runs[ranks] = rules.run_value(longest)[1]
        fours[ranks] = max((points for rank, points in fours_by_rank.items() if ranks >> rank & 1), default=0)
    return runs, fours


# The called card


@_feature("each card of the called suit")
def called_length(cards: Cards) -> Ints:
    """Cards of the called card's suit; 0 also when no card is called."""
    return np.asarray(np.where(_called(cards), cards.length, 0).sum(axis=0), np.int64)


@_feature("void in the called suit")
def called_void(cards: Cards) -> Ints:
    """The called card is of a plain suit without a card in the hand, 0 or 1."""
    return cards.in_plain(_called(cards) & (cards.length == 0))


@_feature("singleton in the called suit")
def called_singleton(cards: Cards) -> Ints:
    """The called card is of a plain suit with one card in the hand, 0 or 1."""
    return cards.in_plain(_called(cards) & (cards.length == 1))


@_feature("calling the trump ace")
def called_trump(cards: Cards) -> Ints:
    """The called card is a trump, 0 or 1."""
    return cards.in_trump(_called(cards))


def _called(cards: Cards) -> Flags:
    """Of which suit the called card is, ``bool [4, n]``."""
    return np.asarray(cards.plans.called >> 4 == SUITS)


# Plain suits, for those who want no tricks


@_feature("each low side card")
def low_cards(cards: Cards) -> Ints:
    """Cards of plain suits with at most one lower card of others."""
    low = np.zeros_like(cards.held)
    others = np.zeros_like(cards.held)
    for place in range(len(Rank)):
        low += (cards.held >> place & 1) * (others <= 1)
        others += cards.unseen >> place & 1
    return cards.in_plain(low)


@_feature("each side ace or king")
def high_cards(cards: Cards) -> Ints:
    """Aces and kings of plain suits."""
    return side_aces(cards) + cards.in_plain(cards.has(Rank.KING, trump=False))


@_feature("safe side suit")
def safe_suits(cards: Cards) -> Ints:
    """Plain suits that are held and have no gap, so that lower cards of one's own can save each card."""
    return cards.in_plain((cards.gap == 0) & (cards.length > 0))


@_feature("side suit in danger")
def danger_suits(cards: Cards) -> Ints:
    """Plain suits with a card above more cards of others than one has lower ones to go under them."""
    return cards.in_plain(cards.gap > 0)


@_feature("each card missing below the lowest of a side suit")
def low_gaps(cards: Cards) -> Ints:
    """Gaps below the lowest card of each plain suit, at most four each."""
    return cards.in_plain(cards.gaps[0])


@_feature("each card missing below the others of a side suit")
def later_gaps(cards: Cards) -> Ints:
    """Gaps below the other cards of plain suits, at most four each."""
    return cards.in_plain(cards.gaps[1])


@_feature("each card missing below a trump")
def trump_gaps(cards: Cards) -> Ints:
    """Gaps below the trumps, at most four each."""
    return cards.in_trump(cards.gap)
