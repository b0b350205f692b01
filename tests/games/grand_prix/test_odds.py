"""Odds of a drive: compared with a plain search of the rules, and with themselves.

The plain search follows every action that the game offers and every throw of the dice, and folds nothing.
"""

from __future__ import annotations

import re
import subprocess
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from json import dumps, loads
from pathlib import Path
from random import Random
from typing import Any

import pytest

from games.core.independent import Table
from games.core.odds import Wanted
from games.core.odds_question import MAX_SECONDS, answer
from games.core.specs import ActionSpec, ChoiceField, FlagField
from games.grand_prix import GAME
from games.grand_prix.odds import options
from games.grand_prix.odds.budgets import Budget
from games.grand_prix.odds.values import SeasonValues
from games.grand_prix.options import PRESETS
from games.grand_prix.scoring import count_spaces
from games.grand_prix.state import Drive
from tests.faults.scale import FULL, GIVE_UP_SECONDS, scaled
from tests.games.grand_prix.table import (
    ALL_FREE,
    NONE_FREE,
    RETIRE,
    by_seat,
    gear,
    make_circuit_option,
    make_sheet_option,
    make_special_option,
    play,
    roll,
    turn,
)

SAME = 1e-9
TIGHT_SEASON = 4.6117764137
GAMES = {"grand-prix": GAME}
PRESETS_BY_KEY = {preset.key: preset for preset in PRESETS}
ROOT = Path(__file__).parents[3]

# Small enough for the plain search: without select, since that has too many throws.
SHORT = make_sheet_option(
    make_circuit_option(2, 1, 1, 5, time=1, damage=2),
    make_circuit_option(3, 1, 4, time=2, damage=1),
    gears=3,
    specials={
        "reroll": make_special_option(0, 3),
        "include": make_special_option(0, 2),
        "select": make_special_option(0, 99),
        "shift": make_special_option(0, 1),
    },
)
LAST_TURN = make_sheet_option(
    make_circuit_option(3, 1, 2, 5, time=1, damage=4),
    gears=4,
    specials={
        "reroll": make_special_option(0, 4),
        "include": make_special_option(1, 2),
        "select": make_special_option(1, 3),
        "shift": make_special_option(0, 1),
    },
)
SMALL = make_sheet_option(
    make_circuit_option(5, 1, 3, 2, 6, time=4, damage=3),
    make_circuit_option(4, 1, 1, 5, 3, time=3, damage=4),
    specials={
        "reroll": make_special_option(1, 5),
        "include": make_special_option(1, 4),
        "select": make_special_option(1, 3),
        "shift": make_special_option(0, 2),
    },
)


def ask(
    *actions: dict[str, Any], sheet: dict[str, Any], most_seconds: float = MAX_SECONDS, **question: Any
) -> dict[str, Any]:
    transcript = {"ruleset": "grand-prix", "seats": ["Ann"], "options": {"sheet": sheet}, "actions": list(actions)}
    return answer({"transcript": transcript, **question}, GAMES, most_seconds=most_seconds)


@cache
def list_throws(dice: int, selected: int) -> tuple[tuple[tuple[int, ...], float], ...]:
    """Return the throws of so many dice that count differently in this gear, with their chances."""
    throws = Counter(simplify_dice(faces, selected) for faces in product(range(1, 7), repeat=dice))
    return tuple((faces, count / 6**dice) for faces, count in throws.items())


def simplify_dice(faces: tuple[int, ...], selected: int) -> tuple[int, ...]:
    """Replace dice by others that count the same in this gear, so that the search meets fewer states."""
    return tuple(sorted(1 if face < selected else min(face, selected + 1) for face in faces))


def list_distinct_actions(table: Table[Drive]) -> list[dict[str, Any]]:
    """Return what the game offers, every selection of dice included, but without dice that are thrown."""
    found: list[dict[str, Any]] = []
    for spec in GAME.legal_actions(table, 0):
        if spec.type != "retire":
            found.extend({"type": spec.type, **fields} for fields in fill_in(spec))
    return found


def fill_in(spec: ActionSpec) -> Iterator[dict[str, Any]]:
    fields = {field.name: field for field in spec.fields}
    if "gear" in fields:
        field = fields["gear"]
        assert isinstance(field, ChoiceField)
        shift = {"shift": True} if "shift" in fields else {}
        yield from ({"gear": choice.value, **shift} for choice in field.choices if choice.open)
        return
    flags: tuple[dict[str, Any], ...] = ({}, {"include": True}) if "include" in fields else ({},)
    assert all(isinstance(field, FlagField) for name, field in fields.items() if name == "include")
    if "reroll" in fields:
        picks = [pick.dice for pick in fields["reroll"].picks]  # type: ignore[union-attr]
        yield from ({"reroll": list(pick), **flag} for pick in picks for flag in flags)
    else:
        yield from flags


