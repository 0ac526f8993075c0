"""The cards nobody has seen: where they may lie, sampled uniformly."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pandoer.cards import Hand
from pandoer.errors import PandoerError

BLOCK = 256
"""Deals are drawn in blocks of this many, each from a seed of its own, so that how many are asked for at a time
changes nothing."""

Seed = int | np.random.SeedSequence


def sample(
    unseen: Hand, hands: int, cards: int, start: int, stop: int, seed: np.random.SeedSequence
) -> npt.NDArray[np.uint64]:
    """Deals number `start` to `stop` of an endless uniform sequence.

    Parameters
    ----------
    unseen
        The cards that may lie in the hidden hands; those left over lie nowhere.
    hands, cards
        How many hidden hands, and cards in each.
    start, stop
        Which deals of the sequence.
    seed
        The sequence.

    Returns
    -------
    numpy.ndarray
        ``uint64 [stop - start, hands]`` of `Hand.bits`.
    """
    bits = np.array([card.bit for card in unseen], np.uint64)
    if len(bits) < hands * cards:
        raise PandoerError(f"{len(bits)} unseen cards {str(unseen)!r}: expected at least {hands * cards}")
    blocks = []
    for block in range(start // BLOCK, -(-stop // BLOCK)):
        own = np.random.SeedSequence(entropy=seed.entropy, spawn_key=(*seed.spawn_key, block))
        shuffled = np.random.Generator(np.random.PCG64(own)).permuted(np.tile(bits, (BLOCK, 1)), axis=1)
        dealt = shuffled[:, : hands * cards].reshape(BLOCK, hands, cards)
        blocks.append(np.bitwise_or.reduce(dealt, axis=2))
    if not blocks:
        return np.zeros((0, hands), np.uint64)
    first = start // BLOCK * BLOCK
    return np.concatenate(blocks)[start - first : stop - first]


def seed_sequence(seed: Seed) -> np.random.SeedSequence:
    """A seed as a `numpy.random.SeedSequence`; anything but a number of 0 or more is an error."""
    if isinstance(seed, np.random.SeedSequence):
        return seed
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise PandoerError(f"seed {seed!r}: expected a whole number, 0 or more")
    return np.random.SeedSequence(int(seed))
