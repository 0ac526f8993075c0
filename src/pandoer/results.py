"""What `odds` answers: `Odds`, with `PlanChance` and `Distribution`, and how they show themselves."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

from pandoer.cards import Card, Hand
from pandoer.contracts import Bid
from pandoer.money import Amount
from pandoer.plans import Plan
from pandoer.standing import Standing

ViewName = Literal["double-dummy", "blind-lead", "table"]


def default_view(bid: Bid) -> ViewName:
    """Blind lead where all hands are opened after the first lead, double-dummy elsewhere."""
    return "blind-lead" if bid.shown == "lead" else "double-dummy"


def view_says(bid: Bid, view: ViewName) -> str:
    """What a view leaves out, in one sentence."""
    if view == "table":
        return "Everybody plays by what he can know, as a program does that deals the hidden cards again and again."
    if view == "blind-lead" and bid.shown == "lead":
        return "The first lead is chosen blind and then all hands lie open, so this is the game itself."
    if view == "double-dummy" and bid.shown == "deal":
        return "All hands lie open before the first lead, so this is the game itself."
    whose = "the others' cards" if bid.shown == "tr2" else "each other's cards"
    if view == "blind-lead":
        return f"After a lead chosen blind everybody plays as if he saw all cards, though {whose} are hidden."
    return f"After the plan everybody plays as if he saw all cards, from the first lead on, though {whose} are hidden."


@dataclass(frozen=True)
class PlanChance:
    """The chance of one plan.

    Attributes
    ----------
    plan
        The plan; ``None`` when none is legal.
    probability, low, high
        The chance and its 95 % Wilson interval, 0 to 1.
    samples
        Deals behind it.  A plan that was dropped early has few.
    watch
        The watch card that this plan is for, when it lies closed.
    unknown
        Deals that were given up at the limit of nodes; see `Odds`.
    share
        The chance of that watch card.
    """

    plan: Plan | None
    probability: float
    low: float
    high: float
    samples: int
    watch: Card | None = None
    unknown: int = 0
    share: float = 1.0

    def to_json(self) -> dict[str, Any]:
        """The chance as a JSON object."""
        answer: dict[str, Any] = {
            "plan": None if self.plan is None else self.plan.to_json(),
            "probability": self.probability, "low": self.low, "high": self.high, "samples": self.samples,
        }  # fmt: skip
        if self.watch is not None:
            answer |= {"watch": str(self.watch), "share": self.share}
        if self.unknown:
            answer["unknown"] = self.unknown
        return answer


@dataclass(frozen=True)
class Distribution:
    """How many points the declaring side takes with the chosen plan, all hands known.

    Attributes
    ----------
    points
        The numbers of points that occurred, ascending, melds and marriage included; -1 for a contract lost by a
        protected card.
    chances
        The chance of each.
    samples
        Deals behind them; those that were given up are left out.
    """

    points: tuple[int, ...]
    chances: tuple[float, ...]
    samples: int

    @property
    def mean(self) -> float:
        """The mean number of points, a lost contract counted as none."""
        return sum(max(n, 0) * chance for n, chance in zip(self.points, self.chances, strict=True))

    def at_least(self, points: int) -> float:
        """The chance to take at least so many."""
        return sum(chance for n, chance in zip(self.points, self.chances, strict=True) if n >= points)

    def to_json(self) -> dict[str, Any]:
        """The distribution as a JSON object."""
        return {"points": list(self.points), "chances": list(self.chances), "samples": self.samples}


@dataclass(frozen=True)
class AtTable:
    """The table beside the double-dummy view, on the same deals with the same plan.

    Attributes
    ----------
    worlds
        Deals that each player thinks of at every card.
    depth
        How many of his own cards the declarer looks ahead.
    double_dummy, double_dummy_low, double_dummy_high
        The double-dummy chance on these deals, with its 95 % interval.
    difference, difference_low, difference_high
        The chance at the table less the double-dummy one, with the 95 % interval of the mean over pairs; narrower than
        the two intervals by themselves, as the deals are the same.
    cards
        Cards that were played in all.
    seconds
        Time that playing them took; not part of a comparison of answers.
    """

    worlds: int
    depth: int
    double_dummy: float
    double_dummy_low: float
    double_dummy_high: float
    difference: float
    difference_low: float
    difference_high: float
    cards: int
    seconds: float = field(compare=False)

    def to_json(self) -> dict[str, Any]:
        """The comparison as a JSON object, with these names."""
        return asdict(self)

    def __str__(self) -> str:
        ends = f"{100 * self.difference_low:+.1f} to {100 * self.difference_high:+.1f}"
        return (
            f"played with {self.worlds} worlds, depth {self.depth}; {100 * self.difference:+.1f} ({ends}) beside"
            f" double-dummy on the same deals, {100 * self.double_dummy:.1f} %;"
            f" {self.cards:,} cards played in {self.seconds:.1f} s"
        )


@dataclass(frozen=True)
class Odds:
    """How likely a bid is to succeed.

    Attributes
    ----------
    bid, rules, hand, watch
        The question; `watch` is ``None`` for a watch card that the asker does not know.
    probability
        The chance of the best plan, 0 to 1; with a closed watch card the mean over the cards that it may be,
        each with the best plan for it.  With joiners: that the declarer stays dry, everybody else against him.
    low, high
        Its 95 % interval: Wilson's, with a closed watch card that of as many simple samples as have the variance of
        the stratified mean.  Both are the chance itself when it is `exact`.
    samples
        Deals on which it was counted; the deals that chose the plan are not among them.  Layouts when it is exact.
    plan
        The best plan; ``None`` with a closed watch card.
    plans
        With a known watch card every plan that was compared, best first: the chosen one with the figures above, the
        others with those of the deals that chose; when it is exact those that could not be better were given up early,
        and `low` and `high` are the ends between which their chances lie.  With a closed one, the best plan for each
        watch card.
    value
        What the contract pays, in `unit`.
    expected, expected_low, expected_high
        What the declarer wins on average, in `unit` per deal, with its 95 % interval; bonus and stake included.
    money
        The same for every seat: 0 is the declarer, then in turn; a dealer who sits out comes last.
    gain, gain_low, gain_high
        What the bid is worth beside passing, which is worth 0: what the declarer wins on average; where points are
        written and never lost, less what another player writes on average.  With a `standing` points that bring nobody
        nearer to the goal do not count.
    standing
        The state of the game, when it was told; then each amount of `money` has the chance that this deal finishes it.
    unit
        The ruleset's unit.
    view
        ``"double-dummy"``, ``"blind-lead"`` or ``"table"``; `view_says` tells what it leaves out.
    unknown
        Deals that were given up at the limit of nodes.  `low` is for all of them lost and `high` for all of them
        won; `probability` counts each as a half.
    exact
        All layouts were enumerated.
    distribution
        The distribution of points, when it was asked for.
    together
        With joiners: the chance that all of them stay dry together against the rest, with the best plan for that.
    unseen
        In an ending, the cards that the others still hold.
    bottom
        The bottom card of the stock, when it was told.
    table
        In the view ``"table"`` how well was played, and the double-dummy chance on the same deals.
    finished
        Whether as much was done as was asked for; false in what a callback gets while the work goes on.
    """

    bid: str
    rules: str
    hand: Hand
    watch: Card | None
    probability: float
    low: float
    high: float
    samples: int
    plan: Plan | None
    plans: tuple[PlanChance, ...] = field(repr=False)
    value: int
    expected: float
    expected_low: float
    expected_high: float
    money: tuple[Amount, ...]
    gain: float
    gain_low: float
    gain_high: float
    unit: str
    view: ViewName = "double-dummy"
    view_says: str = ""
    unknown: int = 0
    exact: bool = False
    distribution: Distribution | None = None
    together: PlanChance | None = None
    unseen: Hand | None = None
    bottom: Card | None = None
    standing: Standing | None = None
    finished: bool = True
    table: AtTable | None = None

    def to_json(self) -> dict[str, Any]:
        """The answer as a JSON object; what was not asked for is not there."""
        answer: dict[str, Any] = {
            "bid": self.bid, "rules": self.rules, "view": self.view, "probability": self.probability,
            "low": self.low, "high": self.high, "samples": self.samples,
            "plan": None if self.plan is None else self.plan.to_json(),
            "plans": [plan.to_json() for plan in self.plans], "value": self.value, "expected": self.expected,
            "expected_low": self.expected_low, "expected_high": self.expected_high,
            "money": [amount.to_json() for amount in self.money], "gain": self.gain, "gain_low": self.gain_low,
            "gain_high": self.gain_high, "unit": self.unit, "view_says": self.view_says,
        }  # fmt: skip
        for name in ("unknown", "exact"):
            if getattr(self, name):
                answer[name] = getattr(self, name)
        for name in ("distribution", "together", "table"):
            if getattr(self, name) is not None:
                answer[name] = getattr(self, name).to_json()
        for name in ("unseen", "bottom"):
            if getattr(self, name) is not None:
                answer[name] = str(getattr(self, name))
        if self.standing is not None:
            answer |= {"scores": [*self.standing.scores], "goal": self.standing.goal}
        if not self.finished:
            answer["finished"] = False
        return answer

    def lines(self) -> list[str]:
        """The answer in words, a line each."""
        watch = ", watch card unknown" if self.plan is None else ""
        if self.watch is not None:
            watch = f", watch card {self.watch.text(symbols=True)}"
        if self.unseen is not None:
            watch = f", unseen {self.unseen}"
        if self.bottom is not None:
            watch = f", bottom of the stock {self.bottom.text(symbols=True)}"
        best = "the best plan for each watch card" if self.plan is None else str(self.plan)
        unfinished = "" if self.finished else ", unfinished"
        found = [
            f"{self.bid} ({self.rules}) with {self.hand}{watch}",
            f"chance {chance_text(self)}, {self.view}{unfinished}",
            f"plan: {best}",
            f"pays {self.value}; expected {self.expected:+.2f} {self.unit} a deal",
        ]
        if self.gain != self.expected:
            found[-1] += f", the others {self.money[1].expected:+.2f} each; gain {self.gain:+.2f}"
        if self.standing is not None:
            yours, others = (self.money[0].finishes or 0.0), [amount.finishes or 0.0 for amount in self.money[1:]]
            found.append(f"finishes the game for you {100 * yours:.1f} %, for another {100 * max(others):.1f} %")
        if self.table is not None:
            found.insert(2, str(self.table))
        if self.together is not None:
            found.insert(2, f"all dry together {chance_text(self.together, exact=self.exact)}")
        return [*found, self.view_says]

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{plan_name(row)}</td><td>{chance_text(row, exact=self.exact)}</td></tr>"
            for row in self.plans[:25]
        )
        head = "<br>".join(self.lines())
        return f"{head}<table><tr><th>plan</th><th>chance</th></tr>{rows}</table>"


def chance_text(row: Odds | PlanChance, *, exact: bool | None = None) -> str:
    """A chance in words, with its interval and the deals behind it, or the layouts when all were enumerated."""
    if exact is None:
        exact = isinstance(row, Odds) and row.exact
    if exact and row.low == row.high:
        return f"{100 * row.probability:.2f} %, exact over {row.samples:,} layouts"
    unknown = f", {row.unknown:,} of them unknown" if row.unknown else ""
    what = "layout" if exact else "deal"
    deals = f"{row.samples:,} {what if row.samples == 1 else what + 's'}"
    return f"{100 * row.probability:.1f} % ({100 * row.low:.1f} to {100 * row.high:.1f}), {deals}{unknown}"


def plan_name(row: PlanChance) -> str:
    """A plan in words, with the watch card it is for."""
    name = "no legal plan" if row.plan is None else str(row.plan)
    return name if row.watch is None else f"watch card {row.watch.text(symbols=True)}: {name}"
