"""Fit the model of `pandoer.willing` to this package's own chances.

For each kind of bid hands are drawn at random, most of them from the better ones by a crude count, and `odds` finds the
double-dummy chance of the bid with the best plan.  Logistic regression then says how likely a chance of a half or more
is, given the features; a half is where a bid begins to pay.  A fifth of the hands is held out.  The constants for a
player who has not seen the watch card follow from the fitted chances, as means over the 25 cards that it may be.

Run ``python -m benches.fit_bidding``: it prints the constants and how well they predict the hands that were held out,
some of which it stores for the tests.  Finding the chances takes some twenty minutes on one core; they are written to
``fit_bidding.jsonl`` and read from there if it exists.

Points contracts with a partner are taken from the ruleset `cappelle`, whose strict following is ten times cheaper to
solve; the model uses the result for all rulesets.
"""

from __future__ import annotations

import importlib
import json
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from pandoer import Card, Hand, odds, ruleset
from pandoer.errors import PandoerError
from pandoer.melds import meld_points
from pandoer.rulesets import Ruleset
from pandoer.willing import FEATURES, KINDS, TRICK, TRUMP, Kind, counts, kind_name, strength

minimize: Any = importlib.import_module("scipy.optimize").minimize

CHANCES = Path(__file__).with_name("fit_bidding.jsonl")
SAMPLES = 100
DRAWN = 200_000
HELD_OUT = 5
"""One hand in so many is held out."""

STORED = Path(__file__).parents[1] / "tests" / "golden" / "bidding.jsonl"
EACH = 30
"""So many of the hands of each kind that were held out are stored for the tests."""

QUESTIONS: tuple[tuple[str, tuple[str, ...], int, int], ...] = (
    ("pagat", ("prive",), 1500, 13),
    ("pagat", ("solo-zwabber",), 1500, 15),
    ("pandur", ("pandur-ohne",), 1500, 12),
    ("pandur", ("pandur-mit",), 1200, 11),
    ("pandur", ("misere-ohne",), 1200, 9),
    ("pandur", ("misere-mit",), 1200, 11),
    ("pandur", tuple(str(n) for n in range(100, 260, 10)), 1200, 12),
    ("pagat", ("zwabber",), 400, 9),
    ("wikipedia-nl", ("zwabber",), 900, 13),
    ("wikipedia-en", ("zwabber",), 500, 9),
    ("wikipedia-nl", ("pandoer",), 450, 8),
    ("pagat", ("pandoer", "pandoer", "pandoer+20", "pandoer+50"), 360, 7),
    ("pagat", ("kereltje",), 280, 7),
    ("wikipedia-en", ("misere",), 400, 10),
    ("pagat", ("misere",), 350, 10),
    ("pagat", ("piccolo",), 400, 9),
    ("wikipedia-en", ("piccolo",), 360, 9),
    ("butselaar", ("piccolo",), 300, 11),
    ("wikipedia-nl", ("piccolo",), 120, 10),
    ("cappelle", tuple(str(n) for n in range(120, 230, 10)), 200, 7),
)
"""Ruleset, bids that are asked in turn, hands, and the binary logarithm of how rare the best of them are."""

HALF = 0.5
CUTS = (0.1, 0.3, 0.5, 0.7, 0.9)
RIDGE = 0.02
BINS = (0.0, 0.05, 0.2, 0.4, 0.6, 0.8, 0.95, 1.01)

CRUDE = {
    "strong": (3.0, 2.5, 2.0, 1.5, 0.5, 1.0, 0.5, -0.7, 0.0, 0.5),
    "weak": (-0.5, -0.5, -0.5, -0.7, -0.7, -0.5, -0.5, 0.5, 0.5, -1.0),
}
"""Weights that find better hands than most."""


def random_hands(rules: Ruleset, number: int, random: np.random.Generator) -> npt.NDArray[np.uint64]:
    """Hands with the watch card, if there is one: ``uint64 [number, cards]``, one bit each."""
    deck = np.array([card.bit for card in rules.deck], np.uint64)
    cards = rules.hand + (rules.watch is not None)
    return random.permuted(np.tile(deck, (number, 1)), axis=1)[:, :cards]


def ask(number: int, seed: int = 1) -> Iterator[dict[str, Any]]:
    """The chances of one question's hands."""
    name, bids, hands, rare = QUESTIONS[number]
    rules = ruleset(name)
    random = np.random.default_rng([seed, number])
    drawn = random_hands(rules, DRAWN, random)
    kind = KINDS[kind_name(rules.bid(bids[0]), rules)]
    crude = replace(kind, weights=CRUDE[kind.family])
    order = np.argsort(strength(crude, rules, np.bitwise_or.reduce(drawn, axis=1), discard=rules.watch is not None))
    # One hand in 2 to the power u is as good as this.
    places = (len(drawn) * (1 - 2.0 ** -random.uniform(0, rare, hands))).astype(int)
    for i, place in enumerate(places):
        cards = [Hand.from_bits(bit) for bit in drawn[order[place]]]
        hand = Hand([card for one in cards[: rules.hand] for card in one])
        watch = str(next(iter(cards[-1]))) if rules.watch else None
        bid = bids[i % len(bids)]
        try:
            found = odds(hand, bid, rules=rules, watch=watch, samples=SAMPLES, seed=i, threads=1).probability
        except PandoerError:
            found = 0.0  # no legal plan
        yield {"rules": name, "bid": bid, "hand": hand.text(symbols=False), "watch": watch, "chance": found}


