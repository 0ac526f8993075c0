"""A completed trick: who led what, and who won it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pandoer.cards import Card
from pandoer.contracts import Contract
from pandoer.problems import CallName

__all__ = ["Trick", "cards_text", "completed", "points_text"]


@dataclass(frozen=True)
class Trick:
    """A completed trick.

    Attributes
    ----------
    leader
        Seat that led.
    cards
        In order from the leader.
    winner
        Seat that won.
    points
        Card points, with those for the last trick if it is the last.
    call
        ``"must"`` or ``"need-not"`` when it began with a protected call.
    """

    leader: int
    cards: tuple[Card, ...]
    winner: int
    points: int
    call: CallName | None = None

    def text(self, lang: str = "en") -> str:
        """The trick on one line."""
        cards = cards_text(self.cards, self.call, lang)
        return f"seat {self.leader}: {cards}, won by seat {self.winner}, {points_text(self.points)}"

    def to_json(self) -> dict[str, Any]:
        """The trick as a JSON object."""
        found = {"leader": self.leader, "cards": [*map(str, self.cards)], "winner": self.winner, "points": self.points}
        return found if self.call is None else {**found, "call": self.call}

    def __str__(self) -> str:
        return self.text()


def completed(
    contract: Contract, leader: int, cards: Sequence[Card], call: CallName | None, players: int, *, last: bool
) -> Trick:
    """The trick of these cards, in order from the leader; `last`: it is the last one of the deal."""
    winner = (leader + cards.index(contract.winner(cards, must=call == "must"))) % players
    points = sum(contract.rules.cards.points(card.suit, card.rank, contract.trump) for card in cards)
    return Trick(leader, tuple(cards), winner, points + (contract.rules.cards.last_trick if last else 0), call)


def cards_text(cards: Iterable[Card], call: CallName | None, lang: str) -> str:
    """Cards of a trick in words, with what was said with the first of them."""
    texts = [card.text(lang, symbols=True) for card in cards]
    return " ".join([f"{texts[0]} {call}", *texts[1:]] if call else texts)


def points_text(points: int) -> str:
    """A number of points in words."""
    return f"{points} {'point' if points == 1 else 'points'}"
