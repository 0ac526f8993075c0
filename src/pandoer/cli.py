"""The command line: ``pandoer odds``, ``pandoer solve`` and ``pandoer rules``.

Answers go to standard output, everything else to standard error.  The exit status is 0; or 1 when a line of
``solve --jsonl`` was bad or an answer could not be written; 2 for a mistake of the user, told in one line;
130 after Ctrl-C.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, NoReturn, get_args

import pandoer
from pandoer.cards import Card, Deal, Hand, Suit
from pandoer.errors import PandoerError
from pandoer.odds import Odds, PlanChance, odds
from pandoer.plans import Plan
from pandoer.problems import CallName, Play, Problem, problem
from pandoer.rulesets import DEFAULT, RULESETS, Ruleset, ruleset
from pandoer.solver import Solution, solve

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.progress import Progress

MISTAKE, INTERRUPTED = 2, 130

RUNNERS_UP = 5
"""How many plans `odds` shows below the best one."""

_LETTERS = str.maketrans({suit.symbol: suit.letter for suit in Suit})


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status.

    Parameters
    ----------
    argv
        The arguments without the program's name; ``sys.argv[1:]`` unless given.
    """
    try:
        status = _run(argv)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except PandoerError as error:
        _note(str(error))
        return MISTAKE
    except KeyboardInterrupt:
        _note("interrupted")
        return INTERRUPTED
    except MemoryError:
        _note("not enough memory for this question")
        return 1
    except OSError as error:
        # Nothing more can be written; what is still buffered must not complain again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if isinstance(error, BrokenPipeError):
            return 0
        _note(f"cannot read or write: {error.strerror}")
        return 1


def _run(argv: Sequence[str] | None) -> int:
    try:
        arguments = _parser().parse_args(argv)
    except SystemExit:  # --help or --version, already printed
        return 0
    status: int = arguments.run(arguments)
    return status


# Arguments


class _Parser(argparse.ArgumentParser):
    """A parser whose complaints are one line each, like everybody else's."""

    def error(self, message: str) -> NoReturn:
        raise PandoerError(message)


