"""What one player knows during the play, and the deals that agree with it: `View`.

A view never holds a card that its player cannot know.  So whoever decides by a view alone cannot use the others' cards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from pandoer import _solver
from pandoer.cards import Card, Deal, Hand
from pandoer.contracts import Contract
from pandoer.dealing import Layouts, Stream
from pandoer.errors import PandoerError
from pandoer.history import History
from pandoer.melds import marriage, meld_points
from pandoer.objectives import ALL
from pandoer.problems import Play
from pandoer.record import Record
from pandoer.rulesets import DEFAULT, ruleset
from pandoer.solver import CALLS, plays_of, spec_of
from pandoer.tricks import cards_text

__all__ = ["View", "view_of"]

Deals = npt.NDArray[np.uint64]

MOST_COUNTED = 1_000_000
"""So many layouts are looked at one by one, where what is known cannot be told card by card."""


@dataclass(frozen=True)
class View:
    """What the player of a seat knows.

    Attributes
    ----------
    history
        The contract and the play so far.
    seat
        The seat.
    hand
        The cards that the player held when play began, those that he has played included.
    discard
        The card that he laid away, if he is the declarer.
    watch
        The watch card, if he knows it: where it lies open everybody does, else the declarer alone.
    bottom
        The bottom card of the stock, in Pandur for two.
    shown
        Open hands of others by seat, as they were when play began.
    bidders
        Seats that made a bid, for the denial of melds.

    Raises
    ------
    PandoerError
        If the cards contradict each other or the play.
    """

    history: History
    seat: int
    hand: Hand
    discard: Card | None = None
    watch: Card | None = None
    bottom: Card | None = None
    shown: tuple[tuple[int, Hand], ...] = ()
    bidders: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        rules, players, hand = self.contract.rules, self.players, self.hand
        if isinstance(self.seat, bool) or self.seat not in range(players):
            raise PandoerError(f"seat {self.seat!r}: expected 0 to {players - 1}")
        own = [("hand", self.seat, hand), *(("open hand", seat, cards) for seat, cards in self.shown)]
        for what, seat, cards in own:
            if seat not in range(players) or len(cards) != rules.hand or cards - rules.deck:
                raise PandoerError(
                    f"{what} {str(cards)!r} of seat {seat}: expected {rules.hand} cards of {rules.name}, those played"
                    " included"
                )
            if missing := self.history.played[seat] - cards:
                raise PandoerError(f"{what} {str(cards)!r} of seat {seat}: he has played {str(missing)!r}")
            if wrong := self.history.lacks[seat] & cards:
                raise PandoerError(f"{what} {str(cards)!r} of seat {seat}: his plays say that he lacks {str(wrong)!r}")
        known = Hand()
        for what, seat, cards in own:
            if both := known & cards:
                raise PandoerError(f"{what} of seat {seat}: {str(both)!r} lies in another hand as well")
            known |= cards
        is_declarer = self.seat == self.contract.declarer
        if self.discard is not None:
            if not is_declarer or rules.watch is None:
                raise PandoerError(f"discard {str(self.discard)!r}: only the declarer knows one, in a game that has it")
            if self.discard in known | self.history.out:
                raise PandoerError(f"discard {str(self.discard)!r} lies in a hand")
        elif is_declarer and rules.watch is not None and len(self.shown) < players - 1:
            raise PandoerError(f"the declarer of {rules.name} has laid a card away: expected discard")
        if self.watch is not None and (rules.watch is None or self.watch not in rules.deck):
            raise PandoerError(f"watch card {str(self.watch)!r}: expected a card of a game that has one")
        if wrong_seats := [seat for seat in self.bidders if isinstance(seat, bool) or seat not in range(players)]:
            raise PandoerError(f"bidders {[*self.bidders]}: no seat {wrong_seats[0]!r}, expected 0 to {players - 1}")
        self._check_partner()
        if self.bottom is not None and (not rules.stock(players) or self.bottom in known | self.history.out):
            raise PandoerError(f"bottom card {str(self.bottom)!r}: expected the bottom card of a stock")

    def _check_partner(self) -> None:
        """Refuse a called card that the declarer could not call, and a trump jack that he held (RULES.md section 2)."""
        contract, declarer = self.contract, self.contract.declarer
        card = contract.partner_card
        if card is None or contract.bid is None:
            return
        what = f"{contract.partner_sign} {str(card)!r}"
        is_declarer = self.seat == declarer
        if card in (self.hand if is_declarer else dict(self.shown).get(declarer, Hand())):
            raise PandoerError(f"{what} is in the declarer's own hand")
        if card in (self.discard, self.watch):
            raise PandoerError(f"{what} is the {'discard' if card == self.discard else 'watch card'}")
        if is_declarer and contract.called is not None:
            cards = self.hand if self.discard is None else self.hand | self.discard
            allowed = contract.rules.callable_cards(cards, contract.trump)
            if contract.called not in allowed:
                raise PandoerError(f"{what} may not be called: expected one of {' '.join(map(str, allowed))}")

    @property
    def contract(self) -> Contract:
        """The contract."""
        return self.history.contract

    @property
    def players(self) -> int:
        """How many hold cards."""
        return self.history.players

    @property
    def held(self) -> Hand:
        """The cards that the player still holds."""
        return self.hand - self.history.played[self.seat]

    @property
    def to_move(self) -> bool:
        """Whether it is this player's turn."""
        return not self.history.finished and self.history.turn == self.seat

    @cached_property
    def partner(self) -> int | None:
        """The partner's seat, if the player knows it: by the play, by an open hand, or because he is the partner."""
        found, card = self.history.partner, self.contract.partner_card
        if found is not None or card is None:
            return found
        own = ((self.seat, self.hand), *self.shown)
        return next((seat for seat, cards in own if card in cards), None)

    @cached_property
    def legal(self) -> tuple[Play, ...]:
        """What the player may play when it is his turn; the called suit with *must* and with *need not*."""
        if not self.to_move:
            return ()
        history, contract = self.history, self.contract
        protected = contract.protected
        partner = self.partner
        if partner is None and contract.partner_card is not None:
            partner = next(seat for seat in range(self.players) if seat not in (self.seat, contract.declarer))
        hands = [0] * self.players
        hands[self.seat] = self.held.bits
        if protected is not None and partner is not None and partner != self.seat and protected not in history.out:
            hands[partner] = protected.bit
        position = _solver.Position(
            spec_of(contract, history.seats(partner), contract.rules.hand, partner if protected else None),
            _solver.Table(4), hands, leader=history.leader, trick=[card.bit for card in history.trick],
            call=CALLS.index(history.call), number=history.number, end=contract.rules.hand,
            stop=np.zeros(1, np.int32),
        )  # fmt: skip
        return tuple(plays_of(position.moves()))

    # The deals that agree with it

    @cached_property
    def layouts(self) -> Layouts:
        """Where the others' cards may have lain when play began, card by card; see `fits` for what else is known.

        Its seats are counted from the player: 1 is the next one in turn.
        """
        contract, rules, history, players = self.contract, self.contract.rules, self.history, self.players
        unseen = rules.deck - self.hand
        for card in (self.discard, self.bottom):
            if card is not None:
                unseen -= card
        known = {seat: cards for seat, cards in enumerate(history.played) if seat != self.seat} | dict(self.shown)
        lacks = dict(enumerate(history.lacks))
        held = Hand()
        if (card := contract.partner_card) is not None:
            lacks[contract.declarer] |= card
            held |= card
        if self.seat != contract.declarer:
            with_declarer = self._with_declarer()
            for seat in lacks:
                if seat != contract.declarer:
                    lacks[seat] |= with_declarer

        def turned(by_seat: Mapping[int, Hand]) -> dict[int, Hand]:
            others = {seat: cards for seat, cards in by_seat.items() if seat != self.seat}
            return {(seat - self.seat) % players: cards & unseen for seat, cards in others.items()}

        places = turned(known)
        return Layouts(
            unseen, players - 1, rules.hand, known=places,
            lacks={seat: cards - places.get(seat, Hand()) for seat, cards in turned(lacks).items()},
            held=held & unseen,
        )  # fmt: skip

    def _with_declarer(self) -> Hand:
        """Cards that are among the declarer's hand and discard: the open watch card, and those that his call tells."""
        contract, rules = self.contract, self.contract.rules
        found = Hand() if self.watch is None else Hand([self.watch])
        called = contract.called
        if called is not None and contract.bid is not None:
            for card in rules.deck - called - self.hand:
                # If everything but these two were known to him he could call one of them: is it the other one?
                if called not in rules.callable_cards(rules.deck - called - card, contract.trump):
                    found |= card
        return found

    @cached_property
    def exact(self) -> bool:
        """Whether `layouts` says all that is known, so that `fits` is true of every deal."""
        return not self.history.plain_leads and not self._keeps_melds

    @property
    def _keeps_melds(self) -> bool:
        """Whether the declarer raised his bid by melds that he has to hold."""
        contract, bid = self.contract, self.contract.bid
        raised = bid is not None and bid.objective is ALL and bid.target is not None
        return raised and contract.rules.melds.raise_by_own and self.seat != contract.declarer

    def fits(self, deals: Deals) -> npt.NDArray[np.bool_]:
        """Which of the deals agree with what cannot be told card by card.

        Whoever leads a plain card where his side has to lead trumps is no partner, or holds none; and the melds by
        which the bid was raised are the declarer's own.

        Parameters
        ----------
        deals
            ``uint64 [n, players]`` of the hands when play began, by seat.
        """
        found = np.ones(len(deals), np.bool_)
        card = self.contract.partner_card
        for seat, trumps in self.history.plain_leads:
            if card is not None:
                is_partner = (deals[:, seat] & np.uint64(card.bit)) != 0
                found &= ~is_partner | ((deals[:, seat] & np.uint64(trumps.bits)) == 0)
        if self._keeps_melds:
            hands, rules, trump = deals[:, self.contract.declarer], self.contract.rules.melds, self.contract.trump
            found &= meld_points(hands, rules) + marriage(hands, trump, rules) >= (self.contract.target or 0)
        return found

    def deals(self, hidden: Deals) -> Deals:
        """Layouts with the player's own hand, ``uint64 [n, players]`` by seat, as play began."""
        found = np.empty((len(hidden), self.players), np.uint64)
        found[:, self.seat] = self.hand.bits
        for place in range(1, self.players):
            found[:, (self.seat + place) % self.players] = hidden[:, place - 1]
        return found

    def worlds(self, most: int, seed: np.random.SeedSequence) -> tuple[Deals, bool]:
        """Deals that agree with all that is known: all of them if they are no more than `most`, else a uniform sample.

        Parameters
        ----------
        most
            How many at most.
        seed
            The sequence from which they are drawn, each layout equally likely, independently of each other.

        Returns
        -------
        deals : ndarray
            ``uint64 [n, players]``: the hands when play began, by seat.
        complete : bool
            Whether these are all.

        Raises
        ------
        PandoerError
            If no deal agrees with the view.
        """
        layouts = self.layouts
        number = layouts.count
        if number <= (most if self.exact else max(most, 20 * most)):
            deals = self.deals(layouts.enumerate())
            deals = deals[self.fits(deals)]
            if len(deals) <= most:
                if not len(deals):
                    raise PandoerError("no deal agrees with what is known")
                return deals, True
        if number == 0:
            raise PandoerError("no deal agrees with what is known")
        weight = None if self.exact else lambda hidden: self.fits(self.deals(hidden))
        return self.deals(Stream(layouts, seed, weight).deals(0, most)), False

    def possible(self) -> Deals:
        """Every deal that agrees with the view, ``uint64 [n, players]``.

        Raises
        ------
        PandoerError
            If there are more than `MOST_COUNTED` layouts to look at, or none.
        """
        number = self.layouts.count
        if number > MOST_COUNTED:
            raise PandoerError(f"{number:,} layouts: expected at most {MOST_COUNTED:,}")
        return self.worlds(max(number, 1), np.random.SeedSequence(0))[0]

    # Going on, and showing

    def after(self, play: Play) -> View:
        """The view when the player whose turn it is has played a card that shows no hand."""
        return replace(self, history=self.history.after(play))

    def to_json(self) -> dict[str, Any]:
        """The view as a JSON object; `view_of` reads it."""
        contract, history = self.contract, self.history
        found: dict[str, Any] = {
            "rules": contract.rules.name, "contract": contract.name, "declarer": contract.declarer,
            "trump": "-" if contract.trump is None else contract.trump.letter,
            "called": None if contract.called is None else str(contract.called),
            "players": self.players, "leader": history.first, "seat": self.seat,
            "hand": self.hand.text(symbols=False), "plays": [*map(str, history.plays)],
            "discard": None if self.discard is None else str(self.discard),
            "watch": None if self.watch is None else str(self.watch),
            "shown": {str(seat): cards.text(symbols=False) for seat, cards in self.shown},
            "bidders": [*self.bidders],
        }  # fmt: skip
        if self.bottom is not None:
            found["bottom"] = str(self.bottom)
        return found

    def lines(self, lang: str = "en") -> list[str]:
        """The view in words, a line each."""
        contract, history = self.contract, self.history
        who = f"declarer seat {contract.declarer}, you are seat {self.seat}"
        found = [f"{contract.rules.name}: {contract.text(lang)}, {who}"]
        found += [f"{number}. {trick.text(lang)}" for number, trick in enumerate(history.tricks, start=1)]
        if history.trick:
            cards = cards_text(history.trick, history.call, lang)
            found.append(f"{history.number + 1}. seat {history.leader}: {cards}")
        found += [f"seat {seat} shows {(cards - history.played[seat]).text(lang)}" for seat, cards in self.shown]
        found.append(f"you hold {self.held.text(lang)}")
        return found

    def __str__(self) -> str:
        return "\n".join(self.lines())


