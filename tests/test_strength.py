"""Strength tables: their hands, columns, rows and files, and the search for a hand."""

from __future__ import annotations

import pickle
import re
import sys
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from itertools import combinations, permutations
from math import comb
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pandoer
from pandoer import Hand, PandoerError, Plan, StrengthTable, Suit, advise, odds, ruleset, strength_table
from pandoer.cards import Card
from pandoer.intervals import Z95
from pandoer.rulesets import Ruleset
from pandoer.symmetry import renamed
from pandoer.tables import all_hands, builtin, column, included, listed_hands, plan_text, random_hands, read_plan
from pandoer.tables.chunks import Pace
from pandoer.tables.hands import GROUP, Block, Source, card_of, source_of
from pandoer.tables.writing import ROW_GROUP

pytest.importorskip("pyarrow")

PAGAT, PANDUR = ruleset("pagat"), ruleset("pandur")
HAND, WATCH = Hand("♠J9A ♥KQ ♦8 ♣T7"), Card("H7")
LISTED: list[tuple[Any, Any]] = [(HAND, WATCH), ("♠AKQ ♥A6 ♦A ♣A7", "S7"), ("SJ HJ DJ CJ S7 S8 H6 D7", "C7")]
BIDS = ("prive", "misere", "kereltje", "praatje")
SHORT = replace(PAGAT, hand=1)
"""A game of one trick, of which everything can be asked."""


def source(hands: Any, rules: Ruleset, *, is_open: bool) -> Source:
    return source_of(hands, rules, (), is_open=is_open, seed=0)


def rows_of(found: Source) -> Block:
    """All rows of a source, group by group."""
    blocks = [found.block(start, min(start + GROUP, found.places)) for start in range(0, found.places, GROUP)]
    names = ("places", "questions", "hands", "watches", "weights")
    return Block(*(np.concatenate([getattr(block, name) for block in blocks]) for name in names))


@cache
def made() -> StrengthTable:
    """The listed hands, with bids of all kinds."""
    return strength_table(BIDS, hands=LISTED, rules="pagat", samples=20, seed=7, threads=1)


# Hands


def test_all_hands_are_the_classes() -> None:
    rows = rows_of(source("all", PANDUR, is_open=False))
    assert len(rows) == 34_497
    assert rows.weights.sum() == comb(24, 8)
    assert not rows.watches.any()
    assert np.array_equal(rows.places, rows.questions)


@pytest.mark.parametrize("rules", [replace(PANDUR, hand=2, watch="open"), replace(PAGAT, hand=2)])
def test_all_hands_with_a_watch_card_are_those_of_brute_force(rules: Ruleset) -> None:
    """Each pair of a hand and a watch card is like exactly one row, whose weight is the number of those like it."""
    deck = np.array(rules.deck.bits, np.uint64)
    ways = [names for names in permutations(Suit) if renamed(deck, names) == deck]

    def least(pairs: Any) -> list[tuple[int, int]]:
        images = [renamed(np.array(pairs, np.uint64), names).tolist() for names in ways]
        return [min(map(tuple, same)) for same in zip(*images, strict=True)]

    pairs = [(Hand(cards).bits ^ card.bit, card.bit) for cards in combinations(rules.deck, 3) for card in cards]
    found = Counter(least(pairs))
    rows = rows_of(source("all", rules, is_open=True))
    weights = dict(zip(least(np.column_stack([rows.hands, rows.watches])), rows.weights.tolist(), strict=True))
    assert len(weights) == len(rows)
    assert weights == found
    nine = rows.hands | rows.watches
    assert all(len({*nine[rows.questions == question].tolist()}) == 1 for question in np.unique(rows.questions)[::20])


def test_any_portion_of_all_hands_is_the_same() -> None:
    found = source("all", PAGAT, is_open=True)
    assert found.places == 6_625_091 * 9
    whole, part = found.block(45 * GROUP, 46 * GROUP), found.block(45 * GROUP + 900, 45 * GROUP + 1800)
    first = int(np.searchsorted(whole.places, part.places[0]))
    assert np.array_equal(whole.hands[first:][: len(part)], part.hands)
    last = found.block(found.places - 90, found.places)
    assert last.places.max() < found.places


