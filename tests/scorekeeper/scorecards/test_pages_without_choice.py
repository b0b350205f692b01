"""The pages of a bike's card in a game whose turns end with their dice, or when the player stops."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from scorekeeper.events.models import Contest
from scorekeeper.scorecards.models import Turn
from tests.scorekeeper.conftest import Ride, change_game
from tests.scorekeeper.page_checks import get_visible_text
from tests.scorekeeper.scorecards.card_forms import card_url, crew_url, list_buttons, press, read_form, tap_dice
from tests.scorekeeper.scorecards.conftest import list_bike_turns


@pytest.fixture
def options() -> dict[str, Any]:
    return {}


@pytest.fixture
def contest(contest: Contest, options: dict[str, Any]) -> Contest:
    return change_game(contest, "dice-run", **options)


def test_five_dice_and_a_tap_record_a_turn(ride: Ride, phone: Client) -> None:
    page = tap_dice(phone, phone.get(card_url(ride, 2, 2)), "31465")
    assert list_buttons(page, "choose") == [":"]

    answer = press(phone, page, choose=":")

    assert answer.status_code == 302
    assert list_bike_turns(ride, 2) == [(2, "turn_1", 19)]
    text = get_visible_text(phone.get(answer.url))
    assert "19" in text
    assert "Sent" in text


@pytest.mark.parametrize("options", [{"throws": 2}])
def test_a_player_stops_or_throws_all_dice_again(ride: Ride, phone: Client) -> None:
    page = tap_dice(phone, phone.get(card_url(ride, 2, 2)), "31465")
    assert list_buttons(page, "choose") == ["stop:"]
    assert "Throw all dice again" in get_visible_text(page)

    page = tap_dice(phone, press(phone, page, again="1"), "66661")
    assert press(phone, page, choose=":").status_code == 302
    page = tap_dice(phone, phone.get(card_url(ride, 1, 2)), "31465")
    assert press(phone, page, choose="stop:").status_code == 302

    assert list_bike_turns(ride, 2) == [(2, "turn_1", 25)]
    assert list_bike_turns(ride, 1) == [(2, "turn_1", 19)]


@pytest.mark.parametrize("options", [{"dice": 2, "faces": 20}])
def test_dice_with_many_faces_are_tapped_too(ride: Ride, phone: Client) -> None:
    page = phone.get(card_url(ride, 2, 2))
    for face in ("20", "17"):
        page = press(phone, page, face=face)

    press(phone, page, choose=":")

    assert list_bike_turns(ride, 2) == [(2, "turn_1", 37)]


def test_a_turn_is_recorded_by_its_sum_and_corrected_to_its_dice(ride: Ride, phone: Client) -> None:
    page = phone.get(card_url(ride, 2, 2, way="paper"))
    assert press(phone, page, way="paper", total="22").status_code == 302
    assert list_bike_turns(ride, 2) == [(2, "turn_1", 22)]
    turn = Turn.objects.get()

    page = phone.get(crew_url(ride, 2, "correct"), {"turn": str(turn.pk), "typing": "1"})
    data = read_form(page)
    data |= {
        f"{turn.pk}-way": ["throw"],
        f"{turn.pk}-dice": ["66661"],
        f"{turn.pk}-points": [""],
        "reason": ["misread"],
    }
    answer = phone.post(crew_url(ride, 2, "correct"), data)

    assert answer.status_code == 302, get_visible_text(answer)
    assert list_bike_turns(ride, 2) == [(2, "turn_1", 25)]


@pytest.mark.parametrize("options", [{"throws": 2}])
def test_a_tapped_correction_ends_in_the_same_way(ride: Ride, phone: Client) -> None:
    page = tap_dice(phone, phone.get(card_url(ride, 2, 2)), "31465")
    press(phone, page, choose="stop:")
    turn = Turn.objects.get()

    page = phone.get(crew_url(ride, 2, "correct"), {"turn": str(turn.pk)})

    assert page.status_code == 200
    assert list_buttons(page, "choose") == ["stop:"]


def test_a_missed_turn_is_recorded_and_its_pages_open(ride: Ride, phone: Client) -> None:
    press(phone, phone.get(card_url(ride, 2, 2, way="forfeit")), way="forfeit")

    assert list_bike_turns(ride, 2) == [(2, None, 0)]
    for page in ("history", "correct"):
        assert phone.get(crew_url(ride, 2, page)).status_code == 200


def test_dice_stay_while_the_sum_is_looked_at_and_the_phone_remembers_what_it_entered(
    ride: Ride, phone: Client
) -> None:
    page = press(phone, phone.get(card_url(ride, 2, 2)), face="3")
    assert 'id="mode-paper"' in page.content.decode()

    page = press(phone, page, switch="paper")
    assert "data-number-pad" in page.content.decode()
    assert read_form(page)["dice"] == ["3"]
    page = press(phone, page, switch="throw")
    assert read_form(page)["dice"] == ["3"]
    assert not list_bike_turns(ride, 2), "switching records nothing"

    press(phone, press(phone, page, clear="1"), switch="paper")
    assert "data-number-pad" in phone.get(card_url(ride, 1, 2)).content.decode()
    press(phone, phone.get(card_url(ride, 1, 2)), switch="throw")
    assert "data-dice-pad" in phone.get(card_url(ride, 1, 2)).content.decode()


@pytest.mark.parametrize("options", [{"dice": 2, "faces": 10}])
def test_the_dice_of_numbered_faces_have_no_pips_once_they_are_tapped(ride: Ride, phone: Client) -> None:
    """A 5 looks like the 10 beside it; the 0 of a ten-sided die is ten (DICE-21)."""
    page = press(phone, phone.get(card_url(ride, 2, 2)), face="5")
    text = page.content.decode()

    assert "die__pip" not in text
    assert "0 is ten" in text


def test_the_enter_key_presses_the_button_that_records(ride: Ride, phone: Client) -> None:
    page = phone.get(card_url(ride, 2, 2, way="paper")).content.decode()
    form = page[page.index('id="card"') :]

    assert form.index('<button type="submit" class="visually-hidden"') < form.index('id="mode-throw"')
