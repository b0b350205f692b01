"""URLs of the app. Under ASGI, `live.stream_middleware` serves the streams.

Some paths end without a slash, so that no contest's slug can clash with them.
"""

from django.urls import path

from scorekeeper.live.views import microphone, paired_screens, public_screen, screen_form, streams, television

app_name = "live"

_DESK = "desk/events/<slug:slug>/screen/"
_MICROPHONE = "desk/events/<slug:slug>/microphone/"

urlpatterns = [
    path("screen", television.show_television, name="television"),
    path("screen/check", television.check_television, name="television_check"),
    # Before that of an event: an id could be a slug too.
    path("events/<uuid:screen_id>/screen-stream", television.paired_stream, name="paired_stream"),
    path("events/<slug:slug>/screen", public_screen.show_screen, name="screen"),
    path("events/<slug:slug>/screen-stream", streams.event_stream, name="screen_stream"),
    path("events/<slug:slug>/stream", streams.event_stream, name="event"),
    path("events/<uuid:event_id>/changes-stream", streams.changes_stream, name="changes"),
    path("events/<slug:slug>/<slug:contest_slug>/stream", streams.leaderboard_stream, name="board"),
    path(
        "events/<slug:slug>/<slug:contest_slug>/classes/<uuid:class_id>/stream",
        streams.class_board_stream,
        name="class_board",
    ),
    path(_DESK, public_screen.edit_screen, name="settings"),
    path(f"{_DESK}preview/", screen_form.show_preview, name="preview"),
    path(f"{_DESK}pair/", paired_screens.pair, name="pair"),
    path(f"{_DESK}<uuid:screen_id>/", paired_screens.edit, name="edit_screen"),
    path(f"{_DESK}<uuid:screen_id>/unpair/", paired_screens.unpair, name="unpair"),
    path(f"{_DESK}steer/", public_screen.steer_screen, name="steer"),
    path(_MICROPHONE, microphone.show_microphone, name="microphone"),
    path(f"{_MICROPHONE}start/", microphone.start_announcing, name="start_announcing"),
    path(f"{_MICROPHONE}step/", microphone.step_microphone, name="microphone_step"),
]
