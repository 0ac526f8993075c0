"""The six rulesets against RULES.md section 7 written out once more, their names of bids and their contracts."""

from __future__ import annotations

import copy
import importlib
import inspect
import pickle
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
import pytest

import pandoer
from pandoer import Bid, Card, CardRules, Deal, Hand, MeldRules, Objective, PandoerError, PlayRules, Ruleset, Suit
from pandoer.cards import DECK24, DECK33
from pandoer.money import payoffs
from pandoer.objectives import ALL, LOST, NONE, POINTS, Seats
from pandoer.rulesets.base import find

# Bids in ascending rank.  Columns: bid, value, objective, trump, partner, cards shown.  "120-140" are bids in
# steps of ten, "200..." goes on for ever, and "pandoer+" may be raised by melds.
BIDS = {
    "pagat": """
        120-140                 1   points          suit      called  -
        piccolo                 3   first-only      suit      alone   -
        misere                  3   none            suit      alone   -
        150-160                 2   points          suit      called  -
        kereltje                2   all             suit      jack    -
        zwabber                 2   zwabber-called  none      called  -
        170-190                 3   points          suit      called  -
        solo-zwabber            5   all             none      alone   -
        piccolo-ouvert          6   first-only      suit      alone   tr2
        200...                  4   points          suit      called  -
        misere-ouvert           6   none            suit      alone   tr2
        stil-praatje            9   none            suit      alone   lead
        pandoer+                5   all             suit      called  -
        praatje                 9   none            suit      alone   lead
        prive                   10  all             suit      alone   -
    """,
    "cappelle": """
        120-140                 1   points          suit      called  -
        piccolo                 3   first-only      suit      alone   -
        misere                  3   none            suit      alone   -
        150-160                 2   points          suit      called  -
        kereltje                2   all             suit      jack    -
        zwabber                 2   zwabber-called  none      called  -
        170-190                 3   points          suit      called  -
        solo-zwabber            5   all             none      alone   -
        piccolo-ouvert          6   first-only      suit      alone   tr2
        200...                  4   points          suit      called  -
        misere-ouvert           6   none            suit      alone   tr2
        stil-praatje            9   none            suit      alone   lead
        pandoer+                5   all             suit      called  -
        praatje                 4   none            suit      alone   lead
        prive                   6   all             suit      alone   -
    """,
    "wikipedia-nl": """
        100-130                 1   points          suit      called  -
        piccolo                 2   exactly-one     suit      alone   -
        misere                  2   none            joinable  alone   -
        140-150                 2   points          suit      called  -
        zwabber                 3   zwabber-nl      none      alone   -
        160                     3   points          suit      called  -
        piccolo-ouvert          4   exactly-one     suit      alone   tr2
        misere-ouvert           4   none            joinable  alone   tr2
        solo-zwabber            4   all             none      alone   -
        170-200                 4   points          suit      called  -
        kereltje                5   all             suit      jack    -
        pandoer                 5   all             suit      called  -
        piccolo-praatje         6   exactly-one     suit      alone   lead
        praatje                 6   none            joinable  alone   lead
        prive                   7   all             suit      alone   -
    """,
    "wikipedia-en": """
        100-120                 1   points          suit      called  -
        130                     2   points          suit      called  -
        140-160                 3   points          suit      called  -
        piccolo                 3   exactly-one     none      alone   -
        kereltje+               3   all             suit      jack    -
        zwabber                 3   zwabber-en      none      alone   -
        misere                  4   none            none      alone   -
        170...                  4   points          suit      called  -
        solo-zwabber            5   all             none      alone   -
        piccolo-ouvert          5   exactly-one     none      alone   tr2
        pandoer+                5   all             suit      called  -
        misere-ouvert           6   none            none      alone   tr2
        stil-piccolo-praatje    6   exactly-one     none      alone   deal
        piccolo-praatje         7   exactly-one     none      alone   deal
        stil-praatje            7   none            none      alone   deal
        praatje                 8   none            none      alone   deal
        prive+                  10  all             suit      alone   -
    """,
    "butselaar": """
        130-150                 1   points          suit      called  -
        piccolo                 3   jack-only       suit      alone   -
        misere                  3   none            suit      alone   -
        160                     2   points          suit      called  -
        kereltje                2   all             suit      jack    -
        zwabber                 2   zwabber-called  none      called  -
        170-190                 3   points          suit      called  -
        solo-zwabber            5   all             none      alone   -
        200...                  4   points          suit      called  -
        piccolo-ouvert          5   jack-only       suit      alone   tr2
        misere-ouvert           6   none            suit      alone   tr2
        stil-praatje            8   none            suit      alone   lead
        pandoer                 5   all             suit      called  -
        stil-piccolo-praatje    6   jack-only       suit      alone   lead
        piccolo-praatje         7   jack-only       suit      alone   lead
        praatje                 9   none            suit      alone   lead
        prive                   10  all             suit      alone   -
    """,
    "pandur": """
        100-140                 2   points          suit      alone   -
        150-190                 3   points          suit      alone   -
        200                     4   points          suit      alone   -
        misere-ohne             4   none            none      alone   -
        misere-mit              4   none            led       alone   -
        210-240                 4   points          suit      alone   -
        250                     5   points          suit      alone   -
        pandur-ohne             5   all             none      alone   -
        260-290                 5   points          suit      alone   -
        300...                  6   points          suit      alone   -
        pandur-mit              6   all             led       alone   -
    """,
}
NAMES = tuple(BIDS)
NAMES_33 = tuple(name for name in NAMES if name != "pandur")


class Row(NamedTuple):
    """A bid of the tables above."""

    name: str
    value: int
    objective: str
    trump: str
    partner: str
    shown: str
    target: int | None
    raised: bool
    open_ended: bool


