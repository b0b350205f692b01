"""The addresses that a phone answers by itself, and those that it only has to be able to spell.

Invariant: every address is one of the server's, under the server's name; a test holds the two together.
"""

from __future__ import annotations

from types import ModuleType

from django.urls import URLPattern, URLResolver, include, path, re_path

from scorekeeper.offline.phone_site import needs_signal
from scorekeeper.rights import ROUTES, Role
from scorekeeper.rulebooks import urls as rulebooks
from scorekeeper.scorecards import urls as scorecards
from scorekeeper.tables import urls as tables

handler404 = "scorekeeper.offline.phone_site.not_found"
handler500 = "scorekeeper.offline.phone_site.server_error"

# Recorded by no kind of operation, so a phone cannot keep it for later.
ONLINE_ONLY = {"deal"}


def _select_patterns(room: ModuleType, name: str) -> tuple[list[URLPattern | URLResolver], str]:
    """Return the app's addresses for crews and for anybody; others lead to saying what they need."""
    patterns: list[URLPattern | URLResolver] = []
    for pattern in room.urlpatterns:
        is_ours = set(ROUTES[f"{name}:{pattern.name}"].values()) <= {Role.ANYBODY, Role.CREW, Role.ROAD_CAPTAIN}
        if is_ours and pattern.name not in ONLINE_ONLY:
            patterns.append(pattern)
        else:
            patterns.append(path(str(pattern.pattern), needs_signal, name=pattern.name))
    return patterns, name


# Of other rooms: what pages lead to.
LINK_TARGETS = {
    "events": [
        path("sign-in/", needs_signal, name="sign_in"),
        path("sign-out/", needs_signal, name="sign_out"),
        path("desk/", needs_signal, name="list"),
    ],
    "results": [path("events/<slug:slug>/<slug:contest_slug>/", needs_signal, name="leaderboard")],
    "crew": [path("crew/sign-out/", needs_signal, name="sign_out")],
}

urlpatterns = [
    path("", include(_select_patterns(scorecards, "scorecards"))),
    path("", include(_select_patterns(tables, "tables"))),
    path("", include(_select_patterns(rulebooks, "rulebooks"))),
    *(path("", include((patterns, room))) for room, patterns in LINK_TARGETS.items()),
    re_path("", needs_signal),
]
