"""/desk/events/<slug>/contests/new/<game>/: rows of a list are added, removed and moved."""

from __future__ import annotations

import pytest

from scorekeeper.events.models import Contest
from tests.games.toy.yard import pen
from tests.scorekeeper.events.conftest import SettingUp
from tests.scorekeeper.pages import text_of
from tests.scorekeeper.scorecards.pages import HTMX, list_buttons

PENS = "options.yard.pens"


def has_focus(page: str, what: str) -> bool:
    """Say whether the element with these words in its tag is where the person goes on."""
    return any(what in tag.partition(">")[0] and "autofocus" in tag.partition(">")[0] for tag in page.split("<"))


def test_a_row_is_added_at_the_end_with_what_the_rule_book_says_and_the_person_goes_on_in_it(
    setting_up: SettingUp,
) -> None:
    response = setting_up.press(row=f"add {PENS}")

    assert response.status_code == 200
    assert setting_up.read_pens() == ["Babe", "Wilbur", ""]
    assert setting_up.typed[f"{PENS}.2.size.width"] == ["3"]
    assert has_focus(text_of(response), f'name="{PENS}.2.name"')
    assert "error-summary" not in text_of(response)


def test_a_row_is_added_below_another(setting_up: SettingUp) -> None:
    setting_up.press(row=f"add {PENS} 0")

    assert setting_up.read_pens() == ["Babe", "", "Wilbur"]


def test_a_row_is_removed_and_the_one_after_it_may_be_next(setting_up: SettingUp) -> None:
    setting_up.press(row=f"add {PENS}")
    response = setting_up.press(row=f"remove {PENS} 0")

    assert setting_up.read_pens() == ["Wilbur", ""]
    assert has_focus(text_of(response), f'value="remove {PENS} 1"')


def test_the_last_row_stays_and_the_person_goes_on_at_adding_one(setting_up: SettingUp) -> None:
    response = setting_up.press(row=f"remove {PENS} 1")

    assert setting_up.read_pens() == ["Babe"]
    assert has_focus(text_of(response), f'value="add {PENS}"')
    setting_up.press(row=f"remove {PENS} 0")
    assert setting_up.read_pens() == ["Babe"]


def test_a_row_moves_with_all_that_was_typed_in_it_and_its_button_stays_under_the_finger(
    setting_up: SettingUp,
) -> None:
    setting_up.press(row=f"add {PENS}")
    setting_up.typed |= {f"{PENS}.2.name": ["Snowball"], f"{PENS}.2.size.width": ["much"], f"{PENS}.2.roofed": ["on"]}

    response = setting_up.press(row=f"up {PENS} 2")
    assert setting_up.read_pens() == ["Babe", "Snowball", "Wilbur"]
    assert has_focus(text_of(response), f'value="up {PENS} 2"')
    assert (setting_up.typed[f"{PENS}.2.size.width"], setting_up.typed[f"{PENS}.2.roofed"]) == (["much"], ["on"])

    response = setting_up.press(row=f"up {PENS} 2")
    assert setting_up.read_pens() == ["Snowball", "Babe", "Wilbur"]
    assert has_focus(text_of(response), f'value="down {PENS} 2"')

    setting_up.press(row=f"down {PENS} 2")
    assert setting_up.read_pens() == ["Babe", "Snowball", "Wilbur"]


def test_everything_else_stays_as_it_was_typed_right_or_wrong(setting_up: SettingUp) -> None:
    typed = {
        "name": [""],
        "prizes": ["many"],
        "seats_are": ["bikes"],
        "options.goal": ["x"],
        "options.yard.ground": ["mud"],
    }
    setting_up.typed |= typed

    setting_up.press(row=f"add {PENS}")

    assert {name: setting_up.typed[name] for name in typed} == typed
    assert not Contest.objects.exists()


def test_rows_are_saved_in_their_order_whatever_their_keys(setting_up: SettingUp) -> None:
    setting_up.press(row=f"add {PENS} 0")
    setting_up.typed[f"{PENS}.2.name"] = ["Snowball"]
    setting_up.press(row=f"remove {PENS} 0")

    setting_up.send()

    assert Contest.objects.get().options == {"yard": {"pens": [pen("Snowball", 3), pen("Wilbur", 5, 4)]}}


def test_a_new_row_takes_nothing_over_from_one_that_was_removed(setting_up: SettingUp) -> None:
    setting_up.typed[f"{PENS}.1.roofed"] = ["on"]
    setting_up.press(row=f"remove {PENS} 1")
    setting_up.press(row=f"add {PENS}")

    assert setting_up.read_pens() == ["Babe", ""]
    assert f"{PENS}.1.roofed" not in setting_up.typed


def test_a_full_list_offers_no_more_and_takes_no_more(setting_up: SettingUp) -> None:
    setting_up.press(preset="herd")

    response = setting_up.press(row=f"add {PENS}")

    assert len(setting_up.typed[PENS]) == 50
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
def test_a_button_that_is_not_there_changes_nothing(setting_up: SettingUp, button: str) -> None:
    before = {**setting_up.typed}

    response = setting_up.press(row=button)

    assert response.status_code == 200
    before.pop("csrfmiddlewaretoken"), setting_up.typed.pop("csrfmiddlewaretoken")
    assert setting_up.typed == before


def test_with_htmx_the_form_alone_comes_back_and_says_what_happened(setting_up: SettingUp) -> None:
    fragment = setting_up.client.post(
        setting_up.address, {**setting_up.typed, "row": f"add {PENS}"}, headers={**HTMX, "HX-Target": "contest"}
    )

    assert fragment.status_code == 200
    assert text_of(fragment).startswith("<form")
    assert 'data-say="Row 3 is added."' in text_of(fragment)


def test_with_htmx_a_refused_form_comes_back_alone_and_an_accepted_one_leads_on(setting_up: SettingUp) -> None:
    headers = {**HTMX, "HX-Target": "contest"}

    refused = setting_up.client.post(setting_up.address, {**setting_up.typed, "name": ""}, headers=headers)
    assert refused.status_code == 422
    assert text_of(refused).startswith("<form")

    accepted = setting_up.client.post(setting_up.address, setting_up.typed, headers=headers)
    assert accepted.headers["HX-Redirect"].endswith("/contests/pig-race/settings/")


def test_the_first_button_of_the_form_which_the_enter_key_presses_changes_no_row(setting_up: SettingUp) -> None:
    page = text_of(setting_up.client.get(setting_up.address))
    form = page[page.index('id="contest"') :]

    assert "name=" not in form[form.index("<button") :].partition(">")[0]
