"""How a game of ``pandoer play`` begins: the cards are dealt from a seed, and the declarer chooses his contract."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from pandoer.advice import Advice, advise
from pandoer.cards import Card, Deal, Hand
from pandoer.cli.show import note
from pandoer.contracts import Bid
from pandoer.errors import PandoerError
from pandoer.match import Match
from pandoer.odds import odds
from pandoer.plans import Plan, contract_of
from pandoer.question import at_the_table
from pandoer.rulesets import Ruleset
from pandoer.rulesets.base import parse_trump

SAMPLES, PLANS = 40, 4
"""Deals that count each chance, and plans that are compared: enough for a first look."""

Ask = Callable[[str, str], str]
"""Asks somebody, with a question and what is taken if he says nothing."""


@dataclass(frozen=True)
class Dealt:
    """The cards as they were dealt.

    Attributes
    ----------
    rules
        The ruleset.
    hands
        For each seat that holds cards; seat 0 will be the declarer.
    watch, bottom
        The watch card and the bottom card of the stock, in games that have them.
    sits_out
        Whether one more sits at the table and holds no cards.
    """

    rules: Ruleset
    hands: tuple[Hand, ...]
    watch: Card | None
    bottom: Card | None
    sits_out: bool

    @classmethod
    def of(
        cls,
        rules: Ruleset,
        seed: np.random.SeedSequence,
        *,
        players: int | None = None,
        seat: int = 0,
        hand: Hand | None = None,
        watch: Card | None = None,
    ) -> Dealt:
        """Deal the cards that are not given, each layout of them equally likely.

        Parameters
        ----------
        rules, players
            The game.
        seed
            The same seed deals the same cards.
        seat, hand
            A hand that is given to a seat.
        watch
            The watch card, if it is given.

        Raises
        ------
        PandoerError
            If what is given is not of the game.
        """
        number, sits_out = at_the_table(rules, rules.players[0] if players is None else players)
        if isinstance(seat, bool) or seat not in range(number):
            raise PandoerError(f"seat {seat!r}: expected 0 to {number - 1}, 0 for the declarer")
        if hand is not None and (len(hand) != rules.hand or hand - rules.deck):
            raise PandoerError(f"hand {str(hand)!r}: expected {rules.hand} cards of {rules.name}")
        if watch is not None and (rules.watch is None or watch not in rules.deck):
            raise PandoerError(f"watch card {str(watch)!r}: expected a card of a game that has one")
        if watch is not None and hand is not None and watch in hand:
            raise PandoerError(f"watch card {str(watch)!r} is in the hand {str(hand)!r}")
        rest = [*rules.deck - (hand or Hand()) - (Hand() if watch is None else Hand([watch]))]
        order = np.random.default_rng(seed).permutation(len(rest))
        cards = iter([rest[i] for i in order])
        hands = tuple(
            hand if hand is not None and other == seat else Hand([next(cards) for _ in range(rules.hand)])
            for other in range(number)
        )
        if rules.watch is not None and watch is None:
            watch = next(cards)
        return cls(rules, hands, watch, next(cards) if rules.stock(number) else None, sits_out)

    @property
    def players(self) -> int:
        """How many sit at the table."""
        return len(self.hands) + self.sits_out

    def match(self, bid: Bid, plan: Plan) -> Match:
        """The match with a contract of seat 0."""
        hands = [*self.hands]
        if self.watch is not None and plan.discard is not None:
            hands[0] = (hands[0] | self.watch) - plan.discard
        deal = Deal(hands, discard=plan.discard)
        return Match.begin(deal, contract_of(self.rules, bid, plan), watch=self.watch, bottom=self.bottom)


@dataclass(frozen=True)
class Chooser:
    """Chooses bid and plan for seat 0 by what he knows, or helps somebody to choose.

    Attributes
    ----------
    dealt
        The cards, of which only those of seat 0 are looked at.
    seed
        The seed of the deals that the chances are counted on.
    lang
        The language of cards.
    """

    dealt: Dealt
    seed: np.random.SeedSequence
    lang: str = "en"

    def advice(self) -> Advice:
        """A quick advice for seat 0, who sees the watch card."""
        dealt = self.dealt
        return advise(
            dealt.hands[0], rules=dealt.rules, watch=dealt.watch, bottom=dealt.bottom, players=dealt.players,
            samples=SAMPLES, plans=PLANS, seed=self.seed,
        )  # fmt: skip

    def plan(self, bid: Bid, fixed: Plan) -> Plan:
        """The best plan of a quick comparison, with the parts that are fixed.

        Raises
        ------
        PandoerError
            If there is none.
        """
        dealt = self.dealt
        found = odds(
            dealt.hands[0], bid, rules=dealt.rules, watch=dealt.watch, bottom=dealt.bottom, players=dealt.players,
            trump=fixed.trump, discard=fixed.discard, called=fixed.called, samples=SAMPLES, plans=PLANS, seed=self.seed,
        ).plan  # fmt: skip
        assert found is not None
        return replace(found, lead=None)

    def asked_bid(self, ask: Ask, default: Bid) -> tuple[Bid, Plan]:
        """The bid that somebody names, with its best plan."""
        while True:
            text = ask("bid", default.name_in(self.lang))
            try:
                bid = self.dealt.rules.bid(text)
                return bid, self.plan(bid, Plan())
            except PandoerError as error:
                note(str(error))

    def asked_plan(self, ask: Ask, bid: Bid, plan: Plan, fixed: Plan) -> Plan:
        """The plan that somebody names part by part, the parts apart that are fixed; `plan` is the best with them."""
        parts = [
            ("trump", bid.trump != "none"), ("discard", self.dealt.watch is not None),
            ("called", bid.partner == "called"),
        ]  # fmt: skip
        for part in (part for part, needed in parts if needed and getattr(fixed, part) is None):
            while True:
                text = ask(part, self._text(plan, part))
                try:
                    chosen = replace(fixed, **{part: self._read(part, text)})
                    plan = plan if getattr(chosen, part) == getattr(plan, part) else self.plan(bid, chosen)
                except PandoerError as error:
                    note(str(error))
                else:
                    fixed = chosen
                    break
        return plan

    def _text(self, plan: Plan, part: str) -> str:
        value = getattr(plan, part)
        return str(value.letter if part == "trump" else value.text(self.lang))

    def _read(self, part: str, text: str) -> Any:
        if part != "trump":
            return Card(text, lang=self.lang)
        trump = parse_trump(text)
        if trump is None:
            raise PandoerError(f"trump {text!r}: expected one of C, D, H, S")
        return trump
