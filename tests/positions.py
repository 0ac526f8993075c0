"""Problems in their JSON form.

The golden ones; random small ones over all rulesets, contracts, objectives, seats and switches; a problem
after a move; the same problem with other suits or seats.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

from pandoer import Bid, Card, Hand, Play, Rank, Suit, _solver, ruleset
from pandoer import problem as parse
from pandoer.problems import CallName
from pandoer.solver import _Search
from tests import reference

Problem = dict[str, Any]
GOLDEN = Path(__file__).parent / "golden"

RULESETS_33 = ("wikipedia-nl", "pagat", "cappelle", "wikipedia-en", "butselaar")
KINDS = (
    "all", "none", "exactly-one", "first-only", "jack-only", "zwabber-called", "zwabber-nl", "zwabber-en",
    "points", "tricks",
)  # fmt: skip
ALONE = ("zwabber-nl", "zwabber-en")


def golden(name: str) -> list[Problem]:
    """The problems of a file of `tests/golden`, one a line, with the right answer in ``"expect"``."""
    return [json.loads(line) for line in (GOLDEN / name).read_text("utf-8").splitlines()]


def random_problem(
    rng: random.Random, cards: int, rules: str | None = None, kinds: tuple[str, ...] | None = None
) -> Problem:
    """A valid problem with `cards` cards in each hand, sometimes in the middle of a trick.

    `kinds` limits the objectives.
    """
    while True:
        name = rules or rng.choice((*RULESETS_33, *RULESETS_33, "pandur"))
        own = rng.random() < 0.3 or (kinds is not None and rng.random() < 0.6)
        make = _objective_problem if own else _bid_problem
        problem = make(rng, name, cards, kinds)
        if problem is not None:
            _add_trick(rng, problem)
            return problem


def _deal(rng: random.Random, rules: str, players: int, cards: int) -> list[list[Card]]:
    """Hands dealt at random, now and then from few suits or from high cards only."""
    deck = list(ruleset(rules).deck)
    if rng.random() < 0.4:
        suits = rng.sample(list(Suit), rng.choice((2, 3)))
        few = [card for card in deck if card.suit in suits]
        if len(few) >= players * cards:
            deck = few
    rng.shuffle(deck)
    return [deck[cards * seat : cards * (seat + 1)] for seat in range(players)]


def _texts(hands: list[list[Card]]) -> list[str]:
    return [" ".join(map(str, hand)) or "." for hand in hands]


def _bid_problem(rng: random.Random, rules: str, cards: int, kinds: tuple[str, ...] | None) -> Problem | None:
    """A contract of the ruleset."""
    game = ruleset(rules)
    bids: list[Bid] = [bid for bid in game.bids if kinds is None or bid.objective.name in kinds]
    bid = rng.choice(bids)
    players = rng.choice(game.players)
    hands = _deal(rng, rules, players, cards)
    declarer = rng.randrange(players)
    problem: Problem = {"rules": rules, "contract": bid.name, "declarer": declarer, "hands": _texts(hands)}
    if bid.objective.name == "points" and rng.random() < 0.7:
        problem["melds"] = False
    problem["trump"] = "-" if bid.trump == "none" else rng.choice("CDHS")
    if bid.trump == "none-if-joined" and rng.random() < 0.4:
        others = [seat for seat in range(players) if seat != declarer]
        problem["joiners"] = rng.sample(others, rng.choice((1, 2)))
        problem["trump"] = "-"
    problem["trick_number"] = rng.choice((0, 0, 8 - cards, rng.randint(0, 8 - cards)))
    problem["leader"] = rng.choice((declarer, declarer, rng.randrange(players)))
    others_cards = [card for seat, hand in enumerate(hands) if seat != declarer for card in hand]
    state: Problem = {}
    if bid.partner == "called":
        problem["called"] = str(rng.choice(others_cards))
        if rng.random() < 0.15:
            # The called card has been played already.
            left = [card for card in game.deck if all(card not in hand for hand in hands)]
            problem["called"] = str(rng.choice(left))
            state["partner"] = rng.choice([seat for seat in range(players) if seat != declarer])
        elif rng.random() < 0.4 and rules == "wikipedia-nl":
            # A called suit that the declarer can lead makes the protection matter.
            mine = {card.suit for card in hands[declarer]}
            good = [card for card in others_cards if card.suit in mine]
            if good:
                problem["called"] = str(max(good, key=lambda card: card.rank))
    elif bid.partner == "jack":
        holders = [card.suit for card in others_cards if card.rank == Rank.JACK]
        if holders:
            problem["trump"] = rng.choice(holders).letter
        else:
            jacks = [suit for suit in Suit if Card.of(suit, Rank.JACK) not in hands[declarer]]
            if not jacks:
                return None
            problem["trump"] = rng.choice(jacks).letter
            state["partner"] = rng.choice([seat for seat in range(players) if seat != declarer])
    if rng.random() < 0.25:
        state["winners"] = [
            declarer if rng.random() < 0.6 else rng.randrange(players) for _ in range(problem["trick_number"])
        ]
        state["jack"] = problem["trump"] != "-" and declarer in state["winners"] and rng.random() < 0.5
        state["points"] = rng.choice((0, 37))
    if state:
        problem["state"] = state
    if rng.random() < 0.25:
        problem["play"] = _switches(rng)
    return problem


def _objective_problem(rng: random.Random, rules: str, cards: int, kinds: tuple[str, ...] | None) -> Problem:
    """An objective of its own, with 2 to 4 players."""
    players = rng.choice([n for n in (2, 3, 4, 4, 4) if n * cards <= len(ruleset(rules).deck)])
    hands = _deal(rng, rules, players, cards)
    declarer = rng.randrange(players)
    kind = rng.choice(kinds or KINDS)
    trump = rng.choice("CDHS--")
    if kind == "jack-only" and trump == "-":
        trump = "H"
    others = [seat for seat in range(players) if seat != declarer]
    side = [declarer]
    if kind not in ALONE:
        side += rng.sample(others, rng.choice((0, 1)))
    if kind in ("points", "tricks") and rng.random() < 0.2:
        side = rng.sample(range(players), rng.randint(1, players))
    objective: Problem = {"kind": kind, "side": side}
    if kind == "points":
        objective["target"] = rng.choice((None, 20, 60, 90))
    elif kind == "tricks":
        objective["target"] = rng.choice((None, 1, cards))
    problem: Problem = {
        "rules": rules, "objective": objective, "declarer": declarer, "leader": rng.randrange(players),
        "trump": trump, "hands": _texts(hands), "trick_number": rng.choice((0, 8 - cards)),
        "play": _switches(rng),
    }  # fmt: skip
    if problem["play"].get("called_card") == "protect":
        partners = [seat for seat in side if seat != declarer]
        if not partners:
            del problem["play"]["called_card"]
        else:
            problem["called"] = str(rng.choice(hands[partners[0]]))
    return problem


def _switches(rng: random.Random) -> Problem:
    """A random choice of play switches."""
    play: Problem = {}
    if rng.random() < 0.6:
        play["ruff_when_able"] = rng.random() < 0.5
    if rng.random() < 0.7:
        play["undertrump"] = rng.choice(("free", "no-higher", "forced", "void"))
    if rng.random() < 0.4:
        play["beat_led_trump"] = rng.random() < 0.5
    if rng.random() < 0.4:
        play["jack_exempt"] = rng.random() < 0.5
    if rng.random() < 0.2:
        play["trump_leads"] = rng.choice((1, 2, 3))
    if rng.random() < 0.3:
        play["called_card"] = rng.choice(("identify", "protect"))
    if rng.random() < 0.15:
        play["must_ruff"] = True
        play["partner_exempt"] = rng.random() < 0.5
    return play


def _add_trick(rng: random.Random, problem: Problem) -> None:
    """Sometimes lay one or more cards by legal moves of the reference."""
    players = len(problem["hands"])
    if rng.random() < 0.6:
        return
    for laid in range(rng.randint(1, players - 1)):
        move = rng.choice(reference.legal_moves(problem))
        card, _, call = move.partition(" ")
        if call:
            problem["call"] = call
        seat = (problem["leader"] + laid) % players
        left = Hand(problem["hands"][seat]).remove(card)
        problem["hands"][seat] = " ".join(map(str, left)) or "."
        problem["trick"] = [*problem.get("trick", []), card]


def random_full_deal(rng: random.Random, rules: str, kinds: tuple[str, ...] | None = None) -> Problem:
    """A contract of the ruleset from hands of eight cards, with bidders; `kinds` limits the objectives."""
    game = ruleset(rules)
    bids = [bid for bid in game.bids if kinds is None or bid.objective.name in kinds]
    while True:
        bid = rng.choice(bids)
        players = rng.choice(game.players)
        deck = list(game.deck)
        rng.shuffle(deck)
        hands = [deck[8 * seat : 8 * (seat + 1)] for seat in range(players)]
        declarer = rng.randrange(players)
        others = [seat for seat in range(players) if seat != declarer]
        trump = None if bid.trump == "none" else rng.choice(list(Suit))
        problem: Problem = {"rules": rules, "contract": bid.name, "declarer": declarer}
        problem["hands"] = _texts(hands)
        if bid.trump == "none-if-joined" and rng.random() < 0.4:
            problem["joiners"] = rng.sample(others, rng.choice((1, 2)))
            trump = None
        problem["trump"] = "-" if trump is None else trump.letter
        if game.watch is not None:
            problem["discard"] = str(deck[-1])
        known = hands[declarer] + ([deck[-1]] if game.watch is not None else [])
        if bid.partner == "called":
            problem["called"] = str(rng.choice(game.callable_cards(Hand(known), trump)))
        elif bid.partner == "jack" and trump is not None and Card.of(trump, Rank.JACK) in known:
            continue
        problem["bidders"] = rng.sample(range(players), rng.randrange(players + 1))
        return problem


def to_move(problem: Problem) -> int:
    """The seat whose turn it is."""
    return (_leader(problem) + len(problem.get("trick") or ())) % len(problem["hands"])


def _leader(problem: Problem) -> int:
    declarer: int = problem.get("declarer", 0)
    leader: int | None = problem.get("leader")
    return declarer if leader is None else leader


def legal_moves(problem: Problem) -> list[str]:
    """The legal moves of the player to move as the kernel lists them, written as in `best`."""
    calls: tuple[CallName | None, ...] = (None, "must", "need-not")
    moves = _Search(parse(problem), _solver.Table(4)).position.moves()
    return [str(Play(Card.of(Suit(index // 16), Rank(index % 16)), calls[call])) for index, call in moves]


def after(problem: Problem, move: str) -> Problem:
    """The problem after a legal move, written as in `best`.

    A finished trick goes into `state`, which has to know the winners of those before it.  It has no word for
    a contract lost by a protected card.
    """
    checked = parse(problem)
    contract, seats = checked.contract, checked.seats
    card, _, call = move.partition(" ")
    seat = to_move(problem)
    new = deepcopy(problem)
    new |= {"leader": checked.first, "trick_number": checked.number}
    new.pop("lead", None)
    new["hands"][seat] = str(Hand(new["hands"][seat]).remove(card))
    trick = new["trick"] = [*map(str, checked.trick), card]
    if call:
        new["call"] = call
    if len(trick) < checked.players:
        return new

    led, trump = Card(trick[0]).suit, None if new.get("call") == "must" else contract.trump

    def strength(card: Card) -> tuple[bool, int]:
        order = contract.rules.cards.order(card.suit == contract.trump)
        return card.suit == trump, order.index(card.rank) if card.suit in (led, trump) else -1

    best = max(map(Card, trick), key=strength)
    winner = (checked.first + trick.index(str(best))) % checked.players
    state: Problem = new.setdefault("state", {})
    earlier = state.get("winners", [])
    if len(earlier) != checked.number:
        raise ValueError(f"who won the first {checked.number} tricks of {problem}?")
    state["winners"] = [*earlier, winner]
    if winner in seats.side:
        points = sum(contract.rules.cards.points(c.suit, c.rank, contract.trump) for c in map(Card, trick))
        last = contract.rules.cards.last_trick if checked.cards_each == 1 else 0
        state["points"] = state.get("points", 0) + points + last
    if winner == contract.declarer and contract.trump is not None:
        state["jack"] = state.get("jack", False) or best == Card.of(contract.trump, Rank.JACK)
    if contract.partner is not None and checked.partner != contract.declarer:
        state["partner"] = checked.partner
    new |= {"leader": winner, "trick_number": checked.number + 1, "trick": []}
    new.pop("call", None)
    return new


def renamed(problem: Problem, suits: Mapping[str, str]) -> Problem:
    """The problem with its suits renamed, `suits` from old letter to new."""
    table = str.maketrans(dict(suits))
    new = problem | {"hands": [hand.translate(table) for hand in problem["hands"]]}
    if "trick" in problem:
        new["trick"] = [card.translate(table) for card in problem["trick"]]
    for key in ("trump", "called", "discard"):
        if problem.get(key):
            new[key] = problem[key].translate(table)
    if problem.get("lead"):
        card, _, call = problem["lead"].partition(" ")
        new["lead"] = f"{card.translate(table)} {call}".strip()
    return new


def rotated(problem: Problem, places: int) -> Problem:
    """The problem with every seat moved on by that many places."""
    players = len(problem["hands"])

    def seat(old: int) -> int:
        return (old + places) % players

    def seats(old: Sequence[int]) -> list[int]:
        return [seat(one) for one in old]

    new = deepcopy(problem)
    new["hands"] = [problem["hands"][(place - places) % players] for place in range(players)]
    new["declarer"] = seat(problem.get("declarer", 0))
    new["leader"] = seat(_leader(problem))
    for key in ("joiners", "bidders"):
        if key in problem:
            new[key] = seats(problem[key])
    if "side" in problem.get("objective", {}):
        new["objective"]["side"] = seats(problem["objective"]["side"])
    state = new.get("state", {})
    if "winners" in state:
        state["winners"] = seats(state["winners"])
    if "partner" in state:
        state["partner"] = seat(state["partner"])
    return new
