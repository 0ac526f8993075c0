"""Strength tables are the same however they are made, and survive what may happen meanwhile.

Programs and workers are killed for real here, so each test makes a table of its own with little work in it.
"""

from __future__ import annotations

import errno
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pytest

from pandoer import Hand, PandoerError, StrengthTable, random_hands, strength_table
from pandoer.tables import Processes, UnfinishedError
from pandoer.tables.parts import Parts, write_aside

pytest.importorskip("pyarrow")

HANDS = 60
ASKED: dict[str, Any] = {"bids": "solo-zwabber", "hands": HANDS, "rules": "pagat", "samples": 5, "seed": 5}
PROGRAM = f"""
import sys, time
from pandoer import strength_table
strength_table(**{ASKED!r}, out=sys.argv[1], threads=1, chunk=1, progress=lambda done, total: time.sleep(0.03))
"""
"""Makes the table slowly."""


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file as it is when nothing happens."""
    out = tmp_path_factory.mktemp("undisturbed") / "table.parquet"
    strength_table(**ASKED, out=out, threads=1)
    return out.read_bytes()


class Told:
    """A progress that keeps what it is told, and does something once at a number of hands."""

    def __init__(self, at: int = HANDS + 1, act: Callable[[], object] = list) -> None:
        self.done: list[int] = []
        self.at, self.act = at, act

    def __call__(self, done: int, total: int) -> None:
        assert total == HANDS
        self.done.append(done)
        if done >= self.at:
            self.at = HANDS + 1
            self.act()


def kept(out: Path) -> list[Path]:
    """The finished parts beside a file."""
    return sorted(out.with_name(out.name + ".parts").glob("*.part"))


def started(out: Path, *argv: str, enough: int = 4, **more: Any) -> subprocess.Popen[bytes]:
    """A program that is in the middle of a table."""
    running = subprocess.Popen([sys.executable, *argv], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more)
    deadline = time.monotonic() + 60
    while len(kept(out)) < enough:
        assert running.poll() is None, running.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return running


# The same for any workers


@pytest.mark.parametrize(
    "asked", [{"threads": 2}, {"threads": 2, "chunk": 7}, {"threads": 1, "chunk": HANDS}], ids=str
)
def test_threads_and_chunks_change_nothing(undisturbed: bytes, asked: dict[str, Any], tmp_path: Path) -> None:
    out, told = tmp_path / "table.parquet", Told()
    table = strength_table(**ASKED, **asked, out=out, progress=told)
    assert out.read_bytes() == undisturbed
    assert told.done[0] == 0
    assert told.done[-1] == HANDS
    assert told.done == sorted(told.done)
    assert table == strength_table(**ASKED, threads=1)


def test_any_executor_will_do(undisturbed: bytes, tmp_path: Path) -> None:
    out = tmp_path / "table.parquet"
    with ThreadPoolExecutor(2) as executor:
        strength_table(**ASKED, out=out, executor=executor, chunk=9)
        assert executor.submit(int).result() == 0
    assert out.read_bytes() == undisturbed


def test_a_killed_process_is_replaced(undisturbed: bytes, tmp_path: Path) -> None:
    out = tmp_path / "table.parquet"
    with Processes(2) as executor:
        killed: list[int] = []

        def kill() -> None:
            killed.append(next(iter(executor._pool._processes)))
            os.kill(killed[0], signal.SIGKILL)

        strength_table(**ASKED, out=out, executor=executor, chunk=2, progress=Told(10, kill))
        assert killed[0] not in executor._pool._processes
    assert out.read_bytes() == undisturbed


def test_a_killed_process_of_another_pool_is_an_error_after_which_it_goes_on(
    undisturbed: bytes, tmp_path: Path
) -> None:
    out = tmp_path / "table.parquet"
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        told = Told(10, lambda: os.kill(next(iter(executor._processes)), signal.SIGKILL))
        with pytest.raises(UnfinishedError, match=r"of 60 hands are kept in '.*parts': run it again to") as raised:
            strength_table(**ASKED, out=out, executor=executor, chunk=2, progress=told)
    assert isinstance(raised.value.__cause__, UnfinishedError)
    assert "BrokenProcessPool" in str(raised.value)
    told = Told()
    strength_table(**ASKED, out=out, progress=told)
    assert told.done[0] >= 10
    assert out.read_bytes() == undisturbed


def test_processes_end_with_a_program_that_is_killed(tmp_path: Path) -> None:
    psutil = pytest.importorskip("psutil")
    out = tmp_path / "table.parquet"
    program = tmp_path / "program.py"
    program.write_text(
        "import sys, time\nfrom pandoer import strength_table\nfrom pandoer.tables import Processes\n"
        "if __name__ == '__main__':\n    with Processes(1) as executor:\n"
        f"        strength_table(**{ASKED!r}, out=sys.argv[1], executor=executor, chunk=1,\n"
        "                       progress=lambda done, total: time.sleep(0.05))\n"
    )
    with started(out, str(program), str(out), enough=1) as running:
        children = psutil.Process(running.pid).children()
        assert children
        running.kill()
    _, alive = psutil.wait_procs(children, timeout=10)
    assert alive == []


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A dask cluster of two processes on this machine, and a client of it."""
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs="CRITICAL"
        ) as local,
        distributed.Client(local) as client,
    ):
        yield local, client