def view_of(
    source: Record | Mapping[str, Any],
    seat: int | None = None,
    *,
    watch: Card | None = None,
    bottom: Card | None = None,
) -> View:
    """What the player of a seat knows of a deal that is being played, or the view in a JSON object.

    Parameters
    ----------
    source
        A `pandoer.replay` record, of which only what the seat may know is taken; or an object with the keys ``rules``,
        ``contract``, ``declarer``, ``trump``, ``called``, ``players``, ``leader``, ``seat``, ``hand`` (all cards with
        which the player began), ``plays``, ``discard``, ``watch``, ``bottom``, ``shown`` (open hands by seat, as play
        began) and ``bidders``; ``contract`` and ``hand`` are needed.
    seat
        The seat; whose turn it is unless given.
    watch
        The watch card, in a game that has one; a closed one is known to the declarer alone.
    bottom
        The bottom card of a stock.

    Raises
    ------
    PandoerError
        If the object makes no sense; the message quotes it.
    """
    if isinstance(source, Record):
        return _of_record(source, seat, watch, bottom)
    return _of_json(source)


def _open_seats(contract: Contract, seat: int, history: History) -> list[int]:
    """Seats of others whose hands lie open to a player by now."""
    shown = None if contract.bid is None else contract.bid.shown
    if shown == "deal" or (shown == "lead" and history.plays):
        return [other for other in range(history.players) if other != seat]
    began = history.number > 1 or (history.number == 1 and history.trick)
    return [contract.declarer] if shown == "tr2" and began and seat != contract.declarer else []


