"""The state of the table: each seat's points, the seat to act, and its running turn.

Terms: a *turn* is recorded roll by roll. Its dice are *showing* from the roll until some of them are set aside, and
*left* until they are set aside themselves.

Invariants:

- Between two actions of a turn at least one die is left, because a turn without dice has ended.
- The dice showing are all the dice left, in order, and some of them can be set aside.
- The seat to act has not retired.
- When the game is over, no turn is running and `turn` is a new one.

Derived: the game is over as soon as there is a winner. The war (ROGUE-12) and the last round (ROGUE-13) follow from
the scores.
"""

from __future__ import annotations

from typing import NamedTuple

from games.core.game import Ruleset
from games.rogue.scoring import DICE, Dice


class Setup(NamedTuple):
    """The options, as the rules read them.

    Attributes:
        target: the points that make the current round the last (ROGUE-13).
        war_at: the points that start the war (ROGUE-12).
    """

    target: int
    war_at: int


class Turn(NamedTuple):
    """The running turn.

    Attributes:
        points: the points set aside so far, including doublings.
        left: how many dice are not set aside.
        showing: the roll from which dice must be set aside now; empty if a roll comes next.
        rogues: how many rogues were set aside by themselves (ROGUE-9).
    """

    points: int = 0
    left: int = DICE
    showing: Dice = ()
    rogues: int = 0

    @property
    def has_kept(self) -> bool:
        """Whether any dice have been set aside."""
        return self.left < DICE


NEW_TURN = Turn()


class Table(NamedTuple):
    """The state of a game.

    Attributes:
        ruleset: the game with its options.
        scores: the points of each seat from turns that have ended (ROGUE-23).
        seat: the seat whose turn it is; once the game is over, the seat that had the last turn.
        turn: that turn.
        retired: the seats that have retired (TABLE-3).
        winner: the seat that has won; None until the game is over.
    """

    ruleset: Ruleset
    scores: tuple[int, ...]
    seat: int = 0
    turn: Turn = NEW_TURN
    retired: frozenset[int] = frozenset()
    winner: int | None = None


def list_playing(table: Table) -> list[int]:
    """Return the seats that have not retired, in seat order."""
    return [seat for seat in range(len(table.scores)) if seat not in table.retired]
