"""The odds, checked against plain recursions over every throw, and what must hold for every sheet."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import product
from random import Random
from typing import Any

import pytest

from games.core.game import Ruleset
from games.core.luck import get_luck
from games.core.odds import SAME, Odds, Wanted, find_best
from games.core.time_limit import TimeLimit
from games.dice_run import GAME
from games.dice_run.actions import Forfeit, Paper, Stop, Throw
from tests.faults.scale import scaled
from tests.games.dice_run.options import OPTIONS
from tests.games.dice_run.table import FORFEIT, RETIRE, STOP, paper, papers, play, throw
from tests.games.sampling import walk

SMALL: tuple[dict[str, Any], ...] = (
    {"turns": 3, "dice": 2, "faces": 4},
    {"turns": 3, "dice": 2, "faces": 4, "counts": 2},
    {"turns": 4, "dice": 1, "faces": 4, "counts": 2, "goal": "low"},
    {"turns": 3, "dice": 1, "faces": 4, "throws": 3},
    {"turns": 2, "dice": 1, "faces": 6, "throws": 3, "goal": "low"},
    {"turns": 3, "dice": 1, "faces": 4, "throws": 2, "counts": 1},
    {"turns": 4, "dice": 1, "faces": 4, "throws": 2, "counts": 2},
    {"turns": 4, "dice": 1, "faces": 4, "throws": 2, "counts": 3, "goal": "low"},
    {"turns": 3, "dice": 1, "faces": 4, "throws": 3, "counts": 2},
    {"turns": 3, "dice": 1, "faces": 4, "throws": 3, "throw_counts": "best"},
    {"turns": 3, "dice": 2, "faces": 4, "throws": 2, "throw_counts": "best", "counts": 2},
    {"turns": 3, "dice": 1, "faces": 6, "throws": 2, "throw_counts": "best", "counts": 2, "goal": "low"},
    {"turns": 3, "dice": 1, "faces": 4, "goal": "target", "target": 8},
    {"turns": 3, "dice": 1, "faces": 6, "throws": 2, "goal": "target", "target": 9},
    {"turns": 2, "dice": 2, "faces": 4, "throws": 2, "goal": "target", "target": 11},
)
every_small = pytest.mark.parametrize("options", SMALL, ids=str)


class PlainOdds:
    """Every throw and every choice one by one, with the rules of the game itself, for a final figure of a sheet."""

    def __init__(self, ruleset: Ruleset, targets: tuple[int, ...]):
        self.ruleset, self.setup, self.targets = ruleset, ruleset.setup, targets
        self.aim = ruleset.odds_aim
        self.throws = [tuple(dice) for dice in product(range(1, self.setup.faces + 1), repeat=self.setup.dice)]
        self.expect = cache(self.expect)  # type: ignore[method-assign]
        self.reach = cache(self.reach)  # type: ignore[method-assign]
        self.follow = cache(self.follow)  # type: ignore[method-assign]

    def get_result(self, state: Any) -> int:
        total = GAME.standing(state, 0).total
        return abs(total - self.setup.target) if self.setup.goal == "target" else total

    def is_reached(self, result: int, target: int) -> bool:
        return result >= target if self.aim == "high" else result <= target

    def list_choices(self, state: Any) -> list[str]:
        return ["stop", "throw"] if state.seats[0].throws else ["throw"]

    def list_next(self, state: Any, word: str) -> Iterator[Any]:
        if word == "stop":
            yield self.simplify(GAME.apply(state, Stop(0)))
        else:
            for dice in self.throws:
                yield self.simplify(GAME.apply(state, Throw(0, dice)))

    def simplify(self, state: Any) -> Any:
        """Return a state that goes on in the same way: the order of dice and of turns does not matter."""
        sheet = state.seats[0]
        turns = tuple(sorted((turn._replace(line="", dice=(), how="paper") for turn in sheet.turns), key=str))
        throws = tuple(tuple(sorted(dice)) for dice in sheet.throws)
        return state._replace(seats=(sheet._replace(turns=turns, throws=throws),))

    def expect(self, state: Any) -> float:
        if GAME.is_finished(state):
            return float(self.get_result(state))
        values = [self.expect_choice(state, word) for word in self.list_choices(state)]
        return max(values) if self.aim == "high" else min(values)

    def expect_choice(self, state: Any, word: str) -> float:
        values = [self.expect(after) for after in self.list_next(state, word)]
        return sum(values) / len(values)

    def reach(self, state: Any, target: int) -> float:
        if GAME.is_finished(state):
            return float(self.is_reached(self.get_result(state), target))
        return max(self.reach_choice(state, word, target) for word in self.list_choices(state))

    def reach_choice(self, state: Any, word: str, target: int) -> float:
        chances = [self.reach(after, target) for after in self.list_next(state, word)]
        return sum(chances) / len(chances)

    def follow(self, state: Any) -> Mapping[int, float]:
        if GAME.is_finished(state):
            return {self.get_result(state): 1.0}
        words = self.list_choices(state)
        return self.follow_choice(state, words[find_best([self.expect_choice(state, w) for w in words], self.aim)])

    def follow_choice(self, state: Any, word: str) -> Mapping[int, float]:
        found: dict[int, float] = defaultdict(float)
        states = list(self.list_next(state, word))
        for after in states:
            for result, chance in self.follow(after).items():
                found[result] += chance / len(states)
        return found


def ask(state: Any, *targets: int, distribution: bool = False, seconds: float = 60) -> Odds:
    odds = GAME.odds(state, 0, Wanted(targets, distribution, TimeLimit(seconds)))
    assert odds is not None
    return odds


def list_states(ruleset: Ruleset, seeds: int) -> list[Any]:
    """Return the moments of random sheets, without those after the end."""
    states = []
    for seed in range(seeds):
        states += [moment.state for moment in walk(ruleset, 1, Random(seed))]
    return [state for state in states if GAME.standing(state, 0).status == "playing"]


def close(first: float, second: float) -> bool:
    return abs(first - second) <= SAME


class PlainEndings(PlainOdds):
    """The chances of what ranking compares, instead of those of the figure."""

    def follow(self, state: Any) -> Mapping[Any, float]:
        return {GAME.standing(state, 0).key: 1.0} if GAME.is_finished(state) else super().follow(state)


@every_small
def test_what_a_sheet_may_end_as_is_in_the_order_of_the_ranking(options: dict[str, Any]) -> None:
    """DICE-12, DICE-19: also with missed turns, and whatever the goal."""
    ruleset = GAME.ruleset(options)
    plain, keys = PlainEndings(ruleset, ()), dict[Any, Any]()
    for state in list_states(ruleset, scaled(6, 2)):
        expected = sorted(plain.follow(plain.simplify(state)).items(), reverse=True)
        found = GAME.endings(state, 0, TimeLimit(60))
        assert found is not None
        assert len(found.keys) == len(expected)
        assert all(close(chance, own) for chance, (_key, own) in zip(found.chances, expected, strict=True))
        keys |= {key: own for (key, _chance), own in zip(expected, found.keys, strict=True)}

    in_order = [keys[key] for key in sorted(keys)]
    assert in_order == sorted(set(in_order)), "the ends of different sheets compare as their standings do"


@every_small
def test_every_figure_is_that_of_trying_everything(options: dict[str, Any]) -> None:
    ruleset = GAME.ruleset(options)
    targets = tuple(range(ruleset.setup.turns * ruleset.setup.highest + 2))[:20]
    plain = PlainOdds(ruleset, targets)
    for state in list_states(ruleset, scaled(6, 2)):
        odds, alike = ask(state, *targets, distribution=True), plain.simplify(state)
        assert (odds.method, odds.measure, odds.aim) == ("exact", "total", plain.aim)
        assert odds.value is not None
        assert close(odds.value, plain.expect(alike))
        assert [choice.action["type"] for choice in odds.choices] == plain.list_choices(state)
        assert odds.node == ("choice" if len(odds.choices) == 2 else "chance")
        for choice in odds.choices:
            word = choice.action["type"]
            assert choice.value is not None
            assert close(choice.value, plain.expect_choice(alike, word))
            by_value = plain.follow_choice(alike, word)
            for index, target in enumerate(targets):
                assert close(choice.reach[index], plain.reach_choice(alike, word, target))
                reached = sum(chance for result, chance in by_value.items() if plain.is_reached(result, target))
                assert close(choice.reach_by_value[index], reached)
        assert odds.distribution is not None
        expected = plain.follow(alike)
        found = dict(enumerate(odds.distribution.chances, odds.distribution.lowest))
        assert all(close(found.get(result, 0.0), expected.get(result, 0.0)) for result in {*found, *expected})


@pytest.mark.parametrize("options", [{}, *OPTIONS[:-1]], ids=str)
def test_what_always_holds(options: dict[str, Any]) -> None:
    ruleset = GAME.ruleset(options)
    states = list_states(ruleset, 2)
    for state in Random(1).sample(states, min(len(states), 6)):
        value = ask(state).value
        assert value is not None
        middle = round(value)
        targets = tuple(range(max(middle - 9, 0), middle + 10))
        odds = ask(state, *targets, distribution=True)
        assert odds.distribution is not None
        assert odds.targets is not None
        assert close(sum(odds.distribution.chances), 1)
        assert abs(odds.distribution.mean - value) < 1e-8
        assert min(odds.losses) == 0
        assert all(0 <= chance.reach_by_value <= chance.reach + SAME <= 1 + 2 * SAME for chance in odds.targets)
        reaches = [chance.reach for chance in odds.targets]
        assert reaches == sorted(reaches, reverse=odds.aim == "high") or all(
            close(one, other) for one, other in zip(reaches, sorted(reaches, reverse=odds.aim == "high"), strict=True)
        )
        reach = GAME.reach(state, 0)
        if reach is not None:
            assert reach.best is not None
            limits = sorted((reach.best.total, GAME.reach(state, 0).worst.total))  # type: ignore[union-attr]
            assert limits[0] - SAME <= value <= limits[1] + SAME


def test_five_turns_of_five_dice_average_eighty_seven_and_a_half() -> None:
    assert ask(play()).value == pytest.approx(87.5, abs=1e-9)
    assert ask(play(goal="low")).value == pytest.approx(87.5, abs=1e-9)
    assert ask(play(*papers(19, None, 12))).value == pytest.approx(66, abs=1e-9)
    assert ask(play(FORFEIT, goal="low")).value == pytest.approx(100, abs=1e-9)


def test_one_die_thrown_twice_is_thrown_again_below_four() -> None:
    """The textbook's dice: 4.25 on average with two throws, 4 2/3 with three."""
    assert ask(play(turns=1, dice=1, throws=2)).value == pytest.approx(4.25)
    assert ask(play(turns=1, dice=1, throws=3)).value == pytest.approx(14 / 3)
    odds = ask(play(throw(3), turns=1, dice=1, throws=2))
    assert [choice.value for choice in odds.choices] == [3.0, 3.5]
    assert (odds.best, odds.losses) == ((1,), (0.5, 0.0))


