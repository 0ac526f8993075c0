"""`solve_many`: shapes, dtypes and mistakes, what `exact` means, progress, Ctrl-C and threads."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import pandoer
from pandoer import Card, Contract, Hand, Objective, PandoerError, Suit, _solver, ruleset, solve, solve_many
from pandoer.batch import Batch, spread
from pandoer.dealing import sample
from pandoer.objectives import EXACTLY_ONE, JACK_ONLY, NONE
from pandoer.solver import TABLE_BITS
from tests.positions import random_full_deal, random_problem

pytestmark = pytest.mark.sanitized

PAGAT = ruleset("pagat")
NL = ruleset("wikipedia-nl")
PRIVE = PAGAT.contract("prive", trump="S")
POINTS = PAGAT.contract("120", trump="S", called="HA")


def bits(*hands: str) -> list[int]:
    return [Hand(hand).bits for hand in hands]


DEALS = np.array(
    [
        bits("SJ D7", "S7 HT", "HA H8", "C7 C8"),
        bits("SJ S9", "D7 HT", "HA H8", "C7 C8"),
        bits("SA D7", "SJ HT", "HA H8", "C7 C8"),
    ],
    np.uint64,
)


# What comes in and goes out


def test_made_or_not() -> None:
    made = solve_many(DEALS, PRIVE)
    assert made.dtype == np.bool_
    assert made.tolist() == [True, True, False]


def test_points() -> None:
    points = solve_many(DEALS, POINTS)
    assert points.dtype == np.int16
    assert points.tolist() == [solve(deal, POINTS).points for deal in as_deals(DEALS)]


def as_deals(hands: npt.NDArray[np.uint64]) -> list[pandoer.Deal]:
    return [pandoer.Deal([Hand.from_bits(int(hand)) for hand in row]) for row in hands]


@pytest.mark.parametrize(
    "hands",
    [
        DEALS.tolist(),
        DEALS.astype(np.int64),
        np.asfortranarray(DEALS),
        np.repeat(DEALS, 2, axis=0)[::2],
        np.broadcast_to(DEALS[0], (3, 4)),
    ],
    ids=["list", "int64", "columns first", "every other row", "read only"],
)
def test_any_array_of_bits_will_do(hands: Any) -> None:
    before = np.array(hands)
    found = solve_many(hands, POINTS)
    assert found[0] == solve_many(DEALS, POINTS)[0]
    np.testing.assert_array_equal(hands, before)


def test_two_and_three_players() -> None:
    contract = ruleset("pandur").contract("130", trump="S")
    assert solve_many([bits("SJ", "S9", "SA")], contract).tolist() == [20 + 14 + 11 + 5]
    assert solve_many([bits("SJ", "S9")], contract).tolist() == [20 + 14 + 5]


@pytest.mark.parametrize("contract", [PRIVE, POINTS])
def test_no_deals(contract: Contract) -> None:
    found = solve_many(np.zeros((0, 4), np.uint64), contract)
    assert found.shape == (0,)
    assert found.dtype == (np.bool_ if contract is PRIVE else np.int16)


@pytest.mark.parametrize(
    ("rules", "bid", "trump"),
    [
        ("pagat", "prive", "S"),
        ("pagat", "misere", "S"),
        ("pagat", "piccolo", "S"),
        ("butselaar", "piccolo", "S"),
        ("wikipedia-nl", "zwabber", None),
        ("wikipedia-en", "zwabber", None),
        ("pandur", "130", "S"),
    ],
)
def test_deals_without_cards(rules: str, bid: str, trump: str | None) -> None:
    """Nothing is left to play: what has happened decides, as in `solve`."""
    contract = ruleset(rules).contract(bid, trump=trump)
    hands = np.zeros((2, max(contract.rules.players)), np.uint64)
    over = solve(as_deals(hands)[0], contract)
    expected = over.made if contract.objective.counts is None else over.points
    assert solve_many(hands, contract).tolist() == [expected] * 2


def test_leader_and_trick_number() -> None:
    """The declarer has to win trick 1 and no other: with HA in a small game of its own, if he leads."""
    hands = [bits("HA D7", "D8 DT", "H8 D9", "H9 C7")]
    game = PAGAT.contract("piccolo", trump="S")
    assert solve_many(hands, game, trick_number=0).tolist() == [True]
    assert solve_many(hands, game).tolist() == [False]
    assert solve_many(hands, game, trick_number=0, leader=1).tolist() == [False]


def test_the_partner_may_differ_from_deal_to_deal() -> None:
    hands = [bits("H7", "HA", "H8", "H9"), bits("H7", "H8", "HA", "H9"), bits("H7", "HK", "H8", "HA")]
    assert solve_many(hands, PAGAT.contract("pandoer", trump="S", called="HA")).all()
    assert solve_many(hands, POINTS).tolist() == [11 + 5, 11 + 5, 11 + 3 + 5]


# Exact values and targets


def test_exact() -> None:
    exact = solve_many(DEALS, POINTS)
    np.testing.assert_array_equal(solve_many(DEALS, POINTS, exact=True), exact)
    for target in (1, int(exact.min()), int(exact.max()), int(exact.max()) + 1):
        made = solve_many(DEALS, replace(POINTS, target=target), exact=False)
        assert made.dtype == np.bool_
        np.testing.assert_array_equal(made, exact >= target)


@pytest.mark.parametrize("target", [-40_000, -20_000, 0, 20_000, 32_768, 40_000, 65_536])
def test_targets_out_of_reach(target: int) -> None:
    made = solve_many(DEALS, replace(POINTS, target=target), exact=False)
    assert made.tolist() == [target <= 0] * 3
    assert solve(as_deals(DEALS)[0], replace(POINTS, target=target)).made == (target <= 0)


def test_lost_by_a_protected_card() -> None:
    """It is -1 and reaches no target; here the declarer is against the side and leads *need not*."""
    hands = [bits("HK", "H7", "HA", "SJ"), bits("HK", "HA", "H7", "SJ")]
    contract = NL.contract("100", trump="S", called="HA")
    assert solve_many(hands, contract).tolist() == [3 + 11 + 20 + 5] * 2
    against = replace(contract, bid=None, side=(2,), target=0)
    assert solve_many(hands, against).tolist() == [-1, -1]
    assert solve_many(hands, against, exact=False).tolist() == [False, False]
    assert [solve(deal, against).points for deal in as_deals(np.array(hands, np.uint64))] == [None, None]


@pytest.mark.parametrize(
    ("contract", "exact", "message"),
    [(PRIVE, True, "prive is made or not: expected exact=False"),
     (replace(POINTS, target=None), False, "120 has no target: expected exact=True")],
)  # fmt: skip
def test_exact_where_it_makes_no_sense(contract: Contract, exact: bool, message: str) -> None:
    with pytest.raises(PandoerError, match=message):
        solve_many(DEALS, contract, exact=exact)


def test_melds_and_bidders() -> None:
    hands = [
        bits("SJ S9 SA SK SQ ST HA HK", "C7 C8 C9 CT CJ CQ CK H8", "DA DK D7 D8 S7 CA H9 HT",
             "S8 D9 DT DJ DQ HJ HQ H6")
    ]  # fmt: skip
    contract = PAGAT.contract("150", trump="S", called="DA")
    assert solve_many(hands, contract).tolist() == [146 + 140]
    assert solve_many(hands, contract, bidders=[1]).tolist() == [146 + 20]
    assert solve_many(hands, contract, melds=False).tolist() == [146]
    assert solve_many(hands, contract, exact=False).tolist() == [True]
    assert solve_many(hands, contract, exact=False, melds=False).tolist() == [False]
    for added, made in ((140, True), (160, False)):
        plus = PAGAT.contract(f"pandoer+{added}", trump="S", called="DA")
        assert solve_many(hands * 3, plus).tolist() == [made] * 3


# Mistakes


@pytest.mark.parametrize(
    ("hands", "message"),
    [
        (DEALS[0], r"hands of shape \(4,\): expected \[deals, 2 to 4 players\]"),
        (DEALS[:, :1], r"hands of shape \(3, 1\): expected"),
        (np.zeros((1, 5), np.uint64), r"hands of shape \(1, 5\): expected"),
        (DEALS.astype(float), "hands of dtype float64: expected uint64"),
        (-DEALS.astype(np.int64), "hands of dtype int64: expected uint64"),
        ([["SJ", "S7", "HA", "C7"]], "hands of dtype <U2: expected uint64"),
        (DEALS[:, :3], "pagat is played by 4"),
    ],
)
def test_arrays_that_are_no_deals(hands: Any, message: str) -> None:
    with pytest.raises(PandoerError, match=message):
        solve_many(hands, PRIVE)


@pytest.mark.parametrize(
    ("row", "message"),
    [
        (bits("SJ", "S7 HT", "HA H8", "C7 C8"), "deal 2: .* as many cards each"),
        (bits("SJ", "S7", "HA", "C7"), "deal 2: expected 2 cards in each hand, as in deal 0"),
        (bits("SJ D7", "SJ HT", "HA H8", "C7 C8"), "deal 2: .*SJ is in the hands of seats 0 and 1"),
        ([*bits("SJ D7", "S7 HT", "HA H8"), 1 << 60], "deal 2: .*bits"),
        (bits("SJ D7", "S7 HT", "HQ H8", "C7 C8"), "deal 2: called card 'HA' is in no hand"),
        (bits("SJ HA", "S7 HT", "HQ H8", "C7 C8"), "deal 2: called card 'HA' is in the declarer's own hand"),
    ],
)
def test_a_bad_deal_is_named_by_its_row(row: list[int], message: str) -> None:
    hands = np.vstack([DEALS[:2], np.array([row], np.uint64), DEALS])
    with pytest.raises(PandoerError, match=message) as caught:
        solve_many(hands, POINTS)
    assert "\n" not in str(caught.value)


def test_a_first_deal_that_is_bad_is_named_too() -> None:
    hands = [bits("SJ D7", "S7 HT", "HQ H8", "C7 C8"), *DEALS.tolist()]
    with pytest.raises(PandoerError, match="deal 0: called card 'HA' is in no hand"):
        solve_many(hands, POINTS)


def test_a_card_that_may_not_be_called_is_named_by_its_row() -> None:
    """A king may be called by a declarer who holds four aces."""
    deck = [card for card in PAGAT.deck if card.rank != pandoer.Rank.ACE and str(card) not in ("HK", "H6")]
    aces = [card for card in PAGAT.deck if card.rank == pandoer.Rank.ACE]
    others = [Hand([pandoer.Card("HK"), *deck[4:11]]), Hand(deck[11:19]), Hand(deck[19:27])]
    four = Hand([*aces, *deck[:4]])
    three = four - aces[0] | deck[4]
    good = [hand.bits for hand in (four, *others)]
    bad = [hand.bits for hand in (three, others[0] - deck[4] | aces[0], *others[1:])]
    contract = PAGAT.contract("pandoer", trump="S", called="HK")
    assert len(solve_many([good, good], contract)) == 2
    with pytest.raises(PandoerError, match=f"deal 2: called card 'HK' .*: expected one of {aces[0]}"):
        solve_many([good, good, bad, good], contract)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"threads": 0}, "threads 0: expected a whole number, 1 or more"),
        ({"threads": 1.5}, "threads 1.5: expected"),
        ({"threads": True}, "threads True: expected"),
        ({"table_bits": 3}, "table_bits 3: expected 4 to"),
        ({"table_bits": "12"}, "table_bits '12': expected 4 to"),
        ({"leader": 4}, "leader 4: expected a seat number, 0 to 3"),
        ({"trick_number": 7}, "trick_number 7: expected 0 to 6"),
        ({"bidders": [4]}, "seat 4: expected 0 to 3"),
        ({"melds": True}, "melds are counted on full hands"),
    ],
)
def test_bad_arguments(keys: dict[str, Any], message: str) -> None:
    with pytest.raises(PandoerError, match=message):
        solve_many(DEALS, POINTS, **keys)


# Progress, Ctrl-C and threads


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_progress(threads: int) -> None:
    calls: list[int] = []
    solve_many(np.tile(DEALS, (1000, 1)), PRIVE, threads=threads, progress=calls.append)
    assert sum(calls) == 3000
    assert len(calls) > 1
    assert min(calls) > 0


@pytest.mark.parametrize("threads", [1, 2])
def test_an_error_in_progress_ends_the_work(threads: int) -> None:
    def stop(finished: int) -> None:
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        solve_many(np.tile(DEALS, (100, 1)), PRIVE, threads=threads, progress=stop)


HARD_WORK = """
import signal, sys, time
import numpy as np
import pandoer

