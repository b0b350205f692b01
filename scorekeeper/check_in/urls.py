"""URLs of the check-in list, for organisers and on crew phones."""

from django.urls import path

from scorekeeper.check_in.views import check_in, item_settings

app_name = "check_in"

_EVENT = "desk/events/<slug:slug>/check-in/"

urlpatterns = [
    path("crew/check-in/", check_in.crew_list, name="crew_list"),
    path(_EVENT, check_in.desk_list, name="desk_list"),
    path(f"{_EVENT}items/", item_settings.index, name="items"),
    path(f"{_EVENT}items/<uuid:check_item_id>/", item_settings.rename, name="rename_item"),
    path(f"{_EVENT}items/<uuid:check_item_id>/move/", item_settings.move, name="move_item"),
    path(f"{_EVENT}items/<uuid:check_item_id>/delete/", item_settings.delete, name="delete_item"),
]
