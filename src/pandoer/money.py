"""What a contract pays, by the ruleset's way of paying (RULES.md section 7)."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Integral
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from pandoer.errors import PandoerError
from pandoer.intervals import Z95

if TYPE_CHECKING:
    from pandoer.contracts import Bid
    from pandoer.rulesets import Ruleset
    from pandoer.standing import Standing


@dataclass(frozen=True)
class Amount:
    """What a seat wins on average.

    Attributes
    ----------
    seat
        0 for the declarer, then in turn.
    expected
        Wins less losses, in the ruleset's unit per deal.
    low, high
        Its 95 % interval.
    finishes
        In a game to a number of points, the chance that this deal finishes it for this seat.
    """

    seat: int
    expected: float
    low: float
    high: float
    finishes: float | None = None

    def to_json(self) -> dict[str, Any]:
        """The amount as a JSON object."""
        answer = {"seat": self.seat, "expected": self.expected, "low": self.low, "high": self.high}
        return answer if self.finishes is None else {**answer, "finishes": self.finishes}


def payoffs(
    rules: Ruleset,
    bid: Bid,
    made: npt.NDArray[np.float64],
    partner: npt.NDArray[np.int8],
    players: int,
    *,
    swept: npt.NDArray[np.bool_] | None = None,
    stake: int = 0,
    sits_out: bool = False,
) -> npt.NDArray[np.float64]:
    """What every seat wins in each of several deals.

    Parameters
    ----------
    rules, bid
        The contract of seat 0.
    made
        Whether it was made, 0 to 1, ``float [deals]``.
    partner
        The partner's seat, -1 without one or while he is unknown, ``int8 [deals]``.
    players
        Number of seats that hold cards.
    swept
        Whether the side won every trick, for a bid with a bonus.
    stake
        A share of the pot that was staked: the declarer takes it from the pot or pays it into the pot.
    sits_out
        One more seat, the last: the dealer, who holds no cards and writes what an opponent writes.

    Returns
    -------
    numpy.ndarray
        ``float [deals, seats]``.  Where a partner may come into being during play nobody knows which of the others it
        will be, and each of them has the mean.
    """
    deals = len(made)
    seats = np.arange(players)
    won = bid.value * (2 * made - 1)
    side = (seats == 0) | (seats == partner[:, np.newaxis])
    if rules.payment == "written":
        paid = np.where(side, bid.value * made[:, np.newaxis], bid.value * (1 - made[:, np.newaxis]))
    elif rules.payment == "three-payers":
        alone = bid.partner is None
        mine = won if not alone or bid.objective.joins else (players - 1) * won
        paid = np.where(side, mine[:, np.newaxis], -won[:, np.newaxis])
        if bid.objective.joins:
            # One of the three others ends on the declarer's side, two against him.
            unknown = partner < 0
            paid[unknown, 1:] = -won[unknown, np.newaxis] / (players - 1)
    else:
        paid = np.where(side, won[:, np.newaxis], 0.0)
    paid = np.asarray(paid, float).reshape(deals, players)
    if swept is not None:
        shares = side if bid.partner is not None else seats == 0
        paid = paid + np.where(shares, bid.bonus * swept[:, np.newaxis], 0.0)
    if stake:
        paid[:, 0] += stake * (2 * made - 1)
    return np.column_stack([paid, paid[:, 1]]) if sits_out else paid


def gain(rules: Ruleset, bid: Bid, chance: float, seats: int, standing: Standing | None) -> float:
    """What a bid is worth beside passing when points are written: the declarer's, less those of another on average.

    Parameters
    ----------
    rules, bid
        The contract of seat 0.
    chance
        The chance that it is made.
    seats
        How many sit at the table.
    standing
        The state of the game: points that bring nobody nearer to its goal do not count.
    """
    assert rules.payment == "written"
    worth = [bid.value if standing is None else standing.counted(seat, bid.value) for seat in range(seats)]
    return worth[0] * chance - (1 - chance) * sum(worth[1:]) / (seats - 1)


def check_stake(rules: Ruleset, bid: Bid, stake: int) -> None:
    """Refuse a share of the pot that may not be staked on a bid."""
    if not stake:
        return
    if not bid.takes_stake:
        raise PandoerError(f"stake {stake!r}: nothing may be staked on {bid.name} in {rules.name}")
    step, most = rules.stakes.step, rules.stakes.most
    if isinstance(stake, bool) or not isinstance(stake, Integral) or stake % step or not 0 < stake <= most:
        raise PandoerError(f"stake {stake!r}: expected a multiple of {step}, at most {most}")


def amounts(
    paid: npt.NDArray[np.float64], weights: npt.NDArray[np.float64], strata: npt.NDArray[np.intp], *, exact: bool
) -> tuple[Amount, ...]:
    """The mean of each seat with its interval.

    Parameters
    ----------
    paid
        ``float [deals, players]``, from `payoffs`.
    weights
        ``float [deals]``, which sum to 1.
    strata
        The stratum of each deal, ``int [deals]``.
    exact
        The deals are all there are.

    Returns
    -------
    tuple of Amount
        The interval is that of the normal distribution.  Each stratum takes in one deal more at the mean of all, and
        all together one that turns out as badly as can be, so that it is not nothing when all deals agree.
    """
    mean = weights @ paid
    variance = np.zeros(paid.shape[1])
    if not exact:
        variance += ((np.abs(paid).max(axis=0) + np.abs(mean)) / len(paid)) ** 2
        for stratum in np.unique(strata):
            rows = strata == stratum
            own, n = paid[rows], int(rows.sum())
            centre = own.mean(axis=0)
            spread = ((own - centre) ** 2).sum(axis=0) + (mean - centre) ** 2
            variance += (weights[rows].sum() / n) ** 2 * spread
    half = Z95 * np.sqrt(variance)
    return tuple(
        amount(seat, float(m), float(m - h), float(m + h)) for seat, (m, h) in enumerate(zip(mean, half, strict=True))
    )


def amount(seat: int, expected: float, low: float, high: float) -> Amount:
    """An amount whose ends may come in any order."""
    return Amount(seat, expected, min(low, high), max(low, high))
