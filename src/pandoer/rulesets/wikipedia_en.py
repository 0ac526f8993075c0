"""The international encyclopedia's article.

Its table of ranks is lost in our copy; the order of the bids here is a reconstruction.  The bonuses for
winning all eight tricks (one cent in a points contract, one to the declarer of a zwabber) are not part of a
bid's `value`.

It is left open whether a player who has passed may bid again, and what follows when all pass; here a pass is
final, and the cards are dealt anew.
"""

from __future__ import annotations

from pandoer.contracts import Bid, PlayRules
from pandoer.melds import WIKIPEDIA_EN_MELDS
from pandoer.objectives import ALL, EXACTLY_ONE, NONE, ZWABBER_EN
from pandoer.rulesets.base import Ruleset, alone, points_bids

WIKIPEDIA_EN = Ruleset(
    name="wikipedia-en",
    title="Pandoeren (order of bids reconstructed)",
    source="the international encyclopedia's article on Pandoeren; the order of the bids is a reconstruction",
    play=PlayRules(undertrump="forced", beat_led_trump=True),
    melds=WIKIPEDIA_EN_MELDS,
    calling="plain-first",
    payment="pot",
    unit="cents",
    bids=(
        *points_bids(100, 120, 1, bonus=1),
        *points_bids(130, 130, 2, bonus=1),
        *points_bids(140, 160, 3, bonus=1),
        Bid("piccolo", 3, EXACTLY_ONE, trump="none"),
        Bid("kereltje", 3, ALL, partner="jack", raised_by_melds=True, melds_decide="best"),
        Bid("zwabber", 3, ZWABBER_EN, trump="none", bonus=1),
        Bid("misere", 4, NONE, trump="none"),
        *points_bids(170, 170, 4, open_ended=True, bonus=1),
        alone("solo-zwabber", 5, trump="none"),
        Bid("piccolo-ouvert", 5, EXACTLY_ONE, trump="none", shown="tr2"),
        Bid("pandoer", 5, ALL, partner="called", raised_by_melds=True, melds_decide="best"),
        Bid("misere-ouvert", 6, NONE, trump="none", shown="tr2"),
        Bid("stil-piccolo-praatje", 6, EXACTLY_ONE, trump="none", shown="deal"),
        Bid("piccolo-praatje", 7, EXACTLY_ONE, trump="none", shown="deal"),
        Bid("stil-praatje", 7, NONE, trump="none", shown="deal"),
        Bid("praatje", 8, NONE, trump="none", shown="deal"),
        Bid("prive", 10, ALL, raised_by_melds=True, melds_decide="best"),
    ),
)
