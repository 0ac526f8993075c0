"""JSON lines: a question a line on standard input, an answer a line on standard output."""

from __future__ import annotations

import argparse
import json
import math
import sys
from collections.abc import Callable, Collection, Iterator
from typing import Any

from pandoer.errors import PandoerError


def only_lines(arguments: argparse.Namespace, what: str, besides: Collection[str] = ()) -> None:
    """Refuse options beside ``--jsonl`` that belong into the lines."""
    for name, value in vars(arguments).items():
        if value is not None and value is not False and name not in ("command", "run", "jsonl", *besides):
            raise PandoerError(f"--jsonl with {name} {value!r}: expected it in the {what} themselves")


def lines() -> Iterator[bytes]:
    """The lines of standard input as they come, without empty ones."""
    for line in () if sys.stdin is None else sys.stdin.buffer:
        if line.strip():
            yield line


def answer_lines(answer: Callable[[Any], dict[str, Any]]) -> int:
    """Answer line by line as they come, a bad one with an error; the exit status is 1 if there was one."""
    status = 0
    for line in lines():
        text, good = _answered(line, answer)
        print(text, flush=True)
        if not good:
            status = 1
    return status


def _answered(line: bytes, answer: Callable[[Any], dict[str, Any]]) -> tuple[str, bool]:
    """The answer to one line as text, and whether it is one.

    No line may end the conversation, so whatever goes wrong with one becomes its answer.
    """
    mark: dict[str, Any] = {}
    try:
        data = read_json(line)
        if isinstance(data, dict) and "id" in data:
            mark = {"id": data["id"]}
            json.dumps(mark)  # one that is nested too deeply to be written is not echoed
        return json.dumps({**mark, **answer(data)}), True
    except RecursionError:
        return json.dumps({"error": "the object is nested too deeply"}), False
    except Exception as error:
        return json.dumps({**mark, "error": str(error) or type(error).__name__}), False


def read_json(line: bytes) -> Any:
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
