"""The desk pages for webhooks: only organisers see them, and a secret is shown once."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from scorekeeper.desk.services.event_copy import copy_event
from scorekeeper.desk.services.event_deletion import delete_event
from scorekeeper.events.models import Event
from scorekeeper.webhooks.deliveries import add_delivery, deliver
from scorekeeper.webhooks.models import (
    CHOOSABLE,
    AnnouncedState,
    DeliveryAttempt,
    MessageKind,
    Webhook,
    WebhookDelivery,
)
from scorekeeper.webhooks.services import MAX_WEBHOOKS, add_webhook, announce_changes, send_test
from tests.scorekeeper.conftest import CrewClient, Ride, SignIn
from tests.scorekeeper.scorecards.conftest import make_paper_turn
from tests.scorekeeper.webhooks.conftest import Receiver, deliver_due, respond

pytestmark = pytest.mark.django_db

AddTurn = Callable[..., Any]
URL = "https://club.example.org/tailgunner"
KINDS = [kind.value for kind in CHOOSABLE]
SECRET = re.compile(r"whsec_[A-Za-z0-9+/]{43}=")


@pytest.fixture
def desk(alice: User, sign_in: SignIn) -> Client:
    return sign_in(alice)


def get_list_url(event: Event) -> str:
    return reverse("webhooks:list", args=[event.slug])


def get_url(route: str, webhook: Webhook, *more: Any) -> str:
    return reverse(f"webhooks:{route}", args=[webhook.event.slug, webhook.pk, *more])


def read(response: Any) -> str:
    return str(response.content.decode())


def test_an_organiser_adds_a_webhook_and_sees_its_secret_once(ride: Ride, desk: Client) -> None:
    response = desk.post(get_list_url(ride.event), {"url": URL, "kinds": KINDS})

    webhook = Webhook.objects.get()
    (shown,) = set(SECRET.findall(read(response)))
    assert (webhook.url, webhook.kinds, webhook.event, webhook.secret) == (URL, KINDS, ride.event, shown)
    assert "no-store" in response.headers["Cache-Control"]
    for route in ("webhook", "rotate", "delete"):
        assert not SECRET.search(read(desk.get(get_url(route, webhook))))
    assert URL in read(desk.get(get_list_url(ride.event)))
    assert not SECRET.search(read(desk.get(get_list_url(ride.event))))


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        ({"url": "", "kinds": KINDS}, "Enter a complete web address"),
        ({"url": "club.example.org", "kinds": KINDS}, "Enter an address that starts with https://"),
        ({"url": "http://club.example.org", "kinds": KINDS}, "Enter an address that starts with https://"),
        ({"url": "http://127.0.0.1/", "kinds": KINDS}, "on the public internet"),
        ({"url": "https://10.0.0.1/", "kinds": KINDS}, "on the public internet"),
        ({"url": "https://a:b@club.example.org", "kinds": KINDS}, "without a name and password"),
        ({"url": "https://club.example.org/#x", "kinds": KINDS}, "without the part from #"),
        ({"url": f"https://club.example.org/{500 * 'x'}", "kinds": KINDS}, "at most 500 characters"),
        ({"url": URL, "kinds": []}, "Choose at least one kind"),
        ({"url": URL, "kinds": ["ping"]}, "ping is not one of the available choices"),
    ],
)
def test_what_cannot_be_used_is_refused_and_kept_in_the_form(
    ride: Ride, desk: Client, data: dict[str, Any], problem: str
) -> None:
    response = desk.post(get_list_url(ride.event), data)

    assert response.status_code == 422
    assert read(response).count(problem) == 2, "in the summary and at the field"
    assert not Webhook.objects.exists()


def test_an_event_has_a_limited_number_of_webhooks(ride: Ride, desk: Client) -> None:
    for _ in range(MAX_WEBHOOKS):
        assert desk.post(get_list_url(ride.event), {"url": URL, "kinds": KINDS}).status_code == 200
    response = desk.post(get_list_url(ride.event), {"url": URL, "kinds": KINDS})

    assert response.status_code == 422
    assert f"An event can have {MAX_WEBHOOKS} webhooks." in read(response)
    assert Webhook.objects.count() == MAX_WEBHOOKS


def test_a_test_is_sent_and_its_result_listed(webhook: Webhook, desk: Client, receiver: Receiver) -> None:
    desk.post(get_url("steer", webhook), {"to": "test"})
    page = read(desk.post(get_url("steer", webhook), {"to": "test"}, follow=True))
    assert "The last test is still on its way" in page
    assert "Pending" in page
    deliver_due()
    page = read(desk.get(get_url("webhook", webhook)))

    assert receiver.kinds == ["ping"]
    assert "Delivered" in page
    assert re.search(r"Accepted\s+\(204\)", page)
    assert WebhookDelivery.objects.get().message_id in page


def test_it_is_paused_and_resumed(webhook: Webhook, desk: Client) -> None:
    page = read(desk.post(get_url("steer", webhook), {"to": "pause"}, follow=True))
    assert "Resume" in page
    webhook.refresh_from_db()
    assert webhook.paused == Webhook.Pause.ORGANISER
    desk.post(get_url("steer", webhook), {"to": "resume"})
    desk.post(get_url("steer", webhook), {"to": "nonsense"})
    webhook.refresh_from_db()
    assert webhook.paused == ""


def test_while_a_webhook_fails_its_page_says_when_each_message_is_tried(
    ride: Ride, webhook: Webhook, desk: Client, receiver: Receiver
) -> None:
    receiver.answers = [respond(500)]
    deliver(add_delivery(webhook, ride.contest, MessageKind.RESULTS_PUBLISHED, timezone.now(), "{}").pk)
    add_delivery(webhook, ride.contest, MessageKind.STANDINGS_CHANGED, timezone.now(), "{}")
    Webhook.objects.update(next_attempt_at=dt.datetime(2031, 5, 4, 12, 34, 56, tzinfo=ride.event.zone))

    assert read(desk.get(get_url("webhook", webhook))).count("Next attempt from 4 May, 12:34:56") == 2


@pytest.mark.parametrize(
    ("problem", "shown"),
    [("sending", "Being sent now"), ("abandoned", "The server stopped during the attempt")],
)
def test_an_attempt_without_a_result_says_so(
    webhook: Webhook, desk: Client, receiver: Receiver, problem: str, shown: str
) -> None:
    deliver(send_test(webhook).pk)
    DeliveryAttempt.objects.update(problem=problem, status_code=None)
    page = read(desk.get(get_url("webhook", webhook)))

    assert shown in page
    assert not re.search(r"\d ms", page)


def test_a_failed_message_says_why_and_can_be_sent_again(webhook: Webhook, desk: Client, receiver: Receiver) -> None:
    receiver.answers = [respond(302, {"Location": "https://elsewhere.example/"}, b"<b>secret of the receiver</b>")]
    delivery = send_test(webhook)
    deliver(delivery.pk)
    page = read(desk.get(get_url("webhook", webhook)))
    assert "The receiver redirects; webhooks do not follow" in page
    assert "secret of the receiver" not in page
    desk.post(get_url("send_again", webhook, delivery.pk))
    deliver(delivery.pk)

    delivery.refresh_from_db()
    assert delivery.state == WebhookDelivery.State.DELIVERED
    assert len({headers["webhook-id"] for _path, headers, _body in receiver.received}) == 1


def test_the_secret_is_replaced_after_a_question_and_shown_once(webhook: Webhook, desk: Client) -> None:
    assert "Replace the secret of this webhook?" in read(desk.get(get_url("rotate", webhook)))
    response = desk.post(get_url("rotate", webhook))

    before, (shown,) = webhook.secret, set(SECRET.findall(read(response)))
    webhook.refresh_from_db()
    assert (webhook.secret, webhook.previous_secret) == (shown, before)
    assert shown != before
    assert "no-store" in response.headers["Cache-Control"]


def test_it_is_deleted_after_a_question_with_its_messages(webhook: Webhook, desk: Client) -> None:
    send_test(webhook)
    assert "Delete this webhook?" in read(desk.get(get_url("delete", webhook)))
    assert Webhook.objects.exists()
    desk.post(get_url("delete", webhook))

    assert (Webhook.objects.count(), WebhookDelivery.objects.count()) == (0, 0)


def test_more_messages_take_no_more_queries(webhook: Webhook, desk: Client) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            desk.get(get_url("webhook", webhook))
        return len(queries)

    def add_message() -> None:
        deliver(send_test(webhook).pk)

    add_message()
    few = count()
    for _ in range(5):
        add_message()

    assert count() == few


def test_the_desk_says_that_a_webhook_was_paused_because_it_failed(webhook: Webhook, desk: Client) -> None:
    overview = reverse("desk:event", args=[webhook.event.slug])
    assert "no longer gets the standings" not in read(desk.get(overview))
    Webhook.objects.update(paused=Webhook.Pause.FAILING)

    assert "1 other program no longer gets the standings" in read(desk.get(overview))
    assert "messages could not be delivered" in read(desk.get(get_list_url(webhook.event)))
    assert "Fix the receiver" in read(desk.get(get_url("webhook", webhook)))


def test_nobody_but_organisers_sees_or_changes_webhooks(
    webhook: Webhook, ride: Ride, charlie: User, bob: User, sign_in: SignIn, crew_client: CrewClient
) -> None:
    delivery = send_test(webhook)
    pages = [get_list_url(ride.event), *(get_url(route, webhook) for route in ("webhook", "rotate", "delete"))]
    forms = [get_list_url(ride.event), *(get_url(route, webhook) for route in ("rotate", "delete", "steer"))]
    buttons = [get_url("send_again", webhook, delivery.pk), *forms]

    for client, status in ((sign_in(charlie), 404), (crew_client(ride.rita), 302), (Client(), 302)):
        assert {client.get(page).status_code for page in pages} == {status}
        assert {client.post(button, {"to": "pause"}).status_code for button in buttons} == {status}
    assert {sign_in(bob).get(page).status_code for page in pages} == {200}
    webhook.refresh_from_db()
    assert webhook.paused == ""


def test_a_webhook_of_another_event_is_not_found(
    webhook: Webhook, other_event: Event, charlie: User, sign_in: SignIn
) -> None:
    theirs, _secret = add_webhook(other_event, URL, KINDS)
    client = sign_in(charlie)
    delivery = send_test(webhook)

    for route in ("webhook", "rotate", "delete"):
        assert client.get(reverse(f"webhooks:{route}", args=[other_event.slug, webhook.pk])).status_code == 404
    address = reverse("webhooks:send_again", args=[other_event.slug, theirs.pk, delivery.pk])
    assert client.post(address).status_code == 404
    assert client.post(reverse("webhooks:steer", args=[other_event.slug, webhook.pk])).status_code == 404


def test_no_bundle_and_no_copy_of_the_event_has_a_webhook(webhook: Webhook, desk: Client, alice: User) -> None:
    lines = b"".join(desk.get(reverse("bundles:file", args=[webhook.event.slug, "full"])))
    copy = copy_event(webhook.event, alice, name="Next year", date=dt.date(2027, 6, 20), with_roster=True)

    assert webhook.event.slug.encode() in lines
    assert b"whsec_" not in lines
    assert webhook.url.encode() not in lines
    assert not Webhook.objects.filter(event=copy).exists()


def test_with_the_event_everything_about_its_webhooks_is_deleted(
    ride: Ride, webhook: Webhook, add_turn: AddTurn, update_standings: Callable[[], bool]
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    update_standings()
    announce_changes()
    deliver_due()
    tables = (Webhook, WebhookDelivery, DeliveryAttempt, AnnouncedState)
    assert [table._base_manager.count() for table in tables] == [1, 1, 1, 1]
    delete_event(ride.event)

    assert [table._base_manager.count() for table in tables] == [0, 0, 0, 0]
