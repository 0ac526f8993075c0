"""Records of play: every card checked, who won what, whether the contract was made, and what it pays."""

from __future__ import annotations

import pickle
import random
import re
from dataclasses import FrozenInstanceError, replace
from typing import Any, NamedTuple

import pytest

from pandoer import (
    RULESETS,
    Auction,
    Card,
    Contract,
    Deal,
    PandoerError,
    Play,
    Record,
    State,
    Trick,
    problem,
    replay,
    ruleset,
    solve,
)
from tests import reference
from tests.positions import Problem, random_full_deal

# The worked deal of RULES.md section 9; seats B, C, A.
WORKED = Deal("CJ CA CK CT DA DK HK SK / CQ HJ DJ SJ DT SQ HT ST / C9 D9 H9 S9 DQ HQ HA SA")
PLAYED = "CJ CQ C9 | CA HJ D9 | CK DJ H9 | CT SJ S9 | DA DT DQ | DK SQ HQ | HK HT HA | SA SK ST"
BID_200 = ruleset("pandur").contract("200", trump="C")


def test_worked_deal() -> None:
    auction = Auction.parse("200 fort fort", "pandur")
    assert auction.highest is not None
    assert auction.declarer is not None
    contract = ruleset("pandur").contract(auction.highest.bid or "", declarer=auction.declarer, trump="Schellen")
    record = replay(WORKED, contract, PLAYED, bidders=auction.bidders)
    assert contract == BID_200
    assert (record.points, record.others, record.melds) == (102, 55, 0)
    assert (record.made, record.finished, record.turn, record.legal) == (False, True, None, ())
    assert record.winners == (0, 0, 0, 0, 0, 0, 2, 2)
    assert record.tricks[0] == Trick(0, (Card("CJ"), Card("CQ"), Card("C9")), 0, 37)
    assert record.tricks[-1] == Trick(2, (Card("SA"), Card("SK"), Card("ST")), 2, 30)
    assert record.paid() == (0, 4, 4)
    assert record.paid(sitting_out=True) == (0, 4, 4, 4)
    assert (record.side, record.partner) == ((0,), None)


def test_four_nines_deny_four_kings() -> None:
    assert replay(WORKED, BID_200).melds == 0
    swapped = Deal("CJ CA CK CT DA DK HK SK / C9 HJ DJ SJ DT SQ HT ST / CQ D9 H9 S9 DQ HQ HA SA")
    assert replay(swapped, BID_200).melds == 100


def test_worked_deal_as_text_and_as_cards() -> None:
    record = replay(WORKED, BID_200, PLAYED)
    cards = [Card(text) for text in re.findall(r"\w+", PLAYED)]
    for plays in (
        PLAYED.replace("|", ""),
        PLAYED.replace(" |", ",").replace(" ", ", ").lower(),
        PLAYED.replace(" | ", "|\n") + " |",
        cards,
        [Play(card) for card in cards],
        (str(card) for card in cards),
    ):
        assert replay(WORKED, BID_200, plays) == record
    swiss = PLAYED.translate(str.maketrans("JQ9T", "UONB"))
    assert replay(WORKED.text("ch"), BID_200, swiss, lang="ch") == record
    one_by_one = replay(WORKED, BID_200)
    for card in cards:
        one_by_one = one_by_one.play(card)
    assert one_by_one == record


def test_a_record_shows_itself() -> None:
    record = replay(WORKED, BID_200, PLAYED)
    lines = str(record).splitlines()
    assert lines[0] == "pandur: 200, trump ♣, declarer seat 0"
    assert lines[1] == "1. seat 0: ♣J ♣Q ♣9, won by seat 0, 37 points"
    assert len(lines) == 1 + 8 + 1
    assert lines[-1] == "102 points for seat 0, 55 for the others, melds 0: not made"
    assert repr(record) == f"<Record of 200, trump ♣ in pandur: {PLAYED}>"
    assert repr(replay(WORKED, BID_200)) == "<Record of 200, trump ♣ in pandur: nothing played>"
    html = record._repr_html_()
    assert html.count("<tr>") == 9
    assert "<span style='color:#c00'>♦A</span>" in html
    assert record.text("ch").startswith(
        "pandur: 200, trump ♣ (Schellen), declarer seat 0\n1. seat 0: ♣U ♣O ♣N, won by seat 0, 37 points\n"
    )
    assert str(record.tricks[1]) == "seat 0: ♣A ♥J ♦9, won by seat 0, 13 points"


