"""/desk/events/<slug>/contests/new/<game>/: bikes or players."""

from __future__ import annotations

from django.contrib.auth.models import User

from scorekeeper.events.models import Contest, Event
from tests.scorekeeper.conftest import SignIn
from tests.scorekeeper.events.conftest import SettingUp
from tests.scorekeeper.pages import text_of


def test_players_play_unless_the_organiser_says_bikes(setting_up: SettingUp) -> None:
    assert setting_up.typed["seats_are"] == ["players"]

    setting_up.send(name="By hand")
    setting_up.send(name="On wheels", seats_are="bikes")

    assert dict(Contest.objects.values_list("name", "seats_are")) == {"By hand": "players", "On wheels": "bikes"}


def test_turns_at_stops_are_for_bikes_and_nobody_is_asked(event: Event, alice: User, sign_in: SignIn) -> None:
    setting_up = SettingUp(sign_in(alice), f"/desk/events/{event.slug}/contests/new/rock-yahtzee/")
    assert "seats_are" not in setting_up.typed

    setting_up.send(seats_are="players")

    assert Contest.objects.get().seats_are == "bikes"


def test_who_plays_may_change_until_the_first_dice(setting_up: SettingUp, event: Event) -> None:
    setting_up.send()
    address = f"/desk/events/{event.slug}/contests/pig-race/settings/"
    editing = SettingUp(setting_up.client, address)

    editing.send(seats_are="bikes")
    assert Contest.objects.get().seats_are == "bikes"

    Contest.objects.update(frozen_at=event.created_at)
    assert editing.send(seats_are="players").status_code == 409
    assert Contest.objects.get().seats_are == "bikes"
    assert "<dt>Who plays</dt> <dd>Bikes</dd>" in text_of(setting_up.client.get(address))
