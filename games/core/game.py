"""The contract of a game: what a rule book must answer so that everything else can be general.

Terms: a *ruleset* is a game with its options fixed. A *state* is frozen; `apply` makes the next one.
`problems` and `legal_actions` come from the same rules, so what is offered is accepted and what is refused is
explained.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Generic, Literal, TypeVar

from games.core.actions import Action, ActionType, read_action, write_action
from games.core.cards import Card
from games.core.consequences import Consequence
from games.core.options import Option, Preset, read_options
from games.core.problems import Problem, is_blocked
from games.core.ranking import Ranking, rank
from games.core.sheet import ScoreSheet, Turn
from games.core.specs import ActionSpec
from games.core.standing import Reach, Standing
from games.core.text import Text, gettext_noop

S = TypeVar("S")

TieProcedure = Literal["cut_cards", "stay_level", "play_on"]
RecordedBy = Literal["turn", "action"]


@dataclass(frozen=True)
class Ruleset:
    """A game with its options fixed.

    Attributes:
        game: whose rules these are.
        options: a value for every option the game declares.
        setup: what the game made of the options, in whatever form its rules like best.
    """

    game: Game[Any]
    options: Mapping[str, Any] = field(hash=False)
    setup: Any = field(compare=False, repr=False)

    @cached_property
    def types(self) -> Mapping[str, ActionType]:
        """The action types, by word."""
        return self.game.action_types(self.setup)

    def read_action(self, data: object, seats: int, path: str = "") -> Action:
        """Return the action a JSON value stands for, or raise `Malformed`."""
        return read_action(self.types, data, seats, path)

    def write_action(self, action: Action) -> dict[str, Any]:
        """Return the action as a JSON object."""
        return write_action(self.types, action)


class Game(ABC, Generic[S]):
    """A family of rules over states of type `S`.

    Attributes:
        key: the ruleset's name in transcripts.
        name: what people call the game.
        version: of the rules; grows when the same log would score otherwise.
        seat_limits: how many seats, least and most (None: no limit).
        independent: whether seats never affect each other.
        recorded_by: "turn" when an operation is a whole turn, "action" when it is one action.
        tie_procedure: what happens when seats are level at the end.
        tie_rule: the clause that says so.
        slot_option: the option that a contest's slots set, the number of turns; None without slots.
        many_cards: whether somebody may hold several cards of a contest; `combine` says what they come to.
        total_label: what the total on the scoreboard counts.
        lowest_wins: whether a smaller total is better; for showing only, ranking goes by the standing's key.
        declared_options: what a contest may choose.
        presets: choices that go well together.
    """

    key: ClassVar[str]
    name: ClassVar[Text]
    version: ClassVar[int] = 1
    seat_limits: ClassVar[tuple[int, int | None]] = (1, None)
    independent: ClassVar[bool] = True
    recorded_by: ClassVar[RecordedBy] = "action"
    tie_procedure: ClassVar[TieProcedure] = "stay_level"
    tie_rule: ClassVar[str] = ""
    slot_option: ClassVar[str | None] = None
    many_cards: ClassVar[bool] = False
    total_label: ClassVar[Text] = gettext_noop("Total")
    lowest_wins: ClassVar[bool] = False
    declared_options: ClassVar[tuple[Option, ...]] = ()
    presets: ClassVar[tuple[Preset, ...]] = ()

    def ruleset(self, options: object | None = None) -> Ruleset:
        """Fix the options.

        Args:
            options: a JSON object with what differs from the defaults.

        Raises:
            Malformed: an option is unknown or out of its range.
        """
        values = read_options(self.declared_options, {} if options is None else options)
        return Ruleset(self, values, self.set_up(values))

    def set_up(self, options: Mapping[str, Any]) -> Any:
        """Return what the rules want to know of the options.

        Raises:
            Malformed: options contradict each other.
        """
        return options

    @abstractmethod
    def action_types(self, setup: Any) -> Mapping[str, ActionType]:
        """Return how each action is written."""

    @abstractmethod
    def start(self, ruleset: Ruleset, seats: int) -> S:
        """Return the state before the first action."""

    @abstractmethod
    def problems(self, state: S, action: Action) -> tuple[Problem, ...]:
        """Return every rule the action would break, the most specific first (TABLE-4). Never raises."""

    @abstractmethod
    def apply(self, state: S, action: Action) -> S:
        """Return the state after an action that nothing blocks."""

    @abstractmethod
    def legal_actions(self, state: S, seat: int | None) -> tuple[ActionSpec, ...]:
        """Return what the seat may do now; with None, what may be done without a seat."""

    @abstractmethod
    def sheet(self, state: S) -> ScoreSheet:
        """Return the lines of the score sheet."""

    @abstractmethod
    def standing(self, state: S, seat: int) -> Standing:
        """Return where the seat stands."""

    def reach(self, state: S, seat: int) -> Reach | None:
        """Return the best and the worst standing that the seat can still come to, both attainable; None in a game that
        does not tell, and then nobody is told what they need.

        A game that tells is one whose ranking is that of its totals alone.
        """
        return None

    @abstractmethod
    def seats(self, state: S) -> int:
        """Return how many seats there are."""

    @abstractmethod
    def is_finished(self, state: S) -> bool:
        """Say whether the game is over."""

    def to_act(self, state: S) -> int | None:
        """Return the seat that must act next; None for independent seats and whenever nobody must."""
        return None

    def cuts(self, state: S) -> Sequence[Mapping[int, Card | None]]:
        """Return the cuts made at the end, oldest first."""
        return ()

    def turns(self, state: S, seat: int) -> tuple[Turn, ...]:
        """Return the turns the seat has ended; only games recorded by turn have any."""
        return ()

    def ranking(self, state: S) -> Ranking[int]:
        """Return the places as they stand."""
        return rank({seat: self.standing(state, seat) for seat in range(self.seats(state))}, self.cuts(state))

    def winners(self, state: S) -> tuple[int, ...]:
        """Return the seats that have won: the first place, once the game is finished."""
        return self.ranking(state).groups[0] if self.is_finished(state) else ()

    def extra_results(self, state: S) -> Mapping[str, Any]:
        """Return further fields of a transcript's result, where the rule book has any."""
        return {}

    def preview(self, setup: Any) -> Mapping[str, Any] | None:
        """Return what a drawing of the options is made of, as plain data; the game's fragment `preview.html` finds it
        as `preview`."""
        return None

    def display(self, state: S) -> Mapping[str, Any] | None:
        """Return what a picture of the table is made of, as plain data for the game's fragment `display.html`."""
        return None

    def consequences(self, before: S, action: Action, after: S) -> tuple[Consequence, ...]:
        """Return what an action that nothing blocks brings about, for telling only; by default nothing.

        Args:
            before: the state it is played in.
            after: the state that `apply` makes of it.
        """
        return ()

    def combine(self, standings: Sequence[Standing]) -> Standing:
        """Return one standing for somebody who holds several cards; by default they hold exactly one."""
        (standing,) = standings
        return standing

    def play(self, state: S, action: Action) -> S:
        """Check and apply in one call.

        Raises:
            IllegalAction: something blocks the action; it carries every problem.
        """
        found = self.problems(state, action)
        if found and is_blocked(found):
            raise IllegalAction(found)
        return self.apply(state, action)


class IllegalAction(Exception):
    """An action that could be read and that the rules forbid."""

    def __init__(self, problems: tuple[Problem, ...]):
        super().__init__("; ".join(problem.message() for problem in problems))
        self.problems = problems
