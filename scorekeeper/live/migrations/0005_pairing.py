"""Replace the old table of screens by the new one, and add what pairing needs."""

from __future__ import annotations

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("live", "0004_several_screens"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.DeleteModel("Screen"),
        migrations.RenameModel("EventScreen", "Screen"),
        migrations.AddConstraint(
            "Screen",
            models.UniqueConstraint(
                condition=models.Q(("is_public", True)), fields=("event",), name="one_public_screen_per_event"
            ),
        ),
        migrations.AddConstraint(
            "Screen",
            models.CheckConstraint(
                condition=models.Q(
                    models.Q(("is_public", True), ("token_digest", None)),
                    models.Q(("is_public", False), ("token_digest__isnull", False)),
                    _connector="OR",
                ),
                name="screen_public_or_paired",
            ),
        ),
        migrations.CreateModel(
            name="PairingCode",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("address_digest", models.CharField(db_index=True, editable=False, max_length=64)),
                ("token_digest", models.CharField(editable=False, max_length=64, unique=True)),
                ("code", models.CharField(editable=False, max_length=6, unique=True)),
                ("expires_at", models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.CreateModel(
            name="PairingAttempt",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("at", models.DateTimeField(db_index=True)),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
    ]
