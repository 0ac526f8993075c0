"""The model of what the others' calls tell about their cards."""

from __future__ import annotations

import json
import pickle
from collections import defaultdict
from dataclasses import FrozenInstanceError, replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from pandoer import Auction, Bid, Card, Hand, Suit, odds, ruleset
from pandoer.bidding import LEAST, Listening
from pandoer.cards import Rank
from pandoer.dealing import Layouts
from pandoer.objectives import NONE, POINTS, Objective
from pandoer.rulesets import RULESETS, Ruleset
from pandoer.willing import FEATURES, KINDS, kind_name, willing

HELD_OUT = Path(__file__).parent / "golden" / "bidding.jsonl"
"""Hands that the fit did not see, with the double-dummy chance of a bid; see ``benches/fit_bidding.py``."""

AUCTIONS = {
    "wikipedia-nl": ("pass 100 pass", "100 pass 140 pass 160 pass", "misere join pass", "pandoer pass", "pass pass"),
    "pagat": ("pass 130 pass", "130 kereltje pass pandoer+50", "piccolo misere pass", "pandoer", "zwabber pass pass"),
    "cappelle": ("pass 130 pass 140 pass pass 170", "pass pass pass", "misere-ouvert pass pass"),
    "wikipedia-en": ("piccolo pass pass", "pass zwabber misere", "110 pandoer+20 pass prive", "130 pass pass"),
    "butselaar": ("130 pass piccolo pass misere", "pass pass piccolo-ouvert", "praatje pass pass"),
    "pandur": ("pass 120", "100 misere-ohne pandur-ohne pass", "misere-mit pass", "pandur-mit pass"),
}  # fmt: skip
CASES = [(name, text) for name, texts in AUCTIONS.items() for text in texts]


def deals(rules: Ruleset, number: int = 500, seed: int = 1) -> tuple[Card | None, npt.NDArray[np.uint64]]:
    """A watch card, if there is one, and what the others hold in random deals."""
    cards = [Card.of(card.suit, card.rank) for card in rules.deck]
    order = np.random.default_rng(seed).permutation(len(cards))
    own = Hand(cards[i] for i in order[: rules.hand])
    watch = cards[order[-1]] if rules.watch else None
    unseen = rules.deck - own if watch is None else rules.deck - own - watch
    layouts = Layouts(unseen, rules.players[0] - 1, rules.hand)
    return watch, layouts.sample(0, number, np.random.SeedSequence(seed))


def listening(name: str, text: str, *, private: bool = False) -> Listening:
    """What the player hears who speaks next, or who plays."""
    auction = Auction.parse(text, name)
    seat = auction.declarer if auction.over else auction.turn
    assert seat is not None
    return Listening(auction, seat, private=private)


def count(hands: npt.NDArray[np.uint64], *ranks: Rank) -> npt.NDArray[np.int64]:
    """How many cards of these ranks are in each hand."""
    bits = np.uint64(sum(Card.of(suit, rank).bit for suit in Suit for rank in ranks))
    return np.asarray(np.bitwise_count(hands & bits), np.int64)


@pytest.mark.parametrize(("name", "text"), CASES)
@pytest.mark.parametrize("private", [False, True])
def test_weights_are_chances_and_each_deal_has_its_own(name: str, text: str, private: bool) -> None:
    listens = listening(name, text, private=private)
    watch, hidden = deals(listens.auction.rules)
    weights = listens(watch, hidden)
    assert weights.shape == (500,)
    assert weights.dtype == np.float64
    assert np.isfinite(weights).all()
    assert (weights >= LEAST).all()
    assert (weights <= 1).all()
    assert len(np.unique(weights)) > 10
    assert np.allclose(weights[:20], [listens(watch, hidden[i : i + 1])[0] for i in range(20)], rtol=1e-12)
    assert listens(watch, hidden[:0]).shape == (0,)
    assert np.array_equal(weights, pickle.loads(pickle.dumps(listens))(watch, hidden))


@pytest.mark.parametrize("name", [rules.name for rules in RULESETS])
def test_silence_tells_nothing(name: str) -> None:
    rules = ruleset(name)
    watch, hidden = deals(rules)
    assert (Listening(Auction.parse("", rules), 0, private=False)(watch, hidden) == 1).all()
    # Nor do one's own calls.
    assert (Listening(Auction.parse([rules.bids[0].name], rules), 0, private=False)(watch, hidden) == 1).all()


def test_it_is_immutable() -> None:
    first, again = listening("pagat", "pass 130 pass"), listening("pagat", "pass 130 pass")
    assert first == again
    assert hash(first) == hash(again)
    with pytest.raises(FrozenInstanceError):
        first.seat = 2  # type: ignore[misc]


@pytest.mark.parametrize(("name", "text"), CASES)
def test_only_hands_of_players_who_called_count(name: str, text: str) -> None:
    listens = listening(name, text)
    watch, hidden = deals(listens.auction.rules)
    spoke = {column for column, _, _ in listens.told}
    for column in range(hidden.shape[1]):
        changed = hidden.copy()
        changed[:, column] = changed[::-1, column]
        assert np.array_equal(listens(watch, hidden), listens(watch, changed)) == (column not in spoke)


