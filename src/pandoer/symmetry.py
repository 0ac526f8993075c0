"""Suits that may be exchanged: what differs in the names of suits only need not be worked out twice."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from itertools import permutations

import numpy as np
import numpy.typing as npt

from pandoer.cards import Card, Hand, Suit

Renaming = tuple[Suit, ...]
"""The new suit of clubs, diamonds, hearts and spades."""

_LANE = np.uint64(0xFFFF)
_SHIFTS = tuple(np.uint64(16 * suit) for suit in Suit)


def renamings(fixed: Iterable[Hand], suits: Iterable[Suit | None] = ()) -> tuple[Renaming, ...]:
    """The ways to rename suits, not to rename them apart, that leave hands as they are and suits in their place."""
    hands = np.array([hand.bits for hand in fixed], np.uint64)
    kept = [suit for suit in suits if suit is not None]
    return tuple(
        names
        for names in permutations(Suit)
        if names != tuple(Suit)
        and all(names[suit] == suit for suit in kept)
        and (renamed(hands, names) == hands).all()
    )


def renamed(bits: npt.NDArray[np.uint64], names: Renaming) -> npt.NDArray[np.uint64]:
    """Hands, as `Hand.bits` in any shape, with their suits renamed."""
    lanes = (((bits >> _SHIFTS[suit]) & _LANE) << _SHIFTS[names[suit]] for suit in Suit)
    return reduce(np.bitwise_or, lanes)


def renamed_card(card: Card | None, names: Renaming) -> Card | None:
    """A card with its suit renamed."""
    return None if card is None else Card.of(names[card.suit], card.rank)


def twins(hands: npt.NDArray[np.uint64], names: Iterable[Renaming]) -> npt.NDArray[np.intp]:
    """For each deal the first one that differs from it in the names of suits only, perhaps itself.

    Parameters
    ----------
    hands
        ``uint64 [deals, seats]``.
    names
        The ways to rename suits; with the one that changes nothing they have to form a group.

    Returns
    -------
    numpy.ndarray
        ``intp [deals]``.
    """
    least = hands.copy()  # of all images of a deal, the hands compared one after the other
    for way in names:
        image = renamed(hands, way)
        smaller, equal = np.zeros(len(hands), np.bool_), np.ones(len(hands), np.bool_)
        for column in range(hands.shape[1]):
            smaller |= equal & (image[:, column] < least[:, column])
            equal &= image[:, column] == least[:, column]
        least[smaller] = image[smaller]
    number = np.zeros(len(hands), np.intp)
    for column in range(hands.shape[1]):
        _, own = np.unique(least[:, column], return_inverse=True)
        _, number = np.unique(number * len(hands) + own, return_inverse=True)
    _, first = np.unique(number, return_index=True)
    return np.asarray(first[number], np.intp)
