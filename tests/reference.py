"""A slow, obvious reference for the rules of pandoer, against which the fast kernel is checked.

It shares nothing with the package: standard library only, cards as two letters (``"SJ"``), hands as tuples of
cards, and a plain search that remembers positions between tricks and stops at the first winning (or losing)
move of a yes/no contract. Section numbers in the comments are those of RULES.md; a problem is the JSON object
that ``pandoer solve --jsonl`` reads, taken to be valid.

Public: `solve`, `legal_moves`, `perft`. Beyond those keys a problem may carry, for games such as Belote,
``"cards": {"trump_order", "plain_order", "points": {"trump", "plain"}, "last_trick"}`` and in ``"play"`` the
switches ``must_ruff`` and ``partner_exempt``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from itertools import combinations
from typing import Any, NamedTuple

Problem = dict[str, Any]
Cards = tuple[str, ...]
LOST = -math.inf  # value of a points or tricks contract that was lost at once by a protected card
ONE_TRICK_KINDS = ("exactly-one", "jack-only")
PARTNER_LATER_KINDS = ("zwabber-nl", "zwabber-en")
COUNTED_KINDS = ("points", "tricks")

# --- Section 1: cards ---------------------------------------------------------------------------------------

PLAIN_ORDER = "AKQJT9876"
TRUMP_ORDER = "J9AKQT876"
PANDOER_POINTS = {
    "trump": {"J": 20, "9": 14, "A": 11, "T": 10, "K": 3, "Q": 2},
    "plain": {"A": 11, "T": 10, "K": 3, "Q": 2, "J": 1},
}
PANDUR_POINTS = {
    "trump": {"J": 20, "9": 14, "A": 11, "T": 10, "K": 4, "Q": 3},
    "plain": {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2},
}
LAST_TRICK = 5


def parse_cards(text: str | Iterable[str]) -> Cards:
    """The cards of a text: ``"SJ S9 h10"``, ``"♠J9 ♥T"`` or ``"S:J9 H:T"``; or of a list of such texts."""
    joined = text if isinstance(text, str) else " ".join(text)
    plain = joined.upper().translate(str.maketrans("♣♦♥♠", "CDHS", ": ,")).replace("10", "T")
    return tuple(suit + rank for suit, ranks in re.findall("([CDHS])([6-9TJQKA]*)", plain) for rank in ranks)


# --- Section 3: the play rules of the rulesets --------------------------------------------------------------


class PlayRules(NamedTuple):
    """The switches of section 3 and 5, and the two of Belote."""

    ruff_when_able: bool = True
    undertrump: str = "no-higher"
    beat_led_trump: bool = False
    jack_exempt: bool = True
    trump_leads: int = 0
    called_card: str = "identify"
    must_ruff: bool = False
    partner_exempt: bool = False


PLAY_RULES = {
    "wikipedia-nl": PlayRules(undertrump="no-higher"),
    "pagat": PlayRules(undertrump="forced"),
    "cappelle": PlayRules(ruff_when_able=False, undertrump="forced"),
    "wikipedia-en": PlayRules(undertrump="forced", beat_led_trump=True),
    "butselaar": PlayRules(undertrump="free"),
    "pandur": PlayRules(undertrump="forced"),
}

# --- Section 7: the bids ------------------------------------------------------------------------------------

PICCOLO = {
    "pagat": "first-only",
    "cappelle": "first-only",
    "wikipedia-nl": "exactly-one",
    "wikipedia-en": "exactly-one",
    "butselaar": "jack-only",
}
ZWABBER = {
    "pagat": "zwabber-called",
    "cappelle": "zwabber-called",
    "wikipedia-nl": "zwabber-nl",
    "wikipedia-en": "zwabber-en",
    "butselaar": "zwabber-called",
}


class Bid(NamedTuple):
    """What a bid asks: objective, target (points, or n of `all + n`), and where the partner comes from."""

    kind: str
    target: int | None = None
    partner: str = "alone"  # or "called" or "jack" (kereltje)


def bid_of(rules: str, name: str) -> Bid:
    """The bid of that name in section 7."""
    if name.isdigit():
        return Bid("points", int(name), "alone" if rules == "pandur" else "called")
    base, _, added = name.replace(" ", "+").partition("+")
    # "pandoer+20" is `all + 20`; in wikipedia-nl what is added is a stake of the pot: no matter here.
    target = int(added) if added and rules != "wikipedia-nl" else None
    if base == "pandoer":
        return Bid("all", target, "called")
    if base == "kereltje":
        return Bid("all", target, "jack")
    if base in ("prive", "solo-zwabber", "pandur-ohne", "pandur-mit"):
        return Bid("all", target)
    if base == "zwabber":
        return Bid(ZWABBER[rules], None, "called" if ZWABBER[rules] == "zwabber-called" else "alone")
    if "piccolo" in base:  # piccolo, piccolo-ouvert, (stil-)piccolo-praatje
        return Bid(PICCOLO[rules])
    return Bid("none")  # misere, misere-ouvert, (stil-)praatje, misere-ohne, misere-mit


# --- Positions ----------------------------------------------------------------------------------------------


class History(NamedTuple):
    """As much of the tricks played as the objective asks for (no more, so that positions recur)."""

    lost: bool = False
    own: int = 0  # tricks of the declarer, for exactly-one and jack-only
    partner: int | None = None  # of a zwabber whose partner comes into being during play


class Position(NamedTuple):
    hands: tuple[Cards, ...]
    leader: int
    trick: Cards
    call: str  # "must" or "need-not" during a trick begun with a protected lead, else ""
    number: int  # tricks completed before this one
    history: History


class Move(NamedTuple):
    card: str
    call: str = ""

    def __str__(self) -> str:
        return f"{self.card} {self.call}".strip()


class Game:
    """One problem: the fixed facts of the deal and contract, the rules, and the search."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.rules: str = problem.get("rules", "wikipedia-nl")
        self.contract: str = str(problem.get("contract", ""))
        self.declarer = int(problem.get("declarer", 0))
        self.trump: str = (problem.get("trump") or "-").upper().translate(str.maketrans("♣♦♥♠", "CDHS"))
        self.jack = self.trump + "J"
        self.called = "".join(parse_cards(problem.get("called") or ""))
        self.read_cards()

        hands = tuple(parse_cards(hand) for hand in problem["hands"])
        self.players = len(hands)
        leader = int(problem.get("leader", self.declarer))
        trick = parse_cards(problem.get("trick") or "")
        self.given = [list(hand) for hand in hands]  # the hands with the cards of the current trick put back
        for i, card in enumerate(trick):
            self.given[(leader + i) % self.players].append(card)
        held = len(self.given[leader])
        number = int(problem.get("trick_number", 8 - held))

        self.read_contract()
        counts = problem.get("melds", "contract" in problem and held == 8)
        self.melds = melds_and_marriage(self) if counts else 0
        call = (problem.get("call") or "") if trick else ""
        self.start = Position(hands, leader, trick, call, number, self.starting_history(call, trick))
        self.known: dict[Position, float] = {}

    # --- reading the problem ---

    def read_cards(self) -> None:
        cards = self.problem.get("cards", {})
        points = cards.get("points", PANDUR_POINTS if self.rules == "pandur" else PANDOER_POINTS)
        self.last_trick: int = cards.get("last_trick", LAST_TRICK)
        self.rank: dict[str, int] = {}  # within its suit; higher beats lower
        self.points: dict[str, int] = {}
        for suit in "CDHS":
            as_what = "trump" if suit == self.trump else "plain"
            order: str = cards.get(f"{as_what}_order", TRUMP_ORDER if suit == self.trump else PLAIN_ORDER)
            for place, rank in enumerate(order):
                self.rank[suit + rank] = len(order) - place
                self.points[suit + rank] = points[as_what].get(rank, 0)

    def read_contract(self) -> None:
        """Objective, side and play rules. Section 4: the side are those who try to make the contract."""
        play = PLAY_RULES[self.rules]
        self.partner: int | None = None  # holder of the called card or, in kereltje, of the trump jack
        objective: dict[str, Any] | None = self.problem.get("objective")
        if objective is not None:
            self.kind: str = objective["kind"]
            self.target: int | None = objective.get("target")
            self.partner = self.holder(self.called)
            both = {self.declarer} | ({self.partner} if self.partner is not None else set())
            self.side = frozenset(objective.get("side") or both)
        else:
            bid = bid_of(self.rules, self.contract)
            self.kind, self.target = bid.kind, bid.target
            if bid.partner != "alone":
                self.partner = self.holder(self.called if bid.partner == "called" else self.jack)
            self.side = frozenset({self.declarer} | ({self.partner} if self.partner is not None else set()))
            if self.contract == "misere-mit":
                play = play._replace(undertrump="void")
            if self.rules == "wikipedia-nl" and bid.partner == "called":  # section 5
                play = play._replace(called_card="protect", trump_leads=2 if bid.kind == "all" else 0)
        if self.kind in PARTNER_LATER_KINDS:
            self.side = frozenset({self.declarer})
        if self.problem.get("joiners"):
            self.side = frozenset({self.declarer, *self.problem["joiners"]})
        self.dry = self.side if self.problem.get("joiners") else frozenset({self.declarer})
        self.play = play._replace(**self.problem.get("play") or {})

    def holder(self, card: str) -> int | None:
        """Who holds the card or laid it in this trick; if it was played before, `state` says who."""
        for seat, hand in enumerate(self.given):
            if card in hand:
                return seat
        partner: int | None = (self.problem.get("state") or {}).get("partner")
        return partner

    def starting_history(self, call: str, trick: Cards) -> History:
        """What `state` tells. Without it the contract is alive: that is what a fresh history says."""
        state = self.problem.get("state") or {}
        by_jack = bool(state.get("jack"))
        history = History()
        for number, winner in enumerate(state.get("winners") or ()):
            history = self.after_trick(history, number, winner, by_jack)
        if self.kind == "jack-only" and by_jack:
            history = history._replace(own=max(history.own, 1))
        if self.kind in PARTNER_LATER_KINDS and not state.get("winners"):
            history = history._replace(partner=state.get("partner"))
        if call == "need-not" and self.called in trick:
            history = history._replace(lost=True)
        return history

    # --- section 3: playing to a trick, section 5: protected calls ---

    def to_move(self, at: Position) -> int:
        return (at.leader + len(at.trick)) % self.players

    def side_at(self, at: Position) -> frozenset[int]:
        return self.side if at.history.partner is None else self.side | {at.history.partner}

    def moves(self, at: Position) -> list[Move]:
        """The legal moves of the player to move."""
        hand = at.hands[self.to_move(at)]
        if not hand:
            return []
        if not at.trick:
            return self.leads(at, hand)
        if at.call == "must":
            return [Move(card) for card in self.must_cards(at, hand)]
        legal = set(self.plays(at, hand))
        if self.play.jack_exempt and self.jack in hand and len(hand) > 1:
            # rule 4: those of rules 1-3 for the hand, together with those for the hand without J
            legal |= set(self.plays(at, tuple(card for card in hand if card != self.jack)))
        if at.call == "need-not" and [card for card in hand if card[0] == self.called[0]] != [self.called]:
            # "the partner may not play the called card while he has another card of the suit"
            legal.discard(self.called)
        return [Move(card) for card in hand if card in legal]

    def leads(self, at: Position, hand: Cards) -> list[Move]:
        protected = (
            self.play.called_card == "protect"
            and at.leader == self.declarer
            and self.called[:1] != self.trump  # a trump call is never protected
            and self.partner not in (None, self.declarer)
            and any(self.called in other for other in at.hands)
        )
        moves: list[Move] = []
        for card in hand:  # "each lead by the declarer of the called suit is one of two moves"
            split = protected and card[0] == self.called[0]
            moves += [Move(card, "must"), Move(card, "need-not")] if split else [Move(card)]

        trumps = [move for move in moves if move.card[0] == self.trump]
        if self.contract in ("misere-mit", "pandur-mit") and at.number == 0:
            return trumps or moves  # section 2: the lead to trick 1 must be trump
        if at.number < self.play.trump_leads and at.leader in self.side_at(at) and trumps:
            # "to trick 1 the declarer may instead lead the called suit with must"
            return [move for move in moves if move in trumps or (at.number == 0 and move.call == "must")]
        return moves

    def must_cards(self, at: Position, hand: Cards) -> Cards:
        """A protected lead with "must": the called card is played, and the trick may not be trumped."""
        if self.called in hand:
            return (self.called,)
        follow = tuple(card for card in hand if card[0] == at.trick[0][0])
        plain = tuple(card for card in hand if card[0] != self.trump)
        return follow or plain or hand  # "a trump laid because nothing else is left (any of them)"

    def plays(self, at: Position, hand: Cards) -> Cards:
        """Rules 1-3 of section 3 for a player, not the leader, who holds `hand`."""
        play, led = self.play, at.trick[0][0]
        follow = tuple(card for card in hand if card[0] == led)
        if self.trump == "-":  # rule 1
            return follow or hand
        trumps = tuple(card for card in hand if card[0] == self.trump)
        plain = tuple(card for card in hand if card[0] != self.trump)
        best = max((self.rank[card] for card in at.trick if card[0] == self.trump), default=0)
        higher = tuple(card for card in trumps if self.rank[card] > best)  # all of them if no trump lies

        if led == self.trump:  # rule 2
            return (higher if play.beat_led_trump and higher else trumps) if trumps else hand

        if play.must_ruff and not follow:  # Belote
            if play.partner_exempt:
                side = self.side_at(at)
                if (self.winner(at) in side) == (self.to_move(at) in side):
                    return hand
            if higher:
                return higher

        # Rule 3: cards of the suit led, or if there are none every plain card, and trumps
        if follow and not play.ruff_when_able:
            return follow
        undertrump = {
            "free": True,
            "no-higher": not higher,
            "forced": not plain and not higher,  # no plain card: so he is unable to follow, too
            "void": not follow,
        }[play.undertrump]
        return (follow or plain) + (trumps if undertrump else higher)

    def winner(self, at: Position) -> int:
        """Who wins the trick as it lies: the highest trump, else the highest card of the suit led."""

        def strength(card: str) -> int:
            if card[0] == self.trump:
                return -1 if at.call == "must" else 100 + self.rank[card]  # section 5: "cannot win"
            return self.rank[card] if card[0] == at.trick[0][0] else -1

        strengths = [strength(card) for card in at.trick]
        return (at.leader + strengths.index(max(strengths))) % self.players

    # --- section 4: objectives ---

    def after_trick(self, history: History, number: int, winner: int, by_jack: bool) -> History:
        """The history after `winner` won trick `number` (from 0), `by_jack`: with the trump jack."""
        lost, own, partner = history
        mine = winner == self.declarer
        if self.kind == "all":
            lost |= winner not in self.side
        elif self.kind == "none":
            lost |= winner in self.dry
        elif self.kind in ONE_TRICK_KINDS:
            own += mine
            lost |= own > 1 or (mine and self.kind == "jack-only" and not by_jack)
        elif self.kind == "first-only":
            lost |= mine != (number == 0)
        elif self.kind == "zwabber-called":
            lost |= not mine if number < 4 else winner not in self.side
        elif self.kind in PARTNER_LATER_KINDS and not mine:
            partner = winner if partner is None else partner  # "becomes it, there and then"
            lost |= winner != partner or (self.kind == "zwabber-nl" and number < 4)
        return History(lost, own, partner)

    def made_at_end(self, history: History) -> bool:
        if history.lost:
            return False
        if self.kind in ONE_TRICK_KINDS:
            return history.own == 1
        if self.kind == "zwabber-nl":
            return history.partner is not None  # "a declarer who wins all eight has not made it"
        if self.kind == "all" and self.target is not None:
            return self.melds >= self.target
        return True

    # --- playing and searching ---

    def after(self, at: Position, move: Move) -> tuple[Position, int]:
        """The position after a move, and what the side counts by it (card points or tricks)."""
        seat = self.to_move(at)
        rest = tuple(card for card in at.hands[seat] if card != move.card)
        hands = (*at.hands[:seat], rest, *at.hands[seat + 1 :])
        call = at.call if at.trick else move.call
        history = at.history
        if call == "need-not" and move.card == self.called:
            history = history._replace(lost=True)  # section 5: "the contract is lost at once"
        laid = Position(hands, at.leader, (*at.trick, move.card), call, at.number, history)
        if len(laid.trick) < self.players:
            return laid, 0

        winner = self.winner(laid)
        by_jack = laid.trick[(winner - at.leader) % self.players] == self.jack
        history = self.after_trick(history, at.number, winner, by_jack)
        gain = 0
        if winner in self.side and self.kind in COUNTED_KINDS:
            gain = 1 if self.kind == "tricks" else sum(self.points[card] for card in laid.trick)
            if self.kind == "points" and not any(hands):
                gain += self.last_trick
        return Position(hands, winner, (), "", at.number + 1, history), gain

    def value(self, at: Position) -> float:
        """Best play from here: 1 or 0 (made or not), or what the side still gets of points or tricks."""
        if at.history.lost:
            return LOST if self.kind in COUNTED_KINDS else 0
        moves = self.moves(at)
        if not moves:
            return 0 if self.kind in COUNTED_KINDS else int(self.made_at_end(at.history))
        if at.trick:  # a trick can only be reached from its own beginning: remember beginnings only
            return self.best_value(at, moves)
        if at not in self.known:
            self.known[at] = self.best_value(at, moves)
        return self.known[at]

    def best_value(self, at: Position, moves: list[Move]) -> float:
        values = (self.value_of(at, move) for move in moves)
        trying = self.to_move(at) in self.side_at(at)
        if self.kind in COUNTED_KINDS:
            return max(values) if trying else min(values)
        return int(any(values) if trying else all(values))

    def value_of(self, at: Position, move: Move) -> float:
        after, gain = self.after(at, move)
        return gain + self.value(after)

    def first_moves(self) -> list[Move]:
        """The legal moves at the start, after the `lead` of the problem ("HK" leaves both calls open)."""
        moves = self.moves(self.start)
        lead = str(self.problem.get("lead") or "").split()
        if lead and not self.start.trick:
            card = parse_cards(lead[0])[0]
            moves = [move for move in moves if move.card == card and lead[1:] in ([], [move.call])]
        return moves

    def answer(self) -> dict[str, Any]:
        moves = self.first_moves()
        if moves and not self.start.history.lost:
            values = [self.value_of(self.start, move) for move in moves]
            trying = self.to_move(self.start) in self.side_at(self.start)
            result = max(values) if trying else min(values)
        else:
            result = self.value(self.start)
            values = [result] * len(moves)
        best = [str(move) for move, value in zip(moves, values, strict=True) if value == result]
        found: dict[str, Any] = {"made": bool(result), "points": None, "tricks": None, "best": best}
        if self.kind in COUNTED_KINDS:
            state = self.problem.get("state") or {}
            so_far = int(state.get("points") or 0) + self.melds
            if self.kind == "tricks":
                so_far = sum(winner in self.side for winner in state.get("winners") or ())
            found[self.kind] = None if result == LOST else so_far + int(result)
            found["made"] = None if self.target is None else so_far + result >= self.target
            if result == LOST:
                found["made"] = False
        return found


