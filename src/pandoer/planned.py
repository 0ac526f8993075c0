"""Many hands with their plans, as arrays: `Plans` and `Cards`.

`pandoer.features` counts what is in them; `candidate_plans` says which plans a declarer may choose from.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from pandoer.cards import Card, Hand, Rank, Suit
from pandoer.contracts import Bid, CardRules
from pandoer.errors import PandoerError
from pandoer.melds import marriage, meld_points
from pandoer.objectives import ALL
from pandoer.plans import Plan
from pandoer.rulesets import Ruleset
from pandoer.rulesets.base import parse_trump

Bits: TypeAlias = npt.NDArray[np.uint64]
Ints: TypeAlias = npt.NDArray[np.int64]
Flags: TypeAlias = npt.NDArray[np.bool_]

NONE = -1
"""No trump suit, no discard, no called card."""

MOST_GAP = 4
"""A card is in no more danger when still more cards of others lie below it."""

SUITS = np.arange(len(Suit))[:, np.newaxis]
"""Suit numbers, to compare with numbers of suits by hand: ``[4, 1]``."""

_COUNT = np.array([bits.bit_count() for bits in range(512)])
_LENGTH = np.array([bits.bit_length() for bits in range(512)])


@dataclass(frozen=True, eq=False)
class Plans:
    """Many plans, the first lead apart.

    Attributes
    ----------
    trump
        ``int64 [n]``: the trump suit, -1 for none.
    discard, called
        ``int64 [n]``: `Card.index` of the card, -1 for none.
    """

    trump: Ints
    discard: Ints
    called: Ints

    @classmethod
    def of(cls, plans: Plans | Plan | str | Iterable[Plan | str]) -> Plans:
        """Plans of `Plan` objects or their texts, such as ``"S C7 HA"``.

        Raises
        ------
        PandoerError
            For a text that is no plan.
        """
        if isinstance(plans, Plans):
            return plans
        given: Sequence[Plan | str] = [plans] if isinstance(plans, (Plan, str)) else [*plans]
        numbers = {plan: _numbers(plan) for plan in set(given)}
        rows = np.array([numbers[plan] for plan in given], np.int64).reshape(-1, 3)
        return cls(rows[:, 0], rows[:, 1], rows[:, 2])

    def __len__(self) -> int:
        return len(self.trump)

    def __getitem__(self, rows: npt.NDArray[np.intp] | npt.NDArray[np.bool_] | slice) -> Plans:
        return Plans(self.trump[rows], self.discard[rows], self.called[rows])

    def plan(self, row: int) -> Plan:
        """One of them as an object."""
        trump, discard, called = (int(values[row]) for values in (self.trump, self.discard, self.called))
        return Plan(None if trump < 0 else Suit(trump), _card(discard), _card(called))


def plan_of(text: str) -> Plan:
    """The plan of a text, ``"trump discard called"`` with ``-`` for what is absent; a lead after it is not read.

    >>> print(plan_of("S C7 HA"))
    trump ♠, discard ♣7, call ♥A

    Raises
    ------
    PandoerError
        If it is none.
    """
    parts = text.split()
    try:
        trump, discard, called = [*parts, "-", "-"][:3]
        laid, partner = (None if part == "-" else Card(part) for part in (discard, called))
        return Plan(parse_trump(trump), laid, partner)
    except ValueError:
        expected = "expected trump, discard and called card, as in 'S C7 HA'"
        raise PandoerError(f"cannot read plan {text!r}: {expected}") from None


def _numbers(plan: Plan | str) -> tuple[int, int, int]:
    if isinstance(plan, str):
        plan = plan_of(plan)
    return (
        NONE if plan.trump is None else int(plan.trump),
        NONE if plan.discard is None else plan.discard.index,
        NONE if plan.called is None else plan.called.index,
    )


def _card(index: int) -> Card | None:
    return None if index < 0 else Hand.from_bits(1 << index).cards[0]


def card_bits(indices: Ints) -> Bits:
    """Cards as hands of one; -1 gives the empty hand."""
    return np.where(indices < 0, 0, 1 << np.maximum(indices, 0)).astype(np.uint64)


def after_discard(hands: Bits, watch: Bits, plans: Plans) -> Bits:
    """The hands with the watch card taken in and the discard laid away, ``uint64 [n]``.

    Parameters
    ----------
    hands
        ``uint64 [n]``, before.
    watch
        ``uint64 [n]``, the watch card as a hand of one; 0 where it is not known, and then nothing is laid away.
    plans
        Their plans.
    """
    found: Bits = (hands | watch) & ~card_bits(plans.discard)
    return found


@dataclass(frozen=True, eq=False)
class Cards:
    """Many hands with their plans, suit by suit.

    In each suit bit 0 is the lowest of nine ranks *in the order of the suit*, plain or trump, and bit 8 the highest.

    Attributes
    ----------
    hands
        ``uint64 [n]`` of `Hand.bits`, after the discard.
    plans
        Their plans.
    rules
        The ruleset.
    held, unseen
        ``int64 [4, n]``: the cards held, and those of others, by suit.
    trump
        ``bool [4, n]``: which suit is trump.
    """

    hands: Bits
    plans: Plans
    rules: Ruleset
    held: Ints
    unseen: Ints
    trump: Flags

    @classmethod
    def of(cls, hands: Bits, plans: Plans, rules: Ruleset) -> Cards:
        """The cards of hands after the discard, ``uint64 [n]``, with their plans."""
        unseen = np.uint64(rules.deck.bits) & ~hands & ~card_bits(plans.discard)
        trump = plans.trump == SUITS
        order = _orders(rules.cards)
        held, others = (order[trump.astype(np.intp), by_suit(bits)] for bits in (hands, unseen))
        return cls(hands, plans, rules, held, others, trump)

    def in_trump(self, values: npt.NDArray[np.generic]) -> Ints:
        """Of values by suit, ``[4, n]``, that of the trump suit; 0 without trump."""
        return np.asarray(np.where(self.trump, values, 0).sum(axis=0), np.int64)

    def in_plain(self, values: npt.NDArray[np.generic]) -> Ints:
        """Of values by suit, ``[4, n]``, the sum over the plain suits."""
        return np.asarray(np.where(self.trump, 0, values).sum(axis=0), np.int64)

    def has(self, rank: Rank, *, trump: bool) -> Flags:
        """In which suits the card of a rank is held, as trumps are ordered or as plain cards are, ``bool [4, n]``."""
        return np.asarray(self.held >> self.rules.cards.order(trump).index(rank) & 1 == 1)

    @cached_property
    def length(self) -> Ints:
        """Cards held in each suit, ``int64 [4, n]``."""
        return np.asarray(_COUNT[self.held])

    @cached_property
    def tops(self) -> Ints:
        """Cards of each suit above all those of others, ``int64 [4, n]``."""
        return np.asarray(_COUNT[self.held >> _LENGTH[self.unseen]])

    @cached_property
    def gaps(self) -> tuple[Ints, Ints]:
        """For each suit the gap below the lowest card, and the sum of those below the others: twice ``int64 [4, n]``.

        The gap below a card is the number of lower cards of the others, less that of one's own lower cards, each of
        which may go under one of them; 0 to `MOST_GAP`.
        """
        lowest, later, mine, others = (np.zeros_like(self.held) for _ in range(4))
        for place in range(len(Rank)):
            has = self.held >> place & 1
            gap = np.clip(others - mine, 0, MOST_GAP) * has
            lowest += gap * (mine == 0)
            later += gap * (mine > 0)
            mine += has
            others += self.unseen >> place & 1
        return lowest, later

    @property
    def gap(self) -> Ints:
        """The sum of the gaps in each suit, ``int64 [4, n]``."""
        return self.gaps[0] + self.gaps[1]


def by_suit(bits: Bits) -> Ints:
    """The ranks of each suit, ``int64 [4, n]``."""
    return (bits >> (16 * SUITS).astype(np.uint64) & np.uint64(511)).astype(np.int64)


@lru_cache(maxsize=16)
def _orders(cards: CardRules) -> Ints:
    """Sets of ranks of a plain suit and of trump, put into the order of the suit: ``int64 [2, 512]``."""
    found = np.zeros((2, 512), np.int64)
    for trump in (False, True):
        for place, rank in enumerate(cards.order(trump)):
            found[int(trump)] |= (np.arange(512) >> rank & 1) << place
    found.flags.writeable = False
    return found


def candidate_plans(
    rules: Ruleset, bid: Bid, cards: Bits, *, discard: bool, call: bool = True
) -> tuple[npt.NDArray[np.intp], Plans]:
    """Every plan of many declarers, as `pandoer.plans.legal_plans` gives them for one.

    Parameters
    ----------
    rules, bid
        The bid and its ruleset.
    cards
        ``uint64 [n]``: what they hold, the watch card among it if they have seen it.
    discard
        One of these cards is laid away.
    call
        Whether called cards are told apart; if not, none is named.

    Returns
    -------
    rows : ndarray of intp
        To which hand each plan belongs, in ascending order.
    plans : Plans
        The plans.
    """
    held = by_suit(cards)
    trumps = [NONE] if bid.trump == "none" else [int(suit) for suit in Suit]
    laid = [card.index for card in rules.deck] if discard else [NONE]
    calling = call and bid.partner == "called"
    parts = []
    for trump in trumps:
        may = np.ones(len(cards), bool)
        if bid.partner == "jack":
            may &= (held[trump] >> Rank.JACK & 1) == 0
        if bid.trump == "led":
            may &= held[trump] > 0
        calls = _callable(rules, cards, trump) if calling else np.full((len(cards), 1), NONE)
        for index in laid:
            here = may if index == NONE else may & ((cards >> np.uint64(max(index, 0)) & np.uint64(1)) == np.uint64(1))
            here = here & _keeps_melds(rules, bid, cards & ~card_bits(np.array(index)), trump)
            for called in calls.T:
                rows = np.flatnonzero(here & (called != NONE) if calling else here)
                parts.append(np.column_stack([rows, *np.broadcast_arrays(trump, index, called[rows])]))
    table = np.concatenate(parts)
    table = table[np.argsort(table[:, 0], kind="stable")]
    return table[:, 0], Plans(table[:, 1], table[:, 2], table[:, 3])


def _callable(rules: Ruleset, cards: Bits, trump: int) -> Ints:
    """The cards that may be called with these known, -1 for none in a suit: ``int64 [n, 4]``."""
    found = np.full((len(Suit), len(cards)), NONE)
    unknown = by_suit(np.uint64(rules.deck.bits) & ~cards)
    for rank in (Rank.QUEEN, Rank.KING, Rank.ACE):  # a higher one that can be called takes the place of the lower ones
        there = (unknown >> rank & 1) == 1
        if rules.calling == "plain-first":
            there = np.where(there[SUITS[:, 0] != trump].any(axis=0), there & (trump != SUITS), there)
        found = np.where(there.any(axis=0), np.where(there, 16 * SUITS + rank, NONE), found)
    return found.T


def _keeps_melds(rules: Ruleset, bid: Bid, left: Bits, trump: int) -> Flags:
    """Whether a hand still has the melds by which the bid was raised, where they have to be its own, ``bool [n]``."""
    if bid.objective is not ALL or bid.target is None or not rules.melds.raise_by_own:
        return np.ones(len(left), bool)
    suit = None if trump < 0 else Suit(trump)
    return np.asarray(meld_points(left, rules.melds) + marriage(left, suit, rules.melds) >= bid.target)
