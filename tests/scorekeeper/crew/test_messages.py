"""/desk/events/<slug>/messages/, the messages on crew pages, and `/api/v1/messages-read`."""

from __future__ import annotations

import datetime as dt
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from scorekeeper.crew.models import CrewMessage, Device, Group, MessageReceipt
from scorekeeper.crew.selectors import list_screen_messages, list_sent_messages, list_unread_messages
from scorekeeper.crew.services.messages import record_messages_read, send_message, withdraw_message
from scorekeeper.events.models import Event
from tests.scorekeeper.conftest import CrewClient, Ride, SignIn
from tests.scorekeeper.page_checks import assert_refused, get_page_text

pytestmark = pytest.mark.database


def make_message(event: Event, text: str = "Rain at Parks", group: Group | None = None, **fields: Any) -> CrewMessage:
    """Send a message."""
    message = CrewMessage(event=event, text=text, group=group, **fields)
    send_message(message)
    return message


def get_url(page: str, event: Event, *args: object) -> str:
    return reverse(f"crew:{page}", args=[event.slug, *args])


def read_on(client: Client, *ids: object) -> Any:
    """Return the response to a phone's list of read messages."""
    body = {"messages": [str(each) for each in ids]}
    return client.post(reverse("api:messages_read"), body, content_type="application/json")


@pytest.fixture
def organiser(alice: User, sign_in: SignIn) -> Client:
    return sign_in(alice)


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({"is_for_crew": "on"}, (True, None, False)),
        ({"is_for_screen": "on"}, (False, None, True)),
        ({"is_for_crew": "on", "is_for_screen": "on", "group": "two"}, (True, "Group two", True)),
        ({"is_for_screen": "on", "group": "two"}, (False, None, True)),
    ],
)
def test_a_message_goes_to_phones_a_group_or_the_screen(
    ride: Ride, organiser: Client, chosen: dict[str, str], expected: tuple[bool, str | None, bool]
) -> None:
    data = chosen | ({"group": str(ride.group_two.pk)} if "group" in chosen else {})
    response = organiser.post(get_url("messages", ride.event), {"text": "Rain at Parks", **data})

    assert response.status_code == 302
    message = CrewMessage.objects.get()
    group = message.group and message.group.name
    assert (message.is_for_crew, group, message.is_for_screen) == expected
    assert message.text == "Rain at Parks"


@pytest.mark.parametrize(
    ("data", "field", "problem"),
    [
        ({"text": " ", "is_for_crew": "on"}, "id_text", "Enter the message."),
        ({"text": "x" * 301, "is_for_crew": "on"}, "id_text", "Shorten the message to 300 characters."),
        ({"text": "Hello"}, "id_is_for_crew", "Choose the phones, the big screen, or both."),
    ],
)
def test_a_message_that_is_empty_too_long_or_for_nobody_is_refused_and_kept_in_the_form(
    ride: Ride, organiser: Client, data: dict[str, str], field: str, problem: str
) -> None:
    response = organiser.post(get_url("messages", ride.event), data)

    assert_refused(response, field, problem)
    assert data["text"].strip() in get_page_text(response)
    assert not CrewMessage.objects.exists()


def test_a_group_of_another_event_cannot_be_chosen(ride: Ride, organiser: Client, other_event: Event) -> None:
    group = Group.objects.create(event=other_event, name="Not ours", ordinal=1)

    response = organiser.post(
        get_url("messages", ride.event), {"text": "Hello", "is_for_crew": "on", "group": str(group.pk)}
    )

    assert response.status_code == 422
    assert not CrewMessage.objects.exists()


def test_only_the_phones_of_its_group_get_a_message_and_not_once_it_is_read_or_withdrawn(ride: Ride) -> None:
    rita, gus = (
        Device.objects.create(member=each, token_digest=each.name, expires_at=LATER) for each in captains(ride)
    )
    to_all, to_two = make_message(ride.event), make_message(ride.event, "Wait", ride.group_two)
    make_message(ride.event, "Welcome", is_for_crew=False, is_for_screen=True)

    assert list(list_unread_messages(rita)) == [to_all]
    assert list(list_unread_messages(gus)) == [to_all, to_two]
    record_messages_read(gus, [to_two.pk])
    assert list(list_unread_messages(gus)) == [to_all]
    withdraw_message(to_all)
    assert not list_unread_messages(rita).exists()
    assert [message.text for message in list_screen_messages(ride.event)] == ["Welcome"]


LATER = timezone.now() + dt.timedelta(days=1)


def captains(ride: Ride) -> list[Any]:
    return [ride.rita, ride.gus]


