"""How likely a bid is to succeed when the unseen cards are sampled: `odds`.

A plan (discard, trump, called card and, in the blind-lead view, the first lead) is chosen without seeing the hidden
cards; see `pandoer.race` for how.  Each deal is then solved exactly with all hands known, so the chance is a
*double-dummy* one: what follows the plan is played as if everybody saw every card.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from numbers import Integral, Real
from typing import Any, get_args

import numpy as np

from pandoer.answers import answer, points_wanted
from pandoer.answers import distribution as distribution_of
from pandoer.asks import Ask
from pandoer.at_the_table import Strength
from pandoer.auction import Auction, Call
from pandoer.batch import check_node_limit
from pandoer.bidding import Listening
from pandoer.cards import Card, Hand, Suit
from pandoer.contracts import Bid
from pandoer.dealing import Seed, Weight, check_weights, seed_sequence
from pandoer.errors import PandoerError
from pandoer.money import check_stake
from pandoer.plans import Plan, check_fixed, contract_of
from pandoer.players import DEPTH, WORLDS
from pandoer.problems import Play
from pandoer.question import FEW_LAYOUTS, MOST_LAYOUTS, Question, at_the_table, seats_and_cards, seats_and_suits
from pandoer.race import Book, Effort, Goal
from pandoer.results import Odds, ViewName, default_view
from pandoer.rulesets import DEFAULT, Ruleset, ruleset
from pandoer.rulesets.base import parse_trump
from pandoer.standing import standing
from pandoer.work import Progress, Work

DEFAULT_SAMPLES = 1000
TABLE_SAMPLES = 200
MOST_SAMPLES = 10_000_000
MOST_POINTS = 10_000

Known = Mapping[int, "Hand | str"]
Void = Mapping[int, "Suit | str | Iterable[Suit | str]"]


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
    view: ViewName | None = None,
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
    plans: int | None = None,
    worlds: int | None = None,
    depth: int | None = None,
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
        for contracts whose hands are opened after the first lead and double-dummy for the others.  Or ``"table"``: the
        deals that count the chance are played out by four players who know what they may know.
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
    plans
        Compare only so many plans, those that a crude count of trumps, tops and gaps likes best
        (`pandoer.choices.likeliest`): quicker by as much as there are fewer, but the best plan may not be among them,
        and then the chance is too low.
    worlds, depth
        In the view ``"table"`` how well everybody plays: how many deals he thinks of at each card (20), and how many of
        his own cards the declarer looks ahead (2; with 1 he plays as the others do).
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
    if joined and fixed.trump is not None:
        what = f"trump {fixed.trump.letter!r}"
        raise PandoerError(f"{what}: {bid.name} in {rules.name} is played with joiners without trump")
    if question.unseen is not None:
        _check_ending(question, question.unseen, bid, fixed, joined)
    if isinstance(points, bool) or not isinstance(points, Integral) or not 0 <= points <= MOST_POINTS:
        raise PandoerError(f"points {points!r}: expected a whole number, 0 to {MOST_POINTS:,}")
    if points and (not question.ending or bid.objective.counts is None):
        raise PandoerError(f"points {points!r}: expected them in an ending of a contract of points only")
    chosen: ViewName = "double-dummy" if view is None and unseen is not None else check_view(bid, view)
    if fixed.lead is not None and chosen != "blind-lead":
        raise PandoerError(f"lead {str(lead)!r}: the first lead is part of the plan only with view='blind-lead'")
    if distribution and bid.objective.counts is None:
        raise PandoerError(f"distribution of points: {bid.name} is made or not")
    effort = check_effort(samples, precision, exact, question, plans, strength_of(chosen, worlds, depth, threads))
    if effort.strength is not None and (joined or distribution or question.unseen is not None):
        what = "joiners" if joined else "a distribution of points" if distribution else "an ending"
        raise PandoerError(f"view 'table' with {what}: expected another view")
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
        work.settle(points_wanted(asks[0]))
        found = distribution_of(asks[0])
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
    contract = contract_of(question.rules, bid, fixed, joined)
    card = contract.partner_card
    if card is not None and card not in unseen:
        raise PandoerError(f"{contract.partner_sign} {str(card)!r}: expected one of the unseen cards {str(unseen)!r}")
    if question.ending:
        return
    # Before the first lead what was chosen has to be what may be chosen.
    allowed = question.rules.callable_cards(question.rules.deck - unseen, fixed.trump)
    if fixed.called is not None and fixed.called not in allowed:
        names = " ".join(map(str, allowed))
        raise PandoerError(f"called card {str(fixed.called)!r} may not be called: expected one of {names}")
    if bid.trump == "led" and fixed.trump is not None and not question.hand.of_suit(fixed.trump):
        raise PandoerError(
            f"trump {fixed.trump.letter!r}: {bid.name} is begun with a trump, and {str(question.hand)!r} holds none"
        )


def check_view(bid: Bid, view: ViewName | None) -> ViewName:
    """The view of a question about a bid."""
    if view is None:
        return default_view(bid)
    if view not in get_args(ViewName):
        raise PandoerError(f"view {view!r}: expected one of {', '.join(get_args(ViewName))}")
    return view


def check_effort(
    samples: int | None,
    precision: float | None,
    exact: bool | None,
    question: Question,
    plans: int | None = None,
    strength: Strength | None = None,
) -> Effort:
    """How exact the answer is to be."""
    if strength is not None and exact:
        raise PandoerError("view 'table' and exact: expected samples or precision, as play is a matter of chance")
    if plans is not None and (isinstance(plans, bool) or not isinstance(plans, Integral) or plans < 1):
        raise PandoerError(f"plans {plans!r}: expected a whole number, 1 or more")
    most = None if plans is None else int(plans)
    if exact is None and samples is None and precision is None and strength is None:
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
        return Effort(exact=True, plans=most)
    if precision is not None:
        return Effort(precision=float(precision), plans=most, strength=strength)
    if samples is None:
        samples = DEFAULT_SAMPLES if strength is None else TABLE_SAMPLES
    return Effort(samples=int(samples), plans=most, strength=strength)


def strength_of(view: ViewName | None, worlds: int | None, depth: int | None, threads: int | None) -> Strength | None:
    """How well everybody plays in the view of the table; ``None`` in another one."""
    if view != "table":
        for name, value in (("worlds", worlds), ("depth", depth)):
            if value is not None:
                raise PandoerError(f"{name} {value!r}: expected with view='table' only")
        return None
    return Strength(WORLDS if worlds is None else worlds, DEPTH if depth is None else depth, threads)


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
