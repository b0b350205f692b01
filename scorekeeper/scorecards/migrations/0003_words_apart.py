"""Take names and reasons out of the operations' bodies: they stand in tables of their own, where they can be erased.

What was taken out is still in those tables, but nobody could put it back, so the way back changes nothing.
"""

from django.db import migrations

WORDS = ("reason", "rider", "passenger")


def take_out(apps, schema_editor):
    Operation = apps.get_model("scorecards", "Operation")
    for operation in Operation.objects.order_by("pk").iterator(chunk_size=500):
        if any(name in operation.body for name in WORDS):
            operation.body = {name: value for name, value in operation.body.items() if name not in WORDS}
            operation.save(update_fields=["body"])


class Migration(migrations.Migration):
    dependencies = [("scorecards", "0002_append_only")]

    operations = [migrations.RunPython(take_out, migrations.RunPython.noop)]
