"""The objectives as automata: by example, and against a direct reading of RULES.md section 4."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Iterator
from itertools import product

import pytest

from pandoer.objectives import (
    ALL,
    EXACTLY_ONE,
    FIRST_ONLY,
    JACK_ONLY,
    LOST,
    LOST_CODE,
    MADE_CODE,
    NONE,
    OBJECTIVES,
    POINTS,
    STATES,
    TRICKS,
    TRICKS_WON,
    ZWABBER_CALLED,
    ZWABBER_EN,
    ZWABBER_NL,
    Automaton,
    Objective,
    Seats,
    automaton,
    replay,
    settled,
)

YES_OR_NO = [objective for objective in OBJECTIVES if objective.counts is None]
WITH_PARTNER = (ALL, NONE, ZWABBER_CALLED)

Won = tuple[int, bool]
"""Who won a trick, and whether with the trump jack."""


# A direct reading of RULES.md section 4


def made(objective: Objective, seats: Seats, tricks: tuple[Won, ...]) -> bool:
    """Whether the tricks of a whole game make the contract."""
    winners = [winner for winner, _ in tricks]
    declarer, side = seats.declarer, seats.side
    others = {winner for winner in winners if winner != declarer}
    own = [number for number, winner in enumerate(winners) if winner == declarer]
    match objective.name:
        case "all":
            return all(winner in side for winner in winners)
        case "none":
            return all(winner not in {declarer, *seats.joined} for winner in winners)
        case "exactly-one":
            return len(own) == 1
        case "first-only":
            return own == [0]
        case "jack-only":
            return len(own) == 1 and tricks[own[0]] == (declarer, True)
        case "zwabber-called":
            first, last = winners[:4], winners[4:]
            return all(winner == declarer for winner in first) and all(winner in side for winner in last)
        case "zwabber-nl":
            return len(winners) > 4 and own[:4] == [0, 1, 2, 3] and len(others) == 1
        case "zwabber-en":
            return len(others) <= 1
    raise AssertionError(objective)


def declaring_side(objective: Objective, seats: Seats, tricks: tuple[Won, ...]) -> set[int]:
    """Who is on the declaring side once these tricks have been won."""
    joined = [winner for winner, _ in tricks if winner != seats.declarer]
    return {*seats.side, *joined[:1]} if objective.joins else {*seats.side}


# Walking the tables


def entry(machine: Automaton, state: int, trick: int, won: Won) -> int:
    """The code after a trick."""
    winner, with_jack = won
    return machine.next[((state * TRICKS + trick) * 4 + winner) * 2 + with_jack]


def verdict(machine: Automaton, tricks: tuple[Won, ...]) -> bool:
    """What the tables say of the tricks of a whole game."""
    state = 0
    for number, won in enumerate(tricks):
        code = entry(machine, state, number, won)
        if code in (MADE_CODE, LOST_CODE):
            return code == MADE_CODE
        state = code
    raise AssertionError("the last trick is over and nothing is decided")


def seatings(objective: Objective, players: int, declarer: int) -> Iterator[Seats]:
    """Every side that the objective may have."""
    yield Seats(declarer, frozenset({declarer}), players)
    if objective in WITH_PARTNER:
        for partner in set(range(players)) - {declarer}:
            yield Seats(declarer, frozenset({declarer, partner}), players)
    if objective is NONE and players == 4:
        yield Seats(declarer, frozenset({declarer, (declarer + 1) % 4, (declarer + 2) % 4}), players)


def all_seatings(objective: Objective) -> Iterator[Seats]:
    for players in (2, 3, 4):
        for declarer in range(players):
            yield from seatings(objective, players, declarer)


def outcomes(seats: Seats) -> list[Won]:
    return list(product(range(seats.players), (False, True)))


@pytest.mark.parametrize("objective", YES_OR_NO, ids=str)
@pytest.mark.parametrize("end", [1, 2, 3])
def test_every_game_of_few_tricks(objective: Objective, end: int) -> None:
    for seats in all_seatings(objective):
        machine = automaton(objective, seats, end)
        for tricks in product(outcomes(seats), repeat=end):
            assert verdict(machine, tricks) == made(objective, seats, tricks), (seats, tricks)


@pytest.mark.parametrize("objective", YES_OR_NO, ids=str)
@pytest.mark.parametrize("end", [5, 8])
def test_random_games_of_many_tricks(objective: Objective, end: int) -> None:
    rng = random.Random(f"{objective} {end}")
    results = set()
    for seats in all_seatings(objective):
        machine = automaton(objective, seats, end)
        # Games in which few win, and the declarer the first tricks, are the ones that may be made.
        for _ in range(300):
            few = rng.sample(range(seats.players), rng.randint(1, 2))
            first = [seats.declarer] * rng.choice((0, 0, 1, 3, 4))
            winners = first + rng.choices(few, k=end - len(first))
            jack = rng.randrange(end)
            tricks = tuple((winner, number == jack) for number, winner in enumerate(winners))
            result = made(objective, seats, tricks)
            assert verdict(machine, tricks) == result, (seats, tricks)
            results.add(result)
    assert results == {True, False}


@pytest.mark.parametrize("objective", YES_OR_NO, ids=str)
def test_every_game_of_eight_tricks_between_two(objective: Objective) -> None:
    for seats in seatings(objective, 4, 1):
        machine = automaton(objective, seats, TRICKS)
        for other in (0, 2, 3):
            for winners in product((1, other), repeat=TRICKS):
                for jack in (None, *range(TRICKS)):
                    tricks = tuple((winner, number == jack) for number, winner in enumerate(winners))
                    assert verdict(machine, tricks) == made(objective, seats, tricks), (seats, tricks)


# Decided early, side and avoid: what each entry says of everything that may follow


def endings(objective: Objective, seats: Seats, before: tuple[Won, ...], end: int) -> dict[tuple[Won, ...], bool]:
    """The result of every way to go on."""
    rest = end - len(before)
    return {more: made(objective, seats, (*before, *more)) for more in product(outcomes(seats), repeat=rest)}


def to_avoid(players: int, results: dict[tuple[Won, ...], bool]) -> int:
    """The seats of which none may win a trick any more, when that is exactly what is asked; else 0."""
    masks = [
        mask
        for mask in range(1, 1 << players)
        if all(result == (not any(mask >> winner & 1 for winner, _ in more)) for more, result in results.items())
    ]
    assert len(masks) <= 1
    return masks[0] if masks else 0


def check_entries(objective: Objective, seats: Seats, end: int, start: tuple[Won, ...]) -> None:
    """Walk every way to go on from `start`, and hold each entry against all that may follow."""
    machine = automaton(objective, seats, end)
    state = 0
    for number, won in enumerate(start):
        state = entry(machine, state, number, won)
    reached = [(start, state)]
    while reached:
        before, state = reached.pop()
        number = len(before)
        side = sum(1 << seat for seat in declaring_side(objective, seats, before))
        assert machine.side[state] == side, (seats, before)
        results = endings(objective, seats, before, end)
        avoid = machine.avoid[state * TRICKS + number]
        expected = to_avoid(seats.players, results)
        # A contract that was hopeless before the first trick may leave it open.
        assert avoid == expected or (avoid == 0 and len(set(results.values())) == 1), (seats, before)
        check_alone(machine, state, number, side, results)
        for won in outcomes(seats):
            then = (*before, won)
            code = entry(machine, state, number, won)
            what_follows = {result for more, result in results.items() if more[0] == won}
            if code in (MADE_CODE, LOST_CODE):
                assert what_follows == {code == MADE_CODE}, (seats, then)
            else:
                assert what_follows == {True, False}, (seats, then)
                reached.append((then, code))


def check_alone(machine: Automaton, state: int, number: int, side: int, results: dict[tuple[Won, ...], bool]) -> None:
    """What is said of a player alone on his side: the tricks that he must win, or has to win, or owes."""
    tables = (machine.must, machine.enough, machine.owe, machine.share)
    must, enough, owe, share = (table[state * TRICKS + number] for table in tables)
    if side & (side - 1):
        assert must == enough == owe == share == 0
        return
    own = side.bit_length() - 1
    for more, result in results.items():
        run = next((i for i, (winner, _) in enumerate(more) if winner != own), len(more))
        if result:
            assert run >= must
        if enough and run >= enough:
            assert result
        if share and run == share - 1 < len(more):
            assert result == all(winner in (own, more[run][0]) for winner, _ in more[run:])
        if share and run < share - 1:
            assert not result
        if owe:
            won = [jack for winner, jack in more if winner == own]
            # Any trick will do, or only one with the jack.
            assert not result or len(won) == 1
            assert result or len(won) != 1 or won == [False]
    if owe:
        assert owe == side


def test_alone_by_example() -> None:
    def tables(objective: Objective, state: int, trick: int, *partners: int) -> tuple[int, int, int, int]:
        machine = automaton(objective, Seats(0, frozenset({0, *partners}), 4), TRICKS)
        index = state * TRICKS + trick
        return machine.must[index], machine.enough[index], machine.owe[index], machine.share[index]

    assert tables(ALL, 0, 0) == (8, 8, 0, 0)
    assert tables(ALL, 0, 3) == (5, 5, 0, 0)
    assert tables(ALL, 0, 0, 2) == (0, 0, 0, 0)
    assert tables(NONE, 0, 0) == (0, 0, 0, 0)
    assert tables(EXACTLY_ONE, 0, 0) == (0, 0, 1, 0)
    assert tables(EXACTLY_ONE, 1, 3) == (0, 0, 0, 0)
    assert tables(JACK_ONLY, 0, 5) == (0, 0, 1, 0)
    assert tables(ZWABBER_EN, 0, 0) == (0, 7, 0, 1)
    assert tables(ZWABBER_NL, 0, 0) == (4, 0, 0, 5)
    assert tables(ZWABBER_NL, 0, 5) == (0, 0, 0, 1)
    assert tables(ZWABBER_NL, 2, 5) == (0, 0, 0, 0)


@pytest.mark.parametrize("objective", YES_OR_NO, ids=str)
def test_entries_of_a_game_of_three_tricks(objective: Objective) -> None:
    for players in (2, 3, 4):
        for seats in seatings(objective, players, players - 1):
            check_entries(objective, seats, 3, ())


@pytest.mark.parametrize("objective", YES_OR_NO, ids=str)
@pytest.mark.parametrize("own", [0, 1, 4])
def test_entries_of_the_last_tricks_of_eight(objective: Objective, own: int) -> None:
    """The declarer won the first `own` tricks, and the next player the others, of the first five."""
    for seats in seatings(objective, 4, 2):
        start = ((2, False),) * own + ((3, False),) * (5 - own)
        if len(set(endings(objective, seats, start, 8).values())) == 2:
            check_entries(objective, seats, 8, start)


def test_avoid_by_example() -> None:
    def avoid(objective: Objective, state: int, trick: int, partner: int = 2) -> int:
        side = {0, partner} if objective in WITH_PARTNER else {0}
        machine = automaton(objective, Seats(0, frozenset(side), 4), TRICKS)
        return machine.avoid[state * TRICKS + trick]

    assert avoid(ALL, 0, 0) == 0b1010
    assert avoid(NONE, 0, 0) == 0b0001
    joined = automaton(NONE, Seats(0, frozenset({0, 2}), 4, frozenset({2})), TRICKS)
    assert joined.avoid[0] == 0b0101
    assert avoid(EXACTLY_ONE, 0, 0) == 0
    assert avoid(EXACTLY_ONE, 1, 3) == 0b0001
    assert avoid(EXACTLY_ONE, 0, 7) == 0b1110
    assert avoid(FIRST_ONLY, 0, 0) == 0
    assert avoid(FIRST_ONLY, 0, 1) == 0b0001
    assert avoid(JACK_ONLY, 0, 7) == 0
    assert avoid(JACK_ONLY, 1, 7) == 0b0001
    assert avoid(ZWABBER_CALLED, 0, 3) == 0
    assert avoid(ZWABBER_CALLED, 0, 4) == 0b1010
    assert avoid(ZWABBER_EN, 0, 0) == 0
    assert avoid(ZWABBER_EN, 3, 1) == 0b1010
    assert avoid(ZWABBER_NL, 0, 7) == 0b0001
    assert avoid(ZWABBER_NL, 2, 5) == 0b1100


def test_shun_and_jack_by_example() -> None:
    def entries(objective: Objective, state: int) -> tuple[list[int], list[int]]:
        machine = automaton(objective, Seats(1, frozenset({1}), 4), TRICKS)
        places = slice(state * TRICKS, (state + 1) * TRICKS)
        return list(machine.shun[places]), list(machine.jack[places])

    nothing, declarer = [0] * TRICKS, [0b0010] * TRICKS
    assert entries(NONE, 0) == (declarer, nothing)
    assert entries(FIRST_ONLY, 0) == ([0, *declarer[1:]], nothing)
    assert entries(EXACTLY_ONE, 0) == (nothing, nothing)
    assert entries(EXACTLY_ONE, 1) == ([0, *declarer[1:]], nothing)
    assert entries(JACK_ONLY, 0) == (declarer, declarer)
    assert entries(JACK_ONLY, 1) == ([0, *declarer[1:]], nothing)
    assert entries(ALL, 0) == (nothing, nothing)


# By example, in eight tricks


def game(text: str, jack: int | None = None) -> tuple[Won, ...]:
    """The winners of eight tricks; `jack` is the number of the trick that the trump jack won."""
    return tuple((int(winner), number == jack) for number, winner in enumerate(text))


@pytest.mark.parametrize(
    ("objective", "partner", "tricks", "expected"),
    [
        (ALL, None, game("00000000"), True),
        (ALL, None, game("00000001"), False),
        (ALL, 2, game("20202020"), True),
        (ALL, 2, game("20202021"), False),
        (NONE, None, game("12312312"), True),
        (NONE, None, game("12312310"), False),
        (NONE, 2, game("13131313"), True),
        (NONE, 2, game("13131312"), True),
        (NONE, 2, game("13131310"), False),
        (EXACTLY_ONE, None, game("12301231"), True),
        (EXACTLY_ONE, None, game("12301230"), False),
        (EXACTLY_ONE, None, game("12312312"), False),
        (FIRST_ONLY, None, game("01231231"), True),
        (FIRST_ONLY, None, game("01231230"), False),
        (FIRST_ONLY, None, game("12312310"), False),
        (JACK_ONLY, None, game("12301231", jack=3), True),
        (JACK_ONLY, None, game("12301231"), False),
        (JACK_ONLY, None, game("12301231", jack=4), False),
        (JACK_ONLY, None, game("12301230", jack=3), False),
        (ZWABBER_CALLED, 2, game("00002222"), True),
        (ZWABBER_CALLED, 2, game("00000000"), True),
        (ZWABBER_CALLED, 2, game("00020000"), False),
        (ZWABBER_CALLED, 2, game("00002212"), False),
        (ZWABBER_NL, None, game("00000010"), True),
        (ZWABBER_NL, None, game("00003003"), True),
        (ZWABBER_NL, None, game("00003001"), False),
        (ZWABBER_NL, None, game("00000000"), False),
        (ZWABBER_NL, None, game("00010000"), False),
        (ZWABBER_EN, None, game("10010110"), True),
        (ZWABBER_EN, None, game("11111111"), True),
        (ZWABBER_EN, None, game("00000000"), True),
        (ZWABBER_EN, None, game("10010120"), False),
    ],
    ids=str,
)
def test_examples(objective: Objective, partner: int | None, tricks: tuple[Won, ...], expected: bool) -> None:
    seats = Seats(0, frozenset({0} if partner is None else {0, partner}), 4)
    assert verdict(automaton(objective, seats, TRICKS), tricks) is expected
    assert made(objective, seats, tricks) is expected


@pytest.mark.parametrize("end", [1, 2, 3, 4])
def test_a_dutch_zwabber_needs_a_fifth_trick(end: int) -> None:
    machine = automaton(ZWABBER_NL, Seats(0, frozenset({0}), 4), end)
    assert not any(verdict(machine, tricks) for tricks in product(product(range(4), (False,)), repeat=end))


# Objectives that count


@pytest.mark.parametrize("objective", [POINTS, TRICKS_WON], ids=str)
def test_a_count_is_never_decided_before_its_end(objective: Objective) -> None:
    machine = automaton(objective, Seats(3, frozenset({1, 3}), 4), TRICKS)
    assert set(machine.next) == {0}
    assert set(machine.avoid) == {0}
    assert machine.side[0] == 0b1010


@pytest.mark.parametrize("objective", OBJECTIVES, ids=str)
def test_sizes_of_the_tables(objective: Objective) -> None:
    machine = automaton(objective, Seats(0, frozenset({0}), 4), TRICKS)
    assert len(machine.next) == STATES * TRICKS * 4 * 2
    assert len(machine.side) == STATES
    for table in (machine.avoid, machine.shun, machine.jack, machine.owe, machine.must, machine.enough, machine.share):
        assert len(table) == STATES * TRICKS


# Replaying the first tricks


@pytest.mark.parametrize("objective", YES_OR_NO, ids=str)
def test_replay_agrees_with_the_tables(objective: Objective) -> None:
    for seats in seatings(objective, 4, 1):
        machine = automaton(objective, seats, TRICKS)
        for winners in product(range(4), repeat=5):
            for jack in (False, True):
                tricks = [(winner, jack and winner == 1) for winner in winners]
                code = 0
                for number, won in enumerate(tricks):
                    if code not in (MADE_CODE, LOST_CODE):
                        code = entry(machine, code, number, won)
                state = replay(objective, seats, winners, jack)
                assert code in (LOST_CODE if state == LOST else state, MADE_CODE)


def test_replay_by_example() -> None:
    seats = Seats(0, frozenset({0}), 4)
    assert replay(EXACTLY_ONE, seats, (), False) == 0
    assert replay(EXACTLY_ONE, seats, (1, 0, 2), False) == 1
    assert replay(EXACTLY_ONE, seats, (1, 0, 0), False) == LOST
    assert replay(JACK_ONLY, seats, (1, 0), False) == LOST
    assert replay(JACK_ONLY, seats, (1, 0), True) == 1
    assert replay(ZWABBER_EN, seats, (0, 2, 0), False) == 3
    assert replay(ZWABBER_NL, seats, (0, 2), False) == LOST


@pytest.mark.parametrize("objective", YES_OR_NO, ids=str)
def test_settled_when_whatever_follows_comes_to_the_same(objective: Objective) -> None:
    end = 3
    for seats in all_seatings(objective):
        for played, jack in product(range(end + 1), (False, True)):
            for winners in product(range(seats.players), repeat=played):
                so_far = tuple((winner, jack and winner == seats.declarer) for winner in winners)
                rests = product(outcomes(seats), repeat=end - played)
                results = {made(objective, seats, so_far + rest) for rest in rests}
                expected = results.pop() if len(results) == 1 else None
                assert settled(objective, seats, winners, jack, end) is expected


def test_names_are_those_of_problems() -> None:
    assert [str(objective) for objective in OBJECTIVES] == [
        "all", "none", "exactly-one", "first-only", "jack-only", "zwabber-called", "zwabber-nl", "zwabber-en",
        "points", "tricks",
    ]  # fmt: skip


def test_an_objective_stays_itself_when_it_is_pickled() -> None:
    """Rulesets are pickled on their way to other processes, and the code asks which objective it is."""
    for objective in OBJECTIVES:
        assert pickle.loads(pickle.dumps(objective)) is copy.deepcopy(objective) is objective
    mine = Objective("mine")
    assert pickle.loads(pickle.dumps(mine)) == mine
