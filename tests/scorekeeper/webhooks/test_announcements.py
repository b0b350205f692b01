"""What webhooks are told: what the public sees, once, and nothing that is withheld."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings as django_settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scorekeeper.audience.services import freeze_standings, lift_freeze, reveal_to_step, start_reveal
from scorekeeper.audience.versions import PublicState, get_public_state
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.standings.services.closure import reopen_contest
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.webhooks.deliveries import deliver
from scorekeeper.webhooks.models import CHOOSABLE, AnnouncedState, MessageKind, Webhook, WebhookDelivery
from scorekeeper.webhooks.services import MIN_INTERVAL, add_webhook, announce_changes, pause_webhook, resume_webhook
from tests.scorekeeper.conftest import RIDERS, STOPS, Ride
from tests.scorekeeper.scorecards.conftest import make_paper_turn
from tests.scorekeeper.webhooks.conftest import Receiver, deliver_due, make_all_due, respond

pytestmark = [pytest.mark.django_db, pytest.mark.database]

AddTurn = Callable[..., Any]
Update = Callable[[], bool]
CHANGED, PUBLISHED = MessageKind.STANDINGS_CHANGED, MessageKind.RESULTS_PUBLISHED


def tell(receiver: Receiver) -> list[str]:
    """Announce and deliver, however long it takes; return the kinds that arrived since the last call."""
    receiver.received.clear()
    announce_changes()
    make_all_due()
    deliver_due()
    return receiver.kinds


def publish(ride: Ride, desk: Actor) -> None:
    publish_contest(desk, uuid4(), ride.contest.pk, "nobody else comes")


def test_a_changed_board_is_told_once(
    ride: Ride, webhook: Webhook, receiver: Receiver, add_turn: AddTurn, update_standings: Update
) -> None:
    assert tell(receiver) == [], "a new webhook is told what changes from now on"
    add_turn(1, 1, make_paper_turn("chance", 20))
    update_standings()

    assert tell(receiver) == [CHANGED]
    assert tell(receiver) == []


def test_a_message_has_ids_and_links_that_work_and_no_name(
    ride: Ride, webhook: Webhook, receiver: Receiver, add_turn: AddTurn, update_standings: Update, client: Client
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    update_standings()
    tell(receiver)

    (message,) = receiver.messages
    text = json.dumps(message)
    links = [message["data"]["event"]["url"], message["data"]["contest"]["url"], *message["data"]["links"].values()]
    assert message["type"] == "standings.changed"
    assert message["data"]["event"]["id"] == str(ride.event.pk)
    assert message["data"]["contest"]["id"] == str(ride.contest.pk)
    assert (message["data"]["status"], message["data"]["revision"]) == ("open", None)
    assert message["data"]["event"]["practice"] is False
    assert [client.get(link.removeprefix(django_settings.BASE_URL)).status_code for link in links] == [200] * 4
    assert all(link.startswith(django_settings.BASE_URL) for link in links)
    assert [name for name in (*RIDERS, *STOPS, ride.event.name, ride.contest.name) if f'"{name}' in text] == []


def test_a_message_about_a_practice_says_so(
    ride: Ride, webhook: Webhook, receiver: Receiver, add_turn: AddTurn, update_standings: Update
) -> None:
    Event.objects.filter(pk=ride.event.pk).update(is_practice=True)
    add_turn(1, 1, make_paper_turn("chance", 20))
    update_standings()
    tell(receiver)

    assert receiver.messages[0]["data"]["event"]["practice"] is True


def test_a_refresh_that_changes_nothing_for_the_public_is_not_told(
    ride: Ride, webhook: Webhook, receiver: Receiver, add_turn: AddTurn, update_standings: Update
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    update_standings()
    tell(receiver)
    ride.contest.standings_state.version += 1
    ride.contest.standings_state.save()

    assert tell(receiver) == []


def test_publishing_is_told_with_its_revision(
    ride: Ride, webhook: Webhook, receiver: Receiver, add_turn: AddTurn, close: Callable[[], Any], desk: Actor
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    close()
    tell(receiver)
    publish(ride, desk)

    assert sorted(tell(receiver)) == [PUBLISHED, CHANGED]
    assert {(one["data"]["status"], one["data"]["revision"]) for one in receiver.messages} == {("official", 1)}
    assert all("results" in one["data"]["links"] for one in receiver.messages)

    reopen_contest(desk, uuid4(), ride.contest.pk, "a card was found")
    assert tell(receiver) == [CHANGED]
    close()
    publish(ride, desk)
    assert sorted(tell(receiver)) == [PUBLISHED, CHANGED]
    assert receiver.messages[0]["data"]["revision"] == 2


def test_a_webhook_gets_only_the_kinds_that_were_chosen(
    ride: Ride, receiver: Receiver, add_turn: AddTurn, close: Callable[[], Any], desk: Actor
) -> None:
    add_webhook(ride.event, receiver.url, [PUBLISHED])
    add_turn(1, 1, make_paper_turn("chance", 20))
    close()
    assert tell(receiver) == []
    publish(ride, desk)

    assert tell(receiver) == [PUBLISHED]


def test_frozen_standings_send_nothing(
    ride: Ride,
    webhook: Webhook,
    receiver: Receiver,
    add_turn: AddTurn,
    update_standings: Update,
    close: Callable[[], Any],
    desk: Actor,
) -> None:
    for number in (1, 2, 3):
        add_turn(number, 1, make_paper_turn("chance", 5 * number + 5))
    update_standings()
    tell(receiver)

    freeze_standings(ride.event)
    assert tell(receiver) == [], "the freeze itself"
    add_turn(1, 2, make_paper_turn("sixes", 30))
    update_standings()
    assert tell(receiver) == [], "what was recorded after the freeze"
    close()
    update_standings()
    assert tell(receiver) == [], "the contest was closed"
    publish(ride, desk)
    update_standings()
    assert tell(receiver) == [], "the result was published, and is withheld"

    start_reveal(ride.event, [ride.contest])
    assert tell(receiver) == [], "nothing is announced yet"
    reveal_to_step(ride.event, 1)
    assert tell(receiver) == [CHANGED], "a place is announced, so it is public"
    assert (receiver.messages[0]["data"]["status"], receiver.messages[0]["data"]["revision"]) == ("open", None)

    lift_freeze(ride.event)
    assert sorted(tell(receiver)) == [PUBLISHED, CHANGED]
    assert {one["data"]["revision"] for one in receiver.messages} == {1}


def test_a_message_that_waited_for_a_retry_is_still_sent_under_a_freeze_and_says_nothing_newer(
    ride: Ride, webhook: Webhook, receiver: Receiver, add_turn: AddTurn, update_standings: Update
) -> None:
    receiver.answers = [respond(500)]
    add_turn(1, 1, make_paper_turn("chance", 20))
    update_standings()
    tell(receiver)
    before = receiver.messages
    freeze_standings(ride.event)
    add_turn(1, 2, make_paper_turn("sixes", 30))
    update_standings()

    assert tell(receiver) == [CHANGED]
    assert receiver.messages == before


def test_a_draft_sends_nothing_until_it_is_opened(
    ride: Ride, receiver: Receiver, add_turn: AddTurn, update_standings: Update
) -> None:
    Event.objects.filter(pk=ride.event.pk).update(state=Event.State.DRAFT)
    ride.event.refresh_from_db()
    add_webhook(ride.event, receiver.url, list(CHOOSABLE))
    ride.contest.slug = "renamed"
    ride.contest.save()
    assert tell(receiver) == []
    Event.objects.filter(pk=ride.event.pk).update(state=Event.State.OPEN)

    assert tell(receiver) == [CHANGED]


def test_changes_in_quick_succession_become_one_message(
    ride: Ride, webhook: Webhook, receiver: Receiver, add_turn: AddTurn, update_standings: Update
) -> None:
    for number in (1, 2, 3, 4):
        add_turn(number, 1, make_paper_turn("chance", 20 + number))
        update_standings()
        announce_changes()
        if number == 1:
            assert deliver_due() == 1

    first, second = WebhookDelivery.objects.order_by("created_at")
    assert first.state == WebhookDelivery.State.DELIVERED
    assert second.state == WebhookDelivery.State.PENDING
    assert second.next_attempt_at == first.created_at + MIN_INTERVAL
    assert deliver_due() == 0
    make_all_due()
    assert deliver_due() == 1


def test_while_the_receiver_fails_a_newer_message_takes_the_place_of_the_old_one(
    ride: Ride, webhook: Webhook, receiver: Receiver, add_turn: AddTurn, update_standings: Update
) -> None:
    receiver.answers = [respond(503), respond(503)]
    add_turn(1, 1, make_paper_turn("chance", 20))
    update_standings()
    tell(receiver)
    tell(receiver)
    planned = WebhookDelivery.objects.get().next_attempt_at
    add_turn(2, 1, make_paper_turn("chance", 21))
    update_standings()
    announce_changes()

    first, second = WebhookDelivery.objects.order_by("created_at")
    assert (first.state, second.state) == (WebhookDelivery.State.REPLACED, WebhookDelivery.State.PENDING)
    assert (second.tries, second.next_attempt_at) == (2, planned), "the pauses go on where they were"
    assert deliver(first.pk) is None


def test_a_message_that_was_sent_is_not_changed_when_the_webhook_is_resumed(
    ride: Ride, webhook: Webhook, receiver: Receiver, add_turn: AddTurn, update_standings: Update
) -> None:
    """Its id tells the receiver that it has it already."""
    receiver.answers = [respond(503)]
    add_turn(1, 1, make_paper_turn("chance", 20))
    update_standings()
    tell(receiver)
    (sent,) = receiver.received
    pause_webhook(webhook)
    resume_webhook(webhook)
    add_turn(2, 1, make_paper_turn("chance", 21))
    update_standings()
    announce_changes()

    first = WebhookDelivery.objects.order_by("created_at")[0]
    assert first.body.encode() == sent[2]
    assert first.state == WebhookDelivery.State.REPLACED


def test_a_paused_webhook_is_told_once_it_is_resumed(
    ride: Ride, webhook: Webhook, receiver: Receiver, add_turn: AddTurn, update_standings: Update
) -> None:
    pause_webhook(webhook)
    for number in (1, 2):
        add_turn(number, 1, make_paper_turn("chance", 20))
        update_standings()
        assert tell(receiver) == []
    resume_webhook(webhook)

    assert tell(receiver) == [CHANGED]


def test_a_webhook_hears_of_no_other_event(
    ride: Ride, other_event: Event, receiver: Receiver, add_turn: AddTurn, update_standings: Update
) -> None:
    add_webhook(other_event, receiver.url, list(CHOOSABLE))
    add_turn(1, 1, make_paper_turn("chance", 20))
    update_standings()

    assert tell(receiver) == []


def test_a_contest_that_cannot_be_read_does_not_block_the_others(
    ride: Ride, webhook: Webhook, receiver: Receiver, pig_contest: Any, add_turn: AddTurn, update_standings: Update
) -> None:
    tell(receiver)
    type(pig_contest).objects.filter(pk=pig_contest.pk).update(game_key="gone", status="closed")
    add_turn(1, 1, make_paper_turn("chance", 20))
    update_standings()

    assert tell(receiver) == [CHANGED]


def test_two_sweepers_write_one_message(
    ride: Ride, webhook: Webhook, add_turn: AddTurn, update_standings: Update, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other one is at work between this one's comparison and its message."""
    add_turn(1, 1, make_paper_turn("chance", 20))
    update_standings()
    others = [announce_changes]

    def read_late(contest: Any) -> PublicState:
        state = get_public_state(contest)
        if others:
            others.pop()()
        return state

    monkeypatch.setattr("scorekeeper.webhooks.services.get_public_state", read_late)
    announce_changes()

    assert WebhookDelivery.objects.count() == 1
    assert AnnouncedState.objects.count() == 1


def test_without_webhooks_a_sweep_asks_one_question_and_with_them_few(ride: Ride, receiver: Receiver) -> None:
    with CaptureQueriesContext(connection) as nothing:
        announce_changes()
    add_webhook(ride.event, receiver.url, list(CHOOSABLE))
    announce_changes()
    with CaptureQueriesContext(connection) as unchanged:
        announce_changes()

    assert (len(nothing), len(unchanged)) == (1, 3)
