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
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import pandoer
from pandoer import cli
from pandoer.cli import bids, live
from tests.commands import Ran, Run, mistake

HAND = "♠J9A ♥KQ ♦8 ♣T7"
PANDUR_HAND = "CJ C9 CA CK HA HK DA SA"
QUICK = ("odds", HAND, "--bid", "prive", "--watch", "H7", "--samples", "20")
# A deal in which only the called suit, led with "must", makes the contract.
DEAL = "♠AJ9 ♥KQ7 ♦8 ♣7 / ♠87 ♥6 ♦AKJ7 ♣9 / ♠KQ ♥AJT9 ♦QT / ♠T ♥8 ♦9 ♣AKQJ8"
PANDOER = ("solve", DEAL, "--contract", "pandoer", "--trump", "S", "--called", "HA")
ENDING = "SJ S9 / HA H7 / D7 D8 / C7 C8"
PROBLEM = {"rules": "pagat", "contract": "prive", "trump": "S", "hands": ENDING.split(" / ")}
PLAN = ("--trump", "S", "--discard", "C7", "--called", "HA")
LONG = ("odds", HAND, "--bid", "130", "--rules", "pagat", "--watch", "H7", "--samples", "100000")
README = Path(__file__).resolve().parent.parent / "README.md"


def start(*argv: str, **more: Any) -> subprocess.Popen[bytes]:
    """Start a command as a process of its own, with pipes and with Ctrl-C as in a terminal."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    return subprocess.Popen([sys.executable, "-m", "pandoer", *argv], **{**pipes, **more})


def process(*argv: str, **variables: str) -> Ran:
    """Run a command as a process of its own, with these variables in its environment."""
    with start(*argv, env={**os.environ, **variables}) as running:
        out, err = running.communicate()
    return Ran(running.returncode, out.decode(), err.decode())


# odds


def test_odds_json_is_that_of_the_library(run: Run) -> None:
    ran = run(*QUICK, "--rules", "pagat", "--seed", "5", "--json")
    odds = pandoer.odds(HAND, "prive", rules="pagat", watch="H7", samples=20, seed=5)
    assert (ran.status, ran.err) == (0, "")
    assert ran.json == odds.to_json()
    assert set(ran.json) == {
        "bid", "rules", "view", "probability", "low", "high", "samples", "plan", "plans", "value", "expected",
        "expected_low", "expected_high", "money", "gain", "gain_low", "gain_high", "unit", "view_says",
    }  # fmt: skip
    assert set(ran.json["plan"]) == {"trump", "discard", "called", "lead"}
    assert [set(row) for row in ran.json["money"]] == [{"seat", "expected", "low", "high"}] * 4


def test_few_plans(run: Run) -> None:
    asked: dict[str, Any] = {"rules": "pagat", "watch": "H7", "samples": 8, "plans": 2}
    argv = (HAND, "--rules", "pagat", "--watch", "H7", "--samples", "8", "--plans", "2")
    assert run("odds", *argv, "--bid", "pandoer", "--json").json == pandoer.odds(HAND, "pandoer", **asked).to_json()
    told = run("advise", *argv, "--auction", "pandoer", "--json").json
    assert told == pandoer.advise(HAND, **asked, auction="pandoer").to_json()
    assert "plans 0: expected a whole number, 1 or more" in mistake(run(*QUICK, "--plans", "0"))
    assert "invalid int value: 'x'" in mistake(run("advise", HAND, "--plans", "x"))


def test_odds_json_with_an_unknown_watch_card(run: Run) -> None:
    answer = run("odds", HAND, "--bid", "prive", "--samples", "25", "--json").json
    assert answer["plan"] is None
    assert {row["watch"] for row in answer["plans"]} == {str(card) for card in pandoer.ruleset().deck} - {
        str(card) for card in pandoer.Hand(HAND)
    }
    assert [row["share"] for row in answer["plans"]] == pytest.approx([1 / 25] * 25)


def test_odds_in_words(run: Run) -> None:
    ran = run("odds", HAND, "--bid", "pandoer", "--watch", "H7", "--samples", "50")
    odds = pandoer.odds(HAND, "pandoer", watch="H7", samples=50)
    lines = ran.out.splitlines()
    assert lines[0] == "pandoer (wikipedia-nl) with ♠AJ9 ♥KQ ♦8 ♣T7, watch card ♥7"
    chance = f"{100 * odds.probability:.1f} % (95 % interval {100 * odds.low:.1f} to {100 * odds.high:.1f} %)"
    assert lines[1] == f"  chance    {chance}, 50 deals"
    assert lines[2] == f"  plan      {odds.plan}"
    assert lines[3] == "  pays      5 points"
    expected = f"{odds.expected:+.2f} points a deal for the declarer"
    interval = f"95 % interval {odds.expected_low:+.2f} to {odds.expected_high:+.2f}"
    assert lines[4] == f"  expected  {expected} ({interval})"
    others = ", ".join(f"{amount.expected:+.2f}" for amount in odds.money[1:])
    assert lines[5] == f"  others    {others}, in turn"
    assert " ".join(" ".join(lines[6:8]).split()) == f"view double-dummy. {odds.view_says}"
    assert "the deals that chose the plan" in lines[9]
    plans = [row for row in lines[11:16] if re.search(r"\d % .* to .* % +\d+$", row)]
    assert [row.split("  ")[0] for row in plans] == [str(row.plan) for row in odds.plans[1:6]]
    assert lines[16] == f"and {len(odds.plans) - 6} more with --json"
    assert max(map(len, lines)) <= 80


def test_odds_in_words_with_an_unknown_watch_card(run: Run) -> None:
    ran = run("odds", HAND, "--bid", "prive", "--samples", "25")
    assert "watch card unknown" in ran.out
    assert "pays      7 points\n" in ran.out
    assert "all equally likely" in ran.out
    rows = ran.out.split("deals\n")[-1].splitlines()
    assert len(rows) == 25
    assert rows[0].startswith("♠K     trump ")
    ran = run("odds", HAND, "--bid", "prive", "--samples", "25", "--void", "1:H", "--void", "2:H")
    assert "with its share:" in ran.out
    assert ran.out.split("deals\n")[-1].splitlines()[0].split()[:2] == ["♠K", "1.2"]


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



SWISS_HAND = "CU CN CA CK HA HK DA SA"
SWISS = ("--rules", "pandur", "--lang", "ch", "--samples", "20")


def test_odds_in_swiss_words(run: Run) -> None:
    argv = ("odds", SWISS_HAND, "--bid", "Pandur mit", *SWISS)
    ran = run(*argv, "--trump", "Schellen")
    assert ran.out.startswith("Pandur mit (pandur) with ♠A ♥AK ♦A ♣AKUN\n")
    assert "  plan      trump ♣ (Schellen)\n" in ran.out
    assert "\ntrump ♥ (Rosen)" in run(*argv).out
    same = ("odds", PANDUR_HAND, "--bid", "pandur-mit", "--rules", "pandur", "--samples", "20", "--trump", "C")
    assert run(*argv, "--trump", "Schellen", "--json").json == run(*same, "--json").json
    voids = ("--void", "1:Rosen", "--void", "2:eichel")
    assert run(*argv, *voids, "--json").json == run(*argv, "--void", "1:H", "--void", "2:D", "--json").json


def test_advise_in_swiss_words(run: Run) -> None:
    argv = ("advise", SWISS_HAND, *SWISS, "--auction", "fort, Misère ohne")
    out = run(*argv).out
    assert out.startswith("pandur with ♠A ♥AK ♦A ♣AKUN, after fort, Misère ohne\n")
    bids = [line.split("  ")[0] for line in out.splitlines()[2:]]
    assert {"Misère mit", "Pandur ohne", "Pandur mit", "fort"} <= {*bids}
    assert "♣ (Schellen)" in out
    for word in ("misere-", "pandur-"):
        assert word not in out
    for row in run(*argv, "--json").json:
        assert row["bid"] in {bid.name for bid in pandoer.ruleset("pandur").bids} | {"310"}
    assert "pass" in run("advise", HAND.translate(str.maketrans("JQ9T", "UONB")), *SWISS[2:], "--watch", "H7").out


def test_solve_in_swiss_words(run: Run) -> None:
    deal = "CU HA / CO HK / CN HO"
    argv = ("solve", deal, "--rules", "pandur", "--contract", "Pandur mit", "--trump", "schellen", "--lang", "ch")
    out = run(*argv).out
    assert out.startswith("Pandur mit (pandur), trump ♣ (Schellen), declarer seat 0\n")
    assert "  best    ♣U (seat 0 to play)\n" in out
    assert run(*argv, "--json").json["best"] == ["CJ"]


def test_rules_in_swiss_words(run: Run) -> None:
    out = run("rules", "pandur", "--lang", "ch").out
    assert "trump    U N A K O B; points U 20, N 14, A 11, B 10, K 4, O 3\n" in out
    assert "four U: 200, N: 150, A: 100, K: 100, O: 100, B: 100\n" in out
    assert "in Misère mit the first card led is a trump\n" in out
    assert "\nPandur ohne        5  all" in out
    assert run("rules", "pandur", "--lang", "ch", "--json").json == run("rules", "pandur", "--json").json
    assert run("rules", "pandur", "--lang", "en").out == run("rules", "pandur").out
    assert "trump    B 9 A H V 10 8 7 6; points B 20" in run("rules", "pagat", "--lang", "nl").out


def test_odds_with_what_is_known_of_the_others(run: Run) -> None:
    argv = ("odds", HAND, "--bid", "pandoer", "--watch", "H7", *PLAN, "--samples", "20", "--json")
    ran = run(*argv, "--known", "1:HA,C8", "--known", "3:DA", "--known", "1:CA", "--void", "2:H", "--void", "2:S")
    asked: dict[str, Any] = {"watch": "H7", "samples": 20, "trump": "S", "discard": "C7", "called": "HA"}
    known, void = {1: "HA C8 CA", 3: "DA"}, {2: "HS"}
    assert ran.json == pandoer.odds(HAND, "pandoer", **asked, known=known, void=void).to_json()
    assert ran.json != run(*argv).json
    in_dutch = run("odds", "♠B9A ♥HV ♦8 ♣107", *argv[2:], "--lang", "nl", "--known", "1:HB")
    assert in_dutch.json == pandoer.odds(HAND, "pandoer", **asked, known={1: "HJ"}).to_json()


def test_odds_after_an_auction(run: Run) -> None:
    argv = ("odds", HAND, "--bid", "140", "--rules", "pagat", "--watch", "H7", "--samples", "20", *PLAN, "--json")
    assert run(*argv, "--auction", "pass 130 pass").json == run(*argv, "--bidders", "2").json
    over = "pass, 130, pass, 140, pass"
    assert run(*argv, "--auction", over).json == run(*argv, "--bidders", "2").json


def test_odds_with_a_blind_lead(run: Run) -> None:
    argv = ("odds", HAND, "--bid", "prive", "--watch", "H7", "--samples", "20")
    answer = run("odds", "♠B9A ♥HV ♦8 ♣107", *argv[2:], "--view", "blind-lead", "--lead", "♠B", "--lang", "nl")
    assert ", lead ♠B\n" in answer.out
    assert "view      blind-lead. After a lead chosen blind everybody" in answer.out
    assert run(*argv, "--view", "blind-lead", "--lead", "SJ", "--json").json["plan"]["lead"] == "SJ"
    assert "blind-lead" in mistake(run(*argv, "--lead", "SJ"))


def test_odds_of_a_joined_misere(run: Run) -> None:
    argv = ("odds", "S7 S8 H7 H8 D7 D8 C7 C9", "--bid", "misere", "--watch", "SA", "--samples", "20", "--joiners", "1")
    answer = run(*argv, "--json").json
    assert answer["together"]["probability"] <= answer["probability"]
    assert "\n  together  all stay dry: " in run(*argv).out


def test_odds_with_a_stake(run: Run) -> None:
    without, staked = run(*QUICK, "--json").json, run(*QUICK, "--stake", "25", "--json").json
    assert staked["expected"] == pytest.approx(without["expected"] + 25 * (2 * without["probability"] - 1))
    assert staked["probability"] == without["probability"]


def test_odds_with_a_distribution_of_points(run: Run) -> None:
    argv = ("odds", HAND, "--bid", "160", "--rules", "pagat", "--watch", "H7", *PLAN, "--samples", "50",
            "--distribution")  # fmt: skip
    answer = run(*argv, "--json").json
    reached = [p for p, chance in zip(*(answer["distribution"][key] for key in ("points", "chances")), strict=True)
               for _ in range(round(50 * chance)) if p >= 160]  # fmt: skip
    assert len(reached) / 50 == pytest.approx(answer["probability"])
    rows = re.findall(r"^ +(\d+) +([\d.]+) %  (█*)$", run(*argv).out, re.MULTILINE)
    assert [int(points) % 10 for points, _, _ in rows] == [0] * len(rows)
    chances = {points: float(chance) for points, chance, _ in rows}
    assert chances["160"] == pytest.approx(100 * answer["probability"])
    assert [len(bar) for _, _, bar in rows] == [round(0.4 * float(chance)) for _, chance, _ in rows]
    assert "distribution" in mistake(run(*QUICK, "--distribution"))


def test_exact_odds(run: Run) -> None:
    argv = ("odds", PANDUR_HAND, "--rules", "pandur", "--bid", "pandur-ohne", "--exact")
    answer = run(*argv, "--json").json
    assert (answer["exact"], answer["samples"]) == (True, 12_870)
    assert answer["low"] == answer["probability"] == answer["high"]
    lines = run(*argv).out.splitlines()
    assert lines[1] == f"  chance    {100 * answer['probability']:.2f} %, exact over 12,870 layouts"
    assert lines[4] == f"  expected  {answer['expected']:+.2f} Schreibpunkte a deal for the declarer"
    hopeless = ("odds", HAND, "--bid", "prive", "--watch", "H7", "--exact")
    assert "9,465,511,770" in mistake(run(*hopeless))


# advise


ADVISE = ("advise", HAND, "--rules", "pagat", "--watch", "H7", "--samples", "20", "--auction", "pass 170 pass")


def test_advise_json_is_that_of_the_library(run: Run) -> None:
    ran = run(*ADVISE, "--seed", "5", "--known", "1:HA", "--void", "2:D", "--json")
    advice = pandoer.advise(
        HAND, rules="pagat", watch="H7", samples=20, auction="pass 170 pass", seed=5, known={1: "HA"}, void={2: "D"}
    )
    assert (ran.status, ran.err) == (0, "")
    assert ran.json == advice.to_json()
    assert [row["bid"] for row in ran.json] == [row.odds.bid for row in advice.bids]
    assert {"rank", "dominated_by", "expected", "plan", "view"} <= set(ran.json[0])


def test_advise_in_words(run: Run) -> None:
    ran = run(*ADVISE)
    advice = pandoer.advise(HAND, rules="pagat", watch="H7", samples=20, auction="pass 170 pass")
    table, closing = ran.out.split("\n\n")
    title, head, *rows = table.splitlines()
    assert title == "pagat with ♠AJ9 ♥KQ ♦8 ♣T7, watch card ♥7, after pass 170 pass"
    assert head.split("  ")[0] == "bid"
    assert head.split()[-2:] == ["dominated", "by"]
    assert [row.split()[0] for row in rows if not row.startswith("pass ")] == [row.odds.bid for row in advice.bids]
    amounts = [float(re.findall(r"[+-]\d+\.\d\d", row)[0]) for row in rows]
    assert amounts == sorted(amounts, reverse=True)
    assert [row.split() for row in rows if row.startswith("pass ")] == [["pass", "+0.00"]]
    for row, text in zip(advice.bids, [row for row in rows if not row.startswith("pass ")], strict=True):
        odds = row.odds
        assert f" {odds.expected:+.2f}  " in text
        assert f" {odds.expected_low:+.2f} to {odds.expected_high:+.2f}  " in text
        assert f" {100 * odds.probability:.1f} %  " in text
        assert f" {100 * odds.low:.1f} to {100 * odds.high:.1f} %  " in text
        assert text.endswith(row.dominated_by or "")
        assert odds.plan is not None
        assert (odds.plan.discard is None) or odds.plan.discard.text(symbols=True) in text
    said = " ".join(closing.split())
    for sentence in {row.odds.view_says for row in advice.bids}:
        assert said.count(sentence) == 1
    assert "praatje (blind-lead): " in said


def test_advise_when_nobody_has_seen_the_watch_card(run: Run) -> None:
    ran = run("advise", HAND, "--samples", "25", "--auction", "pass praatje")
    assert "watch card unknown" in ran.out
    assert "chosen when the watch card is seen" in ran.out


def test_advise_exactly(run: Run) -> None:
    ran = run("advise", PANDUR_HAND, "--rules", "pandur", "--auction", "pandur-ohne", "--exact")
    assert "interval" not in ran.out
    assert run("advise", HAND, "--samples", "20", "--exact").status == 2


def test_advise_keeps_within_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("TERM", "dumb")
    monkeypatch.setattr(sys, "stdout", screen := Terminal())
    assert cli.main(ADVISE) == 0
    lines = screen.getvalue().splitlines()
    assert max(map(len, lines)) <= 80
    assert all(re.match(r"\S+ +[+-]", line) for line in lines[2 : lines.index("")])  # nothing is folded


# How it is shown


def test_output_is_plain_when_it_is_no_terminal() -> None:
    for argv in (QUICK, ADVISE, ("rules",), ("rules", "pagat"), PANDOER):
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
    monkeypatch.setattr(live.Display, "PATIENCE", 0.0)
    assert run(*QUICK).err == ""
    monkeypatch.setattr(sys, "stderr", screen := Terminal())
    monkeypatch.setenv("TERM", "xterm")
    assert cli.main(QUICK) == 0
    assert "solving deals" in screen.getvalue()
    monkeypatch.setattr(live.Display, "PATIENCE", 60.0)
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
    for argv in ((), ("odds",), ("advise",), ("solve",), ("suggest",), ("play",), ("rules",)):
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
    "bidders and an auction": (odds_of(HAND, "--bidders", "1", "--auction", "130"), "[1]"),
    "unknown call in an auction": (odds_of(HAND, "--auction", "pass 135"), "'135'"),
    "a bid that is too low": (odds_of(HAND, "--auction", "prive"), "'pandoer'"),
    "a bid after another's": (odds_of(HAND, "--auction", "130 pass pass pass"), "'pandoer'"),
    "unknown view": (odds_of(HAND, "--view", "blind"), "'blind'"),
    "a lead that is not held": (odds_of(HAND, "--view", "blind-lead", "--lead", "HA"), "'HA'"),
    "an unreadable lead": (odds_of(HAND, "--view", "blind-lead", "--lead", "HX"), "'HX'"),
    "joiners in words": (odds_of(HAND, "--joiners", "both", bid="misere"), "'both'"),
    "a joiner who is not there": (odds_of(HAND, "--joiners", "4", bid="misere"), "[4]"),
    "joiners of a pandoer": (odds_of(HAND, "--joiners", "1"), "[1]"),
    "known without a seat": (odds_of(HAND, "--known", "HA"), "'HA'"),
    "known without cards": (odds_of(HAND, "--known", "1:"), "'1:'"),
    "known of a seat in words": (odds_of(HAND, "--known", "left:HA"), "'left:HA'"),
    "known of oneself": (odds_of(HAND, "--known", "0:HA"), "seat 0"),
    "known of nobody": (odds_of(HAND, "--known", "4:HA"), "seat 4"),
    "an unknown known card": (odds_of(HAND, "--known", "1:HX"), "'HX'"),
    "known in the hand": (odds_of(HAND, "--known", "1:SJ"), "'SJ'"),
    "known with two seats": (odds_of(HAND, "--known", "1:HA", "--known", "2:HA"), "HA"),
    "void in no suit": (odds_of(HAND, "--void", "2:X"), "'X'"),
    "void without a suit": (odds_of(HAND, "--void", "2"), "'2'"),
    "void of nobody": (odds_of(HAND, "--void", "7:H"), "seat 7"),
    "void in what is known": (odds_of(HAND, "--known", "1:HA", "--void", "1:H"), "HA"),
    "stake in words": (odds_of(HAND, "--stake", "all"), "'all'"),
    "an odd stake": (odds_of(HAND, "--stake", "7"), "stake 7"),
    "a negative stake": (odds_of(HAND, "--stake", "-5"), "stake -5"),
    "a stake on a low bid": (odds_of(HAND, "--stake", "10", bid="130"), "stake 10"),
    "listen to nothing": (odds_of(HAND, "--listen"), "listen"),
    "a private watch card unseen": (odds_of(HAND, "--private"), "private"),
    "exact of too much": (odds_of(HAND, "--exact"), "1,000,000"),
    "exact and samples": (odds_of(HAND, "--exact", "--samples", "7"), "7"),
    "advise nothing": (("advise",), "hand"),
    "advise a bid": (("advise", HAND, "--bid", "130"), "--bid 130"),
    "advise seven cards": (("advise", "SJ SA HK HQ D8 CT C7"), "♠AJ ♥KQ ♦8 ♣T7"),
    "advise after the auction": (("advise", HAND, "--auction", "130 pass pass pass"), "'130 pass pass pass'"),
    "advise with an unknown call": (("advise", HAND, "--auction", "hello"), "'hello'"),
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

    monkeypatch.setattr(bids, "odds", odds)
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


no_sigint = pytest.mark.skipif(os.name == "nt", reason="Windows has no SIGINT to send")
UNFINISHED = "pandoer: interrupted: the answer is unfinished\n"


@no_sigint
@pytest.mark.parametrize("threads", [(), ("--threads", "1")], ids=["threads", "one thread"])
def test_ctrl_c_in_odds_tells_what_is_known(threads: tuple[str, ...]) -> None:
    with start(*LONG, *threads, preexec_fn=default_sigint) as running:
        work_for(running, 2.5)
        ran = interrupted(running)
    assert (ran.status, ran.err) == (130, UNFINISHED)
    lines = ran.out.splitlines()
    assert lines[0] == "130 (pagat) with ♠AJ9 ♥KQ ♦8 ♣T7, watch card ♥7 - unfinished"
    assert re.fullmatch(r"  chance    [\d.]+ % \(95 % interval [\d.]+ to [\d.]+ %\), [\d,]+ deals?", lines[1])


@no_sigint
def test_ctrl_c_with_json() -> None:
    with start(*LONG, "--json", preexec_fn=default_sigint) as running:
        work_for(running, 2.5)
        ran = interrupted(running)
    assert (ran.status, ran.err) == (130, UNFINISHED)
    assert ran.json["finished"] is False
    assert ran.json["low"] < ran.json["high"]
    advise = ("advise", HAND, "--rules", "pagat", "--watch", "H7", "--precision", "0.001", "--json")
    with start(*advise, preexec_fn=default_sigint) as running:
        work_for(running, 2.5)
        ran = interrupted(running)
    assert (ran.status, ran.err) == (130, UNFINISHED)
    assert False in [row.get("finished", True) for row in ran.json]


def press_at(moment: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Press Ctrl-C at the first update of an answer, or before it."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    def update(self: live.Display[Any], answer: Any) -> None:
        self.latest = answer
        interrupt()

    monkeypatch.setattr(live.Display, "update", update)
    if moment == "before":
        monkeypatch.setattr(live.Display, "progress", interrupt)


def test_ctrl_c_while_plans_are_chosen(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    press_at("first update", monkeypatch)
    for argv in (QUICK, ADVISE):
        ran = run(*argv)
        assert (ran.status, ran.err) == (130, UNFINISHED)
        assert ran.out.splitlines()[0].endswith(" - unfinished")
    assert run(*QUICK, "--json").json["samples"] == 1
    rows = run(*ADVISE, "--json").json
    assert {row["finished"] for row in rows} == {False}
    assert sorted(row["samples"] for row in rows)[-2:] == [0, 1]
    assert {(row["low"], row["high"]) for row in rows if not row["samples"]} == {(0.0, 1.0)}


def test_ctrl_c_before_anything_is_known(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    press_at("before", monkeypatch)
    for argv in (QUICK, ADVISE, (*ADVISE, "--json")):
        assert run(*argv) == (130, "", "pandoer: interrupted\n")


@no_sigint
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


# A live table


class Screen(NamedTuple):
    """What a command wrote in a terminal, and what it wrote to standard error beside it."""

    status: int
    text: str
    err: str


def in_a_terminal(*argv: str, press_when: str | None = None) -> Screen:
    """Run a command in a pseudo-terminal of 40 lines; press Ctrl-C when some text has appeared."""
    fcntl, pty, termios = (pytest.importorskip(name) for name in ("fcntl", "pty", "termios"))
    near, far = pty.openpty()
    fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 130, 0, 0))
    variables = {**os.environ, "TERM": "xterm", "PYTHONIOENCODING": "utf-8"}
    written = b""
    with start(*argv, stdin=far, stdout=far, env=variables, preexec_fn=default_sigint) as running:
        os.close(far)
        while True:
            try:
                more = os.read(near, 65536)
            except OSError:  # how Linux says that nobody writes any more
                break
            written += more
            if press_when is not None and press_when.encode() in written:
                running.send_signal(signal.SIGINT)
                press_when = None
            if not more:
                break
        assert running.stderr is not None
        err = running.stderr.read().decode()
        status = running.wait(30)
    os.close(near)
    return Screen(status, re.sub(r"\x1b\[\d*m", "", written.decode()).replace("\r\n", "\n"), err)


SHOW_CURSOR = "\x1b[?25h"
FRAME = re.compile(r"\d+ % done; Ctrl-C shows what is known\n")


@no_sigint
def test_a_live_table_gives_way_to_the_same_answer() -> None:
    for argv in ((*QUICK[:-1], "2000"), ADVISE):
        screen = in_a_terminal(*argv)
        assert (screen.status, screen.err) == (0, "")
        frames, shown = screen.text.split(SHOW_CURSOR)
        assert "unfinished" in FRAME.split(frames)[1]
        lines = re.sub(r"\x1b\[\d*[A-Z]", "", shown).strip("\r").splitlines()
        assert [line.strip() for line in lines] == [line.strip() for line in process(*argv).out.splitlines()]


@no_sigint
def test_ctrl_c_in_a_terminal() -> None:
    advise = ("advise", HAND, "--rules", "pagat", "--watch", "H7", "--precision", "0.001")
    for argv in (LONG, advise):
        began = time.monotonic()
        screen = in_a_terminal(*argv, press_when="- unfinished")
        assert (screen.status, screen.err) == (130, UNFINISHED)
        frames, shown = screen.text.split(SHOW_CURSOR)
        assert len(FRAME.findall(frames)) <= 3 + (time.monotonic() - began) / live.Display.BETWEEN
        assert "watch card ♥7 - unfinished\n" in shown
        assert "done; Ctrl-C" not in shown


@no_sigint
def test_no_live_table_with_json() -> None:
    screen = in_a_terminal(*QUICK, "--json")
    assert (screen.status, screen.err) == (0, "")
    assert json.loads(screen.text) == process(*QUICK, "--json").json


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
    for words in ("pandoer odds", "pandoer advise", "pandoer solve", "pandoer solve --jsonl", "pandoer rules",
                  "--view table", "pandoer suggest", "pandoer suggest --jsonl", "pandoer play"):  # fmt: skip
        assert words in commands


def test_an_ending(run: Run) -> None:
    """Three cards each: what is unseen is in the title, and all layouts are looked at."""
    asked = ["odds", "♠J ♥K ♣8", "--bid", "120", "--rules", "pagat", "--trump", "S", "--called", "HA", "--exact",
             "--unseen", "HA S7 D7 S8 DA CA H7 C9 D9", "--points", "70"]  # fmt: skip
    ran = run(*asked)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out.startswith("120 (pagat) with ♠J ♥K ♣8, unseen ♠87 ♥A7 ♦A97 ♣A9\n")
    assert "exact over 1,680 layouts" in ran.out
    assert "pays      1 point\n" in ran.out
    assert run(*asked, "--json").json["unseen"] == "♠87 ♥A7 ♦A97 ♣A9"


def update(readme: Path) -> None:
    """Write the present output of the console examples into the README."""
    text = readme.read_text("utf-8")
    for written, command, output in examples(text):
        text = text.replace(written + output, written + shell(command))
    readme.write_text(text, "utf-8")


if __name__ == "__main__":
    update(README)
