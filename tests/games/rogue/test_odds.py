"""The odds of a turn, against every roll and every choice that the rules themselves allow."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest

from games.core.odds import Wanted
from games.core.odds_question import answer
from games.core.reading import Face
from games.core.time_limit import TimeLimit
from games.rogue import GAME
from games.rogue.odds.chances import TurnChances, get_turn_chances
from games.rogue.odds.duel import Duel, get_duel
from games.rogue.rounds import end_turn, rogue_out
from games.rogue.scoring import FACES, KEEPS, Dice
from games.rogue.state import NEW_TURN, Table, Turn
from tests.faults.scale import FULL, scaled
from tests.games.rogue.table import by_seat, play, turn
from tests.games.sampling import walk

ROOT = Path(__file__).parents[3]
GAMES = {GAME.key: GAME}
WHOLE_TURN = 65.660102


def ask(actions: list[dict[str, Any]], seats: int = 2, options: dict[str, Any] | None = None, **fields: Any) -> Any:
    """Return the answer to a question about a legal transcript."""
    transcript = {
        "ruleset": "rogue",
        "options": options or {},
        "seats": [f"Seat {n}" for n in range(seats)],
        "actions": actions,
    }
    answered = answer({"transcript": transcript, **fields}, GAMES)
    assert answered["ok"], answered
    return answered


def list_rolls(size: int) -> Iterator[tuple[Dice, float]]:
    """Yield every roll of so many dice, in order, with its chance."""
    for showing in combinations_with_replacement(FACES, size):
        ways = factorial(size) // prod(factorial(count) for count in Counter(showing).values())
        yield showing, ways / 6**size


def list_moments(count: int, options: dict[str, Any] | None = None) -> Iterator[tuple[list[dict[str, Any]], Table]]:
    """Yield moments of random games that are not over."""
    ruleset, random = GAME.ruleset(options), Random(5)
    found = 0
    while found < count:
        for moment in walk(ruleset, 2, random):
            if moment.state.winner is None and found < count and random.random() < 0.2:
                found += 1
                yield moment.actions, moment.state


def play_on(actions: list[dict[str, Any]], seat: int, action: dict[str, Any]) -> list[dict[str, Any]]:
    return [*actions, *by_seat(seat, action)]


@cache
def plain_value(points: int, left: int, rolled: tuple[Face, ...]) -> float:
    """Return the expected points of a turn by a recursion that shares only the chart of points with the program.

    Args:
        points: the points set aside.
        left: the dice that are not set aside.
        rolled: those dice, if they have just been rolled; empty before a roll.
    """
    if not left:
        return points
    if not rolled:
        after = sum(chance * plain_value(points, left, roll) for roll, chance in list_rolls(left))
        return max(points, after)
    if left == 1:
        return 2 * points if rolled == ("C",) else points
    return max(
        (plain_value(points + gain, left - len(kept), ()) for kept, gain in KEEPS[rolled].items()), default=points
    )


def test_a_turn_comes_to_the_known_points() -> None:
    """ROGUE-2 to ROGUE-11, ROGUE-16 to ROGUE-22"""
    answered = ask([])
    assert answered["value"] == pytest.approx(WHOLE_TURN, abs=1e-6)
    assert answered["value"] == pytest.approx(plain_value(0, 6, ()), abs=1e-9)
    assert {key: answered[key] for key in ("seat", "node", "measure", "aim", "method", "best")} == {
        "seat": 0,
        "node": "chance",
        "measure": "turn",
        "aim": "high",
        "method": "exact",
        "best": [0],
    }
    (option,) = answered["options"]
    assert option == {"action": {"type": "roll"}, "value": answered["value"], "loss": 0.0}


def test_every_moment_has_the_values_of_the_plain_recursion() -> None:
    for actions, table in list_moments(scaled(50, 12)):
        answered, running = ask(actions), table.turn
        assert answered["seat"] == table.seat
        assert answered["value"] == pytest.approx(plain_value(running.points, running.left, running.showing), abs=1e-9)
        for option in answered["options"]:
            after = play(play_on(actions, table.seat, option["action"])) if option["action"]["type"] != "roll" else None
            if after is None:
                expected = sum(chance * ask_after_roll(actions, table, roll) for roll, chance in list_rolls_of(table))
            elif after.turn == NEW_TURN or after.seat != table.seat:
                expected = 0 if after.winner is not None else after.scores[table.seat] - table.scores[table.seat]
            else:
                expected = ask(play_on(actions, table.seat, option["action"]))["value"]
            assert option["value"] == pytest.approx(expected, abs=1e-9)


def list_rolls_of(table: Table) -> Iterator[tuple[Dice, float]]:
    return list_rolls(table.turn.left)


def ask_after_roll(actions: list[dict[str, Any]], table: Table, roll: Dice) -> float:
    """Return the value after a roll; if the roll ends the turn, the points of the turn (ROGUE-3)."""
    if not KEEPS[roll]:
        return table.turn.points
    value = ask(play_on(actions, table.seat, {"type": "roll", "dice": list(roll)}))["value"]
    assert isinstance(value, float)
    return value


def test_every_distinct_legal_choice_is_an_option_and_every_option_is_legal() -> None:
    for actions, table in list_moments(200):
        options = ask(actions)["options"]
        given = Counter(json.dumps(option["action"]) for option in options)
        expected = set()
        for spec in GAME.legal_actions(table, table.seat):
            if spec.type == "keep":
                (field,) = spec.fields
                assert field.kind == "pick"
                expected |= {json.dumps({"type": "keep", "dice": list(pick.dice)}) for pick in field.picks}
            elif spec.type != "retire":
                expected.add(json.dumps({"type": spec.type}))
        assert given == Counter(expected)


def test_losses_and_the_best_choices_follow_from_the_values() -> None:
    for actions, _ in list_moments(200):
        answered = ask(actions)
        values = [option["value"] for option in answered["options"]]
        assert answered["value"] == max(values)
        assert [option["loss"] for option in answered["options"]] == pytest.approx([max(values) - v for v in values])
        assert answered["best"] == [index for index, value in enumerate(values) if value >= max(values) - 1e-9]


def test_rolling_on_never_costs_points() -> None:
    """ROGUE-22"""
    for actions, table in list_moments(200):
        if not table.turn.showing and table.turn.has_kept:
            roll, bank = ask(actions)["options"]
            assert (roll["action"], bank["action"]) == ({"type": "roll"}, {"type": "bank"})
            assert roll["value"] >= bank["value"] == table.turn.points


def test_dice_are_given_in_order_without_those_of_chance() -> None:
    """The order is 2 to 6, then critters."""
    for option in ask(turn(0, "C62622"))["options"]:
        dice = option["action"]["dice"]
        assert dice == sorted(dice, key=FACES.index)


def test_a_rogue_out_counts_nothing_and_the_last_rogue_doubles() -> None:
    """ROGUE-8, ROGUE-15"""
    five = turn(0, "C22345 C", "C2345 C", "C234 C", "C23 C", "C2 C")
    assert ask(five)["value"] == 0
    assert ask([*five, *turn(0, "C")])["options"] == [
        {"action": {"type": "keep", "dice": ["C"]}, "value": 0.0, "loss": 0.0}
    ]
    assert ask(turn(0, "666662 66666"))["value"] == pytest.approx(900 * 7 / 6)


def test_points_already_set_aside_are_part_of_the_value() -> None:
    before, after = ask(turn(0, "223456 22")), ask(turn(0, "223456 22", "bank"))
    assert before["value"] > 4
    assert (after["seat"], after["value"]) == (1, pytest.approx(WHOLE_TURN, abs=1e-6))


def test_the_options_of_the_game_change_nothing_in_a_turn() -> None:
    """ROGUE-12: additional turns are not in the value."""
    for options in ({}, {"target": 60, "war_at": 1}, {"target": 1, "war_at": 10**6}):
        assert ask([], options=options, seats=3)["value"] == pytest.approx(WHOLE_TURN, abs=1e-6)


def test_a_seat_that_waits_is_told_what_the_running_turn_comes_to() -> None:
    acting, waiting = ask(turn(0, "223456"), seat=0), ask(turn(0, "223456"), seat=1)
    assert (waiting["node"], waiting["options"], waiting["best"]) == ("waiting", [], [])
    assert waiting["value"] == acting["value"]


def test_a_seat_that_is_through_has_no_value() -> None:
    out = [*turn(0, "retire")]
    assert {key: ask(out, seats=3, seat=0)[key] for key in ("node", "value", "options")} == {
        "node": "done",
        "value": None,
        "options": [],
    }
    for seat in (0, 1):
        assert ask(out, seats=2, seat=seat)["node"] == "done"


class PlainEnd(NamedTuple):
    """One way in which a turn can end: with these points, full or not, or by a rogue out."""

    points: int
    is_full: bool
    is_rogue_out: bool = False


@cache
def plain_ends(points: int, left: int, rogues: int) -> dict[PlainEnd, float]:
    """Return the chances of the ends of a turn that is played for its expected points, before a roll."""
    found: defaultdict[PlainEnd, float] = defaultdict(float)
    for rolled, chance in list_rolls(left):
        if not KEEPS[rolled]:
            found[PlainEnd(points, False)] += chance
            continue
        if left == 1:
            end = PlainEnd(0, False, True) if rogues == 5 else PlainEnd(2 * points, not rogues)
            found[end] += chance
            continue
        most = plain_value(points, left, rolled)
        # Ties: fewer dice set aside, then more points.
        _, gain, kept = min(
            (len(kept), -gain, kept)
            for kept, gain in KEEPS[rolled].items()
            if plain_value(points + gain, left - len(kept), ()) >= most - 1e-9
        )
        after, still, lone = points - gain, left - len(kept), rogues + (kept == ("C",))
        ends = plain_ends(after, still, lone) if still else {PlainEnd(after, not lone): 1.0}
        for end, further in ends.items():
            found[end] += chance * further
    return dict(found)


def test_the_chances_of_the_ends_of_a_turn_are_those_of_the_plain_recursion() -> None:
    """ROGUE-12, ROGUE-15, ROGUE-18, ROGUE-21"""
    full, other, rogue_out_chance = get_turn_chances()
    found = {PlainEnd(points, True): chance for points, chance in full.items()}
    found |= {PlainEnd(points, False): chance for points, chance in other.items()}
    assert {**found, PlainEnd(0, False, True): rogue_out_chance} == pytest.approx(plain_ends(0, 6, 0))


# Few ends, so that all games can be followed, with chances that are large where the real ones are small.
FEW_ENDS = TurnChances({6: 0.1, 30: 0.05}, {0: 0.2, 4: 0.3, 10: 0.2, 15: 0.13}, 0.02)


SMALLEST_CHANCE = 1e-10 if FULL else 1e-8  # of a state that is followed


def plain_win(table: Table) -> tuple[float, float]:
    """Return the chance of seat 0 before a turn, by letting games go on by the program's own rounds.

    Returns:
        The chance of games that seat 0 has won, and that of games that were not followed to their end.
    """
    won, lost, going = 0.0, 0.0, {table: 1.0}
    ends = {PlainEnd(points, True): chance for points, chance in FEW_ENDS.full.items()}
    ends |= {PlainEnd(points, False): chance for points, chance in FEW_ENDS.other.items()}
    ends[PlainEnd(0, False, True)] = FEW_ENDS.rogue_out
    while going:
        after: defaultdict[Table, float] = defaultdict(float)
        for before, chance in going.items():
            for end, further in ends.items():
                left = 0 if end.is_full else 1
                ended = rogue_out(before) if end.is_rogue_out else end_turn(before, Turn(end.points, left))
                if ended.winner is None:
                    after[ended] += chance * further
                elif ended.winner == 0:
                    won += chance * further
                else:
                    lost += chance * further
        going = {state: chance for state, chance in after.items() if chance > SMALLEST_CHANCE}
    return won, 1 - won - lost


LONG_GAMES = ((30, 20, (0, 10), 0), (30, 20, (25, 0), 1), (40, 1, (0, 0), 1))
SHORT_GAMES = ((12, 8, (0, 4), 0), (12, 8, (10, 0), 1), (12, 1, (0, 0), 1))


@pytest.mark.parametrize(
    ("target", "war_at", "scores", "seat"),
    [
        (30, 10**6, (0, 0), 0),
        *(LONG_GAMES if FULL else SHORT_GAMES),
        (30, 100, (20, 25), 0),
        (30, 60, (50, 50), 0),
        (30, 10**6, (45, 45), 0),
        (30, 10, (45, 45), 0),
        (2000, 1812, (2100, 2050), 1),
        (2000, 1812, (1990, 1985), 1),
        (1000, 3000, (1200, 990), 1),
    ],
)
@pytest.mark.slow
def test_between_turns_the_chance_to_win_is_that_of_letting_all_games_go_on(
    target: int, war_at: int, scores: tuple[int, int], seat: int
) -> None:
    """ROGUE-12 to ROGUE-15, ROGUE-23 to ROGUE-26"""
    ruleset = GAME.ruleset({"target": target, "war_at": war_at})
    duel = Duel(ruleset.setup, FEW_ENDS)
    assert duel.can_prepare(*scores)
    duel.prepare(*scores, TimeLimit(60))
    won, unknown = plain_win(Table(ruleset, scores, seat))
    assert unknown < 1e-4
    assert won - 1e-10 <= (duel.before_second if seat else duel.before_first)(*scores) <= won + unknown + 1e-10


def test_a_table_that_grows_has_the_chances_of_one_made_at_once() -> None:
    setup, time = GAME.ruleset({"target": 40, "war_at": 25}).setup, TimeLimit(60)
    grown, at_once = Duel(setup, FEW_ENDS), Duel(setup, FEW_ENDS)
    for first, second in ((30, 35), (35, 10), (10, 35), (20, 20), (0, 0)):
        grown.prepare(first, second, time)
    at_once.prepare(0, 0, time)
    for first in range(40):
        for second in range(40):
            assert grown.before_first(first, second) == at_once.before_first(first, second)
            assert grown.before_second(first, second) == at_once.before_second(first, second)


def plain_last_turn(lead: int, points: int, left: int, rolled: tuple[Face, ...], rogues: int, level: float) -> float:
    """Return the best chance of the last player to get ahead, with `level` for a tie and without any war."""

    def judge(got: int) -> float:
        return level if got == lead else float(got > lead)

    if not left:
        return judge(points)
    if not rolled:
        after = sum(
            chance * plain_last_turn(lead, points, left, roll, rogues, level) for roll, chance in list_rolls(left)
        )
        return max(judge(points), after)
    if left == 1:
        if rolled != ("C",):
            return judge(points)
        return 1.0 if rogues == 5 else judge(2 * points)
    return max(
        (
            plain_last_turn(lead, points + gain, left - len(kept), (), rogues + (kept == ("C",)), level)
            for kept, gain in KEEPS[rolled].items()
        ),
        default=judge(points),
    )


def test_the_last_turn_is_played_for_what_must_be_beaten() -> None:
    """ROGUE-13"""
    options = {"target": 250, "war_at": 10**6}
    run = turn(0, "C23456 C23456")
    for entries, lead in ((("222233 2222", "66"), 250), (("333322 3333", "C6"), 250), (("C22345 C", "C3445"), 250)):
        actions = [*run, *turn(1, *entries)]
        table = play(actions, **options)
        level = 1 - get_duel(table.ruleset.setup).before_first(250, 250)
        expected = plain_last_turn(
            lead, table.turn.points, table.turn.left, table.turn.showing, table.turn.rogues, level
        )
        assert ask(actions, options=options)["win"] == pytest.approx(expected, abs=1e-9)


class PlainDuel:
    """The chances of the first player in a game without additional turns, by going over all scores until they settle.

    It shares the chart of points with the program, and nothing else.
    """

    def __init__(self, target: int):
        self._target = target
        self._ends = list(plain_ends(0, 6, 0).items())
        self._last_turn = cache(self._second_plays)
        points = {end.points: 0.0 for end, _ in self._ends if not end.is_rogue_out}
        for end, chance in self._ends:
            if not end.is_rogue_out:
                points[end.points] += chance
        rogue_out = sum(chance for end, chance in self._ends if end.is_rogue_out)
        ahead = sum(points[one] * points[two] for one in points for two in points if one > two)
        tied = sum(chance * chance for chance in points.values())
        self._tie = (rogue_out + ahead) / (1 - tied)
        self._before_first = dict.fromkeys(((a, b) for a in range(target) for b in range(target)), 0.5)
        change = 1.0
        while change > 1e-13:
            change = 0.0
            for scores, known in self._before_first.items():
                found = self._first_plays(*scores)
                self._before_first[scores] = found
                change = max(change, abs(found - known))

    def _first_plays(self, first: int, second: int) -> float:
        return sum(
            chance * (1.0 if end.is_rogue_out else self.after_first(first + end.points, second))
            for end, chance in self._ends
        )

    def after_first(self, first: int, second: int) -> float:
        return (self._last_turn if first >= self._target else self._second_plays)(first, second)

    def _second_plays(self, first: int, second: int) -> float:
        return sum(
            chance * (0.0 if end.is_rogue_out else self.after_second(first, second + end.points))
            for end, chance in self._ends
        )

    def after_second(self, first: int, second: int) -> float:
        if max(first, second) < self._target:
            return self._before_first[first, second]
        return self._tie if first == second else float(first > second)


class PlainTurn:
    """The best chance that a turn leads to, by following everything that can come.

    Args:
        judge: what a turn is worth that ends with these points.
    """

    def __init__(self, judge: Callable[[int], float]):
        self._judge = judge
        self.roll = cache(self._roll)

    def _roll(self, points: int, left: int, rogues: int) -> float:
        return sum(
            chance
            * max((self.keep(points, rolled, kept, rogues) for kept in KEEPS[rolled]), default=self._judge(points))
            for rolled, chance in list_rolls(left)
        )

    def keep(self, points: int, rolled: Dice, kept: Dice, rogues: int) -> float:
        if len(rolled) == 1:
            return 1.0 if rogues == 5 else self._judge(2 * points)
        points, left, rogues = points + KEEPS[rolled][kept], len(rolled) - len(kept), rogues + (kept == ("C",))
        return max(self._judge(points), self.roll(points, left, rogues)) if left else self._judge(points)


@pytest.mark.slow
def test_each_choice_has_the_chance_to_win_of_a_plain_search() -> None:
    """ROGUE-8, ROGUE-13, ROGUE-14, ROGUE-15, ROGUE-24"""
    options, checked = {"target": 12, "war_at": 10**6}, 0
    duel = PlainDuel(12)
    for actions, table in list_moments(scaled(60, 20), options):
        first, second = table.scores

        def judge(points: int, first: int = first, second: int = second, seat: int = table.seat) -> float:
            return 1 - duel.after_second(first, second + points) if seat else duel.after_first(first + points, second)

        answered, running, plain = ask(actions, options=options), table.turn, PlainTurn(judge)
        for option in answered["options"]:
            action = option["action"]
            if action["type"] == "bank":
                expected = judge(running.points)
            elif action["type"] == "roll":
                expected = plain.roll(running.points, running.left, running.rogues)
            else:
                expected = plain.keep(running.points, running.showing, tuple(action["dice"]), running.rogues)
            assert option["win"] == pytest.approx(expected, abs=1e-9), (actions, action)
            checked += 1
        assert answered["win"] == max(option["win"] for option in answered["options"])
    assert checked > 20


def test_the_choice_with_the_most_points_is_not_always_the_one_that_wins_most() -> None:
    options = {"target": 60, "war_at": 50}
    answered = ask([*turn(0, "CCC333 333", "bank"), *turn(1, "C33445")], options=options)
    (best,) = answered["best"]
    most = max(answered["options"], key=lambda option: option["win"])
    assert answered["options"][best]["action"] == {"type": "keep", "dice": ["C"]}
    assert most["action"] == {"type": "keep", "dice": [3, 3, 4, 4, "C"]}
    assert answered["win"] == most["win"] > answered["options"][best]["win"] + 0.04
    assert answered["value"] == answered["options"][best]["value"] > most["value"]


def test_while_the_turn_goes_on_the_chance_after_a_choice_is_that_of_the_next_moment() -> None:
    options = {"target": 60, "war_at": 30}
    for actions, table in list_moments(scaled(60, 20), options):
        for option in ask(actions, options=options)["options"]:
            after = play_on(actions, table.seat, option["action"]) if option["action"]["type"] == "keep" else []
            if after and play(after, **options).turn.has_kept:
                assert option["win"] == pytest.approx(ask(after, options=options)["win"], abs=1e-9), (actions, option)


def test_a_choice_has_no_chance_to_win_where_the_moment_has_none() -> None:
    rolled = turn(0, "22456C")
    for answered in (ask(rolled), ask(rolled, seats=3, options={"target": 60})):
        assert [set(option) for option in answered["options"]] == [{"action", "value", "loss"}] * 3


def test_the_chances_to_win_of_both_sum_to_one() -> None:
    options = {"target": 60, "war_at": 30}
    for actions, _ in list_moments(scaled(40, 20), options):
        first, second = (ask(actions, options=options, seat=seat)["win"] for seat in (0, 1))
        assert first + second == pytest.approx(1)
        assert 0 <= first <= 1


@pytest.mark.slow
def test_before_a_throw_the_chance_to_win_is_the_mean_of_those_after() -> None:
    options, checked = {"target": 60, "war_at": 30}, 0
    for actions, table in list_moments(60, options):
        if table.turn.showing or table.turn.has_kept:
            continue
        checked += 1
        after = sum(
            chance * ask(play_on(actions, table.seat, {"type": "roll", "dice": list(roll)}), options=options)["win"]
            for roll, chance in list_rolls(6)
        )
        assert ask(actions, options=options)["win"] == pytest.approx(after, abs=1e-9)
        if checked == scaled(4, 1):
            break


def test_a_decided_game_is_won_for_certain() -> None:
    options = {"target": 250}
    answered = ask([*turn(0, "C23456 C23456"), *turn(1, "666652 6666")], options=options)
    assert answered["win"] == pytest.approx(1)


def test_the_chance_to_win_is_left_out_where_it_needs_too_much() -> None:
    assert "win" not in ask([])  # a target of 2000
    assert "win" not in ask([], seats=3, options={"target": 60})
    assert "win" in ask([], options={"target": 60})
    assert "win" not in ask([*turn(0, "retire")], options={"target": 60}, seat=1)


def test_out_of_time_only_the_chance_to_win_is_missing() -> None:
    table = play(target=299)
    odds = GAME.odds(table, 0, Wanted(limit=TimeLimit(-1)))
    assert (odds.method, odds.chances) == ("exact", {})
    assert odds.value == pytest.approx(WHOLE_TURN, abs=1e-6)


def test_targets_are_malformed_in_a_game_without_totals() -> None:
    transcript = {"ruleset": "rogue", "seats": ["Ann", "Bob"]}
    answered = answer({"transcript": transcript, "targets": [100]}, GAMES)
    assert (answered["ok"], answered["code"], answered["field"]) == (False, "malformed", "targets")


def test_the_bare_interpreter_answers() -> None:
    """Nothing but the standard library is imported."""
    question = json.dumps({"transcript": {"ruleset": "rogue", "seats": ["Ann", "Bob"]}})
    run = subprocess.run(
        [sys.executable, "-S", "-m", "games", "odds", "-"], input=question, capture_output=True, text=True, cwd=ROOT
    )
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["value"] == pytest.approx(WHOLE_TURN, abs=1e-6)
