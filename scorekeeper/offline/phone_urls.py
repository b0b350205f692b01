"""The URLs that a phone handles itself, and those that it only needs for links.

Invariant: every URL exists on the server under the same name; a test checks this.
"""

from __future__ import annotations

from types import ModuleType

from django.urls import URLPattern, URLResolver, include, path, re_path

from scorekeeper.agreements import urls as agreements
from scorekeeper.check_in import urls as check_in
from scorekeeper.coach import urls as coach
from scorekeeper.offline.phone_site import needs_signal
from scorekeeper.rights import ROUTES, Role
from scorekeeper.rulebooks import urls as rulebooks
from scorekeeper.scorecards import urls as scorecards
from scorekeeper.tables import urls as tables

handler404 = "scorekeeper.offline.phone_site.not_found"
handler500 = "scorekeeper.offline.phone_site.server_error"

# There is no kind of operation for them, so a phone cannot queue them.
ONLINE_ONLY = {"deal", "object"}


def _select_patterns(app: ModuleType, name: str) -> tuple[list[URLPattern | URLResolver], str]:
    """Return the app's URLs for crews and for everyone; the others lead to the `needs_signal` page."""
    patterns: list[URLPattern | URLResolver] = []
    for pattern in app.urlpatterns:
        is_ours = set(ROUTES[f"{name}:{pattern.name}"].values()) <= {Role.ANYBODY, Role.CREW, Role.ROAD_CAPTAIN}
        if is_ours and pattern.name not in ONLINE_ONLY:
            patterns.append(pattern)
        else:
            patterns.append(path(str(pattern.pattern), needs_signal, name=pattern.name))
    return patterns, name


# URLs of other apps that pages link to.
LINK_TARGETS = {
    "events": [
        path("sign-in/", needs_signal, name="sign_in"),
        path("sign-out/", needs_signal, name="sign_out"),
        path("desk/", needs_signal, name="list"),
    ],
    "results": [path("events/<slug:slug>/<slug:contest_slug>/", needs_signal, name="leaderboard")],
    "crew": [
        path("crew/join/", needs_signal, name="open_link"),
        path("crew/sign-out/", needs_signal, name="sign_out"),
        path("crew/messages/<uuid:message_id>/read/", needs_signal, name="confirm_read"),
        path("crew/switch/", needs_signal, name="switch"),
    ],
}

urlpatterns = [
    path("", include(_select_patterns(scorecards, "scorecards"))),
    path("", include(_select_patterns(check_in, "check_in"))),
    path("", include(_select_patterns(agreements, "agreements"))),
    path("", include(_select_patterns(coach, "coach"))),
    path("", include(_select_patterns(tables, "tables"))),
    path("", include(_select_patterns(rulebooks, "rulebooks"))),
    *(path("", include((patterns, app))) for app, patterns in LINK_TARGETS.items()),
    re_path("", needs_signal),
]
