"""The command line: answers, formats, mistakes, Ctrl-C, and the console examples in the README.

Run as a program, this file writes the present output of the console examples into the README.
"""

from __future__ import annotations

import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import pandoer
from pandoer import cli

HAND = "♠J9A ♥KQ ♦8 ♣T7"
PANDUR_HAND = "CJ C9 CA CK HA HK DA SA"
QUICK = ("odds", HAND, "--bid", "prive", "--watch", "H7", "--samples", "20")
# A deal in which only the called suit, led with "must", makes the contract.
DEAL = "♠AJ9 ♥KQ7 ♦8 ♣7 / ♠87 ♥6 ♦AKJ7 ♣9 / ♠KQ ♥AJT9 ♦QT / ♠T ♥8 ♦9 ♣AKQJ8"
PANDOER = ("solve", DEAL, "--contract", "pandoer", "--trump", "S", "--called", "HA")
ENDING = "SJ S9 / HA H7 / D7 D8 / C7 C8"
PROBLEM = {"rules": "pagat", "contract": "prive", "trump": "S", "hands": ENDING.split(" / ")}
LONG = ("odds", HAND, "--bid", "130", "--samples", "100000")
README = Path(__file__).resolve().parent.parent / "README.md"


class Ran(NamedTuple):
    """What a command did."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON value on standard output."""
        assert self.out.count("\n") == 1
        return json.loads(self.out)


Run = Callable[..., Ran]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in this process."""

    def run(*argv: str, stdin: str | bytes = "") -> Ran:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        return Ran(cli.main(argv), *capsys.readouterr())

    return run


def start(*argv: str, **more: Any) -> subprocess.Popen[bytes]:
    """Start a command as a process of its own, with pipes and with Ctrl-C as in a terminal."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([sys.executable, "-m", "pandoer", *argv], **{**pipes, **more})


def process(*argv: str, **variables: str) -> Ran:
    """Run a command as a process of its own, with these variables in its environment."""
    with start(*argv, env={**os.environ, **variables}) as running:
        out, err = running.communicate()
    return Ran(running.returncode, out.decode(), err.decode())


def mistake(ran: Ran) -> str:
    """The one line that tells a user's mistake."""
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("pandoer: ")
    assert ran.err.count("\n") == 1
    return ran.err


# odds


def test_odds_json_is_that_of_the_library(run: Run) -> None:
    ran = run(*QUICK, "--rules", "pagat", "--seed", "5", "--json")
    odds = pandoer.odds(HAND, "prive", rules="pagat", watch="H7", samples=20, seed=5)
    assert (ran.status, ran.err) == (0, "")
    assert ran.json == odds.to_json()
    assert set(ran.json) == {
        "bid", "rules", "view", "probability", "low", "high", "samples", "plan", "plans", "value", "expected",
    }  # fmt: skip
    assert set(ran.json["plan"]) == {"trump", "discard", "called", "lead"}


def test_odds_json_with_an_unknown_watch_card(run: Run) -> None:
    answer = run("odds", HAND, "--bid", "prive", "--samples", "25", "--json").json
    assert answer["plan"] is None
    assert {row["watch"] for row in answer["plans"]} == {str(card) for card in pandoer.ruleset().deck} - {
        str(card) for card in pandoer.Hand(HAND)
    }


def test_odds_in_words(run: Run) -> None:
    ran = run("odds", HAND, "--bid", "pandoer", "--watch", "H7", "--samples", "50")
    odds = pandoer.odds(HAND, "pandoer", watch="H7", samples=50)
    lines = ran.out.splitlines()
    assert lines[0] == "pandoer (wikipedia-nl) with ♠AJ9 ♥KQ ♦8 ♣T7, watch card ♥7"
    chance = f"{100 * odds.probability:.1f} % (95 % interval {100 * odds.low:.1f} to {100 * odds.high:.1f} %)"
    assert lines[1] == f"  chance    {chance}, double-dummy, 50 deals"
    assert lines[2] == f"  plan      {odds.plan}"
    assert lines[3] == "  pays      5 points"
    assert lines[4] == f"  expected  {odds.expected:+.2f} points a deal for the declarer"
    assert "the deals that chose the plan" in lines[6]
    others = [row for row in lines[8:13] if re.search(r"\d % .* to .* % +\d+$", row)]
    assert [row.split("  ")[0] for row in others] == [str(row.plan) for row in odds.plans[1:6]]
    assert lines[13] == f"and {len(odds.plans) - 6} more with --json"
    assert max(map(len, lines)) <= 80


