"""The odds of a race, against a plain recursion through the game's own rules, and against each other."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from operator import mul
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from games.core.game import Ruleset
from games.core.odds_question import MAX_SECONDS, answer
from games.core.time_limit import TimeLimit
from games.go_500 import GAME
from games.go_500.actions import Reroll
from games.go_500.odds.race import HouseValueChain, ValueChain, list_limits
from games.go_500.odds.throws import make_kit
from games.go_500.state import Hand, Penalties, Race, Rolled, Thrown, get_total, is_done
from tests.faults.scale import FULL, GIVE_UP_SECONDS, scaled
from tests.games.exhaustive import list_actions
from tests.games.go_500.table import (
    ALL_CIRCLED,
    STAND,
    Action,
    by_seat,
    lock,
    make_course_option,
    penalty,
    play,
    roll,
    roll_penalties_together,
    score_segment,
    start,
)
from tests.games.sampling import walk

ROOT = Path(__file__).parents[3]
GAMES = {GAME.key: GAME}
FLAG_WAYS = {"green": 3, "yellow": 1, "red": 1, "black": 1}  # GO-17
MOST_EXTRA_TURNS = 3


def make_faces(*faces: int | str, circled: int | None = None) -> list[dict[str, Any]]:
    """Return the rows of a die. Words are worth 0."""
    rows = []
    for face in faces:
        row = {"face": str(face), "value": face if isinstance(face, int) else 0}
        rows.append(row | ({"circled": True} if face == circled else {}))
    return rows


# Few faces, so that a plain recursion is possible; the chance of six circled dice is 1 in 1,458.
SMALL_KIT = {
    "black": make_faces(0, 10, 30, circled=30),
    "green": make_faces("flat", 25, circled=25),
    "yellow": make_faces("lights", -15),
    "red": make_faces("crash", "x", -20),
}
# Without circles, so that two segments do not take too long.
TWO_FACES = {**SMALL_KIT, "black": make_faces(10, 30), "green": make_faces("flat", 25)}
ONE_FACE = {"black": make_faces(7), "green": make_faces("flat"), "yellow": make_faces(-5), "red": make_faces("x", -3)}
SMALL: tuple[dict[str, Any], ...] = (
    {"rerolls": 1, "course": make_course_option(None), "kit": SMALL_KIT},
    {"rerolls": 1, "course": make_course_option(45), "kit": SMALL_KIT},
    {"rerolls": 0, "course": make_course_option(60, None), "kit": TWO_FACES},
    {"rerolls": 2, "course": make_course_option(10, 3), "kit": ONE_FACE},
)

# The house dice, in a short run on one segment: vectors of the whole house course take 25 s. Recorded odds have its
# values.
HOUSE_DICE: dict[str, Any] = {} if FULL else {"rerolls": 1, "course": make_course_option(60)}


def ask(
    actions: list[Action],
    options: dict[str, Any] | None = None,
    seats: int = 1,
    most_seconds: float = MAX_SECONDS,
    **fields: Any,
) -> Any:
    """Return the answer to a question about a legal transcript."""
    names = [f"Seat {number}" for number in range(seats)]
    transcript = {"ruleset": "go-500", "options": options or {}, "seats": names, "actions": actions}
    answered = answer({"transcript": transcript, **fields}, GAMES, most_seconds=most_seconds)
    assert answered["ok"], answered
    return answered


def list_moments(count: int, options: dict[str, Any], seed: int = 3) -> Iterator[tuple[list[Action], Race]]:
    """Yield moments of random races that are not over."""
    ruleset, random, found = GAME.ruleset(options), Random(seed), 0
    while found < count:
        for moment in walk(ruleset, 1, random):
            state = moment.state
            if found < count and not GAME.is_finished(state) and random.random() < 0.3:
                found += 1
                yield moment.actions, state.seats[0]


def list_throws(ruleset: Ruleset, moment: Any) -> Iterator[tuple[Action, float]]:
    """Yield every throw at a chance node, and its chance."""
    setup = ruleset.setup
    if isinstance(moment, Penalties):
        faces = list((setup.yellow if moment.rule == "GO-10" else setup.red).values)
        yield from ((penalty(face), 1 / len(faces)) for face in faces)
        return
    assert isinstance(moment, Hand)
    faces, greens = list(setup.black.values), list(setup.green.values) if moment.no_green is None else [None]
    for black in combinations_with_replacement(faces, moment.black):
        ways = factorial(moment.black) // prod(factorial(count) for count in Counter(black).values())
        for green in greens:
            for flag, flag_ways in FLAG_WAYS.items():
                chance = ways * flag_ways / (6 * len(faces) ** moment.black * len(greens))
                yield roll(*black, green=green, flag=flag), chance


class Plain(NamedTuple):
    """The plain recursion's figures of a state: value, best chance of each target, and chance of each by value."""

    value: float
    reach: tuple[float, ...]
    by_value: tuple[float, ...]


