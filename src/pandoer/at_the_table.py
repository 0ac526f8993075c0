"""The chance when nobody sees the others' cards: the deals that count a chance are played out, `TableRace`.

The plan is chosen double-dummy, as in the other views; of plans that look equal the one is taken that a crude count
likes best (`pandoer.choices`), because in contracts such as a closed misère all plans may fail against defenders who
see everything.  Then each deal is played card by card by four players, each of whom knows what he may know: the
declarer by alpha-mu or Monte Carlo, the others by Monte Carlo (`pandoer.players`).  The same deals are solved
double-dummy as well.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np

from pandoer.batch import cores, spread
from pandoer.cards import Deal, Hand
from pandoer.choices import by_likelihood
from pandoer.dealing import below
from pandoer.history import History
from pandoer.intervals import Z95, wilson
from pandoer.ledger import Bools
from pandoer.match import Match, play_out
from pandoer.plans import Plan
from pandoer.players import DEPTH, WORLDS, AlphaMu, MonteCarlo, Player, check_number
from pandoer.question import Stratum
from pandoer.race import Book, Goal, Race
from pandoer.results import AtTable

__all__ = ["Strength", "TableRace", "compared", "play_up_to"]

Game = Callable[[Callable[[], object]], "tuple[TableRace, int, Match]"]
"""Plays a deal out, and calls its argument before each card."""

PHASE = 3
"""The key of the seeds of play below that of a watch card; the deals have 0 to 2."""


@dataclass(frozen=True)
class Strength:
    """How well the four play.

    Attributes
    ----------
    worlds
        Deals that each of them thinks of at every card.
    depth
        How many of his own cards the declarer looks ahead; with 1 he plays as the others do.
    threads
        Deals that are played at a time; ``None`` for one a core.
    """

    worlds: int = WORLDS
    depth: int = DEPTH
    threads: int | None = None

    def __post_init__(self) -> None:
        check_number("worlds", self.worlds)
        check_number("depth", self.depth)

    def players(self, number: int) -> list[Player]:
        """The declarer and the others, in order of seats."""
        others = MonteCarlo(self.worlds)
        return [AlphaMu(self.worlds, self.depth) if self.depth > 1 else others, *[others] * (number - 1)]


class _StoppedError(Exception):
    """The deal is not wanted any more."""


class TableRace(Race):
    """A race whose chosen plan is counted by playing the deals out."""

    def __init__(self, goal: Goal, stratum: Stratum, share: float, book: Book) -> None:
        super().__init__(goal, stratum, share, book)
        self._played: list[Match] = []
        self.seconds = 0.0
        """Time that playing took."""

    def _legal_plans(self) -> list[Plan]:
        return by_likelihood(self.stratum.question.rules, self.goal.bid, self.stratum.cards, super()._legal_plans())

    @property
    def cards(self) -> int:
        """Cards that were played."""
        return sum(len(match.history.plays) for match in self._played)

    def outcomes(self, start: int, stop: int) -> tuple[Bools, Bools]:
        """Which deals were made at the table; none is unknown."""
        made = np.array([deal.made for deal in self._played[start:stop]], np.bool_)
        return made, np.zeros(len(made), np.bool_)

    def swept(self) -> Bools | None:
        """The counted deals in which the side, or a declarer alone, won every trick, for a bid with a bonus."""
        if not self.goal.bid.bonus or self.best is None:
            return None
        found = []
        for match in self._played[: self.counted]:
            side = {0} if match.contract.partner is None else {*match.history.seats(match.partner).side}
            found.append(side.issuperset(match.history.winners))
        return np.array(found, np.bool_)

    def games(self, stop: int) -> Iterator[Game]:
        """The deals up to a number that have not been played; each is played out and added when it is called."""
        if not self.plans or stop <= len(self._played):
            return
        strength, best, start = self.book.effort.strength, self.best, len(self._played)
        assert strength is not None
        assert best is not None
        question, plan = self.stratum.question, self.plans[best]
        contract = self.book.contract(self.goal, plan)
        hands = self.final.hands(start, stop)
        watch = question.watch if question.watch is not None else self.stratum.watch
        root, players = self.stratum.seed(self.book.root, PHASE), strength.players(question.players)

        def game(number: int, check: Callable[[], object]) -> tuple[TableRace, int, Match]:
            deal = Deal([Hand.from_bits(bits) for bits in hands[number - start]], discard=plan.discard)
            match = Match(
                deal, contract, History.of(contract, question.players), watch, question.bottom, question.bidders
            )
            seed = below(root, number)
            return self, number, play_out(match, players, seed, to_the_end=bool(self.goal.bid.bonus), check=check)

        yield from (partial(game, number) for number in range(start, stop))

    def add(self, played: Mapping[int, Match]) -> None:
        """Take up deals by their numbers: those that follow the ones that are there."""
        self._played += [played[number] for number in range(len(self._played), len(self._played) + len(played))]


def play_up_to(wanted: Iterable[tuple[TableRace, int]]) -> None:
    """Play the deals of some races up to a number each, all in the same threads."""
    races = [*wanted]
    games = [game for race, number in races for game in race.games(number)]
    stop = np.zeros(1, np.int32)
    found: dict[TableRace, dict[int, Match]] = {race: {} for race, _ in races}

    def check() -> None:
        if stop[0]:
            raise _StoppedError

    def take(ended: tuple[TableRace, int, Match]) -> None:
        race, number, match = ended
        found[race][number] = match

    start = time.perf_counter()
    threads = [race.book.effort.strength.threads for race, _ in races if race.book.effort.strength is not None]
    spread(games, lambda: lambda game: game(check), take, stop, threads[0] or cores())
    seconds = time.perf_counter() - start
    for race, played in found.items():
        race.add(played)
        race.seconds += seconds * len(played) / max(len(games), 1)


def compared(races: Iterable[TableRace]) -> AtTable:
    """The table beside the double-dummy view on the same deals."""
    shares, dummy, difference, variance, total = [], [], [], [], 0
    worlds = depth = cards = 0
    seconds = 0.0
    for race in races:
        strength = race.book.effort.strength
        assert strength is not None
        worlds, depth = strength.worlds, strength.depth
        n = race.counted
        if not n:
            continue
        shares.append(race.share)
        cards += race.cards
        seconds += race.seconds
        total += n
        if not race.plans:
            solved = made = np.zeros(n)
        else:
            solved = race.final.made(race.goal.target, 0, n).astype(float)
            made = race.outcomes(0, n)[0].astype(float)
        gaps = made - solved
        dummy.append(float(solved.mean()))
        difference.append(float(gaps.mean()))
        # One more deal either way, so that a few that agree do not look certain.
        variance.append(float(((gaps**2).sum() + 2) / (n + 2) / n - gaps.mean() ** 2 / n))
    weights = np.array(shares) / sum(shares)
    mean, gap = float(weights @ dummy), float(weights @ difference)
    half = Z95 * float(np.sqrt(weights**2 @ np.maximum(variance, 0)))
    low, high = wilson(mean * total, total)
    ends = (max(gap - half, -1.0), min(gap + half, 1.0))
    return AtTable(worlds, depth, mean, low, high, gap, *ends, cards, seconds)
