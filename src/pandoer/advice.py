"""What to bid: every bid that is still open, by what it wins on average: `advise`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pandoer.answers import answer
from pandoer.asks import Ask
from pandoer.auction import Auction
from pandoer.batch import check_node_limit
from pandoer.cards import Card, Hand, Suit
from pandoer.contracts import Bid
from pandoer.dealing import Seed, Weight, seed_sequence
from pandoer.errors import PandoerError
from pandoer.melds import describe, marriage, meld_points
from pandoer.odds import Known, Void, ask, check_effort, check_view, seats_of, strength_of
from pandoer.plans import Plan, check_fixed
from pandoer.question import Question
from pandoer.race import Book, Effort, Goal
from pandoer.results import Odds, ViewName, chance_text
from pandoer.rulesets import DEFAULT, Ruleset, ruleset
from pandoer.standing import Standing, standing
from pandoer.work import Progress, Work

PRECISION = 0.03
"""Half the width of each chance's interval, unless something else is asked for."""


@dataclass(frozen=True)
class Advised:
    """One open bid.

    Attributes
    ----------
    odds
        Its chance, plan and value.
    rank
        Its place in the ruleset's order of bids, 1 for the lowest.  Bids of one series, such as 200, 210, ... or
        pandoer and pandoer+20, share a place.
    dominated_by
        A bid that outranks it and gains at least as much on average, if there is one: then nothing speaks for this bid.
    """

    odds: Odds
    rank: int
    dominated_by: str | None

    def to_json(self) -> dict[str, Any]:
        """The bid as a JSON object: that of its odds, with ``"rank"`` and ``"dominated_by"``."""
        return {**self.odds.to_json(), "rank": self.rank, "dominated_by": self.dominated_by}


@dataclass(frozen=True)
class Advice:
    """What to bid.

    Attributes
    ----------
    hand, rules, watch
        The question; `watch` is ``None`` for a watch card that the asker does not know.
    auction
        The calls so far.
    bids
        The bids that are open, those that gain the most on average first; see `Odds.gain`.
    unit
        What is won, per deal.
    finished
        Whether as much was done as was asked for.
    """

    hand: Hand
    rules: str
    watch: Card | None
    auction: Auction
    bids: tuple[Advised, ...]
    unit: str
    finished: bool = True

    @property
    def best(self) -> Advised | None:
        """The bid that gains the most on average; ``None`` for a pass, when none gains anything."""
        return self.bids[0] if self.bids and self.bids[0].odds.gain > 0 else None

    def to_json(self) -> list[dict[str, Any]]:
        """The bids as a list of JSON objects, best first; passing, which is worth 0, is not among them."""
        return [bid.to_json() for bid in self.bids]

    def lines(self) -> list[str]:
        """The advice in words, a line each."""
        watch = "" if self.watch is None else f", watch card {self.watch.text(symbols=True)}"
        calls = f", after {self.auction}" if self.auction.calls else ""
        rows = [
            (row.odds.gain, f"{row.odds.bid}: {row.odds.gain:+.2f} {self.unit}, {chance_text(row.odds)}")
            for row in self.bids
        ]
        rows.append((0.0, f"pass: +0.00 {self.unit}"))
        rows.sort(key=lambda row: -row[0])
        return [f"{self.rules} with {self.hand}{watch}{calls}", *(text for _, text in rows)]

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _repr_html_(self) -> str:
        head, *rows = self.lines()
        return f"{head}<ol>{''.join(f'<li>{row}</li>' for row in rows)}</ol>"


