"""The Celery application: everything about it is read from the settings called CELERY_*."""

import os
import signal
from typing import Any

from celery import Celery
from celery.signals import beat_embedded_init, setup_logging, worker_init
from django.conf import settings

from config import broker, database, logs
from scorekeeper.common import file_queue
from scorekeeper.common.supervisor import end_with_parent
from scorekeeper.common.task_log import log_tasks

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

file_queue.register()
app = Celery("tailgunner", amqp=broker.Amqp)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def _log_as_everybody(**_: Any) -> None:
    """Keep Celery from setting up logging by itself, which would hide whatever is below a warning."""
    logs.configure(settings.LOGGING)


@worker_init.connect
def _prepare(**_: Any) -> None:
    """Let a worker keep its connections and log its tasks. Its statements are not limited: its tasks are."""
    database.keep_connections()
    log_tasks()


@worker_init.connect
def _tie_scheduler(**_: Any) -> None:
    """Let the scheduler inside a worker (`-B`, a process of its own) end with it, however the worker ends.

    A worker asks its scheduler to stop only when it ends in order, and the scheduler misses even that while it starts.
    """
    worker = os.getpid()

    def tie(**_: Any) -> None:
        end_with_parent(worker, signal.SIGKILL)

    beat_embedded_init.connect(tie, weak=False)
