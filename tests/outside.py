"""The games of the outside solvers, made of the same public pieces as the rulesets."""

from __future__ import annotations

from pandoer import CardRules, PlayRules, Ruleset
from pandoer.cards import DECK32, DECK33

BRIDGE = Ruleset(
    name="bridge",
    title="Whist with 33 cards",
    source="the laws of bridge",
    bids=(),
    deck=DECK33,
    cards=CardRules(trump_order="AKQJT9876"),
    play=PlayRules(ruff_when_able=False, undertrump="free", jack_exempt=False),
)
BELOTE = Ruleset(
    name="belote",
    title="Belote as colver plays it",
    source="colver 0.11",
    bids=(),
    deck=DECK32,
    watch=None,
    cards=CardRules(
        trump_order="J9ATKQ87",
        plain_order="ATKQJ987",
        trump_points=(("J", 20), ("9", 14), ("A", 11), ("T", 10), ("K", 4), ("Q", 3)),
        plain_points=(("A", 11), ("T", 10), ("K", 4), ("Q", 3), ("J", 2)),
        last_trick=10,
    ),
    play=PlayRules(
        ruff_when_able=False,
        undertrump="free",
        beat_led_trump=True,
        jack_exempt=False,
        must_ruff=True,
        partner_exempt=True,
    ),
)
