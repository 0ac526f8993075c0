"""The commands ``pandoer table build``, ``show`` and ``lookup``."""

from __future__ import annotations

import io
import os
import sys
import time
from pathlib import Path

import pytest

from pandoer import Hand, StrengthTable, strength_table
from pandoer.cli.counting import Counter
from pandoer.rulesets import RULESETS
from pandoer.tables import ChanceTable, included, plan_text
from pandoer.tables.exact import read
from tests.commands import Run, mistake

pytest.importorskip("pyarrow")

BUILD = ("table", "build", "--bids", "solo-zwabber", "--rules", "pagat", "--samples", "5")
HAND = "♠J9A ♥KQ ♦8 ♣T7"


@pytest.fixture
def file(tmp_path: Path) -> str:
    """A table of twelve random hands."""
    out = tmp_path / "table.parquet"
    strength_table("solo-zwabber,prive", hands=12, rules="pagat", samples=5, out=out)
    return str(out)


def test_build_is_what_the_library_makes(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "table.parquet"
    ran = run(*BUILD, "--hands", "1_2", "--seed", "3", "--out", str(out), "--workers", "1", "--json")
    assert (ran.status, ran.err) == (0, "")
    table = StrengthTable.open(out)
    assert ran.json == {
        "out": str(out), "rows": 12, "bytes": out.stat().st_size, "parameters": dict(table.parameters),
    }  # fmt: skip
    assert table == strength_table("solo-zwabber", hands=12, rules="pagat", samples=5, seed=3)
    again = run(*BUILD, "--hands", "12", "--seed", "3", "--out", str(out))
    assert again.out == f"{out}: {table.head()}\n"


def test_build_of_few_plans(run: Run, tmp_path: Path) -> None:
    out = tmp_path / "table.parquet"
    ran = run(*BUILD, "--hands", "4", "--out", str(out), "--plans", "2", "--json")
    assert ran.json["parameters"]["plans"] == 2
    assert StrengthTable.open(out) == strength_table("solo-zwabber", hands=4, rules="pagat", samples=5, plans=2)
    assert "  plans        2" in run("table", "show", str(out)).out.splitlines()
    assert "with plans 2, not 3: expected" in mistake(run(*BUILD, "--hands", "4", "--out", str(out), "--plans", "3"))


def test_build_with_processes_and_a_local_cluster(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    files = [tmp_path / name for name in ("threads", "processes", "cluster")]
    for out, who in zip(files, ((), ("--processes", "1"), ("--local-cluster", "1")), strict=True):
        assert run(*BUILD, "--hands", "8", "--out", str(out), *who).status == 0
    assert len({out.read_bytes() for out in files}) == 1


def test_build_from_a_file_of_hands(run: Run, tmp_path: Path) -> None:
    hands, out = tmp_path / "hands.txt", tmp_path / "table.parquet"
    hands.write_text("# those of today\n\n♠B9A ♥HV ♦8 ♣107 / H7\nSB SA HH HV D8 C10 C7 HA / C8  # better\n")
    argv = (*BUILD, "--hands-file", str(hands), "--lang", "nl", "--out", str(out))
    assert run(*argv).status == 0
    assert [(row.hand, str(row.watch)) for row in StrengthTable.open(out)] == [
        (Hand(HAND), "H7"), (Hand("SJ SA HK HQ D8 CT C7 HA"), "C8"),
    ]  # fmt: skip
    lines = f"{HAND}\n".encode()
    closed = tmp_path / "closed.parquet"
    assert run(*BUILD, "--hands-file", "-", "--watch", "closed", "--out", str(closed), stdin=lines).status == 0
    assert [row.watch for row in StrengthTable.open(closed)] == [None]


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ((), "hands: expected --hands all, --hands with a number, or --hands-file"),
        (("--hands", "3", "--hands-file", "x"), "hands: expected --hands all"),
        (("--hands", "many"), "hands 'many': expected 'all', a number"),
        (("--hands-file", "no/such/file"), "cannot read the hands in 'no/such/file'"),
        (("--hands", "3", "--plans", "0"), "plans 0: expected a whole number, 1 or more"),
        (("--hands", "3", "--workers", "0"), "threads 0: expected a whole number"),
        (("--hands", "3", "--processes", "0"), "processes 0: expected a whole number"),
        (("--hands", "3", "--local-cluster", "0"), "--local-cluster 0: expected a whole number"),
        (("--hands", "3", "--processes", "1", "--local-cluster", "2"), "--processes and --local-cluster: expected one"),
        (("--hands", "3", "--precision", "0.1"), "samples 5, precision 0.1, exact False: expected one of them"),
    ],
)
def test_mistakes(run: Run, argv: tuple[str, ...], message: str, tmp_path: Path) -> None:
    assert message in mistake(run(*BUILD, "--out", str(tmp_path / "table.parquet"), *argv))
    assert [*tmp_path.iterdir()] == []


def test_a_bad_line_of_hands(run: Run, tmp_path: Path) -> None:
    argv = (*BUILD, "--hands-file", "-", "--out", str(tmp_path / "table.parquet"))
    assert "-, line 2: cannot read hand 'S1'" in mistake(run(*argv, stdin=f"{HAND} / H7\nS1\n"))


