"""/desk/events/<slug>/contests/new/<game>/: bikes or players."""

from __future__ import annotations

from django.contrib.auth.models import User

from scorekeeper.events.models import Contest, Event
from tests.scorekeeper.conftest import SignIn
from tests.scorekeeper.events.conftest import ContestFormPage
from tests.scorekeeper.page_checks import get_page_text


def test_players_play_unless_the_organiser_chooses_bikes(form_page: ContestFormPage) -> None:
    assert form_page.fields["seats_are"] == ["players"]

    form_page.send(name="By hand")
    form_page.send(name="On wheels", seats_are="bikes")

    assert dict(Contest.objects.values_list("name", "seats_are")) == {"By hand": "players", "On wheels": "bikes"}


def test_turns_at_stops_are_always_for_bikes(event: Event, alice: User, sign_in: SignIn) -> None:
    form_page = ContestFormPage(sign_in(alice), f"/desk/events/{event.slug}/contests/new/rock-yahtzee/")
    assert "seats_are" not in form_page.fields

    form_page.send(seats_are="players")

    assert Contest.objects.get().seats_are == "bikes"


def test_who_plays_can_change_until_the_first_entry(form_page: ContestFormPage, event: Event) -> None:
    form_page.send()
    address = f"/desk/events/{event.slug}/contests/pig-race/settings/"
    editing = ContestFormPage(form_page.client, address)

    editing.send(seats_are="bikes")
    assert Contest.objects.get().seats_are == "bikes"

    Contest.objects.update(frozen_at=event.created_at)
    assert editing.send(seats_are="players").status_code == 409
    assert Contest.objects.get().seats_are == "bikes"
    assert "<dt>Who plays</dt> <dd>Bikes</dd>" in get_page_text(form_page.client.get(address))
