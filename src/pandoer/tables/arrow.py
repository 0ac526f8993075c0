"""Apache Arrow, which only strength tables need."""

from __future__ import annotations

import importlib
from typing import Any

from pandoer.errors import PandoerError

__all__ = ["parquet", "pyarrow"]


def pyarrow() -> Any:
    """The module ``pyarrow``; a `PandoerError` that says what to install when it is missing."""
    return needed("pyarrow", "strength tables need pyarrow", "tables")


def parquet() -> Any:
    """The module ``pyarrow.parquet``."""
    return needed("pyarrow.parquet", "strength tables need pyarrow", "tables")


def needed(module: str, what: str, extra: str) -> Any:
    """A module of an extra of the package; a `PandoerError` that says what to install when it is missing."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise PandoerError(f"{what} ({error}): pip install 'pandoer[{extra}]'") from None