def test_a_record_as_json() -> None:
    found = replay(WORKED, BID_200, "CJ CQ C9 CA").to_json()
    assert found == {
        "rules": "pandur", "contract": "200", "declarer": 0, "trump": "C", "called": None, "discard": None,
        "hands": ["SK HK DAK CAKJT", "SQJT HJT DJT CQ", "SA9 HAQ9 DQ9 C9"], "leader": 0, "bidders": [],
        "plays": ["CJ", "CQ", "C9", "CA"],
        "tricks": [{"leader": 0, "cards": ["CJ", "CQ", "C9"], "winner": 0, "points": 37}],
        "turn": 1, "legal": ["SQ", "SJ", "ST", "HJ", "HT", "DJ", "DT"], "side": [0], "partner": None,
        "points": 37, "others": 0, "melds": 0, "made": False,
    }  # fmt: skip


def test_records_are_values() -> None:
    record = replay(WORKED, BID_200, PLAYED)
    again = pickle.loads(pickle.dumps(record))
    assert again == record
    assert hash(again) == hash(record)
    assert (again.made, again.tricks, again.problem) == (record.made, record.tricks, record.problem)
    assert record != replay(WORKED, BID_200, PLAYED[:-3])
    assert record != replay(WORKED, BID_200, PLAYED, bidders=[1])
    with pytest.raises(FrozenInstanceError):
        record.made = True  # type: ignore[misc]


# What is refused


# In wikipedia-nl the called ace of hearts, with seat 1, is protected.
DUTCH = Deal("SJ S9 SA HK HQ D8 CT C8 / HA HT H7 S7 S8 DA CA D7 / SK SQ H8 DK DQ CK CQ C9 / ST H9 HJ DJ DT D9 CJ C7")
CALLED = ruleset("wikipedia-nl").contract("100", trump="S", called="HA")
PANDOER = ruleset("wikipedia-nl").contract("pandoer", trump="S", called="HA")


@pytest.mark.parametrize(
    ("deal", "contract", "plays", "message"),
    [
        (WORKED, BID_200, "CJ HJ", "card 'HJ' of seat 1 in trick 1: it is not legal with '♠QJT ♥JT ♦JT ♣Q' to 'CJ';"
         " expected one of CQ"),
        (WORKED, BID_200, "CJ CQ C9 CA SA", "card 'SA' of seat 1 in trick 2: it is not in his hand '♠QJT ♥JT ♦JT';"
         " expected one of SQ SJ ST HJ HT DJ DT"),
        (WORKED, BID_200, "CJ CQ C9 CJ", "card 'CJ' of seat 0 in trick 2: it is not in his hand"),
        (WORKED, BID_200, PLAYED.replace("|", "") + " C9",
         "card 'C9': all 8 tricks have been played, expected no more cards"),
        (WORKED, BID_200, "CJ must", "card 'CJ must' of seat 0 in trick 1: there is no 'must' to say here;"),
        (WORKED, BID_200, "must CJ", "cannot read plays 'must CJ': 'must' follows no card, expected it after a lead"),
        (WORKED, BID_200, "CJ CQ | C9", "cannot read plays 'CJ CQ | C9': 2 cards in 'CJ CQ', expected 3 a trick"),
        (WORKED, BID_200, "CJ CQ C9 CA | HJ", "4 cards in 'CJ CQ C9 CA', expected 3 a trick"),
        (WORKED, BID_200, "CJ CX", "cannot read card 'CX'"),
        (WORKED, BID_200, "CJ CQ9", "cannot read card 'CQ9': it holds 2 cards"),
        (WORKED, BID_200, 7, "cannot read plays 7: expected text or cards"),
        (WORKED, BID_200, ["CJ", 7], "7: expected a card as text"),
        (DUTCH, CALLED, "HK", "card 'HK' of seat 0 in trick 1: he leads the called suit and has to say 'must' or"
         " 'need-not'; expected one of SA SJ S9 HK must HK need-not HQ must HQ need-not D8 CT C8"),
        (DUTCH, CALLED, "HK must H7", "card 'H7' of seat 1 in trick 1: it is not legal"),
        (DUTCH, CALLED, "HK need not HA", "card 'HA' of seat 1 in trick 1: it is not legal"),
        (DUTCH, PANDOER, "D8", "card 'D8' of seat 0 in trick 1: it is not legal with '♠AJ9 ♥KQ ♦8 ♣T8' as a lead;"
         " expected one of SA SJ S9 HK must HQ must"),
        (WORKED, ruleset("pandur").contract("misere-mit", trump="C"), "HK", "expected one of CA CK CJ CT"),
    ],
)  # fmt: skip
def test_illegal_plays(deal: Deal, contract: Contract, plays: Any, message: str) -> None:
    with pytest.raises(PandoerError, match=re.escape(message)):
        replay(deal, contract, plays)


