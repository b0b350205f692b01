"""The class of the game dice run, which joins the modules of this package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.core.actions import Action, ActionType
from games.core.dice import DieKind
from games.core.game import ALL_STOPS, TieProcedure
from games.core.handouts import Handout
from games.core.independent import IndependentGame, Table
from games.core.odds import Aim, Endings, Odds, Wanted
from games.core.problems import Problem
from games.core.reading import Face
from games.core.sheet import Line, Turn
from games.core.specs import ActionSpec
from games.core.standing import Reach
from games.core.text import Params, Text, gettext_noop
from games.core.time_limit import TimeLimit
from games.dice_run.actions import Throw, list_action_types
from games.dice_run.faces import make_die_kind
from games.dice_run.offers import PLAIN_TURN, THROW_ALL, list_offers
from games.dice_run.options import OPTIONS, PRESETS, read_setup
from games.dice_run.preview import make_preview
from games.dice_run.reach import get_reach
from games.dice_run.rules import APPLY, PROBLEMS
from games.dice_run.sheet import list_lines
from games.dice_run.state import Setup, Sheet, count_missed, get_total, make_key

MISSED_FOR_MOST = gettext_noop("A missed turn is worth %(points)s points, the most that the dice can show.")
MISSED_BELOW = gettext_noop(
    "A missed turn is worth 0 points, and its sheet ranks below every sheet with fewer missed turns."
)

CLOSEST_WINS = gettext_noop("The total closest to %(target)s wins.")
AWAY = gettext_noop("%(distance)s away from %(target)s")
EXACT = gettext_noop("Exactly %(target)s")
DISTANCE = gettext_noop("Distance from the target")
NO_GROUPS = gettext_noop(
    "Where the total closest to a target wins, neither a high nor a low sum of several totals is good. Leave groups "
    "uncompared, or let the highest or the lowest total win."
)


class DiceRun(IndependentGame[Sheet]):
    """Dice at every stop of a ride: the highest total wins, the lowest, or the one that is closest to a target."""

    key = "dice-run"
    name = gettext_noop("Dice run")
    summary = gettext_noop(
        "A throw of the dice at every stop, and the sum decides: the highest wins, the lowest, or the one closest"
        " to a target."
    )
    who_plays = gettext_noop("All bikes, each with one score sheet.")
    takes = ALL_STOPS
    recorded_by = "turn"
    tie_rule = "DICE-15"
    slot_option = "turns"
    odds_measure = "total"
    odds_distribution = True
    plain_turn = PLAIN_TURN
    declared_options = OPTIONS
    presets = PRESETS

    def set_up(self, options: Mapping[str, Any]) -> Setup:
        return read_setup(options)

    def tie_procedure(self, setup: Setup) -> TieProcedure:
        return "cut_cards" if setup.cuts_cards else "stay_level"

    def lowest_wins(self, setup: Setup) -> bool:
        return setup.goal == "low"

    def finished_first(self, setup: Setup) -> bool:
        return setup.goal != "high"

    def describe_missed_turn(self, setup: Setup) -> tuple[Text, Params]:
        """Return what DICE-11 and DICE-12 say of it."""
        if setup.goal == "low":
            return MISSED_FOR_MOST, {"points": setup.missed}
        return (MISSED_BELOW, {}) if setup.goal == "target" else super().describe_missed_turn(setup)

    def describe_goal(self, setup: Setup) -> tuple[Text, Params] | None:
        return (CLOSEST_WINS, {"target": setup.target}) if setup.goal == "target" else None

    def describe_result(self, setup: Setup, total: int) -> tuple[Text, Params] | None:
        distance = self.distance(setup, total)
        if distance is None:
            return None
        return (AWAY, {"distance": distance, "target": setup.target}) if distance else (EXACT, {"target": setup.target})

    def distance(self, setup: Setup, total: int) -> int | None:
        return abs(total - setup.target) if setup.goal == "target" else None

    def odds_label(self, setup: Setup) -> Text | None:
        return DISTANCE if setup.goal == "target" else None

    def why_no_groups(self, setup: Setup) -> Text | None:
        return NO_GROUPS if setup.goal == "target" else None

    def odds_aim(self, setup: Setup) -> Aim:
        return "high" if setup.goal == "high" else "low"

    def seat_action_types(self, setup: Setup) -> Sequence[ActionType]:
        return list_action_types(setup.faces)

    def start_seat(self, setup: Setup) -> Sheet:
        return Sheet()

    def seat_problems(self, setup: Setup, seat: Sheet, action: Action) -> tuple[Problem, ...]:
        return PROBLEMS[type(action)](setup, seat, action)

    def seat_apply(self, setup: Setup, seat: Sheet, action: Action) -> Sheet:
        return APPLY[type(action)](setup, seat, action)

    def seat_specs(self, setup: Setup, seat: Sheet, number: int) -> tuple[ActionSpec, ...]:
        return list_offers(setup, len(seat.throws), number)

    def seat_lines(self, setup: Setup, seat: Sheet) -> tuple[Line, ...]:
        return list_lines(setup, seat)

    def is_seat_done(self, setup: Setup, seat: Sheet) -> bool:
        return len(seat.turns) >= setup.turns

    def seat_total(self, setup: Setup, seat: Sheet) -> int:
        return get_total(setup, seat)

    def seat_key(self, setup: Setup, seat: Sheet) -> tuple[int, ...]:
        return make_key(setup, len(seat.turns), count_missed(seat), get_total(setup, seat))

    def seat_after_turns(self, setup: Setup, turns: Sequence[Turn]) -> Sheet:
        return Sheet(tuple(turns))

    def seat_reach(self, setup: Setup, seat: Sheet) -> Reach | None:
        return get_reach(setup, seat)

    def choice_label(self, choice: Mapping[str, Any]) -> Text | None:
        return THROW_ALL if choice["type"] == Throw.type else None

    def seat_odds(self, setup: Setup, seat: Sheet, wanted: Wanted) -> Odds | None:
        # Scoring never needs these figures, so they are loaded when somebody asks.
        from games.dice_run.odds.answer import get_odds

        return get_odds(setup, seat, wanted)

    def endings(self, state: Table[Sheet], seat: int, limit: TimeLimit) -> Endings | None:
        """Return them from the chances of totals; with a target, missed turns rank before the distance (DICE-12)."""
        setup, found = state.ruleset.setup, super().endings(state, seat, limit)
        if found is None or setup.goal != "target":
            return found
        missed = count_missed(state.seats[seat])
        return Endings(tuple((-missed, *key) for key in found.keys), found.chances)

    def seat_odds_result(self, setup: Setup, seat: Sheet) -> int:
        total = get_total(setup, seat)
        return abs(total - setup.target) if setup.goal == "target" else total

    def is_seat_between_turns(self, setup: Setup, seat: Sheet) -> bool:
        return not seat.throws

    def dice_kinds(self, setup: Setup) -> tuple[DieKind, ...]:
        return (make_die_kind(setup),)

    def seat_thrown_dice(self, setup: Setup, seat: Sheet, action: Action) -> Mapping[str, Sequence[Face]]:
        """Return the dice of a throw: all of them are thrown, and none is chosen (DICE-4)."""
        return {f"d{setup.faces}": action.dice} if isinstance(action, Throw) else {}

    def turns(self, state: Table[Sheet], seat: int) -> tuple[Turn, ...]:
        return state.seats[seat].turns

    def preview(self, setup: Setup) -> Mapping[str, Any]:
        return make_preview(setup)

    def example(self, setup: Setup) -> Sequence[Mapping[str, Any]]:
        # Only the form of the options shows it.
        from games.dice_run.example import make_example

        return make_example(setup)

    def handouts(self, setup: Setup) -> tuple[Handout, ...]:
        # Only the server prints, so phones need not load this.
        from games.dice_run.handouts import list_handouts

        return list_handouts(setup)


GAME = DiceRun()
