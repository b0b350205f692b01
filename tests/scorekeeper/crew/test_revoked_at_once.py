"""A phone is refused from its first request after it was revoked, wherever it asks."""

from __future__ import annotations

import pytest

from scorekeeper.crew.models import Device
from scorekeeper.crew.services.devices import revoke_device
from tests.faults.figures import Figures
from tests.faults.scale import scaled
from tests.scorekeeper.conftest import CrewClient, Ride

PAGES = ("/crew/", "/crew/walk-up/", "/crew/tables/", "/api/v1/ride/parts")
PHONES = scaled(100, 4)


@pytest.mark.django_db
def test_the_first_request_after_the_revocation_is_refused(
    ride: Ride, crew_client: CrewClient, figures: Figures
) -> None:
    answers = []
    for number in range(PHONES):
        phone, neighbour = crew_client(ride.rita), crew_client(ride.rita)
        page = PAGES[number % len(PAGES)]
        assert phone.get(page).status_code == 200
        revoked, _other = Device.objects.order_by("-created_at")[:2][::-1]

        revoke_device(revoked)

        answers.append(phone.get(page).status_code)
        assert neighbour.get(page).status_code == 200

    assert answers == [401] * PHONES
    figures.add(
        "29 · phones revoked",
        f"{PHONES} phones: {answers.count(401)} refused from their first request after it; another phone of the same "
        "person was not affected",
    )
