"""The slow reference for chances: on games small enough to count by hand."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

from pandoer.rulesets import Ruleset
from tests import reference
from tests.chances import BIDS, TINY, Answer, Plan, chance, question, random_question, tiny, work

# Unseen with SA SQ in hand: two spades and five hearts, or with one of these as the watch card six cards.
SPADES = tiny("pagat", "SA SQ SK S7 H6 H7 H8 H9 HT", 2)
# All trumps on top; the only ace is the declarer's, so he calls the one king.
TRUMPS = "SJ SA SK SQ H6 H7 H8 C7 D7"


def solo(**known: Any) -> Answer:
    return chance(SPADES, "solo-zwabber", "SA SQ", "H6", players=4, **known)


def best(answer: Answer) -> set[Plan]:
    return {plan for plan, value in answer.plans.items() if value == answer.chance}


def test_a_second_best_card() -> None:
    """SA SQ win both tricks unless SK and S7 lie together: S7's holder has one other card of the five."""
    answer = solo()
    assert answer.layouts == 90
    assert answer.plans == {
        ("-", "H6", None, None): Fraction(4, 5),
        ("-", "SA", None, None): 0,
        ("-", "SQ", None, None): 0,
    }
    assert answer.chance == Fraction(4, 5)


def test_closed_watch_card() -> None:
    """Two tricks are sure with SK, S7 or HT, the highest heart; with the four others it is as before."""
    answer = chance(SPADES, "solo-zwabber", "SA SQ", None, players=4)
    assert answer.plans == {}
    assert answer.layouts == 7 * 90
    assert {card: one.chance for card, one in answer.watches.items()} == {
        "SK": 1, "S7": 1, "HT": 1, **dict.fromkeys(["H6", "H7", "H8", "H9"], Fraction(4, 5)),
    }  # fmt: skip
    assert answer.chance == (3 + 4 * Fraction(4, 5)) / 7


def test_known_cards_and_voids() -> None:
    assert solo(known={1: "SK"}).chance == Fraction(4, 5)
    assert solo(known={1: "SK", 2: "S7"}).chance == 1
    assert solo(known={3: "SK S7"}).chance == 0
    assert solo(known={1: "SK HT"}).chance == 1
    # Without spades at seat 1, SK and two hearts and S7 are shared by two: together with chance 1/3.
    assert solo(void={1: "S"}).chance == Fraction(2, 3)
    assert solo(void={1: "S", 2: "S"}).chance == 0
    assert solo(void={1: "H"}).chance == 0


def test_closed_watch_card_weighs_layouts() -> None:
    """With no hearts at seat 1 he has both spades, so neither is the watch card, and no plan wins but HT's."""
    answer = chance(SPADES, "solo-zwabber", "SA SQ", None, players=4, void={1: "H"})
    assert set(answer.watches) == {"H6", "H7", "H8", "H9", "HT"}
    # Watch HT: the lead of HT, then SA, wins both: SK and S7 cannot both be kept from SA.
    assert answer.chance == Fraction(1, 5)
    # A card known to lie with somebody is not the watch card.
    answer = chance(SPADES, "solo-zwabber", "SA SQ", None, players=4, known={2: "S7"})
    assert answer.chance == (2 + 4 * Fraction(4, 5)) / 6


def test_missing_ace_in_hand_or_stock() -> None:
    rules = tiny("pandur", "SK SQ SA C9 D9 H9", 2)
    answer = chance(rules, "pandur-ohne", "SK SQ", None, players=2)
    assert answer.plans == {("-", None, None, None): Fraction(1, 2)}  # the other holds two of the four cards
    seen_in_stock = chance(rules, "pandur-ohne", "SK SQ", None, players=2, known={2: "C9"})
    assert seen_in_stock.chance == Fraction(1, 3)
    with_both = tiny("pandur", "SK SQ SA C9 D9 H9", 2)
    assert chance(with_both, "pandur-ohne", "SK SQ", None, players=3).chance == 0


