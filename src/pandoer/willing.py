"""How likely a player would be willing to make a bid with his cards: a model fitted to this package's own chances.

He is willing if the bid has a chance of a half or more, all cards seen after the best plan.  Bids that ask the same of
the cards are of one *kind*.  A kind counts features of each suit, such as top cards, or gaps below low ones; their
weighted sum is the strength of the hand, in units in which the chance to be willing is the logistic function of it.  A
suit may have a role: it is trump, it provides the card that is discarded, or the one trick of a piccolo.  Roles are
given to suits so that the strength is greatest.  ``benches/fit_bidding.py`` fits the weights, and ``docs/bidding.md``
tells how well they fit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache, reduce
from types import MappingProxyType

import numpy as np
import numpy.typing as npt

from pandoer.cards import Rank, Suit
from pandoer.contracts import Bid, CardRules
from pandoer.melds import meld_points
from pandoer.objectives import ALL
from pandoer.rulesets import Ruleset

TRUMP, TRICK, DISCARD = 1, 2, 4
"""Roles of suits, as bits."""

IMPOSSIBLE = -1000.0
"""The strength that a role which a suit cannot have is worth."""

Floats = npt.NDArray[np.float64]
Hands = npt.NDArray[np.uint64]


def strong(held: list[bool], trump: bool, trick: bool) -> list[float]:
    """Features of a suit for a player who wants tricks; `held` goes from the highest card of the suit down."""
    count, missing = sum(held), len(held) - sum(held)
    if trump:
        jack, nine, ace, king, queen = [*held, *[False] * 5][:5]  # a small deck may lack them
        return [jack, nine, ace, count - jack - nine - ace, king and queen, 0, 0, 0, 0, 0]
    tops = [*held, False].index(False)
    long = 2 * tops >= missing  # the others will hardly have any left when the tops have been led
    winners = count if long else tops
    second = not held[0] and held[1] and count > 1
    return [0, 0, 0, 0, 0, winners, second, count > winners, long and tops < min(count, missing), count == 0]


def weak(held: list[bool], trump: bool, trick: bool) -> list[float]:
    """Features of a suit for a player who wants no trick, or none but the one that its highest card is to win."""
    rest, above = held, 0
    if trick:
        above = held.index(True)
        rest = [*held]
        rest[above] = False
    low = rest[::-1]
    places = [place for place, mine in enumerate(low) if mine]
    # Of the cards below the i-th lowest (from 0), i are held and i may go under it safely.
    gaps = [min(max(place - 2 * i, 0), 4) for i, place in enumerate(places)]
    first, others = sum(gaps[:1]), sum(gaps[1:])
    if trump:
        return [len(places), first, others, 0, 0, 0, 0, 0, trick, min(above, 3)]
    second, later = sum(gaps[1:2]), sum(gaps[2:])
    return [0, 0, 0, first, second, later, any(gaps), not places, 0, min(above, 3)]


FEATURES: Mapping[str, tuple[Callable[[list[bool], bool, bool], list[float]], tuple[str, ...]]] = MappingProxyType({
    "strong": (strong, (
        "trump jack", "trump nine", "trump ace", "other trumps", "trump king and queen",
        "winners of plain suits", "king without ace", "plain suits with losers", "plain suits with doubtful winners",
        "plain suits void",
    )),
    "weak": (weak, (
        "trumps", "gaps below the lowest trump", "gaps below other trumps",
        "gaps below the lowest of a plain suit", "gaps below the second", "gaps below others", "plain suits with gaps",
        "plain suits void", "one trick by trump", "cards above the one trick's",
    )),
})  # fmt: skip
"""For each family the function that counts, and what it counts."""


@dataclass(frozen=True)
class Kind:
    """Bids that ask the same of the cards.

    Attributes
    ----------
    family
        Which features count.
    roles
        `TRUMP` and `TRICK`, as far as one suit has to have them.
    weights, threshold
        The strength is the weighted sum of the features, less the threshold.
    melds, target, missing
        Weights of ten points of melds in the hand, of ten points promised, and of ten points of melds promised that are
        not in the hand.
    closed
        Factor and summand that turn the strength of eight cards into that of a player who has not seen the watch card.
    jack
        Whether the trump jack has to be in the hand, or may not be.
    led
        The hand has to hold a card of the trump suit.
    """

    family: str
    roles: int
    weights: tuple[float, ...]
    threshold: float
    melds: float = 0.0
    target: float = 0.0
    missing: float = 0.0
    closed: tuple[float, float] = (1.0, 0.0)
    jack: bool | None = None
    led: bool = False


KINDS: Mapping[str, Kind] = MappingProxyType({
    "points called trump": Kind(
        "strong", TRUMP, (7.67, 2.65, 2.77, 1.08, 5.16, 1.19, -0.08, 0.5, -2.57, 0), -19.24,
        melds=2.0, target=-2.45, closed=(0.87, 0.89),
    ),
    "points trump eight": Kind(
        "strong", TRUMP, (11.08, 5.13, 3.74, 2.28, 0.72, 1.29, 0.6, -2.13, -1.41, -0.25), 0.05,
        melds=1.74, target=-1.74,
    ),
    "all called trump": Kind(
        "strong", TRUMP, (11.19, 6.98, 2.16, 1.52, 0.45, 0.59, -0.47, 0.52, -0.38, 0.99), 20.31,
        missing=-7.2, closed=(0.91, 0.85),
    ),
    "all protected trump": Kind(
        "strong", TRUMP, (12.13, 8.33, 4.74, 2.39, 0.58, 0.7, -1.51, 0, -1.12, -0.57), 23.03,
        closed=(0.86, 1.04),
    ),
    "all jack trump": Kind(
        "strong", TRUMP, (-0.31, 15.26, 11.92, 5.54, 1.93, 1.49, 1.27, -0.79, 0.91, -0.8), 26.94,
        closed=(0.79, 1.47), jack=False,
    ),
    "all trump": Kind(
        "strong", TRUMP, (15.59, 7.62, 3.07, 0.75, 0.04, -0.84, -3.19, -13.29, -1.05, -0.66), 18.34,
        closed=(0.57, 0.52),
    ),
    "all": Kind(
        "strong", 0, (0, 0, 0, 0, 0, 1.32, -2.82, -7.62, -1.66, 0.17), 4.27,
        closed=(0.61, 1.23),
    ),
    "zwabber-called called": Kind(
        "strong", 0, (0, 0, 0, 0, 0, 1.56, 0.94, 0.19, -0.41, -0.26), 7.38,
        closed=(0.92, 0.55),
    ),
    "zwabber-nl": Kind(
        "strong", 0, (0, 0, 0, 0, 0, 0.83, -1.67, -5.89, -0.31, -10.78), 0.6,
        closed=(0.55, 0.11),
    ),
    "zwabber-en": Kind(
        "strong", 0, (0, 0, 0, 0, 0, 1.55, 0.44, 0.51, -0.73, 0.65), 7.99,
        closed=(0.96, 0.54),
    ),
    "none trump": Kind(
        "weak", TRUMP, (-1.4, 0.15, -1.6, -1.76, -1.02, -0.67, -2.26, 0.24, 0, 0), -2.92,
        closed=(0.63, 0.87),
    ),
    "none": Kind(
        "weak", 0, (0, 0, 0, -1.35, -0.97, -0.7, -0.06, -0.28, 0, 0), -3.3,
        closed=(0.6, 0.86),
    ),
    "first-only trump": Kind(
        "weak", TRUMP | TRICK, (-2.3, -0.3, -2.79, -1.85, -1.96, -0.83, -1.83, -2.19, 13.14, -11.29), 5.73,
        closed=(0.55, 1.2),
    ),
    "exactly-one trump": Kind(
        "weak", TRUMP | TRICK, (-2.29, 0.09, -0.73, -2.31, -0.94, -1.65, 0.58, 0.93, 8.83, -6.26), 5.26,
        closed=(0.64, 0.97),
    ),
    "exactly-one": Kind(
        "weak", TRICK, (0, 0, 0, -2.55, -1.38, -0.84, -0.84, -1.24, 0, -15.87), -7.7,
        closed=(0.57, 1.38),
    ),
    "jack-only trump": Kind(
        "weak", TRUMP | TRICK, (-1.53, -0.43, -0.9, -1.16, -0.82, -1.1, -1.1, -0.46, 0, 0), -5.8,
        closed=(0.5, 1.02), jack=True,
    ),
    "none eight": Kind(
        "weak", 0, (0, 0, 0, -2.48, -2.69, -1.15, -0.01, -0.61, 0, 0), -3.94,
    ),
    "none led eight": Kind(
        "weak", TRUMP, (-13.36, -4, -3.68, -1.16, -1.58, -1.07, -8.48, 0.34, 0, 0), -20.3,
        led=True,
    ),
    "all eight": Kind(
        "strong", 0, (0, 0, 0, 0, 0, -0.23, -2.59, -13.42, -3.97, -0.84), -9.51,
    ),
    "all led eight": Kind(
        "strong", TRUMP, (13.62, 6.67, 1.85, 0.81, 0.05, -1.71, -2.96, -18.45, -3.39, -0.83), 8.62,
        led=True,
    ),
})  # fmt: skip


def kind_name(bid: Bid, rules: Ruleset) -> str:
    """The name of a bid's kind, such as ``"all called trump"`` for a pandoer; a kind need not be known."""
    partner = bid.partner
    protects = partner == "called" and bid.objective == ALL and rules.play.called_card == "protect"
    trump = {"suit": "trump", "none-if-joined": "trump", "led": "led", "none": ""}[bid.trump]
    words = (bid.objective.name, "protected" if protects else partner, trump, "" if rules.watch else "eight")
    return " ".join(word for word in words if word)


