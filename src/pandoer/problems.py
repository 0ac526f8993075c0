"""A problem: a position with its contract, checked, and its form as a JSON object.

The keys and their defaults are those of the JSON lines that ``pandoer solve --jsonl`` reads.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from pandoer.cards import Card, Deal, Hand
from pandoer.contracts import Contract
from pandoer.errors import PandoerError
from pandoer.objectives import OBJECTIVES, TRICKS, Objective, Seats
from pandoer.rulesets import DEFAULT, Ruleset, ruleset
from pandoer.rulesets.base import parse_trump

CallName = Literal["must", "need-not"]


@dataclass(frozen=True, order=True)
class Play:
    """A card with what the declarer says when he leads the protected suit: ``"must"`` or ``"need-not"``."""

    card: Card
    call: CallName | None = None

    @classmethod
    def parse(cls, text: str | Card | Play, *, lang: str = "en") -> Play:
        """A play from ``"HK"``, ``"HK must"`` or ``"HK need-not"``, with the rank letters of a language."""
        if isinstance(text, Play):
            return text
        if isinstance(text, Card):
            return cls(text)
        card, *said = _text(text, "a card").split(maxsplit=1) or [""]
        call = said[0].strip() if said else None
        if call is not None and call not in get_args(CallName):
            raise PandoerError(f"lead {text!r}: expected a card, alone or followed by 'must' or 'need-not'")
        return cls(Card(card, lang=lang), call)  # type: ignore[arg-type]

    def text(self, lang: str = "en", symbols: bool = False) -> str:
        """Write the play, such as ``"HK must"``, or ``"♥K must"`` with symbols."""
        card = self.card.text(lang, symbols)
        return f"{card} {self.call}" if self.call else card

    def __str__(self) -> str:
        return self.text()


@dataclass(frozen=True)
class State:
    """What has happened before an ending.

    Attributes
    ----------
    winners
        Seat that won each completed trick, or ``None`` for the default: the contract is alive.
    points
        Card points of the side so far, melds apart.
    partner
        The partner's seat, when the card that names him has been played.
    jack
        The declarer's one trick was won by the trump jack.
    melds
        Points of melds and marriage that the side has by the full hands, when they are to count in the ending; ``None``
        when they are not.
    lost
        A protected card was played to a lead with *need not*, which has lost the contract (RULES.md section 5).
    """

    winners: tuple[int, ...] | None = None
    points: int = 0
    partner: int | None = None
    jack: bool = False
    melds: int | None = None
    lost: bool = False


@dataclass(frozen=True)
class Problem:
    """A position with its contract.  Making one checks it.

    Attributes
    ----------
    deal
        The cards still held, per seat.
    contract
        The contract.
    leader
        Who leads, or led, the current trick; the declarer unless given.
    trick
        Cards already laid in the current trick, in order from the leader.
    trick_number
        Completed tricks; 8 less the cards held at the start of this trick unless given.
    state
        What happened before.
    call
        ``"must"`` or ``"need-not"`` when the trick began with a protected call.
    bidders
        Seats that made a bid, for the denial of melds.
    lead
        The first card, when it is forced.
    melds
        Count melds and marriage; ``None``: when the contract starts from full hands.  An ending of a bid with melds
        added, such as pandoer+20, is alive: they were settled on the full hands, and only the tricks are asked for,
        unless `State.melds` says how many they were.  An objective of its own with a target has no melds unless they
        are asked for.
    """

    deal: Deal
    contract: Contract
    leader: int | None = None
    trick: tuple[Card, ...] = ()
    trick_number: int | None = None
    state: State = State()
    call: CallName | None = None
    bidders: tuple[int, ...] = ()
    lead: Play | None = None
    melds: bool | None = None

    def __post_init__(self) -> None:
        set_field = object.__setattr__
        if self.leader is None:
            set_field(self, "leader", self.contract.declarer)
        self._check_hands()
        if self.trick_number is None:
            set_field(self, "trick_number", self.contract.rules.hand - self.cards_each)
        self._check_tricks()
        self._check_partner()
        self._check_melds()

    @property
    def players(self) -> int:
        """Number of hands."""
        return len(self.deal)

    @property
    def first(self) -> int:
        """Seat that leads, or led, the current trick."""
        assert self.leader is not None
        return self.leader

    @property
    def number(self) -> int:
        """Tricks completed before this one."""
        assert self.trick_number is not None
        return self.trick_number

    @property
    def turn(self) -> int:
        """Seat whose turn it is."""
        return (self.first + len(self.trick)) % self.players

    @property
    def start_hands(self) -> tuple[Hand, ...]:
        """The hands at the start of the current trick."""
        hands = list(self.deal.hands)
        for i, card in enumerate(self.trick):
            seat = (self.first + i) % self.players
            hands[seat] = hands[seat] | card
        return tuple(hands)

    @property
    def cards_each(self) -> int:
        """Cards in each hand at the start of the current trick."""
        return len(self.start_hands[self.first])

    @property
    def full(self) -> bool:
        """Whether nothing but the current trick has been played from hands of eight."""
        return self.cards_each == self.contract.rules.hand

    @property
    def partner(self) -> int | None:
        """Seat of the declarer's partner at this point, or ``None``."""
        card = self.contract.partner_card
        for seat, hand in enumerate(self.start_hands):
            if card is not None and card in hand:
                return seat
        return self.state.partner

    @property
    def seats(self) -> Seats:
        """Who plays for the contract."""
        contract = self.contract
        side: Iterable[int]
        if contract.side is not None:
            side = contract.side
        elif contract.partner is not None:
            assert self.partner is not None
            side = (contract.declarer, self.partner)
        else:
            side = (contract.declarer, *contract.joiners)
        return Seats(contract.declarer, frozenset(side), self.players, frozenset(contract.joiners))

    @property
    def counts_melds(self) -> bool:
        """Whether melds and marriage count."""
        takes_melds = self.contract.objective.name == "points" or self.contract.target is not None
        if self.melds is None:
            return takes_melds and self.full and self.contract.bid is not None
        return self.melds and takes_melds

    def _check_hands(self) -> None:
        rules, players = self.contract.rules, self.players
        if self.contract.bid is not None and players not in rules.players:
            expected = " or ".join(map(str, rules.players))
            raise PandoerError(f"{players} hands {str(self.deal)!r}: {rules.name} is played by {expected}")
        for what, seat in (("leader", self.leader), ("declarer", self.contract.declarer)):
            if isinstance(seat, bool) or seat not in range(players):
                raise PandoerError(f"{what} {seat!r}: expected a seat number, 0 to {players - 1}")
        if len(self.trick) >= players:
            raise PandoerError(f"trick {_cards(self.trick)!r}: expected at most {players - 1} cards, not yet complete")
        seen = Hand(())
        for hand in self.deal.hands:
            seen = seen | hand
        for card in self.trick:
            if card in seen:
                raise PandoerError(f"card {str(card)!r} of the trick is twice in the problem")
            seen = seen | card
        for card in (*seen, *([self.deal.discard] if self.deal.discard else [])):
            if card not in rules.deck:
                raise PandoerError(f"card {str(card)!r} is not in the deck of {rules.name}")
        if self.deal.discard is not None and self.deal.discard in seen:
            raise PandoerError(f"discard {str(self.deal.discard)!r} is in the trick")
        counts = [len(hand) for hand in self.start_hands]
        if len(set(counts)) != 1:
            raise PandoerError(
                f"hands {str(self.deal)!r}: expected as many cards each once the trick is counted, not {counts}"
            )
        if counts[0] > self.contract.rules.hand:
            most = self.contract.rules.hand
            raise PandoerError(f"hands {str(self.deal)!r}: expected at most {most} cards each, not {counts[0]}")

    def _check_tricks(self) -> None:
        number, state, players = self.number, self.state, self.players
        if isinstance(number, bool) or not isinstance(number, int) or not 0 <= number <= TRICKS - self.cards_each:
            raise PandoerError(
                f"trick_number {number!r}: expected 0 to {TRICKS - self.cards_each} with {self.cards_each} cards each"
            )
        if state.winners is not None and len(state.winners) != number:
            raise PandoerError(f"winners {list(state.winners)}: expected {number}, one for each completed trick")
        if state.jack and state.winners is not None and self.contract.declarer not in state.winners:
            raise PandoerError(
                f"jack true, winners {list(state.winners)}: the declarer, seat {self.contract.declarer}, won no trick"
            )
        for seat in (*(state.winners or ()), *self.bidders):
            if isinstance(seat, bool) or seat not in range(players):
                raise PandoerError(f"seat {seat!r}: expected 0 to {players - 1}")
        if isinstance(state.points, bool) or not isinstance(state.points, int) or state.points < 0:
            raise PandoerError(f"points {state.points!r}: expected a whole number, 0 or more")
        if state.melds is not None:
            if isinstance(state.melds, bool) or not isinstance(state.melds, int) or state.melds < 0:
                raise PandoerError(f"state melds {state.melds!r}: expected a whole number, 0 or more")
            if self.full:
                raise PandoerError(f"state melds {state.melds}: melds are counted on the full hands themselves")
        if not isinstance(state.lost, bool):
            raise PandoerError(f"state lost {state.lost!r}: expected true or false")
        if self.lead is not None and self.trick:
            raise PandoerError(f"lead {str(self.lead)!r}: the trick has begun with {str(self.trick[0])!r}")

    def _check_partner(self) -> None:
        contract, declarer = self.contract, self.contract.declarer
        side = contract.side
        if side is not None:
            if not side or len(set(side)) != len(side) or not set(side) <= set(range(self.players)):
                raise PandoerError(f"side {list(side)}: expected different seats, 0 to {self.players - 1}")
            if contract.objective.joins and set(side) != {declarer}:
                raise PandoerError(
                    f"side {list(side)}: in {contract.objective} the declarer, seat {declarer}, begins alone"
                )
            if contract.objective.about_declarer and declarer not in side:
                raise PandoerError(f"side {list(side)}: expected the declarer, seat {declarer}, among them")
        if not set(contract.joiners) <= set(range(self.players)):
            raise PandoerError(f"joiners {list(contract.joiners)}: expected seats, 0 to {self.players - 1}")
        partner = self.state.partner
        others = [seat for seat in range(self.players) if seat != declarer]
        if partner is not None and (isinstance(partner, bool) or partner not in others):
            raise PandoerError(f"partner {partner!r}: expected another seat than the declarer's, {declarer}")
        card = contract.partner_card
        if card is not None:
            self._check_partner_card(card, partner)
        protected = contract.protected
        protecting = (
            protected is not None and bool(self.trick) and self.first == declarer
            and self.trick[0].suit == protected.suit and protected in self.start_hands[self.partner or 0]
        )  # fmt: skip
        if protecting and self.call is None:
            raise PandoerError(
                f"trick {_cards(self.trick)!r} begins with the called suit: expected call 'must' or 'need-not'"
            )
        if self.call is not None and not protecting:
            raise PandoerError(f"call {self.call!r}: the trick does not begin with a protected lead of the called suit")

    def _check_partner_card(self, card: Card, partner: int | None) -> None:
        contract, declarer = self.contract, self.contract.declarer
        what = contract.partner_sign
        holders = [seat for seat, hand in enumerate(self.start_hands) if card in hand]
        if holders == [declarer]:
            raise PandoerError(f"{what} {str(card)!r} is in the declarer's own hand")
        if self.deal.discard == card:
            raise PandoerError(f"{what} {str(card)!r} is the discard")
        if holders and partner is not None and holders != [partner]:
            raise PandoerError(f"partner {partner}: the {what} {str(card)!r} is with seat {holders[0]}")
        if not holders and partner is None and (contract.side is None or contract.protected):
            why = "" if self.full else " and state gives no partner"
            raise PandoerError(f"{what} {str(card)!r} is in no hand{why}")
        if contract.called is not None and self.full and contract.bid is not None:
            rules = contract.rules
            known = self.start_hands[declarer]
            if rules.watch is not None:
                out_of_play = rules.deck
                for hand in self.start_hands:
                    out_of_play = out_of_play - hand
                known = known | out_of_play
            allowed = rules.callable_cards(known, contract.trump)
            if card not in allowed:
                raise PandoerError(
                    f"called card {str(card)!r} may not be called here: expected one of {_cards(allowed)}"
                )

    def _check_melds(self) -> None:
        if self.melds and not self.full:
            full = self.contract.rules.hand
            raise PandoerError(f"melds are counted on full hands of {full} cards, not of {self.cards_each}")


