"""The package as it is installed: version, files, public names, and the examples in its docstrings."""

from __future__ import annotations

import copy
import doctest
import importlib
import os
import pickle
import pkgutil
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path
from typing import Any

import pytest

import pandoer
from tests.conftest import SOURCE, stale_source

PACKAGE = Path(pandoer.__file__).parent
MODULES = sorted(
    module.name for module in pkgutil.walk_packages(pandoer.__path__, "pandoer.") if module.name != "pandoer.__main__"
)


def test_version_is_that_of_the_metadata() -> None:
    try:
        assert pandoer.__version__ == version("pandoer")
    except PackageNotFoundError:
        pytest.skip("runs from the sources, not installed")


def test_package_is_typed() -> None:
    assert (PACKAGE / "py.typed").is_file()
    assert (PACKAGE / "_solver.pyi").is_file()


def test_installed_package_holds_no_sources_of_the_kernel() -> None:
    if PACKAGE == SOURCE:
        pytest.skip("runs from the sources, not installed")
    files = [str(file) for file in distribution("pandoer").files or ()]
    assert any(file.endswith("_solver.pyi") for file in files)
    assert [file for file in files if file.endswith((".c", ".pyx"))] == []


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name: str) -> None:
    assert doctest.testmod(importlib.import_module(name)).failed == 0


def test_public_names_are_described() -> None:
    for name in pandoer.__all__:
        assert getattr(pandoer, name).__doc__


HAND = pandoer.Hand("♠J9A ♥KQ ♦8 ♣T7")
CONTRACT = pandoer.ruleset().contract("pandoer", trump="S", called="HA")
PROBLEM = pandoer.problem(
    {"contract": "prive", "trump": "S", "hands": ["SJ S9", "HA H7", "D7 D8", "C7 C8"], "trick_number": 0}
)
ODDS = pandoer.odds(HAND, "200", rules="pagat", watch="H7", samples=10, distribution=True)
ADVICE = pandoer.advise(HAND, rules="pagat", watch="H7", samples=10, auction="praatje")
TABLE = pandoer.strength_table("prive", hands=[(HAND, "H7")], rules="pagat", samples=5)
RECORD = pandoer.replay(
    "CJ CA CK CT DA DK HK SK / CQ HJ DJ SJ DT SQ HT ST / C9 D9 H9 S9 DQ HQ HA SA",
    pandoer.ruleset("pandur").contract("200", trump="C"),
    "CJ CQ C9 | CA",
)
VIEW = pandoer.view_of({"contract": "prive", "trump": "S", "seat": 0, "hand": str(HAND), "discard": "C9"})
SUGGESTION = pandoer.suggest(VIEW, worlds=2)
AT_THE_TABLE = pandoer.odds(HAND, "prive", rules="pagat", watch="H7", samples=2, view="table", worlds=1, depth=1)
MATCH = pandoer.Match.begin(
    pandoer.Deal("CJ CA CK CT DA DK HK SK / CQ HJ DJ SJ DT SQ HT ST / C9 D9 H9 S9 DQ HQ HA SA"),
    pandoer.ruleset("pandur").contract("200", trump="C"),
)
VALUES = [
    pandoer.Card("SJ"),
    HAND,
    pandoer.Deal("SJ9 / HA7 / D78 / C78", discard="SA"),
    pandoer.Suit.SPADES,
    pandoer.Rank.JACK,
    pandoer.ruleset("pagat"),
    pandoer.ruleset("pandur").bid("misere-mit"),
    CONTRACT,
    CONTRACT.objective,
    pandoer.CardRules(),
    pandoer.StakeRules(),
    pandoer.Auction.parse("pass misere join pandoer+run4+pot25", pot=30),
    pandoer.Call.parse("pandoer+run4+pot25"),
    pandoer.MeldRules(),
    pandoer.PlayRules(trump_leads=2),
    pandoer.Plan(pandoer.Suit.SPADES, pandoer.Card("C7"), pandoer.Card("HA")),
    pandoer.Play.parse("HK must"),
    pandoer.State(points=30),
    PROBLEM,
    pandoer.solve(PROBLEM),
    RECORD,
    RECORD.tricks[0],
    ODDS,
    ODDS.plans[0],
    ODDS.money[0],
    ODDS.distribution,
    ADVICE,
    ADVICE.bids[0],
    TABLE,
    TABLE[0],
    TABLE[0]["prive"],
    VIEW,
    SUGGESTION,
    SUGGESTION.cards[0],
    AT_THE_TABLE.table,
    MATCH,
    pandoer.RandomPlayer(),
    pandoer.RulePlayer(),
    pandoer.MonteCarlo(30),
    pandoer.AlphaMu(30, 3),
]


@pytest.mark.parametrize("value", VALUES, ids=lambda value: type(value).__name__)
def test_values_can_be_pickled_copied_and_hashed(value: Any) -> None:
    for again in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value)):
        assert again == value
        assert hash(again) == hash(value)
        assert type(again) is type(value)


@pytest.mark.parametrize("name", pandoer.__all__)
def test_public_names_can_be_pickled(name: str) -> None:
    value = getattr(pandoer, name)
    assert pickle.loads(pickle.dumps(value)) == value


def test_every_public_class_is_among_the_pickled_values() -> None:
    classes = {value for name in pandoer.__all__ if isinstance(value := getattr(pandoer, name), type)}
    assert classes - {type(value) for value in VALUES} == {pandoer.PandoerError, pandoer.Player}


def test_an_edited_kernel_is_noticed(tmp_path: Path) -> None:
    source, compiled = tmp_path / "_solver.pyx", tmp_path / "_solver.so"
    for when, file in enumerate((source, compiled), start=1):
        file.touch()
        os.utime(file, (when, when))
    assert stale_source(compiled, tmp_path) is None
    os.utime(source, (3, 3))
    assert stale_source(compiled, tmp_path) == source


def test_a_kernel_built_elsewhere_is_not_judged(tmp_path: Path) -> None:
    source, compiled = tmp_path / "src" / "pandoer" / "_solver.pyx", tmp_path / "site" / "_solver.so"
    for when, file in enumerate((compiled, source), start=1):
        file.parent.mkdir(parents=True)
        file.touch()
        os.utime(file, (when, when))
    assert stale_source(compiled, source.parent) is None
