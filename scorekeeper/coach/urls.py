"""URLs of the parts that show values, on crew phones and for organisers. The public one belongs to the results."""

from django.urls import path

from scorekeeper.coach import views
from scorekeeper.scorecards.views.access import crew_table_view, desk_table_view

app_name = "coach"

urlpatterns = [
    path("crew/bikes/<uuid:bike_id>/odds/", views.bike_odds, name="bike"),
    path("crew/tables/<uuid:card_id>/odds/", crew_table_view(views.table_odds), name="table"),
    path(
        "desk/events/<slug:slug>/tables/<uuid:card_id>/odds/",
        desk_table_view(views.table_odds),
        name="desk_table",
    ),
]
