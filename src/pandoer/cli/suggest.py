"""``pandoer suggest``: which card now."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from pandoer.cards import Hand
from pandoer.cli.arguments import add_choices, add_common, add_strength, seats
from pandoer.cli.bids import by_seat
from pandoer.cli.lines import answer_lines, only_lines
from pandoer.cli.show import card_of, show, table, write_json
from pandoer.errors import PandoerError
from pandoer.history import History
from pandoer.odds import seats_of
from pandoer.players import on_side
from pandoer.record import read_plays
from pandoer.rulesets import DEFAULT, ruleset
from pandoer.suggest import WORLDS, CardChance, Suggestion, suggest
from pandoer.view import View

if TYPE_CHECKING:
    from rich.console import RenderableType

_EFFORT = ("worlds", "depth", "seed")


def add(commands: Any) -> None:
    """Add ``suggest`` to the commands."""
    parser = commands.add_parser(
        "suggest",
        help="which card to play now",
        description="Which card to play now: the chance that the contract is made with each, over deals that agree "
        "with what you know.  Seats are those of the table, 0 the declarer unless --declarer says otherwise.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    parser.add_argument("hand", nargs="?", help="your cards: all eight, or those that you still hold")
    parser.add_argument(
        "--jsonl", action="store_true", help="read views from standard input, one JSON object a line"
    )
    parser.add_argument("--contract", metavar="BID", help="a bid of the ruleset, such as pandoer or 160")
    parser.add_argument("--declarer", type=int, metavar="SEAT", help="seat of the declarer (0)")
    add_choices(parser)
    parser.add_argument("--watch", metavar="CARD", help="the watch card, if you know it")
    parser.add_argument("--plays", metavar="CARDS", help="the cards played so far: 'SJ SQ S7 S8 | SA'")
    parser.add_argument("--leader", type=int, metavar="SEAT", help="who led to the first trick (the declarer)")
    parser.add_argument("--seat", type=int, metavar="SEAT", help="your seat (whose turn it is)")
    parser.add_argument(
        "--shown", action="append", metavar="SEAT:CARDS", help="an open hand: '0:SA SK ...' (repeatable)"
    )
    parser.add_argument("--bidders", type=seats, metavar="SEATS", help="seats that made a bid, such as 1,2")
    parser.add_argument("--players", type=int, metavar="N", help="players, where that varies: Pandur 2, 3 (usual), 4")
    parser.add_argument("--bottom", metavar="CARD", help="the bottom card of the stock (Pandur for two)")
    add_strength(parser, "", WORLDS, 1)
    parser.add_argument("--seed", type=int, metavar="S", help="seed of the deals (0)")
    add_common(parser)


def run(arguments: argparse.Namespace) -> int:
    """Which card now."""
    if arguments.jsonl:
        only_lines(arguments, "views")
        return answer_lines(answer)
    for what in ("hand", "contract"):
        if getattr(arguments, what) is None:
            raise PandoerError(f"suggest without a {what}: expected HAND --contract BID, or --jsonl")
    lang = arguments.lang or "en"
    given = {name: getattr(arguments, name) for name in _EFFORT}
    found = suggest(_view(arguments, lang), **{name: value for name, value in given.items() if value is not None})
    if arguments.json:
        write_json(found.to_json())
    else:
        show(*found.view.lines(lang), "", *suggestion_in_words(found, lang))
    return 0


def answer(data: Any) -> dict[str, Any]:
    """The suggestion for a view that is a JSON object, with ``worlds``, ``depth`` and ``seed`` beside its own keys."""
    if not isinstance(data, dict):
        raise PandoerError(f"view {data!r}: expected an object")
    effort = {name: data[name] for name in _EFFORT if name in data}
    return suggest({key: data[key] for key in data if key not in (*_EFFORT, "id")}, **effort).to_json()


def _view(arguments: argparse.Namespace, lang: str) -> View:
    rules = ruleset(arguments.rules or DEFAULT)
    players, _ = seats_of(rules, arguments.players, None)
    contract = rules.contract(
        arguments.contract,
        declarer=arguments.declarer or 0,
        trump=arguments.trump,
        called=card_of(arguments.called, lang),
    )
    for name in ("leader", "seat"):
        seat = getattr(arguments, name)
        if seat is not None and seat not in range(players):
            raise PandoerError(f"{name} {seat}: expected 0 to {players - 1}")
    history = History.of(
        contract, players, tuple(read_plays(arguments.plays or "", players, lang)), first=arguments.leader
    )
    seat = history.turn if arguments.seat is None else arguments.seat
    # Who gives the cards that are left is not asked to write down again what has been played.
    shown = by_seat("shown", arguments.shown, lambda cards: Hand(cards, lang=lang))
    for other in shown:
        if other not in range(players) or other == seat:
            raise PandoerError(f"shown of seat {other}: expected another seat, 0 to {players - 1}")
    return View(
        history,
        seat,
        Hand(arguments.hand, lang=lang) | history.played[seat],
        card_of(arguments.discard, lang),
        card_of(arguments.watch, lang),
        card_of(arguments.bottom, lang),
        tuple(sorted((other, cards | history.played[other]) for other, cards in shown.items())),
        arguments.bidders or (),
    )


def suggestion_in_words(found: Suggestion, lang: str) -> list[RenderableType]:
    """A table of the cards, the best first, and what the figures are."""
    head = {"card": 0, "points": 1, "chance": 1, "95 % interval": 2, "deals": 3}
    counts = found.cards[0].chance is None
    del head["chance" if counts else "points"]
    if counts or found.exact:
        del head["95 % interval"]
    rows = [[_cells(card, lang)[place] for place in head.values()] for card in found.cards]
    return [table([*head], rows, figures=[*head][1:]), "", *wrap(" ".join(_says(found)), 80)]


def _cells(card: CardChance, lang: str) -> tuple[str, str, str, str]:
    name, deals = card.play.text(lang, symbols=True), f"{card.worlds:,}"
    if card.chance is None or card.low is None or card.high is None:
        return name, f"{card.count:.1f}", "", deals
    return name, f"{100 * card.chance:.1f} %", f"{100 * card.low:.1f} to {100 * card.high:.1f} %", deals


def _says(found: Suggestion) -> Iterator[str]:
    what = "The chance that the contract is made" if found.cards[0].chance is not None else "The declaring side's count"
    deals = "the one deal" if found.worlds == 1 else f"{'all' if found.exact else 'over'} {found.worlds:,} deals"
    agree = "agrees" if found.worlds == 1 else "agree"
    over = "over " if found.exact else ""
    how = "all hands known after the card"
    if found.depth > 1:
        how = f"the declarer chooses {found.depth} cards, this one included, before he sees all hands"
    yield f"{what}, {over}{deals} that {agree} with what you know: {how}."
    if not on_side(found.view):
        yield "You play against it, and a low one is good for you."
