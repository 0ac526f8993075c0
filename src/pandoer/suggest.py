"""Which card now: `suggest`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pandoer.alphamu import best_front
from pandoer.batch import check_node_limit
from pandoer.dealing import Seed, seed_sequence
from pandoer.errors import PandoerError
from pandoer.intervals import wilson
from pandoer.players import by_rules, looks_ahead, on_side
from pandoer.problems import Play
from pandoer.view import View, view_of
from pandoer.worlds import Worlds

__all__ = ["CardChance", "Suggestion", "suggest"]

WORLDS = 200
MOST_WORLDS = 100_000
MOST_NODES = 10**12
"""A suggestion looks as far ahead as it was asked to, however long that takes."""


@dataclass(frozen=True)
class CardChance:
    """What comes of one card.

    Attributes
    ----------
    play
        The card, with what is said with it.
    chance, low, high
        The chance that the contract is made with it, with the 95 % interval; 0 to 1.  All are the same where every deal
        that agrees with the view was solved.  Deals that were given up are lost for `low`, won for `high`, and halves
        for `chance`.
    count
        Instead, in a contract without a target, the mean number of points or tricks of the declaring side.
    worlds
        Deals behind it.
    unknown
        Those among them that were given up at the limit of nodes.
    """

    play: Play
    chance: float | None
    low: float | None
    high: float | None
    count: float | None
    worlds: int
    unknown: int = 0

    def to_json(self) -> dict[str, Any]:
        """The card as a JSON object."""
        found: dict[str, Any] = {"card": str(self.play), "worlds": self.worlds}
        if self.unknown:
            found["unknown"] = self.unknown
        if self.count is not None:
            return {**found, "count": self.count}
        return {**found, "chance": self.chance, "low": self.low, "high": self.high}

    def text(self, lang: str = "en") -> str:
        """The card in words."""
        card = self.play.text(lang, symbols=True)
        if self.chance is None or self.low is None or self.high is None:
            return f"{card}: {self.count:.1f}"
        ends = "" if self.low == self.high else f" ({100 * self.low:.0f} to {100 * self.high:.0f})"
        return f"{card}: {100 * self.chance:.1f} %{ends}"

    def __str__(self) -> str:
        return self.text()


@dataclass(frozen=True)
class Suggestion:
    """What a player may play, and what comes of it.

    Attributes
    ----------
    view
        What he knows.
    cards
        Every legal card, the best for him first.  The chance is always that the contract is made: its opponents like
        a low one.
    worlds
        Deals that were solved.
    exact
        Whether these are all that agree with the view.
    depth
        How many of his own cards the declarer looked ahead; 1 for everybody else, and fewer than were asked for if
        `most_nodes` did not let it look so far.
    """

    view: View = field(repr=False)
    cards: tuple[CardChance, ...]
    worlds: int
    exact: bool
    depth: int

    @property
    def best(self) -> Play:
        """The choice."""
        return self.cards[0].play

    def to_json(self) -> dict[str, Any]:
        """The suggestion as a JSON object."""
        return {
            "card": str(self.best), "cards": [card.to_json() for card in self.cards], "worlds": self.worlds,
            "exact": self.exact, "depth": self.depth,
        }  # fmt: skip

    def lines(self, lang: str = "en") -> list[str]:
        """The suggestion in words, a line each."""
        what = f"all {self.worlds:,} deals" if self.exact else f"{self.worlds:,} deals"
        made = "the contract is made" if self.cards[0].chance is not None else "the count of the declaring side"
        ahead = f", looking {self.depth} cards ahead" if self.depth > 1 else ", all hands known after the card"
        return [f"{made}, {what}{ahead}", *(card.text(lang) for card in self.cards)]

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _repr_html_(self) -> str:
        head, *rows = self.lines()
        return f"{head}<ol>{''.join(f'<li>{row}</li>' for row in rows)}</ol>"


def suggest(
    view: View | Mapping[str, Any],
    *,
    worlds: int = WORLDS,
    depth: int = 1,
    seed: Seed = 0,
    node_limit: int | None = None,
    most_nodes: int | None = None,
) -> Suggestion:
    """Every card that a player may play, with the chance that the contract is made, and the choice.

    Deals that agree with the view are solved with all hands known after the card, so each chance is double-dummy from
    then on.  A declarer who looks ahead plays his next cards alike in deals that he cannot tell apart, which brings
    the chance down to what he can reach; see `pandoer.alphamu`.

    Parameters
    ----------
    view
        What the player knows, or a JSON object for it; see `view_of`.
    worlds
        How many deals; when no more agree with the view, all of them are solved and the chance is exact.
    depth
        How many of his own cards the declarer looks ahead, this one included; the chance is then that of a declarer
        who plays the same cards in all deals that he does not tell apart (`pandoer.alphamu`), and sees all hands later.
    seed
        A whole number or a `numpy.random.SeedSequence`.
    node_limit
        Give up a deal whose search takes more cards than that; see `CardChance`.  Not where the declarer looks ahead,
        or where nothing is to be reached.
    most_nodes
        Look no further ahead when the searches have taken so many cards; the answer says how far it was.

    Returns
    -------
    Suggestion

    Raises
    ------
    PandoerError
        If it is not this player's turn, no deal agrees with the view, or a number is out of range.
    """
    own = view if isinstance(view, View) else view_of(view)
    nodes = MOST_NODES if most_nodes is None else most_nodes
    for name, value, most in (("worlds", worlds, MOST_WORLDS), ("depth", depth, 8), ("most_nodes", nodes, MOST_NODES)):
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= most:
            raise PandoerError(f"{name} {value!r}: expected a whole number, 1 to {most:,}")
    check_node_limit(node_limit)
    plays = own.legal
    if not plays:
        turn = "all cards have been played" if own.history.finished else f"it is the turn of seat {own.history.turn}"
        raise PandoerError(f"seat {own.seat} is not to play: {turn}")
    deals, complete = own.worlds(worlds, seed_sequence(seed))
    asked = Worlds(own.contract, deals, own.bidders, node_limit=node_limit, complete=complete)
    contract = own.contract
    counting = contract.target is None and contract.objective.counts is not None
    depth = depth if looks_ahead(own) else 1
    if node_limit is not None and (counting or depth > 1):
        what = "a contract without a target" if counting else f"depth {depth}"
        raise PandoerError(f"node_limit {node_limit!r} with {what}: expected none")
    unknown = np.zeros(len(plays), int)
    if depth > 1:
        fronts = best_front(own, asked, depth, most_nodes=nodes, cut=False)
        depth = 1 + max(len(ahead.before) for ahead in fronts.values())  # fewer than asked for when it took too long
        made = np.array([fronts[play].made for play in plays], float)
    else:
        values = asked.values(own.history, plays, exact=counting)
        made = np.maximum(values, 0).sum(axis=0).astype(float)
        if not counting:
            unknown = (values < 0).sum(axis=0)
    cards = [
        _count(play, m, len(asked)) if counting else _chance(play, m, n, len(asked), complete)
        for play, m, n in zip(plays, made.tolist(), unknown.tolist(), strict=True)
    ]
    order = {play: place for place, play in enumerate(by_rules(own))}
    sign = 1 if on_side(own) else -1
    cards.sort(key=lambda card: (-sign * (card.count if card.chance is None else card.chance), order[card.play]))  # type: ignore[operator]
    return Suggestion(own, tuple(cards), len(asked), complete, depth)


def _count(play: Play, total: float, number: int) -> CardChance:
    return CardChance(play, None, None, None, total / number, number)


def _chance(play: Play, made: float, unknown: int, number: int, complete: bool) -> CardChance:
    """The chance of a card; deals that were given up are lost for its lower end, won for the upper, halves between."""
    ends = (made / number, (made + unknown) / number)
    low, high = ends if complete else (wilson(made, number)[0], wilson(made + unknown, number)[1])
    return CardChance(play, (made + unknown / 2) / number, low, high, None, number, unknown)
