"""Deleting old messages, with their attempts."""

from __future__ import annotations

import datetime as dt

from django.utils import timezone

from scorekeeper.webhooks.models import WebhookDelivery

LIFETIME = dt.timedelta(days=30)


def delete_old_deliveries() -> None:
    """Delete the messages that are older than `LIFETIME`. The sweeper runs it."""
    WebhookDelivery.objects.filter(created_at__lt=timezone.now() - LIFETIME).delete()
