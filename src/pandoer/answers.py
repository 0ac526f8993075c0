"""From races to answers: what is known of a question by now, in chances, plans and money."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from pandoer.asks import Ask
from pandoer.at_the_table import TableRace, compared
from pandoer.contracts import Bid
from pandoer.intervals import wilson
from pandoer.ledger import Want
from pandoer.money import Amount, amount, amounts, gain, payoffs
from pandoer.race import Race, Sweep
from pandoer.results import Distribution, Odds, PlanChance, ViewName, view_says
from pandoer.standing import Standing


def answer(
    asks: list[Ask],
    stake: int = 0,
    game: Standing | None = None,
    *,
    found: Distribution | None = None,
    finished: bool = True,
) -> Odds:
    """What is known of a question by now."""
    asked = asks[0]
    question, bid, races = asked.book.question, asked.goal.bid, asked.races
    probability, low, high = asked.chance()
    view: ViewName = "blind-lead" if asked.goal.blind_lead else "double-dummy"
    played = [race for race in races if isinstance(race, TableRace)]
    if played:
        view = "table"
    plan, plans = None, tuple(_row(race) for race in races)
    if not question.closed:
        plan = plans[0].plan
        plans = (*plans, *_others(races[0]))
    chance = (probability, low, high)
    money = _money(asked, stake, chance)
    worth = [money[0].expected, money[0].low, money[0].high]
    if question.rules.payment == "written":
        worth = [gain(question.rules, bid, p, question.table, game) for p in chance]
    if game is not None:
        money = tuple(_finishing(money, probability, bid, game))
    return Odds(
        bid=bid.name, rules=question.rules.name, hand=question.hand, watch=question.watch, probability=probability,
        low=low, high=high, samples=sum(row.samples for row in plans[: len(races)]), plan=plan, plans=plans,
        value=bid.value, expected=money[0].expected, expected_low=money[0].low, expected_high=money[0].high,
        money=money, gain=worth[0], gain_low=worth[1], gain_high=worth[2], unit=question.rules.unit,
        view=view, view_says=view_says(bid, view),
        unknown=sum(row.unknown for row in plans[: len(races)]), exact=asked.effort.exact, distribution=found,
        together=_together(asks[1]) if len(asks) > 1 else None, unseen=question.unseen,
        bottom=question.bottom, standing=game, finished=finished,
        table=compared(played) if played and asked.samples and not asked.choosing else None,
    )  # fmt: skip


def _finishing(money: tuple[Amount, ...], chance: float, bid: Bid, game: Standing) -> Iterator[Amount]:
    """The amounts with the chance that each seat finishes the game."""
    for seat, own in enumerate(money):
        yield replace(own, finishes=game.finishes(seat, bid.value) * (chance if seat == 0 else 1 - chance))


def _row(race: Race) -> PlanChance:
    """The chosen plan of a race, or the leading one."""
    made, samples, unknown = race.figures()
    plan = None if race.best is None else race.plans[race.best]
    watch = race.stratum.watch if race.stratum.question.closed else None
    if isinstance(race, Sweep) and samples:
        return PlanChance(plan, *race.chance(), samples, watch, unknown, race.share)
    p, low, high = _counted(made, unknown, samples)
    return PlanChance(plan, p, low, high, samples, watch, unknown, race.share)


def _counted(made: int, unknown: int, samples: int) -> tuple[float, float, float]:
    """A chance with its interval: the unknown deals lost for the lower end, won for the upper, halves between."""
    if samples == 0:
        return 0.5, 0.0, 1.0
    return (made + unknown / 2) / samples, wilson(made, samples)[0], wilson(made + unknown, samples)[1]


def _others(race: Race) -> list[PlanChance]:
    """The other plans with the deals that chose, those that stayed longest first."""
    rows = []
    for i, plan in enumerate(race.plans):
        if i != race.best:
            made, samples = int(race.made[i]), int(race.reached[i])
            p, low, high = _counted(made, int(race.doubts[i]), samples)
            if isinstance(race, Sweep):
                p, low, high = race.chance_of(i)
            rows.append(PlanChance(plan, p, low, high, samples))
    return sorted(rows, key=lambda row: (-row.samples, -row.probability))


def _together(asked: Ask) -> PlanChance:
    p, low, high = asked.chance()
    closed = asked.book.question.closed
    rows = [_row(race) for race in asked.races]
    return PlanChance(
        None if closed else rows[0].plan, p, low, high, sum(row.samples for row in rows),
        unknown=sum(row.unknown for row in rows),
    )  # fmt: skip


def _money(asked: Ask, stake: int, chance: tuple[float, float, float]) -> tuple[Amount, ...]:
    """What every seat wins on average."""
    question, bid = asked.book.question, asked.goal.bid
    rules, players = question.rules, question.players
    races = [race for race in asked.races if _counts(race)]
    # What follows from the chance alone has its interval: with a partner that is the declarer's amount.
    nobody = np.full(len(chance), -1, np.int8)
    ends = payoffs(rules, bid, np.array(chance), nobody, players, stake=stake, sits_out=question.sits_out).T.tolist()
    simple = [amount(seat, *ends[seat]) for seat in (range(question.table) if bid.partner is None else (0,))]
    if not races or (bid.bonus == 0 and bid.partner is None):
        return tuple(simple)
    parts, weights, strata = [], [], []
    for number, race in enumerate(races):
        n = race.counted
        if race.plans:
            won, unknown = race.outcomes(0, n)
            made = np.where(unknown, 0.5, won)
            partners = race.final.partners(0, n)
            parts.append(payoffs(rules, bid, made, partners, players, swept=race.swept(), stake=stake))
        else:  # lost, and nobody knows with whom
            partners = np.arange(1, players, dtype=np.int8) if bid.partner else np.full(1, -1, np.int8)
            lost = payoffs(rules, bid, np.zeros(len(partners)), partners, players, stake=stake)
            parts.append(np.tile(lost.mean(axis=0), (n, 1)))
        own = race.weights[:n] if isinstance(race, Sweep) else np.ones(n)
        weights.append(race.share * own / own.sum())
        strata.append(np.full(n, number))
    together = np.concatenate(weights)
    found = amounts(np.concatenate(parts), together / together.sum(), np.concatenate(strata), exact=asked.effort.exact)
    return found if bid.bonus else (*simple, *found[1:])


def _counts(race: Race) -> bool:
    """Whether deals were counted that have a weight."""
    return race.counted > 0 and not (isinstance(race, Sweep) and not race.weights[: race.counted].any())


def points_wanted(asked: Ask) -> list[Want]:
    """What has to be settled before `distribution`."""
    return [Want(race.final, None, 0, race.counted, exact=True) for race in asked.races if race.counted and race.plans]


def distribution(asked: Ask) -> Distribution:
    """The points of the deals that counted the chance."""
    chances: dict[int, float] = {}
    total, samples = 0.0, 0
    for race in (race for race in asked.races if race.counted and race.plans):
        points = race.final.least[: race.counted]
        points = np.where(points < 0, points, points + asked.goal.points)
        own = race.weights[: race.counted] if isinstance(race, Sweep) else np.ones(race.counted)
        known = ~race.final.given_up[: race.counted]
        own = own * known
        if not own.any():
            continue
        share = race.share / own.sum()
        for n in np.unique(points):
            chances[int(n)] = chances.get(int(n), 0.0) + share * float(own[points == n].sum())
        total += race.share
        samples += int(known.sum())
    kept = {n: float(chance / total) for n, chance in sorted(chances.items()) if chance > 0}
    return Distribution(tuple(kept), tuple(kept.values()), samples)