rules = pandoer.ruleset("pagat")
rng = np.random.default_rng(1)
deck = np.array([card.bit for card in rules.deck], np.uint64)
hands = np.array([rng.permutation(deck)[:32].reshape(4, 8).sum(axis=1) for _ in range(20_000)], np.uint64)
contract = rules.contract("150", trump="S", called="HA")
ace = np.uint64(pandoer.Card("HA").bit)
hands = hands[((hands[:, 0] & ace) == 0) & ((np.bitwise_or.reduce(hands, axis=1) & ace) != 0)]
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell in the background has it ignored
print("ready", flush=True)
try:
    pandoer.solve_many(hands, contract, threads=int(sys.argv[1]))
except KeyboardInterrupt:
    print(time.monotonic(), flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="a console is needed to send Ctrl-C")
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c(threads: int) -> None:
    """Hard deals on one thread or two are given up within 0.3 s."""
    waited = []
    for _ in range(3):
        work = [sys.executable, "-c", HARD_WORK, str(threads)]
        with subprocess.Popen(work, stdout=subprocess.PIPE, text=True, env=dict(os.environ)) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            time.sleep(0.5)
            assert process.poll() is None
            sent = time.monotonic()
            process.send_signal(signal.SIGINT)
            waited.append(float(process.stdout.read()) - sent)
        assert process.returncode == 0
        if waited[-1] < 0.3:
            return
    pytest.fail(f"Ctrl-C took {waited} s")


