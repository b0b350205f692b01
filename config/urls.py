"""The addresses: the pages for whoever watches, and whatever each room offers.

Invariant: a room gives its addresses in full (`desk/events/…`, `crew/…`), so two rooms may share a beginning; where
patterns overlap, the lower room is asked first. The interface overlaps with none and is asked before all: a roll should
not be held against a hundred patterns.
"""

from importlib.util import find_spec

from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path

from scorekeeper.common.certificate_views import download_authority, show_trust_page
from scorekeeper.common.health import healthz, metrics, readyz

handler500 = "scorekeeper.common.error_views.server_error"
FIRST_APP = "api"
urlpatterns: list[URLPattern | URLResolver] = [
    path("", include(f"scorekeeper.{FIRST_APP}.urls")),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("metrics", metrics, name="metrics"),
    path("trust/", show_trust_page, name="trust"),
    path("tailgunner-ca.crt", download_authority, name="authority"),
    *(
        path("", include(f"scorekeeper.{room}.urls"))
        for room in settings.LOCAL_APPS
        if room != FIRST_APP and find_spec(f"scorekeeper.{room}.urls")
    ),
]
