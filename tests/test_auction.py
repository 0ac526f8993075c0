"""The auction of each ruleset: whose turn it is, what may be called, and how calls are written."""

from __future__ import annotations

import pickle
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

import pandoer
from pandoer import Auction, Bid, Call, PandoerError, Ruleset, StakeRules
from pandoer.objectives import ALL, NONE, POINTS

NAMES = [rules.name for rules in pandoer.RULESETS]
FINAL = [name for name in NAMES if name != "cappelle"]


def after(calls: str, rules: str = "wikipedia-nl", pot: int | None = None, players: int | None = None) -> Auction:
    return Auction.parse(calls, rules, players, pot)


def names(auction: Auction) -> list[str]:
    """The open bids by name."""
    return [bid.name for bid in auction.open_bids()]


# Turns


@pytest.mark.parametrize("name", NAMES)
def test_the_first_hand_speaks_first(name: str) -> None:
    auction = after("", name)
    assert (auction.turn, auction.over, auction.all_passed) == (0, False, False)
    assert (auction.highest, auction.declarer, auction.joiners) == (None, None, ())
    assert (auction.bidders, auction.passed, auction.calls) == ((), (), ())
    assert auction.open_bids() == auction.rules.bids


@pytest.mark.parametrize("name", NAMES)
def test_all_pass(name: str) -> None:
    rules = pandoer.ruleset(name)
    auction = after("", name)
    for seat in range(rules.players[0]):
        assert auction.turn == seat
        auction = auction.call("pass")
    assert auction.over
    assert auction.all_passed
    assert (auction.turn, auction.declarer, auction.highest, auction.open_bids()) == (None, None, None, ())
    assert auction.passed == tuple(range(rules.players[0]))


def test_what_follows_when_all_pass() -> None:
    follows = {rules.name: rules.all_pass for rules in pandoer.RULESETS}
    assert follows.pop("wikipedia-nl") == "husselen"
    assert set(follows.values()) == {"new deal"}


@pytest.mark.parametrize("name", NAMES)
def test_one_bid_and_passes(name: str) -> None:
    auction = after("140", name)
    others = auction.players - 1
    for seat in range(1, others + 1):
        assert (auction.turn, auction.over) == (seat, False)
        auction = auction.call("pass")
    assert auction.over
    assert not auction.all_passed
    assert (auction.declarer, str(auction.highest), auction.bidders) == (0, "140", (0,))


@pytest.mark.parametrize("name", FINAL)
def test_the_last_hand_may_bid_when_the_others_passed(name: str) -> None:
    players = pandoer.ruleset(name).players[0]
    auction = after("pass " * (players - 1), name)
    assert (auction.turn, auction.over) == (players - 1, False)
    assert auction.call("140").over
    assert auction.call("140").declarer == players - 1


def test_the_auction_goes_round_until_one_is_left() -> None:
    auction = after("120 130 140 150 160 170 pass pass 180 190 pass", "pagat")
    assert auction.over
    assert (auction.declarer, auction.bidders, auction.passed) == (1, (0, 1, 2, 3), (2, 3, 0))


@pytest.mark.parametrize("name", [name for name in FINAL if name != "pandur"])
def test_who_passed_is_skipped_where_a_pass_is_final(name: str) -> None:
    auction = after("pass 130 pass 140", name)
    assert (auction.turn, auction.passed) == (1, (0, 2))
    assert auction.call("150").turn == 3
    assert auction.call("pass").over


def test_who_passed_may_bid_again_in_cappelle() -> None:
    auction = after("pass 130 pass pass", "cappelle")
    assert (auction.turn, auction.over) == (0, False)
    assert auction.call("pass").over
    auction = auction.call("140")
    assert (auction.turn, auction.declarer, auction.passed) == (1, 0, ())
    assert auction.call("pass").call("pass").turn == 3
    auction = auction.call("pass").call("pass").call("pass")
    assert (auction.over, auction.declarer, auction.bidders) == (True, 0, (1, 0))