def test_random_hands_are_uniform_and_do_not_depend_on_portions() -> None:
    found = source(3000, PAGAT, is_open=True)
    rows = found.block(0, 3000)
    assert (np.bitwise_count(rows.hands) == 8).all()
    assert not (rows.hands & rows.watches).any()
    assert (rows.weights == 1).all()
    for card in PAGAT.deck:
        assert ((rows.hands & np.uint64(card.bit)) != 0).mean() == pytest.approx(8 / 33, abs=0.04)
        assert (rows.watches == card.bit).mean() == pytest.approx(1 / 33, abs=0.016)
    part = found.block(700, 1100)
    assert np.array_equal(part.hands, rows.hands[700:1100])
    assert np.array_equal(source(3000, PAGAT, is_open=False).block(0, 3000).hands, rows.hands)
    assert not np.array_equal(source(random_hands(3000, seed=1), PAGAT, is_open=True).block(0, 3000).hands, rows.hands)


def test_listed_hands() -> None:
    bits = np.array([[Hand(hand).bits, Card(watch).bit] for hand, watch in LISTED], np.uint64)
    for given in (LISTED, bits, listed_hands(LISTED), iter(LISTED)):
        rows = source(given, PAGAT, is_open=True).block(0, 3)
        assert np.array_equal(rows.hands, bits[:, 0])
        assert np.array_equal(rows.watches, bits[:, 1])
    for alone in ([HAND], [str(HAND)], bits[:1, 0], [(HAND, None)], [HAND.bits]):
        assert source(alone, PAGAT, is_open=False).block(0, 1).hands.tolist() == [HAND.bits]


def test_filters() -> None:
    has_ace = source(random_hands(500).where(lambda hand: "SA" in hand), PANDUR, is_open=False)
    rows, every = has_ace.block(0, 500), source(500, PANDUR, is_open=False).block(0, 500)
    ace = np.uint64(Card("SA").bit)
    assert 0 < len(rows) < 500
    assert np.array_equal(rows.places, every.places[(every.hands & ace) != 0])
    both = random_hands(500).where(lambda hand, _: "SA" in hand).where(lambda _, watch: watch.suit == Suit.HEARTS)
    rows = source(both, PAGAT, is_open=True).block(0, 500)
    for hand, watch in zip(rows.hands, rows.watches, strict=True):
        assert hand & ace
        assert card_of(int(watch)).suit == Suit.HEARTS
    kept = source(lambda hand: Hand("SAK HAK DAK CAK") == hand, PANDUR, is_open=False)
    assert len(rows_of(kept)) == 1


@pytest.mark.parametrize(
    ("hands", "message"),
    [
        ("some", "hands 'some': expected 'all', a number, or a list of hands"),
        (0, "hands 0: expected a whole number, 1 to"),
        (True, "hands True: expected a whole number"),
        (None, "hands None: expected 'all', a number, a list of hands, or a filter"),
        (HAND, "expected 'all', a number, a list of hands, or a filter"),
        ([], "hands: expected one or more, there are none"),
        ([(HAND, WATCH), ("SX", WATCH)], "hand 1: cannot read hand 'SX'"),
        ([(HAND, WATCH, 3)], "hand 0, (Hand("),
        ([3.5], "hand 0, 3.5: expected a hand, or a hand and its watch card"),
        ([HAND], "hand 0, '♠AJ9 ♥KQ ♦8 ♣T7': expected its watch card"),
        ([(HAND, "SJ")], "watch card '♠J': expected another card of pagat"),
        (np.array([[HAND.bits, 3]]), "watch card of bits 0x3: expected another card of pagat"),
        ([("SA", "SJ")], "hand 0, '♠A': expected 8 cards, not 1"),
        (np.array([[1.5]]), "hands, float64 (1, 1): expected uint64 [hands]"),
        (np.zeros((2, 3), np.uint64), "hands, uint64 (2, 3): expected"),
        (np.array([[3, 0]]), "hand 0: "),
    ],
)
def test_hands_that_are_none(hands: Any, message: str) -> None:
    with pytest.raises(PandoerError, match=re.escape(message)):
        strength_table("prive", hands=hands, rules="pagat")


def test_a_filter_is_a_function() -> None:
    with pytest.raises(PandoerError, match="filter 'SA': expected a function"):
        all_hands().where("SA")  # type: ignore[arg-type]


def test_suits_that_are_not_alike() -> None:
    with pytest.raises(PandoerError, match="hands 'all': in cappelle the suit decides between melds"):
        strength_table("prive,140", hands="all", rules="cappelle")
    source_of("all", ruleset("cappelle"), [ruleset("cappelle").bid("prive")], is_open=True, seed=0)


# Plans and columns


