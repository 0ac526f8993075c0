"""Looking ahead: exact against brute force over the declarer's strategies, never better than double-dummy."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from pandoer import Deal, Hand, Play, Ruleset, _solver, replay, ruleset
from pandoer.alphamu import best_front
from pandoer.line import Line
from pandoer.objectives import ALL, LOST
from pandoer.objectives import replay as replay_state
from pandoer.players import AlphaMu, MonteCarlo
from pandoer.solver import CALLS
from pandoer.view import View, view_of
from pandoer.worlds import Worlds
from tests.test_view import contracts

NAMES = ("wikipedia-nl", "pagat", "cappelle", "wikipedia-en", "butselaar")
CARDS = "SJ HA DA S9 HK SA HQ D9 SK HT DK DT SQ"


def tiny(rng: np.random.Generator) -> tuple[Ruleset, int]:
    """A ruleset with so few cards that every way of playing can be followed, and its players."""
    kind = int(rng.integers(10))
    name = NAMES[int(rng.integers(len(NAMES)))] if kind < 5 else "pandur"
    hand, players = (2, 4) if kind < 4 else (3, 4) if kind < 5 else (3, 3) if kind < 8 else (3, 2)
    number = hand * players + 1 if kind < 5 else 9
    deck = Hand(" ".join(CARDS.split()[:number]))
    return replace(ruleset(name), name=f"tiny {name}", hand=hand, deck=deck), players


def situation(rng: np.random.Generator) -> tuple[View, Worlds] | None:
    """The view of a declarer before his lead, or to follow, with a few worlds."""
    rules, players = tiny(rng)
    hand = rules.hand
    cards = [[*rules.deck][i] for i in rng.permutation(len(rules.deck))]
    hands = [Hand(cards[i * hand : (i + 1) * hand]) for i in range(players)]
    discard = cards[-1] if rules.watch is not None else None
    contract = contracts(rules, hands[0] if discard is None else hands[0] | discard, rng)
    if contract is None or (contract.bid is not None and contract.bid.shown in ("lead", "deal")):
        return None
    led = contract.bid is not None and contract.bid.trump == "led"
    if led and not (contract.trump is not None and hands[0].of_suit(contract.trump)):
        return None
    if contract.objective.counts == "points":
        contract = replace(contract, target=int(rng.integers(20, 70)))
    card = contract.partner_card
    if card is not None and all(card not in held for held in hands[1:]):
        return None
    record = replay(Deal(hands, discard=discard), contract, leader=0 if led else int(rng.integers(players)))
    while record.turn != 0:
        record = record.play(record.legal[int(rng.integers(len(record.legal)))])
    view = view_of(record, 0)
    deals, _ = view.worlds(3 if hand * players == 12 else 5, np.random.SeedSequence(int(rng.integers(1 << 30))))
    return view, Worlds(contract, deals)


def legal(worlds: Worlds, line: Line, row: int) -> list[Play]:
    """What the player to move may play in a world, by the kernel's position."""
    gone = np.array(line.played, np.uint64)
    hands = (worlds.deals[row] & ~gone).tolist()
    position = _solver.Position(
        worlds.sides[int(worlds.partners[row])][1], _solver.Table(4), hands, leader=line.leader,
        trick=[card.bit for card in line.trick], call=CALLS.index(line.call), number=line.number,
        end=line.contract.rules.hand, stop=np.zeros(1, np.int32),
    )  # fmt: skip
    return [Play(Hand.from_bits(1 << index).cards[0], CALLS[call]) for index, call in position.moves()]


Tell = Callable[[Line, Line, Play], object]
"""What the declarer remembers of a card of another player: the play before and after it, and the card."""


def everything(before: Line, after: Line, play: Play) -> object:
    """All of it."""
    return play


def what_matters(own: Hand) -> Tell:
    """The suit, how many of his cards are lower, whose trick it is now; a card that tells of the partner by name."""

    def tell(before: Line, after: Line, play: Play) -> object:
        contract, card = before.contract, play.card
        if card in (contract.partner_card, contract.protected):
            return card
        order = contract.rules.cards.order(card.suit == contract.trump)
        mine = own - Hand.from_bits(before.played[0])
        lower = sum(order.index(other.rank) < order.index(card.rank) for other in mine.of_suit(card.suit))
        if not after.trick:
            return card.suit, lower, after.winners[-1]
        best = contract.winner(after.trick, must=after.call == "must")
        return card.suit, lower, (before.leader + after.trick.index(best)) % before.players

    return tell


def fronts(worlds: Worlds, group: Sequence[tuple[int, Line]], tell: Tell) -> set[frozenset[int]]:
    """For each strategy of the declarer the places in which it wins against perfect others: every one, nothing cut."""
    line, every = group[0][1], range(len(group))
    if line.finished:
        return {frozenset(place for place, (row, line) in enumerate(group) if ended(worlds, line, row))}
    seat = line.turn
    moves = [legal(worlds, line, row) for row, line in group]
    found: set[frozenset[int]] = set()
    if seat == 0:
        assert all({*own} == {*moves[0]} for own in moves)
        for play in moves[0]:
            found |= fronts(worlds, [(row, line.after(play)) for row, line in group], tell)
        return found
    helps = worlds.on_side(line, seat)
    apart: dict[object, list[tuple[int, tuple[int, Line]]]] = {}
    for place, (row, before) in enumerate(group):
        for play in moves[place]:
            after = before.after(play)
            apart.setdefault(tell(before, after, play), []).append((place, (row, after)))
    parts = [([place for place, _ in own], fronts(worlds, [one for _, one in own], tell)) for own in apart.values()]
    for chosen in product(*(own for _, own in parts)):
        results: list[list[bool]] = [[] for _ in every]
        for (places, _), vector in zip(parts, chosen, strict=True):
            for i, place in enumerate(places):
                results[place].append(i in vector)
        made = (any(results[place]) if helps[group[place][0]] else all(results[place]) for place in every)
        found.add(frozenset(place for place, yes in zip(every, made, strict=True) if yes))
    return maximal(found)


