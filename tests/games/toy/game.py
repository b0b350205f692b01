"""The rules of the toy game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from games.core.actions import Action, ActionType
from games.core.handouts import Handout, Panel, Point, Points
from games.core.independent import IndependentGame
from games.core.options import NumberOption
from games.core.problems import Problem
from games.core.reading import Faces, Flag
from games.core.sheet import Cell, Line
from games.core.specs import ActionSpec, Count, DiceField, FaceSpec, FlagField
from games.core.text import Text, gettext_noop
from tests.games.toy.yard import PRESETS, YARD, check_room

FACES = (1, 2, 3, 4, 5, 6)
FACE_SPECS = tuple(FaceSpec(face, Text(str(face))) for face in FACES)
DICE = Faces(FACES)

WRONG_COUNT = gettext_noop("One die or two are thrown, not %(count)s.")
NOTHING_THROWN = gettext_noop("There is nothing to bank.")
NOT_DOUBLE = gettext_noop("Only an even sum can be banked twice over, and only once.")


@dataclass(frozen=True, slots=True)
class Throw(Action):
    type: ClassVar[str] = "throw"
    dice: tuple[int | str, ...]


@dataclass(frozen=True, slots=True)
class Bank(Action):
    type: ClassVar[str] = "bank"
    double: bool = False


class Pig(NamedTuple):
    banked: int = 0
    thrown: int = 0
    throws: int = 0
    has_doubled: bool = False


class PigRace(IndependentGame[Pig]):
    key = "pig-race"
    name = gettext_noop("Pig race")
    summary = gettext_noop("Throw a die until the pig has come far enough.")
    who_plays = gettext_noop("Any number of players, each on their own.")
    takes = gettext_noop("A minute.")
    declared_options = (
        NumberOption("goal", Text("Goal"), Text("What ends the race."), 20, low=1, high=100),
        NumberOption("most_throws", Text("Most throws"), Text("What ends it too."), None, low=1, nullable=True),
        YARD,
    )
    presets = PRESETS

    def set_up(self, options: Mapping[str, Any]) -> Mapping[str, Any]:
        check_room(options["yard"])
        return options

    def lowest_wins(self, setup: Any) -> bool:
        return True

    def handouts(self, setup: Mapping[str, Any]) -> tuple[Handout, ...]:
        points = (
            Point(gettext_noop("Throw one die or two, as often as you like."), "PIG-1"),
            Point(gettext_noop("A 1 loses everything thrown since you last banked."), "PIG-1"),
            Point(gettext_noop("Bank what you have thrown, and throw on."), "PIG-2"),
            Point(gettext_noop("Once you may bank an even sum twice over."), "PIG-4"),
            Point(gettext_noop("The fewest throws to bank %(goal)s win."), "PIG-3", {"goal": setup["goal"]}),
        )
        return (Handout("rules", gettext_noop("The rules in short"), (Panel("", (Points(points),)),)),)

    def example(self, setup: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
        """Return throws of sixes, each banked, until it is over."""
        throws = -(-setup["goal"] // 6)
        if setup["most_throws"] is not None and setup["most_throws"] <= throws:
            return [{"type": "throw", "dice": [6]}] * setup["most_throws"]
        return [action for _ in range(throws) for action in ({"type": "throw", "dice": [6]}, {"type": "bank"})]

    def preview(self, setup: Mapping[str, Any]) -> Mapping[str, Any]:
        return setup["yard"]

    def seat_action_types(self, setup: Any) -> Sequence[ActionType]:
        return (ActionType(Throw, {"dice": DICE}), ActionType(Bank, {"double": Flag()}))

    def start_seat(self, setup: Mapping[str, Any]) -> Pig:
        return Pig()

    def seat_problems(self, setup: Mapping[str, Any], seat: Pig, action: Action) -> tuple[Problem, ...]:
        if isinstance(action, Throw):
            if 1 <= len(action.dice) <= 2:
                return ()
            return (Problem("wrong_count", "PIG-1", WRONG_COUNT, "dice", params={"count": len(action.dice)}),)
        assert isinstance(action, Bank)
        found = []
        if action.double and (seat.has_doubled or seat.thrown % 2):
            found.append(Problem("not_double", "PIG-4", NOT_DOUBLE, "double"))
        if not seat.thrown:
            found.append(Problem("nothing_thrown", "PIG-2", NOTHING_THROWN))
        return tuple(found)

    def seat_apply(self, setup: Mapping[str, Any], seat: Pig, action: Action) -> Pig:
        if isinstance(action, Throw):
            thrown = 0 if 1 in action.dice else seat.thrown + sum(int(face) for face in action.dice)
            return seat._replace(thrown=thrown, throws=seat.throws + 1)
        assert isinstance(action, Bank)
        points = seat.thrown * (2 if action.double else 1)
        return Pig(seat.banked + points, 0, seat.throws, seat.has_doubled or action.double)

    def seat_specs(self, setup: Mapping[str, Any], seat: Pig, number: int) -> tuple[ActionSpec, ...]:
        specs = [
            ActionSpec(
                "throw",
                number,
                Text("Throw"),
                (DiceField("dice", Text("Dice"), FACE_SPECS, Count(1, 2)),),
                done=Text("Thrown"),
            )
        ]
        if seat.thrown:
            can_double = not seat.has_doubled and seat.thrown % 2 == 0
            fields = (FlagField("double", Text("Twice over")),) if can_double else ()
            specs.append(ActionSpec("bank", number, Text("Bank"), fields, done=Text("Banked")))
        return tuple(specs)

    def seat_lines(self, setup: Mapping[str, Any], seat: Pig) -> tuple[Line, ...]:
        return (Line("banked", Text("Banked"), "PIG-2", (Cell(seat.banked),), "total"),)

    def is_seat_done(self, setup: Mapping[str, Any], seat: Pig) -> bool:
        return seat.banked >= setup["goal"] or seat.throws == setup["most_throws"]

    def seat_total(self, setup: Mapping[str, Any], seat: Pig) -> int:
        return seat.throws

    def seat_key(self, setup: Mapping[str, Any], seat: Pig) -> tuple[int, ...]:
        return (-seat.throws,)


GAME = PigRace()