def test_only_full_hands_are_replayed() -> None:
    ending = Deal("SJ S9 / HA H7 / D7 D8 / C7 C8")
    contract = ruleset("pagat").contract("prive", trump="S")
    with pytest.raises(PandoerError, match="expected hands of 8 cards before the first lead"):
        replay(ending, contract)
    begun = problem({"rules": "pandur", "contract": "200", "trump": "C", "trick": ["CJ"],
                     "hands": ["CA CK CT DA DK HK SK", str(WORKED[1]), str(WORKED[2])]})  # fmt: skip
    with pytest.raises(PandoerError, match="expected hands of 8 cards before the first lead"):
        Record(begun)


def test_shorter_hands_of_a_ruleset_of_its_own() -> None:
    """Where three cards are dealt, three are full hands; the first trick is still number 0."""
    rules = replace(ruleset("pagat"), name="three", hand=3, watch=None)
    record = replay("SJ S9 SA / HA H7 H8 / D7 D8 D9 / C7 C8 C9", rules.contract("prive", trump="S"), "S9 HA D7 C7 SJ")
    assert (record.made, record.problem.number, record.problem.cards_each) == (None, 1, 2)
    assert solve(record.problem).made


# Against the reference


class Playout(NamedTuple):
    """A deal played at random by the rules of the reference, and what that says of it."""

    moves: list[str]
    legal: list[list[str]]
    winners: tuple[int, ...]
    points: int
    made: bool


def play_out(rng: random.Random, game: reference.Game) -> Playout:
    at, moves, legals, winners, points = game.start, [], [], [], 0
    while legal := game.moves(at):
        legals.append([*map(str, legal)])
        move = rng.choice(legal)
        at, gain = game.after(at, move)
        moves.append(str(move))
        points += gain
        if not at.trick:
            winners.append(at.leader)
    made = game.made_at_end(at.history)
    if game.kind == "points":
        made = made and points + game.melds >= (game.target or 0)
    return Playout(moves, legals, tuple(winners), points, made)


def contracts_of(name: str) -> list[str]:
    rules = ruleset(name)
    return [bid.name for bid in rules.bids] + [f"{bid.name}+40" for bid in rules.bids if bid.raised_by_melds]


def deal_of(rng: random.Random, rules: str, bid: str) -> Problem:
    """A random deal for a bid, now and then with another first leader than the declarer."""
    while True:
        found = random_full_deal(rng, rules)
        if found["contract"] == bid.partition("+")[0]:
            found["contract"] = bid
            if rng.random() < 0.3:
                found["leader"] = rng.randrange(len(found["hands"]))
            return found


def recorded(asked: Problem, moves: list[str]) -> Record:
    start = problem(asked)
    return replay(start.deal, start.contract, moves, leader=start.first, bidders=start.bidders)


ALL_CONTRACTS = [(rules.name, bid) for rules in RULESETS for bid in contracts_of(rules.name)]


