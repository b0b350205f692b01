"""URLs of the app. Crew and organisers have separate URLs for the tables and their lists."""

from django.urls import path

from scorekeeper.scorecards.views.access import crew_table_view, desk_table_view
from scorekeeper.scorecards.views.correct import correct
from scorekeeper.scorecards.views.history import history, undo, void
from scorekeeper.scorecards.views.record_action import table
from scorekeeper.scorecards.views.retire import retire_seat
from scorekeeper.tables import views
from scorekeeper.tables.views import crew_contest_view, desk_contest_view

app_name = "tables"

_CREW = "crew/tables/<uuid:card_id>/"
_DESK = "desk/events/<slug:slug>/tables/<uuid:card_id>/"
_CONTEST = "desk/events/<slug:slug>/contests/<slug:contest_slug>/tables/"

urlpatterns = [
    path("crew/tables/", views.crew_list, name="list"),
    path("crew/tables/new/<slug:contest_slug>/", crew_contest_view(views.create_scorecards), name="deal"),
    path(_CREW, crew_table_view(table), name="table"),
    path(f"{_CREW}undo/", crew_table_view(undo), name="undo"),
    path(f"{_CREW}retire/", crew_table_view(retire_seat), name="retire"),
    path(f"{_CREW}history/", crew_table_view(history), name="history"),
    path(f"{_CREW}correct/", crew_table_view(correct), name="correct"),
    path(f"{_CREW}void/", crew_table_view(void), name="void"),
    path(_CONTEST, desk_contest_view(views.desk_list), name="desk_list"),
    path(f"{_CONTEST}new/", desk_contest_view(views.create_scorecards), name="desk_deal"),
    path(f"{_CONTEST}plan/", desk_contest_view(views.plan_seating), name="desk_plan"),
    path(_DESK, desk_table_view(table), name="desk_table"),
    path(f"{_DESK}undo/", desk_table_view(undo), name="desk_undo"),
    path(f"{_DESK}retire/", desk_table_view(retire_seat), name="desk_retire"),
    path(f"{_DESK}history/", desk_table_view(history), name="desk_history"),
    path(f"{_DESK}correct/", desk_table_view(correct), name="desk_correct"),
    path(f"{_DESK}void/", desk_table_view(void), name="desk_void"),
    path(f"{_DESK}withdraw/", views.withdraw, name="desk_withdraw"),
]
