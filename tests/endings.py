"""Random endings with the answers of the reference: ``python -m tests.endings`` works them out anew.

That takes a quarter of an hour.  The positions are made again from their numbers; the file holds a checksum and the
answer of each, so that the kernel can be compared with the slow reference on many thousands of endings in seconds.
"""

from __future__ import annotations

import gzip
import json
import random
import sys
import zlib
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests import reference
from tests.positions import RULESETS_33, Problem, random_problem

FILE = Path(__file__).with_name("golden") / "endings.txt.gz"
FAMILIES = {
    "misere": (("none", "exactly-one", "first-only", "jack-only"), {3: 400, 4: 700, 5: 550, 6: 90}),
    "points": (("points",), {3: 1150, 4: 540, 5: 30, 6: 3}),
}
"""Objectives, and how many positions there are for each ruleset by cards in a hand."""


def numbers() -> Iterator[tuple[str, str, int, int]]:
    """Ruleset, family, cards in a hand and number of every position."""
    for rules in (*RULESETS_33, "pandur"):
        for family, (_, counts) in FAMILIES.items():
            for cards, count in counts.items():
                for number in range(count):
                    yield rules, family, cards, number


def position(rules: str, family: str, cards: int, number: int) -> Problem:
    """The position of that number."""
    rng = random.Random(f"{rules} {family} {cards} {number}")
    return random_problem(rng, cards, rules, FAMILIES[family][0])


def checksum(problem: Problem) -> str:
    """Eight digits that change when the position does."""
    return f"{zlib.crc32(json.dumps(problem, sort_keys=True).encode()):08x}"


def answer(result: Problem) -> str:
    """Whether it is made, the points, and the best moves, as a short text."""
    made = result["made"] if result.get("points") is None else None
    value = "-" if result.get("points") is None else str(result["points"])
    return f"{'-' if made is None else int(made)} {value} {','.join(sorted(result['best'])).replace(' ', '_') or '-'}"


def _line(which: tuple[str, str, int, int]) -> str:
    problem = position(*which)
    return f"{checksum(problem)} {answer(reference.solve(problem))}"


def main() -> None:
    """Work all answers out with the reference and write the file."""
    todo = list(numbers())
    with ProcessPoolExecutor(int(sys.argv[1]) if len(sys.argv) > 1 else None) as pool:
        lines = list(pool.map(_line, todo, chunksize=20))
    FILE.write_bytes(gzip.compress(("\n".join(lines) + "\n").encode(), mtime=0))


if __name__ == "__main__":
    main()
