"""The consequences of actions in Grand Prix."""

from __future__ import annotations

from typing import Any

from games.grand_prix import GAME
from tests.games.consequence_texts import get_last_consequences
from tests.games.grand_prix.table import (
    ALL_FREE,
    MOVE,
    by_seat,
    drive_to,
    gear,
    make_circuit_option,
    make_sheet_option,
    make_special_option,
    reroll,
    roll,
    turn,
)


def describe(*actions: dict[str, Any], **options: Any) -> list[str]:
    return get_last_consequences(GAME.ruleset(options), 1, by_seat(0, *actions))


TWO = make_sheet_option(make_circuit_option(3, 2, 2, 5, damage=9, name="Ring"), make_circuit_option(9, 9, name="Oval"))


def test_a_move_says_how_far_and_what_is_missed() -> None:
    assert describe(*turn(5, 6), sheet=TWO) == ["The car moves 6 spaces. (GP-4)", *_missed(1, 5, 5, 4)]
    assert describe(*turn(2, 1), sheet=TWO) == ["The car moves 1 space. (GP-4)"]


def _missed(count: int, number: int, damage: int, unused: int) -> list[str]:
    return [f"The car misses {count} section in gear {number}: {damage} damage. Unused damage: {unused}. (GP-6)"]


def test_a_car_that_stays_says_why() -> None:
    assert describe(gear(1), roll(), MOVE, sheet=TWO) == [
        "No die is lower than the gear: the car stays where it is. (GP-4)"
    ]


def test_damage_without_room_loses_the_circuit() -> None:
    ring = make_sheet_option(
        make_circuit_option(1, 1, 1, 9, damage=4, name="Ring"), make_circuit_option(9, 9, name="Oval")
    )
    assert describe(*turn(5, 5), sheet=ring) == [
        "The car moves 5 spaces. (GP-4)",
        "The car misses 2 sections in gear 5: 10 damage, but there is room for only 4. (GP-6)",
        "The car did not finish Ring: place 20. (GP-7)",
        "Next: Oval. (GP-1)",
    ]


def test_the_flag_wins_the_circuit() -> None:
    assert describe(
        *turn(5, 6),
        sheet=make_sheet_option(make_circuit_option(3, 2, name="Ring"), make_circuit_option(9, 9, name="Oval")),
    ) == [
        "The car moves 6 spaces. (GP-4)",
        "The car reaches the flag and wins Ring: place 0. (GP-9)",
        "Next: Oval. (GP-1)",
    ]


def test_the_time_decides_the_place_and_the_last_circuit_the_season() -> None:
    ring = make_sheet_option(make_circuit_option(9, 9, time=2, name="Ring"))
    assert describe(*drive_to((3, 3), (2, 2)), sheet=ring) == [
        "The car moves 2 spaces. (GP-4)",
        "Time ran out 14 spaces before the flag: place 14 at Ring. (GP-8)",
        "That was the last circuit: the places add up to 14. (GP-1)",
    ]


def test_a_special_action_says_what_it_costs() -> None:
    paid = make_sheet_option(
        make_circuit_option(9, 9, damage=9), specials={**ALL_FREE, "reroll": make_special_option(0, 2)}
    )
    assert describe(gear(3), roll(), reroll(), sheet=paid) == ["This costs 2 damage. Unused damage: 7. (GP-17)"]