class Reference:
    """Best play by a recursion through the game's own states and actions, with no states folded or shared.

    What can be thrown and chosen at a moment is listed once: it depends on the moment of the segment alone.
    """

    def __init__(self, options: dict[str, Any], targets: tuple[int, ...]):
        self.ruleset = GAME.ruleset(options)
        self.targets = targets
        self.solve = cache(self._solve)
        self.list_throws = cache(self._list_throws)
        self.list_choices = cache(self._list_choices)

    def _solve(self, race: Race) -> Plain:
        setup = self.ruleset.setup
        if is_done(setup, race) or race.earned > 175 * MOST_EXTRA_TURNS:
            total = get_total(race)
            chances = tuple(float(total >= target) for target in self.targets)
            return Plain(total, chances, chances)
        if isinstance(race.moment, (Hand, Penalties)):
            return self.mean(race)
        choices = self.list_choices(len(race.scores), race.moment, can_reroll=race.rerolls > 0)
        options = [self.get(race, choice) for choice in choices]
        most = max(option.value for option in options)
        first = next(option for option in options if option.value >= most - 1e-9)
        reach = tuple(map(max, *(option.reach for option in options))) if len(options) > 1 else first.reach
        return Plain(most, reach, first.by_value)

    def mean(self, race: Race) -> Plain:
        scores, rerolls, _, earned, *_ = race
        moments, chances = self.list_throws(len(scores), race.moment)
        values, *vectors = zip(*(self.solve(Race(scores, rerolls, moment, earned)) for moment in moments), strict=True)
        reach, by_value = (
            tuple(sum(map(mul, chances, column)) for column in zip(*vector, strict=True)) for vector in vectors
        )
        return Plain(sum(map(mul, chances, values)), reach, by_value)

    def get(self, race: Race, choice: Any) -> Plain:
        """Return the figures of a choice."""
        if isinstance(choice, Reroll):
            moment = race.moment
            assert isinstance(moment, (Rolled, Thrown))
            before = moment.penalties if isinstance(moment, Thrown) else moment.hand
            return self.solve(race._replace(moment=before, rerolls=race.rerolls - 1))
        return self.solve(self.play(race, choice))

    def get_action(self, race: Race, action: Action) -> Plain:
        """Return the figures of a choice that is given as in a transcript."""
        return self.get(race, Reroll(0) if action["type"] == "reroll" else self.read(action))

    def _list_throws(self, segment: int, moment: Any) -> tuple[list[Any], list[float]]:
        """Return the moment that each throw leads to, and its chance; a throw changes nothing else."""
        before = Race((0,) * segment, moment=moment, rerolls=0)
        moments, chances = [], []
        for action, chance in list_throws(self.ruleset, moment):
            after = self.play(before, self.read(action))
            assert after == before._replace(moment=after.moment)
            moments.append(after.moment)
            chances.append(chance)
        return moments, chances

    def _list_choices(self, segment: int, moment: Any, *, can_reroll: bool) -> list[Any]:
        """Return every distinct legal choice, in the order that settles ties."""
        race = Race((0,) * segment, moment=moment, rerolls=int(can_reroll))
        actions = list_choices(self.ruleset, race)
        return [Reroll(0) if action["type"] == "reroll" else self.read(action) for action in actions]

    def read(self, action: Action) -> Any:
        return self.ruleset.read_action({"seat": 0, **action}, 1)

    def play(self, race: Race, read: Any) -> Race:
        assert not GAME.seat_problems(self.ruleset.setup, race, read)
        return GAME.seat_apply(self.ruleset.setup, race, read)


