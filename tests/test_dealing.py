"""The hidden hands: every deal a partition, all deals equally likely, the same in any portions."""

from __future__ import annotations

import importlib
import re
from collections import Counter
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pandoer.cards import DECK24, DECK33, Card, Hand
from pandoer.dealing import BLOCK, sample, seed_sequence
from pandoer.errors import PandoerError

stats: Any = importlib.import_module("scipy.stats")

KNOWN = Hand("♠J9A ♥KQ ♦8 ♣T7 H7")
UNSEEN = DECK33 - KNOWN
SEED = np.random.SeedSequence(1958)


# Every deal


def test_a_deal_is_a_partition_of_the_unseen_cards() -> None:
    deals = sample(UNSEEN, 3, 8, 0, 3 * BLOCK, SEED)
    assert deals.shape == (3 * BLOCK, 3)
    assert deals.dtype == np.uint64
    assert (np.bitwise_count(deals) == 8).all()
    assert (np.bitwise_or.reduce(deals, axis=1) == np.uint64(UNSEEN.bits)).all()


@pytest.mark.parametrize("hands", [1, 2])
def test_cards_left_over_lie_nowhere(hands: int) -> None:
    unseen = DECK24 - Hand("SJ S9 HA HK DQ DT C9 CA")
    deals = sample(unseen, hands, 8, 0, 500, SEED)
    together = np.bitwise_or.reduce(deals, axis=1)
    assert (np.bitwise_count(deals) == 8).all()
    assert (np.bitwise_count(together) == 8 * hands).all()
    assert (together & ~np.uint64(unseen.bits) == 0).all()


def test_no_deals() -> None:
    for start in (0, 5, BLOCK, BLOCK + 5):
        assert sample(UNSEEN, 3, 8, start, start, SEED).shape == (0, 3)


# All deals are equally likely


def test_every_unseen_card_lies_in_every_hand_with_chance_a_third() -> None:
    count = 30_000
    deals = sample(UNSEEN, 3, 8, 0, count, SEED)
    for card in UNSEEN:
        found = ((deals & np.uint64(card.bit)) != 0).sum(axis=0)
        assert found.sum() == count
        assert stats.chisquare(found).pvalue > 1e-4, card


def test_two_unseen_cards_lie_in_one_hand_with_chance_7_out_of_23() -> None:
    count = 30_000
    deals = sample(UNSEEN, 3, 8, 0, count, SEED)
    for first, second in (("HA", "DA"), ("S7", "CK"), ("H6", "H8")):
        both = np.uint64(Card(first).bit | Card(second).bit)
        together = int(((deals & both) == both).sum())
        assert stats.binomtest(together, count, 7 / 23).pvalue > 1e-4


def test_the_whole_deal_is_uniform() -> None:
    """Six cards, two hands of two and two cards left over: 90 deals."""
    count = 45_000
    deals = sample(Hand("SA HK DQ CJ H6 C7"), 2, 2, 0, count, SEED)
    seen = Counter(map(tuple, deals.tolist()))
    assert len(seen) == 90
    assert stats.chisquare(list(seen.values())).pvalue > 1e-3


def test_deals_of_a_sequence_are_not_repeated() -> None:
    deals = sample(UNSEEN, 3, 8, 0, 4 * BLOCK, SEED)
    assert len(np.unique(deals, axis=0)) == 4 * BLOCK


# The same deals in any portions


@given(st.lists(st.integers(0, 3 * BLOCK), max_size=5))
def test_portions_do_not_matter(cuts: list[int]) -> None:
    bounds = [0, *sorted(cuts), 3 * BLOCK]
    whole = sample(UNSEEN, 3, 8, 0, 3 * BLOCK, SEED)
    portions = [sample(UNSEEN, 3, 8, start, stop, SEED) for start, stop in pairwise(bounds)]
    assert np.array_equal(np.concatenate(portions), whole)


def test_a_seed_gives_its_own_deals_and_is_left_as_it_was() -> None:
    first = sample(UNSEEN, 3, 8, 0, 50, SEED)
    assert np.array_equal(sample(UNSEEN, 3, 8, 0, 50, np.random.SeedSequence(1958)), first)
    assert SEED.n_children_spawned == 0
    others = [np.random.SeedSequence(1959), *np.random.SeedSequence(1958).spawn(2)]
    for other in others:
        assert not np.array_equal(sample(UNSEEN, 3, 8, 0, 50, other), first)


def test_the_state_of_numpy_does_not_matter() -> None:
    first = sample(UNSEEN, 3, 8, 0, 50, SEED)
    np.random.seed(5)
    assert np.array_equal(sample(UNSEEN, 3, 8, 0, 50, SEED), first)


# Seeds


@pytest.mark.parametrize("seed", [0, 7, 2**70, np.int64(7), np.uint8(7)])
def test_seed_sequence_of_a_number(seed: Any) -> None:
    made = seed_sequence(seed)
    assert made.entropy == int(seed)
    assert made.spawn_key == ()


def test_seed_sequence_of_a_sequence_is_itself() -> None:
    child = np.random.SeedSequence(5, spawn_key=(3,))
    assert seed_sequence(child) is child


# Errors


@pytest.mark.parametrize("seed", [-1, 1.5, "7", None, True, [1, 2]])
def test_seed_error(seed: Any) -> None:
    message = f"seed {seed!r}: expected a whole number, 0 or more"
    with pytest.raises(PandoerError, match=f"^{re.escape(message)}$"):
        seed_sequence(seed)


def test_too_few_cards() -> None:
    few = Hand("SA HK DQ")
    with pytest.raises(PandoerError, match=re.escape(f"3 unseen cards {str(few)!r}: expected at least 4")):
        sample(few, 2, 2, 0, 1, SEED)
