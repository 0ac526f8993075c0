"""Playing a deal out: the verdict is that of a replay, and nobody plays what he may not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

from pandoer import Match, PandoerError, Play, RandomPlayer, RulePlayer, View, play_out, ruleset
from pandoer.rulesets import RULESETS
from tests.test_view import dealt


@pytest.mark.parametrize("name", [rules.name for rules in RULESETS])
def test_a_match_is_settled_when_its_replay_is(name: str) -> None:
    rng = np.random.default_rng(11)
    rules, done = ruleset(name), 0
    while done < 15:
        if (found := dealt(rules, rules.players[0], rng)) is None:
            continue
        deal, contract, watch = found
        match = Match.begin(deal, contract, watch=watch)
        record = match.record
        while not record.finished:
            assert match.made == record.made
            assert set(match.view().legal) == set(record.legal)
            play = record.legal[int(rng.integers(len(record.legal)))]
            match, record = match.after(play), record.play(play)
        assert match.made == record.made
        assert match.record == record
        done += 1


def begun() -> Match:
    rng = np.random.default_rng(12)
    found = None
    while found is None:
        found = dealt(ruleset("pagat"), 4, rng)
    deal, contract, watch = found
    return Match.begin(deal, contract, watch=watch)


def test_play_stops_when_it_is_settled() -> None:
    players, seed = [RulePlayer()] * 4, np.random.SeedSequence(3)
    short = play_out(begun(), players, seed)
    long = play_out(begun(), players, seed, to_the_end=True)
    assert long.history.finished
    assert long.history.plays[: len(short.history.plays)] == short.history.plays
    assert short.made == long.made


def test_a_seed_gives_the_same_play() -> None:
    players = [RandomPlayer()] * 4
    first, again, other = (
        play_out(begun(), players, np.random.SeedSequence(seed), to_the_end=True) for seed in (4, 4, 5)
    )
    assert first == again
    assert first.history.plays != other.history.plays


@dataclass(frozen=True)
class Cheat:
    """Plays a card that may not be played."""

    def play(self, view: View, seed: np.random.SeedSequence) -> Play:
        legal = {play.card for play in view.legal}
        return Play(next(card for card in view.contract.rules.deck if card not in legal))


def test_an_illegal_card_is_an_error() -> None:
    with pytest.raises(PandoerError, match=r"of seat 0: expected one of"):
        play_out(begun(), [Cheat()] * 4, np.random.SeedSequence(1))
    with pytest.raises(PandoerError, match="3 players: expected one for each of 4 seats"):
        play_out(begun(), [Cheat()] * 3, np.random.SeedSequence(1))


def test_it_can_be_broken_off() -> None:
    def check() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        play_out(begun(), [RulePlayer()] * 4, np.random.SeedSequence(1), check=check)
