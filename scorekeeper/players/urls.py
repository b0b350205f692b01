"""URLs of the roster, its import, its bikes and people, and the printed codes."""

from django.urls import path

from scorekeeper.players.views import imports, people, roster, sign_ups

app_name = "players"

_EVENT = "desk/events/<slug:slug>/"

urlpatterns = [
    path("events/<slug:slug>/sign-up/", sign_ups.ask_for_place, name="sign_up"),
    path(f"{_EVENT}sign-ups/", sign_ups.index, name="sign_ups"),
    path(f"{_EVENT}sign-ups/<uuid:sign_up_id>/", sign_ups.decide, name="decide_sign_up"),
    path(f"{_EVENT}bikes/", roster.index, name="roster"),
    path(f"{_EVENT}bikes/new/", roster.add, name="add_bike"),
    path(f"{_EVENT}bikes/codes/", roster.show_codes, name="codes"),
    path(f"{_EVENT}bikes/import/", imports.upload_roster, name="import"),
    path(f"{_EVENT}bikes/import/sample.csv", imports.download_sample, name="sample"),
    path(f"{_EVENT}bikes/<uuid:bike_id>/", roster.edit, name="edit_bike"),
    path(f"{_EVENT}bikes/<uuid:bike_id>/delete/", roster.delete, name="delete_bike"),
    path(f"{_EVENT}people/new/", people.add, name="add_player"),
    path(f"{_EVENT}people/<uuid:player_id>/", people.edit, name="edit_player"),
    path(f"{_EVENT}people/<uuid:player_id>/delete/", people.delete, name="delete_player"),
]
