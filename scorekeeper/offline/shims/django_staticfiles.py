"""The app `django.contrib.staticfiles` without what finds and collects files: only `{% static %}` asks for it."""

from __future__ import annotations

from django.apps import AppConfig


class StaticFilesConfig(AppConfig):
    """Makes `{% static %}` ask the stand-in of the storage."""

    name = "django.contrib.staticfiles"
    label = "staticfiles"
