"""``pandoer play --jsonl``: a player in another program, over JSON lines."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from pandoer.cli.lines import lines, read_json
from pandoer.errors import PandoerError
from pandoer.problems import Play
from pandoer.suggest import Suggestion
from pandoer.view import View


class Bot:
    """Tells a bot what it sees, and reads what it plays.

    Parameters
    ----------
    suggestion
        What is answered to ``{"ask": "odds"}``, with a view, and whether to look ahead.
    """

    def __init__(self, suggestion: Callable[[View, bool], Suggestion]) -> None:
        self.suggestion = suggestion
        self._lines: Iterator[bytes] = lines()

    def choose(self, view: View) -> Play:
        """The bot's card.

        Raises
        ------
        EOFError
            When its lines end.
        """
        turn = {"turn": view.seat, "view": view.to_json(), "legal": [*map(str, view.legal)]}
        while True:
            write(turn)
            line = next(self._lines, None)
            if line is None:
                raise EOFError
            try:
                found = self._read(line, view)
            except RecursionError:
                write({"error": "the object is nested too deeply"})
            except PandoerError as error:
                write({"error": str(error)})
            except Exception as error:
                write({"error": str(error) or type(error).__name__})
            else:
                if isinstance(found, Play):
                    return found
                write(found.to_json())

    def _read(self, line: bytes, view: View) -> Play | Suggestion:
        data = read_json(line)
        if not isinstance(data, dict) or len(data) != 1 or not data.keys() <= {"play", "ask"}:
            raise PandoerError(f'{data!r}: expected {{"play": "HA"}} or {{"ask": "odds"}}')
        if "ask" in data:
            if data["ask"] not in ("odds", "ahead"):
                raise PandoerError(f"ask {data['ask']!r}: expected 'odds', or 'ahead' to look ahead")
            return self.suggestion(view, data["ask"] == "ahead")
        play = Play.parse(data["play"])
        if play not in view.legal:
            raise PandoerError(f"card {str(play)!r}: expected one of {' '.join(map(str, view.legal))}")
        return play

    def saw(self, view: View, seat: int, play: Play) -> None:
        """Announce a card of another player."""
        if seat != view.seat:
            write({"seat": seat, "play": str(play)})


def write(answer: dict[str, Any]) -> None:
    """One object on a line of its own, at once."""
    print(json.dumps(answer), flush=True)
