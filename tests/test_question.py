"""What the asker knows: cards and voids of the others, weights, auctions; and that nothing else is used."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pandoer import Auction, Card, Hand, PandoerError, Plan, Suit, odds, ruleset
from pandoer.cards import DECK33
from pandoer.question import LOOKED_AT, Question, seats_and_cards, seats_and_suits

HAND = Hand("SJ S9 SA HK HQ D8 CT C7")
PAGAT = ruleset("pagat")
ROOT = np.random.SeedSequence(1)


def asked(watch: str | None = "H7", **more: Any) -> Question:
    return Question(PAGAT, HAND, None if watch is None else Card(watch), 4, **more)


def test_an_open_question_has_one_stratum() -> None:
    question = asked()
    (stratum,) = question.strata
    assert not question.closed
    assert stratum.watch == Card("H7")
    assert stratum.cards == HAND | Card("H7")
    assert question.layouts == math.factorial(24) // math.factorial(8) ** 3


def test_a_closed_question_has_one_for_each_unseen_card() -> None:
    question = asked(None)
    assert question.closed
    assert {stratum.watch for stratum in question.strata} == set(DECK33 - HAND)
    assert len({stratum.mass(ROOT) for stratum in question.strata}) == 1
    assert question.layouts == 25 * math.factorial(24) // math.factorial(8) ** 3


def test_a_known_card_is_not_the_watch_card() -> None:
    question = asked(None, known=((1, Hand("DA CA")),))
    assert {stratum.watch for stratum in question.strata} == set(DECK33 - HAND - Card("DA") - Card("CA"))


def test_the_watch_card_is_likelier_of_a_suit_that_somebody_lacks() -> None:
    """Seat 1 has no heart: of the seven unseen hearts more lie elsewhere, and one place is that of the watch card."""
    question = asked(None, void=((1, (Suit.HEARTS,)),))
    mass = {stratum.watch: stratum.mass(ROOT) for stratum in question.strata}
    total = sum(mass.values())
    hearts = sum(m for card, m in mass.items() if card is not None and card.suit == Suit.HEARTS)
    # Seventeen places hold the seven hearts, all places alike, and one of them is the watch card's.
    assert hearts / total == pytest.approx(7 / 17)


def test_the_mean_weight_of_a_watch_card() -> None:
    """A weight that wants a heart with seat 1 is met less often when a heart lies open."""
    hearts = np.uint64(DECK33.of_suit("H").bits)
    few = np.uint64(Hand("H6 H7 H8").bits)

    def weight(watch: Card | None, hidden: npt.NDArray[np.uint64]) -> npt.NDArray[np.bool_]:
        return np.asarray((hidden[:, 0] & few) == few)

    question = asked(None, weight=weight)
    mass = {str(stratum.watch): stratum.mass(ROOT) for stratum in question.strata}
    assert mass["H6"] == mass["H7"] == mass["H8"] == 0
    others = np.array([m for card, m in mass.items() if card not in ("H6", "H7", "H8")])
    expected = math.comb(21, 5) / math.comb(24, 8) * math.factorial(24) / math.factorial(8) ** 3
    assert others.mean() == pytest.approx(expected, rel=0.15)
    assert LOOKED_AT >= 1000
    assert hearts


def test_an_impossible_watch_card_is_left_out() -> None:
    few = np.uint64(Hand("H6 H7 H8").bits)
    answer = odds(HAND, "prive", rules="pagat", samples=44, trump="S", discard="C7",
                  weight=lambda hidden: (hidden[:, 0] & few) == few)  # fmt: skip
    assert {str(row.watch) for row in answer.plans}.isdisjoint({"H6", "H7", "H8"})
    assert sum(row.share for row in answer.plans) == pytest.approx(1)


@settings(max_examples=25, deadline=None)
@given(st.data())
def test_the_answer_depends_on_what_is_known_alone(data: st.DataObject) -> None:
    """Two true deals in which the asker knows the same give the same question and the same answer."""
    unseen = [*(DECK33 - HAND - Card("H7"))]
    first = data.draw(st.permutations(unseen))
    told = data.draw(st.integers(0, 3))
    known = {1: Hand(first[:told])}
    rest = data.draw(st.permutations(first[told:]))
    answers = []
    for deal in (first, [*first[:told], *rest]):
        hands = [Hand(deal[8 * i : 8 * i + 8]) for i in range(3)]
        assert known[1] & hands[0] == known[1]
        # All that a player could pass on is his knowledge; there is no parameter for the rest.
        answers.append(odds(HAND, "prive", rules="pagat", watch="H7", known=known, samples=40, trump="S", discard="C7"))
    assert answers[0] == answers[1]


def test_known_cards_and_voids_are_kept() -> None:
    seen: list[npt.NDArray[np.uint64]] = []

    def look(hidden: npt.NDArray[np.uint64]) -> npt.NDArray[np.float64]:
        seen.append(hidden.copy())
        return np.ones(len(hidden))

    odds(HAND, "prive", rules="pagat", watch="H7", known={1: "DA CA", 3: "H6"}, void={2: "SH"}, samples=60, weight=look)
    hidden = np.concatenate(seen)
    assert (hidden[:, 0] & np.uint64(Hand("DA CA").bits) == np.uint64(Hand("DA CA").bits)).all()
    assert (hidden[:, 2] & np.uint64(Card("H6").bit) != 0).all()
    both = DECK33.of_suit("S").bits | DECK33.of_suit("H").bits
    assert (hidden[:, 1] & np.uint64(both) == 0).all()


def test_a_void_changes_the_chance() -> None:
    """Prive without trump with a loser in hearts: certain when nobody else has a heart to beat it."""
    hand = "SA SK SQ DA DK CA CK HK"
    lost = odds(hand, "solo-zwabber", rules="pagat", watch="D7", known={1: "HA"}, samples=50, discard="D7")
    assert lost.probability == 0
    made = odds(hand, "solo-zwabber", rules="pagat", watch="HA", samples=50)
    assert made.probability == 1


def test_a_predicate_is_a_weight() -> None:
    """Deals in which the ace of hearts lies with seat 1, as a predicate and as knowledge."""
    ace = np.uint64(Card("HA").bit)
    asked: dict[str, Any] = {"rules": "pagat", "watch": "H7", "trump": "S", "discard": "C7", "called": "DA"}
    known = odds(HAND, "pandoer", known={1: "HA"}, samples=2500, **asked)
    weighed = odds(HAND, "pandoer", weight=lambda hidden: hidden[:, 0] & ace != 0, samples=2500, seed=5, **asked)
    error = math.hypot(known.high - known.low, weighed.high - weighed.low) / 2
    assert abs(known.probability - weighed.probability) < 1.5 * error


def test_nothing_fits() -> None:
    with pytest.raises(PandoerError, match=r"^none of .* deals"):
        odds(HAND, "prive", watch="H7", samples=10, weight=lambda hidden: np.zeros(len(hidden)))
    with pytest.raises(PandoerError, match=r"^none of the deals fits the weight"):
        odds(HAND, "prive", samples=10, weight=lambda hidden: np.zeros(len(hidden)))


ERRORS: list[tuple[dict[str, Any], str]] = [
    ({"known": {1: "SJ"}}, "known card 'SJ' of seat 1 is your hand"),
    ({"known": {2: "H7"}}, "known card 'H7' of seat 2 is the watch card"),
    ({"known": {0: "DA"}}, "cards of seat 0: expected seats 1 to 3"),
    ({"known": {4: "DA"}}, "cards of seat 4: expected seats 1 to 3"),
    ({"known": {1: "DX"}}, "cannot read hand 'DX'"),
    ({"known": {1: "DA", 2: "DA"}}, "card DA is known to lie with seats 1 and 2"),
    ({"known": {1: "DA DK DQ DJ DT D9 CA CK CQ"}}, "seat 1: expected 8 cards, 9 are known"),
    ({"known": {1: "DA"}, "void": {1: "D"}}, "card DA is known to lie with seat 1: expected one that its voids"),
    ({"void": {1: "X"}}, "cannot read suit 'X'"),
    ({"void": {1: "H Schiltn"}}, "cannot read suit 'Schiltn'"),
    ({"void": {5: "D"}}, "void of seat 5: expected seats 1 to 3"),
    ({"void": {1: "CDHS"}}, "seat 1: expected 8 cards, only 0 unseen cards may lie with it"),
    ({"void": {1: "C", 2: "C", 3: "C"}}, "card CA may lie with nobody"),
    ({"weight": lambda hidden: np.full(len(hidden), 2.0)}, ""),
    ({"weight": lambda hidden: np.zeros(3)}, ""),
    ({"private": True, "watch": None}, "private: expected the watch card that you alone have seen"),
    ({"listen": True}, "listen: expected an auction to listen to"),
    ({"auction": "pass 130", "bidders": [1]}, "bidders [1] and an auction: expected one of them"),
    ({"auction": "pass 130 120"}, "call '120' after 'pass 130': it does not outrank 130"),
    ({"auction": "prive", "bid": "130"}, "bid '130' after 'prive': it does not outrank prive"),
    ({"auction": "130 pass pass pass", "bid": "140"},
     "bid '140' after the auction '130 pass pass pass': it was won by 130"),
    ({"auction": "pass pass pass pass"}, "bid 'prive' after the auction 'pass pass pass pass': everybody passed"),
    ({"view": "blind"}, "view 'blind': expected one of double-dummy, blind-lead"),
    ({"lead": "SJ"}, "lead 'SJ': the first lead is part of the plan only with view='blind-lead'"),
    ({"lead": "DA", "view": "blind-lead"}, "lead 'DA' is not in the hand"),
    ({"lead": "C7", "view": "blind-lead", "discard": "C7"}, "lead 'C7' is the discard"),
    ({"distribution": True}, "distribution of points: prive is made or not"),
    ({"joiners": [1]}, "joiners [1]: pagat has no joined prive"),
    ({"bidders": [True]}, "bidders [True]: expected seats 1 to 3"),
    ({"bidders": [1.0]}, "bidders [1.0]: expected seats 1 to 3"),
    ({"joiners": [1.0], "bid": "misere", "rules": "wikipedia-nl"}, "joiners [1.0]: expected seats 1 to 3"),
    ({"void": {1: 2}}, "void 2 of seat 1: expected suits, such as 'HD'"),
    ({"known": ["HA"]}, "cards ['HA']: expected what is known by seat"),
    ({"bid": "misere", "rules": "wikipedia-nl", "trump": "-"}, "trump '-': misere in wikipedia-nl needs a trump suit"),
    ({"bid": "pandoer", "rules": "wikipedia-nl", "auction": "pandoer+pot25", "stake": 20},
     "bid 'pandoer' with stake 20 after 'pandoer+pot25': it does not outrank pandoer+pot25"),
    ({"bid": "pandoer", "rules": "wikipedia-nl", "auction": "pandoer+pot25 pass pass pass", "stake": 20},
     "stake 20 after the auction 'pandoer+pot25 pass pass pass': expected 25"),
    ({"bid": "misere", "rules": "wikipedia-nl", "auction": "misere join pass pass", "joiners": [2]},
     "joiners [2] after the auction 'misere join pass pass': expected [1]"),
    ({"exact": True, "samples": 5}, "samples 5, precision None, exact True: expected one of them"),
]  # fmt: skip


@pytest.mark.parametrize(("change", "message"), ERRORS)
def test_errors(change: dict[str, Any], message: str) -> None:
    question: dict[str, Any] = {"hand": HAND, "bid": "prive", "rules": "pagat", "watch": "H7"} | change
    with pytest.raises(PandoerError, match=f"^{re.escape(message)}") as caught:
        odds(question.pop("hand"), question.pop("bid"), **question)
    assert "\n" not in str(caught.value)


def test_joiners_are_other_seats() -> None:
    for joiners in ([0], [4], [1, 1]):
        with pytest.raises(PandoerError, match=r"expected seats 1 to 3, counted from the declarer"):
            odds(HAND, "misere", watch="H7", joiners=joiners)


@pytest.mark.parametrize("watch", ["H7", None])
def test_a_joined_misere_has_no_trump(watch: str | None) -> None:
    with pytest.raises(PandoerError, match=r"^trump 'S': misere in wikipedia-nl is played with joiners without trump"):
        odds(HAND, "misere", watch=watch, joiners=[1], trump="S")


def test_cards_and_suits_of_seats() -> None:
    assert seats_and_cards("cards", {2: "HA", 1: Hand("S7")}, 4) == ((1, Hand("S7")), (2, Hand("HA")))
    texts: list[Any] = ["HD", "H D", "h,d", "hearts diamonds", [Suit.HEARTS, "D"], "♥♦"]
    for suits in texts:
        assert seats_and_suits("void", {3: suits}, 4) == ((3, (Suit.DIAMONDS, Suit.HEARTS)),)
    assert seats_and_suits("void", {1: "Rosen, Eichel"}, 4) == seats_and_suits("void", {1: ["harten", "D"]}, 4)
    assert seats_and_suits("void", {1: "clubs", 2: Suit.SPADES}, 4) == ((1, (Suit.CLUBS,)), (2, (Suit.SPADES,)))


def test_the_auction_tells_who_bid() -> None:
    """The asker speaks fourth: seats 1 and 2 after him passed and bid, counted from himself."""
    told: dict[str, Any] = {
        "rules": "pagat", "watch": "H7", "trump": "S", "discard": "C7", "called": "HA", "samples": 60,
    }  # fmt: skip
    heard = odds(HAND, "130", auction="pass 120 pass", **told)
    assert heard == odds(HAND, "130", bidders=[2], **told)
    over = odds(HAND, "130", auction="pass 120 pass 130 pass", **told)
    assert over == heard


def test_a_won_auction_tells_who_joined_and_what_is_staked() -> None:
    low = "S7 S8 H7 H8 D7 D8 C7 C8"
    joined: dict[str, Any] = {"watch": "H9", "samples": 20}
    heard = odds(low, "misere", auction="pass misere join pass", **joined)
    assert heard == odds(low, "misere", joiners=[1], **joined)
    assert heard.together is not None
    assert odds(low, "misere", auction="pass misere join pass", joiners=[1], **joined) == heard
    told: dict[str, Any] = {"watch": "H7", "samples": 20, "trump": "S", "discard": "C7", "called": "HA"}
    staked = odds(HAND, "pandoer", stake=25, **told)
    assert odds(HAND, "pandoer", auction="pandoer+pot25 pass pass pass", **told) == staked
    assert odds(HAND, "pandoer", auction="pandoer", stake=25, **told) == staked  # outranks it by the stake


def test_players_of_an_auction() -> None:
    """Pandur for two, as the auction says."""
    hand, calls = "SA SK SQ SJ ST HA HK DK", Auction.parse("100", "pandur", players=2)
    answer = odds(hand, "pandur-ohne", rules="pandur", auction=calls, samples=20)
    assert answer == odds(hand, "pandur-ohne", rules="pandur", players=2, bidders=[1], samples=20)
    assert len(answer.money) == 2


def test_joiners_of_an_ending() -> None:
    told: dict[str, Any] = {"unseen": "SA SK HA HK DA DK", "exact": True, "joiners": [1]}
    answer = odds("S7 S8", "misere", **told)
    assert answer.probability == 1
    assert answer.plan == Plan()


@pytest.mark.parametrize("seed", range(3))
def test_watch_cards_of_a_rare_predicate(seed: int) -> None:
    """About one deal in two hundred fits, and each of 21 watch cards leaves as many."""
    few = np.uint64(Hand("HA DA CA SK").bits)
    question = asked(None, weight=lambda watch, hidden: (hidden[:, 0] & few) == few)
    mass = np.array([stratum.mass(np.random.SeedSequence(seed)) for stratum in question.strata])
    shares = mass[mass > 0] / mass.sum()
    assert len(shares) == 21
    assert abs(shares - 1 / 21).max() < 0.5 / 21