def test_seats_may_be_numbered_from_anywhere() -> None:
    watch, hidden = deals(ruleset("pagat"))
    after = Listening(Auction.parse("pandoer", "pagat"), 1, private=False)(watch, hidden)
    before = Listening(Auction.parse("pass pandoer", "pagat"), 0, private=False)(watch, np.roll(hidden, 1, axis=1))
    assert np.array_equal(after, before)


def test_who_bids_pandoer_holds_high_cards_and_who_passes_does_not() -> None:
    rules = ruleset("pagat")
    watch, hidden = deals(rules, 5000)
    high = count(hidden[:, 2], Rank.JACK, Rank.NINE, Rank.ACE)
    mean = high.mean()
    bid = listening("pagat", "pandoer")(watch, hidden)
    assert np.average(high, weights=bid) > mean + 0.3
    passed = listening("pagat", "pass")(watch, hidden)
    assert np.average(high, weights=passed) < mean - 0.1


def test_who_bids_misere_holds_low_cards() -> None:
    watch, hidden = deals(ruleset("wikipedia-en"), 5000)
    low = count(hidden[:, 2], Rank.SEVEN, Rank.EIGHT)
    weights = listening("wikipedia-en", "misere")(watch, hidden)
    assert np.average(low, weights=weights) > low.mean() + 0.7


@pytest.mark.parametrize("name", [rules.name for rules in RULESETS])
def test_more_points_want_a_better_hand(name: str) -> None:
    rules = ruleset(name)
    watch, hidden = deals(rules)
    hands = hidden[:, 0] | np.uint64(0 if watch is None else watch.bit)
    last = np.ones(len(hands))
    for bid in rules.bids:
        if bid.objective is POINTS:
            chance = willing(bid, rules, hands, discard=watch is not None)
            assert chance is not None
            assert (chance <= last).all()
            last = chance


def test_a_pass_tells_more_the_less_had_to_be_bid() -> None:
    watch, hidden = deals(ruleset("pagat"))
    low = Listening(Auction.parse("pass pass", "pagat"), 0, private=False)(watch, hidden)
    high = Listening(Auction.parse("praatje pass", "pagat"), 0, private=False)(watch, hidden)
    assert (low <= high).all()
    assert low.mean() < high.mean() - 0.1


def test_the_last_bid_counts_and_the_first_pass_after_it() -> None:
    rules = ruleset("cappelle")
    listens = Listening(Auction.parse("130 pass pass 140 150 pass 160 170 pass pass 180 pass", rules), 3, private=False)
    told = {(column, does): [bid.name for bid in bids] for column, does, bids in listens.told}
    assert told[0, True] == ["150"]
    assert (1, True) not in told
    assert "140" in told[1, False]
    assert told[2, True] == ["180"]
    assert "180" in told[0, False]


def test_a_pass_is_about_the_lowest_bid_of_each_kind() -> None:
    ((column, does, bids),) = Listening(Auction.parse("140 pass", "pagat"), 0, private=False).told
    assert (column, does) == (0, False)
    assert sorted(bid.name for bid in bids) == [
        "150", "kereltje", "misere", "pandoer", "piccolo", "prive", "solo-zwabber", "zwabber",
    ]  # fmt: skip


def test_who_joins_a_misere_has_one_without_trump() -> None:
    rules = ruleset("wikipedia-nl")
    told = Listening(Auction.parse("misere join pass", rules), 3, private=False).told
    assert [(column, does) for column, does, _ in told] == [(0, True), (1, True), (2, False)]
    assert [kind_name(bids[0], rules) for _, does, bids in told if does] == ["none trump", "none"]


def test_a_watch_card_that_the_others_have_not_seen_does_not_count() -> None:
    watch, hidden = deals(ruleset("pagat"))
    assert watch is not None
    other = next(card for card in ruleset("pagat").deck if all(not int(bits) & card.bit for bits in hidden[0]))
    private, seen = (listening("pagat", "pass 130 pass", private=private) for private in (True, False))
    assert np.array_equal(private(watch, hidden), private(other, hidden))
    assert np.array_equal(private(watch, hidden), private(None, hidden))
    assert not np.array_equal(seen(watch, hidden), private(watch, hidden))


def test_bids_of_an_unknown_kind_tell_nothing() -> None:
    odd = Objective("odd", NONE.step)
    rules = replace(ruleset("pagat"), name="home", bids=(Bid("odd", 1, odd, trump="none"),))
    watch, hidden = deals(rules)
    for text in (["odd"], ["pass"]):
        assert (Listening(Auction.parse(text, rules), 2, private=False)(watch, hidden) == 1).all()


def test_small_decks_are_heard_too() -> None:
    rules = replace(ruleset("pagat"), name="small", deck=Hand("SAKQ HAKQ DAKQ CAKJ H6"), hand=3)
    watch, hidden = deals(rules, 50)
    for text in ("pass 130 pass", "pandoer+20", "misere pass piccolo-ouvert"):
        weights = Listening(Auction.parse(text, rules), 3, private=False)(watch, hidden)
        assert ((weights >= LEAST) & (weights <= 1)).all()


