"""Print what chances and advice cost beside their limits: ``python -m benches.chances [--quick] [--closed]``.

The unit is one DDS, as in `benches.report`: the median time that DDS, inside `endplay`, takes for the best number of
tricks without trump on 500 random eight-card deals, measured in the same run.  Hands are those near the decision, with
an open watch card unless ``--closed`` asks for a closed one; two threads; every figure is a median over hands.  With
``--pandur`` the hands are random, the chances exact, and one thread finds them.
"""

from __future__ import annotations

import argparse
import json
import statistics
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from benches import measure
from benches.measure import time_each
from benches.near_decision import HANDS
from pandoer import Hand, advise, odds, ruleset
from pandoer.dealing import sample
from tests import oracles

TRICKS_LIMIT, POINTS_LIMIT, ADVICE_LIMIT = 5_000, 40_000, 60_000
PANDUR = {
    **dict.fromkeys(("100", "130", "160", "200"), 20_000),
    **dict.fromkeys(("misere-ohne", "misere-mit", "pandur-ohne", "pandur-mit"), 5_000),
}
"""Limits of the bids of Pandur."""

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


def seconds(work: Callable[..., object], hand: dict[str, Any], threads: int = 2, **asked: Any) -> float:
    """The time of one question."""
    start = perf_counter()
    work(hand["hand"], rules=hand["rules"], threads=threads, **asked)
    return perf_counter() - start


def pandur(dds: float, number: int) -> None:
    """Exact chances of random hands, all 12,870 layouts."""
    rules = ruleset("pandur")
    hands = [
        {"rules": "pandur", "hand": Hand.from_bits(int(bits))}
        for bits in sample(rules.deck, 1, rules.hand, 0, number, np.random.SeedSequence(1))[:, 0]
    ]
    print(f"1 DDS = {1e6 * dds:.0f} us; exact chances in Pandur: medians in DDS, {number} random hands, one thread")
    for bid, limit in PANDUR.items():
        show(bid, [seconds(odds, hand, threads=1, bid=bid) for hand in hands], dds, limit)
    for players in rules.players:
        took = [seconds(advise, hand, players=players) for hand in hands[:5]]
        print(f"  advise, {players} players, two threads {statistics.median(took):6.1f} s  slowest {max(took):6.1f} s")


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
    parser.add_argument("--pandur", action="store_true", help="exact chances in Pandur instead")
    chosen = parser.parse_args()
    dds, times = unit(), 1
    if chosen.pandur:
        pandur(dds, 10 if chosen.quick else 50)
        return
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
