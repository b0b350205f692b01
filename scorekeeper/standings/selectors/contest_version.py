"""The version of a contest, which changes whenever anything that its organisers see of it has changed.

It takes twelve statements however large the contest is, and folds and ranks nothing. Most of it is numbers that only
grow: how often the standings were refreshed, how long the log is. Names and stops have no such number, so they are
read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models import CharField, Count, Max, Q, QuerySet, Sum
from django.db.models.functions import Cast
from django.forms import model_to_dict

from scorekeeper.bikes.models import Bike
from scorekeeper.crew.models import Group
from scorekeeper.events.models import Contest
from scorekeeper.ledger.canonical import sha256
from scorekeeper.ledger.models import Chain, CutWitness, OperationReason
from scorekeeper.players.models import ClassMember, EventClass, Player
from scorekeeper.standings.models import ChancesReport, LuckReport, Revision, StandingsState
from scorekeeper.standings.selectors.chances_reports import has_chances
from scorekeeper.stops.models import Slot

BIKE_IDS, BIKE_COLUMNS = (
    ("id", "group", "merged_into"),
    (
        "number",
        "suffix",
        "make",
        "model",
        "did_not_start",
        "sheet",
    ),
)
CLASS_MEMBER_IDS = ("event_class", "bike", "player")
PLAYER_IDS, PLAYER_COLUMNS = ("id", "bike"), ("name", "role")


def get_contest_version(contest: Contest) -> str:
    """Return a digest of everything that the standings, scorecards and results of a contest are made from.

    It tells that something was recorded, so the audience of a freeze must not get it.
    """
    event = contest.event
    chains = Chain.objects.filter(Q(pk=contest.pk) | Q(card__contest=contest) | Q(pk=event.pk))
    parts = (
        [event.name, event.slug, event.date, event.time_zone, event.people_shown, event.state, event.is_practice],
        [contest.status, contest.prizes, *sorted(model_to_dict(contest).items())],
        list(StandingsState.objects.filter(pk=contest.pk).values_list("version", "changed_at")),
        list(chains.aggregate(Sum("length"), Count("pk")).values()),
        list(_list_odds_reports(contest)),
        list(Revision.objects.filter(contest=contest).aggregate(Max("number")).values()),
        list(Slot.objects.filter(contest=contest).values_list("pk", "ordinal", "stop__name")),
        list(Group.objects.filter(event=event).values_list("pk", "ordinal", "name")),
        _list_rows(Bike.entrants.filter(event=event), BIKE_IDS, BIKE_COLUMNS),
        _list_rows(Player.objects.filter(event=event), PLAYER_IDS, PLAYER_COLUMNS),
        list(EventClass.objects.filter(event=event).values_list("pk", "ordinal", "name")),
        _list_rows(ClassMember.objects.filter(event_class__event=event), CLASS_MEMBER_IDS, ()),
        [OperationReason.objects.filter(operation__event=event).count()],  # they may be erased
        list(CutWitness.objects.filter(operation__event=event).order_by("pk").values_list("pk", "name")),
    )
    return sha256(repr(parts))


def _list_odds_reports(contest: Contest) -> QuerySet[Any, tuple[Any, ...]]:
    """Return what changes with the odds that are shown: the chances to win while the contest is open, then luck."""
    if has_chances(contest):
        return ChancesReport.objects.filter(pk=contest.pk).values_list("version")
    return LuckReport.objects.filter(pk=contest.pk).values_list("source")


def _list_rows(rows: QuerySet[Any], ids: Sequence[str], columns: Sequence[str]) -> list[tuple[Any, ...]]:
    """Return the rows with their ids as texts: making objects of thousands of ids would take longer than all else."""
    texts = [Cast(name, CharField()) for name in ids]
    return list(rows.order_by("pk").values_list(*texts, *columns))
