"""A ruleset as data, and the contracts that it makes (RULES.md sections 2 and 7)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Literal

from pandoer.cards import DECK33, Card, Hand, Rank, Suit, language
from pandoer.contracts import Bid, CardRules, Contract, Partner, PlayRules, StakeRules, Trump
from pandoer.errors import PandoerError
from pandoer.melds import MeldRules
from pandoer.names import plain, split_bid
from pandoer.objectives import ALL, POINTS, TRICKS

Calling = Literal["any", "plain-first"]
Payment = Literal["each", "three-payers", "pot", "written"]
AllPass = Literal["new deal", "husselen"]


@dataclass(frozen=True)
class Ruleset:
    """Everything that distinguishes one way of playing from another.

    Attributes
    ----------
    name, title, source
        Its name in problems, a title for people, and where the rules come from.
    bids
        The bids in ascending rank.
    deck
        The cards of the game.
    players
        The numbers of players who can hold cards.
    hand
        Cards dealt to each player, 1 to 8.
    watch
        ``"open"`` or ``"closed"``: how the watch card lies; ``None`` when there is none (then nothing is
        discarded either).
    cards, play, melds
        Rank orders and points; play switches; melds and marriage.
    calling
        Which suits may be called: ``"any"`` or ``"plain-first"``; see `callable_cards`.
    joined_misere
        Others may join a misère.
    dealer_sits_out
        With the most players at cards one more may sit at the table: the dealer, who holds no cards and writes what
        the opponents of a missed contract write.
    goal
        A game goes to so many points; ``None`` when each deal stands alone.
    pass_is_final
        Who has passed stays out of the auction; otherwise he may bid when the turn comes back to him.
    pass_name
        What a player says who passes, ``"pass"`` apart.
    all_pass
        What happens when nobody bids: a ``"new deal"``, or ``"husselen"``, in which the first hand shuffles his
        cards anew (RULES.md section 7).
    stakes
        The limits of stakes, for the bids that take one.
    payment
        ``"each"``: declarer and partner each win or lose the value; ``"three-payers"``: alone, each of the
        three others pays or is paid; ``"pot"``: paid to and from a pot; ``"written"``: points are written,
        the declarer's when he makes it and everybody else's when he does not.
    unit
        What a value counts.
    """

    name: str
    title: str
    source: str
    bids: tuple[Bid, ...]
    deck: Hand = DECK33
    players: tuple[int, ...] = (4,)
    hand: int = TRICKS
    watch: Literal["open", "closed"] | None = "open"
    cards: CardRules = field(default_factory=CardRules)
    play: PlayRules = field(default_factory=PlayRules)
    melds: MeldRules = field(default_factory=MeldRules)
    calling: Calling = "any"
    joined_misere: bool = False
    dealer_sits_out: bool = False
    goal: int | None = None
    pass_is_final: bool = True
    pass_name: str = "pass"
    all_pass: AllPass = "new deal"
    stakes: StakeRules = field(default_factory=StakeRules)
    payment: Payment = "each"
    unit: str = "points"

    def __post_init__(self) -> None:
        if self.hand not in range(1, TRICKS + 1):
            raise PandoerError(f"hand {self.hand!r}: expected 1 to {TRICKS} cards for each player")
        needed = self.hand * max(self.players) + (self.watch is not None)
        if len(self.deck) < needed:
            raise PandoerError(f"deck of {len(self.deck)} cards: expected at least {needed}")

    @cached_property
    def _by_name(self) -> dict[str, Bid]:
        return {bid.name: bid for bid in self.bids}

    def bid(self, bid: str | int | Bid) -> Bid:
        """The bid of a name: ``"160"``, ``"pandoer+20"``, ``"Misère"``, ``"omver"``, ``160``.

        Raises
        ------
        PandoerError
            If the ruleset has no such bid; the message quotes it and lists what there is.
        """
        if isinstance(bid, Bid):
            return bid
        name, extra = split_bid(str(bid))
        if extra is None:
            if name in self._by_name:
                return self._by_name[name]
            for open_ended in self.bids:
                if open_ended.open_ended and name.isdigit() and open_ended.target is not None:
                    steps = int(name) - open_ended.target
                    if 0 < steps <= 1000 and steps % 10 == 0 and str(int(name)) == name:
                        return replace(open_ended, name=name, target=int(name))
        else:
            bare = self._by_name.get(name)
            if bare is not None and bare.raised_by_melds and extra > 0 and extra % 10 == 0:
                return replace(bare, name=f"{name}+{extra}", target=extra)
        names = [b.name + (", ..." if b.open_ended else "") for b in self.bids]
        raised = [f"{b.name}+20, ..." for b in self.bids if b.raised_by_melds]
        raise PandoerError(f"unknown bid {str(bid)!r} in {self.name}: expected one of {', '.join(names + raised)}")

    def stock(self, players: int) -> int:
        """How many cards are left over when so many hold cards, the watch card apart."""
        return len(self.deck) - self.hand * players - (self.watch is not None)

    @property
    def all_points(self) -> int:
        """Card points of the deck when there is a trump suit, and of the last trick."""
        cards = sum(self.cards.points(card.suit, card.rank, Suit.HEARTS) for card in self.deck)
        return cards + self.cards.last_trick

    def rank(self, bid: str | Bid) -> tuple[int, int]:
        """The place of a bid in the order: greater outranks less."""
        bid = self.bid(bid)
        base = bid.name.partition("+")[0]
        for place, known in enumerate(self.bids):
            if known.name == base:
                return place, bid.target or 0
            if known.open_ended and known.objective is bid.objective and (bid.target or 0) >= (known.target or 0):
                return place, bid.target or 0
        raise PandoerError(f"unknown bid {bid.name!r} in {self.name}")

    def callable_cards(self, known: Hand, trump: Suit | None) -> tuple[Card, ...]:
        """The cards that a declarer may call who holds or has discarded the cards `known`.

        Aces; if he knows all four, kings; then queens.  With ``calling="plain-first"`` the trump suit's only
        when no plain suit's is available (RULES.md section 2).
        """
        for rank in (Rank.ACE, Rank.KING, Rank.QUEEN):
            cards = [card for suit in Suit if (card := Card.of(suit, rank)) in self.deck - known]
            if cards:
                plain_ones = [card for card in cards if card.suit != trump]
                return tuple(plain_ones if plain_ones and self.calling == "plain-first" else cards)
        return ()

    def contract(
        self,
        bid: str | int | Bid,
        *,
        declarer: int = 0,
        trump: str | Suit | None = None,
        called: str | Card | None = None,
        joiners: Iterable[int] = (),
        play: PlayRules | None = None,
    ) -> Contract:
        """The contract of a bid with what its declarer has chosen.

        Parameters
        ----------
        bid
            A bid of this ruleset or its name.
        declarer
            Seat of the declarer.
        trump
            The trump suit, such as ``"S"`` or ``"Schilten"``; ``None`` or ``"-"`` for none.
        called
            The called card, where the bid calls one.
        joiners
            Seats that joined the misère.
        play
            Play switches instead of the ruleset's.

        Raises
        ------
        PandoerError
            If the bid is unknown, or trump, called card or joiners are missing or out of place.
        """
        bid = self.bid(bid)
        suit = parse_trump(trump)
        joined = tuple(joiners)
        if isinstance(declarer, bool) or declarer not in range(max(self.players)):
            raise PandoerError(f"declarer {declarer!r}: expected a seat number, 0 to {max(self.players) - 1}")
        if joined and not (bid.trump == "none-if-joined" and self.joined_misere):
            raise PandoerError(f"joiners {list(joined)}: {self.name} has no joined {bid.name}")
        seats = [declarer, *joined]
        if len(set(seats)) != len(seats) or not set(seats) <= set(range(max(self.players))):
            raise PandoerError(f"joiners {list(joined)}: expected seats of other players than {declarer}")
        needs_trump = bid.trump in ("suit", "led") or (bid.trump == "none-if-joined" and not joined)
        if needs_trump and suit is None:
            raise PandoerError(f"{bid.name} in {self.name} needs a trump suit: expected one of C, D, H, S")
        if not needs_trump and suit is not None:
            why = "with joiners " if joined else ""
            raise PandoerError(f"trump {suit.letter!r}: {bid.name} in {self.name} is played {why}without trump")
        card = None if called is None else Card(called)
        if card is not None and bid.partner != "called":
            raise PandoerError(f"called card {str(card)!r}: {bid.name} in {self.name} calls no card")
        if card is None and bid.partner == "called":
            raise PandoerError(f"{bid.name} in {self.name} needs a called card")
        if card is not None and card not in self.deck:
            raise PandoerError(f"called card {str(card)!r}: not a card of {self.name}")
        return Contract(
            rules=self, name=bid.name, objective=bid.objective, declarer=declarer, trump=suit, called=card,
            play=self.play.override(dict(bid.play)) if play is None else play, target=bid.target,
            partner=bid.partner, joiners=joined, bid=bid,
        )  # fmt: skip

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"ruleset({self.name!r})"

    def _repr_html_(self) -> str:
        rows = "".join(
            "<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in self.table()
        )
        head = "".join(f"<th>{name}</th>" for name in self.TABLE_HEADER)
        return f"<b>{self.title}</b><table><tr>{head}</tr>{rows}</table>"

    TABLE_HEADER = ("bid", "value", "objective", "trump", "partner", "cards shown")

    def pass_in(self, lang: str = "en") -> str:
        """What a player says who passes: the ruleset's own word in Swiss German."""
        return self.pass_name if language(lang) == "ch" else "pass"

    def table(self, lang: str = "en") -> list[tuple[str, str, str, str, str, str]]:
        """The bids as rows of text, in ascending rank, with runs of points bids in one row, named in a language."""
        trumps = {"suit": "yes", "none": "no", "led": "suit led", "none-if-joined": "yes (joined: no)"}
        shown = {None: "", "tr2": "declarer's, from trick 2", "lead": "all, after the first lead",
                 "deal": "all, before the first lead"}  # fmt: skip
        rows: list[tuple[str, str, str, str, str, str]] = []
        last: Bid | None = None
        for bid in self.bids:
            same = last is not None and replace(last, name="", target=None, open_ended=False) == replace(
                bid, name="", target=None, open_ended=False
            )
            name = bid.name_in(lang)
            if same and bid.objective is POINTS:
                name = rows.pop()[0].partition("-")[0] + "-" + name
            if bid.open_ended:
                name += f", {int(bid.name) + 10}, ..."
            if bid.raised_by_melds:
                name += ", +20, ..."
            call = f"called ({self.calling})" if bid.partner == "called" else "trump jack"
            nobody = "first other winner of a trick" if bid.objective.joins else "alone"
            partner = call if bid.partner else nobody
            objective = bid.objective.name + (" and the melds added" if bid.raised_by_melds else "")
            rows.append((name, str(bid.value), objective, trumps[bid.trump], partner, shown[bid.shown]))
            last = bid
        return rows


