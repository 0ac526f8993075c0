"""Cards, hands and deals: text both ways, set operations, and what the errors say."""

from __future__ import annotations

import copy
import doctest
import pickle
import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pandoer import cards
from pandoer.cards import DECK24, DECK32, DECK33, Card, Deal, Hand, Rank, Suit
from pandoer.errors import PandoerError

HAND = "♠AJ9 ♥KQ ♦8 ♣T7"
LANGUAGES = st.sampled_from(["en", "nl", "ch"])
CARDS = st.sampled_from(DECK33.cards)
HANDS = st.sets(CARDS, max_size=9).map(Hand)


@st.composite
def deals(draw: st.DrawFn) -> Deal:
    """Deals of two to four hands of any lengths, with or without a discard."""
    pack = draw(st.permutations(DECK33.cards))
    counts = draw(st.lists(st.integers(0, 8), min_size=2, max_size=4))
    starts = [sum(counts[:seat]) for seat in range(len(counts))]
    hands = [Hand(pack[start : start + count]) for start, count in zip(starts, counts, strict=True)]
    return Deal(hands, discard=draw(st.sampled_from([None, pack[-1]])))


def test_doctests() -> None:
    assert doctest.testmod(cards).failed == 0


# Suits and ranks


@pytest.mark.parametrize(
    "text", ["S", "s", "♠", "♠\ufe0f", "spades", "Spades", " SPADES ", "schoppen", "Schilten", Suit.SPADES]
)
def test_suit_parse(text: str) -> None:
    assert Suit.parse(text) is Suit.SPADES


@pytest.mark.parametrize(
    ("lang", "names"),
    [
        ("en", ["Clubs", "Diamonds", "Hearts", "Spades"]),
        ("nl", ["Klaveren", "Ruiten", "Harten", "Schoppen"]),
        ("ch", ["Schellen", "Eichel", "Rosen", "Schilten"]),
    ],
)
def test_suit_names(lang: str, names: list[str]) -> None:
    assert [suit.name_in(lang) for suit in Suit] == names
    for suit, name in zip(Suit, names, strict=True):
        assert Suit.parse(name) is Suit.parse(name.lower()) is Suit.parse(name.upper()) is suit
        assert suit.text(lang) == (f"{suit.symbol} ({name})" if lang == "ch" else suit.symbol)


def test_names_of_an_unknown_language() -> None:
    for name in (Suit.SPADES.name_in, Suit.SPADES.text, Rank.JACK.text):
        with pytest.raises(PandoerError, match="unknown language 'fr': expected 'en', 'nl' or 'ch'"):
            name("fr")


def test_rank_text() -> None:
    assert [Rank.JACK.text(lang) for lang in ("en", "nl", "ch")] == ["J", "B", "U"]
    assert [Rank.TEN.text(lang) for lang in ("en", "nl", "ch")] == ["T", "10", "B"]


@pytest.mark.parametrize(
    "text", ["HD", "dh", "♥♦", "♥\ufe0f♦\ufe0f", "H,D", " H D ", "Rosen, Eichel", "Rosen D", "HD harten"]
)
def test_several_suits(text: str) -> None:
    assert Suit.parse_all(text) == (Suit.DIAMONDS, Suit.HEARTS)


def test_several_suits_error() -> None:
    assert Suit.parse_all("") == ()
    with pytest.raises(PandoerError, match="cannot read suit 'Schiltn': expected C D H S"):
        Suit.parse_all("H, Schiltn")


@pytest.mark.parametrize("text", ["", "X", "spade-ish", "-", None, 3])
def test_suit_parse_error(text: str) -> None:
    message = (
        f"cannot read suit {text!r}: expected C D H S, ♣ ♦ ♥ ♠ or an English, Dutch or Swiss name, such as 'Spades'"
    )
    with pytest.raises(PandoerError, match=f"^{re.escape(message)}$"):
        Suit.parse(text)


def test_suit_and_rank_letters() -> None:
    assert "".join(suit.letter for suit in Suit) == "CDHS"
    assert "".join(suit.symbol for suit in Suit) == "♣♦♥♠"
    assert "".join(rank.letter for rank in Rank) == "6789TJQKA"
    for suit in Suit:
        assert Suit.parse(suit.letter) is Suit.parse(suit.symbol) is Suit.parse(suit.name) is suit


# Cards


