"""/desk/events/<slug>/crew/sheet/: a card with a link for each crew member, shown once."""

from __future__ import annotations

import re
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from scorekeeper.crew.models import CrewMember, Device, Invitation
from scorekeeper.crew.services.devices import create_device
from scorekeeper.crew.services.invitations import create_invitation
from scorekeeper.events.models import Event
from tests.scorekeeper.conftest import CrewClient, Ride, SignIn
from tests.scorekeeper.page_checks import get_page_text, get_visible_text

LINK = re.compile(r'http://[^<"]*(/crew/join/[\w-]+/)')


@pytest.fixture
def client(alice: User, sign_in: SignIn) -> Client:
    """Alice's browser."""
    return sign_in(alice)


def url_of(event: Event) -> str:
    return f"/desk/events/{event.slug}/crew/sheet/"


def print_sheet(client: Client, event: Event, who: object, sheet: UUID | None = None):
    return client.post(url_of(event), {"who": who, "sheet": sheet or uuid4()})


def list_cards(response) -> list[str]:
    """Return the visible text of each card, on one line."""
    cards = re.findall(r'<li class="crew-card">.*?</li>', response.content.decode(), re.DOTALL)
    return [" ".join(re.sub(r"<[^>]*>", " ", card).split()) for card in cards]


def list_names(response) -> list[str]:
    return re.findall(r"<h2>(.*?)</h2>", response.content.decode())


def test_whoever_has_no_phone_gets_a_card_that_makes_a_phone_theirs(ride: Ride, client: Client) -> None:
    create_device(ride.rita)
    ride.sue.any_bike_at.add(ride.stops[2], ride.stops[3])

    response = print_sheet(client, ride.event, "without_phone")

    assert response.status_code == 200
    assert response["Cache-Control"] == "private, no-store"
    assert list_names(response) == ["Tom", "Sue", "Gus"]
    assert response.content.decode().count("<svg viewBox") >= 3
    tom, sue, _gus = list_cards(response)
    for text in ("Rock the Roll, 20 June 2026", "Tail-gunner, Group one", "press “This is my phone”"):
        assert text in tom
    assert "Any bike at: BBQ, Finale" in sue
    assert "Any bike at" not in tom
    for path, name in zip(LINK.findall(response.content.decode()), ("Tom", "Sue", "Gus"), strict=True):
        phone = Client()
        assert name in get_page_text(phone.get(path))
        assert phone.post(path).status_code == 302
    assert set(Device.objects.values_list("member__name", flat=True)) == {"Rita", "Tom", "Sue", "Gus"}
    assert "there is nothing to print" in get_page_text(print_sheet(client, ride.event, "without_phone"))


def test_replacing_all_links_ends_unused_ones_and_keeps_phones(
    ride: Ride, client: Client, crew_client: CrewClient
) -> None:
    phone = crew_client(ride.rita)
    first = LINK.findall(print_sheet(client, ride.event, "everyone").content.decode())
    Client().post(first[1])  # Tom's

    second = LINK.findall(print_sheet(client, ride.event, "everyone").content.decode())

    assert len(set(first) | set(second)) == 8
    assert [Client().get(path).status_code for path in first] == [410] * 4
    assert [Client().get(path).status_code for path in second] == [200] * 4
    assert phone.get("/crew/").status_code == 200
    assert Device.objects.filter(member=ride.tom, revoked_at=None).exists()


def test_one_card_is_reprinted_and_the_others_stay_valid(ride: Ride, client: Client) -> None:
    rita, tom, *_others = LINK.findall(print_sheet(client, ride.event, "everyone").content.decode())

    response = print_sheet(client, ride.event, ride.tom.pk)

    assert list_names(response) == ["Tom"]
    assert Client().get(tom).status_code == 410
    assert Client().get(rita).status_code == 200


def test_a_sheet_that_is_sent_again_creates_nothing(ride: Ride, client: Client) -> None:
    sheet = uuid4()
    links = LINK.findall(print_sheet(client, ride.event, "everyone", sheet).content.decode())
    count = Invitation.objects.count()

    again = print_sheet(client, ride.event, "everyone", sheet)

    assert again.status_code == 409
    assert "This sheet was already created, and its links still work." in get_page_text(again)
    assert LINK.findall(again.content.decode()) == []
    assert Invitation.objects.count() == count
    assert Client().get(links[0]).status_code == 200


def test_opening_the_page_creates_nothing_and_says_who_has_a_phone(ride: Ride, client: Client) -> None:
    create_device(ride.rita)
    create_invitation(ride.tom)
    before = Invitation.objects.count()

    page = client.get(url_of(ride.event))

    text = get_visible_text(page)
    assert "3 crew members have not signed in with a phone." in text
    assert "Links are shown only once" in text
    assert "Unused link until" in text
    assert page["Cache-Control"] == "private, no-store"
    assert Invitation.objects.count() == before


def test_a_revoked_phone_is_none(ride: Ride, client: Client) -> None:
    create_device(ride.rita)
    Device.objects.update(revoked_at=timezone.now())

    assert "Rita" in list_names(print_sheet(client, ride.event, "without_phone"))


@pytest.mark.parametrize("who", ["", "nobody", "00000000-0000-4000-8000-000000000000"])
def test_an_unknown_choice_creates_nothing(ride: Ride, client: Client, who: str) -> None:
    response = print_sheet(client, ride.event, who)

    assert response.status_code == 422
    assert "No links were created" in get_page_text(response)
    assert not Invitation.objects.exists()


def test_the_crew_of_another_ride_is_not_found(ride: Ride, charlie: User, sign_in: SignIn, other_event: Event) -> None:
    assert print_sheet(sign_in(charlie), ride.event, "everyone").status_code == 404
    assert print_sheet(sign_in(charlie), other_event, ride.tom.pk).status_code == 422
    assert not Invitation.objects.exists()


def test_without_crew_the_page_says_what_to_do_first(event: Event, client: Client) -> None:
    assert "No crew yet" in get_page_text(client.get(url_of(event)))


def test_the_number_of_queries_does_not_grow_with_the_crew(
    ride: Ride, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    CrewMember.objects.bulk_create(
        CrewMember(group=ride.group_one, name=f"Helper {number}", role="supervisor") for number in range(60)
    )

    # The session, the user, its last use, the event, the crew and their stops; two writes; the session; transactions.
    with django_assert_num_queries(14):
        assert len(list_cards(print_sheet(client, ride.event, "everyone"))) == 64
