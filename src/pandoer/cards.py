"""Suits, ranks, cards, hands and deals, and their text.

A card is a suit letter and a rank: ``SJ``, ``H6``, ``CT`` (or ``C10``), or with the symbol: ``♠J``. A hand is
written card by card, ``SJ S9 HK``, or suit by suit, ``♠J9 ♥K``, ``S:J9 H:K``, ``SJ9 HK``. A deal is hands
separated by ``/``. Upper and lower case are the same. There are 33 cards: seven to ace in four suits, and the
six of hearts.

Rank letters, ace first (``T`` and ``10`` stand for the ten in every language; suits are always C D H S):

======== ======================
``en``   A K Q J T 9 8 7 6
``nl``   A H V B 10 9 8 7 6
``ch``   A K O U B N 8 7 6
======== ======================

A suit alone may also be named in any of the languages, C D H S in this order:

======== =====================================
``en``   Clubs, Diamonds, Hearts, Spades
``nl``   Klaveren, Ruiten, Harten, Schoppen
``ch``   Schellen, Eichel, Rosen, Schilten
======== =====================================
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import total_ordering
from typing import SupportsIndex

from pandoer.errors import PandoerError

__all__ = ["DECK24", "DECK32", "DECK33", "Card", "Deal", "Hand", "Rank", "Suit", "language"]

# What each language writes for the ranks six to ace.
_RANKS = {
    "en": ("6", "7", "8", "9", "T", "J", "Q", "K", "A"),
    "nl": ("6", "7", "8", "9", "10", "B", "V", "H", "A"),
    "ch": ("6", "7", "8", "N", "B", "U", "O", "K", "A"),
}
# What each language calls the suits.
_SUITS = {
    "en": ("Clubs", "Diamonds", "Hearts", "Spades"),
    "nl": ("Klaveren", "Ruiten", "Harten", "Schoppen"),
    "ch": ("Schellen", "Eichel", "Rosen", "Schilten"),
}
_LETTERS = "CDHS"
_SYMBOLS = "♣♦♥♠"
_MAX_HAND = 8


class Suit(IntEnum):
    """A suit. The numbers ascend in the order that ranks equal melds: clubs, diamonds, hearts, spades."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def letter(self) -> str:
        """The letter in card text, ``"C"``, ``"D"``, ``"H"`` or ``"S"``."""
        return _LETTERS[self]

    @property
    def symbol(self) -> str:
        """The symbol, ``"♣"``, ``"♦"``, ``"♥"`` or ``"♠"``."""
        return _SYMBOLS[self]

    def name_in(self, lang: str = "en") -> str:
        """The suit's name in a language.

        >>> [Suit.SPADES.name_in(lang) for lang in ("en", "nl", "ch")]
        ['Spades', 'Schoppen', 'Schilten']
        """
        return _SUITS[language(lang)][self]

    def text(self, lang: str = "en") -> str:
        """The symbol, with the name where the cards of the country show other suits: ``"♠ (Schilten)"``."""
        return f"{self.symbol} ({self.name_in(lang)})" if language(lang) == "ch" else self.symbol

    @classmethod
    def parse(cls, text: str | Suit) -> Suit:
        """Read a suit from its letter, symbol or name in any language, in any case.

        Raises
        ------
        PandoerError
            If the text is none of these.

        Examples
        --------
        >>> Suit.parse("s") is Suit.parse("♠") is Suit.parse("Spades") is Suit.parse("schilten")
        True
        """
        if isinstance(text, Suit):
            return text
        if isinstance(text, str):
            clean = _clean(text)
            for suit in cls:
                if clean in (suit.letter, suit.symbol, *(names[suit].upper() for names in _SUITS.values())):
                    return suit
        raise PandoerError(
            f"cannot read suit {text!r}: expected C D H S, ♣ ♦ ♥ ♠ or an English, Dutch or Swiss name, such as 'Spades'"
        )

    @classmethod
    def parse_all(cls, text: str) -> tuple[Suit, ...]:
        """Read any number of suits: ``"HD"``, ``"♥♦"``, ``"Rosen, Eichel"``; each once, in ascending order.

        Raises
        ------
        PandoerError
            If a part of the text is no suit.
        """
        found = set()
        for word in text.replace(",", " ").split():
            letters = _clean(word)
            found |= {cls.parse(part) for part in (letters if set(letters) <= {*_LETTERS, *_SYMBOLS} else [word])}
        return tuple(sorted(found))


