"""Remove names and reasons from the operations' bodies: they have their own tables, from which they can be erased.

What is removed is still in those tables, but cannot be put back, so reversing this changes nothing.
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
