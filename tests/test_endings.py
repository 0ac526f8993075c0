"""The kernel on thousands of random endings whose answers the reference has worked out."""

from __future__ import annotations

import gzip

import pytest

from pandoer import solve
from tests.endings import FAMILIES, FILE, answer, checksum, numbers, position
from tests.positions import RULESETS_33

ANSWERS = dict(zip(numbers(), gzip.decompress(FILE.read_bytes()).decode().splitlines(), strict=True))


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("rules", [*RULESETS_33, "pandur"])
def test_endings(rules: str, family: str) -> None:
    for which, line in ANSWERS.items():
        if which[:2] == (rules, family):
            problem = position(*which)
            digits, expected = line.split(" ", 1)
            assert checksum(problem) == digits, "the positions have changed: run python -m tests.endings"
            assert answer(solve(problem).to_json()) == expected, problem


def test_there_are_more_than_twenty_thousand() -> None:
    assert len(ANSWERS) > 20_000
    assert {cards for _, _, cards, _ in ANSWERS} == {3, 4, 5, 6}