class Rank(IntEnum):
    """A rank. The numbers ascend in plain order, six to ace; trump order is a matter of play."""

    SIX = 0
    SEVEN = 1
    EIGHT = 2
    NINE = 3
    TEN = 4
    JACK = 5
    QUEEN = 6
    KING = 7
    ACE = 8

    @property
    def letter(self) -> str:
        """The English letter: ``"6"`` to ``"9"``, ``"T"``, ``"J"``, ``"Q"``, ``"K"`` or ``"A"``."""
        return _RANKS["en"][self]

    def text(self, lang: str = "en") -> str:
        """What a language writes for the rank."""
        return _RANKS[language(lang)][self]


# What each language reads, one character a rank: its own letters, and 9 and T (as which 10 is read).
_READ = {
    lang: {"9": Rank.NINE, "T": Rank.TEN} | {text: Rank(i) for i, text in enumerate(written) if text != "10"}
    for lang, written in _RANKS.items()
}


@dataclass(frozen=True, order=True, slots=True, init=False, repr=False)
class Card:
    """One of the 33 cards; immutable, ordered by suit and then rank.

    Parameters
    ----------
    card : str or Card
        Suit and rank, ``"SJ"``, ``"♠J"``, ``"h10"``; a card gives an equal card.
    lang : {"en", "nl", "ch"}
        Language of the rank letters.

    Raises
    ------
    PandoerError
        If the text is not one card of the 33.

    Examples
    --------
    >>> Card("♠J"), Card("sb", lang="nl")
    (Card('SJ'), Card('SJ'))
    """

    suit: Suit
    rank: Rank

    def __init__(self, card: str | Card, *, lang: str = "en") -> None:
        if not isinstance(card, Card):
            cards = _read(card, "card", lang)
            if len(cards) != 1:
                raise _unreadable("card", card, f"it holds {len(cards)} cards", lang)
            card = cards[0]
        object.__setattr__(self, "suit", card.suit)
        object.__setattr__(self, "rank", card.rank)

    @classmethod
    def of(cls, suit: Suit, rank: Rank) -> Card:
        """Make a card of a suit and a rank.

        Raises
        ------
        PandoerError
            For a six that is not the six of hearts.
        """
        card = object.__new__(cls)
        object.__setattr__(card, "suit", Suit(suit))
        object.__setattr__(card, "rank", Rank(rank))
        if not card.bit & _ALL_BITS:
            raise PandoerError(_no_six(card.suit))
        return card

    @property
    def index(self) -> int:
        """The number of the card's bit in a hand, 16 x suit + rank."""
        return 16 * self.suit + self.rank

    @property
    def bit(self) -> int:
        """The card as a hand of one, ``1 << index``."""
        return 1 << self.index

    def text(self, lang: str = "en", symbols: bool = False) -> str:
        """Write the card, such as ``"SJ"``, or ``"♠J"`` with symbols."""
        return (self.suit.symbol if symbols else self.suit.letter) + _RANKS[language(lang)][self.rank]

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"Card({self.text()!r})"

    def _repr_html_(self) -> str:
        return _coloured(self.suit, self.text(symbols=True))


