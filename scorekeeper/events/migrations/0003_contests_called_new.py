"""Give a contest with the slug "new" another slug: the page that creates a contest hid its organiser pages."""

from typing import Any

from django.db import migrations


def move_away(apps: Any, schema_editor: Any) -> None:
    """Give it the next slug that is free in its event."""
    contests = apps.get_model("events", "Contest").objects
    for contest in contests.filter(slug="new"):
        taken = set(contests.filter(event_id=contest.event_id).values_list("slug", flat=True))
        number = 2
        while f"new-{number}" in taken:
            number += 1
        contests.filter(pk=contest.pk).update(slug=f"new-{number}")


class Migration(migrations.Migration):
    dependencies = [("events", "0002_former_organisers")]

    operations = [migrations.RunPython(move_away, migrations.RunPython.noop)]
