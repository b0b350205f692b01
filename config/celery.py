"""The Celery application, configured by the settings CELERY_*."""

import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging, worker_init
from django.conf import settings

from config import broker, database, logs
from scorekeeper.common import file_queue
from scorekeeper.common.task_log import log_tasks

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

file_queue.register()
app = Celery("tailgunner", amqp=broker.Amqp)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@setup_logging.connect
def _configure_logging(**_: Any) -> None:
    """Prevent Celery's own logging setup, which would hide everything below a warning."""
    logs.configure(settings.LOGGING)


@worker_init.connect
def _prepare_worker(**_: Any) -> None:
    """Use persistent connections, and log and record tasks in a worker.

    Its tasks have a time limit; its statements have none.
    """
    from scorekeeper.common.task_runs import record_task_runs  # Django is set up only now

    database.use_persistent_connections()
    log_tasks()
    record_task_runs()
