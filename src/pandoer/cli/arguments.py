"""Arguments that several commands take."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from pandoer.rulesets import DEFAULT


def add_strength(parser: argparse.ArgumentParser, where: str, worlds: int, depth: int) -> None:
    """How well is played."""
    parser.add_argument("--worlds", type=int, metavar="N", help=f"{where}deals thought of at each card ({worlds})")
    parser.add_argument(
        "--depth", type=int, metavar="N", help=f"{where}how many of his cards the declarer looks ahead ({depth})"
    )


def add_choices(parser: argparse.ArgumentParser) -> None:
    """What a declarer chooses."""
    parser.add_argument("--trump", metavar="SUIT", help="trump suit: C, D, H, S or its name, or - for none")
    parser.add_argument("--discard", metavar="CARD", help="the card laid away")
    parser.add_argument("--called", metavar="CARD", help="the called card")


def add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rules", metavar="NAME", help=f"the ruleset ({DEFAULT}); see 'pandoer rules'")
    add_lang(parser)
    parser.add_argument("--json", action="store_true", help="print JSON, on one line")


def add_lang(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--lang",
        choices=("en", "nl", "ch"),
        help="rank letters: en AKQJT, nl A H V B 10, ch AKOUBN with the Swiss names of suits and bids (en)",
    )


def numbers(what: str) -> Callable[[str], tuple[int, ...]]:
    """What reads numbers with commas between them."""

    def read(text: str) -> tuple[int, ...]:
        try:
            return tuple(int(number) for number in text.split(","))
        except ValueError:
            raise argparse.ArgumentTypeError(f"{text!r}: expected {what} such as 1,2") from None

    return read


seats = numbers("seat numbers")
