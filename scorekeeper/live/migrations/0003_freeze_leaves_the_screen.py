"""Move the freeze from the screen to its event and contests: it now covers everything that the audience sees.

A screen that is frozen or revealing during the upgrade stays frozen, with the boards it has; its reveal has to be
started again.
"""

from __future__ import annotations

from typing import Any

from django.db import migrations


def move_freezes(apps: Any, _schema_editor: Any) -> None:
    """Keep the boards of frozen screens. The cards of that moment were not stored, so they are blank until the end."""
    screen_model, contest_model = apps.get_model("live", "Screen"), apps.get_model("events", "Contest")
    freeze_model, frozen_model = apps.get_model("events", "Freeze"), apps.get_model("standings", "FrozenStandings")
    for screen in screen_model.objects.exclude(phase="live").exclude(frozen_at=None):
        freeze_model.objects.create(event_id=screen.event_id, at=screen.frozen_at, version=1)
        contests = contest_model.objects.filter(event_id=screen.event_id, pk__in=screen.frozen_boards)
        frozen_model.objects.bulk_create(
            frozen_model(contest=contest, board=screen.frozen_boards[str(contest.pk)], cards=[]) for contest in contests
        )


class Migration(migrations.Migration):
    dependencies = [
        ("events", "0009_freeze"),
        ("live", "0002_plain_names"),
        ("standings", "0011_frozen_standings"),
    ]

    operations = [
        migrations.RunPython(move_freezes, migrations.RunPython.noop),
        migrations.RemoveField(model_name="screen", name="frozen_at"),
        migrations.RemoveField(model_name="screen", name="frozen_boards"),
        migrations.RemoveField(model_name="screen", name="phase"),
        migrations.RemoveField(model_name="screen", name="steps"),
    ]
