"""A. C. Butselaar's booklet of 1958, as later implementers report it.

The places of the piccolo bids in the order are the implementers' guess.  Its piccolo is won with the
trump jack.  The reports do not say how the watch card lies or who pays; here it lies open, and declarer and partner
each win or lose the value, as in `pagat`.  It is left open, too, whether a player who has passed may bid
again, and what follows when all pass; here a pass is final, and the cards are dealt anew, also as in `pagat`.
"""

from __future__ import annotations

from pandoer.contracts import Bid, PlayRules
from pandoer.melds import PAGAT_MELDS
from pandoer.objectives import ALL, JACK_ONLY, NONE, ZWABBER_CALLED
from pandoer.rulesets.base import Ruleset, alone, points_bids

BUTSELAAR = Ruleset(
    name="butselaar",
    title="Pandoeren after Butselaar",
    source="A. C. Butselaar's booklet of 1958, as later implementers report it",
    play=PlayRules(undertrump="free"),
    melds=PAGAT_MELDS,
    bids=(
        *points_bids(130, 150, 1),
        Bid("piccolo", 3, JACK_ONLY),
        Bid("misere", 3, NONE),
        *points_bids(160, 160, 2),
        Bid("kereltje", 2, ALL, partner="jack"),
        Bid("zwabber", 2, ZWABBER_CALLED, trump="none", partner="called"),
        *points_bids(170, 190, 3),
        alone("solo-zwabber", 5, trump="none"),
        *points_bids(200, 200, 4, open_ended=True),
        Bid("piccolo-ouvert", 5, JACK_ONLY, shown="tr2"),
        Bid("misere-ouvert", 6, NONE, shown="tr2"),
        Bid("stil-praatje", 8, NONE, shown="lead"),
        Bid("pandoer", 5, ALL, partner="called"),
        Bid("stil-piccolo-praatje", 6, JACK_ONLY, shown="lead"),
        Bid("piccolo-praatje", 7, JACK_ONLY, shown="lead"),
        Bid("praatje", 9, NONE, shown="lead"),
        alone("prive", 10),
    ),
)
