"""The broker that Celery uses without Redis: a message is a file in a folder.

It is a transport of our own on kombu's base classes, which leave it to a transport how to store, take, count and delete
the messages of a queue. Kombu's own transport on files cannot be used, whatever its options:

- It writes a message under the name that readers look for, so a worker may read one that is half written, and crash.
  Here a message has another name until it is complete.
- A power cut can leave files empty or damaged, at which its workers die, and again after each restart. Here a damaged
  message is dropped and logged: the sweeper finds the work that it was about.
- Everyone on the machine can read its files, and a worker moves each message through the folder for temporary files,
  which everyone shares. Here only their owner can read them, and they stay in the queue's folder.

There are no broadcasts here, so Celery leaves out its remote control, which nothing uses. Decision 65 says what could
be changed in kombu instead.
"""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import suppress
from json import dumps, loads
from pathlib import Path
from queue import Empty
from time import monotonic_ns
from typing import Any

import structlog
from kombu.transport import TRANSPORT_ALIASES, virtual

from scorekeeper.common.private_files import write_private_file

log = structlog.get_logger("tailgunner.queue")

SCHEME = "files"
MAX_WAIT_SECONDS = 0.2  # seconds that a worker waits for a message before it checks whether it should stop


class Channel(virtual.Channel):
    """The queues in the folder that is the transport's option `folder`.

    Their messages appear complete or not at all.
    """

    @property
    def _folder(self) -> Path:
        return Path(self.connection.client.transport_options["folder"])

    def _put(self, queue: str, message: Any, **_options: Any) -> None:
        # Readers sort by name, so the oldest comes first. They skip files that do not end in the queue's name.
        name = f"{monotonic_ns():020}_{uuid.uuid4()}"
        unfinished = self._folder / f"{name}.unfinished"
        write_private_file(unfinished, dumps(message))
        unfinished.replace(self._folder / f"{name}.{queue}.msg")

    def _get(self, queue: str, timeout: float | None = None) -> Any:
        for message in sorted(self._list_messages(queue)):
            taken = message.with_name(f"{message.stem}.taken")
            with suppress(FileNotFoundError):  # another worker was first
                message.rename(taken)
                content = taken.read_bytes()
                taken.unlink()
                if (payload := _read_message(content)) is not None:
                    return payload
                log.warning("damaged_message_dropped", queue=queue, file=message.name)
        raise Empty

    def _size(self, queue: str) -> int:
        return len(list(self._list_messages(queue)))

    def _purge(self, queue: str) -> int:
        messages = list(self._list_messages(queue))
        for message in messages:
            message.unlink(missing_ok=True)
        return len(messages)

    def _list_messages(self, queue: str) -> Iterator[Path]:
        return (path for path in self._folder.iterdir() if path.name.partition(".")[2] == f"{queue}.msg")


def _read_message(content: bytes) -> dict[str, Any] | None:
    """Return a message; None if it is damaged."""
    try:
        payload = loads(content.decode())
    except ValueError:
        return None
    return payload if isinstance(payload, dict) and {"body", "headers", "properties"} <= payload.keys() else None


class Transport(virtual.Transport):
    """The transport with that channel.

    Every process declares the queues that it uses, so which queues an exchange has needs no file.
    """

    Channel = Channel
    driver_type = driver_name = "files"
    _declared = virtual.BrokerState()

    def __init__(self, client: Any, **options: Any) -> None:
        super().__init__(client, **options)
        self.state = self._declared  # of the process: kombu declares a queue once, and not again after a reconnection

    def driver_version(self) -> str:
        """Return the version, of which there is none."""
        return "N/A"

    def drain_events(self, connection: Any, timeout: float | None = None, **_options: Any) -> None:
        """Wait for a message, but not for long, so that a worker notices when it should stop.

        Raises:
            TimeoutError: no message arrived.
        """
        super().drain_events(connection, None if timeout is None else min(timeout, MAX_WAIT_SECONDS))


def register() -> None:
    """Register the `files://` URL scheme with kombu."""
    TRANSPORT_ALIASES[SCHEME] = f"{__name__}:Transport"