def test_many_threads_of_python_at_once() -> None:
    """Nothing is shared between calls: the answers are those of one call after another."""
    rng = random.Random(5)
    names = [rules.name for rules in pandoer.RULESETS]
    asked = [random_problem(rng, 5, name) for name in names for _ in range(20)]
    asked += [random_full_deal(rng, name, ("all", "none")) for name in names for _ in range(5)]
    expected = [solve(problem) for problem in asked]
    hands = np.tile(DEALS, (200, 1))
    with ThreadPoolExecutor(6) as pool:
        batches = [pool.submit(solve_many, hands, POINTS, 2) for _ in range(3)]
        found = list(pool.map(solve, asked * 3))
    assert found == expected * 3
    for batch in batches:
        np.testing.assert_array_equal(batch.result(), np.tile(solve_many(DEALS, POINTS), 200))


def test_node_limit() -> None:
    """Over the limit the answer is unknown, never wrong, and the other deals are answered as without it."""
    deals = random_full_deals(40)
    exact = solve_many(deals, FREE_POINTS, exact=True)
    for limit in (1, 300, 3000, 10**9):
        limited = solve_many(deals, FREE_POINTS, exact=True, node_limit=limit, threads=2)
        assert isinstance(limited, np.ma.MaskedArray)
        known = ~np.ma.getmaskarray(limited)
        np.testing.assert_array_equal(limited.data[known], exact[known])
        assert known.all() if limit == 10**9 else not known.all()
    made = solve_many(deals, replace(FREE_POINTS, target=60), exact=False, node_limit=1000)
    known = ~np.ma.getmaskarray(made)
    np.testing.assert_array_equal(made.data[known], exact[known] >= 60)
    assert 0 < known.sum() < 40


