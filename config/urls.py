"""The addresses: the pages for whoever watches, and whatever each room offers.

Invariant: a room gives its addresses in full (`desk/events/…`, `crew/…`), so two rooms may share a beginning; where
patterns overlap, the lower room is asked first. The interface overlaps with none and is asked before all: a roll should
not be held against a hundred patterns.
"""

from importlib.util import find_spec

from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path

from scorekeeper.common.health import healthz, metrics, readyz
from scorekeeper.common.trust import authority, trust

handler500 = "scorekeeper.common.faults.server_error"
FIRST = "api"
urlpatterns: list[URLPattern | URLResolver] = [
    path("", include(f"scorekeeper.{FIRST}.urls")),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("metrics", metrics, name="metrics"),
    path("trust/", trust, name="trust"),
    path("tailgunner-ca.crt", authority, name="authority"),
    *(
        path("", include(f"scorekeeper.{room}.urls"))
        for room in settings.ROOMS
        if room != FIRST and find_spec(f"scorekeeper.{room}.urls")
    ),
]
