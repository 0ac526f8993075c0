"""What the asker knows before he speaks: his cards, the watch card, who bid, and what he knows of the others' cards."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral
from typing import Any

import numpy as np
import numpy.typing as npt

from pandoer.cards import Card, Hand, Suit
from pandoer.contracts import Bid
from pandoer.dealing import Layouts, Stream, Weight, below
from pandoer.errors import PandoerError
from pandoer.rulesets import Ruleset
from pandoer.symmetry import Renaming, renamings

LOOKED_AT, LOOKED_AT_MOST = 2**11, 2**16
"""Deals of each watch card on which the mean of a weight is taken; more when few fit, because the interval of a chance
takes the means as they are."""

WEIGHED_ENOUGH = 64
"""The sum of the weights that is enough for a mean."""

MOST_LAYOUTS = 1_000_000
"""More are not enumerated."""

FEW_LAYOUTS = 20_000
"""Not more are enumerated unless something else is asked for."""


@dataclass(frozen=True)
class Question:
    """What the asker, seat 0, knows.  The seats 1, 2, 3 follow him in turn.

    Attributes
    ----------
    rules
        The ruleset.
    hand
        His cards.
    watch
        The watch card, ``None`` when he does not know it.
    players
        How many hold cards.
    sits_out
        Whether one more sits at the table, the dealer, who holds none.
    bottom
        The bottom card of the stock, which everybody sees; ``None`` when it is not known.
    bidders
        Other seats that made a bid, for the denial of melds.
    known
        Cards that are known to lie with a seat.
    void
        Suits that a seat does not hold.
    weight
        How likely a deal is, 0 to 1, beside the likeliest: a function of the watch card and an array of hidden hands.
    unseen
        In an ending the cards that the others still hold; ``None`` before the first lead.
    """

    rules: Ruleset
    hand: Hand
    watch: Card | None
    players: int
    bidders: tuple[int, ...] = ()
    known: tuple[tuple[int, Hand], ...] = ()
    void: tuple[tuple[int, tuple[Suit, ...]], ...] = ()
    weight: Callable[[Card | None, npt.NDArray[np.uint64]], npt.ArrayLike] | None = None
    unseen: Hand | None = None
    sits_out: bool = False
    bottom: Card | None = None

    def __post_init__(self) -> None:
        rules, hand = self.rules, self.hand
        if self.unseen is None and len(hand) != rules.hand:
            raise PandoerError(f"hand {str(hand)!r}: expected {rules.hand} cards, not {len(hand)}")
        if self.unseen is not None:
            self._check_ending(self.unseen)
        for card in (*hand, *(self.unseen or ()), *([] if self.watch is None else [self.watch])):
            if card not in rules.deck:
                raise PandoerError(f"card {str(card)!r} is not in the deck of {rules.name}")
        if self.watch is not None:
            if rules.watch is None:
                raise PandoerError(f"watch card {str(self.watch)!r}: {rules.name} has none")
            if self.watch in hand:
                raise PandoerError(f"watch card {str(self.watch)!r} is in the hand {str(hand)!r}")
        at_the_table(rules, self.table)
        if self.bottom is not None:
            self._check_bottom(self.bottom)
        if not set(self.bidders) <= set(range(1, self.players)):
            raise PandoerError(
                f"bidders {list(self.bidders)}: expected seats 1 to {self.players - 1}, counted from the declarer"
            )
        for seat, cards in self.known:
            for card in cards:
                if card in hand or card in (self.watch, self.bottom):
                    whose = "your hand" if card in hand else "the watch card"
                    whose = "the bottom card of the stock" if card == self.bottom else whose
                    raise PandoerError(f"known card {str(card)!r} of seat {seat} is {whose}")

    def _check_ending(self, unseen: Hand) -> None:
        hand = self.hand
        if not 1 <= len(hand) <= self.rules.hand:
            raise PandoerError(f"hand {str(hand)!r}: expected 1 to {self.rules.hand} cards, not {len(hand)}")
        if self.watch is not None:
            raise PandoerError(f"watch card {str(self.watch)!r} and unseen cards: in an ending it has been taken up")
        if hand & unseen:
            raise PandoerError(f"unseen cards {str(unseen)!r}: {hand & unseen} is in the hand {str(hand)!r}")
        needed, stock = (self.players - 1) * len(hand), self.rules.stock(self.players)
        if not needed <= len(unseen) <= needed + stock:
            more = f" (and up to {stock} that may lie in the stock)" if stock else ""
            raise PandoerError(
                f"unseen cards {str(unseen)!r}: expected {needed}, {len(hand)} for each other player{more},"
                f" not {len(unseen)}"
            )

    def _check_bottom(self, bottom: Card) -> None:
        what = f"bottom card {str(bottom)!r}"
        if not self.rules.stock(self.players):
            raise PandoerError(f"{what}: with {self.players} players {self.rules.name} has no stock")
        if self.unseen is not None:
            raise PandoerError(f"{what} and unseen cards: expected one of them")
        if bottom not in self.rules.deck:
            raise PandoerError(f"{what} is not in the deck of {self.rules.name}")
        if bottom in self.hand or bottom == self.watch:
            raise PandoerError(f"{what} is {'in the hand' if bottom in self.hand else 'the watch card'}")

    @property
    def table(self) -> int:
        """How many sit at the table."""
        return self.players + self.sits_out

    @property
    def closed(self) -> bool:
        """Whether there is a watch card that the asker does not know."""
        return self.rules.watch is not None and self.watch is None and self.unseen is None

    @property
    def ending(self) -> bool:
        """Whether cards have been played."""
        return self.unseen is not None and len(self.hand) < self.rules.hand

    @cached_property
    def strata(self) -> tuple[Stratum, ...]:
        """One for each card that the watch card may be, with its chance."""
        found: list[Stratum] = []
        unseen = self.rules.deck - self.hand if self.unseen is None else self.unseen
        if self.bottom is not None:
            unseen -= self.bottom
        error: PandoerError | None = None
        elsewhere = Hand({card for _, cards in self.known for card in cards})
        watches: list[Card | None] = [*(unseen - elsewhere)] if self.closed else [self.watch]
        for watch in watches:
            try:
                layouts = Layouts(
                    unseen if watch is None else unseen - watch, self.players - 1, len(self.hand),
                    known=dict(self.known), void=dict(self.void),
                )  # fmt: skip
            except PandoerError as wrong:
                error = wrong
                continue
            found.append(Stratum(self, watch, layouts))
        if not found:
            assert error is not None
            raise error
        return tuple(found)

    @property
    def layouts(self) -> int:
        """How many there are, the watch card included."""
        return sum(stratum.layouts.count for stratum in self.strata)


@dataclass(frozen=True, eq=False)
class Stratum:
    """What a question leaves open once the watch card is seen.

    Attributes
    ----------
    question
        The question.
    watch
        The watch card; ``None`` in a game without one.
    layouts
        Where the other cards may lie.
    """

    question: Question
    watch: Card | None
    layouts: Layouts

    @property
    def cards(self) -> Hand:
        """The cards of a declarer who has taken up the watch card."""
        hand = self.question.hand
        return hand if self.watch is None else hand | self.watch

    @property
    def weight(self) -> Weight | None:
        """The question's weight with this watch card."""
        weight = self.question.weight
        if weight is None:
            return None
        return lambda hidden: weight(self.watch, hidden)

    def renamings(self, bid: Bid) -> tuple[Renaming, ...]:
        """The ways to rename suits that change nothing in a question about a bid."""
        question, rules = self.question, self.question.rules
        by_suit = bid.target is not None and rules.melds.order == "kind-suit"
        if question.weight is not None or by_suit or any(suits for _, suits in question.void):
            return ()
        return self._renamings

    @cached_property
    def _renamings(self) -> tuple[Renaming, ...]:
        """Those that leave all cards that are known where they are, whatever the bid."""
        return renamings([self.cards, self.layouts.unseen, *(cards for _, cards in self.question.known)])

    def seed(self, root: np.random.SeedSequence, phase: int) -> np.random.SeedSequence:
        """Deals of phase 0 choose a plan, those of phase 1 count its chance, those of phase 2 find a mean weight."""
        index = 0 if self.watch is None or not self.question.closed else self.watch.index + 1
        return below(root, index, phase)

    def sampled(self, root: np.random.SeedSequence, phase: int) -> Sampled:
        """An endless sequence of deals."""
        return Sampled(Stream(self.layouts, self.seed(root, phase), self.weight))

    def mass(self, root: np.random.SeedSequence) -> float:
        """Its share of all deals, up to a common factor: exact, but with a weight from `LOOKED_AT` deals or more."""
        if self.weight is None or not self.question.closed:
            return float(self.layouts.count)
        seed, total, looked = self.seed(root, 2), 0.0, 0
        while looked < LOOKED_AT or (total < WEIGHED_ENOUGH and looked < LOOKED_AT_MOST):
            stop = max(LOOKED_AT, 2 * looked)
            total += float(np.asarray(self.weight(self.layouts.sample(looked, stop, seed)), float).sum())
            looked = stop
        return self.layouts.count * total / looked