@pytest.mark.parametrize("text", ["S C7 HA", "- C7 -", "D - -", "- - -", "S C7 HA HK must", "H D8 - SJ"])
def test_plans_there_and_back(text: str) -> None:
    assert plan_text(read_plan(text)) == text


def test_plans_of_odds() -> None:
    plan = odds(HAND, "pandoer", watch="H7", samples=1, view="blind-lead", rules="wikipedia-nl").plan
    assert plan is not None
    assert plan.lead is not None
    assert read_plan(str(plan_text(plan))) == plan
    assert plan_text(None) is None
    with pytest.raises(PandoerError, match="plan 'S C7': expected trump, discard and called card"):
        read_plan("S C7")


def test_columns() -> None:
    assert column("pandoer+20", "plan") == "pandoer_plus_20_plan"
    with pytest.raises(PandoerError, match="figure 'odds': expected one of chance, error"):
        column("prive", "odds")
    assert made().column("praatje", "error") == "praatje_error"
    with pytest.raises(PandoerError, match="bid 'zwabber': expected one of prive, misere"):
        made().column("zwabber")


def test_the_schema() -> None:
    schema = made().to_arrow().schema
    assert [(field.name, str(field.type)) for field in schema][:9] == [
        ("hand", "uint64"), ("hand_text", "string"), ("watch", "string"), ("weight", "double"),
        ("prive_chance", "double"), ("prive_error", "double"), ("prive_expected", "double"),
        ("prive_samples", "int32"), ("prive_plan", "dictionary<values=string, indices=int32, ordered=0>"),
    ]  # fmt: skip
    assert len(schema) == 4 + 5 * len(BIDS)


# Rows


def test_a_row_is_what_odds_and_advise_say() -> None:
    row = made().row(HAND, WATCH)
    seed = np.random.SeedSequence(7, spawn_key=(0,))
    assert [bid.bid for bid in row.bids] == [*BIDS]
    for bid in BIDS:
        found = odds(HAND, bid, rules="pagat", watch=WATCH, samples=20, seed=seed)
        got = row[bid]
        assert (got.chance, got.expected, got.samples, got.plan) == (
            found.probability, found.expected, 20, found.plan,
        )  # fmt: skip
        assert got.error == pytest.approx((found.high - found.low) / 2 / Z95)
    advice = advise(HAND, rules="pagat", watch=WATCH, samples=20, seed=seed, auction="pandoer+200")
    chances = {one.odds.bid: one.odds.probability for one in advice.bids}
    assert {bid: row[bid].chance for bid in ("praatje", "prive")} == {bid: chances[bid] for bid in ("praatje", "prive")}


def test_a_table_of_few_plans() -> None:
    table = strength_table("pandoer,praatje", hands=LISTED[:2], rules="pagat", samples=8, plans=2, seed=7)
    assert table.parameters["plans"] == 2
    assert made().parameters["plans"] is None
    for number, (hand, watch) in enumerate(LISTED[:2]):
        seed = np.random.SeedSequence(7, spawn_key=(number,))
        found = odds(hand, "pandoer", rules="pagat", watch=watch, samples=8, plans=2, seed=seed)
        assert (table[number]["pandoer"].chance, table[number]["pandoer"].plan) == (found.probability, found.plan)
    everything = strength_table(BIDS, hands=LISTED, rules="pagat", samples=20, plans=500, seed=7)
    assert [*everything] == [*made()]
    assert everything != made()  # it was asked otherwise


def test_a_bid_that_a_hand_cannot_make() -> None:
    row = made()[2]
    assert [bid.bid for bid in row.bids] == ["prive", "misere", "praatje"]
    with pytest.raises(PandoerError, match="bid 'kereltje': expected one of prive, misere, praatje"):
        _ = row["kereltje"]
    columns = made().to_arrow().slice(2).to_pylist()[0]
    assert columns["kereltje_chance"] is None
    assert columns["kereltje_plan"] is None
    assert columns["kereltje_samples"] == 0


def test_a_closed_watch_card() -> None:
    table = strength_table("prive", hands=[HAND], rules="pagat", watch="closed", samples=25, seed=2)
    row = table.row(HAND)
    found = odds(HAND, "prive", rules="pagat", samples=25, seed=np.random.SeedSequence(2, spawn_key=(0,)))
    assert (row["prive"].chance, row["prive"].plan) == (found.probability, None)
    assert table.to_arrow()["watch"].to_pylist() == [None]
    assert strength_table("prive", hands=[HAND], samples=1).watch == "closed"
    with pytest.raises(PandoerError, match=re.escape("watch card 'H7': expected none in this table")):
        table.row(HAND, "H7")


