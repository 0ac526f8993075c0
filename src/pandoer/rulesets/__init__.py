"""The rulesets, one module of data each, and `ruleset` to get one by name."""

from __future__ import annotations

from pandoer.rulesets.base import Ruleset, find
from pandoer.rulesets.butselaar import BUTSELAAR
from pandoer.rulesets.cappelle import CAPPELLE
from pandoer.rulesets.pagat import PAGAT
from pandoer.rulesets.pandur import PANDUR
from pandoer.rulesets.wikipedia_en import WIKIPEDIA_EN
from pandoer.rulesets.wikipedia_nl import WIKIPEDIA_NL

RULESETS: tuple[Ruleset, ...] = (WIKIPEDIA_NL, PAGAT, CAPPELLE, WIKIPEDIA_EN, BUTSELAAR, PANDUR)
DEFAULT = WIKIPEDIA_NL.name


def ruleset(name: str | Ruleset = DEFAULT) -> Ruleset:
    """The ruleset of a name.

    >>> ruleset("pagat").bid("pandoer").value
    5

    Raises
    ------
    PandoerError
        If there is none; the message quotes the name and lists those that exist.
    """
    return name if isinstance(name, Ruleset) else find(RULESETS, name)


__all__ = ["DEFAULT", "RULESETS", "Ruleset", "ruleset"]
