"""The tables that come with the package: `builtin`, and `named` for those who take a file or such a name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from types import MappingProxyType
from typing import Literal, overload

from pandoer.errors import PandoerError
from pandoer.tables.exact import ChanceTable, read
from pandoer.tables.table import StrengthTable

__all__ = ["BUILTIN", "builtin", "data", "named", "names"]

BUILTIN: Mapping[str, tuple[str, ...]] = MappingProxyType({"pandur": ("misere-ohne", "pandur-ohne")})
"""The tables of exact chances in the package, by ruleset, and their bids."""


def names() -> tuple[str, ...]:
    """The tables that there should be, and the strength tables that are there."""
    there = data()
    found = [file.name for file in there.iterdir()] if there.is_dir() else []
    strengths = sorted(name.removesuffix(".parquet") for name in found if name.endswith(".parquet"))
    return (*BUILTIN, *(name for name in strengths if name not in BUILTIN))


def named(given: object) -> str | None:
    """The name of a table of the package, if that is what is given: a file of this name goes first."""
    return given if isinstance(given, str) and given in names() and not Path(given).is_file() else None


@overload
def builtin(name: Literal["pandur"] = "pandur") -> ChanceTable: ...
@overload
def builtin(name: str) -> ChanceTable | StrengthTable: ...
def builtin(name: str = "pandur") -> ChanceTable | StrengthTable:
    """A table of the package.

    Parameters
    ----------
    name
        The ruleset: ``"pandur"``, with the exact chances of ``misere-ohne`` and ``pandur-ohne`` for three hands; or
        that of a strength table in the package, which is opened and read as far as it is asked.

    Raises
    ------
    PandoerError
        If there is no such table.
    """
    if name in BUILTIN:
        return _exact(name)
    if name not in names():
        raise PandoerError(f"no table of {name!r}: expected one of {', '.join(names())}")
    return StrengthTable.open(Path(str(data().joinpath(f"{name}.parquet"))))


def data() -> Traversable:
    """The package's directory of data."""
    return resources.files("pandoer").joinpath("data")


@cache
def _exact(name: str) -> ChanceTable:
    file = data().joinpath(f"{name}.npz")
    if not file.is_file():
        raise PandoerError(f"the table of {name!r} is not installed; python -m pandoer.tables makes one")
    with file.open("rb") as opened:
        return read(opened, str(file))
