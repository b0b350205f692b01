"""The interface of a game: what a game must implement so that all other code can work with any game.

Terms: a *ruleset* is a game with its options fixed. A *state* is immutable; `apply` returns the next one.

Invariant: `problems` and `legal_actions` follow the same rules. Every offered action is accepted, and every rejected
action has an explanation.
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
from games.core.dice import DieKind
from games.core.handouts import Handout
from games.core.odds import Aim, Measure, Odds, Wanted
from games.core.options import Option, Preset, read_options
from games.core.problems import Problem, is_blocked
from games.core.prospects import Prospect
from games.core.ranking import Ranking, rank
from games.core.reading import Face
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
        game: the game.
        options: a value for every option that the game declares.
        setup: the options in the form that suits the game's rules best, as `Game.set_up` returns them.
    """

    game: Game[Any]
    options: Mapping[str, Any] = field(hash=False)
    setup: Any = field(compare=False, repr=False)

    @cached_property
    def types(self) -> Mapping[str, ActionType]:
        """The action types by name."""
        return self.game.action_types(self.setup)

    def read_action(self, data: object, seats: int, path: str = "") -> Action:
        """Return the action that a JSON value describes, or raise `Malformed`."""
        return read_action(self.types, data, seats, path)

    def write_action(self, action: Action) -> dict[str, Any]:
        """Return the action as a JSON object."""
        return write_action(self.types, action)


