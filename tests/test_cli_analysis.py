"""``pandoer table pivot``, ``fit`` and ``plot``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from pandoer import cli
from pandoer.counts import builtin, fit
from pandoer.pivot import pivot
from pandoer.tables import included
from tests.strength import STORED, stored

FILE = str(STORED)


def said(capsys: pytest.CaptureFixture[str], *arguments: Any) -> tuple[int, str, str]:
    """Exit status, standard output and standard error of ``pandoer table ...``."""
    status = cli.main(["table", *map(str, arguments)])
    return (status, *capsys.readouterr())


def test_pivot_prints_a_table_or_json(capsys: pytest.CaptureFixture[str]) -> None:
    found = pivot(STORED, "pandoer", "trump_jack")
    status, out, err = said(capsys, "pivot", FILE, "--bid", "pandoer", "--rows", "trump_jack")
    assert (status, err) == (0, "")
    title, head, *rows = out.splitlines()
    assert title == found.title
    assert head.split() == ["trump_jack", "chance", "95", "%", "interval", "hands", "of", "all"]
    assert len(rows) == len(found) + 1
    status, out, _ = said(capsys, "pivot", FILE, "--bid", "pandoer", "--rows", "trump_jack", "--json")
    assert json.loads(out) == json.loads(json.dumps(found.to_dict()))
    status, out, _ = said(capsys, "pivot", FILE, "--bid", "Zwabber", "--rows", "voids", "--columns", "side_aces")
    assert status == 0
    assert out.splitlines()[-1] == "chance in %, 95 % interval, hands"


def test_tables_of_the_package_by_name(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "pagat.parquet").write_bytes(STORED.read_bytes())
    monkeypatch.setattr(included, "data", lambda: data)
    by_file = said(capsys, "pivot", FILE, "--bid", "zwabber", "--rows", "voids")
    assert said(capsys, "pivot", "pagat", "--bid", "zwabber", "--rows", "voids") == by_file
    by_file = said(capsys, "fit", FILE, "--bid", "zwabber", "--terms", "2")
    assert said(capsys, "fit", "pagat", "--bid", "zwabber", "--terms", "2") == by_file
    out = tmp_path / "picture.png"
    status, _, err = said(capsys, "plot", "pagat", "--kind", "distribution", "--bid", "zwabber", "--out", out)
    assert (status, err) == (0, f"pandoer: wrote {out}\n")


def test_pivot_lists_the_features(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = said(capsys, "pivot", "--help")
    assert status == 0
    assert "  trump_jack          The trump jack, 0 or 1\n" in out
    assert "95 % intervals" in " ".join(out.split())


def test_fit_prints_a_card_or_json(capsys: pytest.CaptureFixture[str]) -> None:
    count = fit(STORED, "zwabber")
    status, out, err = said(capsys, "fit", FILE, "--bid", "zwabber")
    assert (status, err) == (0, "")
    assert out == f"{count}\n"
    status, out, _ = said(capsys, "fit", FILE, "--bid", "zwabber", "--terms", "2", "--seed", "3", "--json")
    told = json.loads(out)
    assert told["bid"] == "zwabber"
    assert len(told["terms"]) <= 2


def test_cards_prints_the_counts_of_the_package_or_of_a_file(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counts = builtin()
    assert said(capsys, "cards") == (0, "\n\n".join(map(str, counts.values())) + "\n", "")
    assert said(capsys, "cards", "pagat", "--bid", "Misère") == (0, f"{counts['misere']}\n", "")
    status, out, _ = said(capsys, "cards", "--bid", "pandoer", "--bid", "130", "--json")
    assert status == 0
    assert json.loads(out) == json.loads(json.dumps([counts["pandoer"].to_dict(), counts["130"].to_dict()]))
    monkeypatch.chdir(tmp_path)
    for name in ("zwabber", "pandoer"):  # a file of this name goes first
        Path("pagat").write_text(json.dumps(counts[name].to_dict()))
        assert said(capsys, "cards") == (0, f"{counts[name]}\n", "")


def test_fit_of_all_bids_leaves_out_what_has_too_few_hands(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, err = said(capsys, "fit", FILE, "--all", "--json")
    assert status == 0
    bids = [count["bid"] for count in json.loads(out)]
    assert "pandoer" in bids
    assert "130" not in bids
    assert "pandoer: 130: " in err
    status, out, err = said(capsys, "fit", FILE, "--all", "--threshold", "0.999")
    assert status == 0
    assert len(out.split("\n\n")) == out.count("Brier score")


@pytest.mark.parametrize(
    ("kind", "more"),
    [("heat", ("--rows", "trumps", "--columns", "voids")), ("calibration", ()), ("distribution", ())],
)
@pytest.mark.parametrize("ending", ["png", "svg"])
def test_plot_writes_a_picture(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, kind: str, more: tuple[str, ...], ending: str
) -> None:
    out = tmp_path / f"picture.{ending}"
    status, printed, err = said(capsys, "plot", FILE, "--kind", kind, "--bid", "zwabber", "--out", out, *more)
    assert (status, printed) == (0, "")
    assert err == f"pandoer: wrote {out}\n"
    assert out.read_bytes().startswith(b"\x89PNG" if ending == "png" else b"<?xml")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("pivot", FILE, "--bid", "pandoer", "--rows", "jacks"), "unknown feature 'jacks'"),
        (("pivot", "none.parquet", "--bid", "pandoer", "--rows", "trumps"), "no file 'none.parquet'"),
        (("pivot", FILE, "--bid", "piccolo", "--rows", "trumps"), "no chances of 'piccolo'"),
        (("pivot", FILE, "--bid", "pandoer"), "the following arguments are required: --rows"),
        (("fit", FILE), "one of the arguments --bid --all is required"),
        (("fit", FILE, "--bid", "130"), "expected at least 10"),
        (("fit", FILE, "--bid", "pandoer", "--threshold", "2"), "threshold 2.0: expected a chance"),
        (("cards", "pandur"), "no counts of 'pandur': expected one of pagat"),
        (("cards", "--bid", "whist"), "unknown bid 'whist'"),
        (("cards", "pagat", "--bid", "pandoer+20"), "no count for 'pandoer+20': expected one of 120, 130, 140"),
        (("cards", FILE), "cannot read the counts in"),
        (("plot", FILE, "--kind", "heat", "--bid", "pandoer", "--out", "x.png"), "--kind heat: expected --rows"),
        (("plot", FILE, "--kind", "pie", "--bid", "pandoer", "--out", "x.png"), "invalid choice: 'pie'"),
        (("plot", FILE, "--kind", "distribution", "--bid", "pandoer", "--out", "x.txt"), "ends in .png, .svg, .pdf"),
        (("plot", FILE, "--kind", "distribution", "--bid", "pandoer", "--out", "no/x.png"), "directory that exists"),
        (("plot", FILE, "--kind", "distribution", "--bid", "130", "--rows", "voids", "--out", "x.png"), "no --rows"),
    ],
)  # fmt: skip
def test_mistakes_are_one_line(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str) -> None:
    status, out, err = said(capsys, *arguments)
    assert (status, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("module", "arguments", "extra"),
    [
        ("pyarrow.parquet", ("pivot", FILE, "--bid", "pandoer", "--rows", "trumps"), "tables"),
        ("sklearn.linear_model", ("fit", FILE, "--bid", "pandoer"), "fit"),
        ("matplotlib", ("plot", FILE, "--kind", "distribution", "--bid", "pandoer", "--out", "x.png"), "plot"),
    ],
)
def test_what_is_missing_is_told(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, module: str, arguments: tuple[str, ...],
    extra: str,
) -> None:  # fmt: skip
    monkeypatch.setitem(sys.modules, module, None)
    status, _, err = said(capsys, *arguments)
    assert status == 2
    assert f"pip install 'pandoer[{extra}]'" in err


def test_rules_may_be_named_for_a_file_that_does_not_say(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "plain.parquet"
    stored().to_pandas().to_parquet(path)
    status, _, err = said(capsys, "pivot", path, "--bid", "pandoer", "--rows", "trumps")
    assert status == 2
    assert "expected rules=" in err
    status, out, _ = said(capsys, "pivot", path, "--bid", "pandoer", "--rows", "trumps", "--rules", "pagat")
    assert status == 0
    assert out.startswith("pandoer (pagat)")
