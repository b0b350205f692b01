from django.db import migrations, models


def mark_open_contests_stale(apps, schema_editor):
    """Have the standings of every open contest refreshed: what can still be reached is folded from the log."""
    contests = apps.get_model("events", "Contest").objects.filter(status="open", standings_rows__isnull=False)
    Outdated = apps.get_model("scorecards", "Outdated")
    Outdated.objects.bulk_create(Outdated(contest_id=pk) for pk in contests.values_list("pk", flat=True).distinct())


class Migration(migrations.Migration):

    dependencies = [
        ('standings', '0003_no_truncate'),
        ('scorecards', '0004_no_truncate'),
        ('events', '0002_former_organisers'),
    ]
    run_before = [("scorecards", "0010_plain_names")]  # which renames the model that this one writes

    operations = [
        migrations.AddField(
            model_name='standingsrow',
            name='best_total',
            field=models.BigIntegerField(null=True),
        ),
        migrations.AddField(
            model_name='standingsrow',
            name='worst_total',
            field=models.BigIntegerField(null=True),
        ),
        migrations.RunPython(mark_open_contests_stale, migrations.RunPython.noop),
    ]