def list_after(table: Table[Drive], action: dict[str, Any]) -> list[tuple[float, Table[Drive]]]:
    """Return what can follow a choice, with its chance."""
    if action["type"] in ("gear", "move"):
        return [(1.0, apply(table, action))]
    turn = table.seats[0].turn
    assert turn is not None
    dice = len(action["reroll"]) if "reroll" in action else 6
    chances: dict[Table[Drive], float] = {}
    for faces, chance in list_throws(dice, turn.gear):
        after = simplify(apply(table, {**action, "dice": list(faces)}))
        chances[after] = chances.get(after, 0.0) + chance
    return [(chance, after) for after, chance in chances.items()]


def apply(table: Table[Drive], action: dict[str, Any]) -> Table[Drive]:
    return GAME.play(table, table.ruleset.read_action(action, 1))


def simplify(table: Table[Drive]) -> Table[Drive]:
    """Replace the dice showing by others that count the same."""
    drive = table.seats[0]
    if drive.turn is None or not drive.turn.dice:
        return table
    dice = simplify_dice(drive.turn.dice, drive.turn.gear)
    return table._replace(seats=(drive._replace(turn=drive.turn._replace(dice=dice)),))


@cache
def search(table: Table[Drive]) -> float:
    """Return the expected sum of the places, by the plain search."""
    if GAME.is_finished(table):
        return float(GAME.standing(table, 0).total)
    return min(search_action(table, action) for action in list_distinct_actions(table))


def search_action(table: Table[Drive], action: dict[str, Any]) -> float:
    return sum(chance * search(after) for chance, after in list_after(table, action))


def get_value(table: Table[Drive]) -> float:
    odds = GAME.odds(table, 0, Wanted())
    assert odds is not None
    assert odds.method == "exact"
    assert odds.value is not None
    return odds.value


def iter_states(sheet: dict[str, Any], count: int) -> Iterator[tuple[Table[Drive], list[dict[str, Any]]]]:
    """Yield the states of random drives that are not over, and the actions up to them."""
    random = Random(count)
    for _ in range(count):
        table, actions = play(sheet=sheet), list[dict[str, Any]]()
        while not GAME.is_finished(table):
            yield table, actions[:]
            action = random.choice(list_distinct_actions(table))
            if action["type"] not in ("gear", "move"):
                dice = len(action["reroll"]) if "reroll" in action else 6
                action = {**action, "dice": [random.randint(1, 6) for _ in range(dice)]}
            actions.append(action)
            table = GAME.play(table, table.ruleset.read_action(action, 1))


@pytest.mark.slow
def test_the_value_of_a_season_is_that_of_a_plain_search() -> None:
    # What this search has found is left for the next two tests, which ask about the same season.
    assert ask(sheet=SHORT)["value"] == pytest.approx(search(play(sheet=SHORT)), abs=SAME)


def test_each_choice_of_a_short_season_has_the_value_of_a_plain_search() -> None:
    for actions in ([gear(3)], turn(3, 2), [*turn(2, 3), gear(3)], [gear(3), roll(1, 2, 3, 3, 4, 6)]):
        table = play(*actions, sheet=SHORT)
        odds = GAME.odds(table, 0, Wanted())
        assert odds is not None
        for choice in odds.choices:
            assert choice.value == pytest.approx(search_action(table, dict(choice.action)), abs=SAME), choice


def test_every_moment_of_random_drives_has_the_value_of_a_plain_search() -> None:
    moments = {dumps(actions): (table, actions) for table, actions in iter_states(SHORT, 8)}
    assert len(moments) > 30
    for table, actions in moments.values():
        assert ask(*actions, sheet=SHORT)["value"] == pytest.approx(search(table), abs=SAME), actions
    search.cache_clear()


# Dice below, equal to and above the gear; with FAULTS=full also without some of them, in both gears.
ROLLS = [(1, 2, 3, 3, 4, 6), (4, 4, 4, 5, 6, 6), (1, 1, 1, 2, 5, 5), (1, 1, 2, 2, 3, 3)]


@pytest.mark.parametrize(("selected", "dice"), [*product((3, 4), ROLLS)] if FULL else [(3, ROLLS[0]), (4, ROLLS[1])])
def test_each_select_has_the_value_of_a_plain_search(selected: int, dice: tuple[int, ...]) -> None:
    table = play(gear(selected), roll(*dice), sheet=LAST_TURN)
    odds = GAME.odds(table, 0, Wanted())
    assert odds is not None
    values = [search_action(table, dict(choice.action)) for choice in odds.choices]
    assert [choice.value for choice in odds.choices] == pytest.approx(values, abs=SAME)
    assert odds.value == pytest.approx(search(table), abs=SAME), "no selection of dice is better than those given"
    search.cache_clear()