def parse_trump(trump: str | Suit | None) -> Suit | None:
    """A trump suit from text: a suit, or ``None`` for ``None`` and ``"-"``."""
    if trump is None or trump == "-":
        return None
    if isinstance(trump, Suit):
        return trump
    try:
        return Suit.parse(trump)
    except (PandoerError, TypeError, AttributeError):
        raise PandoerError(
            f"unknown trump {trump!r}: expected C, D, H, S or '-' for none, or a suit's name, such as 'Schilten'"
        ) from None


def points_bids(
    first: int,
    last: int,
    value: int,
    *,
    trump: Trump = "suit",
    partner: Partner | None = "called",
    open_ended: bool = False,
    bonus: int = 0,
) -> tuple[Bid, ...]:
    """The points bids from `first` to `last` in steps of ten; with `open_ended` the last one goes on."""
    return tuple(
        Bid(str(n), value, POINTS, trump, partner, n, open_ended=open_ended and n == last, bonus=bonus)
        for n in range(first, last + 1, 10)
    )


def alone(name: str, value: int, *, trump: Trump = "suit") -> Bid:
    """A bid to win every trick alone."""
    return Bid(name, value, ALL, trump)


def find(rulesets: Sequence[Ruleset], name: str) -> Ruleset:
    """The ruleset of a name; an unknown one is an error that quotes it."""
    wanted = plain(name).replace(" ", "-") if isinstance(name, str) else name
    for rules in rulesets:
        if rules.name == wanted:
            return rules
    raise PandoerError(f"unknown ruleset {name!r}: expected one of {', '.join(r.name for r in rulesets)}")
