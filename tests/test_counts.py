"""Counts of points: how they are fitted, used, shown and judged."""

from __future__ import annotations

import copy
import json
import pickle
import re
import sys
from dataclasses import FrozenInstanceError, replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from pandoer import Card, Hand, PandoerError, Plan, Suit, ruleset
from pandoer.counting import Count, HeldOut, Term
from pandoer.counts import BINS, MOST_HANDS, MOST_POINTS, _thinned, builtin, fit, load, usual_features
from pandoer.features import FEATURES, features
from pandoer.frames import Frame
from pandoer.planned import after_discard, candidate_plans
from tests.strength import STORED, first

HAND, WATCH = "SJ9A HKQ D8 CT7", "H7"
PAGAT = ruleset("pagat")


@cache
def fitted(bid: str = "pandoer", **options: Any) -> Count:
    """A count fitted to the first hands of the package's table, or for a rare bid to all of them."""
    return fit(table_for(bid), bid, **options)


def table_for(bid: str) -> Any:
    return "pagat" if bid in ("misere", "prive") else first()


def made(*terms: tuple[str, int], name: str = "pandoer", rules: str = "pagat", start: int = 0, at: int = 8) -> Count:
    """A count of one's own."""
    curve = ((at - 10, 0.05), (at, 0.5), (at + 10, 0.95))
    return Count(name, ruleset(rules), tuple(Term(*term) for term in terms), start, at, curve, None, HeldOut.nothing())


JACKS = made(("trump_jack", 4), ("trump_nine", 3), ("trump_ace", 2), ("other_trumps", 1), ("side_aces", 2))


# Using one


def test_points_are_those_of_the_best_plan() -> None:
    assert JACKS.points(HAND, WATCH) == 9
    assert JACKS.plan(HAND, WATCH).trump is Suit.SPADES
    assert JACKS.plan(HAND, WATCH).discard is not None
    assert JACKS.bid(HAND, WATCH)
    assert JACKS.points("S87 HKQ D8 CT97", "H7") == 5  # the nine of clubs
    assert not JACKS.bid("S87 HKQ D8 CT97", "H7")
    # The watch card may be kept, or not be known.
    assert JACKS.points("SJ97 HKQ D8 CT7", "SA") == 10
    assert JACKS.points("SJ97 HKQ D8 CT7") == 8
    assert JACKS.plan("SJ97 HKQ D8 CT7") == Plan(Suit.SPADES)
    assert JACKS.card == (
        "pandoer (pagat): trump jack 4, trump nine 3, trump ace 2, each further trump 1, side ace 2; bid at 8"
    )


def test_points_are_the_most_over_every_legal_plan() -> None:
    rng = np.random.default_rng(1)
    names = ["trump_jack", "other_trumps", "side_tops", "voids", "called_void", "called_length"]
    deck = np.array([card.bit for card in PAGAT.deck], np.uint64)
    for _ in range(5):
        shuffled = rng.permutation(deck)[:9]
        count = made(*zip(names, rng.integers(1, 9, 6).tolist(), strict=True))
        hand, watch = Hand.from_bits(shuffled[:8].sum()), Hand.from_bits(shuffled[8]).cards[0]
        rows, plans = candidate_plans(PAGAT, PAGAT.bid("pandoer"), shuffled.sum(keepdims=True), discard=True)
        own = after_discard(shuffled.sum(keepdims=True)[rows], np.zeros(len(rows), np.uint64), plans)
        seen = features(own, plans, PAGAT, names)
        every = sum(term.points * seen[term.feature] for term in count.terms)
        assert count.points(hand, watch) == np.max(every)
        best = count.plan(hand, watch)
        assert best in [plans.plan(int(row)) for row in np.flatnonzero(every == np.max(every))]
        assert best.called is not None


def test_many_hands_at_once() -> None:
    found = Frame.of(STORED).of_bid("pandoer")
    points = JACKS.points_of(found.hands[:20], found.watch[:20])
    for row in range(20):
        hand, watch = Hand.from_bits(found.hands[row]), Hand.from_bits(found.watch[row]).cards[0]
        assert points[row] == JACKS.points(hand, watch)


def test_a_bid_without_a_plan_is_not_made() -> None:
    count = made(("trump_nine", 1), name="kereltje", at=-5)
    hand = "SJ HJ DJ CJ SA HA DA CA"
    assert not count.bid(hand, "H7")
    assert count.points_of(np.array([Hand(hand).bits], np.uint64), np.array([0], np.uint64)) == [-np.inf]
    with pytest.raises(PandoerError, match="expected a hand that has a plan for it"):
        count.points(hand, "H7")