def test_cappelle_is_over_when_all_others_passed_in_succession() -> None:
    assert after("pass pass pass 130 pass pass", "cappelle").turn == 2
    assert after("pass pass pass 130 pass pass pass", "cappelle").over
    assert after("pass pass pass pass", "cappelle").all_passed


def test_where_passing_is_final() -> None:
    assert {rules.name for rules in pandoer.RULESETS if not rules.pass_is_final} == {"cappelle"}


@pytest.mark.parametrize("players", [3, 2])
def test_pandur_for_three_or_two(players: int) -> None:
    auction = after("100 110", "pandur", players=players)
    assert (auction.players, auction.turn) == (players, 2 % players)
    assert auction.call("fort").over is (players == 2)
    assert str(auction.call("fort")) == "100 110 pass"


def test_the_first_number_of_players_is_meant() -> None:
    assert {rules.name: after("", rules.name).players for rules in pandoer.RULESETS} == {
        rules.name: 3 if rules.name == "pandur" else 4 for rules in pandoer.RULESETS
    }


@pytest.mark.parametrize(("name", "players"), [("pagat", 3), ("pandur", 4), ("pandur", 0), ("cappelle", -1)])
def test_numbers_of_players_that_are_not(name: str, players: int) -> None:
    wanted = "3 or 2" if name == "pandur" else "4"
    with pytest.raises(PandoerError, match=f"^{players} players in {name}: expected {wanted}$"):
        Auction.parse("", name, players)


# What outranks what


def test_a_bid_has_to_outrank_the_highest() -> None:
    auction = after("140 pass", "pagat")
    for bid in ("120", "130", "140", 140):
        assert not auction.allows(bid)
    for bid in ("piccolo", "misere", "150", "200", "1000", "pandoer+20", "prive", "pass"):
        assert auction.allows(bid)


OPEN = [
    ("pagat", "200", "210 misere-ouvert stil-praatje pandoer praatje prive"),
    ("pagat", "250", "260 misere-ouvert stil-praatje pandoer praatje prive"),
    ("pagat", "piccolo-ouvert", "200 misere-ouvert stil-praatje pandoer praatje prive"),
    ("pagat", "1200", "misere-ouvert stil-praatje pandoer praatje prive"),
    ("pagat", "pandoer", "pandoer+10 praatje prive"),
    ("pagat", "pandoer+50", "pandoer+60 praatje prive"),
    ("pagat", "pandoer+9990", "praatje prive"),
    ("pagat", "prive", ""),
    ("cappelle", "pandoer+20", "pandoer+30 praatje prive"),
    ("wikipedia-en", "170", "180 solo-zwabber piccolo-ouvert pandoer misere-ouvert stil-piccolo-praatje "
     "piccolo-praatje stil-praatje praatje prive"),
    ("wikipedia-en", "praatje", "prive"),
    ("wikipedia-en", "prive", "prive+10"),
    ("wikipedia-en", "prive+100+run5", "prive+110"),
    ("wikipedia-nl", "200", "kereltje pandoer piccolo-praatje praatje prive"),
    ("wikipedia-nl", "pandoer+run3", "piccolo-praatje praatje prive"),
    ("butselaar", "stil-praatje", "pandoer stil-piccolo-praatje piccolo-praatje praatje prive"),
    ("butselaar", "pandoer", "stil-piccolo-praatje piccolo-praatje praatje prive"),
    ("pandur", "250", "pandur-ohne 260 270 280 290 300 pandur-mit"),
    ("pandur", "300", "310 pandur-mit"),
    ("pandur", "pandur-mit", ""),
]  # fmt: skip


@pytest.mark.parametrize(("name", "highest", "expected"), OPEN)
def test_open_bids(name: str, highest: str, expected: str) -> None:
    assert names(after(highest, name)) == expected.split()


def test_more_points_of_melds_win() -> None:
    auction = after("pandoer+20", "pagat")
    assert not auction.allows("pandoer")
    assert not auction.allows("pandoer+20")
    assert auction.allows("pandoer+40")


# Melds that decide between equal bids


