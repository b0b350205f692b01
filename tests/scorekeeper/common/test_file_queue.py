"""The file-based broker: only the owner of the data can read its files, and a message is taken once, and as a whole.

What kombu leaves to a transport is tested too: after an upgrade of kombu, compare its base classes with ours.
"""

from __future__ import annotations

import inspect
import os
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from kombu.connection import Connection
from kombu.entity import Queue
from kombu.transport import virtual

from config.broker import make_file_options
from scorekeeper.common import file_queue


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """The broker's folder as an older version left it: everyone may read it. So may they by default read new files."""
    for path in (tmp_path / "celery", tmp_path / "celery" / "queue", tmp_path / "celery" / "control"):
        path.mkdir()
        path.chmod(0o755)
    before = os.umask(0o022)
    yield tmp_path / "celery"
    os.umask(before)


def connect(folder: Path) -> Connection:
    file_queue.register()
    return Connection(f"{file_queue.SCHEME}://localhost", transport_options=make_file_options(folder))


def list_readable(folder: Path) -> list[str]:
    paths = [folder, *folder.rglob("*")]
    return [path.name for path in paths if stat.S_IMODE(path.stat().st_mode) & 0o077]


def test_folders_messages_and_tables_can_be_read_by_their_owner_alone(folder: Path) -> None:
    with connect(folder) as connection, connection.SimpleQueue(Queue("slow", routing_key="slow")) as queue:
        queue.put({"event": 7})

        assert [path.suffix for path in (folder / "queue").iterdir()] == [".msg"]
        assert [path.name for path in folder.iterdir()] == ["queue"]
        assert list_readable(folder) == []


def test_a_message_is_taken_once_and_never_leaves_the_private_folder(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shared = folder.parent / "shared"
    monkeypatch.setattr(tempfile, "tempdir", str(shared))  # a file moved there would stay, under this name
    with (
        connect(folder) as connection,
        connection.SimpleQueue("slow") as queue,
        connection.SimpleQueue("fast") as other,
    ):
        queue.put({"event": 7})
        queue.put({"event": 8})
        other.put({"event": 9})

        events = [queue.get(timeout=5).payload["event"], queue.get(timeout=5).payload["event"]]

        assert events == [7, 8]
        with pytest.raises(queue.Empty):
            queue.get(block=False)
        assert other.get(timeout=5).payload == {"event": 9}
        assert list((folder / "queue").iterdir()) == []
        assert not shared.exists()


@pytest.mark.parametrize("content", [b"", b'{"body": "', b"[]", b'{"body": ""}', b"\xff"])
def test_a_damaged_message_is_dropped_and_the_next_one_taken(folder: Path, content: bytes) -> None:
    with connect(folder) as connection, connection.SimpleQueue("slow") as queue:
        (folder / "queue" / "00000000000000000001_x.slow.msg").write_bytes(content)
        queue.put({"event": 7})

        assert queue.get(timeout=5).payload == {"event": 7}
        assert list((folder / "queue").iterdir()) == []


def test_a_message_is_not_visible_before_it_is_complete(folder: Path) -> None:
    with connect(folder) as connection, connection.SimpleQueue("slow") as queue:
        queue.put({"event": 7})
        (message,) = (folder / "queue").iterdir()
        message.rename(message.with_name(f"{message.name.partition('.')[0]}.unfinished"))

        assert queue.qsize() == 0
        with pytest.raises(queue.Empty):
            queue.get(block=False)


def test_messages_are_counted_deleted_and_given_back(folder: Path) -> None:
    with connect(folder) as connection, connection.SimpleQueue("slow") as queue:
        for number in range(3):
            queue.put({"event": number})
        assert queue.qsize() == 3
        queue.get(timeout=5).requeue()
        assert queue.qsize() == 3
        assert queue.clear() == 3
        assert list((folder / "queue").iterdir()) == []


def test_kombu_leaves_to_a_transport_what_ours_does() -> None:
    """After an upgrade of kombu, compare its base classes with ours before changing this test."""
    left = {"_get": ["self", "queue", "timeout"], "_put": ["self", "queue", "message"]}
    left |= {"_size": ["self", "queue"], "_purge": ["self", "queue"]}
    for name, parameters in left.items():
        assert list(inspect.signature(getattr(virtual.AbstractChannel, name)).parameters) == parameters
        assert name in vars(file_queue.Channel)
    own = {name for name in vars(file_queue.Channel) if not name.startswith("__")} - left.keys()
    assert [name for name in own if hasattr(virtual.Channel, name)] == []  # no other method is replaced
    assert list(inspect.signature(virtual.Transport.drain_events).parameters) == ["self", "connection", "timeout"]
    assert virtual.Transport.implements.exchange_type == {"direct", "topic"}  # no broadcasts, so no remote control
