"""The table: everybody's points, whose turn it is, and how that turn stands.

Terms: a *turn* is noted roll by roll. Its dice are *showing* from the roll until some of them are set aside, and
*left* as long as they are not.

Invariants: between two actions of a turn at least one die is left, since a turn without one has ended. Dice showing
are all the dice left, in order, and some of them can be set aside. The seat to act has not retired. When the
game is over no turn is running: `turn` is a new one.

Derived: the game is over as soon as there is a winner; the war (ROGUE-12) and the last round (ROGUE-13) follow from
the scores.
"""

from __future__ import annotations

from typing import NamedTuple

from games.core.game import Ruleset
from games.rogue.scoring import DICE, Dice


class Setup(NamedTuple):
    """The options, as the rules read them.

    Attributes:
        target: the points that make a round the last (ROGUE-13).
        war_at: the points that start the war (ROGUE-12).
    """

    target: int
    war_at: int


class Turn(NamedTuple):
    """The running turn.

    Attributes:
        points: what is set aside so far, with all that was doubled.
        left: how many dice are not set aside.
        showing: the roll from which dice must be set aside now; empty when the next thing is a roll.
        rogues: how many rogues were set aside alone (ROGUE-9).
    """

    points: int = 0
    left: int = DICE
    showing: Dice = ()
    rogues: int = 0

    @property
    def has_kept(self) -> bool:
        """Whether any dice are set aside."""
        return self.left < DICE


NEW_TURN = Turn()


class Table(NamedTuple):
    """The state of a game.

    Attributes:
        ruleset: the game with its options.
        scores: by seat, the points of turns that have ended (ROGUE-23).
        seat: whose turn it is; when the game is over, whose turn was the last.
        turn: that turn.
        retired: the seats that have left (TABLE-3).
        winner: the seat that has won; None while the game goes on.
    """

    ruleset: Ruleset
    scores: tuple[int, ...]
    seat: int = 0
    turn: Turn = NEW_TURN
    retired: frozenset[int] = frozenset()
    winner: int | None = None


def list_playing(table: Table) -> list[int]:
    """Return the seats that have not retired, in their order."""
    return [seat for seat in range(len(table.scores)) if seat not in table.retired]