def maximal(vectors: set[frozenset[int]]) -> set[frozenset[int]]:
    """Those that are in no other one."""
    return {vector for vector in vectors if not any(vector < other for other in vectors)}


def ended(worlds: Worlds, line: Line, row: int) -> bool:
    """Whether the contract was made in a world when all cards have been played, by its definition."""
    contract = line.contract
    seats, _ = worlds.sides[int(worlds.partners[row])]
    if line.lost:
        return False
    if contract.objective.counts is not None:
        points = sum(line.points[seat] for seat in seats.side) + int(worlds.melds[row])
        won = sum(winner in seats.side for winner in line.winners)
        return (points if contract.objective.counts == "points" else won) >= (contract.target or 0)
    objective = contract.objective
    state = replay_state(objective, seats, line.winners, objective.needs_jack and line.jack)
    melds = objective is ALL and contract.target is not None
    if state == LOST or (melds and int(worlds.melds[row]) < (contract.target or 0)):
        return False
    return objective.accept(state)


TELLING = (641, 773, 945, 1119, 1261, 1283)
"""Seeds of situations in which the declarer cannot tell deals apart that want different cards of him; they are rare."""

NUMBERS = (*range(120), *TELLING)
SITUATIONS = [found for number in NUMBERS if (found := situation(np.random.default_rng(number))) is not None]


def test_there_are_enough_situations_of_every_kind() -> None:
    kinds = {view.contract.objective.name for view, _ in SITUATIONS}
    assert len(SITUATIONS) > 60
    assert {"all", "none", "exactly-one", "points", "zwabber-called"} <= kinds
    assert any(view.contract.partner_card is not None for view, _ in SITUATIONS)


@pytest.mark.parametrize("forgets", [False, True])
@pytest.mark.parametrize("number", range(len(SITUATIONS)))
def test_as_deep_as_the_game_the_fronts_are_those_of_all_strategies(number: int, forgets: bool) -> None:
    view, worlds = SITUATIONS[number]
    found = best_front(view, worlds, view.contract.rules.hand, cut=False, forgets=forgets)
    line, tell = Line.of(view.history), what_matters(view.hand) if forgets else everything
    for play in view.legal:
        after = [(row, line.after(play)) for row in range(len(worlds))]
        assert found[play].made == max(len(vector) for vector in fronts(worlds, after, tell)), str(view)
    cut = best_front(view, worlds, view.contract.rules.hand, forgets=forgets)
    searched = [ahead.made for ahead in cut.values() if ahead.searched]
    assert max(searched) == max(ahead.made for ahead in found.values())
    assert all(ahead.made >= found[play].made for play, ahead in cut.items())


@pytest.mark.parametrize("number", range(0, len(SITUATIONS), 3))
def test_a_deeper_look_never_finds_more_and_depth_1_is_monte_carlo(number: int) -> None:
    view, worlds = SITUATIONS[number]
    made = worlds.values(view.history, view.legal).sum(axis=0).tolist()
    alone = best_front(view, worlds, 1)
    assert [alone[play].made for play in view.legal] == made
    for depth in (2, 3):
        found = best_front(view, worlds, depth, cut=False, forgets=False)
        for play, most in zip(view.legal, made, strict=True):
            counts = [*reversed(found[play].before), found[play].made]
            assert counts[0] == most
            assert counts == sorted(counts, reverse=True)


def test_what_a_declarer_cannot_tell_apart_costs_him() -> None:
    for view, worlds in SITUATIONS[-len(TELLING) :]:
        found = best_front(view, worlds, view.contract.rules.hand, cut=False, forgets=False)
        assert any(ahead.made < ahead.before[-1] for ahead in found.values())


def test_who_forgets_has_no_more_and_sometimes_less() -> None:
    less = 0
    for view, _ in SITUATIONS:
        deep = view.contract.rules.hand
        worlds = Worlds(view.contract, view.worlds(16, np.random.SeedSequence(1))[0])
        all_told, forgetting = (best_front(view, worlds, deep, cut=False, forgets=yes) for yes in (False, True))
        assert all(forgetting[play].made <= all_told[play].made for play in view.legal)
        less += forgetting != all_told
    assert less > 3


def test_a_search_that_is_too_long_keeps_what_it_found() -> None:
    for view, worlds in SITUATIONS[:40]:
        fresh = Worlds(view.contract, worlds.deals)
        found = best_front(view, fresh, 3, most_nodes=0, cut=False, forgets=False)
        least, most = (best_front(view, worlds, depth, cut=False, forgets=False) for depth in (3, 1))
        assert all(least[play].made <= found[play].made <= most[play].made for play in view.legal)


@pytest.mark.parametrize("number", range(0, len(SITUATIONS), 5))
def test_the_choice_is_a_best_card_and_of_equals_the_one_of_monte_carlo(number: int) -> None:
    view, _ = SITUATIONS[number]
    seed = np.random.SeedSequence(number)
    for depth in (1, 2, 3):
        deals, complete = view.worlds(20, seed)
        found = best_front(view, Worlds(view.contract, deals, complete=complete), depth, cut=False)
        chosen = AlphaMu(20, depth).play(view, seed)
        assert found[chosen].made == max(ahead.made for ahead in found.values())
        monte_carlo = MonteCarlo(20).play(view, seed)
        if found[monte_carlo].made == found[chosen].made:
            assert chosen == monte_carlo
