"""The chance at the table: what it is counted on, that it does not depend on threads, and what is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pandoer import Odds, PandoerError, advise, odds, suggest, view_of
from pandoer.at_the_table import Strength
from pandoer.players import AlphaMu, MonteCarlo

HAND = "SJ9A HKQ D8 CT7"
DRY = "S7 S8 HT H7 D9 D7 C8 CQ"


def at_table(hand: str = HAND, bid: str = "pandoer", **given: Any) -> Odds:
    asked = {"rules": "pagat", "watch": "H7", "samples": 12, "worlds": 4, "depth": 1, **given}
    return odds(hand, bid, view="table", **asked)


def test_the_same_deals_are_solved_double_dummy() -> None:
    found = at_table(samples=20)
    assert found.plan is not None
    assert found.table is not None
    fixed = {"trump": found.plan.trump, "discard": found.plan.discard, "called": found.plan.called}
    dummy = odds(HAND, "pandoer", rules="pagat", watch="H7", samples=20, **fixed)  # type: ignore[arg-type]
    assert found.table.double_dummy == dummy.probability
    assert (found.table.double_dummy_low, found.table.double_dummy_high) == pytest.approx((dummy.low, dummy.high))
    assert found.table.difference == pytest.approx(found.probability - dummy.probability)
    assert found.table.difference_low < found.table.difference < found.table.difference_high
    assert found.view == "table"
    assert found.samples == 20
    assert found.low <= found.probability <= found.high
    assert found.expected == pytest.approx(5 * (2 * found.probability - 1))


def test_threads_do_not_matter() -> None:
    assert at_table(threads=1) == at_table(threads=3)
    asked: dict[str, Any] = {"depth": 2, "bid": "zwabber", "samples": 6}
    assert at_table(**asked, threads=1) == at_table(**asked, threads=2)


def test_it_says_how_well_was_played() -> None:
    found = at_table(worlds=3, depth=2, samples=5)
    assert found.table is not None
    assert (found.table.worlds, found.table.depth) == (3, 2)
    told = json.loads(json.dumps(found.to_json()))
    assert told["view"] == "table"
    assert told["table"]["worlds"] == 3
    assert any("3 worlds, depth 2" in line for line in found.lines())


def test_a_closed_misere_is_brighter_than_double_dummy() -> None:
    found = at_table(DRY, "misere", watch="HQ", samples=60, worlds=8)
    assert found.table is not None
    assert found.table.difference_low > 0.1


def test_precision_is_reached() -> None:
    found = at_table("SJ S9 SA SK HA DA CA CK", "prive", samples=None, precision=0.2, worlds=2)
    assert found.samples >= 16
    assert (found.high - found.low) / 2 <= 0.2


def test_an_unknown_watch_card_is_the_mean_over_all() -> None:
    found = odds(
        HAND, "solo-zwabber", rules="wikipedia-nl", view="table", samples=50, worlds=2, depth=1
    )
    assert found.plan is None
    assert len(found.plans) == 25
    assert found.table is not None
    assert found.table.double_dummy <= 1


@pytest.mark.parametrize("players", [2, 3])
def test_pandur(players: int) -> None:
    found = odds("SJ S9 SA SK HA DA DK CA", "200", rules="pandur", players=players, view="table", samples=6, worlds=3)
    assert found.samples == 6
    assert not found.exact
    assert found.table is not None


def test_a_bonus_needs_all_tricks_to_be_played() -> None:
    found = odds(HAND, "100", rules="wikipedia-en", watch="SK", view="table", samples=6, worlds=3, depth=1)
    assert found.expected != 0
    assert found.table is not None


def test_advise_at_the_table() -> None:
    found = advise(HAND, rules="pagat", watch="H7", auction="stil-praatje", view="table", samples=3, worlds=2, plans=2)
    assert {row.odds.view for row in found.bids} == {"table"}
    assert all(row.odds.table is not None for row in found.bids)


def test_strength() -> None:
    assert Strength(5, 1).players(4) == [MonteCarlo(5)] * 4
    assert Strength(5, 3).players(3) == [AlphaMu(5, 3), MonteCarlo(5), MonteCarlo(5)]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"worlds": 0}, "worlds 0: expected a whole number"),
        ({"depth": True}, "depth True: expected a whole number"),
        ({"samples": None, "exact": True}, "expected samples or precision"),
        ({"bid": "130", "distribution": True}, "view 'table' with a distribution"),
        ({"view": "double-dummy"}, "expected with view='table' only"),
    ],
)
def test_what_makes_no_sense_is_told(given: dict[str, Any], said: str) -> None:
    asked = {"bid": "pandoer", "rules": "pagat", "watch": "H7", "samples": 5, "view": "table", "worlds": 3, **given}
    with pytest.raises(PandoerError) as caught:
        odds(HAND, **asked)
    assert said in str(caught.value)


def test_joiners_and_endings_are_refused() -> None:
    with pytest.raises(PandoerError, match="view 'table' with joiners"):
        odds(DRY, "misere", watch="HQ", joiners=[1], view="table")
    with pytest.raises(PandoerError, match="view 'table' with an ending"):
        odds("SJ", "prive", trump="S", unseen="HA DA CA", view="table")


# Which card now

VIEW: dict[str, Any] = {
    "rules": "pagat", "contract": "pandoer", "trump": "S", "called": "DA", "seat": 0, "watch": "C8",
    "hand": "SJ S9 SA HK HQ D8 CT C7", "discard": "C8",
}  # fmt: skip


def test_suggest_names_every_legal_card() -> None:
    found = suggest(VIEW, worlds=30)
    assert {card.play for card in found.cards} == set(view_of(VIEW).legal)
    chances = [card.chance for card in found.cards]
    assert chances == sorted(chances, reverse=True)  # type: ignore[type-var]
    assert found.best == found.cards[0].play
    assert all(card.low < card.high for card in found.cards)  # type: ignore[operator]
    assert found == suggest(view_of(VIEW), worlds=30)
    told = json.loads(json.dumps(found.to_json()))
    assert told["card"] == str(found.best)
    assert len(told["cards"]) == 8


def test_looking_ahead_is_never_brighter() -> None:
    """Playing alike in deals that cannot be told apart, the declarer makes it in no more of them."""
    shallow = {card.play: card.chance for card in suggest(VIEW, worlds=5).cards}
    deep = {card.play: card.chance for card in suggest(VIEW, worlds=5, depth=2).cards}
    assert all(deep[play] <= shallow[play] for play in shallow)  # type: ignore[operator]


def test_an_opponent_likes_a_low_chance() -> None:
    view = {**VIEW, "seat": 1, "hand": "SQ SK HA HT DQ DK CQ CK", "discard": None, "plays": ["CT"]}
    found = suggest({key: value for key, value in view.items() if value is not None}, worlds=30)
    chances = [card.chance for card in found.cards]
    assert chances == sorted(chances)  # type: ignore[type-var]


def test_few_deals_are_all_solved() -> None:
    tricks = ("SJ SQ S7 S8", "S9 SK H7 ST", "SA CQ H8 H9", "CT CK C9 CA", "DJ D8 DQ DK")
    plays = [card for trick in tricks for card in trick.split()]
    view = {**VIEW, "seat": 2, "hand": "S7 H7 H8 C9 DK HA HT DA", "plays": plays}
    del view["discard"]
    found = suggest(view, worlds=50_000)
    assert found.exact
    assert all(card.low == card.chance == card.high for card in found.cards)


def test_deals_that_are_given_up_make_the_interval_wider() -> None:
    """They are lost for the lower end and won for the upper one; none is left out, since they are no random choice."""
    view = {**VIEW, "contract": "120", "called": "DA"}
    whole = {card.play: card for card in suggest(view, worlds=40).cards}
    limited = suggest(view, worlds=40, node_limit=2_000).cards
    assert sum(card.unknown for card in limited) > 0
    for card in limited:
        exact = whole[card.play]
        assert card.worlds == exact.worlds == 40
        assert card.low <= exact.low <= exact.high <= card.high  # type: ignore[operator]
        assert abs(card.chance - exact.chance) <= card.unknown / 80 + 1e-9  # type: ignore[operator]
        assert ("unknown" in card.to_json()) == (card.unknown > 0)
    with pytest.raises(PandoerError, match="node_limit 5 with depth 2: expected none"):
        suggest(VIEW, depth=2, node_limit=5)


def test_suggest_refuses_what_makes_no_sense() -> None:
    with pytest.raises(PandoerError, match="it is the turn of seat 0"):
        suggest({**VIEW, "seat": 1, "hand": "SQ SK HA HT DQ DK CQ CK", "discard": None})
    with pytest.raises(PandoerError, match="worlds 0: expected"):
        suggest(VIEW, worlds=0)