LISTS = ["", "run3", "run3+run3", "run4", "run4+run3", "run4+run4", "run5", "run5+run3", "fourQ", "fourK", "fourA",
         "run6", "run7", "run8", "fourJ", "fourJ+run3", "fourJ+fourQ"]  # fmt: skip


@pytest.mark.parametrize("bid", ["kereltje", "pandoer", "piccolo-praatje", "praatje", "prive"])
def test_lists_of_melds_from_kereltje_up(bid: str) -> None:
    calls = [f"{bid}+{melds}".rstrip("+") for melds in LISTS]
    for place, lower in enumerate(calls):
        auction = after(lower)
        assert [auction.allows(call) for call in calls] == [other > place for other in range(len(calls))]


def test_melds_do_not_lift_a_bid_over_a_higher_one() -> None:
    assert not after("pandoer").allows("kereltje+fourJ")
    assert after("kereltje+fourJ").allows("pandoer")


def test_the_better_single_meld_decides_between_equal_points() -> None:
    order = ["", "+100", "+100+run5", "+100+fourQ", "+100+fourK", "+110", "+120", "+120+run3"]
    order = [f"pandoer{added}" for added in order]
    for place, lower in enumerate(order):
        auction = after(lower, "wikipedia-en")
        assert [auction.allows(call) for call in order] == [other > place for other in range(len(order))]


def test_melds_are_kept_best_first() -> None:
    call = Call.parse("pandoer+run3+fourJ+run4")
    assert call.melds == ("fourJ", "run4", "run3")
    assert str(call) == "pandoer+fourJ+run4+run3"


BAD_MELDS = [
    ("wikipedia-nl", "130+run3", "melds do not decide between equal bids of 130 in wikipedia-nl, expected 130 alone"),
    ("pagat", "pandoer+run3", "melds do not decide between equal bids of pandoer in pagat, expected pandoer alone"),
    ("wikipedia-en", "misere+run3", "melds do not decide between equal bids of misere in wikipedia-en"),
    ("wikipedia-en", "pandoer+fourK", "expected them before the kind, such as pandoer+100+fourK"),
    ("wikipedia-en", "pandoer+120+run5+run3", "2 kinds of melds, expected only the best, run5"),
    ("wikipedia-nl", "pandoer+run5+run4", "no hand has all these melds, expected those of 8 cards"),
    ("wikipedia-nl", "pandoer+fourJ+fourA+fourK", "no hand has all these melds, expected those of 8 cards"),
    ("wikipedia-nl", "pandoer+fourJ+fourJ", "no hand has all these melds, expected those of 8 cards"),
]


@pytest.mark.parametrize(("name", "call", "why"), BAD_MELDS)
def test_melds_that_may_not_be_announced(name: str, call: str, why: str) -> None:
    auction = after("pass", name)
    assert not auction.allows(call)
    with pytest.raises(PandoerError, match=f"^call '{re.escape(call)}' after 'pass': .*{re.escape(why)}"):
        auction.call(call)


def test_the_open_watch_card_counts_for_an_announcement() -> None:
    rules = replace(pandoer.ruleset(), watch="open")
    assert Auction.parse("pandoer+run5+run4", rules).declarer == 0


# Stakes


def test_a_stake_outranks_the_bid_without_it() -> None:
    order = ["", "+fourJ", "+pot5", "+run3+pot5", "+run4+pot5", "+pot10", "+pot50"]
    order = [*(f"pandoer{added}" for added in order), "praatje"]
    for place, lower in enumerate(order):
        assert [after(lower).allows(call) for call in order] == [other > place for other in range(len(order))]


@pytest.mark.parametrize("bid", ["pandoer", "piccolo-praatje", "praatje", "prive"])
def test_stakes_on_pandoer_and_above(bid: str) -> None:
    for stake in range(5, 55, 5):
        for pot in (None, 50, 1000):
            assert after("", pot=pot).allows(f"{bid}+pot{stake}")
    assert after("", pot=10).allows(f"{bid}+pot10")


@pytest.mark.parametrize("text", ["pandoer+25", "pandoer 25", "Pandoer + 25", "pandoer + pot 25", "PANDOER+POT25"])
def test_a_stake_in_other_words(text: str) -> None:
    assert str(Call.parse(text)) == "pandoer+pot25"


