"""The Celery application: everything about it is read from the settings called CELERY_*."""

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
    """Keep Celery from setting up logging by itself, which would hide whatever is below a warning."""
    logs.configure(settings.LOGGING)


@worker_init.connect
def _prepare_worker(**_: Any) -> None:
    """Let a worker keep its connections and log its tasks. Its statements are not limited: its tasks are."""
    database.use_persistent_connections()
    log_tasks()
