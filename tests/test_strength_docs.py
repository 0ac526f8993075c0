"""The examples of ``docs/strength.md``.

Run as a program, this file writes their present output into the page.
"""

from __future__ import annotations

import contextlib
import doctest
import io
from pathlib import Path
from typing import Any

PAGE = Path(__file__).resolve().parent.parent / "docs" / "strength.md"


def test_the_page_says_what_happens() -> None:
    found = doctest.testfile(str(PAGE), module_relative=False, optionflags=doctest.REPORT_NDIFF)
    assert found.attempted >= 10
    assert found.failed == 0


def renewed(text: str) -> str:
    """A page with the present output of its examples, none of which may end in an error."""
    known: dict[str, Any] = {}
    found = []
    for part in doctest.DocTestParser().parse(text):
        if isinstance(part, str):
            found.append(part)
            continue
        lines = part.source.splitlines()
        found.append("".join(f"{'...' if i else '>>>'} {line}".rstrip() + "\n" for i, line in enumerate(lines)))
        with contextlib.redirect_stdout(io.StringIO()) as out:
            exec(compile(part.source, str(PAGE), "single"), known)
        found.append(out.getvalue())
    return "".join(found)


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text("utf-8")), "utf-8")
