"""Strength tables read from anything, and the chance of a bid by what is in the hand."""

from __future__ import annotations

import json
import math
from dataclasses import FrozenInstanceError, replace
from pathlib import Path
from typing import Any

import numpy as np
import polars as pl
import pytest

from pandoer import Card, Hand, PandoerError, ruleset, strength_table
from pandoer.choices import Choices, usual_plans, wants_tricks
from pandoer.features import features
from pandoer.frames import Frame, needed
from pandoer.pivot import Pivot, mean_chance, mean_of, pivot
from pandoer.planned import after_discard
from pandoer.tables import builtin, included
from tests.strength import BIDS, RULES, SAMPLES, SEED, STORED, rows, stored


def columns() -> dict[str, Any]:
    """The stored table as arrays."""
    return {name: np.asarray(stored()[name].to_pylist()) for name in stored().column_names}


def small(**changes: Any) -> dict[str, Any]:
    """Two hands, as arrays."""
    found = {
        "hand": np.array([Hand("SJ9A HKQ D8 CT7").bits, Hand("SJ9A HKQ D8 C97").bits], np.uint64),
        "watch": ["H7", "H7"], "weight": [1.0, 3.0], "pandoer_chance": [0.5, 0.25], "pandoer_error": [0.1, 0.1],
        "pandoer_expected": [0.0, -2.5], "pandoer_samples": [8, 8], "pandoer_plan": ["S D8 HA", "S H7 HA"],
    }  # fmt: skip
    return {name: value for name, value in {**found, **changes}.items() if value is not None}


# Reading


@pytest.mark.parametrize("kind", ["arrow", "path", "text", "pandas", "polars", "arrays", "dictionary"])
def test_a_table_may_come_in_any_form(kind: str) -> None:
    plan = stored().column("pandoer_plan").combine_chunks().dictionary_encode()
    tables = {
        "arrow": stored, "path": lambda: STORED, "text": lambda: str(STORED), "pandas": stored().to_pandas,
        "polars": lambda: pl.from_arrow(stored()), "arrays": columns,
        "dictionary": lambda: stored().set_column(stored().column_names.index("pandoer_plan"), "pandoer_plan", plan),
    }  # fmt: skip
    table = tables[kind]()
    told = kind in ("arrow", "path", "text", "dictionary")
    assert pivot(table, "pandoer", "trumps", rules=None if told else "pagat") == pivot(STORED, "pandoer", "trumps")
    frame = Frame.of(table, "pagat")
    assert frame.bids == (*BIDS,)
    assert len(frame) == stored().num_rows
    assert 0 < len(frame.of_bid("130")) < len(frame.of_bid("kereltje")) < len(frame)


def test_a_frame_is_read_once_and_keeps_the_cards() -> None:
    frame = Frame.of(small(), "pagat")
    assert Frame.of(frame) is frame
    found = frame.of_bid("pandoer")
    assert Hand.from_bits(found.after[0]) == Hand("SJ9A HKQ7 CT7")
    assert found.watch.tolist() == [Card("H7").bit] * 2
    assert found.samples.tolist() == [8, 8]
    assert pl.DataFrame(small()).pipe(Frame.of, "pagat").of_bid("pandoer").chance.tolist() == [0.5, 0.25]


@pytest.mark.parametrize("rules", ["pagat", "wikipedia-nl"])
def test_a_table_that_this_package_makes_is_read(tmp_path: Path, rules: str) -> None:
    path = tmp_path / "t.parquet"
    table = strength_table("misere,prive", hands=4, rules=rules, samples=25 if rules != "pagat" else 4, out=path)
    found = Frame.of(table)
    assert (found.rules.name, found.bids) == (rules, ("misere", "prive"))
    assert set(found.of_bid("misere").plans.trump.tolist()) <= {0, 1, 2, 3}
    first, *others = (pivot(each, "misere", "trumps") for each in (table, path, table.to_arrow()))
    assert others == [first, first]
    assert (found.watch != 0).all() == (rules == "pagat")


def test_names_of_bids_come_from_columns() -> None:
    names = ("misere_ouvert", "pandoer_plus_20", "130")
    table = {"hand": small()["hand"], **{f"{name}_chance": [0.1, 0.2] for name in names}}
    assert Frame.of(table, "pagat").bids == ("misere-ouvert", "pandoer+20", "130")


