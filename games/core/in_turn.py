"""The base class of games whose seats act in turn.

Such a game says whose turn it is and which actions its clauses forbid to that seat. This module implements what all of
them share: the order of the seats, the end of the game and retiring.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Set
from typing import Generic, TypeVar

from games.core.actions import Action, Retire
from games.core.game import Game
from games.core.problems import Problem
from games.core.specs import ActionSpec, make_retire_spec
from games.core.text import gettext_noop

S = TypeVar("S")

GAME_OVER = gettext_noop("The game is over, so nothing more can be recorded.")
HAS_RETIRED = gettext_noop("This seat has retired and takes no further part.")
NOT_YOUR_TURN = gettext_noop("It is not this seat’s turn.")


class InTurnGame(Game[S], Generic[S]):
    """A game whose seats act in an order.

    A clause about a turn applies only to the seat whose turn it is. An action of any other seat breaks one rule only:
    it is out of order (TABLE-1).
    """

    independent = False

    @abstractmethod
    def retired(self, state: S) -> Set[int]:
        """Return the seats that have retired."""

    @abstractmethod
    def turn_problems(self, state: S, action: Action) -> tuple[Problem, ...]:
        """Return every rule that an action of the seat to act would break, the most specific first.

        The action is never `retire`.
        """

    @abstractmethod
    def turn_apply(self, state: S, action: Action) -> S:
        """Return the state after an action, other than `retire`, that no problem blocks."""

    @abstractmethod
    def turn_specs(self, state: S, seat: int | None) -> tuple[ActionSpec, ...]:
        """Return what the seat to act can do now; for None, the actions that belong to no seat."""

    @abstractmethod
    def apply_retire(self, state: S, seat: int) -> S:
        """Return the state after the seat has retired (TABLE-3)."""

    # From here on: the interface of `Game`.

    def problems(self, state: S, action: Action) -> tuple[Problem, ...]:
        seat, to_act = action.seat, self.to_act(state)
        # The seat whose turn it is has not retired, and the game is not over.
        if to_act is None or seat != to_act:
            if self.is_finished(state):
                return (Problem("game_over", "TABLE-2", GAME_OVER),)
            if seat in self.retired(state):
                return (Problem("has_retired", "TABLE-3", HAS_RETIRED),)
        if type(action) is Retire:
            return ()
        if seat is not None and to_act is not None and seat != to_act:
            return (Problem("not_your_turn", "TABLE-1", NOT_YOUR_TURN),)
        return self.turn_problems(state, action)

    def apply(self, state: S, action: Action) -> S:
        if type(action) is Retire:
            assert action.seat is not None
            return self.apply_retire(state, action.seat)
        return self.turn_apply(state, action)

    def legal_actions(self, state: S, seat: int | None) -> tuple[ActionSpec, ...]:
        if self.is_finished(state) or (seat is not None and seat in self.retired(state)):
            return ()
        to_act = self.to_act(state)
        own = self.turn_specs(state, seat) if seat is None or to_act is None or seat == to_act else ()
        return own if seat is None else (*own, make_retire_spec(seat))
