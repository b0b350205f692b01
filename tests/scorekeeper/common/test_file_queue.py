"""The file-based broker: a reader never finds a message that is half written, and never waits for long."""

from __future__ import annotations

import time
from pathlib import Path
from queue import Empty
from threading import Barrier, Thread

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


@pytest.mark.slow
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


def test_programs_that_start_at_once_never_read_a_half_written_table(address: dict[str, object]) -> None:
    programs, names = 6, [f"exchange{number}" for number in range(40)]
    together, faults = Barrier(programs), []

    def start(queue: str) -> None:
        with Connection("files://localhost", transport_options=address) as connection:
            for name in names:
                together.wait()
                try:
                    connection.default_channel.exchange_declare(name)
                    connection.default_channel.queue_bind(queue, name, queue)
                    connection.default_channel.get_table(name)
                except ValueError as error:  # not JSON
                    faults.append(error)

    threads = [Thread(target=start, args=(f"queue{number}",)) for number in range(programs)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert faults == []
    with Connection("files://localhost", transport_options=address) as connection:
        for name in names:
            assert len(connection.default_channel.get_table(name)) == programs