def problem(data: Mapping[str, Any]) -> Problem:
    """A JSON object as a `Problem`.

    Raises
    ------
    PandoerError
        If a key is unknown or missing or a value makes no sense; the message quotes it.
    """
    if not isinstance(data, Mapping):
        raise PandoerError(f"problem {data!r}: expected a JSON object")
    for key in data:
        if key not in _KEYS:  # id, expect and pins are the asker's own and are not looked at
            raise PandoerError(f"unknown key {key!r}: expected some of {', '.join(_KEYS)}")
    if "hands" not in data:
        raise PandoerError("key 'hands' is missing")
    hands = data["hands"]
    if isinstance(hands, str) or not isinstance(hands, Sequence):
        raise PandoerError(f"hands {hands!r}: expected a list of texts, one a seat")
    rules = ruleset(_text(data.get("rules", DEFAULT), "the name of a ruleset"))
    discard = data.get("discard")
    deal = Deal([_text(hand, "a hand") for hand in hands], discard=None if discard is None else _card(discard))
    trick = data.get("trick") or ()
    call = data.get("call")
    if call is not None and call not in get_args(CallName):
        raise PandoerError(f"call {call!r}: expected 'must' or 'need-not'")
    melds = data.get("melds")
    if melds is not None and not isinstance(melds, bool):
        raise PandoerError(f"melds {melds!r}: expected true or false")
    leader = data.get("leader")
    lead = data.get("lead")
    return Problem(
        deal=deal, contract=_contract(data, rules), leader=None if leader is None else _seat(leader, "leader"),
        trick=_trick(trick), trick_number=data.get("trick_number"), state=_state(data.get("state")),
        call=call, bidders=_seats(data.get("bidders"), "bidders"), lead=None if lead is None else Play.parse(lead),
        melds=melds,
    )  # fmt: skip


