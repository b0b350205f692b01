"""Settings, URLs and entry points of the Django project; the Celery app is loaded with it."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