def test_points_to_begin_with() -> None:
    count = made(("trumps", -2), ("low_gaps", -1), name="misere", start=10, at=6)
    assert count.points("S7 H67 D78 C789", "SA") == 8  # the ace of spades is laid away, and the seven is the trump
    assert count.card.startswith("misere (pagat): begin with 10, each trump -2, ")
    assert "to begin with" in count._repr_html_()


def test_pandur_has_no_discard() -> None:
    count = made(("trump_jack", 4), ("side_aces", 2), name="130", rules="pandur")
    assert count.points("CJ C9 CA CK HA HK DA SA") == 10
    with pytest.raises(PandoerError, match="watch card 'H9'"):
        count.points("CJ C9 CA CK HA HK DA SA", "H9")


@pytest.mark.parametrize(
    ("hand", "watch", "said"),
    [
        ("SJ9A HKQ D8 CT", None, "expected 8 cards of pagat"),
        (HAND, "SJ", "watch card 'SJ': expected a card of pagat outside the hand"),
        (HAND, "X", "cannot read card 'X'"),
    ],
)
def test_wrong_cards_are_told(hand: str, watch: str | None, said: str) -> None:
    with pytest.raises(PandoerError) as caught:
        JACKS.points(hand, watch)
    assert said in str(caught.value)


# Fitting one


@pytest.mark.parametrize("bid", ["pandoer", "zwabber", "misere", "prive"])
def test_a_count_is_small_and_better_than_nothing(bid: str) -> None:
    count = fitted(bid)
    assert 1 <= len(count.terms) <= 7
    assert all(0 < abs(term.points) <= MOST_POINTS for term in count.terms)
    assert set(count.features) <= set(usual_features(PAGAT.bid(bid)))
    assert count.threshold >= 1
    assert [*count.curve] == sorted(count.curve)
    found = count.held_out
    hands = len(Frame.of(table_for(bid)).of_bid(bid))
    assert found.hands == round(hands / 4)
    assert found.fitted == min(hands - found.hands, MOST_HANDS)
    assert found.brier < found.base_brier
    assert found.agrees.low <= found.agrees.mean <= found.agrees.high
    assert found.agrees.mean > (0.8 if bid == "pandoer" else 0.9)
    assert 0 < found.wins.mean < found.best
    assert found.cost.mean == pytest.approx(found.best - found.wins.mean)
    assert found.wins.low < found.wins.mean < found.wins.high
    assert found.deals == 10
    assert sum(part.hands for part in found.bins) == found.hands
    for part in found.bins:
        assert part.low <= part.found <= part.high
        assert 0 <= part.predicted <= 1
    assert all(a.predicted < b.predicted for a, b in pairwise(found.bins))
    assert len(found.bins) < len(BINS)


def test_a_count_finds_what_matters() -> None:
    points = {term.feature: term.points for term in fitted().terms}
    assert points["trump_jack"] == max(points.values())
    assert points["trump_nine"] > 0
    assert fitted().points(HAND, WATCH) > fitted().points("S87 HKQ D8 CT97", WATCH)
    assert fitted("misere").start > 0
    assert fitted("misere").points("S78 H67 D78 C78", "CA") > fitted("misere").points(HAND, WATCH)


def invented(points: dict[str, int], at: int, hands: int = 500) -> dict[str, npt.NDArray[Any]]:
    """A table in which a pandoer is made with just so many points, and never with fewer."""
    rng = np.random.default_rng(8)
    deck = np.array([card.bit for card in PAGAT.deck], np.uint64)
    cards = rng.permuted(np.tile(deck, (hands, 1)), axis=1)[:, :9]
    count = made(*points.items(), at=at)
    own, watch = cards[:, :8].sum(axis=1, dtype=np.uint64), cards[:, 8]
    good = count.points_of(own, watch) >= at
    return {
        "hand": own, "watch": np.array([str(Hand.from_bits(bit).cards[0]) for bit in watch]),
        "pandoer_chance": good * 1.0, "pandoer_error": good * 0.0, "pandoer_expected": 10.0 * good - 5,
        "pandoer_samples": good * 0 + 1,
    }  # fmt: skip


