"""Pandur, the Swiss cousin, after the Swiss federation's article: the declarer alone against the others.

It is left open whether a player who has passed may bid again, and what follows when all pass; here a pass, called
"fort", is final, and the cards are dealt anew.  When four sit at the table the dealer holds no cards.  What he writes
does not finish the game, even if it lifts him to the goal or over it; then the next points that he writes as a player
will.
"""

from __future__ import annotations

from pandoer.cards import DECK24
from pandoer.contracts import Bid, CardRules, PlayRules
from pandoer.melds import PANDUR_MELDS
from pandoer.objectives import ALL, NONE
from pandoer.rulesets.base import Ruleset, alone, points_bids

PANDUR = Ruleset(
    name="pandur",
    title="Pandur",
    source="the Swiss federation's article on Pandur",
    deck=DECK24,
    players=(3, 2),
    watch=None,
    cards=CardRules(
        trump_order="J9AKQT",
        plain_order="AKQJT9",
        trump_points=(("J", 20), ("9", 14), ("A", 11), ("T", 10), ("K", 4), ("Q", 3)),
        plain_points=(("A", 11), ("T", 10), ("K", 4), ("Q", 3), ("J", 2)),
    ),
    play=PlayRules(undertrump="forced"),
    melds=PANDUR_MELDS,
    pass_name="fort",
    payment="written",
    dealer_sits_out=True,
    goal=17,
    unit="Schreibpunkte",
    bids=(
        *points_bids(100, 140, 2, partner=None),
        *points_bids(150, 190, 3, partner=None),
        *points_bids(200, 200, 4, partner=None),
        Bid("misere-ohne", 4, NONE, trump="none"),
        Bid("misere-mit", 4, NONE, trump="led", play=(("first_lead_trump", True), ("undertrump", "void"))),
        *points_bids(210, 240, 4, partner=None),
        *points_bids(250, 250, 5, partner=None),
        alone("pandur-ohne", 5, trump="none"),
        *points_bids(260, 290, 5, partner=None),
        *points_bids(300, 300, 6, partner=None, open_ended=True),
        Bid("pandur-mit", 6, ALL, trump="led", play=(("first_lead_trump", True),)),
    ),
)
