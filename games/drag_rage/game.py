"""The class of the game Drag Rage, which joins the modules of this package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any

from games.core.actions import Action, ActionType, action_types
from games.core.consequences import Consequence
from games.core.dice import DieKind, make_ordinary_dice
from games.core.game import Ruleset, TieProcedure
from games.core.handouts import Handout
from games.core.in_turn import InTurnGame
from games.core.odds import Odds, Wanted
from games.core.problems import Problem
from games.core.prospects import Prospect
from games.core.reading import Face
from games.core.sheet import ScoreSheet
from games.core.specs import ActionSpec
from games.core.standing import Standing, Status
from games.core.text import Text, gettext_noop
from games.drag_rage.actions import ACTION_TYPES, Defend, StartHeat
from games.drag_rage.consequences import list_consequences
from games.drag_rage.display import make_display
from games.drag_rage.offers import ROLL_FREE_DICE, ROLL_NITRO, START_OFFERS, list_offers
from games.drag_rage.prospects import list_prospects
from games.drag_rage.rules import list_problems
from games.drag_rage.sheet import HEATS_WON, make_sheet
from games.drag_rage.state import FREE_DICE, SEATS, FinishedHeat, Heat, Race, find_winner, is_over
from games.drag_rage.transitions import APPLY

FREE = gettext_noop("Free dice")
NITRO = gettext_noop("Nitro die")

# A driver with several cards gets the first of these statuses that any card has.
STATUSES: tuple[Status, ...] = ("playing", "done", "retired")


class DragRage(InTurnGame[Race]):
    """The drag race: heats between two cars. A dead heat is run again, and two won heats win the race."""

    key = "drag-rage"
    name = gettext_noop("Drag Rage")
    summary = gettext_noop(
        "Two dragsters race to the line. A long move may be called a bluff, and then the dice have to confirm it."
    )
    who_plays = gettext_noop("Two players at a table.")
    takes = gettext_noop("About a quarter of an hour for a race of two or three heats.")
    seat_limits = (SEATS, SEATS)
    tie_rule = "DRAG-16"
    many_cards = True
    total_label = HEATS_WON
    combined_label = gettext_noop("Races won")
    margin_label = gettext_noop("Heat difference")
    standings_version = 2  # 1 added up the heats won
    odds_measure = "heat"

    def tie_procedure(self, setup: Any) -> TieProcedure:
        return "play_on"

    def action_types(self, setup: Any) -> Mapping[str, ActionType]:
        return action_types(*ACTION_TYPES)

    def start(self, ruleset: Ruleset, seats: int) -> Race:
        return Race()

    def retired(self, state: Race) -> Set[int]:
        return state.retired

    def turn_problems(self, state: Race, action: Action) -> tuple[Problem, ...]:
        return list_problems(state.heat, action)

    def turn_apply(self, state: Race, action: Action) -> Race:
        if isinstance(action, StartHeat):
            return Race(state.heats, Heat(action.first), state.won)
        assert state.heat is not None
        after = APPLY[type(action)](state.heat, action)
        return (
            _add_finished_heat(state, after) if isinstance(after, FinishedHeat) else Race(state.heats, after, state.won)
        )

    def turn_specs(self, state: Race, seat: int | None) -> tuple[ActionSpec, ...]:
        if state.heat is None:
            return START_OFFERS if seat is None else ()
        return () if seat is None else list_offers(state.heat)

    def apply_retire(self, state: Race, seat: int) -> Race:
        return state._replace(retired=state.retired | {seat})

    def sheet(self, state: Race) -> ScoreSheet:
        return make_sheet(state)

    def standing(self, state: Race, seat: int) -> Standing:
        """Return the heats won. The key counts races won, then heats won less heats lost (DRAG-29).

        Within one race this is the order of the heats won: the winner of a race has won more, or the other has retired.
        """
        status: Status = "done" if is_over(state) else "playing"
        key = (int(find_winner(state) == seat), state.won[seat] - state.won[1 - seat])
        return Standing(state.won[seat], key, "retired" if seat in state.retired else status)

    def combine(self, standings: Sequence[Standing]) -> Standing:
        """Return the races won (DRAG-29). Only a driver who retired from every race counts as retired."""
        races, margin = (sum(numbers) for numbers in zip(*(standing.key for standing in standings), strict=True))
        statuses = [standing.status for standing in standings]
        return Standing(races, (races, margin), next(status for status in STATUSES if status in statuses))

    def prospects(self, state: Race, seat: int) -> tuple[Prospect, ...]:
        return list_prospects(state, seat)

    def choice_label(self, choice: Mapping[str, Any]) -> Text | None:
        if choice["type"] != Defend.type:
            return None
        return ROLL_NITRO if choice["nitro"] else ROLL_FREE_DICE

    def odds(self, state: Race, seat: int, wanted: Wanted) -> Odds:
        # Only a question about odds needs the solver.
        from games.drag_rage.odds.options import find_odds

        return find_odds(state, seat, wanted)

    def dice_kinds(self, setup: Any) -> tuple[DieKind, ...]:
        free = make_ordinary_dice(FREE_DICE)
        return (free._replace(label=FREE), free._replace(key="nitro", label=NITRO, dice=1))

    def thrown_dice(self, before: Race, action: Action) -> Mapping[str, Sequence[Face]]:
        """Return the dice of a challenge; the third is the nitro die (DRAG-5)."""
        if not isinstance(action, Defend):
            return {}
        thrown = {"d6": action.dice[:FREE_DICE], "nitro": action.dice[FREE_DICE:]}
        return {key: faces for key, faces in thrown.items() if faces}

    def seats(self, state: Race) -> int:
        return SEATS

    def is_finished(self, state: Race) -> bool:
        return is_over(state)

    def to_act(self, state: Race) -> int | None:
        heat = state.heat
        return None if heat is None or is_over(state) else heat.to_act

    def consequences(self, before: Race, action: Action, after: Race) -> tuple[Consequence, ...]:
        return list_consequences(before, action, after)

    def display(self, state: Race) -> Mapping[str, Any]:
        return make_display(state)

    def handouts(self, setup: Any) -> tuple[Handout, ...]:
        # Only the server prints, so phones need not load this.
        from games.drag_rage.handouts import list_handouts

        return list_handouts()

    def extra_results(self, state: Race) -> Mapping[str, Any]:
        return {
            "heats": [
                {"winner": heat.winner, "counters": list(heat.counters), "spaces": list(heat.spaces)}
                for heat in state.heats
            ]
        }


def _add_finished_heat(race: Race, heat: FinishedHeat) -> Race:
    won = race.won
    if heat.winner is not None:
        won = (won[0] + 1, won[1]) if heat.winner == 0 else (won[0], won[1] + 1)
    return Race((*race.heats, heat), None, won)


GAME = DragRage()
