"""The one place that lets a request in or refuses it, by the table in `scorekeeper.rights`.

Terms: a *guard* finds out whether whoever asks has a role, and puts what it found on the request, for the view.
Settings name one for each role, since the apps that know who is who lie above this one.
Invariant: no view runs for a route, method or person that the table does not name, and what only some may see is stored
in no cache.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from django.conf import settings
from django.db import Error
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.utils.cache import patch_vary_headers
from django.utils.module_loading import import_string

from scorekeeper.common.database_unavailable import is_database_unavailable, respond_unavailable
from scorekeeper.rights import ROUTES, Role

View = Callable[..., Any]
V = TypeVar("V", bound=View)
# Takes the request and the arguments of its address; returns the refusal, or None for whoever may come in.
Guard = Callable[[HttpRequest, Mapping[str, Any]], HttpResponse | None]
Refuse = Callable[[HttpRequest, HttpResponse], HttpResponse]


class UndeclaredRoute(Exception):
    """The route has no row in the table, so nobody may open it."""


class GuardNotRun(Exception):
    """A view was called without the guard that it relies on."""


class AccessMiddleware:
    """Refuses what the table does not allow, before the view is called."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response
        self._guards: dict[Role, Guard] = {Role(role): import_string(path) for role, path in settings.GUARDS.items()}

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        if request.resolver_match and set(ROUTES.get(request.resolver_match.view_name, {}).values()) - {Role.ANYBODY}:
            patch_vary_headers(response, ["Cookie"])
            response.headers.setdefault("Cache-Control", "private, no-store")
        return response

    def process_view(
        self, request: HttpRequest, view: View, args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        """Return the refusal; None for whoever may come in."""
        try:
            refusal = self._check_access(request, kwargs)
        except Error as error:  # no other middleware is asked about what fails here
            if is_database_unavailable(error):
                return respond_unavailable(request, error)
            raise
        refuse: Refuse | None = getattr(view, "refuse", None)
        return refuse(request, refusal) if refuse and refusal is not None else refusal

    def _check_access(self, request: HttpRequest, kwargs: Mapping[str, Any]) -> HttpResponse | None:
        assert request.resolver_match is not None, "no view is called without"
        row = ROUTES.get(request.resolver_match.view_name)
        if row is None:
            raise UndeclaredRoute(request.resolver_match.view_name)
        role = row.get(request.method or "")
        if role is None:
            return HttpResponseNotAllowed(row)
        return None if role is Role.ANYBODY else self._guards[role](request, kwargs)


def refuse_with(refuse: Refuse) -> Callable[[V], V]:
    """Have whoever is refused a view answered in its own way.

    Args:
        refuse: takes the request and the usual refusal, and returns what to answer instead.
    """

    def mark(view: V) -> V:
        view.refuse = refuse  # type: ignore[attr-defined]
        return view

    return mark


def get_guard_result(request: HttpRequest, name: str) -> Any:
    """Return what a guard has put on the request under that name.

    Raises:
        Unguarded: none has, so the table gives the route to others than the view is for.
    """
    try:
        return getattr(request, name)
    except AttributeError:
        raise GuardNotRun(name) from None