def _of_record(record: Record, seat: int | None, watch: Card | None, bottom: Card | None) -> View:
    contract = record.contract
    history = History.of(contract, record.start.players, record.plays, first=record.start.first)
    own = record.turn if seat is None else seat
    if own is None:
        raise PandoerError("all cards have been played: expected a seat")
    return seen_by(own, history, record.deal, watch, bottom, tuple(record.start.bidders))


def seen_by(
    seat: int, history: History, deal: Deal, watch: Card | None, bottom: Card | None, bidders: tuple[int, ...]
) -> View:
    """What the player of a seat knows of a deal."""
    contract, hands = history.contract, deal.hands
    is_declarer = seat == contract.declarer
    knows = is_declarer or contract.rules.watch == "open"
    return View(
        history, seat, hands[seat], deal.discard if is_declarer else None, watch if knows else None, bottom,
        tuple((other, hands[other]) for other in _open_seats(contract, seat, history)), bidders,
    )  # fmt: skip


KEYS = (
    "rules", "contract", "declarer", "trump", "called", "players", "leader", "seat", "hand", "plays", "discard",
    "watch", "bottom", "shown", "bidders",
)  # fmt: skip


def _of_json(data: Mapping[str, Any]) -> View:
    if not isinstance(data, Mapping):
        raise PandoerError(f"view {data!r}: expected an object")
    for key in data:
        if key not in KEYS:
            raise PandoerError(f"unknown key {key!r} in a view: expected one of {', '.join(KEYS)}")
    for key in ("contract", "hand"):
        if key not in data:
            raise PandoerError(f"view without {key!r}")
    declarer, leader = data.get("declarer", 0), data.get("leader")
    rules = ruleset(data.get("rules", DEFAULT))
    players = data.get("players", rules.players[0])
    if isinstance(players, bool) or players not in rules.players:
        raise PandoerError(f"players {players!r}: expected one of {', '.join(map(str, rules.players))}")
    contract = rules.contract(
        data["contract"], declarer=declarer, trump=data.get("trump"), called=data.get("called")
    )
    plays, shown, bidders = data.get("plays", ()), data.get("shown") or {}, data.get("bidders", ())
    if isinstance(plays, str) or not isinstance(plays, Sequence):
        raise PandoerError(f"plays {plays!r}: expected a list of cards")
    if not isinstance(shown, Mapping):
        raise PandoerError(f"shown {shown!r}: expected open hands by seat, such as {{'0': 'SA SK'}}")
    if isinstance(bidders, str) or not isinstance(bidders, Sequence):
        raise PandoerError(f"bidders {bidders!r}: expected a list of seats")
    for seat in shown:
        if str(seat) not in map(str, range(players)):
            raise PandoerError(f"seat {seat!r} in shown: expected 0 to {players - 1}")
    if leader is not None and (isinstance(leader, bool) or leader not in range(players)):
        raise PandoerError(f"leader {leader!r}: expected 0 to {players - 1}")
    history = History.of(contract, players, tuple(map(Play.parse, plays)), first=leader)
    own = data.get("seat")
    if own is None:
        own = history.turn
    discard, watch, bottom = (
        None if data.get(key) is None else Card(data[key]) for key in ("discard", "watch", "bottom")
    )
    return View(
        history, own, Hand(data["hand"]), discard, watch, bottom,
        tuple(sorted((int(seat), Hand(cards)) for seat, cards in shown.items() if int(seat) != own)),
        tuple(bidders),
    )  # fmt: skip
