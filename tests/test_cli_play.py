"""The command ``pandoer play``: whole games by script, a bot over JSON lines, and that nothing hidden is told."""

from __future__ import annotations

import io
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import pandoer
from pandoer import Card, Deal, Hand, PandoerError, Record, cli, replay, ruleset
from pandoer.at_the_table import Strength
from pandoer.cli.opening import Dealt
from pandoer.cli.play import played
from pandoer.cli.terminal import Terminal, play_of
from pandoer.match import Match
from pandoer.players import RulePlayer
from pandoer.problems import Play
from pandoer.rulesets import RULESETS
from pandoer.suggest import Suggestion, suggest
from pandoer.view import View, view_of
from tests.commands import Run, mistake
from tests.test_cli import Terminal as Screen
from tests.test_cli import default_sigint, in_a_terminal, interrupted, no_sigint, process, start

QUICK = ("--worlds", "2", "--depth", "1")
PAGAT = ("play", "--rules", "pagat", "--seed", "5", *QUICK)
GIVEN = (*PAGAT, "--contract", "kereltje", "--trump", "S", "--discard", "DQ")


class Scripted(io.RawIOBase):
    """A player who reads the screen: he takes the default, and of his legal cards the first."""

    def __init__(self, screen: io.StringIO, before: str = "") -> None:
        self.screen, self.before = screen, before.splitlines(keepends=True)

    def readline(self, size: int | None = -1, /) -> bytes:
        if self.before:
            return self.before.pop(0).encode()
        written = self.screen.getvalue()
        if not written.endswith("card: "):
            return b"\n"
        return re.findall(r"\[(..)\]", written.rpartition("you hold")[2])[0].encode() + b"\n"  # type: ignore[no-any-return]


@dataclass
class Stdin:
    buffer: Scripted

    def isatty(self) -> bool:
        return False


def game(monkeypatch: pytest.MonkeyPatch, *argv: str, before: str = "") -> str:
    """What a whole game prints."""
    screen = io.StringIO()
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", screen)
        patch.setattr(sys, "stdin", Stdin(Scripted(screen, before)))
        assert cli.main(argv) == 0
    return screen.getvalue()


@pytest.mark.parametrize("name", [rules.name for rules in RULESETS])
@pytest.mark.parametrize("seat", ["0", "1"])
def test_a_game_in_each_ruleset(monkeypatch: pytest.MonkeyPatch, name: str, seat: str) -> None:
    argv = ("play", "--rules", name, "--seed", "7", "--seat", seat, *QUICK)
    out = game(monkeypatch, *argv)
    tricks = re.findall(r"^(\d)\. seat \d: .*, won by seat \d, \d+ points?$", out, re.MULTILINE)
    assert tricks == [*"12345678"]
    assert out.count("\ncard: ") == 8
    hands = [Hand(text) for text in re.findall(r"^seat \d held (.*)$", out, re.MULTILINE)]
    assert [len(hand) for hand in hands] == [8] * ruleset(name).players[0]
    assert re.search(r"^[\w-]+.*: \d+ points for seats? .*(made|not made)$", out, re.MULTILINE)
    again = out.splitlines()[-1].removeprefix("The same deal again: ")
    assert game(monkeypatch, *shlex.split(again)[1:]) == out
    if seat == "0":
        assert "\nbid [" in out
    else:
        assert "bid [" not in out
        assert "quick look" not in out
    assert "\x1b" not in out


def test_the_result_is_that_of_the_record(monkeypatch: pytest.MonkeyPatch) -> None:
    out = game(monkeypatch, *GIVEN)
    dealt = Dealt.of(ruleset("pagat"), np.random.SeedSequence(5, spawn_key=(0,)))
    assert dealt.watch is not None
    deal = Deal([(dealt.hands[0] | dealt.watch) - Card("DQ"), *dealt.hands[1:]], discard="DQ")
    cards = re.findall(r"^\d\. seat \d: (.*), won by", out, re.MULTILINE)
    record = replay(deal, ruleset("pagat").contract("kereltje", trump="S"), " | ".join(cards))
    assert f"kereltje, trump ♠: {record.standing()}\n" in out
    amounts = ", ".join(f"seat {seat} {amount:+g}" for seat, amount in enumerate(record.paid()))
    assert f"\npoints: {amounts}\n" in out
    assert "\ndiscard ♦Q\n" in out