BAD_STAKES = [
    ("wikipedia-nl", "pandoer+pot7", None, "stake 7, expected a multiple of 5, at most 50"),
    ("wikipedia-nl", "pandoer+pot55", None, "stake 55, expected a multiple of 5, at most 50"),
    ("wikipedia-nl", "pandoer+pot55", 60, "stake 55, expected a multiple of 5, at most 50"),
    ("wikipedia-nl", "pandoer+pot25", 24, "stake 25, expected a multiple of 5, at most 24"),
    ("wikipedia-nl", "pandoer+pot5", 9, "the pot holds 9, expected a stake only when it holds 10 or more"),
    ("wikipedia-nl", "kereltje+pot5", 50, "nothing may be staked on kereltje in wikipedia-nl, expected kereltje alone"),
    ("pagat", "pandoer+pot5", 50, "nothing may be staked on pandoer in pagat, expected pandoer alone"),
    ("pagat", "pandoer+20+pot5", None, "nothing may be staked on pandoer+20 in pagat, expected pandoer+20 alone"),
]


@pytest.mark.parametrize(("name", "call", "pot", "why"), BAD_STAKES)
def test_stakes_that_may_not_be_made(name: str, call: str, pot: int | None, why: str) -> None:
    auction = after("pass", name, pot)
    assert not auction.allows(call)
    with pytest.raises(PandoerError, match=f"^call '{re.escape(call)}' after 'pass': {re.escape(why)}$"):
        auction.call(call)


@pytest.mark.parametrize("pot", [-1, 2.5, True, "10"])
def test_pots_that_are_not(pot: object) -> None:
    with pytest.raises(PandoerError, match=f"^pot {re.escape(repr(pot))}: expected a whole number, 0 or more$"):
        Auction.parse("", pot=pot)  # type: ignore[arg-type]


# Joined misères


@pytest.mark.parametrize("bid", ["misere", "misere-ouvert", "praatje"])
def test_a_misere_may_be_joined(bid: str) -> None:
    auction = after(f"pass {bid} mee pass")
    assert auction.over
    assert (auction.declarer, auction.joiners, auction.bidders, auction.passed) == (1, (2,), (1,), (0, 3))
    rules = auction.rules
    assert rules.contract(bid, declarer=1, joiners=auction.joiners).trump is None


def test_all_may_join() -> None:
    auction = after("misere join join join")
    assert (auction.over, auction.joiners) == (True, (1, 2, 3))


def test_a_higher_bid_ends_the_joining() -> None:
    auction = after("misere join pass 140")
    assert (auction.turn, auction.declarer, auction.joiners) == (0, 3, ())
    assert auction.call("pass").turn == 1
    assert auction.call("pass").call("160").declarer == 1
    assert auction.call("misere-ouvert").call("join").joiners == (1,)


def test_joining_is_silence_until_the_next_bid() -> None:
    assert after("misere join 140").turn == 3
    assert after("misere join 140 pass").turn == 0
    assert after("pass pass misere join").over


@pytest.mark.parametrize("calls", ["", "pass", "130", "piccolo", "misere join 140", "misere 140"])
def test_what_cannot_be_joined(calls: str) -> None:
    auction = after(calls)
    assert not auction.allows("join")
    quoted = f" after '{calls}'" if calls else ""
    lowest = names(auction)[0]
    with pytest.raises(
        PandoerError,
        match=f"^call 'join'{quoted}: the highest bid is no misere, "
        f"expected pass or a bid that may follow, such as {lowest}$",
    ):
        auction.call("join")


@pytest.mark.parametrize("name", [name for name in NAMES if name != "wikipedia-nl"])
def test_only_the_dutch_article_has_a_joined_misere(name: str) -> None:
    misere = "misere-ohne" if name == "pandur" else "misere"
    with pytest.raises(PandoerError, match=f"^call 'join' after '{misere}': {name} has no joined misere, expected "):
        after(f"{misere} join", name)


# Reading and writing


