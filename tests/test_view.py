"""What a player knows: the deals that agree with a view are those in which every card was legal, and nothing leaks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from pandoer import Card, Contract, Deal, Hand, PandoerError, Rank, Record, Ruleset, Suit, replay, ruleset
from pandoer.contracts import Bid
from pandoer.melds import marriage, meld_points
from pandoer.objectives import ALL
from pandoer.rulesets import RULESETS
from pandoer.view import View, view_of

SMALL = "SJ S9 SA SK ST S8 HA HK HQ HJ DA D9 D7"
"""Thirteen cards: four hands of three and a watch card, with many trumps."""


def small(name: str, hand: int, deck: str = SMALL) -> Ruleset:
    """A ruleset with so few cards that every deal can be looked at."""
    rules = ruleset(name)
    return replace(rules, name=f"small {name}", hand=hand, deck=Hand(deck))


def contracts(rules: Ruleset, known: Hand, rng: np.random.Generator) -> Contract | None:
    """A contract that a declarer with these cards may choose."""
    bid = rules.bids[int(rng.integers(len(rules.bids)))]
    suits = [suit for suit in Suit if rules.deck.of_suit(suit)]
    trump: Suit | None = suits[int(rng.integers(len(suits)))] if bid.trump != "none" else None
    if rng.random() < 0.6 and bid.trump != "none":
        trump = Suit.SPADES
    called = None
    if bid.partner == "called":
        cards = rules.callable_cards(known, trump)
        if not cards:
            return None
        called = cards[int(rng.integers(len(cards)))]
    if bid.partner == "jack" and (trump is None or Card.of(trump, Rank.JACK) in known):
        return None
    return rules.contract(bid, trump=trump, called=called)


def dealt(rules: Ruleset, players: int, rng: np.random.Generator) -> tuple[Deal, Contract, Card | None] | None:
    """A random deal with a contract that its declarer may have chosen, and the watch card."""
    cards = [[*rules.deck][i] for i in rng.permutation(len(rules.deck))]
    hands = [Hand(cards[i * rules.hand : (i + 1) * rules.hand]) for i in range(players)]
    discard = cards[rules.hand * players] if rules.watch is not None else None
    known = hands[0] if discard is None else hands[0] | discard
    contract = contracts(rules, known, rng)
    if contract is None:
        return None
    card = contract.partner_card
    if card is not None and (card not in rules.deck or card in known or all(card not in hand for hand in hands)):
        return None
    if contract.bid is not None and contract.bid.trump == "led" and not hands[0].of_suit(contract.trump):  # type: ignore[arg-type]
        return None
    watch = None if discard is None else [*known][int(rng.integers(len(known)))]
    return Deal(hands, discard=discard), contract, watch


def played(deal: Deal, contract: Contract, rng: np.random.Generator, cards: int) -> Record:
    """The deal with so many cards played at random."""
    record = replay(deal, contract)
    for _ in range(cards):
        record = record.play(record.legal[int(rng.integers(len(record.legal)))])
    return record


def brute_force(view: View) -> Iterator[tuple[int, ...]]:
    """Every deal that agrees with a view, by trying all in which everybody holds what he played."""
    contract, rules, players = view.contract, view.contract.rules, view.players
    unseen = rules.deck - view.hand
    for card in (view.discard, view.bottom):
        unseen = unseen if card is None else unseen - card
    shown = dict(view.shown)
    others = [seat for seat in range(players) if seat != view.seat]

    def place(left: Hand, seats: list[int]) -> Iterator[dict[int, Hand]]:
        if not seats:
            yield {view.seat: view.hand}
            return
        for some in combinations(left, rules.hand):
            hand = Hand(some)
            if shown.get(seats[0], hand) == hand and not view.history.played[seats[0]] - hand:
                for rest in place(left - hand, seats[1:]):
                    yield {seats[0]: hand, **rest}

    for hands in place(unseen, others):
        gone = rules.deck - Hand.from_bits(sum(hand.bits for hand in hands.values()))
        discard = next(iter(gone)) if rules.watch is not None else None
        known = hands[0] if discard is None else hands[0] | discard
        card = contract.partner_card
        if card is not None and (card in known or card in gone):
            continue
        if contract.called is not None and contract.called not in rules.callable_cards(known, contract.trump):
            continue
        if view.watch is not None and view.watch not in known:
            continue
        if rules.melds.raise_by_own and contract.objective is ALL and contract.target is not None:
            bits = np.uint64(hands[0].bits)
            if int(meld_points(bits, rules.melds) + marriage(bits, contract.trump, rules.melds)) < contract.target:
                continue
        try:
            replay(Deal([hands[seat] for seat in range(players)]), contract, view.history.plays)
        except PandoerError:
            continue
        yield tuple(hands[seat].bits for seat in range(players))


def compare(view: View) -> None:
    """The deals of a view are those of brute force, each once."""
    found = [tuple(map(int, row)) for row in view.possible()]
    assert len(found) == len(set(found))
    assert set(found) == set(brute_force(view)), str(view)


@pytest.mark.parametrize("name", [rules.name for rules in RULESETS if rules.watch is not None])
def test_worlds_are_those_in_which_every_card_was_legal(name: str) -> None:
    rng = np.random.default_rng(5)
    rules, done = small(name, 3), 0
    while done < 12:
        if (found := dealt(rules, 4, rng)) is None:
            continue
        deal, contract, watch = found
        record = played(deal, contract, rng, int(rng.integers(5, 12)))
        compare(view_of(record, watch=watch))
        compare(view_of(record, int(rng.integers(4)), watch=watch))
        done += 1


@pytest.mark.parametrize("players", [2, 3])
def test_worlds_of_pandur(players: int) -> None:
    rng = np.random.default_rng(6)
    rules, done = small("pandur", 3, "SJ S9 SA SK HJ H9 HA DA D9"), 0
    while done < 25:
        if (found := dealt(rules, players, rng)) is None:
            continue
        deal, contract, _ = found
        record = played(deal, contract, rng, int(rng.integers(1, 3 * players)))
        compare(view_of(record))
        done += 1


def protected(trump_leads: int = 2) -> tuple[Ruleset, Bid]:
    rules = small("wikipedia-nl", 3)
    return rules, replace(rules.bid("pandoer"), play=(("trump_leads", trump_leads),))


def test_a_plain_lead_where_trumps_are_due_tells_of_two_cards_at_once() -> None:
    rng = np.random.default_rng(7)
    rules, bid = protected()
    looked = 0
    while looked < 15:
        cards = [[*rules.deck][i] for i in rng.permutation(13)]
        hands = [Hand(cards[i * 3 : i * 3 + 3]) for i in range(4)]
        known = hands[0] | cards[12]
        calls = [card for card in rules.callable_cards(known, Suit.SPADES) if card.suit != Suit.SPADES]
        if not calls:
            continue
        contract = rules.contract(bid, trump="S", called=calls[0])
        record = played(Deal(hands, discard=cards[12]), contract, rng, 5)
        view = view_of(record, watch=cards[12])
        if record.tricks[0].winner == 0 or view.exact:
            continue
        compare(view)
        looked += 1
        # The same when there are too many to look at: drawn with what does not fit passed over.
        some, complete = view.worlds(5, np.random.SeedSequence(1))
        assert complete or view.fits(some).all()


def test_worlds_are_drawn_uniformly() -> None:
    rng = np.random.default_rng(8)
    rules = small("pagat", 3)
    found = None
    while found is None:
        found = dealt(rules, 4, rng)
    deal, contract, watch = found
    view = view_of(played(deal, contract, rng, 6), watch=watch)
    every = [tuple(map(int, row)) for row in view.possible()]
    drawn: list[tuple[int, ...]] = []
    for seed in range(40):
        some, complete = view.worlds(len(every) - 1, np.random.SeedSequence(seed))
        assert not complete
        drawn += [tuple(map(int, row)) for row in some]
    counts = np.array([drawn.count(deal) for deal in every])
    mean = len(drawn) / len(every)
    # Chi-squared with len(every) - 1 degrees of freedom, within five standard deviations.
    assert abs(((counts - mean) ** 2 / mean).sum() - len(every)) < 5 * np.sqrt(2 * len(every))


def test_views_do_not_hold_what_is_hidden() -> None:
    """Two deals that differ only in what is hidden give equal views."""
    rng = np.random.default_rng(9)
    rules, done = small("pagat", 3), 0
    while done < 30:
        if (found := dealt(rules, 4, rng)) is None:
            continue
        deal, contract, watch = found
        record = played(deal, contract, rng, int(rng.integers(0, 12)))
        view = view_of(record, watch=watch)
        every = view.possible()
        other = every[int(rng.integers(len(every)))]
        discard = rules.deck - Hand.from_bits(int(np.bitwise_or.reduce(other)))
        again = replay(Deal([Hand.from_bits(bits) for bits in other], discard=discard.cards[0]), contract, record.plays)
        assert view_of(again, watch=watch) == view
        done += 1


def test_legal_cards_are_those_of_the_record() -> None:
    rng = np.random.default_rng(10)
    for name in ("wikipedia-nl", "pagat", "cappelle", "wikipedia-en", "butselaar"):
        rules = ruleset(name)
        for _ in range(6):
            if (found := dealt(rules, 4, rng)) is None:
                continue
            deal, contract, watch = found
            record = replay(deal, contract)
            while not record.finished:
                view = view_of(record, watch=watch)
                assert set(view.legal) == set(record.legal)
                assert view_of(view.to_json()) == view
                record = record.play(record.legal[int(rng.integers(len(record.legal)))])


def base(**more: Any) -> dict[str, Any]:
    return {
        "rules": "pagat", "contract": "pandoer", "trump": "S", "called": "DA", "seat": 0,
        "hand": "SJ S9 SA HK HQ D8 CT C7", "discard": "C8", "watch": "C8", **more,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"seat": 7}, "seat 7: expected 0 to 3"),
        ({"hand": "SJ S9"}, "expected 8 cards of pagat"),
        ({"discard": None}, "has laid a card away: expected discard"),
        ({"discard": "SJ"}, "discard 'SJ' lies in a hand"),
        ({"seat": 1, "hand": "SQ SK HA HT DQ DK CQ CK"}, "only the declarer knows one"),
        ({"plays": ["SQ"]}, "he has played '♠Q'"),
        ({"plays": ["SJ", "SJ"]}, "it has been played"),
        ({"plays": ["SJ", "H7", "SQ", "SK", "S9", "S8"]}, "his earlier plays say that he lacks it"),
        ({"plays": "SJ"}, "expected a list of cards"),
        ({"shown": {"5": "SQ"}}, "seat '5'"),
        ({"card": "SJ"}, "unknown key 'card'"),
        ({"players": 3}, "players 3: expected one of 4"),
        ({"called": "SA"}, "called card 'SA' is in the declarer's own hand"),
        ({"called": "DA", "discard": "DA"}, "called card 'DA' is the discard"),
        ({"called": "CK"}, "called card 'CK' may not be called: expected one of"),
        ({"called": "C8", "seat": 1, "hand": "SQ SK HA HT DQ DK CQ CK", "discard": None}, "'C8' is the watch card"),
        ({"contract": "kereltje", "called": None}, "trump jack 'SJ' is in the declarer's own hand"),
    ],
)
def test_what_makes_no_sense_is_told(change: dict[str, Any], said: str) -> None:
    with pytest.raises(PandoerError) as caught:
        view_of({key: value for key, value in base(**change).items() if value is not None})
    assert said in str(caught.value)
