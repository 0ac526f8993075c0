"""What is known of each deal under each plan, so that the kernel is never asked the same thing twice.

A `Ledger` holds one plan and one sequence of deals: at least and at most so many points a deal; or, for a contract that
is made or not, 0 or 1.  Each answer of the kernel moves one of the two.  So the bids 120, 130, 140, ... share what they
find, as do misère and its open forms; and with the first lead in the plan a deal that is lost with any lead is lost.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Protocol

import numpy as np
import numpy.typing as npt

from pandoer.batch import Batch, Job
from pandoer.cards import Hand
from pandoer.contracts import Contract
from pandoer.melds import side_points
from pandoer.problems import Play
from pandoer.symmetry import Renaming, renamings, twins

Bools = npt.NDArray[np.bool_]
Counts = npt.NDArray[np.int16]
Run = Callable[[list[Job]], None]


class Source(Protocol):
    """An ordered set of deals, sampled or enumerated."""

    @property
    def alike(self) -> bool:
        """They are so many of all layouts that they have much in common."""

    def hidden(self, start: int, stop: int) -> npt.NDArray[np.uint64]:
        """The hidden hands of deals `start` to `stop`, ``uint64 [deals, players - 1]``."""


@dataclass(frozen=True, eq=False)
class Game:
    """What the kernel has to know beside the hands.  The deals of one game are solved together.

    Attributes
    ----------
    contract
        The contract of seat 0, its target left out.
    lead
        The first card, when it is part of the plan.
    bidders
        Seats that made a bid, for the denial of melds.
    """

    contract: Contract
    lead: Play | None
    bidders: tuple[int, ...]

    @property
    def counts(self) -> bool:
        """Whether its value is a number of points; else it is made or not."""
        return self.contract.objective.counts is not None

    def renamings(self, own: Hand) -> tuple[Renaming, ...]:
        """The ways to rename suits that change nothing for a declarer who holds `own`."""
        contract = self.contract
        if self.counts and contract.rules.melds.order == "kind-suit":
            return ()  # the suit decides whose melds are better
        cards = (contract.called, self.lead.card if self.lead else None)
        return renamings([own], [contract.trump, *(card.suit for card in cards if card is not None)])


class Ledger:
    """One plan on one sequence of deals."""

    def __init__(self, game: Game, own: Hand, deals: Source, parent: Ledger | None = None) -> None:
        self.game, self.own, self.deals, self.parent = game, own, deals, parent
        self.least: Counts = np.zeros(0, np.int16)
        self.most: Counts = np.zeros(0, np.int16)
        self.given_up: Bools = np.zeros(0, np.bool_)
        self._melds: Counts = np.zeros(0, np.int16)
        self._partners: npt.NDArray[np.int8] = np.zeros(0, np.int8)
        self._twins: npt.NDArray[np.intp] = np.zeros(0, np.intp)

    @cached_property
    def _renamings(self) -> tuple[Renaming, ...]:
        return self.game.renamings(self.own) if self.deals.alike else ()

    def twins(self, stop: int) -> npt.NDArray[np.intp] | None:
        """For each deal up to `stop` the first one that is worth the same by symmetry; `None` without symmetry.

        What is known of that one is known of all.
        """
        if not self._renamings:
            return None
        if len(self._twins) < stop:
            self._twins = twins(self.deals.hidden(0, stop), self._renamings)
        first = self._twins[:stop]
        for known in (self.least, self.most, self.given_up):
            known[:stop] = known[first]
        return first

    def hands(self, start: int, stop: int) -> npt.NDArray[np.uint64]:
        """All hands of some deals, the declarer's first."""
        hidden = self.deals.hidden(start, stop)
        return np.column_stack([np.full(len(hidden), self.own.bits, np.uint64), hidden])

    def partners(self, start: int, stop: int) -> npt.NDArray[np.int8]:
        """The partner's seat in each deal, -1 without one."""
        known = len(self._partners)
        if stop > known:
            more = partners_in(self.game.contract, self.hands(known, stop))
            self._partners = np.concatenate([self._partners, more])
        return self._partners[start:stop]

    def melds(self, start: int, stop: int) -> Counts:
        """Points of melds and marriage of the side in each deal."""
        known = len(self._melds)
        contract = self.game.contract
        if len(self.own) < contract.rules.hand:  # in an ending they were settled long ago
            return np.zeros(stop - start, np.int16)
        if stop > known:
            hands = self.hands(known, stop)
            partners = partners_in(contract, hands)
            side = np.where(partners > 0, 1 | 1 << np.maximum(partners, 0), 1)
            more = side_points(hands, side, contract.trump, contract.rules.melds, 0, self.game.bidders)
            self._melds = np.concatenate([self._melds, more.astype(np.int16)])
        return self._melds[start:stop]

    def extend(self, stop: int) -> None:
        """Take up deals of which nothing is known yet, but for the points of melds and all card points in play."""
        known = len(self.least)
        if stop > known:
            low, high = np.zeros(stop - known, np.int16), np.ones(stop - known, np.int16)
            if self.game.counts:
                melds = self.melds(known, stop)
                low = np.full_like(melds, -1) if self.game.contract.protected else melds
                high = melds + np.int16(self._in_play(known, stop))
            self.least = np.concatenate([self.least, low])
            self.most = np.concatenate([self.most, high])
            self.given_up = np.concatenate([self.given_up, np.zeros(stop - known, np.bool_)])

    def _in_play(self, start: int, stop: int) -> int:
        """At most so many card points are in the hands of some deals, the last trick's with them."""
        contract = self.game.contract
        cards = contract.rules.cards
        held = Hand.from_bits(int(np.bitwise_or.reduce(self.hands(start, stop), axis=None)))
        return sum(cards.points(card.suit, card.rank, contract.trump) for card in held) + cards.last_trick

    def made(self, target: int | None, start: int, stop: int) -> Bools:
        """The deals that are known to reach a target; `None` or points of melds where it is made or not."""
        if self.game.counts:
            return self.least[start:stop] >= np.int16(target or 0)
        made = self.least[start:stop] >= 1
        return made if target is None else made & (self.melds(start, stop) >= target)

    def open(self, target: int | None, start: int, stop: int) -> Bools:
        """The deals that may reach a target or not."""
        if self.game.counts:
            points = np.int16(target or 0)
            return (self.least[start:stop] < points) & (self.most[start:stop] >= points)
        unsettled = self.least[start:stop] < self.most[start:stop]
        return unsettled if target is None else unsettled & (self.melds(start, stop) >= target)

    def unknown(self, target: int | None, start: int, stop: int) -> Bools:
        """The deals that were given up before it was known whether they reach a target."""
        return self.given_up[start:stop] & self.open(target, start, stop)

    def unsettled(self, start: int, stop: int) -> Bools:
        """The deals whose points are not known exactly."""
        return np.asarray(self.least[start:stop] < self.most[start:stop])

    def note(self, rows: npt.NDArray[np.intp], least: Counts, most: Counts, given_up: Bools) -> None:
        """Write down what the kernel found."""
        self.least[rows] = np.maximum(self.least[rows], least)
        self.most[rows] = np.minimum(self.most[rows], most)
        self.given_up[rows] |= given_up


