"""``pandoer solve``: the exact result of a deal, or of problems as JSON lines."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from pandoer.cards import Card, Deal
from pandoer.cli.lines import answer_lines, only_lines
from pandoer.cli.show import card_of, facts, show, write_json
from pandoer.errors import PandoerError
from pandoer.names import bid_in
from pandoer.problems import Play, Problem, problem
from pandoer.rulesets import DEFAULT, ruleset
from pandoer.solver import Solution, solve

if TYPE_CHECKING:
    from rich.console import RenderableType


def run(arguments: argparse.Namespace) -> int:
    if arguments.jsonl:
        only_lines(arguments, "problems")
        return answer_lines(lambda data: solve(problem(data)).to_json())
    for what in ("deal", "contract"):
        if getattr(arguments, what) is None:
            raise PandoerError(f"solve without a {what}: expected 'HAND / HAND' --contract BID, or --jsonl")
    lang = arguments.lang or "en"
    asked = _asked(arguments, lang)
    solution = solve(asked)
    if arguments.json:
        write_json(solution.to_json())
    else:
        show(*_solution_in_words(asked, solution, lang))
    return 0


def _asked(arguments: argparse.Namespace, lang: str) -> Problem:
    contract = ruleset(arguments.rules or DEFAULT).contract(
        arguments.contract,
        declarer=arguments.declarer or 0,
        trump=arguments.trump,
        called=card_of(arguments.called, lang),
        joiners=arguments.joiners or (),
    )
    return Problem(
        deal=Deal(arguments.deal, discard=arguments.discard, lang=lang),
        contract=contract,
        leader=arguments.leader,
        trick=tuple(Card(card, lang=lang) for card in (arguments.trick or "").replace(",", " ").split()),
        trick_number=arguments.trick_number,
        call=arguments.call,
        bidders=arguments.bidders or (),
        lead=play_from(arguments.lead, lang),
        melds=arguments.melds,
    )


def play_from(text: str | None, lang: str) -> Play | None:
    """A play that may be missing, such as ``"HK must"``."""
    return None if text is None else Play.parse(text, lang=lang)


def _solution_in_words(asked: Problem, solution: Solution, lang: str) -> list[RenderableType]:
    contract = asked.contract
    title = f"{bid_in(contract.name, lang)} ({contract.rules.name})"
    if contract.trump is not None:
        title += f", trump {contract.trump.text(lang)}"
    if contract.called is not None:
        title += f", called {contract.called.text(lang, symbols=True)}"
    title += f", declarer seat {contract.declarer}"
    if contract.joiners:
        title += f", joined by {' and '.join(f'seat {seat}' for seat in contract.joiners)}"
    result = [] if solution.made is None else ["made" if solution.made else "not made"]
    if solution.points is not None:
        result.append(f"{solution.points} points")
    found = [("result", f"{', '.join(result)}, double-dummy")]
    for seat, dry in solution.dry:
        found.append((f"seat {seat}", "stays dry" if dry else "can be made to win a trick"))
    if solution.best:
        best = ", ".join(play.text(lang, symbols=True) for play in solution.best)
        found.append(("best", f"{best} (seat {asked.turn} to play)"))
    found.append(("nodes", f"{solution.nodes:,}"))
    return [title, facts(found)]
