"""Players who choose a card by what they know: `Player` and four kinds of them.

- `RandomPlayer` plays any legal card.
- `RulePlayer` follows a few rules of thumb.
- `MonteCarlo` deals the hidden cards again and again, solves each deal with all hands known, and takes the card that
  succeeds most often (perfect-information Monte Carlo).  Who has not seen the declarer's hand believes his bid: of
  many deals he takes those in which that hand is best for it, by a crude count.
- `AlphaMu` does the same as a defender or partner; as the declarer it looks several of his own cards ahead without
  letting him play differently in deals that he cannot tell apart (`pandoer.alphamu`).

Each gets a `View` and a seed, and nothing else.  The same view and seed give the same card.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from pandoer.alphamu import best_front
from pandoer.cards import Card, Hand, Rank, Suit
from pandoer.choices import crude_sums
from pandoer.contracts import CardRules
from pandoer.errors import PandoerError
from pandoer.objectives import EXACTLY_ONE, FIRST_ONLY, JACK_ONLY, LOST, NONE, replay
from pandoer.planned import Cards, Plans
from pandoer.plans import Plan
from pandoer.problems import Play
from pandoer.view import View
from pandoer.worlds import Worlds

__all__ = ["PLAYERS", "AlphaMu", "MonteCarlo", "Player", "RandomPlayer", "RulePlayer", "player"]

WORLDS = 20
"""Deals that a player thinks of at each card, unless another number is asked for."""

BELIEVED = 8
"""So many deals are drawn for each that a player thinks of who has not seen the declarer's hand."""

NODE_LIMIT = 100_000
"""Cards played in the search of one world, after which it is left out."""

DEPTH = 2
"""How many of his own cards a declarer looks ahead, unless another number is asked for."""

Liking = Callable[[Card], tuple[int, ...]]
"""What the rules of thumb think of a card: the less the better."""


@runtime_checkable
class Player(Protocol):
    """Whoever chooses a card."""

    def play(self, view: View, seed: np.random.SeedSequence) -> Play:
        """One of ``view.legal``."""
        ...


@dataclass(frozen=True)
class RandomPlayer:
    """Plays any legal card, each as likely as the others."""

    def play(self, view: View, seed: np.random.SeedSequence) -> Play:
        """A random one of the legal plays."""
        return view.legal[int(np.random.default_rng(seed).integers(len(view.legal)))]

    def __str__(self) -> str:
        return "random"


@dataclass(frozen=True)
class RulePlayer:
    """Follows rules of thumb, see `by_rules`."""

    def play(self, view: View, seed: np.random.SeedSequence) -> Play:
        """The play that the rules of thumb like best."""
        return by_rules(view)[0]

    def __str__(self) -> str:
        return "rules"


@dataclass(frozen=True)
class MonteCarlo:
    """Takes the card that succeeds in most of a number of deals that agree with the view, all hands known in each.

    Of cards that succeed equally often the one that the rules of thumb like best is played.

    Attributes
    ----------
    worlds
        How many deals; when no more agree with the view, all of them.
    node_limit
        A deal is left out for a card when its search takes more cards than that.
    """

    worlds: int = WORLDS
    node_limit: int | None = NODE_LIMIT

    def __post_init__(self) -> None:
        check_number("worlds", self.worlds)

    def play(self, view: View, seed: np.random.SeedSequence) -> Play:
        """The play with the best chance."""
        plays = by_rules(view)
        if len(plays) == 1:
            return plays[0]
        count = view.contract.target is None and view.contract.objective.counts is not None
        values = _worlds(view, self, seed).values(view.history, plays, exact=count)
        return plays[_ranking(values, 1 if on_side(view) else -1)[0]]

    def __str__(self) -> str:
        return f"pimc({self.worlds})"


@dataclass(frozen=True)
class AlphaMu:
    """Plays as `MonteCarlo`, but as the declarer looks so many of his own cards ahead.

    Attributes
    ----------
    worlds, node_limit
        As in `MonteCarlo`.
    depth
        How many of the declarer's cards, this one included; with 1 he is a `MonteCarlo`.
    """

    worlds: int = WORLDS
    depth: int = DEPTH
    node_limit: int | None = NODE_LIMIT

    def __post_init__(self) -> None:
        check_number("worlds", self.worlds)
        check_number("depth", self.depth)

    def play(self, view: View, seed: np.random.SeedSequence) -> Play:
        """The play with the best chance."""
        if len(view.legal) == 1:
            return view.legal[0]
        if self.depth == 1 or not looks_ahead(view):
            return MonteCarlo(self.worlds, self.node_limit).play(view, seed)
        worlds = _worlds(view, self, seed)
        plays = by_rules(view)
        made = worlds.values(view.history, plays)
        ranking = _ranking(made, 1)
        ahead = best_front(view, worlds, self.depth, plays=[plays[i] for i in ranking], made=made[:, ranking])
        searched = [play for play in ahead if ahead[play].searched]
        return max(searched, key=lambda play: (ahead[play].made, *ahead[play].before))

    def __str__(self) -> str:
        return f"alphamu({self.worlds}, {self.depth})"


