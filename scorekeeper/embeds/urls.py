"""URLs of the app.

A page for frames has the address of its public page, with `/embed` before it. Feeds and calendars have a dot in their
names, so that no slug can clash with them.
"""

from django.urls import path

from scorekeeper.embeds import views

app_name = "embeds"

urlpatterns = [
    path("embed/events/<slug:slug>/", views.show_prizes, name="prizes"),
    path("embed/events/<slug:slug>/<slug:contest_slug>/", views.show_board, name="board"),
    path(
        "embed/events/<slug:slug>/<slug:contest_slug>/classes/<uuid:class_id>/",
        views.show_class_board,
        name="class_board",
    ),
    path("embed/seasons/<slug:season_slug>/", views.show_season, name="season"),
    path("embed/frame.css", views.send_file, {"name": "frame.css"}, name="frame_style"),
    path("embed/frame.js", views.send_file, {"name": "frame.js"}, name="frame_script"),
    path("embed/embed.js", views.send_file, {"name": "embed.js"}, name="script"),
    path("oembed", views.answer_oembed, name="oembed"),
    path("feeds/results.atom", views.send_feed, name="feed"),
    path("seasons/<slug:season_slug>/results.atom", views.send_feed, name="season_feed"),
    path("rides.ics", views.send_calendar, name="calendar"),
    path("seasons/<slug:season_slug>/rides.ics", views.send_calendar, name="season_calendar"),
    path("events/<slug:slug>/ride.ics", views.send_ride, name="ride"),
    path("desk/events/<slug:slug>/website/", views.offer_event, name="event_snippets"),
    path("desk/seasons/<slug:season_slug>/website/", views.offer_season, name="season_snippets"),
]
