"""The game of a Dutch blog: as `pagat` with strict following, other values, and denial by all opponents.

A player who has passed may bid again.
"""

from __future__ import annotations

from dataclasses import replace

from pandoer.contracts import PlayRules
from pandoer.melds import CAPPELLE_MELDS
from pandoer.rulesets.pagat import PAGAT

_VALUES = {"praatje": 4, "prive": 6}

CAPPELLE = replace(
    PAGAT,
    name="cappelle",
    title="Pandoer with strict following",
    source="a Dutch blog on Pandoer, after J. McLeod's site",
    play=PlayRules(ruff_when_able=False, undertrump="forced"),
    melds=CAPPELLE_MELDS,
    pass_is_final=False,
    bids=tuple(replace(bid, value=_VALUES.get(bid.name, bid.value)) for bid in PAGAT.bids),
)