def chances() -> list[dict[str, Any]]:
    """All chances, found now or before."""
    if not CHANCES.exists():
        rows = []
        for number, question in enumerate(QUESTIONS):
            start = time.perf_counter()
            rows += list(ask(number))
            print(*question, f"{time.perf_counter() - start:.0f} s", file=sys.stderr, flush=True)
            CHANCES.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return [json.loads(line) for line in CHANCES.read_text().splitlines()]


@dataclass(frozen=True)
class Data:
    """Hands of one kind with their chances."""

    name: str
    kind: Kind
    rules: Ruleset
    hands: npt.NDArray[np.uint64]
    extra: npt.NDArray[np.float64]
    """Tens of points of melds in the hand, promised, and promised but not in the hand: ``[hands, 3]``."""
    chance: npt.NDArray[np.float64]

    @classmethod
    def read(cls, rows: list[dict[str, Any]]) -> Data:
        """The data of these rows, all of one kind and ruleset."""
        rules = ruleset(rows[0]["rules"])
        bids = [rules.bid(row["bid"]) for row in rows]
        hands = [Hand(row["hand"]) | (Card(row["watch"]) if row["watch"] else Hand()) for row in rows]
        bits = np.array([hand.bits for hand in hands], np.uint64)
        targets = np.array([bid.target or 0 for bid in bids])
        name = kind_name(bids[0], rules)
        chance = np.array([row["chance"] for row in rows])
        return cls(name, KINDS[name], rules, bits, extras(bits, targets, rules), chance)

    def part(self, which: npt.NDArray[np.bool_]) -> Data:
        """Some of the hands."""
        return replace(self, hands=self.hands[which], extra=self.extra[which], chance=self.chance[which])

    def strength(self, kind: Kind) -> npt.NDArray[np.float64]:
        """The strength of each hand."""
        found = strength(kind, self.rules, self.hands, discard=self.rules.watch is not None)
        return found + self.extra @ [kind.melds, kind.target, kind.missing]


def extras(hands: npt.NDArray[np.uint64], targets: npt.NDArray[Any], rules: Ruleset) -> npt.NDArray[np.float64]:
    """What `Data.extra` holds."""
    melds = meld_points(hands, rules.melds)
    return np.stack([melds, targets, np.maximum(targets - melds, 0)], axis=1) / 10


