"""What the tests of commands have in common; the fixture `run` of conftest.py runs one."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple


class Ran(NamedTuple):
    """What a command did."""

    status: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON value on standard output."""
        assert self.out.count("\n") == 1
        return json.loads(self.out)


Run = Callable[..., Ran]


def mistake(ran: Ran) -> str:
    """The one line that tells a user's mistake."""
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith("pandoer: ")
    assert ran.err.count("\n") == 1
    return ran.err
