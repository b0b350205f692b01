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
from games.core.odds import Aim, Endings, Measure, Odds, Wanted
from games.core.options import Option, Preset, read_options
from games.core.problems import Problem, is_blocked
from games.core.prospects import Prospect
from games.core.ranking import Ranking, rank
from games.core.reading import Face
from games.core.sheet import ScoreSheet, Turn
from games.core.specs import ActionSpec
from games.core.standing import Reach, Standing
from games.core.text import Params, Text, gettext_noop
from games.core.time_limit import TimeLimit

S = TypeVar("S")
NOTHING = Text("")
ALL_STOPS = gettext_noop("From the first stop to the last. A turn takes a minute.")
MISSED_FOR_NOTHING = gettext_noop("A missed turn is worth 0 points.")

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

    @cached_property
    def tie_procedure(self) -> TieProcedure:
        """What happens when seats are tied at the end."""
        return self.game.tie_procedure(self.setup)

    @cached_property
    def lowest_wins(self) -> bool:
        """Whether a smaller total is better."""
        return self.game.lowest_wins(self.setup)

    @cached_property
    def finished_first(self) -> bool:
        """Whether seats that are done rank above all others."""
        return self.game.finished_first(self.setup)

    @cached_property
    def why_no_groups(self) -> Text | None:
        """Why totals of several seats cannot be added up to compare groups; None if they can."""
        return self.game.why_no_groups(self.setup)

    @cached_property
    def odds_aim(self) -> Aim:
        """Whether a high or a low value of the odds is good."""
        return self.game.odds_aim(self.setup)

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
        summary: what is played, in a sentence or two for somebody who does not know the game.
        who_plays: who plays it, and how many.
        takes: about how long it takes.
        version: the version of the rules. Increase it when an existing log would be scored differently.
        seat_limits: the lowest and the highest number of seats (None: no limit).
        independent: whether seats never affect each other.
        recorded_by: "turn" if an operation is a whole turn, "action" if it is one action.
        tie_rule: the clause about ties (`tie_procedure`).
        slot_option: the option that a contest's slots set, the number of turns; None without slots.
        many_cards: whether a player may have several cards in a contest; `combine` merges their standings.
        one_sheet_clause: the clause that gives every bike one scorecard; "" where a bike, or each rider, may have
            several.
        total_label: what the total of a card counts.
        combined_label: what the total counts that `combine` returns, if that is something else.
        margin_label: what the second number of the key counts, for a game in which players with the same total may
            differ in it; leaderboards then show it beside the total.
        standings_version: the version of `combine`. Increase it when the same cards would give other standings.
            Published results keep theirs.
        odds_measure: what the values of `odds` count; None for a game that does not tell odds.
        hand_labels: the names of hands by category, the worst first, for a game whose totals are numbers of hands and
            whose odds have the measure "hand".
        odds_distribution: whether `odds` answers the chances of all final totals where the rules are not too large.
        plain_turn: for a game that is recorded by the turn, the actions of one turn, whatever the state and the
            options. Phones on which the rules do not run offer them. It has only dice, cards, choices and numbers.
        closing_types: for a game that is recorded by the turn, the action types that follow a player's last turn and
            are recorded with it, such as buying a card. A turn with them ended with the action before.
        points_of_turns: whether a turn scores points of its own, which say how good it was. If not, pages show its dice
            or cards alone, and turns at a stop are not compared.
        compares_totals: whether the difference of two totals means something, such as points behind the leader.
        declared_options: the options that a contest can set.
        presets: named sets of options that go well together. One that gives the `slot_option` says how many turns it is
            for; organisers still assign turns to stops.
    """

    key: ClassVar[str]
    name: ClassVar[Text]
    summary: ClassVar[Text] = NOTHING
    who_plays: ClassVar[Text] = NOTHING
    takes: ClassVar[Text] = NOTHING
    version: ClassVar[int] = 1
    seat_limits: ClassVar[tuple[int, int | None]] = (1, None)
    independent: ClassVar[bool] = True
    recorded_by: ClassVar[RecordedBy] = "action"
    tie_rule: ClassVar[str] = ""
    slot_option: ClassVar[str | None] = None
    many_cards: ClassVar[bool] = False
    one_sheet_clause: ClassVar[str] = ""
    total_label: ClassVar[Text] = gettext_noop("Total")
    combined_label: ClassVar[Text | None] = None
    margin_label: ClassVar[Text | None] = None
    standings_version: ClassVar[int] = 1
    odds_measure: ClassVar[Measure | None] = None
    hand_labels: ClassVar[tuple[Text, ...]] = ()
    odds_distribution: ClassVar[bool] = False
    plain_turn: ClassVar[tuple[ActionSpec, ...]] = ()
    closing_types: ClassVar[frozenset[str]] = frozenset()
    points_of_turns: ClassVar[bool] = True
    compares_totals: ClassVar[bool] = True
    declared_options: ClassVar[tuple[Option, ...]] = ()
    presets: ClassVar[tuple[Preset, ...]] = ()

    @property
    def has_hands(self) -> bool:
        """Whether totals are the numbers of hands: they can be compared, but not added, and pages show the hand."""
        return bool(self.hand_labels)

    @property
    def tells_endings(self) -> bool:
        """Whether `endings` says what a seat may end as, from which the chances to win follow."""
        return self.odds_distribution or self.odds_measure == "hand"

    @property
    def tells_luck(self) -> bool:
        """Whether `games.core.luck` can say what throws brought and choices cost."""
        return self.odds_measure == "total" and self.independent

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

    def tie_procedure(self, setup: Any) -> TieProcedure:
        """Return what happens when seats are tied at the end.

        If it depends on the options, the game lists `CUT` among its actions in any case: then a cut can be read where
        `tie_rule` forbids it.
        """
        return "stay_level"

    def lowest_wins(self, setup: Any) -> bool:
        """Return whether a smaller total is better. For display only: ranking uses the key of the standing."""
        return False

    def finished_first(self, setup: Any) -> bool:
        """Return whether seats that are done rank above all others, whatever the totals."""
        return False

    def describe_goal(self, setup: Any) -> tuple[Text, Params] | None:
        """Return which total wins, as a sentence with its params; None if pages can say it by `lowest_wins`."""
        return None

    def describe_result(self, setup: Any, total: int) -> tuple[Text, Params] | None:
        """Return what pages say beside a total that does not tell by itself how good it is; None for nothing."""
        return None

    def distance(self, setup: Any, total: int) -> int | None:
        """Return how far a total is from the one that wins; None where the highest or the lowest one does."""
        return None

    def odds_label(self, setup: Any) -> Text | None:
        """Return what the values of `odds` count where they count something else than the total; None for the total."""
        return None

    def why_no_groups(self, setup: Any) -> Text | None:
        """Return why groups cannot be compared by the sum or the mean of their totals; None if they can."""
        return None

    def odds_aim(self, setup: Any) -> Aim:
        """Return whether a high or a low value of `odds` is good."""
        return "high"

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

    def describe_missed_turn(self, setup: Any) -> tuple[Text, Params]:
        """Return what a missed turn is worth, as a sentence with its params; only games recorded by turn have any."""
        return MISSED_FOR_NOTHING, {}

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

    def endings(self, state: S, seat: int, limit: TimeLimit) -> Endings | None:
        """Return what the standing of a seat may end as, if everybody plays by value and misses no turn.

        A game with `tells_endings` implements it. Return None where it takes too long, or is not known for the rules.
        """
        return None

    def choice_label(self, choice: Mapping[str, Any]) -> Text | None:
        """Return what pages call a choice of `odds` whose next step is a throw, such as "Roll the dice".

        Return None if the labels of the offer and of its fields say it already: the label of an offer is that of a
        button which records what was thrown.

        Args:
            choice: the action in the words of a transcript, as `odds` gives it.
        """
        return None

    def is_between_turns(self, state: S, seat: int) -> bool:
        """Return whether no turn of the seat is running, so that nothing in the state is advice for one.

        A game with `tells_endings` implements it.
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

    def standing_after(self, ruleset: Ruleset, turns: Sequence[Turn]) -> Standing:
        """Return the standing of a seat after these turns and nothing else, for the places after each stop.

        By default their points are added up, so points that a card gets beyond its turns come at the end.
        """
        total = sum(turn.points for turn in turns)
        return Standing(total, (-total if ruleset.lowest_wins else total,))

    def ranking(self, state: S) -> Ranking[int]:
        """Return the current ranking."""
        return rank({seat: self.standing(state, seat) for seat in range(self.seats(state))}, self.cuts(state))

    def winners(self, state: S) -> tuple[int, ...]:
        """Return the seats that have won: those in first place once the game is finished."""
        return self.ranking(state).groups[0] if self.is_finished(state) else ()

    def describe_total(self, total: int) -> tuple[Text, Params] | None:
        """Return what pages show of a total instead of the number, as a text with its params; None for the number."""
        return None

    def extra_results(self, state: S) -> Mapping[str, Any]:
        """Return extra fields for a transcript's result, if the rule book defines any."""
        return {}

    def preview(self, setup: Any) -> Mapping[str, Any] | None:
        """Return plain data for a picture of the options; the game's `preview.html` template gets it as `preview`."""
        return None

    def handouts(self, setup: Any) -> tuple[Handout, ...]:
        """Return what can be printed for the tables, in the order of usefulness; by default nothing.

        The sentences of the one with the key "rules" are also shown where an organiser chooses options.
        """
        return ()

    def example(self, setup: Any) -> Sequence[Mapping[str, Any]]:
        """Return the actions of a game of one seat from its start to its end, as a transcript has them; or none.

        They are played and scored where an organiser chooses options, to show what these lead to.
        """
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
