"""Access control for every request, by the table in `scorekeeper.rights`.

Terms: a *guard* checks whether the caller has a role, and puts what it found on the request for the view. The settings
name a guard for each role, because the apps that identify people are above this one in the import order.

Invariants:
- No view runs for a route, method or person that the table does not name.
- No cache stores a page that only some people may see.
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
# Takes the request and the arguments from its URL. Returns the refusal, or None if access is allowed.
Guard = Callable[[HttpRequest, Mapping[str, Any]], HttpResponse | None]
Refuse = Callable[[HttpRequest, HttpResponse], HttpResponse]


class UndeclaredRoute(Exception):
    """The route has no row in the table, so nobody has access to it."""


class GuardNotRun(Exception):
    """A view was called without the guard it relies on."""


class AccessMiddleware:
    """Refuses requests that the table does not allow, before the view is called."""

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
        """Return the refusal, or None if access is allowed."""
        try:
            refusal = self._check_access(request, kwargs)
        except Error as error:  # Django passes exceptions raised here to no other middleware
            if is_database_unavailable(error):
                return respond_unavailable(request, error)
            raise
        refuse: Refuse | None = getattr(view, "refuse", None)
        return refuse(request, refusal) if refuse and refusal is not None else refusal

    def _check_access(self, request: HttpRequest, kwargs: Mapping[str, Any]) -> HttpResponse | None:
        assert request.resolver_match is not None, "set before process_view is called"
        row = ROUTES.get(request.resolver_match.view_name)
        if row is None:
            raise UndeclaredRoute(request.resolver_match.view_name)
        role = row.get(request.method or "")
        if role is None:
            return HttpResponseNotAllowed(row)
        return None if role is Role.ANYBODY else self._guards[role](request, kwargs)


def refuse_with(refuse: Refuse) -> Callable[[V], V]:
    """Give a view its own response for refused requests.

    Args:
        refuse: takes the request and the usual refusal, and returns the response to send instead.
    """

    def decorate(view: V) -> V:
        view.refuse = refuse  # type: ignore[attr-defined]
        return view

    return decorate


def get_guard_result(request: HttpRequest, name: str) -> Any:
    """Return what a guard has put on the request under this name.

    Raises:
        GuardNotRun: no guard has, so the table gives the route to other roles than the view is meant for.
    """
    try:
        return getattr(request, name)
    except AttributeError:
        raise GuardNotRun(name) from None
