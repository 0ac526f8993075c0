"""Playing a deal out: `play_out`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from pandoer.cards import Card, Deal
from pandoer.contracts import Contract
from pandoer.dealing import below
from pandoer.errors import PandoerError
from pandoer.history import History
from pandoer.melds import side_points
from pandoer.players import Player
from pandoer.problems import Play
from pandoer.record import Record, replay
from pandoer.solver import seat_mask
from pandoer.verdict import verdict
from pandoer.view import View, seen_by

__all__ = ["Match", "play_out"]


@dataclass(frozen=True)
class Match:
    """A deal that is being played, as somebody sees it who sees all cards.

    Attributes
    ----------
    deal, contract
        The hands when play began, and the contract.
    history
        The play so far.
    watch, bottom, bidders
        As in `View`.
    """

    deal: Deal
    contract: Contract
    history: History
    watch: Card | None = None
    bottom: Card | None = None
    bidders: tuple[int, ...] = ()

    @classmethod
    def begin(
        cls,
        deal: Deal,
        contract: Contract,
        *,
        watch: Card | None = None,
        bottom: Card | None = None,
        bidders: Iterable[int] = (),
        leader: int | None = None,
    ) -> Match:
        """A deal before the first lead."""
        replay(deal, contract, leader=leader, bidders=bidders)  # checks them
        history = History.of(contract, len(deal.hands), first=leader)
        return cls(deal, contract, history, watch, bottom, tuple(bidders))

    def view(self, seat: int | None = None) -> View:
        """What the player of a seat knows; by default that of whose turn it is."""
        own = self.history.turn if seat is None else seat
        return seen_by(own, self.history, self.deal, self.watch, self.bottom, self.bidders)

    def after(self, play: Play) -> Match:
        """The match when the player whose turn it is has played a card.

        Raises
        ------
        PandoerError
            If the card is not legal.
        """
        view = self.view()
        if play not in view.legal:
            legal = " ".join(map(str, view.legal))
            raise PandoerError(f"card {str(play)!r} of seat {view.seat}: expected one of {legal}")
        return Match(self.deal, self.contract, self.history.after(play), self.watch, self.bottom, self.bidders)

    @property
    def partner(self) -> int | None:
        """The partner's seat, shown or not."""
        card = self.contract.partner_card
        if card is None:
            return self.history.partner
        return next((seat for seat, hand in enumerate(self.deal.hands) if card in hand), None)

    @property
    def made(self) -> bool | None:
        """Whether the contract is made; ``None`` while that is not settled, or when nothing was to be reached."""
        contract, history = self.contract, self.history
        seats = history.seats(self.partner)
        jack = contract.objective.needs_jack and history.jack
        return verdict(
            contract, self.deal.hands, history.tricks, history.trick, seats, jack=jack, lost=history.lost,
            melds=self._melds(seats.side),
        )  # fmt: skip

    def _melds(self, side: frozenset[int]) -> int:
        contract = self.contract
        if contract.bid is None or contract.target is None:
            return 0
        hands = np.array([hand.bits for hand in self.deal.hands], np.uint64)
        return int(side_points(
            hands, seat_mask(side), contract.trump, contract.rules.melds, declarer=contract.declarer,
            bidders=self.bidders
        ))  # fmt: skip

    @property
    def record(self) -> Record:
        """The deal as it was played."""
        return replay(self.deal, self.contract, self.history.plays, leader=self.history.first, bidders=self.bidders)


def seed_of(view: View, seed: np.random.SeedSequence) -> np.random.SeedSequence:
    """The seed of a decision below that of a match."""
    return below(seed, view.seat, len(view.history.plays))


def play_out(
    match: Match,
    players: Sequence[Player],
    seed: np.random.SeedSequence,
    *,
    to_the_end: bool = False,
    check: Callable[[], object] | None = None,
) -> Match:
    """Play a deal out, each seat by its own player.

    Parameters
    ----------
    match
        Where play begins.
    players
        One for each seat.
    seed
        Each decision has a seed below it, which depends on the seat and on how many cards have been played.
    to_the_end
        Play all cards; else play stops when it is settled whether the contract is made.
    check
        Called before each card; it may raise to break off.

    Raises
    ------
    PandoerError
        If a player plays a card that is not legal.
    """
    if len(players) != match.history.players:
        raise PandoerError(f"{len(players)} players: expected one for each of {match.history.players} seats")
    while not match.history.finished and (to_the_end or match.made is None):
        if check is not None:
            check()
        view = match.view()
        match = match.after(players[view.seat].play(view, seed_of(view, seed)))
    return match