@lru_cache(maxsize=64)
def counts(family: str, cards: CardRules, ranks: int) -> Floats:
    """The features of every set of cards of a suit that has these ranks: ``[roles but `DISCARD`, sets, features]``."""
    function, names = FEATURES[family]
    found = np.zeros((4, 512, len(names)))
    for role in range(4):
        order = [rank for rank in reversed(cards.order(bool(role & TRUMP))) if ranks >> rank & 1]
        for held in range(512):
            if held & ~ranks == 0 and (held or not role & TRICK):
                row = [bool(held >> rank & 1) for rank in order]
                found[role, held] = function(row, bool(role & TRUMP), bool(role & TRICK))
    return found


@lru_cache(maxsize=256)
def worths(kind: Kind, cards: CardRules, ranks: int) -> Floats:
    """What every set of cards of a suit is worth in every role: ``[roles, sets]``."""
    sets = np.arange(512)
    jack = sets >> Rank.JACK & 1 == 1
    worth = counts(kind.family, cards, ranks) @ np.array(kind.weights)
    worth[TRICK:, 0] = IMPOSSIBLE
    if kind.led:
        worth[TRUMP, 0] = IMPOSSIBLE
    if kind.jack is not None:
        worth[TRUMP::2, jack != kind.jack] = IMPOSSIBLE
    if kind.jack:
        worth[[TRUMP, TRICK]] = IMPOSSIBLE  # the one trick is the trump jack's
    left = np.full_like(worth, IMPOSSIBLE)
    for rank in Rank:
        has = sets[sets >> rank & 1 == 1]
        left[:, has] = np.maximum(left[:, has], worth[:, has ^ 1 << rank])
    if kind.jack is False:
        left[TRUMP::2, jack] = IMPOSSIBLE  # nor may it be discarded
    return np.concatenate([worth, left])


