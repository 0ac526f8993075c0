"""What must not change the answer: names of suits, seats, tables, threads, the way of asking."""

from __future__ import annotations

import pickle
import random
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings

import pandoer
from pandoer import Contract, Hand, Solution, _solver, ruleset, solve, solve_many
from pandoer.rulesets import RULESETS
from pandoer.solver import _Search
from tests import positions, strategies
from tests.positions import Problem, after, legal_moves, random_full_deal, random_problem, renamed, rotated

pytestmark = pytest.mark.sanitized

NAMES = [rules.name for rules in RULESETS]
QUICK = ("all", "none", "first-only", "zwabber-called", "zwabber-nl", "zwabber-en")
"""Objectives that take about a millisecond from full hands."""


@cache
def corpus(rules: str) -> list[Problem]:
    """Full deals as far as they are solved quickly, and endings of five and six cards."""
    rng = random.Random(f"invariants {rules}")
    kinds = (*QUICK, "points") if rules in ("cappelle", "pandur") else QUICK
    full = [random_full_deal(rng, rules, kinds) for _ in range(16)]
    return full + [random_problem(rng, cards, rules) for cards in (5, 6) for _ in range(12)]


@cache
def answers(rules: str) -> list[dict[str, Any]]:
    """The answers of the corpus as they come with the usual table."""
    return [answer(solve(problem)) for problem in corpus(rules)]


def answer(solution: Solution) -> dict[str, Any]:
    """All of a solution but its nodes, with the best moves as a set."""
    found = solution.to_json()
    del found["nodes"]
    return found | {"best": set(found["best"])}


# Suits and seats


@pytest.mark.parametrize("rules", NAMES)
def test_renaming_suits(rules: str) -> None:
    """Any of the four where the six of hearts is nowhere, else any but hearts."""
    rng = random.Random(rules)
    for problem in corpus(rules):
        cards = " ".join([*problem["hands"], *problem.get("trick", []), problem.get("discard", "")])
        suits = "CDS" if "H6" in cards else "CDHS"
        new = dict(zip(suits, rng.sample(suits, len(suits)), strict=True))
        # Spades break ties between melds in some rulesets.
        asked = problem | {"melds": False} if rules in ("pagat", "cappelle", "butselaar") else problem
        expected = answer(solve(asked))
        expected["best"] = {move.translate(str.maketrans(new)) for move in expected["best"]}
        assert answer(solve(renamed(asked, new))) == expected, (asked, new)


@pytest.mark.parametrize("rules", NAMES)
def test_rotating_seats(rules: str) -> None:
    for problem, expected in zip(corpus(rules), answers(rules), strict=True):
        players = len(problem["hands"])
        for places in range(1, players):
            found = answer(solve(rotated(problem, places)))
            if "dry" in found:
                dry = {(int(seat) - places) % players: stays for seat, stays in found["dry"].items()}
                found["dry"] = {str(seat): stays for seat, stays in dry.items()}
            assert found == expected, (problem, places)


# Tables


@pytest.mark.parametrize("bits", [4, 8, 12, 18])
@pytest.mark.parametrize("rules", NAMES)
def test_size_of_the_table(rules: str, bits: int) -> None:
    for problem, expected in zip(corpus(rules), answers(rules), strict=True):
        assert answer(solve(problem, table_bits=bits)) == expected, problem


def test_warm_table() -> None:
    """One table for everything, twice over and across rulesets, contracts and trumps."""
    table = _solver.Table(10)
    everything = [(rules, number) for rules in NAMES for number in range(len(corpus(rules)))]
    random.Random(1).shuffle(everything)
    for rules, number in everything * 2:
        found = answer(_Search(pandoer.problem(corpus(rules)[number]), table).solve())
        expected = {key: value for key, value in answers(rules)[number].items() if key != "dry"}
        assert found == expected, corpus(rules)[number]


def test_a_table_may_be_used_for_any_number_of_deals() -> None:
    """The counter that makes its entries invalid comes round; then, too, nothing old may be found."""
    rules = ruleset("cappelle")
    contract = replace(rules.contract("120", trump="S", called="HA"), called=None, partner=None, side=(0, 2))
    few = endings(random.Random(3), contract, 3, 100)
    many = solve_many(np.tile(few, (1000, 1)), contract, threads=1, table_bits=4)
    np.testing.assert_array_equal(many, np.tile(solve_many(few, contract, threads=1), 1000))


