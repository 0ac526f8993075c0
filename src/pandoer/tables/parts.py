"""The finished parts of a table, which outlive the program that makes it: `Parts`, and in memory `Kept`.

Beside ``OUT`` there is a directory ``OUT.parts`` as long as the table is not finished:

- ``parameters.json``: what is being made;
- ``START-STOP.part``: the rows of places START to STOP, below a line with a checksum of them, their places and the
  parameters;
- ``lock``: locked by the program that is at work, as long as it lives.

Each file is written aside, flushed to the disk and renamed, so that it is there as a whole or not at all.  One that is
torn all the same does not agree with its checksum and counts as not there.  As soon as all parts of a group of places
are there, they are put together in one.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
from bisect import insort
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, Protocol

from pandoer.errors import PandoerError
from pandoer.tables.hands import GROUP
from pandoer.tables.rows import joined

try:
    import fcntl
except ImportError:  # pragma: no cover  # Windows has none, and does without the lock
    fcntl = None  # type: ignore[assignment]

__all__ = ["Kept", "Parts", "Store", "differences", "write_aside"]

MAGIC = "pandoer part 1"
_NAME = re.compile(r"(\d+)-(\d+)\.part")

Span = tuple[int, int]


class Store(Protocol):
    """Where finished parts are kept until the table is written."""

    def spans(self, group: int | None = None) -> list[Span]:
        """The parts that are there, all or those of a group of places: from where to where, in order."""

    def save(self, start: int, stop: int, payload: bytes) -> None:
        """Keep the rows of places `start` to `stop`."""

    def read(self, span: Span) -> bytes:
        """The rows of a part."""

    def join(self, spans: list[Span]) -> None:
        """Put neighbouring parts together in one."""


class _Spans:
    """From where to where there are parts, by the group of places in which they lie."""

    def __init__(self) -> None:
        self._spans: dict[int, list[Span]] = {}

    def spans(self, group: int | None = None) -> list[Span]:
        """The parts that are there, all or those of a group of places, in order."""
        if group is not None:
            return [*self._spans.get(group, ())]
        return [span for group in sorted(self._spans) for span in self._spans[group]]

    def _add(self, span: Span) -> None:
        insort(self._spans.setdefault(span[0] // GROUP, []), span)

    def _drop(self, span: Span) -> None:
        self._spans[span[0] // GROUP].remove(span)


class Kept(_Spans):
    """Parts in memory."""

    def __init__(self) -> None:
        super().__init__()
        self._parts: dict[Span, bytes] = {}

    def save(self, start: int, stop: int, payload: bytes) -> None:
        """Keep the rows of places `start` to `stop`."""
        self._parts[start, stop] = payload
        self._add((start, stop))

    def read(self, span: Span) -> bytes:
        """The rows of a part."""
        return self._parts[span]

    def join(self, spans: list[Span]) -> None:
        """Put neighbouring parts together in one."""
        together = joined([self._parts.pop(span) for span in spans])
        for span in spans:
            self._drop(span)
        self.save(spans[0][0], spans[-1][1], together)


class Parts(_Spans):
    """Parts in a directory.

    Parameters
    ----------
    out
        The file that the table will be.
    parameters
        What is being made.

    Raises
    ------
    PandoerError
        If the directory holds parts of another table, or another program is at work on it.
    OSError
        If it cannot be written or read.
    """

    def __init__(self, out: Path, parameters: Mapping[str, Any]) -> None:
        super().__init__()
        self.directory = out.with_name(out.name + ".parts")
        self.parameters = dict(parameters)
        text = json.dumps(self.parameters, sort_keys=True, indent=1)
        self._key = hashlib.sha256(text.encode()).digest()
        self.directory.mkdir(exist_ok=True)
        self._lock = self._locked()
        try:
            self._check_parameters(text.encode())
            for span in self._found():
                self._add(span)
        except BaseException:
            self.close()
            raise

    def _locked(self) -> IO[bytes]:
        lock = (self.directory / "lock").open("ab")
        if fcntl is not None:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                lock.close()
                raise PandoerError(
                    f"{str(self.directory)!r}: another program is making this table now; expected to be the only one"
                ) from None
        return lock

    def _check_parameters(self, text: bytes) -> None:
        file = self.directory / "parameters.json"
        try:
            before = json.loads(file.read_bytes())
        except (FileNotFoundError, ValueError):
            write_aside(file, text)
            return
        if found := differences(before, self.parameters):
            raise PandoerError(
                f"{str(self.directory)!r} holds parts of another table, with {found}: expected the same parameters,"
                " another file, or that directory removed"
            )

    def _found(self) -> Iterator[Span]:
        """The sound parts; what is left of others, or is in a greater part as well, is removed."""
        for file in self.directory.glob("*.aside"):
            file.unlink()
        named = [(match, file) for file in self.directory.iterdir() if (match := _NAME.fullmatch(file.name))]
        end = 0
        for start, stop in sorted(((int(m[1]), int(m[2])) for m, _ in named), key=lambda span: (span[0], -span[1])):
            if start < end or stop <= start or self._payload((start, stop)) is None:
                self._file((start, stop)).unlink()
            else:
                end = stop
                yield start, stop

    def close(self) -> None:
        """Let others at it."""
        self._lock.close()

    def remove(self) -> None:
        """Remove the directory; the table is finished."""
        shutil.rmtree(self.directory)

    def save(self, start: int, stop: int, payload: bytes) -> None:
        """Keep the rows of places `start` to `stop`."""
        write_aside(self._file((start, stop)), self._head((start, stop), payload) + payload)
        self._add((start, stop))

    def read(self, span: Span) -> bytes:
        """The rows of a part."""
        payload = self._payload(span)
        if payload is None:
            raise PandoerError(f"{str(self._file(span))!r} is damaged: run again, and it will be made anew")
        return payload

    def join(self, spans: list[Span]) -> None:
        """Put neighbouring parts together in one."""
        self.save(spans[0][0], spans[-1][1], joined([self.read(span) for span in spans]))
        for span in spans:
            self._drop(span)
            self._file(span).unlink()

    def _file(self, span: Span) -> Path:
        return self.directory / f"{span[0]:012d}-{span[1]:012d}.part"

    def _head(self, span: Span, payload: bytes) -> bytes:
        digest = hashlib.sha256(self._key + repr(span).encode() + payload).hexdigest()
        return f"{MAGIC} {digest}\n".encode()

    def _payload(self, span: Span) -> bytes | None:
        """The rows of a part; ``None`` if it is torn or was not made with these parameters."""
        head, _, payload = self._file(span).read_bytes().partition(b"\n")
        return payload if head + b"\n" == self._head(span, payload) else None


def differences(before: Any, now: Mapping[str, Any]) -> str:
    """In what the parameters of a table differ from those asked for now; empty if in nothing.

    >>> differences({"seed": 1, "hands": {"count": 5}}, {"seed": 1, "hands": {"count": 6}})
    'hands count 5, not 6'
    """
    one, other = dict(_flat(before)), dict(_flat(json.loads(json.dumps(dict(now)))))
    keys = [key for key in dict.fromkeys([*other, *one]) if one.get(key) != other.get(key)]
    return ", ".join(f"{' '.join(key)} {_short(one.get(key))}, not {_short(other.get(key))}" for key in keys)


def _flat(value: Any, key: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    if isinstance(value, dict):
        for name, part in value.items():
            yield from _flat(part, (*key, name))
    else:
        yield key, value


def _short(value: Any) -> str:
    text = "none" if value is None else value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= 200 else text[:200] + "..."


def write_aside(file: Path, content: bytes) -> None:
    """Write a file that is there as a whole or not at all, even when the machine stops."""
    with aside_of(file) as opened:
        opened.write(content)


@contextmanager
def aside_of(file: Path) -> Iterator[IO[bytes]]:
    """What is written here becomes the file as a whole, or nothing of it, even when the machine stops."""
    aside = file.with_name(file.name + ".aside")
    try:
        with aside.open("wb") as opened:
            yield opened
            opened.flush()
            os.fsync(opened.fileno())
        rename(aside, file)
    except BaseException:
        with suppress(OSError):
            aside.unlink()
        raise


def rename(aside: Path, file: Path) -> None:
    """Give a file that has been flushed its name, for good."""
    aside.replace(file)
    if os.name == "posix":
        directory = os.open(file.parent, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)
