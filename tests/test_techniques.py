"""Each technique of the search switched off, and each bound alone: the answers stay the same.

Needs a kernel that was built with switches: ``scripts/variant switched``.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import numpy as np
import numpy.typing as npt
import pytest

from pandoer import Contract, Objective, _solver, ruleset, solve
from pandoer.batch import Batch
from pandoer.cards import DECK32, Suit
from pandoer.objectives import (
    ALL,
    EXACTLY_ONE,
    FIRST_ONLY,
    JACK_ONLY,
    NONE,
    POINTS,
    TRICKS_WON,
    ZWABBER_EN,
    ZWABBER_NL,
)  # fmt: skip
from pandoer.rulesets.base import Ruleset
from tests import reference
from tests.endings import answer
from tests.outside import BELOTE, BRIDGE
from tests.positions import Problem, random_problem

if not _solver.has_switches():
    pytest.skip("needs scripts/variant switched", allow_module_level=True)

Deals = npt.NDArray[np.uint64]
LIMIT = 200_000
"""Cards played before a deal is left out of the comparison, because without a technique it may take very long."""

BOUNDS = (
    "must-win", "cashing", "under-trumps", "side-winners", "enemies-take", "enemies-keep", "joining", "stranded",
    "top-trumps", "trump-tricks", "all-trumps", "drawing", "alone", "sharing", "best-duck", "safe-suits", "threats",
    "dropping", "his-lead", "looser", "shedding", "kept-jack", "sure-trump",
)  # fmt: skip
HELPERS = {
    "under-trumps": ("cashing",),
    "enemies-take": ("side-winners",),
    "joining": ("enemies-keep",),
    "stranded": ("enemies-keep",),
    "trump-tricks": ("top-trumps",),
    "drawing": ("top-trumps", "side-winners"),
    "sharing": ("alone",),
    "threats": ("safe-suits", "one-ahead"),
    "dropping": ("safe-suits", "threats", "one-ahead"),
    "his-lead": ("safe-suits", "best-duck", "threats", "dropping"),
    "looser": ("safe-suits",),
    "shedding": ("safe-suits", "looser"),
    "kept-jack": ("safe-suits", "threats", "one-ahead", "looser"),
    "sure-trump": ("must-win", "best-duck", "safe-suits", "looser", "kept-jack"),
}
"""Bounds that work only with others."""


@pytest.fixture(autouse=True)
def all_on() -> Iterator[None]:
    """Whatever a test switches off is on again after it."""
    yield
    _solver.switch_off()


def contract(
    rules: Ruleset | str, objective: Objective, trump: str | None, *side: int, target: int | None = None
) -> Contract:
    """A contract of seat 0 with an objective of its own."""
    rules = ruleset(rules) if isinstance(rules, str) else rules
    return Contract(
        rules=rules, name=objective.name, objective=objective, declarer=0, play=rules.play, target=target,
        trump=None if trump is None else Suit.parse(trump), side=side or (0,),
    )  # fmt: skip


QUESTIONS: dict[str, tuple[Contract, bool]] = {
    "tricks": (contract(BRIDGE, TRICKS_WON, None, 0, 2), True),
    "tricks with trumps": (contract(BRIDGE, TRICKS_WON, "S", 0, 2), True),
    "tricks, pagat": (contract("pagat", TRICKS_WON, "S", 0, 2, target=4), False),
    "all without trump": (contract("pagat", ALL, None, 0, 2), False),
    "all": (contract("wikipedia-nl", ALL, "S", 0, 1), False),
    "all, strict": (contract("cappelle", ALL, "S", 0, 3), False),
    "alone without trump": (contract("pagat", ALL, None), False),
    "alone": (contract("wikipedia-nl", ALL, "S"), False),
    "zwabber-nl": (contract("wikipedia-nl", ZWABBER_NL, None), False),
    "zwabber-en": (contract("wikipedia-en", ZWABBER_EN, None), False),
    "misere without trump": (contract("wikipedia-en", NONE, None), False),
    "misere, pagat": (contract("pagat", NONE, "S"), False),
    "misere, cappelle": (contract("cappelle", NONE, "S"), False),
    "misere, wikipedia-nl": (contract("wikipedia-nl", NONE, "S"), False),
    "misere, butselaar": (contract("butselaar", NONE, "S"), False),
    "exactly one without trump": (contract("wikipedia-en", EXACTLY_ONE, None), False),
    "exactly one": (contract("wikipedia-nl", EXACTLY_ONE, "S"), False),
    "first only": (contract("pagat", FIRST_ONLY, "S"), False),
    "jack only": (contract("butselaar", JACK_ONLY, "S"), False),
    "points without trump": (contract("cappelle", POINTS, None, 0, 2, target=60), False),
    "points, strict": (contract("cappelle", POINTS, "S", 0, 2, target=90), False),
    "points, pagat": (contract("pagat", POINTS, "S", 0, 2, target=110), False),
    "points, belote": (contract(BELOTE, POINTS, "S", 0, 2, target=82), False),
}


@cache
def deals(cards: int, low: bool) -> Deals:
    """Deals of 7 or 8 cards; `low`: seat 0 has the lowest of a few hands."""
    count = 60 if cards == 7 else 30
    rng = np.random.default_rng((cards, low))
    bits = np.array([card.bit for card in DECK32], np.uint64)
    found = np.array([
        rng.permutation(bits)[: 4 * cards].reshape(4, cards).sum(axis=1) for _ in range(count * (6 if low else 1))
    ])  # fmt: skip
    if low:
        ranks = [sum(int(card.rank) for card in DECK32 if int(bits) >> card.index & 1) for bits in found[:, 0]]
        found = found[np.argsort(ranks, kind="stable")[:count]]
    return found


@cache
def answers(question: str, cards: int, *off: str) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int64]]:
    """What the kernel says without some techniques, and the cards played; -32767 over the limit."""
    asked, exact = QUESTIONS[question]
    low = asked.objective in (NONE, EXACTLY_ONE, FIRST_ONLY, JACK_ONLY)
    job = Batch.checked(deals(cards, low), asked, trick_number=8 - cards).job(exact=exact, node_limit=LIMIT)
    _solver.switch_off(*off)
    job.work(slice(0, len(job.hands)), _solver.Table(14), np.zeros(1, np.int32))
    _solver.switch_off()
    value = job.out if exact else np.where(job.out < -30000, job.out, job.out >= job.needs).astype(np.int16)
    return value, job.nodes


@pytest.mark.parametrize("question", QUESTIONS)
@pytest.mark.parametrize("technique", _solver.TECHNIQUE_NAMES)
def test_without_a_technique(technique: str, question: str) -> None:
    for cards in (7, 8):
        value, nodes = answers(question, cards)
        other, other_nodes = answers(question, cards, technique)
        known = (value != -32767) & (other != -32767)
        assert (value[known] == other[known]).all()
        assert known.mean() > (0.9 if technique == "fast-bits" else 0.05)
        if technique == "fast-bits":
            assert (nodes == other_nodes).all()


@pytest.mark.parametrize("technique", [name for name in _solver.TECHNIQUE_NAMES if name != "fast-bits"])
def test_every_technique_is_used(technique: str) -> None:
    """Somewhere the number of cards played depends on it."""
    if technique == "keeping":
        asked, _ = QUESTIONS["alone"]
        job = Batch.checked(np.repeat(deals(8, False), 2, axis=0), asked).job(exact=False)
        counts = []
        for off in ((), ("keeping",)):
            _solver.switch_off(*off)
            job.work(slice(0, len(job.hands)), _solver.Table(14), np.zeros(1, np.int32))
            counts.append(int(job.nodes.sum()))
        assert counts[0] <= counts[1]
        return
    assert any((answers(name, 7)[1] != answers(name, 7, technique)[1]).any() for name in QUESTIONS)


def endings() -> Iterator[Problem]:
    """Small endings of every ruleset, with 2 to 4 players and switches of all kinds."""
    for seed in range(900):
        rng = random.Random(f"techniques {seed}")
        yield random_problem(rng, rng.choice((2, 3, 3, 4)))


@cache
def solved_endings() -> list[tuple[Problem, str]]:
    """The endings with the answers of the reference."""
    return [(problem, answer(reference.solve(problem))) for problem in endings()]


@pytest.mark.parametrize("bound", BOUNDS)
def test_a_bound_alone_never_contradicts_the_reference(bound: str) -> None:
    _solver.switch_off(*(name for name in BOUNDS if name != bound and name not in HELPERS.get(bound, ())))
    for problem, expected in solved_endings():
        assert answer(solve(problem).to_json()) == expected, problem


@pytest.mark.parametrize("side", [(0, 2), (0, 1), (0, 3), (0,), (0, 1, 3)])
@pytest.mark.parametrize("bound", ["enemies-keep", "joining", "stranded"])
def test_winners_that_are_kept(bound: str, side: tuple[int, ...]) -> None:
    """Without trumps, in many endings: the same answers as without any bound."""
    off = {"enemies-keep": ("joining", "stranded"), "joining": ("stranded",), "stranded": ("joining",)}[bound]
    bits = np.array([card.bit for card in DECK32], np.uint64)
    for cards in (3, 4, 5, 6):
        rng = np.random.default_rng((cards, *side))
        deck = [rng.permutation(bits)[: 4 * cards].reshape(4, cards).sum(axis=1) for _ in range(150)]
        for leader in (0, 1):
            asked = contract(BRIDGE, TRICKS_WON, None, *side)
            job = Batch.checked(np.array(deck), asked, leader=leader, trick_number=8 - cards).job(exact=True)
            values = []
            for without in ((), BOUNDS):
                _solver.switch_off(*(name for name in BOUNDS if name in without or name in off))
                job.work(slice(0, len(job.hands)), _solver.Table(14), np.zeros(1, np.int32))
                values.append(job.out.copy())
            assert (values[0] == values[1]).all()


@pytest.mark.parametrize("asked", [ZWABBER_NL, ZWABBER_EN, ALL], ids=str)
def test_a_declarer_with_nearly_all_winners(asked: Objective) -> None:
    """In many endings where seat 0 has high cards: the same answers without what is known of discards and sharing."""
    bits = np.array([card.bit for card in DECK32], np.uint64)
    ranks = np.array([int(card.rank) for card in DECK32])
    known = 0
    for cards in (3, 4, 5, 6):
        rng = np.random.default_rng((cards, 5))
        deck = []
        for _ in range(600):
            drawn = rng.permutation(len(bits))[: 4 * cards]
            high = np.argsort(rng.normal(0, 2, len(drawn)) - ranks[drawn], kind="stable")
            deck.append(bits[np.concatenate([drawn[high[:cards]], rng.permutation(drawn[high[cards:]])])])
        hands = np.array([row.reshape(4, cards).sum(axis=1) for row in deck])
        job = Batch.checked(hands, contract("wikipedia-nl", asked, None), trick_number=8 - cards).job(exact=False)
        found = []
        for without in ((), ("sharing", "unled")):
            _solver.switch_off(*without)
            job.work(slice(0, len(hands)), _solver.Table(14), np.zeros(1, np.int32))
            found.append((job.out >= job.needs, job.nodes.sum()))
        assert (found[0][0] == found[1][0]).all()
        assert 0.02 < found[0][0].mean() < 0.995
        known += found[0][1] < found[1][1]
    assert known or asked is ALL


def test_without_any_technique() -> None:
    _solver.switch_off(*_solver.TECHNIQUE_NAMES)
    for problem, expected in solved_endings():
        assert answer(solve(problem).to_json()) == expected, problem


def test_unknown_technique() -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        _solver.switch_off("magic")