def logistic(x: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The chance of a logit."""
    return np.asarray(1 / (1 + np.exp(-np.clip(x, -30, 30))))


def loss(logit: npt.NDArray[np.float64], label: npt.NDArray[Any]) -> float:
    """The sum of logarithms of the likelihood, negative."""
    return float(np.logaddexp(0, logit).sum() - (label * logit).sum())


def line(x: npt.NDArray[np.float64], label: npt.NDArray[Any]) -> tuple[float, float]:
    """Factor and summand with which the logistic function of x predicts labels best."""
    found = minimize(lambda p: loss(p[0] * x + p[1], label) + 0.01 * p[0] ** 2, [1.0, 0.0])
    return float(found.x[0]), float(found.x[1])


def fit(data: Data) -> tuple[Kind, tuple[float, float]]:
    """The kind with its constants, and the line that turns strength into the chance itself.

    The weights say how likely the chance exceeds each of `CUTS`, with a threshold for each; so hands far from the
    decision count as well.  Then their common scale and the threshold are those of a chance of a half.
    """
    kind = data.kind
    features = len(FEATURES[kind.family][1])
    points = data.name.startswith("points")
    parts = [part for part in range(4) if part & ~kind.roles == 0]
    used = counts(kind.family, data.rules.cards, 0x1FF)[parts].any(axis=(0, 1))
    extra = np.array([points, points, not points and data.extra[:, 2].any()])

    def unpack(values: npt.NDArray[np.float64]) -> Kind:
        melds, target, missing = map(float, values[features : features + 3] * extra)
        weights = tuple(float(value) + 0.0 for value in values[:features] * used)
        return replace(kind, weights=weights, threshold=0.0, melds=melds, target=target, missing=missing)

    def objective(values: npt.NDArray[np.float64]) -> float:
        found = data.strength(unpack(values))
        spread = sum(loss(found - cut, data.chance >= c) for c, cut in zip(CUTS, values[features + 3 :], strict=True))
        return spread / len(CUTS) + RIDGE * float((values[: features + 3] ** 2).sum())

    first = np.concatenate([CRUDE[kind.family], [0.3, -0.5, -0.5], np.zeros(len(CUTS))])
    rough = data.strength(unpack(first))
    first[features + 3 :] = np.median(rough)
    best = minimize(objective, first, method="L-BFGS-B", options={"maxiter": 300, "maxfun": 20_000})
    rough = data.strength(unpack(best.x))
    factor, summand = line(rough, data.chance >= HALF)
    weights = np.round(best.x * factor, 2) + 0.0  # no -0.0
    found = replace(unpack(weights), threshold=round(-summand, 2))
    return found, line(data.strength(found), data.chance)


def fit_closed(
    data: Data, kind: Kind, chance: tuple[float, float], random: np.random.Generator
) -> tuple[float, float]:
    """Factor and summand for a player who has not seen the watch card.

    His chance is the mean of the fitted chances over all watch cards, and he is as willing as a player with this chance
    who has seen it.
    """
    rules = data.rules
    hands = np.bitwise_or.reduce(random_hands(rules, DRAWN, random)[:, : rules.hand], axis=1)
    rank = np.argsort(strength(kind, rules, hands, discard=False))
    hands = hands[rank[(len(rank) * (1 - 2.0 ** -random.uniform(0, 14, 3000))).astype(int)]]
    targets = random.choice(data.extra[:, 1], len(hands)) * 10
    total, count = np.zeros(len(hands)), np.zeros(len(hands))
    for card in rules.deck:
        free = np.flatnonzero(hands & np.uint64(card.bit) == 0)
        taken = hands[free] | np.uint64(card.bit)
        nine = replace(data, hands=taken, extra=extras(taken, targets[free], rules))
        total[free] += logistic(chance[0] * nine.strength(kind) + chance[1])
        count[free] += 1
    mean = np.clip(total / count, 1e-6, 1 - 1e-6)
    wanted = (np.log(mean / (1 - mean)) - chance[1]) / chance[0] - kind.threshold
    eight = strength(kind, rules, hands, discard=False) - kind.threshold
    eight += extras(hands, targets, rules) @ [kind.melds, kind.target, kind.missing]
    factor, summand = line(eight, logistic(wanted))
    return round(factor, 2), round(summand, 2)


def judge(kind: Kind, data: Data) -> str:
    """How well the constants predict a chance of a half or more, in words."""
    logit = data.strength(kind) - kind.threshold
    label = data.chance >= HALF
    p = logistic(logit)
    better = (logit[label][:, np.newaxis] > logit[~label]).mean() if label.any() and not label.all() else np.nan
    bins = [
        f"{p[own].mean():.2f}/{label[own].mean():.2f} ({own.sum()})"
        for low, high in pairwise(BINS)
        if (own := (p >= low) & (p < high)).any()
    ]
    brier = ((p - label) ** 2).mean()
    return (
        f"{len(p)} hands, {label.sum()} of them good; area under the curve {better:.3f}, Brier {brier:.3f}; "
        f"predicted/found {', '.join(bins)}"
    )


def code(name: str, kind: Kind) -> str:
    """An entry of `KINDS`."""
    roles = {0: "0", TRUMP: "TRUMP", TRICK: "TRICK", TRUMP | TRICK: "TRUMP | TRICK"}[kind.roles]
    others = {"melds": 0.0, "target": 0.0, "missing": 0.0, "closed": (1.0, 0.0), "jack": None, "led": False}
    more = ", ".join(f"{key}={getattr(kind, key)}" for key, usual in others.items() if getattr(kind, key) != usual)
    weights = ", ".join(f"{weight:g}" for weight in kind.weights)
    lines = [f'    "{name}": Kind(', f'        "{kind.family}", {roles}, ({weights}), {kind.threshold},']
    return "\n".join([*lines, *([f"        {more},"] if more else []), "    ),"])


def main() -> None:
    """Print the constants, and how well they fit."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in chances():
        rules = ruleset(row["rules"])
        groups.setdefault(kind_name(rules.bid(row["bid"]), rules), []).append(row)
    stored = []
    for name, rows in groups.items():
        data = Data.read(rows)
        held_out = np.arange(len(rows)) % HELD_OUT == HELD_OUT - 1
        kind, chance = fit(data.part(~held_out))
        if data.rules.watch is not None:
            kind = replace(kind, closed=fit_closed(data, kind, chance, np.random.default_rng([*name.encode()])))
        print(code(name, kind), flush=True)
        print("   ", judge(kind, data.part(~held_out)))
        print("   ", judge(kind, data.part(held_out)))
        stored += [json.dumps(row) for row in rows[HELD_OUT - 1 :: HELD_OUT][:EACH]]
    STORED.write_text("\n".join(stored) + "\n")


if __name__ == "__main__":
    main()
