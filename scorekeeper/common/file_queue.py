"""The file-based broker that Celery uses without Redis: kombu's own, with atomic writes and private files.

Kombu writes a message under the name that readers look for, so a worker may read one that is half written, and crash.
Here a message is written under another name first and renamed once it is complete. So is the table that says which
queues an exchange has.

A power cut can still leave files empty or damaged, at which kombu's workers die, and again after each restart. Here a
damaged message is dropped and logged: the sweeper finds the work that it was about. A damaged table is made again.

Kombu's files can be read by everyone on the machine, and a worker moves each message through the folder for temporary
files, which everyone shares. Here only their owner can read them, and they stay in the queue's folder.
"""

from __future__ import annotations

import fcntl
import os
import uuid
from collections.abc import Callable
from contextlib import suppress
from json import dumps, loads
from pathlib import Path
from queue import Empty
from time import monotonic_ns
from typing import Any

import structlog
from kombu.exceptions import ChannelError
from kombu.transport import TRANSPORT_ALIASES, filesystem

from scorekeeper.common.private_files import make_private_folder, write_private_file
from scorekeeper.common.whole_files import write_whole

log = structlog.get_logger("tailgunner.queue")

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
                content = taken.read_bytes()
                taken.unlink()
                if (payload := _read_message(content)) is not None:
                    return payload
                log.warning("damaged_message_dropped", queue=queue, file=message.name)
        raise Empty

    def get_table(self, exchange: str) -> list[Any]:
        """Return which queues an exchange has: those of ours, and those in its file as far as it can be read."""
        rows = [
            *self.transport_options.get("bindings", {}).get(exchange, ()),
            *_read_table(self._exchange_file(exchange)),
        ]
        return [filesystem.exchange_queue_t(*row) for row in dict.fromkeys(rows)]

    def _queue_bind(self, exchange: str, routing_key: str, pattern: str, queue: str) -> None:
        bound = (routing_key or "", pattern or "", queue or "")
        self._change_table(exchange, lambda rows: rows if bound in rows else [bound, *rows])

    def _delete(self, queue: str, exchange: str, routing_key: str, pattern: str, *_args: Any, **_options: Any) -> None:
        unbound = (routing_key or "", pattern or "", queue or "")
        self._purge(queue)
        self._change_table(exchange, lambda rows: [row for row in rows if row != unbound])

    def _change_table(self, exchange: str, change: Callable[[list[Binding]], list[Binding]]) -> None:
        """Write the table of an exchange anew, as a whole, if that changes it; one process at a time."""
        file = self._exchange_file(exchange)
        make_private_folder(self.control_folder)
        descriptor = os.open(self.control_folder, os.O_RDONLY)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX)
            before = _read_table(file)
            after = change(before)
            if after != before or not file.exists():
                write_whole(file, [dumps(after).encode()], 0o600)
        except OSError as error:
            raise ChannelError(f"Cannot write {file}") from error
        finally:
            os.close(descriptor)


Binding = tuple[str, str, str]  # routing key, pattern, queue


def _read_table(file: Path) -> list[Binding]:
    """Return the bindings in the file of an exchange; none if it is missing or damaged."""
    try:
        rows = [tuple(row) for row in loads(file.read_bytes().decode())]
    except (OSError, ValueError, TypeError):
        return []
    size = len(filesystem.exchange_queue_t._fields)
    return [row for row in rows if len(row) == size and all(isinstance(part, str) for part in row)]


def _read_message(content: bytes) -> dict[str, Any] | None:
    """Return a message; None if it is damaged."""
    try:
        payload = loads(content.decode())
    except ValueError:
        return None
    return payload if isinstance(payload, dict) and {"body", "headers", "properties"} <= payload.keys() else None


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
