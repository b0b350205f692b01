"""URLs of the check-in list, for organisers and on crew phones."""

from django.urls import path

from scorekeeper.check_in import views

app_name = "check_in"

_EVENT = "desk/events/<slug:slug>/check-in/"

urlpatterns = [
    path("crew/check-in/", views.crew_list, name="crew_list"),
    path(_EVENT, views.desk_list, name="desk_list"),
    path(f"{_EVENT}items/", views.show_items, name="items"),
    path(f"{_EVENT}items/<uuid:check_item_id>/", views.rename_item, name="rename_item"),
    path(f"{_EVENT}items/<uuid:check_item_id>/move/", views.move_item, name="move_item"),
    path(f"{_EVENT}items/<uuid:check_item_id>/delete/", views.delete_item, name="delete_item"),
]
