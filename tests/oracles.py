"""Two outside solvers wrapped as test oracles and benchmark peers.

* endplay (Bo Haglund's DDS): tricks at no trump or with a trump suit, players only have to follow suit.
* colver (a Rust Belote solver): card points with a trump suit under the French rules of play (see
  `belote_prepare` for the exact rules).

Hands are plain data: four hands, seat 0 to 3 clockwise, each a string such as ``"SJ H9 D7"`` or an iterable
of such two-character cards, the suit (one of C D H S) first, then the rank (7 8 9 T J Q K A; the DDS
functions also take 2 to 6).  Seats 0 and 2 play against seats 1 and 3, and every value is for seats 0 and
2.

Each solver comes as a ``*_prepare`` / ``*_solve`` pair, so that a benchmark can time the solver alone, and
as one function that does both.  Nothing here needs either library until it is called: `have_dds` and
`have_belote` say whether it is installed.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Any, Final, NamedTuple

__all__ = [
    "BeloteDeal",
    "DdsDeal",
    "belote_points",
    "belote_prepare",
    "belote_solve",
    "belote_solve_all_trumps",
    "dds_prepare",
    "dds_set_threads",
    "dds_solve",
    "dds_solve_batch",
    "dds_tricks",
    "have_belote",
    "have_dds",
]

Hand = str | Iterable[str]

SUITS: Final = "CDHS"
RANKS: Final = "23456789TJQKA"
DDS_BATCH: Final = 200
"""The most boards DDS takes in one call."""
_DDS_SMALL_MB: Final = 30


def _cards(hand: Hand) -> list[str]:
    """The cards of a hand, checked for spelling."""
    cards = hand.split() if isinstance(hand, str) else list(hand)
    for card in cards:
        if len(card) != 2 or card[0] not in SUITS or card[1] not in RANKS:
            raise ValueError(f"not a card: {card!r}")
    return cards


def _hands(hands: Sequence[Hand], leader: int) -> list[list[str]]:
    """Four hands of equal size without a card twice."""
    out = [_cards(hand) for hand in hands]
    if len(out) != 4:
        raise ValueError(f"need four hands, not {len(out)}")
    if not out[0] or len({len(hand) for hand in out}) != 1:
        raise ValueError(f"need hands of one size, not {[len(hand) for hand in out]}")
    if len({card for hand in out for card in hand}) != 4 * len(out[0]):
        raise ValueError("a card occurs twice")
    if leader not in range(4):
        raise ValueError(f"the leader must be 0 to 3, not {leader!r}")
    return out


# --- endplay / DDS ----------------------------------------------------------------------------------------


class DdsDeal(NamedTuple):
    """A deal ready for DDS."""

    deal: Any
    """The `endplay.types.Deal`; seats 0 to 3 are North, East, South, West."""
    tricks: int
    """Cards per hand, and so tricks to play."""
    leader: int
    """The seat that leads."""


class _Dds(NamedTuple):
    deal: Any
    denoms: dict[str, Any]
    players: list[Any]
    solve_board: Any
    solve_all_boards: Any
    mode: Any
    set_resources: Any


@cache
def _dds() -> _Dds:
    types = importlib.import_module("endplay.types")
    solve = importlib.import_module("endplay.dds.solve")
    low = importlib.import_module("endplay._dds")
    denom, player = types.Denom, types.Player
    return _Dds(
        deal=types.Deal,
        denoms={
            "C": denom.clubs,
            "D": denom.diamonds,
            "H": denom.hearts,
            "S": denom.spades,
            "-": denom.nt,
        },
        players=[player.north, player.east, player.south, player.west],
        solve_board=solve.solve_board,
        solve_all_boards=solve.solve_all_boards,
        mode=solve.SolveMode.OptimalOne,
        set_resources=low._dll.SetResources,  # endplay wraps only SetMaxThreads
    )


def have_dds() -> bool:
    """Is endplay installed?"""
    return importlib.util.find_spec("endplay") is not None


def dds_prepare(hands: Sequence[Hand], trump: str, leader: int) -> DdsDeal:
    """Build the deal for DDS, before the first card of a trick.

    `trump` is one of C, D, H, S, or "-" for no trump.  Hands may hold 1 to 13 cards each, all the same
    number; cards in no hand do not exist for DDS.
    """
    cards = _hands(hands, leader)
    if len(cards[0]) > 13:
        raise ValueError("DDS takes at most 13 cards a hand")
    lib = _dds()
    if trump not in lib.denoms:
        raise ValueError(f"not a trump for DDS: {trump!r}")
    suits = [["".join(c[1] for c in hand if c[0] == s) for s in "SHDC"] for hand in cards]
    pbn = "N:" + " ".join(map(".".join, suits))
    deal = lib.deal(pbn, first=lib.players[leader], trump=lib.denoms[trump])
    return DdsDeal(deal, len(cards[0]), leader)


def dds_solve(prepared: DdsDeal) -> int:
    """Tricks seats 0 and 2 win of a prepared deal: one `solve_board` call, single-threaded.

    `OptimalOne` has DDS look for one best card and its tricks only, where the default mode values every
    lead. DDS counts the tricks of the side on lead, so the answer is turned round when seat 1 or 3 leads.
    """
    lib = _dds()
    # The score is the first entry of the raw answer; the SolvedBoard iterator would build cards around it.
    made = int(lib.solve_board(prepared.deal, lib.mode)._data.score[0])
    return prepared.tricks - made if prepared.leader & 1 else made


def dds_set_threads(threads: int, *, small_tables: bool = False) -> None:
    """Set the threads of the batch calls for this process (0: one for each core); takes about 0.1 ms.

    A single solve always runs on one thread.  `small_tables` has DDS use its small tables in every thread,
    single solves included, which makes a deal of 32 cards about 0.05 ms quicker: it is the fairer setting
    for a benchmark.  Importing endplay leaves one thread for each core and large tables.
    """
    if threads < 0 or (small_tables and not threads):
        raise ValueError(f"cannot set {threads} threads")
    # Memory in MB, then threads.  DDS picks the large tables where it has 160 MB for a thread, the small ones
    # where it has 30; 0 stands for most of the free memory.
    _dds().set_resources(_DDS_SMALL_MB * threads if small_tables else 0, threads)


def dds_solve_batch(
    prepared: Sequence[DdsDeal], threads: int | None = None, *, small_tables: bool = False
) -> list[int]:
    """Tricks seats 0 and 2 win of each prepared deal, by `solve_all_boards` in lots of at most 200.

    `threads` and `small_tables` are as in `dds_set_threads`, and stay set; with no `threads`, all stays as
    it was.
    """
    lib = _dds()
    if threads is not None:
        dds_set_threads(threads, small_tables=small_tables)
    out: list[int] = []
    for start in range(0, len(prepared), DDS_BATCH):
        lot = prepared[start : start + DDS_BATCH]
        solved = lib.solve_all_boards([p.deal for p in lot], lib.mode)._data.solvedBoard
        for i, p in enumerate(lot):
            made = int(solved[i].score[0])
            out.append(p.tricks - made if p.leader & 1 else made)
    return out


def dds_tricks(hands: Sequence[Hand], trump: str, leader: int) -> int:
    """Tricks seats 0 and 2 win when `leader` leads and all four play their best with all cards known.

    Players must follow suit and are otherwise free.  `trump` is one of C, D, H, S, or "-" for no trump.
    """
    return dds_solve(dds_prepare(hands, trump, leader))


# --- colver / Belote --------------------------------------------------------------------------------------

_COLVER_SUITS: Final = "SHDC"
_COLVER_RANKS: Final = "789JQKTA"  # colver numbers a card 8 * suit + rank, the rank in the plain suits' order
_PLAIN_POINTS: Final = {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2, "9": 0, "8": 0, "7": 0}
_TRUMP_POINTS: Final = _PLAIN_POINTS | {"J": 20, "9": 14}

# Where colver 0.11 keeps these in Env.get_state_bytes(), for endings; belote_prepare checks the outcome.
_AT_TRICKS_WON: Final = 28
_AT_PLAYED: Final = 40


class BeloteDeal(NamedTuple):
    """A deal ready for colver."""

    env: Any
    """The `colver.Env`, in its playing phase; solving does not change it."""
    total: int
    """Card points in the hands, plus 10 for the last trick."""
    leader: int
    """The seat that leads."""


@cache
def _colver() -> Any:
    return importlib.import_module("colver")


def have_belote() -> bool:
    """Is colver installed?"""
    return importlib.util.find_spec("colver") is not None


def _index(card: str) -> int:
    """Colver's number of a card."""
    if card[1] not in _COLVER_RANKS:
        raise ValueError(f"not a Belote card: {card!r}")
    return 8 * _COLVER_SUITS.index(card[0]) + _COLVER_RANKS.index(card[1])


