"""URLs of agreed cards, on crew phones and for organisers, and of what riders say is wrong."""

from django.urls import path

from scorekeeper.agreements import views
from scorekeeper.scorecards.views.access import crew_card_view, desk_card_view

app_name = "agreements"

urlpatterns = [
    path("crew/agreed/", views.group_cards, name="group"),
    path("crew/agreed/confirm/", views.confirm_group, name="confirm"),
    path("crew/bikes/<uuid:bike_id>/agree/", crew_card_view(views.show_card), name="card"),
    path(
        "desk/events/<slug:slug>/cards/<uuid:card_id>/agree/",
        desk_card_view(views.show_card),
        name="desk_card",
    ),
    path("events/<slug:slug>/<slug:contest_slug>/bikes/<uuid:bike_id>/wrong/", views.send_objection, name="object"),
    path("desk/events/<slug:slug>/objections/", views.list_objections, name="objections"),
    path(
        "desk/events/<slug:slug>/objections/<uuid:objection_id>/settle/",
        views.settle_objection,
        name="settle_objection",
    ),
]
