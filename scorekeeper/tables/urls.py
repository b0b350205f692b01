"""Addresses of the room: every page of a table has one for the crew and one for the desk."""

from django.urls import path

from scorekeeper.tables.views.correct import correct
from scorekeeper.tables.views.doors import for_crew, for_desk
from scorekeeper.tables.views.history import history
from scorekeeper.tables.views.retire import retire
from scorekeeper.tables.views.table import table
from scorekeeper.tables.views.undo import undo
from scorekeeper.tables.views.void import void

app_name = "tables"

_CREW = "crew/tables/<uuid:card_id>/"
_DESK = "desk/events/<slug:slug>/tables/<uuid:card_id>/"

urlpatterns = [
    path(_CREW, for_crew(table), name="table"),
    path(f"{_CREW}undo/", for_crew(undo), name="undo"),
    path(f"{_CREW}retire/", for_crew(retire), name="retire"),
    path(f"{_CREW}history/", for_crew(history), name="history"),
    path(f"{_CREW}correct/", for_crew(correct), name="correct"),
    path(f"{_CREW}void/", for_crew(void), name="void"),
    path(_DESK, for_desk(table), name="desk_table"),
    path(f"{_DESK}undo/", for_desk(undo), name="desk_undo"),
    path(f"{_DESK}retire/", for_desk(retire), name="desk_retire"),
    path(f"{_DESK}history/", for_desk(history), name="desk_history"),
    path(f"{_DESK}correct/", for_desk(correct), name="desk_correct"),
    path(f"{_DESK}void/", for_desk(void), name="desk_void"),
]
