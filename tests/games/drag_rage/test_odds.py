"""Odds of a heat: compared with a plain search of the rules, and with themselves.

The plain search follows every action that the game offers and every roll of the dice, and folds nothing.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from json import dumps, loads
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.core.game import IllegalAction
from games.core.odds import Wanted
from games.core.odds_question import answer
from games.core.specs import ActionSpec, ChoiceField
from games.core.time_limit import TimeLimit
from games.drag_rage import GAME
from games.drag_rage.actions import Advance, Challenge, Defend, Pass
from games.drag_rage.odds import options
from games.drag_rage.prospects import find_results
from games.drag_rage.state import Car, Heat, Race
from tests.faults.scale import scaled
from tests.games.drag_rage.random_races import drive
from tests.games.drag_rage.table import (
    BROKEN,
    CROSSED,
    challenge,
    lose_challenge,
    move,
    retire,
    roll,
    start,
    win_quickly,
)

SAME = 1e-9
GAMES = {"drag-rage": GAME}
ROOT = Path(__file__).parents[3]
HEATS = scaled(100, 20)
# The two free dice in one order; the third is the nitro die.
ROLLS = {
    dice: tuple(
        (faces, count / 6**dice)
        for faces, count in Counter(
            (*sorted(faces[:2]), *faces[2:]) for faces in product(range(1, 7), repeat=dice)
        ).items()
    )
    for dice in (2, 3)
}


def ask(actions: list[dict[str, Any]], seat: int, **question: Any) -> dict[str, Any]:
    transcript = {"ruleset": "drag-rage", "seats": ["Ann", "Bob"], "actions": actions}
    return answer({"transcript": transcript, "seat": seat, **question}, GAMES)


@cache
def search(heat: Heat) -> float:
    """Return the first seat's chance to win, by the plain search."""
    race = Race(heat=heat)
    values = [search_action(race, action) for action in list_distinct_actions(race)]
    return max(values) if heat.to_act == 0 else min(values)


def search_action(race: Race, action: Any) -> float:
    if isinstance(action, Defend):
        size = len(action.dice)
        return sum(chance * search_after(race, Defend(action.seat, faces)) for faces, chance in ROLLS[size])
    return search_after(race, action)


def search_after(race: Race, action: Any) -> float:
    after = GAME.apply(race, action)
    if after.heat is not None:
        return search(after.heat)
    winner = after.heats[-1].winner
    return 0.5 if winner is None else 1.0 - winner


def list_distinct_actions(race: Race) -> list[Any]:
    """Return what the game offers, a roll once for each number of dice."""
    assert race.heat is not None
    seat, found = race.heat.to_act, list[Any]()
    for spec in GAME.legal_actions(race, seat):
        if spec.type == "advance":
            found.extend(Advance(seat, counter) for counter in list_open(spec))
        elif spec.type == "challenge":
            found.append(Challenge(seat))
        elif spec.type == "pass":
            found.append(Pass(seat))
        elif spec.type == "defend":
            sizes = (2, 3) if race.heat.cars[seat].has_nitro else (2,)
            found.extend(Defend(seat, (1,) * size) for size in sizes)
    return found


def list_open(spec: ActionSpec) -> list[int]:
    (field,) = spec.fields
    assert isinstance(field, ChoiceField)
    return [int(choice.value) for choice in field.choices if choice.open]


def list_late_heats(count: int, unused: int) -> list[Heat]:
    """Return different random heats in which at most so many counters are unused."""
    random, found = Random(count), dict[Heat, None]()
    while len(found) < count:
        late = [
            step.before.heat for step in drive(random) if step.before.heat and len(step.before.heat.unused) <= unused
        ]
        found.update(dict.fromkeys(random.sample(late, min(3, len(late)))))
    return list(found)


