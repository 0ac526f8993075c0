"""What everybody at the table sees of the play, and what it tells: `History`.

A card that is played tells which cards its player cannot hold: who does not follow is void, who lays a lower trump
where the rules let him do so only for want of others lacks these, and whoever may keep back the exempt jack is not
known to lack it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from pandoer import _solver
from pandoer.cards import Card, Hand, Rank
from pandoer.contracts import Contract
from pandoer.errors import PandoerError
from pandoer.objectives import Seats
from pandoer.problems import CallName, Play
from pandoer.solver import CALLS, spec_of
from pandoer.tricks import Trick, completed

__all__ = ["History"]


@dataclass(frozen=True)
class History:
    """The contract and the cards played so far.

    Attributes
    ----------
    contract, players
        The contract, and how many hold cards.
    first
        Seat that led to the first trick.
    plays
        The cards in the order in which they were played.
    tricks
        The completed tricks.
    leader
        Seat that leads, or led, the current trick.
    trick, call
        The cards laid to it, and what was said with the first of them.
    played
        For each seat the cards it has played.
    lacks
        For each seat cards that it did not hold when play began, as its plays tell.
    plain_leads
        Seats that led a plain card to a trick to which the declaring side leads trumps, with the trumps that one of
        the side would not have held.
    """

    contract: Contract
    players: int
    first: int
    plays: tuple[Play, ...] = ()
    tricks: tuple[Trick, ...] = field(default=(), compare=False)
    leader: int = field(default=0, compare=False)
    trick: tuple[Card, ...] = field(default=(), compare=False)
    call: CallName | None = field(default=None, compare=False)
    played: tuple[Hand, ...] = field(default=(), compare=False)
    lacks: tuple[Hand, ...] = field(default=(), compare=False)
    plain_leads: tuple[tuple[int, Hand], ...] = field(default=(), compare=False)

    @classmethod
    def of(
        cls, contract: Contract, players: int, plays: tuple[Play, ...] = (), *, first: int | None = None
    ) -> History:
        """The history of a deal; the declarer leads to the first trick unless another is said to.

        Raises
        ------
        PandoerError
            If a card is not of the game, is played twice, or cannot have been legal with the cards that its player
            played later.
        """
        start = contract.declarer if first is None else first
        if not max(contract.declarer, start) < players:
            raise PandoerError(f"{players} players: expected one in each of the seats {contract.declarer} and {start}")
        if contract.play.partner_exempt:
            raise PandoerError("partner_exempt: what a card tells under this play rule is not worked out")
        if contract.joiners:
            raise PandoerError(f"joiners {[*contract.joiners]}: expected a misère that nobody has joined")
        nothing = (Hand(),) * players
        found = cls(contract, players, start, leader=start, played=nothing, lacks=nothing)
        for play in plays:
            found = found.after(play)
        return found

    @property
    def turn(self) -> int:
        """Seat to play."""
        return (self.leader + len(self.trick)) % self.players

    @property
    def number(self) -> int:
        """Completed tricks."""
        return len(self.tricks)

    @property
    def finished(self) -> bool:
        """Whether all cards have been played."""
        return self.number == self.contract.rules.hand

    @property
    def out(self) -> Hand:
        """All cards that have been played."""
        return Hand.from_bits(sum(hand.bits for hand in self.played))

    @property
    def winners(self) -> tuple[int, ...]:
        """Seat that won each completed trick."""
        return tuple(trick.winner for trick in self.tricks)

    @property
    def partner(self) -> int | None:
        """The partner's seat, once the card that names him has been played or he has won a trick that makes him one."""
        contract = self.contract
        if contract.objective.joins:
            return next((winner for winner in self.winners if winner != contract.declarer), None)
        card = contract.partner_card
        return next((seat for seat, hand in enumerate(self.played) if card is not None and card in hand), None)

    @property
    def lost(self) -> bool:
        """Whether the protected card was played to a lead with *need not*, which loses the contract."""
        tricks = [(trick.cards, trick.call) for trick in self.tricks] + [(self.trick, self.call)]
        return any(call == "need-not" and self.contract.protected in cards for cards, call in tricks)

    @property
    def jack(self) -> bool:
        """Whether the declarer has won a trick with the trump jack."""
        contract = self.contract
        if contract.trump is None:
            return False
        jack = Card.of(contract.trump, Rank.JACK)
        return any(
            trick.winner == contract.declarer and contract.winner(trick.cards, must=trick.call == "must") == jack
            for trick in self.tricks
        )

    def seats(self, partner: int | None) -> Seats:
        """Who plays for the contract if the partner sits there."""
        contract = self.contract
        side = {contract.declarer} if contract.side is None else {*contract.side}
        if partner is not None and not contract.objective.joins and contract.side is None:
            side.add(partner)
        return Seats(contract.declarer, frozenset(side), self.players)

    def points(self, side: frozenset[int]) -> int:
        """Card points in the tricks that these seats have won."""
        return sum(trick.points for trick in self.tricks if trick.winner in side)

    def after(self, play: Play) -> History:
        """What is seen when the player whose turn it is plays a card.

        Raises
        ------
        PandoerError
            If the card is not of the game, has been played, or contradicts what its player has shown.
        """
        contract, seat, card = self.contract, self.turn, play.card
        if self.finished:
            raise PandoerError(f"card {str(play)!r}: all tricks have been played")
        if card not in contract.rules.deck or card in self.out:
            why = "it has been played" if card in self.out else f"it is not in the deck of {contract.rules.name}"
            raise PandoerError(f"card {str(play)!r} of seat {seat} in trick {self.number + 1}: {why}")
        if card in self.lacks[seat]:
            raise PandoerError(
                f"card {str(play)!r} of seat {seat} in trick {self.number + 1}: his earlier plays say that he lacks it"
            )
        protected = contract.protected
        calling = not self.trick and seat == contract.declarer and protected is not None and protected not in self.out
        needed = calling and protected is not None and card.suit == protected.suit
        if needed != (play.call is not None):
            due = "expected 'must' or 'need-not' with a lead of the called suit"
            why = due if needed else "there is nothing to say"
            raise PandoerError(f"card {str(play)!r} of seat {seat} in trick {self.number + 1}: {why}")
        lacks = [*self.lacks]
        lacks[seat] |= self._told(play)
        led = self.plain_leads
        if not self.trick and seat != contract.declarer and self._leads_trumps and card.suit != contract.trump:
            assert contract.trump is not None
            led = (*led, (seat, contract.rules.deck.of_suit(contract.trump) - self.played[seat]))
        played = [*self.played]
        played[seat] |= card
        trick, call = (*self.trick, card), self.call if self.trick else play.call
        changed = replace(
            self, plays=(*self.plays, play), trick=trick, call=call, played=tuple(played), lacks=tuple(lacks),
            plain_leads=led,
        )  # fmt: skip
        return changed if len(trick) < self.players else changed._completed()

    @property
    def _leads_trumps(self) -> bool:
        """Whether the declaring side has to lead trumps to this trick."""
        return self.contract.trump is not None and self.number < self.contract.play.trump_leads

    def _told(self, play: Play) -> Hand:
        """Cards that the player to move cannot hold if he plays this one."""
        contract, seat = self.contract, self.turn
        protected = contract.protected
        is_partner = protected is not None and play.card == protected
        partner = seat if is_partner else next(other for other in range(self.players) if other != seat)
        spec = spec_of(contract, self.seats(partner), contract.rules.hand, partner if protected else None)
        unseen = contract.rules.deck - self.out - play.card
        found = Hand.from_bits(_solver.excluded(
            spec, [card.bit for card in self.trick], leader=self.leader, call=CALLS.index(self.call),
            number=self.number, call_live=protected is not None and protected not in self.out, seat=seat,
            card=play.card.index, said=CALLS.index(play.call), among=unseen.bits,
        ))  # fmt: skip
        if self.call == "must" and self.trick and protected is not None and not is_partner:
            found |= protected  # the partner would have had to play it
        return found

    def _completed(self) -> History:
        contract = self.contract
        last = self.number + 1 == contract.rules.hand
        done = completed(contract, self.leader, self.trick, self.call, self.players, last=last)
        return replace(self, tricks=(*self.tricks, done), leader=done.winner, trick=(), call=None)
