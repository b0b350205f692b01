"""Metrics of how far the standings are behind the log."""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import F, Max, Min
from django.db.models.functions import Coalesce
from django.utils import timezone
from prometheus_client.core import GaugeMetricFamily

from scorekeeper.ledger.models import Entry, StaleCard


def read_lag() -> Iterator[GaugeMetricFamily]:
    """Return how many cards (or whole contests) are not yet in the standings, and how long the oldest has waited.

    A card has waited since the last entry of its chain, a contest since the last entry of its own chain.
    """
    yield GaugeMetricFamily(
        "tailgunner_outdated", "Cards and contests with entries not yet in the standings", StaleCard.objects.count()
    )
    chains = StaleCard.objects.annotate(chain=Coalesce(F("card_id"), F("contest_id"))).values("chain")
    last = Entry.objects.filter(chain_id__in=chains).values("chain_id").annotate(last=Max("at"))
    oldest = last.aggregate(oldest=Min("last"))["oldest"]
    waited = (timezone.now() - oldest).total_seconds() if oldest else 0.0
    help_text = "Age of the oldest entry not yet in the standings"
    yield GaugeMetricFamily("tailgunner_standings_lag_seconds", help_text, waited)