def iter_questions(races: int, unused: int) -> Iterator[tuple[Race, list[dict[str, Any]]]]:
    """Yield the states of random races with at most so many unused counters, and the actions up to them."""
    random = Random(races)
    for _ in range(races):
        actions: list[dict[str, Any]] = []
        for step in drive(random):
            heat = step.before.heat
            if heat is not None and len(heat.unused) <= unused:
                yield step.before, actions[:]
            actions.append(step.heat[-1])


@pytest.mark.slow
def test_the_values_are_those_of_a_plain_search() -> None:
    # What this search has found is left for the next test, which asks about the same heats.
    for heat in list_late_heats(HEATS, 4):
        odds = GAME.odds(Race(heat=heat), 0, Wanted())
        assert odds.method == "exact"
        assert odds.value == pytest.approx(search(heat), abs=SAME), heat


def test_each_choice_has_the_value_of_a_plain_search() -> None:
    for heat in list_late_heats(HEATS, 4):
        race = Race(heat=heat)
        odds = GAME.odds(race, heat.to_act, Wanted())
        expected = [search_action(race, action) for action in list_distinct_actions(race)]
        if heat.to_act == 1:
            expected = [1 - value for value in expected]
        assert [choice.value for choice in odds.choices] == pytest.approx(expected, abs=SAME), heat
    search.cache_clear()


def test_the_two_players_values_add_up_to_1_and_only_one_has_choices() -> None:
    for race, actions in iter_questions(scaled(8, 3), 6):
        assert race.heat is not None
        own, other = (ask(actions, seat) for seat in (race.heat.to_act, 1 - race.heat.to_act))
        assert own["value"] + other["value"] == pytest.approx(1, abs=SAME)
        assert own["race"] + other["race"] == pytest.approx(1, abs=SAME)
        assert (other["node"], other["options"], other["best"]) == ("waiting", [], [])
        assert own["options"]
        assert own["value"] == max(option["value"] for option in own["options"])
        assert own["node"] == ("chance" if is_only_a_roll(race.heat) else "choice")


def is_only_a_roll(heat: Heat) -> bool:
    return heat.due == "roll" and not heat.cars[heat.to_act].has_nitro


def test_the_value_before_a_roll_is_the_mean_of_the_values_after_it() -> None:
    random, checked = Random(5), 0
    for race, actions in iter_questions(scaled(20, 8), 6):
        heat = race.heat
        if heat is None or heat.due != "roll" or random.random() < 0.5:
            continue
        for option in ask(actions, heat.to_act)["options"]:
            rolls = ROLLS[3 if option["action"]["nitro"] else 2]
            after = [(chance, value_after(race, Defend(heat.to_act, faces), heat.to_act)) for faces, chance in rolls]
            assert option["value"] == pytest.approx(sum(chance * value for chance, value in after), abs=SAME)
            checked += 1
    assert checked > 20


def value_after(race: Race, action: Any, seat: int) -> float:
    after = GAME.play(race, action)
    if after.heat is None:
        winner = after.heats[-1].winner
        return 0.5 if winner is None else float(winner == seat)
    value = GAME.odds(after, seat, Wanted()).value
    assert value is not None
    return value


def test_the_options_are_what_the_game_offers_and_all_are_accepted() -> None:
    for race, actions in iter_questions(scaled(8, 3), 6):
        assert race.heat is not None
        seat = race.heat.to_act
        given = [option["action"] for option in ask(actions, seat)["options"]]
        for action in given:
            dice = {"dice": [3] * (3 if action["nitro"] else 2)} if action["type"] == "defend" else {}
            completed = {"seat": seat, **action, **dice}
            completed.pop("nitro", None)
            GAME.play(race, GAME.ruleset().read_action(completed, 2))
        written = [GAME.ruleset().write_action(action) for action in list_distinct_actions(race)]
        expected = [
            {"type": "defend", "nitro": len(action["dice"]) == 3}
            if action["type"] == "defend"
            else {key: value for key, value in action.items() if key != "seat"}
            for action in written
        ]
        assert given == expected