def belote_prepare(hands: Sequence[Hand], trump: str, leader: int, *, won: tuple[int, int] | None = None) -> BeloteDeal:
    """Build the deal for colver, before the first card of a trick; `trump` is one of C, D, H, S.

    Trumps rank J 9 A T K Q 8 7 and count 20 14 11 10 4 3 0 0; plain suits rank A T K Q J 9 8 7 and count
    11 10 4 3 2 0 0 0; the last trick counts 10 more.  Colver's rules of play:

    * Follow suit if you can.  In a plain suit any card of it will do.
    * Trump led: with a trump you must beat the highest trump in the trick if you can, even your partner's;
      if you cannot, play any trump.  Without a trump, play anything.
    * Void in the plain suit led, partner winning the trick: play anything at all, a trump lower than
      partner's included.
    * Void in it, an opponent winning: if no trump is in the trick you must ruff, with any trump.  If one
      is, you must overruff if you can; if you cannot, play anything, a lower trump or a discard.
    * Void in it and in trumps: play anything.

    Hands of fewer than eight cards are an ending.  `won` gives the tricks seats 0 and 2 and seats 1 and 3
    took before it; it matters only to colver's bonus for all eight tricks (see `belote_solve`).  By default
    the opponents took them all, which leaves that bonus out of it.
    """
    cards = _hands(hands, leader)
    if trump not in tuple(_COLVER_SUITS):
        raise ValueError(f"not a trump for colver: {trump!r}")
    size = len(cards[0])
    if size > 8:
        raise ValueError("colver takes at most 8 cards a hand")
    if won is None:
        won = (0, 8 - size)
    if min(won) < 0 or sum(won) != 8 - size:
        raise ValueError(f"tricks won {won} do not go with {size} cards a hand")
    numbers = [sorted(map(_index, hand)) for hand in cards]
    # The dealer's left neighbour leads.  The bid is any bid: it does not enter the card points.
    env = _colver().Env.deal_with_hands((leader + 3) % 4, numbers)
    env.set_contract(_COLVER_SUITS.index(trump), 80, 0, 0)
    env.set_phase_playing()
    if size < 8:
        state: list[int] = env.get_state_bytes().tolist()
        state[_AT_TRICKS_WON : _AT_TRICKS_WON + 2] = won
        played = 0xFFFFFFFF ^ sum(1 << number for hand in numbers for number in hand)
        state[_AT_PLAYED : _AT_PLAYED + 4] = played.to_bytes(4, "little")
        env.set_state_bytes(state)
        gone = [number for number in range(32) if played >> number & 1]
        if tuple(env.get_tricks_won()) != won or list(env.get_played_cards()) != gone:
            raise RuntimeError("this version of colver lays its state out differently; endings do not work")
    if env.get_hands() != numbers or env.current_player() != leader:
        raise RuntimeError("colver did not take the deal as given")
    points = [(_TRUMP_POINTS if c[0] == trump else _PLAIN_POINTS)[c[1]] for hand in cards for c in hand]
    return BeloteDeal(env, sum(points) + 10, leader)