def rows(name: str) -> Iterator[Row]:
    """The bids of a ruleset one by one."""
    for line in BIDS[name].strip().splitlines():
        bid, value, objective, trump, partner, shown = line.split()
        if not bid[0].isdigit():
            text = bid.rstrip("+")
            yield Row(text, int(value), objective, trump, partner, shown, None, bid.endswith("+"), False)
            continue
        first, _, last = bid.rstrip(".").partition("-")
        for points in range(int(first), int(last or first) + 1, 10):
            yield Row(str(points), int(value), objective, trump, partner, shown, points, False, bid.endswith("..."))


def as_row(bid: Bid) -> Row:
    """A bid in the words of the tables."""
    trump = {"suit": "suit", "none": "none", "led": "led", "none-if-joined": "joinable"}[bid.trump]
    return Row(
        bid.name, bid.value, str(bid.objective), trump, bid.partner or "alone", bid.shown or "-", bid.target,
        bid.raised_by_melds, bid.open_ended,
    )  # fmt: skip


ALL_BIDS = [pytest.param(name, row, id=f"{name}-{row.name}") for name in NAMES for row in rows(name)]


# RULES.md section 7: the bids


@pytest.mark.parametrize("name", NAMES)
def test_bids_in_order(name: str) -> None:
    assert [as_row(bid) for bid in pandoer.ruleset(name).bids] == list(rows(name))


def test_the_rulesets_are_these_six() -> None:
    assert {rules.name for rules in pandoer.RULESETS} == set(NAMES)
    assert pandoer.ruleset().name == "wikipedia-nl"


@pytest.mark.parametrize(("name", "row"), ALL_BIDS)
def test_a_bid_is_found_by_its_name(name: str, row: Row) -> None:
    rules = pandoer.ruleset(name)
    bid = rules.bid(row.name)
    assert as_row(bid) == row
    assert rules.bid(bid) is bid
    if row.target is not None:
        assert rules.bid(row.target) == bid


OPEN_ENDED = {
    "pagat": (200, 4),
    "cappelle": (200, 4),
    "wikipedia-en": (170, 4),
    "butselaar": (200, 4),
    "pandur": (300, 6),
}
LAST = {**{name: last for name, (last, _) in OPEN_ENDED.items()}, "wikipedia-nl": 200}


@pytest.mark.parametrize("name", OPEN_ENDED)
def test_open_ended_bids_go_on_in_steps_of_ten(name: str) -> None:
    rules = pandoer.ruleset(name)
    last, value = OPEN_ENDED[name]
    for points in range(last, last + 200, 10):
        for text in (str(points), points):
            bid = rules.bid(text)
            assert (bid.name, bid.target, bid.value, bid.objective) == (str(points), points, value, POINTS)
            assert bid.partner == rules.bid(last).partner


@pytest.mark.parametrize("name", NAMES)
def test_points_bids_that_do_not_exist(name: str) -> None:
    rules = pandoer.ruleset(name)
    first = min(row.target for row in rows(name) if row.target is not None)
    beyond = [] if name in OPEN_ENDED else [LAST[name] + 10]
    for points in (0, 50, first - 10, first + 5, LAST[name] + 5, 10**6, *beyond):
        with pytest.raises(PandoerError, match=f"unknown bid '{points}' in {name}: expected one of {first}, "):
            rules.bid(points)


def test_the_dutch_article_ends_at_200() -> None:
    with pytest.raises(PandoerError, match="unknown bid '210' in wikipedia-nl"):
        pandoer.ruleset("wikipedia-nl").bid("210")


RAISED = [("pagat", "pandoer"), ("cappelle", "pandoer")] + [
    ("wikipedia-en", name) for name in ("kereltje", "pandoer", "prive")
]


@pytest.mark.parametrize(("name", "bare"), RAISED)
@pytest.mark.parametrize("points", [20, 40, 50, 120, 300])
def test_bids_raised_by_melds(name: str, bare: str, points: int) -> None:
    rules = pandoer.ruleset(name)
    expected = replace(rules.bid(bare), name=f"{bare}+{points}", target=points)
    for text in (f"{bare}+{points}", f"{bare} {points}", f"{bare.upper()} + {points}", f" {bare}  +{points} "):
        assert rules.bid(text) == expected
    assert rules.bid(expected.name).objective is ALL


@pytest.mark.parametrize("name", NAMES)
def test_other_bids_are_not_raised(name: str) -> None:
    rules = pandoer.ruleset(name)
    # In the Dutch article a share of the pot may be staked on pandoer and above, which is no meld.
    plain = [row.name for row in rows(name) if not row.raised and (name, row.name) != ("wikipedia-nl", "pandoer")]
    for bare in plain:
        if name != "wikipedia-nl" or bare not in ("piccolo-praatje", "praatje", "prive"):
            with pytest.raises(PandoerError, match=re.escape(f"unknown bid '{bare}+20' in {name}")):
                rules.bid(f"{bare}+20")


@pytest.mark.parametrize("text", ["pandoer+", "pandoer+0", "pandoer+25", "pandoer+-20", "+20", "pandoer+20+20"])
def test_malformed_raises(text: str) -> None:
    with pytest.raises(PandoerError, match=re.escape(f"unknown bid {text!r} in pagat")):
        pandoer.ruleset("pagat").bid(text)


# The order of the bids


@pytest.mark.parametrize("name", NAMES)
def test_rank_ascends(name: str) -> None:
    rules = pandoer.ruleset(name)
    order: list[str] = []
    for row in rows(name):
        order.append(row.name)
        if row.open_ended:
            order += [str(int(row.name) + more) for more in (10, 20, 100)]
        if row.raised:
            order += [f"{row.name}+{more}" for more in (20, 40, 50, 100)]
    ranks = [rules.rank(bid) for bid in order]
    assert all(lower < higher for lower, higher in pairwise(ranks))
    assert [rules.rank(rules.bid(bid)) for bid in order] == ranks


