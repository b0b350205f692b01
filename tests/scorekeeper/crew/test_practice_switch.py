"""Switching a phone between the ride and its practice, without a link and without the organiser."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scorekeeper.crew.access import (
    DEVICE_COOKIE,
    DEVICE_ID_COOKIE,
    OTHER_DEVICE_COOKIE,
    OTHER_DEVICE_ID_COOKIE,
)
from scorekeeper.crew.models import CrewMember, Device
from scorekeeper.crew.services.devices import revoke_device
from scorekeeper.crew.services.invitations import create_invitation
from scorekeeper.desk.services.practice import restart_practice, start_practice
from scorekeeper.events.models import Event
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.page_checks import get_page_text, get_visible_text

SWITCH, READY, HOME = "/crew/switch/", "/crew/ready/", "/crew/"


@pytest.fixture
def practice(ride: Ride, alice: User) -> Event:
    """The ride's practice event."""
    return start_practice(ride.event, alice)


@pytest.fixture
def phone(ride: Ride, crew_client: CrewClient) -> Client:
    """Rita's phone."""
    return crew_client(ride.rita)


def get_event(phone: Client) -> Event:
    """The event of the group that the phone shows."""
    event = phone.get(HOME).context["event"]
    assert isinstance(event, Event)
    return event


def test_there_and_back_is_two_taps_and_makes_two_devices(ride: Ride, practice: Event, phone: Client) -> None:
    own = Device.objects.get()
    assert "Practise" in get_page_text(phone.get(HOME))

    there = phone.post(SWITCH)
    assert (there.status_code, there.headers["Location"]) == (302, READY)
    assert get_event(phone) == practice
    assert "Back to the event" in get_page_text(phone.get(HOME))
    device = Device.objects.get(member__group__event=practice)
    assert (device.member.name, device.member.mirrors) == ("Rita", ride.rita)

    phone.post(SWITCH)
    assert get_event(phone) == ride.event
    phone.post(SWITCH)
    assert get_event(phone) == practice
    assert set(Device.objects.all()) == {own, device}
    own.refresh_from_db()
    assert own.is_valid()


def test_the_secrets_are_out_of_reach_of_scripts(practice: Event, phone: Client) -> None:
    cookies = phone.post(SWITCH).cookies

    for name in (DEVICE_COOKIE, OTHER_DEVICE_COOKIE):
        assert cookies[name]["httponly"], name
        assert cookies[name]["samesite"] == "Lax"
    assert cookies[DEVICE_ID_COOKIE].value == str(Device.objects.get(member__group__event=practice).pk)
    assert cookies[OTHER_DEVICE_ID_COOKIE].value == str(Device.objects.get(member__mirrors=None).pk)


def test_the_page_says_what_switching_does_before_it_does_it(practice: Event, phone: Client) -> None:
    assert "counts nowhere" in get_visible_text(phone.get(SWITCH))
    phone.post(SWITCH)

    page = get_page_text(phone.get(SWITCH))

    assert "Go back to the event?" in page
    assert "Switching needs signal" in page
    assert get_event(phone) == practice


@pytest.mark.parametrize("has_practice", [True, False])
def test_without_a_mirrored_member_the_phone_stays_and_is_told_why(
    ride: Ride, alice: User, crew_client: CrewClient, *, has_practice: bool
) -> None:
    if has_practice:
        start_practice(ride.event, alice)
    late = CrewMember.objects.create(group=ride.group_one, name="Lou", role=CrewMember.Role.SUPERVISOR)
    phone = crew_client(late)

    response = phone.post(SWITCH)

    assert response.status_code == 409
    assert "No practice for you now" in get_page_text(response)
    assert get_event(phone) == ride.event


def test_a_phone_of_the_practice_alone_never_gets_into_the_ride(practice: Event, crew_client: CrewClient) -> None:
    phone = crew_client(CrewMember.objects.get(group__event=practice, name="Rita"))

    response = phone.post(SWITCH)

    assert response.status_code == 409
    assert "This phone is only in the practice" in get_page_text(response)
    assert Device.objects.count() == 1


def test_a_forged_second_cookie_opens_nothing(ride: Ride, practice: Event, crew_client: CrewClient) -> None:
    phone = crew_client(CrewMember.objects.get(group__event=practice, name="Rita"))
    stranger = crew_client(CrewMember.objects.get(group__event=practice, name="Gus"))

    for token in ("nonsense", stranger.cookies[DEVICE_COOKIE].value):
        phone.cookies[OTHER_DEVICE_COOKIE] = token
        assert phone.post(SWITCH).status_code == 409


def test_a_phone_that_the_organiser_revoked_cannot_come_back(ride: Ride, practice: Event, phone: Client) -> None:
    own = Device.objects.get()
    phone.post(SWITCH)
    revoke_device(own)

    assert phone.post(SWITCH).status_code == 409
    assert get_event(phone) == practice


def test_nobody_switches_without_a_device(ride: Ride, practice: Event, client: Client) -> None:
    for response in (client.get(SWITCH, follow=True), client.post(SWITCH, follow=True)):
        assert response.status_code == 401
        assert "This phone is not signed in" in get_page_text(response)


def test_a_phone_of_an_old_practice_is_told_and_goes_back_to_the_ride_and_into_the_new_one(
    ride: Ride, practice: Event, phone: Client, alice: User
) -> None:
    phone.post(SWITCH)
    again = restart_practice(practice, alice)

    told = phone.get(HOME)
    assert told.status_code == 410
    assert "This practice has ended" in get_page_text(told)
    assert "was deleted by its organiser on" not in get_page_text(told), "the ride is still there"
    assert "Back to the event" in get_page_text(told)

    phone.post(SWITCH)
    assert get_event(phone) == ride.event
    assert OTHER_DEVICE_COOKIE not in phone.cookies or not phone.cookies[OTHER_DEVICE_COOKIE].value
    phone.post(SWITCH)
    assert get_event(phone) == again


def test_a_link_of_the_practice_keeps_the_device_of_the_ride(ride: Ride, practice: Event, phone: Client) -> None:
    own = Device.objects.get()
    _invitation, token = create_invitation(CrewMember.objects.get(group__event=practice, name="Tom"))

    phone.post(reverse("crew:join", args=[token]))

    own.refresh_from_db()
    assert own.is_valid()
    assert get_event(phone) == practice
    phone.post(SWITCH)
    assert get_event(phone) == ride.event


def test_a_link_of_another_ride_ends_both_devices(
    practice: Event, phone: Client, other_event: Event, group_two: Any
) -> None:
    phone.post(SWITCH)
    group = type(group_two).objects.create(event=other_event, name="Elsewhere", ordinal=1)
    member = CrewMember.objects.create(group=group, name="Rita", role=CrewMember.Role.SUPERVISOR)
    _invitation, token = create_invitation(member)

    phone.post(reverse("crew:join", args=[token]))

    assert get_event(phone) == other_event
    assert {device.is_valid() for device in Device.objects.exclude(member=member)} == {False}
    assert phone.post(SWITCH).status_code == 409


def test_signing_out_ends_both_devices(practice: Event, phone: Client) -> None:
    phone.post(SWITCH)

    phone.post("/crew/sign-out/")

    assert {device.is_valid() for device in Device.objects.all()} == {False}
    assert not phone.cookies[OTHER_DEVICE_COOKIE].value