SAME = [
    ("pagat", "pass 130 pass pandoer+50", "pass 130 pass pandoer+50"),
    ("pagat", "pass, 130, pass, pandoer+50", "pass 130 pass pandoer+50"),
    ("pagat", " PAS,130  -\npandoer + 50 ", "pass 130 pass pandoer+50"),
    ("pagat", "pass,130,pass,pandoer 50", "pass 130 pass pandoer+50"),
    ("pagat", "pass,130,pass,pandoer 200,", "pass 130 pass pandoer+200"),
    ("pagat", "- - – —", "pass pass pass pass"),
    ("pagat", "pass zwabber solo pass", "pass solo-zwabber pass"),
    ("pagat", "honderddertig misère misère ouverte", "130 misere misere-ouvert"),
    ("pagat", "piccolo misere ouverte", "piccolo-ouvert"),
    ("pagat", "kleine misère, omver, stil praatje -", "piccolo misere-ouvert stil-praatje pass"),
    ("pagat", "stil praatje - - -", "stil-praatje pass pass pass"),
    ("pagat", "pandoer privé", "pandoer prive"),
    ("pandur", "hundertfünfzig Misère ohne fort fort", "150 misere-ohne pass pass"),
    ("pandur", "200, MISERE MIT, Fort, Pandur ohne", "200 misere-mit pass pandur-ohne"),
    ("pandur", "fort pandur mit fort", "pass pandur-mit pass"),
    ("pagat", "pandoer-privé", "prive"),
    ("pagat", "pass, pandoer privé", "pass prive"),
    ("pagat", "pandoer kereltje", "kereltje"),
    ("wikipedia-nl", "pas misère mee klein praatje", "pass misere join piccolo-praatje"),
    ("wikipedia-nl", "misère imperiale join", "praatje join"),
    ("wikipedia-nl", "pandoer + run3", "pandoer+run3"),
    ("wikipedia-nl", "pandoer+RUN4 pandoer+fourj+POT25", "pandoer+run4 pandoer+fourJ+pot25"),
    ("wikipedia-nl", "pass, pandoer + run 4 + pot 25", "pass pandoer+run4+pot25"),
    ("wikipedia-nl", "pass 130 pass pandoer+50", "pass 130 pass pandoer+pot50"),
    ("wikipedia-en", "kereltje 200", "kereltje 200"),
    ("wikipedia-en", "pass, kereltje 200", "pass kereltje+200"),
    ("butselaar", "stil piccolo praatje, piccolo praatje", "stil-piccolo-praatje piccolo-praatje"),
    ("pandur", "fort 100 Misère ohne misere mit", "pass 100 misere-ohne misere-mit"),
    ("pandur", "pandur ohne Fort pandur-mit", "pandur-ohne pass pandur-mit"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "expected"), SAME)
def test_text(name: str, text: str, expected: str) -> None:
    assert str(Auction.parse(text, name)) == expected
    assert Auction.parse(expected, name) == Auction.parse(text, name)


def test_lists_of_calls() -> None:
    rules = pandoer.ruleset("pagat")
    expected = Auction.parse("pass 130 misere-ouvert pandoer+50", rules)
    lists: list[Auction | Iterable[str | int | Bid | Call]] = [
        ["pass", 130, "misère ouverte", "Pandoer 50"],
        ("-", "130", rules.bid("omver"), rules.bid("pandoer+50")),
        (call for call in expected.calls),
        [Call(), 130, "omver", Call(rules.bid("pandoer+50"))],
        list(expected.calls),
        expected,
    ]
    for calls in lists:
        assert Auction.parse(calls, rules) == expected
    assert Auction.parse([], "pagat") == Auction.parse("", "pagat") == Auction.parse(" , ", "pagat")


def test_an_auction_read_again_keeps_its_players_and_pot() -> None:
    two = Auction.parse("100", "pandur", players=2, pot=30)
    assert Auction.parse(two, "pandur") == two
    assert Auction.parse(two, "pandur", 3, 40) == Auction.parse("100", "pandur", 3, 40)


