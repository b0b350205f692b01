"""An event's date is from 2000 to 2099, wherever it comes from. An older event beyond that still opens its pages."""

from __future__ import annotations

import datetime as dt

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError

from scorekeeper.desk.services.event_copy import copy_event
from scorekeeper.events.models import Event
from scorekeeper.events.services.events import create_event
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.page_forms import save

pytestmark = pytest.mark.django_db

BEYOND = ("9999-12-31", "0026-11-28", "0001-01-01", "1999-12-31", "2100-01-01")


@pytest.mark.parametrize("date", BEYOND)
def test_forms_refuse_it(ride: Ride, alice: User, sign_in: SignIn, date: str) -> None:
    client, before = sign_in(alice), Event.objects.count()
    fields = {"name": "TBA ride", "date": date, "time_zone": "America/Edmonton", "people_shown": "names"}
    for address in (
        "/desk/events/new/",
        "/desk/copy/",
        f"/desk/events/{ride.event.slug}/settings/",
    ):
        sent = {**fields, "source": str(ride.event.pk)}
        response = save(client, address, sent) if address.endswith("/settings/") else client.post(address, sent)
        assert response.status_code == 422, address
        assert "Enter a date from 2000 to 2099" in response.content.decode()
        assert date in response.content.decode()
    ride.event.refresh_from_db()
    assert (Event.objects.count(), ride.event.date) == (before, dt.date(2026, 6, 20))


@pytest.mark.parametrize("date", BEYOND)
def test_services_and_models_refuse_it(ride: Ride, alice: User, date: str) -> None:
    day = dt.date.fromisoformat(date)
    with pytest.raises(ValidationError):
        create_event(alice, name="TBA", date=day, time_zone="UTC")
    with pytest.raises(ValidationError):
        copy_event(ride.event, alice, name="TBA", date=day, with_roster=False)
    ride.event.date = day
    with pytest.raises(ValidationError):  # which a bundle's import calls for every row
        ride.event.clean_fields()


@pytest.mark.parametrize("date", ["2000-01-01", "2099-12-31"])
def test_the_first_and_the_last_day_can_be_chosen(alice: User, sign_in: SignIn, date: str) -> None:
    fields = {"name": "TBA ride", "date": date, "time_zone": "America/Edmonton", "people_shown": "names"}
    assert sign_in(alice).post("/desk/events/new/", fields).status_code == 302
    assert sign_in(alice).get("/desk/copy/").status_code == 200


@pytest.mark.parametrize("date", [dt.date(9999, 12, 31), dt.date(1, 1, 1)])
def test_an_event_from_before_the_rule_opens_its_pages(ride: Ride, alice: User, sign_in: SignIn, date: dt.date) -> None:
    Event.objects.update(date=date)
    for stop in ride.stops:
        stop.opens_at, stop.closes_at = dt.time(22), dt.time(2)
        stop.save()
    client, desk = sign_in(alice), f"/desk/events/{ride.event.slug}"
    for page in ("", "/live", "/worth-a-look", "/settings", "/stops", "/finish/rock-yahtzee", "/prints"):
        assert client.get(f"{desk}{page}/").status_code == 200, page
    for page in ("/desk/", "/desk/copy/", "/", f"/events/{ride.event.slug}/", f"/events/{ride.event.slug}/route/"):
        assert client.get(page).status_code == 200, page
    # What is made from it has a date near it.
    assert 'min="2000-01-01"' in client.get("/desk/copy/").content.decode()
    assert client.post(f"{desk}/practice/").status_code == 302
    practice = Event.objects.get(practice_of=ride.event)
    assert practice.date == (dt.date(2099, 12, 31) if date.year == 9999 else dt.date(2000, 1, 1))
