"""/desk/events/<slug>/contests/new/<game>/ and …/settings/: what a game draws of its options."""

from __future__ import annotations

from django.contrib.auth.models import User

from scorekeeper.events.models import Contest, Event
from tests.scorekeeper.conftest import SignIn
from tests.scorekeeper.events.conftest import ContestFormPage
from tests.scorekeeper.page_checks import get_page_text

BABE = "<li>Babe, 3</li>"


def test_the_options_are_drawn_beside_the_form(form_page: ContestFormPage) -> None:
    assert BABE in get_page_text(form_page.client.get(form_page.address))


def test_a_change_of_the_form_draws_what_stands_in_it_whether_or_not_the_contest_has_a_name(
    form_page: ContestFormPage,
) -> None:
    form_page.fields |= {"name": [""], "options.yard.pens.0.name": ["Snowball"]}

    response = form_page.request_preview()

    assert response.status_code == 200
    assert get_page_text(response).startswith("<aside")
    assert "<li>Snowball, 3</li>" in get_page_text(response)
    assert not Contest.objects.exists()


def test_what_cannot_be_read_leaves_the_last_drawing_where_it_is(form_page: ContestFormPage) -> None:
    form_page.fields["options.yard.pens.0.name"] = [""]

    assert form_page.request_preview().status_code == 204
    refused = get_page_text(form_page.send())
    assert "hx-preserve" in refused
    assert "The preview appears here as soon as every option is valid." in refused


def test_a_button_that_changes_the_form_draws_it_too(form_page: ContestFormPage) -> None:
    assert "<li>Napoleon, 9</li>" in get_page_text(form_page.press(preset="mud"))
    assert "hx-preserve" in get_page_text(form_page.press(row="add options.yard.pens"))


def test_the_page_of_a_contest_shows_the_drawing_before_and_after_the_first_dice(
    form_page: ContestFormPage, event: Event
) -> None:
    form_page.send()
    address = f"/desk/events/{event.slug}/contests/pig-race/settings/"

    assert BABE in get_page_text(form_page.client.get(address))
    Contest.objects.update(frozen_at=event.created_at)
    assert BABE in get_page_text(form_page.client.get(address))


def test_a_page_made_before_the_first_dice_is_told_of_them_when_it_sends_the_form(
    form_page: ContestFormPage, event: Event
) -> None:
    form_page.send()
    editing = ContestFormPage(form_page.client, f"/desk/events/{event.slug}/contests/pig-race/settings/")
    Contest.objects.update(frozen_at=event.created_at)

    assert BABE in get_page_text(editing.request_preview())
    response = editing.send(row="add options.yard.pens")
    assert response.status_code == 409
    assert "The first dice were noted while this page was open." in get_page_text(response)


def test_a_game_without_a_drawing_has_no_place_for_one(event: Event, alice: User, sign_in: SignIn) -> None:
    page = get_page_text(sign_in(alice).get(f"/desk/events/{event.slug}/contests/new/rock-yahtzee/"))

    assert 'id="drawing"' not in page
