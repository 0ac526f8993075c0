"""The command line: ``pandoer odds``, ``advise``, ``solve``, ``suggest``, ``play``, ``rules`` and ``table``.

Answers go to standard output, everything else to standard error.  In a terminal `odds` and `advise` show what is known
so far as a live table, which gives way to the answer.  The exit status is 0; or 1 when a line of ``solve --jsonl`` or
``suggest --jsonl`` was bad, the bot of ``play --jsonl`` went away or an answer could not be written; 2 for a mistake of
the user, told in one line; 130 after Ctrl-C, with what was known by then.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from typing import NoReturn, get_args

import pandoer
from pandoer.cli import analysis, bids, play, rules, solve, suggest, table
from pandoer.cli.arguments import add_choices, add_common, add_lang, add_strength, numbers, seats
from pandoer.cli.bids import INTERRUPTED
from pandoer.cli.show import note
from pandoer.errors import PandoerError
from pandoer.players import DEPTH, WORLDS
from pandoer.problems import CallName
from pandoer.results import ViewName
from pandoer.tables.strength import TABLE_VIEWS

MISTAKE = 2


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    Parameters
    ----------
    argv
        The arguments without the program's name; ``sys.argv[1:]`` unless given.
    """
    try:
        status = _run(argv)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except PandoerError as error:
        note(str(error))
        return MISTAKE
    except KeyboardInterrupt:
        note("interrupted")
        return INTERRUPTED
    except MemoryError:
        note("not enough memory for this question")
        return 1
    except OSError as error:
        # Nothing more can be written; what is still buffered must not complain again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return 0
        note(f"cannot read or write: {error.strerror}")
        return 1


def _run(argv: Sequence[str] | None) -> int:
    try:
        arguments = _parser().parse_args(argv)
    except SystemExit:  # --help or --version, already printed
        return 0
    status: int = arguments.run(arguments)
    return status


# Arguments


class _Parser(argparse.ArgumentParser):
    """A parser whose complaints are one line each, like everybody else's."""

    def error(self, message: str) -> NoReturn:
        raise PandoerError(message)