def test_odds_in_words_with_an_unknown_watch_card(run: Run) -> None:
    ran = run("odds", HAND, "--bid", "prive", "--samples", "25")
    assert "watch card unknown" in ran.out
    assert "pays      7 points, to or from the declarer 21 in all" in ran.out
    rows = ran.out.split("deals\n")[-1].splitlines()
    assert len(rows) == 25
    assert rows[0].startswith("♠K     trump ")


def test_odds_in_a_game_without_a_watch_card(run: Run) -> None:
    argv = ("odds", PANDUR_HAND, "--rules", "pandur", "--bid", "pandur-mit", "--samples", "20")
    out = run(*argv).out
    assert "watch card" not in out
    assert "pays      6 Schreibpunkte\n" in out
    assert run(*argv, "--players", "2").status == 0


def test_odds_of_a_fixed_plan(run: Run) -> None:
    fixed = ("--trump", "S", "--discard", "C7", "--called", "HA", "--bidders", "1,3")
    argv = ("odds", HAND, "--bid", "pandoer", "--watch", "H7", "--samples", "20", *fixed)
    answer = run(*argv, "--json").json
    assert answer["plan"] == {"trump": "S", "discard": "C7", "called": "HA", "lead": None}
    assert len(answer["plans"]) == 1
    assert "Other plans" not in run(*argv).out


def test_odds_do_not_depend_on_the_number_of_threads(run: Run) -> None:
    assert run(*QUICK, "--threads", "1").out == run(*QUICK, "--threads", "3").out


def test_odds_with_a_precision(run: Run) -> None:
    answer = run("odds", HAND, "--bid", "kereltje", "--watch", "H7", "--precision", "0.05", "--json").json
    assert (answer["high"] - answer["low"]) / 2 <= 0.05


@pytest.mark.parametrize(
    ("lang", "hand", "shown"),
    [("nl", "♠B9A ♥HV ♦8 ♣107", "♠AB9 ♥HV ♦8 ♣107"), ("ch", "♠UNA ♥KO ♦8 ♣B7", "♠AUN ♥KO ♦8 ♣B7")],
)
def test_odds_in_another_language(run: Run, lang: str, hand: str, shown: str) -> None:
    same = run(*QUICK, "--json").json
    argv = ("odds", hand, "--bid", "prive", "--watch", "H7", "--samples", "20", "--lang", lang)
    assert run(*argv, "--json").json == same
    assert f"with {shown}, watch card ♥7" in run(*argv).out


# How it is shown


def test_output_is_plain_when_it_is_no_terminal() -> None:
    for argv in (QUICK, ("rules",), ("rules", "pagat"), PANDOER):
        ran = process(*argv, FORCE_COLOR="1", COLUMNS="20")
        assert (ran.status, ran.err) == (0, "")
        assert "\x1b" not in ran.out
        assert ran.out == "".join(line.rstrip() + "\n" for line in ran.out.splitlines())
    assert "… " not in ran.out


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp1252"])
def test_symbols_become_letters_where_they_cannot_be_written(encoding: str) -> None:
    ran = process(*QUICK, PYTHONIOENCODING=encoding)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("prive (wikipedia-nl) with SAJ9 HKQ D8 CT7, watch card H7\n")
    assert "?" not in process("rules", "wikipedia-nl", PYTHONIOENCODING=encoding).out


class Terminal(io.StringIO):
    """A terminal that is only a text."""

    def isatty(self) -> bool:
        return True


def test_tables_keep_within_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "dumb")
    for rules in pandoer.RULESETS:
        monkeypatch.setattr(sys, "stdout", screen := Terminal())
        assert cli.main(["rules", rules.name]) == 0
        lines = screen.getvalue().splitlines()
        assert max(map(len, lines)) <= 80
        assert "…" not in screen.getvalue()
        for name in (row[0].split(",")[0] for row in rules.table()):
            assert any(line.startswith(name) for line in lines)


def test_progress_is_shown_in_a_terminal_only(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli._Bar, "PATIENCE", 0.0)
    assert run(*QUICK).err == ""
    monkeypatch.setattr(sys, "stderr", screen := Terminal())
    monkeypatch.setenv("TERM", "xterm")
    assert cli.main(QUICK) == 0
    assert "solving deals" in screen.getvalue()
    monkeypatch.setattr(cli._Bar, "PATIENCE", 60.0)
    monkeypatch.setattr(sys, "stderr", quiet := Terminal())
    assert cli.main(QUICK) == 0
    assert quiet.getvalue() == ""


