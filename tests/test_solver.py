"""`solve`: golden problems, random endings against the slow reference, and the rules one example each.

Section numbers are those of the rules of the games.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given, settings

import pandoer
from pandoer import Deal, PandoerError, PlayRules, Problem, Solution, legal_plays, ruleset, solve
from tests import positions, reference, strategies
from tests.positions import RULESETS_33, after, golden, legal_moves, random_problem

pytestmark = pytest.mark.sanitized

RULESETS = (*RULESETS_33, "pandur")


def ask(**problem: Any) -> Solution:
    return solve(problem)


def best(solution: Solution) -> set[str]:
    return set(map(str, solution.best))


# Golden problems and the reference


@pytest.mark.parametrize("name", ["33-cards.jsonl", "pandur.jsonl"])
def test_golden_problems(name: str) -> None:
    lines = golden(name)
    assert len(lines) >= 71
    for line in lines:
        answer = solve(pandoer.problem(line)).to_json()
        assert {key: answer[key] for key in line["expect"]} == line["expect"], line


def check(problem: positions.Problem) -> None:
    """The kernel's answer has to be the reference's."""
    answer, expected = solve(problem).to_json(), reference.solve(problem)
    answer["best"], expected["best"] = set(answer["best"]), set(expected["best"])
    del answer["nodes"]
    target = pandoer.problem(problem).contract.target
    counts = expected["points"] is not None or expected["tricks"] is not None
    if target is None and not counts and answer["made"] is None:
        expected["made"] = None  # a count without a target, lost by a protected card: no yes or no was asked
    assert answer == expected, problem


@pytest.mark.parametrize("rules", RULESETS)
@pytest.mark.parametrize(("cards", "number"), [(1, 200), (2, 400), (3, 250)])
def test_small_endings_against_the_reference(rules: str, cards: int, number: int) -> None:
    rng = random.Random(f"{rules} {cards}")
    for _ in range(number):
        check(random_problem(rng, cards, rules))


@pytest.mark.parametrize("rules", RULESETS)
@pytest.mark.parametrize(("cards", "number"), [(4, 35), (5, 1)])
def test_larger_endings_against_the_reference(rules: str, cards: int, number: int) -> None:
    rng = random.Random(f"{rules} {cards}")
    for _ in range(number):
        check(random_problem(rng, cards, rules))


@settings(max_examples=150)
@given(strategies.problems(2))
def test_any_ending_of_two_cards(problem: positions.Problem) -> None:
    check(problem)


@settings(max_examples=100)
@given(strategies.problems(3))
def test_any_ending_of_three_cards(problem: positions.Problem) -> None:
    check(problem)


# Section 3: playing to a trick


def plays(hand: str, trick: str, rules: PlayRules, trump: str = "S") -> set[str]:
    return set(map(str, legal_plays(hand, trick.split(), trump, rules)))


@pytest.mark.parametrize("rules", RULESETS)
def test_jack_exemption(rules: str) -> None:
    """3.4: the trump jack never has to be played to a trick that another led."""
    play = ruleset(rules).play
    assert plays("SJ HK", "S9", play) == {"SJ", "HK"}  # as if void in trumps
    assert plays("SJ S7 HK", "S9", play) == {"SJ", "S7"}  # but other trumps have to follow
    assert plays("SJ", "S9", play) == {"SJ"}
    assert plays("SJ S7", "H8 S9", play) == {"SJ", "S7"}  # without the jack S7 has to undertrump
    exact = PlayRules(jack_exempt=False, beat_led_trump=play.beat_led_trump)
    assert plays("SJ HK", "S9", exact) == {"SJ"}


def test_jack_exemption_where_a_led_trump_has_to_be_beaten() -> None:
    play = ruleset("wikipedia-en").play
    assert plays("SJ SA S7", "SQ", play) == {"SJ", "SA"}  # SA has to beat, with or without the jack
    assert plays("SJ S8 S7", "SQ", play) == {"SJ", "S8", "S7"}  # without the jack nothing beats


UNDERTRUMP = {  # hands to the trick H7 SQ, trump spades: what each value of the switch allows
    "H8 S7": {"free": "H8 S7", "no-higher": "H8 S7", "forced": "H8", "void": "H8"},
    "H8 S7 SA": {"free": "H8 S7 SA", "no-higher": "H8 SA", "forced": "H8 SA", "void": "H8 SA"},
    "D8 S7": {"free": "D8 S7", "no-higher": "D8 S7", "forced": "D8", "void": "D8 S7"},
    "D8 S7 SA": {"free": "D8 S7 SA", "no-higher": "D8 SA", "forced": "D8 SA", "void": "D8 S7 SA"},
    "S7 SA": {"free": "S7 SA", "no-higher": "SA", "forced": "SA", "void": "S7 SA"},
    "S7 S8": {"free": "S7 S8", "no-higher": "S7 S8", "forced": "S7 S8", "void": "S7 S8"},
}


@pytest.mark.parametrize("hand", UNDERTRUMP)
@pytest.mark.parametrize("undertrump", ["free", "no-higher", "forced", "void"])
def test_undertrump(hand: str, undertrump: Any) -> None:
    """3.3: when a lower trump than the best in the trick may be laid."""
    assert plays(hand, "H7 SQ", PlayRules(undertrump=undertrump)) == set(UNDERTRUMP[hand][undertrump].split())


def test_ruff_when_able() -> None:
    """3.3: able to follow a plain suit, may one play a trump?"""
    assert plays("H8 SA D7", "H7", PlayRules()) == {"H8", "SA"}
    assert plays("H8 SA D7", "H7", PlayRules(ruff_when_able=False)) == {"H8"}
    assert plays("D8 SA", "H7", PlayRules(ruff_when_able=False)) == {"D8", "SA"}  # nobody ever has to ruff


def test_beat_led_trump() -> None:
    """3.2: a led trump has to be beaten by who can; a ruff of a plain suit need not be."""
    play = ruleset("wikipedia-en").play
    assert plays("SA S7 HK", "SQ", play) == {"SA"}
    assert plays("S9 SK HK", "SQ SA", play) == {"S9"}
    assert plays("S8 S7 HK", "SQ", play) == {"S8", "S7"}
    assert plays("H8 SA", "H7 SQ", play) == {"H8", "SA"}
    assert plays("SA S7 HK", "SQ", ruleset("pagat").play) == {"SA", "S7"}


def test_without_trump() -> None:
    """3.1: follow if able."""
    assert plays("H8 SJ D7", "H7", PlayRules(), trump="-") == {"H8"}
    assert plays("SJ D7", "H7", PlayRules(), trump="-") == {"SJ", "D7"}


def test_undertrump_is_void_in_misere_mit() -> None:
    """3 and 7: Pandur has `forced`, its Misère mit `void`."""
    trick: dict[str, Any] = {"rules": "pandur", "trump": "S", "trick_number": 1, "trick": ["CA", "SA"]}
    trick["hands"] = ["D9", "C9", "ST DA"]
    assert set(legal_moves(trick | {"contract": "130"})) == {"DA"}
    assert set(legal_moves(trick | {"contract": "misere-mit"})) == {"ST", "DA"}


# Section 5: the called card, must and need not

PROTECTED = {
    "rules": "wikipedia-nl", "contract": "130", "trump": "S", "called": "HA",
    "hands": ["HK SA D7", "H7 S9 D8", "HA H8 S7", "S8 D9 C7"],
}  # fmt: skip


def test_each_lead_of_the_called_suit_is_two_moves() -> None:
    assert set(legal_moves(PROTECTED)) == {"HK must", "HK need-not", "SA", "D7"}


def test_must() -> None:
    """The partner plays the called card; who can follow follows, who cannot plays a plain card."""
    trick = after(PROTECTED, "HK must")
    assert set(legal_moves(trick)) == {"H7"}
    trick = after(trick, "H7")
    assert set(legal_moves(trick)) == {"HA"}
    assert set(legal_moves(after(trick, "HA"))) == {"D9", "C7"}


def test_need_not() -> None:
    """The partner keeps the called card and everybody may ruff as always."""
    trick = after(PROTECTED, "HK need-not")
    assert set(legal_moves(trick)) == {"H7", "S9"}
    trick = after(trick, "H7")
    assert set(legal_moves(trick)) == {"H8", "S7"}
    assert set(legal_moves(after(trick, "H8"))) == {"S8", "D9", "C7"}


def test_need_not_when_the_called_card_is_the_only_one_of_its_suit() -> None:
    """He may ruff, or play it and lose the contract at once."""
    hands = ["HK SA D7", "H7 S9 D8", "HA C8 S7", "S8 D9 C9"]
    trick = after(after(PROTECTED | {"hands": hands}, "HK need-not"), "H7")
    assert set(legal_moves(trick)) == {"HA", "S7"}
    lost = solve(after(trick, "HA"))
    assert (lost.made, lost.points) == (False, None)
    assert best(lost) == {"S8", "D9", "C9"}  # all the same by now
    assert best(solve(trick)) == {"S7"}


ONE_CARD = PROTECTED | {"contract": "100", "hands": ["HK", "H7", "HA", "SJ"]}


def test_a_trump_cannot_win_a_must_trick() -> None:
    """Laid because nothing else is left, the jack of trumps loses to the called card."""
    must = solve(ONE_CARD | {"lead": "HK must"})
    assert must.points == 3 + 0 + 11 + 20 + 5
    tricks = ONE_CARD | {"objective": {"kind": "tricks", "side": [0, 2]}, "play": {"called_card": "protect"}}
    del tricks["contract"]
    assert solve(tricks | {"lead": "HK must"}).tricks == 1


def test_any_trump_may_be_laid_to_a_must_trick_when_nothing_else_is_left() -> None:
    hands = ["HK SA D7", "H7 C9 D8", "HA H8 S7", "S8 SJ SQ"]
    trick = after(after(after(PROTECTED | {"hands": hands}, "HK must"), "H7"), "HA")
    assert set(legal_moves(trick)) == {"S8", "SJ", "SQ"}


def test_contract_lost_at_once_by_the_called_card() -> None:
    """Forced to play it to a *need not* trick, the partner loses a points contract whatever its points."""
    need_not = solve(ONE_CARD | {"lead": "HK need-not", "state": {"points": 140}})
    assert (need_not.made, need_not.points) == (False, None)
    assert best(solve(ONE_CARD)) == {"HK must"}
    counted = ONE_CARD | {"objective": {"kind": "points", "side": [0, 2]}, "play": {"called_card": "protect"}}
    del counted["contract"]
    need_not = solve(counted | {"lead": "HK need-not"})
    assert (need_not.made, need_not.points) == (None, None)


def test_other_leads_are_not_protected() -> None:
    led_by_another = after(PROTECTED | {"leader": 1}, "H7")
    assert set(legal_moves(led_by_another)) == {"HA", "H8", "S7"}
    ace_of_trumps = PROTECTED | {"called": "S9", "hands": ["HK SA D7", "H7 C9 D8", "HA H8 S7", "S8 D9 S9"]}
    assert set(legal_moves(ace_of_trumps)) == {"HK", "SA", "D7"}
    played_before = PROTECTED | {"called": "HQ", "state": {"partner": 2}}
    assert set(legal_moves(played_before)) == {"HK", "SA", "D7"}
    assert set(legal_moves(PROTECTED | {"rules": "pagat"})) == {"HK", "SA", "D7"}


TRUMP_LEADS = {
    "rules": "wikipedia-nl", "contract": "pandoer", "trump": "S", "called": "HA", "trick_number": 0,
    "hands": ["SJ HK D7 C7", "S7 H7 C8 D8", "HA H8 S8 CK", "C9 D9 DT CT"],
}  # fmt: skip


def test_trump_leads() -> None:
    """In tricks 1 and 2 of a pandoer the declaring side leads trumps, the lone jack included."""
    assert set(legal_moves(TRUMP_LEADS | {"trick_number": 1})) == {"SJ"}
    assert set(legal_moves(TRUMP_LEADS | {"trick_number": 1, "leader": 2})) == {"S8"}
    assert set(legal_moves(TRUMP_LEADS | {"trick_number": 1, "leader": 1})) == {"S7", "H7", "C8", "D8"}
    third = {"SJ", "HK must", "HK need-not", "D7", "C7"}
    assert set(legal_moves(TRUMP_LEADS | {"trick_number": 2})) == third
    assert set(legal_moves(TRUMP_LEADS | {"contract": "130"})) == third
    without_trumps = TRUMP_LEADS | {"trump": "D", "hands": ["SJ HK", "S7 H7", "HA H8", "C9 D9"]}
    assert set(legal_moves(without_trumps)) == {"SJ", "HK must", "HK need-not"}


def test_trump_leads_has_one_exception() -> None:
    """To trick 1 the declarer may lead the called suit, with *must* only."""
    assert set(legal_moves(TRUMP_LEADS)) == {"SJ", "HK must"}
    called_elsewhere = TRUMP_LEADS | {"leader": 2}
    assert set(legal_moves(called_elsewhere)) == {"S8"}


@pytest.mark.parametrize("contract", ["misere-mit", "pandur-mit"])
def test_first_card_led_is_a_trump(contract: str) -> None:
    """2: in Misère mit and Pandur mit the suit of the first card led is trump."""
    hands = ["C9 DA SK", "CA CK HQ", "DT HT SA"]
    mit = {"rules": "pandur", "contract": contract, "trump": "C", "hands": hands}
    assert set(legal_moves(mit | {"trick_number": 0})) == {"C9"}
    assert set(legal_moves(mit | {"trick_number": 1})) == {"C9", "DA", "SK"}


# Section 4: objectives

HIGH_AND_LOW = ["SA H7", "S7 HA", "H8 D8", "H9 D9"]


def test_jack_only() -> None:
    """The one trick has to be won with the trump jack."""
    game = {"rules": "butselaar", "contract": "piccolo", "trump": "S"}
    assert ask(**game, hands=["SJ H7", "S7 HA", "H8 D8", "H9 D9"]).made
    assert not ask(**game, hands=HIGH_AND_LOW).made
    later = {"hands": ["H7 D7", "S7 HA", "H8 D8", "H9 D9"]}
    won = {"winners": [0, 1, 1, 1, 1, 1]}
    assert ask(**game, **later, state=won | {"jack": True}).made
    lost = ask(**game, **later, state=won)
    assert not lost.made
    assert best(lost) == {"H7", "D7"}  # all legal cards when all are lost


def test_exactly_one() -> None:
    game = {"rules": "wikipedia-nl", "contract": "piccolo", "trump": "S", "hands": HIGH_AND_LOW}
    assert ask(**game).made
    assert not ask(**game, state={"winners": [0, 1, 1, 1, 1, 1]}).made
    assert not ask(**game | {"hands": ["D7 H7", "S7 HA", "H8 D8", "H9 D9"]}).made


def test_first_only() -> None:
    """Trick 1 and no other; an ending is alive, so trick 1 was the declarer's."""
    game = {"rules": "pagat", "contract": "piccolo", "trump": "S"}
    assert ask(**game, hands=HIGH_AND_LOW, trick_number=0).made
    assert best(ask(**game, hands=HIGH_AND_LOW, trick_number=0)) == {"SA"}
    assert not ask(**game, hands=HIGH_AND_LOW).made
    lowest = {"hands": ["D7 H7", "S7 HA", "H8 D8", "H9 D9"]}
    assert ask(**game, **lowest).made
    assert not ask(**game, **lowest, trick_number=0).made
    assert not ask(**game, **lowest, state={"winners": [1, 0, 1, 1, 1, 1]}).made


