"""No token, PIN or password is ever logged, on any page and in any part of a request.

A short run visits each route as those whom it is for, and FAULTS=full as everyone.
"""

from __future__ import annotations

from collections.abc import Iterator
from http.cookiejar import Cookie
from uuid import uuid4

from django.urls import URLPattern, URLResolver, get_resolver

from scorekeeper.crew.access import DEVICE_COOKIE
from tests.cluster.cluster import Cluster
from tests.cluster.http_client import HttpClient
from tests.cluster.ride import ClusterRide
from tests.faults.scale import FULL

# Also a valid CSRF token for Django, so that requests reach the views.
SECRET = "hush" * 8
FILLED_IN = {
    "str": SECRET,
    "slug": SECRET,
    "uuid": str(uuid4()),
    "int": "1",
    "file": "export.csv",
    "roster": "public",
}
KINDS = {
    "StringConverter": "str",
    "SlugConverter": "slug",
    "UUIDConverter": "uuid",
    "IntConverter": "int",
    "FileConverter": "file",
    "RosterConverter": "roster",
}


def list_paths(resolver: URLResolver, before: str = "/") -> Iterator[str]:
    """Return a path for every route, with the secret in place of every text."""
    for pattern in resolver.url_patterns:
        route = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from list_paths(pattern, route)
            continue
        assert isinstance(pattern, URLPattern)
        for name, converter in pattern.pattern.converters.items():
            kind = KINDS[type(converter).__name__]
            route = route.replace(f"<{kind}:{name}>", FILLED_IN[kind]).replace(f"<{name}>", FILLED_IN[kind])
        assert "<" not in route
        yield route


def set_cookie(visitor: HttpClient, name: str) -> None:
    """Make the visitor send the secret in a cookie."""
    rest: dict[str, str] = {}
    cookie = Cookie(
        0, name, SECRET, None, False, "127.0.0.1", True, False, "/", True, False, None, True, None, None, rest
    )
    visitor.set_cookie(cookie)


def test_no_secret_is_written_by_any_process_for_any_route(cluster: Cluster, ride: ClusterRide) -> None:
    stranger = HttpClient(cluster.url)
    for name in (DEVICE_COOKIE, "sessionid"):
        set_cookie(stranger, name)
    body = dict.fromkeys(("password", "token", "pin", "name", "note", "reason", "csrfmiddlewaretoken"), SECRET)
    paths = list(list_paths(get_resolver()))
    answers = []

    visitors = {"/desk/": ride.organiser, "/crew/": ride.phone, "/api/": ride.phone}
    for path in paths:
        # Refused for everyone, because it does not come from one of our pages.
        answers.append(stranger.post(f"{path}?q={SECRET}", {"token": SECRET}))
    for path in paths:
        own = next((visitor for before, visitor in visitors.items() if path.startswith(before)), stranger)
        for visitor in (stranger, ride.organiser, ride.phone) if FULL else (own,):
            answers.append(visitor.get(f"{path}?token={SECRET}&next={SECRET}"))
            set_cookie(visitor, "csrftoken")
            answers.append(visitor.post(path, body, Referer=f"{cluster.url}{path}"))
    # The token of a one-time link is also in a path while the database is down.
    cluster["postgres"].stop()
    for path in (path for path in paths if SECRET in path and not path.startswith(("/desk/", "/events/"))):
        answers += [stranger.get(path), stranger.post(path, body)]
    cluster["postgres"].start()
    last = answers[-1].headers["X-Request-ID"]
    cluster.wait_for_line("web", last)

    assert len(paths) > 50
    assert cluster.wait_for_line("web", "Forbidden (CSRF")
    assert {200, 403, 404, 405, 503} <= {answer.status_code for answer in answers}
    assert 500 not in {answer.status_code for answer in answers}
    leaks = {
        name: next((line for line in program.lines if "hush" in line), None)
        for name, program in cluster.programs.items()
        if name not in ("postgres", "redis")
    }
    assert leaks == dict.fromkeys(leaks)
