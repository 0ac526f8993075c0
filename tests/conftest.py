"""Refuses to test a compiled kernel that is older than its source, sets Hypothesis up, and runs commands."""

from __future__ import annotations

import io
import json
import os
import sys
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

import pytest
from hypothesis import settings

from pandoer import _solver, cli
from tests.commands import Ran, Run

SOURCE = Path(__file__).resolve().parent.parent / "src" / "pandoer"

settings.register_profile("pandoer", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("pandoer")


def pytest_configure() -> None:
    """Stop before the first test when the kernel is stale."""
    stale = stale_source(Path(_solver.__file__), SOURCE)
    if stale is not None:
        pytest.exit(
            f"{stale} is newer than the compiled {_solver.__file__}: build the package again, with"
            " pip install . or python setup.py build_ext --inplace, then run the tests",
            returncode=4,
        )


def stale_source(compiled: Path, source: Path) -> Path | None:
    """The kernel's source file that is newer than the compiled module, if there is one.

    Times mean something only when the module was built from these sources: it lies among them, or its
    installation says that it came from this checkout.  A wheel from elsewhere is not judged.
    """
    if compiled.resolve().parent != source and not installed_from(source.parent.parent):
        return None
    files = [file for kind in ("*.pyx", "*.pxd", "*.pxi") for file in source.glob(kind)]
    built = compiled.stat().st_mtime
    return next((file for file in sorted(files) if file.stat().st_mtime > built), None)


def installed_from(checkout: Path) -> bool:
    """Whether the installed package was built from this checkout (PEP 610)."""
    try:
        origin = distribution("pandoer").read_text("direct_url.json")
    except PackageNotFoundError:
        return False
    return origin is not None and json.loads(origin).get("url") == checkout.as_uri()


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Run a command in this process."""

    def run(*argv: str, stdin: str | bytes = "") -> Ran:
        data = stdin.encode() if isinstance(stdin, str) else stdin
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
        return Ran(cli.main(argv), *capsys.readouterr())

    return run