ZWABBER = {"contract": "zwabber", "trump": "-"}
ALL_EIGHT = ["CA DA", "CK DK", "CQ DQ", "CJ DJ"]
ONE_FOR_SEAT_1 = ["CA DQ", "CK DA", "C7 D7", "C8 D8"]
TWO_OTHERS = ["C7 D7", "CK D8", "C8 DK", "C9 D9"]


def test_zwabber_nl() -> None:
    """Of tricks 5 to 8 at least one is won by exactly one other player, the rest by the declarer."""
    game = ZWABBER | {"rules": "wikipedia-nl"}
    assert ask(**game, hands=ONE_FOR_SEAT_1).made
    assert not ask(**game, hands=TWO_OTHERS).made
    assert not ask(**game, hands=ALL_EIGHT).made  # winning all eight is not made
    assert ask(**game, hands=ALL_EIGHT, state={"winners": [0, 0, 0, 0, 0, 3]}).made
    assert not ask(**game, hands=ALL_EIGHT, state={"winners": [0, 0, 0, 3, 0, 0]}).made
    assert not ask(**game, hands=ALL_EIGHT, state={"winners": [0, 0, 0, 0, 1, 3]}).made


def test_zwabber_nl_trick_numbers_are_literal() -> None:
    """A game of fewer than five tricks cannot be made: nobody else may win one of the first four."""
    game = ZWABBER | {"rules": "wikipedia-nl", "hands": ONE_FOR_SEAT_1}
    assert [ask(**game, trick_number=n).made for n in range(7)] == 3 * [False] + 4 * [True]