@pytest.mark.parametrize(
    ("text", "lang", "expected"),
    [
        ("SJ", "en", "SJ"),
        ("sj", "en", "SJ"),
        ("♠J", "en", "SJ"),
        (" S:J ", "en", "SJ"),
        ("H10", "en", "HT"),
        ("hT", "en", "HT"),
        ("SB", "nl", "SJ"),
        ("HH", "nl", "HK"),
        ("CV", "nl", "CQ"),
        ("D10", "nl", "DT"),
        ("DT", "nl", "DT"),
        ("SU", "ch", "SJ"),
        ("SO", "ch", "SQ"),
        ("SB", "ch", "ST"),
        ("S10", "ch", "ST"),
        ("ST", "ch", "ST"),
        ("SN", "ch", "S9"),
        ("S9", "ch", "S9"),
    ],
)
def test_card_text(text: str, lang: str, expected: str) -> None:
    assert str(Card(text, lang=lang)) == expected


def test_card_parts() -> None:
    card = Card("SJ")
    assert (card.suit, card.rank, card.index, card.bit) == (Suit.SPADES, Rank.JACK, 53, 1 << 53)
    assert card == Card(card) == Card.of(Suit.SPADES, Rank.JACK)
    assert [card.text(lang, symbols=True) for lang in ("en", "nl", "ch")] == ["♠J", "♠B", "♠U"]
    assert Card("ST").text("nl") == "S10"
    assert Card("HJ")._repr_html_() == "<span style='color:#c00'>♥J</span>"
    assert Card("SJ")._repr_html_() == "♠J"


def test_cards_are_immutable() -> None:
    for thing, name in ((Card("SJ"), "rank"), (Hand("SJ"), "bits"), (Deal("SJ / ."), "discard")):
        with pytest.raises(AttributeError):
            setattr(thing, name, None)
        with pytest.raises((AttributeError, TypeError)):
            thing.new = None  # type: ignore[union-attr]


def test_card_order() -> None:
    ordered = [str(card) for card in sorted(map(Card, ["SA", "C7", "CA", "H6", "D7"]))]
    assert ordered == ["C7", "CA", "D7", "H6", "SA"]


def test_deck_is_cards_of_all_suits_and_ranks() -> None:
    made = [Card.of(suit, rank) for suit in Suit for rank in Rank if rank > Rank.SIX]
    assert Hand(made) == DECK32
    assert Hand([*made, Card.of(Suit.HEARTS, Rank.SIX)]) == DECK33
    for suit in (Suit.CLUBS, Suit.DIAMONDS, Suit.SPADES):
        message = f"^there is no {suit.letter}6, the only six is the six of hearts, H6$"
        with pytest.raises(PandoerError, match=message):
            Card.of(suit, Rank.SIX)


EXPECTED = "expected a suit C D H S or ♣ ♦ ♥ ♠ and then a rank A K Q J T 9 8 7 6, such as 'SJ'"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("JS", "'JS' looks reversed, the suit comes first: 'SJ'; " + EXPECTED),
        ("10♠", "'T♠' looks reversed, the suit comes first: '♠T'; " + EXPECTED),
        ("XX", "'XX' does not begin with a suit; " + EXPECTED),
        ("S", "no rank follows the suit in 'S'; " + EXPECTED),
        ("S1", "'1' in 'S1' is not a rank; " + EXPECTED),
        ("SB", "'B' in 'SB' is not a rank (jack with lang='nl', ten with lang='ch'); " + EXPECTED),
        ("", "it holds 0 cards; " + EXPECTED),
        ("SJ9", "it holds 2 cards; " + EXPECTED),
        ("C6", "there is no C6, the only six is the six of hearts, H6"),
        ("d6", "there is no D6, the only six is the six of hearts, H6"),
        ("♠6", "there is no S6, the only six is the six of hearts, H6"),
        (5, "expected text, such as 'SJ'"),
    ],
)
def test_card_errors(text: str, why: str) -> None:
    with pytest.raises(PandoerError, match=f"^{re.escape(f'cannot read card {text!r}: {why}')}$"):
        Card(text)