def test_rank_by_example() -> None:
    def outranks(name: str, higher: str, lower: str) -> bool:
        rules = pandoer.ruleset(name)
        return rules.rank(higher) > rules.rank(lower)

    assert outranks("pagat", "pandoer+20", "pandoer")
    assert outranks("pagat", "pandoer+40", "Pandoer 20")
    assert outranks("pagat", "praatje", "pandoer+200")
    assert outranks("pagat", "misere-ouvert", "250")
    assert outranks("pagat", "210", "200")
    assert outranks("butselaar", "stil-piccolo-praatje", "pandoer")
    assert outranks("wikipedia-en", "zwabber", "kereltje+200")
    assert outranks("wikipedia-en", "solo-zwabber", "270")
    assert outranks("wikipedia-en", "prive+20", "prive")
    assert outranks("pandur", "pandur-mit", "410")
    assert outranks("pandur", "misere-mit", "misere-ohne")
    assert outranks("wikipedia-nl", "misère", "piccolo")


def test_rank_of_an_unknown_bid() -> None:
    with pytest.raises(PandoerError, match="unknown bid 'slem' in pagat"):
        pandoer.ruleset("pagat").rank("slem")
    with pytest.raises(PandoerError, match="unknown bid 'misere-ohne' in pagat"):
        pandoer.ruleset("pagat").rank(pandoer.ruleset("pandur").bid("misere-ohne"))


# RULES.md section 8: names

SYNONYMS = [
    ("omver", "misere-ouvert"),
    ("misère ouverte", "misere-ouvert"),
    ("kleine omver", "piccolo-ouvert"),
    ("piccolo misère ouverte", "piccolo-ouvert"),
    ("misère imperiale", "praatje"),
    ("klein praatje", "piccolo-praatje"),
    ("piccolo misère imperiale", "piccolo-praatje"),
    ("kleine misère", "piccolo"),
    ("piccolo misère", "piccolo"),
    ("privé", "prive"),
    ("pandoer privé", "prive"),
    ("pandoer kereltje", "kereltje"),
    ("zwabber solo", "solo-zwabber"),
    ("Misère ohne", "misere-ohne"),
    ("Misère mit", "misere-mit"),
    ("Misère ohne Trumpf", "misere-ohne"),
    ("Pandur ohne", "pandur-ohne"),
    ("Pandur mit", "pandur-mit"),
    ("Pandur mit Trumpf", "pandur-mit"),
]
OWN_NAMES = sorted({row.name for name in NAMES for row in rows(name)})
TENS = ("", "tien", "twintig", "dertig", "veertig", "vijftig", "zestig", "zeventig", "tachtig", "negentig")
NUMBERS = [
    (hundred + ten, 100 * (i + 1) + 10 * j)
    for i, hundred in enumerate(("honderd", "tweehonderd", "driehonderd"))
    for j, ten in enumerate(TENS)
]
SWISS_TENS = ("", "zehn", "zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig")
SWISS_NUMBERS = [
    (hundred + ten, 100 * (i + 1) + 10 * j)
    for i, hundred in enumerate(("hundert", "Zweihundert", "DREIHUNDERT"))
    for j, ten in enumerate(SWISS_TENS)
]


def spellings(text: str) -> set[str]:
    """A name in capitals, with and without accents, with other gaps between its words."""
    bare = "".join(c for c in unicodedata.normalize("NFD", text) if not unicodedata.combining(c))
    decomposed = unicodedata.normalize("NFD", text)
    cases = {form for word in (text, bare, decomposed) for form in (word, word.upper(), word.title())}
    gaps = {re.sub("[ -]", gap, case) for case in cases for gap in (" ", "-", "_", "  ", " - ")}
    return cases | gaps | {f"  {case}\n" for case in cases}


@pytest.mark.parametrize(("text", "expected"), [*SYNONYMS, *((name, name) for name in OWN_NAMES)])
def test_names_of_bids(text: str, expected: str) -> None:
    found = 0
    for rules in pandoer.RULESETS:
        if any(row.name == expected for row in rows(rules.name)):
            found += 1
            for spelling in spellings(text):
                assert rules.bid(spelling).name == expected, spelling
    assert found


@pytest.mark.parametrize(("text", "points"), NUMBERS)
def test_dutch_numbers(text: str, points: int) -> None:
    for rules in pandoer.RULESETS:
        exists = any(row.target == points for row in rows(rules.name))
        if exists or (rules.name in OPEN_ENDED and points > LAST[rules.name]):
            for spelling in (text, text.upper(), text.capitalize(), f" {text} "):
                assert rules.bid(spelling) == rules.bid(points)
        else:
            with pytest.raises(PandoerError, match=f"unknown bid '{text}' in {rules.name}"):
                rules.bid(text)


@pytest.mark.parametrize("accented", ["Misère", "MISÈRE", "mise\u0300re", "misére", "misere"])
def test_accents_do_not_matter(accented: str) -> None:
    assert pandoer.ruleset("pagat").bid(accented).name == "misere"


def test_names_with_additions() -> None:
    rules = pandoer.ruleset("wikipedia-en")
    assert rules.bid("Privé + 50").name == "prive+50"
    assert rules.bid("pandoer privé 50").name == "prive+50"
    assert rules.bid("Pandoer Kereltje+20").name == "kereltje+20"


@pytest.mark.parametrize("text", ["slem", "", "   ", "pandoers", "mis ere", "sol-zwabber", "honderdzestien", "-", "+"])
@pytest.mark.parametrize("name", NAMES)
def test_unknown_names_quote_what_was_given(name: str, text: str) -> None:
    rules = pandoer.ruleset(name)
    with pytest.raises(PandoerError) as caught:
        rules.bid(text)
    message = str(caught.value)
    assert message.startswith(f"unknown bid {text!r} in {name}: expected one of ")
    assert "\n" not in message
    for row in rows(name):
        assert row.name in message