def test_zwabber_en() -> None:
    """Only the declarer and one other player win tricks; winning all eight has made it."""
    game = ZWABBER | {"rules": "wikipedia-en"}
    assert ask(**game, hands=ONE_FOR_SEAT_1).made
    assert ask(**game, hands=ALL_EIGHT).made
    assert not ask(**game, hands=TWO_OTHERS).made
    assert ask(**game, hands=["C7", "CA", "C8", "C9"], trick_number=0).made  # the declarer needs no trick


def test_zwabber_partner_comes_into_being() -> None:
    """Seat 1 on lead: as the partner he leads D8 to make it, as an opponent D8 to defeat it."""
    game = ZWABBER | {"rules": "wikipedia-nl", "hands": ["DA D7", "D8 H9", "D9 HT", "DT H8"], "leader": 1}
    helping = ask(**game, state={"winners": [0, 0, 0, 0, 0, 1]})
    assert helping.made
    assert best(helping) == {"D8"}  # H9 would give seat 2 a trick
    assert ask(**game, state={"partner": 1}) == helping
    opposing = ask(**game, state={"winners": [0, 0, 0, 0, 0, 0]})
    assert not opposing.made
    assert best(opposing) == {"D8"}  # and the declarer wins all eight; H9 would make seat 2 the partner


