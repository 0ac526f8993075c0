"""Exact solver and bidding analyst for the trick games Pandoeren and Pandur."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pandoer.advice import Advice, Advised, advise
from pandoer.auction import Auction, Call
from pandoer.batch import solve_many
from pandoer.cards import Card, Deal, Hand, Rank, Suit
from pandoer.contracts import Bid, CardRules, Contract, PlayRules, StakeRules
from pandoer.errors import PandoerError
from pandoer.match import Match, play_out
from pandoer.melds import MeldRules
from pandoer.money import Amount
from pandoer.objectives import Objective
from pandoer.odds import odds
from pandoer.plans import Plan
from pandoer.players import AlphaMu, MonteCarlo, Player, RandomPlayer, RulePlayer
from pandoer.problems import Play, Problem, State, problem
from pandoer.record import Record, replay
from pandoer.results import AtTable, Distribution, Odds, PlanChance
from pandoer.rulesets import RULESETS, Ruleset, ruleset
from pandoer.solver import Solution, legal_plays, solve
from pandoer.suggest import CardChance, Suggestion, suggest
from pandoer.tricks import Trick
from pandoer.view import View, view_of

if TYPE_CHECKING:
    from pandoer.tables import Strength, StrengthRow, StrengthTable, random_hands, strength_table

__version__ = "0.1.0"

__all__ = [
    "RULESETS",
    "Advice",
    "Advised",
    "AlphaMu",
    "Amount",
    "AtTable",
    "Auction",
    "Bid",
    "Call",
    "Card",
    "CardChance",
    "CardRules",
    "Contract",
    "Deal",
    "Distribution",
    "Hand",
    "Match",
    "MeldRules",
    "MonteCarlo",
    "Objective",
    "Odds",
    "PandoerError",
    "Plan",
    "PlanChance",
    "Play",
    "PlayRules",
    "Player",
    "Problem",
    "RandomPlayer",
    "Rank",
    "Record",
    "RulePlayer",
    "Ruleset",
    "Solution",
    "StakeRules",
    "State",
    "Strength",
    "StrengthRow",
    "StrengthTable",
    "Suggestion",
    "Suit",
    "Trick",
    "View",
    "advise",
    "legal_plays",
    "odds",
    "play_out",
    "problem",
    "random_hands",
    "replay",
    "ruleset",
    "solve",
    "solve_many",
    "strength_table",
    "suggest",
    "view_of",
]


def __getattr__(name: str) -> Any:
    """`pandoer.tables` and what stands for it here, loaded when it is asked for: it takes a quarter of the start-up."""
    if name == "tables":
        return import_module("pandoer.tables")
    if name in __all__:
        return getattr(import_module("pandoer.tables"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "tables"})
