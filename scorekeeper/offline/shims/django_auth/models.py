"""Instead of `django.contrib.auth.models`: an organiser's name, and nothing else of an account."""

from __future__ import annotations

from django.db import models


class User(models.Model):
    """Somebody at the desk, as the history of a card names them."""

    username = models.CharField(max_length=150)

    class Meta:
        app_label = "auth"

    def __str__(self) -> str:
        return self.username