@dataclass(frozen=True)
class Want:
    """Deals of a ledger, `start` to `stop`, of which it has to be known whether they reach a target.

    `exact` asks for the very number of points instead.
    """

    ledger: Ledger
    target: int | None
    start: int
    stop: int
    exact: bool = False


@dataclass(frozen=True)
class _Rows:
    ledger: Ledger
    rows: npt.NDArray[np.intp]
    targets: Counts

    def of_first(self, first: npt.NDArray[np.intp]) -> _Rows:
        """Of deals that are worth the same only the first one."""
        rows, where = np.unique(first[self.rows], return_index=True)
        return _Rows(self.ledger, rows, self.targets[where])

    def is_settled(self, *, exact: bool) -> bool:
        """Whether all that was asked is known now, or was given up."""
        least, most = self.ledger.least[self.rows], self.ledger.most[self.rows]
        known = least == most if exact else (least >= self.targets) | (most < self.targets)
        return bool((known | self.ledger.given_up[self.rows]).all())


def settle(wants: Iterable[Want], run: Run, node_limit: int | None = None) -> None:
    """Find out all that is wanted, with one job for each game that several ledgers may share.

    Where several targets are open for a deal, the middle one is asked first.
    """
    wants = list(wants)
    parents = Counter(
        replace(want, ledger=want.ledger.parent) for want in wants if want.ledger.parent is not None and not want.exact
    )
    # What several leads have in common is worth finding out; for a single one it would be twice the work.
    if common := [want for want, leads in parents.items() if leads > 1]:
        settle(common, run, node_limit)
    by_ledger: dict[Ledger, list[Want]] = {}
    for want in dict.fromkeys(wants):
        by_ledger.setdefault(want.ledger, []).append(want)
    for ledger, own in by_ledger.items():
        ledger.extend(max(want.stop for want in own))
        if ledger.parent is not None:
            known = min(len(ledger.most), len(ledger.parent.most))
            ledger.most[:known] = np.minimum(ledger.most[:known], ledger.parent.most[:known])
    exact = any(want.exact for want in wants)
    while True:
        todo: dict[Game, list[_Rows]] = {}
        for ledger, own in by_ledger.items():
            first = ledger.twins(max(want.stop for want in own))
            rows = _exact_rows(ledger, own) if exact else _open_rows(ledger, own)
            if first is not None:
                rows = rows.of_first(first)
            if len(rows.rows):
                todo.setdefault(ledger.game, []).append(rows)
        if not todo:
            return
        jobs = {game: _job(game, parts, exact, node_limit) for game, parts in todo.items()}
        run(list(jobs.values()))
        for game, job in jobs.items():
            least, most = job.bounds()
            given_up = job.unknown()
            at = 0
            for part in todo[game]:
                end = at + len(part.rows)
                part.ledger.note(part.rows, least[at:end], most[at:end], given_up[at:end])
                assert part.is_settled(exact=exact)  # or the same would be asked for ever
                at = end