class Game(ABC, Generic[S]):
    """The rules of one game, over states of type `S`.

    Attributes:
        key: the name of the game in transcripts.
        name: the name of the game for people.
        version: the version of the rules. Increase it when an existing log would be scored differently.
        seat_limits: the lowest and the highest number of seats (None: no limit).
        independent: whether seats never affect each other.
        recorded_by: "turn" if an operation is a whole turn, "action" if it is one action.
        tie_procedure: what happens when seats are tied at the end.
        tie_rule: the clause for it.
        slot_option: the option that a contest's slots set, the number of turns; None without slots.
        many_cards: whether a player may have several cards in a contest; `combine` merges their standings.
        total_label: what the total of a card counts.
        combined_label: what the total counts that `combine` returns, if that is something else.
        margin_label: what the second number of the key counts, for a game in which players with the same total may
            differ in it; leaderboards then show it beside the total.
        standings_version: the version of `combine`. Increase it when the same cards would give other standings.
            Published results keep theirs.
        lowest_wins: whether a smaller total is better. For display only: ranking uses the key of the standing.
        finished_first: whether seats that are done rank above all others, whatever the totals.
        odds_measure: what the values of `odds` count; None for a game that does not tell odds.
        odds_aim: whether a high or a low value is good.
        odds_distribution: whether `odds` answers the chances of all final totals where the rules are not too large.
        declared_options: the options that a contest can set.
        presets: named sets of options that go well together.
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
    combined_label: ClassVar[Text | None] = None
    margin_label: ClassVar[Text | None] = None
    standings_version: ClassVar[int] = 1
    lowest_wins: ClassVar[bool] = False
    finished_first: ClassVar[bool] = False
    odds_measure: ClassVar[Measure | None] = None
    odds_aim: ClassVar[Aim] = "high"
    odds_distribution: ClassVar[bool] = False
    declared_options: ClassVar[tuple[Option, ...]] = ()
    presets: ClassVar[tuple[Preset, ...]] = ()

    def ruleset(self, options: object | None = None) -> Ruleset:
        """Fix the options.

        Args:
            options: a JSON object with the options that differ from the defaults.

        Raises:
            Malformed: an option is unknown or out of range.
        """
        values = read_options(self.declared_options, {} if options is None else options)
        return Ruleset(self, values, self.set_up(values))

    def set_up(self, options: Mapping[str, Any]) -> Any:
        """Return the options in the form that suits the rules best.

        Raises:
            Malformed: the options contradict each other.
        """
        return options

    @abstractmethod
    def action_types(self, setup: Any) -> Mapping[str, ActionType]:
        """Return the action types by name."""

    @abstractmethod
    def start(self, ruleset: Ruleset, seats: int) -> S:
        """Return the state before the first action."""

    @abstractmethod
    def problems(self, state: S, action: Action) -> tuple[Problem, ...]:
        """Return every rule that the action would break, the most specific first (TABLE-4). Never raises."""

    @abstractmethod
    def apply(self, state: S, action: Action) -> S:
        """Return the state after an action that no problem blocks."""

    @abstractmethod
    def legal_actions(self, state: S, seat: int | None) -> tuple[ActionSpec, ...]:
        """Return what the seat can do now; for None, the actions that belong to no seat."""

    @abstractmethod
    def sheet(self, state: S) -> ScoreSheet:
        """Return the lines of the score sheet."""

    @abstractmethod
    def standing(self, state: S, seat: int) -> Standing:
        """Return the seat's standing."""

    def reach(self, state: S, seat: int) -> Reach | None:
        """Return limits of what the seat can still end with: no standing may ever turn out better or worse.

        A contest may be closed at any time. Unless `finished_first`, the present total then stands, so it must be
        within the limits. Return None if the game does not support this; then the pages do not say what it takes to
        win. Only a game can support it whose finished seats are ranked by their totals alone.
        """
        return None

    def prospects(self, state: S, seat: int) -> tuple[Prospect, ...]:
        """Return what the seat needs to win at its table, and what is already certain there; by default nothing.

        It is for games in which the seats of one table play against each other. Nothing is said about a seat that has
        retired, or once the game is over.
        """
        return ()

    def odds(self, state: S, seat: int, wanted: Wanted) -> Odds | None:
        """Return the odds of the seat: what best play comes to, and what each choice costs.

        The figures depend on nothing but the state and the question. Return None for a game that does not tell, which
        is the default; a game that does also sets `odds_measure`. Once the time is up, return the choices without
        figures, with the method "none".
        """
        return None

    def is_between_turns(self, state: S, seat: int) -> bool:
        """Return whether no turn of the seat is running, so that nothing in the state is advice for one.

        A game that tells the chances of final totals implements it (`odds_distribution`).
        """
        return self.is_finished(state)

    def dice_kinds(self, setup: Any) -> tuple[DieKind, ...]:
        """Return the kinds of dice whose throws `thrown_dice` tells; by default none."""
        return ()

    def thrown_dice(self, before: S, action: Action) -> Mapping[str, Sequence[Face]]:
        """Return the faces that an action records of dice that were thrown just then, by the key of their kind.

        Dice that stayed on the table are not among them, and neither are dice of which only a selection was recorded,
        such as the last faces of a turn: players choose those, so they say nothing about the dice.

        Args:
            before: the state before the action, which no problem blocks.
        """
        return {}

    @abstractmethod
    def seats(self, state: S) -> int:
        """Return the number of seats."""

    @abstractmethod
    def is_finished(self, state: S) -> bool:
        """Return whether the game is over."""

    def to_act(self, state: S) -> int | None:
        """Return the seat that must act next; None for independent seats and when no seat must act."""
        return None

    def cuts(self, state: S) -> Sequence[Mapping[int, Card | None]]:
        """Return the cuts made at the end, oldest first."""
        return ()

    def turns(self, state: S, seat: int) -> tuple[Turn, ...]:
        """Return the turns that the seat has ended; only games recorded by turn have any."""
        return ()

    def ranking(self, state: S) -> Ranking[int]:
        """Return the current ranking."""
        return rank({seat: self.standing(state, seat) for seat in range(self.seats(state))}, self.cuts(state))

    def winners(self, state: S) -> tuple[int, ...]:
        """Return the seats that have won: those in first place once the game is finished."""
        return self.ranking(state).groups[0] if self.is_finished(state) else ()

    def extra_results(self, state: S) -> Mapping[str, Any]:
        """Return extra fields for a transcript's result, if the rule book defines any."""
        return {}

    def preview(self, setup: Any) -> Mapping[str, Any] | None:
        """Return plain data for a picture of the options; the game's `preview.html` template gets it as `preview`."""
        return None

    def handouts(self, setup: Any) -> tuple[Handout, ...]:
        """Return what can be printed for the tables, in the order of usefulness; by default nothing."""
        return ()

    def display(self, state: S) -> Mapping[str, Any] | None:
        """Return plain data for a picture of the table; the game's `display.html` template renders it."""
        return None

    def consequences(self, before: S, action: Action, after: S) -> tuple[Consequence, ...]:
        """Return the consequences of an action that no problem blocks, for information only; by default none.

        Args:
            before: the state before the action.
            after: the state that `apply` returned.
        """
        return ()

    def combine(self, standings: Sequence[Standing]) -> Standing:
        """Return the standing of a player in a contest, from those of all their cards; by default there is just one."""
        (standing,) = standings
        return standing

    def play(self, state: S, action: Action) -> S:
        """Check and apply in one call.

        Raises:
            IllegalAction: a problem blocks the action. The exception has all problems.
        """
        found = self.problems(state, action)
        if found and is_blocked(found):
            raise IllegalAction(found)
        return self.apply(state, action)


class IllegalAction(Exception):
    """A readable action that the rules forbid."""

    def __init__(self, problems: tuple[Problem, ...]):
        super().__init__("; ".join(problem.message() for problem in problems))
        self.problems = problems
