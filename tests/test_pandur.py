"""Pandur: chances over all layouts, two, three and four at the table, a game to 17, and the worked deal."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from pandoer import Advice, Auction, Hand, PandoerError, advise, odds, ruleset, solve_many
from pandoer.dealing import Layouts
from pandoer.standing import Standing, standing

RULES = ruleset("pandur")
B = Hand("CJ CA CK CT DA DK HK SK")
"""The declarer of the worked deal (RULES.md section 9)."""
STRONG = "SJ S9 SA SK HA HK DA CA"


# Exact by default


@pytest.mark.parametrize(("players", "bottom", "layouts"), [(3, None, 12_870), (2, None, 12_870), (2, "C9", 6_435)])
@pytest.mark.parametrize("bid", ["150", "misere-ohne", "misere-mit", "pandur-ohne", "pandur-mit"])
def test_all_layouts_are_gone_through(bid: str, players: int, bottom: str | None, layouts: int) -> None:
    answer = odds(B, bid, rules="pandur", players=players, bottom=bottom)
    assert answer.exact
    assert answer.samples == layouts
    assert answer.low == answer.probability == answer.high
    assert round(answer.probability * layouts, 6) % 1 == pytest.approx(0, abs=1e-6)


def test_deals_are_sampled_when_asked_for() -> None:
    assert odds(B, "150", rules="pandur", samples=50).samples == 50
    assert not odds(B, "150", rules="pandur", precision=0.1).exact
    assert not odds(B, "150", rules="pandur", exact=False).exact
    assert not advise(B, rules="pandur", precision=0.3, auction="300").bids[0].odds.exact


def test_other_rulesets_are_exact_where_few_layouts_are_left() -> None:
    ending: dict[str, Any] = {"trump": "S", "unseen": "S9 SK HA HK DA DK C9 CT CJ"}
    assert odds("SJ SA HQ", "prive", **ending).exact
    assert odds("SJ SA HQ", "prive", **ending).samples == 1680
    assert not odds("SJ S9 SA SK HA HK DA CA", "prive", watch="H7", samples=10).exact


# In how many of the 12,870 layouts B makes each points bid.
WORKED = {
    100: 12_708, 110: 12_597, 120: 12_452, 130: 12_168, 140: 11_880, 150: 11_880, 160: 11_880, 170:
    11_880, 180: 11_880, 190: 11_694, 200: 9_230, 210: 6_703, 220: 5_104, 230: 2_424, 240: 0, 250: 0,
    260: 0, 270: 0, 280: 0, 290: 0, 300: 0,
}


def test_the_chances_of_each_points_bid_in_the_worked_deal() -> None:
    """The advice, the distribution of points, and for some bids every layout solved by itself."""
    advice = advise(B, rules="pandur")
    chances = {int(row.odds.bid): row.odds for row in advice.bids if row.odds.bid.isdigit()}
    assert {bid: round(12_870 * answer.probability) for bid, answer in chances.items()} == WORKED
    for answer in chances.values():
        assert answer.exact
        assert answer.expected == pytest.approx(answer.value * answer.probability)
        assert not answer.probability or str(answer.plan) == "trump ♣"
    found = odds(B, "200", rules="pandur", trump="C", distribution=True).distribution
    assert found is not None
    assert found.samples == 12_870
    assert {bid: round(12_870 * found.at_least(bid)) for bid in chances} == WORKED

    hidden = Layouts(RULES.deck - B, 2, 8).enumerate()
    hands = np.column_stack([np.full(len(hidden), B.bits, np.uint64), hidden])
    for bid in (130, 200, 220):
        assert solve_many(hands, RULES.contract(bid, trump="C"), exact=False).sum() == WORKED[bid]


# Two, three and four at the table


def test_the_dealer_who_sits_out_writes_with_the_opponents() -> None:
    three, four = odds(B, "200", rules="pandur"), odds(B, "200", rules="pandur", players=4)
    assert [amount.seat for amount in four.money] == [0, 1, 2, 3]
    assert four.money[:3] == three.money
    assert four.money[3].expected == four.money[1].expected == pytest.approx(4 * (1 - four.probability))
    assert (four.gain, four.probability) == (three.gain, three.probability)
    assert four.gain == pytest.approx(4 * (2 * four.probability - 1))


def test_passing_may_be_best() -> None:
    weak = advise("S9 ST H9 HT D9 DT CQ CK", rules="pandur", players=4)
    assert weak.best is None
    assert all(row.odds.expected >= 0 for row in weak.bids)
    assert "pass: +0.00" in str(weak)
    strong = advise(STRONG, rules="pandur", players=2, bottom="C9")
    assert strong.best is not None
    assert strong.best.odds.bottom is not None


def test_the_auction_with_its_fort() -> None:
    advice = advise(B, rules="pandur", auction="fort 150")
    names = [row.odds.bid for row in advice.bids]
    assert advice.auction.turn == 2
    assert "150" not in names
    assert {"160", "misere-ohne", "pandur-mit"} <= set(names)
    with pytest.raises(PandoerError, match=r"is over"):
        advise(B, rules="pandur", auction="fort fort fort")
    for players in (3, 4):
        calls = Auction.parse("fort 150", "pandur")
        assert advise(B, rules="pandur", auction=calls, players=players).bids


ENDING = "SJ S9 HA"


def test_an_ending_with_cards_in_the_stock() -> None:
    """Of five unseen cards the opponent holds three."""
    answer = odds(ENDING, "pandur-mit", rules="pandur", players=2, trump="S", unseen="SA HK HQ DJ CT")
    assert (answer.exact, answer.samples) == (True, 10)
    assert answer.probability == 1
    lost = odds("SJ S9 HK", "pandur-mit", rules="pandur", players=2, trump="S", unseen="SA HA HQ DJ CT")
    assert lost.probability == pytest.approx(4 / 10)  # the ace of hearts lies in the stock


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"players": 5}, "players 5: pandur is played by 3 or 2, or by 4 of whom the dealer sits out"),
        ({"players": 3, "bottom": "C9"}, "bottom card 'C9': with 3 players pandur has no stock"),
        ({"players": 2, "bottom": "CA"}, "bottom card 'CA' is in the hand"),
        ({"players": 2, "bottom": "C7"}, "bottom card 'C7' is not in the deck of pandur"),
        ({"players": 2, "bottom": "C9", "known": {1: "C9"}}, "'C9' of seat 1 is the bottom card of the stock"),
        ({"players": 2, "bottom": "C9", "unseen": str(RULES.deck - B)}, "bottom card 'C9' and unseen cards"),
        ({"players": 2, "unseen": "CQ"}, "expected 8, 8 for each other player (and up to 8 that may lie in the stock)"),
        ({"scores": [1, 2]}, "scores [1, 2]: expected 3 whole numbers from 0, yours first and then in turn"),
        ({"scores": [1, 2, 3], "players": 4}, "scores [1, 2, 3]: expected 4 whole numbers from 0"),
        ({"scores": [1, 2, -3]}, "scores [1, 2, -3]: expected 3 whole numbers"),
        ({"scores": [1, 2, 3], "goal": 0}, "goal 0: expected a whole number, 1 to 1000"),
        ({"goal": 17}, "goal 17: expected the scores as well"),
    ],
)
def test_errors(more: dict[str, Any], message: str) -> None:
    with pytest.raises(PandoerError, match=re.escape(message)):
        odds(B, "150", rules="pandur", samples=5, **more)


def test_scores_belong_to_a_game() -> None:
    with pytest.raises(PandoerError, match=r"scores \[1, 2, 3, 4\]: in pagat every deal stands alone"):
        odds("SJ S9 SA SK HA HK DA CA", "prive", rules="pagat", watch="H7", scores=[1, 2, 3, 4])
    with pytest.raises(PandoerError, match=r"goal 17: in pagat every deal stands alone"):
        odds("SJ S9 SA SK HA HK DA CA", "prive", rules="pagat", watch="H7", goal=17)


# A game to 17


def test_what_counts_in_a_game() -> None:
    game = Standing((12, 15, 9, 16), 17, sits_out=True)
    assert [game.counted(seat, 6) for seat in range(4)] == [5, 2, 6, 0]
    assert [game.counted(seat, 2) for seat in range(4)] == [2, 2, 2, 0]
    assert [game.finishes(seat, 6) for seat in range(4)] == [True, True, False, False]
    assert [game.finishes(seat, 5) for seat in range(4)] == [True, True, False, False]
    assert [game.finishes(seat, 2) for seat in range(4)] == [False, True, False, False]
    # Who has been lifted over the goal as a dealer finishes with the next points that he writes as a player.
    lifted = Standing((19, 3, 4), 17)
    assert lifted.finishes(0, 2)
    assert lifted.counted(0, 2) == 1


def test_a_goal_by_agreement() -> None:
    assert standing(RULES, [1, 2, 3], None, 3, sits_out=False) == Standing((1, 2, 3), 17)
    assert standing(RULES, (1, 2, 3), 21, 3, sits_out=False) == Standing((1, 2, 3), 21)
    assert standing(RULES, None, None, 3, sits_out=False) is None


def test_who_finishes_the_game() -> None:
    answer = odds(B, "200", rules="pandur", players=4, scores=[14, 13, 9, 16])
    p = answer.probability
    assert 0 < p < 1
    assert [amount.finishes for amount in answer.money] == pytest.approx([p, 1 - p, 0, 0])
    # Three points are all that is missing, four for seat 1, and the dealer's inheritance brings him no nearer.
    assert answer.gain == pytest.approx(3 * p - (1 - p) * (4 + 4 + 0) / 3)
    assert answer.expected == pytest.approx(4 * p)
    data = answer.to_json()
    assert (data["scores"], data["goal"]) == ([14, 13, 9, 16], 17)
    assert [row["finishes"] for row in data["money"]] == pytest.approx([p, 1 - p, 0, 0])
    assert "finishes" not in odds(B, "200", rules="pandur").to_json()["money"][0]
    assert f"finishes the game for you {100 * p:.1f} %, for another {100 * (1 - p):.1f} %" in str(answer)


def test_the_state_of_the_game_changes_the_advice() -> None:
    """Who needs two points only has no reason to bid 200."""

    def best(advice: Advice) -> str:
        assert advice.best is not None
        return advice.best.odds.bid

    assert best(advise(B, rules="pandur")) == "180"
    assert best(advise(B, rules="pandur", scores=[15, 15, 15])) == "100"