# RULES.md sections 1 to 3, 6 and 7: everything else that is data

PLAY = {
    # ruff_when_able, undertrump, beat_led_trump, jack_exempt
    "wikipedia-nl": (True, "no-higher", False, True),
    "pagat": (True, "forced", False, True),
    "cappelle": (False, "forced", False, True),
    "wikipedia-en": (True, "forced", True, True),
    "butselaar": (True, "free", False, True),
    "pandur": (True, "forced", False, True),
}


def contract_of(name: str, row: Row) -> pandoer.Contract:
    """The contract of a bid with some trump and call."""
    trump = None if row.trump == "none" else "S"
    return pandoer.ruleset(name).contract(row.name, trump=trump, called="HA" if row.partner == "called" else None)


@pytest.mark.parametrize(("name", "row"), ALL_BIDS)
def test_play_switches(name: str, row: Row) -> None:
    play = contract_of(name, row).play
    ruff, undertrump, beat, exempt = PLAY[name]
    if (name, row.name) == ("pandur", "misere-mit"):
        undertrump = "void"
    assert play == PlayRules(
        ruff_when_able=ruff,
        undertrump=undertrump,  # type: ignore[arg-type]
        beat_led_trump=beat,
        jack_exempt=exempt,
        trump_leads=2 if (name, row.name) == ("wikipedia-nl", "pandoer") else 0,
        called_card="protect" if name == "wikipedia-nl" else "identify",
        must_ruff=False,
        partner_exempt=False,
        first_lead_trump=row.trump == "led",
    )


@pytest.mark.parametrize("name", NAMES)
def test_cards_and_players(name: str) -> None:
    rules = pandoer.ruleset(name)
    if name == "pandur":
        assert (rules.deck, len(rules.deck), set(rules.players)) == (DECK24, 24, {2, 3})
    else:
        assert (rules.deck, len(rules.deck), set(rules.players)) == (DECK33, 33, {4})


@pytest.mark.parametrize("name", NAMES)
def test_rank_orders_and_card_points(name: str) -> None:
    rules = pandoer.ruleset(name)
    in_deck = [card.rank for card in rules.deck.of_suit("H")]

    def order(trump: bool) -> str:
        return "".join(rank.letter for rank in rules.cards.order(trump)[::-1] if rank in in_deck)

    def points(suit: Suit) -> dict[str, int]:
        of = {card.rank.letter: rules.cards.points(suit, card.rank, Suit.SPADES) for card in rules.deck.of_suit(suit)}
        return {rank: worth for rank, worth in of.items() if worth}

    small = name == "pandur"
    assert order(trump=False) == ("AKQJT9" if small else "AKQJT9876")
    assert order(trump=True) == ("J9AKQT" if small else "J9AKQT876")
    king, queen, jack = (4, 3, 2) if small else (3, 2, 1)
    assert points(Suit.SPADES) == {"J": 20, "9": 14, "A": 11, "T": 10, "K": king, "Q": queen}
    assert points(Suit.DIAMONDS) == {"A": 11, "T": 10, "K": king, "Q": queen, "J": jack}
    assert rules.cards.last_trick == 5
    for trump in Suit:
        total = 5 + sum(rules.cards.points(card.suit, card.rank, trump) for card in rules.deck)
        assert total == (157 if small else 146)


RUNS = {
    "wikipedia-nl": {3: 20, 4: 50, 5: 100, 6: 150, 7: 200, 8: 250},
    "pandur": {3: 20, 4: 50, 5: 100, 6: 150},
}
OTHER_RUNS = {3: 20, 4: 50, 5: 100, 6: 120, 7: 140, 8: 160}
DENIAL = {
    "pagat": "bidders", "butselaar": "bidders", "cappelle": "opponents", "wikipedia-nl": "none", "wikipedia-en": "none",
    "pandur": "opponents",
}  # fmt: skip
SINGLE_MELDS = {
    "pagat": "kind-suit", "cappelle": "kind-suit", "butselaar": "kind-suit", "wikipedia-nl": "kind",
    "wikipedia-en": "kind", "pandur": "points",
}  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_melds(name: str) -> None:
    melds = pandoer.ruleset(name).melds
    fours = {"J": 200, "A": 100, "K": 100, "Q": 100}
    assert dict(melds.runs) == RUNS.get(name, OTHER_RUNS)
    assert dict(melds.fours) == (fours | {"9": 150, "T": 100} if name == "pandur" else fours)
    assert melds.denial == DENIAL[name]
    assert melds.order == SINGLE_MELDS[name]
    assert melds.marriage == (0 if name == "pandur" else 20)
    assert melds.card_in_both is (name != "pandur")
    assert melds.own_best is (name == "pandur")


def test_the_watch_card() -> None:
    lies = {rules.name: rules.watch for rules in pandoer.RULESETS}
    assert lies["wikipedia-nl"] == "closed"
    assert lies["pandur"] is None
    assert {lies[name] for name in ("pagat", "cappelle", "wikipedia-en")} == {"open"}
    assert lies["butselaar"] is not None


def test_payment() -> None:
    payment = {rules.name: rules.payment for rules in pandoer.RULESETS}
    assert payment["pagat"] == payment["cappelle"] == "each"
    assert payment["wikipedia-nl"] == "three-payers"
    assert payment["wikipedia-en"] == "pot"
    assert payment["pandur"] == "written"


