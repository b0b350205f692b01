"""Celery's connection to its broker, and its queues.

Terms: a *queue* contains one kind of work, so that slow tasks never delay quick ones; it has workers of its own. A
worker without `-Q` serves all queues.

All numbers are in seconds.
"""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from celery.app.amqp import AMQP
from kombu import connection
from kombu.entity import Exchange, Queue

from scorekeeper.common.private_files import make_private, make_private_folder

REFRESH_QUEUE, SLOW_QUEUE, WEBHOOK_QUEUE, PUSH_QUEUE = "follow", "slow", "webhooks", "push"
_exchange = Exchange("tailgunner", type="direct")
# Without a routing key of its own, each queue would get a copy of every message.
QUEUES = [Queue(name, _exchange, routing_key=name) for name in (REFRESH_QUEUE, SLOW_QUEUE, WEBHOOK_QUEUE, PUSH_QUEUE)]
# All other tasks go to the slow queue, so a new task that is forgotten here cannot delay the leaderboards.
TASK_ROUTES = {
    "standings.follow": {"queue": REFRESH_QUEUE},
    "webhooks.deliver": {"queue": WEBHOOK_QUEUE},
    "push.send": {"queue": PUSH_QUEUE},
    **{f"common.heartbeat_{queue.name}": {"queue": queue.name} for queue in QUEUES},
}

MAX_TASK_SECONDS = 300
RETRY_INTERVAL = 2  # between two attempts of a worker to reach a broker that is down

REDIS_OPTIONS: dict[str, Any] = {
    # A message whose worker was killed is delivered again after this time. It must be longer than any task, or a second
    # worker would start the same task. The sweeper finds the work long before.
    "visibility_timeout": MAX_TASK_SECONDS + 60,
    "socket_connect_timeout": 1,
    # Longer than a worker waits for the next message (1). It detects a Redis that hangs.
    "socket_timeout": 5,
    "socket_keepalive": True,
    "health_check_interval": 10,
    # A sender tries once; scorekeeper.common.dispatch handles failures.
    "max_retries": 0,
}


def make_file_options(folder: Path) -> dict[str, Any]:
    """Return the options of a file-based broker in the folder, which only its owner can read."""
    queue = folder / "queue"
    for path in (folder, queue):
        make_private_folder(path)
        make_private(path)  # older versions created it for everyone
    shutil.rmtree(folder / "control", ignore_errors=True)  # older versions wrote there which queues there are
    return {"folder": queue, "polling_interval": 0.05}


class Connection(connection.Connection):
    """A connection that retries at a constant interval.

    kombu's own waits longer each time, up to half a minute. The standings would then be late when the broker is back.
    """

    def ensure_connection(self, *args: Any, **kwargs: Any) -> Connection:
        """Wait until there is a connection, and return it; see kombu for the arguments."""
        connected: Connection = super().ensure_connection(*args, **{"interval_max": RETRY_INTERVAL, **kwargs})
        return connected


class Amqp(AMQP):
    """Celery's AMQP support, with our connection class."""

    Connection = Connection