def _parser() -> _Parser:
    parser = _Parser(
        prog="pandoer",
        description="Exact solver and bidding analyst for Pandoeren and Pandur.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"pandoer {pandoer.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for add in (_add_odds, _add_advise, _add_solve, suggest.add, play.add, _add_rules, _add_table):
        add(commands)
    return parser


def _add_odds(commands: argparse._SubParsersAction[_Parser]) -> None:
    parser = commands.add_parser(
        "odds",
        help="how likely a bid is to succeed",
        description="How likely a bid is to succeed, with the best discard, trump and called card. "
        "Unseen cards are sampled; each deal is solved exactly with all hands known. "
        "Seats are counted from you: 1 is next in turn.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=bids.run_odds)
    parser.add_argument("hand", help="your eight cards, such as '♠J9A ♥KQ ♦8 ♣T7' or 'SJ S9 SA ...'")
    parser.add_argument("--bid", required=True, help="a bid of the ruleset, such as pandoer or 160")
    parser.add_argument("--distribution", action="store_true", help="also show how many points are taken")
    parser.add_argument("--bidders", type=seats, metavar="SEATS", help="who else bid, when not in --auction: 1,3")
    parser.add_argument("--joiners", type=seats, metavar="SEATS", help="who joins the misère: 1,2")
    parser.add_argument("--stake", type=int, metavar="N", help="share of the pot staked on the bid (0)")
    parser.add_argument("--unseen", metavar="CARDS", help="in an ending: the cards that the others still hold")
    parser.add_argument("--points", type=int, metavar="N", help="in an ending: points that the side has already (0)")
    add_choices(parser)
    parser.add_argument("--lead", metavar="CARD", help="the first lead, such as HK or 'HK must' (blind-lead view)")
    _add_knowledge(
        parser,
        samples="deals that count the chance (1000)",
        precision="instead: half the width of the interval, such as 0.01",
    )
    add_common(parser)


def _add_advise(commands: argparse._SubParsersAction[_Parser]) -> None:
    parser = commands.add_parser(
        "advise",
        help="which bid wins the most",
        description="Every bid that is open to you, by what it wins on average, the best first. "
        "Seats are counted from you: 1 is next in turn.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=bids.run_advise)
    parser.add_argument("hand", help="your eight cards, such as '♠J9A ♥KQ ♦8 ♣T7' or 'SJ S9 SA ...'")
    _add_knowledge(
        parser,
        samples="deals that count each chance",
        precision="instead: half the width of each interval (0.03)",
    )
    add_common(parser)


def _add_view(parser: argparse.ArgumentParser, views: Sequence[str] = get_args(ViewName)) -> None:
    at_the_table = ", or play at the table" if "table" in views else ""
    parser.add_argument("--view", choices=views, help=f"who sees what: the first lead chosen blind{at_the_table}")


def _add_limits(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--plans", type=int, metavar="N", help="compare only the N plans that look likeliest (all; N is quicker)"
    )
    parser.add_argument("--node-limit", type=int, metavar="N", help="give up a deal after N cards played in its search")


def _add_knowledge(parser: argparse.ArgumentParser, samples: str, precision: str) -> None:
    """What a bidder knows, and how exact his answer is to be."""
    parser.add_argument("--watch", metavar="CARD", help="the watch card, when it is known")
    parser.add_argument("--auction", metavar="CALLS", help="the calls so far, from the first hand: 'pass 130 pass'")
    parser.add_argument(
        "--known", action="append", metavar="SEAT:CARDS", help="cards that a seat holds: 1:HA,H7 (repeatable)"
    )
    parser.add_argument(
        "--void", action="append", metavar="SEAT:SUITS", help="suits that a seat does not hold: 2:HD (repeatable)"
    )
    parser.add_argument("--listen", action="store_true", help="weigh deals by the calls of --auction")
    parser.add_argument("--private", action="store_true", help="you alone have seen the watch card (with --listen)")
    parser.add_argument("--samples", type=int, metavar="N", help=samples)
    parser.add_argument("--precision", type=float, metavar="P", help=precision)
    parser.add_argument(
        "--exact", action="store_true", default=None,
        help="instead: go through all layouts, up to a million (done anyway when they are few, as in Pandur)",
    )  # fmt: skip
    _add_view(parser)
    add_strength(parser, "with --view table: ", WORLDS, DEPTH)
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="seed of the deals (0)")
    parser.add_argument("--players", type=int, metavar="N", help="players, where that varies: Pandur 2, 3 (usual), 4")
    parser.add_argument("--bottom", metavar="CARD", help="the bottom card of the stock (Pandur for two)")
    parser.add_argument(
        "--scores", type=numbers("points"), metavar="POINTS",
        help="in a game to a number of points: yours, then in turn, a dealer who sits out last: 12,15,9",
    )  # fmt: skip
    parser.add_argument("--goal", type=int, metavar="N", help="the points that finish the game (by the ruleset)")
    _add_limits(parser)
    parser.add_argument("--threads", type=int, metavar="N", help="number of threads (one a core)")


def _add_solve(commands: argparse._SubParsersAction[_Parser]) -> None:
    parser = commands.add_parser(
        "solve",
        help="the exact result of a deal or an ending",
        description="The exact result with all hands known, and the cards that reach it.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=solve.run)
    parser.add_argument("deal", nargs="?", help="the hands in order of seats, with / between them")
    parser.add_argument(
        "--jsonl", action="store_true", help="read problems from standard input, one JSON object a line"
    )
    parser.add_argument("--contract", metavar="BID", help="a bid of the ruleset, such as pandoer or 160")
    parser.add_argument("--declarer", type=int, metavar="SEAT", help="seat of the declarer (0)")
    parser.add_argument("--leader", type=int, metavar="SEAT", help="who leads the trick (the declarer)")
    parser.add_argument("--trick", metavar="CARDS", help="cards already in the trick, in order")
    parser.add_argument("--trick-number", type=int, metavar="N", help="tricks completed before this one")
    parser.add_argument("--call", choices=get_args(CallName), help="what was said with the lead in --trick")
    parser.add_argument("--bidders", type=seats, metavar="SEATS", help="seats that made a bid, such as 1,2")
    parser.add_argument("--joiners", type=seats, metavar="SEATS", help="seats that joined the misère")
    parser.add_argument("--lead", metavar="CARD", help="force the first card, such as HK or 'HK must'")
    parser.add_argument("--melds", action=argparse.BooleanOptionalAction, help="count melds and marriage")
    add_choices(parser)
    add_common(parser)


def _add_rules(commands: argparse._SubParsersAction[_Parser]) -> None:
    parser = commands.add_parser(
        "rules",
        help="the rulesets, or one of them with its bids",
        description="The rulesets; or one of them, with its bids in ascending rank.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=rules.run)
    parser.add_argument("name", nargs="?", help="a ruleset, such as pagat")
    add_lang(parser)
    parser.add_argument("--json", action="store_true", help="print JSON, on one line")


def _add_table(commands: argparse._SubParsersAction[_Parser]) -> None:
    parser = commands.add_parser(
        "table",
        help="chances for many hands, in a Parquet file",
        description="Strength tables: the chances of bids for many hands.",
        allow_abbrev=False,
    )
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    _add_table_build(actions)
    shown = actions.add_parser(
        "show", help="how a table was made, and its first rows", allow_abbrev=False,
        description="How a table was made, and its first rows.",
    )  # fmt: skip
    shown.set_defaults(run=table.run_show)
    shown.add_argument("file", help="a table, or the name of one in the package: pagat, pandur")
    shown.add_argument("--rows", type=int, default=table.ROWS, metavar="N", help=f"rows to show ({table.ROWS})")
    shown.add_argument("--bid", action="append", help="only this bid (repeatable)")
    shown.add_argument("--json", action="store_true", help="print JSON, on one line")
    found = actions.add_parser(
        "lookup", help="what a table says of a hand",
        description="What a table says of a hand, or of one like it but for the names of suits.", allow_abbrev=False,
    )  # fmt: skip
    found.set_defaults(run=table.run_lookup)
    found.add_argument("file", help="a table, or the name of one in the package: pagat, pandur")
    found.add_argument("hand", help="eight cards, such as '♠J9A ♥KQ ♦8 ♣T7' or 'SJ S9 SA ...'")
    found.add_argument("--watch", metavar="CARD", help="the watch card, where it lies open")
    found.add_argument("--bid", action="append", help="only this bid (repeatable)")
    add_lang(found)
    found.add_argument("--json", action="store_true", help="print JSON, on one line")
    for add in (analysis.add_pivot, analysis.add_fit, analysis.add_cards, analysis.add_plot):
        add(actions)


def _add_table_build(actions: argparse._SubParsersAction[_Parser]) -> None:
    parser = actions.add_parser(
        "build",
        help="make a table",
        description="The chances of bids for many hands, in a Parquet file.  What is finished is kept beside it: the "
        "same command goes on where it was broken off.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=table.run_build)
    parser.add_argument("--bids", required=True, metavar="BIDS", help="bids of the ruleset, 130,pandoer,misere, or all")
    parser.add_argument("--hands", metavar="all|N", help="all hands up to names of suits, or so many random ones")
    parser.add_argument(
        "--hands-file", metavar="FILE", help="instead: hands, a line each, / before the watch card (- for the input)"
    )
    parser.add_argument("--watch", choices=("open", "closed"), help="how the watch card lies (by the ruleset)")
    parser.add_argument("--samples", type=int, metavar="N", help="deals that count each chance (1000)")
    parser.add_argument("--precision", type=float, metavar="P", help="instead: half the width of each interval")
    parser.add_argument("--exact", action="store_true", default=None, help="instead: go through all layouts")
    _add_view(parser, TABLE_VIEWS)
    parser.add_argument("--players", type=int, metavar="N", help="players, where that varies: Pandur 2, 3 (usual), 4")
    _add_limits(parser)
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="seed of hands and deals (0)")
    parser.add_argument("--out", required=True, metavar="FILE", help="the Parquet file to write")
    parser.add_argument("--workers", type=int, metavar="N", help="threads (one a core)")
    parser.add_argument("--processes", type=int, metavar="N", help="instead: processes")
    parser.add_argument("--scheduler", metavar="ADDRESS", help="instead: a dask cluster, tcp://HOST:8786")
    parser.add_argument("--local-cluster", type=int, metavar="N", help="instead: a dask cluster of N processes here")
    parser.add_argument("--chunk", type=int, metavar="N", help="hands given out at a time (about a second's work)")
    add_common(parser)