@pytest.mark.parametrize(
    ("table", "rules", "said"),
    [
        (small(), None, "does not say whose rules it is by: expected rules="),
        (small(), "whist", "unknown ruleset 'whist'"),
        (small(hand=None), "pagat", "expected a strength table, with a column hand"),
        (small(hand=[0.5, 1.5]), "pagat", "column 'hand' of float64: expected whole numbers"),
        (small(hand=[1 << 60, 1]), "pagat", "expected cards of pagat"),
        (small(weight=[-1.0, 1.0]), "pagat", "weights: expected numbers of 0 or more"),
        (small(watch=["X7", "H7"]), "pagat", "cannot read card 'X7'"),
        (small(pandoer_error=None), "pagat", "no column 'pandoer_error'"),
        (small(pandoer_chance=[None, None]), "pagat", "expected at least one hand with one"),
        (small(pandoer_chance=[1.5, 0.5]), "pagat", "chance 1.5 of 'pandoer': expected 0 to 1"),
        (small(pandoer_plan=["S D8", "X"]), "pagat", "cannot read plan 'X'"),
        (3, "pagat", "table of type int: expected a pyarrow table, a data frame"),
        ("nowhere.parquet", "pagat", "no file 'nowhere.parquet'"),
        (__file__, "pagat", "expected a Parquet file"),
    ],
)
def test_what_is_no_table_is_told(table: Any, rules: str | None, said: str) -> None:
    with pytest.raises(PandoerError) as caught:
        pivot(table, "pandoer", "trumps", rules=rules)
    assert said in str(caught.value)


def test_a_table_of_the_package_has_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data").mkdir()
    strength_table("misere,prive", hands=6, rules="pagat", samples=4, out=tmp_path / "data" / "pagat.parquet")
    monkeypatch.setattr(included, "data", lambda: tmp_path / "data")
    monkeypatch.chdir(tmp_path)
    assert Frame.of("pagat").bids == ("misere", "prive")
    assert pivot("pagat", "misere", "trumps").total.hands == 6
    (tmp_path / "pagat").mkdir()  # a directory is no table
    assert len(Frame.of("pagat")) == 6
    (tmp_path / "pagat").rmdir()
    strength_table("misere", hands=5, rules="pagat", samples=4, out=tmp_path / "pagat")
    assert len(Frame.of("pagat")) == 5  # a file goes first
    with pytest.raises(PandoerError, match="no file 'nowhere': expected a table in a Parquet file, or one of pandur, "):
        Frame.of("nowhere")


def test_a_table_of_exact_chances_is_read() -> None:
    table = builtin("pandur")
    frame = Frame.of("pandur")
    assert (frame.rules.name, frame.bids, frame.every) == ("pandur", ("misere-ohne", "pandur-ohne"), True)
    found = frame.of_bid("misere-ohne")
    assert found.weight.sum() == math.comb(24, 8)
    for row in (0, 77, 34_496):
        assert found.chance[row] == table.chance(Hand.from_bits(found.hands[row]), "misere-ohne")
    assert found.expected == pytest.approx(found.bid.value * found.chance)
    assert not found.error.any()
    seen = pivot(table, "misere-ohne", "low_gaps")
    assert all(cell.low == cell.chance == cell.high for cell in (*seen, seen.total))
    assert seen.total.chance == pytest.approx(table.mean("misere-ohne"))


def test_a_missing_package_is_told() -> None:
    with pytest.raises(PandoerError, match=r"a test needs nosuchpackage: .* pip install 'pandoer\[fit\]'"):
        needed("nosuchpackage.part", "fit", "a test")


def test_the_stored_table_is_what_this_package_finds() -> None:
    first = next(rows({**BIDS, "130": 0}, RULES, SAMPLES, SEED))
    told = stored().slice(0, 1).to_pylist()[0]
    assert {name: value for name, value in first.items() if not name.startswith("130")} == {
        name: value for name, value in told.items() if not name.startswith("130")
    }


# Plans for tables without one


@pytest.mark.parametrize("bid", ["pandoer", "misere", "zwabber", "kereltje"])
def test_usual_plans_are_sensible(bid: str) -> None:
    rules = ruleset("pagat")
    found = Frame.of(STORED).of_bid(bid)
    usual = usual_plans(found.bid, rules, found.hands, found.watch)
    hands = after_discard(found.hands, found.watch, usual)
    assert {Hand.from_bits(hand).bits.bit_count() for hand in hands} == {8}
    wanted = ["trumps", "side_tops", "trump_jack"]
    own, table = features(hands, usual, rules, wanted), features(found.after, found.plans, rules, wanted)
    if wants_tricks(found.bid):
        assert own["side_tops"].mean() + own["trumps"].mean() > table["side_tops"].mean() + table["trumps"].mean() - 0.5
    if bid == "misere":
        assert own["trumps"].mean() < 1.5
    if bid == "kereltje":
        assert own["trump_jack"].max() == 0


