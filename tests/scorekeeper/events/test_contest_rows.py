"""/desk/events/<slug>/contests/new/<game>/: adding, removing and moving the rows of a list."""

from __future__ import annotations

import pytest

from scorekeeper.events.models import Contest
from tests.games.toy.yard import pen
from tests.scorekeeper.events.conftest import ContestFormPage
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.scorecards.card_forms import HTMX, list_buttons

pytestmark = pytest.mark.database

PENS = "options.yard.pens"


def has_focus(page: str, attribute: str) -> bool:
    """Return whether the element with this attribute has the focus."""
    return any(attribute in tag.partition(">")[0] and "autofocus" in tag.partition(">")[0] for tag in page.split("<"))


def test_a_row_is_added_at_the_end_with_defaults_and_gets_the_focus(
    form_page: ContestFormPage,
) -> None:
    response = form_page.press(row=f"add {PENS}")

    assert response.status_code == 200
    assert form_page.read_pens() == ["Babe", "Wilbur", ""]
    assert form_page.fields[f"{PENS}.2.size.width"] == ["3"]
    assert has_focus(get_page_text(response), f'name="{PENS}.2.name"')
    assert "error-summary" not in get_page_text(response)


def test_a_row_is_added_below_another(form_page: ContestFormPage) -> None:
    form_page.press(row=f"add {PENS} 0")

    assert form_page.read_pens() == ["Babe", "", "Wilbur"]


def test_after_removing_a_row_the_next_one_can_be_removed(form_page: ContestFormPage) -> None:
    form_page.press(row=f"add {PENS}")
    response = form_page.press(row=f"remove {PENS} 0")

    assert form_page.read_pens() == ["Wilbur", ""]
    assert has_focus(get_page_text(response), f'value="remove {PENS} 1"')


def test_the_last_row_cannot_be_removed_and_the_add_button_gets_the_focus(form_page: ContestFormPage) -> None:
    response = form_page.press(row=f"remove {PENS} 1")

    assert form_page.read_pens() == ["Babe"]
    assert has_focus(get_page_text(response), f'value="add {PENS}"')
    form_page.press(row=f"remove {PENS} 0")
    assert form_page.read_pens() == ["Babe"]


def test_a_row_moves_with_its_input_and_its_button_keeps_the_focus(
    form_page: ContestFormPage,
) -> None:
    form_page.press(row=f"add {PENS}")
    form_page.fields |= {f"{PENS}.2.name": ["Snowball"], f"{PENS}.2.size.width": ["much"], f"{PENS}.2.roofed": ["on"]}

    response = form_page.press(row=f"up {PENS} 2")
    assert form_page.read_pens() == ["Babe", "Snowball", "Wilbur"]
    assert has_focus(get_page_text(response), f'value="up {PENS} 2"')
    assert (form_page.fields[f"{PENS}.2.size.width"], form_page.fields[f"{PENS}.2.roofed"]) == (["much"], ["on"])

    response = form_page.press(row=f"up {PENS} 2")
    assert form_page.read_pens() == ["Snowball", "Babe", "Wilbur"]
    assert has_focus(get_page_text(response), f'value="down {PENS} 2"')

    form_page.press(row=f"down {PENS} 2")
    assert form_page.read_pens() == ["Babe", "Snowball", "Wilbur"]


def test_row_buttons_keep_all_other_input(form_page: ContestFormPage) -> None:
    typed = {
        "name": [""],
        "seats_are": ["bikes"],
        "options.goal": ["x"],
        "options.yard.ground": ["mud"],
    }
    form_page.fields |= typed

    form_page.press(row=f"add {PENS}")

    assert {name: form_page.fields[name] for name in typed} == typed
    assert not Contest.objects.exists()


def test_rows_are_saved_in_their_order(form_page: ContestFormPage) -> None:
    form_page.press(row=f"add {PENS} 0")
    form_page.fields[f"{PENS}.2.name"] = ["Snowball"]
    form_page.press(row=f"remove {PENS} 0")

    form_page.send()

    assert Contest.objects.get().options == {"yard": {"pens": [pen("Snowball", 3), pen("Wilbur", 5, 4)]}}


def test_a_new_row_has_nothing_from_a_removed_one(form_page: ContestFormPage) -> None:
    form_page.fields[f"{PENS}.1.roofed"] = ["on"]
    form_page.press(row=f"remove {PENS} 1")
    form_page.press(row=f"add {PENS}")

    assert form_page.read_pens() == ["Babe", ""]
    assert f"{PENS}.1.roofed" not in form_page.fields


def test_a_full_list_accepts_no_more_rows(form_page: ContestFormPage) -> None:
    form_page.press(preset="herd")

    response = form_page.press(row=f"add {PENS}")

    assert len(form_page.fields[PENS]) == 50
    assert f"add {PENS}" not in list_buttons(response, "row")


@pytest.mark.parametrize(
    "button",
    [
        "",
        "add",
        "add options.yard",
        "add options.goal",
        f"up {PENS} 0",
        f"down {PENS} 1",
        f"up {PENS}",
        f"remove {PENS}",
        f"up {PENS} 7",
        f"sort {PENS} 0",
        f"up  {PENS} 1",
        "add options.nothing 0",
    ],
)
def test_an_unknown_button_changes_nothing(form_page: ContestFormPage, button: str) -> None:
    before = {**form_page.fields}

    response = form_page.press(row=button)

    assert response.status_code == 200
    before.pop("csrfmiddlewaretoken"), form_page.fields.pop("csrfmiddlewaretoken")
    assert form_page.fields == before


def test_with_htmx_only_the_form_is_returned_with_an_announcement(form_page: ContestFormPage) -> None:
    fragment = form_page.client.post(
        form_page.address, {**form_page.fields, "row": f"add {PENS}"}, headers={**HTMX, "HX-Target": "contest"}
    )

    assert fragment.status_code == 200
    assert get_page_text(fragment).startswith("<form")
    assert 'data-say="Row 3 has been added."' in get_page_text(fragment)


def test_with_htmx_an_invalid_form_is_returned_and_a_valid_one_redirects(form_page: ContestFormPage) -> None:
    headers = {**HTMX, "HX-Target": "contest"}

    invalid = form_page.client.post(form_page.address, {**form_page.fields, "name": ""}, headers=headers)
    assert invalid.status_code == 422
    assert get_page_text(invalid).startswith("<form")

    valid = form_page.client.post(form_page.address, form_page.fields, headers=headers)
    assert valid.headers["HX-Redirect"].endswith("/contests/pig-race/settings/")


def test_the_enter_key_presses_a_button_that_changes_no_row(form_page: ContestFormPage) -> None:
    page = get_page_text(form_page.client.get(form_page.address))
    form = page[page.index('id="contest"') :]

    assert "name=" not in form[form.index("<button") :].partition(">")[0]
