"""``pandoer play``: a hand against the machine, in a terminal or over JSON lines."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from pandoer.advice import Advice
from pandoer.at_the_table import Strength
from pandoer.cards import Hand
from pandoer.cli.arguments import add_choices, add_lang, add_strength
from pandoer.cli.bot import Bot, write
from pandoer.cli.opening import Chooser, Dealt
from pandoer.cli.show import card_of, note, table
from pandoer.cli.terminal import HELP, Terminal
from pandoer.contracts import Bid
from pandoer.dealing import below, seed_sequence
from pandoer.errors import PandoerError
from pandoer.match import Match, seed_of
from pandoer.plans import Plan
from pandoer.players import DEPTH, WORLDS, Player
from pandoer.problems import Play
from pandoer.record import Record
from pandoer.rulesets import DEFAULT, ruleset
from pandoer.rulesets.base import parse_trump
from pandoer.suggest import WORLDS as WORLDS_SUGGESTED
from pandoer.suggest import Suggestion, suggest
from pandoer.view import View

if TYPE_CHECKING:
    from rich.console import RenderableType

AGAIN = "The same deal again:"
BIDS_SHOWN = 5
WORLDS_AHEAD = 20
"""Deals that are thought of when somebody asks to look ahead, which takes longer."""

GONE = 1
"""The exit status when a bot's lines end before the game does."""

MOST_NODES = 5_000_000
"""It looks ahead no further after so many cards played in its searches."""

DEALING, BIDDING, PLAYING, SUGGESTING = range(4)
"""The keys of the seeds below that of the game."""

_GIVEN = ("rules", "seat", "hand", "watch", "contract", "trump", "discard", "called", "players", "worlds", "depth")
"""Options that a deal is repeated with, beside its seed."""


