"""Players choose by what they may know, the same card for the same seed, and are no better than all cards known."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from pandoer import Contract, Deal, Hand, PandoerError, Ruleset, ruleset, solve_many
from pandoer.match import Match, play_out
from pandoer.players import PLAYERS, AlphaMu, MonteCarlo, Player, RandomPlayer, RulePlayer, by_rules, player
from pandoer.rulesets import RULESETS
from tests.seers import Seer
from tests.test_view import dealt

KINDS: tuple[Player, ...] = (RandomPlayer(), RulePlayer(), MonteCarlo(6), AlphaMu(6, 2), AlphaMu(3, 3))


def match(name: str | Ruleset, number: int, players: int | None = None) -> Match | None:
    """A random deal with a random contract, before the first lead."""
    rules, rng = ruleset(name), np.random.default_rng(number)
    found = dealt(rules, players or rules.players[0], rng)
    if found is None:
        return None
    deal, contract, watch = found
    return Match.begin(deal, contract, watch=watch)


def matches(name: str | Ruleset, most: int) -> list[Match]:
    """So many of them."""
    rules = ruleset(name)
    found = (match(name, number, rules.players[number % len(rules.players)]) for number in range(5 * most))
    return [one for one in found if one is not None][:most]


def at_random(begun: Match, cards: int, number: int) -> Match:
    """The match after so many random cards, or when it is settled."""
    for card in range(cards):
        if begun.history.finished or begun.made is not None:
            break
        begun = begun.after(RandomPlayer().play(begun.view(), np.random.SeedSequence(number, spawn_key=(card,))))
    return begun


@pytest.mark.parametrize("name", RULESETS)
def test_hidden_cards_do_not_matter(name: Ruleset) -> None:
    exchanged = 0
    for number, begun in enumerate(matches(name, 10)):
        now = at_random(begun, 3 * number, number)
        if now.history.finished:
            continue
        view = now.view()
        for row in view.worlds(3, np.random.SeedSequence(number))[0]:
            hands = [Hand.from_bits(int(bits)) for bits in row]
            gone = now.contract.rules.deck - Hand.from_bits(int(row.sum()))
            discard = None if begun.deal.discard is None else (view.discard or next(iter(gone)))
            other = Match.begin(
                Deal(hands, discard=discard), now.contract, watch=now.watch if view.watch is not None else discard
            )
            for play in now.history.plays:
                other = other.after(play)
            exchanged += hands != [*now.deal.hands]
            for kind in KINDS:
                seed = np.random.SeedSequence(number)
                assert kind.play(other.view(), seed) == kind.play(view, seed), f"{kind}\n{view}"
    assert exchanged


@pytest.mark.parametrize("name", RULESETS)
def test_every_kind_plays_whole_deals_legally(name: Ruleset) -> None:
    for number, begun in enumerate(matches(name, 6)):
        kinds = [KINDS[(number + seat) % 4] for seat in range(begun.history.players)]
        ended = play_out(begun, kinds, np.random.SeedSequence(number), to_the_end=True)
        assert ended.history.finished
        assert ended.record.finished


def test_the_same_seed_gives_the_same_cards_with_any_number_of_threads() -> None:
    begun = [(kind, one) for name in ("wikipedia-nl", "pandur") for one in matches(name, 2) for kind in KINDS[:4]]

    def played(task: tuple[Player, Match]) -> tuple[object, ...]:
        kind, one = task
        return play_out(one, [kind] * one.history.players, np.random.SeedSequence(5)).history.plays

    alone = [played(task) for task in begun]
    assert alone == [played(task) for task in begun]
    for threads in (2, 5):
        with ThreadPoolExecutor(threads) as executor:
            assert [*executor.map(played, begun)] == alone


def known(begun: Match) -> bool:
    """Whether a deal is made double-dummy."""
    deals = np.array([[hand.bits for hand in begun.deal.hands]], np.uint64)
    return bool(solve_many(deals, begun.contract, threads=1, exact=False)[0])


@pytest.mark.parametrize("name", RULESETS)
def test_nobody_beats_double_dummy_when_all_others_see(name: Ruleset) -> None:
    lost = 0
    for number, begun in enumerate(matches(name, 12)):
        contract: Contract = begun.contract
        if contract.objective.counts is not None and contract.target is None:
            continue
        others: list[Player] = [Seer(begun.deal, seat == begun.partner) for seat in range(begun.history.players)]
        best = known(begun)
        for kind in (*KINDS[:4], Seer(begun.deal, True)):
            made = play_out(begun, [kind, *others[1:]], np.random.SeedSequence(number)).made
            assert made is not None
            assert made <= best
            if isinstance(kind, Seer):
                assert made == best
            lost += best and not made
    assert lost >= 0


def test_rules_of_thumb_rank_every_legal_play_once() -> None:
    for name in RULESETS:
        for number, begun in enumerate(matches(name, 8)):
            now = at_random(begun, 2 * number + 1, number)
            if not now.history.finished:
                assert sorted(map(str, by_rules(now.view()))) == sorted(map(str, now.view().legal))


def test_one_legal_card_is_played_without_a_thought() -> None:
    begun = next(iter(matches("pagat", 1)))
    now = begun
    while not now.history.finished:
        view = now.view()
        if len(view.legal) == 1:
            assert {kind.play(view, np.random.SeedSequence(1)) for kind in KINDS} == {view.legal[0]}
        now = now.after(view.legal[0])


def test_players_by_name() -> None:
    assert {name: type(player(name)) for name in PLAYERS} == dict(PLAYERS)
    assert player("pimc", worlds=7) == MonteCarlo(7)
    assert player("alphamu", worlds=7, depth=3) == AlphaMu(7, 3)
    assert [str(player(name)) for name in PLAYERS] == ["random", "rules", "pimc(20)", "alphamu(20, 2)"]


@pytest.mark.parametrize("name", ["", "PIMC", "alpha-mu", "best"])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(PandoerError, match=f"player '{name}': expected one of random, rules, pimc, alphamu"):
        player(name)


@pytest.mark.parametrize("value", [0, -3, 1.5, True, "20"])
def test_numbers_that_are_not_whole_and_positive_are_refused(value: object) -> None:
    with pytest.raises(PandoerError, match=rf"worlds {value!r}: expected a whole number, 1 or more"):
        MonteCarlo(value)  # type: ignore[arg-type]
    with pytest.raises(PandoerError, match=rf"worlds {value!r}: "):
        player("alphamu", worlds=value)  # type: ignore[arg-type]
    with pytest.raises(PandoerError, match=rf"depth {value!r}: "):
        AlphaMu(20, value)  # type: ignore[arg-type]
