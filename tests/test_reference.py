"""The slow reference itself: golden problems, and what can be counted by hand."""

from __future__ import annotations

from typing import Any

import pytest

from tests import reference
from tests.positions import Problem, golden

# Three cards take the reference milliseconds, four a tenth of a second, five some seconds.
EVERY = {"33-cards.jsonl": {3: 1, 4: 5, 5: 100, 6: 0}, "pandur.jsonl": {3: 1, 4: 1, 5: 1, 6: 10}}


def sample(name: str) -> list[Problem]:
    """Every k-th golden problem of each size, as far as time allows."""
    chosen = []
    for size, step in EVERY[name].items():
        of_size = [line for line in golden(name) if len(line["hands"][0].split()) == size]
        chosen += of_size[::step] if step else []
    return chosen


@pytest.mark.parametrize("name", EVERY)
def test_golden_problems(name: str) -> None:
    for line in sample(name):
        answer = reference.solve(line)
        assert {key: answer[key] for key in line["expect"]} == line["expect"], line


@pytest.mark.parametrize(
    ("hand", "rules", "points"),
    [
        ("S7 S8 H9 HT D7 D8 C9 CT", "pagat", 0),
        ("S7 S8 S9 HJ HQ HK D7 C7", "pagat", 20 + 20),
        ("HJ HQ HK HA S7 D7 C7 C9", "pagat", 50),
        ("H7 H8 H9 HT HJ S7 D7 C7", "pagat", 100),
        ("H6 H7 H8 H9 HT HJ S7 C7", "pagat", 120),
        ("H6 H7 H8 H9 HT HJ S7 C7", "wikipedia-nl", 150),
        ("H6 H7 H8 H9 HT HJ HQ C7", "butselaar", 140),
        ("S7 S8 S9 ST SJ SQ SK SA", "wikipedia-nl", 250),
        ("SJ HJ DJ CJ SA HA DA CA", "cappelle", 200 + 100),
        ("SJ HJ DJ CJ ST SQ D7 D8", "wikipedia-en", 200 + 20),  # a jack in a four and in a run
        ("S9 H9 D9 C9 ST HT DT CT", "pagat", 0),
        ("S9 H9 D9 C9 ST HT DT CT", "pandur", 150 + 100),
        ("SJ HJ DJ CJ ST SQ D9 DK", "pandur", 200),  # not again in a run
        ("SJ HJ DJ CJ SQ SK SA D9", "pandur", 200 + 20),  # the run shortened to free its jack
        ("S9 ST SJ SQ SK SA H9 C9", "pandur", 150),
    ],
)
def test_melds_of_a_hand(hand: str, rules: str, points: int) -> None:
    assert reference.meld_points(reference.parse_cards(hand), rules) == points


RUN_OF_THREE = "SJ SQ SK H7 H9 C8 D9 D8"
RUN_OF_FIVE = "CT CJ CQ CK CA S7 D7 H8"
FOUR_OF_A_KIND = "HT DT ST HA DA SA H6 C7"  # two threes of a kind: no meld


@pytest.mark.parametrize(
    ("rules", "bidders", "points"),
    [
        ("pagat", [], 40),
        ("pagat", [2], 40),
        ("pagat", [1], 20),
        ("butselaar", [1], 20),
        ("cappelle", [], 20),
        ("wikipedia-en", [1], 40),
    ],
)
def test_denial_and_marriage(rules: str, bidders: list[int], points: int) -> None:
    """A run of three against an opponent's run of five: the marriage stays."""
    hands = [RUN_OF_THREE, RUN_OF_FIVE, FOUR_OF_A_KIND, "HJ HQ DJ DQ DK C9 S8 S9"]
    problem = {
        "rules": rules, "objective": {"kind": "points", "side": [0]}, "trump": "S", "hands": hands,
        "melds": True, "bidders": bidders,
    }  # fmt: skip
    assert reference.Game(problem).melds == points


def test_partner_with_the_better_meld_ends_the_denial() -> None:
    hands = [RUN_OF_THREE, "CT CJ CQ CK C7 S7 D7 H8", "HT HJ HQ HK HA SA DA ST", "D9 D8 DT C9 CA S8 S9 H6"]
    problem: dict[str, Any] = {
        "rules": "cappelle", "objective": {"kind": "points", "side": [0]}, "trump": "S", "hands": hands,
        "melds": True,
    }  # fmt: skip
    assert reference.Game(problem).melds == 20
    problem["objective"]["side"] = [0, 2]
    assert reference.Game(problem).melds == 20 + 100 + 20


def test_perft_by_hand() -> None:
    """Two players, two cards each, no trump: two leads, and two replies to the one that is not followed."""
    problem = {"objective": {"kind": "tricks"}, "trump": "-", "hands": ["S7 H7", "S8 D8"], "trick_number": 6}
    assert reference.legal_moves(problem) == ["S7", "H7"]
    assert [reference.perft(problem, moves) for moves in range(5)] == [1, 2, 3, 3, 3]
    trumps = problem | {"trump": "D"}  # now S7 may be ruffed too
    assert [reference.perft(trumps, moves) for moves in range(5)] == [1, 2, 4, 4, 4]