def test_zwabber_called() -> None:
    """The declarer himself wins tricks 1 to 4, his side 5 to 8."""
    game = ZWABBER | {"rules": "pagat", "called": "DA", "hands": ONE_FOR_SEAT_1}
    assert [ask(**game, trick_number=n).made for n in range(7)] == 3 * [False] + 4 * [True]
    assert not ask(**game | {"called": "D8"}).made


def test_joined_misere() -> None:
    """The set stays dry together against the rest; each alone against everybody else."""
    game = {"rules": "wikipedia-nl", "contract": "misere", "trump": "-", "joiners": [2]}
    both = ask(**game, hands=["H7", "HA", "H8", "H9"])
    assert (both.made, both.dry) == (True, ((0, True), (2, True)))
    one = ask(**game, hands=["H7", "H8", "HA", "H9"])
    assert (one.made, one.dry) == (False, ((0, True), (2, False)))
    # Seat 0 spares seat 2 by leading clubs; with D7 he would make him win.
    spared = ask(**game, hands=["D7 C7", "C9 H9", "D8 C8", "CT HT"])
    assert (spared.made, spared.dry) == (True, ((0, True), (2, False)))
    assert best(spared) == {"C7"}
    assert spared.to_json()["dry"] == {"0": True, "2": False}


def test_misere_and_all() -> None:
    assert ask(rules="pagat", contract="misere", trump="S", hands=["H7", "HA", "H8", "H9"]).made
    assert not ask(rules="pagat", contract="misere", trump="H", hands=["HJ", "HA", "H8", "H9"]).made
    assert ask(rules="pagat", contract="pandoer", trump="S", called="HA", hands=["H7", "H9", "HA", "H8"]).made
    assert not ask(rules="pagat", contract="prive", trump="S", hands=["H7", "H9", "HA", "H8"]).made
    assert ask(rules="pagat", contract="kereltje", trump="S", hands=["H7", "HA", "SJ", "H8"]).made


def test_a_lone_seat_on_a_larger_side_may_not_drop_dominated_cards() -> None:
    """Seat 0 has to win every trick of a small game, and seat 1 helps him: CA under DA, HQ to the last."""
    solution = ask(
        rules="wikipedia-nl", objective={"kind": "zwabber-called", "side": [0, 1]}, declarer=0, leader=1,
        trump="D", hands=["CQ DA", "HQ CA"], trick_number=0,
    )  # fmt: skip
    assert solution.made


def test_ranks_matter_to_a_player_whose_winning_partner_spares_him_from_ruffing() -> None:
    """Belote's rule: whether seat 0 has to ruff hangs on who has the highest diamond so far."""
    solution = ask(
        rules="pagat", objective={"kind": "tricks", "side": [3]}, declarer=3, leader=1, trump="S",
        hands=["C8 ST HK", "CJ CT D9", "D8 DK HJ", "CA DT S8"],
        play={"ruff_when_able": False, "jack_exempt": False, "must_ruff": True, "partner_exempt": True},
    )  # fmt: skip
    assert (solution.tricks, best(solution)) == (0, {"D9"})


# Section 6: melds and marriage. The declarer wins all eight tricks of this deal with trump spades.

MELDS = {
    "trump": "S", "called": "DA", "discard": "H7",
    "hands": [
        "SJ S9 SA SK SQ ST HA HK",  # a run of six, 120, and marriage, 20
        "C7 C8 C9 CT CJ CQ CK H8",  # a run of seven
        "DA DK D7 D8 S7 CA H9 HT",
        "S8 D9 DT DJ DQ HJ HQ H6",  # a run of four
    ],
}  # fmt: skip


def test_all_and_points_of_melds() -> None:
    """`all + n`: every trick, and melds and marriage reach n."""
    game = MELDS | {"rules": "pagat"}
    assert ask(**game, contract="pandoer").made
    assert ask(**game, contract="pandoer+140").made
    missed = ask(**game, contract="pandoer+160")
    assert not missed.made
    assert len(missed.best) == 8
    assert ask(**game, contract="pandoer+140", bidders=[2, 3]).made  # no better meld there
    denied = game | {"bidders": [1]}
    assert ask(**denied, contract="pandoer+20").made  # marriage is never denied
    assert not ask(**denied, contract="pandoer+40").made


def test_who_may_deny() -> None:
    assert not ask(**MELDS, rules="cappelle", contract="pandoer+40").made  # any opponent
    assert ask(**MELDS, rules="wikipedia-en", contract="pandoer+140", bidders=[1]).made  # nobody
    assert not ask(**MELDS, rules="wikipedia-en", contract="pandoer+160").made


def test_melds_count_in_points_contracts() -> None:
    everything = 146
    game = MELDS | {"rules": "pagat", "contract": "150"}
    assert ask(**game).points == everything + 140
    assert ask(**game, bidders=[1]).points == everything + 20
    assert ask(**game, bidders=[1]).made
    assert not ask(**game, melds=False).made
    assert ask(**game, melds=False).points == everything
    counted = MELDS | {"rules": "pagat", "objective": {"kind": "points", "side": [0, 2]}}
    assert ask(**counted).points == everything
    assert ask(**counted, melds=True).points == everything + 140