def looks_ahead(view: View) -> bool:
    """Whether a view is that of a declarer who has something to reach and will not see all cards at his next turn."""
    contract = view.contract
    counts = contract.objective.counts is not None and contract.target is None
    opened = contract.bid is not None and contract.bid.shown in ("lead", "deal")
    return view.seat == contract.declarer and not counts and not opened


PLAYERS: Mapping[str, type[RandomPlayer] | type[RulePlayer] | type[MonteCarlo] | type[AlphaMu]] = MappingProxyType(
    {"random": RandomPlayer, "rules": RulePlayer, "pimc": MonteCarlo, "alphamu": AlphaMu}
)
"""The kinds of players by name."""


def player(name: str, *, worlds: int = WORLDS, depth: int = DEPTH) -> Player:
    """A player of a kind: ``"random"``, ``"rules"``, ``"pimc"`` or ``"alphamu"``.

    Raises
    ------
    PandoerError
        For another name, or numbers that are not whole and positive.
    """
    if name == "pimc":
        return MonteCarlo(worlds)
    if name == "alphamu":
        return AlphaMu(worlds, depth)
    if name not in PLAYERS:
        raise PandoerError(f"player {name!r}: expected one of {', '.join(PLAYERS)}")
    return PLAYERS[name]()


def check_number(what: str, value: object) -> None:
    """Refuse what is no whole number of 1 or more."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 1:
        raise PandoerError(f"{what} {value!r}: expected a whole number, 1 or more")


def _ranking(made: npt.NDArray[np.int16], sign: int) -> list[int]:
    """The places of plays by their mean over the worlds in which it is known, a half where none is, the best first."""
    known = made >= 0
    number = known.sum(axis=0)
    means = np.where(number > 0, (made * known).sum(axis=0) / np.maximum(number, 1), 0.5)
    ranking: list[int] = np.argsort(-sign * means.round(9), kind="stable").tolist()
    return ranking


def on_side(view: View) -> bool:
    """Whether the player of a view plays for the contract, as far as he knows."""
    contract, history = view.contract, view.history
    if contract.objective.joins:
        return view.seat in (contract.declarer, history.partner)
    return view.seat in history.seats(view.partner).side


def _worlds(view: View, player: MonteCarlo | AlphaMu, seed: np.random.SeedSequence) -> Worlds:
    """The deals that a player thinks of; those in which the declarer would hardly have made his bid are left out."""
    contract = view.contract
    hidden = contract.bid is not None and view.seat != contract.declarer and contract.declarer not in dict(view.shown)
    deals, complete = view.worlds(player.worlds * (BELIEVED if hidden else 1), seed)
    if len(deals) > player.worlds:
        assert contract.bid is not None
        plan = Plans.of(Plan(contract.trump, None, contract.called))[np.zeros(len(deals), np.intp)]
        cards = Cards.of(deals[:, contract.declarer], plan, contract.rules)
        order = np.argsort(-crude_sums(contract.bid, cards), kind="stable")
        deals, complete = deals[np.sort(order[: player.worlds])], False
    return Worlds(contract, deals, view.bidders, node_limit=player.node_limit, complete=complete)


# Rules of thumb


@lru_cache(maxsize=16)
def _strength(cards: CardRules) -> dict[bool, dict[Rank, int]]:
    """The place of each rank in its suit, from the lowest, as trump or not."""
    return {trump: {rank: place for place, rank in enumerate(cards.order(trump))} for trump in (False, True)}


class _Thumb:
    """A view with what the rules of thumb look at."""

    def __init__(self, view: View) -> None:
        self.view, self.contract, self.history = view, view.contract, view.history
        self.trump: Suit | None = self.contract.trump
        self.ranks = _strength(self.contract.rules.cards)
        gone = self.history.out | view.held
        self.unseen: Hand = self.contract.rules.deck - gone
        if view.discard is not None:
            self.unseen -= view.discard
        self.mine = on_side(view)
        self.avoids = self._avoids()

    def _avoids(self) -> bool:
        """Whether the declarer must win no trick from now on."""
        objective = self.contract.objective
        if objective is NONE:
            return True
        if objective in (EXACTLY_ONE, JACK_ONLY):
            return self.contract.declarer in self.history.winners
        return objective is FIRST_ONLY and self.history.number > 0

    def strength(self, card: Card) -> int:
        return self.ranks[card.suit == self.trump][card.rank]

    def points(self, card: Card) -> int:
        return self.contract.rules.cards.points(card.suit, card.rank, self.trump)

    def beats(self, card: Card, best: Card) -> bool:
        if card.suit == best.suit:
            return self.strength(card) > self.strength(best)
        return card.suit == self.trump and self.history.call != "must"

    def higher(self, card: Card) -> int:
        """Unseen cards of the suit above a card."""
        return sum(self.strength(other) > self.strength(card) for other in self.unseen.of_suit(card.suit))

    def lower(self, card: Card) -> int:
        """Unseen cards of the suit below a card."""
        return sum(self.strength(other) < self.strength(card) for other in self.unseen.of_suit(card.suit))

    def declarer_lacks(self, suit: Suit) -> bool:
        """Whether the declarer is known to hold no card of a suit."""
        declarer = self.contract.declarer
        shown = dict(self.view.shown).get(declarer)
        if shown is not None:
            return not (shown - self.history.played[declarer]).of_suit(suit)
        return not self.unseen.of_suit(suit) - self.history.lacks[declarer]

    def good(self, winner: int) -> int:
        """Whether it is good for this player that a seat wins the trick: 1, -1, or 0 if he cannot say."""
        history, contract, partner = self.history, self.contract, self.view.partner
        seats = history.seats(partner)
        side = 1 if self.mine else -1
        unknown = contract.partner_card is not None and partner is None
        if unknown and winner not in (contract.declarer, self.view.seat):
            return 0
        if contract.objective.counts is not None:
            return side if winner in seats.side else -side
        state = replay(contract.objective, seats, history.winners, contract.objective.needs_jack and history.jack)
        if state != LOST:
            state = contract.objective.step(state, history.number, winner, False, seats)
        return -side if state == LOST else side


def by_rules(view: View) -> list[Play]:
    """The legal plays, the one that rules of thumb like best first.

    Leading, who wants tricks leads a card that nobody can beat, trumps first for the declaring side, or else a low
    card of a long suit; where the declarer has to stay dry everybody leads the card with the fewest lower ones out.
    Following, who would rather win than see the trick go where it is going wins it, with the cheapest card if he is
    the last; who would not gets rid of points, if they go to his side, or of his highest card, where the declarer has
    to stay dry, or else of the lowest.  An opponent of such a declarer who has to go higher before him does so by as
    little as he can.
    """
    thumb = _Thumb(view)
    plays = view.legal
    rank = _lead(thumb) if not view.history.trick else _follow(thumb)
    return sorted(plays, key=lambda play: (*rank(play.card), play.card.suit, play.card.rank, play.call or ""))


def _lead(thumb: _Thumb) -> Liking:
    held = thumb.view.held

    def rank(card: Card) -> tuple[int, ...]:
        if thumb.avoids:
            # A suit that the declarer lacks lets him throw away what he fears.
            useless = not thumb.mine and thumb.declarer_lacks(card.suit)
            return (useless, thumb.lower(card), -thumb.higher(card))
        is_trump = card.suit == thumb.trump
        sure = thumb.higher(card) == 0
        out = len(thumb.unseen.of_suit(card.suit)) if is_trump else 0
        if thumb.mine:
            order = 0 if sure and is_trump and out else 1 if sure and not is_trump else 2 if sure else 3
        else:
            order = 0 if sure and not is_trump else 2 if is_trump else 1
        length = len(held.of_suit(card.suit))
        return (order, -length, thumb.points(card) if order else 0, thumb.strength(card))

    return rank


def _follow(thumb: _Thumb) -> Liking:
    history, view, contract = thumb.history, thumb.view, thumb.contract
    best = contract.winner(history.trick, must=history.call == "must")
    going = (history.leader + history.trick.index(best)) % history.players
    last = len(history.trick) == history.players - 1
    wins, theirs = thumb.good(view.seat), thumb.good(going)
    to_come = len(history.trick) <= (contract.declarer - history.leader) % history.players
    presses = thumb.avoids and not thumb.mine and to_come  # so that the declarer may have to go higher

    def rank(card: Card) -> tuple[int, ...]:
        beats, strength, points = thumb.beats(card, best), thumb.strength(card), thumb.points(card)
        is_trump = card.suit == thumb.trump
        if wins > theirs:
            if beats:
                return (0, is_trump, strength) if last else (0, is_trump, thumb.higher(card), -points)
            return (1, points, is_trump, strength)
        if beats:
            return (1, strength) if presses or not (last or thumb.avoids) else (1, -strength)
        if thumb.avoids:
            return (0, -thumb.lower(card), -strength)
        if contract.objective.counts == "points" and theirs > 0:
            return (0, is_trump, -points, strength)
        return (0, is_trump, points, strength)

    return rank