def test_exact_chances_without_a_watch_card() -> None:
    hand = Hand("SAKQJT HA DA CA")
    table = strength_table("pandur-ohne,misere-ohne", hands=[hand], rules="pandur")
    row = table.row(hand)
    assert row["pandur-ohne"].samples == 12_870
    assert row["pandur-ohne"].error == 0
    assert row["pandur-ohne"].chance == odds(hand, "pandur-ohne", rules="pandur").probability
    assert row["misere-ohne"].chance == 0


def test_all_hands_of_a_short_game() -> None:
    table = strength_table("prive", hands="all", rules=SHORT, samples=2, seed=1, chunk=9)
    assert table.to_arrow()["weight"].to_numpy().sum() == 33 * 32
    by_cards: dict[int, set[Any]] = {}
    for row in table:
        assert row.watch is not None
        by_cards.setdefault((row.hand | row.watch).bits, set()).add((row["prive"].chance, row["prive"].plan))
    assert all(len(found) == 1 for found in by_cards.values())
    other = table.row("D7", "CA")
    assert (other.hand, other.watch) == (Hand("D7"), Card("CA"))
    assert other["prive"].plan is not None
    assert {other["prive"].plan.discard} <= {Card("D7"), Card("CA")}
    kept = strength_table("prive", hands=lambda _, watch: watch == Card("SA"), rules=SHORT, samples=2, seed=1)
    assert [*kept] == [row for row in table if row.watch == Card("SA")]
    assert kept.parameters["rules_sha256"] is not None


def test_lookup_under_other_names_of_suits() -> None:
    table = strength_table("prive,pandoer", hands=LISTED[:2], rules="pagat", samples=5)
    row = table[1]
    assert row.watch is not None
    for names in permutations((Suit.CLUBS, Suit.DIAMONDS, Suit.SPADES)):
        ways = (names[0], names[1], Suit.HEARTS, names[2])
        image = row.renamed(ways)
        assert table.row(image.hand, image.watch) == image
    swapped = row.renamed((Suit.CLUBS, Suit.HEARTS, Suit.DIAMONDS, Suit.SPADES)) if "H6" not in row.hand else None
    assert swapped is None
    with pytest.raises(PandoerError, match="hand '♠AKQ ♥A6 ♦A ♣A7, watch card ♠8': expected one of the 2 in"):
        table.row(row.hand, "S8")
    with pytest.raises(PandoerError, match="watch card None: expected a watch card, which lies open in this table"):
        table.row(row.hand)
    by_suit = strength_table("140", hands=LISTED[1:2], rules="cappelle", samples=1, node_limit=1)
    assert by_suit.row(*LISTED[1])
    image = row.renamed((Suit.SPADES, Suit.DIAMONDS, Suit.HEARTS, Suit.CLUBS))
    with pytest.raises(PandoerError, match="expected one of the 1 in this table"):
        by_suit.row(image.hand, image.watch)


def test_a_row_shows_itself() -> None:
    row = made()[0]
    lines = str(row).splitlines()
    assert lines[0] == "♠AJ9 ♥KQ ♦8 ♣T7, watch card ♥7"
    assert re.fullmatch(r"prive: \d+\.\d % ± \d+\.\d, expected [-+]\d+\.\d\d; trump ., discard ..", lines[1])
    assert row._repr_html_().count("<li>") == len(BIDS)
    found = row.to_json()
    assert (found["hand"], found["watch"], found["weight"]) == (str(HAND), "H7", 1.0)
    assert found["bids"][0]["plan"] == row["prive"].plan.to_json()  # type: ignore[union-attr]


# Tables


def test_it_shows_itself() -> None:
    assert repr(made()) == (
        "<StrengthTable pagat: 3 hands, watch card open, samples 20, seed 7; prive, misere, kereltje, praatje>"
    )
    shown = made()._repr_html_()
    assert shown.count("<tr>") == 4
    assert "more" not in shown


def test_it_is_a_value(tmp_path: Path) -> None:
    again = pickle.loads(pickle.dumps(made()))
    assert again == made()
    assert hash(again) == hash(made())
    assert made() != strength_table(BIDS, hands=LISTED[:2], rules="pagat", samples=20, seed=7)
    assert made() != "table"
    made().save(tmp_path / "table.parquet")
    opened = StrengthTable.open(tmp_path / "table.parquet")
    assert opened == made()
    assert pickle.loads(pickle.dumps(opened)) == opened
    with pytest.raises(AttributeError):
        opened.path = None  # type: ignore[misc]
    with pytest.raises(TypeError):
        opened.parameters["seed"] = 3  # type: ignore[index]