class Sampled:
    """Deals from a stream; those asked for last are kept, because every plan asks for them."""

    alike = False

    def __init__(self, stream: Stream) -> None:
        self.stream = stream
        self._kept = (0, 0, np.zeros((0, 0), np.uint64))

    def hidden(self, start: int, stop: int) -> npt.NDArray[np.uint64]:
        """The hidden hands of deals `start` to `stop`."""
        first, last, kept = self._kept
        if not first <= start <= stop <= last:
            first, kept = start, self.stream.deals(start, stop)
            self._kept = start, stop, kept
        return kept[start - first : stop - first]


class Enumerated:
    """All layouts with the weight of each, in an order without a meaning, so that the first ones tell about all."""

    alike = True

    def __init__(self, stratum: Stratum) -> None:
        layouts = stratum.layouts.enumerate()
        self.all = layouts[np.random.default_rng(0).permutation(len(layouts))]
        weight = stratum.weight
        self.weights = np.ones(len(self.all)) if weight is None else np.asarray(weight(self.all), float)

    def hidden(self, start: int, stop: int) -> npt.NDArray[np.uint64]:
        """The hidden hands of layouts `start` to `stop`."""
        return self.all[start:stop]


def at_the_table(rules: Ruleset, players: int) -> tuple[int, bool]:
    """How many of the players hold cards, and whether the dealer sits out; other numbers are an error."""
    most = max(rules.players)
    if not isinstance(players, bool):
        if players in rules.players:
            return int(players), False
        if rules.dealer_sits_out and players == most + 1:
            return most, True
    allowed = " or ".join(map(str, rules.players))
    if rules.dealer_sits_out:
        allowed += f", or by {most + 1} of whom the dealer sits out"
    raise PandoerError(f"players {players!r}: {rules.name} is played by {allowed}")


