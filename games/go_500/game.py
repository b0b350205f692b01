"""The class of the game Go 500, which joins the modules of this package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.core.actions import Action, ActionType
from games.core.consequences import Consequence
from games.core.dice import DieKind
from games.core.handouts import Handout
from games.core.independent import IndependentGame, Table
from games.core.odds import Odds, Wanted
from games.core.problems import Problem
from games.core.reading import Face
from games.core.sheet import Line
from games.core.specs import ActionSpec
from games.core.standing import Reach
from games.core.text import Text, gettext_noop
from games.go_500.actions import Penalty, Roll, list_action_types
from games.go_500.consequences import list_consequences
from games.go_500.course import make_course
from games.go_500.display import make_display
from games.go_500.kit import make_die
from games.go_500.offers import ROLL_DICE, ROLL_PENALTY_DIE, list_offers
from games.go_500.options import OPTIONS, PRESETS
from games.go_500.preview import make_preview
from games.go_500.reach import get_reach
from games.go_500.rules import PROBLEMS
from games.go_500.sheet import list_lines
from games.go_500.state import Race, Setup, get_total, is_done
from games.go_500.transitions import APPLY


class Go500(IndependentGame[Race]):
    """A race against the clock: one course for all players, the highest total wins, and tied players stay tied."""

    key = "go-500"
    name = gettext_noop("Go 500")
    summary = gettext_noop(
        "A motor race against the clock: drive each part of the course as fast as you dare. Above the speed"
        " limit it costs points."
    )
    who_plays = gettext_noop("Any number of players, each on their own.")
    takes = gettext_noop("About twenty minutes for each player.")
    total_label = gettext_noop("Points")
    tie_rule = "GO-3"
    odds_measure = "total"
    odds_distribution = True
    declared_options = OPTIONS
    presets = PRESETS

    def set_up(self, options: Mapping[str, Any]) -> Setup:
        course = make_course(options["course"], options["template"])
        kit = options["kit"]
        return Setup(course, options["rerolls"], **{colour: make_die(rows) for colour, rows in kit.items()})

    def seat_action_types(self, setup: Setup) -> Sequence[ActionType]:
        return list_action_types(setup)

    def start_seat(self, setup: Setup) -> Race:
        return Race((), setup.rerolls)

    def seat_problems(self, setup: Setup, seat: Race, action: Action) -> tuple[Problem, ...]:
        return PROBLEMS[type(action)](setup, seat, action)

    def seat_apply(self, setup: Setup, seat: Race, action: Action) -> Race:
        return APPLY[type(action)](setup, seat, action)

    def seat_specs(self, setup: Setup, seat: Race, number: int) -> tuple[ActionSpec, ...]:
        return list_offers(setup, seat, number)

    def seat_lines(self, setup: Setup, seat: Race) -> tuple[Line, ...]:
        return list_lines(setup, seat)

    def is_seat_done(self, setup: Setup, seat: Race) -> bool:
        return is_done(setup, seat)

    def seat_total(self, setup: Setup, seat: Race) -> int:
        return get_total(seat)

    def seat_reach(self, setup: Setup, seat: Race) -> Reach | None:
        return get_reach(setup, seat)

    def choice_label(self, choice: Mapping[str, Any]) -> Text | None:
        return {Roll.type: ROLL_DICE, Penalty.type: ROLL_PENALTY_DIE}.get(choice["type"])

    def seat_odds(self, setup: Setup, seat: Race, wanted: Wanted) -> Odds:
        # Phones load this only when somebody asks.
        from games.go_500.odds.options import get_odds

        return get_odds(setup, seat, wanted)

    def is_seat_between_turns(self, setup: Setup, seat: Race) -> bool:
        return seat.moment is None

    def seat_consequences(self, setup: Setup, before: Race, action: Action, after: Race) -> tuple[Consequence, ...]:
        return list_consequences(setup, before, action, after)

    def dice_kinds(self, setup: Setup) -> tuple[DieKind, ...]:
        # Only the organiser's audit of the dice asks, so phones need not load this.
        from games.go_500.thrown_dice import list_dice_kinds

        return list_dice_kinds(setup)

    def seat_thrown_dice(self, setup: Setup, seat: Race, action: Action) -> Mapping[str, Sequence[Face]]:
        from games.go_500.thrown_dice import find_thrown_dice

        return find_thrown_dice(setup, seat, action)

    def preview(self, setup: Setup) -> Mapping[str, Any]:
        return make_preview(setup)

    def display(self, state: Table[Race]) -> Mapping[str, Any]:
        return make_display(state)

    def handouts(self, setup: Setup) -> tuple[Handout, ...]:
        # Only the server prints, so phones need not load this.
        from games.go_500.handouts import list_handouts

        return list_handouts(setup)


GAME = Go500()
