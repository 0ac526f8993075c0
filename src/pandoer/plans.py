"""What a declarer chooses blind: discard, trump and called card."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pandoer.cards import Card, Hand, Rank, Suit
from pandoer.contracts import Bid, Contract
from pandoer.errors import PandoerError
from pandoer.objectives import NONE
from pandoer.rulesets import Ruleset


@dataclass(frozen=True)
class Plan:
    """The choices of a declarer before the first card is led.

    Attributes
    ----------
    trump
        The trump suit, or ``None`` without trump.
    discard
        The card laid away, or ``None`` in a game without a watch card.
    called
        The called card, or ``None``.
    lead
        The first lead, where the question asks for one.
    """

    trump: Suit | None = None
    discard: Card | None = None
    called: Card | None = None
    lead: Card | None = None

    def to_json(self) -> dict[str, str | None]:
        """The plan as a JSON object; ``"-"`` for no trump."""
        return {
            "trump": "-" if self.trump is None else self.trump.letter,
            "discard": None if self.discard is None else str(self.discard),
            "called": None if self.called is None else str(self.called),
            "lead": None if self.lead is None else str(self.lead),
        }

    def __str__(self) -> str:
        parts = ["no trump" if self.trump is None else f"trump {self.trump.symbol}"]
        for what, card in (("discard", self.discard), ("call", self.called), ("lead", self.lead)):
            if card is not None:
                parts.append(f"{what} {card.text(symbols=True)}")
        return ", ".join(parts)


def contract_of(rules: Ruleset, bid: Bid, plan: Plan) -> Contract:
    """The contract of seat 0 with this plan."""
    return rules.contract(bid, declarer=0, trump=plan.trump, called=plan.called)


def legal_plans(rules: Ruleset, bid: Bid, cards: Hand, fixed: Plan) -> Iterator[Plan]:
    """Every plan for a declarer who holds `cards`, the watch card among them, that agrees with `fixed`.

    Where he must stay without a trick, only the highest card of each plain suit is thought of as a discard: a lower
    card in place of a higher one of a plain suit never hurts him, because it wins no trick that the other would
    not win, and what the others may play does not depend on it.
    """
    trumps: list[Suit | None] = [None] if bid.trump == "none" else list(Suit)
    if bid.partner == "jack":
        trumps = [suit for suit in Suit if Card.of(suit, Rank.JACK) not in cards]
    discards: list[Card | None] = [None] if rules.watch is None else list(cards)
    for trump in trumps:
        if fixed.trump not in (None, trump):
            continue
        if bid.trump == "led" and trump is not None and not cards.of_suit(trump):
            continue
        calls: list[Card | None] = [None]
        if bid.partner == "called":
            calls = [*rules.callable_cards(cards, trump)]
        for called in calls:
            if fixed.called not in (None, called):
                continue
            for discard in discards:
                if fixed.discard not in (None, discard):
                    continue
                if fixed.discard is None and bid.objective is NONE and _has_higher(cards, discard, trump):
                    continue
                yield Plan(trump, discard, called)


def _has_higher(cards: Hand, discard: Card | None, trump: Suit | None) -> bool:
    """Whether `cards` has a higher card than `discard` in the same plain suit."""
    if discard is None or discard.suit == trump:
        return False
    return any(card.rank > discard.rank for card in cards.of_suit(discard.suit))


def check_fixed(rules: Ruleset, bid: Bid, hand: Hand, watch: Card | None, fixed: Plan) -> None:
    """Refuse fixed parts of a plan that contradict the cards or the bid."""
    cards = hand if watch is None else hand | watch
    if fixed.trump is not None and bid.trump == "none":
        raise PandoerError(f"trump {fixed.trump.letter!r}: {bid.name} in {rules.name} is played without trump")
    if fixed.discard is not None:
        if rules.watch is None:
            raise PandoerError(f"discard {str(fixed.discard)!r}: {rules.name} has no discard")
        if fixed.discard not in cards:
            raise PandoerError(f"discard {str(fixed.discard)!r} is not in the hand {str(cards)!r}")
    if fixed.called is not None:
        if bid.partner != "called":
            raise PandoerError(f"called card {str(fixed.called)!r}: {bid.name} in {rules.name} calls no card")
        if fixed.called not in rules.deck:
            raise PandoerError(f"called card {str(fixed.called)!r}: not a card of {rules.name}")
        if fixed.called in cards:
            raise PandoerError(f"called card {str(fixed.called)!r} is in the declarer's own hand {str(cards)!r}")
    if bid.partner == "jack":
        if fixed.trump is not None and Card.of(fixed.trump, Rank.JACK) in cards:
            raise PandoerError(
                f"trump {fixed.trump.letter!r}: {bid.name} is played with the holder of the trump jack,"
                f" which is in the hand {str(cards)!r}"
            )
        if all(Card.of(suit, Rank.JACK) in cards for suit in Suit):
            raise PandoerError(f"{bid.name}: expected a jack that is not in the hand {str(cards)!r}")
