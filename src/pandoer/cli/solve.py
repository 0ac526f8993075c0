"""``pandoer solve``: the exact result of a deal, or of problems as JSON lines."""

from __future__ import annotations

import argparse
import json
import math
import sys
from typing import TYPE_CHECKING, Any

from pandoer.cards import Card, Deal
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
        for name, value in vars(arguments).items():
            if value is not None and value is not False and name not in ("command", "run", "jsonl"):
                raise PandoerError(f"--jsonl with {name} {value!r}: expected it in the problems themselves")
        return _solve_lines()
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


def _solve_lines() -> int:
    """Answer problems line by line as they come, a bad one with an error."""
    status = 0
    for line in () if sys.stdin is None else sys.stdin.buffer:
        if not line.strip():
            continue
        answer, good = _answer_line(line)
        print(answer, flush=True)
        if not good:
            status = 1
    return status


def _answer_line(line: bytes) -> tuple[str, bool]:
    """The answer to one line as text, and whether it is one.

    No line may end the conversation, so whatever goes wrong with one becomes its answer.
    """
    mark: dict[str, Any] = {}
    try:
        data = _read_json(line)
        if isinstance(data, dict) and "id" in data:
            mark = {"id": data["id"]}
            json.dumps(mark)  # one that is nested too deeply to be written is not echoed
        return json.dumps({**mark, **solve(problem(data)).to_json()}), True
    except RecursionError:
        return json.dumps({"error": "the problem is nested too deeply"}), False
    except Exception as error:
        return json.dumps({**mark, "error": str(error) or type(error).__name__}), False


def _read_json(line: bytes) -> Any:
    """The value of a line of strict JSON: no NaN, no infinite number, no key twice."""
    try:
        return json.loads(
            line.decode("utf-8-sig"), parse_constant=_finite, parse_float=_finite, object_pairs_hook=_object
        )
    except UnicodeDecodeError as error:
        raise PandoerError(f"line {_start(line)}: byte {line[error.start]:#04x} is no UTF-8") from None
    except json.JSONDecodeError as error:
        raise PandoerError(f"line {_start(line)}: expected one JSON object ({error.msg})") from None


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise PandoerError(f"number {text!r}: expected a finite one")
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise PandoerError(f"key {key!r} is in an object twice, expected once")
        found[key] = value
    return found


def _start(line: bytes) -> str:
    """The beginning of a line, to quote it."""
    text = line.strip().decode("utf-8", "backslashreplace")
    return repr(text if len(text) <= 60 else text[:60] + "...")
