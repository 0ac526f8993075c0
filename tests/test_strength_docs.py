"""The examples of ``docs/strength.md``."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from tests.strength import MANY

PAGE = Path(__file__).resolve().parent.parent / "docs" / "strength.md"


def test_the_page_says_what_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(MANY.parent)
    found = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.REPORT_NDIFF)
    assert found.attempted >= 10
    assert found.failed == 0
