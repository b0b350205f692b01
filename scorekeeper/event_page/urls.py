"""URLs of the app."""

from django.urls import path

from scorekeeper.event_page import views

app_name = "event_page"

_PAGE = "desk/events/<slug:slug>/page/"
_SPONSOR = f"{_PAGE}sponsors/<uuid:sponsor_id>/"

urlpatterns = [
    path(_PAGE, views.edit, name="edit"),
    path(f"{_PAGE}poster/", views.poster, name="poster"),
    path(f"{_PAGE}poster/<uuid:image_id>/", views.show_desk_poster, name="desk_poster"),
    path(f"{_PAGE}programme/", views.programme, name="programme"),
    path(f"{_PAGE}route/", views.route, name="route"),
    path(f"{_PAGE}route/gpx/", views.import_gpx, name="import_gpx"),
    path(f"{_PAGE}route/track/delete/", views.delete_track, name="delete_track"),
    path(f"{_PAGE}sponsors/", views.sponsors, name="sponsors"),
    path(_SPONSOR, views.edit_sponsor, name="edit_sponsor"),
    path(f"{_SPONSOR}move/", views.move_sponsor, name="move_sponsor"),
    path(f"{_SPONSOR}delete/", views.delete_sponsor, name="delete_sponsor"),
    path("events/<slug:slug>/poster/<uuid:image_id>/", views.show_poster, name="poster_image"),
    path("events/<slug:slug>/route.gpx", views.download_route, name="gpx"),
]