def test_the_file_has_parameters_version_and_seed(tmp_path: Path) -> None:
    out = tmp_path / "table.parquet"
    table = strength_table(BIDS, hands=LISTED, rules="pagat", samples=20, seed=7, out=out)
    assert [*tmp_path.iterdir()] == [out]
    made().save(tmp_path / "again.parquet")
    assert (tmp_path / "again.parquet").read_bytes() == out.read_bytes()
    parameters = table.parameters
    assert parameters["version"] == pandoer.__version__
    assert (parameters["seed"], parameters["samples"], parameters["bids"]) == (7, 20, [*BIDS])
    assert (table.rules, table.watch, table.bids, len(table)) == ("pagat", "open", BIDS, 3)
    assert repr(table).endswith(f" in {str(out)!r}>")
    assert [*table] == [*made()]
    assert table[-1] == made()[2]
    with pytest.raises(IndexError, match="row 3: expected -3 to 2"):
        _ = table[3]
    assert table.to_arrow(["hand", "weight"]).column_names == ["hand", "weight"]
    assert StrengthTable.of(table.to_arrow().slice(1)).row(*LISTED[1]) == made()[1]


def test_readers(tmp_path: Path) -> None:
    pandas, polars, duckdb = (pytest.importorskip(name) for name in ("pandas", "polars", "duckdb"))
    out = tmp_path / "table.parquet"
    made().save(out)
    hands = [HAND.bits, *(Hand(hand).bits for hand, _ in LISTED[1:])]
    chances = [row["prive"].chance for row in made()]
    plans = [plan_text(row["prive"].plan) for row in made()]
    frame = pandas.read_parquet(out)
    assert frame["hand"].tolist() == hands
    assert frame["prive_chance"].tolist() == chances
    assert frame["prive_plan"].astype(str).tolist() == plans
    assert frame["kereltje_chance"].isna().tolist() == [False, False, True]
    for eager in (polars.read_parquet(out), polars.scan_parquet(out).collect(), polars.DataFrame(made())):
        assert eager["hand"].to_list() == hands
        assert eager["prive_chance"].to_list() == chances
        assert eager["prive_plan"].cast(polars.String).to_list() == plans
    question = f"select hand, prive_chance, prive_plan from '{out}' order by hand"
    assert duckdb.sql(question).fetchall() == sorted(zip(hands, chances, plans, strict=True))


def test_row_groups_have_a_fixed_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pandoer.tables.writing.ROW_GROUP", 7)
    files = []
    for chunk in (1, 4):
        out = tmp_path / f"{chunk}.parquet"
        table = strength_table("prive", hands=20, rules=SHORT, samples=2, out=out, chunk=chunk)
        metadata = table._file().metadata
        assert [metadata.row_group(i).num_rows for i in range(metadata.num_row_groups)] == [7, 7, 6]
        assert [table[i].hand for i in range(20)] == [row.hand for row in table]
        assert table.row(table[16].hand, table[16].watch).bids
        files.append(out.read_bytes())
    assert files[0] == files[1]
    assert ROW_GROUP > 7


@pytest.mark.parametrize("content", [b"", b"no table", b"PAR1 no table PAR1"])
def test_files_that_are_no_tables(content: bytes, tmp_path: Path) -> None:
    file = tmp_path / "table.parquet"
    file.write_bytes(content)
    with pytest.raises(PandoerError, match=r"cannot read the table '.*table\.parquet'"):
        StrengthTable.open(file)
    with pytest.raises(FileNotFoundError):
        StrengthTable.open(tmp_path / "other.parquet")


def test_other_parquet_files(tmp_path: Path) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    file = tmp_path / "table.parquet"
    parquet.write_table(arrow.table({"hand": [1]}), file)
    with pytest.raises(PandoerError, match="is no strength table: expected one that strength_table wrote"):
        StrengthTable.open(file)
    with pytest.raises(PandoerError, match="the columns of 'table in memory' are not those of its bids prive, misere"):
        StrengthTable.of(made().to_arrow(["hand"]))