def test_with_the_best_throw_counting_nobody_gains_by_stopping() -> None:
    odds = ask(play(throw(6), turns=1, dice=1, throws=2, throw_counts="best"))
    assert odds.best == (0, 1), "a six cannot be bettered"
    odds = ask(play(throw(5), turns=1, dice=1, throws=2, throw_counts="best"))
    assert [choice.value for choice in odds.choices] == [5.0, pytest.approx(5 + 1 / 6)]


def test_with_a_target_figures_are_distances() -> None:
    options: dict[str, Any] = {"turns": 1, "dice": 1, "throws": 2, "goal": "target", "target": 3}
    odds = ask(play(throw(5), **options), 0, 2, distribution=True)
    assert (odds.aim, odds.value) == ("low", 1.5)
    assert [choice.value for choice in odds.choices] == [2.0, 1.5]
    assert odds.choices[0].reach == (0.0, 1.0)
    assert odds.choices[1].reach == pytest.approx((1 / 6, 5 / 6))
    assert odds.distribution is not None
    assert odds.distribution.lowest == 0
    assert odds.distribution.chances == pytest.approx((1 / 6, 2 / 6, 2 / 6, 1 / 6))
    done = ask(play(throw(5), STOP, **options), 1, 2, distribution=True)
    assert (done.node, done.value, done.aim) == ("done", 2.0, "low")
    assert done.targets is not None
    assert [chance.reach for chance in done.targets] == [0.0, 1.0]