# solve


def test_solve_a_deal(run: Run) -> None:
    ran = run(*PANDOER)
    assert (ran.status, ran.err) == (0, "")
    lines = ran.out.splitlines()
    assert lines[0] == "pandoer (wikipedia-nl), trump ♠, called ♥A, declarer seat 0"
    assert lines[1] == "  result  made, double-dummy"
    assert lines[2] == "  best    ♥K must, ♥Q must (seat 0 to play)"
    assert re.fullmatch(r"  nodes   [\d,]+", lines[3])


def test_solve_as_json(run: Run) -> None:
    answer = run(*PANDOER, "--discard", "CT", "--json").json
    assert list(answer) == ["made", "points", "tricks", "best", "nodes"]
    assert answer["made"] is True
    assert answer["best"] == ["HK must", "HQ must"]


def test_solve_points_and_melds(run: Run) -> None:
    suits = ("S", "H", "D", "C")
    deal = " / ".join(" ".join(suit + rank for rank in "AKQJT987") for suit in suits)
    argv = ("solve", deal, "--contract", "160", "--rules", "pagat", "--trump", "S", "--called", "HA")
    without = run(*argv, "--no-melds", "--json").json["points"]
    assert "result  not made, 146 points, double-dummy" in run(*argv, "--no-melds").out
    with_two_runs_of_8_and_marriage = without + 160 + 160 + 20
    for more in ((), ("--melds",), ("--bidders", "2")):
        assert run(*argv, *more, "--json").json["points"] == with_two_runs_of_8_and_marriage


def test_solve_in_the_middle_of_a_trick(run: Run) -> None:
    argv = ("solve", "S9 / HA H7 / D7 D8 / C7 C8", "--contract", "prive", "--trump", "S", "--trick", "SJ")
    answer = run(*argv, "--json").json
    assert answer["made"] is True
    assert answer["best"] == ["HA", "H7"]
    assert "(seat 1 to play)" in run(*argv).out


def test_solve_with_leader_and_declarer(run: Run) -> None:
    argv = ("solve", ENDING, "--contract", "prive", "--trump", "H", "--declarer", "1", "--leader", "0")
    assert run(*argv, "--json").json["made"] is True
    assert "declarer seat 1" in run(*argv).out
    assert run(*argv, "--trick-number", "0", "--json").json["made"] is True


def test_solve_a_protected_lead(run: Run) -> None:
    deal = "SJ HK / HA C9 / D7 D8 / C7 C8"
    choices = ("--contract", "pandoer", "--trump", "S", "--called", "HA")
    argv = ("solve", deal, *choices)
    for call, made in (("must", True), ("need-not", False)):
        answer = run(*argv, "--lead", f"HK {call}", "--json").json
        assert (answer["made"], answer["best"]) == (made, [f"HK {call}"])
        middle = ("solve", deal.replace(" HK", ""), *choices, "--trick", "HK", "--call", call)
        assert run(*middle, "--json").json["made"] is made
    dutch = ("solve", deal.replace("SJ HK", "SB HH"), *choices, "--lang", "nl", "--lead", "♥H must")
    assert "best    ♥H must (seat 0" in run(*dutch).out


def test_solve_a_joined_misere(run: Run) -> None:
    argv = ("solve", "S7 S8 / H7 HA / D7 DA / C7 CA", "--contract", "misere", "--joiners", "1")
    answer = run(*argv, "--json").json
    assert answer["dry"] == {"0": False, "1": True}
    assert "misere (wikipedia-nl), declarer seat 0, joined by seat 1" in run(*argv).out
    assert "seat 1  stays dry" in run(*argv).out


# solve --jsonl


def lines(*problems: object) -> str:
    return "".join((p if isinstance(p, str) else json.dumps(p)) + "\n" for p in problems)


def test_jsonl_answers_in_order(run: Run) -> None:
    lost = {**PROBLEM, "declarer": 1, "id": "second"}
    ran = run("solve", "--jsonl", stdin=lines({**PROBLEM, "id": 1}, "", lost, " \t", PROBLEM))
    assert (ran.status, ran.err) == (0, "")
    first, second, third = map(json.loads, ran.out.splitlines())
    assert first == {"id": 1, **pandoer.solve(PROBLEM).to_json()}
    assert (second["id"], second["made"]) == ("second", False)
    assert list(third) == ["made", "points", "tricks", "best", "nodes"]