def test_blind_lead() -> None:
    """Misère with HT DT: dry if the other holds HJ when hearts are led, or DJ when diamonds are."""
    rules = tiny("pandur", "HT DT HJ DJ S9 C9", 2)
    assert chance(rules, "misere-ohne", "HT DT", None, players=2).chance == 1 - Fraction(1, 6)
    blind = chance(rules, "misere-ohne", "HT DT", None, players=2, view="blind-lead")
    assert blind.plans == {("-", None, None, "DT"): Fraction(1, 2), ("-", None, None, "HT"): Fraction(1, 2)}


def test_trump_of_the_first_lead() -> None:
    rules = tiny("pandur", "SJ S9 HA C9 D9 HT", 2)
    answer = chance(rules, "pandur-mit", "SJ HA", None, players=2)
    # Trump S: S9, if he has it, falls on SJ. Trump H: SJ is the highest of its suit.
    assert answer.plans == {("H", None, None, None): 1, ("S", None, None, None): 1}
    answer = chance(rules, "pandur-mit", "SJ HA", None, players=2, view="blind-lead")
    assert set(answer.plans) == {("H", None, None, "HA"), ("S", None, None, "SJ")}


def test_called_card_makes_the_partner() -> None:
    """SJ draws the trumps, DA of the partner wins D7: unless S9 and S7 lie together (1/5)."""
    rules = tiny("pagat", "SJ D7 H6 DA S9 S7 H7 H8 C7", 2)
    answer = chance(rules, "pandoer", "SJ D7", "H6", players=4)
    assert answer.plans["S", "H6", "DA", None] == Fraction(4, 5)
    assert {plan[2] for plan in answer.plans} == {"DA"}
    assert len(answer.plans) == 3 * 4


def test_holder_of_the_called_card_holds_another() -> None:
    """SJ SA win everything; the marriage is the side's if the holder of SK has SQ too: 1 of 5 other cards."""
    answer = chance(tiny("pagat", TRUMPS, 2), "pandoer+20", "SJ SA", "H6", players=4)
    assert ("S", "H6", "SK", None) in best(answer)
    assert {plan[0] for plan in best(answer)} == {"S"}
    assert answer.chance == Fraction(2 - 1, 6 - 1)
    assert chance(tiny("pagat", TRUMPS, 2), "pandoer", "SJ SA", "H6", players=4).chance == 1
    assert chance(tiny("pagat", TRUMPS, 2), "pandoer+40", "SJ SA", "H6", players=4).chance == 0


def test_exactly_one_and_the_jack() -> None:
    """The first trick is sure. The second has to be lost, although the others would rather lose it too."""
    rules = tiny("wikipedia-en", "SA H6 C7 S7 S8 H7 C8 D7 D8", 2)
    answer = chance(rules, "piccolo", "SA H6", "C7", players=4)
    # H7 (or C8) is kept only if its holder has to follow SA with S7 or S8.
    assert answer.plans == {
        ("-", "C7", None, None): Fraction(2, 5),
        ("-", "H6", None, None): Fraction(2, 5),
        ("-", "SA", None, None): 0,
    }

    deck = "SJ H7 C7 S7 S8 H8 C8 D7 D8"
    answer = chance(tiny("pagat", deck, 2), "piccolo", "SJ H7", "C7", players=4)
    # The same with SJ as trump, and S7 S8 together leave a trump for the second trick.
    assert answer.chance == Fraction(2, 5) + Fraction(1, 5)
    assert best(answer) == {("S", "C7", None, None), ("S", "H7", None, None)}
    # Where only the jack's trick counts it may be the second one: H7 is beaten first.
    assert chance(tiny("butselaar", deck, 2), "piccolo", "SJ H7", "C7", players=4).chance == 1


