"""The commands ``odds`` and ``advise`` with ``--view table``."""

from __future__ import annotations

from typing import Any

import pytest

import pandoer
from pandoer.cli import live
from tests.commands import Run, mistake
from tests.test_cli import UNFINISHED, default_sigint, interrupted, no_sigint, start, work_for

HAND = "♠J9A ♥KQ ♦8 ♣T7"
TABLE = ("--rules", "pagat", "--watch", "H7", "--view", "table", "--worlds", "4")


def timeless(answer: Any) -> Any:
    """An answer without the seconds that it took."""
    for row in answer if isinstance(answer, list) else [answer]:
        del row["table"]["seconds"]
    return answer


ODDS = ("odds", HAND, "--bid", "kereltje", *TABLE, "--samples", "12")


def test_odds_at_the_table(run: Run) -> None:
    argv = (*ODDS, "--depth", "1", "--seed", "3")
    odds = pandoer.odds(
        HAND, "kereltje", rules="pagat", watch="H7", view="table", worlds=4, depth=1, samples=12, seed=3
    )
    assert timeless(run(*argv, "--json").json) == timeless(odds.to_json())
    table = odds.table
    assert table is not None
    words = " ".join(run(*argv).out.split())
    assert f"12 deals cards up {100 * table.double_dummy:.1f} % (95 % interval " in words
    assert f"the table is {100 * table.difference:+.1f} beside that" in words
    assert "thinking of 4 deals at each card plan" in words
    assert "Other plans, double-dummy; their figures" in words
    assert "thinking  of 4 deals at each card, the declarer 2 of his cards ahead\n" in run(*ODDS).out


def test_at_the_table_neither_threads_nor_batches_matter(run: Run) -> None:
    seen: list[int] = []

    def update(odds: pandoer.Odds) -> None:
        if odds.table is not None and not odds.finished:
            seen.append(odds.samples)

    alone = pandoer.odds(
        HAND, "kereltje", rules="pagat", watch="H7", view="table", worlds=4, samples=12, threads=1, update=update
    )
    assert seen == [*range(1, 9), 10, 12]  # an answer after each batch of deals
    assert timeless(run(*ODDS, "--threads", "3", "--json").json) == timeless(alone.to_json())
    rough = (*ODDS[:-2], "--precision", "0.2", "--depth", "1", "--json")
    assert timeless(run(*rough, "--threads", "1").json) == timeless(run(*rough, "--threads", "3").json)


def test_advise_at_the_table(run: Run) -> None:
    argv = ("advise", HAND, *TABLE, "--samples", "3", "--depth", "1", "--auction", "pandoer")
    advice = pandoer.advise(
        HAND, rules="pagat", watch="H7", view="table", worlds=4, depth=1, samples=3, auction="pandoer"
    )
    assert timeless(run(*argv, "--json").json) == timeless(advice.to_json())
    out = run(*argv).out
    assert "  cards up  " in out.splitlines()[1]
    assert "\nCards up is the chance on the same deals double-dummy.\n" in out


@pytest.mark.parametrize(
    ("argv", "quoted"),
    [
        ((*ODDS, "--worlds", "0"), "worlds 0"),
        ((*ODDS, "--depth", "0"), "depth 0"),
        ((*ODDS, "--depth", "two"), "'two'"),
        (("odds", HAND, "--bid", "160", *TABLE, "--distribution"), "a distribution of points"),
        ((*ODDS[:-2], "--exact"), "view 'table' and exact"),
        (("odds", HAND, "--bid", "prive", "--worlds", "5"), "worlds 5: expected with view='table' only"),
        (("advise", HAND, "--depth", "5"), "depth 5: expected with view='table' only"),
        (("table", "build", "--bids", "prive", "--hands", "2", "--view", "table", "--out", "x"), "'table'"),
    ],
)
def test_mistakes(run: Run, argv: tuple[str, ...], quoted: str) -> None:
    assert quoted in mistake(run(*argv))


def test_a_strength_table_is_not_made_at_the_table() -> None:
    tables = pytest.importorskip("pandoer.tables")
    with pytest.raises(pandoer.PandoerError, match="view 'table' in a table of many hands"):
        tables.strength_table("prive", hands=2, view="table")


@no_sigint
def test_ctrl_c_at_the_table() -> None:
    with start(*ODDS[:-1], "100000", "--depth", "1", preexec_fn=default_sigint) as running:
        work_for(running, 4)
        ran = interrupted(running)
    assert (ran.status, ran.err) == (130, UNFINISHED)
    assert ran.out.splitlines()[0].endswith(" - unfinished")
    assert "\n  cards up  " in ran.out


def test_ctrl_c_before_a_deal_is_played(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def update(self: live.Display[Any], answer: Any) -> None:
        self.latest = answer
        raise KeyboardInterrupt

    monkeypatch.setattr(live.Display, "update", update)
    said = "double-dummy so far; the deals that count are played out next"
    assert f"\n            {said}\n" in run(*ODDS).out
    ran = run("advise", HAND, *TABLE, "--samples", "3")
    assert said in ran.out