def _open_rows(ledger: Ledger, wants: list[Want]) -> _Rows:
    """The deals with an open target, and for each the target to ask for now."""
    wants = sorted(wants, key=lambda want: want.target or 0)
    start, stop = min(want.start for want in wants), max(want.stop for want in wants)
    is_open = np.zeros((len(wants), stop - start), np.bool_)
    for row, want in zip(is_open, wants, strict=True):
        row[want.start - start : want.stop - start] = ledger.open(want.target, want.start, want.stop)
    is_open &= ~ledger.given_up[start:stop]
    rows = np.flatnonzero(is_open.any(axis=0))
    targets = np.array([want.target or 0 if ledger.game.counts else 1 for want in wants], np.int16)
    # Those that are open for one deal are neighbours, since a target is never reached without the ones below it.
    asked = is_open[:, rows]
    middle = asked.argmax(axis=0) + (asked.sum(axis=0) - 1) // 2
    return _Rows(ledger, rows + start, targets[middle])


def _exact_rows(ledger: Ledger, wants: list[Want]) -> _Rows:
    rows = np.concatenate([want.start + np.flatnonzero(ledger.unsettled(want.start, want.stop)) for want in wants])
    rows = np.unique(rows[~ledger.given_up[rows]])
    return _Rows(ledger, rows, np.zeros(len(rows), np.int16))


def _job(game: Game, parts: list[_Rows], exact: bool, node_limit: int | None) -> Job:
    hands, melds = [], []
    for part in parts:
        start, stop = int(part.rows[0]), int(part.rows[-1]) + 1
        hands.append(part.ledger.hands(start, stop)[part.rows - start])
        melds.append(part.ledger.melds(start, stop)[part.rows - start] if game.counts else np.zeros(0, np.int16))
    together = np.ascontiguousarray(np.concatenate(hands))
    cards = int(np.bitwise_count(together[0, 0]))
    partners = partners_in(game.contract, together)
    number = game.contract.rules.hand - cards
    batch = Batch(together, game.contract, 0, number, cards, game.bidders, game.counts, partners, np.concatenate(melds))
    targets = np.concatenate([part.targets for part in parts]) if game.counts and not exact else None
    alike = parts[0].ledger.deals.alike
    return batch.job(exact=exact, node_limit=node_limit, targets=targets, lead=game.lead, alike=alike)


def partners_in(contract: Contract, hands: npt.NDArray[np.uint64]) -> npt.NDArray[np.int8]:
    """The seat of the partner in each deal, -1 without one; he is the holder of a card."""
    card = contract.partner_card
    if card is None:
        return np.full(len(hands), -1, np.int8)
    holds: Bools = (hands & np.uint64(card.bit)) != 0
    seats: npt.NDArray[np.int8] = holds.argmax(axis=1).astype(np.int8)
    return seats
