"""URLs of the app."""

from django.urls import path

from scorekeeper.prizes import views

app_name = "prizes"

_LIST = "desk/events/<slug:slug>/prizes/"
_PRIZE = f"{_LIST}<uuid:prize_id>/"

urlpatterns = [
    path(_LIST, views.index, name="list"),
    path(_PRIZE, views.edit, name="edit"),
    path(f"{_PRIZE}move/", views.move, name="move"),
    path(f"{_PRIZE}delete/", views.delete, name="delete"),
    path(f"{_PRIZE}decide/", views.decide, name="decide"),
    path("events/<slug:slug>/prize-logos/<uuid:logo_id>/", views.show_logo, name="logo"),
]