def test_cards_that_are_given_are_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    hand = "SJ S9 SA HK HQ D8 CT C7"
    for seat in ("0", "2"):
        out = game(monkeypatch, *PAGAT, "--seat", seat, "--hand", hand, "--watch", "H7", "--contract", "misere")
        assert "watch card ♥7\n" in out
        own = re.findall(rf"^seat {seat} held (.*)$", out, re.MULTILINE)[0]
        assert len(Hand(own) & Hand(hand)) >= (8 if seat == "2" else 7)
        assert f"--seat {seat} --hand 'SJ S9" in out.splitlines()[-1]


def test_every_layout_is_dealt() -> None:
    rules = ruleset("pagat")
    hand, watch = Hand("SJ S9 SA HK HQ D8 CT C7"), Card("H7")
    seeds = [np.random.SeedSequence(seed) for seed in range(600)]
    dealt = [Dealt.of(rules, seed, seat=1, hand=hand, watch=watch) for seed in seeds]
    for one in dealt[:20]:
        assert one.hands[1] == hand
        assert one.watch == watch
        assert sum(map(len, one.hands)) == 32
        assert not any(one.hands[seat] & (hand | watch) for seat in (0, 2, 3))
    for card in ("SK", "H6", "DA"):
        times = [sum(card in one.hands[seat] for one in dealt) for seat in (0, 2, 3)]
        assert min(times) > 150  # 200 on average, with a standard deviation of 12
    assert Dealt.of(rules, seeds[0]) == Dealt.of(rules, seeds[0])
    two = Dealt.of(ruleset("pandur"), seeds[0], players=2)
    assert two.bottom is not None
    assert not any(two.bottom in hand for hand in two.hands)


def test_pandur_with_a_dealer_who_sits_out(monkeypatch: pytest.MonkeyPatch) -> None:
    argv = ("play", "--rules", "pandur", "--seed", "1", *QUICK, "--contract", "200", "--trump", "C", "--players")
    assert ", the dealer who sits out +" in game(monkeypatch, *argv, "4")
    assert "\nbottom of the stock " in game(monkeypatch, *argv, "2")
    swiss = game(monkeypatch, *argv[:-1], "--lang", "ch", before="♣U\n")
    assert "trump ♣ (Schellen)" in swiss


# Choosing a contract


