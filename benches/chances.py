"""Print what chances and advice cost beside their limits: ``python -m benches.chances [--quick] [--closed]``.

The unit is one DDS, as in `benches.report`: the median time that DDS, inside `endplay`, takes for the best number of
tricks without trump on 500 random eight-card deals, measured in the same run.  Hands are those near the decision, with
an open watch card unless ``--closed`` asks for a closed one; two threads; every figure is a median over hands.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Callable
from time import perf_counter
from typing import Any

from benches import measure
from benches.measure import time_each
from benches.near_decision import HANDS
from pandoer import advise, odds, ruleset
from tests import oracles

TRICKS_LIMIT, POINTS_LIMIT, ADVICE_LIMIT = 5_000, 40_000, 60_000
CLOSED = 10
"""A closed watch card may cost so many times as much."""


def unit() -> float:
    """One DDS in seconds."""
    lot = [oracles.dds_prepare(texts, "-", 0) for texts in measure.texts(measure.random_deals(500))]
    return time_each(oracles.dds_solve, lot).median / 1e6


def stored(each: int) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """The first hands of every question."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for line in HANDS.read_text(encoding="utf-8").splitlines():
        hand = json.loads(line)
        found.setdefault((hand["rules"], hand["bid"]), []).append(hand)
    return {question: hands[:each] for question, hands in found.items()}


def seconds(work: Callable[..., object], hand: dict[str, Any], **asked: Any) -> float:
    """The time of one question on two threads."""
    start = perf_counter()
    work(hand["hand"], rules=hand["rules"], threads=2, **asked)
    return perf_counter() - start


def show(name: str, times: list[float], dds: float, limit: int) -> float:
    """One line: the median beside its limit, and the slowest."""
    median = statistics.median(times) / dds
    verdict = "reached" if median <= limit else "MISSED "
    print(f"  {name:28s} {median:9.0f}  limit {limit:7d} {verdict}  slowest {max(times) / dds:9.0f}", flush=True)
    return median


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benches.chances", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="three hands a question instead of twenty")
    parser.add_argument("--closed", action="store_true", help="with a closed watch card, one hand a question")
    chosen = parser.parse_args()
    dds, times = unit(), 1
    each = 3 if chosen.quick else 20
    if chosen.closed:
        each, times = 1, CLOSED
    print(f"1 DDS = {1e6 * dds:.0f} us; medians over {each} hands a question, in DDS")
    print("odds at precision 0.02")
    groups: dict[int, list[float]] = {}
    for (rules, bid), hands in stored(each).items():
        limit = times * (POINTS_LIMIT if ruleset(rules).bid(bid).objective.counts else TRICKS_LIMIT)
        took = [
            seconds(odds, hand, bid=bid, watch=None if chosen.closed else hand["watch"], precision=0.02)
            for hand in hands
        ]
        groups.setdefault(limit, []).extend(took)
        show(f"{rules} {bid}", took, dds, limit)
    for limit, took in groups.items():
        show("all of this limit", took, dds, limit)
    print("advise over all bids at precision 0.03")
    advice = []
    for hands in stored(1).values():
        watch = None if chosen.closed else hands[0]["watch"]
        advice.append(seconds(advise, hands[0], watch=watch, precision=0.03))
        show(f"{hands[0]['rules']}, a hand for {hands[0]['bid']}", advice[-1:], dds, times * ADVICE_LIMIT)
    show("all", advice, dds, times * ADVICE_LIMIT)


if __name__ == "__main__":
    main()