@pytest.mark.parametrize("mark", [None, 0, 1.5, "a", [1, {"b": None}], {"x": 1}, "♠\ud800"])
def test_jsonl_gives_the_id_back(run: Run, mark: object) -> None:
    ran = run("solve", "--jsonl", stdin=lines({**PROBLEM, "id": mark}, {"id": mark, "hands": []}))
    answers = [json.loads(line) for line in ran.out.splitlines()]
    assert [answer["id"] for answer in answers] == [mark, mark]
    assert "error" in answers[1]


BAD_LINES = {
    "no JSON": ("oops", "'oops'"),
    "half an object": ('{"hands": [', "expected one JSON object"),
    "two objects": ("{} {}", "expected one JSON object"),
    "a number alone": ("7", "7"),
    "a text alone": ('"SJ"', "'SJ'"),
    "null": ("null", "None"),
    "a list": ("[1, 2]", "[1, 2]"),
    "an empty object": ("{}", "'hands'"),
    "no contract": (json.dumps({"hands": PROBLEM["hands"], "trump": "S"}), "'contract'"),
    "no hands": (json.dumps({"contract": "prive", "trump": "S"}), "'hands'"),
    "no trump": (json.dumps({**PROBLEM, "trump": None}), "trump"),
    "unknown key": (json.dumps({**PROBLEM, "hand": 1}), "'hand'"),
    "unknown card": (json.dumps({**PROBLEM, "hands": ["SX", "HA"]}), "SX"),
    "hands of numbers": (json.dumps({**PROBLEM, "hands": [1, 2, 3, 4]}), "1"),
    "objective of a list": (json.dumps({"hands": PROBLEM["hands"], "objective": {"kind": []}}), ""),
    "not a number": ('{"declarer": NaN}', "NaN"),
    "infinite": ('{"declarer": -Infinity}', "-Infinity"),
    "infinite by size": ('{"id": 1e999}', "1e999"),
    "a number too long": ('{"id": ' + "9" * 5000 + "}", "digits"),
    "a key twice": ('{"hands": [], "hands": []}', "'hands'"),
    "deeply nested": ("[" * 200_000, "nested"),
    "a deeply nested id": ('{"id": ' + "[" * 200_000 + "]" * 200_000 + "}", "nested"),
    "no UTF-8": (b'{"contract": "mis\xe8re"}', "0xe8"),
    "only bytes": (b"\xff\xfe\x00", "0xff"),
}


@pytest.mark.parametrize(("line", "quoted"), BAD_LINES.values(), ids=BAD_LINES.keys())
def test_jsonl_answers_a_bad_line_with_an_error(run: Run, line: str | bytes, quoted: str) -> None:
    bad = line.encode() if isinstance(line, str) else line
    good = json.dumps(PROBLEM).encode()
    ran = run("solve", "--jsonl", stdin=b"\n".join([good, bad, good]))
    assert (ran.status, ran.err) == (1, "")
    first, error, last = map(json.loads, ran.out.splitlines())
    assert first == last == pandoer.solve(PROBLEM).to_json()
    assert list(error) == ["error"]
    assert quoted in error["error"]


def test_jsonl_reads_windows_files(run: Run) -> None:
    ran = run("solve", "--jsonl", stdin=b"\xef\xbb\xbf" + json.dumps(PROBLEM).encode() + b"\r\n\r\n")
    assert ran.json["made"] is True


def test_jsonl_without_input(run: Run) -> None:
    assert run("solve", "--jsonl") == (0, "", "")


def test_jsonl_answers_each_line_as_it_comes() -> None:
    with start("solve", "--jsonl") as bot:
        assert bot.stdin is not None
        assert bot.stdout is not None
        for n in range(3):
            bot.stdin.write(lines({**PROBLEM, "id": n}).encode())
            bot.stdin.flush()
            assert json.loads(bot.stdout.readline())["id"] == n
        bot.stdin.close()
        assert bot.wait(10) == 0


def test_a_reader_that_goes_away_ends_it_quietly() -> None:
    with start("solve", "--jsonl") as bot:
        assert bot.stdin is not None
        assert bot.stdout is not None
        assert bot.stderr is not None
        bot.stdin.write(lines(PROBLEM).encode())
        bot.stdin.flush()
        bot.stdout.readline()
        bot.stdout.close()
        bot.stdin.write(lines(*[PROBLEM] * 20).encode())
        bot.stdin.close()
        assert bot.wait(10) == 0
        assert bot.stderr.read() == b""


