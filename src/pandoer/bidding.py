"""A model of what the others' calls tell about their cards."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from pandoer.auction import Auction
from pandoer.cards import Card


class Listening:
    """Weighs deals by what the others called."""

    def __init__(self, auction: Auction, seat: int, *, private: bool) -> None:
        self.auction, self.seat, self.private = auction, seat, private

    def __call__(self, watch: Card | None, hidden: npt.NDArray[np.uint64]) -> npt.NDArray[np.float64]:
        """The weight of each deal."""
        return np.ones(len(hidden))
