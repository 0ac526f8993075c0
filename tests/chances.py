"""A slow, obvious reference for the chances of bids, on games of two or three cards each.

The asker is seat 0, declares and leads. Every layout of the cards he does not see, every plan of RULES.md
section 2 and every result of a deal is enumerated; results come from `tests.reference` with all hands known.
Chances are exact fractions. Of the package only rulesets as data are used. Section numbers are those of
RULES.md.

Where a tiny game goes beyond the rules: the cards that may be called are those of the ruleset's deck; all four
suits may be named trump, also one of which no card is in the deck; kereltje needs a trump jack in the deck; and
a bid without any legal plan has chance 0. The whole deck is dealt, but for the stock of Pandur for two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from itertools import combinations
from random import Random
from typing import Any, Literal

from pandoer.cards import DECK24, DECK33, Hand
from pandoer.contracts import Bid
from pandoer.objectives import POINTS
from pandoer.rulesets import Ruleset, ruleset
from tests import reference

Cards = tuple[str, ...]
Layout = tuple[Cards, ...]  # the hands of seats 1, 2, ... and then the stock
View = Literal["double-dummy", "blind-lead"]
# Trump letter or "-", discard, called card, first lead ("HK", "HK must", "HK need-not"; None: free).
Plan = tuple[str, str | None, str | None, str | None]

SUITS = "CDHS"


def cards_of(text: str | Hand | Iterable[str]) -> Cards:
    """The cards of a hand or text as two letters each, in a fixed order."""
    return tuple(sorted(reference.parse_cards(str(text) if isinstance(text, Hand) else text)))


@dataclass(frozen=True)
class Answer:
    """Chances of one question.

    Attributes
    ----------
    chance
        Of the best plan; with a closed watch card the mean of that over the cards it may be.
    plans
        The chance of every legal plan; empty with a closed watch card.
    watches
        With a closed watch card the answer for each card that it may be.
    layouts
        How many layouts of the unseen cards (watch card included, when closed) are possible.
    together, plans_together
        The same as `chance` and `plans` for the whole set of a joined misère staying dry together; with
        joiners `chance` and `plans` are those of the asker against everybody else.
    """

    chance: Fraction
    plans: dict[Plan, Fraction]
    layouts: int
    watches: dict[str, Answer] = field(default_factory=dict)
    together: Fraction | None = None
    plans_together: dict[Plan, Fraction] = field(default_factory=dict)


@dataclass(frozen=True)
class Result:
    """Best play of one deal under one plan, as `tests.reference` finds it."""

    made: bool
    points: int | None  # of a points contract; None also if it is lost by a protected card
    dry: bool  # of a misère: the asker against everybody else


@dataclass(frozen=True)
class Question:
    """What the asker, seat 0, bids and knows.

    `known` says which cards lie with a seat, `void` which suits a seat lacks; the seat one past the last is
    the stock of Pandur for two. `watch` is ``None`` when it lies closed or there is none. `lead_first` is who
    leads to trick 1: by the rules the declarer.
    """

    rules: Ruleset
    bid: Bid
    hand: Cards
    watch: str | None
    players: int
    view: View = "double-dummy"
    known: Mapping[int, Cards] = field(default_factory=dict)
    void: Mapping[int, str] = field(default_factory=dict)
    bidders: tuple[int, ...] = ()
    joiners: tuple[int, ...] = ()
    lead_first: int = 0

    def __post_init__(self) -> None:
        """The reference reads bids by name: the ruleset has to mean the same."""
        kind, target, partner = reference.bid_of(self.rules.name, self.bid.name)
        assert (kind, target, partner) == (self.bid.objective.name, self.bid.target, self.bid.partner or "alone")
        assert len(self.hand) == self.rules.hand
        assert set(self.seen) <= set(self.deck)
        assert self.rules.watch is None or len(self.deck) == self.players * self.rules.hand + 1
        assert self.watch is None or self.rules.watch is not None
        assert not self.joiners or self.bid.trump == "none-if-joined"

    @property
    def deck(self) -> Cards:
        return cards_of(self.rules.deck)

    @property
    def seen(self) -> Cards:
        """The asker's cards, with the watch card when it is known."""
        return self.hand if self.watch is None else (*self.hand, self.watch)

    @property
    def closed(self) -> bool:
        return self.watch is None and self.rules.watch is not None

    # --- what may lie where ---

    def layouts(self) -> list[Layout]:
        """Every layout of the unseen cards that agrees with what is known; all are equally likely."""
        found: list[Layout] = []

        def deal(rest: Cards, hands: Layout) -> None:
            if len(hands) == self.players - 1:
                found.append((*hands, rest))
                return
            for hand in combinations(rest, self.rules.hand):
                deal(tuple(card for card in rest if card not in hand), (*hands, hand))

        deal(tuple(card for card in self.deck if card not in self.seen), ())
        return [layout for layout in found if self.agrees(layout)]

    def agrees(self, layout: Layout) -> bool:
        for seat, cards in self.known.items():
            if not set(cards) <= set(layout[seat - 1]):
                return False
        return all(card[0] not in suits for seat, suits in self.void.items() for card in layout[seat - 1])

    def with_watch(self, card: str) -> Question:
        return replace(self, watch=card)

    def watch_cards(self) -> Cards:
        """The cards that a closed watch card may be (some may still have no layout)."""
        elsewhere = {card for cards in self.known.values() for card in cards}
        return tuple(card for card in self.deck if card not in self.hand and card not in elsewhere)

    # --- what he may do (sections 2 and 7) ---

    def plans(self) -> list[Plan]:
        """Every legal plan; the watch card must be known if there is one."""
        found: list[Plan] = []
        for discard in self.seen if self.watch is not None else (None,):
            kept = tuple(card for card in self.seen if card != discard)
            for trump in self.trumps(kept):
                if not self.raise_is_kept(kept, trump):
                    continue
                for called in self.calls(trump):
                    for lead in self.leads(kept, trump, called):
                        found.append((trump, discard, called, lead))
        return found

    def trumps(self, kept: Cards) -> Cards:
        if self.bid.trump == "none" or (self.bid.trump == "none-if-joined" and self.joiners):
            return ("-",)
        if self.bid.trump == "led":  # "a suit of which the declarer holds a card"
            return tuple(suit for suit in SUITS if any(card[0] == suit for card in kept))
        if self.bid.partner == "jack":  # "the declarer may neither hold it nor have discarded it"
            return tuple(suit for suit in SUITS if suit + "J" in self.deck and suit + "J" not in self.seen)
        return tuple(SUITS)

    def calls(self, trump: str) -> tuple[str | None, ...]:
        if self.bid.partner != "called":
            return (None,)
        for rank in "AKQ":
            cards = [suit + rank for suit in SUITS if suit + rank in self.deck and suit + rank not in self.seen]
            plain = [card for card in cards if card[0] != trump]
            if cards:
                return tuple(plain if plain and self.rules.calling == "plain-first" else cards)
        return ()

    def raise_is_kept(self, kept: Cards, trump: str) -> bool:
        """`wikipedia-en`: a raise counts the watch card, and "the cards used must be kept"."""
        if self.rules.name != "wikipedia-en" or self.bid.objective.name != "all" or self.bid.target is None:
            return True
        married = {trump + "K", trump + "Q"} <= set(kept)
        return reference.meld_points(kept, self.rules.name) + 20 * married >= self.bid.target

    def leads(self, kept: Cards, trump: str, called: str | None) -> tuple[str | None, ...]:
        """The first leads of a plan. The others' cards do not matter to what may be led."""
        if self.view == "double-dummy" or self.lead_first != 0:
            return (None,)
        return leads_of(self.rules.name, self.bid.name, kept, trump, called)

    # --- what comes of it ---

    def results(self, plan: Plan, layouts: list[Layout]) -> list[Result]:
        return [self.result(plan, layout) for layout in layouts]

    def result(self, plan: Plan, layout: Layout) -> Result:
        return solved(
            self.rules.name, self.bid.name, self.hands(plan, layout), plan[0], plan[2], plan[3],
            self.lead_first, self.bidders, self.joiners,
        )  # fmt: skip

    def hands(self, plan: Plan, layout: Layout) -> tuple[Cards, ...]:
        """All hands after the discard."""
        return (tuple(card for card in self.seen if card != plan[1]), *layout[: self.players - 1])

    def partner(self, plan: Plan, layout: Layout) -> int | None:
        """The seat of the partner that the plan makes, if there is one."""
        card = {"called": plan[2], "jack": plan[0] + "J", None: None}[self.bid.partner]
        for seat, hand in enumerate(layout[: self.players - 1], start=1):
            if card in hand:
                return seat
        return None

    def answer(self) -> Answer:
        return self.answer_closed() if self.closed else self.answer_seen()

    def answer_seen(self) -> Answer:
        layouts = self.layouts()
        alone: dict[Plan, Fraction] = {}
        together: dict[Plan, Fraction] = {}
        for plan in self.plans() if layouts else ():
            results = self.results(plan, layouts)
            made = Fraction(sum(result.made for result in results), len(layouts))
            if self.joiners:
                together[plan] = made
                made = Fraction(sum(result.dry for result in results), len(layouts))
            alone[plan] = made
        best = max(together.values(), default=Fraction(0)) if self.joiners else None
        return Answer(max(alone.values(), default=Fraction(0)), alone, len(layouts), {}, best, together)

    def answer_closed(self) -> Answer:
        """Trump, call and discard are chosen after the watch card is seen: the mean of the best chances."""
        answers = {card: self.with_watch(card).answer_seen() for card in self.watch_cards()}
        answers = {card: answer for card, answer in answers.items() if answer.layouts}
        number = sum(answer.layouts for answer in answers.values())

        def mean(chance: Callable[[Answer], Fraction]) -> Fraction:
            return sum((answer.layouts * chance(answer) for answer in answers.values()), Fraction(0)) / number

        together = mean(lambda answer: answer.together or Fraction(0)) if self.joiners else None
        return Answer(mean(lambda answer: answer.chance), {}, number, answers, together)

    def points(self, plan: Plan) -> dict[int | None, Fraction]:
        """How likely each number of points is that the side can force, melds and marriage included.

        ``None`` stands for a contract that a protected card lost.
        """
        assert self.bid.objective.name == "points"
        assert not self.closed
        layouts = self.layouts()
        found: dict[int | None, Fraction] = {}
        for result in self.results(plan, layouts):
            found[result.points] = found.get(result.points, Fraction(0)) + Fraction(1, len(layouts))
        return found

    def payoffs(self, plan: Plan) -> dict[int, Fraction | None]:
        """The mean that each seat wins (section 7), in the ruleset's unit.

        In Pandur for three there is one seat more: the dealer who sat out. ``None``: not determined, because
        whoever becomes partner during the play of a zwabber is not known from who can make what.
        """
        assert not self.joiners
        assert not self.closed
        layouts = self.layouts()
        deals = [self.payoff(plan, layout, self.result(plan, layout)) for layout in layouts]
        found: dict[int, Fraction | None] = {}
        for seat in deals[0]:
            sums = [deal[seat] for deal in deals]
            known = [value for value in sums if value is not None]
            found[seat] = Fraction(sum(known), len(layouts)) if len(known) == len(sums) else None
        return found

    def payoff(self, plan: Plan, layout: Layout, result: Result) -> dict[int, int | None]:
        """What each seat wins in one deal."""
        value = self.bid.value if result.made else -self.bid.value
        seats = range(self.players)
        if self.rules.name == "pandur":  # "made: the declarer writes the value; missed: each opponent ..."
            sits_out = 1 if self.players == 3 else 0
            if result.made:
                return {seat: value if seat == 0 else 0 for seat in range(self.players + sits_out)}
            return {seat: 0 if seat == 0 else -value for seat in range(self.players + sits_out)}

        kind = self.bid.objective.name
        if kind in ("zwabber-nl", "zwabber-en"):
            bonus = kind == "zwabber-en" and self.wins_all(plan, layout, {0})
            return {seat: value + bonus if seat == 0 else None for seat in seats}

        partner = self.partner(plan, layout)
        side = {0} if partner is None else {0, partner}
        if self.rules.name == "wikipedia-nl":
            if partner is None:  # "each of the three others pays or is paid the value"
                return {seat: value * (self.players - 1) if seat == 0 else -value for seat in seats}
            return {seat: value if seat in side else -value for seat in seats}
        if self.rules.name == "wikipedia-en" and kind == "points":  # "+1 cent each for winning all eight tricks"
            value += self.wins_all(plan, layout, side)
        return {seat: value if seat in side else 0 for seat in seats}

    def wins_all(self, plan: Plan, layout: Layout, side: Iterable[int]) -> bool:
        """A side that can win all tricks does so."""
        assert self.rules.name == "wikipedia-en"
        hands = self.hands(plan, layout)
        return can_win_all(self.rules.name, hands, plan[0], plan[3], self.lead_first, tuple(sorted(side)))


