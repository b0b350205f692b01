"""How Celery reaches its broker, and into which queues the work goes.

Terms: a *queue* holds one kind of work, so that what is slow never stands before what is quick. A worker without `-Q`
serves all of them.

Every number is in seconds.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from celery.app.amqp import AMQP
from kombu import connection
from kombu.entity import Exchange, Queue

REFRESH_QUEUE, SLOW_QUEUE = "follow", "slow"
_exchange = Exchange("tailgunner", type="direct")
# Without a key of its own each queue would get a copy of everything.
QUEUES = [Queue(name, _exchange, routing_key=name) for name in (REFRESH_QUEUE, SLOW_QUEUE)]
# Whatever is not named here is slow: a new task cannot hold up the leaderboards by being forgotten.
TASK_ROUTES = {"standings.follow": {"queue": REFRESH_QUEUE}}

MAX_TASK_SECONDS = 300
RETRY_INTERVAL = 2  # between two attempts of a worker to reach a broker that is away

REDIS_OPTIONS: dict[str, Any] = {
    # A message whose worker was killed with everything it knew comes back after this time. It must be longer than any
    # task, or a second worker would begin beside the first; the sweeper is there long before.
    "visibility_timeout": MAX_TASK_SECONDS + 60,
    "socket_connect_timeout": 1,
    # Longer than a worker waits for the next message (1); a Redis that hangs is noticed by it.
    "socket_timeout": 5,
    "socket_keepalive": True,
    "health_check_interval": 10,
    # Whoever sends tries once; what happens then is for scorekeeper.common.dispatch to say.
    "max_retries": 0,
}


def make_file_options(folder: Path) -> dict[str, Any]:
    """Return the options of a queue of files in the folder."""
    queue, control = folder / "queue", folder / "control"
    for made in (queue, control):
        made.mkdir(exist_ok=True)
    return {"data_folder_in": queue, "data_folder_out": queue, "control_folder": control, "polling_interval": 0.05}


class Connection(connection.Connection):
    """A connection that is tried again at a steady pace.

    By itself it would wait longer each time, up to half a minute, and so would the standings once the broker is back.
    """

    def ensure_connection(self, *args: Any, **kwargs: Any) -> Connection:
        """Return once there is a connection; see kombu for the arguments."""
        connected: Connection = super().ensure_connection(*args, **{"interval_max": RETRY_INTERVAL, **kwargs})
        return connected


class Amqp(AMQP):
    """What Celery makes its connections by."""

    Connection = Connection
