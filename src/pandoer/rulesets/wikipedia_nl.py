"""The Dutch encyclopedia's article: Noord-Holland and Utrecht.

The called card is protected in every contract that calls one.  A misère that others join is played without
trump.  A solo player is paid by, or pays, each of the three others.

It is left open whether a player who has passed may bid again, and what a higher bid means for those who joined a
misère.  Here a pass is final, and a higher bid ends the joining: they may speak again.
"""

from __future__ import annotations

from pandoer.contracts import Bid, PlayRules
from pandoer.melds import WIKIPEDIA_NL_MELDS
from pandoer.objectives import ALL, EXACTLY_ONE, NONE, ZWABBER_NL
from pandoer.rulesets.base import Ruleset, alone, points_bids

WIKIPEDIA_NL = Ruleset(
    name="wikipedia-nl",
    title="Pandoeren in Noord-Holland and Utrecht",
    source="the Dutch encyclopedia's article on Pandoeren",
    watch="closed",
    play=PlayRules(undertrump="no-higher", called_card="protect"),
    melds=WIKIPEDIA_NL_MELDS,
    calling="plain-first",
    joined_misere=True,
    all_pass="husselen",
    payment="three-payers",
    bids=(
        *points_bids(100, 130, 1),
        Bid("piccolo", 2, EXACTLY_ONE),
        Bid("misere", 2, NONE, trump="none-if-joined"),
        *points_bids(140, 150, 2),
        Bid("zwabber", 3, ZWABBER_NL, trump="none"),
        *points_bids(160, 160, 3),
        Bid("piccolo-ouvert", 4, EXACTLY_ONE, shown="tr2"),
        Bid("misere-ouvert", 4, NONE, trump="none-if-joined", shown="tr2"),
        alone("solo-zwabber", 4, trump="none"),
        *points_bids(170, 200, 4),
        Bid("kereltje", 5, ALL, partner="jack", melds_decide="all"),
        Bid("pandoer", 5, ALL, partner="called", play=(("trump_leads", 2),), takes_stake=True, melds_decide="all"),
        Bid("piccolo-praatje", 6, EXACTLY_ONE, shown="lead", takes_stake=True, melds_decide="all"),
        Bid("praatje", 6, NONE, trump="none-if-joined", shown="lead", takes_stake=True, melds_decide="all"),
        Bid("prive", 7, ALL, takes_stake=True, melds_decide="all"),
    ),
)