@pytest.mark.parametrize("rules", NAMES)
def test_same_search_twice_visits_the_same_nodes(rules: str) -> None:
    for problem in corpus(rules):
        assert solve(problem).nodes == solve(problem).nodes


# One position asked in several ways


@pytest.mark.parametrize("rules", NAMES)
def test_discard_does_not_matter(rules: str) -> None:
    deck = ruleset(rules).deck
    for problem, expected in zip(corpus(rules), answers(rules), strict=True):
        without = {key: value for key, value in problem.items() if key != "discard"}
        assert answer(solve(without)) == expected, problem
        known = Hand.from_bits(sum(hand.bits for hand in pandoer.problem(problem).start_hands))
        away = [card for card in deck - known if str(card) != problem.get("called")]
        if away:
            assert answer(solve(problem | {"discard": str(away[0])})) == expected, problem


@pytest.mark.parametrize("rules", NAMES)
def test_forced_leads(rules: str) -> None:
    """The best of the leads has the value of the position, and `best` lists those that have it."""
    for problem, expected in zip(corpus(rules), answers(rules), strict=True):
        if problem.get("trick") or "joiners" in problem:
            continue
        worth = {move: value_of(solve(problem | {"lead": move})) for move in legal_moves(problem)}
        assert best_moves(problem, worth) == (value_of(expected), expected["best"]), problem


@pytest.mark.parametrize("rules", NAMES)
def test_value_is_that_of_the_best_move(rules: str) -> None:
    """After each move the problem is asked again, with its history in `state`; protected cards aside."""
    rng = random.Random(f"moves {rules}")
    asked = [random_full_deal(rng, rules, QUICK) for _ in range(6)]
    asked += [random_problem(rng, cards, rules) for cards in (4, 5, 6) for _ in range(15)]
    for problem in asked:
        alive = problem.get("trick_number", 0) == 0 or "winners" in problem.get("state", {})
        if "joiners" in problem or not alive or pandoer.problem(problem).contract.protected:
            continue
        expected = answer(solve(problem))
        plain = problem | {"melds": False}
        worth = {move: value_of(solve(after(plain, move))) for move in legal_moves(problem)}
        assert best_moves(problem, worth) == (value_of(answer(solve(plain))), expected["best"]), problem


def value_of(found: Solution | dict[str, Any]) -> float:
    """What the side strives for, as a number."""
    one = found.to_json() if isinstance(found, Solution) else found
    counted = [one[key] for key in ("points", "tricks") if one[key] is not None]
    return float(counted[0] if counted else bool(one["made"]))


def best_moves(problem: Problem, worth: dict[str, float]) -> tuple[float, set[str]]:
    """The best value for the player to move, and the moves that have it."""
    search = _Search(pandoer.problem(problem), _solver.Table(4))
    value = (max if search.maximises else min)(worth.values())
    return value, {move for move in worth if worth[move] == value}


@settings(max_examples=50)
@given(strategies.problems(4))
def test_any_problem_in_a_small_and_a_large_table(problem: Problem) -> None:
    assert solve(problem, table_bits=4) == solve(problem, table_bits=18)


# Many deals at once


def endings(rng: random.Random, contract: Contract, cards: int, number: int) -> npt.NDArray[np.uint64]:
    """Random deals in which the card that names the partner is with another than the declarer."""
    players = contract.rules.players[0]
    rows: list[list[int]] = []
    while len(rows) < number:
        dealt = rng.sample(list(contract.rules.deck), players * cards)
        hands = [Hand(dealt[cards * seat : cards * (seat + 1)]) for seat in range(players)]
        card = contract.partner_card
        if card is None or any(card in hand for seat, hand in enumerate(hands) if seat != contract.declarer):
            rows.append([hand.bits for hand in hands])
    return np.array(rows, np.uint64)


def contracts(rules: str) -> list[Contract]:
    """One contract for each objective of a ruleset."""
    game = ruleset(rules)
    chosen = {(bid.objective.name, bid.partner): bid for bid in game.bids}
    return [
        game.contract(
            bid, declarer=number % 3, trump=None if bid.trump == "none" else "CDHS"[number % 4],
            called="DA" if bid.partner == "called" else None,
        )
        for number, bid in enumerate(chosen.values())
    ]  # fmt: skip


def one_by_one(hands: npt.NDArray[np.uint64], contract: Contract, **keys: Any) -> list[int | bool | None]:
    """The same deals through `solve`."""
    found: list[int | bool | None] = []
    for row in hands:
        solution = solve(pandoer.Deal([Hand.from_bits(int(bits)) for bits in row]), contract, **keys)
        if contract.objective.counts is None:
            found.append(solution.made)
        else:
            found.append(-1 if solution.points is None else solution.points)
    return found