def test_dask_and_a_killed_worker_of_it(undisturbed: bytes, cluster: Any, tmp_path: Path) -> None:
    out = tmp_path / "table.parquet"
    local, client = cluster
    victim = local.workers[0].pid
    told = Told(10, lambda: os.kill(victim, signal.SIGKILL))
    strength_table(**ASKED, out=out, executor=client.get_executor(pure=False), chunk=2, progress=told)
    assert out.read_bytes() == undisturbed
    assert local.workers[0].pid != victim


class Doomed(Executor):
    """An executor in which the work ends with an error after a while."""

    def __init__(self, error: BaseException, after: int = 5, *, broken: bool = False) -> None:
        self.error, self.left, self.broken = error, after, broken

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        self.left -= 1
        if self.left >= 0:
            future.set_result(fn(*args, **kwargs))
        elif self.broken:
            raise self.error
        else:
            future.set_exception(self.error)
        return future


class KilledWorkerError(Exception):
    """As dask has one."""


KilledWorkerError.__module__ = "distributed.scheduler"


@pytest.mark.parametrize(
    ("executor", "message"),
    [
        (Doomed(BrokenProcessPool("dead")), "workers died again and again: BrokenProcessPool dead; 5 of 60 hands"),
        (Doomed(CancelledError()), "workers died again and again: CancelledError; 5 of 60"),
        (Doomed(BrokenExecutor("no more"), broken=True), "a worker died: BrokenExecutor no more; 5 of 60"),
        (Doomed(RuntimeError("shut"), broken=True), "the executor takes no more work: RuntimeError shut; 5 of 60"),
        (Doomed(KilledWorkerError("a chunk")), "the cluster has given up: KilledWorkerError a chunk; 5 of 60"),
    ],
)
def test_workers_that_die_for_good(executor: Executor, message: str, undisturbed: bytes, tmp_path: Path) -> None:
    out = tmp_path / "table.parquet"
    with pytest.raises(UnfinishedError, match=message):
        strength_table(**ASKED, out=out, executor=executor, chunk=1)
    assert len(kept(out)) == 5
    strength_table(**ASKED, out=out)
    assert out.read_bytes() == undisturbed


