"""The URLs: the monitoring pages, and the URLs of each app.

Invariants:
- An app's patterns are full paths (`desk/events/…`, `crew/…`), so two apps may share a prefix. If patterns overlap, the
  lower app matches first.
- The API overlaps with no other app and comes first, so that recording a roll does not try a hundred patterns.
"""

from importlib.util import find_spec

from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path

from scorekeeper.common.certificate_views import download_authority, show_trust_page
from scorekeeper.common.health import healthz, metrics, readyz
from scorekeeper.common.robots import send_robots

handler400 = "scorekeeper.common.error_views.bad_request"
handler404 = "scorekeeper.common.error_views.not_found"
handler500 = "scorekeeper.common.error_views.server_error"
FIRST_APP = "api"
urlpatterns: list[URLPattern | URLResolver] = [
    path("", include(f"scorekeeper.{FIRST_APP}.urls")),
    path("healthz", healthz, name="healthz"),
    path("readyz", readyz, name="readyz"),
    path("metrics", metrics, name="metrics"),
    path("robots.txt", send_robots, name="robots"),
    path("trust/", show_trust_page, name="trust"),
    path("tailgunner-ca.crt", download_authority, name="authority"),
    *(
        path("", include(f"scorekeeper.{app}.urls"))
        for app in settings.LOCAL_APPS
        if app != FIRST_APP and find_spec(f"scorekeeper.{app}.urls")
    ),
]
