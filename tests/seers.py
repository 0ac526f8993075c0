"""A player who sees all cards, for bounds on those who do not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from pandoer import Deal
from pandoer.players import by_rules
from pandoer.problems import Play
from pandoer.view import View
from pandoer.worlds import Worlds


@dataclass(frozen=True)
class Seer:
    """Plays perfectly, because he sees the deal; `helps` says whether he plays for the contract."""

    deal: Deal
    helps: bool

    def play(self, view: View, seed: np.random.SeedSequence) -> Play:
        """The best card, of equals the one that the rules of thumb like best."""
        plays = by_rules(view)
        deals = np.array([[hand.bits for hand in self.deal.hands]], np.uint64)
        made = Worlds(view.contract, deals, view.bidders).values(view.history, plays)[0]
        return plays[int(np.argmax(made if self.helps else -made))]
