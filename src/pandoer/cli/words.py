"""Odds and advice in words and tables."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap
from typing import TYPE_CHECKING

from pandoer.advice import Advice, Advised
from pandoer.cards import Card, Hand
from pandoer.cli.show import BAR, facts, room, table
from pandoer.names import bid_in
from pandoer.plans import Plan
from pandoer.results import Distribution, Odds, PlanChance
from pandoer.rulesets import Ruleset

if TYPE_CHECKING:
    from rich.console import RenderableType

RUNNERS_UP = 5
"""How many plans are shown below the best one."""

INTERVAL = "95 % interval"
_FIGURES = ("chance", INTERVAL, "deals")
_SO_FAR = "as far as known; a chance looks too high until its plan is chosen"
_BEFORE_PLAY = "double-dummy so far; the deals that count are played out next"
_COLUMN = 68
_BAR_LENGTH = 40


# pandoer odds


_ONE = {"points": "point", "cents": "cent", "Schreibpunkte": "Schreibpunkt"}


def odds_in_words(answer: Odds, rules: Ruleset, lang: str) -> list[RenderableType]:
    """An answer, finished or not."""
    cards = _cards(answer.hand, answer.watch, rules, lang)
    if answer.unseen is not None:
        cards = f"{answer.hand.text(lang)}, unseen {answer.unseen.text(lang)}"
    if answer.bottom is not None:
        cards += f", bottom of the stock {answer.bottom.text(lang, symbols=True)}"
    title = f"{bid_in(answer.bid, lang)} ({answer.rules}) with {cards}"
    parts: list[RenderableType] = [_title(title, answer.finished), facts(_odds_facts(answer, lang))]
    if answer.distribution is not None:
        parts += _points(answer.distribution, answer.exact)
    return [*parts, *(_watch_cards(answer, lang) if answer.plan is None else _other_plans(answer, lang))]


def _title(title: str, finished: bool) -> str:
    return title if finished else f"{title} - unfinished"


def _cards(hand: Hand, watch: Card | None, rules: Ruleset, lang: str) -> str:
    if rules.watch is None:
        return hand.text(lang)
    card = "unknown" if watch is None else watch.text(lang, symbols=True)
    return f"{hand.text(lang)}, watch card {card}"


def _odds_facts(answer: Odds, lang: str) -> Iterator[tuple[str, str]]:
    yield "chance", _chance(answer, answer.exact)
    if not answer.finished:
        yield "", _BEFORE_PLAY if _is_before_play(answer) else _SO_FAR
    yield from _beside_double_dummy(answer)
    if answer.together is not None:
        yield "together", f"all stay dry: {_chance(answer.together, answer.exact)}"
        if answer.together.plan is not None:
            yield "", f"with {answer.together.plan.text(lang)}"
    closed = answer.plan is None
    yield "plan", "chosen when the watch card is seen; see below" if closed else _plan(answer.plan, lang)
    yield "pays", f"{answer.value} {_ONE.get(answer.unit, answer.unit) if answer.value == 1 else answer.unit}"
    interval = "" if answer.exact and not answer.unknown else f" ({INTERVAL} {_money_interval(answer)})"
    yield "expected", f"{answer.expected:+.2f} {answer.unit} a deal for the declarer{interval}"
    if len(answer.money) > 1:
        yield "others", f"{', '.join(f'{amount.expected:+.2f}' for amount in answer.money[1:])}, in turn"
    if answer.gain != answer.expected:
        interval = "" if answer.exact and not answer.unknown else f" ({INTERVAL} {_gain_interval(answer)})"
        counts = ", as far as it counts for the game" if answer.standing is not None else ""
        yield "gain", f"{answer.gain:+.2f}, what you write less what another writes{counts}{interval}"
    if answer.standing is not None:
        yield "finishes", ", ".join(_finishing(answer))
    for i, line in enumerate(wrap(f"{answer.view}. {answer.view_says}", _COLUMN)):
        yield "" if i else "view", line


def _is_before_play(answer: Odds) -> bool:
    """Whether no deal has been played out yet that is to count the chance at the table."""
    return answer.view == "table" and answer.table is None and not answer.finished


def _beside_double_dummy(answer: Odds) -> Iterator[tuple[str, str]]:
    """How well was played at the table, and what the same deals are worth when everybody sees all cards."""
    found = answer.table
    if found is None:
        return
    low, high = 100 * found.double_dummy_low, 100 * found.double_dummy_high
    dummy = f"{100 * found.double_dummy:.1f} % ({INTERVAL} {low:.1f} to {high:.1f} %)"
    low, high = 100 * found.difference_low, 100 * found.difference_high
    yield "cards up", f"{dummy}, the same deals double-dummy"
    yield "", f"the table is {100 * found.difference:+.1f} beside that ({INTERVAL} {low:+.1f} to {high:+.1f})"
    worlds = "deal" if found.worlds == 1 else "deals"
    ahead = f", the declarer {found.depth} of his cards ahead" if found.depth > 1 else ""
    yield "thinking", f"of {found.worlds:,} {worlds} at each card{ahead}"


def _finishing(answer: Odds) -> Iterator[str]:
    """Whom this deal brings to the goal of the game, and how likely."""
    assert answer.standing is not None
    for amount, score in zip(answer.money, answer.standing.scores, strict=True):
        who = "you" if amount.seat == 0 else f"seat {amount.seat}"
        yield f"{who} (at {score}) {100 * (amount.finishes or 0.0):.1f} %"


def _chance(row: Odds | PlanChance, exact: bool) -> str:
    unknown = f", {row.unknown:,} of them unknown" if row.unknown else ""
    if exact and row.low == row.high:
        return f"{100 * row.probability:.2f} %, exact over {row.samples:,} layouts{unknown}"
    what = "layouts" if exact else "deal" if row.samples == 1 else "deals"
    interval = f"between {_interval(row)}" if exact else f"{INTERVAL} {_interval(row)}"
    return f"{_percent(row)} ({interval}), {row.samples:,} {what}{unknown}"


def _points(found: Distribution, exact: bool) -> Iterator[RenderableType]:
    """The chances to reach round numbers of points, as bars."""
    if not found.points:
        yield from ("", "Points with all hands known: all deals were given up.")
        return
    steps = range(max(0, min(found.points)) // 10 * 10, max(found.points) + 1, 10)
    chances = [(points, found.at_least(points)) for points in steps]
    rows = [
        (str(points), f"{100 * chance:.1f} %", BAR * round(_BAR_LENGTH * chance))
        for points, chance in chances
        if chance >= 0.0005
    ]
    while len(rows) > 1 and rows[1][1] == "100.0 %":
        del rows[0]
    what = "layouts" if exact else "deals"
    yield from ("", f"Points with all hands known, {found.mean:.1f} on average over {found.samples:,} {what}:")
    yield table(("at least", "chance", ""), rows, figures=("at least", "chance"))
    if min(found.points) < 0:
        yield f"lost by a protected card: {100 * (1 - found.at_least(0)):.1f} %"


def _other_plans(answer: Odds, lang: str) -> Iterator[RenderableType]:
    """The plans after the best one, as they did on the deals that chose it."""
    others = [row for row in answer.plans[1:] if row.samples]
    if not others:
        return
    shown = others[:RUNNERS_UP]
    yield ""
    if answer.exact:
        yield "Other plans:"
        chances = [_percent(row) if row.low == row.high else f"at most {100 * row.high:.1f} %" for row in shown]
        rows = [(_plan(row.plan, lang), chance) for row, chance in zip(shown, chances, strict=True)]
        yield table(("plan", "chance"), rows, figures=_FIGURES)
    else:
        how = ", double-dummy" if answer.view == "table" else ""
        yield f"Other plans{how}; their figures come from the deals that chose the plan:"
        yield table(("plan", *_FIGURES), [(_plan(row.plan, lang), *_figures(row)) for row in shown], figures=_FIGURES)
    if more := len(answer.plans) - 1 - len(shown):
        yield f"and {more} more with --json"


def _watch_cards(answer: Odds, lang: str) -> Iterator[RenderableType]:
    """The best plan for every watch card."""
    rows = [row for row in answer.plans if row.watch is not None and row.samples]
    likely = {round(row.share, 9) for row in rows}
    how_many = f"each of {'the ' if len(rows) == len(answer.plans) else ''}{len(rows)} watch cards"
    yield ""
    yield f"The best plan for {how_many}, {'all equally likely' if len(likely) == 1 else 'with its share'}:"
    head = ["watch", *([] if len(likely) == 1 else ["share"]), "best plan", *_FIGURES]
    if answer.exact:
        head.remove(INTERVAL)
        head[-1] = "layouts"
    cells = [
        {
            "watch": row.watch.text(lang, symbols=True),
            "share": f"{100 * row.share:.1f} %",
            "best plan": _plan(row.plan, lang),
            **dict(zip((*_FIGURES[:2], head[-1]), _figures(row), strict=True)),
        }
        for row in rows
        if row.watch is not None
    ]
    yield table(head, [[row[name] for name in head] for row in cells], figures=(*_FIGURES, "share", "layouts"))


def _figures(row: PlanChance) -> tuple[str, str, str]:
    return _percent(row), _interval(row), f"{row.samples:,}"


def _percent(row: Odds | PlanChance) -> str:
    return f"{100 * row.probability:.1f} %"


def _interval(row: Odds | PlanChance) -> str:
    return f"{100 * row.low:.1f} to {100 * row.high:.1f} %"


def _money_interval(answer: Odds) -> str:
    return f"{answer.expected_low:+.2f} to {answer.expected_high:+.2f}"


def _gain_interval(answer: Odds) -> str:
    return f"{answer.gain_low:+.2f} to {answer.gain_high:+.2f}"


def _plan(plan: Plan | None, lang: str) -> str:
    """A plan in words, with the rank letters of a language."""
    return "no legal plan" if plan is None else plan.text(lang)


# pandoer advise


def advice_in_words(advice: Advice, rules: Ruleset, lang: str) -> list[RenderableType]:
    """An advice, finished or not: a table, the best bid first, and what the figures leave out."""
    title = f"{advice.rules} with {_cards(advice.hand, advice.watch, rules, lang)}"
    if advice.auction.calls:
        title += f", after {advice.auction.text(lang)}"
    known = [row for row in advice.bids if row.odds.samples]
    written = rules.payment == "written"
    rows = [(row.odds.gain, _advised(row, lang, written=written)) for row in known]
    nothing = {"bid": rules.pass_in(lang), "gain" if written else "expected": _amount(0.0)}
    rows = sorted([(0.0, nothing), *rows], key=lambda row: -row[0])
    unknown = [bid_in(row.odds.bid, lang) for row in advice.bids if not row.odds.samples]
    rows += [(0.0, {"bid": bid, "expected": "..."}) for bid in unknown]
    head = [name for name in _ADVICE if any(row.get(name) for _, row in rows)]
    if len(known) < len(advice.bids):
        head = [name for name in head if name != "dominated by"]  # nobody knows yet
    narrow = room() < _WIDE
    head = [name for name in head if name not in (_ONLY_WIDE if narrow else _ONLY_NARROW)]
    exact = all(row.odds.exact for row in advice.bids)
    other = {_EXPECTED_INTERVAL: INTERVAL, **({"deals": "layouts"} if exact else {})}
    heading = [other.get(name, name) for name in head]
    cells = [[row.get(name, "") for name in head] for _, row in rows]
    return [
        _title(title, advice.finished),
        table(heading, cells, figures=("value", "expected", *_WRITTEN, *_FIGURES, _CARDS_UP, "layouts")),
        "",
        *([f"Plan: {', '.join(_PLAN)}."] if narrow else []),
        *([] if advice.finished else [f"The figures are {_SO_FAR}."]),
        *_before_play(advice, lang),
        *_left_out(advice, lang),
    ]


_EXPECTED_INTERVAL = "interval of expected"
_PLAN = ("trump", "discard", "call", "lead")
_WRITTEN = ("others", "gain", "finishes", "another does")
_CARDS_UP = "cards up"
_ADVICE = (
    "bid", "value", "expected", *_WRITTEN, _EXPECTED_INTERVAL, *_FIGURES, _CARDS_UP, *_PLAN, "plan", "dominated by",
)  # fmt: skip
_ONLY_WIDE, _ONLY_NARROW = ("value", _EXPECTED_INTERVAL, "deals", _CARDS_UP, *_PLAN), ("plan",)
_WIDE = 120


def _advised(row: Advised, lang: str, *, written: bool) -> dict[str, str]:
    """The cells of one bid."""
    answer, plan = row.odds, row.odds.plan
    cells = {"bid": bid_in(answer.bid, lang), "value": str(answer.value), "expected": _amount(answer.expected)}
    cells |= {"chance": _percent(answer), "deals": f"{answer.samples:,}"}
    if not answer.exact or answer.unknown or not answer.finished:
        cells |= {_EXPECTED_INTERVAL: _money_interval(answer), INTERVAL: _interval(answer)}
    cells["dominated by"] = bid_in(row.dominated_by or "", lang)
    if written:
        cells |= {"others": _amount(answer.money[1].expected), "gain": _amount(answer.gain)}
    if answer.table is not None:
        cells[_CARDS_UP] = f"{100 * answer.table.double_dummy:.1f} %"
    if answer.standing is not None:
        own, *others = (amount.finishes or 0.0 for amount in answer.money)
        cells |= {"finishes": f"{100 * own:.1f} %", "another does": f"{100 * max(others):.1f} %"}
    if plan is None:
        return cells
    lead = "" if plan.lead is None else plan.lead.text(lang, symbols=True)
    chosen = {
        name: "" if card is None else card.text(lang, symbols=True)
        for name, card in (("discard", plan.discard), ("call", plan.called))
    }
    chosen = {"trump": "-" if plan.trump is None else plan.trump.symbol, **chosen, "lead": lead}
    cells["plan"] = " ".join(part for part in chosen.values() if part)
    return cells | chosen | ({} if plan.trump is None else {"trump": plan.trump.text(lang)})


def _before_play(advice: Advice, lang: str) -> Iterator[str]:
    """The bids of which nothing has been played out yet at the table."""
    bids = [bid_in(row.odds.bid, lang) for row in advice.bids if _is_before_play(row.odds) and row.odds.samples]
    if bids:
        yield from wrap(f"{', '.join(bids)}: {_BEFORE_PLAY}.", 80)


def _amount(expected: float) -> str:
    return f"{expected:+.2f}"


def _left_out(advice: Advice, lang: str) -> Iterator[str]:
    """What the figures leave out, once for each view."""
    says: dict[tuple[str, str], list[str]] = {}
    for row in sorted(advice.bids, key=lambda row: row.rank):
        says.setdefault((row.odds.view, row.odds.view_says), []).append(bid_in(row.odds.bid, lang))
    usual = max(says.values(), key=len, default=[])
    unit = f"Expected is in {advice.unit} a deal."
    if any(row.odds.gain != row.odds.expected for row in advice.bids):
        unit += " Gain is what you write on average less what another does"
        unit += ", as far as it counts for the game." if advice.bids[0].odds.standing else "."
    unit += " Passing is counted as 0, whatever the others then bid."
    dominated = "A dominated bid has a higher one that wins at least as much."
    yield from wrap(f"{unit} {dominated}" if any(row.dominated_by for row in advice.bids) else unit, 80)
    if any(row.odds.table for row in advice.bids):
        yield "Cards up is the chance on the same deals double-dummy."
    if any(row.odds.plan is None for row in advice.bids):
        yield from wrap("The plan of each bid is chosen when the watch card is seen; see 'pandoer odds'.", 80)
    for (view, sentence), bids in sorted(says.items(), key=lambda item: item[1] is usual):
        others = "All bids" if len(says) == 1 else "All other bids"
        yield from wrap(f"{others if bids is usual else ', '.join(bids)} ({view}): {sentence}", 80)
