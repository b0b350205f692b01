"""The class of the game Grand Prix, which joins the modules of this package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.core.actions import Action, ActionType
from games.core.consequences import Consequence
from games.core.dice import DieKind, make_ordinary_dice
from games.core.handouts import Handout
from games.core.independent import IndependentGame, Table
from games.core.odds import Aim, Odds, Wanted
from games.core.problems import Problem
from games.core.reading import Face
from games.core.sheet import Line
from games.core.specs import ActionSpec
from games.core.standing import Reach
from games.core.text import Text, gettext_noop
from games.grand_prix.actions import ACTION_TYPES, Reroll, Roll, Select
from games.grand_prix.consequences import list_consequences
from games.grand_prix.display import make_display
from games.grand_prix.offers import ROLL_DICE, list_offers
from games.grand_prix.options import PRESETS, SHEET_OPTION, read_setup
from games.grand_prix.preview import make_preview
from games.grand_prix.reach import get_reach
from games.grand_prix.rules import APPLY, PROBLEMS
from games.grand_prix.scoring import DICE
from games.grand_prix.sheet import TOTAL, list_lines
from games.grand_prix.state import Drive, Setup, get_total, is_done, start_drive


class GrandPrix(IndependentGame[Drive]):
    """The solo race: each player drives alone, the lowest sum of places wins, and tied seats stay tied."""

    key = "grand-prix"
    name = gettext_noop("Grand Prix")
    summary = gettext_noop(
        "A driver races around four circuits with six dice: choose the gear, and get to the flag in time"
        " without too much damage."
    )
    who_plays = gettext_noop("Any number of players, each on their own.")
    takes = gettext_noop("About three quarters of an hour for each player.")
    tie_rule = "GP-1"
    odds_measure = "total"
    total_label = TOTAL
    declared_options = (SHEET_OPTION,)
    presets = PRESETS

    def lowest_wins(self, setup: Any) -> bool:
        return True

    def finished_first(self, setup: Any) -> bool:
        return True

    def odds_aim(self, setup: Any) -> Aim:
        return "low"

    def set_up(self, options: Mapping[str, Any]) -> Setup:
        return read_setup(options["sheet"])

    def seat_action_types(self, setup: Setup) -> Sequence[ActionType]:
        return ACTION_TYPES

    def start_seat(self, setup: Setup) -> Drive:
        return start_drive(setup)

    def seat_problems(self, setup: Setup, seat: Drive, action: Action) -> tuple[Problem, ...]:
        return PROBLEMS[type(action)](setup, seat, action)

    def seat_apply(self, setup: Setup, seat: Drive, action: Action) -> Drive:
        return APPLY[type(action)](setup, seat, action)

    def seat_specs(self, setup: Setup, seat: Drive, number: int) -> tuple[ActionSpec, ...]:
        return list_offers(setup, seat, number)

    def seat_lines(self, setup: Setup, seat: Drive) -> tuple[Line, ...]:
        return list_lines(setup, seat)

    def is_seat_done(self, setup: Setup, seat: Drive) -> bool:
        return is_done(setup, seat)

    def seat_total(self, setup: Setup, seat: Drive) -> int:
        return get_total(seat)

    def seat_key(self, setup: Setup, seat: Drive) -> tuple[int, ...]:
        """Rank more circuits first, then the lower sum. A seat that is done has completed all circuits."""
        return len(seat.places), -get_total(seat)

    def seat_reach(self, setup: Setup, seat: Drive) -> Reach:
        return get_reach(setup, seat)

    def choice_label(self, choice: Mapping[str, Any]) -> Text | None:
        return ROLL_DICE if choice["type"] == Roll.type else None

    def seat_odds(self, setup: Setup, seat: Drive, wanted: Wanted) -> Odds:
        # Only a question about odds needs the solver.
        from games.grand_prix.odds.options import find_odds

        return find_odds(setup, seat, wanted)

    def seat_consequences(self, setup: Setup, before: Drive, action: Action, after: Drive) -> tuple[Consequence, ...]:
        return list_consequences(setup, before, action, after)

    def dice_kinds(self, setup: Setup) -> tuple[DieKind, ...]:
        return (make_ordinary_dice(DICE),)

    def seat_thrown_dice(self, setup: Setup, seat: Drive, action: Action) -> Mapping[str, Sequence[Face]]:
        return {"d6": action.dice} if isinstance(action, (Roll, Reroll, Select)) else {}

    def preview(self, setup: Setup) -> Mapping[str, Any]:
        return make_preview(setup)

    def display(self, state: Table[Drive]) -> Mapping[str, Any]:
        return make_display(state)

    def handouts(self, setup: Setup) -> tuple[Handout, ...]:
        # Only the server prints, so phones need not load this.
        from games.grand_prix.handouts import list_handouts

        return list_handouts(setup)


GAME = GrandPrix()
