"""The file-based broker: a reader never finds a message that is half written, and never waits for long."""

from __future__ import annotations

import time
from pathlib import Path
from queue import Empty
from threading import Thread

import pytest
from kombu.connection import Connection

from config.celery import app

MESSAGES = 300
# Long enough that it takes several writes.
FILLING = "x" * 200_000


@pytest.fixture
def address(tmp_path: Path) -> dict[str, object]:
    folders = {"data_folder_in": tmp_path / "queue", "data_folder_out": tmp_path / "queue"}
    for folder in (tmp_path / "queue", tmp_path / "control"):
        folder.mkdir()
    return {**folders, "control_folder": tmp_path / "control"}


def test_messages_arrive_complete_while_others_are_being_written(address: dict[str, object]) -> None:
    assert str(app.conf.broker_url).startswith("files://")

    def write() -> None:
        with Connection("files://localhost", transport_options=address) as connection:
            queue = connection.SimpleQueue("tests")
            for number in range(MESSAGES):
                queue.put({"number": number, "filling": FILLING})

    writer = Thread(target=write)
    with Connection("files://localhost", transport_options=address) as connection:
        queue = connection.SimpleQueue("tests")
        writer.start()
        arrived = []
        was_last_look = False
        while not was_last_look:
            was_last_look = not writer.is_alive()
            try:
                message = queue.get_nowait()
            except Empty:
                continue
            was_last_look = False
            arrived.append(message.payload["number"])
            message.ack()
    writer.join()
    assert arrived == list(range(MESSAGES))


def test_a_worker_that_waits_for_a_message_soon_checks_whether_to_stop(address: dict[str, object]) -> None:
    with Connection("files://localhost", transport_options=address) as connection:
        connection.SimpleQueue("tests")
        began = time.monotonic()

        with pytest.raises(TimeoutError):
            # The timeout of a Celery worker.
            connection.drain_events(timeout=2)

    assert time.monotonic() - began < 1
