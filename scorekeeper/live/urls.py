"""URLs of the app. Under ASGI, `live.stream_middleware` serves the streams.

Some paths end without a slash, so that no contest's slug can clash with them.
"""

from django.urls import path

from scorekeeper.live import views

app_name = "live"

_DESK = "desk/events/<slug:slug>/screen/"
_MICROPHONE = "desk/events/<slug:slug>/microphone/"

urlpatterns = [
    path("events/<slug:slug>/screen", views.show_screen, name="screen"),
    path("events/<slug:slug>/screen-stream", views.event_stream, name="screen_stream"),
    path("events/<slug:slug>/stream", views.event_stream, name="event"),
    path("events/<uuid:event_id>/changes-stream", views.changes_stream, name="changes"),
    path("events/<slug:slug>/<slug:contest_slug>/stream", views.leaderboard_stream, name="board"),
    path(_DESK, views.edit_screen, name="settings"),
    path(f"{_DESK}steer/", views.steer_screen, name="steer"),
    path(_MICROPHONE, views.show_microphone, name="microphone"),
    path(f"{_MICROPHONE}start/", views.start_announcing, name="start_announcing"),
    path(f"{_MICROPHONE}step/", views.step_microphone, name="microphone_step"),
]
