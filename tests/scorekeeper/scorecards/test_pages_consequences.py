"""What the page of a table says that an action brought, or will bring: the costs in Go 500 and Grand Prix."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.go_500 import table as go_500
from tests.games.grand_prix import table as grand_prix
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.table_fixtures import AddAction, AddTable
from tests.scorekeeper.table_forms import crew_url

pytestmark = pytest.mark.django_db


def test_go_500_says_what_a_lock_brings(add_game_table: AddTable, add_action: AddAction, phone: Any) -> None:
    """GO-14"""
    card = add_game_table("go-500", "Ann", course=go_500.make_course_option(None))
    for action in (go_500.start(3, 1), go_500.roll(10, 20, 25, green=20), go_500.lock(25, 20)):
        add_action(card, {"seat": 0, **action})

    assert "Locked so far: 45. Roll the other 2 dice again." in get_page_text(phone.get(crew_url(card)))


@pytest.mark.parametrize(
    ("limit", "brings"),
    [
        (90, "100 is 10 above the limit of 90: the segment ends without a penalty."),
        (80, "100 is 20 above the limit of 80: the segment ends. Roll the red die 1 time."),
        (40, "100 is 60 above the limit of 40: the segment ends. Roll the red die 4 times."),
    ],
)
def test_go_500_says_what_an_excess_brings(
    add_game_table: AddTable, add_action: AddAction, phone: Any, limit: int, brings: str
) -> None:
    """GO-13"""
    card = add_game_table("go-500", "Ann", course=go_500.make_course_option(limit))
    for action in (go_500.start(5, 0), go_500.roll(25, 25, 25, 20, 5)):
        add_action(card, {"seat": 0, **action})

    assert brings in get_page_text(phone.get(crew_url(card)))


def test_grand_prix_says_what_a_move_will_cost_before_it_is_made(
    add_game_table: AddTable, add_action: AddAction, phone: Any
) -> None:
    """GP-6"""
    ring = grand_prix.make_circuit_option(3, 2, 2, 5, damage=9, name="Ring")
    oval = grand_prix.make_circuit_option(9, 9, name="Oval")
    card = add_game_table("grand-prix", "Ann", sheet=grand_prix.make_sheet_option(ring, oval))
    gear, roll, move = grand_prix.turn(5, 6)
    for action in (gear, roll):
        add_action(card, {"seat": 0, **action})
    cost = "The car misses 1 section in gear 5: 5 damage. Unused damage: 4."

    before = get_page_text(phone.get(crew_url(card)))
    add_action(card, {"seat": 0, **move})
    after = get_page_text(phone.get(crew_url(card)))

    assert "The car moves 6 spaces." in before
    assert cost in before
    assert 'aria-describedby="preview-move"' in before
    assert cost in after
    assert 'id="preview-move"' not in after