def test_every_bid_of_every_ruleset_is_of_a_known_kind() -> None:
    assert {kind_name(bid, rules) for rules in RULESETS for bid in rules.bids} == set(KINDS)
    for kind in KINDS.values():
        assert len(kind.weights) == len(FEATURES[kind.family][1])


def test_the_trump_jack_and_the_kinds_that_depend_on_it() -> None:
    rules = ruleset("pagat")
    hands = np.array([Hand("SJ9AKQ7 HA6 C7").bits, Hand("S9AKQT7 HA6 C7").bits], np.uint64)
    kereltje = willing(rules.bid("kereltje"), rules, hands, discard=True)
    assert kereltje is not None
    assert kereltje[1] > 0.5 > kereltje[0]
    rules = ruleset("butselaar")
    hands = np.array([Hand("SJ C789 D789 H67").bits, Hand("SA C789 D789 H67").bits], np.uint64)
    piccolo = willing(rules.bid("piccolo"), rules, hands, discard=True)
    assert piccolo is not None
    assert piccolo[0] > 0.5 > 0.01 > piccolo[1]


@pytest.mark.parametrize(("name", "text"), [
    ("wikipedia-nl", "pass 100 pass"), ("wikipedia-nl", "pandoer pass pass"), ("wikipedia-nl", "130 pass 140"),
    ("pagat", "pass 130 pass"), ("pagat", "130 pass pandoer"), ("pagat", "pass pass pass"), ("pagat", "120 kereltje"),
    ("cappelle", "130 pass pass"), ("wikipedia-en", "pass zwabber"), ("butselaar", "160 pass pass"),
    ("pandur", "pass 120"),
])  # fmt: skip
def test_usual_auctions_keep_enough_deals(name: str, text: str) -> None:
    listens = listening(name, text)
    # Of rare bids, such as misère and privé, hardly more deals fit than hands are good for them.
    kept = [listens(*deals(listens.auction.rules, 1000, seed)).mean() for seed in range(20)]
    assert np.mean(kept) > 1 / 50


def held_out() -> dict[str, list[tuple[float, float]]]:
    """Predicted and found chances by kind."""
    rows = defaultdict(list)
    for line in HELD_OUT.read_text().splitlines():
        row = json.loads(line)
        rules = ruleset(row["rules"])
        hand = Hand(row["hand"]) | (Hand() if row["watch"] is None else Card(row["watch"]))
        bid = rules.bid(row["bid"])
        chance = willing(bid, rules, np.array([hand.bits], np.uint64), discard=row["watch"] is not None)
        assert chance is not None
        rows[kind_name(bid, rules)].append((float(chance[0]), row["chance"]))
    return rows


def test_the_chances_are_calibrated_on_hands_that_were_not_fitted() -> None:
    rows = held_out()
    assert set(rows) == set(KINDS)
    for kind, pairs in rows.items():
        predicted, found = np.array(pairs).T
        good = found >= 0.5
        assert np.mean((predicted - good) ** 2) < 0.16, kind
        assert abs(predicted.mean() - good.mean()) < 0.15, kind
    predicted, found = np.concatenate([np.array(pairs) for pairs in rows.values()]).T
    assert np.mean((predicted - (found >= 0.5)) ** 2) < 0.07
    for low in np.arange(0, 1, 0.2):
        own = (predicted >= low) & (predicted <= low + 0.2)
        assert abs(predicted[own].mean() - (found[own] >= 0.5).mean()) < 0.1


@pytest.mark.parametrize(("name", "bid"), [("pandur", "misere-ohne"), ("pandur", "120")])
def test_the_chances_are_calibrated_on_new_hands(name: str, bid: str) -> None:
    rules = ruleset(name)
    bits = Layouts(rules.deck, 1, rules.hand).sample(0, 4000, np.random.SeedSequence(7))[:, 0]
    chance = willing(rules.bid(bid), rules, bits)
    assert chance is not None
    for low, high in ((0, 0.1), (0.1, 0.9), (0.9, 1)):
        own = np.flatnonzero((chance >= low) & (chance <= high))[:20]
        good = [odds(Hand.from_bits(bits[i]), bid, rules=rules, samples=60, threads=1).probability >= 0.5 for i in own]
        assert abs(np.mean(good) - chance[own].mean()) < 0.25


def test_odds_listen() -> None:
    asked = {"rules": "pagat", "watch": "H7", "samples": 400, "seed": 3, "trump": "S", "discard": "CT", "called": "HA"}
    hand, calls = "SJ S9 SA HK HQ D8 CT C7", "pass pass pass"
    plain = odds(hand, "pandoer", auction=calls, **asked)  # type: ignore[arg-type]
    listens = odds(hand, "pandoer", auction=calls, listen=True, **asked)  # type: ignore[arg-type]
    again = odds(hand, "pandoer", auction=calls, listen=True, threads=1, **asked)  # type: ignore[arg-type]
    assert listens == again
    assert listens.probability != plain.probability
