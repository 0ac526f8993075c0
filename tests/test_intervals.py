"""The Wilson interval against scipy's."""

from __future__ import annotations

import importlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pandoer.intervals import wilson

stats: Any = importlib.import_module("scipy.stats")


@st.composite
def counts(draw: st.DrawFn) -> tuple[int, int]:
    """Successes and samples."""
    samples = draw(st.integers(1, 100_000))
    return draw(st.integers(0, samples)), samples


@given(counts())
def test_wilson_is_that_of_scipy(count: tuple[int, int]) -> None:
    made, samples = count
    interval = stats.binomtest(made, samples).proportion_ci(confidence_level=0.95, method="wilson")
    assert wilson(made, samples) == pytest.approx((interval.low, interval.high), abs=1e-12)


@given(counts())
def test_wilson_holds_the_share_and_stays_within_0_and_1(count: tuple[int, int]) -> None:
    made, samples = count
    low, high = wilson(made, samples)
    assert 0 <= low <= made / samples <= high <= 1
    assert low < high


@given(counts())
def test_wilson_of_failures_mirrors_that_of_successes(count: tuple[int, int]) -> None:
    made, samples = count
    low, high = wilson(made, samples)
    assert wilson(samples - made, samples) == pytest.approx((1 - high, 1 - low), abs=1e-12)


@pytest.mark.parametrize("samples", [1, 2, 3, 20, 50, 1000])
def test_wilson_at_the_ends(samples: int) -> None:
    assert wilson(0, samples)[0] == 0
    assert wilson(samples, samples)[1] == 1


def test_wilson_of_no_samples_knows_nothing() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


def test_wilson_takes_a_mean_of_several_shares() -> None:
    assert wilson(49, 100) < wilson(49.5, 100) < wilson(50, 100)
