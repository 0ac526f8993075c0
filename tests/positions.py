"""Random small problems over all rulesets, contracts, objectives, seats and switches, in their JSON form."""

from __future__ import annotations

import random
from typing import Any

from pandoer import Bid, Card, Hand, Rank, Suit, ruleset

from tests import reference

Problem = dict[str, Any]

RULESETS_33 = ("wikipedia-nl", "pagat", "cappelle", "wikipedia-en", "butselaar")
KINDS = (
    "all", "none", "exactly-one", "first-only", "jack-only", "zwabber-called", "zwabber-nl", "zwabber-en", "points", "tricks",
)  # fmt: skip
ALONE = ("exactly-one", "first-only", "jack-only", "zwabber-nl", "zwabber-en")


def random_problem(
    rng: random.Random, cards: int, rules: str | None = None, kinds: tuple[str, ...] | None = None
) -> Problem:
    """A valid problem with `cards` cards in each hand, sometimes in the middle of a trick.

    `kinds` limits the objectives.
    """
    while True:
        name = rules or rng.choice((*RULESETS_33, *RULESETS_33, "pandur"))
        own = rng.random() < 0.3 or kinds is not None and rng.random() < 0.6
        problem = _objective_problem(rng, name, cards, kinds) if own else _bid_problem(rng, name, cards, kinds)
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
    players = rng.choice((2, 3, 4, 4, 4))
    hands = _deal(rng, rules, players, cards)
    declarer = rng.randrange(players)
    kind = rng.choice(kinds or KINDS)
    trump = rng.choice("CDHS--")
    if kind == "jack-only" and trump == "-":
        trump = "H"
    others = [seat for seat in range(players) if seat != declarer]
    side = [declarer] if kind in ALONE or kind == "none" else [declarer, *rng.sample(others, rng.choice((0, 1)))]
    if kind in ("points", "tricks") and rng.random() < 0.2:
        side = rng.sample(range(players), rng.randint(1, players))
    objective: Problem = {"kind": kind, "side": side}
    if kind == "points":
        objective["target"] = rng.choice((None, 20, 60, 90))
    elif kind == "tricks":
        objective["target"] = rng.choice((None, 1, cards))
    problem: Problem = {
        "rules": rules, "objective": objective, "declarer": declarer, "leader": rng.randrange(players), "trump": trump,
        "hands": _texts(hands), "trick_number": rng.choice((0, 8 - cards)), "play": _switches(rng),
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
