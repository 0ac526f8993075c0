"""Print how fast strength tables are made: ``python -m benches.tables [--hands N] [--bids BIDS] [--quick]``.

For each kind of workers, one and then two of them: threads, processes, and a dask cluster on this machine.  The time is
from when they are there to the finished file, and what counts is the rate of two beside that of one.  The machine
should have nothing else to do.
"""

from __future__ import annotations

import argparse
import hashlib
import tempfile
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from time import perf_counter
from typing import Any

from pandoer import strength_table
from pandoer.tables import Processes

KINDS = ("threads", "processes", "dask")


@contextmanager
def workers(kind: str, number: int) -> Iterator[Executor]:
    """So many workers of a kind, who have all begun."""
    if kind == "threads":
        with ThreadPoolExecutor(number) as threads:
            yield threads
    elif kind == "processes":
        with Processes(number) as processes:
            warm(processes, number)
            yield processes
    else:
        dask: Any = import_module("distributed")
        with (
            dask.LocalCluster(n_workers=number, threads_per_worker=1, dashboard_address=None) as cluster,
            dask.Client(cluster) as client,
        ):
            executor: Executor = client.get_executor(pure=False)
            warm(executor, number)
            yield executor


def warm(executor: Executor, number: int) -> None:
    """A little work for each, so that the package is loaded."""
    strength_table("solo-zwabber", hands=8 * number, rules="pagat", samples=1, executor=executor, chunk=1)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="How fast strength tables are made.")
    parser.add_argument("--hands", type=int, default=400)
    parser.add_argument("--bids", default="prive,misere,pandoer,kereltje")
    parser.add_argument("--samples", type=int, default=100)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--quick", action="store_true", help="few hands, to see that it runs")
    arguments = parser.parse_args()
    hands = 20 if arguments.quick else arguments.hands
    asked: dict[str, Any] = {
        "bids": arguments.bids, "hands": hands, "rules": "pagat", "samples": arguments.samples, "seed": 1,
    }  # fmt: skip
    print(f"{hands} hands, {arguments.samples} deals each, {arguments.bids}")
    print(f"{'workers':<14}{'seconds':>10}{'hands/s':>10}{'times one':>11}")
    digests = set()
    with tempfile.TemporaryDirectory() as directory:
        for kind in arguments.kinds:
            rates: list[float] = []
            for number in (1, 2):
                out = Path(directory) / f"{kind}{number}.parquet"
                with workers(kind, number) as executor:
                    start = perf_counter()
                    strength_table(**asked, out=out, executor=executor)
                    took = perf_counter() - start
                rates.append(hands / took)
                digests.add(hashlib.sha256(out.read_bytes()).hexdigest())
                print(f"{number} {kind:<12}{took:>10.2f}{rates[-1]:>10.2f}{rates[-1] / rates[0]:>11.2f}", flush=True)
    print("all files are the same" if len(digests) == 1 else "THE FILES DIFFER")


if __name__ == "__main__":
    main()