# --- Section 6: melds and marriage --------------------------------------------------------------------------


class Meld(NamedTuple):
    cards: Cards  # a run: from the top down; a four: of one rank
    four: bool
    points: int


LONG_RUNS = {"wikipedia-nl": {6: 150, 7: 200, 8: 250}, "pandur": {6: 150}}
FOURS = {"J": 200, "A": 100, "K": 100, "Q": 100}
KINDS = ("run 3", "run 4", "run 5", "four Q", "four K", "four A", "run 6", "run 7", "run 8", "four J")


def runs_in(hand: Iterable[str], rules: str) -> list[Meld]:
    """Each maximal run of three or more, in plain order also in trump."""
    worth = {3: 20, 4: 50, 5: 100} | LONG_RUNS.get(rules, {6: 120, 7: 140, 8: 160})
    cards, found = set(hand), []
    for suit in "CDHS":
        pattern = "".join(rank if suit + rank in cards else " " for rank in PLAIN_ORDER)
        for ranks in pattern.split():
            if len(ranks) >= 3:
                found.append(Meld(tuple(suit + rank for rank in ranks), False, worth[len(ranks)]))
    return found


def fours_in(hand: Iterable[str], rules: str) -> list[Meld]:
    worth = FOURS | ({"9": 150, "T": 100} if rules == "pandur" else {})
    cards = set(hand)
    return [
        Meld(four, True, points)
        for rank, points in worth.items()
        if cards.issuperset(four := tuple(suit + rank for suit in "CDHS"))
    ]


