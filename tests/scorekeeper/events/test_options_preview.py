"""/desk/events/<slug>/contests/new/<game>/ and …/settings/: the game's preview of its options."""

from __future__ import annotations

from scorekeeper.events.models import Contest, Event
from tests.scorekeeper.events.conftest import ContestFormPage
from tests.scorekeeper.page_checks import get_page_text

BABE = "<li>Babe, 3</li>"


def test_the_form_has_a_preview_of_the_options(form_page: ContestFormPage) -> None:
    assert BABE in get_page_text(form_page.client.get(form_page.address))


def test_a_change_of_the_form_updates_the_preview_even_without_a_name(
    form_page: ContestFormPage,
) -> None:
    form_page.fields |= {"name": [""], "options.yard.pens.0.name": ["Snowball"]}

    response = form_page.request_preview()

    assert response.status_code == 200
    assert get_page_text(response).startswith("<aside")
    assert "<li>Snowball, 3</li>" in get_page_text(response)
    assert not Contest.objects.exists()


def test_invalid_options_leave_the_last_preview_in_place(form_page: ContestFormPage) -> None:
    form_page.fields["options.yard.pens.0.name"] = [""]

    assert form_page.request_preview().status_code == 204
    page = get_page_text(form_page.send())
    assert "hx-preserve" in page
    assert "The preview appears here as soon as every option is valid." in page


def test_a_button_that_changes_the_form_updates_the_preview(form_page: ContestFormPage) -> None:
    assert "<li>Napoleon, 9</li>" in get_page_text(form_page.press(preset="mud"))
    assert "hx-preserve" in get_page_text(form_page.press(row="add options.yard.pens"))


def test_the_contest_page_has_the_preview_before_and_after_the_first_entry(
    form_page: ContestFormPage, event: Event
) -> None:
    form_page.send()
    address = f"/desk/events/{event.slug}/contests/pig-race/settings/"

    assert BABE in get_page_text(form_page.client.get(address))
    Contest.objects.update(frozen_at=event.created_at)
    assert BABE in get_page_text(form_page.client.get(address))


def test_a_form_opened_before_the_first_entry_is_a_conflict(form_page: ContestFormPage, event: Event) -> None:
    form_page.send()
    editing = ContestFormPage(form_page.client, f"/desk/events/{event.slug}/contests/pig-race/settings/")
    Contest.objects.update(frozen_at=event.created_at)

    assert BABE in get_page_text(editing.request_preview())
    response = editing.send(row="add options.yard.pens")
    assert response.status_code == 409
    assert "The first entries were recorded, or the contest was closed, while this page was open" in get_page_text(
        response
    )
