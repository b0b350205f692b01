"""The kinds of messages that webhooks get. The values are in messages, so they never change."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class MessageKind(models.TextChoices):
    """What a message says."""

    STANDINGS_CHANGED = "standings.changed", _("The public standings have changed")
    RESULTS_PUBLISHED = "results.published", _("Official results were published")
    PING = "ping", _("Test")


# An organiser chooses among these. A test is sent to any webhook, when the organiser asks for it.
CHOOSABLE = (MessageKind.STANDINGS_CHANGED, MessageKind.RESULTS_PUBLISHED)