def test_what_is_asked_can_be_answered(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    out = game(monkeypatch, *PAGAT, before="grand slam\n120\nX\nH\nSA\nHJ\nHA\nDA\n")
    assert out.count("\nbid [kereltje]: ") == 2
    assert "\npagat: 120, trump ♥, called DA, declarer seat 0, you are seat 0\n" in out
    assert "\ndiscard ♥J\n" in out
    errors = capsys.readouterr().err.splitlines()
    assert [word in error for word, error in zip(("'grand slam'", "'X'", "'SA'", "'HA'"), errors, strict=True)] == [
        True
    ] * 4  # fmt: skip
    assert all(error.startswith("pandoer: ") for error in errors)


def test_only_what_is_not_given_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    out = game(monkeypatch, *PAGAT, "--contract", "120", "--trump", "S")
    assert "bid [" not in out
    assert "trump [" not in out
    assert "\ndiscard [" in out
    assert "\ncalled [" in out
    assert "discard [" not in game(monkeypatch, *GIVEN)


def test_when_no_bid_gains_the_least_bad_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    def poor(rules: pandoer.Ruleset, seed: np.random.SeedSequence) -> bool:
        dealt = Dealt.of(rules, seed)
        return pandoer.advise(dealt.hands[0], rules=rules, watch=dealt.watch, samples=40, plans=4).best is None

    rules = ruleset("pandur")
    seed = next(n for n in range(50) if poor(rules, np.random.SeedSequence(n, spawn_key=(0,))))
    argv = ("play", "--rules", "pandur", "--seed", str(seed), *QUICK)
    assert "No bid gains anything; the least bad:\n" in game(monkeypatch, *argv)
    out = game(monkeypatch, *argv, "--seat", "1")
    assert "\nNo bid gained anything with the declarer's cards; this was the least bad.\n" in out
    assert "least bad" not in out.split("\n8. ")[0]


# Reading cards


def view(hand: str, plays: str = "", lang: str = "en", **more: Any) -> View:
    given = {"rules": "pagat", "contract": "misere", "trump": "C", "seat": 1, "hand": Hand(hand, lang=lang)}
    return view_of({**given, "plays": plays.split(), **more})


@pytest.mark.parametrize(
    ("text", "card"),
    [("HA", "HA"), ("♥a", "HA"), (" h:A ", "HA"), ("A", "HA"), ("9", "H9"), ("h10", "HT"), ("10", "HT"), ("t", "HT")],
)
def test_a_card_in_any_form(text: str, card: str) -> None:
    assert play_of(text.strip(), view("HA HT H9 S7 S8 SA DK D8", "HK"), "en") == Play(Card(card))


def test_short_forms_in_other_languages() -> None:
    dutch = view("HA H10 HV S7 S8 SA DH D8", "H9", "nl")
    assert play_of("V", dutch, "nl") == Play(Card("HQ"))
    assert play_of("10", dutch, "nl") == Play(Card("HT"))
    with pytest.raises(PandoerError, match="is it"):
        play_of("H", dutch, "nl")  # hearts are three cards
    alone = view("HA S9 S8 S7 DK D8 CA C9", "H9")
    assert play_of("H", alone, "en") == Play(Card("HA"))
    assert play_of("", view("HA S9 S8 S7 DK D8 DA D9", "H9"), "en") == Play(Card("HA"))  # there is no other


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "? for the chance of each"),
        ("S7", "card 'S7' is not legal now: expected one of ♥A ♥T ♥9"),
        ("CA", "card 'CA' is not in your hand: expected one of ♥A ♥T ♥9"),
        ("H", "card 'H': is it ♥A or ♥T or ♥9?"),
        ("HA must", "card 'HA must': expected one of ♥A ♥T ♥9"),
        ("HA H9", "cannot read card 'HA H9'"),
        ("hello", "cannot read card 'hello'"),
        ("must", "cannot read card ''"),
        ("\\xff", "cannot read card"),
    ],
)
def test_a_card_that_will_not_do(text: str, said: str) -> None:
    with pytest.raises(PandoerError) as caught:
        play_of(text, view("HA HT H9 S7 S8 SA DK D8", "HK"), "en")
    assert said in str(caught.value)


def test_what_is_said_with_the_called_suit() -> None:
    own = view_of({"contract": "pandoer", "trump": "S", "called": "HA", "seat": 0, "discard": "D7",
                   "hand": "SJ S9 SA HK HQ D8 CT C7"})  # fmt: skip
    assert play_of("HK must", own, "en") == play_of("K must", own, "en") == Play(Card("HK"), "must")
    assert play_of("HK", own, "en") == Play(Card("HK"), "must")  # the only one to trick 1
    either = view_of({**own.to_json(), "contract": "130"})
    assert play_of("♥Q need not", either, "en") == play_of("hq NEED-NOT", either, "en") == Play(Card("HQ"), "need-not")
    with pytest.raises(PandoerError, match="is it ♥K must or ♥K need-not"):
        play_of("HK", either, "en")


