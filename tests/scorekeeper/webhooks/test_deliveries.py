"""Delivering messages: signatures, retries, claims, and what a failing receiver leads to."""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import hmac
import time
from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from scorekeeper.events.models import Event
from scorekeeper.webhooks.deliveries import (
    ASK_INTERVAL,
    CLAIM_LIFETIME,
    LIFETIME,
    MAX_FAILING,
    RETRY_DELAYS,
    add_delivery,
    ask_for_due_deliveries,
    delete_old_deliveries,
    deliver,
)
from scorekeeper.webhooks.models import DeliveryAttempt, MessageKind, Webhook, WebhookDelivery
from scorekeeper.webhooks.receiver_connection import JITTER, send_message
from scorekeeper.webhooks.services import (
    NewerPending,
    PingPending,
    add_webhook,
    pause_webhook,
    resume_webhook,
    rotate_secret,
    send_again,
    send_test,
)
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.webhooks.conftest import Receiver, make_all_due, respond, run_receiver

pytestmark = [pytest.mark.django_db, pytest.mark.database]

State, Problem, Pause = WebhookDelivery.State, DeliveryAttempt.Problem, Webhook.Pause
CHANGED, PUBLISHED = MessageKind.STANDINGS_CHANGED, MessageKind.RESULTS_PUBLISHED
Capture = Callable[..., Any]


@pytest.fixture
def delivery(ride: Ride, webhook: Webhook) -> WebhookDelivery:
    """A message that is due."""
    return add_delivery(webhook, ride.contest, PUBLISHED, timezone.now(), '{"type":"results.published"}')


def compute_signature(secret: str, headers: dict[str, str], body: bytes) -> str:
    signed = f"{headers['webhook-id']}.{headers['webhook-timestamp']}.".encode() + body
    key = base64.b64decode(secret.removeprefix("whsec_"))
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def fail(delivery: WebhookDelivery, receiver: Receiver, times: int) -> None:
    for _ in range(times):
        make_all_due()
        receiver.answers = [respond(500)]
        assert deliver(delivery.pk) is not None
        delivery.refresh_from_db()


def test_a_delivery_is_signed_and_logged(webhook: Webhook, delivery: WebhookDelivery, receiver: Receiver) -> None:
    deliver(delivery.pk)

    ((_path, headers, body),) = receiver.received
    attempt = delivery.attempts.get()
    delivery.refresh_from_db()
    assert body == delivery.body.encode()
    assert headers["content-type"] == "application/json"
    assert headers["webhook-id"] == f"msg_{delivery.pk.hex}"
    assert abs(int(headers["webhook-timestamp"]) - time.time()) < 60
    assert headers["webhook-signature"] == compute_signature(webhook.secret, headers, body)
    assert (attempt.status_code, attempt.problem) == (204, "")
    assert (delivery.state, delivery.next_attempt_at, delivery.tries) == (State.DELIVERED, None, 1)
    assert deliver(delivery.pk) is None, "it is delivered once"


def test_after_a_failure_the_same_message_is_sent_again_and_accepted(
    webhook: Webhook, delivery: WebhookDelivery, receiver: Receiver
) -> None:
    fail(delivery, receiver, 1)
    webhook.refresh_from_db()
    assert webhook.failing_since is not None
    assert deliver(delivery.pk) is None, "not before the pause is over"
    make_all_due()
    deliver(delivery.pk)

    ids = {headers["webhook-id"] for _path, headers, _body in receiver.received}
    webhook.refresh_from_db()
    assert (len(receiver.received), len(ids)) == (2, 1)
    assert list(delivery.attempts.values_list("status_code", "problem")) == [(500, Problem.STATUS), (204, "")]
    assert not webhook.failing_since
    assert webhook.paused == ""


def test_the_pauses_grow_and_after_the_last_attempt_the_webhook_is_paused(
    webhook: Webhook, delivery: WebhookDelivery, receiver: Receiver
) -> None:
    for delay in RETRY_DELAYS:
        fail(delivery, receiver, 1)
        assert delivery.next_attempt_at is not None
        pause = delivery.next_attempt_at - timezone.now()
        assert delay * (1 - JITTER) - dt.timedelta(seconds=2) <= pause <= delay * (1 + JITTER)
    webhook.refresh_from_db()
    assert webhook.paused == ""
    fail(delivery, receiver, 1)
    webhook.refresh_from_db()

    assert (delivery.state, webhook.paused) == (State.FAILED, Pause.FAILING)
    assert list(RETRY_DELAYS) == sorted(RETRY_DELAYS)
    assert len(receiver.received) == len(RETRY_DELAYS) + 1
    assert sum(RETRY_DELAYS, dt.timedelta()) >= MAX_FAILING


