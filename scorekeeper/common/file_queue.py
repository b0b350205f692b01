"""The queue of files that Celery uses where there is no Redis: kombu's own, with messages put down whole.

Kombu writes a message under the name that readers look for, so a worker may find one half written and die of it. Here
it is written under another name first and renamed when it is complete.
"""

from __future__ import annotations

import uuid
from json import dumps
from pathlib import Path
from time import monotonic_ns
from typing import Any

from kombu.transport import TRANSPORT_ALIASES, filesystem

SCHEME = "files"
MAX_WAIT_SECONDS = 0.2  # seconds that a worker waits for a message before it checks whether it has been stopped


class Channel(filesystem.Channel):
    """A channel whose messages appear at once or not at all."""

    # kombu calls the second argument by two names in two places, and passes it by none.
    def _put(self, queue: Any, payload: Any, **_kwargs: Any) -> Any:  # type: ignore[override]
        folder = Path(self.data_folder_out)
        # Readers sort by name, so the oldest comes first; what does not end in the queue's name they pass over.
        name = f"{monotonic_ns():020}_{uuid.uuid4()}"
        unfinished = folder / f"{name}.unfinished"
        unfinished.write_text(dumps(payload), encoding="utf-8")
        unfinished.replace(folder / f"{name}.{queue}.msg")


class Transport(filesystem.Transport):
    """Kombu's transport with that channel."""

    Channel = Channel

    def drain_events(self, connection: Any, timeout: float | None = None, **_kwargs: Any) -> None:
        """Wait for a message, but not for long, so that a worker that has been stopped notices it.

        Raises:
            TimeoutError: none has come.
        """
        super().drain_events(connection, None if timeout is None else min(timeout, MAX_WAIT_SECONDS))


def register() -> None:
    """Make `files://` an address that kombu understands."""
    TRANSPORT_ALIASES[SCHEME] = f"{__name__}:Transport"