_KEYS = (
    "rules", "contract", "objective", "declarer", "leader", "trump", "called", "hands", "trick", "trick_number",
    "state", "call", "bidders", "discard", "play", "lead", "melds", "joiners", "id", "expect", "pins",
)  # fmt: skip


def _trick(trick: Any) -> tuple[Card, ...]:
    if isinstance(trick, str):
        return tuple(_card(text) for text in trick.replace(",", " ").split())
    if not isinstance(trick, Sequence):
        raise PandoerError(f"trick {trick!r}: expected a list of cards")
    return tuple(_card(card) for card in trick)


def _contract(data: Mapping[str, Any], rules: Ruleset) -> Contract:
    """The contract, or the objective of its own, that a problem names."""
    play = data.get("play") or {}
    if not isinstance(play, Mapping):
        raise PandoerError(f"play {play!r}: expected an object of play switches")
    declarer = _seat(data.get("declarer", 0), "declarer")
    trump = parse_trump(data.get("trump"))
    called = None if data.get("called") in (None, "-") else _card(data["called"])
    objective = data.get("objective")
    if (objective is None) == (data.get("contract") is None):
        raise PandoerError("expected one of the keys 'contract' and 'objective'")
    if objective is None:
        name = data["contract"]
        if isinstance(name, bool) or not isinstance(name, str | int):
            raise PandoerError(f"contract {name!r}: expected the name of a bid")
        contract = rules.contract(
            name, declarer=declarer, trump=trump, called=called, joiners=_seats(data.get("joiners"), "joiners")
        )
        return replace(contract, play=contract.play.override(dict(play)))
    if data.get("joiners"):
        raise PandoerError(f"joiners {data['joiners']!r}: only a misère contract can be joined")
    found, side, target = _objective(objective)
    if found.needs_jack and trump is None:
        raise PandoerError(f"objective {found.name!r} needs a trump suit")
    base = replace(rules.play, called_card="identify", trump_leads=0)
    return Contract(
        rules=rules, name=found.name, objective=found, declarer=declarer, trump=trump, play=base.override(dict(play)),
        target=target, called=called, partner=None if called is None else "called",
        side=side if side is not None or called is not None else (declarer,),
    )  # fmt: skip