@pytest.mark.parametrize(
    ("name", "bid", "chance", "expected"),
    [
        ("pagat", "pandoer", 1.0, 5),
        ("pagat", "pandoer", 0.0, -5),
        ("pagat", "prive", 0.75, 5),
        ("cappelle", "prive", 1.0, 6),
        ("wikipedia-nl", "prive", 1.0, 21),
        ("wikipedia-nl", "prive", 0.25, -10.5),
        ("wikipedia-nl", "misere", 1.0, 6),
        ("wikipedia-nl", "solo-zwabber", 0.0, -12),
        ("wikipedia-nl", "pandoer", 1.0, 5),
        ("wikipedia-nl", "kereltje", 0.0, -5),
        ("wikipedia-nl", "160", 1.0, 3),
        ("wikipedia-nl", "zwabber", 1.0, 3),
        ("wikipedia-en", "prive", 1.0, 10),
        ("pandur", "160", 1.0, 3),
        ("pandur", "160", 0.25, 0.75),
        ("pandur", "pandur-mit", 0.0, 0),
    ],
)
def test_payoff(name: str, bid: str, chance: float, expected: float) -> None:
    rules = pandoer.ruleset(name)
    paid = payoffs(rules, rules.bid(bid), np.array([chance]), np.array([-1], np.int8), max(rules.players))
    assert paid[0, 0] == pytest.approx(expected)


def test_stakes_and_equal_bids() -> None:
    staked = {(rules.name, bid.name) for rules in pandoer.RULESETS for bid in rules.bids if bid.takes_stake}
    highest = ("pandoer", "piccolo-praatje", "praatje", "prive")
    assert staked == {("wikipedia-nl", name) for name in highest}
    decide = {(rules.name, bid.name, bid.melds_decide) for rules in pandoer.RULESETS for bid in rules.bids}
    assert {row for row in decide if row[2]} == {
        *(("wikipedia-nl", name, "all") for name in ("kereltje", *highest)),
        *(("wikipedia-en", name, "best") for name in ("kereltje", "pandoer", "prive")),
    }


def test_only_the_dutch_article_has_a_joined_misere() -> None:
    assert [rules.name for rules in pandoer.RULESETS if rules.joined_misere] == ["wikipedia-nl"]


@pytest.mark.parametrize("name", NAMES)
def test_each_ruleset_names_its_source(name: str) -> None:
    rules = pandoer.ruleset(name)
    assert rules.source
    assert rules.title
    assert inspect.getdoc(importlib.import_module(f"pandoer.rulesets.{name.replace('-', '_')}"))


def test_the_reconstructed_order_is_marked() -> None:
    rules = pandoer.ruleset("wikipedia-en")
    assert "reconstruct" in rules.title
    assert "reconstruct" in rules.source
    assert "reconstruct" in rules._repr_html_()


# Which cards may be called

CALLING = [
    # ruleset, the nine cards, trump, the cards that may be called
    ("pagat", "SJ S9 HK HQ D8 D7 CT C7 H6", "S", "CA DA HA SA"),
    ("pagat", "SA S9 HK HQ D8 D7 CT C7 H6", "S", "CA DA HA"),
    ("pagat", "SA S9 HA HQ DA D7 CT C7 H6", "C", "CA"),
    ("pagat", "SA S9 HA HQ DA D7 CA C7 H6", "C", "CK DK HK SK"),
    ("pagat", "SA SK HA HQ DA DK CA C7 H6", "C", "CK HK"),
    ("pagat", "SA SK HA HK DA DK CA CK H6", "C", "CQ DQ HQ SQ"),
    ("pagat", "SA SK HA HK DA DK CA CK SQ", "C", "CQ DQ HQ"),
    ("pagat", "SA S9 HK HQ D8 D7 CT C7 H6", None, "CA DA HA"),
    ("wikipedia-nl", "SJ S9 HK HQ D8 D7 CT C7 H6", "S", "CA DA HA"),
    ("wikipedia-nl", "SJ S9 HK HQ D8 D7 CT C7 H6", "H", "CA DA SA"),
    ("wikipedia-nl", "SA S9 HA HQ DA D7 CT C7 H6", "C", "CA"),
    ("wikipedia-nl", "SA S9 HA HQ DA D7 CT C7 H6", "S", "CA"),
    ("wikipedia-nl", "SA S9 HA HQ DA D7 CA C7 H6", "C", "DK HK SK"),
    ("wikipedia-nl", "SA SK HA HK DA DK CA C7 H6", "C", "CK"),
    ("wikipedia-nl", "SA SK HA HK DA DK CA CK H6", "C", "DQ HQ SQ"),
    ("wikipedia-nl", "SA S9 HA HQ DA D7 CA C7 H6", None, "CK DK HK SK"),
    ("wikipedia-en", "SJ S9 HK HQ D8 D7 CT C7 H6", "S", "CA DA HA"),
    ("wikipedia-en", "SA S9 HA HQ DA D7 CT C7 H6", "C", "CA"),
    ("cappelle", "SJ S9 HK HQ D8 D7 CT C7 H6", "S", "CA DA HA SA"),
    ("butselaar", "SJ S9 HK HQ D8 D7 CT C7 H6", "S", "CA DA HA SA"),
]


@pytest.mark.parametrize(("name", "known", "trump", "expected"), CALLING)
def test_callable_cards(name: str, known: str, trump: str | None, expected: str) -> None:
    suit = None if trump is None else Suit.parse(trump)
    cards = pandoer.ruleset(name).callable_cards(Hand(known), suit)
    assert set(cards) == set(Hand(expected))
    assert len(cards) == len(set(cards))


def test_nine_cards_always_leave_a_card_to_call() -> None:
    for name in NAMES_33:
        rules = pandoer.ruleset(name)
        known = Hand("SA SK HA HK DA DK CA CK SQ")
        for trump in (None, *Suit):
            assert rules.callable_cards(known, trump)


# Contracts


