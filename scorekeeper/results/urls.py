"""URLs of the app."""

from django.urls import path, register_converter

from scorekeeper.results.exports.writers import FileConverter
from scorekeeper.results.views import bike, entrant_tables, exports, luck, odds, pages, preview, revisions

app_name = "results"

register_converter(FileConverter, "file")

_CONTEST = "events/<slug:slug>/<slug:contest_slug>/"

urlpatterns = [
    path("", pages.home, name="home"),
    path("events/<slug:slug>/", pages.event, name="event"),
    path("events/<slug:slug>/route/", pages.route, name="route"),
    path("desk/events/<slug:slug>/page/preview/", pages.event_preview, name="event_preview"),
    path(_CONTEST, pages.leaderboard, name="leaderboard"),
    path(f"{_CONTEST}classes/<uuid:class_id>/", pages.class_board, name="class_board"),
    path(f"{_CONTEST}bikes/<uuid:bike_id>/", bike.bike, name="bike"),
    path(f"{_CONTEST}seats/<uuid:entrant_id>/", entrant_tables.entrant_tables, name="seats"),
    path(f"{_CONTEST}luck/", luck.show_luck, name="luck"),
    path(f"{_CONTEST}luck/<uuid:entrant_id>/", luck.luck_card, name="luck_card"),
    path(f"{_CONTEST}revisions/<int:number>/", revisions.show_revision, name="revision"),
    path(f"{_CONTEST}odds/<uuid:entrant_id>/", odds.entrant_odds, name="odds"),
    path(f"{_CONTEST}preview-<int:revision>-<slug:digest>.png", preview.preview, name="preview"),
    path(f"{_CONTEST}<file:file>", exports.public_export, name="export"),
    path(
        "desk/events/<slug:slug>/results/<slug:contest_slug>/<file:file>", exports.organiser_export, name="desk_export"
    ),
]