def list_choices(ruleset: Ruleset, race: Race) -> list[Action]:
    """Return every distinct choice that the game offers, without what chance decides, in the order of ties."""
    black, green = ruleset.setup.black.values, ruleset.setup.green.values
    found = {}
    for spec in GAME.seat_specs(ruleset.setup, race, 0):
        for offered in list_actions(spec) if spec.type in ("start", "lock", "stand") else [{"type": spec.type}]:
            action = {name: value for name, value in offered.items() if name != "seat"}
            if "black" in action and spec.type == "lock":
                action["black"] = sorted(action["black"], key=lambda face: (black[face], str(face)))
            found[json.dumps(action, sort_keys=True)] = action

    def order(action: Action) -> Any:
        if action["type"] == "start":
            return (0, -action["black"] - action["green"], -action["black"], [])
        dice = [black[face] for face in action.get("black", [])]
        if action.get("green"):
            assert isinstance(race.moment, Rolled)
            assert race.moment.green is not None
            dice.append(green[race.moment.green])
        return (action["type"] == "reroll", -len(dice), 0, sorted(dice), not action.get("green"))

    return sorted(found.values(), key=order)


def test_a_race_on_the_house_course_comes_to_the_known_points() -> None:
    answered = ask([])
    assert answered["value"] == pytest.approx(528.862521, abs=1e-6)
    fixed = {"node": "choice", "measure": "total", "aim": "high", "method": "exact", "seat": 0, "best": [0]}
    assert {key: answered[key] for key in fixed} == fixed
    assert len(answered["options"]) == 12
    assert answered["options"][0]["action"] == {"type": "start", "black": 5, "green": 1}


