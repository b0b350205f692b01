"""What was computed of the chances in contests, and which of them are due to be computed again.

Terms: the *source* of a contest's chances is a digest that differs whenever they may have changed: how often its
standings were refreshed, how long the event's own log is, how many bikes there are, the prizes and the rules. The
chances are no part of it, so computing them never asks for them again.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import NamedTuple
from uuid import UUID

from django.db.models import Count, F, OuterRef, Q, QuerySet, Subquery

from games.core.chances import PlaceChances
from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.ledger.models import Chain
from scorekeeper.standings.chances import ClassChances, ContestChances
from scorekeeper.standings.models import ChancesReport

CLASSES = "classes"  # the key of the chances by class among those by entrant, stored


class ChancesSource(NamedTuple):
    """What the chances of a contest are computed from.

    Attributes:
        changed_at: when its standings last changed.
        rules: a digest of its rules.
        report: what was computed before; None if nothing was.
    """

    contest: Contest
    digest: str
    changed_at: dt.datetime | None
    rules: str
    report: ChancesReport | None

    @property
    def is_stale(self) -> bool:
        """Whether the chances have to be computed: they may have changed, and their rules are not too large."""
        report = self.report
        return report is None or (report.source != self.digest and report.unknown_rules != self.rules)


def has_chances(contest: Contest) -> bool:
    """Return whether there may be chances to tell: the contest is open, and set to tell them."""
    return contest.status == Contest.Status.OPEN and contest.shows_chances


def list_chances_sources(contest_id: UUID | None = None) -> list[ChancesSource]:
    """Return the sources of all contests with chances, or of one, in one statement.

    Contests in which nothing was recorded are left out.
    """
    contests = Contest.objects.filter(
        status=Contest.Status.OPEN, event__state=Event.State.OPEN, standings_state__isnull=False
    )
    if contest_id is not None:
        contests = contests.filter(pk=contest_id)
    contests = contests.exclude(odds_shown=Contest.OddsShown.OFF).select_related("chances_report")
    annotated = contests.defer("chances_report__chances").annotate(
        standings_version=F("standings_state__version"),
        standings_changed_at=F("standings_state__changed_at"),
        event_log=Subquery(Chain.objects.filter(pk=OuterRef("event_id")).values("length")),
        bike_count=Subquery(_count_bikes()),
    )
    return [_make_source(contest) for contest in annotated if has_chances(contest)]


def _count_bikes() -> QuerySet[Bike, int]:
    is_sheet = Q(sheet_of=None) | Q(sheet_contest=OuterRef("pk"))
    bikes = Bike.entrants.filter(is_sheet, event=OuterRef("event_id"), merged_into=None).order_by()
    return bikes.values("event").annotate(count=Count("pk")).values_list("count", flat=True)


def _make_source(contest: Contest) -> ChancesSource:
    # mypy does not know annotations.
    seen = {name: getattr(contest, name) for name in ("standings_version", "event_log", "bike_count", "prizes")}
    rules = sha256(canonical_json([contest.game_key, contest.rules_version, contest.options]))
    changed_at = getattr(contest, "standings_changed_at", None)
    report = getattr(contest, "chances_report", None)
    return ChancesSource(contest, sha256(canonical_json([rules, seen])), changed_at, rules, report)


def get_contest_chances(contest: Contest) -> ContestChances | None:
    """Return the chances of a contest that were computed last; None if it tells none. One statement, or none."""
    if not has_chances(contest):
        return None
    report = ChancesReport.objects.filter(pk=contest.pk).first()
    if report is None:
        return ContestChances(None, 0, 0, {})
    # The rules cannot change once anything is recorded, and nothing is known of the chances before.
    is_known = not report.unknown_rules
    stored = dict(report.chances)
    classes = {
        UUID(class_id): ClassChances(own["places"], own["yet_to_start"], _read_chances(own["chances"]))
        for class_id, own in stored.pop(CLASSES, {}).items()
    }
    return ContestChances(report.as_of, report.places, report.yet_to_start, _read_chances(stored), is_known, classes)


def _read_chances(data: Mapping[str, tuple[float, float]]) -> dict[UUID, PlaceChances]:
    return {UUID(entrant): PlaceChances(*chances) for entrant, chances in data.items()}