def test_an_ending_of_pandoer_plus_20_is_alive() -> None:
    """Its melds were settled long ago; the question is only whether every trick is won."""
    game = {"rules": "pagat", "contract": "pandoer+20", "trump": "S", "called": "HA"}
    assert ask(**game, hands=["H7", "H9", "HA", "H8"]).made
    assert not ask(**game, hands=["H7", "HK", "HA", "S7"]).made


def test_all_with_a_target_counts_no_melds_unless_asked() -> None:
    game = MELDS | {"rules": "pagat", "objective": {"kind": "all", "side": [0, 2], "target": 20}}
    assert ask(**game, melds=True).made
    assert not ask(**game, melds=False).made
    assert not ask(**game).made


# Forced leads, states, and games that are over


def test_forced_lead() -> None:
    game: dict[str, Any] = {"rules": "pagat", "contract": "prive", "trump": "S"}
    game["hands"] = ["SA HK", "S7 HQ", "D7 D8", "D9 DT"]
    assert best(ask(**game)) == {"SA"}
    assert best(ask(**game, lead="SA")) == {"SA"}
    assert ask(**game, lead="SA").made
    lost = ask(**game, lead="HK")  # seat 1 ruffs
    assert not lost.made
    assert best(lost) == {"HK"}


def test_forced_protected_lead() -> None:
    """ "HK must" and "HK need-not" are two leads; "HK" leaves the choice."""
    assert best(solve(ONE_CARD | {"lead": "HK"})) == {"HK must"}
    assert best(solve(ONE_CARD | {"lead": "HK need-not"})) == {"HK need-not"}
    assert solve(ONE_CARD | {"lead": "HK"}).points == solve(ONE_CARD | {"lead": "HK must"}).points


def test_state_of_a_points_contract() -> None:
    game = {"rules": "cappelle", "contract": "120", "trump": "S", "called": "DK"}
    hands = ["SA", "S7", "HA", "H8"]
    answer = ask(**game, hands=hands, state={"partner": 2, "points": 93})
    assert (answer.points, answer.made) == (93 + 11 + 11 + 5, True)
    assert not ask(**game, hands=hands, state={"partner": 2, "points": 92}).made


def test_state_of_a_count_of_tricks() -> None:
    game = {"objective": {"kind": "tricks", "side": [0, 1], "target": 4}, "trump": "-"}
    answer = ask(**game, hands=["SA", "S7", "HA", "H8"], state={"winners": [0, 1, 2, 3, 0, 2, 2]})
    assert (answer.tricks, answer.made) == (4, True)


def test_an_ending_is_alive_unless_its_state_says_otherwise() -> None:
    game = {"rules": "pagat", "contract": "prive", "trump": "S", "hands": ["SA", "S7", "HA", "H8"]}
    assert ask(**game).made
    assert not ask(**game, state={"winners": [0, 0, 0, 0, 0, 0, 1]}).made
    misere = {"rules": "pagat", "contract": "misere", "trump": "S", "hands": ["H7", "S7", "HA", "H8"]}
    assert ask(**misere).made
    assert not ask(**misere, state={"winners": [1, 1, 0, 1, 1, 1, 1]}).made


def test_no_cards_left() -> None:
    over = {"rules": "pagat", "trump": "S", "hands": [".", ".", ".", "."]}
    assert ask(**over, contract="prive") == Solution(True, None, None, (), 0)
    assert not ask(**over, contract="prive", state={"winners": [0, 0, 0, 0, 0, 0, 0, 2]}).made
    assert ask(**over, contract="misere").made
    piccolo = over | {"rules": "butselaar", "contract": "piccolo"}
    assert not ask(**piccolo).made
    assert ask(**piccolo, state={"winners": [1, 1, 0, 1, 1, 1, 1, 1], "jack": True}).made
    points = ask(**over, contract="120", called="HA", state={"partner": 1, "points": 119})
    assert (points.made, points.points, points.best) == (False, 119, ())


def test_middle_of_a_trick() -> None:
    """The leader has one card less, and what he laid goes to the winner of the trick."""
    game = {"rules": "pagat", "contract": "prive", "trump": "S", "hands": ["SA", "S7 HQ", "D7 D8", "D9 DT"]}
    answer = ask(**game, trick=["HK"])
    assert not answer.made
    assert best(answer) == {"S7"}
    points = ask(**game | {"contract": "120", "called": "D7"}, trick=["HK"])
    assert points.points == 11 + 2 + 5  # SA takes HQ; HK went to S7


# Section 9: the worked deal

SEATS_BCA = ["CJ CA CK CT DA DK HK SK", "CQ HJ DJ SJ DT SQ HT ST", "C9 D9 H9 S9 DQ HQ HA SA"]
PLAYED = """CJ CQ C9  CA HJ D9  CK DJ H9  CT SJ S9  DA DT DQ  DK SQ HQ  HK HT HA  SA SK ST"""


@pytest.mark.parametrize(("trump", "points"), [("C", 132), ("D", 13), ("H", 0), ("S", 0)])
def test_worked_deal(trump: str, points: int) -> None:
    """With all cards open and best play B leads and makes exactly this."""
    objective = {"kind": "points", "side": [0]}
    assert ask(rules="pandur", objective=objective, trump=trump, hands=SEATS_BCA).points == points


def test_worked_deal_with_another_declarer() -> None:
    seats_abc = [SEATS_BCA[2], *SEATS_BCA[:2]]
    objective = {"kind": "points", "side": [0]}
    assert ask(rules="pandur", objective=objective, trump="H", hands=seats_abc).points == 60


def test_worked_deal_melds() -> None:
    """A's four nines deny B's four kings."""
    game = {"rules": "pandur", "contract": "200", "trump": "C", "hands": SEATS_BCA}
    assert ask(**game).points == 132
    without_a_nine = [SEATS_BCA[0], "C9 HJ DJ SJ DT SQ HT ST", "CQ D9 H9 S9 DQ HQ HA SA"]
    plain = ask(**game | {"hands": without_a_nine}, melds=False)
    assert ask(**game | {"hands": without_a_nine}).points == (plain.points or 0) + 100


