"""The base class of games whose seats never affect each other.

Such a game implements the rules of a single seat. This module implements what all of them share: retiring, the end of
the game, cutting cards and the order of actions. Once a seat is done or has retired, it can do nothing more (TABLE-2,
TABLE-3).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from games.core.actions import Action, ActionType, Retire, action_types
from games.core.cards import CUT, NO_CARDS, NOT_FINISHED, Card, Cards, Cut, cut_problems
from games.core.consequences import Consequence
from games.core.game import Game, Ruleset
from games.core.odds import Endings, Odds, Wanted, answer_done, list_endings
from games.core.problems import Problem
from games.core.reading import Face
from games.core.sheet import Cell, Line, ScoreSheet, Turn
from games.core.specs import ActionSpec, CardsField, make_retire_spec
from games.core.standing import Reach, Standing
from games.core.text import gettext_noop
from games.core.time_limit import TimeLimit

P = TypeVar("P")

SEAT_DONE = gettext_noop("This seat has finished, so nothing more can be recorded for it.")
CUT_LABEL = gettext_noop("Cut cards")
CARDS_CUT = gettext_noop("Cards cut")
CARDS_LABEL = gettext_noop("The cards shown")


class Table(NamedTuple, Generic[P]):
    """The state: each seat by itself, the seats that have retired, and the cuts made at the end."""

    ruleset: Ruleset
    seats: tuple[P, ...]
    retired: frozenset[int] = frozenset()
    cuts: tuple[Cards, ...] = ()


class IndependentGame(Game[Table[P]], Generic[P]):
    """A game made of the rules of one seat."""

    @abstractmethod
    def seat_action_types(self, setup: Any) -> Sequence[ActionType]:
        """Return the actions of the rule book, except `retire` and `cut`."""

    @abstractmethod
    def start_seat(self, setup: Any) -> P:
        """Return a seat before its first action."""

    @abstractmethod
    def seat_problems(self, setup: Any, seat: P, action: Action) -> tuple[Problem, ...]:
        """Return every rule that the action would break, for a seat that is not done."""

    @abstractmethod
    def seat_apply(self, setup: Any, seat: P, action: Action) -> P:
        """Return the seat after an action that no problem blocks."""

    @abstractmethod
    def seat_specs(self, setup: Any, seat: P, number: int) -> tuple[ActionSpec, ...]:
        """Return what a seat that is not done can do now."""

    @abstractmethod
    def seat_lines(self, setup: Any, seat: P) -> tuple[Line, ...]:
        """Return the seat's score sheet, each line with one cell."""

    @abstractmethod
    def is_seat_done(self, setup: Any, seat: P) -> bool:
        """Return whether the seat is done."""

    @abstractmethod
    def seat_total(self, setup: Any, seat: P) -> int:
        """Return the total that the scoreboard shows now."""

    def seat_key(self, setup: Any, seat: P) -> tuple[int, ...]:
        """Return what ranking compares; larger is better."""
        return (self.seat_total(setup, seat),)

    def seat_after_turns(self, setup: Any, turns: Sequence[Turn]) -> P | None:
        """Return the state of a seat after these turns; None if their points can be added up (`standing_after`)."""
        return None

    def seat_reach(self, setup: Any, seat: P) -> Reach | None:
        """Return what a seat that has not retired can still reach; None if the game does not support this."""
        return None

    def seat_odds(self, setup: Any, seat: P, wanted: Wanted) -> Odds | None:
        """Return the odds of a seat that is still playing; None if the game does not tell."""
        return None

    def seat_odds_result(self, setup: Any, seat: P) -> int:
        """Return what the values of `odds` count for a seat that is through, where they count totals."""
        return self.seat_total(setup, seat)

    def is_seat_between_turns(self, setup: Any, seat: P) -> bool:
        """Return whether no turn of the seat is running, for a seat that is still playing."""
        return False

    def seat_consequences(self, setup: Any, before: P, action: Action, after: P) -> tuple[Consequence, ...]:
        """Return the consequences of an action of the seat, other than `retire`; by default none."""
        return ()

    def seat_thrown_dice(self, setup: Any, seat: P, action: Action) -> Mapping[str, Sequence[Face]]:
        """Return the faces of dice thrown in an action of the seat, other than `retire`; by default none."""
        return {}

    # From here on: the interface of `Game`, implemented seat by seat.

    def action_types(self, setup: Any) -> Mapping[str, ActionType]:
        cut = (CUT,) if self.tie_procedure(setup) == "cut_cards" else ()
        return action_types(*self.seat_action_types(setup), *cut)

    def start(self, ruleset: Ruleset, seats: int) -> Table[P]:
        return Table(ruleset, (self.start_seat(ruleset.setup),) * seats)

    def problems(self, state: Table[P], action: Action) -> tuple[Problem, ...]:
        number = action.seat
        if number is None:
            return self._cut_problems(state, action)
        seat, setup = state.seats[number], state.ruleset.setup
        if number in state.retired or self.is_seat_done(setup, seat):
            return (Problem("game_over", "TABLE-2", SEAT_DONE),)
        if type(action) is Retire:
            return ()
        return self.seat_problems(setup, seat, action)

    def apply(self, state: Table[P], action: Action) -> Table[P]:
        ruleset, seats, retired, cuts = state
        number = action.seat
        if number is None:
            assert isinstance(action, Cut)
            return Table(ruleset, seats, retired, (*cuts, action.cards))
        if type(action) is Retire:
            return Table(ruleset, seats, retired | {number}, cuts)
        seat = self.seat_apply(ruleset.setup, seats[number], action)
        # Most cards have one seat, and then there is nothing to join.
        after = (seat,) if len(seats) == 1 else (*seats[:number], seat, *seats[number + 1 :])
        return Table(ruleset, after, retired, cuts)

    def legal_actions(self, state: Table[P], seat: int | None) -> tuple[ActionSpec, ...]:
        if seat is None:
            return self._cut_specs(state)
        if seat in state.retired or self.is_seat_done(state.ruleset.setup, state.seats[seat]):
            return ()
        own = self.seat_specs(state.ruleset.setup, state.seats[seat], seat)
        return (*own, make_retire_spec(seat))

    def consequences(self, before: Table[P], action: Action, after: Table[P]) -> tuple[Consequence, ...]:
        number = action.seat
        if number is None or type(action) is Retire:
            return ()
        return self.seat_consequences(before.ruleset.setup, before.seats[number], action, after.seats[number])

    def thrown_dice(self, before: Table[P], action: Action) -> Mapping[str, Sequence[Face]]:
        if action.seat is None or type(action) is Retire:
            return {}
        return self.seat_thrown_dice(before.ruleset.setup, before.seats[action.seat], action)

    def standing(self, state: Table[P], seat: int) -> Standing:
        setup, seat_state = state.ruleset.setup, state.seats[seat]
        total, key = self.seat_total(setup, seat_state), self.seat_key(setup, seat_state)
        if seat in state.retired:
            return Standing(total, key, "retired")
        return Standing(total, key, "done" if self.is_seat_done(setup, seat_state) else "playing")

    def standing_after(self, ruleset: Ruleset, turns: Sequence[Turn]) -> Standing:
        seat, setup = self.seat_after_turns(ruleset.setup, turns), ruleset.setup
        if seat is None:
            return super().standing_after(ruleset, turns)
        return Standing(self.seat_total(setup, seat), self.seat_key(setup, seat))

    def reach(self, state: Table[P], seat: int) -> Reach | None:
        reach = self.seat_reach(state.ruleset.setup, state.seats[seat])
        if reach is not None and seat in state.retired:
            own = self.standing(state, seat)
            return Reach(own, own)
        return reach

    def odds(self, state: Table[P], seat: int, wanted: Wanted) -> Odds | None:
        setup, own = state.ruleset.setup, state.seats[seat]
        if seat not in state.retired and not self.is_seat_done(setup, own):
            return self.seat_odds(setup, own, wanted)
        if self.odds_measure != "total":
            return None
        return answer_done(self.seat_odds_result(setup, own), wanted, state.ruleset.odds_aim)

    def endings(self, state: Table[P], seat: int, limit: TimeLimit) -> Endings | None:
        """Return them from the chances of final totals."""
        odds = self.odds(state, seat, Wanted(distribution=True, limit=limit))
        return None if odds is None or odds.distribution is None else list_endings(odds.distribution, odds.aim)

    def is_between_turns(self, state: Table[P], seat: int) -> bool:
        setup, own = state.ruleset.setup, state.seats[seat]
        is_through = seat in state.retired or self.is_seat_done(setup, own)
        return is_through or self.is_seat_between_turns(setup, own)

    def sheet(self, state: Table[P]) -> ScoreSheet:
        setup = state.ruleset.setup
        by_seat = [self.seat_lines(setup, seat) for seat in state.seats]
        lines = tuple(_merge_cells(same) for same in zip(*by_seat, strict=True))
        return ScoreSheet(lines, tuple(self.seat_total(setup, seat) for seat in state.seats))

    def seats(self, state: Table[P]) -> int:
        return len(state.seats)

    def is_finished(self, state: Table[P]) -> bool:
        setup, retired = state.ruleset.setup, state.retired
        return all(n in retired or self.is_seat_done(setup, seat) for n, seat in enumerate(state.seats))

    def cuts(self, state: Table[P]) -> Sequence[Mapping[int, Card | None]]:
        return [dict(cards) for cards in state.cuts]

    def _tied_groups(self, state: Table[P]) -> list[frozenset[int]]:
        return [frozenset(group) for group in self.ranking(state).groups if len(group) > 1]

    def _cut_problems(self, state: Table[P], action: Action) -> tuple[Problem, ...]:
        assert isinstance(action, Cut)
        if state.ruleset.tie_procedure != "cut_cards":
            return (Problem("no_cards", self.tie_rule, NO_CARDS),)
        found: tuple[Problem, ...] = ()
        if not self.is_finished(state):
            found = (Problem("not_finished", self.tie_rule, NOT_FINISHED),)
        groups = self._tied_groups(state)
        return (*found, *cut_problems(dict(action.cards), groups, state.retired, self.tie_rule))

    def _cut_specs(self, state: Table[P]) -> tuple[ActionSpec, ...]:
        if state.ruleset.tie_procedure != "cut_cards" or not self.is_finished(state):
            return ()
        return tuple(
            ActionSpec(
                Cut.type,
                None,
                CUT_LABEL,
                (CardsField("cards", CARDS_LABEL, tuple(sorted(group))),),
                done=CARDS_CUT,
            )
            for group in self._tied_groups(state)
            if group.isdisjoint(state.retired)
        )


def _merge_cells(same: tuple[Line, ...]) -> Line:
    cells: tuple[Cell, ...] = tuple(line.cells[0] for line in same)
    return same[0]._replace(cells=cells)
