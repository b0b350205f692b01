"""URLs of the app."""

from django.urls import path

from scorekeeper.prizes.views import decisions, logos, prizes

app_name = "prizes"

_LIST = "desk/events/<slug:slug>/prizes/"
_PRIZE = f"{_LIST}<uuid:prize_id>/"

urlpatterns = [
    path(_LIST, prizes.index, name="list"),
    path(_PRIZE, prizes.edit, name="edit"),
    path(f"{_PRIZE}move/", prizes.move, name="move"),
    path(f"{_PRIZE}delete/", prizes.delete, name="delete"),
    path(f"{_PRIZE}decide/", decisions.decide, name="decide"),
    path("events/<slug:slug>/prize-logos/<uuid:logo_id>/", logos.show_logo, name="logo"),
]
