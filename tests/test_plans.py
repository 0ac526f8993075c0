"""Plans: which are left out as no better than another, and that they are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pytest

from pandoer import Bid, Card, Hand, PandoerError, Plan, Play, Ruleset, Suit, ruleset, solve_many
from pandoer.dealing import Layouts
from pandoer.plans import better_discards, contract_of, legal_plans, like, may_discard, with_leads
from pandoer.solver import legal_leads

RULESETS_33 = ("wikipedia-nl", "pagat", "cappelle", "wikipedia-en", "butselaar")
BIDS = [pytest.param(name, bid, id=f"{name}-{bid}") for name in RULESETS_33 for bid in ruleset(name).bids]


def nine_cards(rules: Ruleset, seed: int) -> Hand:
    """Cards of a declarer with the watch card."""
    deck = [*rules.deck]
    return Hand(deck[i] for i in np.random.default_rng(seed).permutation(len(deck))[:9])


def results(rules: Ruleset, bid: Bid, cards: Hand, plan: Plan, deals: int) -> npt.NDArray[np.bool_]:
    """Whether the plan succeeds in some deals, which depend on `cards` alone."""
    assert plan.discard is not None
    hidden = Layouts(rules.deck - cards, 3, 8).sample(0, deals, np.random.SeedSequence(cards.bits))
    hands = np.column_stack([np.full(deals, (cards - plan.discard).bits, np.uint64), hidden])
    return np.asarray(solve_many(hands, contract_of(rules, bid, plan), exact=False, threads=1), np.bool_)


@pytest.mark.parametrize(("name", "bid"), BIDS)
def test_a_discard_that_is_left_out_is_no_better(name: str, bid: Bid) -> None:
    """Deal by deal: what the other discard loses, this one loses; and with like cards the results are equal."""
    rules = ruleset(name)
    points = bid.objective.counts is not None
    deals, pairs, compared = (4 if points else 25), 3 if points else 6, 0
    for seed in range(40):
        cards = nine_cards(rules, seed)
        for plan in legal_plans(rules, bid, cards, Plan(), everything=True):
            assert plan.discard is not None
            better = [*better_discards(rules, bid, cards, plan.trump, plan.discard, cards)]
            for other in better[:1]:
                ours = results(rules, bid, cards, plan, deals)
                theirs = results(rules, bid, cards, replace(plan, discard=other), deals)
                assert not (ours & ~theirs).any()
                if like(rules, bid, cards, plan.trump, plan.discard, other):
                    assert (ours == theirs).all()
                compared += 1
            if better:
                break  # one plan a hand
        if compared == pairs:
            return
    assert compared


@pytest.mark.parametrize(("name", "bid"), BIDS)
def test_a_better_discard_is_among_the_plans(name: str, bid: Bid) -> None:
    """What is left out is left out for something that stays: from discard to better discard there is an end."""
    rules = ruleset(name)
    for seed in range(10):
        cards = nine_cards(rules, 100 + seed)
        kept = set(legal_plans(rules, bid, cards, Plan()))
        assert kept <= set(legal_plans(rules, bid, cards, Plan(), everything=True))
        for first in legal_plans(rules, bid, cards, Plan(), everything=True):
            plan, seen = first, {first.discard}
            while plan not in kept:
                assert plan.discard is not None
                legal = [card for card in cards if may_discard(rules, bid, cards, card, plan.trump)]
                plan = replace(plan, discard=next(better_discards(rules, bid, cards, plan.trump, plan.discard, legal)))
                assert plan.discard not in seen
                seen.add(plan.discard)


CARDS = Hand("SJ S9 SA HK HQ D8 D7 C8 C7")


@pytest.mark.parametrize(
    ("bid", "trump", "discards"),
    [
        ("prive", "S", "SA HQ D7 C7"),  # the lowest of every suit, which of these trumps is the ace
        ("solo-zwabber", None, "S9 HQ D7 C7"),
        ("misere", "S", "SJ S9 HK D8 C8"),  # the highest of every plain suit; nine and ace of trumps are alike
        ("misere", "H", "SA HK D8 C8"),
        ("pandoer", "S", "SJ SA HQ D7 C7"),
        ("zwabber", None, "S9 SJ SA HQ D7 C7"),
        ("120", "S", "SJ S9 SA HK HQ D7 C7"),  # king and queen count differently
    ],
)
def test_discards_by_example(bid: str, trump: str | None, discards: str) -> None:
    rules = ruleset("pagat")
    suit = None if trump is None else Suit.parse(trump)
    plans = [p for p in legal_plans(rules, rules.bid(bid), CARDS, Plan()) if p.trump == suit]
    assert {str(plan.discard) for plan in plans} == set(discards.split())


def test_all_discards_are_there_when_they_are_asked_for() -> None:
    rules = ruleset("pagat")
    plans = [*legal_plans(rules, rules.bid("misere"), CARDS, Plan(), everything=True)]
    assert {plan.discard for plan in plans} == set(CARDS)
    assert len(plans) == len(set(plans)) == 36


def test_a_fixed_discard_is_never_left_out() -> None:
    rules = ruleset("pagat")
    for card in CARDS:
        plans = [*legal_plans(rules, rules.bid("misere"), CARDS, Plan(discard=card))]
        assert [plan.discard for plan in plans] == [card] * 4


def test_who_raises_by_melds_of_his_own_keeps_them() -> None:
    """Queen, king and ace of hearts with the queen of spades: a run of three, and the marriage if hearts are trump."""
    cards = Hand("HA HK HQ SQ S7 S8 D7 D8 C7")
    rules = ruleset("wikipedia-en")
    run = set(["SQ", "S7", "S8", "D7", "D8", "C7"])
    for name, trump, allowed in (
        ("prive+20", "S", run),
        ("prive+20", "H", run | {"HA"}),  # the marriage is enough
        ("prive+40", "H", run),
        ("prive+40", "S", set()),
        ("prive+50", "H", set()),
        ("prive", "S", {str(card) for card in cards}),
    ):
        bid = rules.bid(name)
        plans = legal_plans(rules, bid, cards, Plan(trump=Suit.parse(trump)), everything=True)
        assert {str(plan.discard) for plan in plans} == allowed, name


def test_melds_of_the_side_do_not_bind_the_discard() -> None:
    rules = ruleset("pagat")
    plans = legal_plans(rules, rules.bid("pandoer+40"), CARDS, Plan(trump=Suit.SPADES), everything=True)
    assert {plan.discard for plan in plans} == set(CARDS)


def leads_of(name: str, bid: str, plan: Plan, fixed: Plan | None = None) -> list[str]:
    """The first leads of a plan with `CARDS`."""
    rules = ruleset(name)
    assert plan.discard is not None
    hidden = Layouts(rules.deck - CARDS, 3, 8).sample(0, 1, np.random.SeedSequence(1))[0]
    own = CARDS - plan.discard
    leads = legal_leads(contract_of(rules, rules.bid(bid), plan), [own.bits, *map(int, hidden)])
    found = with_leads(rules, rules.bid(bid), CARDS, plan, leads, fixed or Plan())
    assert all(replace(p, lead=None) == plan for p in found)
    return [str(p.lead) for p in found]


def test_first_leads() -> None:
    plan = Plan(Suit.SPADES, Card("C7"))
    assert leads_of("pagat", "praatje", plan) == ["SA", "SJ", "HK", "D8", "C8"]
    assert leads_of("pagat", "praatje", replace(plan, trump=Suit.CLUBS)) == ["SA", "SJ", "S9", "HK", "D8", "C8"]


def test_a_called_suit_is_led_with_must_or_need_not() -> None:
    plan = Plan(Suit.DIAMONDS, Card("C7"), Card("HA"))
    assert leads_of("wikipedia-nl", "120", plan) == [
        "SA", "SJ", "S9", "HK must", "HK need-not", "HQ must", "HQ need-not", "D8", "C8",
    ]  # fmt: skip
    # Two rounds of trumps, but for a lead of the called suit with must.
    assert leads_of("wikipedia-nl", "pandoer", plan) == ["HK must", "D8"]


def test_a_fixed_lead() -> None:
    plan = Plan(Suit.DIAMONDS, Card("C7"), Card("HA"))
    for text, found in (("HQ", ["HQ must", "HQ need-not"]), ("HQ must", ["HQ must"]), ("D7", ["D7"]), ("C7", [])):
        assert leads_of("wikipedia-nl", "120", plan, Plan(lead=Play.parse(text))) == found


def test_a_card_that_is_to_be_led_stands_in_for_no_discard() -> None:
    """The eight of diamonds would be the better discard; when it is led, the seven may be laid away."""
    rules = ruleset("pagat")
    for name, lead, other in (("praatje", "D8", "D7"), ("praatje", "HK", "HQ"), ("pandoer", "D7", "D8")):
        free, fixed = (
            {plan.discard for plan in legal_plans(rules, rules.bid(name), CARDS, Plan(Suit.SPADES, lead=play))}
            for play in (None, Play.parse(lead))
        )
        assert Card(other) in fixed - free
        assert Card(lead) in free - fixed


def test_the_suit_of_the_first_lead_is_trump() -> None:
    rules = ruleset("pandur")
    hand = Hand("SJ S9 SA HK HQ DA DT CT")
    plans = [*legal_plans(rules, rules.bid("pandur-mit"), hand, Plan())]
    assert [plan.trump for plan in plans] == [*Suit]
    others = [int(bits) for bits in Layouts(rules.deck - hand, 2, 8).sample(0, 1, np.random.SeedSequence(1))[0]]
    for plan in plans:
        leads = legal_leads(contract_of(rules, rules.bid("pandur-mit"), plan), [hand.bits, *others])
        assert {lead.card.suit for lead in leads} == {plan.trump}


def test_a_plan_in_words() -> None:
    plan = Plan(Suit.SPADES, Card("CT"), Card("HA"), Play.parse("HK must"))
    assert str(plan) == "trump ♠, discard ♣T, call ♥A, lead ♥K must"
    assert plan.text("nl") == "trump ♠, discard ♣10, call ♥A, lead ♥H must"
    assert plan.text("ch") == "trump ♠ (Schilten), discard ♣B, call ♥A, lead ♥K must"
    assert plan.to_json() == {"trump": "S", "discard": "CT", "called": "HA", "lead": "HK must"}
    assert str(Plan()) == "no trump"


def test_kereltje_needs_a_jack_of_the_deck() -> None:
    rules = ruleset("pagat")
    small = replace(rules, deck=Hand("SJ SA HA HK DA DK CA CK C7"), hand=2)
    plans = [*legal_plans(small, small.bid("kereltje"), Hand("HA HK DA"), Plan())]
    assert {plan.trump for plan in plans} == {Suit.SPADES}
    with pytest.raises(PandoerError, match="unknown bid"):
        small.bid("110")
