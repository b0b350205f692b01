"""Instead of `django.contrib.auth.models`: only an organiser's name."""

from __future__ import annotations

from django.db import models


class User(models.Model):
    """An organiser, as named in the history of a scorecard."""

    username = models.CharField(max_length=150)

    class Meta:
        app_label = "auth"

    def __str__(self) -> str:
        return self.username
