"""URLs of stops and of the turns at them."""

from django.urls import path

from scorekeeper.stops import views

app_name = "stops"

_EVENT = "desk/events/<slug:slug>/"

urlpatterns = [
    path(f"{_EVENT}stops/", views.index, name="list"),
    path(f"{_EVENT}stops/<uuid:stop_id>/", views.edit, name="edit"),
    path(f"{_EVENT}stops/<uuid:stop_id>/move/", views.move, name="move"),
    path(f"{_EVENT}stops/<uuid:stop_id>/delete/", views.delete, name="delete"),
    path(f"{_EVENT}contests/<slug:contest_slug>/turns/", views.slots, name="slots"),
]
