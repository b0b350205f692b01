"""Riders may ask for a group, and organisers mark whom they have told of the decision."""

from __future__ import annotations

from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F


def mark_decided_as_told(apps: Any, _editor: Any) -> None:
    """Until now, how to reach a rider was erased with the decision, so nothing is left to tell them with."""
    apps.get_model("players", "SignUp").objects.exclude(decision="").update(told_at=F("decided_at"))


class Migration(migrations.Migration):
    """Sign-ups without a decision stay as they are."""

    dependencies = [("crew", "0009_invitation_as_secret_link"), ("players", "0006_numbers_with_letters")]

    operations = [
        migrations.AddField(
            "signup",
            "group",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="crew.group",
                verbose_name="group",
            ),
        ),
        migrations.AddField("signup", "told_at", models.DateTimeField(null=True)),
        migrations.RunPython(mark_decided_as_told, migrations.RunPython.noop),
    ]