def watches(table: dict[str, Any]) -> npt.NDArray[np.uint64]:
    """The watch cards of a table as bits."""
    return np.array([Card(text).bit for text in table["watch"]], np.uint64)


def test_a_count_that_decides_everything_is_found() -> None:
    table = invented({"trump_jack": 3, "trump_nine": 2, "side_aces": 1}, at=5)
    count = fit(table, "pandoer", rules="pagat")
    assert count.held_out.agrees.mean > 0.97
    assert count.held_out.cost.mean < 0.2
    assert count.held_out.wins.mean == pytest.approx(count.held_out.best - count.held_out.cost.mean)
    assert {"trump_jack", "trump_nine", "side_aces"} <= set(count.features) | {"side_tops"}


def test_the_seed_decides_who_is_held_out() -> None:
    first = fit(STORED, "zwabber")
    assert fit(Frame.of(STORED), "zwabber") == first
    assert fit(STORED, "zwabber", seed=1).held_out != first.held_out


def test_options_of_a_fit() -> None:
    few = fit(STORED, "pandoer", most_terms=2, held_out=0.5)
    assert len(few.terms) <= 2
    assert few.held_out.hands == 104
    named = fit(STORED, "pandoer", features=["trumps", "side_aces"])
    assert set(named.features) <= {"trumps", "side_aces"}
    sure = fit(STORED, "pandoer", threshold=0.8)
    assert sure.held_out.worth < fit(STORED, "pandoer").held_out.worth
    assert "worth making: its chance is 80 % or more" in str(sure)
    assert "worth making: it wins on average" in str(fitted())


def test_where_points_are_written_a_half_is_worth_it() -> None:
    table = invented({"trump_jack": 3, "side_aces": 1}, at=3)
    table = {name.replace("pandoer", "130"): values for name, values in table.items() if name != "watch"}
    deck = ruleset("pandur").deck.bits
    table = {name: values[(table["hand"] & ~np.uint64(deck)) == 0] for name, values in table.items()}
    hands = len(table["hand"])
    rng = np.random.default_rng(2)
    shuffled = rng.permuted(np.tile([card.bit for card in ruleset("pandur").deck], (300, 1)), axis=1)[:, :8]
    own = made(("trump_jack", 3), ("side_aces", 1), name="130", rules="pandur", at=4)
    bits = shuffled.sum(axis=1).astype(np.uint64)
    chance = np.where(own.points_of(bits, bits * np.uint64(0)) >= 4, 0.75, 0.25)
    table = {
        "hand": bits, "130_chance": chance, "130_error": chance * 0, "130_expected": 2 * chance,
        "130_samples": chance * 100,
    }  # fmt: skip
    assert hands < 300
    count = fit(table, "130", rules="pandur")
    assert count.held_out.worth == pytest.approx((chance > 0.5).mean(), abs=0.1)
    assert count.held_out.best == pytest.approx(count.held_out.worth)
    assert count.held_out.agrees.mean > 0.9


@pytest.mark.parametrize(
    ("bid", "options", "said"),
    [
        ("130", {}, r"hands are (not )?worth making it with, expected at least 10"),
        ("pandoer", {"held_out": 0}, "held_out 0: expected a share between 0 and 1"),
        ("pandoer", {"held_out": 1.0}, "held_out 1.0"),
        ("pandoer", {"threshold": 50}, "threshold 50: expected a chance between 0 and 1"),
        ("pandoer", {"most_terms": 0}, "most_terms 0: expected at least 1"),
        ("pandoer", {"features": ["jacks"]}, "unknown feature 'jacks'"),
        ("pandoer", {"features": []}, "expected at least one feature"),
        ("piccolo", {}, "no chances of 'piccolo' in this table"),
    ],
)
def test_mistakes_in_a_fit_are_told(bid: str, options: dict[str, Any], said: str) -> None:
    with pytest.raises(PandoerError, match=said):
        fit(STORED, bid, **options)


def test_usual_features_exist() -> None:
    for rules in ("pagat", "wikipedia-nl", "pandur"):
        for bid in ruleset(rules).bids:
            names = usual_features(bid)
            assert set(names) <= set(FEATURES)
            assert len(set(names)) == len(names)
            assert ("trump_jack" in names) == (bid.trump != "none")
            assert any(name.startswith("called") for name in names) == (bid.partner == "called")


# Its forms


