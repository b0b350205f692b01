"""Create the table for several screens of an event, and copy the settings of each event's only screen into it.

The old table goes in the next migration: PostgreSQL alters no table that has changed rows in the same transaction.
"""

from __future__ import annotations

import uuid
from typing import Any

import django.core.validators
import django.db.models.deletion
from django.db import migrations, models

import scorekeeper.live.models

ALL_CONTESTS = "contests"


def copy_screens(apps: Any, _schema_editor: Any) -> None:
    """Make each screen the public one of its event. An empty list of contests meant all of them."""
    new = apps.get_model("live", "EventScreen")
    new.objects.bulk_create(
        new(
            event_id=old.event_id,
            is_public=True,
            parts=old.contests or [ALL_CONTESTS],
            seconds=old.seconds,
            sponsor=old.sponsor,
            version=old.version,
        )
        for old in apps.get_model("live", "Screen").objects.all()
    )


def copy_screens_back(apps: Any, _schema_editor: Any) -> None:
    """Copy what the old table can hold: of the public screens, the contests."""
    old = apps.get_model("live", "Screen")
    contests = apps.get_model("events", "Contest")
    for new in apps.get_model("live", "EventScreen").objects.filter(is_public=True):
        known = {str(pk) for pk in contests.objects.filter(event=new.event_id).values_list("pk", flat=True)}
        chosen = [] if ALL_CONTESTS in new.parts else [part for part in new.parts if part in known]
        old.objects.create(
            event_id=new.event_id, contests=chosen, seconds=new.seconds, sponsor=new.sponsor, version=new.version
        )


class Migration(migrations.Migration):
    dependencies = [
        ("events", "0009_freeze"),
        ("live", "0003_freeze_leaves_the_screen"),
    ]

    operations = [
        migrations.CreateModel(
            name="EventScreen",
            fields=[
                ("id", models.UUIDField(default=uuid.uuid4, editable=False, primary_key=True, serialize=False)),
                ("is_public", models.BooleanField(default=False, editable=False)),
                ("name", models.CharField(blank=True, max_length=40, verbose_name="name")),
                ("parts", models.JSONField(default=scorekeeper.live.models.show_all_contests)),
                (
                    "groups",
                    models.CharField(
                        choices=[
                            ("with", "Places, then groups"),
                            ("without", "Places only"),
                            ("only", "Groups only"),
                        ],
                        default="with",
                        max_length=10,
                        verbose_name="contests that compare groups",
                    ),
                ),
                ("has_messages", models.BooleanField(default=True, verbose_name="show your messages to everyone")),
                (
                    "seconds",
                    models.PositiveSmallIntegerField(
                        default=10,
                        validators=[
                            django.core.validators.MinValueValidator(8),
                            django.core.validators.MaxValueValidator(12),
                        ],
                        verbose_name="seconds for each page",
                    ),
                ),
                (
                    "theme",
                    models.CharField(
                        choices=[
                            ("system", "As the television is set"),
                            ("day", "Day: dark letters on light"),
                            ("night", "Night: light letters on dark"),
                        ],
                        default="system",
                        max_length=10,
                        verbose_name="colours",
                    ),
                ),
                ("sponsor", models.CharField(blank=True, max_length=120, verbose_name="sponsor line")),
                ("token_digest", models.CharField(editable=False, max_length=64, null=True, unique=True)),
                ("last_seen_at", models.DateTimeField(editable=False, null=True)),
                ("version", models.PositiveBigIntegerField(default=0, editable=False)),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="screens", to="events.event"
                    ),
                ),
            ],
        ),
        migrations.RunPython(copy_screens, copy_screens_back),
    ]