def test_a_receiver_that_fails_for_long_is_paused_also_if_newer_messages_replace_the_old(
    webhook: Webhook, delivery: WebhookDelivery, receiver: Receiver
) -> None:
    Webhook.objects.update(failing_since=timezone.now() - MAX_FAILING)
    fail(delivery, receiver, 1)
    webhook.refresh_from_db()

    assert (delivery.state, webhook.paused) == (State.PENDING, Pause.FAILING)


def test_a_receiver_that_is_gone_gets_nothing_more(
    webhook: Webhook, delivery: WebhookDelivery, receiver: Receiver
) -> None:
    receiver.answers = [respond(410)]
    deliver(delivery.pk)
    make_all_due()
    webhook.refresh_from_db()

    assert webhook.paused == Pause.GONE
    assert deliver(delivery.pk) is None


def test_a_paused_webhook_gets_tests_only_and_the_rest_when_it_is_resumed(
    webhook: Webhook, delivery: WebhookDelivery, receiver: Receiver
) -> None:
    pause_webhook(webhook)
    test = send_test(webhook)

    assert deliver(delivery.pk) is None
    assert deliver(test.pk) is not None
    assert receiver.kinds == ["ping"]
    resume_webhook(webhook)
    assert deliver(delivery.pk) is not None
    assert receiver.kinds == ["ping", "results.published"]


def test_a_test_is_tried_once_and_says_nothing_about_the_webhook(webhook: Webhook, receiver: Receiver) -> None:
    receiver.answers = [respond(500)]
    test = send_test(webhook)
    with pytest.raises(PingPending):
        send_test(webhook)
    deliver(test.pk)
    test.refresh_from_db()
    webhook.refresh_from_db()

    assert (test.state, webhook.failing_since) == (State.FAILED, None)
    assert send_test(webhook) != test


def test_for_a_day_the_old_secret_signs_too(webhook: Webhook, delivery: WebhookDelivery, receiver: Receiver) -> None:
    new = rotate_secret(webhook)
    deliver(delivery.pk)
    Webhook.objects.update(previous_until=timezone.now())
    send_again(delivery)
    deliver(delivery.pk)

    (_path, headers, body), (_path, later, _body) = receiver.received
    assert headers["webhook-signature"].split() == [
        compute_signature(new, headers, body),
        compute_signature(webhook.secret, headers, body),
    ]
    assert later["webhook-signature"] == compute_signature(new, later, body)


def test_a_failed_message_can_be_sent_again_from_the_first_attempt_on(
    webhook: Webhook, delivery: WebhookDelivery, receiver: Receiver
) -> None:
    fail(delivery, receiver, len(RETRY_DELAYS) + 1)
    resume_webhook(webhook)
    send_again(delivery)
    delivery.refresh_from_db()
    assert (delivery.state, delivery.tries) == (State.PENDING, 0)
    deliver(delivery.pk)
    delivery.refresh_from_db()

    assert delivery.state == State.DELIVERED
    assert delivery.attempts.count() == len(RETRY_DELAYS) + 2


def test_an_old_message_about_standings_is_not_sent_beside_a_newer_one(ride: Ride, webhook: Webhook) -> None:
    old = add_delivery(webhook, ride.contest, CHANGED, timezone.now(), '{"type":"standings.changed"}')
    WebhookDelivery.objects.update(state=State.DELIVERED)
    add_delivery(webhook, ride.contest, CHANGED, timezone.now(), '{"type":"standings.changed"}')

    with pytest.raises(NewerPending):
        send_again(old)


def begin(delivery: WebhookDelivery, monkeypatch: pytest.MonkeyPatch) -> None:
    """Begin an attempt in a worker that is killed while the receiver hangs."""

    def die(*_sent: Any) -> Any:
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr("scorekeeper.webhooks.deliveries.send_message", die)
        with pytest.raises(SystemExit):
            deliver(delivery.pk)
    delivery.refresh_from_db()


