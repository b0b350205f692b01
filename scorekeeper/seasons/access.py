"""The guard of the pages on which a season is run, and the decorator that passes on the season it has checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse

from scorekeeper.common.access_control import get_guard_result
from scorekeeper.common.stale_forms import ask_to_sign_in
from scorekeeper.events.guards import record_use
from scorekeeper.seasons.models import Season
from scorekeeper.seasons.selectors import get_season
from scorekeeper.seasons.services import lock_season

P = ParamSpec("P")


def admit_season_organiser(request: HttpRequest, kwargs: Mapping[str, Any]) -> HttpResponse | None:
    """Let in who runs the season, and set `request.season`.

    Raises:
        Http404: there is no such season, or the user does not run it.
    """
    if not request.user.is_authenticated:
        return ask_to_sign_in(request)
    record_use(request)
    season = get_season(request.user, kwargs["season_slug"])
    if season is None:
        raise Http404
    request.season = season  # type: ignore[attr-defined]
    return None


def season_required(
    view: Callable[Concatenate[HttpRequest, Season, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, str, P], HttpResponse]:
    """Pass the season that the URL names to a view of those who run it."""

    @wraps(view)
    def with_season(request: HttpRequest, /, season_slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        return view(request, get_guard_result(request, "season"), *args, **kwargs)

    return with_season


def one_season_edit_at_a_time(
    view: Callable[Concatenate[HttpRequest, Season, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, Season, P], HttpResponse]:
    """Answer each POST in a transaction with the season locked, as `one_edit_at_a_time` does for an event."""

    @wraps(view)
    def locked(request: HttpRequest, season: Season, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if request.method != "POST":
            return view(request, season, *args, **kwargs)
        with transaction.atomic():
            try:
                current = lock_season(season)
            except Season.DoesNotExist as error:
                raise Http404 from error
            return view(request, current, *args, **kwargs)

    return locked
