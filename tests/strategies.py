"""Hypothesis strategies: cards, hands, deals and problems."""

from __future__ import annotations

import random
from collections.abc import Sequence

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from pandoer import Card, Deal, Hand
from pandoer.cards import DECK33
from tests.positions import Problem, random_problem


def cards(deck: Hand = DECK33) -> SearchStrategy[Card]:
    """A card of the deck."""
    return st.sampled_from(deck.cards)


def hands(min_size: int = 0, max_size: int = 8, deck: Hand = DECK33) -> SearchStrategy[Hand]:
    """A hand of the deck."""
    return st.lists(cards(deck), min_size=min_size, max_size=max_size, unique=True).map(Hand)


@st.composite
def deals(
    draw: st.DrawFn,
    players: Sequence[int] = (2, 3, 4),
    min_size: int = 1,
    max_size: int = 8,
    deck: Hand = DECK33,
) -> Deal:
    """A deal with as many cards in every hand."""
    seats = draw(st.sampled_from(players))
    size = draw(st.integers(min_size, min(max_size, len(deck) // seats)))
    shuffled = draw(st.permutations(deck.cards))
    return Deal([Hand(shuffled[size * seat : size * (seat + 1)]) for seat in range(seats)])


def problems(
    size: int,
    rules: str | None = None,
    kinds: tuple[str, ...] | None = None,
) -> SearchStrategy[Problem]:
    """A problem with `size` cards in each hand; what Hypothesis shrinks is the seed it comes from."""
    seeds = st.integers(0, 2**32 - 1)
    return seeds.map(lambda seed: random_problem(random.Random(seed), size, rules, kinds))