def test_worked_deal_card_by_card() -> None:
    """The play as it went is legal, and gives B 102 of the 157."""
    play = ruleset("pandur").play
    problem: positions.Problem = {
        "rules": "pandur", "objective": {"kind": "points", "side": [0]}, "trump": "C", "hands": SEATS_BCA,
    }  # fmt: skip
    for card in PLAYED.split():
        seat = positions.to_move(problem)
        assert card in legal_plays(problem["hands"][seat], problem.get("trick", ()), "C", play)
        problem = after(problem, card)
    assert problem["leader"] == 2
    assert solve(problem).points == 102
    others = {"kind": "points", "side": [1, 2]}
    problem = {"rules": "pandur", "objective": others, "declarer": 1, "leader": 0, "trump": "C"}
    problem |= {"hands": SEATS_BCA}
    for card in PLAYED.split():
        problem = after(problem, card)
    assert solve(problem).points == 55


# Calls other than with a JSON object


def test_deal_with_a_contract() -> None:
    rules = ruleset("pagat")
    contract = rules.contract("pandoer", trump="S", called="HA")
    deal = "SJ D7 / S7 HT / HA H8 / C7 C8"
    solution = solve(deal, contract)
    assert solution == solve(Deal(deal), contract) == solve(Problem(Deal(deal), contract))
    assert best(solve(deal, contract, lead="D7")) == {"D7"}
    later = solve("D7 / S7 HT / HA H8 / C7 C8", contract, trick=["SJ"], trick_number=0)
    assert best(later) == {"S7"}


def test_deal_and_contract_go_together() -> None:
    contract = ruleset("pagat").contract("prive", trump="S")
    with pytest.raises(PandoerError, match="deal 'SJ / S7 / HA / C7' without a contract"):
        solve("SJ / S7 / HA / C7")
    with pytest.raises(PandoerError, match="own contract"):
        solve({"contract": "prive", "trump": "S", "hands": ["SJ", "S7", "HA", "C7"]}, contract)


@pytest.mark.parametrize("bits", [3, 40, "16", 16.0])
def test_table_bits(bits: Any) -> None:
    contract = ruleset("pagat").contract("prive", trump="S")
    with pytest.raises(PandoerError, match=f"table_bits {bits!r}: expected 4 to"):
        solve("SJ / S7 / HA / C7", contract, table_bits=bits)


def test_legal_plays_errors() -> None:
    with pytest.raises(PandoerError, match="'S7 S8 S9 ST': expected at most 3 cards"):
        legal_plays("SJ", ["S7", "S8", "S9", "ST"], "S")
    with pytest.raises(PandoerError, match="'SJ' of the trick is twice"):
        legal_plays("SJ", ["SJ"], "S")
    with pytest.raises(PandoerError, match="unknown trump 'X'"):
        legal_plays("SJ", ["S7"], "X")


# Mistakes in problems

MISSING = object()
PANDOER = {
    "rules": "pagat", "contract": "pandoer", "trump": "S", "called": "HA",
    "hands": ["SJ D7", "S7 HT", "HA H8", "C7 C8"],
}  # fmt: skip
PRIVE = {"rules": "pagat", "contract": "prive", "trump": "S", "hands": ["SJ D7", "S7 HT", "HA H8", "C7 C8"]}
POINTS_NL = PANDOER | {"rules": "wikipedia-nl", "contract": "130"}
POINTS_NL |= {"hands": ["HK D7", "S7 HT", "HA H8", "C7 C8"]}
MISERE_NL = PRIVE | {"rules": "wikipedia-nl", "contract": "misere", "trump": "-"}
FULL = MELDS | {"rules": "pagat", "contract": "pandoer"}
PANDUR = {"rules": "pandur", "contract": "130", "trump": "S", "hands": ["SJ", "S9", "SA"]}
OWN = PRIVE | {"contract": MISSING}