def test_card_error_names_the_language() -> None:
    message = "^cannot read card 'SK': 'K' in 'SK' is not a rank with lang='nl', where the king is 'H'; "
    with pytest.raises(PandoerError, match=message):
        Card("SK", lang="nl")
    with pytest.raises(PandoerError, match=r"then a rank A H V B 10 9 8 7 6, such as 'SB'$"):
        Card("SX", lang="nl")
    with pytest.raises(PandoerError, match=r"'HS' looks reversed, the suit comes first: 'SH'"):
        Card("HS", lang="nl")
    with pytest.raises(PandoerError, match=r"^unknown language 'de': expected 'en', 'nl' or 'ch'$"):
        Card("SJ", lang="de")
    with pytest.raises(PandoerError, match=r"^unknown language 'de'"):
        Card("SJ").text("de")


# Hands


@pytest.mark.parametrize(
    "text",
    [
        "SJ S9 SA HK HQ D8 CT C7",
        "sj,s9,sa, hk hq\td8\nc10 c7",
        "♠J9A ♥KQ ♦8 ♣T7",
        "♠J9A♥KQ♦8♣107",
        "♠: J9A ♥: KQ ♦: 8 ♣: T7",
        "S:J9A H:KQ D:8 C:T7",
        "S:J9AH:KQD:8C:T7",
        "s: j9a, h: kq, d: 8, c: 107",
        "SJ9A HKQ D8 CT7",
        "SJ S9A ♥KQ D:8 C10 C7",
    ],
)
def test_hand_text(text: str) -> None:
    hand = Hand(text)
    assert str(hand) == HAND
    assert repr(hand) == f"Hand('{HAND}')"
    assert hand == Hand(HAND) == Hand(hand) == Hand(hand.cards) == Hand([str(card) for card in hand])


@pytest.mark.parametrize(
    ("text", "lang", "expected"),
    [
        ("HHV", "nl", "♥KQ"),
        ("HH HV", "nl", "♥KQ"),
        ("♥HV", "nl", "♥KQ"),
        ("H:HV S:AH", "nl", "♠AK ♥KQ"),
        ("S:AHH:HV", "nl", "♠AK ♥KQ"),
        ("♠AH♥HV", "nl", "♠AK ♥KQ"),
        ("SAHVB109", "nl", "♠AKQJT9"),
        ("SAHVBT9", "nl", "♠AKQJT9"),
        ("SAKOUBN", "ch", "♠AKQJT9"),
        ("SAKOU109", "ch", "♠AKQJT9"),
    ],
)
def test_hand_text_in_other_languages(text: str, lang: str, expected: str) -> None:
    assert str(Hand(text, lang=lang)) == expected


@pytest.mark.parametrize("text", ["", " ", ".", " . ", [], ()])
def test_empty_hand(text: str) -> None:
    hand = Hand(text)
    assert not hand
    assert len(hand) == 0
    assert hand.bits == 0
    assert hand == Hand()
    assert (str(hand), repr(hand), hand._repr_html_()) == (".", "Hand('.')", ".")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("SJ S9 XX", "'XX' does not begin with a suit; " + EXPECTED),
        ("SJ 9S", "'9S' looks reversed, the suit comes first: 'S9'; " + EXPECTED),
        ("S:J 9", "'9' does not begin with a suit; " + EXPECTED),
        ("♠J ♥ ♦8", "no rank follows the suit in '♥'; " + EXPECTED),
        ("SA .", "'.' does not begin with a suit; " + EXPECTED),
        ("-", "'-' does not begin with a suit; " + EXPECTED),
        (",", "',' does not begin with a suit; " + EXPECTED),
        ("SA1", "'1' in 'SA1' is not a rank; " + EXPECTED),
        ("HK C76", "there is no C6, the only six is the six of hearts, H6"),
        ("SJ HK ♠J", "SJ is in it twice, expected once"),
        ("SJ10T", "ST is in it twice, expected once"),
        (None, "expected text or cards, such as 'SJ S9 HK'"),
    ],
)
def test_hand_errors(text: str, why: str) -> None:
    with pytest.raises(PandoerError, match=f"^{re.escape(f'cannot read hand {text!r}: {why}')}$"):
        Hand(text)


def test_hand_of_cards_given_twice() -> None:
    message = "^cannot read hand 'SJ HK SJ': SJ is in it twice, expected once$"
    with pytest.raises(PandoerError, match=message):
        Hand([Card("SJ"), "HK", "♠J"])


