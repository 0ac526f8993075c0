"""The game of J. McLeod's site, which also is the source of the blog behind `cappelle`.

A pandoer may be raised by any ten points of melds from ten on; the site names twenty, forty and so on.
"""

from __future__ import annotations

from pandoer.contracts import Bid, PlayRules
from pandoer.melds import PAGAT_MELDS
from pandoer.objectives import ALL, FIRST_ONLY, NONE, ZWABBER_CALLED
from pandoer.rulesets.base import Ruleset, alone, points_bids

PAGAT = Ruleset(
    name="pagat",
    title="Pandoer as on J. McLeod's site",
    source="J. McLeod's site of card game rules",
    play=PlayRules(undertrump="forced"),
    melds=PAGAT_MELDS,
    bids=(
        *points_bids(120, 140, 1),
        Bid("piccolo", 3, FIRST_ONLY),
        Bid("misere", 3, NONE),
        *points_bids(150, 160, 2),
        Bid("kereltje", 2, ALL, partner="jack"),
        Bid("zwabber", 2, ZWABBER_CALLED, trump="none", partner="called"),
        *points_bids(170, 190, 3),
        alone("solo-zwabber", 5, trump="none"),
        Bid("piccolo-ouvert", 6, FIRST_ONLY, shown="tr2"),
        *points_bids(200, 200, 4, open_ended=True),
        Bid("misere-ouvert", 6, NONE, shown="tr2"),
        Bid("stil-praatje", 9, NONE, shown="lead"),
        Bid("pandoer", 5, ALL, partner="called", raised_by_melds=True),
        Bid("praatje", 9, NONE, shown="lead"),
        alone("prive", 10),
    ),
)