MISTAKES: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    # Trump
    (PANDOER, {"trump": MISSING}, "pandoer in pagat needs a trump suit: expected one of C, D, H, S"),
    (PANDOER, {"trump": "-"}, "pandoer in pagat needs a trump suit"),
    (PANDOER, {"trump": "Z"}, "unknown trump 'Z': expected C, D, H, S or '-' for none, or a suit's name"),
    (PANDOER, {"trump": 5}, "unknown trump 5"),
    (PANDOER, {"contract": "zwabber"}, "trump 'S': zwabber in pagat is played without trump"),
    (MISERE_NL, {"joiners": [1], "trump": "S"}, "trump 'S': misere in wikipedia-nl is played with joiners"),
    (MISERE_NL, {}, "misere in wikipedia-nl needs a trump suit"),
    (OWN, {"objective": {"kind": "jack-only"}, "trump": "-"}, "objective 'jack-only' needs a trump suit"),
    # The called card and the trump jack
    (PANDOER, {"called": MISSING}, "pandoer in pagat needs a called card"),
    (PRIVE, {"called": "HA"}, "called card 'HA': prive in pagat calls no card"),
    (PANDOER, {"called": "SJ"}, "called card 'SJ' is in the declarer's own hand"),
    (PANDOER, {"called": "DA"}, "called card 'DA' is in no hand and state gives no partner"),
    (FULL, {"called": "H7"}, "called card 'H7' is the discard"),
    (FULL, {"called": "DK"}, "called card 'DK' may not be called here: expected one of CA DA"),
    (FULL, {"rules": "wikipedia-nl", "trump": "D"},
     "called card 'DA' may not be called here: expected one of CA"),
    (PRIVE, {"contract": "kereltje"}, "trump jack 'SJ' is in the declarer's own hand"),
    (PRIVE, {"contract": "kereltje", "trump": "C"},
     "trump jack 'CJ' is in no hand and state gives no partner"),
    (PANDOER, {"state": {"partner": 1}}, "partner 1: the called card 'HA' is with seat 2"),
    (PANDOER, {"state": {"partner": 0}}, "partner 0: expected another seat than the declarer's, 0"),
    # Keys
    (PANDOER, {"trumps": "S"}, "unknown key 'trumps': expected some of rules, contract, objective"),
    (PANDOER, {"hands": MISSING}, "key 'hands' is missing"),
    (PRIVE, {"contract": MISSING}, "expected one of the keys 'contract' and 'objective'"),
    (PRIVE, {"objective": {"kind": "all"}}, "expected one of the keys 'contract' and 'objective'"),
    (PRIVE, {"rules": "bridge"}, "unknown ruleset 'bridge': expected one of wikipedia-nl, pagat"),
    (PRIVE, {"rules": 5}, "5: expected the name of a ruleset as text"),
    (PRIVE, {"contract": "125"}, "unknown bid '125' in pagat: expected one of 120, 130"),
    (PRIVE, {"contract": True}, "contract True: expected the name of a bid"),
    # Hands
    (PANDOER, {"hands": "SJ / S7"}, "hands 'SJ / S7': expected a list of texts, one a seat"),
    (PANDOER, {"hands": ["SJ", "S7 HT", "HA H8", "C7 C8"]},
     "hands '♠J / ♠7 ♥T / ♥A8 / ♣87': expected as many cards each once the trick is counted, not [1, 2, 2"),
    (PRIVE, {"hands": ["SJ D7", "S7 HT"]}, "pagat is played by 4"),
    (PRIVE, {"hands": ["SJ D7", "SJ HT", "HA H8", "C7 C8"]}, "SJ is in the hands of seats 0 and 1"),
    (PRIVE, {"hands": ["SJ D7", "SX HT", "HA H8", "C7 C8"]}, "'X' in 'SX' is not a rank"),
    (PRIVE, {"hands": ["SJ D7", "S7 HT", "HA H8", 5]}, "5: expected a hand as text"),
    (PRIVE, {"discard": "SJ"}, "the discard SJ is in the hand of seat 0"),
    (PRIVE, {"discard": "S6"}, "there is no S6"),
    (PANDUR, {"hands": ["SJ", "S9", "H6"]}, "card 'H6' is not in the deck of pandur"),
    (PANDUR, {"hands": ["SJ", "S9", "SA", "ST"]}, "pandur is played by 3 or 2"),
    # The trick
    (PRIVE, {"hands": ["D7", "S7", "HA H8", "C7 C8"], "trick": ["SJ", "HT"]},
     "card 'HT' of the trick was no legal play for seat 1 with '♠7 ♥T'"),
    (PRIVE, {"hands": ["D7", "HT", "HA H8", "C7 C8"], "trick": ["D7", "S7"]},
     "card 'D7' of the trick is twice in the problem"),
    (PRIVE, {"hands": ["D7", "HT", "HA", "C7"], "trick": ["SJ", "S7", "H8", "C8"]},
     "trick 'SJ S7 H8 C8': expected at most 3 cards, not yet complete"),
    (PRIVE, {"trick": 5}, "trick 5: expected a list of cards"),
    (PRIVE, {"trick": [["SJ"]]}, "['SJ']: expected a card as text"),
    (POINTS_NL, {"hands": ["D7", "S7 HT", "HA H8", "C7 C8"], "trick": ["HK"]},
     "trick 'HK' begins with the called suit: expected call 'must' or 'need-not'"),
    (POINTS_NL, {"hands": ["HK", "S7 HT", "HA H8", "C7 C8"], "trick": ["D7"], "call": "must"},
     "call 'must': the trick does not begin with a protected lead"),
    (POINTS_NL, {"call": "must"}, "call 'must': the trick does not begin with a protected lead"),
    (POINTS_NL, {"call": "maybe"}, "call 'maybe': expected 'must' or 'need-not'"),
    (POINTS_NL, {"hands": ["D7", "S7", "H8", "C7 C8"], "trick": "HK HT HA", "call": "need-not"},
     "card 'HA' of the trick was no legal play for seat 2 with '♥A8'"),
    # A forced lead
    (POINTS_NL, {"lead": "HK maybe"}, "lead 'HK maybe': expected a card, alone or followed by"),
    (POINTS_NL, {"lead": "HA"}, "lead 'HA': expected one of D7 HK must HK need-not"),
    (POINTS_NL, {"lead": "D7 must"}, "lead 'D7 must': expected one of D7 HK must HK need-not"),
    (PRIVE, {"hands": ["D7", "S7 HT", "HA H8", "C7 C8"], "trick": ["SJ"], "lead": "D7"},
     "lead 'D7': the trick has begun with 'SJ'"),
    # Seats
    (PRIVE, {"declarer": 4}, "declarer 4: expected a seat number, 0 to 3"),
    (PRIVE, {"declarer": "0"}, "declarer '0': expected a seat number"),
    (PRIVE, {"declarer": True}, "declarer True: expected a seat number"),
    (PRIVE, {"leader": -1}, "leader -1: expected a seat number"),
    (PRIVE, {"bidders": [4]}, "bidders 4: expected a seat number"),
    (PRIVE, {"bidders": "1"}, "bidders '1': expected a list of seat numbers"),
    (PRIVE, {"joiners": [1]}, "joiners [1]: pagat has no joined prive"),
    (MISERE_NL, {"joiners": [0]}, "joiners [0]: expected seats of other players than 0"),
    (PANDUR, {"declarer": 3}, "declarer 3: expected"),
    (PANDUR, {"leader": 3}, "leader 3: expected a seat number, 0 to 2"),
    (PANDUR, {"state": {"winners": [0, 0, 0, 0, 0, 0, 3]}}, "seat 3: expected 0 to 2"),
    # The state
    (PRIVE, {"trick_number": 7}, "trick_number 7: expected 0 to 6 with 2 cards each"),
    (PRIVE, {"trick_number": "6"}, "trick_number '6': expected 0 to 6"),
    (PRIVE, {"state": {"winners": [0, 0]}}, "winners [0, 0]: expected 6, one for each completed trick"),
    (PRIVE, {"state": {"winners": [0, 0, 0, 0, 0, 7]}}, "winners 7: expected a seat number"),
    (PRIVE, {"state": {"won": []}}, "unknown key 'won' in state"),
    (PRIVE, {"state": [0]}, "state [0]: expected an object"),
    (PRIVE, {"state": {"points": -1}}, "points -1: expected a whole number, 0 or more"),
    (PRIVE, {"state": {"jack": 1}}, "jack 1: expected true or false"),
    (PRIVE, {"rules": "butselaar", "contract": "piccolo", "state": {"winners": [1] * 6, "jack": True}},
     "jack true, winners [1, 1, 1, 1, 1, 1]: the declarer, seat 0, won no trick"),
    # Melds
    (PRIVE, {"melds": True}, "melds are counted on full hands of 8 cards, not of 2"),
    (PRIVE, {"melds": "yes"}, "melds 'yes': expected true or false"),
    # An objective of its own
    (OWN, {"objective": {"kind": "some"}}, "objective kind 'some': expected one of all, none"),
    (OWN, {"objective": "all"}, "objective 'all': expected an object"),
    (OWN, {"objective": {"kind": "all", "seats": [0]}}, "unknown key 'seats' in objective"),
    (OWN, {"objective": {"kind": "none", "target": 3}}, "target 3: none has none"),
    (OWN, {"objective": {"kind": "points", "target": "90"}}, "target '90': expected a whole number or null"),
    (OWN, {"objective": {"kind": "all", "side": [0, 0]}}, "side [0, 0]: expected different seats"),
    (OWN, {"objective": {"kind": "all", "side": []}}, "side []: expected different seats"),
    (OWN, {"objective": {"kind": "all", "side": [0, 4]}}, "side 4: expected a seat number"),
    (OWN, {"objective": {"kind": "first-only", "side": [1]}},
     "side [1]: expected the declarer, seat 0, among them"),
    (OWN, {"objective": {"kind": "zwabber-en", "side": [0, 1]}},
     "side [0, 1]: in zwabber-en the declarer, seat 0, begins alone"),
    (OWN, {"objective": {"kind": "zwabber-called", "side": [1]}},
     "side [1]: expected the declarer, seat 0, among them"),
    # Play switches
    (PRIVE, {"play": {"undertrump": "never"}}, "play rule undertrump='never': expected one of free"),
    (PRIVE, {"play": {"overtrump": True}}, "unknown play rule 'overtrump': expected one of ruff_when_able"),
    (PRIVE, {"play": {"trump_leads": 9}}, "play rule trump_leads=9: expected 0 to 8"),
    (PRIVE, {"play": {"jack_exempt": "yes"}}, "play rule jack_exempt='yes': expected true or false"),
    (PRIVE, {"play": ["x"]}, "play ['x']: expected an object of play switches"),
]  # fmt: skip


