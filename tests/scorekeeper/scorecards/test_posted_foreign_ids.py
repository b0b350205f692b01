"""Ids of another ride's things in the forms of crew phones and organisers are answered, never with an error (500)."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.contrib.auth.models import User

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Event
from tests.scorekeeper.conftest import CrewClient, Ride, SignIn

pytestmark = pytest.mark.django_db


def test_a_walk_up_with_the_id_of_another_rides_bike_shows_again_with_a_fresh_id(
    ride: Ride, other_event: Event, crew_client: CrewClient
) -> None:
    foreign = Bike.objects.create(event=other_event, number=31)
    phone = crew_client(ride.tom)
    form = {"operation": str(uuid4()), "bike": str(foreign.pk), "number": "77", "rider": "Will"}

    refused = phone.post("/crew/walk-up/", form)
    assert refused.status_code == 409
    assert 'value="Will"' in refused.content.decode()

    fresh = re.findall(r'name="(operation|bike)" value="([^"]+)"', refused.content.decode())
    response = phone.post("/crew/walk-up/", {**form, **dict(fresh)})
    added = ride.event.bikes.get(number=77)
    assert response["Location"].startswith(f"/crew/bikes/{added.pk}/")
    foreign.refresh_from_db()
    assert (foreign.event_id, foreign.number) == (other_event.pk, 31)


def test_a_bike_registered_at_the_desk_with_the_id_of_another_rides_bike_shows_again(
    ride: Ride, other_event: Event, sign_in: SignIn, alice: User
) -> None:
    foreign = Bike.objects.create(event=other_event, number=31)
    form = {"operation": str(uuid4()), "bike": str(foreign.pk), "number": "77", "rider": "Will"}

    refused = sign_in(alice).post(f"/desk/events/{ride.event.slug}/bikes/register/", form)

    assert refused.status_code == 409
    assert 'value="Will"' in refused.content.decode()
    assert not ride.event.bikes.filter(number=77).exists()
