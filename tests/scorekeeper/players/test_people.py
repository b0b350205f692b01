"""/desk/events/<slug>/people/…, and the names that the public sees"""

from __future__ import annotations

from collections.abc import Mapping
from uuid import uuid4

import pytest
from django.contrib.auth.models import User

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.models import Chain
from scorekeeper.players.models import Player
from scorekeeper.players.selectors import format_public_name, format_public_riders, get_initials
from scorekeeper.scorecards.models import Scorecard, Seat
from tests.scorekeeper.conftest import SignIn
from tests.scorekeeper.page_checks import assert_refused, get_page_text
from tests.scorekeeper.page_forms import save

pytestmark = pytest.mark.database


def people_of(event: Event) -> str:
    return f"/desk/events/{event.slug}/people/"


def test_a_person_without_a_bike_is_added(event: Event, alice: User, sign_in: SignIn) -> None:
    client = sign_in(alice)

    response = client.post(f"{people_of(event)}new/", {"name": "Kit", "bike": "", "role": "passenger"})

    player = Player.objects.get()
    assert response["Location"] == f"/desk/events/{event.slug}/bikes/"
    assert (player.name, player.bike, player.role) == ("Kit", None, "")
    assert ">Kit</a>" in get_page_text(client.get(f"/desk/events/{event.slug}/bikes/"))


def test_a_person_gets_on_a_bike_and_off_again(
    bikes: Mapping[int, Bike], event: Event, alice: User, sign_in: SignIn
) -> None:
    kit = Player.objects.create(event=event, name="Kit")
    client, address = sign_in(alice), f"{people_of(event)}{kit.pk}/"

    save(client, address, {"name": "Kit", "bike": bikes[3].pk, "role": "passenger"})
    kit.refresh_from_db()
    assert (kit.bike, kit.role) == (bikes[3], "passenger")

    save(client, address, {"name": "Kit", "bike": "", "role": "passenger"})
    kit.refresh_from_db()
    assert (kit.bike, kit.role) == (None, "")


def test_a_person_on_a_bike_needs_a_role(bikes: Mapping[int, Bike], event: Event, alice: User, sign_in: SignIn) -> None:
    data = {"name": "Kit", "bike": bikes[3].pk, "role": ""}

    response = sign_in(alice).post(f"{people_of(event)}new/", data)

    assert_refused(response, "id_role", "Choose whether they are a rider or a passenger.")
    assert 'value="Kit"' in get_page_text(response)
    assert not Player.objects.filter(name="Kit").exists()


def test_a_bike_of_another_event_cannot_be_chosen(
    bikes: Mapping[int, Bike], other_event: Event, charlie: User, sign_in: SignIn
) -> None:
    data = {"name": "Kit", "bike": bikes[3].pk, "role": "rider"}

    response = sign_in(charlie).post(f"{people_of(other_event)}new/", data)

    assert response.status_code == 422
    assert not Player.objects.filter(name="Kit").exists()


def test_a_person_is_deleted_after_confirmation(event: Event, alice: User, sign_in: SignIn) -> None:
    kit = Player.objects.create(event=event, name="Kit")
    client, address = sign_in(alice), f"{people_of(event)}{kit.pk}/delete/"

    assert "Delete Kit?" in get_page_text(client.get(address))
    client.post(address)

    assert not Player.objects.exists()


def test_a_person_with_a_scorecard_cannot_be_deleted(
    event: Event, contest: Contest, alice: User, sign_in: SignIn
) -> None:
    kit = Player.objects.create(event=event, name="Kit")
    chain = Chain.objects.create(pk=uuid4(), event=event, kind=Chain.Kind.CARD)
    card = Scorecard.objects.create(pk=chain.pk, chain=chain, contest=contest)
    Seat.objects.create(card=card, contest=contest, player=kit)

    response = sign_in(alice).post(f"{people_of(event)}{kit.pk}/delete/", follow=True)

    assert "Kit has a scorecard, so the name cannot be deleted." in get_page_text(response)
    assert Player.objects.get() == kit


@pytest.mark.parametrize(
    ("people_shown", "rider_name", "riders"),
    [
        (Event.PeopleShown.NAMES, "Ann-Lee van Dyk", "Ann-Lee van Dyk, Zoe"),
        (Event.PeopleShown.INITIALS, "A. L. V. D.", "A. L. V. D., Z."),
        (Event.PeopleShown.NUMBERS, "", ""),
    ],
)
def test_the_public_sees_names_as_the_organiser_decided(
    event: Event, bikes: Mapping[int, Bike], people_shown: str, rider_name: str, riders: str
) -> None:
    event.people_shown = people_shown
    rider = bikes[2].players.get(role="rider")
    rider.name = "Ann-Lee van Dyk"
    rider.save()

    assert format_public_name(event, rider.name) == rider_name
    assert format_public_riders(event, bikes[2]) == riders


@pytest.mark.parametrize(
    ("name", "initials"),
    [("Ann", "A."), ("öle ö.", "Ö. Ö."), ("Ann 'Speedy' Miller", "A. M."), ("  ", ""), ("走れ", "走.")],
)
def test_initials_are_the_first_letters(name: str, initials: str) -> None:
    assert get_initials(name) == initials