def test_a_sheet_that_is_done_or_retired_has_its_total() -> None:
    assert ask(play(paper(20), RETIRE)).value == 20
    assert ask(play(paper(20), turns=1, goal="low")).aim == "low"


def test_large_rules_are_answered_exactly_where_nothing_is_to_be_decided() -> None:
    state = play(turns=15, dice=4, faces=12, counts=8)
    odds = ask(state, 250, distribution=True)
    assert odds.method == "exact"
    assert odds.distribution is not None
    assert close(sum(odds.distribution.chances), 1)
    assert abs(odds.distribution.mean - (odds.value or 0)) < 1e-8


def test_rules_that_are_too_large_are_answered_without_figures() -> None:
    state = play(throw(*[9] * 10), turns=15, dice=10, faces=20, throws=5, counts=8)
    odds = ask(state, 1000, seconds=0.05)
    assert (odds.method, odds.why, odds.value, odds.best) == ("none", "seconds", None, ())
    assert [choice.action for choice in odds.choices] == [{"type": "stop"}, {"type": "throw"}]
    assert all(choice.value is None for choice in odds.choices)


def test_what_is_only_a_way_to_record_is_no_choice() -> None:
    assert not {"paper", "forfeit"} & {choice.action["type"] for choice in ask(play(throws=2)).choices}
    assert (Paper.type, Forfeit.type) == ("paper", "forfeit")


@pytest.mark.parametrize(
    "options",
    [{"throws": 3}, {"throws": 2, "goal": "low", "counts": 3}, {"throws": 2, "goal": "target", "target": 88}],
    ids=str,
)
def test_luck_and_choices_add_up(options: dict[str, Any]) -> None:
    ruleset = GAME.ruleset(options)
    for seed in range(3):
        *_, last = walk(ruleset, 1, Random(seed))
        luck = get_luck(ruleset, 1, 0, [[ruleset.read_action(action, 1) for action in last.actions]])
        assert luck is not None
        assert luck.is_finished
        assert all(step.amount >= -SAME for step in luck.steps if step.kind == "choice")
        sign = 1 if luck.aim == "high" else -1
        brought = luck.add_up("throw") - luck.add_up("choice") + luck.add_up("unsplit") + luck.add_up("missed")
        assert abs(luck.start + sign * brought - luck.value) < 1e-8
