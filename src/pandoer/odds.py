"""How likely a bid is to succeed when the unseen cards are sampled: `odds`.

A plan (discard, trump, called card and, in the blind-lead view, the first lead) is chosen without seeing the hidden
cards; see `pandoer.race` for how.  Each deal is then solved exactly with all hands known, so the chance is a
*double-dummy* one: what follows the plan is played as if everybody saw every card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from numbers import Integral, Real
from typing import Any, Literal, get_args

import numpy as np

from pandoer.auction import Auction, Call
from pandoer.batch import Job, check_node_limit, run
from pandoer.bidding import Listening
from pandoer.cards import Card, Hand, Suit
from pandoer.contracts import Bid
from pandoer.dealing import Seed, Weight, check_weights, seed_sequence
from pandoer.errors import PandoerError
from pandoer.intervals import wilson
from pandoer.ledger import Want, settle
from pandoer.money import Amount, amount, amounts, check_stake, gain, payoffs
from pandoer.plans import Plan, check_fixed, contract_of
from pandoer.problems import Play
from pandoer.question import FEW_LAYOUTS, MOST_LAYOUTS, Question, at_the_table, seats_and_cards, seats_and_suits
from pandoer.race import ALL_RACES, Ask, Book, Effort, Goal, Race, Sweep
from pandoer.rulesets import DEFAULT, Ruleset, ruleset
from pandoer.rulesets.base import parse_trump
from pandoer.standing import Standing, standing

View = Literal["double-dummy", "blind-lead"]

DEFAULT_SAMPLES = 1000
MOST_SAMPLES = 10_000_000
MOST_POINTS = 10_000

AT_FIRST = 3
"""Watch cards that are looked at before there is something to tell."""

Progress = Callable[[float], object]
Known = Mapping[int, "Hand | str"]
Void = Mapping[int, "Suit | str | Iterable[Suit | str]"]


def default_view(bid: Bid) -> View:
    """Blind lead where all hands are opened after the first lead, double-dummy elsewhere."""
    return "blind-lead" if bid.shown == "lead" else "double-dummy"


def view_says(bid: Bid, view: View) -> str:
    """What a view leaves out, in one sentence."""
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
        ``"double-dummy"`` or ``"blind-lead"``; `view_says` tells what it leaves out.
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
    view: View = "double-dummy"
    view_says: str = ""
    unknown: int = 0
    exact: bool = False
    distribution: Distribution | None = None
    together: PlanChance | None = None
    unseen: Hand | None = None
    bottom: Card | None = None
    standing: Standing | None = None
    finished: bool = True

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
        for name in ("distribution", "together"):
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
        if self.together is not None:
            found.insert(2, f"all dry together {chance_text(self.together)}")
        return [*found, self.view_says]

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{plan_name(row)}</td><td>{chance_text(row)}</td></tr>" for row in self.plans[:25]
        )
        head = "<br>".join(self.lines())
        return f"{head}<table><tr><th>plan</th><th>chance</th></tr>{rows}</table>"


def chance_text(row: Odds | PlanChance) -> str:
    """A chance in words, with its interval and the deals behind it."""
    if isinstance(row, Odds) and row.exact:
        return f"{100 * row.probability:.2f} %, exact over {row.samples:,} layouts"
    unknown = f", {row.unknown:,} of them unknown" if row.unknown else ""
    deals = f"{row.samples:,} {'deal' if row.samples == 1 else 'deals'}"
    return f"{100 * row.probability:.1f} % ({100 * row.low:.1f} to {100 * row.high:.1f}), {deals}{unknown}"


def plan_name(row: PlanChance) -> str:
    """A plan in words, with the watch card it is for."""
    name = "no legal plan" if row.plan is None else str(row.plan)
    return name if row.watch is None else f"watch card {row.watch.text(symbols=True)}: {name}"


def odds(
    hand: Hand | str,
    bid: str | int | Bid,
    *,
    rules: str | Ruleset = DEFAULT,
    watch: Card | str | None = None,
    samples: int | None = None,
    precision: float | None = None,
    exact: bool | None = None,
    seed: Seed = 0,
    trump: Suit | str | None = None,
    discard: Card | str | None = None,
    called: Card | str | None = None,
    lead: Play | Card | str | None = None,
    view: View | None = None,
    players: int | None = None,
    auction: Auction | str | Iterable[Any] | None = None,
    bidders: Iterable[int] | None = None,
    joiners: Iterable[int] = (),
    known: Known | None = None,
    void: Void | None = None,
    weight: Weight | None = None,
    listen: bool = False,
    private: bool = False,
    stake: int = 0,
    unseen: Hand | str | None = None,
    points: int = 0,
    bottom: Card | str | None = None,
    scores: Iterable[int] | None = None,
    goal: int | None = None,
    distribution: bool = False,
    node_limit: int | None = None,
    threads: int | None = None,
    progress: Progress | None = None,
    update: Callable[[Odds], object] | None = None,
) -> Odds:
    """How likely a bid is to succeed, with the best discard, trump and called card.

    Parameters
    ----------
    hand
        The bidder's eight cards.
    bid
        A bid of the ruleset, such as ``"pandoer"`` or ``160``.
    rules
        The ruleset or its name.
    watch
        The watch card, when it is known; ``None``: it is one of the unseen cards, and the plan is chosen after it is
        seen.
    samples
        Deals on which the chance is counted (default 1,000, but see `exact`).
    precision
        Instead of `samples`: half the width of the 95 % interval that is to be reached, such as 0.01.
    exact
        Instead of both: all layouts are enumerated, at most 1,000,000 of them, and the chance is exact.  Unless
        something is asked for it is so when there are at most 20,000 of them, as always in Pandur.
    seed
        A whole number or a `numpy.random.SeedSequence`; the same seed gives the same answer for any number of
        threads.
    trump, discard, called, lead
        Parts of the plan that are fixed; `lead` in the blind-lead view only, ``"HK"``, ``"HK must"`` or
        ``"HK need-not"``.  With a closed watch card a fixed call or trump is given up for a watch card that forbids it.
    view
        ``"double-dummy"`` or ``"blind-lead"``: whether the first lead belongs to the plan.  Unless given, blind-lead
        for contracts whose hands are opened after the first lead and double-dummy for the others.
    players
        Players, in games that allow several numbers.  In Pandur 4 sit at the table when the dealer holds no cards.
    auction
        The calls so far, from the first hand, such as ``"pass 130 pass"``.  The asker is the player to speak, or the
        declarer when it is over.  Its bidders are those of `bidders`, and when it is over its joiners and its stake
        are those of `joiners` and `stake`.
    bidders
        Seats that made a bid, counted from the declarer (1 is next in turn), for the denial of melds.
    joiners
        Seats that join the misère, counted likewise.
    known
        Cards that are known to lie with a seat: ``{1: "HA H7"}``.
    void
        Suits that a seat is known not to hold: ``{2: "H"}`` or ``{2: "HD"}``.
    weight
        A function of the hidden hands, ``uint64 [deals, players - 1]``, that says how likely each deal is beside the
        likeliest, 0 to 1; or which deals are possible, as booleans.
    listen
        Weigh deals by what the others bid or did not bid in `auction`; a model, see `pandoer.bidding`.
    private
        The asker alone has seen the watch card, so that the others bid without it (matters with `listen`).  It is so
        anyway in a ruleset whose watch card lies closed.
    stake
        A share of the pot that goes with the bid; it is won or lost with it.
    unseen
        In an ending, with the declarer to lead: the cards that the others still hold, as many each as are in `hand`.
        The contract is alive so far, as in a `Problem` without a state; trump and called card have to be given, and
        the called card, or the trump jack in a kereltje, is still in one of the hands.  A bonus is left out.
    points
        Points that the side has already, melds included, in an ending of a contract of points.
    bottom
        The bottom card of the stock, which everybody sees, in Pandur for two.
    scores
        The points that everybody has in a game to a number of points: yours first, then in turn, a dealer who sits
        out last.
    goal
        The points that finish the game, instead of the ruleset's.
    distribution
        Find the distribution of points as well, in a contract of points.
    node_limit
        Give up a deal after so many cards played in its search; see `Odds.unknown`.
    threads
        Number of threads; ``None`` for one a core.
    progress
        Called now and then with the share of the work that is done, 0 to 1.
    update
        Called now and then with the answer as far as it is known.

    Returns
    -------
    Odds

    Raises
    ------
    PandoerError
        If hand, bid or plan make no sense, or no deal agrees with what is known; the message quotes the input.
    """
    rules = ruleset(rules)
    bid = rules.bid(bid)
    seats, sits_out = seats_of(rules, players, auction)
    calls = None if auction is None else Auction.parse(auction, rules, seats)
    check_stake(rules, bid, stake)
    joined = _check_joiners(rules, bid, joiners, seats)
    if calls is not None:
        _check_auction(calls, bid, stake)
        if calls.over:
            joined, stake = _settled(calls, joined, stake)
    question = ask(
        hand, rules, watch, players=seats, auction=calls, bidders=bidders, known=known, void=void, weight=weight,
        listen=listen, private=private, unseen=unseen, sits_out=sits_out, bottom=bottom,
    )  # fmt: skip
    game = standing(rules, scores, goal, question.table, sits_out=sits_out)
    fixed = Plan(
        parse_trump(trump), None if discard is None else Card(discard), None if called is None else Card(called),
        None if lead is None else Play.parse(lead),
    )  # fmt: skip
    check_fixed(rules, bid, question.hand, question.watch, fixed)
    without = bid.trump == "none" or (bid.trump == "none-if-joined" and joined)
    if trump is not None and fixed.trump is None and not without:
        raise PandoerError(f"trump {trump!r}: {bid.name} in {rules.name} needs a trump suit, one of C, D, H, S")
    if question.unseen is not None:
        _check_ending(question, question.unseen, bid, fixed, joined)
    if isinstance(points, bool) or not isinstance(points, Integral) or not 0 <= points <= MOST_POINTS:
        raise PandoerError(f"points {points!r}: expected a whole number, 0 to {MOST_POINTS:,}")
    if points and (not question.ending or bid.objective.counts is None):
        raise PandoerError(f"points {points!r}: expected them in an ending of a contract of points only")
    chosen: View = "double-dummy" if view is None and unseen is not None else check_view(bid, view)
    if fixed.lead is not None and chosen != "blind-lead":
        raise PandoerError(f"lead {str(lead)!r}: the first lead is part of the plan only with view='blind-lead'")
    if distribution and bid.objective.counts is None:
        raise PandoerError(f"distribution of points: {bid.name} is made or not")
    effort = check_effort(samples, precision, exact, question)
    check_node_limit(node_limit)
    book = Book(question, seed_sequence(seed), effort)
    given = question.unseen is not None
    goals = [Goal(bid, fixed, chosen == "blind-lead", joined, points=int(points), given=given, ending=question.ending)]
    if goals[0].joiners:
        goals.append(replace(goals[0], together=True))
    asks = [Ask(goal, book) for goal in goals]
    _check_plans(question, asks[0], fixed)
    work = Work(threads, progress, node_limit)
    for _ in work.through(asks):
        if update is not None:
            update(answer(asks, stake, game, finished=False))
    found = None
    if distribution:
        found = _distribution(asks[0], work)
    if progress is not None:
        progress(1.0)
    return answer(asks, stake, game, found=found)


def ask(
    hand: Hand | str,
    rules: Ruleset,
    watch: Card | str | None,
    *,
    players: int,
    auction: Auction | None,
    bidders: Iterable[int] | None,
    known: Known | None,
    void: Void | None,
    weight: Weight | None,
    listen: bool,
    private: bool,
    unseen: Hand | str | None = None,
    sits_out: bool = False,
    bottom: Card | str | None = None,
) -> Question:
    """The question of the player to speak, checked."""
    seat = None
    if auction is not None:
        if bidders is not None:
            raise PandoerError(f"bidders {list(bidders)!r} and an auction: expected one of them")
        seat = auction.declarer if auction.over else auction.turn
        bidders = [(other - (seat or 0)) % players for other in auction.bidders if other != seat]
    bid_too = () if bidders is None else _seats("bidders", bidders, players)
    card = None if watch is None else Card(watch)
    if private and card is None:
        raise PandoerError("private: expected the watch card that you alone have seen")
    if listen and auction is None:
        raise PandoerError("listen: expected an auction to listen to")
    weights = []
    if weight is not None:
        weights.append(lambda watch, hidden: check_weights(weight(hidden), hidden))
    if listen and unseen is not None:
        raise PandoerError("listen: in an ending nobody knows any more with which cards the others made their calls")
    if listen:
        assert auction is not None
        assert seat is not None
        weights.append(Listening(auction, seat, private=private or card is None or rules.watch == "closed"))
    return Question(
        rules, Hand(hand), card, players, bid_too, seats_and_cards("cards", known, players),
        seats_and_suits("void", void, players), _product(weights) if weights else None,
        None if unseen is None else Hand(unseen), sits_out, None if bottom is None else Card(bottom),
    )  # fmt: skip


def _product(weights: list[Any]) -> Any:
    if len(weights) == 1:
        return weights[0]
    return lambda watch, hidden: np.prod([np.asarray(weight(watch, hidden), float) for weight in weights], axis=0)


def seats_of(rules: Ruleset, players: int | None, auction: object) -> tuple[int, bool]:
    """How many hold cards, as said, as in an auction that is one already, or as usual; and whether one sits out."""
    if players is None:
        return (auction.players if isinstance(auction, Auction) else rules.players[0]), False
    return at_the_table(rules, players)


def _settled(auction: Auction, joined: tuple[int, ...], stake: int) -> tuple[tuple[int, ...], int]:
    """Who joined and what is staked after an auction that is over, which may be said again."""
    assert auction.highest is not None
    assert auction.declarer is not None
    others = tuple(sorted((seat - auction.declarer) % auction.players for seat in auction.joiners))
    if joined and joined != others:
        raise PandoerError(f"joiners {[*joined]} after the auction {str(auction)!r}: expected {[*others]}")
    if stake and stake != auction.highest.stake:
        raise PandoerError(f"stake {stake!r} after the auction {str(auction)!r}: expected {auction.highest.stake}")
    return others, auction.highest.stake


def _check_auction(auction: Auction, bid: Bid, stake: int) -> None:
    if auction.over:
        highest = auction.highest
        if highest is None or highest.bid is None or highest.bid.name != bid.name:
            what = "everybody passed" if highest is None else f"it was won by {highest}"
            raise PandoerError(f"bid {bid.name!r} after the auction {str(auction)!r}: {what}")
    elif not auction.allows(Call(bid, stake=int(stake))):
        staked = f" with stake {stake}" if stake else ""
        raise PandoerError(f"bid {bid.name!r}{staked} after {str(auction)!r}: it does not outrank {auction.highest}")


def _check_ending(question: Question, unseen: Hand, bid: Bid, fixed: Plan, joined: tuple[int, ...]) -> None:
    """Refuse an ending whose contract is not told, or whose partner nobody can be any more."""
    if fixed.discard is not None:
        raise PandoerError(f"discard {str(fixed.discard)!r}: in an ending it has been laid away")
    card = contract_of(question.rules, bid, fixed, joined).partner_card
    if card is not None and card not in unseen:
        what = "called card" if bid.partner == "called" else "trump jack"
        raise PandoerError(f"{what} {str(card)!r}: expected one of the unseen cards {str(unseen)!r}")


def check_view(bid: Bid, view: View | None) -> View:
    """The view of a question about a bid."""
    if view is None:
        return default_view(bid)
    if view not in get_args(View):
        raise PandoerError(f"view {view!r}: expected one of {', '.join(get_args(View))}")
    return view


def check_effort(samples: int | None, precision: float | None, exact: bool | None, question: Question) -> Effort:
    """How exact the answer is to be."""
    if exact is None and samples is None and precision is None:
        exact = question.layouts <= FEW_LAYOUTS
    if (samples is not None) + (precision is not None) + bool(exact) > 1:
        raise PandoerError(f"samples {samples!r}, precision {precision!r}, exact {bool(exact)}: expected one of them")
    if samples is not None and (
        isinstance(samples, bool) or not isinstance(samples, Integral) or not 1 <= samples <= MOST_SAMPLES
    ):
        raise PandoerError(f"samples {samples!r}: expected a whole number, 1 to {MOST_SAMPLES:,}")
    if precision is not None and (
        isinstance(precision, bool) or not isinstance(precision, Real) or not 0.001 <= precision < 0.5
    ):
        raise PandoerError(f"precision {precision!r}: expected 0.001 to 0.5")
    if exact:
        if question.layouts > MOST_LAYOUTS:
            raise PandoerError(
                f"exact: there are {question.layouts:,} layouts of the unseen cards, more than {MOST_LAYOUTS:,}"
            )
        return Effort(exact=True)
    if precision is not None:
        return Effort(precision=float(precision))
    return Effort(samples=DEFAULT_SAMPLES if samples is None else int(samples))


def _check_joiners(rules: Ruleset, bid: Bid, joiners: Iterable[int], players: int) -> tuple[int, ...]:
    given = [*joiners]
    joined = _seats("joiners", given, players)
    if joined and not (rules.joined_misere and bid.trump == "none-if-joined"):
        raise PandoerError(f"joiners {list(joined)}: {rules.name} has no joined {bid.name}")
    if len(given) != len(joined):
        raise PandoerError(f"joiners {given}: expected seats 1 to {players - 1}, counted from the declarer, each once")
    return joined


def _seats(what: str, given: Iterable[int], players: int) -> tuple[int, ...]:
    """Seats of other players, checked and in order."""
    seats = [*given] if isinstance(given, Iterable) else [given]
    for seat in seats:
        if isinstance(seat, bool) or not isinstance(seat, Integral) or not 1 <= seat < players:
            raise PandoerError(f"{what} {seats}: expected seats 1 to {players - 1}, counted from the declarer")
    return tuple(sorted({int(seat) for seat in seats}))


def _check_plans(question: Question, asked: Ask, fixed: Plan) -> None:
    plans = [plan for race in asked.races for plan in race.plans]
    hand, bid = str(question.hand), asked.goal.bid.name
    if fixed.called is not None and all(plan.called != fixed.called for plan in plans):
        allowed = {str(plan.called) for plan in plans} or {
            str(card)
            for stratum in question.strata
            for card in question.rules.callable_cards(stratum.cards, fixed.trump)
        }
        raise PandoerError(
            f"called card {str(fixed.called)!r} may not be called with {hand!r}:"
            f" expected one of {' '.join(sorted(allowed))}"
        )
    if not plans and fixed.lead is not None:
        raise PandoerError(f"lead {str(fixed.lead)!r} is no legal first lead of {bid} with {hand!r}")
    if not plans:
        raise PandoerError(f"no legal plan for {bid} with {hand!r} and the parts that are fixed")


class Work:
    """Runs jobs in threads and tells how much of the whole is done."""

    def __init__(self, threads: int | None, progress: Progress | None, node_limit: int | None) -> None:
        self.threads, self.progress, self.node_limit = threads, progress, node_limit
        self.share = 0.0

    def through(self, asks: list[Ask]) -> Iterator[None]:
        """Answer all questions step by step.

        First they are taken one by one, and the first one for a few watch cards at a time, so that there is soon
        something to tell.
        """
        one_by_one = sorted(asks, key=lambda asked: asked.goal.bid.objective.counts is not None)
        parts = [([asked], ALL_RACES) for asked in one_by_one]
        if parts and one_by_one[0].choosing:
            starts = range(0, len(one_by_one[0].races), AT_FIRST)
            parts[:1] = [(one_by_one[:1], slice(start, start + AT_FIRST)) for start in starts]
        while not all(asked.done for asked in asks):
            together, some = parts.pop(0) if parts else (asks, ALL_RACES)
            self.settle([want for asked in together for want in asked.wants(some)])
            for asked in together:
                asked.step(some)
            self._tell(sum(asked.progress() for asked in asks) / len(asks))
            yield

    def settle(self, wants: list[Want]) -> None:
        """Find out what is wanted."""
        settle(wants, self._run, self.node_limit)

    def _run(self, jobs: list[Job]) -> None:
        total, done, start = sum(len(job.hands) for job in jobs), 0, self.share

        def step(finished: int) -> None:
            nonlocal done
            done += finished
            # Nobody knows how many steps it takes: each is a tenth of what is left.
            self._tell(start + 0.1 * (1 - start) * done / total)

        run(jobs, threads=self.threads, progress=step)

    def _tell(self, share: float) -> None:
        if share > self.share:
            self.share = share
        if self.progress is not None:
            self.progress(self.share)


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
    view: View = "blind-lead" if asked.goal.blind_lead else "double-dummy"
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
    races = [race for race in asked.races if race.counted]
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
            made = race.final.made(asked.goal.target, 0, n).astype(float)
            made[race.final.unknown(asked.goal.target, 0, n)] = 0.5
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


def _distribution(asked: Ask, work: Work) -> Distribution:
    """The exact points of the deals that counted the chance."""
    races = [race for race in asked.races if race.counted and race.plans]
    work.settle([Want(race.final, None, 0, race.counted, exact=True) for race in races])
    chances: dict[int, float] = {}
    total, samples = 0.0, 0
    for race in races:
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
