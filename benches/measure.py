"""Time the kernel deal by deal, on random deals and on stored hands near the decision, beside its peers."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
import numpy.typing as npt

from pandoer import Card, Contract, Hand, Objective, Ruleset, Suit, _solver, ruleset
from pandoer.batch import Batch, Job, run
from pandoer.cards import DECK32
from pandoer.dealing import sample
from pandoer.objectives import TRICKS, TRICKS_WON
from pandoer.plans import Plan, contract_of
from pandoer.solver import TABLE_BITS
from tests.outside import BELOTE, BRIDGE

NEAR_DECISION = Path(__file__).with_name("near_decision.jsonl")


@dataclass(frozen=True)
class Times:
    """Times of many deals, in microseconds a deal, and cards played."""

    us: npt.NDArray[np.float64]
    nodes: npt.NDArray[np.int64]

    @property
    def median(self) -> float:
        return float(np.median(self.us))

    @property
    def mean(self) -> float:
        return float(self.us.mean())

    @property
    def p95(self) -> float:
        return float(np.percentile(self.us, 95))

    def __str__(self) -> str:
        return (
            f"median {self.median:9.1f}  mean {self.mean:9.1f}  p95 {self.p95:10.1f}  max {self.us.max():10.0f} us;"
            f"  nodes: median {np.median(self.nodes):7.0f}  mean {self.nodes.mean():8.0f}"
        )


def random_deals(deals: int, seed: int = 1) -> npt.NDArray[np.uint64]:
    """Random deals of the 32 cards from seven to ace: ``uint64 [deals, 4]``."""
    return sample(DECK32, 4, TRICKS, 0, deals, np.random.SeedSequence(seed))


def counted(
    rules: Ruleset, objective: Objective, trump: str | None, side: tuple[int, ...] = (0, 2), target: int | None = None
) -> Contract:
    """An objective of its own, without calls and melds."""
    return Contract(
        rules=rules, name=objective.name, objective=objective, declarer=0,
        trump=None if trump is None else Suit.parse(trump), play=rules.play, target=target, side=side,
    )  # fmt: skip


def time_jobs(jobs: Sequence[Job]) -> Times:
    """Solve deal by deal on one thread."""
    us: list[float] = []
    nodes: list[int] = []
    table, stop = _solver.Table(TABLE_BITS), np.zeros(1, np.int32)
    for job in jobs:
        for i in range(len(job.hands)):
            start = perf_counter()
            job.work(slice(i, i + 1), table, stop)
            us.append(1e6 * (perf_counter() - start))
        nodes.extend(job.nodes.tolist())
    return Times(np.array(us), np.array(nodes))


def work_blocks(jobs: Sequence[Job]) -> None:
    """Solve all deals on one thread, one call a job."""
    table, stop = _solver.Table(TABLE_BITS), np.zeros(1, np.int32)
    for job in jobs:
        job.work(slice(0, len(job.hands)), table, stop)


def time_contract(contract: Contract, deals: npt.NDArray[np.uint64], *, exact: bool) -> Times:
    """Solve deals in one contract, deal by deal on one thread."""
    return time_jobs([Batch.checked(deals, contract).job(exact=exact)])


def time_each(solve: Callable[[Any], object], prepared: Sequence[Any]) -> Times:
    """Time another solver, deal by deal."""
    us = []
    for deal in prepared:
        start = perf_counter()
        solve(deal)
        us.append(1e6 * (perf_counter() - start))
    return Times(np.array(us), np.zeros(len(us), np.int64))


def rate(jobs: Sequence[Job], threads: int) -> float:
    """Deals a second."""
    start = perf_counter()
    run(jobs, threads=threads)
    return sum(len(job.hands) for job in jobs) / (perf_counter() - start)


@dataclass(frozen=True)
class Near:
    """Stored hands of one question, near the decision."""

    rules: str
    bid: str
    hands: tuple[tuple[Hand, Card, Plan], ...]

    def jobs(self, deals: int) -> list[Job]:
        """The work of solving `deals` deals for each hand with its plan."""
        rules = ruleset(self.rules)
        bid = rules.bid(self.bid)
        jobs = []
        for number, (hand, watch, plan) in enumerate(self.hands):
            hidden = sample(
                rules.deck - hand - watch, 3, TRICKS, 0, deals, np.random.SeedSequence(1, spawn_key=(number,))
            )
            own = (hand | watch).remove(plan.discard) if plan.discard else hand
            array = np.column_stack([np.full(deals, own.bits, np.uint64), hidden])
            jobs.append(Batch.checked(array, contract_of(rules, bid, plan)).job(exact=False))
        return jobs


def near_decision() -> list[Near]:
    """The stored hands, question by question."""
    lines = [json.loads(line) for line in NEAR_DECISION.read_text(encoding="utf-8").splitlines()]
    found = []
    for (rules, bid), group in groupby(lines, key=lambda line: (line["rules"], line["bid"])):
        hands = tuple((Hand(line["hand"]), Card(line["watch"]), _plan(line["plan"])) for line in group)
        found.append(Near(rules, bid, hands))
    return found


def _plan(data: dict[str, str | None]) -> Plan:
    def card(name: str) -> Card | None:
        text = data[name]
        return None if text is None else Card(text)

    trump = data["trump"]
    return Plan(None if trump in (None, "-") else Suit.parse(trump), card("discard"), card("called"))


def texts(deals: npt.NDArray[np.uint64]) -> list[list[str]]:
    """Deals as texts for the peers."""
    return [[" ".join(map(str, Hand.from_bits(int(bits)))) for bits in row] for row in deals]


__all__ = [
    "BELOTE", "BRIDGE", "TRICKS_WON", "Near", "Times", "counted", "near_decision", "random_deals", "rate", "texts",
    "time_contract", "time_each", "time_jobs", "work_blocks",
]  # fmt: skip
