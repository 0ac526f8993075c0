"""Print what the kernel costs beside its peers, floors and aims: ``python -m benches.report [--quick] [--runs N]``.

The unit is one DDS: the median time that DDS, inside `endplay`, takes for the best number of tricks without trump on
500 random eight-card deals, measured in the same run.  Every figure is the median of the runs.
"""

from __future__ import annotations

import argparse
import os
import platform
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter

import numpy as np
import numpy.typing as npt

from benches import measure
from benches.measure import BELOTE, BRIDGE, Near, Times, counted, rate, time_contract, time_each, time_jobs
from pandoer.batch import Batch
from pandoer.objectives import POINTS, TRICKS_WON
from tests import oracles

SLOWEST = 0.2
"""No deal of any contract should take more seconds."""


@dataclass(frozen=True)
class Question:
    """Stored hands that are measured together, with the mean time a deal that they should stay under, in DDS."""

    name: str
    floor: float
    aim: float
    bids: tuple[tuple[str, str], ...]


QUESTIONS = (
    Question("prive, solo-zwabber", 0.03, 0.01, (
        ("pagat", "prive"), ("wikipedia-nl", "prive"), ("wikipedia-nl", "solo-zwabber"))),
    Question("pandoer, kereltje, zwabber", 0.3, 0.1, (
        ("pagat", "pandoer"), ("wikipedia-nl", "pandoer"), ("pagat", "kereltje"), ("pagat", "zwabber"),
        ("wikipedia-nl", "zwabber"), ("wikipedia-en", "zwabber"))),
    Question("misère without trump", 0.2, 0.1, (("wikipedia-en", "misere"),)),
    Question("misère, praatje with trump", 1.2, 0.5, (
        ("pagat", "misere"), ("wikipedia-nl", "praatje"), ("cappelle", "misere"))),
    Question("piccolo", 0.3, 0.15, (
        ("pagat", "piccolo"), ("wikipedia-nl", "piccolo"), ("wikipedia-en", "piccolo"), ("butselaar", "piccolo"))),
    Question("points 120 and 130", 15, 5, (
        ("pagat", "120"), ("pagat", "130"), ("wikipedia-nl", "120"), ("wikipedia-nl", "130"))),
    Question("points 140 to 160", 5, 2, (("pagat", "140"), ("pagat", "160"), ("wikipedia-nl", "150"))),
    Question("points, strict following", 3, 1, (("cappelle", "130"),)),
)  # fmt: skip


@dataclass(frozen=True)
class Cost:
    """What stored hands cost in one run."""

    mean: float
    """Microseconds a deal, solved in blocks as `solve_many` does."""
    times: Times
    """Deal by deal, with about two microseconds of overhead for each call."""


def cost(near: Near, deals: int) -> Cost:
    """Measure the hands of one question."""
    jobs = near.jobs(deals)
    start = perf_counter()
    measure.work_blocks(jobs)
    mean = 1e6 * (perf_counter() - start) / sum(len(job.hands) for job in jobs)
    return Cost(mean, time_jobs(near.jobs(deals)))


def middle(values: list[float]) -> float:
    """The median, as a float."""
    return float(statistics.median(values))


def verdict(value: float, floor: float, aim: float | None = None, *, more: bool = False) -> str:
    """The value beside its floor and aim."""
    reached = (value >= floor) if more else (value <= floor)
    text = f"{value:9.3f}  floor {floor:6.2f} {'reached' if reached else 'MISSED '}"
    if aim is not None:
        text += f"  aim {aim:5.2f} {'reached' if value <= aim else 'missed'}"
    return text


