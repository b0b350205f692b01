"""When the workers of each queue last did something: in `/readyz` and `/metrics`."""

from __future__ import annotations

import datetime as dt

import pytest
from celery import current_app
from django.test import Client
from django.utils import timezone

from config.broker import QUEUES, TASK_ROUTES
from scorekeeper.common.models import WorkerHeartbeat
from scorekeeper.common.worker_heartbeats import (
    ASK_AGAIN_AFTER,
    ask_workers,
    count_answers,
    get_task_name,
    list_queues,
    store_answer,
)
from scorekeeper.standings.selectors.verification.raw_value_checks import list_invalid_values

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def read_states(client: Client) -> dict[str, str]:
    return {queue: worker["state"] for queue, worker in client.get("/readyz").json()["workers"].items()}


def count_messages(capture, action=ask_workers) -> int:
    with capture() as callbacks:
        action()
    return len(callbacks)


def test_every_queue_has_a_task_that_is_routed_to_it() -> None:
    current_app.loader.import_default_modules()
    assert list_queues() == [queue.name for queue in QUEUES] == ["follow", "slow", "webhooks", "push"]
    for queue in list_queues():
        assert TASK_ROUTES[get_task_name(queue)] == {"queue": queue}
        assert get_task_name(queue) in current_app.tasks


def test_workers_that_never_answered_are_named(client: Client) -> None:
    response = client.get("/readyz")
    assert response.status_code == 200
    never = {"state": "never", "last_answer": None}
    assert response.json()["workers"] == {"follow": never, "slow": never, "webhooks": never, "push": never}


def test_a_worker_that_answers_is_there_and_is_asked_again(client: Client, django_capture_on_commit_callbacks) -> None:
    assert count_messages(django_capture_on_commit_callbacks) == 4
    current_app.loader.import_default_modules()
    current_app.tasks[get_task_name("follow")]()

    assert read_states(client) == {"follow": "ok", "slow": "never", "webhooks": "never", "push": "never"}
    assert count_messages(django_capture_on_commit_callbacks) == 1, "the others have their message still"
    assert [(sample.labels["queue"], sample.value) for metric in count_answers() for sample in metric.samples] == [
        ("follow", 1),
        ("slow", 0),
        ("webhooks", 0),
        ("push", 0),
    ]
    assert not list(list_invalid_values()), "the database's own times are values that it may have"


def test_a_worker_that_has_stopped_is_late_the_one_of_long_tasks_later(client: Client) -> None:
    ask_workers()
    for queue in list_queues():
        store_answer(queue)
    for age, slow in ((dt.timedelta(minutes=4), "ok"), (dt.timedelta(minutes=9), "late")):
        WorkerHeartbeat.objects.update(answered_at=timezone.now() - age)
        assert read_states(client) == {"follow": "late", "slow": slow, "webhooks": "late", "push": "late"}
        assert client.get("/readyz").status_code == 200, "a proxy still sends requests here"


def test_a_message_that_was_lost_is_sent_again_later(django_capture_on_commit_callbacks) -> None:
    assert count_messages(django_capture_on_commit_callbacks) == 4
    assert count_messages(django_capture_on_commit_callbacks) == 0
    WorkerHeartbeat.objects.update(asked_at=timezone.now() - ASK_AGAIN_AFTER - dt.timedelta(seconds=1))
    assert count_messages(django_capture_on_commit_callbacks) == 4


def test_a_clock_that_was_set_back_silences_nobody(client: Client, django_capture_on_commit_callbacks) -> None:
    ask_workers()
    ahead = timezone.now() + dt.timedelta(hours=48)
    WorkerHeartbeat.objects.update(asked_at=ahead, answered_at=None)
    assert count_messages(django_capture_on_commit_callbacks) == 4
    WorkerHeartbeat.objects.update(answered_at=ahead)
    assert read_states(client)["follow"] == "late"
