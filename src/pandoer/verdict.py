"""Whether a contract is made by the tricks so far, lost, or still open: `verdict`."""

from __future__ import annotations

from collections.abc import Sequence

from pandoer.cards import Card, Hand, Rank
from pandoer.contracts import Contract
from pandoer.objectives import ALL, Seats, automaton, settled
from pandoer.tricks import Trick

__all__ = ["settled_by", "verdict"]


def verdict(
    contract: Contract,
    hands: Sequence[Hand],
    tricks: Sequence[Trick],
    laid: Sequence[Card],
    seats: Seats,
    *,
    jack: bool,
    lost: bool,
    melds: int,
) -> bool | None:
    """Whether a contract is made; ``None`` while that is not settled, or when nothing was to be reached.

    Parameters
    ----------
    contract
        The contract.
    hands
        The hands when play began.
    tricks, laid
        The completed tricks, and the cards in the current one.
    seats
        Who plays for the contract.
    jack
        Whether the declarer has won a trick with the trump jack.
    lost
        Whether a protected card has lost the contract.
    melds
        Points of melds and marriage that count for the side.
    """
    if lost:
        return False
    target = contract.target
    if contract.objective.counts is not None:
        low, high = _count(contract, hands, tricks, seats.side, melds)
        found = None if target is None or low < target <= high else low >= target
    else:
        found = settled_by(contract, hands, tricks, seats, jack=jack)
        if contract.objective is ALL and target is not None and melds < target:
            found = False
    protected = contract.protected
    gone = {*laid, *(card for trick in tricks for card in trick.cards)}
    may_be_given_away = protected is not None and protected not in gone
    return None if found and may_be_given_away else found


def _count(
    contract: Contract, hands: Sequence[Hand], tricks: Sequence[Trick], side: frozenset[int], melds: int
) -> tuple[int, int]:
    """The least and the most that the side may have in the end, of what a counting objective counts."""
    if contract.objective.counts == "tricks":
        low = sum(trick.winner in side for trick in tricks)
        return low, low + contract.rules.hand - len(tricks)
    rules, trump = contract.rules.cards, contract.trump
    everything = sum(rules.points(card.suit, card.rank, trump) for hand in hands for card in hand)
    ours, others = (sum(t.points for t in tricks if (t.winner in side) == mine) for mine in (True, False))
    return ours + melds, everything + rules.last_trick - others + melds


def settled_by(
    contract: Contract, hands: Sequence[Hand], tricks: Sequence[Trick], seats: Seats, *, jack: bool
) -> bool | None:
    """What the automaton of a yes or no says of the tricks so far; see `verdict`."""
    end = contract.rules.hand
    found = settled(contract.objective, seats, tuple(trick.winner for trick in tricks), jack, end)
    if found is None and contract.objective.needs_jack and contract.trump is not None:
        # Who still has to win a trick with the trump jack cannot once it is gone.
        card, state = Card.of(contract.trump, Rank.JACK), int(jack)
        needed = automaton(contract.objective, seats, end).jack[state * 8 + len(tricks)]
        gone = {card for trick in tricks for card in trick.cards}
        holders = [seat for seat, hand in enumerate(hands) if card in hand and card not in gone]
        if needed and not any(needed >> seat & 1 for seat in holders):
            return False
    return found
