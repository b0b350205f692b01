"""The real processes: a worker that delivers, the sweeper that finds what was lost, and the example receiver."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from threading import Barrier
from typing import Any
from uuid import UUID

import pytest
from celery.contrib.testing.worker import start_worker
from django.conf import settings
from django.db import connection
from django.utils import timezone
from pytest_django import Settings
from pytest_django.live_server_helper import LiveServer

from config.celery import app
from scorekeeper.common.dispatch import OUTBOX
from scorekeeper.common.management.commands.serve import WORKER_POOLS
from scorekeeper.common.periodic_jobs import PERIODIC_JOBS
from scorekeeper.webhooks.deliveries import (
    ASK_INTERVAL,
    RETRY_DELAYS,
    add_delivery,
    ask_for_due_deliveries,
    deliver,
)
from scorekeeper.webhooks.models import CHOOSABLE, DeliveryAttempt, MessageKind, Webhook, WebhookDelivery
from scorekeeper.webhooks.receiver_connection import JITTER
from scorekeeper.webhooks.services import add_webhook, announce_changes, send_test
from tests.programs import ROOT, TIMEOUT_SECONDS, make_environment, run_manage
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_paper_turn
from tests.scorekeeper.webhooks.conftest import Receiver, make_all_due, respond

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.program]

QUEUE = Path(settings.DATA_DIR) / "celery" / "queue"
EXAMPLE = ROOT / "examples" / "webhook_receiver.py"
AddTurn = Callable[..., Any]
State = WebhookDelivery.State


@pytest.fixture(autouse=True)
def empty_queue() -> Iterator[None]:
    lose_all_messages()
    yield
    lose_all_messages()


def lose_all_messages() -> None:
    """Lose what the broker has, as one that is gone."""
    OUTBOX.flush(TIMEOUT_SECONDS)
    for message in QUEUE.iterdir():
        message.unlink()


@contextmanager
def work() -> Iterator[None]:
    """Run a worker."""
    with start_worker(app, pool="solo", perform_ping_check=False, shutdown_timeout=30):
        yield


def await_arrival(receiver: Receiver) -> None:
    assert receiver.arrived.wait(TIMEOUT_SECONDS)
    receiver.arrived.clear()


def test_a_worker_delivers_and_tries_again(ride: Ride, webhook: Webhook, receiver: Receiver) -> None:
    receiver.answers = [respond(500)]
    add_delivery(webhook, ride.contest, MessageKind.RESULTS_PUBLISHED, timezone.now(), "{}")
    with work():
        await_arrival(receiver)
    assert WebhookDelivery.objects.get().state == State.PENDING
    make_all_due()
    ask_for_due_deliveries()
    with work():
        await_arrival(receiver)

    delivery = WebhookDelivery.objects.get()
    assert delivery.state == State.DELIVERED
    assert list(delivery.attempts.values_list("status_code", flat=True)) == [500, 204]


def test_a_message_that_the_broker_has_lost_is_delivered_after_the_next_sweep(
    webhook: Webhook, receiver: Receiver
) -> None:
    send_test(webhook)
    lose_all_messages()
    ask_for_due_deliveries()
    OUTBOX.flush(TIMEOUT_SECONDS)
    assert list(QUEUE.iterdir()) == [], "a worker was asked a moment ago"
    WebhookDelivery.objects.update(asked_at=timezone.now() - ASK_INTERVAL)
    ask_for_due_deliveries()
    with work():
        await_arrival(receiver)

    assert WebhookDelivery.objects.get().state == State.DELIVERED


@pytest.mark.sqlite
def test_what_changes_while_the_broker_is_down_is_written_down_and_delivered_later(
    ride: Ride,
    webhook: Webhook,
    receiver: Receiver,
    add_turn: AddTurn,
    update_standings: Callable[[], bool],
    tmp_path: Path,
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    update_standings()
    program = (
        "from scorekeeper.webhooks.services import announce_changes; announce_changes();"
        "from scorekeeper.webhooks.deliveries import ask_for_due_deliveries; ask_for_due_deliveries()"
    )
    database = f"sqlite:///{connection.settings_dict['NAME']}"
    # Nothing listens on port 1.
    run = run_manage(
        tmp_path, "shell", "--no-imports", "-c", program, DATABASE_URL=database, REDIS_URL="redis://127.0.0.1:1/0"
    )
    assert run.returncode == 0, run.stderr
    assert "task_not_sent" in run.stderr
    assert (WebhookDelivery.objects.get().state, receiver.received) == (State.PENDING, [])
    WebhookDelivery.objects.update(asked_at=timezone.now() - ASK_INTERVAL)
    lose_all_messages()
    ask_for_due_deliveries()
    with work():
        await_arrival(receiver)

    assert receiver.kinds == ["standings.changed"]


@pytest.mark.sqlite
def test_a_turn_reaches_the_receiver_through_the_sweeper_and_a_worker(
    ride: Ride, webhook: Webhook, receiver: Receiver, add_turn: AddTurn, tmp_path: Path
) -> None:
    names = {job.name for job in PERIODIC_JOBS}
    assert {"announce_to_webhooks", "ask_for_webhook_deliveries", "delete_webhook_deliveries"} <= names
    add_turn(1, 1, make_paper_turn("chance", 20))
    environment = make_environment(
        Path(settings.DATA_DIR), DATABASE_URL=f"sqlite:///{connection.settings_dict['NAME']}", SWEEP_SECONDS="1"
    )
    with (
        subprocess.Popen(
            [sys.executable, "manage.py", "sweep"], cwd=ROOT, env=environment, stderr=subprocess.PIPE
        ) as sweeper,
        work(),
    ):
        await_arrival(receiver)
        sweeper.terminate()
        _out, errors = sweeper.communicate(timeout=TIMEOUT_SECONDS)

    assert receiver.kinds == ["standings.changed"]
    assert b"Traceback" not in errors


@pytest.mark.sqlite
def test_an_attempt_counts_though_its_worker_is_killed_while_the_receiver_hangs(
    ride: Ride, webhook: Webhook, receiver: Receiver, tmp_path: Path
) -> None:
    end = threading.Event()

    def hang(_handler: Any) -> None:
        end.wait(TIMEOUT_SECONDS)

    receiver.answers = [hang]
    delivery = add_delivery(webhook, ride.contest, MessageKind.RESULTS_PUBLISHED, timezone.now(), "{}")
    environment = make_environment(
        Path(settings.DATA_DIR),
        DATABASE_URL=f"sqlite:///{connection.settings_dict['NAME']}",
        WEBHOOKS_TO_LOOPBACK="yes",
    )
    command = [sys.executable, "-m", "celery", "--quiet", "--skip-checks", "-A", "config", "worker"]
    command += ["--queues", "webhooks", *WORKER_POOLS["webhooks"], "--without-gossip", "--without-mingle"]
    with subprocess.Popen(command, cwd=ROOT, env=environment, stderr=subprocess.DEVNULL) as worker:
        await_arrival(receiver)
        worker.kill()
    end.set()

    webhook.refresh_from_db()
    delivery.refresh_from_db()
    assert (webhook.failures, delivery.tries) == (1, 1)
    assert delivery.attempts.get().problem == DeliveryAttempt.Problem.SENDING
    assert webhook.next_attempt_at is not None
    assert webhook.next_attempt_at - delivery.attempts.get().at >= RETRY_DELAYS[0] * (1 - JITTER)


@pytest.fixture
def example(live_server: LiveServer, settings: Settings, ride: Ride) -> Iterator[subprocess.Popen[str]]:
    """The example receiver with the secret of a webhook, and the server whose standings it reads."""
    settings.WEBHOOKS_TO_LOOPBACK, settings.BASE_URL = True, live_server.url
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    _webhook, secret = add_webhook(ride.event, f"http://127.0.0.1:{port}/", list(CHOOSABLE))
    command = [sys.executable, str(EXAMPLE), str(port)]
    environment = {**os.environ, "WEBHOOK_SECRET": secret}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == f"Receiving on port {port}\n"
        yield process
        process.terminate()


def test_the_example_verifies_a_message_and_reads_the_standings(
    example: subprocess.Popen[str], ride: Ride, add_turn: AddTurn, update_standings: Callable[[], bool]
) -> None:
    webhook = Webhook.objects.get()
    assert example.stdout is not None
    add_turn(3, 1, make_paper_turn("chance", 20))
    update_standings()
    announce_changes()
    with work():
        assert example.stdout.readline() == "standings.changed: 3 leads\n"
    assert WebhookDelivery.objects.get().state == State.DELIVERED

    # With another secret it refuses the message.
    Webhook.objects.filter(pk=webhook.pk).update(secret="whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
    test = send_test(webhook)
    deliver(test.pk)
    assert test.attempts.get().status_code == 401


def test_of_many_workers_at_once_one_delivers(webhook: Webhook, receiver: Receiver) -> None:
    workers, rounds = 4, 10
    for _ in range(rounds):
        test, barrier = send_test(webhook), Barrier(workers)

        def try_to_deliver(_worker: int, delivery_id: UUID = test.pk, barrier: Barrier = barrier) -> bool:
            connection.ensure_connection()
            barrier.wait(TIMEOUT_SECONDS)
            try:
                return deliver(delivery_id) is not None
            finally:
                connection.close()

        with ThreadPoolExecutor(workers) as pool:
            assert sum(pool.map(try_to_deliver, range(workers))) == 1

    assert len(receiver.received) == rounds


def test_of_many_workers_at_once_one_tries_a_receiver_though_each_has_a_message_from_another_webhook(
    ride: Ride, webhook: Webhook, receiver: Receiver
) -> None:
    workers, end = 4, threading.Event()

    def hang(_handler: Any) -> None:
        end.wait(TIMEOUT_SECONDS)

    receiver.answers = [hang] * workers
    webhooks = [webhook, *(add_webhook(ride.event, receiver.url, list(CHOOSABLE))[0] for _ in range(workers - 1))]
    tests, barrier = [send_test(one) for one in webhooks], Barrier(workers)

    def try_to_deliver(delivery_id: UUID) -> bool:
        connection.ensure_connection()
        barrier.wait(TIMEOUT_SECONDS)
        try:
            return deliver(delivery_id) is not None
        finally:
            connection.close()

    with ThreadPoolExecutor(workers) as pool:
        attempts = [pool.submit(try_to_deliver, test.pk) for test in tests]
        refused = sum(not attempt.result() for attempt in islice(as_completed(attempts), workers - 1))
        end.set()

    assert (refused, len(receiver.received)) == (workers - 1, 1)
