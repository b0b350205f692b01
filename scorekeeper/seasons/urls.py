"""URLs of the app."""

from django.urls import path

from scorekeeper.seasons import views

app_name = "seasons"

_DESK = "desk/seasons/<slug:season_slug>/"
_ROUND = f"{_DESK}rounds/<uuid:round_id>/"

urlpatterns = [
    path("seasons/<slug:season_slug>/", views.show_season, name="season"),
    path("seasons/<slug:season_slug>/season.csv", views.export_season, name="export"),
    path("seasons/<slug:season_slug>/riders/<uuid:rider_id>/", views.show_rider, name="rider"),
    path("desk/seasons/", views.list_own, name="list"),
    path("desk/seasons/new/", views.create, name="create"),
    path(_DESK, views.overview, name="overview"),
    path(f"{_DESK}settings/", views.edit, name="edit"),
    path(f"{_DESK}delete/", views.delete, name="delete"),
    path(f"{_DESK}riders/<uuid:rider_id>/", views.merge_riders, name="merge"),
    path(f"{_ROUND}riders/", views.link_riders, name="link"),
    path(f"{_ROUND}remove/", views.remove_round, name="remove_round"),
]
