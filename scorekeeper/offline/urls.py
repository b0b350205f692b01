"""URLs of the app. The service worker is at the top level, because it only controls pages below its own URL."""

from django.urls import path

from scorekeeper.offline.views import app
from scorekeeper.offline.views.ride import ride, ride_parts

app_name = "offline"

urlpatterns = [
    path("sw.js", app.service_worker, name="service_worker"),
    path("engine-worker.js", app.engine_worker, name="engine_worker"),
    path("manifest.webmanifest", app.manifest, name="manifest"),
    path("crew/language.json", app.language, name="language"),
    path("crew/shell/", app.shell, name="shell"),
    path("crew/ready/", app.ready, name="ready"),
    path("crew/swap/", app.swap, name="swap"),
    path("crew/plain/", app.plain, name="plain"),
    path("api/v1/ride", ride, name="ride"),
    path("api/v1/ride/parts", ride_parts, name="ride_parts"),
]
