"""Sending a task after the commit, over the real broker."""

import threading
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from celery.contrib.testing.worker import start_worker
from django.conf import settings
from django.db import transaction
from redis import Redis

from config.celery import app
from scorekeeper.common.dispatch import OUTBOX, after_commit
from scorekeeper.common.outbox import MAX_MESSAGES, SEND_INTERVAL, Outbox, TaskMessage
from tests.programs import TIMEOUT_SECONDS, run_manage

TASK = "tests.collect"
QUEUE = Path(settings.DATA_DIR) / "celery" / "queue"

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.program]


@pytest.fixture(autouse=True)
def empty_queue() -> Iterator[None]:
    _empty()
    yield
    _empty()


def _empty() -> None:
    OUTBOX.flush(TIMEOUT_SECONDS)
    for message in QUEUE.iterdir():
        message.unlink()


def list_sent() -> list[str]:
    """Return the messages in the broker's queue, once the outbox is empty."""
    OUTBOX.flush(TIMEOUT_SECONDS)
    return [message.read_text() for message in QUEUE.iterdir()]


def test_nothing_is_sent_before_the_commit_and_one_message_after_it() -> None:
    with transaction.atomic():
        after_commit(TASK, word="hello")
        assert list_sent() == []

    assert [TASK in message for message in list_sent()] == [True]


def test_a_message_that_is_queued_already_is_not_sent_twice() -> None:
    with transaction.atomic():
        for word in ("hello", "hello", "goodbye", "hello"):
            after_commit(TASK, word=word)

    # Only the first may have been sent before the others were queued.
    assert 2 <= len(list_sent()) <= 3


def test_in_a_rush_the_same_message_is_sent_once_per_round() -> None:
    sent: list[float] = []
    outbox = Outbox(lambda _message: sent.append(time.monotonic()))

    while len(sent) < 3:
        outbox.put(TaskMessage(TASK, "{}"))

    assert [later - earlier >= SEND_INTERVAL for earlier, later in pairwise(sent)][:2] == [True, True]


def test_while_the_broker_is_down_the_queue_is_limited() -> None:
    trying, may_fail, all_sent = threading.Event(), threading.Event(), threading.Event()
    sent: list[TaskMessage] = []

    def send(message: TaskMessage) -> None:
        if not may_fail.is_set():
            trying.set()
            may_fail.wait(TIMEOUT_SECONDS)
            raise ConnectionError
        sent.append(message)
        if len(sent) == MAX_MESSAGES:
            all_sent.set()

    outbox = Outbox(send)
    outbox.put(TaskMessage(TASK, "first"))
    assert trying.wait(TIMEOUT_SECONDS)
    for number in range(MAX_MESSAGES):
        outbox.put(TaskMessage(TASK, str(number)))
    may_fail.set()

    assert all_sent.wait(TIMEOUT_SECONDS)
    outbox.flush(TIMEOUT_SECONDS)
    assert len(sent) == MAX_MESSAGES


def test_nothing_is_sent_when_the_transaction_is_rolled_back() -> None:
    with transaction.atomic():
        after_commit(TASK, word="hello")
        transaction.set_rollback(True)

    assert list_sent() == []


def test_a_request_thread_reaches_the_same_broker(tmp_path: Path) -> None:
    program = (
        "import threading; from scorekeeper.common.dispatch import after_commit;"
        "threading.Thread(target=after_commit, args=('tests.collect',), kwargs={'word': 'hello'}).start()"
    )
    run = run_manage(tmp_path, "shell", "--no-imports", "-c", program)

    assert run.returncode == 0, run.stderr
    assert [TASK in message.read_text() for message in (tmp_path / "celery" / "queue").iterdir()] == [True]


def test_a_worker_receives_what_is_sent() -> None:
    heard: list[str] = []
    done = threading.Event()

    @app.task(name=TASK)
    def collect(word: str) -> None:
        heard.append(word)
        done.set()

    with start_worker(app, pool="solo", perform_ping_check=False, shutdown_timeout=30):
        after_commit(TASK, word="hello")
        arrived = done.wait(20)
    app.tasks.unregister(TASK)

    assert arrived
    assert heard == ["hello"]


def test_an_unreachable_broker_is_logged_and_neither_raises_nor_blocks(tmp_path: Path) -> None:
    program = (
        "import time; from scorekeeper.common.dispatch import after_commit;"
        "start = time.monotonic(); after_commit('tests.collect', word='hello'); print(time.monotonic() - start)"
    )
    # Nothing listens on port 1.
    run = run_manage(tmp_path, "shell", "--no-imports", "-c", program, REDIS_URL="redis://127.0.0.1:1/0")

    assert run.returncode == 0, run.stderr
    assert float(run.stdout) < 0.1
    assert "task_not_sent" in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.redis
def test_with_redis_configured_the_message_is_queued_there(tmp_path: Path, redis: Redis, redis_url: str) -> None:
    program = "from scorekeeper.common.dispatch import after_commit; after_commit('tests.collect', word='hello')"

    run = run_manage(tmp_path, "shell", "--no-imports", "-c", program, REDIS_URL=redis_url)

    assert run.returncode == 0, run.stderr
    assert redis.llen("slow") == 1
    assert "task_not_sent" not in run.stderr