def test_a_count_shows_itself() -> None:
    count = fitted()
    first, *rest = str(count).splitlines()
    assert first == count.card
    assert len(rest) == 5
    assert re.match(r"chance 10 % from \d+ points, 25 % from", rest[0])
    assert repr(count) == f"<Count {count.card}>"
    page = count._repr_html_()
    assert page.startswith("<b>pandoer (pagat)</b><table><tr><td>")
    assert page.count("<tr>") == len(count.terms) + 1
    told = json.loads(json.dumps(count.to_dict()))
    assert told["card"] == count.card
    assert told["terms"][0] == {"feature": "trump_jack", "points": count.terms[0].points, "label": "trump jack"}
    assert told["held_out"]["agrees"]["mean"] == count.held_out.agrees.mean


def test_a_count_there_and_back() -> None:
    for count in (fitted(), fitted("misere"), fit(STORED, "pandoer", threshold=0.8), JACKS):
        assert Count.from_dict(json.loads(json.dumps(count.to_dict()))) == count
    own = replace(PAGAT, name="home")
    assert Count.from_dict(replace(JACKS, rules=own).to_dict(), own).rules is own


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"terms": None}, "expected one that to_dict gave"),
        ({"rules": "whist"}, "unknown ruleset 'whist'"),
        ({"bid": "whist"}, "unknown bid"),
        ({"terms": [{"feature": "jacks", "points": 1}]}, "unknown feature 'jacks'"),
        ({"curve": [1]}, "count \"{'bid': "),
        ({"held_out": {}}, "expected one that to_dict gave ('agrees')"),
        ({"start": ...}, "expected one that to_dict gave ('start')"),
    ],
)
def test_what_is_no_count_is_told(change: dict[str, Any], said: str) -> None:
    given = {name: value for name, value in (JACKS.to_dict() | change).items() if value is not ...}
    with pytest.raises(PandoerError) as caught:
        Count.from_dict(given)
    assert said in str(caught.value)


def test_counts_in_a_file(tmp_path: Path) -> None:
    file = tmp_path / "counts.json"
    file.write_text(json.dumps([JACKS.to_dict(), replace(JACKS, name="prive").to_dict()]))
    assert {name: count.name for name, count in load(file).items()} == {"pandoer": "pandoer", "prive": "prive"}
    file.write_text(json.dumps(JACKS.to_dict()))
    assert load(str(file)) == {"pandoer": JACKS}
    for text, said in (("[]", "no counts in"), ("x", "cannot read the counts in"), ("[3]", "count '3': expected one")):
        file.write_text(text)
        with pytest.raises(PandoerError, match=said):
            load(file)
    with pytest.raises(PandoerError, match=r"cannot read the counts in 'nowhere': .*No such file"):
        load("nowhere")


def test_the_counts_of_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sklearn", None)
    builtin.cache_clear()
    counts = builtin()
    assert counts == builtin("pagat")
    assert {"pandoer", "misere", "zwabber", "130", "prive", "kereltje"} <= set(counts)
    assert counts["pandoer"].bid(HAND, "SK")
    assert not counts["pandoer"].bid("S87 HKQ D8 CT97", "H7")
    assert not counts["prive"].bid(HAND, "SK")
    for name, count in counts.items():
        found = count.held_out
        assert (count.name, count.rules) == (name, PAGAT)
        assert found.wins.low <= found.wins.mean <= found.wins.high
        assert found.brier < found.base_brier
        assert found.wins.low > 0 or found.worth < 0.01  # of hands that are so rare few are held out
    with pytest.raises(PandoerError, match="no counts of 'pandur': expected one of pagat"):
        builtin("pandur")


def test_a_count_is_immutable_and_can_be_pickled() -> None:
    count = fitted()
    again = pickle.loads(pickle.dumps(count))
    assert again == count == copy.deepcopy(count)
    assert hash(again) == hash(count)
    assert again.points(HAND, WATCH) == count.points(HAND, WATCH)
    assert replace(count, threshold=1) != count
    with pytest.raises(FrozenInstanceError):
        count.threshold = 3  # type: ignore[misc]


def test_the_chance_rises_with_the_points() -> None:
    count = fitted()
    chances = count.chance(np.arange(-10, 60))
    assert (np.diff(chances) >= 0).all()
    assert 0 <= chances[0] < 0.2 < 0.8 < chances[-1] <= 1
    # A pandoer wins and loses the same, so it is worth making from a half on, or nearly so.
    assert count.chance(count.threshold - 2) < 0.5 < count.chance(count.threshold + 2)
    assert JACKS.chance([-2, 8, 13, 100]).tolist() == pytest.approx([0.05, 0.5, 0.725, 0.95])


