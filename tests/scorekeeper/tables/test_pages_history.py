"""/crew/tables/<id>/history/: every action in words, what it changed, what was corrected, and why."""

from __future__ import annotations

import re
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.services.corrections import Target
from scorekeeper.tables.selectors.history import get_history
from scorekeeper.tables.services.correcting import correct_actions
from scorekeeper.tables.services.playing import ActionNote, record_action
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.pages import text_of
from tests.scorekeeper.scorecards.conftest import actor
from tests.scorekeeper.tables.conftest import BANK, Act, Look, throw
from tests.scorekeeper.tables.pages import banks, crew_url, desk_url, keeps, press, rolls, settle

pytestmark = pytest.mark.django_db


@pytest.fixture
def change(desk: Actor, look: Look) -> Any:
    """Correct the action at a place, counted from 0, or void it: `change(card, 1, throw(5), "misread")`."""

    def make(card_id: UUID, place: int, action: Any, reason: str) -> None:
        one = list(look(card_id).noted.values())[place]
        target = Target(one.id, one.seq, None if action is None else [action])
        assert correct_actions(desk, uuid4(), card_id, [target], reason).is_applied

    return make


def test_every_action_is_told_with_who_noted_it_and_what_it_changed(
    ride: Ride, campfire: UUID, act: Act, look: Look
) -> None:
    for action in (rolls(0), keeps(0, 2, 2, "C"), banks(0)):
        act(campfire, action, by=actor(ride.tom))

    actions = get_history(ride.event, look(campfire), ["Ben", "Cleo"]).actions

    assert [(one.number, one.told, one.who) for one in actions] == [
        (3, "Ben: End the turn", "Tom"),
        (2, "Ben: Set aside 2 2 C", "Tom"),
        (1, "Ben: Note the roll C 2 2 4 5 6", "Tom"),
    ]
    assert [(total.name, total.before, total.after) for total in actions[0].totals] == [("Ben", 0, 8)]
    assert not actions[1].totals


def test_a_correction_is_told_with_what_stood_there_before(
    ride: Ride, pigs: UUID, act: Act, look: Look, change: Any
) -> None:
    act(pigs, throw(2, 5))
    act(pigs, BANK)
    change(pigs, 0, throw(2, 4), "a four, not a five")

    bank, corrected = get_history(ride.event, look(pigs), ["Ann"]).actions

    assert (bank.number, corrected.number, corrected.told) == (2, 1, "Ann: Throw 2 4")
    (shown,) = corrected.changes
    assert (shown.is_void, shown.before, shown.who, shown.note) == (
        False,
        "Ann: Throw 2 5",
        "alice",
        "a four, not a five",
    )


def test_a_voided_action_stays_in_its_place_without_a_number(
    ride: Ride, pigs: UUID, act: Act, look: Look, change: Any
) -> None:
    for dice in (2, 3, 4):
        act(pigs, throw(dice))
    change(pigs, 1, None, "thrown by the dog")

    actions = get_history(ride.event, look(pigs), ["Ann"]).actions

    assert [(one.number, one.told) for one in actions] == [
        (2, "Ann: Throw 4"),
        (None, "Ann: Throw 3"),
        (1, "Ann: Throw 2"),
    ]
    assert actions[1].changes[0].is_void


def test_the_page_shows_it_all_and_leads_to_corrections(pigs: UUID, act: Act, phone: Any, change: Any) -> None:
    act(pigs, throw(2))
    act(pigs, throw(3))
    change(pigs, 1, None, "thrown by the dog")

    page = text_of(phone.get(crew_url(pigs, "history")))

    assert "<del>Ann: Throw 3</del>" in page
    assert "Voided by alice" in page
    assert "thrown by the dog" in page
    assert page.count(crew_url(pigs, "correct")) == page.count(crew_url(pigs, "void")) == 1
    assert "Drawn up by alice" in page