def test_a_table_of_the_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made().save(tmp_path / "pagat.parquet")
    monkeypatch.setattr(included, "data", lambda: tmp_path)
    table = builtin("pagat")
    assert isinstance(table, StrengthTable)
    assert table.path == tmp_path / "pagat.parquet"
    assert table.row(HAND, WATCH) == made()[0]
    with pytest.raises(PandoerError, match="no table of 'butselaar': expected one of pandur, pagat"):
        builtin("butselaar")


def test_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(PandoerError, match=r"strength tables need pyarrow .*: pip install 'pandoer\[tables\]'"):
        strength_table("prive", hands=1, rules="pagat")


# Questions


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"bids": "prive,bridge"}, "unknown bid 'bridge' in pagat"),
        ({"bids": ","}, "bids: expected one or more, there are none"),
        ({"bids": None}, "bids None: expected 'all', or bids such as '130,pandoer'"),
        ({"rules": "bridge"}, "unknown ruleset 'bridge'"),
        ({"watch": "shut"}, "watch 'shut': expected 'open' or 'closed'"),
        ({"rules": "pandur", "bids": "pandur-ohne", "watch": "open"}, "watch 'open': pandur has no watch card"),
        ({"samples": 0}, "samples 0: expected a whole number"),
        ({"samples": 5, "precision": 0.1}, "expected one of them"),
        ({"exact": True}, "exact: there are 9,465,511,770 layouts"),
        ({"view": "blind"}, "view 'blind': expected one of double-dummy, blind-lead"),
        ({"players": 3}, "players 3: pagat is played by 4"),
        ({"node_limit": 0}, "node_limit 0: expected a whole number"),
        ({"seed": -1}, "seed -1: expected a whole number"),
        ({"threads": 0}, "threads 0: expected a whole number, 1 or more"),
        ({"chunk": 1.5}, "chunk 1.5: expected a whole number, 1 or more"),
        ({"executor": "threads"}, "executor 'threads', threads None: expected an Executor"),
        ({"out": "no/such/directory/table.parquet"}, "expected a file in a directory that exists"),
        ({"out": "."}, "'.': expected a file in a directory that exists"),
    ],
)
def test_questions_that_make_no_sense(asked: dict[str, Any], message: str) -> None:
    with pytest.raises(PandoerError, match=re.escape(message)):
        strength_table(**{"bids": "prive", "hands": 2, "rules": "pagat", **asked})


def test_threads_or_an_executor() -> None:
    with ThreadPoolExecutor(1) as executor, pytest.raises(PandoerError, match="expected an Executor, or threads"):
        strength_table("prive", hands=2, rules="pagat", threads=1, executor=executor)


@pytest.mark.parametrize(
    ("given", "names"),
    [("all", [bid.name for bid in PAGAT.bids]), (160, ["160"]), (["Misère", "prive", "misere"], ["misere", "prive"]),
     (PAGAT.bid("pandoer+40"), ["pandoer+40"])],
)  # fmt: skip
def test_bids(given: Any, names: Iterable[str]) -> None:
    table = strength_table(given, hands=lambda hand, watch: False, rules=replace(SHORT, hand=1), samples=1)
    assert table.bids == tuple(names)
    assert len(table) == 0
    assert table.to_arrow().num_rows == 0
    assert [*table] == []


def test_seeds() -> None:
    def chances(seed: Any) -> Any:
        table = strength_table("prive", hands=LISTED[1:2], rules="pagat", samples=30, seed=seed)
        return table.parameters["seed"], table[0]["prive"].chance

    root = np.random.SeedSequence(5)
    assert chances(5) == chances(root)
    child = chances(root.spawn(1)[0])
    assert child[0] == {"entropy": 5, "spawn_key": [0]}
    seed = np.random.SeedSequence(5, spawn_key=(0, 0))
    assert child[1] == odds(LISTED[1][0], "prive", rules="pagat", watch="S7", samples=30, seed=seed).probability


def test_the_pace_of_chunks() -> None:
    pace = Pace()
    assert pace.rows == 1
    pace.took(1, 0.001)
    assert pace.rows == 4
    for _ in range(20):
        pace.took(pace.rows, pace.rows * 0.01)
    assert 60 <= pace.rows <= 75
    pace.took(0, 0.0)
    for _ in range(20):
        pace.took(pace.rows, pace.rows * 5.0)
    assert pace.rows == 1
    fixed = Pace(7)
    fixed.took(7, 100.0)
    assert fixed.rows == 7


def test_a_plan_is_a_plan() -> None:
    plan = made()[0]["prive"].plan
    assert isinstance(plan, Plan)
