"""`manage.py drop_snapshots`: forgets what is kept beside the logs, so that every card is folded anew."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import ngettext

from scorekeeper.scorecards.models import Chain


class Command(BaseCommand):
    help = (
        "Drops the snapshots of all scorecards. Nothing is lost: the next entry on a scorecard replays its log and "
        "stores a new one."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        count = Chain.objects.exclude(snapshot="").update(snapshot="")
        said = ngettext("%(count)s snapshot dropped.", "%(count)s snapshots dropped.", count)
        self.stdout.write(said % {"count": count})