@pytest.mark.parametrize(("rules", "bid"), ALL_CONTRACTS)
def test_random_play_agrees_with_the_reference(rules: str, bid: str) -> None:
    rng = random.Random(f"{rules} {bid}")
    for _ in range(2):
        asked = deal_of(rng, rules, bid)
        game = reference.Game(asked)
        played = play_out(rng, game)
        record = recorded(asked, played.moves)
        assert (record.winners, record.made, record.finished) == (played.winners, played.made, True), asked
        assert solve(record.problem).made is record.made
        if game.kind == "points":
            assert (record.points, record.melds) == (played.points, game.melds)
        if rules != "pandur":
            assert record.points + record.others <= 146
        for cards in rng.sample(range(len(played.moves)), 2):
            part = recorded(asked, played.moves[:cards])
            assert sorted(map(str, part.legal)) == sorted(played.legal[cards])
            assert part.winners == played.winners[: len(part.tricks)]
            assert part.turn == part.problem.turn
            assert not part.finished
            if part.made is not None:
                assert part.made == record.made
                late = part.problem.cards_each <= 4
                assert not late or solve(part.problem).made == part.made


@pytest.mark.parametrize(
    ("rules", "bid"),
    [
        ("wikipedia-nl", "150"), ("wikipedia-nl", "pandoer"), ("wikipedia-nl", "zwabber"), ("wikipedia-nl", "piccolo"),
        ("wikipedia-nl", "misere"), ("pagat", "pandoer+20"), ("pagat", "zwabber"), ("pagat", "piccolo"),
        ("wikipedia-en", "zwabber"), ("wikipedia-en", "kereltje+40"), ("cappelle", "140"), ("butselaar", "piccolo"),
        ("butselaar", "130"), ("pandur", "130"), ("pandur", "misere-mit"), ("pandur", "pandur-mit"),
    ],
)  # fmt: skip
def test_the_value_never_changes_along_best_play(rules: str, bid: str) -> None:
    """Melds, earlier points, partner, trump jack and a protected card all stay in the position reached."""
    rng = random.Random(f"best {rules} {bid}")
    asked = deal_of(rng, rules, bid)
    record = recorded(asked, [])
    found = first = solve(record.problem)
    moves: list[str] = []
    while found.best:
        moves.append(str(rng.choice(found.best)))
        record = recorded(asked, moves)
        found = solve(record.problem)
        assert (found.made, found.points) == (first.made, first.points), moves
        assert record.made in (None, first.made)
    assert record.finished
    assert record.made is first.made
    if first.points is not None:
        assert record.points + record.melds == first.points


# Made or lost


def test_a_protected_card_loses_the_contract_at_once() -> None:
    """Seat 1 has only the ace of hearts in the called suit, and plays it though he need not."""
    deal = Deal(
        "SJ S9 SA HK HQ D8 CT C8 / HA S7 S8 DA DK CA D7 CK / SK SQ H8 HT H7 DQ CQ C9 / ST H9 HJ DJ DT D9 CJ C7"
    )
    assert replay(deal, CALLED, "HK need-not S7").made is None
    lost = replay(deal, CALLED, "HK need not HA")
    assert lost.made is False
    assert (solve(lost.problem).made, solve(lost.problem).points) == (False, None)
    on = lost.play("H8").play("H9")
    assert (on.made, on.problem.state.lost, on.tricks[0].call) == (False, True, "need-not")
    assert (solve(on.problem).made, solve(on.problem).points) == (False, None)
    assert on.paid() == (-1, -1, 1, 1)
    assert "1. seat 0: ♥K need-not ♥A ♥8 ♥9, won by seat 1, 14 points" in str(on)
    assert "need-not" in on._repr_html_()
    assert on.to_json()["tricks"][0]["call"] == "need-not"
    must = replay(deal, CALLED, "HK must HA H8 H9")
    assert (must.made, must.winners, must.problem.state.lost) == (None, (1,), False)


def test_points_are_not_safe_before_the_protected_card_has_gone() -> None:
    """The melds are enough, but the called card may still be lost."""
    deal = "SJ S9 SA SK SQ ST HK HQ / HA H7 D7 D9 DT DA C7 C8 / H8 H9 HT D8 DJ DQ C9 CT / HJ S7 S8 DK CJ CQ CK CA"
    record = replay(deal, CALLED, "SJ H7 H8 S7")
    assert record.points + record.melds >= 100
    assert record.made is None
    assert record.play("HK must").play("HA").made is True
    assert record.play("HK need-not").play("HA").made is False


