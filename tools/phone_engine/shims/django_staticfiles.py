"""The app `django.contrib.staticfiles` without finding and collecting files: only `{% static %}` needs it."""

from __future__ import annotations

from django.apps import AppConfig


class StaticFilesConfig(AppConfig):
    """Makes `{% static %}` use the shim of the storage."""

    name = "django.contrib.staticfiles"
    label = "staticfiles"