def strength(kind: Kind, rules: Ruleset, hands: Hands, *, discard: bool) -> Floats:
    """The weighted features of each hand with the best roles, ``[n]``; with `discard` one of its cards is laid away."""
    roles = kind.roles | (DISCARD if discard else 0)
    parts = [part for part in range(roles + 1) if part & ~roles == 0]
    best: dict[int, Floats] = {}
    for suit in Suit:
        shift = 16 * suit
        held = (hands >> np.uint64(shift) & np.uint64(0x1FF)).astype(np.intp)
        worth = worths(kind, rules.cards, rules.deck.bits >> shift & 0x1FF)
        own = {part: worth[part].take(held) for part in parts}
        if best:
            own = {
                part: reduce(np.maximum, [best[part ^ mine] + own[mine] for mine in parts if mine & ~part == 0])
                for part in (parts if suit < Suit.SPADES else [roles])
            }
        best = own
    return best[roles]


def willing(bid: Bid, rules: Ruleset, hands: Hands, *, discard: bool = False, closed: bool = False) -> Floats | None:
    """The chance that a player with each of these hands would be willing to make a bid.

    Parameters
    ----------
    bid, rules
        The bid and its ruleset.
    hands
        ``uint64 [n]`` of `Hand.bits`.
    discard
        The watch card is among the cards, and one of them is discarded.
    closed
        There is a watch card that the player has not seen.

    Returns
    -------
    numpy.ndarray or None
        ``float64 [n]``, 0 to 1; ``None`` for a kind of bid of which nothing is known.
    """
    kind = KINDS.get(kind_name(bid, rules))
    if kind is None:
        return None
    logit = strength(kind, rules, hands, discard=discard) - kind.threshold
    if kind.melds or kind.missing:
        melds, target = meld_points(hands, rules.melds) / 10, (bid.target or 0) / 10
        logit += kind.melds * melds + kind.target * target + kind.missing * np.maximum(target - melds, 0)
    if closed:
        logit = kind.closed[0] * logit + kind.closed[1]
    return 1 / (1 + np.exp(-np.clip(logit, -30, 30)))