def test_what_is_certain_has_the_value_1_or_0() -> None:
    certain = 0
    for race, _ in iter_questions(scaled(25, 8), 6):
        assert race.heat is not None
        results = find_results(race.heat)
        value = GAME.odds(race, 0, Wanted()).value
        assert value is not None
        if results == {0}:
            assert value == 1
        elif results == {1}:
            assert value == 0
        certain += len(results) == 1
    assert certain > 5


def test_a_crossing_can_be_challenged_before_the_other_plays_on_alone() -> None:
    actions = [*CROSSED]
    given = ask(actions, 1)
    assert given["node"] == "choice"
    assert {"type": "challenge"} in [option["action"] for option in given["options"]]
    # 7 takes the second car from 16 to 23 with its third counter: closer to the line than 24, as many counters.
    (seven,) = [option for option in given["options"] if option["action"] == {"type": "advance", "counter": 7}]
    assert seven["value"] == 1
    assert seven["loss"] == 0


def test_behind_a_broken_chute_the_other_wins_by_crossing() -> None:
    # From 13, 10 leads to 23; the crossing on 28 may be left alone.
    assert ask(BROKEN, 1)["value"] == 1
    assert ask(BROKEN, 0)["value"] == 0


@pytest.mark.parametrize(
    ("heats", "race"),
    [([], 0.5), ([0], 0.75), ([1], 0.25), ([0, 1], 0.5)],
    ids=["no heats", "one won", "one lost", "one each"],
)
def test_between_heats_the_next_one_is_even_because_its_start_is_drawn(heats: list[int], race: float) -> None:
    actions = [action for winner in heats for action in win_quickly(winner)]
    given = ask(actions, 0)
    assert (given["node"], given["value"], given["race"]) == ("between", 0.5, race)
    assert (given["options"], given["best"]) == ([], [])


def test_the_chance_to_win_the_race_follows_from_that_of_the_heat() -> None:
    heat = CROSSED
    alone, ahead = ask([*heat], 1), ask([*win_quickly(1), *heat], 1)
    assert alone["race"] == pytest.approx(alone["value"] * 0.75 + (1 - alone["value"]) * 0.25)
    assert ahead["race"] == pytest.approx(ahead["value"] + (1 - ahead["value"]) * 0.5)


def toss_for_race(own: int, other: int) -> float:
    """Return the chance to win a race of which each later heat is a toss, by going through all that can follow."""
    tosses = list(product((0, 1), repeat=3))
    won = 0
    for results in tosses:
        score = [own, other]
        for loser in results:
            if 2 not in score:
                score[loser] += 1
        won += score[0] == 2
    return won / len(tosses)


def test_each_choice_has_the_chance_to_win_the_race_of_a_plain_search() -> None:
    """DRAG-16, DRAG-17"""
    for heats in ((), (0,), (1,), (0, 1)):
        between = Race()
        for action in [action for winner in heats for action in win_quickly(winner)]:
            between = GAME.play(between, GAME.ruleset().read_action(action, 2))
        for heat in list_late_heats(10, 3):
            race, seat = between._replace(heat=heat), heat.to_act
            values = [search_action(Race(heat=heat), action) for action in list_distinct_actions(race)]
            chances = [value if seat == 0 else 1 - value for value in values]
            if_won = toss_for_race(race.won[seat] + 1, race.won[1 - seat])
            if_lost = toss_for_race(race.won[seat], race.won[1 - seat] + 1)
            expected = [chance * if_won + (1 - chance) * if_lost for chance in chances]
            given, other = (GAME.odds(race, one, Wanted()) for one in (seat, 1 - seat))
            assert [choice.chances["race"] for choice in given.choices] == pytest.approx(expected, abs=SAME)
            assert given.chances["race"] == max(choice.chances["race"] for choice in given.choices)
            mine, theirs = given.chances["race"], other.chances["race"]
            assert isinstance(mine, float)
            assert isinstance(theirs, float)
            assert mine + theirs == pytest.approx(1, abs=SAME)
    search.cache_clear()


