"""Give a contest with the slug "route" another slug: the page of the ride's route would hide its leaderboard."""

from typing import Any

from django.db import migrations


def move_away(apps: Any, schema_editor: Any) -> None:
    """Give it the next slug that is free in its event."""
    contests = apps.get_model("events", "Contest").objects
    for contest in contests.filter(slug="route"):
        taken = set(contests.filter(event_id=contest.event_id).values_list("slug", flat=True))
        number = 2
        while f"route-{number}" in taken:
            number += 1
        contests.filter(pk=contest.pk).update(slug=f"route-{number}")


class Migration(migrations.Migration):
    dependencies = [("events", "0006_practice_accounts_deletion")]

    operations = [migrations.RunPython(move_away, migrations.RunPython.noop)]