def test_a_closed_watch_card_leaves_eight_cards_and_the_usual_plan() -> None:
    table = small(watch=[None, None], pandoer_plan=[None, None])
    found = Frame.of(table, "wikipedia-nl").of_bid("pandoer")
    assert found.after.tolist() == table["hand"].tolist()
    assert found.plans.discard.tolist() == [-1, -1]
    assert found.plans.trump.tolist() == [3, 3]
    mixed = Frame.of(small(watch=["H7", None], pandoer_plan=["S D8 HA", "- - -"]), "pagat").of_bid("pandoer")
    assert [str(mixed.plans.plan(row)) for row in (0, 1)] == ["trump ♠, discard ♦8, call ♥A", "trump ♠, call ♣A"]


def test_choices_without_a_plan_have_no_best_one() -> None:
    rules = ruleset("pagat")
    hands = np.array([Hand("SJ HJ DJ CJ SA HA DA CA").bits, Hand("SJ9A HKQ D8 CT7").bits], np.uint64)
    watch = np.full(2, Card("H7").bit, np.uint64)
    found = Choices.of(rules.bid("kereltje"), rules, hands, watch, ["trumps"])
    assert found.best(np.array([1]))[0] == -1
    assert found.best(np.array([1]))[1] >= 0
    none = Choices.of(rules.bid("kereltje"), rules, hands[:1], watch[:1], ["trumps"])
    assert none.best(np.array([1])).tolist() == [-1]


# Pivots


def test_a_pivot_by_one_feature() -> None:
    found = pivot(STORED, "pandoer", "trump_jack")
    frame = Frame.of(STORED).of_bid("pandoer")
    jack = features(frame.after, frame.plans, "pagat", ["trump_jack"])["trump_jack"]
    for value in (0, 1):
        cell, here = found[value], jack == value
        assert cell.hands == here.sum()
        assert cell.chance == pytest.approx(np.average(frame.chance[here], weights=frame.weight[here]))
        assert cell.low < cell.chance < cell.high
        assert cell.share == pytest.approx(frame.weight[here].sum() / frame.weight.sum())
    assert found[1].low > found[0].high
    assert found.total.hands == len(frame)
    assert found.row_values == (0, 1)
    assert found.column_values == ()
    with pytest.raises(KeyError):
        found[7]


def test_a_pivot_by_two_features_and_its_forms() -> None:
    found = pivot(stored(), "zwabber", "side_aces", "voids")
    assert sum(cell.hands for cell in found) == found.total.hands
    assert sum(cell.share for cell in found) == pytest.approx(1)
    assert found[0, 0].row == 0
    assert len(str(found).splitlines()) == len(found.row_values) + 3
    assert str(found).startswith("zwabber (pagat): chance by side_aces and voids, 208 hands\nside_aces \\ voids")
    assert found._repr_html_().count("<tr>") == len(found.row_values) + 1
    assert repr(found) == "<Pivot of zwabber (pagat): chance by side_aces and voids, 208 hands>"
    told = json.loads(json.dumps(found.to_dict()))
    assert told["cells"][0]["hands"] == found.cells[0].hands
    arrow = found.to_arrow()
    assert type(arrow) is type(stored())
    assert arrow.column_names == ["side_aces", "voids", "hands", "share", "chance", "low", "high"]
    assert arrow.num_rows == len(found)
    assert hash(found) == hash(pivot(stored(), "zwabber", "side_aces", "voids"))
    with pytest.raises(FrozenInstanceError):
        found.bid = "x"  # type: ignore[misc]


@pytest.mark.parametrize(
    ("bid", "by", "said"),
    [
        ("pandoer", ("jacks", None), "unknown feature 'jacks': expected one of trumps"),
        ("pandoer", ("trumps", "trumps"), "rows and columns 'trumps': expected two features"),
        ("piccolo", ("trumps", None), "no chances of 'piccolo' in this table: expected one of pandoer"),
        ("whist", ("trumps", None), "unknown bid 'whist'"),
    ],
)
def test_mistakes_in_a_pivot_are_told(bid: str, by: tuple[str, str | None], said: str) -> None:
    with pytest.raises(PandoerError) as caught:
        pivot(STORED, bid, *by)
    assert said in str(caught.value)


