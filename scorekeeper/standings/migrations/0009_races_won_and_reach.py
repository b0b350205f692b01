"""Has all standings computed again: races won instead of heats won, and what can still be reached in more games."""

from django.db import migrations


def mark_standings_stale(apps, schema_editor):
    """Have the standings of every contest refreshed, whatever its status: verification compares them all."""
    contests = apps.get_model("events", "Contest").objects.filter(standings_rows__isnull=False)
    StaleCard = apps.get_model("ledger", "StaleCard")
    StaleCard.objects.bulk_create(StaleCard(contest_id=pk) for pk in contests.values_list("pk", flat=True).distinct())


class Migration(migrations.Migration):
    dependencies = [
        ("events", "0007_contests_called_route"),
        ("ledger", "0002_unchecked_people"),
        ("standings", "0008_deleting_events"),
    ]

    operations = [migrations.RunPython(mark_standings_stale, migrations.RunPython.noop)]
