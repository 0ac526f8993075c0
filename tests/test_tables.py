"""Exact chances for every hand of Pandur: how they are found, looked up, kept and made."""

from __future__ import annotations

import copy
import io
import os
import pickle
import re
from dataclasses import FrozenInstanceError
from functools import cache
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

import pandoer
from pandoer import Hand, PandoerError, Suit, odds, ruleset, solve_many, tables
from pandoer.cards import Card, Rank
from pandoer.classes import hand_classes
from pandoer.dealing import Layouts
from pandoer.tables import BUILTIN, ChanceTable, builtin, exact_chances, hopeless, included, load, make

RULES = ruleset("pandur")
CLASSES = hand_classes(RULES)
LAYOUTS = 12_870
BIDS = ("misere-ohne", "pandur-ohne")
EVERY = np.arange(CLASSES.count)
FILE = Path(pandoer.__file__).parent / "data" / "pandur.npz"

needs_table = pytest.mark.skipif(
    not FILE.is_file() and "CI" not in os.environ, reason="the table of pandur has not been made"
)


@cache
def invented() -> ChanceTable:
    """A table with counts that mean nothing, but differ from class to class."""
    return ChanceTable(RULES, {"misere-ohne": EVERY % (LAYOUTS + 1), "pandur-ohne": EVERY // 3}, "0")


def renamed(hand: Hand, names: tuple[int, ...]) -> Hand:
    """A hand with suit i called by the i-th name."""
    return Hand(Card.of(Suit(names[card.suit]), card.rank) for card in hand)


def solved(hand: Hand, bid: str) -> int:
    """In how many layouts a bid without trump is made, each solved by itself."""
    layouts = Layouts(RULES.deck - hand, 2, 8).enumerate()
    assert len(layouts) == LAYOUTS
    deals = np.column_stack([np.full(LAYOUTS, hand.bits, np.uint64), layouts])
    return int(np.sum(solve_many(deals, RULES.contract(bid))))


# Finding them


@pytest.mark.parametrize(
    ("bid", "hand", "count"),
    [
        ("pandur-ohne", "SAKQJT9 HAK", LAYOUTS),
        ("pandur-ohne", "SAKQ HAK DAKQ", None),
        ("pandur-ohne", "SAKQJT HA DA CA", None),
        ("pandur-ohne", "SAKQJT9 HK DA", 0),
        ("misere-ohne", "ST9 HT9 DT9 CT9", None),
        ("misere-ohne", "SJ9 HQ9 DK9 CK9", None),
        ("misere-ohne", "SAK HAK DAK CAK", 0),
    ],
)
def test_a_count_is_that_of_the_layouts_solved_one_by_one(bid: str, hand: str, count: int | None) -> None:
    index = CLASSES.rank(Hand(hand))
    found = exact_chances(bid, index)
    assert found.shape == ()
    assert found.dtype == np.int32
    assert found == solved(Hand(hand), bid)
    assert count is None or found == count


@pytest.mark.parametrize("bid", ["misere-ohne", "pandur-mit"])
def test_the_names_of_suits_do_not_matter(bid: str) -> None:
    hand = Hand("SJ9 HAKQ DAK CA") if bid == "pandur-mit" else Hand("SJ9 HQ9 DK9 CKT")
    count = int(exact_chances(bid, [CLASSES.rank(hand)])[0])
    assert 0 < count < LAYOUTS
    for names in ((3, 2, 1, 0), (1, 2, 3, 0), (0, 2, 1, 3)):
        answer = odds(renamed(hand, names), bid, rules=RULES, exact=True)
        assert answer.probability == pytest.approx(count / LAYOUTS, abs=1e-12)


def test_progress_is_told_and_the_shape_kept() -> None:
    told: list[float] = []
    bid = RULES.bid("pandur-ohne")
    picked = EVERY[~hopeless(CLASSES.unrank(EVERY), bid, RULES)][-6:].reshape(2, 3)
    found = exact_chances(bid, picked, threads=1, progress=told.append)
    assert found.shape == (2, 3)
    assert told == pytest.approx([1 / 6, 2 / 6, 3 / 6, 4 / 6, 5 / 6, 1])
    assert np.array_equal(exact_chances(bid, picked.ravel()[::-1], threads=2), found.ravel()[::-1])
    told.clear()
    assert exact_chances(bid, [0, 1], progress=told.append).tolist() == [0, 0]
    assert told == [1]


def test_an_interrupt_stops_it() -> None:
    def stop(_: float) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        exact_chances("misere-ohne", progress=stop)


def test_hopeless_hands_lose_every_layout() -> None:
    bid = RULES.bid("pandur-ohne")
    hands = CLASSES.unrank(EVERY)
    lost = hopeless(hands, bid, RULES)
    assert (~lost).sum() == 991
    # Those with the most aces are the nearest to success.
    aces = np.uint64(sum(Card.of(suit, Rank.ACE).bit for suit in Suit))
    order = np.argsort(-np.bitwise_count(hands[lost] & aces).astype(int), kind="stable")
    near = hands[lost][order[:2000]]
    for bits in np.random.default_rng(3).choice(near, 25, replace=False):
        assert solved(Hand.from_bits(bits), "pandur-ohne") == 0


@pytest.mark.parametrize(("rules", "bid"), [("pandur", "pandur-mit"), ("pandur", "misere-ohne"), ("pagat", "prive"),
                                            ("wikipedia-nl", "solo-zwabber"), ("pandur", "200")])  # fmt: skip
def test_no_other_bid_is_called_hopeless(rules: str, bid: str) -> None:
    hands = hand_classes(rules).unrank(range(1000))
    assert not hopeless(hands, ruleset(rules).bid(bid), ruleset(rules)).any()


def test_wrong_questions() -> None:
    with pytest.raises(PandoerError, match="class 34497: expected 0 to 34496"):
        exact_chances("misere-ohne", [0, 34_497])
    with pytest.raises(PandoerError, match="unknown bid 'prive' in pandur"):
        exact_chances("prive", [0])
    with pytest.raises(PandoerError, match="more than 1,000,000"):
        exact_chances("prive", [0], rules="pagat")


# Looking them up


def test_lookup() -> None:
    table = invented()
    assert table.bids == BIDS
    assert table.layouts == LAYOUTS
    assert len(table) == 34_497
    index = 20_000
    hand = Hand.from_bits(CLASSES.unrank(index))
    assert table.made(index, "misere-ohne") == index - LAYOUTS - 1
    assert type(table.made(index, "misere-ohne")) is int
    assert table.made(EVERY.reshape(3, -1), "Pandur ohne").tolist() == (EVERY // 3).reshape(3, -1).tolist()
    for names in permutations(range(4)):
        other = renamed(hand, names)
        assert table.chance(other, "misère ohne") == (index - LAYOUTS - 1) / LAYOUTS
        assert table.chance(str(other), RULES.bid("pandur-ohne")) == (index // 3) / LAYOUTS
    bits = np.array([[hand.bits], [CLASSES.unrank(7)]], np.uint64)
    assert table.chance(bits, "misere-ohne").tolist() == [[(index - LAYOUTS - 1) / LAYOUTS], [7 / LAYOUTS]]


@pytest.mark.parametrize(
    ("method", "given", "bid", "message"),
    [
        ("chance", "SAK", "misere-ohne", "hand '♠AK': expected 8 cards, not 2"),
        ("chance", "SAKQJT987", "misere-ohne", "expected cards of the deck"),
        ("chance", [3], "misere-ohne", "hand of bits 0x3"),
        ("made", -1, "misere-ohne", "class -1: expected 0 to 34496"),
        ("made", 0, "120", "no chances of '120' in this table: expected one of misere-ohne, pandur-ohne"),
        ("made", 0, "prive", "unknown bid 'prive' in pandur"),
    ],
)
def test_wrong_lookups(method: str, given: Any, bid: str, message: str) -> None:
    with pytest.raises(PandoerError, match=re.escape(message)):
        getattr(invented(), method)(given, bid)


def test_the_whole_table() -> None:
    table = invented()
    rows = table.to_array()
    assert rows.dtype.names == ("hand", "size", *BIDS)
    assert rows["size"].sum() == CLASSES.hands
    assert np.array_equal(CLASSES.rank(rows["hand"]), EVERY)
    assert np.array_equal(table.chance(rows["hand"], "misere-ohne"), rows["misere-ohne"])
    assert table.mean("pandur-ohne") == pytest.approx(np.average(rows["pandur-ohne"], weights=rows["size"]))
    listed = [*table]
    assert len(listed) == len(rows)
    hand, size, chances = listed[-1]
    assert (hand, size) == (Hand("SAKQJT9 HAK"), 12)
    assert chances == {bid: rows[bid][-1] for bid in BIDS}


def test_it_is_a_value() -> None:
    table = invented()
    for again in (pickle.loads(pickle.dumps(table)), copy.deepcopy(table)):
        assert again == table
        assert hash(again) == hash(table)
    counts = {bid: table.counts[bid] for bid in BIDS}
    assert ChanceTable(RULES, counts, "0") == table
    assert ChanceTable(RULES, counts, "1") != table
    assert ChanceTable(RULES, counts | {"pandur-ohne": EVERY // 4}, "0") != table
    assert table != "table"
    with pytest.raises(FrozenInstanceError):
        table.layouts = 3  # type: ignore[misc]
    with pytest.raises(TypeError):
        table.counts["120"] = EVERY  # type: ignore[index]
    with pytest.raises(ValueError, match="read-only"):
        table.counts["misere-ohne"][0] = 1


def test_it_shows_itself() -> None:
    shown = repr(invented())
    assert shown.startswith("<ChanceTable pandur: 34,497 classes, 12,870 layouts; misere-ohne ")
    assert f"pandur-ohne {100 * invented().mean('pandur-ohne'):.2f} %>" in shown
    html = invented()._repr_html_()
    assert html.count("<tr>") == html.count("</tr>") == 3
    assert "misere-ohne" in html


def test_counts_are_checked() -> None:
    with pytest.raises(PandoerError, match=re.escape("counts of 'misere-ohne', int64 (3,): expected 34497 whole")):
        ChanceTable(RULES, {"misere-ohne": EVERY[:3]})
    with pytest.raises(PandoerError, match="float64"):
        ChanceTable(RULES, {"misere-ohne": EVERY / 2})  # type: ignore[dict-item]
    with pytest.raises(PandoerError, match="counts of 'misere-ohne': 12871 layouts, expected 0 to 12870"):
        ChanceTable(RULES, {"misere-ohne": np.full(34_497, 12_871)})
    with pytest.raises(PandoerError, match="unknown bid 'prive'"):
        ChanceTable(RULES, {"prive": EVERY * 0})


# Keeping and making them


def test_there_and_back(tmp_path: Path) -> None:
    file = tmp_path / "table.npz"
    invented().save(file)
    again = load(file)
    assert again == invented()
    assert again.counts["misere-ohne"].dtype == np.uint16
    with np.load(file) as arrays:
        assert set(arrays.files) == {"rules", "version", *BIDS}
    other = tmp_path / "other.npz"
    again.save(other)
    assert other.read_bytes() == file.read_bytes()


def archive(**arrays: npt.ArrayLike) -> bytes:
    """The bytes of a numpy archive."""
    file = io.BytesIO()
    np.savez(file, **arrays)  # type: ignore[arg-type]
    return file.getvalue()


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "cannot read the table"),
        (b"no archive", "cannot read the table"),
        (b"PK\x03\x04 no archive", "cannot read the table"),
        (archive(rules="pandur"), "cannot read the table .*version"),
        (archive(rules="bridge", version="1"), "unknown ruleset 'bridge'"),
        (archive(rules="pandur", version="1", prive=EVERY * 0), "unknown bid 'prive'"),
    ],
)
def test_files_that_are_no_tables(content: bytes, message: str, tmp_path: Path) -> None:
    file = tmp_path / "table.npz"
    file.write_bytes(content)
    with pytest.raises(PandoerError, match=message):
        load(file)


def test_unknown_builtin(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(PandoerError, match="no table of 'cappelle': expected one of pandur, pagat"):
        builtin("cappelle")
    monkeypatch.setattr(included, "BUILTIN", {"cappelle": ("prive",)})
    with pytest.raises(PandoerError, match="the table of 'cappelle' is not installed"):
        builtin("cappelle")


def test_the_command_makes_a_table(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[tuple[str, str, int | None]] = []

    def found(bid: str, *, rules: str, threads: int | None, progress: Any) -> npt.NDArray[np.int64]:
        asked.append((bid, rules, threads))
        for share in (0.01, 0.5, 1.0):
            progress(share)
        return np.asarray(invented().counts[bid], np.int64)

    monkeypatch.setattr(make, "exact_chances", found)
    file = tmp_path / "out.npz"
    assert tables.main(["pandur", str(file), "--threads", "2"]) == 0
    assert asked == [(bid, "pandur", 2) for bid in BIDS]
    assert load(file) == ChanceTable(RULES, invented().counts, pandoer.__version__)
    output = capsys.readouterr()
    assert output.out == ""
    assert "misere-ohne: 50.0 %, about 0 min left\nmisere-ohne: 100.0 %" in output.err
    assert "1.0 %, about" not in output.err


def test_mistakes_at_the_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "out.npz"
    for wrong in (["pagat", str(file)], ["pandur", str(tmp_path / "no" / "out.npz")], ["pandur"],
                  ["pandur", str(file), "--threads", "0"]):  # fmt: skip
        with pytest.raises(SystemExit) as stopped:
            tables.main(wrong)
        assert stopped.value.code == 2
    assert "threads 0: expected" in capsys.readouterr().err

    def interrupted(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(make, "exact_chances", interrupted)
    assert tables.main(["pandur", str(file)]) == 130
    assert not file.exists()


# The table of the package


@needs_table
def test_the_table_of_the_package() -> None:
    table = builtin("pandur")
    assert table is builtin()
    assert table.bids == BUILTIN["pandur"] == BIDS
    assert (table.rules, table.layouts, table.classes) == (RULES, LAYOUTS, CLASSES)
    assert re.fullmatch(r"\d+\.\d+\.\d+\w*", table.version)
    assert table.chance("♠AKQJT9 ♥AK", "pandur-ohne") == 1
    assert table.chance("♠AKQJ ♥AKQJ", "misere-ohne") == 0
    assert FILE.stat().st_size < 1_000_000
    lost = hopeless(CLASSES.unrank(EVERY), RULES.bid("pandur-ohne"), RULES)
    assert not table.made(EVERY[lost], "pandur-ohne").any()


@needs_table
@pytest.mark.parametrize("bid", BIDS)
def test_entries_of_the_table_are_found_again(bid: str) -> None:
    table = builtin("pandur")
    made = table.made(EVERY, bid)
    open_ones = (made > 0) & (made < LAYOUTS)
    random = np.random.default_rng(1958)
    picked = np.concatenate([random.choice(EVERY[these], 50, replace=False) for these in (open_ones, ~open_ones)])
    assert np.array_equal(exact_chances(bid, picked), made[picked])


@needs_table
@pytest.mark.parametrize("bid", BIDS)
def test_a_better_card_is_no_worse(bid: str) -> None:
    """For Misère the lower one of two cards next to each other in rank, for Pandur the higher one.

    Let a declarer who makes his contract swap them with the opponent who has the other.  Everybody can play as before,
    and each trick keeps its winner, unless one of the two cards won it over the other; but before the swap that would
    have been the declarer's in Misère and the opponent's in Pandur, and the contract lost.
    """
    table = builtin("pandur")
    hands = CLASSES.unrank(EVERY)
    made = table.made(EVERY, bid)
    for suit in Suit:
        for rank in range(Rank.NINE, Rank.ACE):
            low, high = (np.uint64(Card.of(suit, Rank(r)).bit) for r in (rank, rank + 1))
            swapped = ((hands & low) != 0) & ((hands & high) == 0)
            raised = table.made(CLASSES.rank(hands[swapped] ^ low ^ high), bid)
            better, worse = (made[swapped], raised) if bid == "misere-ohne" else (raised, made[swapped])
            assert (better >= worse).all()