@pytest.mark.slow
def test_the_value_before_a_throw_is_the_mean_of_the_values_after_it() -> None:
    random, checked = Random(3), 0
    for table, actions in iter_states(SMALL, scaled(6, 3)):
        given = ask(*actions, sheet=SMALL)
        for option in given["options"]:
            if random.random() < 0.25:
                after = list_after(table, option["action"])
                mean = sum(chance * get_value_or_total(state) for chance, state in after)
                assert option["value"] == pytest.approx(mean, abs=SAME), (actions, option)
                checked += len(after) > 1
    assert checked > 10


def get_value_or_total(table: Table[Drive]) -> float:
    return float(GAME.standing(table, 0).total) if GAME.is_finished(table) else get_value(table)


def test_the_value_is_that_of_the_best_choice_and_within_what_can_be_reached() -> None:
    for table, actions in iter_states(SMALL, 8):
        given = ask(*actions, sheet=SMALL)
        assert (given["measure"], given["aim"], given["method"]) == ("total", "low", "exact")
        values = [option["value"] for option in given["options"]]
        assert given["value"] == min(values)
        assert [option["loss"] for option in given["options"]] == pytest.approx([v - min(values) for v in values])
        assert given["best"] == [n for n, value in enumerate(values) if value <= min(values) + SAME]
        reach = GAME.reach(table, 0)
        assert reach is not None
        assert reach.best is not None
        assert reach.worst is not None
        assert reach.best.total - SAME <= given["value"] <= reach.worst.total + SAME
        only_throw = table.seats[0].turn is not None and not table.seats[0].turn.dice and len(values) == 1
        assert given["node"] == ("chance" if only_throw else "choice")


def test_the_options_are_the_distinct_choices_that_the_game_offers() -> None:
    for table, actions in iter_states(SMALL, 12):
        given = [option["action"] for option in ask(*actions, sheet=SMALL)["options"]]
        offered = list_distinct_actions(table)
        for action in given:
            assert sum(action == other for other in offered) == 1, action
        described = [describe(table, action) for action in given]
        assert len(described) == len(set(described))
        assert set(described) == {describe(table, action) for action in offered}


def describe(table: Table[Drive], action: dict[str, Any]) -> tuple[Any, ...]:
    """Return what a choice comes to: for a select, how many dice below, equal to and above the gear stay."""
    fields = tuple(sorted((key, value) for key, value in action.items() if key != "reroll"))
    running = table.seats[0].turn
    if "reroll" not in action or running is None:
        return fields
    kept = list((Counter(running.dice) - Counter(action["reroll"])).elements())
    below = count_spaces(kept, running.gear, running.with_include or "include" in action)
    equal = 0 if running.with_include or "include" in action else kept.count(running.gear)
    return (*fields, below, equal, len(kept))


def test_of_dice_that_count_the_same_the_smallest_are_thrown_again() -> None:
    given = ask(gear(4), roll(1, 2, 4, 4, 5, 6), sheet=SMALL)
    picks = [option["action"]["reroll"] for option in given["options"] if option["action"]["type"] == "select"]
    assert [1] in picks
    assert [2] not in picks
    assert [5] in picks
    assert [6] not in picks
    plain = [option["action"] for option in given["options"] if option["action"].get("type") == "select"]
    assert sum("include" not in action for action in plain) == 3 * 3 * 3 - 1
    assert sum("include" in action for action in plain) == 5 * 3 - 1, "with include, 1, 2, 4 and 4 count the same"


def test_more_free_uses_are_never_worse() -> None:
    def value(uses: int) -> float:
        specials = {name: make_special_option(uses, 9) for name in ("reroll", "include", "select", "shift")}
        return float(ask(sheet={**(SMALL if FULL else SHORT), "specials": specials})["value"])

    assert value(0) > value(1) > value(2)


def test_a_finished_seat_has_its_total_and_a_retired_one_its_own() -> None:
    sheet = make_sheet_option(make_circuit_option(4, 4, time=1), make_circuit_option(4, 4, time=1))
    done = ask(*turn(4, 2), *turn(4, 5), sheet=sheet)
    assert (done["node"], done["value"], done["options"]) == ("done", 11, [])
    assert ask(*turn(4, 2), RETIRE, sheet=sheet)["node"] == "done"


def test_what_is_certain_has_no_fraction() -> None:
    sheet = make_sheet_option(make_circuit_option(30, 30, time=2), specials=NONE_FREE)
    given = ask(gear(1), roll(), sheet=sheet)
    assert [option["action"] for option in given["options"]] == [{"type": "move"}]
    # From 0 the car still has 61 spaces to go, and gear 2 moves it by one for each 1 of six dice.
    assert given["value"] == pytest.approx(61 - 1)