@pytest.mark.parametrize("actions", [[*win_quickly(0), *win_quickly(0)], [start(), retire(1)], [retire(0)]])
def test_after_the_race_there_is_no_heat_to_win(actions: list[dict[str, Any]]) -> None:
    for seat in (0, 1):
        given = ask(actions, seat)
        assert (given["node"], given["value"], given["options"], given["method"]) == ("done", None, [], "exact")


def test_without_nitro_a_challenged_player_only_rolls() -> None:
    actions = [start(), move(0, 12), challenge(1), roll(0, 6, 6, 6), {"seat": 1, "type": "pass"}]
    actions += [move(0, 5), move(1, 2), challenge(0), roll(1, 6, 6, 1)]
    given = ask([*actions, {"seat": 0, "type": "pass"}, move(1, 9), challenge(0)], 1)
    assert given["node"] == "chance"
    assert [option["action"] for option in given["options"]] == [{"type": "defend", "nitro": False}]


def test_a_challenge_of_counter_2_always_fails() -> None:
    actions = [start(), *lose_challenge(0, 12), move(1, 10), move(0, 11), move(1, 2)]
    given = ask(actions, 0)
    by_type = {option["action"]["type"]: option["value"] for option in given["options"]}
    assert by_type["challenge"] <= max(option["value"] for option in given["options"])
    rolled = ask([*actions, challenge(0)], 1)
    two, three = (option["value"] for option in rolled["options"])
    assert two >= three, "nothing is gained by rolling nitro for a roll that always holds"


def test_targets_are_not_for_this_game() -> None:
    given = ask([start()], 0, targets=[2])
    assert (given["code"], given["field"]) == ("malformed", "targets")


def test_the_start_of_a_heat_is_answered_at_once() -> None:
    first, second = ask([start()], 0), ask([start()], 1)
    assert first["method"] == "exact"
    assert len(first["options"]) == 11
    assert first["value"] + second["value"] == pytest.approx(1, abs=SAME)


def test_out_of_time_the_choices_have_no_figures() -> None:
    options._get_values.cache_clear()
    heat = Heat(0, (Car(1, 1), Car(5, 1)), "turn", None, frozenset(range(2, 13)) - {4, 12})
    ticks = iter(range(10_000))
    odds = GAME.odds(Race(heat=heat), 0, Wanted(limit=TimeLimit(1, clock=lambda: next(ticks))))
    assert (odds.method, odds.why, odds.value, odds.best) == ("none", "seconds", None, ())
    assert [choice.action["counter"] for choice in odds.choices] == [2, 3, 5, 6, 7, 8, 9, 10, 11]
    assert all(choice.value is None for choice in odds.choices)


@pytest.mark.slow
def test_what_was_asked_before_changes_no_figure() -> None:
    actions = [start(), move(0, 4), move(1, 12), move(0, 6), move(1, 5)]
    options._get_values.cache_clear()
    fresh = ask(actions, 0)
    options._get_values.cache_clear()
    ask(actions[:-1], 1)
    assert ask(actions, 0) == fresh


def test_the_bare_interpreter_answers_too() -> None:
    question = {"transcript": {"ruleset": "drag-rage", "seats": ["Ann", "Bob"], "actions": CROSSED}, "seat": 1}
    done = subprocess.run(
        ["/usr/bin/python3", "-m", "games", "odds", "-"],
        input=dumps(question),
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    assert loads(done.stdout) == ask(CROSSED, 1)


def test_playing_does_not_load_the_solver() -> None:
    code = (
        "import sys; import games.core.registry as r; r.find_games(); print([n for n in sys.modules if '.odds.' in n])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.strip() == "[]"


def test_an_illegal_transcript_is_answered_as_by_score() -> None:
    with pytest.raises(IllegalAction):
        GAME.play(Race(heat=Heat(0)), Challenge(0))
    given = ask([start(), challenge(0)], 0)
    assert (given["ok"], given["code"], given["rule"]) == (False, "nothing_to_challenge", "DRAG-18")