@pytest.mark.parametrize("argv", [("rules", "pagat"), ("rules", "--json"), ("--help",), QUICK])
def test_nobody_reads(argv: tuple[str, ...]) -> None:
    with start(*argv) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.close()
        assert running.wait(20) == 0
        assert running.stderr.read() == b""


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a device that is always full")
def test_an_answer_that_cannot_be_written_is_told() -> None:
    with open("/dev/full", "w") as full, start("rules", stdout=full) as running:
        assert running.wait(20) == 1
        assert running.stderr is not None
        assert running.stderr.read().decode().startswith("pandoer: cannot read or write: ")


# rules


def test_rules_lists_the_rulesets(run: Run) -> None:
    rows = run("rules").out.splitlines()
    assert rows[0].split() == ["name", "title", "source"]
    assert [row.split()[0] for row in rows[1:]] == [rules.name for rules in pandoer.RULESETS]
    assert rows[2].endswith(pandoer.ruleset("pagat").source)


@pytest.mark.parametrize("name", [rules.name for rules in pandoer.RULESETS])
def test_rules_of_one(run: Run, name: str) -> None:
    rules = pandoer.ruleset(name)
    ran = run("rules", name)
    assert ran.out.startswith(f"{name}: {rules.title}\n  source   {rules.source}\n")
    facts, bids = ran.out.split("\n\n")
    assert [" ".join(row.split()) for row in bids.splitlines()[1:]] == [
        " ".join(" ".join(cells).split()) for cells in rules.table()
    ]
    for label in ("players", "cards", "trump", "plain", "play", "auction", "melds", "denial", "payment"):
        assert f"\n  {label} " in facts


def test_rules_in_words(run: Run) -> None:
    out = run("rules", "pagat").out
    in_dutch = run("rules", "wikipedia-nl").out
    assert "trump    J 9 A K Q T 8 7 6; points J 20, 9 14, A 11, T 10, K 3, Q 2" in out
    assert "undertrumping is allowed when nothing else is" in out
    assert "runs of 3: 20, 4: 50, 5: 100, 6: 120, 7: 140, 8: 160" in out
    assert "opponents who made a bid may deny melds" in out
    assert "in pandoer the declaring side leads trumps to its first 2 tricks" in in_dutch
    assert "J 9 A K Q T; points" in run("rules", "pandur").out


AUCTIONS = {
    "wikipedia-nl": [
        "a pass is final",
        "when all pass there is husselen: the first hand shuffles his cards anew",
        "others may join a misere, which is then played without trump",
        "a share of a pot of 10 or more may be staked on pandoer, piccolo-praatje, praatje, prive, in steps of 5, "
        "at most 50; a higher stake outranks a lower",
        "of equal bids the earlier stands",
        "but those of kereltje, pandoer, piccolo-praatje, praatje, prive are decided by the kinds of all melds, from "
        "the best down",
    ],
    "cappelle": [
        "a player who has passed may bid again",
        "when all pass there is a new deal",
        "of equal bids the earlier stands",
    ],
    "wikipedia-en": [
        "a pass is final",
        "when all pass there is a new deal",
        "of equal bids the earlier stands",
        "but those of kereltje, pandoer, prive are decided by the kind of the best meld",
    ],
    "pandur": [
        "a pass is final",
        "a pass is called fort",
        "when all pass there is a new deal",
        "of equal bids the earlier stands",
    ],
}


@pytest.mark.parametrize("name", AUCTIONS)
def test_the_auction_in_words(run: Run, name: str) -> None:
    facts = " ".join(run("rules", name).out.split())
    assert f" auction {' '.join(AUCTIONS[name])} melds " in facts


def test_rules_as_json(run: Run) -> None:
    listed = run("rules", "--json").json["rulesets"]
    assert [row["name"] for row in listed] == [rules.name for rules in pandoer.RULESETS]
    for row in listed:
        rules = pandoer.ruleset(row["name"])
        answer = run("rules", row["name"], "--json").json
        assert {key: answer[key] for key in row} == row
        assert [bid["name"] for bid in answer["bids"]] == [bid.name for bid in rules.bids]
        assert [bid["objective"] for bid in answer["bids"]] == [bid.objective.name for bid in rules.bids]
        assert answer["play"]["undertrump"] == rules.play.undertrump
        assert pandoer.Hand(answer["deck"]) == rules.deck
        assert answer["melds"]["runs"] == {str(n): points for n, points in rules.melds.runs}
        for key in ("pass_is_final", "pass_name", "all_pass", "joined_misere"):
            assert answer[key] == getattr(rules, key)
        stakes = {"step": 5, "most": 50, "least_pot": 10} if rules.name == "wikipedia-nl" else None
        assert answer["stakes"] == stakes
        assert [bid["takes_stake"] for bid in answer["bids"]] == [bid.takes_stake for bid in rules.bids]
        assert [bid["melds_decide"] for bid in answer["bids"]] == [bid.melds_decide for bid in rules.bids]