# In a short run without the first, whose one segment has no limit, as the second of the third has none.
@pytest.mark.parametrize("options", SMALL if FULL else SMALL[1:], ids=str)
@pytest.mark.slow
def test_small_races_have_the_figures_of_the_plain_recursion(options: dict[str, Any]) -> None:
    """GO-4 to GO-14, GO-18 to GO-26"""
    targets = (-60, -20, 0, 11, 45, 90, 140, 175, 200, 310)
    reference = Reference(options, targets)
    for actions, race in [([], Race((), options["rerolls"])), *list_moments(scaled(30, 15), options)]:
        answered, expected = ask(actions, options, targets=list(targets)), reference.solve(race)
        assert answered["value"] == pytest.approx(expected.value, abs=1e-8)
        for index, target in enumerate(targets):
            said = answered["targets"][index]
            assert said["target"] == target
            assert said["reach"] == pytest.approx(expected.reach[index], abs=1e-9)
            assert said["reach_by_value"] == pytest.approx(expected.by_value[index], abs=1e-9)
        for option in answered["options"]:
            if option["action"]["type"] in ("roll", "penalty"):
                continue
            plain = reference.get_action(race, option["action"])
            assert option["value"] == pytest.approx(plain.value, abs=1e-8)
            assert option["reach"] == pytest.approx(plain.reach, abs=1e-9)
            assert option["reach_by_value"] == pytest.approx(plain.by_value, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize("options", [{}, {"template": "2", "rerolls": 1}, *SMALL], ids=str)
def test_every_distinct_legal_choice_is_an_option_in_the_order_of_ties(options: dict[str, Any]) -> None:
    ruleset = GAME.ruleset(options)
    for actions, race in list_moments(scaled(80, 30), options):
        given = [option["action"] for option in ask(actions, options)["options"]]
        assert given == list_choices(ruleset, race)
        if given[0]["type"] in ("roll", "penalty"):
            assert len(given) == 1


@pytest.mark.slow
def test_the_value_before_a_throw_is_the_mean_of_the_values_after() -> None:
    ruleset, checked = GAME.ruleset(HOUSE_DICE), 0
    targets = [300, 450] if FULL else [30, 60]
    for actions, race in list_moments(scaled(100, 30), HOUSE_DICE, seed=7):
        moment = race.moment
        if not isinstance(moment, (Hand, Penalties)) or (
            isinstance(moment, Hand) and moment.black + (moment.no_green is None) > 1
        ):
            continue
        checked += 1
        before = ask(actions, HOUSE_DICE, targets=targets)
        value, reach, by_value = 0.0, [0.0, 0.0], [0.0, 0.0]
        for action, chance in list_throws(ruleset, moment):
            after = ask([*actions, action], HOUSE_DICE, targets=targets)
            value += chance * after["value"]
            for index, target in enumerate(after["targets"]):
                reach[index] += chance * target["reach"]
                by_value[index] += chance * target["reach_by_value"]
        assert before["node"] == "chance"
        assert before["value"] == before["options"][0]["value"] == pytest.approx(value, abs=1e-8)
        assert [target["reach"] for target in before["targets"]] == pytest.approx(reach, abs=1e-9)
        assert [target["reach_by_value"] for target in before["targets"]] == pytest.approx(by_value, abs=1e-9)
    assert checked >= 5


@pytest.mark.parametrize("options", [HOUSE_DICE, *SMALL], ids=str)
@pytest.mark.slow
def test_chances_fall_with_the_target_and_playing_for_it_is_never_worse(options: dict[str, Any]) -> None:
    targets = [-500, -100, 0, 50, 100, 150, 175, 180, 200, 300, 303, 400, 500, 600, 700, 900, 2000]
    for actions, _ in list_moments(scaled(12, 2), options):
        answered = ask(actions, options, targets=targets)
        for figures in answered["options"]:
            for name in ("reach", "reach_by_value"):
                assert figures[name] == sorted(figures[name], reverse=True)
            for reach, by_value in zip(figures["reach"], figures["reach_by_value"], strict=True):
                assert 0 <= by_value <= reach + 1e-9 <= 1 + 2e-9
        for index, target in enumerate(answered["targets"]):
            assert target["reach"] == max(option["reach"][index] for option in answered["options"])
            first = answered["options"][answered["best"][0]]
            assert target["reach_by_value"] == first["reach_by_value"][index]


@pytest.mark.slow
@pytest.mark.parametrize("options", [HOUSE_DICE, *SMALL], ids=str)
def test_the_distribution_has_the_value_as_its_mean_and_the_chances_of_the_targets(options: dict[str, Any]) -> None:
    for actions, _ in list_moments(scaled(12, 4), options):
        targets = [100, 250, 400]
        answered = ask(actions, options, targets=targets, distribution=True)
        lowest, chances = answered["distribution"]["from"], answered["distribution"]["chances"]
        assert min(chances) >= 0
        assert sum(chances) == pytest.approx(1, abs=1e-8)
        mean = sum((lowest + index) * chance for index, chance in enumerate(chances))
        assert mean == pytest.approx(answered["value"], abs=1e-6)
        for target in answered["targets"]:
            reached = sum(chance for index, chance in enumerate(chances) if lowest + index >= target["target"])
            assert reached == pytest.approx(target["reach_by_value"], abs=1e-8)


@pytest.mark.slow
def test_values_are_within_what_can_be_reached() -> None:
    """With a kit without circles, so that there is a best total."""
    options: dict[str, Any] = {
        "rerolls": scaled(2, 1),
        "course": make_course_option(*((None, 60, 40) if FULL else (None, 60))),
        "kit": {"black": make_faces(5, 10, 30), "green": make_faces("flat", 10, 20)},
    }
    for actions, _ in list_moments(scaled(40, 20), options):
        reach = GAME.reach(play(*actions, **options), 0)
        assert reach is not None
        assert reach.best is not None
        assert reach.worst is not None
        best, worst = reach.best.total, reach.worst.total
        answered = ask(actions, options, targets=[worst, best + 1], distribution=True)
        assert [target["reach"] for target in answered["targets"]] == [pytest.approx(1), pytest.approx(0, abs=1e-9)]
        for option in answered["options"]:
            assert worst <= option["value"] <= best
        assert answered["distribution"]["from"] >= worst
        assert answered["distribution"]["from"] + len(answered["distribution"]["chances"]) - 1 <= best


def test_losses_and_the_best_choices_follow_from_the_values() -> None:
    for actions, _ in list_moments(60, {}):
        answered = ask(actions)
        values = [option["value"] for option in answered["options"]]
        assert answered["value"] == max(values)
        assert [option["loss"] for option in answered["options"]] == pytest.approx([max(values) - v for v in values])
        assert answered["best"] == [index for index, value in enumerate(values) if value >= max(values) - 1e-9]


def test_what_was_scored_before_is_part_of_the_total() -> None:
    """GO-3, GO-20"""
    assert ask(score_segment(30))["value"] == pytest.approx(30 + 441.0157862103, abs=1e-6)
    circles = [start(), roll(*ALL_CIRCLED, green=25, flag="black"), STAND]
    assert ask(circles)["value"] == pytest.approx(175 + ask([])["value"], abs=1e-8)


def test_six_circled_dice_can_be_accepted_or_rolled_again() -> None:
    """GO-6, GO-7, GO-20"""
    answered = ask([start(), roll(*ALL_CIRCLED, green=25, flag="black")])
    assert [option["action"] for option in answered["options"]] == [{"type": "stand"}, {"type": "reroll"}]
    assert answered["options"][0]["value"] == pytest.approx(175 + ask([])["value"], abs=1e-8)


@pytest.mark.slow
def test_seats_do_not_change_each_others_odds() -> None:
    """GO-3"""
    options = HOUSE_DICE if FULL else {"rerolls": 0, "course": make_course_option(60, None)}
    own = [start(3, 0), roll(5, 10, 30)]
    together = [*by_seat(1, *score_segment(20)), *by_seat(0, *own), *by_seat(1, start())]
    alone = ask(own, options, targets=[60])
    assert 0 < alone["targets"][0]["reach"] < 1
    assert ask(together, options, seats=2, seat=0, targets=[60]) == alone
    assert ask(together, options, seats=2, seat=1)["node"] == "chance"


def test_without_a_seat_a_question_about_several_is_malformed() -> None:
    transcript = {"ruleset": "go-500", "seats": ["Ann", "Bob"]}
    answered = answer({"transcript": transcript}, GAMES)
    assert (answered["ok"], answered["code"], answered["field"]) == (False, "malformed", "seat")


def test_penalty_dice_that_are_due_are_a_throw_and_one_that_was_thrown_is_a_choice() -> None:
    """GO-10, GO-12, GO-27"""
    yellow = [start(1, 0), roll(30, flag="yellow")]
    assert [option["action"] for option in ask(yellow)["options"]] == [{"type": "stand"}, {"type": "reroll"}]
    due = ask([*yellow, STAND])
    assert (due["node"], [option["action"] for option in due["options"]]) == ("chance", [{"type": "penalty"}])
    thrown = ask([*yellow, STAND, penalty(-25)])
    assert [option["action"] for option in thrown["options"]] == [{"type": "stand"}, {"type": "reroll"}]
    assert thrown["options"][0]["value"] == pytest.approx(5 + 441.0157862103, abs=1e-6)
    together = [start(5, 1), roll(30, 30, 30, 30, 30, green=20), *score_segment(30)[3:]]
    course = {"course": make_course_option(100)}
    waits = ask([*together, STAND, roll_penalties_together("crash")], course)
    assert (waits["node"], len(waits["options"])) == ("chance", 1)


def test_a_seat_that_is_done_has_its_total() -> None:
    """GO-25, TABLE-3"""
    for actions in (score_segment(30), [{"type": "retire"}]):
        answered = ask(actions, {"course": make_course_option(None)}, targets=[20, 40], distribution=True)
        total = 30 if len(actions) > 1 else 0
        assert (answered["node"], answered["value"], answered["options"]) == ("done", total, [])
        assert [target["reach"] for target in answered["targets"]] == [float(total >= 20), 0.0]
        assert answered["distribution"] == {"from": total, "chances": [1.0]}


def test_a_kit_whose_every_roll_of_six_is_circled_has_no_odds() -> None:
    """GO-7"""
    options = {"kit": {"black": make_faces(30, circled=30), "green": make_faces(25, circled=25)}}
    answered = ask([], options, targets=[500])
    assert (answered["method"], answered["why"], answered["value"]) == ("none", "unbounded", None)
    assert answered["options"][0] == {"action": {"type": "start", "black": 5, "green": 1}}
    assert len(answered["options"]) == 12


@pytest.mark.parametrize("value", [10**10, 10**30, 10**400], ids=["10^10", "10^30", "10^400"])
def test_a_kit_with_enormous_values_has_no_odds(value: int) -> None:
    """Sums of such values are not exact."""
    for kit in ({"black": [{"face": "most", "value": value}]}, {"red": [{"face": "least", "value": -value}]}):
        answered = ask([], {"kit": kit}, targets=[500], distribution=True)
        assert (answered["method"], answered["why"], len(answered["options"])) == ("none", "not_known", 12)


@pytest.mark.slow
def test_a_kit_with_too_many_totals_has_values_but_no_chances() -> None:
    kit = {"yellow": make_faces(-1, -999_999), "black": make_faces(1_000_000)}
    options = {"course": make_course_option(60, None), "kit": kit}
    assert ask([], options)["method"] == "exact"
    assert ask([], options, targets=[500])["why"] == "seconds"


def test_a_kit_with_half_of_all_rolls_circled_is_solved() -> None:
    """GO-7: the start is worth 175 more every second time."""
    options = {
        "rerolls": 0,
        "course": make_course_option(None),
        "kit": {"black": make_faces(30, circled=30), "green": [*make_faces("flat"), *make_faces(25, circled=25)]},
    }
    reached = ask([], options, targets=[175, 350, 175 * 5])
    assert reached["value"] == pytest.approx(175 + ask([start(5, 0)], options)["value"])
    chances = [target["reach"] for target in reached["targets"]]
    assert chances[0] >= 0.5
    assert 0.5**5 <= chances[2] < chances[1] < chances[0]


def test_when_the_time_is_up_the_choices_come_without_figures() -> None:
    values = [
        1,
        2,
        4,
        8,
        16,
        32,
        64,
        128,
        256,
        512,
        1024,
        2048,
        4096,
        8192,
        16384,
        32768,
        65536,
        131072,
        262144,
        524288,
    ]
    answered = ask([start(4, 0)], {"kit": {"black": make_faces(*values)}}, most_seconds=GIVE_UP_SECONDS, targets=[100])
    assert (answered["method"], answered["why"], answered["value"]) == ("none", "seconds", None)
    assert answered["options"] == [{"action": {"type": "roll"}}]


def test_the_bare_interpreter_answers() -> None:
    """Nothing but the standard library is imported."""
    question = json.dumps({"transcript": {"ruleset": "go-500", "seats": ["Ann"]}})
    run = subprocess.run(
        [sys.executable, "-S", "-m", "games", "odds", "-"], input=question, capture_output=True, text=True, cwd=ROOT
    )
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["value"] == pytest.approx(528.862521, abs=1e-6)


def test_lists_of_dice_ascend_and_what_is_not_locked_is_left_out() -> None:
    answered = ask([start(3, 1), roll(30, 5, 10, green=20)])
    actions = [option["action"] for option in answered["options"]]
    assert actions[0] == {"type": "lock", "black": [5, 10, 30], "green": True}
    assert {"type": "lock", "green": True} in actions
    assert lock(5, 30) in actions
    assert actions[-1] == {"type": "reroll"}


@pytest.mark.parametrize(
    ("options", "solved"), [({}, 1), ({"template": "2"}, 1), ({"rerolls": 3}, 3), ({"kit": SMALL_KIT}, 3)]
)
@pytest.mark.slow
def test_house_courses_need_only_one_segment_for_the_same_values(options: dict[str, Any], solved: int) -> None:
    setup = GAME.ruleset(options).setup
    kit, limits, rerolls = make_kit(setup), list_limits(setup), setup.rerolls
    quick, plain = HouseValueChain(kit, limits, rerolls), ValueChain(kit, limits, rerolls)

    for segment, same in zip(quick.get(3, TimeLimit()), plain.get(3, TimeLimit()), strict=True):
        assert segment.start == same.start
        assert segment.get_hand(3, True, 40) == same.get_hand(3, True, 40)
    assert sum(quick.has(number, rerolls) for number in range(len(limits))) == solved