def belote_solve(prepared: BeloteDeal, *, capot: bool = False) -> int:
    """Card points seats 0 and 2 take of a prepared deal, the 10 for the last trick included.

    One `solve_scores` call, single-threaded, from an empty table each time.  Colver has no call for the value
    of one trump suit alone: this one values every lead.  It agreed with an independent solver on 3000 full
    deals.  Its table has short keys (24 bits in the published source), so a rare answer may be wrong.

    Colver plays for 100 instead of 10 in the last trick when one side takes all eight tricks (252 in all).
    By default that bonus is taken off again.  This is exact: it only raises the value of outcomes that are
    already the best there can be, so it never changes which smaller values can be forced.  With `capot`, it
    stays, and the answer is 252 just when seats 0 and 2 can take every trick.  Belote and rebelote, the
    contract and the points taken before an ending never count.
    """
    scores: list[list[int]] = prepared.env.solve_scores()["scores"]
    values = [score for _, score in scores]
    best = min(values) if prepared.leader & 1 else max(values)
    return best if capot else min(best, prepared.total)


def belote_solve_all_trumps(prepared: BeloteDeal, *, capot: bool = False) -> dict[str, int]:
    """`belote_solve` for each of the four trump suits at once, for a deal of eight cards a hand.

    One `solve_all_suits` call: four searches for the value alone, so one trump suit costs less than it does
    in `belote_solve`.  The trump suit of `prepared` does not matter.  One answer in 3000 was wrong (colver
    0.11.1), so rather use `belote_solve` as the oracle, and this for timing.
    """
    env = prepared.env
    if any(env.get_tricks_won()) or any(len(hand) != 8 for hand in env.get_hands()):
        raise ValueError("colver solves all trumps for full deals only")
    suits: list[list[int]] = env.solve_all_suits()["suits"]
    return {s: pair[0] if capot else min(pair[0], 162) for s, pair in zip(_COLVER_SUITS, suits, strict=True)}


def belote_points(
    hands: Sequence[Hand], trump: str, leader: int, *, won: tuple[int, int] | None = None, capot: bool = False
) -> int:
    """Most card points seats 0 and 2 can make sure of when `leader` leads and all cards are known.

    See `belote_prepare` for the rules and for endings, and `belote_solve` for what the points include.
    """
    return belote_solve(belote_prepare(hands, trump, leader, won=won), capot=capot)
