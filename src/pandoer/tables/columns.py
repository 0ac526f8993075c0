"""The columns of a strength table, and how plans are written in them.

Columns, in this order:

| column | type | meaning |
|---|---|---|
| ``hand`` | uint64 | `Hand.bits` of the eight cards |
| ``hand_text`` | string | the hand in words |
| ``watch`` | string or null | the watch card, where it lies open |
| ``weight`` | double | how many deals of hand and watch card the row stands for |
| ``B_chance`` | double | the chance of bid B with its best plan, 0 to 1 |
| ``B_error`` | double | its standard error: half the width of its 95 % interval over 1.96; 0 when it is exact |
| ``B_expected`` | double | what the declarer wins on average, in the ruleset's unit per deal |
| ``B_samples`` | int32 | deals on which the chance was counted; layouts when it is exact |
| ``B_plan`` | dictionary of strings | the best plan, see `plan_text`; null when it depends on a closed watch card |

For a bid that this hand cannot make at all, such as a kereltje with all four jacks, the number of samples is 0 and the
others are null.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from pandoer.cards import Card
from pandoer.errors import PandoerError
from pandoer.intervals import Z95
from pandoer.plans import Plan
from pandoer.problems import Play
from pandoer.results import Odds
from pandoer.rulesets.base import parse_trump
from pandoer.tables.arrow import pyarrow

__all__ = ["FIGURES", "column", "figures", "plan_text", "read_plan", "schema"]

KEY = b"pandoer"
"""Where the schema's metadata say how a table was made, as JSON."""

FIXED = ("hand", "hand_text", "watch", "weight")
FIGURES = ("chance", "error", "expected", "samples", "plan")
"""What there is of each bid."""

NOTHING = (None, None, None, 0, None)
"""The figures of a bid that a hand cannot make."""


def column(bid: str, figure: str = "chance") -> str:
    """The column of a figure of a bid.

    >>> column("pandoer+20"), column("solo-zwabber", "plan")
    ('pandoer_plus_20_chance', 'solo_zwabber_plan')
    """
    if figure not in FIGURES:
        raise PandoerError(f"figure {figure!r}: expected one of {', '.join(FIGURES)}")
    return f"{bid.replace('-', '_').replace('+', '_plus_')}_{figure}"


def figures(odds: Odds | None) -> tuple[Any, ...]:
    """What a row says of a bid; ``None`` for one that the hand cannot make."""
    if odds is None:
        return NOTHING
    error = 0.0 if odds.exact else (odds.high - odds.low) / (2 * Z95)
    return odds.probability, error, odds.expected, odds.samples, plan_text(odds.plan)


def plan_text(plan: Plan | None) -> str | None:
    """A plan in short: trump, discard and called card, ``-`` for none, and the first lead where it belongs to the plan.

    >>> plan_text(Plan(discard=Card("C7"))), plan_text(read_plan("S C7 HA HK must"))
    ('- C7 -', 'S C7 HA HK must')
    """
    if plan is None:
        return None
    parts = [
        "-" if plan.trump is None else plan.trump.letter, *(str(card or "-") for card in (plan.discard, plan.called)),
    ]  # fmt: skip
    return " ".join(parts if plan.lead is None else [*parts, str(plan.lead)])


def read_plan(text: str) -> Plan:
    """The plan that `plan_text` wrote.

    >>> print(read_plan("S C7 HA"))
    trump ♠, discard ♣7, call ♥A

    Raises
    ------
    PandoerError
        If the text is no plan.
    """
    parts = str(text).split(maxsplit=3)
    if len(parts) < 3:
        raise PandoerError(f"plan {text!r}: expected trump, discard and called card, such as 'S C7 HA' or '- C7 -'")
    discard, called = (None if card == "-" else Card(card) for card in parts[1:3])
    return Plan(parse_trump(parts[0]), discard, called, Play.parse(parts[3]) if len(parts) > 3 else None)


def schema(bids: Iterable[str], facts: Mapping[str, Any], *, final: bool = True) -> Any:
    """The Arrow schema of a table; while it is being made (not `final`) plans are plain strings."""
    arrow = pyarrow()
    plan = arrow.dictionary(arrow.int32(), arrow.string()) if final else arrow.string()
    kinds = dict(zip(FIGURES, (arrow.float64(), arrow.float64(), arrow.float64(), arrow.int32(), plan), strict=True))
    fixed = zip(FIXED, (arrow.uint64(), arrow.string(), arrow.string(), arrow.float64()), strict=True)
    fields = [arrow.field(name, kind, nullable=name == "watch") for name, kind in fixed]
    fields += [arrow.field(column(bid, figure), kinds[figure], nullable=figure != "samples")
               for bid in bids for figure in FIGURES]  # fmt: skip
    return arrow.schema(fields, {KEY: json.dumps(dict(facts)).encode()})


def facts_of(found: Any, path: str) -> dict[str, Any]:
    """How a table was made, from its Arrow schema; `path` is what an error calls it."""
    text = (found.metadata or {}).get(KEY)
    try:
        facts = json.loads(text or b"")
        bids = facts["bids"]
        names = [*FIXED, *(column(bid, figure) for bid in bids for figure in FIGURES)]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise PandoerError(f"{path!r} is no strength table: expected one that strength_table wrote") from None
    if [*found.names] != names:
        raise PandoerError(f"the columns of {path!r} are not those of its bids {', '.join(map(str, bids))}")
    return dict(facts)
