"""The limits of a drive's sum of places, against every possible continuation of short drives."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from games.core.independent import Table
from games.core.standing import Reach, Standing
from games.grand_prix import GAME
from games.grand_prix.scoring import count_spaces
from games.grand_prix.state import Drive
from tests.faults.scale import scaled
from tests.games.exhaustive import explore
from tests.games.grand_prix.table import (
    MOVE,
    RETIRE,
    gear,
    make_circuit_option,
    make_sheet_option,
    make_special_option,
    play,
    roll,
    turn,
)
from tests.games.sampling import walk

NEVER = {name: make_special_option(0, 99) for name in ("reroll", "include", "select", "shift")}
SHEETS: tuple[dict[str, Any], ...] = (
    make_sheet_option(make_circuit_option(3, 2, 9, 3, time=3, damage=2), gears=3, specials=NEVER),
    make_sheet_option(
        make_circuit_option(5, 6, time=2, damage=0),
        make_circuit_option(2, 1, 1, 5, time=1, damage=1),
        gears=3,
        specials=NEVER,
    ),
    make_sheet_option(
        make_circuit_option(4, 1, 4, time=2, damage=1),
        gears=3,
        specials={**NEVER, "reroll": make_special_option(1, 99), "include": make_special_option(1, 1)},
    ),
)
MOST_STATES = 200


def simplify(table: Table[Drive]) -> Any:
    """Return what the rest of a drive depends on: of its dice, how far they move, since none of them is selected."""
    drive = table.seats[0]
    if drive.turn is None:
        return drive
    spaces = count_spaces(drive.turn.dice, drive.turn.gear, drive.turn.with_include)
    return drive._replace(turn=drive.turn._replace(dice=(len(drive.turn.dice), spaces)))


def list_limits(*actions: dict[str, Any], **sheet: Any) -> tuple[int, int]:
    reach = GAME.reach(play(*actions, sheet=sheet), 0)
    assert reach is not None
    assert reach.best is not None
    assert reach.worst is not None
    return reach.best.total, reach.worst.total


@pytest.mark.parametrize("sheet", SHEETS, ids=range(len(SHEETS)))
@pytest.mark.slow
def test_every_possible_end_is_within_the_limits(sheet: dict[str, Any]) -> None:
    """GP-3 to GP-10: and with time to spare, no section left to miss and all gears, the limits are reached."""
    ruleset, tried, exact = GAME.ruleset({"sheet": sheet}), set(), 0
    for seed in range(scaled(6, 3)):
        for moment in reversed([moment for moment in walk(ruleset, 1, Random(seed)) if not moment.state.retired]):
            if simplify(moment.state) in tried:
                continue
            states = explore(ruleset, moment.state, MOST_STATES, simplify)
            if states is None:
                break
            tried.add(simplify(moment.state))
            totals = [GAME.standing(state, 0).total for state in states if GAME.is_finished(state)]
            reach = GAME.reach(moment.state, 0)
            assert reach is not None
            assert reach.best is not None
            assert reach.worst is not None
            assert reach.best.total <= min(totals), moment
            assert reach.worst.total >= max(totals), moment
            exact += (reach.best.total, reach.worst.total) == (min(totals), max(totals))
    assert len(tried) > 15
    assert exact > len(tried) / 4


def test_a_car_moves_six_spaces_a_turn_at_most() -> None:
    """GP-4, GP-8, GP-9"""
    sheet = make_sheet_option(make_circuit_option(10, 10, time=2))
    assert list_limits(**sheet) == (21 - 12, 21)
    assert list_limits(*turn(3, 2), **sheet) == (21 - 2 - 6, 21 - 2)
    assert list_limits(*turn(3, 6), gear(4), **sheet) == (21 - 6 - 6, 21 - 6)
    assert list_limits(*turn(3, 6), *turn(4, 5), **sheet) == (10, 10)


def test_a_car_that_can_still_miss_a_section_may_not_finish() -> None:
    """GP-6, GP-7: the place is 20 then, until the last section but one is reached."""
    sheet = make_sheet_option(make_circuit_option(3, 1, 3, time=9))
    assert list_limits(**sheet) == (0, 20)
    assert list_limits(*turn(3, 4), **sheet) == (0, 8 - 4)


def test_not_finishing_may_be_the_best_that_is_left() -> None:
    """GP-8, GP-16"""
    far = make_sheet_option(make_circuit_option(10, 1, 30, time=1))
    assert list_limits(**far) == (20, 42)
    assert list_limits(**make_sheet_option(make_circuit_option(10, 6, 25, time=1))) == (42 - 6, 42)


def test_dice_that_cannot_be_rolled_again_are_certain() -> None:
    """GP-4, GP-10, GP-11"""
    circuit = make_circuit_option(10, 10, time=2, damage=0)
    rolled = [gear(3), roll(1, 1, 6, 6, 6, 6)]
    assert list_limits(*rolled, **make_sheet_option(circuit, specials=NEVER)) == (21 - 2 - 6, 21 - 2)
    assert list_limits(*rolled, **make_sheet_option(circuit)) == (21 - 12, 21)


def test_gear_1_moves_only_with_include() -> None:
    """GP-4, GP-10"""
    circuit = make_circuit_option(10, 10, time=2, damage=0)
    assert list_limits(gear(1), **make_sheet_option(circuit, specials=NEVER)) == (21 - 6, 21)
    assert list_limits(gear(1), **make_sheet_option(circuit)) == (21 - 12, 21)
    assert list_limits(gear(1), roll(1, 1, 1, 1, 1, 1), MOVE, **make_sheet_option(circuit)) == (21 - 6, 21)


def test_a_drive_that_is_over_has_its_sum_of_places() -> None:
    """GP-1, TABLE-3"""
    sheet = make_sheet_option(make_circuit_option(3, 3, time=1))
    end = play(*turn(3, 4), sheet=sheet)
    assert GAME.reach(end, 0) == Reach(*[Standing(3, (1, -3), "done")] * 2)
    retired = play(RETIRE, sheet=sheet)
    assert GAME.reach(retired, 0) == Reach(*[GAME.standing(retired, 0)] * 2)