@pytest.mark.parametrize(("base", "change", "message"), MISTAKES, ids=[message for _, _, message in MISTAKES])
def test_mistakes(base: dict[str, Any], change: dict[str, Any], message: str) -> None:
    """Every mistake is one line that quotes what was given."""
    bad = {key: value for key, value in {**base, **change}.items() if value is not MISSING}
    with pytest.raises(PandoerError) as caught:
        solve(bad)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("base", [PANDOER, PRIVE, POINTS_NL, PANDUR, FULL, MISERE_NL | {"joiners": [1]}])
def test_without_the_mistake(base: dict[str, Any]) -> None:
    assert solve(base).best


@pytest.mark.parametrize("bad", [None, 5, "SJ", [PRIVE]])
def test_not_an_object(bad: Any) -> None:
    with pytest.raises(PandoerError, match="expected a JSON object"):
        pandoer.problem(bad)


@pytest.mark.parametrize(
    ("hands", "points"),
    [
        (["S7 DA", "HK H7", "SQ HQ", "DQ D7"], 2),
        (["SJ DA S7", "SA DT H9", "ST S8 H7", "D9 S9 DK"], 65),
        (["HA S7 HT", "DQ H8 H7", "S8 SK D7", "D9 DA DJ"], 15),
        (["S8 HA", "H8 DJ", "D8 ST", "HQ H9"], 10),
    ],
)
def test_a_forced_trump_lead_keeps_a_leader_from_cashing(hands: list[str], points: int) -> None:
    """A higher trump of the partner takes the lead away from him."""
    problem = {
        "rules": "pagat", "objective": {"kind": "points", "side": [0, 2]}, "trump": "S", "hands": hands,
        "trick_number": 0, "play": {"trump_leads": 3},
    }  # fmt: skip
    assert solve(problem).points == points
    assert reference.solve(problem)["points"] == points


@pytest.mark.parametrize(
    ("hands", "trump", "rules", "leads", "best"),
    [
        (["SA DK H7 S7", "HK S9 H9 DT", "D9 SQ DJ HQ", "S8 HA D8 SJ"], "S", "pagat", 4, ["S8"]),
        (
            ["DA HK SA SQ D9", "D7 DJ SJ HT DK", "DQ H9 S8 DT SK", "H7 H8 D8 ST HQ"],
            "H", "wikipedia-nl", 3, ["ST"],
        ),
    ],
)  # fmt: skip
def test_a_forced_trump_lead_after_the_one_trick(
    hands: list[str], trump: str, rules: str, leads: int, best: list[str]
) -> None:
    """Who has won his one trick and must lead a trump has no choice among his leads."""
    problem = {
        "rules": rules, "objective": {"kind": "exactly-one"}, "declarer": 0, "trump": trump, "leader": 3,
        "hands": hands, "trick_number": 0,
        "play": {"trump_leads": leads, "undertrump": "free", "ruff_when_able": False},
    }  # fmt: skip
    assert solve(problem).to_json()["best"] == best
    assert reference.solve(problem)["best"] == best
