"""The number that a rider would like may have letters."""

from __future__ import annotations

from typing import Any

from django.db import migrations, models
from django.db.models import F, Value
from django.db.models.functions import LPad

import scorekeeper.bikes.number_fields


def pad_numbers(apps: Any, _editor: Any) -> None:
    """Give every number five digits."""
    apps.get_model("players", "SignUp").objects.exclude(number=None).update(number=LPad(F("number"), 5, Value("0")))


class Migration(migrations.Migration):
    """As for bikes."""

    dependencies = [("players", "0005_one_limiter"), ("bikes", "0003_numbers_with_letters")]

    operations = [
        migrations.AlterField("signup", "number", models.CharField(max_length=7, null=True, verbose_name="number")),
        migrations.RunPython(pad_numbers, migrations.RunPython.noop),
        migrations.AlterField(
            "signup",
            "number",
            scorekeeper.bikes.number_fields.BikeNumberColumn(blank=True, null=True, verbose_name="number"),
        ),
    ]