def test_a_table_that_cannot_be_finished(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "table.parquet"

    def full(_: int) -> None:
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(os, "fsync", full)
    ran = run(*BUILD, "--hands", "3", "--out", str(out))
    assert (ran.status, ran.out) == (1, "")
    assert ran.err == f"pandoer: '{out}' cannot be made: No space left on device\n"


def test_no_dask(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    ran = run(*BUILD, "--hands", "3", "--out", str(tmp_path / "t.parquet"), "--scheduler", "tcp://127.0.0.1:1")
    assert "a cluster needs dask.distributed" in mistake(ran)
    assert "pip install 'pandoer[dask]'" in ran.err


def test_show(run: Run, file: str) -> None:
    table = StrengthTable.open(file)
    lines = run("table", "show", file, "--rows", "3").out.splitlines()
    assert lines[0] == f"{file}: 12 hands"
    assert "  hands        kind random, count 12, seed 0" in lines
    assert lines[-4].split() == ["hand", "watch", "solo-zwabber", "prive"]
    strength = table[2]["prive"]
    assert lines[-1].startswith(str(table[2].hand))
    assert lines[-1].endswith(f"{100 * strength.chance:.1f} ± {100 * strength.error:.1f} %")
    assert "♠" not in run("table", "show", file, "--rows", "0").out.split("deck")[1].split("\n", 1)[1]
    found = run("table", "show", file, "--rows", "2", "--bid", "prive", "--json").json
    assert found["parameters"] == dict(table.parameters)
    assert found["length"] == 12
    assert [row["bids"] for row in found["rows"]] == [[row["prive"].to_json()] for row in (table[0], table[1])]
    other = mistake(run("table", "show", file, "--bid", "zwabber"))
    assert "bid 'zwabber': expected one of solo-zwabber, prive" in other
    assert "--rows -1: expected 0 or more" in mistake(run("table", "show", file, "--rows", "-1"))


def test_lookup(run: Run, file: str) -> None:
    row = StrengthTable.open(file)[4]
    argv = ("table", "lookup", file, row.hand.text("nl"), "--watch", row.watch.text("nl") if row.watch else "")
    assert run(*argv, "--lang", "nl", "--json").json == row.to_json()
    assert run(*argv, "--lang", "nl").out == f"{row}\n"
    only = run(*argv, "--lang", "nl", "--bid", "prive", "--json").json
    assert only == {**row.to_json(), "bids": [row["prive"].to_json()]}
    other = mistake(run(*argv, "--lang", "nl", "--bid", "zwabber"))
    assert "bid 'zwabber': expected one of solo-zwabber, prive" in other
    assert "expected a watch card, which lies open" in mistake(run("table", "lookup", file, HAND))
    assert "expected one of the 12 in this table" in mistake(run("table", "lookup", file, HAND, "--watch", "H7"))
    assert str(row.to_json()["bids"][0]["plan"]["discard"]) in str(plan_text(row.bids[0].plan))


def test_tables_of_exact_chances(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    counts = {"misere-ohne": [12_870 - i % 3 for i in range(34_497)]}
    ChanceTable(RULESETS[-1], counts, "0").save(tmp_path / "pandur.npz")  # type: ignore[arg-type]
    with (tmp_path / "pandur.npz").open("rb") as opened:
        table = read(opened, "pandur")
    monkeypatch.setattr(included, "_exact", lambda name: table)
    for file in ("pandur", str(tmp_path / "pandur.npz")):
        found = run("table", "lookup", file, "SAKQJT9 HAK", "--json").json
        assert found["bids"] == [{"bid": "misere-ohne", "chance": table.chance("SAKQJT9 HAK", "misere-ohne")}]
        told = run("table", "lookup", file, "SAKQJT9 HAK", "--bid", "misere-ohne").out
        assert told.startswith("♠AKQJT9 ♥AK\nmisere-ohne: ")
        shown = run("table", "show", file, "--rows", "2")
        assert "34,497 classes of hands, exact over 12,870 layouts" in shown.out
        assert run("table", "show", file, "--rows", "2", "--json").json["length"] == 34_497
    assert "pandur has none" in mistake(run("table", "lookup", "pandur", "SAKQJT9 HAK", "--watch", "HQ"))
    monkeypatch.chdir(tmp_path)
    # A file of this name goes first.
    strength_table("prive", hands=3, rules="pagat", samples=1, out=tmp_path / "pandur")
    assert "3 hands" in run("table", "show", "pandur").out


def test_tables_that_are_none(run: Run, tmp_path: Path) -> None:
    assert "cannot read 'nothing': No such file or directory; expected a file, or one of pandur" in mistake(
        run("table", "show", "nothing")
    )
    (tmp_path / "file").write_bytes(b"something")
    assert "cannot read the table" in mistake(run("table", "lookup", str(tmp_path / "file"), HAND))


# How far it is


def test_progress_in_a_log(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    with Counter("hands") as counter:
        for done, seconds in ((50, 0), (60, 4), (70, 7), (80, 4), (9950, 6)):
            now += seconds
            counter.tell(done, 10_000)
    assert capsys.readouterr().err.splitlines() == [
        "pandoer: 70 of 10,000 hands, 1.82 hands/s, 91 min left",
        "pandoer: 9,950 of 10,000 hands, 471.43 hands/s, 0 s left",
    ]


@pytest.mark.parametrize(
    ("rest", "rate", "text"),
    [
        (0, 5, ""), (5, 0, ""), (60, 1, "60 s left"), (600, 1, "10 min left"), (7200, 0.5, "4 h left"),
        (10**6, 1, "12 days left"),
    ],
)  # fmt: skip
def test_time_left(rest: int, rate: float, text: str) -> None:
    assert Counter._left(rest, rate) == text


def test_a_bar_in_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.StringIO):
        def isatty(self) -> bool:
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", "xterm")
    with Counter("hands") as counter:
        counter.tell(0, 20)
        counter.tell(10, 20)
        assert counter.bar is not None
        counter.bar.refresh()
    assert "10/20" in terminal.getvalue()
    assert "hands/s" in terminal.getvalue()


def test_help(run: Run) -> None:
    assert "--local-cluster" in run("table", "build", "--help").out
    assert "ACTION" in mistake(run("table"))
