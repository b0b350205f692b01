"""/crew/tables/<id>/retire/: a seat leaves the table, also out of its turn."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User

from scorekeeper.scorecards.actors import Actor
from scorekeeper.standings.services.closing import close_contest
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.pages import assert_refused, text_of
from tests.scorekeeper.scorecards.pages import list_forms
from tests.scorekeeper.tables.conftest import Act, Look
from tests.scorekeeper.tables.pages import crew_url, desk_url, noted_at, rolls, settle

pytestmark = pytest.mark.django_db


def _send(phone, page, **more):
    fields = next(form for form in list_forms(page) if "seat" in form)
    return phone.post(page.wsgi_request.path, {**fields, **more})


def test_the_menu_leads_to_a_page_that_names_the_seat_and_notes_that_it_leaves(
    campfire: UUID, look: Look, phone: Any
) -> None:
    """TABLE-3: out of its turn."""
    assert f"{crew_url(campfire, 'retire')}?seat=1" in text_of(phone.get(crew_url(campfire)))
    page = phone.get(crew_url(campfire, "retire"), {"seat": "1"})
    assert "Retire Cleo?" in text_of(page)

    told = settle(phone, _send(phone, page))

    assert noted_at(look, campfire) == [{"seat": 1, "type": "retire"}]
    assert "Cleo: Retire" in text_of(told)
    assert "Ben has won." in text_of(told)


def test_who_has_retired_cannot_retire_again(campfire: UUID, act: Act, phone: Any) -> None:
    act(campfire, {"seat": 1, "type": "retire"})

    assert "Cleo cannot retire" in text_of(phone.get(crew_url(campfire, "retire"), {"seat": "1"}))


def test_a_table_that_changed_meanwhile_asks_once_more(campfire: UUID, act: Act, look: Look, phone: Any) -> None:
    page = phone.get(crew_url(campfire, "retire"), {"seat": "1"})
    act(campfire, rolls(0))

    behind = _send(phone, page)

    assert behind.status_code == 409
    settle(phone, _send(phone, behind))
    assert noted_at(look, campfire)[-1] == {"seat": 1, "type": "retire"}


def test_sent_twice_it_is_noted_once(campfire: UUID, look: Look, phone: Any) -> None:
    page = phone.get(crew_url(campfire, "retire"), {"seat": "1"})

    settle(phone, _send(phone, page))
    settle(phone, _send(phone, page))

    assert look(campfire).length == 2


def test_at_a_closed_contest_the_organiser_says_why(
    ride: Ride, campfire: UUID, desk: Actor, alice: User, sign_in: SignIn, look: Look
) -> None:
    close_contest(desk, uuid4(), look(campfire).contest.id, "the fire is out")
    browser = sign_in(alice)
    page = browser.get(desk_url(ride, campfire, "retire"), {"seat": "1"})
    said = "The contest is closed: say why this is noted all the same."
    assert_refused(_send(browser, page), "reason", said)

    settle(browser, _send(browser, page, reason="went home"))

    assert noted_at(look, campfire) == [{"seat": 1, "type": "retire"}]


@pytest.mark.parametrize("seat", ["", "2", "-1", "one", "99999999"])
def test_a_seat_that_is_not_there_is_not_found(campfire: UUID, phone: Any, seat: str) -> None:
    assert phone.get(crew_url(campfire, "retire"), {"seat": seat}).status_code == 404