def test_a_call_is_read_anew_for_its_ruleset() -> None:
    auction = Auction.parse(Auction.parse("praatje", "pagat").calls, "cappelle")
    assert auction.highest is not None
    assert auction.highest.bid == pandoer.ruleset("cappelle").bid("praatje")
    mixed = Call(pandoer.ruleset().bid("pandoer"), melds=("run3", "fourJ"))
    made = Auction(pandoer.ruleset(), (mixed,), 4)
    assert made == Auction.parse("pandoer+fourJ+run3")
    assert made.call("pass").calls == (*made.calls, Call())


def test_the_words_of_another_ruleset() -> None:
    assert not any(rules.pass_name == "fort" for rules in pandoer.RULESETS if rules.name != "pandur")
    with pytest.raises(PandoerError, match=r"^cannot read call 'fort', neither pass nor a bid: unknown bid 'fort'"):
        Auction.parse("fort", "pagat")


UNREADABLE = [
    ("pagat", "slem", "unknown bid 'slem' in pagat: expected one of 120, "),
    ("pagat", "pass slem", "unknown bid 'slem' in pagat"),
    ("pagat", "pandoer 50", "unknown bid '50' in pagat"),
    ("pagat", "pandoer+25", "unknown bid 'pandoer+25' in pagat"),
    ("pagat", "pandoer+-20", "unknown bid 'pandoer+-20' in pagat"),
    ("butselaar", "pandoer+20", "unknown bid 'pandoer+20' in butselaar"),
    ("wikipedia-nl", "210", "unknown bid '210' in wikipedia-nl"),
    ("wikipedia-nl", "kereltje+20", "unknown bid 'kereltje+20' in wikipedia-nl"),
    ("wikipedia-nl", "pandoer+run9", "unknown addition 'run9': expected a stake, such as pot25, or one of run3, "),
    ("wikipedia-nl", "pandoer+four9", "unknown addition 'four9': expected "),
    ("wikipedia-nl", "pandoer+pot0", "unknown addition 'pot0': expected "),
    ("wikipedia-nl", "pandoer+run3+20", "unknown addition 'run3+20': expected "),
    ("wikipedia-nl", "pandoer+pot25+pot5", "second stake 'pot5', expected one"),
    ("wikipedia-nl", "pandoer+20+pot5", "second stake 'pot5', expected one"),
]


@pytest.mark.parametrize(("name", "text", "why"), UNREADABLE)
def test_calls_that_cannot_be_read(name: str, text: str, why: str) -> None:
    call = text.rsplit(maxsplit=1)[-1]
    with pytest.raises(PandoerError) as caught:
        Auction.parse(text, name)
    assert str(caught.value).startswith(f"cannot read call {call!r}, neither pass nor a bid: {why}")
    assert "\n" not in str(caught.value)
    for use in (Auction.parse("", name).call, Auction.parse("", name).allows):
        with pytest.raises(PandoerError, match=re.escape(repr(call))):
            use(call)


@pytest.mark.parametrize("item", [None, 1.5, b"pass", ["pass"]])
def test_items_that_are_no_calls(item: object) -> None:
    with pytest.raises(PandoerError, match=f"^cannot read call {re.escape(repr(item))}: expected text, such as 'pass'"):
        Auction.parse([item])  # type: ignore[list-item]


@pytest.mark.parametrize("calls", [None, 130])
def test_what_is_no_auction(calls: object) -> None:
    with pytest.raises(PandoerError, match=f"^cannot read auction {calls!r}: expected text or calls, such as "):
        Auction.parse(calls)  # type: ignore[arg-type]


def test_impossible_calls_are_quoted() -> None:
    low = "it does not outrank {}, expected pass or a bid that may follow, such as {}"
    over = "the auction is over, expected no more calls"
    for before, call, why in [
        ("pass 140", "130", low.format("140", "piccolo")),
        ("pandoer", "pandoer", low.format("pandoer", "pandoer+10")),
        ("pandoer", "130", low.format("pandoer", "pandoer+10")),
        ("prive", "200", "it does not outrank prive, expected pass"),
        ("pass pass pass pass", "pass", over),
        ("130 pass pass pass", "140", over),
        ("130 pass pass pass", "join", over),
    ]:
        with pytest.raises(PandoerError, match=f"^call '{call}' after '{before}': {re.escape(why)}$"):
            Auction.parse(f"{before} {call}", "pagat")


