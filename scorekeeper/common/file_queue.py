"""The file-based broker that Celery uses without Redis: kombu's own, with atomic writes and private files.

Kombu writes a message under the name that readers look for, so a worker may read one that is half written, and crash.
Here a message is written under another name first and renamed once it is complete. So is the table that says which
queues an exchange has.

Kombu's files can be read by everyone on the machine, and a worker moves each message through the folder for temporary
files, which everyone shares. Here only their owner can read them, and they stay in the queue's folder.
"""

from __future__ import annotations

import uuid
from contextlib import suppress
from json import dumps, loads
from pathlib import Path
from queue import Empty
from time import monotonic_ns
from typing import Any

from kombu.transport import TRANSPORT_ALIASES, filesystem

from scorekeeper.common.private_files import write_private_file

SCHEME = "files"
MAX_WAIT_SECONDS = 0.2  # seconds that a worker waits for a message before it checks whether it should stop


class Channel(filesystem.Channel):
    """A channel whose messages appear complete or not at all."""

    # kombu has two names for the second argument, and always passes it by position.
    def _put(self, queue: Any, payload: Any, **_kwargs: Any) -> Any:  # type: ignore[override]
        folder = Path(self.data_folder_out)
        # Readers sort by name, so the oldest comes first. They skip files that do not end in the queue's name.
        name = f"{monotonic_ns():020}_{uuid.uuid4()}"
        unfinished = folder / f"{name}.unfinished"
        write_private_file(unfinished, dumps(payload))
        unfinished.replace(folder / f"{name}.{queue}.msg")

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        folder = Path(self.data_folder_in)
        for message in sorted(folder.iterdir()):
            if message.name.partition(".")[2] != f"{queue}.msg":
                continue
            taken = folder / f"{message.stem}.taken"
            with suppress(FileNotFoundError):  # another worker was first
                message.rename(taken)
                text = taken.read_text("utf-8")
                taken.unlink()
                return loads(text)
        raise Empty

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str, queue: str) -> None:
        # Kombu creates the table of an exchange empty, and a process that reads it then crashes.
        file = self._exchange_file(exchange)
        self.control_folder.mkdir(exist_ok=True)
        if not file.exists():
            complete = self.control_folder / f"{uuid.uuid4()}.unfinished"
            write_private_file(complete, "[]")
            with suppress(OSError):  # another process was first, or these files cannot be linked
                file.hardlink_to(complete)
            complete.unlink()
        super()._queue_bind(exchange, routing_key, pattern, queue)


class Transport(filesystem.Transport):
    """Kombu's file system transport with that channel."""

    Channel = Channel

    def drain_events(self, connection: Any, timeout: float | None = None, **_kwargs: Any) -> None:
        """Wait for a message, but not for long, so that a worker notices when it should stop.

        Raises:
            TimeoutError: no message arrived.
        """
        super().drain_events(connection, None if timeout is None else min(timeout, MAX_WAIT_SECONDS))


def register() -> None:
    """Register the `files://` URL scheme with kombu."""
    TRANSPORT_ALIASES[SCHEME] = f"{__name__}:Transport"
