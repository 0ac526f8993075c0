"""The search against two outside solvers of related games: DDS (bridge) and colver (Belote).

Their rules are made of the same pieces as those of the rulesets.
"""

from __future__ import annotations

import random

import numpy as np
import numpy.typing as npt
import pytest

from pandoer import Contract, Hand, Objective, Ruleset, Suit, solve_many
from pandoer.objectives import POINTS, TRICKS_WON
from tests import oracles
from tests.outside import BELOTE, BRIDGE


def contract(rules: Ruleset, objective: Objective, trump: str) -> Contract:
    """Seats 0 and 2 count points or tricks."""
    suit = None if trump == "-" else Suit.parse(trump)
    return Contract(
        rules=rules,
        name=objective.name,
        objective=objective,
        declarer=0,
        trump=suit,
        play=rules.play,
        side=(0, 2),
    )


def deals(rng: random.Random, rules: Ruleset, cards: int, number: int) -> npt.NDArray[np.uint64]:
    """Random deals as bits."""
    rows = []
    for _ in range(number):
        dealt = rng.sample(list(rules.deck), 4 * cards)
        rows.append([Hand(dealt[cards * seat : cards * (seat + 1)]).bits for seat in range(4)])
    return np.array(rows, np.uint64)


def texts(row: npt.NDArray[np.uint64]) -> list[list[str]]:
    return [[str(card) for card in Hand.from_bits(int(bits))] for bits in row]


@pytest.mark.parametrize("trump", "-CDHS")
def test_tricks_of_dds(trump: str) -> None:
    """500 deals of eight cards without trump, 200 with each trump suit, and every lead."""
    pytest.importorskip("endplay")
    hands = deals(random.Random(f"bridge {trump}"), BRIDGE, 8, 500 if trump == "-" else 200)
    for leader in range(4):
        ours = solve_many(hands, contract(BRIDGE, TRICKS_WON, trump), threads=1, leader=leader)
        prepared = [oracles.dds_prepare(texts(row), trump, leader) for row in hands]
        np.testing.assert_array_equal(ours, oracles.dds_solve_batch(prepared, threads=1))


@pytest.mark.parametrize(("cards", "number"), [(1, 100), (2, 100), (3, 100), (5, 100), (7, 100)])
def test_endings_of_dds(cards: int, number: int) -> None:
    pytest.importorskip("endplay")
    rng = random.Random(f"bridge {cards}")
    for trump in "-S":
        hands = deals(rng, BRIDGE, cards, number)
        leader = rng.randrange(4)
        ours = solve_many(hands, contract(BRIDGE, TRICKS_WON, trump), threads=1, leader=leader)
        prepared = [oracles.dds_prepare(texts(row), trump, leader) for row in hands]
        np.testing.assert_array_equal(ours, oracles.dds_solve_batch(prepared, threads=1))


@pytest.mark.parametrize("trump", "CDHS")
@pytest.mark.parametrize(("cards", "number"), [(2, 20), (4, 20), (6, 20), (8, 50)])
def test_points_of_belote(cards: int, number: int, trump: str) -> None:
    """200 full deals, and endings."""
    pytest.importorskip("colver")
    rng = random.Random(f"belote {cards} {trump}")
    hands = deals(rng, BELOTE, cards, number)
    leader = rng.randrange(4)
    ours = solve_many(hands, contract(BELOTE, POINTS, trump), threads=1, leader=leader)
    theirs = [oracles.belote_points(texts(row), trump, leader) for row in hands]
    np.testing.assert_array_equal(ours, theirs)
