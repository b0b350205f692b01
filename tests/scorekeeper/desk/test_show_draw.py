"""`/desk/events/<slug>/finish/<contest>/ties/screens/`: the draw of a tie on the screens. Bikes 1, 2 and 3 are tied."""

from __future__ import annotations

import datetime as dt

import pytest
import time_machine
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scorekeeper.audience.services import freeze_standings
from scorekeeper.standings.models import ShownDraw
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.desk.conftest import get_line_text

pytestmark = pytest.mark.usefixtures("tied_bikes")
SHOW = "Show the draw on the screens"
HIDE = "Take the draw off the screens"


@pytest.fixture
def steer(ride: Ride) -> str:
    return reverse("desk:steer_draw", args=[ride.event.slug, ride.contest.slug])


@pytest.fixture
def closed(tied_bikes, close, update_standings) -> None:
    close()
    update_standings()


def make_key(ride: Ride, *numbers: int) -> str:
    return ",".join(sorted(str(ride.bikes[number].pk) for number in numbers))


@pytest.mark.usefixtures("closed")
def test_the_organiser_puts_a_draw_on_the_screens_and_takes_it_off(
    ride: Ride, organiser: Client, steer: str, url
) -> None:
    page = get_line_text(organiser.get(url("ties")))
    assert SHOW in page
    assert HIDE not in page
    key = make_key(ride, 1, 2, 3)
    assert f'name="holders" value="{key}"' in page

    shown = get_line_text(organiser.post(steer, {"holders": key}, follow=True))
    assert "The draw is on the screens." in shown
    assert "The draw for place 1 is on the screens." in shown
    assert HIDE in shown
    assert SHOW not in shown
    draw = ShownDraw.objects.get()
    assert (draw.contest, ",".join(draw.holders)) == (ride.contest, key)

    hidden = get_line_text(organiser.post(steer, follow=True))
    assert "The draw is off the screens." in hidden
    assert SHOW in hidden
    assert ShownDraw.objects.get().contest is None


@pytest.mark.usefixtures("closed")
def test_a_recut_is_shown_with_the_round_before_it(
    ride: Ride, organiser: Client, steer: str, cut, update_standings
) -> None:
    cut({1: "QS", 2: "KH", 3: "KD"})
    update_standings()

    organiser.post(steer, {"holders": make_key(ride, 2, 3)})

    assert ",".join(ShownDraw.objects.get().holders) == make_key(ride, 1, 2, 3)


@pytest.mark.usefixtures("closed")
def test_a_draw_of_bikes_that_are_not_tied_is_not_shown(ride: Ride, organiser: Client, steer: str) -> None:
    for key in (make_key(ride, 1, 4), "nonsense"):
        page = get_line_text(organiser.post(steer, {"holders": key}, follow=True))
        assert "These bikes are no longer tied." in page
    assert not ShownDraw.objects.exists()


@pytest.mark.usefixtures("closed")
def test_a_cut_that_is_recorded_can_be_shown_while_standings_are_frozen(
    ride: Ride, organiser: Client, steer: str, url, cut, update_standings
) -> None:
    freeze_standings(ride.event)
    assert "The standings are frozen, so the screens show no cards" in get_line_text(organiser.get(url("ties")))
    cut({1: "QS", 2: "KH", 3: "AD"})
    update_standings()
    page = get_line_text(organiser.get(url("ties")))
    assert SHOW in page
    screen = reverse("live:screen", args=[ride.event.slug])
    assert "ace of diamonds" not in get_line_text(organiser.get(screen))

    organiser.post(steer, {"holders": make_key(ride, 1, 2, 3)})

    assert "ace of diamonds" in get_line_text(organiser.get(screen))


@pytest.mark.usefixtures("closed")
def test_cards_recorded_by_a_machine_whose_clock_is_ahead_are_taken_off_as_well(
    ride: Ride, organiser: Client, steer: str, cut, update_standings
) -> None:
    with time_machine.travel(timezone.now() + dt.timedelta(seconds=10)):
        cut({1: "QS", 2: "KH", 3: "AD"})
    update_standings()
    screen = reverse("live:screen", args=[ride.event.slug])
    assert "Cards for place 1" in get_line_text(organiser.get(screen))

    organiser.post(steer)

    assert "Cards for place 1" not in get_line_text(organiser.get(screen))


def test_an_open_contest_has_nothing_to_show(organiser: Client, url, update_standings) -> None:
    update_standings()

    assert SHOW not in get_line_text(organiser.get(url("ties")))


@pytest.mark.usefixtures("closed")
def test_only_organisers_show_a_draw(
    ride: Ride, client: Client, sign_in: SignIn, charlie: User, organiser: Client, steer: str
) -> None:
    key = {"holders": make_key(ride, 1, 2, 3)}

    assert client.post(steer, key).status_code == 302
    assert sign_in(charlie).post(steer, key).status_code == 404
    assert organiser.get(steer).status_code == 405
    assert not ShownDraw.objects.exists()