@dataclass(frozen=True, order=True, slots=True, init=False, repr=False)
class Hand:
    """An immutable set of cards, kept as the bits of one integer.

    Iteration and text go spades, hearts, diamonds, clubs, each from high to low in plain order. ``<`` and its
    kin order hands by their bits, for sorting; they do not mean subset.

    Parameters
    ----------
    cards : str, Hand or iterable of Card or str
        Text in any of the forms of this module (``"."`` or ``""`` is the empty hand), or cards one by one.
    lang : {"en", "nl", "ch"}
        Language of the rank letters.

    Attributes
    ----------
    bits : int
        The cards, 16 bits a suit: bit 16 x suit + rank. It fits a ``numpy.uint64``.

    Raises
    ------
    PandoerError
        For an unknown card, or a card given twice.

    Examples
    --------
    >>> Hand("SJ S9 SA HK HQ D8 CT C7")
    Hand('♠AJ9 ♥KQ ♦8 ♣T7')
    >>> Hand("HHV S10", lang="nl")
    Hand('♠T ♥KQ')
    """

    bits: int

    def __init__(self, cards: str | Hand | Iterable[Card | str] = "", *, lang: str = "en") -> None:
        bits = cards.bits if isinstance(cards, Hand) else 0
        if not isinstance(cards, Iterable):
            raise PandoerError(f"cannot read hand {cards!r}: expected text or cards, such as 'SJ S9 HK'")
        if isinstance(cards, str):
            members = _read(cards, "hand", lang)
        else:
            members = [] if isinstance(cards, Hand) else [Card(card, lang=lang) for card in cards]
            cards = " ".join(map(str, members))
        for card in members:
            if bits & card.bit:
                raise PandoerError(f"cannot read hand {cards!r}: {card} is in it twice, expected once")
            bits |= card.bit
        object.__setattr__(self, "bits", bits)

    @classmethod
    def from_bits(cls, bits: SupportsIndex) -> Hand:
        """Make a hand of its bits (any integer, numpy's included).

        Raises
        ------
        PandoerError
            If a bit is set that is not one of the 33 cards.
        """
        value = operator.index(bits)
        if value & ~_ALL_BITS:
            raise PandoerError(f"cannot make a hand of bits {value:#x}: expected bits of the 33 cards only")
        hand = object.__new__(cls)
        object.__setattr__(hand, "bits", value)
        return hand

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards in the order of iteration."""
        return tuple(self)

    def of_suit(self, suit: Suit | str) -> Hand:
        """The cards of one suit."""
        return Hand.from_bits(self.bits & 0xFFFF << 16 * Suit.parse(suit))

    def add(self, card: Card | str) -> Hand:
        """The hand with one more card; `PandoerError` if it is there already."""
        card = Card(card)
        if card in self:
            raise PandoerError(f"cannot add {card} to hand {str(self)!r}: expected a card that is not in it")
        return self | card

    def remove(self, card: Card | str) -> Hand:
        """The hand without one of its cards; `PandoerError` if it is not there."""
        card = Card(card)
        if card not in self:
            raise PandoerError(f"cannot remove {card} from hand {str(self)!r}: expected a card that is in it")
        return self - card

    def __iter__(self) -> Iterator[Card]:
        bits = self.bits
        while bits:
            suit, rank = divmod(bits.bit_length() - 1, 16)
            card = Card.of(Suit(suit), Rank(rank))
            yield card
            bits ^= card.bit

    def __len__(self) -> int:
        return self.bits.bit_count()

    def __contains__(self, card: Card | str) -> bool:
        return bool(self.bits & Card(card).bit)

    def __and__(self, other: Hand | Card) -> Hand:
        return self._combine(operator.and_, other)

    def __or__(self, other: Hand | Card) -> Hand:
        return self._combine(operator.or_, other)

    def __xor__(self, other: Hand | Card) -> Hand:
        return self._combine(operator.xor, other)

    def __sub__(self, other: Hand | Card) -> Hand:
        return self._combine(lambda mine, others: mine & ~others, other)

    def _combine(self, operation: Callable[[int, int], int], other: Hand | Card) -> Hand:
        if not isinstance(other, (Hand, Card)):
            return NotImplemented
        return Hand.from_bits(operation(self.bits, other.bits if isinstance(other, Hand) else other.bit))

    def _groups(self, lang: str, symbols: bool) -> Iterator[tuple[Suit, str]]:
        """Yield each suit held, spades first, with its text."""
        written = _RANKS[language(lang)]
        for suit in reversed(Suit):
            ranks = "".join(written[card.rank] for card in self.of_suit(suit))
            if ranks:
                yield suit, (suit.symbol if symbols else suit.letter) + ranks

    def text(self, lang: str = "en", symbols: bool = True) -> str:
        """Write the hand, ``"♠AJ9 ♥KQ"``, or without symbols ``"SAJ9 HKQ"``; the empty hand is ``"."``."""
        return " ".join(group for _, group in self._groups(lang, symbols)) or "."

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"Hand({self.text()!r})"

    def _repr_html_(self) -> str:
        return " ".join(_coloured(suit, group) for suit, group in self._groups("en", True)) or "."


@total_ordering
@dataclass(frozen=True, slots=True, init=False, repr=False)
class Deal:
    """The hands of two to four seats, in order of play, and the declarer's discard if it is known.

    Hands hold at most eight cards each and need not be equally long: it may be the middle of a trick.

    Parameters
    ----------
    hands : str, Deal or iterable of Hand, text or cards
        Hands separated by ``/``, or one by one.
    discard : Card or str, optional
        The card laid away; out of play.
    lang : {"en", "nl", "ch"}
        Language of the rank letters.

    Raises
    ------
    PandoerError
        For malformed text, fewer than two or more than four hands, a hand of more than eight cards, a card in
        two hands, or a discard that is in a hand.

    Examples
    --------
    >>> Deal("SJ9 / HA / . / D7", discard="C7")
    Deal('♠J9 / ♥A / . / ♦7', discard='C7')
    """

    hands: tuple[Hand, ...]
    discard: Card | None

    def __init__(
        self,
        hands: str | Deal | Iterable[Hand | str | Iterable[Card | str]],
        *,
        discard: Card | str | None = None,
        lang: str = "en",
    ) -> None:
        if not isinstance(hands, Iterable):
            raise PandoerError(f"cannot read deal {hands!r}: expected text or hands")
        if isinstance(hands, Deal) and discard is None:
            discard = hands.discard
        parts = hands.split("/") if isinstance(hands, str) else list(hands)
        shown = hands if isinstance(hands, str) else " / ".join(map(str, parts))

        def problem(what: str) -> PandoerError:
            return PandoerError(f"cannot read deal {shown!r}: {what}")

        if not 2 <= len(parts) <= 4:
            raise problem(f"{len(parts)} hand(s), expected 2 to 4 with / between them")
        seats: list[Hand] = []
        laid = None if discard is None else Card(discard, lang=lang)
        for seat, part in enumerate(parts):
            try:
                hand = Hand(part.strip() if isinstance(part, str) else part, lang=lang)
            except PandoerError as error:
                raise problem(f"seat {seat}: {error}") from None
            if len(hand) > _MAX_HAND:
                raise problem(f"seat {seat} holds {len(hand)} cards, expected at most {_MAX_HAND}")
            for other, earlier in enumerate(seats):
                for card in hand & earlier:
                    raise problem(f"{card} is in the hands of seats {other} and {seat}, expected it in one")
            if laid is not None and laid in hand:
                raise problem(f"the discard {laid} is in the hand of seat {seat}, expected it in none")
            seats.append(hand)
        object.__setattr__(self, "hands", tuple(seats))
        object.__setattr__(self, "discard", laid)

    @property
    def players(self) -> int:
        """The number of seats, 2 to 4."""
        return len(self.hands)

    @property
    def bits(self) -> tuple[int, ...]:
        """`Hand.bits` of each seat."""
        return tuple(hand.bits for hand in self.hands)

    def text(self, lang: str = "en", symbols: bool = True) -> str:
        """Write the hands, separated by ``" / "``; the discard is left out."""
        return " / ".join(hand.text(lang, symbols) for hand in self.hands)

    def __len__(self) -> int:
        return len(self.hands)

    def __getitem__(self, seat: int) -> Hand:
        return self.hands[seat]

    def __iter__(self) -> Iterator[Hand]:
        return iter(self.hands)

    def __lt__(self, other: Deal) -> bool:
        if not isinstance(other, Deal):
            return NotImplemented
        return self._key() < other._key()

    def _key(self) -> tuple[tuple[int, ...], int]:
        return self.bits, -1 if self.discard is None else self.discard.index

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        discard = "" if self.discard is None else f", discard={str(self.discard)!r}"
        return f"Deal({self.text()!r}{discard})"

    def _repr_html_(self) -> str:
        rows = [(str(seat), hand._repr_html_()) for seat, hand in enumerate(self.hands)]
        if self.discard is not None:
            rows.append(("discard", self.discard._repr_html_()))
        cells = (f"<tr><th>{name}</th><td style='text-align:left'>{html}</td></tr>" for name, html in rows)
        return f"<table>{''.join(cells)}</table>"


# Reading and writing text


def _read(text: str, what: str, lang: str) -> list[Card]:
    """Read cards in the order they are written; `what` ("card" or "hand") names the text in errors."""
    known = _READ[language(lang)]
    if not isinstance(text, str):
        raise PandoerError(f"cannot read {what} {text!r}: expected text, such as 'SJ'")
    clean = _clean(text).replace("10", "T")
    if clean in ("", "."):
        return []
    # A symbol, or a letter and a colon, begins a group wherever it stands; blanks after it are ignored.
    marked = re.sub(rf"([{_SYMBOLS}]:?|[{_LETTERS}]:)\s*", r" \1", clean)
    cards = []
    for group in marked.replace(",", " ").split() or [clean]:
        match = re.fullmatch(rf"([{_LETTERS}{_SYMBOLS}]):?([{''.join(known)}]+)", group)
        if match is None:
            raise _unreadable(what, text, _why(clean, group, lang), lang)
        suit = Suit.parse(match[1])
        for rank in match[2]:
            if rank == "6" and suit is not Suit.HEARTS:
                raise PandoerError(f"cannot read {what} {text!r}: {_no_six(suit)}")
            cards.append(Card.of(suit, known[rank]))
    return cards


def _why(clean: str, group: str, lang: str) -> str:
    """Say what is wrong with a group that cannot be read, in a text of many."""
    known = _READ[lang]
    for word in clean.replace(",", " ").split():
        head, tail = word[:1], word[1:]
        if head in known and tail in (*_LETTERS, *_SYMBOLS) and tail not in known:
            return f"{word!r} looks reversed, the suit comes first: {tail + head!r}"
    if group[:1] not in (*_LETTERS, *_SYMBOLS):
        return f"{group!r} does not begin with a suit"
    bad = next((letter for letter in group[1:].removeprefix(":") if letter not in known), None)
    if bad is None:
        return f"no rank follows the suit in {group!r}"
    why = f"{bad!r} in {group!r} is not a rank"
    if rank := _READ["en"].get(bad):
        return f"{why} with lang={lang!r}, where the {rank.name.lower()} is {_RANKS[lang][rank]!r}"
    others = [f"{read[bad].name.lower()} with lang={name!r}" for name, read in _READ.items() if bad in read]
    return f"{why} ({', '.join(others)})" if others else why


def _unreadable(what: str, text: str, why: str, lang: str) -> PandoerError:
    ranks = " ".join(reversed(_RANKS[lang]))
    example = Card.of(Suit.SPADES, Rank.JACK).text(lang)
    return PandoerError(
        f"cannot read {what} {text!r}: {why}; "
        f"expected a suit C D H S or ♣ ♦ ♥ ♠ and then a rank {ranks}, such as {example!r}"
    )


def _no_six(suit: Suit) -> str:
    return f"there is no {suit.letter}6, the only six is the six of hearts, H6"


def _clean(text: str) -> str:
    """Strip, make upper case, and drop the mark that makes emoji of suit symbols."""
    return text.replace("\ufe0f", "").strip().upper()


def language(lang: str) -> str:
    """A language, checked."""
    if lang not in _RANKS:
        raise PandoerError(f"unknown language {lang!r}: expected 'en', 'nl' or 'ch'")
    return lang


def _coloured(suit: Suit, text: str) -> str:
    red = suit in (Suit.DIAMONDS, Suit.HEARTS)
    return f"<span style='color:#c00'>{text}</span>" if red else text


_SIX_OF_HEARTS = 1 << 16 * Suit.HEARTS
_ALL_BITS = 0x01FE_01FE_01FE_01FE | _SIX_OF_HEARTS

#: The pack of Pandoer: seven to ace in four suits, and the six of hearts.
DECK33 = Hand.from_bits(_ALL_BITS)
#: Seven to ace in four suits.
DECK32 = Hand.from_bits(_ALL_BITS & ~_SIX_OF_HEARTS)
#: The pack of Pandur: nine to ace in four suits.
DECK24 = Hand.from_bits(0x01F8_01F8_01F8_01F8)