# The rest


def test_version_and_help(run: Run) -> None:
    assert run("--version") == (0, f"pandoer {pandoer.__version__}\n", "")
    for argv in ((), ("odds",), ("solve",), ("rules",)):
        ran = run(*argv, "--help")
        assert ran.status == 0
        assert ran.out.startswith("usage: pandoer")
    assert process("--version").out == f"pandoer {pandoer.__version__}\n"


def odds_of(hand: str, *more: str, bid: str = "pandoer") -> tuple[str, ...]:
    return ("odds", hand, "--bid", bid, *more)


def solve_of(deal: str, *more: str, contract: str = "prive") -> tuple[str, ...]:
    return ("solve", deal, "--contract", contract, *more)


MISTAKES = {
    "no command": ((), "COMMAND"),
    "unknown command": (("advice",), "'advice'"),
    "unknown option": ((*QUICK, "--sample", "3"), "--sample 3"),
    "no bid": (("odds", HAND), "--bid"),
    "no hand": (("odds", "--bid", "160"), "hand"),
    "unknown card": (odds_of("♠J9X ♥KQ ♦8 ♣T7"), "♠J9X"),
    "another language": (odds_of("♠B9A ♥KQ ♦8 ♣T7"), "♠B9A"),
    "unknown language": ((*QUICK, "--lang", "fr"), "'fr'"),
    "a wrong six": (odds_of("♠J6A ♥KQ ♦8 ♣T7"), "S6"),
    "card twice": (odds_of("SJ SJ SA HK HQ D8 CT C7"), "SJ"),
    "seven cards": (odds_of("SJ SA HK HQ D8 CT C7"), "♠AJ ♥KQ ♦8 ♣T7"),
    "nine cards": (odds_of("SJ S9 SA HK HQ D8 CT C7 C8"), "♠AJ9 ♥KQ ♦8 ♣T87"),
    "an empty hand": (odds_of(""), "'.'"),
    "lines in a hand": (odds_of("SJ\nS9\x1b[31m ?"), "?"),
    "a card of another game": (odds_of(HAND, "--rules", "pandur", bid="200"), "D8"),
    "unknown bid": (odds_of(HAND, bid="grand slam"), "'grand slam'"),
    "unknown raise": (odds_of(HAND, bid="pandoer+7"), "'pandoer+7'"),
    "unknown ruleset": (odds_of(HAND, "--rules", "hoyle"), "'hoyle'"),
    "unknown watch card": (odds_of(HAND, "--watch", "H1"), "'H1'"),
    "watch card in the hand": (odds_of(HAND, "--watch", "SJ"), "'SJ'"),
    "watch card of two cards": (odds_of(HAND, "--watch", "H7 H8"), "'H7 H8'"),
    "watch card in Pandur": (odds_of(PANDUR_HAND, "--rules", "pandur", "--watch", "HQ", bid="200"), "'HQ'"),
    "called card in the hand": (odds_of(HAND, "--called", "SA"), "'SA'"),
    "called card in a contract without": (odds_of(HAND, "--called", "HA", bid="prive"), "'HA'"),
    "discard not in the hand": (odds_of(HAND, "--watch", "H7", "--discard", "C8"), "'C8'"),
    "unknown trump": (odds_of(HAND, "--trump", "X"), "'X'"),
    "trump in a contract without": (odds_of(HAND, "--trump", "S", bid="solo-zwabber"), "'S'"),
    "trump jack held in kereltje": (odds_of(HAND, "--trump", "S", bid="kereltje"), "'S'"),
    "every jack held in kereltje": (odds_of("SJ HJ DJ CJ SA HA DA CA", bid="kereltje"), "♠AJ"),
    "negative samples": (odds_of(HAND, "--samples", "-5"), "-5"),
    "no samples": (odds_of(HAND, "--samples", "0"), "0"),
    "samples in words": (odds_of(HAND, "--samples", "abc"), "'abc'"),
    "samples and precision": (odds_of(HAND, "--samples", "7", "--precision", "0.02"), "0.02"),
    "precision too fine": (odds_of(HAND, "--precision", "1e-9"), "1e-09"),
    "no precision": (odds_of(HAND, "--precision", "nan"), "nan"),
    "negative seed": (odds_of(HAND, "--seed", "-1"), "-1"),
    "no threads": (odds_of(HAND, "--watch", "H7", "--threads", "0"), "0"),
    "too many players": (odds_of(HAND, "--players", "5"), "5"),
    "bidders in words": (odds_of(HAND, "--bidders", "1,x"), "'1,x'"),
    "a bidder who is not there": (odds_of(HAND, "--bidders", "1,4"), "[1, 4]"),
    "solve nothing": (("solve",), "deal"),
    "solve without a contract": (("solve", ENDING), "contract"),
    "solve a hand": (solve_of("SJ S9", "--trump", "S"), "'SJ S9'"),
    "unequal hands": (solve_of("SJ S9 / HA / D7 / C7", "--trump", "S"), "♠J9 / ♥A / ♦7 / ♣7"),
    "too few hands": (solve_of("SJ S9 / HA H7", "--trump", "S"), "2 hands"),
    "card in two hands": (solve_of("SJ S9 / SJ HA / D7 D8 / C7 C8", "--trump", "S"), "SJ"),
    "trump is missing": (solve_of(ENDING), "trump"),
    "trump where there is none": (solve_of(ENDING, "--trump", "S", contract="solo-zwabber"), "'S'"),
    "called card is missing": (solve_of(ENDING, "--trump", "S", contract="pandoer"), "called card"),
    "called card of the declarer": (
        solve_of(ENDING, "--trump", "H", "--called", "SJ", contract="pandoer"), "'SJ'",
    ),
    "called card where none is called": (solve_of(ENDING, "--trump", "S", "--called", "HA"), "'HA'"),
    "declarer holds the trump jack": (solve_of(ENDING, "--trump", "S", contract="kereltje"), "'SJ'"),
    "no such declarer": (solve_of(ENDING, "--trump", "S", "--declarer", "4"), "4"),
    "no such leader": (solve_of(ENDING, "--trump", "S", "--leader", "-1"), "-1"),
    "seats in words": (solve_of(ENDING, "--trump", "S", "--joiners", "one"), "'one'"),
    "joiners of a prive": (solve_of(ENDING, "--trump", "S", "--joiners", "1"), "[1]"),
    "unknown call": (solve_of(ENDING, "--trump", "S", "--call", "may"), "'may'"),
    "call without a protected lead": (solve_of(ENDING, "--trump", "S", "--call", "must"), "'must'"),
    "unknown card in the trick": (solve_of(ENDING, "--trump", "S", "--trick", "SX"), "'SX'"),
    "illegal card in the trick": (
        solve_of("S7 / HA H7 / D7 D8 / C8", "--trump", "H", "--leader", "3", "--trick", "SA C9"), "'C9'",
    ),
    "lead that is not held": (solve_of(ENDING, "--trump", "S", "--lead", "HA"), "'HA'"),
    "lead with an unknown call": (solve_of(ENDING, "--trump", "S", "--lead", "SJ maybe"), "'SJ maybe'"),
    "an empty lead": (solve_of(ENDING, "--trump", "S", "--lead", ""), "''"),
    "melds of an ending": (
        solve_of(ENDING, "--trump", "S", "--called", "HA", "--melds", contract="160"), "melds",
    ),
    "trick number": (solve_of(ENDING, "--trump", "S", "--trick-number", "7"), "7"),
    "jsonl with a deal": (("solve", ENDING, "--jsonl"), f"{ENDING!r}"),
    "jsonl with an option": (("solve", "--jsonl", "--trump", "S"), "'S'"),
    "jsonl with a seat": (("solve", "--jsonl", "--declarer", "0"), "declarer 0"),
    "rules of an unknown ruleset": (("rules", "hoyle"), "'hoyle'"),
}  # fmt: skip


