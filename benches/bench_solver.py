"""Benchmarks of the kernel: ``python -m pytest benches -q``.

Each prints median, mean, p95 and cards played a deal; the same numbers are in the benchmark's extra information.
The peers, when they are installed, run in the same process on the same deals.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest
from pytest_benchmark.fixture import BenchmarkFixture

from benches import measure
from benches.measure import BELOTE, BRIDGE, Near, Times, counted, time_contract, time_each, time_jobs
from pandoer import Contract, ruleset
from pandoer.objectives import ALL, EXACTLY_ONE, FIRST_ONLY, JACK_ONLY, NONE, POINTS, TRICKS_WON
from tests import oracles

DEALS = measure.random_deals(500)

RANDOM: dict[str, tuple[Contract, bool]] = {
    "no trump, tricks": (counted(BRIDGE, TRICKS_WON, None), True),
    "trump, bridge rules, tricks": (counted(BRIDGE, TRICKS_WON, "S"), True),
    "no trump, two partners win all": (counted(BRIDGE, ALL, None), False),
    "prive, pagat": (counted(ruleset("pagat"), ALL, "S", (0,)), False),
    "pandoer, pagat": (counted(ruleset("pagat"), ALL, "S"), False),
    "misere without trump": (counted(BRIDGE, NONE, None, (0,)), False),
    "misere, pagat": (counted(ruleset("pagat"), NONE, "S", (0,)), False),
    "exactly one, wikipedia-nl": (counted(ruleset("wikipedia-nl"), EXACTLY_ONE, "S", (0,)), False),
    "first only, pagat": (counted(ruleset("pagat"), FIRST_ONLY, "S", (0,)), False),
    "jack only, butselaar": (counted(ruleset("butselaar"), JACK_ONLY, "S", (0,)), False),
    "points >= 100, pagat": (counted(ruleset("pagat"), POINTS, "S", target=100), False),
    "points >= 100, cappelle": (counted(ruleset("cappelle"), POINTS, "S", target=100), False),
    "points, belote, exact": (counted(BELOTE, POINTS, "S"), True),
}
NEAR = measure.near_decision()


def _report(benchmark: BenchmarkFixture, name: str, work: Callable[[], Times]) -> None:
    times: Times = benchmark.pedantic(work, rounds=1, iterations=1)  # type: ignore[no-untyped-call]
    benchmark.extra_info.update(
        median_us=times.median, mean_us=times.mean, p95_us=times.p95, mean_nodes=float(times.nodes.mean())
    )
    print(f"\n{name:40s} {times}", file=sys.stderr)


@pytest.mark.parametrize("name", RANDOM)
def test_random_deals(benchmark: BenchmarkFixture, name: str) -> None:
    contract, exact = RANDOM[name]
    deals = DEALS[:100] if "points" in name else DEALS
    _report(benchmark, name, lambda: time_contract(contract, deals, exact=exact))


@pytest.mark.parametrize("near", NEAR, ids=lambda near: f"{near.rules} {near.bid}")
def test_near_decision(benchmark: BenchmarkFixture, near: Near) -> None:
    deals = 20 if near.bid.isdigit() else 200
    _report(benchmark, f"near the decision: {near.rules} {near.bid}", lambda: time_jobs(near.jobs(deals)))


@pytest.mark.parametrize("trump", ["-", "S"])
def test_endplay(benchmark: BenchmarkFixture, trump: str) -> None:
    if not oracles.have_dds():
        pytest.skip("endplay is not installed")
    prepared = [oracles.dds_prepare(hands, trump, 0) for hands in measure.texts(DEALS)]
    name = f"endplay (DDS), trump {trump}, tricks"
    _report(benchmark, name, lambda: time_each(oracles.dds_solve, prepared))


def test_colver(benchmark: BenchmarkFixture) -> None:
    if not oracles.have_belote():
        pytest.skip("colver is not installed")
    prepared = [oracles.belote_prepare(hands, "S", 0) for hands in measure.texts(DEALS[:40])]
    _report(benchmark, "colver, Belote points", lambda: time_each(oracles.belote_solve, prepared))