# --- Single deals, by tests/reference.py --------------------------------------------------------------------


def problem_of(rules: str, hands: tuple[Cards, ...], trump: str, lead: str | None, leader: int) -> dict[str, Any]:
    texts = [" ".join(hand) for hand in hands]
    return {"rules": rules, "declarer": 0, "leader": leader, "trump": trump, "hands": texts, "lead": lead,
            "trick_number": 0}  # fmt: skip


@lru_cache(maxsize=1 << 18)
def solved(
    rules: str,
    bid: str,
    hands: tuple[Cards, ...],
    trump: str,
    called: str | None,
    lead: str | None,
    leader: int,
    bidders: tuple[int, ...],
    joiners: tuple[int, ...],
) -> Result:
    """The result of a deal whose hands are those after the discard, so melds are counted."""
    problem = problem_of(rules, hands, trump, lead, leader)
    problem |= {"contract": bid, "called": called, "bidders": bidders, "joiners": joiners, "melds": True}
    answer = reference.solve(problem)
    made = bool(answer["made"])
    return Result(made, answer["points"], answer["dry"]["0"] if joiners else made)


@lru_cache(maxsize=1 << 18)
def can_win_all(
    rules: str, hands: tuple[Cards, ...], trump: str, lead: str | None, leader: int, side: tuple[int, ...]
) -> bool:
    problem = problem_of(rules, hands, trump, lead, leader)
    return bool(reference.solve(problem | {"objective": {"kind": "all", "side": side}})["made"])


