"""A model of what the others' calls tell about their cards: `Listening`.

What a hand is good for is the matter of `pandoer.willing`; ``docs/bidding.md`` explains both and what they leave out.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from functools import cached_property

import numpy as np

from pandoer.auction import Auction
from pandoer.cards import Card
from pandoer.contracts import Bid
from pandoer.willing import Floats, Hands, kind_name, willing

UNSOUND = 0.01
"""How often a player makes a bid without regard to his cards."""

SILENT = 0.3
"""How often a player passes without regard to his cards: many more bids pay when all cards are seen than people dare to
make."""

LEAST = 0.0005
"""The least weight, so that rare bids of several players do not leave hardly any deal."""


@dataclass(frozen=True)
class Listening:
    """Weighs deals by what the others called, as a weight of `pandoer.question.Question`.

    The weight is the product of a factor for each other player: the chance, under the model, that with these cards he
    would have made his last bid (joining a misère is one), times the chance that after it he would have passed when he
    first did.  He would have if he was willing to make none of the bids that were open to him.  Where he has not called
    he tells nothing.  The chances are mixed with `UNSOUND` and `SILENT`, because people bid, and pass, on anything.

    Attributes
    ----------
    auction
        The calls so far.
    seat
        The asker's seat in it, 0 for the first hand.
    private
        The others have not seen the watch card.
    """

    auction: Auction
    seat: int
    _: KW_ONLY
    private: bool

    @cached_property
    def told(self) -> tuple[tuple[int, bool, tuple[Bid, ...]], ...]:
        """What the others' calls say: a column of the hidden hands, and whether its player was willing to make bids."""
        auction = self.auction
        last: dict[int, Bid] = {}
        passed: dict[int, tuple[Bid, ...]] = {}
        for number, call in enumerate(auction.calls):
            before = replace(auction, calls=auction.calls[:number])
            seat = before.turn
            assert seat is not None
            bid = call.bid
            if call.joins and before.highest is not None and before.highest.bid is not None:
                bid = replace(before.highest.bid, trump="none")
            if bid is None:
                passed.setdefault(seat, before.open_bids())
            else:
                last[seat] = bid
                passed.pop(seat, None)
        found: list[tuple[int, bool, tuple[Bid, ...]]] = []
        for step in range(1, auction.players):
            seat = (self.seat + step) % auction.players
            if seat in last:
                found.append((step - 1, True, (last[seat],)))
            if passed.get(seat):
                lowest = {kind_name(bid, auction.rules): bid for bid in reversed(passed[seat])}
                found.append((step - 1, False, tuple(lowest.values())))
        return tuple(found)

    def __call__(self, watch: Card | None, hidden: Hands) -> Floats:
        """The weight of each deal.

        Parameters
        ----------
        watch
            The watch card.
        hidden
            ``uint64 [n, players - 1]``, the hands of those who follow the asker.

        Returns
        -------
        numpy.ndarray
            ``float64 [n]``, `LEAST` to 1.
        """
        rules = self.auction.rules
        seen = watch is not None and not self.private
        closed = rules.watch is not None and not seen
        weight = np.ones(len(hidden))
        for column, does, bids in self.told:
            hands = hidden[:, column]
            if seen and watch is not None:
                hands = hands | np.uint64(watch.bit)
            chances = [willing(bid, rules, hands, discard=seen, closed=closed) for bid in bids]
            known = [chance for chance in chances if chance is not None]
            if known:
                chance = np.max(known, axis=0)
                weight *= UNSOUND + (1 - UNSOUND) * chance if does else SILENT + (1 - SILENT) * (1 - chance)
        return np.maximum(weight, LEAST)
