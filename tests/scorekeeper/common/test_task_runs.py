"""`common.task_runs`: what a worker had begun and did not end is asked for again, once, and not for ever."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from uuid import uuid4

import pytest
from django.db.models.functions import Now
from django.utils import timezone
from pytest_django import DjangoCaptureOnCommitCallbacks

from scorekeeper.common.models import TaskRun
from scorekeeper.common.task_runs import MAX_ABANDONED, _make_key, take_up_abandoned_tasks, take_up_task
from scorekeeper.standings.models import ChancesReport
from scorekeeper.webhooks.deliveries import _begin_attempt
from scorekeeper.webhooks.models import DeliveryAttempt, Webhook, WebhookDelivery
from scorekeeper.webhooks.services import add_webhook, send_test
from tests.scorekeeper.conftest import Ride

pytestmark = [pytest.mark.django_db, pytest.mark.database]

Abandon = Callable[..., TaskRun]


@pytest.fixture
def abandon() -> Abandon:
    """Leave a run behind as a killed worker does."""

    def make(task: str, seconds: int = 10, **arguments: str) -> TaskRun:
        import json

        run = TaskRun.objects.create(
            key=_make_key(task, arguments),
            run=uuid4(),
            task=task,
            arguments=json.dumps(arguments, sort_keys=True),
            renewed_at=timezone.now(),
        )
        TaskRun.objects.filter(pk=run.pk).update(renewed_at=Now() - dt.timedelta(seconds=seconds))
        return run

    return make


def test_it_is_asked_for_again_once(
    abandon: Abandon, django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks
) -> None:
    abandon("prints.make", job_id="1")

    with django_capture_on_commit_callbacks() as callbacks:
        assert take_up_abandoned_tasks() == ["prints.make"]
        assert take_up_abandoned_tasks() == []

    assert [(call.args[0].task, call.args[0].arguments) for call in callbacks] == [  # type: ignore[attr-defined]
        ("prints.make", '{"job_id": "1"}')
    ]


def test_one_that_cannot_be_taken_up_does_not_keep_others_waiting(abandon: Abandon) -> None:
    abandon("standings.chances", 20, contest="an argument of an older version")
    abandon("prints.make", job_id="1")

    assert take_up_abandoned_tasks() == ["prints.make"]
    for _time in range(MAX_ABANDONED):
        TaskRun.objects.update(renewed_at=Now() - dt.timedelta(seconds=10))
        take_up_abandoned_tasks()
    assert not TaskRun.objects.exists(), "it is given up like any other"


def test_a_run_that_is_renewed_is_left_alone(abandon: Abandon) -> None:
    abandon("prints.make", seconds=1, job_id="1")

    assert take_up_abandoned_tasks() == []
    assert not take_up_task("prints.make", job_id="1")


def test_the_page_that_waits_asks_for_its_own(abandon: Abandon) -> None:
    abandon("prints.make", job_id="1")

    assert not take_up_task("prints.make", job_id="2")
    assert take_up_task("prints.make", job_id="1")


def test_a_task_that_ends_its_worker_each_time_is_given_up(abandon: Abandon) -> None:
    run = abandon("standings.luck", contest_id=str(uuid4()))
    for _time in range(MAX_ABANDONED):
        assert take_up_abandoned_tasks() == ["standings.luck"]
        TaskRun.objects.filter(pk=run.pk).update(renewed_at=Now() - dt.timedelta(seconds=10))

    assert take_up_abandoned_tasks() == []
    assert not TaskRun.objects.exists()


def test_chances_that_a_dead_worker_had_claimed_are_free_for_the_next(ride: Ride, abandon: Abandon) -> None:
    ChancesReport.objects.create(contest=ride.contest, is_running=True, started_at=timezone.now())
    abandon("standings.chances", contest_id=str(ride.contest.pk))

    assert take_up_abandoned_tasks() == ["standings.chances"]

    report = ChancesReport.objects.get()
    assert (report.is_running, report.started_at) == (False, None)


def test_an_attempt_of_a_dead_worker_is_ended_and_its_receiver_is_free(ride: Ride, abandon: Abandon) -> None:
    webhook, _secret = add_webhook(ride.event, "https://example.org/hook", ["standings"])
    delivery = send_test(webhook)
    assert _begin_attempt(delivery.pk, timezone.now()) is not None
    assert Webhook.objects.get().claimed_at is not None
    abandon("webhooks.deliver", delivery_id=str(delivery.pk))

    assert take_up_abandoned_tasks() == ["webhooks.deliver"]

    assert Webhook.objects.get().claimed_at is None
    assert WebhookDelivery.objects.get().claimed_at is None
    assert DeliveryAttempt.objects.get().problem == DeliveryAttempt.Problem.ABANDONED