def test_no_other_seat_matters() -> None:
    def ask_two(*actions: dict[str, Any]) -> Any:
        transcript = {"ruleset": "grand-prix", "seats": ["Ann", "Bob"], "options": {"sheet": SHORT}}
        return answer({"transcript": {**transcript, "actions": list(actions)}, "seat": 0}, GAMES)

    own = by_seat(0, *turn(3, 3))
    assert ask_two(*own) == ask_two(*own, *by_seat(1, *turn(3, 6)))


def test_a_question_asked_before_changes_no_figure() -> None:
    fresh = SeasonValues(GAME.ruleset({"sheet": SHORT}).setup)
    used = ask(*turn(3, 3), sheet=SHORT), ask(sheet=SHORT)
    assert used[1]["value"] == pytest.approx(fresh.get_start_value(0, 0, fresh.setup.free), abs=1e-10)


def test_damage_left_over_on_one_circuit_can_still_pay_on_a_later_one() -> None:
    circuits = [make_circuit_option(3, 1, 4, 2, time=3, damage=3, name=f"Ring {number}") for number in range(4)]
    specials = {**NONE_FREE, "reroll": make_special_option(0, 4)}
    sheet = make_sheet_option(*circuits, gears=4, specials=specials)
    values = SeasonValues(GAME.ruleset({"sheet": sheet}).setup)
    values.number_budget = lambda circuit, budget: number_plainly(values, budget)  # type: ignore[method-assign]
    plain = values.get_start_value(0, 0, values.setup.free)
    assert ask(sheet=sheet)["value"] == pytest.approx(plain, abs=SAME)


def number_plainly(values: SeasonValues, budget: Budget) -> int:
    if budget not in values.budgets:
        values.budgets.append(budget)
    return values.budgets.index(budget)


def test_the_house_sheet_takes_too_long_at_its_start() -> None:
    given = ask(sheet={})
    assert (given["method"], given["why"], given["value"], given["best"]) == ("none", "seconds", None, [])
    assert given["options"] == [{"action": {"type": "gear", "gear": number}} for number in range(1, 7)]


def test_out_of_time_the_choices_have_no_figures() -> None:
    options._get_values.cache_clear()
    tight = PRESETS_BY_KEY["tight"].options["sheet"]
    given = ask(gear(4), roll(1, 2, 4, 4, 5, 6), sheet=tight, most_seconds=GIVE_UP_SECONDS)
    assert (given["method"], given["why"], given["value"]) == ("none", "seconds", None)
    assert given["options"] == [{"action": {"type": "move"}}, {"action": {"type": "reroll"}}]


def test_dice_that_can_be_thrown_again_for_nothing_have_no_odds() -> None:
    given = ask(sheet={**SMALL, "specials": ALL_FREE})
    assert (given["method"], given["why"]) == ("none", "unbounded")


def test_a_long_season_is_not_too_deep() -> None:
    circuits = [make_circuit_option(2, 1, 2, time=3, damage=0, name=f"Ring {number}") for number in range(30)]
    assert ask(sheet=make_sheet_option(*circuits, specials=NONE_FREE))["method"] == "exact"
    circuit = make_circuit_option(200, 200, time=100, damage=0)
    deep = ask(sheet=make_sheet_option(circuit, specials=NONE_FREE), most_seconds=5 if FULL else 0.3)
    assert deep["method"] in ("exact", "none")
    many = {"specials": {name: make_special_option(99, 1) for name in NONE_FREE}}
    assert ask(sheet=many, most_seconds=GIVE_UP_SECONDS)["why"] == "seconds"


@pytest.mark.slow
def test_best_play_of_the_tight_season_comes_to_what_its_description_says() -> None:
    tight = PRESETS_BY_KEY["tight"]
    said = re.search(r"Best play comes to (\d+\.\d) places on average", tight.help.fill())
    assert said
    assert said[1] == f"{TIGHT_SEASON:.1f}"
    values = SeasonValues(GAME.ruleset(tight.options).setup)
    # A season takes 13 s. A short run drives only its last circuit, without the re-roll.
    assert values.get_start_value(3, 0, (0, 0, 0, 0)) == pytest.approx(4.9685975384, abs=SAME)
    if FULL:
        assert ask(sheet=tight.options["sheet"], seconds=600)["value"] == pytest.approx(TIGHT_SEASON, abs=SAME)


def test_the_bare_interpreter_answers_too() -> None:
    transcript = {"ruleset": "grand-prix", "seats": ["Ann"], "options": {"sheet": SHORT}, "actions": turn(3, 3)}
    done = subprocess.run(
        ["/usr/bin/python3", "-m", "games", "odds", "-"],
        input=dumps({"transcript": transcript}),
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    assert loads(done.stdout) == ask(*turn(3, 3), sheet=SHORT)