@pytest.mark.parametrize("limit", [0, -1, True, 1.5])
def test_bad_node_limit(limit: object) -> None:
    with pytest.raises(PandoerError, match="expected a whole number, 1 or more"):
        solve_many(random_full_deals(1), FREE_POINTS, node_limit=limit)  # type: ignore[arg-type]


FREE_POINTS = replace(
    ruleset("cappelle").contract("130", trump="S", called="HA"), bid=None, called=None, partner=None, side=(0, 2)
)


def random_full_deals(deals: int) -> np.ndarray[tuple[int, int], np.dtype[np.uint64]]:
    return sample(pandoer.cards.DECK32, 4, 8, 0, deals, np.random.SeedSequence(5))


# In what order deals are solved, and what is kept from one to the next


@pytest.mark.parametrize("name", ["wikipedia-nl", "pagat", "cappelle", "wikipedia-en", "butselaar"])
@pytest.mark.parametrize(
    ("objective", "trump"), [(NONE, None), (NONE, "S"), (EXACTLY_ONE, None), (EXACTLY_ONE, "S"), (JACK_ONLY, "S")]
)
def test_a_lone_player_in_many_deals_of_a_block(name: str, objective: Objective, trump: str | None) -> None:
    """Deals that differ by who has which card between two of his are solved from each other's proofs."""
    rules = ruleset(name)
    rng = np.random.default_rng(1)
    places = [card.index for card in rules.deck]
    for _ in range(2):
        cards = np.array(sorted(rng.choice(places, 20, replace=False), key=lambda place: int(place) % 16))
        own = rng.choice(10, 5, replace=False)
        rest = np.delete(cards, own)
        hands = [np.concatenate([cards[own], rng.permutation(rest)]).reshape(4, 5) for _ in range(100)]
        deals = (np.uint64(1) << np.array(hands, np.uint64)).sum(axis=2, dtype=np.uint64)
        asked = Contract(
            rules=rules, name=objective.name, objective=objective, declarer=0, play=rules.play, target=None,
            trump=None if trump is None else Suit.parse(trump), side=(0,),
        )  # fmt: skip
        made = solve_many(deals, asked)
        assert made.tolist() == [bool(solve_many(deals[i : i + 1], asked)[0]) for i in range(len(deals))]


