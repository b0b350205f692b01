"""The offers at each moment of a turn, and the score sheet."""

from __future__ import annotations

from typing import Any

import pytest

from games.core.specs import ChoiceField, DiceField, FlagField, PickField
from games.grand_prix import GAME
from tests.games.grand_prix.table import (
    MOVE,
    NONE_FREE,
    drive_to,
    gear,
    get_spec,
    list_specs,
    make_circuit_option,
    make_sheet_option,
    make_special_option,
    play,
    reroll,
    roll,
    select,
    turn,
)

POOR = make_sheet_option(make_circuit_option(9, 9, damage=0), specials=NONE_FREE)


def field_names(state: Any, word: str) -> list[str]:
    return [field.name for field in get_spec(state, word).fields]


def open_gears(state: Any) -> list[list[str | int]]:
    """Return the open gears of each spec: first without a shift, then with a shift."""
    fields = [spec.fields[-1] for spec in list_specs(state)]
    return [[choice.value for choice in field.choices if choice.open] for field in fields]  # type: ignore[union-attr]


def test_a_circuits_first_turn_offers_every_gear_and_no_shift() -> None:
    assert open_gears(play()) == [[1, 2, 3, 4, 5, 6]]
    assert open_gears(play(sheet={"gears": 7})) == [[1, 2, 3, 4, 5, 6, 7]]


def test_later_turns_offer_the_neighbours_and_by_a_shift_the_others() -> None:
    state = play(*turn(3, 2))
    assert open_gears(state) == [[2, 4], [1, 5, 6]]
    shift, _ = list_specs(state)[1].fields
    assert isinstance(shift, FlagField)
    assert (shift.name, shift.required) == ("shift", True)
    assert open_gears(play(*turn(1, 0))) == [[2], [3, 4, 5, 6]]


def test_a_gear_that_is_closed_says_why() -> None:
    (field,) = list_specs(play(*turn(3, 2)))[0].fields
    assert isinstance(field, ChoiceField)
    closed = {choice.value: choice for choice in field.choices if not choice.open}
    assert set(closed) == {1, 3, 5, 6}
    assert closed[3].why_not is not None
    assert closed[3].why_not.fill(closed[3].params) == "Gear 3 was used last turn. Select one of these: 2, 4."
    assert {choice.rule for choice in field.choices} == {"GP-3"}


@pytest.mark.parametrize("last", [1, 2])
def test_no_shift_is_offered_if_it_allows_no_gear_or_cannot_be_paid_for(last: int) -> None:
    assert open_gears(play(*turn(last, 0), sheet={"gears": 2})) == [[3 - last]]
    assert len(open_gears(play(*turn(last, 0), sheet=POOR))) == 1


def test_a_roll_of_six_is_offered_with_include_as_long_as_it_can_be_paid() -> None:
    dice, include = get_spec(play(gear(4)), "roll").fields
    assert isinstance(dice, DiceField)
    assert isinstance(include, FlagField)
    assert dice.count == (6, 6, None, None)
    assert (include.name, include.required) == ("include", False)
    assert [spec.type for spec in list_specs(play(gear(4)))] == ["roll"]
    assert field_names(play(gear(4), sheet=POOR), "roll") == ["dice"]


def test_after_the_roll_the_car_may_move_or_the_dice_be_rolled_again() -> None:
    state = play(gear(4), roll())
    assert [spec.type for spec in list_specs(state)] == ["move", "reroll", "select"]
    assert field_names(state, "reroll") == ["dice", "include"]
    assert field_names(state, "select") == ["reroll", "dice", "include"]
    assert field_names(play(gear(4), roll(include=True)), "reroll") == ["dice"]
    assert [spec.type for spec in list_specs(play(gear(4), roll(), sheet=POOR))] == ["move"]


def test_include_is_not_offered_if_it_can_be_paid_for_only_by_itself() -> None:
    specials = {
        "include": make_special_option(0, 2),
        "reroll": make_special_option(0, 2),
        "select": make_special_option(0, 1),
        "shift": make_special_option(0, 0),
    }
    ring = make_sheet_option(make_circuit_option(9, 9, damage=3), specials=specials)
    assert field_names(play(gear(4), sheet=ring), "roll") == ["dice", "include"]
    state = play(gear(4), roll(), sheet=ring)
    assert field_names(state, "reroll") == ["dice"]
    assert field_names(state, "select") == ["reroll", "dice", "include"]


def test_a_select_offers_every_pick_of_the_dice_showing_but_none_at_all() -> None:
    picks, dice, _ = get_spec(play(gear(4), roll(5, 2, 2, 5, 5, 6)), "select").fields
    assert isinstance(picks, PickField)
    assert isinstance(dice, DiceField)
    assert len(picks.picks) == len(set(picks.picks)) == 3 * 4 * 2 - 1
    assert (2, 5, 5) in [pick.dice for pick in picks.picks]
    assert picks.showing == (5, 2, 2, 5, 5, 6)
    assert dice.count.like_pick == "reroll"
    different, _, _ = get_spec(play(gear(4), roll(6, 5, 4, 3, 2, 1)), "select").fields
    assert isinstance(different, PickField)
    assert len(different.picks) == 63


def test_a_label_says_whether_a_special_action_is_free() -> None:
    def labels(*actions: dict[str, Any]) -> list[str]:
        return [
            spec.label.fill()
            for spec in list_specs(play(*actions, sheet={"specials": {"reroll": make_special_option(1, 2)}}))
        ]

    assert labels(gear(4), roll())[1] == "Re-roll all dice, for free"
    assert labels(gear(4), roll(), reroll())[1] == "Re-roll all dice, for damage"
    cheap = play(gear(4), roll(), sheet={"specials": {"reroll": make_special_option(0, 0)}})
    assert get_spec(cheap, "reroll").label.fill() == "Re-roll all dice, for free"


def test_the_sheet_shows_places_damage_and_free_uses_and_where_the_car_is() -> None:
    two = make_sheet_option(
        make_circuit_option(1, 1, 4, damage=5, time=1),
        make_circuit_option(9, 9, name="100% %(fun)s"),
        specials={"select": make_special_option(1, 2)},
    )
    state = play(*turn(4, 4), gear(3), roll(), select((6,), 1), select((5,), 1), sheet=two)
    lines = GAME.sheet(state).lines
    assert {line.key: line.cells[0].points for line in lines} == {
        "place_1": 3, "unused_1": 0, "place_2": None, "unused_2": 8, "distance": 19, "time": 8, "gear": 3,
        "free_reroll": 2, "free_include": 2, "free_select": 0, "free_shift": 2, "total": 3,
    }  # fmt: skip
    headings = [line.section.fill() for line in lines if line.section]
    assert headings[:4] == ["Ring", "Ring", "100% %(fun)s", "100% %(fun)s"]


def test_the_sheet_of_a_seat_that_is_done_has_no_car_on_the_track() -> None:
    state = play(*drive_to((2, 0)), sheet=make_sheet_option(make_circuit_option(1, 1, time=1)))
    cells = {line.key: line.cells[0].points for line in GAME.sheet(state).lines}
    assert [cells[key] for key in ("place_1", "distance", "time", "gear", "total")] == [3, None, None, None, 3]


def test_between_turns_the_sheet_shows_the_last_gear_and_before_a_first_turn_none() -> None:
    def shown(*actions: dict[str, Any]) -> int | None:
        (line,) = [line for line in GAME.sheet(play(*actions)).lines if line.key == "gear"]
        return line.cells[0].points

    assert [shown(), shown(gear(4)), shown(gear(4), roll(), MOVE)] == [None, 4, 4]