def test_what_waits_for_the_organiser_is_told(ride: Ride, pigs: UUID, act: Act, phone: Any) -> None:
    act(pigs, throw(2))
    late = ActionNote(pigs, 1, [throw(6)])
    assert record_action(actor(ride.tom), uuid4(), late).outcome == "conflict"

    page = text_of(phone.get(crew_url(pigs, "history")))

    assert "Waits for the organiser, sent by Tom: Ann: Throw 6." in page


def test_the_organiser_has_the_same_page_at_the_desk(
    ride: Ride, pigs: UUID, alice: User, sign_in: SignIn, act: Act
) -> None:
    act(pigs, throw(2))

    page = text_of(sign_in(alice).get(desk_url(ride, pigs, "history")))

    assert "Ann: Throw 2" in page
    assert desk_url(ride, pigs, "void") in page


@pytest.fixture
def long_game(campfire: UUID, act: Act) -> UUID:
    """Ben and Cleo note 45 actions at Rogue: three each for 15 turns."""
    for turn in range(15):
        seat = turn % 2
        for action in (rolls(seat), keeps(seat, 2, 2), banks(seat)):
            act(campfire, action)
    return campfire


def numbers_of(page: Any) -> list[int]:
    """Return the numbers of the actions on a page, in its order."""
    return [int(number) for number in re.findall(r'<b class="action__number">(\d+)</b>', text_of(page))]


def test_a_long_history_has_pages_that_links_lead_to(long_game: UUID, phone: Any) -> None:
    first = phone.get(crew_url(long_game, "history"))
    assert numbers_of(first) == list(range(45, 25, -1))
    assert "Page 1 of 3" in text_of(first)

    second = phone.get(crew_url(long_game, "history") + re.findall(r'rel="next" href="(.*?)"', text_of(first))[0])
    assert numbers_of(second) == list(range(25, 5, -1))
    third = phone.get(crew_url(long_game, "history") + re.findall(r'rel="next" href="(.*?)"', text_of(second))[0])
    assert numbers_of(third) == [5, 4, 3, 2, 1]
    assert 'rel="next"' not in text_of(third)
    assert 'href="?page=2"' in text_of(third)


@pytest.mark.parametrize(("page", "first"), [("4", 5), ("0", 5), ("one", 45)])
def test_what_is_no_number_is_the_first_page_and_what_is_beyond_them_the_last(
    long_game: UUID, phone: Any, page: str, first: int
) -> None:
    assert numbers_of(phone.get(crew_url(long_game, "history"), {"page": page}))[0] == first


def test_a_correction_leads_back_to_the_page_of_its_action(long_game: UUID, look: Look, phone: Any) -> None:
    one = list(look(long_game).noted.values())[3]
    page = phone.get(f"{crew_url(long_game, 'correct')}?action={one.id}")
    assert f'href="{crew_url(long_game, "history")}?at={one.id}"' in text_of(page)

    done = settle(phone, press(phone, page, "note:roll:", roll__dice=["C", "2", "2", "4", "5", "5"], reason="a five"))

    assert numbers_of(done) == [5, 4, 3, 2, 1]
    assert "Corrected: action 4," in text_of(done)
    assert "Before: Cleo: Note the roll C 2 2 4 5 6" in text_of(done)
    assert re.search(r"Cleo: from 0 to <b>4</b>", text_of(phone.get(crew_url(long_game, "history"), {"page": "2"})))


def test_the_history_takes_as_many_statements_however_long_it_is(
    campfire: UUID, act: Act, phone: Any, request: pytest.FixtureRequest
) -> None:
    def count(page: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            assert phone.get(crew_url(campfire, "history"), {"page": page}).status_code == 200
        return len(queries)

    act(campfire, rolls(0))
    count("1")  # the phone is noted as seen
    few = count("1")
    for action in (keeps(0, 2, 2), banks(0), rolls(1), keeps(1, 2, 2), banks(1)):
        act(campfire, action)
    request.getfixturevalue("long_game")
    assert count("1") == count("3") == few
