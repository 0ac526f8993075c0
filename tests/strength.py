"""Strength tables for tests: a small stored one, and the first hands of the package's own.

The stored one has few hands, the good ones more often, and some bids only for a part of them.  Run as a program, this
file makes it anew, in a minute on one core.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

import pandoer
from pandoer import Card, Hand, Odds, StrengthTable, odds, ruleset
from pandoer.tables import builtin
from pandoer.willing import willing

RULES = "pagat"
STORED = Path(__file__).parent / "golden" / "strength.parquet"
SEED, SAMPLES = 7, 8
BIDS: Mapping[str, int] = MappingProxyType(
    {"pandoer": 240, "misere": 240, "prive": 240, "zwabber": 240, "kereltje": 100, "130": 16}
)
"""The bids, and of how many hands the chance was asked; a chance that was not is no number."""

POOL = 20
"""So many hands are drawn for each that is taken."""


def drawn(
    count: int, bids: Sequence[str], rules: str, seed: int
) -> tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint64], npt.NDArray[np.float64]]:
    """Hands, watch cards (as hands of one) and weights: good hands are taken more often, and weigh less for it."""
    rng = np.random.default_rng(seed)
    bits = np.array([card.bit for card in ruleset(rules).deck], np.uint64)
    pool = rng.permuted(np.tile(bits, (count * POOL, 1)), axis=1)[:, :9]
    hands, watch = pool[:, :8].sum(axis=1, dtype=np.uint64), pool[:, 8]
    share = np.full(len(pool), 0.02)
    for name in bids:
        found = willing(ruleset(rules).bid(name), ruleset(rules), hands | watch, discard=True)
        if found is not None:
            share += 0.02 * found / found.mean()
    share = np.minimum(share * count / share.sum(), 1)
    taken = np.flatnonzero(rng.random(len(pool)) < share)[:count]
    return hands[taken], watch[taken], 1 / share[taken] / (1 / share[taken]).mean()


def plan_text(answer: Odds) -> str:
    """The plan as a table has it: trump, discard and called card, with ``-`` for what is absent."""
    plan = answer.plan
    if plan is None:
        return "- - -"
    parts = ["-" if plan.trump is None else plan.trump.letter]
    parts += ["-" if card is None else str(card) for card in (plan.discard, plan.called)]
    return " ".join(parts if plan.lead is None else [*parts, str(plan.lead)])


def rows(bids: Mapping[str, int], rules: str, samples: int, seed: int) -> Iterator[dict[str, Any]]:
    """The table row by row."""
    count = max(bids.values())
    for number, (hand, watch, weight) in enumerate(zip(*drawn(count, [*bids], rules, seed), strict=True)):
        own, card = Hand.from_bits(hand), Hand.from_bits(watch).cards[0]
        row: dict[str, Any] = {
            "hand": own.bits, "hand_text": str(own), "watch": str(Card(card)), "weight": float(weight),
        }  # fmt: skip
        for bid, hands in bids.items():
            name = bid.replace("-", "_").replace("+", "_plus_")
            row |= {f"{name}_chance": None, f"{name}_error": None, f"{name}_expected": None}
            row |= {f"{name}_samples": 0, f"{name}_plan": "- - -"}
            if number < hands:
                found = odds(own, bid, rules=rules, watch=card, samples=samples, seed=number, threads=1)
                p = found.probability
                row |= {
                    f"{name}_chance": p, f"{name}_error": float(np.sqrt(p * (1 - p) / found.samples)),
                    f"{name}_expected": found.expected, f"{name}_samples": found.samples,
                    f"{name}_plan": plan_text(found),
                }  # fmt: skip
        yield row


def write(path: Path, made: Sequence[dict[str, Any]], bids: Sequence[str], rules: str, seed: int) -> None:
    """Write rows as a Parquet file with its metadata."""
    pa, pq = import_module("pyarrow"), import_module("pyarrow.parquet")
    columns = {name: [row[name] for row in made] for name in made[0]}
    types = {"hand": pa.uint64()}
    table = pa.table({name: pa.array(values, types.get(name)) for name, values in columns.items()})
    told = {"rules": rules, "bids": [*bids], "watch": "open", "seed": seed, "version": pandoer.__version__}
    pq.write_table(table.replace_schema_metadata({"pandoer": json.dumps(told)}), path, compression="zstd")


@cache
def stored() -> Any:
    """The stored table, as a pyarrow table."""
    return import_module("pyarrow.parquet").read_table(STORED)


@cache
def first(count: int = 2000) -> StrengthTable:
    """The first hands of the package's table of `RULES`."""
    table = builtin(RULES)
    assert isinstance(table, StrengthTable)
    return StrengthTable.of(table.to_arrow().slice(0, count))


def main() -> None:
    """Make the stored table anew."""
    made = []
    for row in rows(BIDS, RULES, SAMPLES, SEED):
        made.append(row)
        print(f"\r{STORED.name} {len(made)}", end="", file=sys.stderr)
    write(STORED, made, [*BIDS], RULES, SEED)


if __name__ == "__main__":
    main()
