"""One goal of a question: its races, one for each watch card, and the chance that comes of them: `Ask`."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil

from pandoer.at_the_table import TableRace, play_up_to
from pandoer.batch import cores
from pandoer.intervals import stratified, wilson
from pandoer.ledger import Want
from pandoer.race import AT_A_TIME, FIRST_COUNT, Book, Goal, Race, Sweep

ALL_RACES = slice(None)


class Ask:
    """One goal for all watch cards."""

    def __init__(self, goal: Goal, book: Book) -> None:
        self.goal, self.book, self.effort = goal, book, book.effort
        masses = book.masses
        kind = Sweep if book.effort.exact else Race if book.effort.strength is None else TableRace
        self.races = [kind(goal, stratum, mass / sum(masses.values()), book) for stratum, mass in masses.items()]
        self.done = False
        self._next = self._until = 0

    @property
    def choosing(self) -> bool:
        """Whether a race is still on."""
        return not all(race.over for race in self.races)

    @property
    def samples(self) -> int:
        """Deals, or layouts, on which the chance was counted so far."""
        return sum(race.counted for race in self.races)

    @property
    def unknown(self) -> int:
        """Those among them that were given up."""
        return sum(race.unknown for race in self.races)

    def wants(self, some: slice = ALL_RACES) -> list[Want]:
        """The results that the next step needs; while plans are chosen perhaps only that for some watch cards."""
        if self.done:
            return []
        if self.choosing:
            return [want for race in self.races[some] if not race.over for want in race.wants()]
        if self.effort.exact:
            return [Want(race.sweeper, None, 0, race.counted) for race in self.races if race.sweeper is not None]
        self._next = self._next_count()
        parts = zip(self.races, self._parts(self._next), strict=True)
        return [want for race, part in parts for want in race.count_to(part)]

    def step(self, some: slice = ALL_RACES) -> None:
        """Take up what was wanted."""
        if self.done:
            return
        if self.choosing:
            for race in self.races[some]:
                if not race.over:
                    best = race.best
                    p = 0.5 if best is None or not race.seen else (race.made[best] + 1) / (race.seen + 2)
                    race.look(ceil(self.effort.deals(p) * race.share))
            return
        if self.effort.exact:
            self.done = True
            return
        parts = [*zip(self.races, self._parts(self._next), strict=True)]
        if self.effort.strength is not None:
            play_up_to((race, part) for race, part in parts if isinstance(race, TableRace))
        for race, part in parts:
            race.count(part)
        self.done = self._next == self._until and self._is_enough()

    def _parts(self, total: int) -> list[int]:
        """The deals of each watch card, in proportion to its share and at least one, out of a total."""
        parts = [max(1, int(total * race.share + 1e-9)) for race in self.races]
        if total == self.effort.samples:
            rest = [total * race.share - part for race, part in zip(self.races, parts, strict=True)]
            for i in sorted(range(len(parts)), key=lambda i: -rest[i])[: max(0, total - sum(parts))]:
                parts[i] += 1
        return parts

    def _is_enough(self) -> bool:
        if self.effort.precision is None:
            return self._next >= (self.effort.samples or 0)
        return self._half_width() <= self.effort.precision

    def _half_width(self) -> float:
        """Half the width of the interval, unknown deals apart."""
        _, low, high = _interval([race.successes for race in self.races], self.races)
        return (high - low) / 2

    def _next_count(self) -> int:
        """How many deals to count next: on the way to the number after which it is seen whether they are enough."""
        done = self._next
        if done == self._until:
            self._until = self._next_look(done)
        if self.effort.strength is None:
            return self._until
        return min(self._until, done + max(self.effort.strength.threads or cores(), done // 4))

    def _next_look(self, done: int) -> int:
        if self.effort.precision is None:
            return min(self.effort.samples or 0, max(FIRST_COUNT, 4 * done), done + AT_A_TIME)
        if not done:
            return FIRST_COUNT
        wanted = ceil(1.01 * done * (self._half_width() / self.effort.precision) ** 2)
        return min(max(done + FIRST_COUNT, wanted), 4 * done, done + AT_A_TIME)

    def progress(self) -> float:
        """About how much of the work is done, 0 to 1."""
        if self.done:
            return 1.0
        if self.choosing or self.effort.exact:
            part = 1.0 if self.effort.exact else 0.5
            return part * sum(race.progress() for race in self.races) / len(self.races)
        if self.effort.precision is None:
            return 0.5 + 0.5 * self._next / (self.effort.samples or 1)
        return 0.5 + 0.5 * min(1.0, (self.effort.precision / self._half_width()) ** 2) if self._next else 0.5

    def chance(self) -> tuple[float, float, float]:
        """The chance as far as it is known, with its interval.

        Deals that were given up are lost for its lower end, won for the upper, and halves in between.  Before any deal
        is counted the figures are those of the leading plans in their races, as far as there are any.
        """
        if self.effort.exact:
            return self._exact_chance()
        races = [race for race in self.races if race.figures()[1]]
        if not races:
            return 0.5, 0.0, 1.0
        counts = [race.figures() for race in races]
        made, unknown = [c[0] for c in counts], [c[2] for c in counts]
        low = _interval(made, races)[1]
        p = _interval([m + u / 2 for m, u in zip(made, unknown, strict=True)], races)[0]
        high = _interval([m + u for m, u in zip(made, unknown, strict=True)], races)[2]
        return p, low, high

    def _exact_chance(self) -> tuple[float, float, float]:
        low = p = high = 0.0
        for race in self.races:
            assert isinstance(race, Sweep)
            own = race.chance()
            p, low, high = (sum_ + race.share * part for sum_, part in zip((p, low, high), own, strict=True))
        return p, low, high


def _interval(successes: Iterable[float], races: list[Race]) -> tuple[float, float, float]:
    samples = [race.figures()[1] for race in races]
    if len(races) == 1:
        made = next(iter(successes))
        return made / samples[0], *wilson(made, samples[0])
    shares = [race.share for race in races]
    if (total := sum(shares)) < 1 - 1e-9:  # some watch cards have not been looked at
        shares = [share / total for share in shares]
    return stratified([*successes], samples, shares)
