"""The state of a game to a number of points, such as one to 17 in Pandur (RULES.md section 7)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from numbers import Integral

from pandoer.errors import PandoerError
from pandoer.rulesets import Ruleset

MOST_POINTS = 1000


@dataclass(frozen=True)
class Standing:
    """How many points everybody has.

    Attributes
    ----------
    scores
        Points of the asker, then in turn; a dealer who sits out comes last.
    goal
        The points that finish the game.
    sits_out
        Whether the last one sits out: what he writes in this deal does not finish the game.
    """

    scores: tuple[int, ...]
    goal: int
    sits_out: bool = False

    def finishes(self, seat: int, points: int) -> bool:
        """Whether writing so many points finishes the game for a seat."""
        return not self._is_out(seat) and self.scores[seat] + points >= self.goal

    def counted(self, seat: int, points: int) -> int:
        """How many of so many points bring a seat nearer to the goal; more than it needs are worth nothing."""
        missing = self.goal - self.scores[seat]
        return min(points, max(missing - 1, 0) if self._is_out(seat) else max(missing, 1))

    def _is_out(self, seat: int) -> bool:
        return self.sits_out and seat == len(self.scores) - 1


def standing(
    rules: Ruleset, scores: Iterable[int] | None, goal: int | None, table: int, *, sits_out: bool
) -> Standing | None:
    """The state of a game from what a caller says, checked; ``None`` when nothing is said.

    Parameters
    ----------
    rules
        The ruleset.
    scores
        Points of the asker, then in turn, a dealer who sits out last.
    goal
        The points that finish the game, instead of the ruleset's.
    table
        How many sit at the table.
    sits_out
        Whether the last one holds no cards.

    Raises
    ------
    PandoerError
        If the ruleset has no goal, or the numbers make no sense.
    """
    if scores is None and goal is None:
        return None
    if rules.goal is None:
        what = f"goal {goal!r}" if scores is None else f"scores {scores!r}"
        raise PandoerError(f"{what}: in {rules.name} every deal stands alone")
    if scores is None:
        raise PandoerError(f"goal {goal!r}: expected the scores as well")
    points = rules.goal if goal is None else goal
    if not _is_whole(points, 1):
        raise PandoerError(f"goal {goal!r}: expected a whole number, 1 to {MOST_POINTS}")
    given = [*scores] if isinstance(scores, Iterable) else [scores]
    if len(given) != table or not all(_is_whole(score, 0) for score in given):
        who = ", the dealer who sits out last" if sits_out else ""
        raise PandoerError(
            f"scores {given}: expected {table} whole numbers from 0, yours first and then in turn{who}"
        )
    return Standing(tuple(map(int, given)), int(points), sits_out)


def _is_whole(number: object, least: int) -> bool:
    return isinstance(number, Integral) and not isinstance(number, bool) and least <= int(number) <= MOST_POINTS
