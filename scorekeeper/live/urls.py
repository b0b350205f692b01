"""Addresses of the room. Under ASGI `live.stream` serves the streams.

What ends without a slash is no contest's address, whatever the contests are called.
"""

from django.urls import path

from scorekeeper.live.views import screen, streams

app_name = "live"

_DESK = "desk/events/<slug:slug>/screen/"

urlpatterns = [
    path("events/<slug:slug>/screen", screen.screen, name="screen"),
    path("events/<slug:slug>/screen-stream", streams.event, name="screen_stream"),
    path("events/<slug:slug>/stream", streams.event, name="event"),
    path("events/<uuid:event_id>/changes-stream", streams.changes, name="changes"),
    path("events/<slug:slug>/<slug:contest_slug>/stream", streams.board, name="board"),
    path(_DESK, screen.settings, name="settings"),
    path(f"{_DESK}steer/", screen.steer, name="steer"),
]
