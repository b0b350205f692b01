"""Odds: what best play comes to from a state, what each choice costs, and the chance of final totals, as data.

Terms: a *node* is the kind of moment that a state is for a seat. The *value* of a node or of a choice is what best
play comes to on average, in the game's *measure*. *Play by value* makes the best choice everywhere; *play for a target*
makes the choice with the best chance of that target. A *target* is a final total to reach.

Two choices whose values differ by `SAME` or less count as equally good, so that no rounding error picks a favourite.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

from games.core.time_limit import TimeLimit

Node = Literal["choice", "chance", "waiting", "between", "done"]
Measure = Literal["total", "turn", "heat", "hand"]
Aim = Literal["high", "low"]
Method = Literal["exact", "sampled", "none"]
Why = Literal["seconds", "unbounded", "not_known"]

Figures = float | tuple[float, ...]

GAME_CHANCES = ("win", "race")  # the names of `Odds.chances` in all games

SAME = 1e-9
DECIMALS = 10  # of a figure as it is printed


@dataclass(frozen=True)
class Wanted:
    """What a question asks for beside the values.

    Attributes:
        targets: final totals to reach, in the order of the answer.
        distribution: whether the chances of all final totals are wanted.
        limit: when to give up.
        game_chances: whether `Odds.chances` is wanted too: it can take much longer than the values.
        beat: the numbers of hands to beat, for a game that measures hands.
    """

    targets: tuple[int, ...] = ()
    distribution: bool = False
    limit: TimeLimit = field(default_factory=TimeLimit, compare=False)
    game_chances: bool = True
    beat: tuple[int, ...] = ()


class Choice(NamedTuple):
    """One distinct legal choice.

    Attributes:
        action: the action in the words of a transcript, without its seat and without what chance decides.
        value: what best play comes to after it, in the measure of the odds; None if there are no figures.
        reach: the best chance of each target after it, if everything later is played for that target.
        reach_by_value: the chance of each target after it, if everything later is played by value.
        margins: half a 95 % interval around the figures of the same name, where they are sampled.
        chances: those of `Odds.chances` after it, by the same names.
    """

    action: Mapping[str, Any]
    value: float | None = None
    reach: tuple[float, ...] = ()
    reach_by_value: tuple[float, ...] = ()
    margins: Mapping[str, Any] = {}  # read only
    chances: Mapping[str, Figures] = {}  # read only


class Chance(NamedTuple):
    """The chance of one target from a node: the best one, and that of play by value."""

    target: int
    reach: float
    reach_by_value: float


class Distribution(NamedTuple):
    """The chances of the final totals from `lowest` on, one for each whole number, of play by value."""

    lowest: int
    chances: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The expected final total."""
        return sum((self.lowest + index) * chance for index, chance in enumerate(self.chances))


Key = tuple[int, ...]


class Endings(NamedTuple):
    """What a standing may end as.

    Attributes:
        keys: what ranking compares of each (`Standing.key`), as far as it can still differ; each once, the best first.
        chances: the chance of each, above 0.
    """

    keys: tuple[Key, ...]
    chances: tuple[float, ...]


@dataclass(frozen=True)
class Odds:
    """The odds of one seat at one moment.

    Attributes:
        node: the seat has to decide ("choice"), dice are thrown next and nothing is to be decided ("chance"), another
            seat acts ("waiting"), no round is running ("between"), or the seat is through ("done").
        measure: what values count: the expected final total of the seat, the expected points of the running turn, or
            the chance to win the running heat. With "hand" there are no values, only `chances` of what the hand of
            the seat becomes.
        aim: whether a high or a low value is good.
        method: whether the figures are exact, sampled, or there are none.
        value: the value of the node; None if it has none.
        choices: every distinct legal choice; at a chance node the throw, otherwise none.
        targets: the chances of the targets that were asked for; None if the game does not answer them.
        distribution: the chances of all final totals, if they were asked for.
        chances: chances that only this game tells, such as that to win the race, by name; several figures under one
            name are those of a list. Where there are choices, each has its own.
        why: why there are no figures.
        margins: half a 95 % interval around the figures of the same name, where they are sampled.
    """

    node: Node
    measure: Measure = "total"
    aim: Aim = "high"
    method: Method = "exact"
    value: float | None = None
    choices: tuple[Choice, ...] = ()
    targets: tuple[Chance, ...] | None = None
    distribution: Distribution | None = None
    chances: Mapping[str, Figures] = field(default_factory=dict)
    why: Why | None = None
    margins: Mapping[str, Figures] = field(default_factory=dict)

    @property
    def losses(self) -> tuple[float, ...]:
        """What each choice costs, compared with the best one; never negative, and empty without figures."""
        values = [choice.value for choice in self.choices if choice.value is not None]
        if self.aim == "low":
            return tuple(value - min(values) for value in values)
        return tuple(max(values) - value for value in values)

    @property
    def best(self) -> tuple[int, ...]:
        """The indexes of all choices that are as good as the best one; none without figures."""
        return tuple(index for index, loss in enumerate(self.losses) if loss <= SAME)


def find_best(values: Sequence[float], aim: Aim = "high") -> int:
    """Return the index of the first of the values that are as good as the best one: the choice of play by value.

    The order of the values settles ties, so give them as `odds` of the game orders its choices.
    """
    if aim == "low":
        limit = min(values) + SAME
        return next(index for index, value in enumerate(values) if value <= limit)
    limit = max(values) - SAME
    return next(index for index, value in enumerate(values) if value >= limit)


def list_endings(distribution: Distribution, aim: Aim = "high") -> Endings:
    """Return what a card may end as whose final total alone decides where it ranks.

    Args:
        aim: whether a high or a low total is good.
    """
    sign = 1 if aim == "high" else -1
    found = [(sign * total, chance) for total, chance in enumerate(distribution.chances, distribution.lowest) if chance]
    found.sort(reverse=True)
    return Endings(tuple((total,) for total, _ in found), tuple(chance for _, chance in found))


def answer_targets(targets: Iterable[int], choices: Sequence[Choice], aim: Aim = "high") -> tuple[Chance, ...]:
    """Return the chances of the targets at a node with choices that are in the order which settles ties.

    `reach` is the best over the choices, `reach_by_value` that of the first of the best choices.
    """
    first = choices[find_best([choice.value for choice in choices if choice.value is not None], aim)]
    return tuple(
        Chance(target, max(choice.reach[index] for choice in choices), first.reach_by_value[index])
        for index, target in enumerate(targets)
    )


def answer_done(total: int, wanted: Wanted, aim: Aim = "high") -> Odds:
    """Return the odds of a seat that is through, in a game that measures totals."""
    targets = tuple(
        Chance(target, chance, chance)
        for target in wanted.targets
        for chance in (float(total >= target if aim == "high" else total <= target),)
    )
    return Odds(
        "done",
        aim=aim,
        value=float(total),
        targets=targets,
        distribution=Distribution(total, (1.0,)) if wanted.distribution else None,
    )
