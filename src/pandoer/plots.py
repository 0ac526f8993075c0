"""Pictures of strength tables, pivots and counts; they need matplotlib.

Each function draws into `ax`, or into new axes, and returns them.  The colours of `heat` are those of cividis, which
look the same to people who see fewer of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from pandoer.contracts import Bid
from pandoer.counting import Count
from pandoer.errors import PandoerError
from pandoer.features import find
from pandoer.frames import Frame, TableLike, needed
from pandoer.pivot import Pivot, mean_of
from pandoer.rulesets import Ruleset

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["calibration", "distribution", "heat"]

COLOURS = "cividis"
BLUE, ORANGE, GREY = "#0072B2", "#D55E00", "#777777"
"""Colours that can be told apart by everybody (Okabe and Ito, 2008)."""

BARS = 20
"""The most bars of a distribution."""

TALL = 90
"""With a bar of so many per cent of all hands the others are shown on a logarithmic scale."""


def heat(pivot: Pivot, ax: Axes | None = None) -> Axes:
    """The chance of a bid by two features, as coloured cells with the number of hands in each.

    Parameters
    ----------
    pivot
        A pivot by two features.
    ax
        Where to draw.

    Raises
    ------
    PandoerError
        For a pivot by one feature, or without matplotlib.
    """
    if pivot.columns is None:
        raise PandoerError(f"pivot by {pivot.rows!r} alone: expected one by two features")
    rows, columns = pivot.row_values, pivot.column_values
    axes = _axes(ax, (max(5.6, 2.4 + 0.75 * len(columns)), max(2.8, 1.6 + 0.5 * len(rows))))
    chances = np.full((len(rows), len(columns)), np.nan)
    most = 10 * max(1.0, np.ceil(max(10 * cell.chance for cell in pivot)))
    for y, row in enumerate(rows):
        for x, column in enumerate(columns):
            cell = pivot.get(row, column)
            if cell is not None:
                chances[y, x] = 100 * cell.chance
                texts = ((f"{100 * cell.chance:.0f} %", 9, (0, 4)), (f"{cell.hands:,}", 7.5, (0, -7)))
                for text, size, shift in texts:
                    axes.annotate(
                        text, (x, y), xytext=shift, textcoords="offset points", ha="center", va="center",
                        fontsize=size, color="black" if chances[y, x] > 0.55 * most else "white",
                    )  # fmt: skip
    image = axes.imshow(chances, cmap=COLOURS, vmin=0, vmax=most, aspect="auto")
    axes.set_facecolor("#eeeeee")
    axes.set_xticks(range(len(columns)), [str(value) for value in columns])
    axes.set_yticks(range(len(rows)), [str(value) for value in rows])
    axes.set_xlabel(_label(pivot.columns))
    axes.set_ylabel(_label(pivot.rows))
    axes.set_title(f"{pivot.bid} ({pivot.rules}): chance, and below it the hands", fontsize=11)
    axes.tick_params(length=0)
    axes.spines[:].set_visible(False)
    axes.figure.colorbar(image, ax=axes, label="chance (%)")
    return axes


def calibration(count: Count, ax: Axes | None = None) -> Axes:
    """The chance of the bid beside the one that a count predicted, on the hands held out.

    Parameters
    ----------
    count
        The count.
    ax
        Where to draw.

    Raises
    ------
    PandoerError
        Without matplotlib.
    """
    axes, found = _axes(ax, (5.6, 5.0)), count.held_out
    predicted = 100 * np.array([part.predicted for part in found.bins])
    share = 100 * np.array([part.found for part in found.bins])
    low, high = (100 * np.array([getattr(part, name) for part in found.bins]) for name in ("low", "high"))
    axes.plot([0, 100], [0, 100], color=GREY, linestyle="--", linewidth=1, label="as predicted")
    axes.errorbar(
        predicted, share, yerr=[np.maximum(share - low, 0), np.maximum(high - share, 0)], color=BLUE, fmt="o",
        capsize=3, label="found, 95 % interval, number of hands",
    )  # fmt: skip
    for x, y, part in zip(predicted, share, found.bins, strict=True):
        side = -1 if x > 85 else 1
        axes.annotate(
            f"{part.hands:,}", (x, y), xytext=(9 * side, 0), textcoords="offset points", fontsize=8,
            ha="left" if side > 0 else "right", va="center", color=GREY,
        )  # fmt: skip
    axes.set_xlim(-4, 104)
    axes.set_ylim(-4, 104)
    axes.set_xlabel("chance that the count predicts (%)")
    axes.set_ylabel("mean chance in the table (%)")
    axes.set_title(
        f"{count.name} ({count.rules.name}): {found.hands:,} hands held out\n"
        f"Brier score {found.brier:.3f}, of the base rate {found.base_brier:.3f}", fontsize=11,
    )  # fmt: skip
    axes.legend(loc="upper left", frameon=False)
    return axes


def distribution(
    table: TableLike, bid: str | int | Bid, ax: Axes | None = None, *, rules: str | Ruleset | None = None
) -> Axes:
    """The chances of a bid with random hands: which share of hands has which chance.

    Parameters
    ----------
    table, bid
        A strength table, and a bid of it; see `pandoer.pivot.pivot`.
    ax
        Where to draw.
    rules
        The ruleset or its name, for a table that does not say.

    Raises
    ------
    PandoerError
        If the table is none or lacks the bid, or without matplotlib.
    """
    found = Frame.of(table, rules).of_bid(bid)
    axes = _axes(ax, (6.4, 4.0))
    deals = max(1, int(np.median(found.samples)))
    width = -(-deals // BARS) / deals  # the same number of possible chances in every bar
    ends = 100 * (np.arange(0, 1 + width + 0.5 / deals, width) - 0.5 / deals)
    shares = axes.hist(
        100 * found.chance, bins=list(ends), weights=100 * found.weight / found.weight.sum(), color=BLUE,
        edgecolor="white",
    )[0]  # fmt: skip
    if np.max(np.asarray(shares)) > TALL:
        axes.set_yscale("log")
        axes.yaxis.set_major_formatter("{x:g}")
    mean, low, high = mean_of(found)
    told = f"mean {100 * mean:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
    axes.axvline(100 * mean, color=ORANGE, linewidth=2, label=told)
    axes.set_xlim(ends[0], max(ends[-1], 100))
    axes.set_xlabel(f"chance of the bid with its best plan (%), found on {deals:,} deals a hand")
    axes.set_ylabel("share of all hands (%)")
    whose = f"all hands, {len(found):,} kinds" if found.every else f"random hands, {len(found):,} of them"
    axes.set_title(f"{found.bid} ({found.rules.name}): chances with {whose}", fontsize=11)
    axes.legend(frameon=False)
    axes.spines[["top", "right"]].set_visible(False)
    return axes


def _label(name: str) -> str:
    """What is counted on an axis."""
    return find(name).description.removesuffix(", 0 or 1")


def _axes(ax: Axes | None, size: tuple[float, float]) -> Axes:
    """The axes given, or new ones of a size in inches."""
    if ax is not None:
        return ax
    pyplot = needed("matplotlib.pyplot", "plot", "a picture")
    axes: Axes = pyplot.subplots(figsize=size, layout="constrained")[1]
    return axes
