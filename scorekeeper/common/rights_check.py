"""The system check of the table of rights: every route needs a name of its own and a row, and every role a guard."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any

from django.conf import settings
from django.core.checks import Error, Tags, register
from django.urls import URLPattern, URLResolver, get_resolver

from scorekeeper.rights import ROUTES, Role


def list_routes() -> Mapping[str, URLPattern]:
    """Return every route by its name."""
    return _list_routes_of(get_resolver())


@cache
def _list_routes_of(resolver: URLResolver) -> Mapping[str, URLPattern]:
    return MappingProxyType(dict(_walk_patterns(resolver.url_patterns)))


def _walk_patterns(patterns: Iterable[URLPattern | URLResolver], prefix: str = "") -> Iterator[tuple[str, URLPattern]]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from _walk_patterns(
                pattern.url_patterns, f"{prefix}{pattern.namespace}:" if pattern.namespace else prefix
            )
        else:
            yield f"{prefix}{pattern.name}", pattern


@register(Tags.urls)
def check_rights(**_options: Any) -> list[Error]:
    """Report routes without a row, rows without a route, names of several routes, and roles that no guard enforces."""
    routes = list_routes()
    patterns: dict[str, list[str]] = {}
    for name, pattern in _walk_patterns(get_resolver().url_patterns):
        patterns.setdefault(name, []).append(str(pattern.pattern))
    roles = {role for row in ROUTES.values() for role in row.values()} - {Role.ANYBODY}
    return [
        *(Error(f"The route {name} has no row in scorekeeper.rights.") for name in routes if name not in ROUTES),
        *(Error(f"The row {name} in scorekeeper.rights has no route.") for name in ROUTES if name not in routes),
        # The table has a row for a name, and its tests would request only one of the routes.
        *(
            Error(f"{len(same)} routes have the name {name}: {', '.join(sorted(same))}. Give each its own.")
            for name, same in patterns.items()
            if len(same) > 1
        ),
        *(Error(f"No guard in GUARDS enforces “{role}”.") for role in sorted(roles - set(settings.GUARDS))),
    ]