@pytest.mark.parametrize("rules", NAMES)
def test_solve_many_is_solve_for_each(rules: str) -> None:
    rng = random.Random(f"many {rules}")
    for contract in contracts(rules):
        for cards in (5, 8):
            if cards == 8 and contract.objective.name not in QUICK:
                continue
            hands = endings(rng, contract, cards, 20)
            keys: dict[str, Any] = {"leader": rng.randrange(3), "trick_number": rng.choice((None, 0))}
            found = solve_many(hands, contract, **keys)
            assert found.tolist() == one_by_one(hands, contract, **keys), contract
            for threads, bits in ((1, 16), (2, 16), (2, 4)):
                again = solve_many(hands, contract, threads=threads, table_bits=bits, **keys)
                np.testing.assert_array_equal(found, again)


@pytest.mark.parametrize("rules", NAMES)
def test_windows_agree_with_the_exact_value(rules: str) -> None:
    """Whether a target is reached, for targets around the value of every deal."""
    game = ruleset(rules)
    contract = game.contract("130", trump="S", called=None if rules == "pandur" else "DA")
    hands = endings(random.Random(f"windows {rules}"), contract, 5, 40)
    exact = solve_many(hands, contract)
    targets = sorted({int(value) + more for value in exact for more in (0, 1)} | {1, 100})
    for target in targets:
        made = solve_many(hands, replace(contract, target=target), exact=False)
        np.testing.assert_array_equal(made, exact >= target)


@pytest.mark.parametrize("rules", ["cappelle", "pandur"])
def test_windows_agree_with_the_exact_value_of_full_deals(rules: str) -> None:
    contract = ruleset(rules).contract("130", trump="S", called=None if rules == "pandur" else "DA")
    hands = endings(random.Random(f"full {rules}"), contract, 8, 25)
    exact = solve_many(hands, contract)
    assert exact.tolist() == one_by_one(hands, contract)
    for target in (40, 70, 100, 130, 160):
        made = solve_many(hands, replace(contract, target=target), exact=False)
        np.testing.assert_array_equal(made, exact >= target)


def test_melds_of_many_deals() -> None:
    """Bidders deny melds in two of these four deals."""
    contract = ruleset("butselaar").contract("130", trump="S", called="DA")
    hands = endings(random.Random("melds 32"), contract, 8, 4)
    free, denied = (solve_many(hands, contract, bidders=seats) for seats in ((), (1, 2, 3)))
    assert free.tolist() == one_by_one(hands, contract)
    assert denied.tolist() == one_by_one(hands, contract, bidders=(1, 2, 3))
    assert (free - denied).tolist() == [20, 0, 0, 20]


# Objects


def test_problems_are_values() -> None:
    """Equal, hashable and picklable, with everything they hold."""
    for rules in NAMES:
        for asked in corpus(rules)[:20]:
            problem = pandoer.problem(asked)
            solution = solve(problem)
            for value in (problem, problem.contract, problem.contract.rules, problem.deal, solution):
                copy = pickle.loads(pickle.dumps(value))
                assert copy == value
                assert hash(copy) == hash(value)
            assert solve(pickle.loads(pickle.dumps(problem))) == solution
            assert pandoer.problem(dict(asked)) == problem
            assert pickle.loads(pickle.dumps(problem.contract.rules)).bids == problem.contract.rules.bids


def test_different_problems_differ() -> None:
    problems = [pandoer.problem(asked) for rules in NAMES for asked in corpus(rules)]
    assert len(set(problems)) == len(problems)
    assert all(one != other for one, other in pairwise(problems))


def test_solving_leaves_the_problem_alone() -> None:
    for asked in corpus("wikipedia-nl"):
        before = pickle.dumps(asked)
        solve(asked)
        assert pickle.dumps(asked) == before


def test_renaming_and_rotating_back() -> None:
    """Rotating all the way round and renaming back and forth are no change."""
    for problem in corpus("wikipedia-nl"):
        there = renamed(problem, {"C": "D", "D": "C"})
        assert renamed(there, {"C": "D", "D": "C"}) == problem
        turned = rotated(problem, 1)
        for _ in range(len(problem["hands"]) - 1):
            turned = rotated(turned, 1)
        assert turned == problem | {"leader": positions.to_move(problem | {"trick": []})}