def test_calls_show_themselves() -> None:
    calls = Auction.parse("pass misere join pandoer+run3+pot5").calls
    assert [str(call) for call in calls] == ["pass", "misere", "join", "pandoer+run3+pot5"]
    assert repr(calls[-1]) == "<Call 'pandoer+run3+pot5'>"
    assert [call.joins for call in calls] == [False, False, True, False]


def test_repr_can_be_pasted_back() -> None:
    for auction in (after("pass 130"), after("100", "pandur", players=2), after("pandoer+pot5", pot=30)):
        assert eval(repr(auction), {"Auction": Auction}) == auction
    assert repr(after("pass 130", "pagat")) == "Auction.parse('pass 130', 'pagat')"
    assert repr(after("100", "pandur", 30, 2)) == "Auction.parse('100', 'pandur', players=2, pot=30)"


def test_auctions_can_be_compared_and_hashed() -> None:
    auction = after("pass 130", "pagat")
    assert len({auction, after("pas, honderddertig", "pagat"), after("pass", "pagat").call(130)}) == 1
    assert auction != after("pass 130", "cappelle")
    assert auction != after("pass 130", "pagat", pot=20)
    assert auction != after("130", "pagat")


# A ruleset of one's own is data


HOME = Ruleset(
    name="home", title="At our table", source="ourselves", pass_is_final=False, pass_name="ik pas", joined_misere=True,
    stakes=StakeRules(step=2, most=6, least_pot=4),
    bids=(
        Bid("100", 1, POINTS, partner="called", target=100, open_ended=True, takes_stake=True, melds_decide="best"),
        Bid("misere", 2, NONE, trump="none-if-joined", takes_stake=True),
        Bid("slam", 3, ALL, raised_by_melds=True, takes_stake=True),
    ),
)  # fmt: skip


def test_a_ruleset_of_ones_own() -> None:
    auction = Auction.parse("ik pas 100 110+pot4 110+run3+pot4, ik pas", HOME)
    assert str(auction) == "pass 100 110+pot4 110+run3+pot4 pass"
    assert (auction.turn, names(auction)) == (1, ["120", "misere", "slam"])
    assert auction.call("misere").call("join").joiners == (2,)
    assert str(Call.parse("slam+20+pot6", HOME)) == "slam+20+pot6"
    assert not auction.allows("slam+pot8")


# Any auction


def steps(rules: Ruleset, bid: Bid) -> Iterator[Bid]:
    """A bid and its steps upwards, as far as an auction below comes."""
    yield bid
    for more in range(10, 510, 10):
        if bid.open_ended:
            yield rules.bid(str(int(bid.name) + more))
        elif bid.raised_by_melds:
            yield rules.bid(f"{bid.name}+{more}")


def additions(rules: Ruleset, bid: Bid) -> list[str]:
    """What may be announced or staked with a bid."""
    stakes = [f"+pot{stake}" for stake in (5, 25, 50)] if bid.takes_stake else []
    announced = ["+run3", "+run4", "+fourJ"] if bid.melds_decide and (bid.target or not bid.raised_by_melds) else []
    return ["", *announced, *stakes, *(f"{meld}{stake}" for meld in announced for stake in stakes)]


@st.composite
def auctions(draw: st.DrawFn) -> Auction:
    """A legal auction of any ruleset, over or not."""
    rules = draw(st.sampled_from(pandoer.RULESETS))
    auction = Auction.parse("", rules, draw(st.sampled_from(rules.players)), draw(st.sampled_from([None, 30])))
    for _ in range(draw(st.integers(0, 16))):
        if auction.over:
            break
        choices = [Call(), Call(joins=True)]
        near = draw(st.sampled_from(["pass", "near", "any"]))
        if near != "pass":
            bids = [*([auction.highest.bid] if auction.highest and auction.highest.bid else []), *auction.open_bids()]
            for bid in bids[:3] if near == "near" else bids:
                choices += [Call.parse(f"{bid}{more}", rules) for more in additions(rules, bid)]
        auction = auction.call(draw(st.sampled_from([call for call in choices if auction.allows(call)])))
    return auction


