"""What the tables of all rooms share."""

from __future__ import annotations

import uuid

from django.db import models


class UUIDModel(models.Model):
    """A row named by a random id, which tells a stranger nothing and can be made by a client without asking."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)

    class Meta:
        abstract = True
