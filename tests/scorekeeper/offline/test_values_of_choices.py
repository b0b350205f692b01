"""What choices are worth, on a phone without signal: it has no worker, so it computes the answer at once or never."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest
from django.urls import reverse

from scorekeeper.events.models import Contest
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.offline.conftest import MakeOfflinePhone
from tests.scorekeeper.offline.offline_phone import OfflinePhone, PhoneResponse
from tests.scorekeeper.page_checks import get_page_text, get_visible_text
from tests.scorekeeper.scorecards.card_forms import card_url, press, read_form, tap_dice
from tests.scorekeeper.scorecards.conftest import make_paper_turn

pytestmark = [pytest.mark.django_db, pytest.mark.node]


@pytest.fixture
def phone(ride: Ride, add_turn: Any, make_offline_phone: MakeOfflinePhone) -> OfflinePhone:
    """A phone of a ride that is coached; bike 1 has one turn left."""
    Contest.objects.filter(pk=ride.contest.pk).update(odds_shown=Contest.OddsShown.COACH)
    for slot, (box, points) in enumerate((("aces", 2), ("twos", 6), ("threes", 6), ("chance", 20)), 1):
        add_turn(1, slot, make_paper_turn(box, points))
    return make_offline_phone(ride.rita)


def get_part(phone: OfflinePhone, ride: Ride, page: PhoneResponse, number: int) -> PhoneResponse:
    fields = {name: values for name, values in read_form(page).items() if name != "csrfmiddlewaretoken"}
    url = reverse("coach:bike", args=[ride.bikes[number].pk])
    return phone.request("GET", f"{url}?{urlencode(fields, doseq=True)}", headers={"HX-Request": "true"})


def test_its_page_is_the_servers_and_the_values_are_there_at_once(ride: Ride, phone: OfflinePhone) -> None:
    page = phone.get(card_url(ride, 1, 5))
    assert reverse("coach:bike", args=[ride.bikes[1].pk]) in get_page_text(page)
    page = press(phone, page, switch="roll")
    page = tap_dice(phone, page, "66622")
    part = get_part(phone, ride, page, 1)

    assert part.status_code == 200
    assert "With best play, the expected final total is" in get_visible_text(part)
    assert "Score in a box Full house 59.0" in get_visible_text(part)
    assert "hx-get" not in get_page_text(part)
    assert part.operations == []


def test_a_fresh_card_of_the_house_rules_is_answered_at_once_from_a_table(ride: Ride, phone: OfflinePhone) -> None:
    part = get_part(phone, ride, phone.get(card_url(ride, 2, 1)), 2)

    assert get_visible_text(part) == "With best play, the expected final total is 123.3."


@pytest.mark.parametrize("change", [{"odds_shown": "off"}, {"odds_shown": "screen"}, {"status": "closed"}])
def test_it_tells_nothing_where_the_server_does_not(ride: Ride, phone: OfflinePhone, change: dict[str, str]) -> None:
    page = phone.get(card_url(ride, 1, 5))
    Contest.objects.filter(pk=ride.contest.pk).update(**change)
    phone.load()

    assert get_part(phone, ride, page, 1).status_code == 404
    assert "odds" not in get_page_text(phone.get(card_url(ride, 1, 5)))