@lru_cache(maxsize=1 << 18)
def leads_of(rules: str, bid: str, kept: Cards, trump: str, called: str | None) -> Cards:
    """What a declarer with these cards may lead to trick 1; the called card is with a player he does not see."""
    problem = problem_of(rules, (kept, (called,) if called else ()), trump, None, 0)
    return tuple(reference.legal_moves(problem | {"contract": bid, "called": called}))


# --- Questions ----------------------------------------------------------------------------------------------


def question(
    rules: Ruleset,
    bid: str | Bid,
    hand: str | Hand | Iterable[str],
    watch: str | None,
    *,
    players: int,
    view: View = "double-dummy",
    known: Mapping[int, str | Hand | Iterable[str]] | None = None,
    void: Mapping[int, str] | None = None,
    bidders: Iterable[int] = (),
    joiners: Iterable[int] = (),
    lead_first: int = 0,
) -> Question:
    """A question from texts; ``known={1: "SJ H7"}``, ``void={2: "CD"}``."""
    return Question(
        rules, rules.bid(bid), cards_of(hand), cards_of(watch)[0] if watch else None, players, view,
        {seat: cards_of(cards) for seat, cards in (known or {}).items()}, dict(void or {}),
        tuple(bidders), tuple(joiners), lead_first,
    )  # fmt: skip


