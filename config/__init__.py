"""Settings, URLs and entry points of the Django project; the Celery app is loaded with it."""

import gc

# A program starts with some hundred thousand objects that stay. Python looked for garbage after every 700 new ones,
# a tenth of the time of a start.
gc.set_threshold(50_000)

from config.celery import app as celery_app  # noqa: E402 - what it imports is most of a start

__all__ = ["celery_app"]
