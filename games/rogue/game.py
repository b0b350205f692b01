"""The class of the game Rogue, which joins the modules of this package."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.core.actions import Action, ActionType
from games.core.consequences import Consequence
from games.core.dice import DieKind
from games.core.game import Ruleset, TieProcedure
from games.core.handouts import Handout
from games.core.in_turn import InTurnGame
from games.core.odds import Odds, Wanted
from games.core.options import NumberOption, Preset
from games.core.problems import Problem
from games.core.prospects import Prospect
from games.core.reading import Face
from games.core.sheet import ScoreSheet
from games.core.specs import ActionSpec
from games.core.standing import Standing, Status
from games.core.text import Text, gettext_noop
from games.rogue.actions import ACTION_TYPES, Roll
from games.rogue.consequences import list_consequences
from games.rogue.display import make_display
from games.rogue.offers import FACES, ROLL_DICE, list_offers
from games.rogue.prospects import list_prospects
from games.rogue.rounds import retire_seat
from games.rogue.rules import APPLY, PROBLEMS
from games.rogue.scoring import DICE
from games.rogue.sheet import make_sheet
from games.rogue.state import Setup, Table

CRITTER_DICE = gettext_noop("Dice with a critter")


class Rogue(InTurnGame[Table]):
    """Two or more players push their luck in turn; once someone has 2,000 points, the most points win."""

    key = "rogue"
    name = gettext_noop("Rogue")
    summary = gettext_noop(
        "Six dice a turn: set aside what scores and roll the rest, until nothing scores. The most points win."
    )
    who_plays = gettext_noop("Two players or more at a table.")
    takes = gettext_noop("About an hour, or half of that as the short game.")
    seat_limits = (2, None)
    tie_rule = "ROGUE-14"
    total_label = gettext_noop("Points")
    odds_measure = "turn"
    declared_options = (
        NumberOption(
            "target",
            gettext_noop("Target"),
            gettext_noop("Once a player has this many points, it is the last round."),
            default=2000,
            low=1,
        ),
        NumberOption(
            "war_at",
            gettext_noop("War from"),
            gettext_noop("Once a player has this many points, using all six dice earns an additional turn."),
            default=1812,
            low=1,
        ),
    )
    presets = (
        Preset(
            "short",
            gettext_noop("Short game"),
            gettext_noop("To 1000, with the war from 906: both about half as far."),
            {"target": 1000, "war_at": 906},
        ),
    )

    def tie_procedure(self, setup: Any) -> TieProcedure:
        return "play_on"

    def set_up(self, options: Mapping[str, Any]) -> Setup:
        return Setup(options["target"], options["war_at"])

    def action_types(self, setup: Setup) -> Mapping[str, ActionType]:
        return ACTION_TYPES

    def start(self, ruleset: Ruleset, seats: int) -> Table:
        return Table(ruleset, (0,) * seats)

    def retired(self, state: Table) -> frozenset[int]:
        return state.retired

    def turn_problems(self, state: Table, action: Action) -> tuple[Problem, ...]:
        return PROBLEMS[type(action)](state.turn, action)

    def turn_apply(self, state: Table, action: Action) -> Table:
        return APPLY[type(action)](state, action)

    def turn_specs(self, state: Table, seat: int | None) -> tuple[ActionSpec, ...]:
        return () if seat is None else list_offers(state.turn, seat)

    def apply_retire(self, state: Table, seat: int) -> Table:
        return retire_seat(state, seat)

    def sheet(self, state: Table) -> ScoreSheet:
        return make_sheet(state)

    def standing(self, state: Table, seat: int) -> Standing:
        """Rank by points, with the winner first: by rogue out, any seat can win (ROGUE-24)."""
        status: Status = "playing" if state.winner is None else "done"
        key = (1 if seat == state.winner else 0, state.scores[seat])
        return Standing(state.scores[seat], key, "retired" if seat in state.retired else status)

    def prospects(self, state: Table, seat: int) -> tuple[Prospect, ...]:
        return list_prospects(state, seat)

    def dice_kinds(self, setup: Setup) -> tuple[DieKind, ...]:
        return (DieKind("rogue", CRITTER_DICE, FACES, (1,) * len(FACES), DICE),)

    def thrown_dice(self, before: Table, action: Action) -> Mapping[str, Sequence[Face]]:
        return {"rogue": action.dice} if isinstance(action, Roll) else {}

    def choice_label(self, choice: Mapping[str, Any]) -> Text | None:
        return ROLL_DICE if choice["type"] == Roll.type else None

    def odds(self, state: Table, seat: int, wanted: Wanted) -> Odds:
        # Phones load this only when somebody asks.
        from games.rogue.odds.options import get_odds

        return get_odds(state, seat, wanted)

    def seats(self, state: Table) -> int:
        return len(state.scores)

    def is_finished(self, state: Table) -> bool:
        return state.winner is not None

    def to_act(self, state: Table) -> int | None:
        return state.seat if state.winner is None else None

    def consequences(self, before: Table, action: Action, after: Table) -> tuple[Consequence, ...]:
        return list_consequences(before, action, after)

    def display(self, state: Table) -> Mapping[str, Any]:
        return make_display(state)

    def handouts(self, setup: Setup) -> tuple[Handout, ...]:
        # Only the server prints, so phones need not load this.
        from games.rogue.handouts import list_handouts

        return list_handouts(setup)


GAME = Rogue()