def test_the_chance_is_that_of_the_hands() -> None:
    """Hands that were held out make the bid as often as their points say."""
    found = fitted().held_out
    assert len(found.bins) >= 4
    assert sum(part.low <= part.predicted <= part.high for part in found.bins) >= len(found.bins) - 1
    rows = Frame.of(first()).of_bid("pandoer")
    held = np.random.default_rng(0).permutation(len(rows))[: found.hands]
    chance, weight = rows.chance[held], rows.weight[held]
    predicted = fitted().chance(fitted().points_of(rows.hands[held], rows.watch[held]))
    deals = (predicted - 1) ** 2 * chance + predicted**2 * (1 - chance)
    assert found.brier == pytest.approx(np.average(deals, weights=weight))


def test_few_deals_a_hand_do_not_mislead_the_count() -> None:
    """With ten deals a hand many seem to be worth it that are not, and yet the count is hardly worse."""
    table = invented({"trump_jack": 3, "trump_nine": 2, "side_aces": 1}, at=5, hands=3000)
    rng = np.random.default_rng(1)
    true = np.where(table["pandoer_chance"] > 0, 0.7, 0.35)
    counted = rng.binomial(10, true) / 10
    table |= {"pandoer_chance": counted, "pandoer_expected": 10 * counted - 5, "pandoer_samples": counted * 0 + 10}
    assert ((counted > 0.5) != (true > 0.5)).mean() > 0.1
    count = fit(table, "pandoer", rules="pagat")
    bids = count.points_of(table["hand"], watches(table)) >= count.threshold
    assert (bids == (true > 0.5)).mean() > 0.97
    held = count.held_out
    assert held.agrees.mean < 0.92  # with a table that errs
    assert held.best > held.wins.high
    truth = float(np.maximum(10 * true - 5, 0).mean())
    assert held.wins.low < truth < held.best
    for part in held.bins:
        assert part.predicted == pytest.approx(part.found, abs=0.05)


def test_a_great_table_is_thinned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a rare bid all hands that ever make it are kept, and the others stand for more."""
    monkeypatch.setattr("pandoer.counts.MOST_HANDS", 400)
    chance = np.zeros(5000)
    chance[:60] = 0.4
    rows = np.random.default_rng(3).permutation(5000)
    kept, stands_for = _thinned(rows, chance)
    assert len(kept) == len({*kept.tolist()}) == 400
    assert stands_for[chance[kept] > 0].tolist() == [1.0] * 60
    assert stands_for.sum() == pytest.approx(5000)
    assert float(stands_for @ chance[kept]) == pytest.approx(chance.sum())
    chance[:4500] = 0.4
    kept, stands_for = _thinned(rows, chance)
    assert (chance[kept] > 0).mean() == pytest.approx(0.9)
    assert stands_for.sum() == pytest.approx(5000)
    kept, stands_for = _thinned(rows[:400], chance)
    assert sorted(kept) == sorted(rows[:400])
    assert stands_for.tolist() == [1.0] * 400
    table = invented({"trump_jack": 3, "trump_nine": 2, "side_aces": 1}, at=5, hands=2000)
    count = fit(table, "pandoer", rules="pagat")
    assert (count.held_out.hands, count.held_out.fitted) == (500, 400)
    assert count.held_out.agrees.mean > 0.95


def test_a_table_without_watch_cards_counts_eight_cards() -> None:
    table = invented({"trump_jack": 3, "side_aces": 2}, at=5)
    count = made(("trump_jack", 3), ("side_aces", 2), rules="wikipedia-nl", at=5)
    unknown = np.zeros(len(table["hand"]), np.uint64)
    good = count.points_of(table["hand"], unknown) >= 5
    table |= {
        "watch": np.full(len(good), None), "pandoer_chance": good * 0.8 + 0.1, "pandoer_expected": good * 10.0 - 5,
        "pandoer_plan": np.full(len(good), None),
    }  # fmt: skip
    found = fit(table, "pandoer", rules="wikipedia-nl", features=["trump_jack", "trump_nine", "side_aces", "voids"])
    assert found.features == ("trump_jack", "side_aces")
    assert found.held_out.agrees.mean == 1
    assert found.held_out.cost.mean == 0
    assert found.plan("SJ9A HKQ D8 CT7").discard is None
