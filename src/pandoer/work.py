"""Answering questions step by step, in threads, and telling how far it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pandoer.asks import ALL_RACES, Ask
from pandoer.batch import Job, run
from pandoer.ledger import Want, settle

AT_FIRST = 3
"""Watch cards that are looked at before there is something to tell."""

Progress = Callable[[float], object]


class Work:
    """Runs jobs in threads and tells how much of the whole is done."""

    def __init__(self, threads: int | None, progress: Progress | None, node_limit: int | None) -> None:
        self.threads, self.progress, self.node_limit = threads, progress, node_limit
        self.share = 0.0

    def through(self, asks: list[Ask]) -> Iterator[None]:
        """Answer all questions step by step.

        First they are taken one by one, and the first one for a few watch cards at a time, so that there is soon
        something to tell.
        """
        one_by_one = sorted(asks, key=lambda asked: asked.goal.bid.objective.counts is not None)
        parts = [([asked], ALL_RACES) for asked in one_by_one]
        if parts and one_by_one[0].choosing:
            starts = range(0, len(one_by_one[0].races), AT_FIRST)
            parts[:1] = [(one_by_one[:1], slice(start, start + AT_FIRST)) for start in starts]
        while not all(asked.done for asked in asks):
            together, some = parts.pop(0) if parts else (asks, ALL_RACES)
            self.settle([want for asked in together for want in asked.wants(some)])
            for asked in together:
                asked.step(some)
            self._tell(sum(asked.progress() for asked in asks) / len(asks))
            yield

    def settle(self, wants: list[Want]) -> None:
        """Find out what is wanted."""
        settle(wants, self._run, self.node_limit)

    def _run(self, jobs: list[Job]) -> None:
        total, done, start = sum(len(job.hands) for job in jobs), 0, self.share

        def step(finished: int) -> None:
            nonlocal done
            done += finished
            # Nobody knows how many steps it takes: each is a tenth of what is left.
            self._tell(start + 0.1 * (1 - start) * done / total)

        run(jobs, threads=self.threads, progress=step)

    def _tell(self, share: float) -> None:
        if share > self.share:
            self.share = share
        if self.progress is not None:
            self.progress(self.share)
