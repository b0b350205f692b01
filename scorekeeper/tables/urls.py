"""Addresses of the room. The crew and the desk each have their own door to a table and to the lists of them."""

from django.urls import path

from scorekeeper.tables.views import deal, lists, plan, withdraw
from scorekeeper.tables.views.contest_doors import contest_for_crew, contest_for_desk
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
_CONTEST = "desk/events/<slug:slug>/contests/<slug:contest_slug>/tables/"

urlpatterns = [
    path("crew/tables/", lists.crew_list, name="list"),
    path("crew/tables/new/<slug:contest_slug>/", contest_for_crew(deal.deal), name="deal"),
    path(_CREW, for_crew(table), name="table"),
    path(f"{_CREW}undo/", for_crew(undo), name="undo"),
    path(f"{_CREW}retire/", for_crew(retire), name="retire"),
    path(f"{_CREW}history/", for_crew(history), name="history"),
    path(f"{_CREW}correct/", for_crew(correct), name="correct"),
    path(f"{_CREW}void/", for_crew(void), name="void"),
    path(_CONTEST, contest_for_desk(lists.desk_list), name="desk_list"),
    path(f"{_CONTEST}new/", contest_for_desk(deal.deal), name="desk_deal"),
    path(f"{_CONTEST}plan/", contest_for_desk(plan.plan), name="desk_plan"),
    path(_DESK, for_desk(table), name="desk_table"),
    path(f"{_DESK}undo/", for_desk(undo), name="desk_undo"),
    path(f"{_DESK}retire/", for_desk(retire), name="desk_retire"),
    path(f"{_DESK}history/", for_desk(history), name="desk_history"),
    path(f"{_DESK}correct/", for_desk(correct), name="desk_correct"),
    path(f"{_DESK}void/", for_desk(void), name="desk_void"),
    path(f"{_DESK}withdraw/", withdraw.withdraw, name="desk_withdraw"),
]
