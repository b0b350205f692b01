"""Addresses of the room. The crew and the desk each have their own door to a table."""

from django.urls import path

from scorekeeper.tables.views.doors import for_crew, for_desk
from scorekeeper.tables.views.table import table
from scorekeeper.tables.views.undo import undo

app_name = "tables"

_CREW = "crew/tables/<uuid:card_id>/"
_DESK = "desk/events/<slug:slug>/tables/<uuid:card_id>/"

urlpatterns = [
    path(_CREW, for_crew(table), name="table"),
    path(f"{_CREW}undo/", for_crew(undo), name="undo"),
    path(_DESK, for_desk(table), name="desk_table"),
    path(f"{_DESK}undo/", for_desk(undo), name="desk_undo"),
]
