"""Find hands near the decision: their best plan succeeds in 20 to 80 of 100 double-dummy deals.

Random deals flatter a solver, because most bids on them are hopeless or certain.  The benchmarks therefore use
stored hands, one line of ``near_decision.jsonl`` each: ruleset, bid, hand, watch card, plan and the chance that
was found.  Run ``python -m benches.near_decision`` to find them anew (about two hours on two cores).  To fit something,
take others: ``python -m benches.near_decision pagat:kereltje --to more.jsonl --seed 77001 --each 120``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from pandoer import Card, Hand, PandoerError, Rank, Suit, odds, ruleset
from pandoer.cards import DECK33

HANDS = Path(__file__).with_name("near_decision.jsonl")
EACH = 20
QUESTIONS: tuple[tuple[str, str], ...] = (
    ("pagat", "prive"),
    ("wikipedia-nl", "prive"),
    ("wikipedia-nl", "solo-zwabber"),
    ("pagat", "pandoer"),
    ("wikipedia-nl", "pandoer"),
    ("pagat", "kereltje"),
    ("pagat", "zwabber"),
    ("wikipedia-nl", "zwabber"),
    ("wikipedia-en", "zwabber"),
    ("wikipedia-en", "misere"),
    ("pagat", "misere"),
    ("wikipedia-nl", "praatje"),
    ("cappelle", "misere"),
    ("pagat", "piccolo"),
    ("wikipedia-nl", "piccolo"),
    ("wikipedia-en", "piccolo"),
    ("butselaar", "piccolo"),
    ("pagat", "120"),
    ("pagat", "130"),
    ("wikipedia-nl", "120"),
    ("wikipedia-nl", "130"),
    ("pagat", "140"),
    ("pagat", "160"),
    ("wikipedia-nl", "150"),
    ("cappelle", "130"),
)


def crude_strength(hand: Hand) -> float:
    """A rough count of winners, to look for hands where they are likely to be found."""
    best = 0.0
    for trump in Suit:
        worth = 0.0
        for card in hand:
            if card.suit == trump:
                worth += {Rank.JACK: 5, Rank.NINE: 4, Rank.ACE: 3}.get(card.rank, 2)
            else:
                worth += {Rank.ACE: 2, Rank.KING: 0.7, Rank.TEN: 0.5}.get(card.rank, 0)
        best = max(best, worth)
    return best


def crude_weakness(hand: Hand) -> float:
    """A rough count of low cards."""
    return -sum(int(card.rank) for card in hand) + 2 * sum(card.rank <= Rank.EIGHT for card in hand)


def candidates(bid: str, seed: int) -> Iterator[tuple[Hand, Card]]:
    """Hands with a watch card, some of them the best of many by a rough count."""
    rng = np.random.default_rng(seed)
    deck = np.array([card.index for card in DECK33])
    low = any(word in bid for word in ("misere", "praatje", "piccolo"))
    crude = crude_weakness if low else crude_strength
    while True:
        tries = int(rng.choice([1, 3, 10, 30, 100, 300]))
        best: tuple[Hand, Card] | None = None
        for _ in range(tries):
            dealt = [Card.of(Suit(int(i) // 16), Rank(int(i) % 16)) for i in rng.permutation(deck)[:9]]
            found = Hand(dealt[:8]), dealt[8]
            if best is None or crude(found[0]) > crude(best[0]):
                best = found
        assert best is not None
        yield best


def near(name: str, bid: str, hand: Hand, watch: Card) -> dict[str, object] | None:
    """The line of a hand, or ``None`` when it is not near the decision.

    The plan of a points bid is chosen as if who can follow had to, because that takes a thirtieth of the time.
    """
    rules = ruleset(name)
    chooser = rules
    if bid.isdigit():
        chooser = replace(rules, play=replace(rules.play, ruff_when_able=False))
    try:
        rough = odds(hand, bid, rules=chooser, watch=watch, samples=32)
    except PandoerError:
        return None
    plan = rough.plan
    if not 0.15 <= rough.probability <= 0.85 or plan is None:
        return None
    found = odds(
        hand, bid, rules=rules, watch=watch, samples=100 if bid.isdigit() else 300, trump=plan.trump,
        discard=plan.discard, called=plan.called,
    )  # fmt: skip
    if not 0.2 <= found.probability <= 0.8:
        return None
    return {
        "rules": name, "bid": bid, "hand": str(hand), "watch": str(watch), "plan": plan.to_json(),
        "chance": round(found.probability, 3),
    }  # fmt: skip


def main() -> None:
    """Find the hands and write them, question by question."""
    parser = argparse.ArgumentParser(prog="python -m benches.near_decision", description=__doc__.splitlines()[0])
    parser.add_argument("questions", nargs="*", metavar="RULESET:BID", help="default: all that the benchmarks ask")
    parser.add_argument("--to", type=Path, default=HANDS, metavar="FILE", help="default: the stored hands")
    parser.add_argument("--seed", type=int, default=0, help="default: 0, with which the stored hands were found")
    parser.add_argument("--each", type=int, default=EACH, help=f"hands a question (default: {EACH})")
    chosen = parser.parse_args()
    asked = [tuple(text.split(":")) for text in chosen.questions] or list(QUESTIONS)
    for question in asked:
        if question not in QUESTIONS:
            parser.error(f"{':'.join(question)}: expected one of {', '.join(map(':'.join, QUESTIONS))}")
    if chosen.each < 1 or chosen.seed < 0:
        parser.error(f"--each {chosen.each}, --seed {chosen.seed}: expected 1 or more, and 0 or more")
    if chosen.to == HANDS and (chosen.questions or chosen.seed or chosen.each != EACH):
        parser.error("not what the stored hands are: give a file of its own with --to")
    lines: list[str] = []
    for number, (rules, bid) in enumerate(QUESTIONS):
        if (rules, bid) not in asked:
            continue
        if bid not in {b.name for b in ruleset(rules).bids}:
            raise PandoerError(f"{rules} has no {bid}")
        found: list[str] = []
        for tried, (hand, watch) in enumerate(candidates(bid, chosen.seed + number)):
            line = near(rules, bid, hand, watch)
            if line is not None:
                found.append(json.dumps(line, ensure_ascii=False))
                if len(found) == chosen.each:
                    print(f"{rules} {bid}: {chosen.each} of {tried + 1} hands", file=sys.stderr)
                    break
        lines += found
        chosen.to.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