def _parser() -> _Parser:
    parser = _Parser(
        prog="pandoer",
        description="Exact solver and bidding analyst for Pandoeren and Pandur.",
        allow_abbrev=False,
    )
    parser.add_argument("--version", action="version", version=f"pandoer {pandoer.__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for add in (_add_odds, _add_solve, _add_rules):
        add(commands)
    return parser


def _add_odds(commands: argparse._SubParsersAction[_Parser]) -> None:
    parser = commands.add_parser(
        "odds",
        help="how likely a bid is to succeed",
        description="How likely a bid is to succeed, with the best discard, trump and called card. "
        "Unseen cards are sampled; each deal is solved exactly with all hands known.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=_odds)
    parser.add_argument("hand", help="the bidder's eight cards, such as '♠J9A ♥KQ ♦8 ♣T7' or 'SJ S9 SA ...'")
    parser.add_argument("--bid", required=True, help="a bid of the ruleset, such as pandoer or 160")
    parser.add_argument("--watch", metavar="CARD", help="the watch card, when it is known")
    parser.add_argument("--samples", type=int, metavar="N", help="deals that count the chance (1000)")
    parser.add_argument(
        "--precision", type=float, metavar="P", help="instead: half the width of the interval, such as 0.01"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="S", help="seed of the deals (0)")
    parser.add_argument("--node-limit", type=int, metavar="N", help="give up a deal after N cards played in its search")
    parser.add_argument("--threads", type=int, metavar="N", help="number of threads (one a core)")
    parser.add_argument("--players", type=int, metavar="N", help="players with cards, where that varies")
    parser.add_argument("--bidders", type=_seats, metavar="SEATS", help="who else bid: 1,3 (1 is next)")
    _add_choices(parser)
    _add_common(parser)


def _add_solve(commands: argparse._SubParsersAction[_Parser]) -> None:
    parser = commands.add_parser(
        "solve",
        help="the exact result of a deal or an ending",
        description="The exact result with all hands known, and the cards that reach it.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=_solve)
    parser.add_argument("deal", nargs="?", help="the hands in order of seats, with / between them")
    parser.add_argument(
        "--jsonl", action="store_true", help="read problems from standard input, one JSON object a line"
    )
    parser.add_argument("--contract", metavar="BID", help="a bid of the ruleset, such as pandoer or 160")
    parser.add_argument("--declarer", type=int, metavar="SEAT", help="seat of the declarer (0)")
    parser.add_argument("--leader", type=int, metavar="SEAT", help="who leads the trick (the declarer)")
    parser.add_argument("--trick", metavar="CARDS", help="cards already in the trick, in order")
    parser.add_argument("--trick-number", type=int, metavar="N", help="tricks completed before this one")
    parser.add_argument("--call", choices=get_args(CallName), help="what was said with the lead in --trick")
    parser.add_argument("--bidders", type=_seats, metavar="SEATS", help="seats that made a bid, such as 1,2")
    parser.add_argument("--joiners", type=_seats, metavar="SEATS", help="seats that joined the misère")
    parser.add_argument("--lead", metavar="CARD", help="force the first card, such as HK or 'HK must'")
    parser.add_argument("--melds", action=argparse.BooleanOptionalAction, help="count melds and marriage")
    _add_choices(parser)
    _add_common(parser)


def _add_rules(commands: argparse._SubParsersAction[_Parser]) -> None:
    parser = commands.add_parser(
        "rules",
        help="the rulesets, or one of them with its bids",
        description="The rulesets; or one of them, with its bids in ascending rank.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=_rules)
    parser.add_argument("name", nargs="?", help="a ruleset, such as pagat")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _add_choices(parser: argparse.ArgumentParser) -> None:
    """What a declarer chooses."""
    parser.add_argument("--trump", metavar="SUIT", help="trump suit: C, D, H, S, or - for none")
    parser.add_argument("--discard", metavar="CARD", help="the card laid away")
    parser.add_argument("--called", metavar="CARD", help="the called card")


def _add_common(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rules", metavar="NAME", help=f"the ruleset ({DEFAULT}); see 'pandoer rules'")
    parser.add_argument(
        "--lang",
        choices=("en", "nl", "ch"),
        help="rank letters, read and written: en AKQJT, nl A H V B 10, ch AKOUBN (en)",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def _seats(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(seat) for seat in text.split(","))
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: expected seat numbers such as 1,2") from None


def _card(text: str | None, lang: str) -> Card | None:
    return None if text is None else Card(text, lang=lang)


# pandoer odds


def _odds(arguments: argparse.Namespace) -> int:
    lang = arguments.lang or "en"
    rules = ruleset(arguments.rules or DEFAULT)
    with _Bar() as bar:
        answer = odds(
            Hand(arguments.hand, lang=lang),
            arguments.bid,
            rules=rules,
            watch=_card(arguments.watch, lang),
            samples=arguments.samples,
            precision=arguments.precision,
            node_limit=arguments.node_limit,
            seed=arguments.seed,
            trump=arguments.trump,
            discard=_card(arguments.discard, lang),
            called=_card(arguments.called, lang),
            players=arguments.players,
            bidders=arguments.bidders or (),
            threads=arguments.threads,
            progress=bar,
        )
    if arguments.json:
        _write_json(answer.to_json())
    else:
        _show(*_odds_in_words(answer, rules, lang))
    return 0


def _odds_in_words(answer: Odds, rules: Ruleset, lang: str) -> list[RenderableType]:
    most = answer.value
    pays = f"{answer.value} {answer.unit}"
    if most != answer.value:
        pays += f", to or from the declarer {most:g} in all"
    known = answer.plan is not None
    deals = f"{answer.samples:,} {'deal' if answer.samples == 1 else 'deals'}"
    if answer.unknown:
        deals += f", {answer.unknown:,} of them unknown"
    facts = [
        ("chance", f"{_percent(answer)} (95 % interval {_interval(answer)}), double-dummy, {deals}"),
        ("plan", _plan(answer.plan, lang) if known else "chosen when the watch card is seen; see below"),
        ("pays", pays),
        ("expected", f"{answer.expected:+.2f} {answer.unit} a deal for the declarer"),
    ]
    watch = ""
    if rules.watch is not None:
        card = "unknown" if answer.watch is None else answer.watch.text(lang, symbols=True)
        watch = f", watch card {card}"
    title = f"{answer.bid} ({answer.rules}) with {answer.hand.text(lang)}{watch}"
    return [title, _facts(facts), *(_other_plans(answer, lang) if known else _watch_cards(answer, lang))]


def _other_plans(answer: Odds, lang: str) -> list[RenderableType]:
    """The plans after the best one, as they did on the deals that chose it."""
    others = answer.plans[1:]
    if not others:
        return []
    rows = [(_plan(row.plan, lang), *_figures(row)) for row in others[:RUNNERS_UP]]
    table = _table(("plan", *_FIGURES), rows)
    note = "Other plans; their figures come from the deals that chose the plan:"
    more = len(others) - len(rows)
    return ["", note, table, *([f"and {more} more with --json"] if more else [])]


def _watch_cards(answer: Odds, lang: str) -> list[RenderableType]:
    """The best plan for every watch card."""
    rows = [
        (row.watch.text(lang, symbols=True), _plan(row.plan, lang), *_figures(row))
        for row in answer.plans
        if row.watch is not None
    ]
    note = f"The best plan for each of the {len(rows)} watch cards, all equally likely:"
    return ["", note, _table(("watch", "best plan", *_FIGURES), rows)]


_FIGURES = ("chance", "95 % interval", "deals")


def _figures(row: PlanChance) -> tuple[str, str, str]:
    return _percent(row), _interval(row), f"{row.samples:,}"


def _percent(row: Odds | PlanChance) -> str:
    return f"{100 * row.probability:.1f} %"


def _interval(row: Odds | PlanChance) -> str:
    return f"{100 * row.low:.1f} to {100 * row.high:.1f} %"


def _plan(plan: Plan | None, lang: str) -> str:
    """A plan in words, with the rank letters of a language."""
    if plan is None:
        return "no legal plan"
    parts = ["no trump" if plan.trump is None else f"trump {plan.trump.symbol}"]
    for what, card in (("discard", plan.discard), ("call", plan.called), ("lead", plan.lead)):
        if card is not None:
            parts.append(f"{what} {card.text(lang, symbols=True)}")
    return ", ".join(parts)


class _Bar:
    """A progress bar on standard error, for a terminal and for work of more than a second."""

    PATIENCE = 1.0

    def __init__(self) -> None:
        self.start = time.monotonic()
        self.bar: Progress | None = None

    def __enter__(self) -> _Bar:
        return self

    def __call__(self, share: float) -> None:
        """Show that this share of the work is done, 0 to 1."""
        if self.bar is None:
            if not _is_terminal(sys.stderr) or time.monotonic() - self.start < self.PATIENCE:
                return
            self.bar = _progress()
            self.bar.start()
            self.bar.add_task("solving deals", total=1.0)
        self.bar.update(self.bar.task_ids[0], completed=share)

    def __exit__(self, *_: object) -> None:
        if self.bar is not None:
            self.bar.stop()


# pandoer solve


def _solve(arguments: argparse.Namespace) -> int:
    if arguments.jsonl:
        for name, value in vars(arguments).items():
            if value is not None and value is not False and name not in ("command", "run", "jsonl"):
                raise PandoerError(f"--jsonl with {name} {value!r}: expected it in the problems themselves")
        return _solve_lines()
    for what in ("deal", "contract"):
        if getattr(arguments, what) is None:
            raise PandoerError(f"solve without a {what}: expected 'HAND / HAND' --contract BID, or --jsonl")
    lang = arguments.lang or "en"
    asked = _asked(arguments, lang)
    solution = solve(asked)
    if arguments.json:
        _write_json(solution.to_json())
    else:
        _show(*_solution_in_words(asked, solution, lang))
    return 0


def _asked(arguments: argparse.Namespace, lang: str) -> Problem:
    contract = ruleset(arguments.rules or DEFAULT).contract(
        arguments.contract,
        declarer=arguments.declarer or 0,
        trump=arguments.trump,
        called=_card(arguments.called, lang),
        joiners=arguments.joiners or (),
    )
    return Problem(
        deal=Deal(arguments.deal, discard=arguments.discard, lang=lang),
        contract=contract,
        leader=arguments.leader,
        trick=tuple(Card(card, lang=lang) for card in (arguments.trick or "").replace(",", " ").split()),
        trick_number=arguments.trick_number,
        call=arguments.call,
        bidders=arguments.bidders or (),
        lead=_play_from(arguments.lead, lang),
        melds=arguments.melds,
    )


def _play_from(text: str | None, lang: str) -> Play | None:
    """A play such as ``"HK must"``, its card in any language."""
    if text is None:
        return None
    card, *call = text.split(maxsplit=1) or [text]
    return Play.parse(" ".join([str(Card(card, lang=lang)), *call]))


def _solution_in_words(asked: Problem, solution: Solution, lang: str) -> list[RenderableType]:
    contract = asked.contract
    title = f"{contract.name} ({contract.rules.name})"
    if contract.trump is not None:
        title += f", trump {contract.trump.symbol}"
    if contract.called is not None:
        title += f", called {contract.called.text(lang, symbols=True)}"
    title += f", declarer seat {contract.declarer}"
    if contract.joiners:
        title += f", joined by {' and '.join(f'seat {seat}' for seat in contract.joiners)}"
    result = [] if solution.made is None else ["made" if solution.made else "not made"]
    if solution.points is not None:
        result.append(f"{solution.points} points")
    facts = [("result", f"{', '.join(result)}, double-dummy")]
    for seat, dry in solution.dry:
        facts.append((f"seat {seat}", "stays dry" if dry else "can be made to win a trick"))
    if solution.best:
        seat = (asked.first + len(asked.trick)) % asked.players
        best = ", ".join(_play(play, lang) for play in solution.best)
        facts.append(("best", f"{best} (seat {seat} to play)"))
    facts.append(("nodes", f"{solution.nodes:,}"))
    return [title, _facts(facts)]


def _play(play: Play, lang: str) -> str:
    card = play.card.text(lang, symbols=True)
    return card if play.call is None else f"{card} {play.call}"


def _solve_lines() -> int:
    """Answer problems line by line as they come, a bad one with an error."""
    status = 0
    for line in () if sys.stdin is None else sys.stdin.buffer:
        if not line.strip():
            continue
        answer, good = _answer_line(line)
        print(answer, flush=True)
        if not good:
            status = 1
    return status


def _answer_line(line: bytes) -> tuple[str, bool]:
    """The answer to one line as text, and whether it is one.

    No line may end the conversation, so whatever goes wrong with one becomes its answer.
    """
    mark: dict[str, Any] = {}
    try:
        data = _read_json(line)
        if isinstance(data, dict) and "id" in data:
            mark = {"id": data["id"]}
            json.dumps(mark)  # one that is nested too deeply to be written is not echoed
        return json.dumps({**mark, **solve(problem(data)).to_json()}), True
    except RecursionError:
        return json.dumps({"error": "the problem is nested too deeply"}), False
    except Exception as error:
        return json.dumps({**mark, "error": str(error) or type(error).__name__}), False


def _read_json(line: bytes) -> Any:
    """The value of a line of strict JSON: no NaN, no infinite number, no key twice."""
    try:
        return json.loads(
            line.decode("utf-8-sig"), parse_constant=_finite, parse_float=_finite, object_pairs_hook=_object
        )
    except UnicodeDecodeError as error:
        raise PandoerError(f"line {_start(line)}: byte {line[error.start]:#04x} is no UTF-8") from None
    except json.JSONDecodeError as error:
        raise PandoerError(f"line {_start(line)}: expected one JSON object ({error.msg})") from None


def _finite(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise PandoerError(f"number {text!r}: expected a finite one")
    return value


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise PandoerError(f"key {key!r} is in an object twice, expected once")
        found[key] = value
    return found


def _start(line: bytes) -> str:
    """The beginning of a line, to quote it."""
    text = line.strip().decode("utf-8", "backslashreplace")
    return repr(text if len(text) <= 60 else text[:60] + "...")


# pandoer rules


def _rules(arguments: argparse.Namespace) -> int:
    if arguments.name is None:
        heads = [_rules_head(rules) for rules in RULESETS]
        if arguments.json:
            _write_json({"rulesets": heads})
        else:
            _show(_table(tuple(heads[0]), [tuple(head.values()) for head in heads]))
        return 0
    rules = ruleset(arguments.name)
    if arguments.json:
        _write_json(_rules_json(rules))
    else:
        bids = _table(Ruleset.TABLE_HEADER, rules.table())
        _show(f"{rules.name}: {rules.title}", _facts(_rules_facts(rules)), "", bids)
    return 0


def _rules_head(rules: Ruleset) -> dict[str, str]:
    return {"name": rules.name, "title": rules.title, "source": rules.source}


def _rules_json(rules: Ruleset) -> dict[str, Any]:
    """A ruleset as a JSON object, its bids in ascending rank."""
    cards, melds = asdict(rules.cards), asdict(rules.melds)
    for table, keys in ((cards, ("trump_points", "plain_points")), (melds, ("runs", "fours"))):
        table.update({key: {str(what): points for what, points in table[key]} for key in keys})
    return {
        **_rules_head(rules),
        "players": list(rules.players),
        "deck": [str(card) for card in rules.deck],
        "watch": rules.watch,
        "cards": cards,
        "play": asdict(rules.play),
        "melds": melds,
        "calling": rules.calling,
        "joined_misere": rules.joined_misere,
        "pass_is_final": rules.pass_is_final,
        "pass_name": rules.pass_name,
        "all_pass": rules.all_pass,
        "stakes": asdict(rules.stakes) if any(bid.takes_stake for bid in rules.bids) else None,
        "payment": rules.payment,
        "unit": rules.unit,
        "bids": [
            {**asdict(bid), "objective": bid.objective.name, "play": dict(bid.play)} for bid in rules.bids
        ],
    }


def _rules_facts(rules: Ruleset) -> list[tuple[str, str]]:
    """What a ruleset says, the bids apart, in words."""
    cards, melds = rules.cards, rules.melds
    watch = "no watch card" if rules.watch is None else f"a watch card, which lies {rules.watch}"
    facts = [
        ("source", rules.source),
        ("players", " or ".join(map(str, rules.players))),
        ("cards", f"{len(rules.deck)}; {rules.hand} to each player, and {watch}"),
        ("trump", f"{_order(cards.trump_order, rules.deck)}; points {_values(cards.trump_points)}"),
        ("plain", f"{_order(cards.plain_order, rules.deck)}; points {_values(cards.plain_points)}"),
        ("", f"winning the last trick {cards.last_trick}"),
    ]
    switches = asdict(rules.play)
    calls = any(bid.partner == "called" for bid in rules.bids)
    if not calls:
        del switches["called_card"]
    facts += [("" if i else "play", text) for i, text in enumerate(_in_words(switches))]
    facts += [("", f"in {bid.name} {text}") for bid in rules.bids for text in _in_words(dict(bid.play))]
    if calls:
        facts.append(("calling", _CALLING[rules.calling]))
    facts += [("" if i else "auction", text) for i, text in enumerate(_auction_facts(rules))]
    facts += [
        ("melds", f"runs of {_values(melds.runs, ': ')}"),
        ("", f"four {_values(melds.fours, ': ')}"),
        ("", "a card may count in a run and in a four" if melds.card_in_both else "a card counts once"),
        ("", f"king and queen of trump in one hand {melds.marriage or 'count nothing'}"),
        ("denial", _DENIAL[melds.denial]),
    ]
    if melds.denial != "none":
        whose = "the declarer's own best" if melds.own_best else "the best of the declaring side"
        facts.append(("", f"with a better single meld than {whose}; {_ORDER[melds.order]}"))
    return [*facts, ("payment", f"{_PAYMENT[rules.payment]}; in {rules.unit}")]


def _auction_facts(rules: Ruleset) -> Iterator[str]:
    """What a ruleset says of the auction, in words."""
    yield _PASSING[rules.pass_is_final]
    if rules.pass_name != "pass":
        yield f"a pass is called {rules.pass_name}"
    yield _ALL_PASS[rules.all_pass]
    if rules.joined_misere:
        yield "others may join a misere, which is then played without trump"
    if staked := [bid.name for bid in rules.bids if bid.takes_stake]:
        stakes = rules.stakes
        yield (
            f"a share of a pot of {stakes.least_pot} or more may be staked on {', '.join(staked)}, "
            f"in steps of {stakes.step}, at most {stakes.most}; a higher stake outranks a lower"
        )
    yield "of equal bids the earlier stands"
    for decide, text in _MELDS_DECIDE.items():
        if equal := [bid.name for bid in rules.bids if bid.melds_decide == decide]:
            yield f"but those of {', '.join(equal)} are decided by {text}"


_PASSING = {True: "a pass is final", False: "a player who has passed may bid again"}
_ALL_PASS = {
    "new deal": "when all pass there is a new deal",
    "husselen": "when all pass there is husselen: the first hand shuffles his cards anew",
}
_MELDS_DECIDE = {"all": "the kinds of all melds, from the best down", "best": "the kind of the best meld"}
_CALLING = {
    "any": "an ace of any suit, trump included; kings and queens likewise",
    "plain-first": "an ace, trump only when no plain one is left; kings and queens likewise",
}
_DENIAL = {
    "none": "nobody can deny melds",
    "bidders": "opponents who made a bid may deny melds",
    "opponents": "every opponent may deny melds",
}
_ORDER = {
    "kind-suit": "ties by suit S H D C",
    "kind": "equal ones tie",
    "points": "more points are better",
}
_PAYMENT = {
    "each": "declarer and partner each win or lose the value",
    "three-payers": "alone against three, each pays or is paid; else all four",
    "pot": "paid to and from a pot",
    "written": "the declarer writes the value if made, the others if not",
}
_SWITCHES: dict[tuple[str, object], str] = {
    ("ruff_when_able", True): "who can follow a plain suit may ruff instead",
    ("ruff_when_able", False): "who can follow a plain suit may not ruff",
    ("undertrump", "free"): "undertrumping is free",
    ("undertrump", "no-higher"): "undertrumping is allowed without a higher trump",
    ("undertrump", "forced"): "undertrumping is allowed when nothing else is",
    ("undertrump", "void"): "undertrumping is allowed to who cannot follow",
    ("beat_led_trump", True): "a led trump has to be beaten by who can",
    ("jack_exempt", True): "the trump jack never has to be played to another's lead",
    ("called_card", "identify"): "a called card only names the partner",
    ("called_card", "protect"): "a called card is protected ('must' and 'need not')",
    ("first_lead_trump", True): "the first card led is a trump",
    ("must_ruff", True): "who cannot follow has to ruff, and to overruff",
    ("partner_exempt", True): "who cannot follow is free when his side wins the trick",
    **{("trump_leads", n): f"the declaring side leads trumps to its first {n} tricks" for n in range(2, 9)},
}


def _in_words(switches: Mapping[str, object]) -> list[str]:
    """Play switches in words; one that is off and has none is left out."""
    unnamed = {name: f"{name.replace('_', ' ')} {value}" for name, value in switches.items() if value}
    words = [_SWITCHES.get((name, value), unnamed.get(name)) for name, value in switches.items()]
    return [text for text in words if text is not None]


def _order(order: str, deck: Hand) -> str:
    """A rank order without the ranks that the deck lacks."""
    held = {card.rank.letter for card in deck}
    return " ".join(rank for rank in order if rank in held)


def _values(pairs: Iterable[tuple[object, int]], between: str = " ") -> str:
    return ", ".join(f"{what}{between}{points}" for what, points in pairs)


# Writing


def _note(message: str) -> None:
    """One line on standard error."""
    line = "".join(c if c.isprintable() else repr(c)[1:-1] for c in message)
    if sys.stderr is not None:
        print(f"pandoer: {line}", file=sys.stderr)


def _write_json(answer: Mapping[str, Any]) -> None:
    print(json.dumps(answer))


def _is_terminal(stream: Any) -> bool:
    return stream is not None and stream.isatty()


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> RenderableType:
    """A table without lines; figures are set to the right."""
    from rich.table import Table  # noqa: PLC0415

    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    for i, name in enumerate(head):
        figures = name in (*_FIGURES, "value")
        table.add_column(name, justify="right" if figures else "left", overflow="fold", no_wrap=i == 0)
    for row in rows:
        table.add_row(*row)
    return table


def _facts(facts: Iterable[tuple[str, str]]) -> RenderableType:
    """Labels and texts in two columns."""
    from rich.table import Table  # noqa: PLC0415

    grid = Table.grid(padding=(0, 2))
    grid.add_column()
    grid.add_column(overflow="fold")
    for label, text in facts:
        grid.add_row(f"  {label}", text)
    return grid


def _progress() -> Progress:
    from rich.console import Console  # noqa: PLC0415
    from rich.progress import Progress  # noqa: PLC0415

    return Progress(console=Console(stderr=True), transient=True)


def _show(*parts: RenderableType) -> None:
    """Print texts and tables: in a terminal within its width, elsewhere plain and unbroken."""
    from rich.console import Console  # noqa: PLC0415

    terminal = _is_terminal(sys.stdout)
    console = Console(
        force_terminal=terminal, width=None if terminal else 1000, markup=False, highlight=False, emoji=False
    )
    with console.capture() as captured:
        for part in parts:
            console.print(part)
    text = "\n".join(line.rstrip() for line in captured.get().splitlines())
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = text.translate(_LETTERS).encode(encoding, "replace").decode(encoding)
    print(text)