def advise(
    hand: Hand | str,
    *,
    rules: str | Ruleset = DEFAULT,
    watch: Card | str | None = None,
    auction: Auction | str | Iterable[Any] = (),
    samples: int | None = None,
    precision: float | None = None,
    exact: bool | None = None,
    seed: Seed = 0,
    view: ViewName | None = None,
    players: int | None = None,
    known: Known | None = None,
    void: Void | None = None,
    weight: Weight | None = None,
    listen: bool = False,
    private: bool = False,
    bottom: Card | str | None = None,
    scores: Iterable[int] | None = None,
    goal: int | None = None,
    plans: int | None = None,
    worlds: int | None = None,
    depth: int | None = None,
    node_limit: int | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    update: Callable[[Advice], object] | None = None,
) -> Advice:
    """Every bid that is still open to a player, by what it gains on average; see `Odds.gain`.

    All bids are judged on the same deals.  Of bids raised by points of melds there are the lowest that is open and the
    one that the player's own melds allow; where melds decide between equal bids, the bid that was made already with
    those of his hand, if they are better; of an open-ended series of points bids there are as many as the card points
    of the deck and the player's own melds can reach.  Passing is worth 0 here, though what others then bid may cost or
    win something.

    Parameters
    ----------
    hand
        The player's eight cards.
    rules
        The ruleset or its name.
    watch
        The watch card, when it is known.
    auction
        The calls so far, from the first hand, such as ``"pass 130 pass"``; the player is the next to speak.
    samples, precision, exact
        As in `odds`, for each bid; a precision of 0.03 unless given or exact.
    seed, view, players, known, void, weight, listen, private, bottom, scores, goal, plans, worlds, depth, node_limit,
    threads, progress
        As in `odds`.
    update
        Called now and then with the advice as far as it is known.

    Raises
    ------
    PandoerError
        If hand or auction make no sense, or the player may not speak; the message quotes the input.
    """
    rules = ruleset(rules)
    seats, sits_out = seats_of(rules, players, auction)
    calls = Auction.parse(auction, rules, seats)
    if calls.over:
        raise PandoerError(f"auction {str(calls)!r} is over: expected one in which somebody speaks next")
    question = ask(
        hand, rules, watch, players=seats, auction=calls, bidders=None, known=known, void=void, weight=weight,
        listen=listen, private=private, sits_out=sits_out, bottom=bottom,
    )  # fmt: skip
    game = standing(rules, scores, goal, question.table, sits_out=sits_out)
    effort = check_effort(samples, precision, exact, question, plans, strength_of(view, worlds, depth, threads))
    if samples is None and precision is None and not effort.exact and effort.strength is None:
        effort = Effort(precision=PRECISION, plans=effort.plans)
    book = Book(question, seed_sequence(seed), effort)
    check_node_limit(node_limit)
    asks = []
    for bid in open_bids(question, calls):
        if progress is not None:
            progress(0.0)
        try:
            check_fixed(rules, bid, question.hand, question.watch, Plan())
        except PandoerError:
            continue  # no trump suit is left to this hand
        asked = Ask(Goal(bid, Plan(), check_view(bid, view) == "blind-lead"), book)
        if any(race.plans for race in asked.races):
            asks.append(asked)
    work = Work(threads, progress, node_limit)
    for _ in work.through(asks):
        if update is not None:
            update(_advice(question, calls, asks, game, finished=False))
    if progress is not None:
        progress(1.0)
    return _advice(question, calls, asks, game, finished=True)


def open_bids(question: Question, auction: Auction) -> Iterator[Bid]:
    """The bids to judge, in ascending rank; see `advise`."""
    rules = question.rules
    open_now = auction.open_bids()
    for bid in (bid for bid in rules.bids if bid.melds_decide and bid not in open_now):
        # It was bid already: better melds may still outrank it.
        named = "+".join([bid.name, *_kinds(question)])
        if "+" in named and auction.allows(named):
            yield replace(bid, name=named)
    for bid in open_now:
        yield bid
        if bid.open_ended:
            reach = rules.all_points + own_melds(question, [*Suit])
            yield from (rules.bid(points) for points in range((bid.target or 0) + 10, reach + 1, 10))
        elif bid.raised_by_melds:
            most = own_melds(question, [None] if bid.trump == "none" else [*Suit]) // 10 * 10
            if most > (bid.target or 0):
                yield rules.bid(f"{bid.name.partition('+')[0]}+{most}")


def _kinds(question: Question) -> list[str]:
    """The kinds of the melds in the asker's hand, as they are announced."""
    melds = describe(question.hand, question.rules.melds)
    return [f"run{meld.length}" if meld.kind == "run" else f"four{meld.top.rank.letter}" for meld in melds]


def own_melds(question: Question, trumps: list[Suit] | list[None]) -> int:
    """The most points of melds and marriage that the asker can keep in his hand."""
    rules, hand = question.rules, question.hand
    all_cards = hand if question.watch is None else hand | question.watch
    kept = [hand] if question.watch is None else [all_cards - card for card in all_cards]
    bits = np.array([cards.bits for cards in kept], np.uint64)
    melds = meld_points(bits, rules.melds)
    return max(int((melds + marriage(bits, trump, rules.melds)).max()) for trump in trumps)


def _advice(
    question: Question, auction: Auction, asks: list[Ask], game: Standing | None, *, finished: bool
) -> Advice:
    rules = question.rules
    found = [answer([asked], game=game, finished=asked.done) for asked in asks]
    ranks = [rules.rank(asked.goal.bid) for asked in asks]
    rows = []
    for odds, rank in zip(found, ranks, strict=True):
        better = [
            other for other, above in zip(found, ranks, strict=True) if above > rank and other.gain >= odds.gain
        ]
        dominant = max(better, key=lambda other: other.gain, default=None)
        rows.append((rank, Advised(odds, rank[0] + 1, None if dominant is None else dominant.bid)))
    rows.sort(key=lambda row: (-row[1].odds.gain, tuple(-n for n in row[0])))
    return Advice(
        question.hand, rules.name, question.watch, auction, tuple(row for _, row in rows), rules.unit, finished
    )
