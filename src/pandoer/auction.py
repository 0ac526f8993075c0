"""The auction: the calls in order, and what may still be called (RULES.md section 7).

The first hand, seat 0, speaks first and the turn goes round clockwise. Each bid has to outrank the highest so far.
Who passes stays out, unless the ruleset lets him come back. Nobody speaks while his own bid is the highest, nor
after joining it, so the auction is over when all others have passed or joined; or when everybody has passed.

A misère is joined while it is the highest bid. The joiner stays in the auction: a higher bid, by whomever, ends the
joining, and he may speak again when his turn comes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from pandoer.contracts import Bid
from pandoer.errors import PandoerError
from pandoer.names import plain, split_bid
from pandoer.rulesets import DEFAULT, Ruleset, ruleset

__all__ = ["Auction", "Call"]

AnyCall: TypeAlias = "str | int | Bid | Call"
_DASHES = re.compile("[-\u2013\u2014]+")
_MOST_WORDS = 4  # of one call, as in "piccolo misère ouverte"


@dataclass(frozen=True, repr=False)
class Call:
    """One call: a bid with what is added to it, a pass, or joining a misère.

    Attributes
    ----------
    bid : Bid or None
        The bid, points of melds included; ``None`` for a pass and for joining.
    joins : bool
        The player joins the misère that is the highest bid.
    stake : int
        The share of the pot that is staked on the bid.
    melds : tuple of str
        Kinds of melds that are announced to decide between equal bids, the best first: ``("fourJ", "run3")``.
    """

    bid: Bid | None = None
    joins: bool = False
    stake: int = 0
    melds: tuple[str, ...] = ()

    @classmethod
    def parse(cls, text: AnyCall, rules: str | Ruleset = DEFAULT) -> Call:
        """A call from text.

        Parameters
        ----------
        text
            ``"pass"`` (also ``"pas"``, ``"-"`` and the ruleset's own word); ``"join"`` or ``"mee"``; or a bid as in
            `Ruleset.bid`, to which may be added the kinds of melds announced and a stake:
            ``"pandoer+run4+run3+pot25"``. Where melds do not raise a bid that takes a stake, ``"pandoer+25"`` is
            the bid with that stake.
        rules
            The ruleset or its name.

        Raises
        ------
        PandoerError
            If the ruleset has no such call; the message quotes it. Whether it may be made in an auction is for
            `Auction` to say.

        Examples
        --------
        >>> Call.parse("Pandoer + run 3 + run 4 + pot 25")
        <Call 'pandoer+run4+run3+pot25'>
        """
        rules = ruleset(rules)
        if not isinstance(text, (str, int, Bid, Call)):
            raise PandoerError(f"cannot read call {text!r}: expected text, such as 'pass' or '130'")
        written = str(text).strip()
        if plain(written) in ("pass", "pas", plain(rules.pass_name)) or _DASHES.fullmatch(written):
            return cls()
        if plain(written) in ("join", "mee"):
            return cls(joins=True)
        head, *added = re.split(r"\s*\+\s*(?=pot|run|four)", written, flags=re.IGNORECASE)
        try:
            bid, stake = _bid_and_stake(head, rules)
            stake, melds = _additions(added, stake, rules)
        except PandoerError as error:
            raise PandoerError(f"cannot read call {str(text)!r}, neither pass nor a bid: {error}") from None
        return cls(bid, stake=stake, melds=melds)

    def text(self, lang: str = "en") -> str:
        """The call with the bid's name in a language; what a pass is called is for the ruleset to say."""
        if self.bid is None:
            return "join" if self.joins else "pass"
        stake = [f"pot{self.stake}"] if self.stake else []
        return "+".join([self.bid.name_in(lang), *self.melds, *stake])

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<Call {str(self)!r}>"


@dataclass(frozen=True, repr=False)
class Auction:
    """An auction as far as it has come. Making one checks every call.

    Attributes
    ----------
    rules : Ruleset
    calls : tuple of Call
        In order from the first hand, without those who no longer speak.
    players : int
        How many take part.
    pot : int or None
        What the pot holds, when it is known: a stake may not be more.
    turn : int or None
        The seat that speaks next; ``None`` when the auction is over.
    highest : Call or None
        The highest bid so far.
    declarer : int or None
        The seat that made it.
    joiners : tuple of int
        Seats that have joined it.
    passed : tuple of int
        Seats that have passed and speak no more. Where a pass is not final, those who passed since the last bid:
        the next bid lets them speak again.
    bidders : tuple of int
        Seats that made a bid, in the order of their first.

    Raises
    ------
    PandoerError
        If a call is impossible; the message quotes it and the auction before it.

    Examples
    --------
    >>> auction = Auction.parse("pass 130 pass pandoer+50", "pagat")
    >>> auction.turn, auction.declarer, auction.passed, auction.over
    (1, 3, (0, 2), False)
    >>> [bid.name for bid in auction.open_bids()]
    ['pandoer+60', 'praatje', 'prive']
    >>> auction.call("pass").over
    True
    """

    rules: Ruleset
    calls: tuple[Call, ...]
    players: int
    pot: int | None = None
    turn: int | None = field(init=False, compare=False, default=0)
    highest: Call | None = field(init=False, compare=False, default=None)
    declarer: int | None = field(init=False, compare=False, default=None)
    joiners: tuple[int, ...] = field(init=False, compare=False, default=())
    passed: tuple[int, ...] = field(init=False, compare=False, default=())
    bidders: tuple[int, ...] = field(init=False, compare=False, default=())

    def __post_init__(self) -> None:
        if self.players not in self.rules.players:
            wanted = " or ".join(map(str, self.rules.players))
            raise PandoerError(f"{self.players!r} players in {self.rules.name}: expected {wanted}")
        if self.pot is not None and (type(self.pot) is not int or self.pot < 0):
            raise PandoerError(f"pot {self.pot!r}: expected a whole number, 0 or more")
        # A call may have been made by hand, or with another ruleset: it is read anew.
        self._set(calls=tuple(Call.parse(call, self.rules) for call in self.calls))
        for number, call in enumerate(self.calls):
            if (why := self._objection(call)) is not None:
                before = " ".join(map(str, self.calls[:number]))
                raise PandoerError(f"call {str(call)!r}{before and f' after {before!r}'}: {why}")
            self._take(call)

    def _set(self, **values: object) -> None:
        for name, value in values.items():
            object.__setattr__(self, name, value)

    @classmethod
    def parse(
        cls,
        calls: str | Auction | Iterable[AnyCall] = "",
        rules: str | Ruleset = DEFAULT,
        players: int | None = None,
        pot: int | None = None,
    ) -> Auction:
        """An auction from its calls.

        Parameters
        ----------
        calls
            In order from the first hand: one text with blanks or commas between the calls, ``"pass 130 pass"``, or the
            calls one by one. In a text, words that could be calls one after the other are, so ``"pandoer privé"`` is
            two; else the longest name counts, as in ``"pass klein praatje"``. What stands between two commas is one
            call if it can be.
        rules
            The ruleset or its name.
        players
            How many take part; the ruleset's first number unless given.
        pot
            What the pot holds, when it is known.

        Raises
        ------
        PandoerError
            If a call cannot be read or made, or the ruleset is not for so many players.
        """
        rules = ruleset(rules)
        if isinstance(calls, Auction):
            players = calls.players if players is None else players
            pot = calls.pot if pot is None else pot
            calls = calls.calls
        if not isinstance(calls, Iterable):
            raise PandoerError(f"cannot read auction {calls!r}: expected text or calls, such as 'pass 130 pass'")
        items = _split(calls, rules) if isinstance(calls, str) else calls
        read = tuple(Call.parse(item, rules) for item in items)
        return cls(rules, read, rules.players[0] if players is None else players, pot)

    @property
    def over(self) -> bool:
        """Whether nobody speaks any more."""
        return self.turn is None

    @property
    def all_passed(self) -> bool:
        """Whether it is over without a bid; `Ruleset.all_pass` says what follows."""
        return self.over and self.highest is None

    def call(self, call: AnyCall) -> Auction:
        """The auction with one more call, by the player whose turn it is.

        Raises
        ------
        PandoerError
            If the call cannot be read or made.
        """
        return replace(self, calls=(*self.calls, Call.parse(call, self.rules)))

    def allows(self, call: AnyCall) -> bool:
        """Whether the player whose turn it is may make a call.

        Raises
        ------
        PandoerError
            If the ruleset has no such call at all.
        """
        return self._objection(Call.parse(call, self.rules)) is None

    def open_bids(self) -> tuple[Bid, ...]:
        """Every bid that the player whose turn it is may make, ascending; none when the auction is over.

        Of an open-ended series, and of a bid raised by points of melds, the lowest that outranks the highest so far.
        A bid that has been made and would need a stake or the announcement of melds is not among them: ask `allows`.
        """
        if self.over:
            return ()
        lowest = (self._lowest(bid) for bid in self.rules.bids)
        return tuple(bid for bid in lowest if self._outranks(Call(bid)))

    def _lowest(self, bid: Bid) -> Bid:
        """A bid of the ruleset, or the next step above the highest bid if that is of the same series and has one."""
        top = self.highest and self.highest.bid
        if not top or self.rules.rank(top)[0] != self.rules.rank(bid)[0]:
            return bid
        points = (top.target or 0) + 10
        try:
            return self.rules.bid(points if bid.open_ended else f"{bid.name}+{points}")
        except PandoerError:
            return bid

    def _outranks(self, call: Call) -> bool:
        return self.highest is None or self._strength(call) > self._strength(self.highest)

    def _strength(self, call: Call) -> tuple[tuple[int, int], int, list[int]]:
        """What decides between two bids: their rank and points, then the stake, then the melds from the best down."""
        assert call.bid is not None
        kinds = self.rules.melds.kinds
        return self.rules.rank(call.bid), call.stake, [kinds.index(meld) for meld in call.melds]

    def _objection(self, call: Call) -> str | None:
        """Why a call may not be made now, and what was expected; ``None`` if it may."""
        if self.over:
            return "the auction is over, expected no more calls"
        if call.bid is not None:
            if why := _stake_objection(call, call.bid, self) or _melds_objection(call, call.bid, self.rules):
                return why
            return None if self._outranks(call) else f"it does not outrank {self.highest}, {self._expected()}"
        if call.joins and not self.rules.joined_misere:
            return f"{self.rules.name} has no joined misere, {self._expected()}"
        if call.joins and not (self.highest and self.highest.bid and self.highest.bid.trump == "none-if-joined"):
            return f"the highest bid is no misere, {self._expected()}"
        return None

    def _expected(self) -> str:
        bids = self.open_bids()
        return "expected pass" + (f" or a bid that may follow, such as {bids[0]}" if bids else "")

    def _take(self, call: Call) -> None:
        """Let the player whose turn it is make a call, and find out who is next."""
        seat = self.turn
        assert seat is not None
        if call.bid is not None:
            passed = self.passed if self.rules.pass_is_final else ()
            bidders = tuple(dict.fromkeys((*self.bidders, seat)))
            self._set(highest=call, declarer=seat, joiners=(), passed=passed, bidders=bidders)
        elif call.joins:
            self._set(joiners=(*self.joiners, seat))
        else:
            self._set(passed=(*self.passed, seat))
        silent = {self.declarer, *self.joiners, *self.passed}
        others = ((seat + step) % self.players for step in range(1, self.players))
        self._set(turn=next((other for other in others if other not in silent), None))

    def text(self, lang: str = "en") -> str:
        """The calls in order, with the words of a language; Swiss names have blanks, so commas are between them.

        >>> Auction.parse("pass misere-ohne pass", "pandur").text("ch")
        'fort, Misère ohne, fort'
        """
        passing = self.rules.pass_in(lang)
        texts = (call.text(lang) if call.bid is not None or call.joins else passing for call in self.calls)
        return (", " if lang == "ch" else " ").join(texts)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        players = "" if self.players == self.rules.players[0] else f", players={self.players}"
        pot = "" if self.pot is None else f", pot={self.pot}"
        return f"Auction.parse({str(self)!r}, {self.rules.name!r}{players}{pot})"


# Reading


def _bid_and_stake(text: str, rules: Ruleset) -> tuple[Bid, int]:
    """A bid, and the stake of ``"pandoer+25"`` if that is no bid raised by melds."""
    name, points = split_bid(text)
    for bid in rules.bids:
        if points and bid.name == name and bid.takes_stake and not bid.raised_by_melds:
            return bid, points
    return rules.bid(text), 0


def _additions(added: Iterable[str], stake: int, rules: Ruleset) -> tuple[int, tuple[str, ...]]:
    """The stake, if it is not there yet, and the kinds of melds, best first, that are added to a bid."""
    kinds = {kind.casefold(): place for place, kind in enumerate(rules.melds.kinds)}
    places = []
    for text in added:
        word = re.sub(r"\s+", "", text).casefold()
        if pot := re.fullmatch(r"pot([1-9]\d{0,3})", word):
            if stake:
                raise PandoerError(f"second stake {text!r}, expected one")
            stake = int(pot[1])
        elif word in kinds:
            places.append(kinds[word])
        else:
            known = ", ".join(rules.melds.kinds)
            raise PandoerError(f"unknown addition {text!r}: expected a stake, such as pot25, or one of {known}")
    return stake, tuple(rules.melds.kinds[place] for place in sorted(places, reverse=True))


def _split(text: str, rules: Ruleset) -> Iterator[str]:
    """The calls of a text one by one; see `Auction.parse`."""

    def possible(calls: list[str]) -> bool:
        try:
            Auction.parse(calls, rules)
        except PandoerError:
            return False
        return True

    def is_name(words: list[str]) -> bool:
        numbers = any(word.isdigit() for word in words)
        return not numbers and possible([" ".join(words)]) and not possible(words)

    pieces = re.sub(r"\s*\+\s*", "+", text).split(",")
    for piece in pieces:
        words = ["pass" if _DASHES.fullmatch(word) else word for word in piece.split()]
        while words:
            if len(pieces) > 1 and possible([" ".join(words)]):
                size = len(words)
            else:
                size = next((n for n in range(_MOST_WORDS, 1, -1) if is_name(words[:n])), 1)
            yield " ".join(words[:size])
            words = words[size:]


# What may be added to a bid


def _stake_objection(call: Call, bid: Bid, auction: Auction) -> str | None:
    stakes, pot = auction.rules.stakes, auction.pot
    if not call.stake:
        return None
    if not bid.takes_stake:
        return f"nothing may be staked on {bid} in {auction.rules.name}, expected {bid} alone"
    if pot is not None and pot < stakes.least_pot:
        return f"the pot holds {pot}, expected a stake only when it holds {stakes.least_pot} or more"
    most = stakes.most if pot is None else min(stakes.most, pot)
    if call.stake % stakes.step or call.stake > most:
        return f"stake {call.stake}, expected a multiple of {stakes.step}, at most {most}"
    return None


def _melds_objection(call: Call, bid: Bid, rules: Ruleset) -> str | None:
    if not call.melds:
        return None
    if bid.melds_decide is None:
        return f"melds do not decide between equal bids of {bid} in {rules.name}, expected {bid} alone"
    if bid.raised_by_melds and bid.target is None:
        return f"its melds have no points, expected them before the kind, such as {bid}+100+{call.melds[0]}"
    if bid.melds_decide == "best" and len(call.melds) > 1:
        return f"{len(call.melds)} kinds of melds, expected only the best, {call.melds[0]}"
    fours = [meld for meld in call.melds if meld.startswith("four")]
    in_runs = sum(int(meld.removeprefix("run")) for meld in call.melds if meld.startswith("run"))
    cards = rules.hand + (rules.watch == "open")
    if in_runs > cards or 4 * len(fours) > cards or len(set(fours)) < len(fours):
        return f"no hand has all these melds, expected those of {cards} cards"
    return None