def _objective(data: Any) -> tuple[Objective, tuple[int, ...] | None, int | None]:
    """Kind, side and target of an objective of its own."""
    if not isinstance(data, Mapping):
        raise PandoerError(f"objective {data!r}: expected an object with 'kind', 'side' and 'target'")
    for key in data:
        if key not in ("kind", "side", "target"):
            raise PandoerError(f"unknown key {key!r} in objective: expected 'kind', 'side' and 'target'")
    kinds = {objective.name: objective for objective in OBJECTIVES}
    kind, target = data.get("kind"), data.get("target")
    if not isinstance(kind, str) or kind not in kinds:
        raise PandoerError(f"objective kind {kind!r}: expected one of {', '.join(kinds)}")
    if target is not None:
        if isinstance(target, bool) or not isinstance(target, int):
            raise PandoerError(f"target {target!r}: expected a whole number or null")
        if kind not in ("points", "tricks", "all"):
            raise PandoerError(f"target {target!r}: {kind} has none")
    side = data.get("side")
    return kinds[kind], None if side is None else _seats(side, "side"), target


def _state(data: Any) -> State:
    if data is None:
        return State()
    if not isinstance(data, Mapping):
        raise PandoerError(f"state {data!r}: expected an object")
    for key in data:
        if key not in State.__dataclass_fields__:
            raise PandoerError(f"unknown key {key!r} in state: expected {', '.join(State.__dataclass_fields__)}")
    jack = data.get("jack", False)
    if not isinstance(jack, bool):
        raise PandoerError(f"jack {jack!r}: expected true or false")
    winners, partner = data.get("winners"), data.get("partner")
    return State(
        winners=None if winners is None else _seats(winners, "winners"), points=data.get("points", 0),
        partner=None if partner is None else _seat(partner, "partner"), jack=jack, melds=data.get("melds"),
        lost=data.get("lost", False),
    )  # fmt: skip


def _seat(value: Any, what: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < 4:
        raise PandoerError(f"{what} {value!r}: expected a seat number, 0 to 3")
    return value


def _seats(value: Any, what: str) -> tuple[int, ...]:
    if value is None:
        return ()
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise PandoerError(f"{what} {value!r}: expected a list of seat numbers")
    return tuple(_seat(seat, what) for seat in value)


def _card(value: Any) -> Card:
    return Card(_text(value, "a card"))


def _text(value: Any, what: str) -> str:
    if not isinstance(value, str):
        raise PandoerError(f"{value!r}: expected {what} as text")
    return value


def _cards(cards: Iterable[Card]) -> str:
    return " ".join(map(str, cards))


__all__ = ["CallName", "Play", "Problem", "State", "problem"]