def chance(
    rules: Ruleset,
    bid: str | Bid,
    hand: str | Hand | Iterable[str],
    watch: str | None,
    *,
    players: int,
    view: View = "double-dummy",
    known: Mapping[int, str | Hand | Iterable[str]] | None = None,
    void: Mapping[int, str] | None = None,
    bidders: Iterable[int] = (),
    joiners: Iterable[int] = (),
    lead_first: int = 0,
) -> Answer:
    """The exact chance of a bid and of its plans; see `Question` and `Answer`."""
    return question(
        rules, bid, hand, watch, players=players, view=view, known=known, void=void, bidders=bidders,
        joiners=joiners, lead_first=lead_first,
    ).answer()  # fmt: skip


# --- Tiny games ---------------------------------------------------------------------------------------------


def tiny(rules: str, deck: str | Hand | Iterable[str], hand: int) -> Ruleset:
    """A ruleset with a small deck and small points bids, 10 to 120, in place of its own; else unchanged."""
    whole = ruleset(rules)
    pattern = next(bid for bid in whole.bids if bid.objective is POINTS)
    points = tuple(replace(pattern, name=str(n), target=n, value=1 + n // 40) for n in range(10, 121, 10))
    others = tuple(bid for bid in whole.bids if bid.objective is not POINTS)
    cards = cards_of(deck)
    return replace(whole, deck=Hand(" ".join(cards)), hand=hand, bids=(*points, *others))


# One game of each ruleset, its deck chosen so that every objective is in doubt for some hand.
TINY = {
    "pagat": tiny("pagat", "SJ S9 SK SQ HA HK H7 DA D8", 2),
    "cappelle": tiny("cappelle", "SJ SA SK SQ HA HQ H9 H7 DK", 2),
    "wikipedia-nl": tiny("wikipedia-nl", "SJ S9 S7 HA HK H8 DA D9 D7", 2),
    "wikipedia-en": tiny("wikipedia-en", "SJ SK SQ S8 HA HK H6 CA C7", 2),
    "butselaar": tiny("butselaar", "SJ ST S8 HA HK HQ DA DJ D7", 2),
    "pandur": tiny("pandur", "SJ S9 SA SK HJ HQ H9 DA D9", 3),
}

# One bid for every objective of each ruleset.
BIDS: dict[str, Cards] = {
    "pagat": ("20", "40", "60", "piccolo", "misere", "kereltje", "zwabber", "solo-zwabber", "pandoer",
              "pandoer+20", "prive"),
    "cappelle": ("20", "40", "60", "piccolo", "misere", "kereltje", "zwabber", "solo-zwabber", "pandoer",
                 "pandoer+20", "prive"),
    "wikipedia-nl": ("20", "40", "60", "piccolo", "misere", "zwabber", "solo-zwabber", "kereltje", "pandoer",
                     "prive"),
    "wikipedia-en": ("20", "40", "60", "piccolo", "kereltje", "kereltje+20", "zwabber", "misere",
                     "solo-zwabber", "pandoer", "pandoer+20", "prive", "prive+20"),
    "butselaar": ("20", "40", "60", "piccolo", "misere", "kereltje", "zwabber", "solo-zwabber", "pandoer",
                  "prive"),
    "pandur": ("20", "40", "60", "misere-ohne", "misere-mit", "pandur-ohne", "pandur-mit"),
}  # fmt: skip

# Roughly what the reference takes for a deal, in milliseconds, by players and cards each: points, and others.
COST = {
    (4, 2): (0.7, 0.4), (4, 3): (15.0, 3.5), (3, 2): (0.5, 0.2), (3, 3): (2.5, 0.4), (2, 2): (0.2, 0.2),
    (2, 3): (0.3, 0.2),
}  # fmt: skip


def work(asked: Question) -> float:
    """Roughly how many milliseconds the brute force takes."""
    questions = [asked.with_watch(card) for card in asked.watch_cards()] if asked.closed else [asked]
    solves = sum(len(one.layouts()) * len(one.plans()) for one in questions)
    of_points, of_others = COST[asked.players, asked.rules.hand]
    cost = of_points if asked.bid.objective is POINTS else of_others
    return solves * cost * (2 + len(asked.joiners) if asked.joiners else 1)


def random_deck(rng: Random, whole: Hand, size: int) -> Cards:
    """Some suits with their aces, and other cards of them; often high ones."""
    cards = cards_of(whole)
    suits = rng.sample(SUITS, rng.choice([2, 3, 3, 4, 4]))
    aces = [suit + "A" for suit in suits]
    others = [card for card in cards if card[0] in suits and card not in aces]
    rng.shuffle(others)
    if rng.random() < 0.5:
        others.sort(key=lambda card: card[1] in "JKQ9", reverse=True)
        others = others[: size + 2]
        rng.shuffle(others)
    return tuple((aces + others)[:size])


def random_question(rng: Random, *, milliseconds: float = 700) -> Question:
    """A random question whose brute force takes about that long at most.

    What is known of the others' cards is true of one random layout, so there always is one; more is told
    until the question is small enough, and another one is drawn if that is not to be.
    """
    while True:
        asked = draw(rng)
        if asked is not None and (asked := told_enough(rng, asked, milliseconds)) is not None:
            return asked


def draw(rng: Random) -> Question | None:
    name = rng.choice(list(BIDS))
    number = rng.choice([2, 2, 3]) if name != "pandur" else rng.choice([2, 3, 3])
    players = 4 if name != "pandur" else rng.choice([2, 3])
    size = number * 4 + 1 if name != "pandur" else number * 3
    fits = TINY[name].hand == number and rng.random() < 0.3
    rules = TINY[name] if fits else tiny(name, random_deck(rng, DECK24 if name == "pandur" else DECK33, size), number)
    if len(rules.deck) != size:
        return None  # too few cards in the suits drawn

    of_kind: dict[str, list[str]] = {}
    for bid in BIDS[name]:
        of_kind.setdefault(reference.bid_of(name, bid).kind, []).append(bid)
    bid = rng.choice(of_kind[rng.choice([*of_kind, "all"])])
    if bid == "zwabber" and name == "wikipedia-nl" and rng.random() < 0.8:
        return None  # never made
    if bid.isdigit():
        bid = str(rng.randrange(20, min(40 * number + 21, 121), 10))
    cards = list(cards_of(rules.deck))
    rng.shuffle(cards)
    if rng.random() < 0.5:  # a hand that suits the bid: otherwise most chances are 0
        low = "mis" in bid or "piccolo" in bid
        cards.sort(key=lambda card: "JAKQ9T876".index(card[1]) + rng.uniform(0, 5), reverse=low)
        if (name, bid) == ("butselaar", "piccolo"):  # it is won with a jack
            jack = next((card for card in cards if card[1] == "J"), "")
            cards.sort(key=lambda card: card != jack)
        cards[number:] = rng.sample(cards[number:], len(cards) - number)
    hand, watch = cards[:number], None
    if rules.watch is not None:
        watch = None if rng.random() < 0.4 else cards[-1]
    others = range(1, players)
    joiners = [seat for seat in others if rng.random() < 0.5] if (name, bid) == ("wikipedia-nl", "misere") else []
    asked = question(
        rules, bid, hand, watch, players=players, joiners=joiners,
        view=rng.choice(["double-dummy", "blind-lead"]),
        bidders=[seat for seat in range(players) if rng.random() < 0.5],
    )  # fmt: skip

    truth = {seat: cards[number * seat : number * (seat + 1)] for seat in others}
    void = {}
    for seat in others:
        lacked = [suit for suit in SUITS if not any(card[0] == suit for card in truth[seat])]
        if rng.random() < 0.15 and lacked:
            void[seat] = rng.choice(lacked)
    known = {seat: cards_of(rng.sample(truth[seat], 1)) for seat in others if rng.random() < 0.2}
    if players == 2 and rng.random() < 0.5:  # the bottom card of the stock
        known[players] = cards_of(cards[-1:])
    return replace(asked, known=known, void=void)


def told_enough(rng: Random, asked: Question, milliseconds: float) -> Question | None:
    """The question with more and more known, of one layout that agrees with it, until it is small enough."""
    start = asked if not asked.closed else asked.with_watch(rng.choice(asked.watch_cards()))
    layouts = start.layouts()
    if not layouts:
        return None
    layout = rng.choice(layouts)
    while work(asked) > milliseconds:
        hidden = [
            (seat, card)
            for seat in range(1, asked.players)
            for card in layout[seat - 1]
            if card not in asked.known.get(seat, ())
        ]
        if not hidden:
            return None
        seat, card = rng.choice(hidden)
        asked = replace(asked, known={**asked.known, seat: cards_of((*asked.known.get(seat, ()), card))})
    return asked