def test_hand_from_bits() -> None:
    hand = Hand(HAND)
    assert Hand.from_bits(np.uint64(hand.bits)) == hand
    assert type(Hand.from_bits(np.uint64(hand.bits)).bits) is int
    for bits in (1, 1 << 9, 1 << 48, 1 << 64, -1):
        with pytest.raises(PandoerError, match=f"bits {bits:#x}: expected bits of the 33 cards only"):
            Hand.from_bits(bits)


def test_hand_operations() -> None:
    hand = Hand(HAND)
    assert [str(card) for card in hand] == ["SA", "SJ", "S9", "HK", "HQ", "D8", "CT", "C7"]
    assert len(hand) == 8
    assert hand.cards == tuple(hand)
    assert bool(hand)
    assert "SJ" in hand
    assert Card("SJ") in hand
    assert "♥10" not in hand
    assert hand.of_suit(Suit.SPADES) == hand.of_suit("♠") == Hand("SAJ9")
    assert hand.add("H6") == hand | Card("H6") == Hand(HAND + " H6")
    assert hand.remove("SJ") == hand - Card("SJ") == Hand("♠A9 ♥KQ ♦8 ♣T7")
    assert hand & Hand("SA S7 HK") == Hand("SA HK")
    assert hand & Card("S7") == Hand()
    assert hand ^ Hand("SA S7") == Hand("♠J97 ♥KQ ♦8 ♣T7")
    assert hand - DECK33 == Hand()
    assert hand.text("nl") == "♠AB9 ♥HV ♦8 ♣107"
    assert hand.text("ch", symbols=False) == "SAUN HKO D8 CB7"
    with pytest.raises(TypeError):
        hand | 5  # type: ignore[operator]


def test_hand_add_and_remove_errors() -> None:
    message = "^cannot add SA to hand '♠AJ9 ♥KQ ♦8 ♣T7': expected a card that is not in it$"
    with pytest.raises(PandoerError, match=message):
        Hand(HAND).add("SA")
    message = "^cannot remove S7 from hand '♠AJ9 ♥KQ ♦8 ♣T7': expected a card that is in it$"
    with pytest.raises(PandoerError, match=message):
        Hand(HAND).remove("S7")


def test_hand_html_colours_the_red_suits() -> None:
    red = "<span style='color:#c00'>{}</span>"
    assert Hand(HAND)._repr_html_() == f"♠AJ9 {red.format('♥KQ')} {red.format('♦8')} ♣T7"


def test_decks() -> None:
    assert [len(deck) for deck in (DECK33, DECK32, DECK24)] == [33, 32, 24]
    assert str(DECK33 - DECK32) == "♥6"
    assert str(DECK24) == "♠AKQJT9 ♥AKQJT9 ♦AKQJT9 ♣AKQJT9"


@given(HANDS, LANGUAGES, st.booleans())
def test_hand_text_round_trip(hand: Hand, lang: str, symbols: bool) -> None:
    text = hand.text(lang, symbols)
    assert Hand(text, lang=lang) == Hand(text.lower(), lang=lang) == hand
    assert Hand(text.replace("10", "T"), lang=lang) == hand
    assert Hand((card.text(lang, symbols) for card in hand), lang=lang) == hand
    assert Hand(", ".join(card.text(lang, symbols) for card in hand), lang=lang) == hand


@given(HANDS)
def test_hand_values_round_trip(hand: Hand) -> None:
    assert Hand(str(hand)) == eval(repr(hand)) == hand
    assert pickle.loads(pickle.dumps(hand)) == copy.deepcopy(hand) == hand
    assert Hand.from_bits(hand.bits) == Hand(reversed(hand.cards)) == hand
    assert len({hand, Hand(str(hand))}) == 1
    assert hand.bits == sum(card.bit for card in hand)
    assert len(hand) == len(hand.cards)
    assert list(hand) == sorted(hand, reverse=True)


@given(HANDS, HANDS)
def test_hand_is_a_set(one: Hand, two: Hand) -> None:
    first, second = set(one), set(two)
    assert set(one & two) == first & second
    assert set(one | two) == first | second
    assert set(one - two) == first - second
    assert set(one ^ two) == first ^ second
    assert (one < two) + (one == two) + (one > two) == 1


@given(CARDS, LANGUAGES, st.booleans())
def test_card_round_trip(card: Card, lang: str, symbols: bool) -> None:
    text = card.text(lang, symbols)
    assert Card(text, lang=lang) == Card(text.lower(), lang=lang) == card
    assert eval(repr(card)) == pickle.loads(pickle.dumps(card)) == copy.deepcopy(card) == card
    assert hash(Card(str(card))) == hash(card)
    assert Hand([card]).bits == card.bit


