"""``pandoer rules``: the rulesets, or one of them in words."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from typing import Any

from pandoer.cards import Hand, Rank
from pandoer.cli.show import facts, show, table, write_json
from pandoer.rulesets import RULESETS, Ruleset, ruleset


def run(arguments: argparse.Namespace) -> int:
    if arguments.name is None:
        heads = [_rules_head(rules) for rules in RULESETS]
        if arguments.json:
            write_json({"rulesets": heads})
        else:
            show(table(tuple(heads[0]), [tuple(head.values()) for head in heads]))
        return 0
    rules = ruleset(arguments.name)
    if arguments.json:
        write_json(_rules_json(rules))
    else:
        lang = arguments.lang or "en"
        bids = table(Ruleset.TABLE_HEADER, rules.table(lang), figures=("value",))
        show(f"{rules.name}: {rules.title}", facts(_rules_facts(rules, lang)), "", bids)
    return 0


def _rules_head(rules: Ruleset) -> dict[str, str]:
    return {"name": rules.name, "title": rules.title, "source": rules.source}


def _rules_json(rules: Ruleset) -> dict[str, Any]:
    """A ruleset as a JSON object, its bids in ascending rank."""
    cards, melds = asdict(rules.cards), asdict(rules.melds)
    for part, keys in ((cards, ("trump_points", "plain_points")), (melds, ("runs", "fours"))):
        part.update({key: {str(what): points for what, points in part[key]} for key in keys})
    return {
        **_rules_head(rules),
        "players": list(rules.players),
        "dealer_sits_out": rules.dealer_sits_out,
        "hand": rules.hand,
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
        "goal": rules.goal,
        "bids": [{**asdict(bid), "objective": bid.objective.name, "play": dict(bid.play)} for bid in rules.bids],
    }


def _rules_facts(rules: Ruleset, lang: str) -> list[tuple[str, str]]:
    """What a ruleset says, the bids apart, in words."""
    cards, melds = rules.cards, rules.melds
    watch = "no watch card" if rules.watch is None else f"a watch card, which lies {rules.watch}"
    sitting = f", or {max(rules.players) + 1}, of whom the dealer sits out" if rules.dealer_sits_out else ""
    found = [
        ("source", rules.source),
        ("players", " or ".join(map(str, rules.players)) + sitting),
        ("cards", f"{len(rules.deck)}; {rules.hand} to each player, and {watch}"),
        ("trump", f"{_order(cards.trump_order, rules.deck, lang)}; points {_ranks(cards.trump_points, lang)}"),
        ("plain", f"{_order(cards.plain_order, rules.deck, lang)}; points {_ranks(cards.plain_points, lang)}"),
        ("", f"winning the last trick {cards.last_trick}"),
    ]
    switches = asdict(rules.play)
    calls = any(bid.partner == "called" for bid in rules.bids)
    if not calls:
        del switches["called_card"]
    found += [("" if i else "play", text) for i, text in enumerate(_in_words(switches))]
    found += [("", f"in {bid.name_in(lang)} {text}") for bid in rules.bids for text in _in_words(dict(bid.play))]
    if calls:
        found.append(("calling", _CALLING[rules.calling]))
    found += [("" if i else "auction", text) for i, text in enumerate(_auction_facts(rules, lang))]
    found += [
        ("melds", f"runs of {_values(melds.runs, ': ')}"),
        ("", f"four {_ranks(melds.fours, lang, ': ')}"),
        ("", "a card may count in a run and in a four" if melds.card_in_both else "a card counts once"),
        ("", f"king and queen of trump in one hand {melds.marriage or 'count nothing'}"),
        ("denial", _DENIAL[melds.denial]),
    ]
    if melds.denial != "none":
        whose = "the declarer's own best" if melds.own_best else "the best of the declaring side"
        found.append(("", f"with a better single meld than {whose}; {_ORDER[melds.order]}"))
    goal = "" if rules.goal is None else f"; a game goes to {rules.goal}"
    return [*found, ("payment", f"{_PAYMENT[rules.payment]}; in {rules.unit}{goal}")]


def _auction_facts(rules: Ruleset, lang: str) -> Iterator[str]:
    """What a ruleset says of the auction, in words."""
    yield _PASSING[rules.pass_is_final]
    if rules.pass_name != "pass":
        yield f"a pass is called {rules.pass_name}"
    yield _ALL_PASS[rules.all_pass]
    if rules.joined_misere:
        yield "others may join a misere, which is then played without trump"
    if staked := [bid.name_in(lang) for bid in rules.bids if bid.takes_stake]:
        stakes = rules.stakes
        yield (
            f"a share of a pot of {stakes.least_pot} or more may be staked on {', '.join(staked)}, "
            f"in steps of {stakes.step}, at most {stakes.most}; a higher stake outranks a lower"
        )
    yield "of equal bids the earlier stands"
    for decide, text in _MELDS_DECIDE.items():
        if equal := [bid.name_in(lang) for bid in rules.bids if bid.melds_decide == decide]:
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


_RANKS = {rank.letter: rank for rank in Rank}


def _order(order: str, deck: Hand, lang: str) -> str:
    """A rank order without the ranks that the deck lacks."""
    held = {card.rank for card in deck}
    return " ".join(_RANKS[letter].text(lang) for letter in order if _RANKS[letter] in held)


def _ranks(pairs: Iterable[tuple[str, int]], lang: str, between: str = " ") -> str:
    return _values([(_RANKS[letter].text(lang), points) for letter, points in pairs], between)


def _values(pairs: Iterable[tuple[object, int]], between: str = " ") -> str:
    return ", ".join(f"{what}{between}{points}" for what, points in pairs)