def test_errors_of_the_work_itself_are_passed_on(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        strength_table(**ASKED, out=tmp_path / "table.parquet", executor=Doomed(ZeroDivisionError()), chunk=1)
    assert len(kept(tmp_path / "table.parquet")) == 5


# The program is broken off


def test_a_killed_program_goes_on(undisturbed: bytes, tmp_path: Path) -> None:
    out = tmp_path / "table.parquet"
    with started(out, "-c", PROGRAM, str(out)) as running:
        running.kill()
    assert not out.exists()
    there = kept(out)
    assert 4 <= len(there) < HANDS
    # Parts that are torn, of another table, or in the way.
    there[0].write_bytes(there[0].read_bytes()[:-7])
    there[1].write_bytes(there[2].read_bytes())
    middle = bytearray(there[3].read_bytes())
    middle[len(middle) // 2] ^= 1
    there[3].write_bytes(middle)
    (there[0].parent / "000000000000-000000000003.part.aside").write_bytes(b"half")
    told = Told()
    strength_table(**ASKED, out=out, progress=told)
    assert told.done[0] == len(there) - 3
    assert out.read_bytes() == undisturbed
    assert [*tmp_path.iterdir()] == [out]
    again = Told()
    strength_table(**ASKED, out=out, progress=again)
    assert again.done == [HANDS]


def test_ctrl_c(undisturbed: bytes, tmp_path: Path) -> None:
    out = tmp_path / "table.parquet"
    options = ["--bids", "solo-zwabber", "--hands", "60", "--rules", "pagat", "--samples", "5", "--seed", "5"]
    slow = [*options[:-4], "--samples", "2000", "--seed", "5"]
    argv = ("-m", "pandoer", "table", "build", "--chunk", "1", "--workers", "2", "--out", str(out))
    with started(out, *argv, *slow, enough=2) as running:
        pressed = time.monotonic()
        running.send_signal(signal.SIGINT)
        _, err = running.communicate(timeout=30)
    assert time.monotonic() - pressed < 10
    assert running.returncode == 130
    assert err.decode().splitlines()[-1] == (
        f"pandoer: interrupted: what is finished is kept beside {out}, and the same command goes on from there"
    )
    assert not out.exists()
    assert len(kept(out)) >= 2
    with pytest.raises(PandoerError, match="parts' holds parts of another table, with samples 2000, not 5"):
        strength_table(**ASKED, out=out)


def test_other_parameters_are_refused(tmp_path: Path) -> None:
    out = tmp_path / "table.parquet"
    with pytest.raises(UnfinishedError):
        strength_table(**ASKED, out=out, executor=Doomed(BrokenExecutor()), chunk=1)
    for other, message in (
        ({"seed": 6}, "hands seed 5, not 6, seed 5, not 6"),
        ({"bids": "prive,misere"}, r'bids \["solo-zwabber"\], not \["prive", "misere"\]'),
        ({"hands": 61}, "hands count 60, not 61"),
        ({"watch": "closed"}, "watch open, not closed"),
        ({"rules": "butselaar"}, "rules pagat, not butselaar"),
        ({"samples": None, "precision": 0.1}, "samples 5, not none, precision none, not 0.1"),
        ({"plans": 3}, "plans none, not 3"),
        ({"hands": [(Hand("♠J9A ♥KQ ♦8 ♣T7"), "H7")]}, "hands kind random, not listed"),
    ):
        with pytest.raises(PandoerError, match=f"holds parts of another table, with {message}"):
            strength_table(**{**ASKED, **other}, out=out)
    strength_table(**ASKED, out=out)
    with pytest.raises(PandoerError, match="holds another table, with hands seed 5, not 6, seed 5, not 6: expected"):
        strength_table(**{**ASKED, "seed": 6}, out=out)
    with pytest.raises(PandoerError, match="holds another table, with plans none, not 1: expected"):
        strength_table(**ASKED, plans=1, out=out)


def test_a_filter_that_changed_its_mind(tmp_path: Path) -> None:
    out = tmp_path / "table.parquet"
    asked = {**ASKED, "hands": random_hands(HANDS).where(lambda hand, watch: "SA" in hand)}
    with pytest.raises(UnfinishedError):
        strength_table(**asked, out=out, executor=Doomed(BrokenExecutor(), 3), chunk=1)
    asked["hands"] = random_hands(HANDS).where(lambda hand, watch: "SK" in hand)
    with pytest.raises(PandoerError, match="the filter of the hands keeps others than before: expected the same"):
        strength_table(**asked, out=out)


def test_one_program_at_a_time(tmp_path: Path) -> None:
    pytest.importorskip("fcntl")
    out = tmp_path / "table.parquet"
    first = Parts(out, {})
    with pytest.raises(PandoerError, match="another program is making this table now"):
        Parts(out, {})
    first.close()
    Parts(out, {}).close()


def test_parts_that_are_in_a_greater_one(tmp_path: Path) -> None:
    """The program died after it had put parts together and before it had removed them."""
    out = tmp_path / "table.parquet"
    first = Parts(out, {})
    for span, payload in (((0, 1), b"a"), ((1, 2), b"b"), ((0, 2), b"ab"), ((3, 4), b"d")):
        first.save(*span, payload)
    first.close()
    again = Parts(out, {})
    assert again.spans() == [(0, 2), (3, 4)]
    assert [again.read(span) for span in again.spans()] == [b"ab", b"d"]
    assert len(kept(out)) == 2
    kept(out)[0].write_bytes(b"torn")
    with pytest.raises(PandoerError, match="is damaged: run again, and it will be made anew"):
        again.read((0, 2))
    again.close()


def test_what_is_left_when_a_finished_program_dies(undisturbed: bytes, tmp_path: Path) -> None:
    out = tmp_path / "table.parquet"
    with pytest.raises(UnfinishedError):
        strength_table(**ASKED, out=out, executor=Doomed(BrokenExecutor()), chunk=1)
    out.write_bytes(undisturbed)
    assert strength_table(**ASKED, out=out).path == out
    assert [*tmp_path.iterdir()] == [out]


# The disk is full


def test_a_full_disk(undisturbed: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = tmp_path / "table.parquet"
    room = 9

    def sync(descriptor: int) -> None:
        nonlocal room
        room -= 1
        if room < 0:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", sync)
        with pytest.raises(UnfinishedError, match=r"cannot be written: No space left on device; \d+ of 60 hands"):
            strength_table(**ASKED, out=out, threads=1, chunk=1)
        with pytest.raises(UnfinishedError, match="No space left on device"):
            strength_table(**ASKED, out=out, threads=1, chunk=1)
    assert not out.exists()
    assert 1 <= len(kept(out)) <= 9
    assert [file for file in out.with_name(out.name + ".parts").iterdir() if file.suffix == ".aside"] == []
    strength_table(**ASKED, out=out)
    assert out.read_bytes() == undisturbed


def test_a_full_disk_for_real(undisturbed: bytes, tmp_path: Path) -> None:
    """A limit that a part fits in, but not the file: after all the work it is a pity to lose it."""
    pytest.importorskip("resource")
    out = tmp_path / "table.parquet"
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({len(undisturbed) - 200},) * 2)\n"
    program = (limit + PROGRAM).replace("chunk=1", "chunk=60")
    found = subprocess.run([sys.executable, "-c", program, str(out)], stderr=subprocess.PIPE, check=False)
    assert found.returncode == 1
    assert b"cannot be written: File too large" in found.stderr.splitlines()[-1]
    assert [*tmp_path.iterdir()] == [out.with_name(out.name + ".parts")]
    strength_table(**ASKED, out=out)
    assert out.read_bytes() == undisturbed


def test_a_file_is_there_as_a_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "file"
    write_aside(file, b"before")

    def fail(_: int) -> None:
        raise OSError(errno.EIO, "broken")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(OSError, match="broken"):
        write_aside(file, b"after")
    assert file.read_bytes() == b"before"
    assert [*tmp_path.iterdir()] == [file]


def test_a_directory_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "table.parquet.parts").write_bytes(b"a file")
    with pytest.raises(UnfinishedError, match=r"table\.parquet' cannot be made: File exists"):
        strength_table(**ASKED, out=tmp_path / "table.parquet")


# Memory


GREEDY = """
import sys, threading
from concurrent.futures import ThreadPoolExecutor
import psutil
from pandoer import strength_table
from pandoer.tables import rows, workers, writing

def solve(task, block, stop=None):
    figures = [(0.5, 0.01, 0.0, 100, "S C7 HA") * 10] * len(block)
    return rows.Solved(rows.packed(task, block, figures), len(block), 0.5)

workers.solve = solve
writing.ROW_GROUP = 4096
peak, done = 0, threading.Event()

def watch():
    global peak
    while not done.wait(0.005):
        peak = max(peak, psutil.Process().memory_info().rss)

watching = threading.Thread(target=watch)
watching.start()
bids = [str(points) for points in range(200, 300, 10)]
table = strength_table(bids, hands=int(sys.argv[1]), rules="pagat", out=sys.argv[2], threads=1, chunk=1152)
done.set()
watching.join()
print(peak, len(table))
"""


def test_memory_does_not_grow_with_the_table(tmp_path: Path) -> None:
    pytest.importorskip("psutil")
    peaks = []
    for hands in (8_000, 80_000):
        argv = [sys.executable, "-c", GREEDY, str(hands), str(tmp_path / f"{hands}.parquet")]
        found = subprocess.run(argv, stdout=subprocess.PIPE, check=True)
        peak, made = map(int, found.stdout.split())
        assert made == hands
        peaks.append(peak)
    assert peaks[1] < 1.2 * peaks[0]
    table = StrengthTable.open(tmp_path / "80000.parquet")
    assert json.loads(json.dumps(dict(table.parameters)))["hands"]["count"] == 80_000
