"""What was rolled in each turn at the stops, for files and programs. Contests at tables have no such turns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from scorekeeper.api.contest_results import ContestResults
from scorekeeper.standings.wording import round_mean


@dataclass(frozen=True, slots=True)
class StopResult:
    """What the bikes with a scorecard rolled in one turn.

    Attributes:
        average: of the points of those who rolled, with two decimals; None if nobody has.
        best_bikes: the numbers of the bikes with the best roll, in the order of the standings.
    """

    turn: int
    stop: str
    rolled: int
    missed: int
    average: float | None
    best: int | None
    best_bikes: tuple[str, ...]

    def to_data(self) -> dict[str, Any]:
        """Return it as plain data."""
        return {
            "turn": self.turn,
            "stop": self.stop,
            "rolled": self.rolled,
            "missed": self.missed,
            "average": self.average,
            "best": self.best,
            "best_bikes": list(self.best_bikes),
        }


def list_stop_results(results: ContestResults) -> Iterator[StopResult]:
    """Yield the turns in order, with what was rolled in each."""
    for ordinal, stop in results.slots:
        turns = [(card.number, turn) for card in results.report.cards for turn in card.turns if turn.ordinal == ordinal]
        rolled = [(number, turn.points) for number, turn in turns if turn.how != "missed"]
        points = [of_one for _number, of_one in rolled]
        best = max(points, default=None)
        yield StopResult(
            turn=ordinal,
            stop=stop,
            rolled=len(rolled),
            missed=len(turns) - len(rolled),
            average=float(round_mean(sum(points), len(points))) if points else None,
            best=best,
            best_bikes=tuple(number for number, of_one in rolled if of_one == best),
        )