def test_contract_has_what_was_chosen() -> None:
    rules = pandoer.ruleset("pagat")
    contract = rules.contract("Pandoer + 20", declarer=2, trump="♠", called="♥A")
    assert contract.rules is rules
    assert (contract.name, contract.declarer, contract.target) == ("pandoer+20", 2, 20)
    assert contract.trump is Suit.SPADES
    assert contract.called == contract.partner_card == Card("HA")
    assert contract.objective is ALL
    assert contract.play == rules.play
    assert contract.protected is None
    assert str(contract) == "pandoer+20, trump ♠, called HA"
    assert contract == rules.contract(rules.bid("pandoer+20"), declarer=2, trump=Suit.SPADES, called=Card("HA"))


@pytest.mark.parametrize("none", [None, "-"])
def test_contract_without_trump(none: str | None) -> None:
    contract = pandoer.ruleset("pagat").contract("solo-zwabber", trump=none)
    assert contract.trump is None
    assert str(contract) == "solo-zwabber"


def test_partner_by_the_trump_jack() -> None:
    contract = pandoer.ruleset("pagat").contract("kereltje", trump="D")
    assert contract.partner_card == Card("DJ")
    assert contract.called is None


def test_which_called_card_is_protected() -> None:
    dutch, mcleod = pandoer.ruleset("wikipedia-nl"), pandoer.ruleset("pagat")
    for bid in ("100", "160", "pandoer"):
        assert dutch.contract(bid, trump="S", called="HA").protected == Card("HA")
        assert dutch.contract(bid, trump="S", called="SA").protected is None
        assert mcleod.contract("pandoer", trump="S", called="HA").protected is None


def test_joined_misere_is_played_without_trump() -> None:
    rules = pandoer.ruleset("wikipedia-nl")
    for bid in ("misere", "misere-ouvert", "praatje"):
        assert rules.contract(bid, trump="S").trump is Suit.SPADES
        joined = rules.contract(bid, declarer=1, joiners=[3, 0])
        assert (joined.trump, joined.joiners) == (None, (3, 0))


def test_play_switches_of_ones_own() -> None:
    play = PlayRules(undertrump="free", jack_exempt=False)
    assert pandoer.ruleset("pagat").contract("prive", trump="S", play=play).play == play


@pytest.mark.parametrize(
    ("name", "bid", "choices", "message"),
    [
        ("pagat", "slem", {}, "unknown bid 'slem' in pagat"),
        ("pagat", "pandoer", {"called": "HA"}, "pandoer in pagat needs a trump suit: expected one of C, D, H, S"),
        ("pagat", "misere", {}, "misere in pagat needs a trump suit"),
        ("wikipedia-nl", "misere", {}, "misere in wikipedia-nl needs a trump suit"),
        ("pandur", "misere-mit", {"trump": "-"}, "misere-mit in pandur needs a trump suit"),
        ("pagat", "pandoer", {"trump": "X", "called": "HA"}, "unknown trump 'X': expected C, D, H, S or '-' for none"),
        ("pagat", "pandoer", {"trump": 2.5, "called": "HA"}, "unknown trump 2.5: expected C, D, H, S or '-'"),
        ("pagat", "zwabber", {"trump": "S", "called": "HA"}, "trump 'S': zwabber in pagat is played without trump"),
        ("wikipedia-en", "misere", {"trump": "H"}, "trump 'H': misere in wikipedia-en is played without trump"),
        ("pandur", "misere-ohne", {"trump": "H"}, "trump 'H': misere-ohne in pandur is played without trump"),
        ("pagat", "pandoer", {"trump": "S"}, "pandoer in pagat needs a called card"),
        ("wikipedia-nl", "160", {"trump": "S"}, "160 in wikipedia-nl needs a called card"),
        ("pagat", "prive", {"trump": "S", "called": "HA"}, "called card 'HA': prive in pagat calls no card"),
        ("pagat", "kereltje", {"trump": "S", "called": "HA"}, "called card 'HA': kereltje in pagat calls no card"),
        ("pandur", "160", {"trump": "S", "called": "HA"}, "called card 'HA': 160 in pandur calls no card"),
        ("pagat", "pandoer", {"trump": "S", "called": "H1"}, "cannot read card 'H1'"),
        ("pagat", "misere", {"trump": "S", "joiners": [1]}, "joiners [1]: pagat has no joined misere"),
        ("wikipedia-nl", "piccolo", {"trump": "S", "joiners": [1]}, "joiners [1]: wikipedia-nl has no joined piccolo"),
        (
            "wikipedia-nl",
            "misere",
            {"trump": "S", "joiners": [1]},
            "trump 'S': misere in wikipedia-nl is played with joiners without trump",
        ),
        ("wikipedia-nl", "misere", {"joiners": [0]}, "joiners [0]: expected seats of other players than 0"),
        ("wikipedia-nl", "misere", {"joiners": [1, 1]}, "joiners [1, 1]: expected seats of other players than 0"),
        ("wikipedia-nl", "misere", {"joiners": [4]}, "joiners [4]: expected seats of other players than 0"),
    ],
)
def test_contract_errors(name: str, bid: str, choices: dict[str, Any], message: str) -> None:
    with pytest.raises(PandoerError, match=f"^{re.escape(message)}") as caught:
        pandoer.ruleset(name).contract(bid, **choices)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(("name", "declarer"), [("pagat", 4), ("pagat", -1), ("pandur", 3)])
def test_a_seat_that_does_not_exist(name: str, declarer: int) -> None:
    bid = "prive" if name == "pagat" else "160"
    with pytest.raises(PandoerError, match=f"^declarer {declarer}: "):
        pandoer.ruleset(name).contract(bid, declarer=declarer, trump="S")


# Names of rulesets, and how they show themselves


