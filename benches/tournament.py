"""Let the kinds of players meet: ``python -m benches.tournament [--deals N] [--more N] [--quick] [--speed]``.

Hands near the decision with their plans; the hidden cards are dealt with a fixed seed.  On the same deals, with the
same seeds, each kind declares, its partner with it, and defends (an `alphamu` as `pimc` does).  Points take so long
that they are played a fifth as often.  Then `alphamu` and `pimc` alone declare ``--more`` deals, except of points.
Differences between kinds are of the same deals; intervals are of 95 %.  Then come the chances of the same plans in the
views of `odds`.

With ``--calibration`` only those are printed, and those of random hands; with ``--speed`` what decisions cost.  The
unit of cost is one DDS, as in `benches.report`, in seconds of processor time.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import statistics
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import product
from math import sqrt
from time import process_time
from typing import Any

import numpy as np
import numpy.typing as npt

from benches.chances import stored, unit
from benches.measure import Near, near_decision
from pandoer import Card, Contract, Deal, Hand, _solver, odds, ruleset
from pandoer.batch import Batch, run
from pandoer.choices import by_likelihood
from pandoer.dealing import sample
from pandoer.intervals import Z95, wilson
from pandoer.line import Line
from pandoer.match import Match, play_out
from pandoer.objectives import LOST, TRICKS, replay
from pandoer.plans import Plan, contract_of, legal_plans
from pandoer.players import AlphaMu, MonteCarlo, Player, RandomPlayer, RulePlayer
from pandoer.problems import Play
from pandoer.solver import CALLS, TABLE_BITS, legal_leads
from pandoer.worlds import Worlds
from tests.seers import Seer

DECLARE = ("alphamu", "pimc", "rules", "random")
DEFEND = ("pimc", "rules", "random")
PERFECT = "perfect"
TIMES = 100
"""Deals a contract, unless another number is asked for."""

MORE = 700
"""Deals that only `alphamu` and `pimc` declare, because they differ by so little."""

FEWER = 5
"""Contracts that count points are played so many times less often."""

CHOOSING = 64
"""Other deals that choose the first lead of a blind lead."""

DECISION_LIMIT, TABLE_LIMIT = 1_000, 500_000
"""A decision with 50 worlds at trick one, and a table's chance of a misère at precision 0.05, in DDS solves."""


@dataclass(frozen=True)
class Pairing:
    """Who declares against whom."""

    declares: str
    defends: str

    def __str__(self) -> str:
        return f"{self.declares} against {self.defends}"


@dataclass(frozen=True)
class Played:
    """A deal that was played out."""

    made: bool
    seconds: float
    solved: int
    nodes: int


@dataclass(frozen=True)
class Strengths:
    """How well the players play."""

    worlds: int
    depth: int

    def of(self, kind: str) -> Player:
        """A player of a kind."""
        kinds: dict[str, Player] = {
            "alphamu": AlphaMu(self.worlds, self.depth), "pimc": MonteCarlo(self.worlds), "rules": RulePlayer(),
            "random": RandomPlayer(),
        }  # fmt: skip
        return kinds[kind]


def begun(near: Near, number: int) -> Match:
    """Deal number so and so of a question: the hands take turns."""
    rules = ruleset(near.rules)
    hand, watch, plan = near.hands[number % len(near.hands)]
    seed = np.random.SeedSequence(7, spawn_key=(number,))
    hidden = sample(rules.deck - hand - watch, 3, TRICKS, 0, 1, seed)[0]
    own = (hand | watch).remove(plan.discard) if plan.discard else hand
    deal = Deal([own, *(Hand.from_bits(int(bits)) for bits in hidden)], discard=plan.discard)
    return Match.begin(deal, contract_of(rules, rules.bid(near.bid), plan), watch=watch)