def test_no_trump_wins_a_trick_led_with_must() -> None:
    deal = "HK HQ D8 D9 DT C8 C9 CT / HA H7 H8 H9 CA CK CQ CJ / SJ S9 SA SK SQ ST S8 S7 / HT HJ D7 DJ DQ DK DA C7"
    record = replay(deal, CALLED, "HK must HA")
    assert len(record.legal) == 8
    assert record.play("SJ").play("HT").winners == (1,)
    assert replay(deal, CALLED, "HK need-not H7 SJ HT").winners == (2,)


def test_a_points_contract_is_settled_by_what_is_left() -> None:
    assert replay(WORKED, BID_200).made is False  # 157 at the most, and no melds
    contract = ruleset("pandur").contract("100", trump="C")
    records = [replay(WORKED, contract, PLAYED[: 11 * tricks]) for tricks in range(9)]
    assert [record.points for record in records] == [0, 37, 50, 56, 68, 92, 102, 102, 102]
    assert [record.made for record in records] == [None] * 6 + [True] * 3
    assert records[6].paid(sitting_out=True) == (2, 0, 0, 0)
    assert replay(WORKED, ruleset("pandur").contract("110", trump="C"), PLAYED).made is False


RUN_OF_EIGHT = (
    "SJ S9 SA SK SQ ST S8 S7 / HA HK H7 D7 D9 DT C7 C8 / H8 H9 HT D8 DJ DQ C9 CT / HJ HQ DK DA CJ CQ CK CA"
)


def test_melds_that_are_missing_lose_a_raised_bid() -> None:
    """A run of eight, and the marriage: 180."""
    rules = ruleset("pagat")
    for bid, made in (("pandoer+180", True), ("pandoer+190", False)):
        contract = rules.contract(bid, trump="S", called="HA")
        record = replay(RUN_OF_EIGHT, contract, "SJ H7 H8 HJ")
        assert (record.melds, record.problem.state.melds) == (180, 180)
        assert record.made is (None if made else False)
        assert solve(record.problem).made is made


def test_melds_count_in_the_position_reached() -> None:
    contract = ruleset("pagat").contract("150", trump="S", called="HA")
    start, later = replay(RUN_OF_EIGHT, contract), replay(RUN_OF_EIGHT, contract, "SJ H7 H8 HJ")
    assert (start.melds, start.made, later.points) == (180, True, 21)
    assert solve(later.problem).points == solve(start.problem).points
    without = replace(later.problem, state=replace(later.problem.state, melds=None))
    assert (solve(without).points or 0) + 180 == solve(later.problem).points


JACK = "SJ S7 H7 H8 D7 D8 C7 C8 / SA SK SQ ST S9 S8 HA HK / HQ HJ HT H9 DA DK DQ DJ / DT D9 CA CK CQ CJ CT C9"


def test_jack_only() -> None:
    contract = ruleset("butselaar").contract("piccolo", trump="S")
    won = replay(JACK, contract, "SJ S8 HQ C9")
    assert (won.made, won.problem.state.jack) == (None, True)
    assert solve(won.problem).made
    with_the_ace = JACK.replace("S7", "SX").replace("SA", "S7").replace("SX", "SA")
    assert replay(with_the_ace, contract, "SA S7 HQ C9").made is False
    # Another holds the jack, so the declarer never wins a trick with it.
    assert replay(JACK, replace(contract, declarer=1)).made is False


FOUR_SPADES = "SA S7 SJ H6 | SK S8 H8 H7 | SQ S9 H9 D7 | ST DQ HT D8"
JOINED = "SA SK SQ ST HA HK HQ C7 / S9 S8 S7 HJ DA DK DQ CA / SJ HT H9 H8 DJ DT D9 CK / H7 H6 D8 D7 CQ CJ CT C9"
ALL_EIGHT = "SA SK SQ ST HA HK HQ CA / S9 S8 S7 HJ DA DK DQ C7 / SJ HT H9 H8 DJ DT D9 CK / H7 H6 D8 D7 CQ CJ CT C9"
WITH_PARTNER = f"{FOUR_SPADES} | C7 CA CK C9 | HJ DJ CQ HA | HK DA DT CJ | HQ DK D9 CT"
WITHOUT = f"{FOUR_SPADES} | HA HJ DJ C9 | HK C7 DT CT | HQ DA D9 CJ | CA DK CK CQ"