@given(st.text(alphabet="♠♥CDHS:.,106789TJQKAVBOUNX /-", max_size=12), LANGUAGES)
def test_any_text_is_read_or_quoted(text: str, lang: str) -> None:
    message = ""
    try:
        hand = Hand(text, lang=lang)
    except PandoerError as error:
        message, hand = str(error), Hand()
    assert Hand(hand.text(lang), lang=lang) == hand
    assert not message or message.startswith(f"cannot read hand {text!r}: ")


# Deals


def test_deal() -> None:
    deal = Deal("SJ9 / HA H10 / . / D7", discard="C7")
    assert str(deal) == "♠J9 / ♥AT / . / ♦7"
    assert repr(deal) == "Deal('♠J9 / ♥AT / . / ♦7', discard='C7')"
    assert deal.text("nl", symbols=False) == "SB9 / HA10 / . / D7"
    assert deal.players == len(deal) == 4
    assert deal.hands == tuple(deal) == (Hand("SJ9"), Hand("HAT"), Hand(), Hand("D7"))
    assert deal[1] == deal[-3] == Hand("HAT")
    assert deal.bits == tuple(hand.bits for hand in deal)
    assert deal.discard == Card("C7")
    assert deal == Deal([Hand("SJ9"), "HAT", [], [Card("D7")]], discard=Card("C7")) == Deal(deal)
    assert deal == Deal("SB9 / HA10 / / D7", discard="C7", lang="nl")
    assert deal != Deal(deal.hands)
    assert Deal(deal.hands) < deal
    assert Deal("SA/").hands == (Hand("SA"), Hand())


def test_deal_html() -> None:
    cell = "<td style='text-align:left'>"
    assert Deal("SA / ", discard="C7")._repr_html_() == (
        f"<table><tr><th>0</th>{cell}♠A</td></tr><tr><th>1</th>{cell}.</td></tr>"
        f"<tr><th>discard</th>{cell}♣7</td></tr></table>"
    )


@pytest.mark.parametrize(
    ("text", "discard", "why"),
    [
        ("SA", None, "1 hand(s), expected 2 to 4 with / between them"),
        ("SA / SK / SQ / SJ / ST", None, "5 hand(s), expected 2 to 4 with / between them"),
        ("SA / SK SA", None, "SA is in the hands of seats 0 and 1, expected it in one"),
        ("SA / HA / HK / SK H10 HA", None, "HA is in the hands of seats 1 and 3, expected it in one"),
        ("SA / HA", "♥A", "the discard HA is in the hand of seat 1, expected it in none"),
        ("SA / H6789TJQKA", None, "seat 1 holds 9 cards, expected at most 8"),
        ("SA / XX", None, "seat 1: cannot read hand 'XX': 'XX' does not begin with a suit; " + EXPECTED),
        ("SA / SK SK", None, "seat 1: cannot read hand 'SK SK': SK is in it twice, expected once"),
    ],
)
def test_deal_errors(text: str, discard: str | None, why: str) -> None:
    message = f"cannot read deal {text!r}: {why}"
    with pytest.raises(PandoerError, match=f"^{re.escape(message)}$"):
        Deal(text, discard=discard)
    with pytest.raises(PandoerError, match=re.escape(why)):
        Deal(text.split(" / "), discard=discard)


def test_deal_of_something_else() -> None:
    with pytest.raises(PandoerError, match=r"^cannot read deal 5: expected text or hands$"):
        Deal(5)  # type: ignore[arg-type]
    with pytest.raises(PandoerError, match=r"^cannot read deal '5 / 6': seat 0: cannot read hand 5"):
        Deal([5, 6])  # type: ignore[list-item]


@given(deals())
def test_deal_round_trip(deal: Deal) -> None:
    assert Deal(str(deal), discard=deal.discard) == eval(repr(deal)) == deal
    assert pickle.loads(pickle.dumps(deal)) == copy.deepcopy(deal) == deal
    assert len({deal, copy.deepcopy(deal)}) == 1


@given(st.lists(deals(), max_size=5))
def test_deals_sort(some: list[Deal]) -> None:
    ordered = sorted(some)
    assert all(one <= two and not two < one for one, two in pairwise(ordered))
