"""Reading seasons and their rounds."""

from __future__ import annotations

from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser, User
from django.db.models import Q, QuerySet

from scorekeeper.events.models import Contest, Event
from scorekeeper.seasons.models import Season, SeasonRider, SeasonRound


def list_seasons(user: User) -> QuerySet[Season]:
    """Return the seasons that a user runs: those with a round of an event they organise, and those they created."""
    return Season.objects.filter(_is_run_by(user)).distinct()


def get_season(user: User, slug: str) -> Season | None:
    """Return a season that the user runs; None if there is none with this slug."""
    return list_seasons(user).filter(slug=slug).first()


def can_delete(user: AbstractBaseUser | AnonymousUser, season: Season) -> bool:
    """Return whether the user may delete the season: only who created it. The operator can with a command."""
    return season.created_by_id is not None and season.created_by_id == user.pk


def get_public_season(slug: str) -> Season | None:
    """Return a season by its public address."""
    return Season.objects.filter(slug=slug).first()


def list_listed_seasons() -> QuerySet[Season]:
    """Return the seasons that the front page lists, the newest first."""
    return Season.objects.filter(is_listed=True)


def list_seasons_of(event: Event) -> QuerySet[Season]:
    """Return the seasons that an event has a round of."""
    return Season.objects.filter(rounds__contest__event=event).distinct()


def has_created_season(user: User) -> bool:
    """Return whether a user has created a season. They run it even if they organise none of its rounds."""
    return Season.objects.filter(created_by=user).exists()


def list_rounds(season: Season) -> list[SeasonRound]:
    """Return the rounds in the order of their days, with their contests and events."""
    return list(season.rounds.select_related("contest__event"))


def list_possible_contests(season: Season, user: User) -> QuerySet[Contest]:
    """Return the contests that the user can add: of events they organise, without practice."""
    organised = Contest.objects.filter(event__organisers__user=user, event__is_practice=False)
    return organised.exclude(pk__in=season.rounds.values("contest")).select_related("event").order_by("-event__date")


def list_linked_rounds(rider: SeasonRider) -> QuerySet[SeasonRound]:
    """Return the rounds that a rider is linked in."""
    return SeasonRound.objects.filter(links__rider=rider)


def _is_run_by(user: User) -> Q:
    return Q(rounds__contest__event__organisers__user=user) | Q(created_by=user)