def test_kereltje() -> None:
    rules = tiny("pagat", "SJ S9 SA H6 H7 H8 H9 C7 D7", 2)
    answer = chance(rules, "kereltje", "S9 SA", "H6", players=4)
    assert {plan[0] for plan in answer.plans} == {"S"}
    assert answer.plans["S", "H6", None, None] == 1
    assert chance(rules, "kereltje", "SJ SA", "H6", players=4) == Answer(Fraction(0), {}, 90)


def test_zwabbers() -> None:
    deck = "HA CA S7 S8 S9 ST D7 D8 D9"
    assert chance(tiny("wikipedia-nl", deck, 2), "zwabber", "HA CA", "S7", players=4).chance == 0
    answer = chance(tiny("wikipedia-en", deck, 2), "zwabber", "HA CA", "S7", players=4)
    assert answer.chance == 1  # all tricks alone
    asked = question(tiny("wikipedia-en", deck, 2), "zwabber", "HA CA", "S7", players=4)
    assert asked.payoffs(("-", "S7", None, None)) == {0: 3 + 1, 1: None, 2: None, 3: None}
    # With CA and S7 the second trick is somebody else's, who thereby is the partner: made without the bonus.
    assert asked.payoffs(("-", "HA", None, None))[0] == 3


def test_zwabber_called() -> None:
    """The first four tricks are the declarer's own: the partner's ace is of no use."""
    rules = tiny("pagat", "SA SQ SK S7 H6 H7 H8 HA HT", 2)
    answer = chance(rules, "zwabber", "SA SQ", "H6", players=4)
    assert answer.plans["-", "H6", "HA", None] == Fraction(4, 5)


def test_joined_misere() -> None:
    """Hearts are led and HA wins: the asker is dry, the joiner too unless HA is his."""
    rules = tiny("wikipedia-nl", "H6 H7 H8 HA S7 S8 C7 C8 D7", 2)
    answer = chance(rules, "misere", "H6 H7", "H8", players=4, joiners=[1])
    assert answer.chance == 1
    assert answer.together == Fraction(2, 3)
    assert set(answer.plans) == set(answer.plans_together) == {("-", card, None, None) for card in ("H6", "H7", "H8")}
    for seat, together in ((1, 0), (2, 1), (3, 1)):
        answer = chance(rules, "misere", "H6 H7", "H8", players=4, joiners=[1], known={seat: "HA"})
        assert answer.chance == 1
        assert answer.together == together


# --- plans ---


def plans(rules: Ruleset, bid: str, hand: str, watch: str | None, **more: Any) -> set[Plan]:
    return set(question(rules, bid, hand, watch, players=4, **more).plans())


def test_what_may_be_called() -> None:
    nl = TINY["wikipedia-nl"]  # HA and DA are its aces, HK its king
    calls = {plan[0]: set() for plan in plans(nl, "pandoer", "SJ S9", "S7")}  # type: dict[str, set[str | None]]
    for plan in plans(nl, "pandoer", "SJ S9", "S7"):
        calls[plan[0]].add(plan[2])
    assert calls == {"C": {"HA", "DA"}, "D": {"HA"}, "H": {"DA"}, "S": {"HA", "DA"}}
    assert {plan[2] for plan in plans(nl, "pandoer", "SJ HA", "DA")} == {"HK"}
    assert {plan[2] for plan in plans(nl, "pandoer", "SJ HA", "D7") if plan[0] == "D"} == {"DA"}
    anything = {plan[2] for plan in plans(TINY["pagat"], "pandoer", "SJ S9", "SK") if plan[0] == "H"}
    assert anything == {"HA", "DA"}
    assert plans(nl, "prive", "HA HK", "DA") == {
        (trump, discard, None, None) for trump in "CDHS" for discard in ("HA", "HK", "DA")
    }


