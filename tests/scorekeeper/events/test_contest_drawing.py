"""/desk/events/<slug>/contests/new/<game>/ and …/settings/: what a game draws of its options."""

from __future__ import annotations

from django.contrib.auth.models import User

from scorekeeper.events.models import Contest, Event
from tests.scorekeeper.conftest import SignIn
from tests.scorekeeper.events.conftest import SettingUp
from tests.scorekeeper.pages import text_of

BABE = "<li>Babe, 3</li>"


def test_the_options_are_drawn_beside_the_form(setting_up: SettingUp) -> None:
    assert BABE in text_of(setting_up.client.get(setting_up.address))


def test_a_change_of_the_form_draws_what_stands_in_it_whether_or_not_the_contest_has_a_name(
    setting_up: SettingUp,
) -> None:
    setting_up.typed |= {"name": [""], "options.yard.pens.0.name": ["Snowball"]}

    response = setting_up.ask_for_drawing()

    assert response.status_code == 200
    assert text_of(response).startswith("<aside")
    assert "<li>Snowball, 3</li>" in text_of(response)
    assert not Contest.objects.exists()


def test_what_cannot_be_read_leaves_the_last_drawing_where_it_is(setting_up: SettingUp) -> None:
    setting_up.typed["options.yard.pens.0.name"] = [""]

    assert setting_up.ask_for_drawing().status_code == 204
    refused = text_of(setting_up.send())
    assert "hx-preserve" in refused
    assert "It is drawn here as soon as every option can be read." in refused


def test_a_button_that_changes_the_form_draws_it_too(setting_up: SettingUp) -> None:
    assert "<li>Napoleon, 9</li>" in text_of(setting_up.press(preset="mud"))
    assert "hx-preserve" in text_of(setting_up.press(row="add options.yard.pens"))


def test_the_page_of_a_contest_shows_the_drawing_before_and_after_the_first_dice(
    setting_up: SettingUp, event: Event
) -> None:
    setting_up.send()
    address = f"/desk/events/{event.slug}/contests/pig-race/settings/"

    assert BABE in text_of(setting_up.client.get(address))
    Contest.objects.update(frozen_at=event.created_at)
    assert BABE in text_of(setting_up.client.get(address))


def test_a_page_made_before_the_first_dice_is_told_of_them_when_it_sends_the_form(
    setting_up: SettingUp, event: Event
) -> None:
    setting_up.send()
    editing = SettingUp(setting_up.client, f"/desk/events/{event.slug}/contests/pig-race/settings/")
    Contest.objects.update(frozen_at=event.created_at)

    assert BABE in text_of(editing.ask_for_drawing())
    response = editing.send(row="add options.yard.pens")
    assert response.status_code == 409
    assert "The first dice were noted while this page was open." in text_of(response)


def test_a_game_without_a_drawing_has_no_place_for_one(event: Event, alice: User, sign_in: SignIn) -> None:
    page = text_of(sign_in(alice).get(f"/desk/events/{event.slug}/contests/new/rock-yahtzee/"))

    assert 'id="drawing"' not in page
