"""Chances of bids for many hands: exact ones for all hands of Pandur, and strength tables.

The package holds the exact chances of Misère ohne and Pandur ohne::

    from pandoer import tables

    table = tables.builtin("pandur")
    table.chance("SA9 HT9 DJ9 CT9", "misere-ohne")

They are made by ::

    python -m pandoer.tables pandur OUT.npz [--threads N]

which tells on standard error how far it is.  `strength_table` makes tables for other games, bids and hands, on one
machine or many, and keeps them in Parquet files; ``docs/tables.md`` is about them.
"""

from __future__ import annotations

from pandoer.tables.columns import column, plan_text, read_plan
from pandoer.tables.exact import ChanceTable, exact_chances, hopeless, load
from pandoer.tables.hands import HandSource, all_hands, listed_hands, random_hands
from pandoer.tables.included import BUILTIN, builtin
from pandoer.tables.make import main
from pandoer.tables.strength import strength_table
from pandoer.tables.table import Strength, StrengthRow, StrengthTable
from pandoer.tables.workers import Processes, UnfinishedError

__all__ = [
    "BUILTIN",
    "ChanceTable",
    "HandSource",
    "Processes",
    "Strength",
    "StrengthRow",
    "StrengthTable",
    "UnfinishedError",
    "all_hands",
    "builtin",
    "column",
    "exact_chances",
    "hopeless",
    "listed_hands",
    "load",
    "main",
    "plan_text",
    "random_hands",
    "read_plan",
    "strength_table",
]