def let_claims_expire() -> None:
    """Let the time pass until workers that have not ended their attempts count as dead."""
    for webhook in Webhook.objects.exclude(claimed_at=None):
        assert webhook.claimed_at is not None
        earlier = webhook.claimed_at - CLAIM_LIFETIME - dt.timedelta(seconds=1)
        DeliveryAttempt.objects.filter(at=webhook.claimed_at).update(at=earlier)
        WebhookDelivery.objects.filter(claimed_at=webhook.claimed_at).update(claimed_at=earlier)
        Webhook.objects.filter(pk=webhook.pk).update(claimed_at=earlier)


def test_an_attempt_counts_also_if_its_worker_is_killed_while_the_receiver_hangs(
    webhook: Webhook, delivery: WebhookDelivery, monkeypatch: pytest.MonkeyPatch
) -> None:
    for count, delay in enumerate(RETRY_DELAYS, 1):
        make_all_due()
        before = timezone.now()
        begin(delivery, monkeypatch)
        webhook.refresh_from_db()
        assert (webhook.failures, delivery.tries) == (count, count)
        assert webhook.next_attempt_at is not None
        assert webhook.next_attempt_at - before >= delay * (1 - JITTER)
        assert deliver(delivery.pk) is None, "it is being tried"
        let_claims_expire()
        ask_for_due_deliveries()
        assert deliver(delivery.pk) is None, "the pause is not over"
    make_all_due()
    begin(delivery, monkeypatch)
    let_claims_expire()
    ask_for_due_deliveries()

    webhook.refresh_from_db()
    delivery.refresh_from_db()
    problems = set(delivery.attempts.values_list("problem", flat=True))
    assert problems == {Problem.ABANDONED}
    assert (delivery.state, webhook.paused, webhook.claimed_at) == (State.FAILED, Pause.FAILING, None)