def seats_and_cards(
    what: str, given: Mapping[int, Hand | str] | None, players: int, lang: str = "en"
) -> tuple[tuple[int, Hand], ...]:
    """Cards by seat, checked: seats 1 to the number of players less one."""
    return tuple(
        (_seat(what, seat, players), cards if isinstance(cards, Hand) else Hand(cards, lang=lang))
        for seat, cards in _by_seat(what, given)
    )


def seats_and_suits(
    what: str, given: Mapping[int, Suit | str | Iterable[Suit | str]] | None, players: int
) -> tuple[tuple[int, tuple[Suit, ...]], ...]:
    """Suits by seat, checked; a text may name several, such as ``"CH"`` or ``"Schellen, Rosen"``."""
    found = []
    for seat, suits in _by_seat(what, given):
        parts: Iterable[Suit | str] = [suits] if isinstance(suits, Suit) else suits
        if isinstance(suits, str):
            parts = Suit.parse_all(suits)
        if not isinstance(parts, Iterable):
            raise PandoerError(f"{what} {suits!r} of seat {seat!r}: expected suits, such as 'HD'")
        found.append((_seat(what, seat, players), tuple(sorted({Suit.parse(suit) for suit in parts}))))
    return tuple(found)


def _by_seat(what: str, given: Any) -> list[tuple[int, Any]]:
    if given is not None and not isinstance(given, Mapping):
        raise PandoerError(f"{what} {given!r}: expected what is known by seat, such as {{1: ...}}")
    return sorted((given or {}).items(), key=lambda item: str(item[0]))


def _seat(what: str, seat: int, players: int) -> int:
    if isinstance(seat, bool) or not isinstance(seat, Integral) or not 1 <= seat < players:
        raise PandoerError(f"{what} of seat {seat!r}: expected seats 1 to {players - 1}, counted from the asker")
    return int(seat)
