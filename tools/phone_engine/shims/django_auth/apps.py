"""The shim for Django's app `auth`."""

from __future__ import annotations

from django.apps import AppConfig


class AuthConfig(AppConfig):
    """Has the label of the app that it replaces, so that foreign keys find it."""

    name = "tools.phone_engine.shims.django_auth"
    label = "auth"
    default_auto_field = "django.db.models.AutoField"
