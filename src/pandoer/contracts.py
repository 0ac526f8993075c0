"""The play switches, the bids of a ruleset and a contract, as data (RULES.md sections 2 to 5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal, get_args

from pandoer.cards import Card, Rank, Suit
from pandoer.errors import PandoerError
from pandoer.names import bid_in
from pandoer.objectives import Objective

if TYPE_CHECKING:
    from pandoer.rulesets import Ruleset

Undertrump = Literal["free", "no-higher", "forced", "void"]
CalledCard = Literal["identify", "protect"]
Trump = Literal["suit", "none", "led", "none-if-joined"]
Partner = Literal["called", "jack"]
Shown = Literal["tr2", "lead", "deal"]
MeldsDecide = Literal["all", "best"]


@dataclass(frozen=True)
class PlayRules:
    """The switches that say which cards may be played to a trick (RULES.md section 3).

    Attributes
    ----------
    ruff_when_able
        A player who can follow a plain suit may play a trump instead.
    undertrump
        When a lower trump than the best in the trick may be played to a plain suit: ``"free"`` always,
        ``"no-higher"`` by a player without a higher trump, ``"forced"`` by a player who has no other legal
        card, ``"void"`` by any player who is unable to follow.
    beat_led_trump
        To a trump lead the best trump so far has to be beaten by who can.
    jack_exempt
        The trump jack never has to be played to a trick that another led.
    trump_leads
        In this many first tricks a leader of the declaring side leads a trump if he holds one.
    called_card
        ``"identify"``: the call only names the partner; ``"protect"``: RULES.md section 5.
    must_ruff
        Unable to follow a plain suit, a player who can play a trump that is the best in the trick so far has
        to play one.  Belote's rule; no Pandoer ruleset has it.
    partner_exempt
        `must_ruff` does not bind a player whose side is winning the trick: he may play anything.
    first_lead_trump
        The suit of the first card led is trump, so whoever leads to trick 1 leads a trump if he holds one.
    """

    ruff_when_able: bool = True
    undertrump: Undertrump = "no-higher"
    beat_led_trump: bool = False
    jack_exempt: bool = True
    trump_leads: int = 0
    called_card: CalledCard = "identify"
    must_ruff: bool = False
    partner_exempt: bool = False
    first_lead_trump: bool = False

    def __post_init__(self) -> None:
        for name in ("ruff_when_able", "beat_led_trump", "jack_exempt", "must_ruff", "partner_exempt",
                     "first_lead_trump"):  # fmt: skip
            if not isinstance(getattr(self, name), bool):
                raise PandoerError(f"play rule {name}={getattr(self, name)!r}: expected true or false")
        for name, allowed in (("undertrump", get_args(Undertrump)), ("called_card", get_args(CalledCard))):
            if getattr(self, name) not in allowed:
                raise PandoerError(
                    f"play rule {name}={getattr(self, name)!r}: expected one of {', '.join(allowed)}"
                )
        if isinstance(self.trump_leads, bool) or not isinstance(self.trump_leads, int):
            raise PandoerError(f"play rule trump_leads={self.trump_leads!r}: expected a whole number")
        if not 0 <= self.trump_leads <= 8:
            raise PandoerError(f"play rule trump_leads={self.trump_leads!r}: expected 0 to 8")

    def override(self, changes: dict[str, Any]) -> PlayRules:
        """These rules with some switches changed; an unknown name is an error that quotes it."""
        known = self.__dataclass_fields__
        for name in changes:
            if name not in known:
                raise PandoerError(f"unknown play rule {name!r}: expected one of {', '.join(known)}")
        return replace(self, **changes)


@dataclass(frozen=True)
class CardRules:
    """Rank orders and card points (RULES.md section 1).

    Attributes
    ----------
    trump_order, plain_order
        Rank letters of the trump suit and of a plain suit, high to low.
    trump_points, plain_points
        Pairs of rank letter and card points; ranks left out count 0.
    last_trick
        Points for winning the last trick.
    """

    trump_order: str = "J9AKQT876"
    plain_order: str = "AKQJT9876"
    trump_points: tuple[tuple[str, int], ...] = (
        ("J", 20), ("9", 14), ("A", 11), ("T", 10), ("K", 3), ("Q", 2),
    )  # fmt: skip
    plain_points: tuple[tuple[str, int], ...] = (("A", 11), ("T", 10), ("K", 3), ("Q", 2), ("J", 1))
    last_trick: int = 5

    def __post_init__(self) -> None:
        letters = {rank.letter for rank in Rank}
        for order in (self.trump_order, self.plain_order):
            if len(set(order)) != len(order) or not set(order) <= letters:
                raise PandoerError(f"rank order {order!r}: expected distinct ranks out of {''.join(letters)}")

    def order(self, trump: bool) -> tuple[Rank, ...]:
        """All nine ranks of a trump or plain suit, low to high; ranks that the order leaves out come lowest."""
        return _low_to_high(self.trump_order if trump else self.plain_order)

    def points(self, suit: Suit, rank: Rank, trump: Suit | None) -> int:
        """Card points of the card of `suit` and `rank` when `trump` is the trump suit."""
        table = self.trump_points if suit == trump else self.plain_points
        return dict(table).get(rank.letter, 0)


@lru_cache
def _low_to_high(letters: str) -> tuple[Rank, ...]:
    by_letter = {rank.letter: rank for rank in Rank}
    named = [by_letter[letter] for letter in letters]
    return tuple([rank for rank in Rank if rank not in named] + named[::-1])


@dataclass(frozen=True)
class StakeRules:
    """How much of the pot may be staked on a bid that takes a stake (RULES.md section 7).

    Attributes
    ----------
    step, most
        A stake is a multiple of `step`, at most `most`, and at most the pot.
    least_pot
        Nothing may be staked while the pot holds less.
    """

    step: int = 5
    most: int = 50
    least_pot: int = 10


@dataclass(frozen=True)
class Bid:
    """A bid of a ruleset: what is promised and what it is worth (RULES.md section 7).

    Attributes
    ----------
    name
        Its name, such as ``"160"``, ``"solo-zwabber"`` or ``"pandoer+20"``.
    value
        What it pays, in the ruleset's unit.
    objective
        When it is made.
    trump
        ``"suit"``: the declarer names a trump suit; ``"none"``: played without; ``"led"``: the suit of the
        first card led is trump; ``"none-if-joined"``: a trump suit, but none when others join the misère.
    partner
        ``"called"``: the holder of a called card; ``"jack"``: the holder of the trump jack; ``None``: alone.
    target
        Card points (or, with `all`, points of melds and marriage) to reach.
    shown
        ``"tr2"``: the declarer's hand is open from trick 2 on; ``"lead"``: all hands after the first lead;
        ``"deal"``: all hands before it; ``None``: closed.
    play
        Play switches in which this bid differs from its ruleset.
    raised_by_melds
        The bid may be raised by points of melds, as in ``"pandoer+20"``.
    open_ended
        Further bids in steps of ten follow this one at the same value and rank.
    bonus
        Paid on top, whether the bid is made or not, when the side wins every trick; when the declarer does, alone, in a
        contract without a partner.
    takes_stake
        A share of the pot may be staked on the bid, which then outranks the bid with less.
    melds_decide
        Equal bids are decided by the kinds of melds that are announced: ``"all"`` of them, compared from the
        best down, or the ``"best"`` alone; ``None``: the earlier bid stands.
    """

    name: str
    value: int
    objective: Objective
    trump: Trump = "suit"
    partner: Partner | None = None
    target: int | None = None
    shown: Shown | None = None
    play: tuple[tuple[str, Any], ...] = ()
    raised_by_melds: bool = False
    open_ended: bool = False
    bonus: int = 0
    takes_stake: bool = False
    melds_decide: MeldsDecide | None = None

    def name_in(self, lang: str = "en") -> str:
        """The name in a language, such as ``"Misère ohne"`` with ``"ch"``; text input accepts it."""
        return bid_in(self.name, lang)

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True)
class Contract:
    """A bid with everything the declarer has chosen: trump and the called card.

    Made by `Ruleset.contract`, which checks it; the deal is not part of it.

    Attributes
    ----------
    rules
        The ruleset, for card order, points and melds.
    name
        The bid's name, or the objective's when it was asked for without a bid.
    objective, target
        When it is made; see `Bid`.
    declarer
        Seat of the declarer.
    trump
        The trump suit or ``None``.
    called
        The called card, whose holder is the partner, or ``None``.
    partner
        How the partner is found: ``"called"``, ``"jack"``, or ``None``.
    play
        The play switches in force.
    joiners
        Seats that joined the misère.
    side
        A side fixed by seats (problems with an objective of their own), else ``None``.
    bid
        The bid, or ``None`` for an objective of its own.
    """

    rules: Ruleset = field(repr=False)
    name: str
    objective: Objective
    declarer: int
    trump: Suit | None
    play: PlayRules
    target: int | None = None
    called: Card | None = None
    partner: Partner | None = None
    joiners: tuple[int, ...] = ()
    side: tuple[int, ...] | None = None
    bid: Bid | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        if self.declarer not in range(4):
            raise PandoerError(f"declarer {self.declarer!r}: expected a seat number, 0 to 3")

    @property
    def partner_card(self) -> Card | None:
        """The card whose holder is the declarer's partner, if there is one."""
        if self.partner == "jack":
            assert self.trump is not None
            return Card.of(self.trump, Rank.JACK)
        return self.called

    @property
    def partner_sign(self) -> str:
        """What `partner_card` is, in words."""
        return "trump jack" if self.partner == "jack" else "called card"

    @property
    def protected(self) -> Card | None:
        """The called card when RULES.md section 5 protects it, else ``None``."""
        if self.called is None or self.play.called_card != "protect" or self.called.suit == self.trump:
            return None
        return self.called

    def winner(self, trick: Sequence[Card], *, must: bool = False) -> Card:
        """The card that wins a trick: the highest trump, else the highest card of the suit led.

        Parameters
        ----------
        trick
            The cards laid, in order.
        must
            It was led with *must*, so that no trump wins it (RULES.md section 5).
        """
        suits = {card.suit for card in trick}
        wins = self.trump if self.trump in suits and not must else trick[0].suit
        order = self.rules.cards.order(wins == self.trump)
        return max((card for card in trick if card.suit == wins), key=lambda card: order.index(card.rank))

    def text(self, lang: str = "en") -> str:
        """The contract in words, with the names and rank letters of a language."""
        parts = [bid_in(self.name, lang)]
        if self.trump is not None:
            parts.append(f"trump {self.trump.text(lang)}")
        if self.called is not None:
            parts.append(f"called {self.called.text(lang)}")
        return ", ".join(parts)

    def __str__(self) -> str:
        return self.text()
