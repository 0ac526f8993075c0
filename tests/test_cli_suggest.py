"""The command ``pandoer suggest``: which card now."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import pandoer
from pandoer.cli.suggest import answer
from pandoer.problems import Play
from pandoer.suggest import CardChance, Suggestion
from tests.commands import Run, mistake
from tests.test_cli import PROBLEM, lines, start

DECLARER = ("suggest", "SJ S9 SA HK HQ D8 CT C7", "--rules", "pagat", "--contract", "pandoer", "--trump", "S",
            "--called", "HA", "--discard", "H7", "--worlds", "20")  # fmt: skip
VIEW: dict[str, Any] = {
    "rules": "pagat", "contract": "pandoer", "trump": "S", "called": "HA", "seat": 1, "watch": "H7",
    "hand": "SQ S7 HA H9 H8 DA D9 C8", "plays": ["SJ", "SQ", "S8", "SK", "HK"],
}  # fmt: skip
PARTNER = ("suggest", VIEW["hand"], "--rules", "pagat", "--contract", "pandoer", "--trump", "S", "--called", "HA",
           "--watch", "H7", "--plays", "SJ SQ S8 SK | HK", "--worlds", "20")  # fmt: skip
PANDUR = ("suggest", "CJ C9 CA CK HA HK DA SA", "--rules", "pandur", "--contract", "150", "--trump", "C")


def test_json_is_that_of_the_library(run: Run) -> None:
    ran = run(*PARTNER, "--seed", "4", "--json")
    assert (ran.status, ran.err) == (0, "")
    assert ran.json == pandoer.suggest(VIEW, worlds=20, seed=4).to_json()
    ahead = run(*DECLARER, "--depth", "2", "--json").json
    view = {**VIEW, "seat": 0, "hand": DECLARER[1], "discard": "H7", "plays": [], "watch": None}
    assert ahead == pandoer.suggest(view, worlds=20, depth=2).to_json()
    assert ahead["depth"] == 2


def test_cards_that_have_been_played_may_be_left_out(run: Run) -> None:
    argv = ("suggest", "S7 HA H9 H8 DA D9 C8", *PARTNER[2:])
    assert run(*argv, "--json").json == run(*PARTNER, "--json").json
    turn = ("--rules", "pagat", "--contract", "piccolo-ouvert", "--trump", "S", "--plays", "H8 H9 HA H7 | CA",
            "--worlds", "10", "--json")  # fmt: skip
    held, declarer = "SQ S7 DA D9 DK DT CJ", "SJ S9 HK HQ D8 CT C7"
    open_hand = run("suggest", held, *turn, "--shown", f"0:{declarer}").json
    assert open_hand == run("suggest", f"{held} H7", *turn, "--shown", f"0:{declarer} H8").json


def test_in_words(run: Run) -> None:
    found = pandoer.suggest(VIEW, worlds=20)
    out = run(*PARTNER).out.splitlines()
    assert out[:3] == [
        "pagat: pandoer, trump ♠, called HA, declarer seat 0, you are seat 1",
        "1. seat 0: ♠J ♠Q ♠8 ♠K, won by seat 0, 25 points",
        "2. seat 0: ♥K",
    ]
    rows = [line.split("  ")[0] for line in out[out.index("") + 2 :]][: len(found.cards)]
    assert rows == [card.play.text(symbols=True) for card in found.cards]
    assert "You play against it" not in " ".join(out)
    assert "over 20 deals that agree with what you know: all hands known after the card." in " ".join(out)
    opponent = ("suggest", "SQ S7 HT H9 H8 DA D9 C8", *PARTNER[2:])
    assert "You play against it, and a low one is good for you." in " ".join(run(*opponent).out.split())
    ahead = " ".join(run(*DECLARER, "--depth", "2").out.split())
    assert "the declarer chooses 2 cards, this one included, before he sees all hands." in ahead


def test_in_another_language(run: Run) -> None:
    argv = ("suggest", "SV S7 HA H9 H8 DA D9 C8", *PARTNER[2:-4], "--plays", "SB SV S8 SH | HH", "--worlds", "20",
            "--lang", "nl")  # fmt: skip
    assert run(*argv, "--json").json == run(*PARTNER, "--json").json
    assert "1. seat 0: ♠B ♠V ♠8 ♠H, won by seat 0" in run(*argv).out


def test_an_exact_suggestion_has_no_interval(run: Run) -> None:
    out = run(*PANDUR, "--worlds", "20000").out
    assert "interval" not in out
    assert "over all 12,870 deals that agree with what you know" in " ".join(out.split())
    assert run(*PANDUR, "--players", "2", "--bottom", "D9", "--worlds", "5").status == 0


def test_a_look_ahead_that_takes_too_long_is_not_claimed() -> None:
    view = {**VIEW, "seat": 0, "hand": DECLARER[1], "discard": "C8", "plays": [], "watch": None}
    cut_short = pandoer.suggest(view, worlds=10, depth=3, most_nodes=1)
    assert cut_short.depth == 1
    assert cut_short.to_json() == pandoer.suggest(view, worlds=10).to_json()


def test_points_of_a_contract_without_a_target() -> None:
    from pandoer.cli.suggest import suggestion_in_words  # noqa: PLC0415

    card = CardChance(Play(pandoer.Card("SJ")), None, None, None, 71.25, 4)
    found = Suggestion(pandoer.view_of(VIEW), (card,), 4, False, 1)
    assert str(suggestion_in_words(found, "en")[2]).startswith("The declaring side's count, over 4 deals")


# Mistakes

MISTAKES = {
    "nothing": (("suggest",), "hand"),
    "no contract": (("suggest", "SJ S9"), "contract"),
    "unknown card": ((*PARTNER[:1], "SX", *PARTNER[2:]), "'SX'"),
    "seven cards": (("suggest", "SJ S9 SA HK HQ D8 CT", *DECLARER[2:]), "♠AJ9 ♥KQ ♦8 ♣T"),
    "no discard": (DECLARER[:-4], "expected discard"),
    "unknown play": ((*PARTNER, "--plays", "SJ S1"), "'S1'"),
    "a trick of five": ((*PARTNER, "--plays", "SJ SQ S8 SK HK | D7"), "5 cards"),
    "not your turn": (
        ("suggest", "S8 CK CQ C9 DK DQ DJ D7", *PARTNER[2:], "--seat", "2"),
        "seat 2 is not to play: it is the turn of seat 1",
    ),
    "no such seat": ((*PARTNER, "--seat", "4"), "seat 4: expected 0 to 3"),
    "no such leader": ((*PARTNER, "--leader", "-1"), "leader -1: expected 0 to 3"),
    "no such bidder": ((*PARTNER, "--bidders", "1,9"), "9"),
    "shown without a seat": ((*PARTNER, "--shown", "SA"), "'SA'"),
    "own cards shown": ((*PARTNER, "--shown", "1:SA"), "shown of seat 1"),
    "few cards shown": ((*PARTNER, "--shown", "2:SA"), "♠A8"),
    "no worlds": ((*PARTNER, "--worlds", "0"), "worlds 0"),
    "too deep": ((*DECLARER, "--depth", "9"), "depth 9"),
    "negative seed": ((*DECLARER, "--seed", "-3"), "-3"),
    "bottom card in the hand": ((*PANDUR, "--players", "2", "--bottom", "CJ"), "'CJ'"),
    "jsonl with a hand": (("suggest", "SJ", "--jsonl"), "'SJ'"),
    "jsonl with an option": (("suggest", "--jsonl", "--seed", "0"), "seed 0"),
}  # fmt: skip


@pytest.mark.parametrize(("argv", "quoted"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_is_told_in_one_line(run: Run, argv: tuple[str, ...], quoted: str) -> None:
    assert quoted in mistake(run(*argv))


# JSON lines


def test_jsonl_answers_in_order(run: Run) -> None:
    first = {**VIEW, "worlds": 10, "depth": 2, "seed": 7, "id": "a"}
    ran = run("suggest", "--jsonl", stdin=lines(first, "", {**VIEW, "worlds": 5}, "oops", first))
    assert (ran.status, ran.err) == (1, "")
    one, two, bad, again = map(json.loads, ran.out.splitlines())
    assert one == again == {"id": "a", **pandoer.suggest(VIEW, worlds=10, depth=2, seed=7).to_json()}
    assert two == pandoer.suggest(VIEW, worlds=5).to_json()
    assert "'oops'" in bad["error"]
    without_seat = {key: VIEW[key] for key in VIEW if key != "seat"}
    assert answer({**without_seat, "worlds": 5}) == two
    assert run("suggest", "--jsonl", stdin=lines({**VIEW, "worlds": 5})).status == 0


def test_a_view_of_the_library_is_a_line(run: Run) -> None:
    view = pandoer.view_of(VIEW)
    ran = run("suggest", "--jsonl", stdin=lines({**view.to_json(), "worlds": 10}))
    assert ran.json == pandoer.suggest(view, worlds=10).to_json()


def test_jsonl_answers_each_line_as_it_comes() -> None:
    with start("suggest", "--jsonl") as bot:
        assert bot.stdin is not None
        assert bot.stdout is not None
        for n in range(3):
            bot.stdin.write(lines({**VIEW, "id": n, "worlds": 3}).encode())
            bot.stdin.flush()
            assert json.loads(bot.stdout.readline())["id"] == n
        bot.stdin.close()
        assert bot.wait(10) == 0


@pytest.mark.parametrize("key", [*VIEW, "declarer", "players", "leader", "discard", "bottom", "shown", "bidders",
                                 "worlds", "depth", "seed"])  # fmt: skip
def test_jsonl_tells_what_is_wrong_with_each_key(run: Run, key: str) -> None:
    wrong: list[Any] = [-1, 9, 1.5, True, "", "x", [], [5], [[]], {}, {"9": 1}, {"0": 5}, None]
    right: dict[str, tuple[Any, ...]] = {
        "called": (None,), "plays": ([],), "shown": ({}, [], "", None), "bidders": ([],), "seat": (None,),
        "watch": (None,), "bottom": (None,), "discard": (None,), "leader": (None,), "worlds": (9,), "seed": (9,),
    }  # fmt: skip
    views = [{**VIEW, "worlds": 2, key: value} for value in wrong if value not in right.get(key, ())]
    answers = [json.loads(line) for line in run("suggest", "--jsonl", stdin=lines(*views)).out.splitlines()]
    for view, found in zip(views, answers, strict=True):
        assert list(found) == ["error"], (view[key], found)
        assert "object" not in found["error"] or "expected" in found["error"], (view[key], found)
        assert "Error" not in found["error"], (view[key], found)


def test_a_problem_is_no_view(run: Run) -> None:
    ran = run("suggest", "--jsonl", stdin=lines(PROBLEM, [1], 7))
    assert ran.status == 1
    problem, *others = map(json.loads, ran.out.splitlines())
    assert "unknown key 'hands'" in problem["error"]
    assert all("expected an object" in other["error"] for other in others)


def test_what_is_hidden_does_not_matter(run: Run) -> None:
    """The same for every deal behind a view, since it is asked for by the view alone."""
    view = pandoer.view_of(VIEW)
    deals, _ = view.worlds(4, np.random.SeedSequence(5))
    printed = set()
    for deal in deals:
        hands = [pandoer.Hand.from_bits(bits) for bits in deal]
        out = view.contract.rules.deck - pandoer.Hand.from_bits(int(np.bitwise_or.reduce(deal)))
        record = pandoer.replay(pandoer.Deal(hands, discard=out.cards[0]), view.contract, VIEW["plays"])
        own = pandoer.view_of(record, watch=pandoer.Card("H7"))
        printed.add(run("suggest", "--jsonl", stdin=lines({**own.to_json(), "worlds": 8})).out)
    assert len(printed) == 1