def test_a_zwabber_in_which_a_partner_joins() -> None:
    contract = ruleset("wikipedia-nl").contract("zwabber")
    before, after = (replay(JOINED, contract, WITH_PARTNER[: 14 * tricks]) for tricks in (4, 5))
    assert (before.side, before.partner, before.made) == ((0,), None, None)
    assert (after.side, after.partner, after.made) == ((0, 1), 1, None)
    made = replay(JOINED, contract, WITH_PARTNER)
    assert (made.made, made.partner, made.paid()) == (True, 1, (3, 3, -3, -3))
    # A trick of another among the first four loses, with him as the partner.
    lost = replay(JOINED, contract, "C7 CA CK C9")
    assert (lost.made, lost.partner, lost.paid()) == (False, 1, (-3, -3, 3, 3))
    # The declarer alone: lost too, and nobody joined.
    alone = replay(ALL_EIGHT, contract, WITHOUT)
    assert (alone.made, alone.partner, alone.paid()) == (False, None, (-3, 1, 1, 1))


def test_an_english_zwabber() -> None:
    contract = ruleset("wikipedia-en").contract("zwabber")
    alone = replay(ALL_EIGHT, contract, WITHOUT)
    assert (alone.made, alone.paid()) == (True, (4, 0, 0, 0))
    joined = replay(JOINED, contract, WITH_PARTNER)
    assert (joined.made, joined.paid()) == (True, (3, 3, 0, 0))
    two_others = replay(JOINED, contract, "C7 CA CK C9 | S7 SJ D7 ST")
    assert (two_others.made, two_others.partner, two_others.paid()) == (False, 1, (-3, -3, 0, 0))


def test_a_joined_misere() -> None:
    hands = "S7 S8 H7 H8 D7 D8 C7 C8 / SA SK SQ ST HA HK DA DK / S9 H9 H6 D9 DT C9 CK HT / SJ HJ HQ DJ DQ CJ CQ CT"
    contract = ruleset("wikipedia-nl").contract("misere", joiners=[2])
    record = replay(hands, contract, "D8 DA DT DJ | HA H9 HJ H8")
    assert (record.made, record.dry, record.side) == (None, ((0, None), (2, None)), (0, 2))
    lost = replay(hands, contract, "C8 SK CK CJ")
    assert (lost.made, lost.dry) == (False, ((0, None), (2, False)))
    assert lost.to_json()["dry"] == {"0": None, "2": False}
    assert str(lost).endswith("seat 2 won a trick: not made")


def test_objectives_of_their_own() -> None:
    hands = RUN_OF_EIGHT.split(" / ")
    played = "SJ H7 H8 HJ | S9 HK H9 HQ"
    asked = {"rules": "pagat", "trump": "S", "hands": hands, "objective": {"kind": "tricks", "target": 2}}
    start = problem(asked)
    record = replay(start.deal, start.contract, played)
    assert (record.made, record.side) == (True, (0,))
    counted = problem(asked | {"objective": {"kind": "tricks"}})
    assert replay(counted.deal, counted.contract, played).made is None
    assert solve(record.problem).tricks == 8
    with pytest.raises(PandoerError, match="tricks is an objective of its own: expected a bid, which has a value"):
        record.paid()


# What it pays


def test_a_contract_that_is_not_settled_pays_nothing_yet() -> None:
    contract = ruleset("pandur").contract("100", trump="C")
    with pytest.raises(PandoerError, match="the contract of 100 is not settled by 3 cards: expected more of them"):
        replay(WORKED, contract, "CJ CQ C9").paid()


