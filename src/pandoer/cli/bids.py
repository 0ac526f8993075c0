"""``pandoer odds`` and ``pandoer advise``."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from pandoer.advice import Advice, advise
from pandoer.cards import Hand, Suit
from pandoer.cli.live import Display
from pandoer.cli.show import card_of, note, show, write_json
from pandoer.cli.solve import play_from
from pandoer.cli.words import advice_in_words, odds_in_words
from pandoer.errors import PandoerError
from pandoer.odds import odds
from pandoer.results import Odds
from pandoer.rulesets import DEFAULT, ruleset

if TYPE_CHECKING:
    from rich.console import RenderableType

INTERRUPTED = 130

_AS_GIVEN = (
    "samples", "precision", "exact", "seed", "view", "players", "listen", "private", "scores", "goal", "plans",
    "worlds", "depth", "node_limit", "threads",
)  # fmt: skip

A = TypeVar("A", Odds, Advice)


def run_odds(arguments: argparse.Namespace) -> int:
    """The chance of one bid."""
    lang, rules = arguments.lang or "en", ruleset(arguments.rules or DEFAULT)

    def ask(display: Display[Odds]) -> Odds:
        return odds(
            Hand(arguments.hand, lang=lang),
            arguments.bid,
            trump=arguments.trump,
            discard=card_of(arguments.discard, lang),
            called=card_of(arguments.called, lang),
            lead=play_from(arguments.lead, lang),
            bidders=arguments.bidders,
            joiners=arguments.joiners or (),
            auction=arguments.auction,
            stake=arguments.stake or 0,
            unseen=None if arguments.unseen is None else Hand(arguments.unseen, lang=lang),
            points=arguments.points or 0,
            distribution=arguments.distribution,
            progress=display.progress,
            update=display.update,
            **_common(arguments, lang),
        )

    return _answer(ask, lambda answer: odds_in_words(answer, rules, lang), as_json=arguments.json)


def run_advise(arguments: argparse.Namespace) -> int:
    """Every open bid by what it wins."""
    lang, rules = arguments.lang or "en", ruleset(arguments.rules or DEFAULT)

    def ask(display: Display[Advice]) -> Advice:
        return advise(
            Hand(arguments.hand, lang=lang),
            auction=arguments.auction or (),
            progress=display.progress,
            update=display.update,
            **_common(arguments, lang),
        )

    return _answer(ask, lambda advice: advice_in_words(advice, rules, lang), as_json=arguments.json)


def _answer(ask: Callable[[Display[A]], A], words: Callable[[A], Sequence[RenderableType]], *, as_json: bool) -> int:
    """Print an answer; after Ctrl-C what is known of it."""
    status = 0
    with Display[A](None if as_json else words) as display:
        try:
            answer = ask(display)
        except KeyboardInterrupt:
            if display.latest is None:
                raise
            answer, status = display.latest, INTERRUPTED
    if as_json:
        write_json(answer.to_json())
    else:
        show(*words(answer))
    if status:
        note("interrupted: the answer is unfinished")
    return status


def _common(arguments: argparse.Namespace, lang: str) -> dict[str, Any]:
    """What both commands say of the player's knowledge and of the effort."""
    return {
        "rules": arguments.rules or DEFAULT,
        "watch": card_of(arguments.watch, lang),
        "bottom": card_of(arguments.bottom, lang),
        "known": by_seat("known", arguments.known, lambda cards: Hand(cards, lang=lang)),
        "void": by_seat("void", arguments.void, lambda suits: [*Suit.parse_all(suits)]),
        **{name: getattr(arguments, name) for name in _AS_GIVEN},
    }


def by_seat(option: str, texts: Sequence[str] | None, read: Callable[[str], Any]) -> dict[int, Any]:
    """Texts such as ``"1:HA"`` by seat; several of one seat are taken together."""
    found: dict[int, Any] = {}
    for text in texts or ():
        seat, colon, what = text.partition(":")
        try:
            number = int(seat)
        except ValueError:
            number = -1
        if not colon or number < 0 or not what.strip():
            example = "2:HD" if option == "void" else "1:HA,H7"
            raise PandoerError(f"--{option} {text!r}: expected a seat and what is known of it, such as {example}")
        more = read(what)
        if number in found:
            more = found[number] | more if isinstance(more, Hand) else found[number] + more
        found[number] = more
    return found