@pytest.mark.parametrize(
    ("rules", "bid", "keys"),
    [
        ("pagat", "pandoer", {"trump": "S", "called": "HA"}),
        ("pagat", "prive", {"trump": "S"}),
        ("wikipedia-nl", "zwabber", {}),
        ("wikipedia-nl", "misere", {"trump": "S"}),
        ("wikipedia-en", "misere", {}),
        ("butselaar", "piccolo", {"trump": "S"}),
        ("cappelle", "130", {"trump": "S", "called": "HA"}),
    ],
)
def test_the_order_of_deals_changes_no_answer(rules: str, bid: str, keys: dict[str, Any]) -> None:
    """Neither does what was solved before, nor the number of threads."""
    game = ruleset(rules)
    contract = game.contract(bid, **keys)
    own = Hand("SJ S9 S8 HK H7 D7 C7 C8")
    hidden = sample(game.deck - own - Card("D8"), 3, 8, 0, 400, np.random.SeedSequence(3))
    deals = np.column_stack([np.full(len(hidden), own.bits, np.uint64), hidden])
    made = solve_many(deals, contract, exact=False, threads=1)
    assert made.tolist() == [solve_many(deals[i : i + 1], contract, exact=False)[0] for i in range(len(deals))]
    mixed = np.random.default_rng(1).permutation(len(deals))
    assert (solve_many(deals[mixed], contract, exact=False, threads=2) == made[mixed]).all()


def test_node_counts_are_the_same_in_every_run() -> None:
    deals = sample(PAGAT.deck, 4, 8, 0, 200, np.random.SeedSequence(5))
    counts = []
    for _ in range(2):
        job = Batch.checked(deals, PAGAT.contract("misere", trump="S")).job(exact=False)
        job.work(slice(0, len(deals)), _solver.Table(TABLE_BITS), np.zeros(1, np.int32))
        counts.append(job.nodes.tolist())
    assert counts[0] == counts[1]


def test_a_limit_of_nodes_gives_up_the_same_deals_in_any_order() -> None:
    deals = sample(PAGAT.deck, 4, 8, 0, 200, np.random.SeedSequence(6))
    contract = PAGAT.contract("misere", trump="S")
    found = np.ma.getmaskarray(solve_many(deals, contract, node_limit=2_000))
    back = np.ma.getmaskarray(solve_many(deals[::-1], contract, node_limit=2_000, threads=2))
    assert 0 < found.sum() < len(deals)
    assert (found == back[::-1]).all()


def test_a_thread_needs_no_more_than_sixteen_megabytes() -> None:
    assert _solver.Table(TABLE_BITS).nbytes <= 16 << 20


@pytest.mark.parametrize("threads", [1, 3])
def test_tasks_are_spread_over_threads(threads: int) -> None:
    stop = np.zeros(1, np.int32)
    found: list[int] = []
    spread(range(20), lambda: lambda task: 2 * task, found.append, stop, threads)
    assert sorted(found) == [*range(0, 40, 2)]


@pytest.mark.parametrize("threads", [1, 3])
def test_what_a_task_raises_ends_the_work(threads: int) -> None:
    stop = np.zeros(1, np.int32)
    done: list[int] = []

    def work(task: int) -> int:
        if task == 3:
            raise ValueError(f"task {task}")
        return task

    with pytest.raises(ValueError, match="task 3"):
        spread(range(1000), lambda: work, done.append, stop, threads)
    assert len(done) < 1000


def test_what_is_raised_while_results_are_taken_ends_the_work() -> None:
    stop = np.zeros(1, np.int32)

    def take(result: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        spread(range(1000), lambda: lambda task: task, take, stop, 2)
    assert stop[0] == 1