def test_a_bonus_for_every_trick_is_settled_by_the_last_one_or_by_a_lost_one() -> None:
    contract = ruleset("wikipedia-en").contract("120", trump="S", called="HA")
    start = replay(RUN_OF_EIGHT, contract)
    assert start.made is True
    with pytest.raises(PandoerError, match="the bonus of 120 is not settled by 0 cards"):
        start.paid()
    record = start
    while not record.finished:
        record = record.play(record.legal[0])
    assert record.paid() == (2, 2, 0, 0)
    rotated = Deal([start.deal[seat] for seat in (2, 3, 0, 1)])
    english = ruleset("wikipedia-en").contract("120", trump="S", called="HA", declarer=2)
    assert replay(rotated, english, record.plays).paid() == (0, 0, 2, 2)


def test_a_stake() -> None:
    contract = ruleset("wikipedia-nl").contract("prive", trump="S")
    record = replay(RUN_OF_EIGHT, contract)
    while not record.finished:
        record = record.play(record.legal[-1])
    assert record.made
    assert record.paid(stake=10) == (31, -7, -7, -7)
    with pytest.raises(PandoerError, match="stake 7: expected a multiple of 5, at most 50"):
        record.paid(stake=7)


def test_who_may_have_sat_out() -> None:
    lost = replay(RUN_OF_EIGHT, ruleset("pagat").contract("misere", trump="S"), "SJ H7 H8 HJ")
    assert lost.paid() == (-3, 0, 0, 0)
    with pytest.raises(PandoerError, match="sitting_out in pagat: expected a ruleset in which the dealer may sit out"):
        lost.paid(sitting_out=True)
    two = replay(WORKED.text().rpartition(" / ")[0], ruleset("pandur").contract("300", trump="C"), "CJ CQ")
    assert two.paid() == (0, 6)
    with pytest.raises(PandoerError, match="sitting_out with 2 hands: expected 3 in pandur"):
        two.paid(sitting_out=True)


def test_a_joined_misere_pays_what_is_not_known() -> None:
    hands = "S7 S8 H7 H8 D7 D8 C7 C8 / SA SK SQ ST HA HK DA DK / S9 H9 H6 D9 DT C9 CK HT / SJ HJ HQ DJ DQ CJ CQ CT"
    contract = ruleset("wikipedia-nl").contract("misere", joiners=[2])
    with pytest.raises(PandoerError, match=re.escape("joiners [2]: what a joined misere pays is not known")):
        replay(hands, contract, "C8 SK CK CJ").paid()


# The state of a position, which a record fills in


def test_state_of_a_problem() -> None:
    ending: Problem = {
        "contract": "130", "rules": "pagat", "trump": "S", "called": "HA",
        "hands": ["SJ S9", "HA H7", "D7 D8", "C7 C8"], "state": {"points": 90, "melds": 20},
    }  # fmt: skip
    with_melds = solve(ending)
    assert with_melds.points == (solve(ending | {"state": {"points": 90}}).points or 0) + 20
    lost = solve(ending | {"state": {"points": 90, "lost": True}})
    assert (lost.made, lost.points, len(lost.best)) == (False, None, 2)
    assert solve({**ending, "contract": "pandoer", "state": {"lost": True}}).made is False
    raised = ending | {"contract": "pandoer+20"}
    assert [solve(raised | {"state": state}).made for state in ({}, {"melds": 20}, {"melds": 0})] == [True, True, False]
    assert problem(ending).state == State(points=90, melds=20)


@pytest.mark.parametrize(
    ("state", "message"),
    [
        ({"melds": -1}, "state melds -1: expected a whole number, 0 or more"),
        ({"melds": True}, "state melds True: expected a whole number"),
        ({"lost": 1}, "state lost 1: expected true or false"),
        ({"melt": 1}, "unknown key 'melt' in state: expected winners, points, partner, jack, melds, lost"),
    ],
)
def test_bad_states(state: Problem, message: str) -> None:
    with pytest.raises(PandoerError, match=message):
        problem({"contract": "prive", "trump": "S", "hands": ["SJ", "HA", "D7", "C7"], "state": state})


def test_melds_of_full_hands_are_counted_not_told() -> None:
    with pytest.raises(PandoerError, match="state melds 20: melds are counted on the full hands themselves"):
        replace(replay(WORKED, BID_200).problem, state=State(melds=20))