def test_protected_leads() -> None:
    nl = TINY["wikipedia-nl"]

    def leads(bid: str, trump: str, called: str) -> set[str | None]:
        found = plans(nl, bid, "SJ H8", "D7", view="blind-lead")
        return {plan[3] for plan in found if plan[:3] == (trump, "D7", called)}

    assert leads("20", "S", "HA") == {"SJ", "H8 must", "H8 need-not"}
    assert leads("20", "S", "DA") == {"SJ", "H8"}
    assert leads("pandoer", "S", "HA") == {"SJ", "H8 must"}
    assert leads("pandoer", "S", "DA") == {"SJ"}
    assert leads("pandoer", "C", "HA") == {"SJ", "H8 must", "H8 need-not"}
    assert leads("pandoer", "H", "DA") == {"H8"}
    assert leads("prive", "S", "HA") == set()


def test_raises_keep_their_melds() -> None:
    en = TINY["wikipedia-en"]
    assert plans(en, "prive+20", "SK SQ", "H6") == {("S", "H6", None, None)}
    assert plans(en, "prive+20", "SK H6", "SQ") == {("S", "H6", None, None)}
    assert plans(en, "pandoer+20", "SK SQ", "H6") == {("S", "H6", card, None) for card in ("HA", "CA")}
    assert plans(en, "prive+40", "SK SQ", "H6") == set()
    assert len(plans(TINY["pagat"], "pandoer+20", "HK H7", "D8")) == 3 * 4 * 2  # no such rule


# --- points, melds and payoffs ---


def test_points() -> None:
    """SJ S9 and the last trick are 39; HA is 11 more if the other holds it."""
    rules = tiny("pandur", "SJ S9 C9 D9 H9 HA", 2)
    asked = question(rules, "40", "SJ S9", None, players=2)
    plan = ("S", None, None, None)
    assert asked.points(plan) == {39: Fraction(1, 2), 50: Fraction(1, 2)}
    assert asked.answer().plans[plan] == asked.answer().chance == Fraction(1, 2)
    assert asked.payoffs(plan) == {0: 1, 1: 1}  # the value is 2
    assert chance(rules, "50", "SJ S9", None, players=2).chance == Fraction(1, 2)
    assert chance(rules, "60", "SJ S9", None, players=2).chance == 0


def test_denial() -> None:
    """The run of nine to jack counts unless one of two opponents holds all of HJ HQ HK."""
    rules = tiny("pandur", "S9 ST SJ HJ HQ HK H9 C9 D9", 3)
    asked = question(rules, "70", "S9 ST SJ", None, players=3)
    plan = ("S", None, None, None)
    whole = 20 + 14 + 10 + 2 + 3 + 4 + 5
    assert asked.points(plan) == {whole + 20: Fraction(18, 20), whole: Fraction(2, 20)}
    value = Fraction(asked.bid.value)
    assert asked.payoffs(plan) == {0: value * 9 / 10, 1: value / 10, 2: value / 10, 3: value / 10}


def test_bidders_deny() -> None:
    deck = "SJ S9 SA SK H8 H7 H6 HA HK HQ C7 D7 D8"
    # The declarer's run of H8 H7 H6 against HA HK HQ of an opponent.
    layout = (("HA", "HK", "HQ"), ("C7", "SA", "D8"), ("SJ", "S9", "SK"), ())
    plan = ("C", "D7", "SA", None)
    points = {}
    for bidders in ((), (0,), (2, 3), (1,), (1, 2)):
        asked = question(tiny("pagat", deck, 3), "20", "H8 H7 H6", "D7", players=4, bidders=bidders)
        points[bidders] = asked.result(plan, layout).points or 0
    assert points[()] == points[0,] == points[2, 3] == points[1,] + 20 == points[1, 2] + 20


def test_lost_by_the_protected_card() -> None:
    """With one card each a lead that forbids the called card, when the partner has no other, is lost."""
    rules = tiny("wikipedia-nl", "HA H7 C7 D7 S7", 1)
    asked = question(rules, "10", "H7", "C7", players=4, view="blind-lead")
    assert asked.points(("S", "C7", "HA", "H7 must")) == {11 + 5: 1}
    assert asked.points(("S", "C7", "HA", "H7 need-not")) == {None: 1}
    answer = asked.answer()
    assert answer.plans["S", "C7", "HA", "H7 must"] == 1
    assert answer.plans["S", "C7", "HA", "H7 need-not"] == 0
    assert asked.payoffs(("S", "C7", "HA", "H7 must"))[0] == 1
    assert asked.payoffs(("S", "C7", "HA", "H7 need-not"))[0] == -1