@pytest.mark.parametrize("name", NAMES)
def test_names_of_rulesets(name: str) -> None:
    rules = pandoer.ruleset(name)
    for spelling in (name, name.upper(), name.replace("-", "_"), name.replace("-", " ").title(), f" {name} "):
        assert pandoer.ruleset(spelling) is rules
    assert pandoer.ruleset(rules) is rules
    assert str(rules) == name
    assert eval(repr(rules), {"ruleset": pandoer.ruleset}) is rules


@pytest.mark.parametrize("name", ["bridge", "", "wikipedia", "wikipedianl", None, 3])
def test_unknown_rulesets(name: Any) -> None:
    message = f"unknown ruleset {name!r}: expected one of {', '.join(rules.name for rules in pandoer.RULESETS)}"
    with pytest.raises(PandoerError, match=f"^{re.escape(message)}$"):
        pandoer.ruleset(name)


@pytest.mark.parametrize("name", NAMES)
def test_table_has_every_bid_in_order(name: str) -> None:
    rules = pandoer.ruleset(name)
    table = rules.table()
    assert {len(line) for line in table} == {len(rules.TABLE_HEADER)}
    listed: list[tuple[str, str, str]] = []
    for bid, value, objective, *_ in table:
        first, *more = bid.split(", ")
        ends = [int(number) for number in re.findall(r"\d+", first)]
        if ends:
            listed += [(str(points), value, objective) for points in range(ends[0], ends[-1] + 1, 10)]
        else:
            listed.append((first, value, objective.partition(" ")[0]))
        assert (not more) or more[-1] == "..."
    assert listed == [(row.name, str(row.value), row.objective) for row in rows(name)]


def test_table_by_example() -> None:
    table = pandoer.ruleset("pagat").table()
    assert table[0] == ("120-140", "1", "points", "yes", "called (any)", "")
    assert table[1] == ("piccolo", "3", "first-only", "yes", "alone", "")
    assert ("kereltje", "2", "all", "yes", "trump jack", "") in table
    assert ("zwabber", "2", "zwabber-called", "no", "called (any)", "") in table
    assert ("200, 210, ...", "4", "points", "yes", "called (any)", "") in table
    assert ("misere-ouvert", "6", "none", "yes", "alone", "declarer's, from trick 2") in table
    assert [line[0] for line in table if "pandoer" in line[0]] == ["pandoer, +20, ..."]
    assert ("praatje", "8", "none", "no", "alone", "all, before the first lead") in pandoer.ruleset(
        "wikipedia-en"
    ).table()


@pytest.mark.parametrize("name", NAMES)
def test_html(name: str) -> None:
    rules = pandoer.ruleset(name)
    html = rules._repr_html_()
    assert rules.title in html
    assert html.count("<tr>") == html.count("</tr>") == len(rules.table()) + 1
    assert html.count("<td>") == len(rules.TABLE_HEADER) * len(rules.table())
    for bid in ("prive", "misere-mit"):
        if any(row.name == bid for row in rows(name)):
            assert f"<td>{bid}" in html


# Pickling and hashing


@pytest.mark.parametrize("name", NAMES)
def test_rulesets_are_values(name: str) -> None:
    rules = pandoer.ruleset(name)
    rules.bid(rules.bids[0].name)  # fills what is kept for later look-ups
    for again in (pickle.loads(pickle.dumps(rules)), copy.deepcopy(rules), replace(rules)):
        assert again == rules
        assert hash(again) == hash(rules)
        assert again.bid(rules.bids[-1].name) == rules.bids[-1]
    assert len({*pandoer.RULESETS, replace(rules)}) == len(NAMES)
    with pytest.raises(AttributeError):
        rules.name = "other"  # type: ignore[misc]


@pytest.mark.parametrize(("name", "row"), ALL_BIDS)
def test_bids_and_contracts_are_values(name: str, row: Row) -> None:
    bid, contract = pandoer.ruleset(name).bid(row.name), contract_of(name, row)
    for value in (bid, contract):
        again = pickle.loads(pickle.dumps(value))
        assert again == value
        assert hash(again) == hash(value)
        assert row.name in repr(value)
    assert str(bid) == row.name


# A ruleset of one's own, from public pieces


def _one_or_two(state: int, trick: int, winner: int, with_jack: bool, seats: Seats) -> int:
    won = state + (winner == seats.declarer)
    return won if won <= 2 else LOST


def _at_least_one(state: int) -> bool:
    return state >= 1


ONE_OR_TWO = Objective("one-or-two", _one_or_two, accept=_at_least_one, about_declarer=True)
KITCHEN = Ruleset(
    name="kitchen",
    title="As at our kitchen table",
    source="grandmother",
    bids=(
        Bid("120", 1, POINTS, partner="called", target=120, open_ended=True),
        Bid("een-of-twee", 2, ONE_OR_TWO),
        Bid("nul", 3, NONE, trump="none"),
        Bid("alles", 6, ALL, partner="called", raised_by_melds=True),
        Bid("alles-alleen", 9, ALL),
    ),
    cards=CardRules(trump_order="AKQJT9876", trump_points=(("A", 11), ("T", 10), ("K", 3), ("Q", 2), ("J", 1))),
    play=PlayRules(undertrump="free", jack_exempt=False),
    melds=MeldRules(denial="none", order="kind"),
    calling="plain-first",
    payment="three-payers",
    unit="matches",
)


def test_own_ruleset_names_its_bids() -> None:
    assert KITCHEN.bid("Een of twee").objective is ONE_OR_TWO
    assert KITCHEN.bid("alles 40").target == 40
    assert KITCHEN.bid(150).target == 150
    assert KITCHEN.rank("150") < KITCHEN.rank("nul") < KITCHEN.rank("alles+20") < KITCHEN.rank("alles-alleen")
    assert pandoer.ruleset(KITCHEN) is KITCHEN
    assert find([*pandoer.RULESETS, KITCHEN], "kitchen") is KITCHEN
    assert KITCHEN.table()[0][0] == "120, 130, ..."
    assert "As at our kitchen table" in KITCHEN._repr_html_()
    with pytest.raises(PandoerError, match="unknown bid 'prive' in kitchen"):
        KITCHEN.bid("prive")