def meld_points(hand: Iterable[str], rules: str) -> int:
    cards, fours = set(hand), fours_in(hand, rules)
    if rules != "pandur":  # a card may count in a run and in a four
        return sum(meld.points for meld in fours + runs_in(cards, rules))
    totals = []
    for size in range(len(fours) + 1):
        for chosen in combinations(fours, size):  # "a run may be shortened to free a card for a four"
            rest = cards.difference(*(four.cards for four in chosen))
            totals.append(sum(meld.points for meld in (*chosen, *runs_in(rest, rules))))
    return max(totals)


def meld_rank(meld: Meld, rules: str) -> tuple[int, ...]:
    """The place of a single meld in the ruleset's order; higher is better, equal is a tie."""
    top = -PLAIN_ORDER.index(meld.cards[0][1])
    if rules == "pandur":  # more points; then the four; then the longer run; then the top card; else a tie
        return (meld.points, meld.four, len(meld.cards), top)
    kind = f"four {meld.cards[0][1]}" if meld.four else f"run {len(meld.cards)}"
    suit = 0 if rules.startswith("wikipedia") else "CDHS".index(meld.cards[0][0])
    return (KINDS.index(kind), top, suit)


def melds_and_marriage(game: Game) -> int:
    """What the side counts on the hands given, after denial."""
    rules, hands = game.rules, game.given
    opponents = set(range(game.players)) - game.side
    entitled: set[int] = set()
    if rules in ("pagat", "butselaar"):
        entitled = opponents & set(game.problem.get("bidders") or ())
    elif rules in ("cappelle", "pandur"):
        entitled = opponents

    def best(seats: Iterable[int]) -> tuple[int, ...]:
        melds = (runs_in(hands[seat], rules) + fours_in(hands[seat], rules) for seat in seats)
        return max((meld_rank(meld, rules) for some in melds for meld in some), default=())

    denied = best(entitled) > best(game.side)
    points = 0 if denied else sum(meld_points(hands[seat], rules) for seat in game.side)
    married = any({game.trump + "K", game.trump + "Q"} <= set(hands[seat]) for seat in game.side)
    return points + (20 if married and rules != "pandur" else 0)


# --- The public functions -----------------------------------------------------------------------------------


def solve(problem: Problem) -> dict[str, Any]:
    """The answer that ``pandoer solve --jsonl`` gives, without `nodes`."""
    answer = Game(problem).answer()
    if problem.get("joiners"):  # section 5: each joiner also alone against everybody else
        declarer = problem.get("declarer", 0)
        alone = {"leader": declarer} | problem | {"joiners": None}
        answer["dry"] = {
            str(seat): Game(alone | {"declarer": seat}).answer()["made"]
            for seat in sorted({declarer, *problem["joiners"]})
        }
    return answer


def legal_moves(problem: Problem) -> list[str]:
    """The legal moves of the player to move, written as in `best`."""
    return [str(move) for move in Game(problem).first_moves()]


def perft(problem: Problem, cards: int) -> int:
    """The number of legal sequences of that many moves, or of fewer where the hands run out before."""
    game = Game(problem)

    def count(at: Position, moves: list[Move], left: int) -> int:
        if left == 0 or not moves:
            return 1
        if left == 1:
            return len(moves)
        afters = [game.after(at, move)[0] for move in moves]
        return sum(count(after, game.moves(after), left - 1) for after in afters)

    return count(game.start, game.first_moves(), cards)