def test_reading_is_counted_once_for_each_phone_and_only_for_its_own_messages(
    ride: Ride, crew_client: CrewClient, other_event: Event
) -> None:
    phone = crew_client(ride.rita)
    ours, theirs = make_message(ride.event), make_message(ride.event, "Wait", ride.group_two)
    foreign = make_message(other_event)

    for _ in range(2):
        response = read_on(phone, ours.pk, theirs.pk, foreign.pk, uuid4())
        assert response.status_code == 200
    assert [receipt.message for receipt in MessageReceipt.objects.all()] == [ours]


def test_reading_does_not_depend_on_an_open_ride(ride: Ride, crew_client: CrewClient) -> None:
    message = make_message(ride.event)
    Event.objects.update(state=Event.State.DRAFT)

    assert read_on(crew_client(ride.rita), message.pk).status_code == 200
    assert MessageReceipt.objects.count() == 1


@pytest.mark.parametrize("body", ["[]", "{}", '{"messages": 1}', '{"messages": [1]}', '{"messages": ["x"]}', "nothing"])
def test_anything_but_ids_is_refused(ride: Ride, crew_client: CrewClient, body: str) -> None:
    response = crew_client(ride.rita).post(reverse("api:messages_read"), body, content_type="application/json")

    assert response.status_code in (400, 422)
    assert response.json()["error"]["message"]


def test_only_a_crew_phone_may_say_that_it_has_read(ride: Ride, client: Client, organiser: Client) -> None:
    message = make_message(ride.event)

    assert read_on(client, message.pk).status_code == 401
    assert read_on(organiser, message.pk).status_code == 401
    assert client.post(reverse("crew:confirm_read", args=[message.pk])).status_code == 401


def test_the_list_counts_the_phones_that_can_be_used(
    ride: Ride, crew_client: CrewClient, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    rita, tom, gus = map(crew_client, (ride.rita, ride.tom, ride.gus))
    to_all, to_one = make_message(ride.event), make_message(ride.event, "Wait", ride.group_one)
    read_on(rita, to_all.pk, to_one.pk)
    read_on(gus, to_all.pk)
    read_on(tom, to_all.pk)
    Device.objects.filter(member=ride.tom).update(revoked_at=timezone.now())

    with django_assert_num_queries(2):
        counts = {sent.message.text: (sent.read, sent.phones) for sent in list_sent_messages(ride.event)}

    assert counts == {"Rain at Parks": (2, 2), "Wait": (1, 1)}


def test_the_page_lists_what_was_sent_escapes_it_and_withdraws_it(ride: Ride, organiser: Client) -> None:
    message = make_message(ride.event, "<b>Rain</b> & wind")
    page = organiser.get(get_url("messages", ride.event))

    assert "&lt;b&gt;Rain&lt;/b&gt; &amp; wind" in page.content.decode()
    assert "read on 0 of 0 phones" in get_page_text(page)
    organiser.post(get_url("withdraw_message", ride.event, message.pk))
    assert "Withdrawn on" in get_page_text(organiser.get(get_url("messages", ride.event)))
    message.refresh_from_db()
    first = message.withdrawn_at
    organiser.post(get_url("withdraw_message", ride.event, message.pk))
    message.refresh_from_db()
    assert message.withdrawn_at == first


def test_another_events_message_cannot_be_withdrawn(ride: Ride, organiser: Client, other_event: Event) -> None:
    message = make_message(other_event)

    assert organiser.post(get_url("withdraw_message", ride.event, message.pk)).status_code == 404
    message.refresh_from_db()
    assert message.withdrawn_at is None


def test_a_crew_page_shows_a_message_until_got_it_is_pressed_and_returns_to_it(
    ride: Ride, crew_client: CrewClient
) -> None:
    phone = crew_client(ride.rita)
    message = make_message(ride.event, "<i>Rain</i>")
    bike_page = reverse("scorecards:card", args=[ride.bikes[1].pk])
    text = phone.get(bike_page).content.decode()
    assert "&lt;i&gt;Rain&lt;/i&gt;" in text
    assert f'data-message="{message.pk}"' in text

    response = phone.post(reverse("crew:confirm_read", args=[message.pk]), {"next": bike_page})

    assert response.headers["Location"] == bike_page
    assert f'data-message="{message.pk}"' not in phone.get(bike_page).content.decode()
    again = phone.post(reverse("crew:confirm_read", args=[message.pk]), {"next": "https://elsewhere.example/"})
    assert again.headers["Location"] == reverse("scorecards:group")


def test_pages_for_everyone_show_no_message(ride: Ride, crew_client: CrewClient, client: Client) -> None:
    make_message(ride.event)

    for page in ("offline:shell", "offline:ready", "offline:swap", "offline:plain"):
        assert "Rain at Parks" not in crew_client(ride.rita).get(reverse(page)).content.decode()
