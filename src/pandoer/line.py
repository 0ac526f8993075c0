"""The play so far without what it tells about hidden cards: `Line`, for searches that follow many of them."""

from __future__ import annotations

from typing import NamedTuple

from pandoer.cards import Card, Rank
from pandoer.contracts import Contract
from pandoer.history import History
from pandoer.problems import CallName, Play

__all__ = ["Line"]


class Line(NamedTuple):
    """Where the play stands.

    Attributes
    ----------
    contract, players, leader, trick, call, number, winners
        As in `History`.
    played
        For each seat `Hand.bits` of the cards that it has played.
    points
        For each seat the card points in its tricks.
    jack, lost
        As in `History`.
    """

    contract: Contract
    players: int
    leader: int
    trick: tuple[Card, ...]
    call: CallName | None
    number: int
    winners: tuple[int, ...]
    played: tuple[int, ...]
    points: tuple[int, ...]
    jack: bool
    lost: bool

    @classmethod
    def of(cls, history: History) -> Line:
        """Where a history stands."""
        return cls(
            history.contract, history.players, history.leader, history.trick, history.call, history.number,
            history.winners, tuple(hand.bits for hand in history.played),
            tuple(history.points(frozenset([seat])) for seat in range(history.players)), history.jack, history.lost,
        )  # fmt: skip

    @property
    def turn(self) -> int:
        """Seat to play."""
        return (self.leader + len(self.trick)) % self.players

    @property
    def finished(self) -> bool:
        """Whether all cards have been played."""
        return self.number == self.contract.rules.hand

    @property
    def out(self) -> int:
        """`Hand.bits` of all cards that have been played."""
        return sum(self.played)

    @property
    def partner(self) -> int | None:
        """The seat that became the declarer's partner by winning a trick, in a contract that finds him so."""
        return next((winner for winner in self.winners if winner != self.contract.declarer), None)

    def after(self, play: Play) -> Line:
        """Where it stands when the player whose turn it is has played a card, which has to be legal."""
        contract, players, seat, card = self.contract, self.players, self.turn, play.card
        played = _with(self.played, seat, card.bit)
        trick, call = (*self.trick, card), self.call if self.trick else play.call
        lost = self.lost or (call == "need-not" and card == contract.protected)
        if len(trick) < players:
            return self._replace(trick=trick, call=call, played=played, lost=lost)
        place, worth, is_jack = _taken(contract, trick, call == "must")
        winner = (self.leader + place) % players
        number = self.number + 1
        if number == contract.rules.hand:
            worth += contract.rules.cards.last_trick
        return Line(
            contract, players, winner, (), None, number, (*self.winners, winner), played,
            _with(self.points, winner, worth), self.jack or (is_jack and winner == contract.declarer), lost,
        )  # fmt: skip


def _with(values: tuple[int, ...], seat: int, more: int) -> tuple[int, ...]:
    return (*values[:seat], values[seat] + more, *values[seat + 1 :])


def _taken(contract: Contract, trick: tuple[Card, ...], must: bool) -> tuple[int, int, bool]:
    """The place of the card that takes a trick, the card points in it, and whether that card is the trump jack."""
    best = contract.winner(trick, must=must)
    points = sum(contract.rules.cards.points(card.suit, card.rank, contract.trump) for card in trick)
    return trick.index(best), points, best.suit == contract.trump and best.rank == Rank.JACK