def add(commands: Any) -> None:
    """Add ``play`` to the commands."""
    parser = commands.add_parser(
        "play",
        help="a hand against the machine",
        description="A hand against the machine, which sees its own cards only.  Seat 0 is the declarer; play goes "
        f"round from seat to seat.  At your turn: {HELP}.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    parser.add_argument("--rules", metavar="NAME", help=f"the ruleset ({DEFAULT}); see 'pandoer rules'")
    parser.add_argument("--seed", type=int, metavar="S", help="seed of the cards and of the play (a new one each time)")
    parser.add_argument("--seat", type=int, metavar="N", help="your seat: 0 for the declarer, 1 next in turn (0)")
    parser.add_argument("--hand", metavar="CARDS", help="your cards (dealt)")
    parser.add_argument("--watch", metavar="CARD", help="the watch card (dealt)")
    parser.add_argument("--contract", metavar="BID", help="the bid (asked for, or the machine's)")
    add_choices(parser)
    parser.add_argument("--players", type=int, metavar="N", help="players, where that varies: Pandur 2, 3 (usual), 4")
    add_strength(parser, "the machine: ", WORLDS, DEPTH)
    add_lang(parser)
    parser.add_argument("--jsonl", action="store_true", help="play with a bot: JSON lines on both sides")


def run(arguments: argparse.Namespace) -> int:
    """Play a hand."""
    game = Game.of(arguments)
    return _with_bot(game) if arguments.jsonl else _at_terminal(game)


@dataclass(frozen=True)
class Game:
    """What was asked for, checked.

    Attributes
    ----------
    dealt
        The cards.
    seed
        The seed, and `root` as a sequence.
    seat
        Who is not the machine.
    bid, fixed
        The bid and the parts of the plan that are given.
    strength
        How well the machine plays.
    lang
        The language of cards.
    command
        What repeats the deal.
    """

    dealt: Dealt
    root: np.random.SeedSequence
    seat: int
    bid: Bid | None
    fixed: Plan
    strength: Strength
    lang: str
    command: str

    @classmethod
    def of(cls, arguments: argparse.Namespace) -> Game:
        """Check the arguments and deal."""
        lang, rules = arguments.lang or "en", ruleset(arguments.rules or DEFAULT)
        seed = int(np.random.default_rng().integers(1_000_000)) if arguments.seed is None else arguments.seed
        root = seed_sequence(seed)
        hand = None if arguments.hand is None else Hand(arguments.hand, lang=lang)
        watch = card_of(arguments.watch, lang)
        seat = arguments.seat or 0
        dealt = Dealt.of(
            rules, below(root, DEALING), players=arguments.players, seat=seat, hand=hand, watch=watch
        )
        given = {"worlds": arguments.worlds, "depth": arguments.depth}
        strength = Strength(**{name: value for name, value in given.items() if value is not None})
        bid = None if arguments.contract is None else rules.bid(arguments.contract)
        fixed = Plan(
            parse_trump(arguments.trump), card_of(arguments.discard, lang), card_of(arguments.called, lang)
        )
        if bid is None and fixed != Plan():
            raise PandoerError(f"{fixed} without a contract: expected --contract BID")
        again = ["pandoer", "play", "--seed", str(seed)]
        for name in (*_GIVEN, "lang"):
            value = getattr(arguments, name)
            again += [] if value is None else [f"--{name}", str(value)]
        return cls(dealt, root, seat, bid, fixed, strength, lang, shlex.join(again))

    @property
    def chooser(self) -> Chooser:
        """Who helps the declarer to choose."""
        return Chooser(self.dealt, below(self.root, BIDDING), self.lang)

    def opened(self) -> tuple[Match, bool]:
        """The match with the contract that is given or that the machine chooses for seat 0; whether that gains."""
        chooser, bid = self.chooser, self.bid
        if bid is not None:
            return self.dealt.match(bid, self._plan(bid)), True
        best, plan = _best(chooser.advice())
        return self.dealt.match(self.dealt.rules.bid(best.bid), plan), best.gain > 0

    def _plan(self, bid: Bid) -> Plan:
        """The plan of seat 0; what is wrong with it is told without showing his cards to somebody else."""
        try:
            return self.chooser.plan(bid, self.fixed)
        except PandoerError:
            if self.seat == 0:
                raise
            what = f"contract {bid.name!r}" + ("" if self.fixed == Plan() else f" with {self.fixed}")
            raise PandoerError(
                f"{what}: seat 0 cannot choose it with the cards that he was dealt, expected another --seed"
            ) from None

    def suggestion(self, view: View, ahead: bool) -> Suggestion:
        """What somebody may play who knows a view; over more deals where it does not look ahead."""
        worlds = max(WORLDS_AHEAD if ahead else WORLDS_SUGGESTED, self.strength.worlds)
        depth = max(DEPTH, self.strength.depth) if ahead else 1
        found = suggest(
            view, worlds=worlds, depth=depth, seed=seed_of(view, below(self.root, SUGGESTING)),
            most_nodes=MOST_NODES,
        )  # fmt: skip
        return self.suggestion(view, False) if ahead and found.depth == 1 else found

    def played(self, match: Match, human: Human) -> Match:
        """The match played to its end."""
        machine = self.strength.players(match.history.players)
        return played(match, self.seat, human, machine, below(self.root, PLAYING))


class Human(Protocol):
    """Whoever is not the machine."""

    def choose(self, view: View) -> Play:
        """A legal card."""
        ...

    def saw(self, view: View, seat: int, play: Play) -> None:
        """He has seen somebody play a card, after which his view is this."""
        ...


def played(
    match: Match, seat: int, human: Human, machine: Sequence[Player], seed: np.random.SeedSequence
) -> Match:
    """Play all cards: those of a seat by somebody, the others by a machine; each knows his view and nothing else.

    Parameters
    ----------
    match
        Where play begins.
    seat, human
        Who plays there.
    machine
        A player for each seat; that of `seat` is not asked.
    seed
        The seed of the machine's decisions.
    """
    while not match.history.finished:
        view = match.view()
        play = human.choose(view) if view.seat == seat else machine[view.seat].play(view, seed_of(view, seed))
        match = match.after(play)
        human.saw(match.view(seat), view.seat, play)
    return match


def _best(advice: Advice) -> tuple[Any, Plan]:
    odds = advice.bids[0].odds
    assert odds.plan is not None
    return odds, Plan(odds.plan.trump, odds.plan.discard, odds.plan.called)


# In a terminal


def _at_terminal(game: Game) -> int:
    human = Terminal(game.suggestion, game.lang)
    try:
        match, gains = _opening(game, human)
        human.say("", *_facts(match.view(game.seat), game))
        match = game.played(match, human)
    except EOFError:
        human.say_command(f"Ended. {AGAIN}", game.command)
        return 0
    except KeyboardInterrupt:
        human.say("")
        human.say_command(f"Ended. {AGAIN}", game.command)
        raise
    human.say("", *_result(match, game, gains=gains))
    human.say_command(AGAIN, game.command)
    return 0


def _opening(game: Game, human: Terminal) -> tuple[Match, bool]:
    """The match with the contract that is given, asked for, or chosen by the machine."""
    if game.seat != 0:
        return game.opened()
    chooser, lang, dealt, bid = game.chooser, game.lang, game.dealt, game.bid
    plan = Plan() if bid is None else chooser.plan(bid, game.fixed)
    watch = "" if dealt.watch is None else f", watch card {dealt.watch.text(lang, symbols=True)}"
    human.say(f"{dealt.rules.name}: you hold {dealt.hands[0].text(lang)}{watch}")
    if bid is None:
        advice = chooser.advice()
        human.say(*_best_bids(advice, lang))
        bid, plan = chooser.asked_bid(human.ask, dealt.rules.bid(advice.bids[0].odds.bid))
    return dealt.match(bid, chooser.asked_plan(human.ask, bid, plan, game.fixed)), True


def _best_bids(advice: Advice, lang: str) -> list[RenderableType]:
    rows = []
    for row in advice.bids[:BIDS_SHOWN]:
        odds = row.odds
        plan = "" if odds.plan is None else odds.plan.text(lang)
        rows.append((odds.bid, f"{odds.gain:+.2f}", f"{100 * odds.probability:.0f} %", plan))
    head = ("bid", "gain", "chance", "plan")
    first = "The best bids at a quick look:" if advice.best is not None else "No bid gains anything; the least bad:"
    return [first, table(head, rows, figures=("gain", "chance"))]


def _facts(view: View, game: Game) -> list[str]:
    """What he knows before the first lead, a line each."""
    found = view.lines(game.lang)
    if view.watch is not None:
        found.append(f"watch card {view.watch.text(game.lang, symbols=True)}")
    if view.bottom is not None:
        found.append(f"bottom of the stock {view.bottom.text(game.lang, symbols=True)}")
    if view.seat != view.contract.declarer and view.seat == view.partner:
        found.append("you are the declarer's partner")
    found.append(f"at your turn: {HELP}")
    return found


def _result(match: Match, game: Game, *, gains: bool) -> list[str]:
    """How it ended, a line each."""
    record, lang = match.record, game.lang
    found = [f"{match.contract.text(lang)}: {record.standing()}"]
    if (paid := _paid(record, game)) is not None:
        who = [f"seat {seat}" for seat in range(len(match.deal.hands))] + ["the dealer who sits out"]
        amounts = [f"{name} {amount:+g}" for name, amount in zip(who, paid, strict=False)]
        found.append(f"{game.dealt.rules.unit}: {', '.join(amounts)}")
    if not gains:
        found.append("No bid gained anything with the declarer's cards; this was the least bad.")
    found += [f"seat {seat} held {hand.text(lang)}" for seat, hand in enumerate(match.deal.hands)]
    if match.deal.discard is not None:
        found.append(f"discard {match.deal.discard.text(lang, symbols=True)}")
    return found


def _paid(record: Record, game: Game) -> tuple[float, ...] | None:
    """What each wins, where the ruleset says it."""
    with suppress(PandoerError):
        return record.paid(sitting_out=game.dealt.sits_out)
    return None


# With a bot


def _with_bot(game: Game) -> int:
    match, _ = game.opened()
    try:
        match = game.played(match, Bot(game.suggestion))
    except EOFError:
        note("the input ended before the game")
        return GONE
    record = match.record
    paid = _paid(record, game)
    write({"result": {
        "made": record.made, "points": record.points + record.melds, "paid": None if paid is None else [*paid],
        "plays": [*map(str, record.plays)], "hands": [hand.text(symbols=False) for hand in match.deal.hands],
        "discard": None if match.deal.discard is None else str(match.deal.discard), "again": game.command,
    }})  # fmt: skip
    return 0
