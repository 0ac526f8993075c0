"""What is still to be done of a table, cut into chunks that take about a second each: `Chunks`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from pandoer.errors import PandoerError
from pandoer.tables.hands import GROUP, Block, Source
from pandoer.tables.parts import Span, Store
from pandoer.tables.rows import unpacked

__all__ = ["Chunk", "Chunks", "Pace"]

AIM = 0.7
"""Seconds that a chunk should take."""


@dataclass(frozen=True, eq=False)
class Chunk:
    """Places `start` to `stop`, and the rows that belong to them."""

    start: int
    stop: int
    block: Block


class Pace:
    """How many rows a chunk should have, by the time that others took.

    Parameters
    ----------
    rows
        So many always; ``None`` to find out.
    """

    def __init__(self, rows: int | None = None) -> None:
        self.rows = rows or 1
        self._fixed = rows is not None
        self._each = 0.0

    def took(self, rows: int, seconds: float) -> None:
        """Take up what a chunk took."""
        if self._fixed or not rows:
            return
        each = seconds / rows
        self._each = each if not self._each else 0.8 * self._each + 0.2 * each
        # A few easy hands say little: grow step by step.
        self.rows = max(1, min(int(AIM / max(self._each, 1e-9)), 4 * rows, GROUP))


class Chunks:
    """The chunks of a table that are not in the store, made one after the other as they are asked for.

    Parameters
    ----------
    source
        The hands.
    store
        The finished parts.
    pace
        How many rows a chunk should have.

    Attributes
    ----------
    total, done
        The places of the table, and those that were there at the start.
    """

    def __init__(self, source: Source, store: Store, pace: Pace) -> None:
        self.source, self.store, self.pace = source, store, pace
        self.total = source.places
        self.done = sum(stop - start for start, stop in store.spans())

    def __iter__(self) -> Iterator[Chunk]:
        filtered = "filter" in self.source.describe()
        for group in range(-(-self.total // GROUP)):
            start, stop = group * GROUP, min((group + 1) * GROUP, self.total)
            spans = self.store.spans(group)
            gaps = self._gaps(start, stop, spans)
            if gaps or filtered:
                block = self.source.block(start, stop)
                for span in spans if filtered else ():
                    self._check(block, span)
                for gap in gaps:
                    yield from self._cut(block, *gap)

    def _check(self, block: Block, span: Span) -> None:
        """A filter must not have changed its mind."""
        rows = block.hands[_within(block, *span)]
        if not np.array_equal(rows, unpacked(self.store.read(span))["hand"].to_numpy()):
            raise PandoerError("the filter of the hands keeps others than before: expected the same, or another file")

    @staticmethod
    def _gaps(start: int, stop: int, spans: list[Span]) -> list[Span]:
        edges = [(start, start), *spans, (stop, stop)]
        return [(one[1], other[0]) for one, other in pairwise(edges) if one[1] < other[0]]

    def _cut(self, block: Block, start: int, stop: int) -> Iterator[Chunk]:
        """Chunks of so many rows, but rows of one question stay together."""
        rows = _within(block, start, stop)
        first = rows.start
        while True:
            last = min(first + self.pace.rows, rows.stop)
            while last < rows.stop and block.questions[last] == block.questions[last - 1]:
                last += 1
            end = stop if last == rows.stop else int(block.places[last])
            yield Chunk(start, end, block[first:last])
            if last == rows.stop:
                return
            start, first = end, last


def join_group(store: Store, chunk: Chunk, total: int) -> None:
    """When all parts of a chunk's group of places are there, put them together."""
    group = chunk.start // GROUP
    size = min((group + 1) * GROUP, total) - group * GROUP
    spans = store.spans(group)
    if len(spans) > 1 and sum(stop - start for start, stop in spans) == size:
        store.join(spans)


def _within(block: Block, start: int, stop: int) -> slice:
    first, last = np.searchsorted(block.places, [start, stop]).tolist()
    return slice(first, last)