def random_deals(deals: int, runs: int) -> float:
    """Random deals beside DDS and colver; returns one DDS in microseconds."""
    hands = measure.random_deals(deals)
    texts = measure.texts(hands)
    found: dict[str, list[float]] = {}
    units: list[float] = []

    def note(name: str, ratio: float) -> None:
        found.setdefault(name, []).append(ratio)

    for run in range(runs):
        for trump in (None, "S"):
            contract = counted(BRIDGE, TRICKS_WON, trump)
            peer = time_each(oracles.dds_solve, [oracles.dds_prepare(h, trump or "-", 0) for h in texts])
            ours = time_contract(contract, hands, exact=True)
            if run == 0:
                kind = "trump, bridge rules" if trump else "no trump"
                print(f"{'endplay (DDS), tricks, ' + kind:44s} {peer}\n{'tricks, ' + kind:44s} {ours}", flush=True)
            if trump is None:
                units.append(peer.median)
                note("no trump, x DDS at the median (floor 4)", peer.median / ours.median)
                note("no trump, x DDS at p95 (floor 4)", peer.p95 / ours.p95)
            else:
                note("trump, bridge rules, x DDS at the median (floor 3)", peer.median / ours.median)
        many = measure.random_deals(20 * deals, seed=2)
        jobs = [Batch.checked(many, counted(BRIDGE, TRICKS_WON, None)).job(exact=True)]
        one, two = rate(jobs, 1), rate(jobs, 2)
        note("solve_many, 2 threads, x 1 thread (floor 1.9)", two / one)
        lot = [oracles.dds_prepare(h, "-", 0) for h in measure.texts(many[: 4 * deals])]
        start = perf_counter()
        oracles.dds_solve_batch(lot, threads=2)
        note("solve_many, 2 threads, x endplay's batch (floor 4)", two * (perf_counter() - start) / len(lot))
        belote(hands[:60], texts[:60], note, show=run == 0)
        if run == 0:
            print(f"{'solve_many, deals a second, 1 and 2 threads':44s} {one:9.0f} {two:9.0f}")
    for name, ratios in found.items():
        print(f"{name:56s} {middle(ratios):6.2f}  ({min(ratios):.2f} to {max(ratios):.2f})")
    return middle(units)


def belote(
    hands: npt.NDArray[np.uint64], texts: list[list[str]], note: Callable[[str, float], None], *, show: bool
) -> None:
    """Card points of Belote beside colver."""
    ours = time_contract(counted(BELOTE, POINTS, "S"), hands, exact=True)
    theirs = time_each(oracles.belote_solve, [oracles.belote_prepare(h, "S", 0) for h in texts])
    if show:
        print(f"{'colver, points of Belote':44s} {theirs}\n{'points of Belote':44s} {ours}", flush=True)
    note("Belote points, x colver at the median (floor 40)", theirs.median / ours.median)


def stored_hands(deals: int, runs: int, dds: float) -> None:
    """Hands near the decision beside floors and aims."""
    hands = {(near.rules, near.bid): near for near in measure.near_decision()}
    print(f"\nHands near the decision, {deals} deals a hand; mean time a deal in DDS ({dds:.0f} us)")
    for question in QUESTIONS:
        print(question.name)
        for bid in question.bids:
            near = hands[bid]
            costs = [cost(near, deals) for _ in range(runs)]
            mean = middle([c.mean for c in costs])
            slowest = max(float(c.times.us.max()) for c in costs) / 1e6
            late = "" if slowest <= SLOWEST else f"  SLOWEST OVER {SLOWEST} s"
            print(
                f"  {' '.join(bid):24s} {len(near.hands):3d} hands"
                f" {verdict(mean / dds, question.floor, question.aim)}{late}\n    {'':24s} {costs[0].times}",
                flush=True,
            )


def main() -> None:
    """Print both tables."""
    parser = argparse.ArgumentParser(prog="python -m benches.report", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="one run with fewer deals")
    parser.add_argument("--runs", type=int, default=3, help="runs of which the median counts (default: 3)")
    chosen = parser.parse_args()
    runs = 1 if chosen.quick else chosen.runs
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}; microseconds a deal\n")
    dds = random_deals(100 if chosen.quick else 500, runs)
    stored_hands(20 if chosen.quick else 200, runs, dds)


if __name__ == "__main__":
    main()
