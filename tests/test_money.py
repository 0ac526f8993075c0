"""What contracts pay: every way of paying, by seat, with bonus and stake."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pandoer import odds, ruleset
from pandoer.money import amounts, payoffs


def paid(rules: str, bid: str, made: float, partner: int = -1, players: int = 4, **more: Any) -> list[float]:
    """What each seat wins in one deal."""
    game = ruleset(rules)
    if "swept" in more:
        more["swept"] = np.array([more["swept"]])
    result = payoffs(game, game.bid(bid), np.array([made]), np.array([partner], np.int8), players, **more)
    return [float(amount) for amount in result[0]]


@pytest.mark.parametrize(
    ("rules", "bid", "partner", "won", "lost"),
    [
        # declarer and partner each win or lose the value
        ("pagat", "pandoer", 2, [5, 0, 5, 0], [-5, 0, -5, 0]),
        ("pagat", "prive", -1, [10, 0, 0, 0], [-10, 0, 0, 0]),
        ("cappelle", "prive", -1, [6, 0, 0, 0], [-6, 0, 0, 0]),
        ("butselaar", "130", 1, [1, 1, 0, 0], [-1, -1, 0, 0]),
        # alone three pay or are paid; with a partner each of four wins or loses
        ("wikipedia-nl", "prive", -1, [21, -7, -7, -7], [-21, 7, 7, 7]),
        ("wikipedia-nl", "misere", -1, [6, -2, -2, -2], [-6, 2, 2, 2]),
        ("wikipedia-nl", "pandoer", 3, [5, -5, -5, 5], [-5, 5, 5, -5]),
        # nobody knows who becomes the partner: two of three others pay, one is paid
        ("wikipedia-nl", "zwabber", -1, [3, -1, -1, -1], [-3, 1, 1, 1]),
        # a pot pays
        ("wikipedia-en", "pandoer", 1, [5, 5, 0, 0], [-5, -5, 0, 0]),
        ("wikipedia-en", "misere", -1, [4, 0, 0, 0], [-4, 0, 0, 0]),
    ],
)
def test_four_players(rules: str, bid: str, partner: int, won: list[float], lost: list[float]) -> None:
    assert paid(rules, bid, 1.0, partner) == won
    assert paid(rules, bid, 0.0, partner) == lost
    assert paid(rules, bid, 0.5, partner) == [0, 0, 0, 0]


def test_a_partner_who_is_known_to_have_joined() -> None:
    assert paid("wikipedia-nl", "zwabber", 1.0, 2) == [3, -3, 3, -3]
    assert paid("wikipedia-nl", "zwabber", 0.0, 2) == [-3, 3, -3, 3]
    assert paid("wikipedia-en", "zwabber", 1.0, 1) == [3, 3, 0, 0]


def test_pandur_is_written() -> None:
    assert paid("pandur", "160", 1.0, players=3) == [3, 0, 0]
    assert paid("pandur", "160", 0.0, players=3) == [0, 3, 3]
    assert paid("pandur", "pandur-mit", 0.25, players=2) == [1.5, 4.5]


def test_a_bonus_for_every_trick() -> None:
    assert paid("wikipedia-en", "120", 1.0, 2, swept=True) == [2, 0, 2, 0]
    assert paid("wikipedia-en", "120", 1.0, 2, swept=False) == [1, 0, 1, 0]
    assert paid("wikipedia-en", "170", 0.0, 2, swept=True) == [-3, 0, -3, 0]
    assert paid("wikipedia-en", "zwabber", 1.0, swept=True) == [4, 0, 0, 0]
    assert {bid.name for bid in ruleset("wikipedia-en").bids if bid.bonus} == {
        "100", "110", "120", "130", "140", "150", "160", "170", "zwabber",
    }  # fmt: skip
    for name in ("pagat", "cappelle", "wikipedia-nl", "butselaar", "pandur"):
        assert not any(bid.bonus for bid in ruleset(name).bids)


def test_a_stake_is_the_declarers() -> None:
    assert paid("wikipedia-nl", "pandoer", 1.0, 1, stake=25) == [30, 5, -5, -5]
    assert paid("wikipedia-nl", "pandoer", 0.0, 1, stake=25) == [-30, -5, 5, 5]


def test_means_over_strata() -> None:
    """Two strata of equal chance, one of two deals and one of four."""
    values = np.array([[4.0], [0.0], [1.0], [1.0], [1.0], [1.0]])
    weights = np.array([0.25, 0.25, 0.125, 0.125, 0.125, 0.125])
    strata = np.array([0, 0, 1, 1, 1, 1])
    (amount,) = amounts(values, weights, strata, exact=False)
    assert amount.expected == pytest.approx(1.5)
    assert amount.low < 1.5 < amount.high
    (exact,) = amounts(values, weights, strata, exact=True)
    assert exact.low == exact.expected == exact.high == pytest.approx(1.5)
    assert exact.to_json() == {"seat": 0, "expected": exact.expected, "low": exact.low, "high": exact.high}


def test_an_interval_covers() -> None:
    """Amounts of 5, -5 and 0, as a seat that may be the partner has them."""
    rng = np.random.default_rng(3)
    chances, values = [0.2, 0.15, 0.65], np.array([5.0, -5.0, 0.0])
    inside = 0
    for _ in range(1000):
        drawn = rng.choice(values, size=(200, 1), p=chances)
        (amount,) = amounts(drawn, np.full(200, 1 / 200), np.zeros(200, np.intp), exact=False)
        inside += amount.low <= float(values @ chances) <= amount.high
    assert 0.93 <= inside / 1000 <= 0.97


HAND = "SJ S9 SA HK HQ D8 CT C7"


def test_money_of_every_seat() -> None:
    """With a partner the four seats of the Dutch game win and lose the same in all; seats are alike but for luck."""
    answer = odds(HAND, "pandoer", watch="H7", samples=600, trump="S", discard="C7", called="HA")
    assert [amount.seat for amount in answer.money] == [0, 1, 2, 3]
    assert sum(amount.expected for amount in answer.money) == pytest.approx(0)
    assert answer.money[0].expected == answer.expected == pytest.approx(5 * (2 * answer.probability - 1))
    ends = (5 * (2 * answer.low - 1), 5 * (2 * answer.high - 1))
    assert (answer.expected_low, answer.expected_high) == pytest.approx(ends)
    for amount in answer.money[1:]:
        assert amount.low < amount.expected < amount.high


def test_money_when_a_watch_card_leaves_no_plan() -> None:
    """With three jacks and the fourth as the watch card there is no kereltje; still nothing is lost on the way."""
    answer = odds("SJ HJ DJ C9 CA CK CQ CT", "kereltje", samples=50)
    assert any(row.plan is None for row in answer.plans)
    assert sum(amount.expected for amount in answer.money) == pytest.approx(0)
    assert answer.money[0].expected == pytest.approx(5 * (2 * answer.probability - 1))


def test_a_stake_counts() -> None:
    fixed: dict[str, Any] = {"watch": "H7", "samples": 100, "trump": "S", "discard": "C7", "called": "HA"}
    plain, staked = odds(HAND, "pandoer", **fixed), odds(HAND, "pandoer", stake=10, **fixed)
    assert staked.expected == pytest.approx(plain.expected + 10 * (2 * plain.probability - 1))
    assert staked.money[1:] == plain.money[1:]


def test_a_bonus_counts() -> None:
    """Nine sure winners: the declarer of 100 is paid 1, and 1 for all tricks."""
    answer = odds("SJ S9 SA SK SQ ST S8 S7", "100", rules="wikipedia-en", watch="HA", samples=30, trump="S")
    assert answer.probability == 1
    assert answer.expected == pytest.approx(2)
    assert answer.expected_low < 2
