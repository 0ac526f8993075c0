"""Pictures: what is in them, not how they look."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pandoer import PandoerError
from pandoer.counts import fit
from pandoer.frames import Frame
from pandoer.pivot import pivot
from pandoer.plots import calibration, distribution, heat
from tests.strength import STORED, first, stored


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    """Draw without a screen, and leave no figure open."""
    mpl.use("agg")
    yield
    pyplot.close("all")


def texts(axes: Axes) -> list[str]:
    """What is written inside axes."""
    return [text.get_text() for text in axes.texts]


def test_a_heat_map_has_chance_and_hands_in_each_cell() -> None:
    found = pivot(first(), "pandoer", "trumps", "side_aces")
    axes = heat(found)
    assert len(texts(axes)) == 2 * len(found)
    assert f"{100 * found[3, 1].chance:.0f} %" in texts(axes)
    assert f"{found[3, 1].hands:,}" in texts(axes)
    assert axes.get_xlabel() == "Aces of plain suits"
    assert axes.get_ylabel() == "Cards of the trump suit"
    assert axes.get_title() == "pandoer (pagat): chance, and below it the hands"
    image = axes.images[0]
    assert image.get_cmap().name == "cividis"
    low, high = image.get_clim()
    assert (low, high) == (0, 10 * math.ceil(10 * max(cell.chance for cell in found)))
    shown: Any = np.ma.filled(np.ma.asarray(image.get_array()), np.nan)
    assert np.isnan(shown).sum() == len(found.row_values) * 4 - len(found)
    assert heat(pivot(first(), "misere", "low_gaps", "trumps")).images[0].get_clim()[1] < 100
    with pytest.raises(PandoerError, match="pivot by 'trumps' alone: expected one by two features"):
        heat(pivot(first(), "pandoer", "trumps"))


def test_a_calibration_has_a_point_for_each_bin() -> None:
    count = fit(STORED, "zwabber")
    axes = calibration(count)
    assert texts(axes) == [f"{part.hands:,}" for part in count.held_out.bins]
    assert "Brier score" in axes.get_title()
    assert "%" in axes.get_xlabel()
    assert "%" in axes.get_ylabel()


def test_a_distribution_weighs_its_hands() -> None:
    axes = distribution(first(), "pandoer")
    heights = [bar.get_height() for bar in axes.patches]  # type: ignore[attr-defined, unused-ignore]
    assert sum(heights) == pytest.approx(100)
    found = Frame.of(first()).of_bid("pandoer")
    assert heights[0] == pytest.approx(100 * np.average(found.chance < 0.5 / 10, weights=found.weight))
    assert axes.get_yscale() == "linear"
    assert distribution(first(), "prive").get_yscale() == "log"
    assert "found on 8 deals a hand" in distribution(STORED, "pandoer").get_xlabel()
    assert distribution(stored().to_pandas(), "pandoer", rules="pagat").get_title().startswith("pandoer (pagat)")


def test_a_distribution_of_all_hands() -> None:
    axes = distribution("pandur", "misere-ohne")
    assert axes.get_title() == "misere-ohne (pandur): chances with all hands, 34,497 kinds"
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["mean 3.8 % (3.8 to 3.8)"]  # type: ignore[union-attr]


def test_axes_may_be_given() -> None:
    figure = Figure()
    first, second, third = figure.subplots(1, 3)
    assert heat(pivot(STORED, "pandoer", "trumps", "voids"), first) is first
    assert calibration(fit(STORED, "zwabber"), ax=second) is second
    assert distribution(STORED, "pandoer", third) is third
    assert not pyplot.get_fignums()
