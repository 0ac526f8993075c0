"""What a declarer chooses blind: discard, trump, called card and, where the question asks for it, the first lead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np

from pandoer.cards import Card, Hand, Rank, Suit
from pandoer.contracts import Bid, Contract
from pandoer.errors import PandoerError
from pandoer.melds import best_meld, marriage, meld_points
from pandoer.objectives import ALL, EXACTLY_ONE, FIRST_ONLY, JACK_ONLY, NONE
from pandoer.problems import Play
from pandoer.rulesets import Ruleset
from pandoer.symmetry import Renaming, renamed_card


@dataclass(frozen=True)
class Plan:
    """The choices of a declarer before he sees any hidden card.

    Attributes
    ----------
    trump
        The trump suit, or ``None`` without trump.
    discard
        The card laid away, or ``None`` in a game without a watch card.
    called
        The called card, or ``None``.
    lead
        The first lead, where the question asks for one, with *must* or *need not* if the called suit is protected.
    """

    trump: Suit | None = None
    discard: Card | None = None
    called: Card | None = None
    lead: Play | None = None

    def renamed(self, names: Renaming) -> Plan:
        """The plan with its suits renamed."""
        lead = self.lead and replace(self.lead, card=Card.of(names[self.lead.card.suit], self.lead.card.rank))
        return Plan(
            None if self.trump is None else names[self.trump], renamed_card(self.discard, names),
            renamed_card(self.called, names), lead,
        )  # fmt: skip

    def to_json(self) -> dict[str, str | None]:
        """The plan as a JSON object; ``"-"`` for no trump."""
        return {
            "trump": "-" if self.trump is None else self.trump.letter,
            "discard": None if self.discard is None else str(self.discard),
            "called": None if self.called is None else str(self.called),
            "lead": None if self.lead is None else str(self.lead),
        }

    def text(self, lang: str = "en") -> str:
        """The plan in words, with the names and rank letters of a language."""
        parts = ["no trump" if self.trump is None else f"trump {self.trump.text(lang)}"]
        for what, card in (("discard", self.discard), ("call", self.called)):
            if card is not None:
                parts.append(f"{what} {card.text(lang, symbols=True)}")
        if self.lead is not None:
            parts.append(f"lead {self.lead.text(lang, symbols=True)}")
        return ", ".join(parts)

    def __str__(self) -> str:
        return self.text()


def contract_of(rules: Ruleset, bid: Bid, plan: Plan, joiners: tuple[int, ...] = ()) -> Contract:
    """The contract of seat 0 with this plan."""
    return rules.contract(bid, declarer=0, trump=plan.trump, called=plan.called, joiners=joiners)


def legal_plans(
    rules: Ruleset, bid: Bid, cards: Hand, fixed: Plan, *, joined: bool = False, everything: bool = False
) -> Iterator[Plan]:
    """The plans, the first lead apart, of a declarer who holds `cards`, that agree with `fixed`.

    The watch card is among `cards`.  Discards of which another one is proved to be no worse (`better_discards`) are
    left out, unless they are fixed or `everything` is asked for.  A declarer who raised his bid by melds of his own
    keeps their cards (`MeldRules.raise_by_own`).
    """
    trumps: list[Suit | None] = [*Suit]
    if bid.trump == "none" or (bid.trump == "none-if-joined" and joined):
        trumps = [None]
    if bid.partner == "jack":
        trumps = [suit for suit in Suit if Card.of(suit, Rank.JACK) in rules.deck - cards]
    for trump in trumps:
        if fixed.trump not in (None, trump):
            continue
        if bid.trump == "led" and trump is not None and not cards.of_suit(trump):
            continue
        calls: list[Card | None] = [None]
        if bid.partner == "called":
            calls = [*rules.callable_cards(cards, trump)]
        for discard in discards(rules, bid, cards, trump, fixed, everything=everything):
            for called in calls:
                if fixed.called in (None, called):
                    yield Plan(trump, discard, called)


def discards(
    rules: Ruleset, bid: Bid, cards: Hand, trump: Suit | None, fixed: Plan, *, everything: bool
) -> list[Card | None]:
    """The discards to think of with a trump suit; a card that is to be led is none."""
    if rules.watch is None:
        return [None]
    kept = None if fixed.lead is None else fixed.lead.card
    chosen = [
        card
        for card in cards
        if fixed.discard in (None, card) and card != kept and may_discard(rules, bid, cards, card, trump)
    ]
    if everything or fixed.discard is not None:
        return [*chosen]
    return [card for card in chosen if not any(better_discards(rules, bid, cards, trump, card, chosen))]


def may_discard(rules: Ruleset, bid: Bid, cards: Hand, card: Card, trump: Suit | None) -> bool:
    """Whether a card may be laid away: not one of the melds by which the bid was raised."""
    if bid.objective is not ALL or bid.target is None or not rules.melds.raise_by_own:
        return True
    bits = np.uint64((cards - card).bits)
    return int(meld_points(bits, rules.melds) + marriage(bits, trump, rules.melds)) >= bid.target


def better_discards(
    rules: Ruleset, bid: Bid, cards: Hand, trump: Suit | None, card: Card, among: Iterable[Card]
) -> Iterator[Card]:
    """The cards `among` the others whose discard is proved to be no worse than that of `card`, whatever lies hidden.

    - *Like cards*: no unseen card stands between the two in their suit, they count the same points, and either leaves
      the same melds.  Then the two hands differ in the name of a card only.  The trump jack is like no other card.  Of
      like cards the lowest is laid away, or the highest where the declarer wants few tricks.
    - *Losers*: to stay without a trick (`none`), or to win one with the trump jack alone (`jack-only`), a lower card of
      a plain suit is no worse to hold than a higher one.  In a line of play that succeeds the higher card wins no
      trick, so the lower one in its place wins none either, each trick has the same winner, and what the others may
      play does not depend on the rank of a plain card.
    - *Winners*: to win every trick alone, a higher card of a suit is no worse to hold than a lower one.  In a line that
      succeeds the declarer leads to every trick and wins it with the card he leads, so the higher one in its place
      wins it as well; of a led trump the others could not have beaten the lower, so the higher binds them no more.
    """
    counts_melds = bid.target is not None
    few_tricks = bid.objective in (NONE, EXACTLY_ONE, FIRST_ONLY, JACK_ONLY)
    alone = bid.objective is ALL and bid.partner is None and not counts_melds
    order = rules.cards.order(card.suit == trump)
    place = order.index(card.rank)
    for other in among:
        if other.suit != card.suit or other == card:
            continue
        lower = order.index(other.rank) < place
        loser = bid.objective in (NONE, JACK_ONLY) and card.suit != trump and not lower
        winner = alone and lower
        if loser or winner or (lower != few_tricks and like(rules, bid, cards, trump, card, other)):
            yield other


def like(rules: Ruleset, bid: Bid, cards: Hand, trump: Suit | None, one: Card, other: Card) -> bool:
    """Whether two cards of a suit differ in name only, for a player who holds `cards`; see `better_discards`."""
    order = rules.cards.order(one.suit == trump)
    low, high = sorted((order.index(one.rank), order.index(other.rank)))
    if any(low < order.index(card.rank) < high for card in (rules.deck - cards).of_suit(one.suit)):
        return False
    special = rules.play.jack_exempt or bid.objective.needs_jack
    if special and any(card.suit == trump and card.rank == Rank.JACK for card in (one, other)):
        return False
    if bid.objective.counts is not None:
        points = {rules.cards.points(card.suit, card.rank, trump) for card in (one, other)}
        if len(points) > 1:
            return False
    if bid.target is None:
        return True
    left = np.array([(cards - one).bits, (cards - other).bits], np.uint64)
    found = (meld_points(left, rules.melds), best_meld(left, rules.melds), marriage(left, trump, rules.melds))
    return all(int(pair[0]) == int(pair[1]) for pair in found)


def with_leads(rules: Ruleset, bid: Bid, cards: Hand, plan: Plan, leads: Iterable[Play], fixed: Plan) -> list[Plan]:
    """A plan with each first lead that it may begin with; of like cards one is enough.

    `leads` are the legal ones.
    """
    kept: list[Play] = []
    for lead in leads:
        if fixed.lead is not None:
            if lead.card == fixed.lead.card and fixed.lead.call in (None, lead.call):
                kept.append(lead)
        elif not any(
            lead.card.suit == other.card.suit
            and lead.call == other.call
            and like(rules, replace(bid, target=None), cards, plan.trump, lead.card, other.card)
            for other in kept
        ):
            kept.append(lead)
    return [replace(plan, lead=lead) for lead in kept]


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
    if fixed.lead is not None:
        if fixed.lead.card not in cards:
            raise PandoerError(f"lead {str(fixed.lead)!r} is not in the hand {str(cards)!r}")
        if fixed.lead.card == fixed.discard:
            raise PandoerError(f"lead {str(fixed.lead)!r} is the discard")
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
