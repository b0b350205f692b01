"""The Celery application: everything about it is read from the settings called CELERY_*."""

import os

from celery import Celery

from scorekeeper.common import file_queue

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

file_queue.register()
app = Celery("tailgunner")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