def play(near: Near, number: int, pairing: Pairing, strengths: Strengths) -> Played:
    """Play a deal; a partner is of the declarer's kind, but sees all cards where the defenders do."""
    match = begun(near, number)
    partner = match.partner
    players: list[Player] = []
    for seat in range(len(match.deal.hands)):
        if seat != 0 and pairing.defends == PERFECT:
            players.append(Seer(match.deal, seat == partner))
        else:
            players.append(strengths.of(pairing.declares if seat in (0, partner) else pairing.defends))
    counted = [0, 0]
    values = Worlds.values

    def counting(self: Worlds, *args: Any, **more: Any) -> Any:
        solved, nodes = self.solved, self.nodes
        found = values(self, *args, **more)
        counted[0] += self.solved - solved
        counted[1] += self.nodes - nodes
        return found

    Worlds.values = counting  # type: ignore[method-assign]
    try:
        start = process_time()
        made = play_out(match, players, np.random.SeedSequence(11, spawn_key=(number,))).made
        return Played(bool(made), process_time() - start, *counted)
    finally:
        Worlds.values = values  # type: ignore[method-assign]


def solved(deals: npt.NDArray[np.uint64], contract: Contract, lead: Play | None = None) -> list[bool]:
    """Which deals are made double-dummy, perhaps with a first lead."""
    job = Batch.checked(deals, contract).job(exact=False, lead=lead)
    run([job], threads=1)
    return [bool(yes) for yes in job.result()]


def all_hands_known(near: Near, number: int) -> bool:
    """Whether a deal is made double-dummy."""
    match = begun(near, number)
    deals = np.array([[hand.bits for hand in match.deal.hands]], np.uint64)
    return solved(deals, match.contract)[0]


def blind_lead(near: Near, numbers: Sequence[int]) -> list[bool]:
    """Which deals are made with the first lead that is best on others."""
    found: dict[int, bool] = {}
    for place in range(len(near.hands)):
        own = [number for number in numbers if number % len(near.hands) == place]
        if not own:
            continue
        match = begun(near, own[0])
        rules, (hand, watch, _) = match.contract.rules, near.hands[place]
        seed = np.random.SeedSequence(8, spawn_key=(place,))
        hidden = sample(rules.deck - hand - watch, 3, TRICKS, 0, CHOOSING, seed)
        first = match.deal.hands[0].bits
        others = np.column_stack([np.full(CHOOSING, first, np.uint64), hidden])
        leads = legal_leads(match.contract, [int(bits) for bits in others[0]])
        best = max(leads, key=lambda lead: sum(solved(others, match.contract, lead)))
        deals = np.array([[h.bits for h in begun(near, number).deal.hands] for number in own], np.uint64)
        found |= dict(zip(own, solved(deals, match.contract, best), strict=True))
    return [found[number] for number in numbers]


# Figures


def chance(made: Sequence[bool]) -> tuple[float, float, float]:
    """The share of deals that were made, with its interval, in percent."""
    share = sum(made) / len(made)
    low, high = wilson(sum(made), len(made))
    return 100 * share, 100 * low, 100 * high


def difference(one: Sequence[bool], other: Sequence[bool]) -> tuple[float, float, float]:
    """How much more of the same deals one makes than the other, with its interval, in percent."""
    gaps = np.array(one, float) - np.array(other, float)
    n, mean = len(gaps), float(gaps.mean())
    # One more deal either way, so that a few that agree do not look certain.
    half = Z95 * sqrt(max(0.0, ((gaps**2).sum() + 2) / (n + 2) - mean**2) / n)
    return 100 * mean, 100 * (mean - half), 100 * (mean + half)


def shown(figures: tuple[float, float, float]) -> str:
    """A figure with its interval."""
    return f"{figures[0]:5.1f} ({figures[1]:5.1f} to {figures[2]:5.1f})"


Results = dict[Pairing, list[Played]]


def pairings() -> list[Pairing]:
    """All that are played: everybody against `pimc` and against the rules, and some more."""
    found = [Pairing(*pair) for pair in product(DECLARE, DEFEND[:2])]
    return [*found, Pairing("pimc", "random"), Pairing("pimc", PERFECT), Pairing("alphamu", PERFECT)]


