"""/crew/tables/<id>/history/: every action in words, its effect on totals, and corrections with their reasons."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scorekeeper.ledger.actors import Actor
from scorekeeper.scorecards.selectors.table_history import ChangeEffect, get_history
from scorekeeper.scorecards.services.actions import NewAction, record_action
from scorekeeper.scorecards.services.corrections import CorrectionTarget, correct_actions
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.scorecards.conftest import make_actor
from tests.scorekeeper.table_fixtures import BANK, AddAction, ReadTable, make_throw
from tests.scorekeeper.table_forms import (
    crew_url,
    desk_url,
    follow_redirect,
    get_bank_data,
    get_keep_data,
    get_roll_data,
    press,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def change(desk: Actor, fetch_table: ReadTable) -> Any:
    """Correct the action at a position, counted from 0, or void it: `change(card, 1, throw(5), "misread")`."""

    def make(card_id: UUID, place: int, action: Any, reason: str) -> None:
        one = list(fetch_table(card_id).turns.values())[place]
        target = CorrectionTarget(one.id, one.seq, None if action is None else [action])
        assert correct_actions(desk, uuid4(), card_id, [target], reason).is_applied

    return make


def test_every_action_is_shown_with_its_actor_and_its_changes_of_totals(
    ride: Ride, rogue_table: UUID, add_action: AddAction, fetch_table: ReadTable
) -> None:
    for action in (get_roll_data(0), get_keep_data(0, 2, 2, "C"), get_bank_data(0)):
        add_action(rogue_table, action, by=make_actor(ride.tom))

    actions = get_history(ride.event, fetch_table(rogue_table), ["Ben", "Cleo"]).actions

    assert [(one.number, one.description, one.actor_name) for one in actions] == [
        (3, "Ben: Turn ended", "Tom"),
        (2, "Ben: Set aside 2 2 C", "Tom"),
        (1, "Ben: Rolled C 2 2 4 5 6", "Tom"),
    ]
    assert [(total.name, total.before, total.after) for total in actions[0].total_changes] == [("Ben", 0, 8)]
    assert not actions[1].total_changes


def test_what_is_recorded_while_the_page_is_made_is_shown(
    ride: Ride, pig_table: UUID, add_action: AddAction, fetch_table: ReadTable
) -> None:
    opened = fetch_table(pig_table)
    add_action(pig_table, make_throw(5, 5))

    (action,) = get_history(ride.event, opened, ["Ann"]).actions

    assert action.number == 1


def test_a_correction_is_shown_with_the_previous_action(
    ride: Ride, pig_table: UUID, add_action: AddAction, fetch_table: ReadTable, change: Any
) -> None:
    add_action(pig_table, make_throw(2, 5))
    add_action(pig_table, BANK)
    change(pig_table, 0, make_throw(2, 4), "a four, not a five")

    bank, corrected = get_history(ride.event, fetch_table(pig_table), ["Ann"]).actions

    assert (bank.number, corrected.number, corrected.description) == (2, 1, "Ann: Thrown 2 4")
    (shown,) = corrected.changes
    assert (shown.effect, shown.before, shown.actor_name, shown.reason) == (
        ChangeEffect.CORRECTED,
        "Ann: Thrown 2 5",
        "alice",
        "a four, not a five",
    )


def test_a_voided_action_keeps_its_position_without_a_number(
    ride: Ride, pig_table: UUID, add_action: AddAction, fetch_table: ReadTable, change: Any
) -> None:
    for dice in (2, 3, 4):
        add_action(pig_table, make_throw(dice))
    change(pig_table, 1, None, "thrown by the dog")

    actions = get_history(ride.event, fetch_table(pig_table), ["Ann"]).actions

    assert [(one.number, one.description) for one in actions] == [
        (2, "Ann: Thrown 4"),
        (None, "Ann: Thrown 3"),
        (1, "Ann: Thrown 2"),
    ]
    assert actions[1].changes[0].effect is ChangeEffect.VOIDED


def test_the_page_shows_everything_and_links_to_corrections(
    pig_table: UUID, add_action: AddAction, phone: Any, change: Any
) -> None:
    add_action(pig_table, make_throw(2))
    add_action(pig_table, make_throw(3))
    change(pig_table, 1, None, "thrown by the dog")

    page = get_page_text(phone.get(crew_url(pig_table, "history")))

    assert "<del>Ann: Thrown 3</del>" in page
    assert "Voided by alice" in page
    assert "thrown by the dog" in page
    assert page.count(crew_url(pig_table, "correct")) == page.count(crew_url(pig_table, "void")) == 1
    assert "Created by alice" in page


def test_entries_under_review_are_shown(ride: Ride, pig_table: UUID, add_action: AddAction, phone: Any) -> None:
    add_action(pig_table, make_throw(2))
    late = NewAction(pig_table, 1, [make_throw(6)])
    assert record_action(make_actor(ride.tom), uuid4(), late).outcome == "conflict"

    page = get_page_text(phone.get(crew_url(pig_table, "history")))

    assert "Under review, sent by Tom: Ann: Thrown 6." in page


def test_the_organiser_has_the_same_page(
    ride: Ride, pig_table: UUID, alice: User, sign_in: SignIn, add_action: AddAction
) -> None:
    add_action(pig_table, make_throw(2))

    page = get_page_text(sign_in(alice).get(desk_url(ride, pig_table, "history")))

    assert "Ann: Thrown 2" in page
    assert desk_url(ride, pig_table, "void") in page


@pytest.fixture
def long_game(rogue_table: UUID, add_action: AddAction) -> UUID:
    """Ben and Cleo have recorded 45 actions at Rogue: three in each of 15 turns."""
    for turn in range(15):
        seat = turn % 2
        for action in (get_roll_data(seat), get_keep_data(seat, 2, 2), get_bank_data(seat)):
            add_action(rogue_table, action)
    return rogue_table


def numbers_of(page: Any) -> list[int]:
    """Return the numbers of the actions on a page, in page order."""
    return [int(number) for number in re.findall(r'<b class="action__number">(\d+)</b>', get_page_text(page))]


def test_a_long_history_is_paginated(long_game: UUID, phone: Any) -> None:
    first = phone.get(crew_url(long_game, "history"))
    assert numbers_of(first) == list(range(45, 25, -1))
    assert "Page 1 of 3" in get_page_text(first)

    second = phone.get(crew_url(long_game, "history") + re.findall(r'rel="next" href="(.*?)"', get_page_text(first))[0])
    assert numbers_of(second) == list(range(25, 5, -1))
    third = phone.get(crew_url(long_game, "history") + re.findall(r'rel="next" href="(.*?)"', get_page_text(second))[0])
    assert numbers_of(third) == [5, 4, 3, 2, 1]
    assert 'rel="next"' not in get_page_text(third)
    assert 'href="?page=2"' in get_page_text(third)


@pytest.mark.parametrize(("page", "first"), [("4", 5), ("0", 5), ("one", 45)])
def test_an_invalid_page_number_means_the_first_page_and_one_too_high_the_last(
    long_game: UUID, phone: Any, page: str, first: int
) -> None:
    assert numbers_of(phone.get(crew_url(long_game, "history"), {"page": page}))[0] == first


def test_a_correction_leads_back_to_the_page_of_its_action(long_game: UUID, fetch_table: ReadTable, phone: Any) -> None:
    one = list(fetch_table(long_game).turns.values())[3]
    page = phone.get(f"{crew_url(long_game, 'correct')}?action={one.id}")
    assert f'href="{crew_url(long_game, "history")}?at={one.id}"' in get_page_text(page)

    done = follow_redirect(
        phone, press(phone, page, "note:roll:", roll__dice=["C", "2", "2", "4", "5", "5"], reason="a five")
    )

    assert numbers_of(done) == [5, 4, 3, 2, 1]
    assert "Corrected: action 4," in get_page_text(done)
    assert "Before: Cleo: Rolled C 2 2 4 5 6" in get_page_text(done)
    assert re.search(
        r"Cleo: from 0 to <b>4</b>", get_page_text(phone.get(crew_url(long_game, "history"), {"page": "2"}))
    )


def test_the_history_takes_the_same_number_of_queries_however_long_it_is(
    rogue_table: UUID, add_action: AddAction, phone: Any, request: pytest.FixtureRequest
) -> None:
    def count(page: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            assert phone.get(crew_url(rogue_table, "history"), {"page": page}).status_code == 200
        return len(queries)

    add_action(rogue_table, get_roll_data(0))
    count("1")  # the first request also records that the phone was seen
    few = count("1")
    for action in (
        get_keep_data(0, 2, 2),
        get_bank_data(0),
        get_roll_data(1),
        get_keep_data(1, 2, 2),
        get_bank_data(1),
    ):
        add_action(rogue_table, action)
    request.getfixturevalue("long_game")
    assert count("1") == count("3") == few
