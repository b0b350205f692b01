"""The class of the game R.O.C.K. Yahtzee, which joins the modules of this package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.core.actions import Action, ActionType
from games.core.dice import DieKind, make_ordinary_dice
from games.core.game import TieProcedure
from games.core.handouts import Handout
from games.core.independent import IndependentGame, Table
from games.core.odds import Odds, Wanted
from games.core.problems import Problem
from games.core.reading import Face
from games.core.sheet import Line, Turn
from games.core.specs import ActionSpec
from games.core.standing import Reach
from games.core.text import Text, gettext_noop
from games.rock_yahtzee.actions import ACTION_TYPES, Roll
from games.rock_yahtzee.offers import PLAIN_TURN, ROLL_ALL_AGAIN, ROLL_DICE, list_offers
from games.rock_yahtzee.options import OPTIONS, PRESETS
from games.rock_yahtzee.reach import get_reach
from games.rock_yahtzee.rules import APPLY, PROBLEMS
from games.rock_yahtzee.scoring import DICE
from games.rock_yahtzee.sheet import list_lines
from games.rock_yahtzee.state import Card, Setup, get_total, is_done


class RockYahtzee(IndependentGame[Card]):
    """The ride's dice game: one card per bike, five turns, the highest total wins, and cards break ties."""

    key = "rock-yahtzee"
    name = gettext_noop("R.O.C.K. Yahtzee")
    summary = gettext_noop(
        "Each bike rolls five dice at the stops, up to three times a turn, and enters each turn in a box, as"
        " in Yahtzee."
    )
    who_plays = gettext_noop("All bikes, each with one scorecard.")
    takes = gettext_noop("From the first stop to the last. A turn takes about three minutes.")
    recorded_by = "turn"
    tie_rule = "ROCK-27"
    one_sheet_clause = "ROCK-1"
    slot_option = "turns"
    odds_measure = "total"
    odds_distribution = True
    plain_turn = PLAIN_TURN
    declared_options = OPTIONS
    presets = PRESETS

    def tie_procedure(self, setup: Any) -> TieProcedure:
        return "cut_cards"

    def set_up(self, options: Mapping[str, Any]) -> Setup:
        bonus = options["upper_bonus"]
        return Setup(options["turns"], bonus["threshold"], bonus["points"], options["yahtzee_points"])

    def seat_action_types(self, setup: Setup) -> Sequence[ActionType]:
        return ACTION_TYPES

    def start_seat(self, setup: Setup) -> Card:
        return Card()

    def seat_problems(self, setup: Setup, seat: Card, action: Action) -> tuple[Problem, ...]:
        return PROBLEMS[type(action)](setup, seat, action)

    def seat_apply(self, setup: Setup, seat: Card, action: Action) -> Card:
        return APPLY[type(action)](setup, seat, action)

    def seat_specs(self, setup: Setup, seat: Card, number: int) -> tuple[ActionSpec, ...]:
        return list_offers(setup, seat, number)

    def seat_lines(self, setup: Setup, seat: Card) -> tuple[Line, ...]:
        return list_lines(setup, seat)

    def is_seat_done(self, setup: Setup, seat: Card) -> bool:
        return is_done(setup, seat)

    def seat_total(self, setup: Setup, seat: Card) -> int:
        return get_total(setup, seat)

    def seat_reach(self, setup: Setup, seat: Card) -> Reach:
        return get_reach(setup, seat)

    def choice_label(self, choice: Mapping[str, Any]) -> Text | None:
        if choice["type"] != Roll.type or choice.get("keep"):
            return None
        return ROLL_ALL_AGAIN if "keep" in choice else ROLL_DICE

    def seat_odds(self, setup: Setup, seat: Card, wanted: Wanted) -> Odds | None:
        # Scoring never needs these tables, so they are made when somebody asks.
        from games.rock_yahtzee.odds.answer import get_odds

        return get_odds(setup, seat, wanted)

    def is_seat_between_turns(self, setup: Setup, seat: Card) -> bool:
        return not seat.dice

    def dice_kinds(self, setup: Setup) -> tuple[DieKind, ...]:
        return (make_ordinary_dice(DICE),)

    def seat_thrown_dice(self, setup: Setup, seat: Card, action: Action) -> Mapping[str, Sequence[Face]]:
        """Return the dice of a roll (ROCK-4). The final dice of ROCK-31 are not told: most of them were kept."""
        return {"d6": action.dice} if isinstance(action, Roll) else {}

    def turns(self, state: Table[Card], seat: int) -> tuple[Turn, ...]:
        return state.seats[seat].turns

    def example(self, setup: Setup) -> Sequence[Mapping[str, Any]]:
        # Only the form of the options shows it.
        from games.rock_yahtzee.example import make_example

        return make_example(setup)

    def handouts(self, setup: Setup) -> tuple[Handout, ...]:
        # Only the server prints, so phones need not load this.
        from games.rock_yahtzee.handouts import list_handouts

        return list_handouts(setup)


GAME = RockYahtzee()
