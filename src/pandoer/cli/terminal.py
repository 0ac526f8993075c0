"""Somebody who plays at a terminal: asks him for his cards and tells him what he may see."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from pandoer.cards import Card, Rank
from pandoer.cli.show import is_terminal, note, show, writable
from pandoer.cli.suggest import suggestion_in_words
from pandoer.errors import PandoerError
from pandoer.players import looks_ahead
from pandoer.problems import Play
from pandoer.suggest import Suggestion
from pandoer.tricks import cards_text
from pandoer.view import View

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

HELP = "a card or its rank; ? for the chance of each, ?? to look ahead, q to end"


class Terminal:
    """Asks on standard output and reads standard input, which may be a script.

    Parameters
    ----------
    suggestion
        What is shown for ``?``, and for ``??``, which looks ahead.
    lang
        The language of cards.
    """

    def __init__(self, suggestion: Callable[[View, bool], Suggestion], lang: str) -> None:
        self.suggestion, self.lang = suggestion, lang

    def say(self, *parts: RenderableType) -> None:
        """Print lines and tables."""
        show(*parts)

    def say_command(self, what: str, command: str) -> None:
        """Print a command, on a line of its own so that it can be copied."""
        show(f"{what} {command}", fold=False)

    def ask(self, what: str, default: str = "") -> str:
        """Ask for something; an empty line takes the default.

        Raises
        ------
        EOFError
            At the end of the input, or when he wants to end.
        """
        prompt = f"{what} [{default}]: " if default else f"{what}: "
        text = self._line(prompt).strip()
        if text.casefold() in ("q", "quit"):
            raise EOFError
        return text or default

    def _line(self, prompt: str) -> str:
        print(writable(prompt), end="", flush=True)
        line = b"" if sys.stdin is None else sys.stdin.buffer.readline()
        text = line.decode("utf-8", "backslashreplace")
        if not line:
            print(flush=True)
            raise EOFError
        if not is_terminal(sys.stdin):
            show(text.strip())  # what a script says is not seen otherwise
        return text

    def choose(self, view: View) -> Play:
        """His card.

        Raises
        ------
        EOFError
            When he wants to end.
        """
        history = view.history
        self.say("", *self._open_hands(view))
        laid = cards_text(history.trick, history.call, self.lang)
        led = f"seat {history.leader}: {laid}" if history.trick else "you lead"
        self.say(f"{history.number + 1}. {led}", self._own_hand(view))
        while True:
            text = self.ask("card")
            if text in ("?", "??"):
                self._suggest(view, ahead=text == "??")
                continue
            try:
                return play_of(text, view, self.lang)
            except PandoerError as error:
                note(str(error))

    def _suggest(self, view: View, *, ahead: bool) -> None:
        """Show the chance of each legal card."""
        found = self.suggestion(view, ahead)
        self.say(*suggestion_in_words(found, self.lang))
        if ahead and found.depth == 1:
            self.say(
                "To look further ahead takes too long here." if looks_ahead(view)
                else "There is no looking ahead but for a declarer whose game is closed."
            )  # fmt: skip
        self.say("")

    def _open_hands(self, view: View) -> list[str]:
        found = [(seat, cards - view.history.played[seat]) for seat, cards in view.shown]
        return [f"seat {seat} shows {cards.text(self.lang)}" for seat, cards in found if cards]

    def _own_hand(self, view: View) -> Text:
        from rich.text import Text  # noqa: PLC0415

        legal = {play.card for play in view.legal}
        found = Text("you hold ")
        for card in view.held:
            text = card.text(self.lang, symbols=True)
            found.append(" ")
            found.append(f"[{text}]" if card in legal else text, "bold" if card in legal else "dim")
        return found

    def saw(self, view: View, seat: int, play: Play) -> None:
        """Show a trick when it is complete."""
        history = view.history
        if not history.trick:
            self.say(f"{history.number}. {history.tricks[-1].text(self.lang)}")


def play_of(text: str, view: View, lang: str) -> Play:
    """The legal play that a text names: a card in any form, or a rank or a suit where only one can be meant.

    Raises
    ------
    PandoerError
        If it names none, or more than one; the message quotes it.
    """
    legal = " ".join(play.text(lang, symbols=True) for play in view.legal)
    card, call = _parted(text)
    named = [play for play in view.legal if call in (None, play.call) and card.upper() in _names(play.card, lang)]
    if len(named) == 1:
        return named[0]
    if not text and len(view.legal) == 1:
        return view.legal[0]
    if not text:
        raise PandoerError(f"expected {HELP}")
    if not named:
        asked = Card(card, lang=lang)
        if call is None and asked in view.held and all(asked != play.card for play in view.legal):
            raise PandoerError(f"card {text!r} is not legal now: expected one of {legal}")
        if asked not in view.held:
            raise PandoerError(f"card {text!r} is not in your hand: expected one of {legal}")
        named = [play for play in view.legal if play.card == asked and call in (None, play.call)]
        if len(named) == 1:
            return named[0]
    if not named:
        raise PandoerError(f"card {text!r}: expected one of {legal}")
    meant = " or ".join(play.text(lang, symbols=True) for play in named)
    raise PandoerError(f"card {text!r}: is it {meant}?")


def _parted(text: str) -> tuple[str, str | None]:
    """A card and what is said with it."""
    match = re.fullmatch(r"(.*?)\s*\b(must|need[\s-]?not)", text.strip(), re.IGNORECASE)
    if match is None:
        return text.strip(), None
    return match[1], "must" if match[2].casefold() == "must" else "need-not"


def _names(card: Card, lang: str) -> set[str]:
    """Short names of a card in capitals: it in full, its rank, its suit."""
    rank = card.rank.text(lang).upper()
    suits = {card.suit.letter, card.suit.symbol}
    ranks = {rank, "T", "10"} if card.rank == Rank.TEN and lang != "ch" else {rank}
    return {*ranks, *suits, *(suit + rank for suit in suits for rank in ranks)}