@pytest.mark.parametrize(("argv", "quoted"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_is_told_in_one_line(run: Run, argv: tuple[str, ...], quoted: str) -> None:
    assert quoted in mistake(run(*argv))


def test_a_mistake_in_a_process_of_its_own() -> None:
    assert "'abc'" in mistake(process("odds", HAND, "--bid", "pandoer", "--samples", "abc"))
    assert "'hoyle'" in mistake(process("rules", "hoyle", PYTHONIOENCODING="ascii"))


def test_too_little_memory_is_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def odds(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(cli, "odds", odds)
    assert run(*QUICK) == (1, "", "pandoer: not enough memory for this question\n")


# Ctrl-C


def interrupted(running: subprocess.Popen[bytes]) -> Ran:
    """Press Ctrl-C; the command has to end soon."""
    running.send_signal(signal.SIGINT)
    pressed = time.monotonic()
    out, err = running.communicate(timeout=30)
    assert time.monotonic() - pressed < 3
    return Ran(running.returncode, out.decode(), err.decode())


def work_for(running: subprocess.Popen[bytes], seconds: float) -> None:
    """Wait until a process has computed for some time, so that it is past its start."""
    stat = Path(f"/proc/{running.pid}/stat")
    if not stat.exists():
        time.sleep(5 + seconds)
        return
    while running.poll() is None:
        user, system = stat.read_text().rpartition(")")[2].split()[11:13]
        if (int(user) + int(system)) / os.sysconf("SC_CLK_TCK") > seconds:
            return
        time.sleep(0.02)


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT to send")
@pytest.mark.parametrize("threads", [(), ("--threads", "1")], ids=["threads", "one thread"])
def test_ctrl_c_in_odds(threads: tuple[str, ...]) -> None:
    with start(*LONG, *threads, preexec_fn=default_sigint) as running:
        work_for(running, 2.0)
        assert interrupted(running) == (130, "", "pandoer: interrupted\n")


@pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT to send")
def test_ctrl_c_between_problems() -> None:
    with start("solve", "--jsonl", preexec_fn=default_sigint) as running:
        assert running.stdin is not None
        assert running.stdout is not None
        running.stdin.write(lines(PROBLEM).encode())
        running.stdin.flush()
        assert json.loads(running.stdout.readline())["made"] is True
        assert interrupted(running) == (130, "", "pandoer: interrupted\n")


def default_sigint() -> None:
    """Undo what a shell does that runs the tests in the background, where Ctrl-C is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


# The README


class Example(NamedTuple):
    """A command of a console block, as it is written there and as a shell reads it, and its output."""

    written: str
    command: str
    output: str


def examples(readme: str) -> Iterator[Example]:
    """The commands of the README's console blocks, with their output."""
    for block in re.findall(r"^```console\n(.*?)^```$", readme, re.MULTILINE | re.DOTALL):
        for written, output in re.findall(r"^(\$ .*\n(?:> .*\n)*)((?:(?!\$ ).*\n)*)", block, re.MULTILINE):
            yield Example(written, re.sub(r"^[$>] ", "", written, flags=re.MULTILINE), output)


def shell(command: str) -> str:
    """What a command of the README prints."""
    script = f'pandoer() {{ "$PYTHON" -m pandoer "$@"; }}\n{command}'
    variables = {**os.environ, "PYTHON": sys.executable, "PYTHONIOENCODING": "utf-8"}
    done = subprocess.run(
        ["sh", "-c", script], check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=variables
    )
    return done.stdout.decode()


def without_nodes(output: str) -> str:
    """The output without the counts of nodes, which differ from one version of the search to the next."""
    return re.sub(r'(nodes"?:? +)[\d,]+', r"\1N", output)


EXAMPLES = list(examples(README.read_text("utf-8")))


@pytest.mark.skipif(shutil.which("sh") is None, reason="the examples are for a Unix shell")
@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.command.strip())
def test_console_examples_of_the_readme(example: Example) -> None:
    assert without_nodes(shell(example.command)) == without_nodes(example.output)


@pytest.mark.skipif(shutil.which("sh") is None, reason="needs a Unix shell")
def test_closed_streams_are_no_trouble() -> None:
    for command in ("pandoer rules >&-", "pandoer solve --jsonl <&-", "pandoer rules hoyle 2>&-"):
        assert shell(command) == ""


def test_the_readme_begins_with_two_commands() -> None:
    first, second, *_ = re.findall(r"^```sh\n(.*?)```$", README.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert first.startswith("python3 -m venv .venv && .venv/bin/pip install . && .venv/bin/pandoer odds ")
    assert second == ("python3 -m venv .venv && .venv/bin/pip install '.[test]' && .venv/bin/python -m pytest\n")


def test_the_readme_has_examples_of_every_command() -> None:
    commands = " ".join(example.command for example in EXAMPLES)
    for words in ("pandoer odds", "pandoer solve", "pandoer solve --jsonl", "pandoer rules"):
        assert words in commands


def update(readme: Path) -> None:
    """Write the present output of the console examples into the README."""
    text = readme.read_text("utf-8")
    for written, command, output in examples(text):
        text = text.replace(written + output, written + shell(command))
    readme.write_text(text, "utf-8")


if __name__ == "__main__":
    update(README)
