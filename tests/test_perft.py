"""Counts of legal sequences of moves ("perft"): of the kernel, of the reference, and as they were agreed."""

from __future__ import annotations

import pytest

from tests import reference
from tests.positions import Problem, after, legal_moves

pytestmark = pytest.mark.sanitized

FOUR = {
    "trump": "S",
    "called": "HA",
    "trick_number": 0,
    "hands": ["D9 HJ SA", "H7 HQ SJ", "HA S8 SK", "HK S9 ST"],
}
POINTS = FOUR | {"contract": "130"}
NL = POINTS | {"rules": "wikipedia-nl"}
TWO = {"rules": "pandur", "trump": "S", "trick_number": 0, "hands": ["D9 S9 SK HA", "SA HQ ST DT"]}
THREE = {"rules": "pandur", "trump": "S", "trick_number": 0, "hands": ["D9 S9 SK", "SA SQ ST", "H9 HJ SJ"]}

# After so many moves: so many sequences.
COUNTS: dict[str, tuple[Problem, dict[int, int]]] = {
    "wikipedia-nl": (NL, {1: 4, 2: 11, 4: 64, 8: 778, 12: 806}),
    "wikipedia-nl, trump leads": (NL | {"contract": "pandoer"}, {1: 2, 2: 5, 4: 14, 8: 148, 12: 148}),
    "wikipedia-nl, must": (NL | {"lead": "HJ must"}, {1: 1, 2: 2, 4: 2, 8: 16, 12: 16}),
    "wikipedia-nl, need not": (NL | {"lead": "HJ need-not"}, {1: 1, 2: 3, 4: 25, 8: 308}),
    "pagat": (POINTS | {"rules": "pagat"}, {1: 3, 2: 9, 4: 46, 8: 420}),
    "cappelle": (POINTS | {"rules": "cappelle"}, {1: 3, 2: 8, 4: 31, 8: 162, 12: 162}),
    "wikipedia-en": (POINTS | {"rules": "wikipedia-en"}, {1: 3, 2: 9, 4: 42, 8: 364}),
    "butselaar": (POINTS | {"rules": "butselaar"}, {1: 3, 2: 9, 4: 66, 8: 816}),
    "no trump": (FOUR | {"rules": "pagat", "contract": "zwabber", "trump": "-"}, {1: 3, 2: 6, 4: 33, 8: 176}),
    "pandur": (THREE | {"contract": "130"}, {1: 3, 2: 9, 3: 27, 6: 200, 9: 200}),
    "pandur for two": (TWO | {"contract": "130"}, {1: 4, 2: 10, 4: 66, 8: 214}),
    "pandur for two, misere-mit": (TWO | {"contract": "misere-mit"}, {1: 2, 2: 4, 4: 20, 8: 64}),
    "pandur, misere-mit": (THREE | {"contract": "misere-mit"}, {1: 2, 2: 6, 3: 18, 6: 136, 9: 136}),
    "pandur, pandur-mit": (THREE | {"contract": "pandur-mit"}, {1: 2, 2: 6, 3: 18, 6: 132, 9: 132}),
}
CASES = [(name, moves) for name, (_, counts) in COUNTS.items() for moves in counts]


def perft(problem: Problem, moves: int) -> int:
    """The number of legal sequences of that many moves, by the kernel's lists of them."""
    legal = [problem["lead"]] if "lead" in problem else legal_moves(problem)
    if moves == 1:
        return len(legal)
    return sum(perft(after(problem, move), moves - 1) for move in legal)


@pytest.mark.parametrize(("name", "moves"), CASES)
def test_kernel(name: str, moves: int) -> None:
    problem, counts = COUNTS[name]
    assert perft(problem, moves) == counts[moves]


@pytest.mark.parametrize(("name", "moves"), CASES)
def test_reference(name: str, moves: int) -> None:
    problem, counts = COUNTS[name]
    assert reference.perft(problem, moves) == counts[moves]
