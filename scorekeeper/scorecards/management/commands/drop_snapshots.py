"""`manage.py drop_snapshots`: drops the snapshots of all cards, so that each is folded again from its log."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand
from django.utils.translation import ngettext

from scorekeeper.ledger.models import Chain


class Command(BaseCommand):
    help = (
        "Drops the snapshots of all scorecards. Nothing is lost: the next entry on a scorecard replays its log and "
        "stores a new one."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        count = Chain.objects.exclude(snapshot="").update(snapshot="")
        text = ngettext("%(count)s snapshot dropped.", "%(count)s snapshots dropped.", count)
        self.stdout.write(text % {"count": count})
