"""URLs of the app."""

from django.urls import path

from scorekeeper.seasons.views import desk, public, riders

app_name = "seasons"

_DESK = "desk/seasons/<slug:season_slug>/"
_ROUND = f"{_DESK}rounds/<uuid:round_id>/"

urlpatterns = [
    path("seasons/<slug:season_slug>/", public.season, name="season"),
    path("seasons/<slug:season_slug>/season.csv", public.export, name="export"),
    path("seasons/<slug:season_slug>/riders/<uuid:rider_id>/", public.rider, name="rider"),
    path("desk/seasons/", desk.index, name="list"),
    path("desk/seasons/new/", desk.create, name="create"),
    path(_DESK, desk.overview, name="overview"),
    path(f"{_DESK}settings/", desk.edit, name="edit"),
    path(f"{_DESK}delete/", desk.delete, name="delete"),
    path(f"{_DESK}riders/<uuid:rider_id>/", riders.merge, name="merge"),
    path(f"{_ROUND}riders/", riders.link, name="link"),
    path(f"{_ROUND}remove/", desk.remove_round, name="remove_round"),
]
