"""A deal as it was played, card by card: `replay`.

Every card is checked against the rules by the kernel that solves the deal, and the objective's automaton says when the
contract is made or lost.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias, get_args

import numpy as np

from pandoer.cards import Card, Deal, Hand, Rank
from pandoer.contracts import Contract
from pandoer.errors import PandoerError
from pandoer.money import check_stake, payoffs
from pandoer.objectives import Seats
from pandoer.problems import CallName, Play, Problem, State
from pandoer.solver import legal_moves, melds_of
from pandoer.tricks import Trick, cards_text, completed, points_text
from pandoer.verdict import settled_by, verdict

__all__ = ["Record", "replay"]

AnyPlay: TypeAlias = "str | Card | Play"


@dataclass(frozen=True, repr=False)
class Record:
    """A deal as far as it has been played.  Making one checks every card.

    Attributes
    ----------
    start : Problem
        The deal before the first lead, with the contract, the first leader and those who bid.
    plays : tuple of Play
        The cards in the order in which they were played.
    tricks : tuple of Trick
        The completed tricks.
    problem : Problem
        The position reached, with its state, for `pandoer.solve`.
    turn : int or None
        The seat to play; ``None`` when all cards have been played.
    legal : tuple of Play
        What it may play.
    partner : int or None
        Seat of the declarer's partner, if he has one; in the zwabbers in which one comes into being during play, the
        first other player to win a trick.
    side : tuple of int
        Seats of the declaring side, as they are by now.
    points, others : int
        Card points in the tricks of the side, and in those of the others.
    melds : int
        Points of melds and marriage that count for the side, where the contract asks for them.
    made : bool or None
        Whether the contract is made; ``None`` while that is not settled, or when nothing was to be reached.
    dry : tuple of (int, bool or None)
        In a joined misère, seat by seat: whether this player stays without a trick.

    Raises
    ------
    PandoerError
        If a card is not held by the player to move or is not legal; the message quotes it and names the legal ones.
    """

    start: Problem
    plays: tuple[Play, ...] = ()
    tricks: tuple[Trick, ...] = field(init=False, compare=False)
    problem: Problem = field(init=False, compare=False)
    turn: int | None = field(init=False, compare=False)
    legal: tuple[Play, ...] = field(init=False, compare=False)
    partner: int | None = field(init=False, compare=False)
    side: tuple[int, ...] = field(init=False, compare=False)
    points: int = field(init=False, compare=False)
    others: int = field(init=False, compare=False)
    melds: int = field(init=False, compare=False)
    made: bool | None = field(init=False, compare=False)
    dry: tuple[tuple[int, bool | None], ...] = field(init=False, compare=False)

    def __post_init__(self) -> None:
        start = self.start
        if not _is_fresh(start):
            full = start.contract.rules.hand
            raise PandoerError(f"deal {str(start.deal)!r}: expected hands of {full} cards before the first lead")
        tricks: list[Trick] = []
        at, legal = start, legal_moves(start)
        for play in self.plays:
            _check(at, play, legal)
            at = _after(at, play, tricks)
            legal = legal_moves(at)
        self._reach(at, tricks, legal)

    def _reach(self, at: Problem, tricks: list[Trick], legal: tuple[Play, ...]) -> None:
        """Fill in what follows from the plays."""
        start = self.start
        self._set(tricks=tuple(tricks), problem=at, legal=legal, turn=at.turn if legal else None)
        self._set(partner=_partner(start, tricks))
        self._set(side=tuple(sorted(_side(start, tricks))), points=at.state.points)
        self._set(others=sum(trick.points for trick in tricks) - self.points, melds=melds_of(start, start.seats))
        self._set(made=self._verdict(), dry=tuple(self._dry()))

    def _set(self, **values: object) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @property
    def deal(self) -> Deal:
        """The hands before the first lead."""
        return self.start.deal

    @property
    def contract(self) -> Contract:
        """The contract."""
        return self.start.contract

    @property
    def finished(self) -> bool:
        """Whether all cards have been played."""
        return self.turn is None

    @property
    def winners(self) -> tuple[int, ...]:
        """Seat that won each completed trick."""
        return tuple(trick.winner for trick in self.tricks)

    def play(self, play: AnyPlay) -> Record:
        """The record with one more card, by the player whose turn it is.

        Raises
        ------
        PandoerError
            If the card is not legal.
        """
        card, tricks = Play.parse(play), [*self.tricks]
        _check(self.problem, card, self.legal)
        at = _after(self.problem, card, tricks)
        found = object.__new__(Record)  # the cards before this one have been checked
        found._set(start=self.start, plays=(*self.plays, card))
        found._reach(at, tricks, legal_moves(at))
        return found

    # Made or not

    def _verdict(self) -> bool | None:
        """Whether the contract is made, if that is settled."""
        at = self.problem
        return verdict(
            self.contract, self.deal.hands, self.tricks, at.trick, self.start.seats,
            jack=at.state.jack, lost=self._given_away, melds=self.melds,
        )  # fmt: skip

    def _dry(self) -> Iterator[tuple[int, bool | None]]:
        contract = self.contract
        for seat in sorted((contract.declarer, *contract.joiners)) if contract.joiners else ():
            alone = Seats(seat, frozenset({seat}), self.start.players)
            jack = self.problem.state.jack
            yield seat, settled_by(contract, self.deal.hands, self.tricks, alone, jack=jack)

    @property
    def _given_away(self) -> bool:
        """Whether the protected card has been played to a lead with *need not*."""
        return self.problem.state.lost or _gives_away(self.contract, self.problem.trick, self.problem.call)

    # Settlement

    def paid(self, *, sitting_out: bool = False, stake: int = 0) -> tuple[float, ...]:
        """What each seat wins, or writes where points are written, in the ruleset's unit.

        Parameters
        ----------
        sitting_out
            A fourth player sat out as the dealer, in a ruleset and with a number of hands in which he may; he comes
            last and writes with the opponents.
        stake
            A share of the pot that was staked on the bid, which the declarer takes from the pot or pays into it.

        Returns
        -------
        tuple of float
            By seat.  Where a partner might have come into being and nobody did, the others share alike.

        Raises
        ------
        PandoerError
            If the contract is not settled, or is an objective of its own or a joined misère, of which the sources do
            not say what it pays; if nobody can have sat out; or if the stake may not be staked.
        """
        contract, rules, players = self.contract, self.contract.rules, self.start.players
        bid = contract.bid
        if bid is None:
            raise PandoerError(f"{contract.name} is an objective of its own: expected a bid, which has a value")
        if contract.joiners:
            raise PandoerError(f"joiners {list(contract.joiners)}: what a joined {bid.name} pays is not known")
        check_stake(rules, bid, stake)
        swept = self._swept()
        if self.made is None or (bid.bonus and swept is None):
            what = "bonus" if self.made is not None else "contract"
            raise PandoerError(
                f"the {what} of {bid.name} is not settled by {len(self.plays)} cards: expected more of them"
            )
        if sitting_out and not rules.dealer_sits_out:
            raise PandoerError(f"sitting_out in {rules.name}: expected a ruleset in which the dealer may sit out")
        if sitting_out and players != max(rules.players):
            raise PandoerError(f"sitting_out with {players} hands: expected {max(rules.players)} in {rules.name}")
        partner = -1 if self.partner is None else (self.partner - contract.declarer) % players
        amounts = payoffs(
            rules, bid, np.array([float(self.made)]), np.array([partner], np.int8), players,
            swept=np.array([bool(swept)]), stake=stake, sits_out=sitting_out,
        )[0].tolist()  # fmt: skip
        return (*(amounts[(seat - contract.declarer) % players] for seat in range(players)), *amounts[players:])

    def _swept(self) -> bool | None:
        """Whether the side won every trick, or the declarer in a contract that begins without a partner."""
        contract = self.contract
        side = {contract.declarer} if contract.partner is None else {*self.side}
        if not side.issuperset(self.winners):
            return False
        return True if self.finished else None

    # Showing

    def to_json(self) -> dict[str, Any]:
        """The record as a JSON object; see `Record` for the keys."""
        contract, deal = self.contract, self.deal
        found: dict[str, Any] = {
            "rules": contract.rules.name,
            "contract": contract.name,
            "declarer": contract.declarer,
            "trump": "-" if contract.trump is None else contract.trump.letter,
            "called": None if contract.called is None else str(contract.called),
            "hands": [hand.text(symbols=False) for hand in deal],
            "discard": None if deal.discard is None else str(deal.discard),
            "leader": self.start.first,
            "bidders": [*self.start.bidders],
            "plays": [*map(str, self.plays)],
            "tricks": [trick.to_json() for trick in self.tricks],
            "turn": self.turn,
            "legal": [*map(str, self.legal)],
            "side": [*self.side],
            "partner": self.partner,
            "points": self.points,
            "others": self.others,
            "melds": self.melds,
            "made": self.made,
        }
        if contract.joiners:
            found |= {"joiners": [*contract.joiners], "dry": {str(seat): dry for seat, dry in self.dry}}
        return found

    def text(self, lang: str = "en") -> str:
        """The record with a line for each trick, with the names and rank letters of a language."""
        head, *rest = self._lines(lang)
        rows = [f"{number}. {trick.text(lang)}" for number, trick in enumerate(self.tricks, start=1)]
        return "\n".join([head, *rows, *rest])

    def _lines(self, lang: str = "en") -> Iterator[str]:
        """What was played, the trick that is unfinished, and how it stands."""
        contract, at = self.contract, self.problem
        yield f"{contract.rules.name}: {contract.text(lang)}, declarer seat {contract.declarer}"
        if at.trick:
            yield f"{at.number + 1}. seat {at.first}: {cards_text(at.trick, at.call, lang)}"
        if self.legal:
            yield f"seat {self.turn} to play: {' '.join(play.text(lang, symbols=True) for play in self.legal)}"
        yield self.standing()

    def standing(self) -> str:
        """How the contract stands, in words."""
        seats = f"{'seat' if len(self.side) == 1 else 'seats'} {' and '.join(map(str, self.side))}"
        parts = [f"{points_text(self.points)} for {seats}, {self.others} for the others"]
        if self.start.counts_melds:
            parts.append(f"melds {self.melds}")
        for seat, dry in self.dry:
            parts += [] if dry is None else [f"seat {seat} {'stays dry' if dry else 'won a trick'}"]
        return ", ".join(parts) + ("" if self.made is None else ": made" if self.made else ": not made")

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Record of {self.contract} in {self.contract.rules.name}: {self._played() or 'nothing played'}>"

    def _played(self) -> str:
        size = self.start.players
        texts = [str(play) for play in self.plays]
        return " | ".join(" ".join(texts[i : i + size]) for i in range(0, len(texts), size))

    def _repr_html_(self) -> str:
        head, *rest = self._lines()
        rows = [
            (str(number), str(trick.leader), _cards_html(trick.cards, trick.call), str(trick.winner), str(trick.points))
            for number, trick in enumerate(self.tricks, start=1)
        ]
        names = "".join(f"<th>{name}</th>" for name in ("trick", "led by", "cards", "won by", "points"))
        cells = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows)
        return f"{head}<table><tr>{names}</tr>{cells}</table>{'<br>'.join(rest)}"


def replay(
    deal: Deal | str | Iterable[Hand | str],
    contract: Contract,
    plays: str | Iterable[AnyPlay] = "",
    *,
    leader: int | None = None,
    bidders: Iterable[int] = (),
    lang: str = "en",
) -> Record:
    """Check a deal card by card, and say who won each trick and how the contract stands.

    Parameters
    ----------
    deal
        The hands before the first lead, in order of seats; those after the discard in the game with a watch card.
    contract
        From `Ruleset.contract`.
    plays
        The cards in the order in which they were played: a text, ``"CJ CQ C9 | CA HJ D9"``, in which bars may stand
        between tricks, or cards one by one.  A lead of the protected suit is ``"HK must"`` or ``"HK need-not"``.
    leader
        Who leads to the first trick; the declarer unless given.
    bidders
        Seats that made a bid, for the denial of melds.
    lang
        Language of the rank letters in texts.

    Returns
    -------
    Record

    Raises
    ------
    PandoerError
        If deal and contract make no sense together, or a card cannot be read or is not legal; the message quotes the
        card, its trick and its seat, and names the legal ones.

    Examples
    --------
    >>> from pandoer import ruleset
    >>> deal = Deal("♣JAKT ♦AK ♥K ♠K / ♣Q ♥JT ♦JT ♠JQT / ♣9 ♦9Q ♥9QA ♠9A")
    >>> record = replay(deal, ruleset("pandur").contract("130", trump="C"), "CJ CQ C9 | CA HJ")
    >>> print(record)
    pandur: 130, trump ♣, declarer seat 0
    1. seat 0: ♣J ♣Q ♣9, won by seat 0, 37 points
    2. seat 0: ♣A ♥J
    seat 2 to play: ♠A ♠9 ♥A ♥Q ♥9 ♦Q ♦9
    37 points for seat 0, 0 for the others, melds 0
    """
    start = Problem(deal=Deal(deal, lang=lang), contract=contract, leader=leader, bidders=tuple(bidders))
    return Record(start, tuple(read_plays(plays, start.players, lang)))


# Reading and checking


def read_plays(plays: str | Iterable[AnyPlay], players: int, lang: str) -> Iterator[Play]:
    """The plays of a text or of an iterable one by one."""
    if not isinstance(plays, Iterable):
        raise PandoerError(f"cannot read plays {plays!r}: expected text or cards, such as 'CJ CQ C9 | CA HJ D9'")
    if not isinstance(plays, str):
        yield from (Play.parse(play, lang=lang) for play in plays)
        return
    pieces = [_with_calls(piece, plays) for piece in plays.split("|")]
    for number, piece in enumerate(pieces):
        before_a_bar = number < len(pieces) - 1
        if piece and len(pieces) > 1 and (len(piece) > players or (before_a_bar and len(piece) < players)):
            raise PandoerError(
                f"cannot read plays {plays!r}: {len(piece)} cards in {' '.join(piece)!r}, expected {players} a trick"
            )
        yield from (Play.parse(play, lang=lang) for play in piece)


def _with_calls(piece: str, plays: str) -> list[str]:
    """The words of a text, with what is said with a lead behind its card."""
    found: list[str] = []
    for word in re.sub(r"\bneed\s+not\b", "need-not", piece.replace(",", " "), flags=re.IGNORECASE).split():
        call = word.casefold()
        if call not in get_args(CallName):
            found.append(word)
        elif found:
            found[-1] += f" {call}"
        else:
            raise PandoerError(f"cannot read plays {plays!r}: {word!r} follows no card, expected it after a lead")
    return found


def _is_fresh(start: Problem) -> bool:
    """Whether a problem is a deal before the first lead, and nothing more is asked of it."""
    if not start.full or start.trick:
        return False
    return start == Problem(deal=start.deal, contract=start.contract, leader=start.leader, bidders=start.bidders)


def _check(at: Problem, play: Play, legal: tuple[Play, ...]) -> None:
    """Refuse a card that may not be played now."""
    if not legal:
        raise PandoerError(f"card {str(play)!r}: all {at.number} tricks have been played, expected no more cards")
    if play in legal:
        return
    hand = at.deal[at.turn]
    if play.card not in hand:
        why = f"it is not in his hand {str(hand)!r}"
    elif play.call is None and any(other.card == play.card for other in legal):
        why = "he leads the called suit and has to say 'must' or 'need-not'"
    elif any(other.card == play.card for other in legal):
        why = f"there is no {play.call!r} to say here"
    else:
        why = f"it is not legal with {str(hand)!r}" + (f" to {_texts(at.trick)!r}" if at.trick else " as a lead")
    raise PandoerError(
        f"card {str(play)!r} of seat {at.turn} in trick {at.number + 1}: {why}; expected one of {_texts(legal)}"
    )


# From one position to the next


def _after(at: Problem, play: Play, tricks: list[Trick]) -> Problem:
    """The position after a legal play; a trick that it completes is added to the others."""
    contract = at.contract
    hands = [hand - play.card if seat == at.turn else hand for seat, hand in enumerate(at.deal)]
    deal, trick = Deal(hands, discard=at.deal.discard), (*at.trick, play.card)
    call = at.call if at.trick else play.call
    if len(trick) < at.players:
        return replace(at, deal=deal, trick=trick, call=call)
    done = completed(contract, at.first, trick, call, at.players, last=not any(hands))
    tricks.append(done)
    side = _side(at, tricks)
    state = State(
        winners=tuple(trick.winner for trick in tricks),
        points=sum(trick.points for trick in tricks if trick.winner in side),
        partner=at.partner if contract.partner is not None else None,
        jack=at.state.jack or _wins_with_the_jack(contract, done),
        melds=melds_of(at, at.seats) if at.counts_melds else at.state.melds,
        lost=at.state.lost or _gives_away(contract, trick, call),
    )
    return replace(at, deal=deal, leader=done.winner, trick=(), trick_number=at.number + 1, call=None, state=state)


def _partner(at: Problem, tricks: Iterable[Trick]) -> int | None:
    """Seat of the declarer's partner; in a contract in which he joins, the first other winner of a trick."""
    contract = at.contract
    if contract.objective.joins:
        return next((trick.winner for trick in tricks if trick.winner != contract.declarer), None)
    return at.partner if contract.partner is not None else None


def _side(at: Problem, tricks: Iterable[Trick]) -> frozenset[int]:
    """Seats that play for the contract by now."""
    partner = _partner(at, tricks)
    return at.seats.side if partner is None else at.seats.side | {partner}


def _wins_with_the_jack(contract: Contract, trick: Trick) -> bool:
    """Whether the declarer won the trick with the trump jack, in a contract that asks for that."""
    if not contract.objective.needs_jack or contract.trump is None or trick.winner != contract.declarer:
        return False
    return contract.winner(trick.cards) == Card.of(contract.trump, Rank.JACK)


def _gives_away(contract: Contract, trick: tuple[Card, ...], call: CallName | None) -> bool:
    """Whether the protected card lies in a trick that was led with *need not*."""
    return call == "need-not" and contract.protected in trick


# Showing


def _cards_html(cards: Iterable[Card], call: CallName | None) -> str:
    texts = [card._repr_html_() for card in cards]
    return " ".join([f"{texts[0]} {call}", *texts[1:]] if call else texts)


def _texts(cards: Iterable[Card] | Iterable[Play] | Hand) -> str:
    return " ".join(map(str, cards))