def test_bad_cards_are_asked_again(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    out = game(monkeypatch, *GIVEN, before="SX\nCA\n\nSQ HJ\nSQ\n")
    errors = capsys.readouterr().err.splitlines()
    assert len(errors) == 4
    assert all(error.startswith("pandoer: ") for error in errors)
    assert out.count("card: ") == 12
    assert "\n1. seat 0: ♠Q " in out


def test_questions_at_a_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    argv = ("play", "--rules", "pandur", "--seed", "5", *QUICK, "--contract", "misere-ohne")
    out = game(monkeypatch, *argv, before="?\n??\n")
    assert out.startswith("pandur: you hold ")
    flat = " ".join(out.split())
    assert "over 200 deals that agree with what you know: all hands known after the card." in flat
    assert "too long" not in flat
    assert "over 20 deals that agree with what you know: the declarer chooses 2 cards" in flat


def test_when_there_is_no_looking_ahead(monkeypatch: pytest.MonkeyPatch) -> None:
    out = game(monkeypatch, "play", "--rules", "pandur", "--seed", "5", "--seat", "1", *QUICK, before="??\n")
    assert "\nThere is no looking ahead but for a declarer whose game is closed.\n" in out
    monkeypatch.setattr("pandoer.cli.play.MOST_NODES", 1)
    out = game(monkeypatch, *GIVEN, before="??\n")
    assert "\nTo look further ahead takes too long here.\n" in out
    assert "over 200 deals" in out


# Ending


def test_ending_early(run: Run) -> None:
    again = "The same deal again: pandoer play --seed 5 --rules pagat --contract kereltje --trump S --discard DQ"
    for script in ("q\n", "", "SQ\nquit\n"):
        ran = run(*GIVEN, stdin=script)
        assert (ran.status, ran.err) == (0, "")
        assert ran.out.splitlines()[-1].startswith(f"Ended. {again}")
    ran = run(*PAGAT, stdin="120\n")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.splitlines()[-1].startswith("Ended. The same deal again: pandoer play --seed 5 --rules pagat")


def test_a_new_deal_each_time(run: Run) -> None:
    outs = {run("play", "--rules", "pandur", "--contract", "100", "--trump", "C", *QUICK).out for _ in range(3)}
    assert len(outs) == 3
    assert all("--seed" in out for out in outs)


def test_a_script_that_is_no_utf_8(run: Run) -> None:
    ran = run(*GIVEN, stdin=b"\xff\xfe\nSQ\n")
    assert ran.status == 0
    assert ran.err.count("\n") == 1
    assert "xff" in ran.err


@no_sigint
def test_ctrl_c_at_a_turn() -> None:
    with start(*GIVEN, preexec_fn=default_sigint) as running:
        assert running.stdout is not None
        begun = b""
        while not begun.endswith(b"card: "):
            begun += running.stdout.read1()  # type: ignore[attr-defined]
        ran = interrupted(running)
    assert (ran.status, ran.err) == (130, "pandoer: interrupted\n")
    assert ran.out.splitlines()[-1].startswith("Ended. The same deal again: ")


@no_sigint
def test_ctrl_c_in_a_terminal() -> None:
    screen = in_a_terminal(*GIVEN, press_when="card: ")
    assert (screen.status, screen.err) == (130, "pandoer: interrupted\n")
    assert "Ended. The same deal again: " in screen.text


def test_legal_cards_are_bold_in_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stdout", screen := Screen())
    monkeypatch.setattr(sys, "stdin", Stdin(Scripted(io.StringIO(), "q\n")))
    assert cli.main(GIVEN) == 0
    assert "\x1b[1m[♠Q]\x1b[0m" in screen.getvalue()


def test_letters_where_symbols_cannot_be_written() -> None:
    argv = ("play", "--rules", "pandur", "--seed", "3", *QUICK, "--lang", "ch")
    ran = process(*argv, PYTHONIOENCODING="ascii")
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("pandur: you hold ")
    assert "\nbid [" in ran.out


# Mistakes

MISTAKES = {
    "unknown ruleset": (("play", "--rules", "hoyle"), "'hoyle'"),
    "unknown bid": ((*PAGAT, "--contract", "slam"), "'slam'"),
    "a seat that is not there": ((*PAGAT, "--seat", "4"), "seat 4"),
    "a negative seat": ((*PAGAT, "--seat", "-1"), "seat -1"),
    "negative seed": (("play", "--seed", "-1"), "-1"),
    "players": ((*PAGAT, "--players", "3"), "3"),
    "seven cards": ((*PAGAT, "--hand", "SJ S9 SA HK HQ D8 CT"), "♠AJ9 ♥KQ ♦8 ♣T"),
    "unknown card": ((*PAGAT, "--hand", "SX"), "'SX'"),
    "watch card in the hand": ((*PAGAT, "--hand", "SJ S9 SA HK HQ D8 CT C7", "--watch", "SJ"), "'SJ'"),
    "watch card in pandur": (("play", "--rules", "pandur", "--watch", "SJ"), "'SJ'"),
    "trump without a contract": ((*PAGAT, "--trump", "S"), "trump ♠"),
    "trump where there is none": ((*PAGAT, "--contract", "zwabber", "--trump", "S"), "'S'"),
    "discard that is not held": ((*PAGAT, "--contract", "prive", "--discard", "C7"), "'C7'"),
    "called card that is held": ((*PAGAT, "--contract", "120", "--called", "HA"), "'HA'"),
    "no worlds": ((*PAGAT, "--worlds", "0"), "worlds 0"),
    "no depth": ((*PAGAT, "--depth", "0"), "depth 0"),
    "a contract that another's cards do not allow": (
        (*PAGAT, "--seat", "1", "--contract", "prive", "--discard", "S6"), "'S6'"
    ),
}  # fmt: skip


@pytest.mark.parametrize(("argv", "quoted"), MISTAKES.values(), ids=MISTAKES.keys())
@pytest.mark.parametrize("more", [(), ("--jsonl",)])
def test_a_mistake_is_told_in_one_line(run: Run, argv: tuple[str, ...], quoted: str, more: tuple[str, ...]) -> None:
    assert quoted in mistake(run(*argv, *more))


def test_a_mistake_does_not_show_the_declarers_cards(run: Run) -> None:
    for choice in (("--discard", "C7"), ("--called", "HA", "--trump", "S")):
        error = mistake(run(*PAGAT, "--seat", "1", "--contract", "120", *choice))
        assert "seat 0 cannot choose it with the cards that he was dealt" in error
        assert "♠" not in error.replace("trump ♠", "")


# A bot over JSON lines


BOT = (*PAGAT, "--seat", "2", "--contract", "120", "--jsonl")


def conversation(*argv: str, answers: Callable[[dict[str, Any]], list[Any]]) -> tuple[int, list[dict[str, Any]]]:
    """Play with a bot in a process of its own: its lines, one by one; `answers` gives those to a turn."""
    seen: list[dict[str, Any]] = []
    with start(*argv) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        waiting = 0
        for line in running.stdout:
            seen.append(json.loads(line))
            if "turn" in seen[-1] and not waiting:
                given = answers(seen[-1])
                waiting = len(given)
                running.stdin.write("".join(f"{one}\n" for one in given).encode())
                running.stdin.flush()
            if "turn" in seen[-1]:
                waiting = max(0, waiting - 1)
        running.stdin.close()
        assert running.stderr is not None
        assert running.stderr.read() == b""
        return running.wait(20), seen


def test_a_bot_plays_a_game() -> None:
    status, seen = conversation(*BOT, answers=lambda turn: [json.dumps({"play": turn["legal"][0]})])
    assert status == 0
    turns, result = [line for line in seen if "turn" in line], seen[-1]["result"]
    assert len(turns) == 8
    assert [*result] == ["made", "points", "paid", "plays", "hands", "discard", "again"]
    assert len(result["plays"]) == 32
    mine = [turn["legal"][0] for turn in turns]
    announced = [line["play"] for line in seen if "play" in line]
    assert len(announced) == 24
    assert sorted(mine + announced) == sorted(result["plays"])
    for turn in turns:
        own = view_of(turn["view"])
        assert own.to_move
        assert turn["turn"] == own.seat == 2
        assert [*map(str, own.legal)] == turn["legal"]
        assert own.hand == Hand(result["hands"][2])
        assert [*map(str, own.history.plays)] == result["plays"][: len(own.history.plays)]
        assert "discard" not in turn["view"] or turn["view"]["discard"] is None
        assert turn["view"]["shown"] == {}
    first = view_of(turns[0]["view"])
    deal = Deal(result["hands"], discard=result["discard"])
    record = replay(deal, first.contract, result["plays"])
    assert result["made"] == record.made
    assert result["points"] == record.points + record.melds
    assert result["paid"] == [*record.paid()]
    assert conversation(*BOT, answers=lambda turn: [json.dumps({"play": turn["legal"][0]})]) == (status, seen)


def test_a_bot_may_ask_and_err() -> None:
    told = ["oops", "[]", '{"play": "SX"}', '{"play": "H6", "ask": "odds"}', '{"play": 7}', '{"ask": "why"}', "{}",
            '{"ask": ["odds"]}', '{"ask": "odds"}', '{"ask": "ahead"}']  # fmt: skip
    first = True

    def answers(turn: dict[str, Any]) -> list[Any]:
        nonlocal first
        card, illegal = turn["legal"][0], {"play": "D6"}
        given, first = [*told, json.dumps(illegal)] if first else [], False
        return [*given, json.dumps({"play": card})]

    status, seen = conversation(*BOT, answers=answers)
    assert status == 0
    assert len([line for line in seen if "error" in line]) == 9
    for line, after in pairwise(seen):
        if "error" in line or "cards" in line:
            assert "turn" in after
    odds = [line for line in seen if "cards" in line]
    assert [line["depth"] for line in odds] == [1, 1]
    quoted = [line["error"] for line in seen if "error" in line]
    assert all(word in error for word, error in zip(("'oops'", "[]", "'SX'", "H6", "7", "'why'", "{}", "['odds']"),
                                                    quoted, strict=False))  # fmt: skip


def test_a_bot_that_goes_away(run: Run) -> None:
    ran = run(*BOT)
    assert ran.status == 1
    assert ran.err == "pandoer: the input ended before the game\n"
    assert all(json.loads(line) for line in ran.out.splitlines())


def test_the_machine_chooses_the_contract_for_a_bot(run: Run) -> None:
    for seat in ("0", "1"):
        ran = run("play", "--rules", "pandur", "--seed", "3", "--seat", seat, *QUICK, "--jsonl")
        turn = json.loads(ran.out.splitlines()[-1])
        assert turn["view"]["seat"] == int(seat)
        assert ruleset("pandur").bid(turn["view"]["contract"])


def test_a_bot_sees_open_hands(run: Run) -> None:
    argv = ("play", "--rules", "pagat", "--seed", "4", "--contract", "praatje", "--trump", "S", *QUICK, "--jsonl")
    turn = json.loads(run(*argv, "--seat", "1").out.splitlines()[-1])
    assert [*turn["view"]["shown"]] == ["0", "2", "3"]
    first = json.loads(run(*argv).out.splitlines()[-1])
    assert first["view"]["shown"] == {}


# Nothing hidden is told


@dataclass
class Replaying:
    """Plays the cards of a list, seat by seat."""

    plays: list[Play]

    def play(self, view: View, seed: np.random.SeedSequence) -> Play:
        return self.plays[len(view.history.plays)]


@dataclass
class Asking:
    """Somebody at a terminal who asks for everything at each turn and then plays what was played; he ends at a turn."""

    terminal: Terminal
    plays: list[Play]
    last: int
    views: list[View] = field(default_factory=list)

    def choose(self, view: View) -> Play:
        self.views.append(view)
        play = self.plays[len(view.history.plays)]
        answers = iter(["?", "??", "nonsense", "", str(play)])
        self.terminal.ask = lambda what, default="": next(answers)  # type: ignore[method-assign]
        chosen = self.terminal.choose(view)
        if len(view.history.plays) >= self.last:
            raise EOFError
        return chosen

    def saw(self, view: View, seat: int, play: Play) -> None:
        self.views.append(view)
        self.terminal.saw(view, seat, play)


def deals(name: str) -> Iterator[tuple[Match, Record]]:
    """Deals with a contract each, played by rules of thumb."""
    rules = ruleset(name)
    for bid in rules.bids[:: max(1, len(rules.bids) // 3)]:
        for seed in range(20):
            dealt = Dealt.of(rules, np.random.SeedSequence(seed))
            known = dealt.hands[0] if dealt.watch is None else dealt.hands[0] | dealt.watch
            for plan in pandoer.plans.legal_plans(rules, bid, known, pandoer.plans.Plan()):
                match = dealt.match(bid, plan)
                break
            else:
                continue
            players = [RulePlayer()] * match.history.players
            yield match, pandoer.play_out(match, players, np.random.SeedSequence(1), to_the_end=True).record
            break


@pytest.mark.parametrize("name", [rules.name for rules in RULESETS])
def test_nothing_that_is_printed_depends_on_hidden_cards(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(11)

    def suggestion(view: View, ahead: bool) -> Suggestion:
        return suggest(view, worlds=2, depth=2 if ahead else 1)

    other_deals = 0
    for match, record in deals(name):
        seat = int(rng.integers(match.history.players))
        turns = [n for n, play in enumerate(record.plays) if play.card in match.deal.hands[seat]]
        last = turns[int(rng.integers(1, len(turns)))]
        printed, seen = [], []
        at_last = Match.begin(match.deal, match.contract, watch=match.watch, bottom=match.bottom)
        for play in record.plays[:last]:
            at_last = at_last.after(play)
        others, _ = at_last.view(seat).worlds(3, np.random.SeedSequence(2))
        layouts = [match.deal, *(_deal(match, row) for row in others)]
        for deal in layouts:
            other = Match.begin(deal, match.contract, watch=match.watch, bottom=match.bottom)
            human = Asking(Terminal(suggestion, "en"), [*record.plays], last)
            machine = [Replaying([*record.plays])] * match.history.players
            with pytest.raises(EOFError):
                played(other, seat, human, machine, np.random.SeedSequence(0))
            printed.append(capsys.readouterr())
            seen.append([view.to_json() for view in human.views])
        assert len({*printed}) == 1
        assert all(views == seen[0] for views in seen)
        other_deals += sum(deal != match.deal for deal in layouts)
    assert other_deals > 2


def _deal(match: Match, row: Any) -> Deal:
    hands = [Hand.from_bits(bits) for bits in row]
    left = match.contract.rules.deck - Hand.from_bits(int(np.bitwise_or.reduce(row)))
    return Deal(hands, discard=left.cards[0] if match.deal.discard is not None else None)


def test_the_machine_is_as_strong_as_asked() -> None:
    assert [str(player) for player in Strength(7, 3).players(3)] == ["alphamu(7, 3)", "pimc(7)", "pimc(7)"]


def test_help(run: Run) -> None:
    for command in ("play", "suggest"):
        ran = run(command, "--help")
        assert ran.status == 0
        assert ran.out.startswith(f"usage: pandoer {command}")
    top = run("--help").out
    assert "a hand against the machine" in top
    assert "which card to play now" in top


def test_a_reader_that_goes_away_ends_it_quietly() -> None:
    with start(*BOT, stderr=subprocess.PIPE) as bot:
        assert bot.stdin is not None
        assert bot.stdout is not None
        assert bot.stderr is not None
        while "turn" not in (turn := json.loads(bot.stdout.readline())):
            pass
        bot.stdout.close()
        bot.stdin.write(json.dumps({"play": turn["legal"][0]}).encode() + b"\n")
        bot.stdin.close()
        assert bot.wait(20) == 0
        assert bot.stderr.read() == b""