@pytest.mark.parametrize(
    ("rules", "bid", "called", "declarer", "other"),
    [
        ("pagat", "pandoer", "SK", 5, Fraction(5, 3)),  # one of three is the partner
        ("cappelle", "prive", None, 6, 0),
        ("butselaar", "20", "SK", 1, Fraction(1, 3)),
        ("wikipedia-nl", "pandoer", "SK", 5, Fraction(5 - 5 - 5, 3)),
        ("wikipedia-nl", "prive", None, 3 * 7, -7),
        ("wikipedia-en", "pandoer", "SK", 5, Fraction(5, 3)),
        ("wikipedia-en", "20", "SK", 1 + 1, Fraction(2, 3)),  # a cent each for all tricks
        ("wikipedia-en", "prive", None, 10, 0),
    ],
)
def test_payoffs_of_a_sure_thing(rules: str, bid: str, called: str, declarer: int, other: Fraction) -> None:
    asked = question(tiny(rules, TRUMPS, 2), bid, "SJ SA", "H6", players=4)
    plan = ("S", "H6", called, None)
    assert asked.answer().plans[plan] == 1
    assert asked.payoffs(plan) == {0: declarer, 1: other, 2: other, 3: other}


def test_payoffs_of_a_lost_misere() -> None:
    asked = question(tiny("wikipedia-nl", TRUMPS, 2), "misere", "SJ SA", "H6", players=4)
    assert asked.payoffs(("S", "H6", None, None)) == {0: -3 * 2, 1: 2, 2: 2, 3: 2}


# --- random questions ---


def test_every_objective_has_a_bid() -> None:
    found = {(name, reference.bid_of(name, bid).kind) for name, bids in BIDS.items() for bid in bids}
    every = {(name, bid.objective.name) for name, rules in TINY.items() for bid in rules.bids}
    assert found == every


def test_random_questions() -> None:
    rng = Random(1)
    kinds, seen = set(), set()
    for _ in range(40):
        asked = random_question(rng, milliseconds=100)
        assert work(asked) <= 100
        kinds.add(asked.bid.objective.name)
        seen.add((bool(asked.watch), asked.view, bool(asked.known), bool(asked.joiners)))
        answer = asked.answer()
        assert 0 <= answer.chance <= 1
        if asked.closed:
            assert sum(one.layouts for one in answer.watches.values()) == answer.layouts > 0
            continue
        assert answer.chance == max(answer.plans.values(), default=0)
        assert asked.layouts()
        for plan, value in answer.plans.items():
            if asked.bid.objective.name == "points":
                points = asked.points(plan)
                reached = (p for n, p in points.items() if n is not None and n >= (asked.bid.target or 0))
                assert sum(points.values()) == 1
                assert sum(reached) == value
    assert len(kinds) >= 7
    assert len(seen) >= 6


def test_a_lead_in_sight_of_all_cards_is_no_worse() -> None:
    rng = Random(2)
    for _ in range(12):
        asked = random_question(rng, milliseconds=60)
        more = {"view": "double-dummy"} if asked.view == "blind-lead" else {"view": "blind-lead"}
        other = question(
            asked.rules, asked.bid, asked.hand, asked.watch, players=asked.players, known=asked.known,
            void=asked.void, bidders=asked.bidders, joiners=asked.joiners, **more,  # type: ignore[arg-type]
        ).answer()  # fmt: skip
        own = asked.answer()
        seeing, blind = (other, own) if asked.view == "blind-lead" else (own, other)
        assert seeing.chance >= blind.chance
        for plan, value in blind.plans.items():
            assert seeing.plans[(*plan[:3], None)] >= value
