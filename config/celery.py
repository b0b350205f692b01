"""The Celery application: everything about it is read from the settings called CELERY_*."""

import os
import signal
from typing import Any

from celery import Celery
from celery.signals import beat_embedded_init, worker_init

from scorekeeper.common import file_queue
from scorekeeper.common.supervisor import end_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

file_queue.register()
app = Celery("tailgunner")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_init.connect
def _tie_scheduler(**_: Any) -> None:
    """Let the scheduler inside a worker (`-B`, a process of its own) end with it, however the worker ends.

    A worker asks its scheduler to stop only when it ends in order, and the scheduler misses even that while it starts.
    """
    worker = os.getpid()

    def tie(**_: Any) -> None:
        end_with_parent(worker, signal.SIGKILL)

    beat_embedded_init.connect(tie, weak=False)