TWO = (Pairing("alphamu", "pimc"), Pairing("pimc", "pimc"))
"""Who looks ahead and who does not, against the same defenders."""


def counts_points(near: Near) -> bool:
    """Whether a question is about points."""
    return ruleset(near.rules).bid(near.bid).objective.counts == "points"


def _one(task: tuple[Near, int, Sequence[Pairing], Strengths]) -> tuple[bool, list[Played]]:
    near, number, pairs, strengths = task
    return all_hands_known(near, number), [play(near, number, pairing, strengths) for pairing in pairs]


@dataclass(frozen=True)
class Met:
    """What came of a question: what was made double-dummy, after a blind lead, and at the table."""

    near: Near
    known: list[bool]
    blind: list[bool]
    results: Results


def meetings(
    asked: Sequence[Near], deals: int, more: int, pairs: Sequence[Pairing], strengths: Strengths, processes: int
) -> Iterator[Met]:
    """Question by question what was made; of `TWO` so many `more` deals."""
    with ProcessPoolExecutor(processes, multiprocessing.get_context("fork")) as pool:
        for near in asked:
            points = counts_points(near)
            all_play = -(-deals // FEWER) if points else deals
            numbers = range(all_play if points else all_play + more)
            tasks = [(near, number, pairs if number < all_play else TWO, strengths) for number in numbers]
            found = list(pool.map(_one, tasks, chunksize=4))
            results: Results = {pairing: [] for pairing in pairs}
            for (_, _, paired, _), (_, games) in zip(tasks, found, strict=True):
                for pairing, game in zip(paired, games, strict=True):
                    results[pairing].append(game)
            yield Met(near, [known for known, _ in found], blind_lead(near, range(all_play)), results)


def made(games: Sequence[Played]) -> list[bool]:
    """Which deals were made."""
    return [game.made for game in games]


class Tournament:
    """All results, and what they say."""

    def __init__(self) -> None:
        self.known: dict[str, list[bool]] = {}
        self.blind: dict[str, list[bool]] = {}
        self.made: dict[str, dict[Pairing, list[bool]]] = {}
        self.cost: dict[Pairing, list[Played]] = {}

    def add(self, met: Met) -> str:
        """Take up a question; its name."""
        name = f"{met.near.rules} {met.near.bid}"
        self.known[name], self.blind[name] = met.known, met.blind
        self.made[name] = {pairing: made(games) for pairing, games in met.results.items()}
        for pairing, games in met.results.items():
            self.cost.setdefault(pairing, []).extend(games)
        return name

    def row(self, name: str) -> str:
        """A contract's results."""
        results = self.made[name]
        parts = [f"{chance(self.known[name])[0]:6.1f}"]
        parts += [f"{chance(results[Pairing(kind, 'pimc')])[0]:6.1f}" for kind in DECLARE]
        parts += [f"{chance(results[Pairing('pimc', kind)])[0]:6.1f}" for kind in DEFEND[1:]]
        gains = [self.gain(name, *two) for two in (("alphamu", "pimc"), ("pimc", "rules"))]
        defence = self.between(Pairing("pimc", "rules"), Pairing("pimc", "pimc"), name)
        return "  ".join([*parts, *map(shown, gains), shown(defence)])

    def gain(self, name: str, one: str, other: str) -> tuple[float, float, float]:
        """How much more one kind makes than another against `pimc`."""
        return self.between(Pairing(one, "pimc"), Pairing(other, "pimc"), name)

    def between(self, one: Pairing, other: Pairing, *names: str) -> tuple[float, float, float]:
        """How much more is made in one pairing than in another of the deals of both; in all contracts unless named."""
        ours: list[bool] = []
        theirs: list[bool] = []
        for name in names or self.made:
            for yes, no in zip(self.made[name][one], self.made[name][other], strict=False):
                ours.append(yes)
                theirs.append(no)
        return difference(ours, theirs)

    def calibrated(self, name: str) -> str:
        """The chances of a contract in the views of `odds`, as the row of a table."""
        deals = len(self.blind[name])
        views = [self.known[name], self.blind[name], self.made[name][TWO[1]], self.made[name][TWO[0]]]
        cells = [f"{p:.0f} ({low:.0f} to {high:.0f})" for p, low, high in (chance(view[:deals]) for view in views)]
        return f"| {name} | {deals} | {' | '.join(cells)} |"

    def beaten(self) -> list[str]:
        """Where the double-dummy value was beaten although everybody else was perfect."""
        return [
            f"{name}, deal {number}, {pairing}"
            for name, results in self.made.items()
            for pairing, found in results.items()
            if pairing.defends == PERFECT
            for number, (yes, known) in enumerate(zip(found, self.known[name], strict=False))
            if yes and not known
        ]

    def verdicts(self) -> list[tuple[str, bool, str]]:
        """The checks: what, whether it holds, and the figures."""
        pimc = Pairing("pimc", "pimc")
        declares = self.between(pimc, Pairing("rules", "pimc"))
        defends = self.between(Pairing("pimc", "rules"), pimc)
        alike = {name: self.gain(name, "alphamu", "pimc") for name in self.made}
        worse = [name for name, figures in alike.items() if figures[2] < 0]
        better = [name for name, figures in alike.items() if figures[1] > 0]
        rules = [name for name in self.made if self.gain(name, "pimc", "rules")[2] < 0]
        total = self.between(Pairing("alphamu", "pimc"), pimc)
        beaten = self.beaten()
        return [
            ("pimc declares better than rules", declares[1] > 0, shown(declares)),
            ("pimc declares no worse than rules in any contract", not rules, ", ".join(rules)),
            ("pimc defends better than rules", defends[1] > 0, shown(defends)),
            ("alphamu is no worse than pimc in any contract", not worse, ", ".join(worse)),
            ("alphamu is better than pimc in some contract", bool(better), f"{shown(total)} {', '.join(better)}"),
            ("double-dummy is never beaten by all who see", not beaten, "; ".join(beaten)),
        ]

    def costs(self, dds: float) -> Iterator[str]:
        """What playing cost."""
        for pairing, games in self.cost.items():
            seconds = statistics.fmean(game.seconds for game in games)
            yield (
                f"  {pairing!s:28s} {seconds / dds:8.0f} DDS a deal"
                f"  {statistics.fmean(game.solved for game in games):8.0f} solves"
                f"  {statistics.fmean(game.nodes for game in games):9.0f} cards"
            )

    def to_json(self, dds: float) -> dict[str, Any]:
        """Everything as a JSON object."""
        return {
            "dds_seconds": dds,
            "contracts": {
                name: {
                    "double_dummy": chance(self.known[name]),
                    "blind_lead": chance(self.blind[name]),
                    "deals": {str(pairing): len(found) for pairing, found in results.items()},
                    "made": {str(pairing): chance(found) for pairing, found in results.items()},
                    "alphamu_over_pimc": self.gain(name, "alphamu", "pimc"),
                    "pimc_over_rules": self.gain(name, "pimc", "rules"),
                }
                for name, results in self.made.items()
            },
            "checks": [{"what": what, "holds": holds, "figures": text} for what, holds, text in self.verdicts()],
        }


def tournament(
    asked: Sequence[Near], deals: int, more: int, strengths: Strengths, processes: int, *, as_json: bool
) -> bool:
    """Play it and print the table; whether all checks hold."""
    dds, table = unit(), Tournament()
    out = sys.stderr if as_json else sys.stdout
    print(f"1 DDS = {1e6 * dds:.0f} us; {deals} deals a contract, {strengths}; made, in percent", file=out)
    heads = ["known", *(f"{kind:>6.6s}" for kind in DECLARE), *(f"-{kind:>5.5s}" for kind in DEFEND[1:])]
    heads += ["alphamu over pimc", "pimc over rules", "pimc defending over rules"]
    print(f"{'':24s} {'  '.join(heads)}\n{'':24s} declarers against pimc; pimc against -rules, -random", file=out)
    for met in meetings(asked, deals, more, pairings(), strengths, processes):
        name = table.add(met)
        print(f"{name:24s} {table.row(name)}", file=out, flush=True)
    print(*table.costs(dds), sep="\n", file=out)
    print(heading(strengths), *map(table.calibrated, table.made), sep="\n", file=out)
    for what, holds, text in table.verdicts():
        print(f"{'holds ' if holds else 'FAILS '} {what}  {text}", file=out)
    if as_json:
        print(json.dumps(table.to_json(dds)))
    return all(holds for _, holds, _ in table.verdicts())


def heading(strengths: Strengths) -> str:
    """Of the table of chances in each view."""
    names = ("contract", "deals", "double-dummy", "blind lead", "table, depth 1", f"table, depth {strengths.depth}")
    return f"| {' | '.join(names)} |\n{'|---' * len(names)}|"


def random_hands(name: str, text: str, number: int) -> Near:
    """Random hands, each with the plan that a crude count likes best."""
    rules = ruleset(name)
    bid = rules.bid(text)
    found: list[tuple[Hand, Card, Plan]] = []
    for bits in sample(rules.deck, 1, rules.hand + 1, 0, number, np.random.SeedSequence(9))[:, 0].tolist():
        cards = Hand.from_bits(bits)
        watch = [*cards][len(found) % len(cards)]
        plan = by_likelihood(rules, bid, cards, [*legal_plans(rules, bid, cards, Plan(None, None, None))])[0]
        found.append((cards - watch, watch, plan))
    return Near(name, text, tuple(found))


def calibration(asked: Sequence[Near], deals: int, strengths: Strengths, processes: int) -> None:
    """Print the chances of the same plans on the same deals in each view, at last those of random hands of a misère."""
    asked = [*asked, random_hands("pagat", "misere", deals)]
    table = Tournament()
    print(heading(strengths))
    for met in meetings(asked, deals, 0, TWO, strengths, processes):
        print(table.calibrated(table.add(met)), flush=True)
    print("The last are random hands.")


# Speed


def speed(asked: Sequence[Near], quick: bool) -> None:
    """Print what decisions and chances cost."""
    dds = unit()
    print(f"1 DDS = {1e6 * dds:.0f} us; processor time, in DDS")
    print("a decision of pimc with 50 worlds at trick one, the declarer's and the next one's: the median, the slowest")
    for near in asked:
        times = []
        for number in range(4 if quick else 20):
            match = begun(near, number)
            for turn in range(2):
                start = process_time()
                card = MonteCarlo(50).play(match.view(), np.random.SeedSequence(number, spawn_key=(turn,)))
                times.append((process_time() - start) / dds)
                match = match.after(card)
        middle, limit = statistics.median(times), DECISION_LIMIT
        verdict = "" if counts_points(near) else f"  limit {limit} {'reached' if middle <= limit else 'MISSED'}"
        print(f"  {near.rules} {near.bid:16s} {middle:8.0f} {max(times):8.0f}{verdict}", flush=True)
    print("every card of the declarer in 50 worlds at trick one, us a world and card: solve_moves, reaches, solve_many")
    for near in asked:
        rows = [moves_each(begun(near, number)) for number in range(2 if quick else 8)]
        figures = "".join(f" {statistics.median(row):9.1f}" for row in zip(*rows, strict=True))
        print(f"  {near.rules} {near.bid:16s}{figures}", flush=True)
    for (rules, bid), hands in stored(1).items():
        if bid != "misere" or rules != "pagat":
            continue
        hand, start = hands[0], process_time()
        found = odds(hand["hand"], bid, rules=rules, watch=hand["watch"], view="table", precision=0.05, threads=2)
        took = (process_time() - start) / dds
        verdict = "reached" if took <= TABLE_LIMIT else "MISSED"
        print(f"a table's chance, {rules} {bid}: {took:.0f} DDS, {found.samples} deals  limit {TABLE_LIMIT} {verdict}")


def moves_each(match: Match) -> tuple[float, float, float]:
    """Microseconds for each card and world, by three ways that have to agree."""
    view = match.view()
    contract, plays = match.contract, view.legal
    deals, _ = view.worlds(50, np.random.SeedSequence(3))
    worlds = Worlds(contract, deals)
    count = len(deals) * len(plays)

    def timed(work: Callable[[], Any]) -> tuple[float, Any]:
        start = process_time()
        found = work()
        return 1e6 * (process_time() - start) / count, found

    def each() -> Any:
        line, table, stop = Line.of(match.history), _solver.Table(TABLE_BITS), np.zeros(1, np.int32)
        found = np.zeros((len(deals), len(plays)), np.int64)
        sides = worlds.sides
        need = contract.target if contract.objective.counts is not None else 1
        for row, (hands, partner) in enumerate(zip(deals.tolist(), worlds.partners.tolist(), strict=True)):
            seats, spec = sides[partner]
            state = replay(contract.objective, seats, line.winners, False)
            due = (need or 0) - (int(worlds.melds[row]) if contract.objective.counts == "points" else 0)
            for place, card in enumerate(plays):
                # A new position forgets all proofs.
                position = _solver.Position(spec, table, hands, leader=line.leader, state=max(state, 0), stop=stop)
                found[row, place] = state != LOST and position.reaches(
                    due, (card.card.index, CALLS.index(card.call))
                ) >= due
        return found

    def many() -> Any:
        return np.column_stack([solved(deals, contract, card) for card in plays])

    (ours, a), (single, b), (batch, c) = timed(lambda: worlds.values(match.history, plays)), timed(each), timed(many)
    assert (a == b).all()
    assert (a == c).all()
    return ours, single, batch


# The command


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benches.tournament", description=__doc__)
    parser.add_argument("--deals", type=int, default=TIMES, help=f"deals a contract (default: {TIMES})")
    parser.add_argument(
        "--more", type=int, default=MORE, help=f"more deals of alphamu and pimc as declarers (default: {MORE})"
    )
    parser.add_argument("--contracts", nargs="+", help="bids, or ruleset:bid (default: all that are stored)")
    parser.add_argument("--worlds", type=int, default=20, help="deals that a player thinks of (default: 20)")
    parser.add_argument("--depth", type=int, default=2, help="cards that alphamu looks ahead (default: 2)")
    parser.add_argument("--processes", type=int, default=2, help="deals played at a time (default: 2)")
    parser.add_argument("--quick", action="store_true", help="a few deals of each contract")
    parser.add_argument("--json", action="store_true", help="print a JSON object, the table on standard error")
    parser.add_argument("--calibration", action="store_true", help="print the chances in every view instead")
    parser.add_argument("--speed", action="store_true", help="print what decisions cost instead")
    chosen = parser.parse_args()
    asked = near_decision()
    if chosen.contracts:
        names = {*chosen.contracts}
        asked = [near for near in asked if names & {near.bid, f"{near.rules}:{near.bid}"}]
        if lacking := names - {near.bid for near in asked} - {f"{near.rules}:{near.bid}" for near in asked}:
            parser.error(f"no stored hands of {', '.join(sorted(lacking))}")
    strengths = Strengths(chosen.worlds, chosen.depth)
    deals, more = (6, 0) if chosen.quick else (chosen.deals, chosen.more)
    if chosen.speed:
        speed(asked, chosen.quick)
    elif chosen.calibration:
        calibration(asked, deals, strengths, chosen.processes)
    elif not tournament(asked, deals, more, strengths, chosen.processes, as_json=chosen.json):
        sys.exit(1)


if __name__ == "__main__":
    main()