def test_a_file_written_by_pandas_has_no_metadata(tmp_path: Path) -> None:
    stored().to_pandas().to_parquet(tmp_path / "t.parquet")
    assert isinstance(pivot(tmp_path / "t.parquet", "misere", "low_gaps", rules="pagat"), Pivot)
    with pytest.raises(PandoerError, match="expected rules="):
        pivot(tmp_path / "t.parquet", "misere", "low_gaps")


# The interval


def test_the_interval_is_never_empty_and_knows_few_hands() -> None:
    p, low, high = mean_chance(np.zeros(1), np.ones(1))
    assert (p, low) == (0, 0)
    assert high > 0.7
    assert mean_chance(np.ones(50), np.ones(50))[1] < 0.95
    many = mean_chance(np.full(50, 0.5), np.ones(50))
    few = mean_chance(np.full(5, 0.5), np.ones(5))
    assert many[0] == few[0] == 0.5
    assert few[1] < many[1] < 0.5 < many[2] < few[2]
    # One hand that outweighs all others leaves little more than one hand.
    heavy = mean_chance(np.linspace(0, 1, 21), np.array([1000.0] + [1] * 20))
    assert heavy[2] - heavy[1] > 0.6


@pytest.mark.parametrize(("a", "b", "hands", "samples"), [(0.5, 0.5, 20, 8), (2, 3, 40, 8), (0.3, 3, 60, 30)])
def test_the_interval_covers_the_mean_over_hands(a: float, b: float, hands: int, samples: int) -> None:
    rng = np.random.default_rng(5)
    covered = 0
    for _ in range(1000):
        weights = rng.uniform(0.5, 2, hands)
        chances = rng.binomial(samples, rng.beta(a, b, hands)) / samples
        _, low, high = mean_chance(chances, weights)
        covered += low <= a / (a + b) <= high
    assert 930 <= covered <= 990


SHORT = replace(ruleset("pagat"), hand=1)
"""A game of one trick, of which all hands can be asked."""


def test_all_hands_are_no_sample() -> None:
    asked: dict[str, Any] = {"rules": SHORT, "samples": 30, "seed": 1}
    table = strength_table("prive", hands="all", **asked)
    frame = Frame.of(table, SHORT)
    assert frame.every
    found = pivot(frame, "prive", "trumps")
    # Rows of the same cards have the same deals, and cards are asked independently of others.
    rows = frame.of_bid("prive")
    questions = {int(cards): (rows.hands | rows.watch) == cards for cards in rows.hands | rows.watch}
    share = rows.weight / rows.weight.sum()
    assert len(questions) < len(rows)
    error = math.sqrt(sum(float(share[same].sum() * rows.error[same][0]) ** 2 for same in questions.values()))
    assert found.total.high - found.total.chance == pytest.approx(1.96 * error, rel=1e-3)
    assert found.total.chance == pytest.approx(float(share @ rows.chance))
    sampled = replace(frame, every=False)
    assert found.total.high - found.total.low < pivot(sampled, "prive", "trumps").total.high - found.total.low
    assert Frame.of(strength_table("prive", hands=lambda hand, watch: "SA" in hand, **asked), SHORT).every
    for hands in (9, [("SA", "SJ"), ("SK", "SJ")]):
        assert not Frame.of(strength_table("prive", hands=hands, **asked), SHORT).every


def test_the_interval_of_all_hands_covers_their_mean() -> None:
    """Few deals of each hand, asked again and again: the truth is the mean of the true chances of these hands."""
    rng = np.random.default_rng(7)
    table = strength_table("prive", hands="all", rules=SHORT, samples=2, seed=1)
    rows = Frame.of(table, SHORT).of_bid("prive")
    asked, owner = np.unique(rows.hands | rows.watch, return_inverse=True)
    true, samples, covered = rng.beta(2, 3, len(asked)), 10, 0
    for _ in range(500):
        chance = rng.binomial(samples, true) / samples
        error = np.sqrt(chance * (1 - chance) / samples + 1e-3)
        here = replace(rows, chance=chance[owner], error=error[owner])
        _, low, high = mean_of(here)
        covered += low <= float(rows.weight @ true[owner] / rows.weight.sum()) <= high
    assert 0.92 <= covered / 500 <= 0.99
    exact = replace(rows, error=0 * rows.error)
    assert len(set(mean_of(exact))) == 1
