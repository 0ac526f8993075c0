"""Print what the kernel costs beside its peers: ``python -m benches.report [--quick]``.

The unit is one DDS: the median time that DDS, inside `endplay`, takes for the best number of tricks without trump on
500 random eight-card deals, measured in the same run.
"""

from __future__ import annotations

import os
import platform
import sys

import numpy as np

from benches import measure
from benches.measure import BELOTE, BRIDGE, Times, counted, rate, time_contract, time_each, time_jobs
from pandoer.batch import Batch
from pandoer.objectives import POINTS, TRICKS_WON
from tests import oracles

FLOORS = {
    "prive": 0.03, "solo-zwabber": 0.03, "pandoer": 0.3, "kereltje": 0.3, "zwabber": 0.3, "misere": 1.2, "praatje": 1.2,
    "piccolo": 0.3, "120": 15, "130": 15, "140": 5, "150": 5, "160": 5,
}  # fmt: skip
"""Mean time a deal, in DDS, that a solver of this kind should stay under on hands near the decision."""


def floor_of(rules: str, bid: str) -> float:
    """The floor of a question; misère without trump and strict following have their own."""
    if (rules, bid) == ("wikipedia-en", "misere"):
        return 0.2
    if rules == "cappelle" and bid.isdigit():
        return 3
    return FLOORS[bid]


def main() -> None:
    """Print both tables."""
    quick = "--quick" in sys.argv
    deals = measure.random_deals(500)
    print(f"{platform.machine()}, {os.cpu_count()} cores, Python {platform.python_version()}; microseconds a deal\n")
    prepared = [oracles.dds_prepare(hands, "-", 0) for hands in measure.texts(deals)]
    dds = min((time_each(oracles.dds_solve, prepared) for _ in range(3)), key=lambda times: times.median)
    print(f"{'endplay (DDS), no trump, tricks':44s} {dds}")
    for name, trump in (("no trump, tricks", None), ("trump, bridge rules, tricks", "S")):
        contract = counted(BRIDGE, TRICKS_WON, trump)
        best = min((time_contract(contract, deals, exact=True) for _ in range(3)), key=lambda times: times.median)
        peer = dds
        if trump is not None:
            peer = time_each(
                oracles.dds_solve, [oracles.dds_prepare(hands, trump, 0) for hands in measure.texts(deals)]
            )
            print(f"{'endplay (DDS), trump, tricks':44s} {peer}")
        print(f"{name:44s} {best}")
        print(f"{'':44s} {peer.median / best.median:.1f} x DDS at the median, {peer.p95 / best.p95:.1f} x at p95")
    jobs = [Batch.checked(measure.random_deals(4000), counted(BRIDGE, TRICKS_WON, None)).job(exact=True)]
    one, two = rate(jobs, 1), rate(jobs, 2)
    print(f"{'no trump, deals a second, 1 and 2 threads':44s} {one:9.0f} {two:9.0f}  ({two / one:.2f} x)")
    if not quick:
        belote(deals[:60])
    print(f"\nHands near the decision, mean time in DDS ({dds.median:.0f} us):")
    for near in measure.near_decision():
        each = (5 if quick else 20) if near.bid.isdigit() else 40 if quick else 200
        times = time_jobs(near.jobs(each))
        name, floor = f"{near.rules} {near.bid}", floor_of(near.rules, near.bid)
        print(f"{name:28s} {times.mean / dds.median:8.3f}  (floor {floor:5.2f})  {times}", flush=True)


def belote(deals: np.ndarray[tuple[int, int], np.dtype[np.uint64]]) -> None:
    """Card points of Belote beside colver."""
    ours = time_contract(counted(BELOTE, POINTS, "S"), deals, exact=True)
    prepared = [oracles.belote_prepare(hands, "S", 0) for hands in measure.texts(deals)]
    theirs: Times = time_each(oracles.belote_solve, prepared)
    print(f"{'Belote points':44s} {ours}")
    print(f"{'colver':44s} {theirs}")
    print(f"{'':44s} {theirs.median / ours.median:.1f} x colver at the median")


if __name__ == "__main__":
    main()