def test_own_ruleset_is_a_value() -> None:
    again = pickle.loads(pickle.dumps(KITCHEN))
    assert again == KITCHEN
    assert hash(again) == hash(KITCHEN)
    assert again.bid("een-of-twee").objective == ONE_OR_TWO


def test_own_objective_in_solve() -> None:
    contract = KITCHEN.contract("een-of-twee", trump="C")
    one = Deal("SA H7 / S7 H8 / S8 H9 / S9 HT")
    assert pandoer.solve(one, contract).made is True
    assert pandoer.solve(Deal("S7 H7 / SA H8 / S8 H9 / S9 HT"), contract).made is False
    assert pandoer.solve(Deal("SA HA DA / S7 H8 D7 / S8 H9 D8 / S9 HT D9"), contract).made is False
    assert pandoer.solve(Deal("SA HA D7 / S7 H8 D9 / S8 H9 D8 / S9 HT DA"), contract).made is True


def test_own_card_order_in_solve() -> None:
    deal = Deal("SA / SJ / S7 / S8")
    assert pandoer.solve(deal, KITCHEN.contract("alles-alleen", trump="S")).made is True
    assert pandoer.solve(deal, pandoer.ruleset("pagat").contract("prive", trump="S")).made is False


def test_own_ruleset_in_solve_many() -> None:
    rng = np.random.default_rng(3)
    hands = np.zeros((20, 4), np.uint64)
    for row in hands:
        cards = rng.permutation([card.bit for card in DECK33])
        row[:] = [int(cards[4 * seat : 4 * seat + 4].sum()) for seat in range(4)]
    for bid in ("een-of-twee", "alles-alleen"):
        contract = KITCHEN.contract(bid, trump="D")
        made = pandoer.solve_many(hands, contract, threads=1)
        one_by_one = [pandoer.solve(Deal([Hand.from_bits(int(bits)) for bits in row]), contract).made for row in hands]
        assert made.tolist() == one_by_one
        assert set(one_by_one) == {True, False} or bid == "alles-alleen"


def test_own_ruleset_in_odds() -> None:
    sure = pandoer.odds("SA SK SQ SJ ST S9 S8 S7", "alles-alleen", rules=KITCHEN, watch="H7", samples=20)
    assert (sure.rules, sure.probability, sure.unit) == ("kitchen", 1.0, "matches")
    assert sure.expected == pytest.approx(27)
    for bid, trump in (("een-of-twee", "D"), ("nul", "-"), ("alles", "H")):
        answer = pandoer.odds(
            "SA SK H9 H7 D8 D7 C8 C7", bid, rules=KITCHEN, watch="H8", samples=20, trump=trump, discard="SK"
        )
        assert answer.samples == 20
        assert answer.value == KITCHEN.bid(bid).value
        assert all(row.plan is not None and row.plan.discard == Card("SK") for row in answer.plans)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"hand": 0}, "hand 0: expected 1 to 8 cards"),
        ({"hand": 9}, "hand 9: expected 1 to 8 cards"),
        ({"deck": Hand("SJ SA S9 HA HK HQ C7 C8")}, "deck of 8 cards: expected at least 33"),
        ({"deck": Hand("SJ SA S9 HA HK HQ C7 C8"), "hand": 2}, "deck of 8 cards: expected at least 9"),
    ],
)
def test_a_ruleset_needs_cards_enough(change: dict[str, Any], says: str) -> None:
    with pytest.raises(PandoerError, match=re.escape(says)):
        replace(pandoer.ruleset("pagat"), **change)


# Names in a language


def test_swiss_numbers() -> None:
    pandur = pandoer.ruleset("pandur")
    for text, points in SWISS_NUMBERS:
        assert pandur.bid(text).target == points
    assert pandur.bid("hundertdreissig") == pandur.bid("hundertDREISSIG") == pandur.bid(130)


def test_names_of_bids_in_a_language() -> None:
    pandur = pandoer.ruleset("pandur")
    swiss = [bid.name_in("ch") for bid in pandur.bids if not bid.name.isdigit()]
    assert swiss == ["Misère ohne", "Misère mit", "Pandur ohne", "Pandur mit"]
    for rules in pandoer.RULESETS:
        for bid in rules.bids:
            assert bid.name_in() == bid.name_in("nl") == bid.name
            assert rules.bid(bid.name_in("ch")) == bid
    assert pandur.bid("360").name_in("ch") == "360"
    assert pandoer.ruleset("pagat").bid("pandoer+50").name_in("ch") == "pandoer+50"
    with pytest.raises(PandoerError, match="unknown language 'de': expected 'en', 'nl' or 'ch'"):
        pandur.bids[0].name_in("de")


def test_contracts_and_tables_in_a_language() -> None:
    pandur, pagat = pandoer.ruleset("pandur"), pandoer.ruleset("pagat")
    assert pandur.contract("Pandur mit", trump="Schilten").text("ch") == "Pandur mit, trump ♠ (Schilten)"
    contract = pagat.contract("pandoer", trump="Harten", called="SK")
    assert (str(contract), contract.text("nl")) == ("pandoer, trump ♥, called SK", "pandoer, trump ♥, called SH")
    assert [row[0] for row in pandur.table("ch")][3:5] == ["Misère ohne", "Misère mit"]
    assert pandur.table("nl") == pandur.table()
    assert [rules.pass_in("ch") for rules in (pandur, pagat)] == ["fort", "pass"]
    assert pandur.pass_in("nl") == "pass"
