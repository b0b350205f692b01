"""Creating and changing seasons: their rounds, and who of one round is who of another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.contrib.auth.models import User
from django.db import transaction

from scorekeeper.common.security_log import log_change
from scorekeeper.common.share_slugs import make_share_slug
from scorekeeper.events.models import Contest
from scorekeeper.seasons.models import MAX_ROUNDS, Season, SeasonLink, SeasonRider, SeasonRound
from scorekeeper.seasons.selectors import get_finishes, list_linked_rounds


class TooManyRounds(Exception):
    """The season has `MAX_ROUNDS` rounds."""


class SameRound(Exception):
    """Two riders took part in one round, so they are two people."""


def create_season(
    user: User, *, name: str, points: Sequence[int], points_below: int, best_count: int | None, is_listed: bool
) -> Season:
    """Return a new season without rounds."""
    return Season.objects.create(
        name=name,
        slug=make_share_slug(name, "season"),
        points=list(points),
        points_below=points_below,
        best_count=best_count,
        is_listed=is_listed,
        created_by=user,
    )


def change_season(
    season: Season, *, name: str, points: Sequence[int], points_below: int, best_count: int | None, is_listed: bool
) -> None:
    """Change a season. Its slug stays, because people have shared its address."""
    season.name, season.points, season.points_below = name, list(points), points_below
    season.best_count, season.is_listed = best_count, is_listed
    season.save(update_fields=["name", "points", "points_below", "best_count", "is_listed"])


@transaction.atomic
def add_round(season: Season, contest: Contest) -> SeasonRound:
    """Return the round of a contest, which is added unless it is there.

    Raises:
        TooManyRounds: the season is full.
    """
    lock_season(season)
    there = season.rounds.filter(contest=contest).first()
    if there is not None:
        return there
    if season.rounds.count() >= MAX_ROUNDS:
        raise TooManyRounds
    return SeasonRound.objects.create(season=season, contest=contest)


@transaction.atomic
def remove_round(season_round: SeasonRound) -> None:
    """Remove a round with its links, and riders who are in no other. Removing it again changes nothing."""
    season = season_round.season
    lock_season(season)
    SeasonRound.objects.filter(pk=season_round.pk).delete()
    _remove_unlinked(season)


@transaction.atomic
def link_riders(season_round: SeasonRound, riders: Mapping[UUID, UUID | None]) -> None:
    """Set who of a round is who of the season; whoever is not named does not count.

    Args:
        riders: for each bike or player the rider, or None for one who is new in the season.

    Raises:
        SameRound: two of them would be the same rider.
    """
    season = season_round.season
    lock_season(season)
    named = [rider for rider in riders.values() if rider is not None]
    if len(set(named)) < len(named):
        raise SameRound
    known = set(season.riders.filter(pk__in=named).values_list("pk", flat=True))
    season_round.links.all().delete()
    new = [SeasonRider(season=season) for rider in riders.values() if rider not in known]
    SeasonRider.objects.bulk_create(new)
    unused = iter(new)
    SeasonLink.objects.bulk_create(
        SeasonLink(
            rider_id=rider if rider is not None and rider in known else next(unused).pk,
            round=season_round,
            holder_id=entrant_id,
        )
        for entrant_id, rider in riders.items()
    )
    _remove_unlinked(season)


@transaction.atomic
def link_everyone_as_new(season_round: SeasonRound) -> int:
    """Let everyone in a round's published result count as new; return how many do.

    It does nothing where a choice is left: a rider of another round may be there again, or something was chosen before.
    """
    season = season_round.season
    lock_season(season)
    if season.riders.exists():
        return 0
    entrants = get_finishes(season_round.contest) or {}
    link_riders(season_round, dict.fromkeys(entrants))
    return len(entrants)


@transaction.atomic
def merge_riders(rider: SeasonRider, into: SeasonRider) -> None:
    """Make two riders one.

    Raises:
        SameRound: both took part in one round.
    """
    lock_season(rider.season)
    if list_linked_rounds(rider).filter(links__rider=into).exists():
        raise SameRound
    rider.links.update(rider=into)
    _remove_unlinked(rider.season)


def delete_season(season: Season) -> None:
    """Delete a season. The events and their results stay. Who may: `selectors.seasons.can_delete`, and the operator."""
    log_change("season_deleted", season_id=season.pk)
    season.delete()


def lock_season(season: Season) -> Season:
    """Return the season's current state, locked until the end of the transaction."""
    return Season.objects.select_for_update().get(pk=season.pk)


def _remove_unlinked(season: Season) -> None:
    season.riders.filter(links=None).delete()
