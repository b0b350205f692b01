"""Bikes' numbers become texts that sort as numbers do, so that 12A can be one."""

from __future__ import annotations

from typing import Any

from django.db import migrations, models
from django.db.models import F, Value
from django.db.models.functions import LPad

import scorekeeper.bikes.number_fields

UNIQUE = models.UniqueConstraint(
    condition=models.Q(merged_into=None), fields=("event", "number", "suffix"), name="bike_number_once_per_event"
)


def pad_numbers(apps: Any, _editor: Any) -> None:
    """Give every number five digits."""
    apps.get_model("bikes", "Bike").objects.update(number=LPad(F("number"), 5, Value("0")))


class Migration(migrations.Migration):
    """Change the column by way of a plain text; going back turns the padded texts into integers again."""

    dependencies = [("bikes", "0002_did_not_start")]

    operations = [
        migrations.RemoveConstraint(model_name="bike", name="bike_number_once_per_event"),
        migrations.AlterField("bike", "number", models.CharField(max_length=7, verbose_name="number")),
        migrations.RunPython(pad_numbers, migrations.RunPython.noop),
        migrations.AlterField("bike", "number", scorekeeper.bikes.number_fields.BikeNumberColumn(verbose_name="number")),
        migrations.AddConstraint(model_name="bike", constraint=UNIQUE),
    ]