def test_a_receiver_is_tried_by_one_worker_at_a_time_whatever_the_number_of_its_webhooks_and_events(
    ride: Ride,
    webhook: Webhook,
    delivery: WebhookDelivery,
    other_event: Event,
    receiver: Receiver,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    other, _secret = add_webhook(other_event, receiver.url + "&other=1", [PUBLISHED])
    second = add_delivery(other, None, PUBLISHED, timezone.now(), "{}")
    begin(delivery, monkeypatch)

    assert deliver(second.pk) is None
    assert receiver.received == []
    let_claims_expire()
    ask_for_due_deliveries()
    assert deliver(second.pk) is not None


def test_another_receiver_is_not_held_up(
    ride: Ride, delivery: WebhookDelivery, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(delivery, monkeypatch)
    with run_receiver() as healthy:
        other, _secret = add_webhook(ride.event, healthy.url, [PUBLISHED])
        assert deliver(add_delivery(other, ride.contest, PUBLISHED, timezone.now(), "{}").pk) is not None

    assert len(healthy.received) == 1


def test_the_database_itself_refuses_a_second_attempt_at_one_receiver(
    ride: Ride, webhook: Webhook, delivery: WebhookDelivery, receiver: Receiver
) -> None:
    """Two workers may find the receiver free at the same moment."""
    other, _secret = add_webhook(ride.event, receiver.url, [PUBLISHED])
    Webhook.objects.filter(pk=other.pk).update(claimed_at=timezone.now())

    with pytest.raises(IntegrityError), transaction.atomic():
        Webhook.objects.filter(pk=webhook.pk).update(claimed_at=timezone.now())


def test_while_a_webhook_fails_no_message_is_tried_before_its_pause_is_over(
    ride: Ride, webhook: Webhook, delivery: WebhookDelivery, receiver: Receiver
) -> None:
    second = add_delivery(webhook, ride.contest, CHANGED, timezone.now(), "{}")
    receiver.answers = [respond(500)]
    deliver(delivery.pk)

    assert deliver(second.pk) is None
    assert len(receiver.received) == 1
    test = send_test(webhook)
    assert deliver(test.pk) is not None, "an organiser waits for it"
    assert deliver(second.pk) is None, "a test says nothing about the webhook"
    make_all_due()
    assert deliver(second.pk) is not None
    webhook.refresh_from_db()
    assert (webhook.failures, webhook.next_attempt_at, webhook.failing_since) == (0, None, None)


def test_when_an_attempt_ends_a_worker_is_asked_for_what_waits_for_the_same_receiver(
    ride: Ride, webhook: Webhook, delivery: WebhookDelivery, django_capture_on_commit_callbacks: Capture
) -> None:
    second = add_delivery(webhook, ride.contest, CHANGED, timezone.now(), "{}")
    WebhookDelivery.objects.filter(pk=second.pk).update(asked_at=None)

    with django_capture_on_commit_callbacks() as callbacks:
        deliver(delivery.pk)

    second.refresh_from_db()
    assert len(callbacks) == 1
    assert second.asked_at is not None


def test_a_result_that_comes_after_its_attempt_was_given_up_still_counts(
    webhook: Webhook, delivery: WebhookDelivery, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The sweeper's clock may be ahead of the worker's."""

    def send_late(*sent: Any) -> Any:
        Webhook.objects.update(claimed_at=delivery.created_at - dt.timedelta(days=2))
        ask_for_due_deliveries()
        return send_message(*sent)

    monkeypatch.setattr("scorekeeper.webhooks.deliveries.send_message", send_late)
    deliver(delivery.pk)

    delivery.refresh_from_db()
    webhook.refresh_from_db()
    assert (delivery.state, delivery.attempts.get().problem) == (State.DELIVERED, "")
    assert (webhook.failures, webhook.claimed_at, webhook.failing_since) == (0, None, None)


def test_a_claim_whose_message_was_deleted_is_released(
    webhook: Webhook, delivery: WebhookDelivery, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(delivery, monkeypatch)
    delivery.delete()
    let_claims_expire()
    ask_for_due_deliveries()

    webhook.refresh_from_db()
    assert webhook.claimed_at is None


def test_the_sweeper_asks_for_what_is_due_and_not_too_often(
    ride: Ride, webhook: Webhook, delivery: WebhookDelivery, django_capture_on_commit_callbacks: Capture
) -> None:
    def count_asked() -> int:
        with django_capture_on_commit_callbacks() as callbacks:
            ask_for_due_deliveries()
        return len(callbacks)

    later = timezone.now() + dt.timedelta(hours=1)
    add_delivery(webhook, ride.contest, PUBLISHED, later, "{}")
    assert count_asked() == 0, "a worker was asked when it was written"
    WebhookDelivery.objects.filter(pk=delivery.pk).update(asked_at=timezone.now() - ASK_INTERVAL)
    assert count_asked() == 1
    assert count_asked() == 0
    WebhookDelivery.objects.filter(pk=delivery.pk).update(asked_at=None)
    pause_webhook(webhook)
    assert count_asked() == 0


def test_a_webhook_that_is_deleted_while_a_message_is_on_its_way_stays_deleted(
    webhook: Webhook, delivery: WebhookDelivery, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    def delete_meanwhile(*sent: Any) -> Any:
        result = send_message(*sent)
        webhook.delete()
        return result

    monkeypatch.setattr("scorekeeper.webhooks.deliveries.send_message", delete_meanwhile)
    deliver(delivery.pk)

    assert len(receiver.received) == 1
    assert (Webhook.objects.count(), WebhookDelivery.objects.count(), DeliveryAttempt.objects.count()) == (0, 0, 0)


def test_messages_older_than_thirty_days_are_deleted_with_their_attempts(
    delivery: WebhookDelivery, receiver: Receiver
) -> None:
    deliver(delivery.pk)
    delete_old_deliveries()
    assert DeliveryAttempt.objects.count() == 1
    WebhookDelivery.objects.update(created_at=timezone.now() - LIFETIME - dt.timedelta(seconds=1))
    delete_old_deliveries()

    assert (WebhookDelivery.objects.count(), DeliveryAttempt.objects.count()) == (0, 0)


@pytest.mark.parametrize("url", ["https://10.0.0.1/", "http://169.254.169.254/"])
def test_an_address_that_is_not_allowed_any_more_gets_nothing(delivery: WebhookDelivery, url: str) -> None:
    Webhook.objects.update(url=url)
    deliver(delivery.pk)

    assert delivery.attempts.get().problem == Problem.ADDRESS


def test_no_secret_and_no_address_is_logged(
    webhook: Webhook, delivery: WebhookDelivery, receiver: Receiver, caplog: pytest.LogCaptureFixture, capsys: Any
) -> None:
    fail(delivery, receiver, len(RETRY_DELAYS) + 1)

    out, err = capsys.readouterr()
    logged = caplog.text + out + err
    assert "webhook_paused" in logged
    assert webhook.secret not in logged
    assert receiver.url not in logged