@given(auctions())
def test_open_bids_are_the_lowest_that_are_allowed(auction: Auction) -> None:
    rules = auction.rules
    lowest: list[Bid] = []
    for bid in rules.bids:
        allowed = [auction.allows(step) for step in steps(rules, bid)]
        assert allowed == sorted(allowed)
        lowest += [step for step in steps(rules, bid) if auction.allows(step)][:1]
    assert auction.open_bids() == tuple(lowest)


@given(auctions())
def test_it_is_over_when_nobody_can_speak(auction: Auction) -> None:
    assert auction.over is (auction.turn is None) is not auction.allows("pass")
    silent = {auction.declarer, *auction.joiners, *auction.passed}
    assert auction.over is (set(range(auction.players)) <= silent)
    assert auction.turn not in silent - {None}
    assert auction.all_passed is (auction.over and auction.declarer is None)
    if auction.over:
        assert not auction.allows("join")
        assert not any(auction.allows(bid) for bid in auction.rules.bids)


@given(auctions())
def test_an_auction_survives_text_and_pickling(auction: Auction) -> None:
    again = Auction.parse(str(auction), auction.rules, auction.players, auction.pot)
    for same in (again, pickle.loads(pickle.dumps(auction)), eval(repr(auction), {"Auction": Auction})):
        assert same == auction
        assert hash(same) == hash(auction)
        assert (same.turn, same.declarer, same.joiners) == (auction.turn, auction.declarer, auction.joiners)
    for call in auction.calls:
        assert Call.parse(str(call), auction.rules) == call
        assert pickle.loads(pickle.dumps(call)) == call


@given(auctions())
def test_every_prefix_is_an_auction(auction: Auction) -> None:
    prefix = Auction.parse("", auction.rules, auction.players, auction.pot)
    seats = []
    for number, call in enumerate(auction.calls, start=1):
        assert prefix.allows(call)
        assert prefix.turn is not None
        seats.append(prefix.turn)
        prefix = prefix.call(call)
        assert prefix == Auction.parse(auction.calls[:number], auction.rules, auction.players, auction.pot)
    assert prefix == auction
    # Told once more by seats: who bid, who passed for good, and that nobody speaks twice in a row.
    told = list(zip(seats, auction.calls, strict=True))
    assert all(seat != following for seat, following in pairwise(seats))
    assert auction.bidders == tuple(dict.fromkeys(seat for seat, call in told if call.bid))
    assert auction.declarer == next((seat for seat, call in reversed(told) if call.bid), None)
    assert auction.highest == next((call for call in reversed(auction.calls) if call.bid), None)
    if auction.rules.pass_is_final:
        gone = [place for place, call in enumerate(auction.calls) if call == Call()]
        assert auction.passed == tuple(seats[place] for place in gone)
        assert not any(seats[place] in seats[place + 1 :] for place in gone)


@given(auctions())
def test_no_bid_can_be_made_again(auction: Auction) -> None:
    assert not any(auction.allows(call) for call in auction.calls if call.bid)


# In a language


@pytest.mark.parametrize(
    "calls", ["", "pass", "misere-ohne", "150 misere-ohne pass misere-mit", "pass pass pandur-mit"]
)
def test_a_swiss_auction_can_be_read_again(calls: str) -> None:
    auction = Auction.parse(calls, "pandur")
    swiss = auction.text("ch")
    assert Auction.parse(swiss, "pandur") == auction
    assert "pass" not in swiss
    assert auction.text() == auction.text("nl") == str(auction) == calls


def test_an_auction_with_its_additions_in_a_language() -> None:
    auction = Auction.parse("pass misere join pandoer+run4+pot25")
    assert auction.text("ch") == "pass, misere, join, pandoer+run4+pot25"
    assert [call.text("ch") for call in auction.calls] == ["pass", "misere", "join", "pandoer+run4+pot25"]
