"""URLs of agreed cards, on crew phones and for organisers, and of what riders say is wrong."""

from django.urls import path

from scorekeeper.agreements.views import card, group_agreements, objections
from scorekeeper.scorecards.views.access import crew_card_view, desk_card_view

app_name = "agreements"

urlpatterns = [
    path("crew/agreed/", group_agreements.group_cards, name="group"),
    path("crew/agreed/confirm/", group_agreements.confirm_group, name="confirm"),
    path("crew/bikes/<uuid:bike_id>/agree/", crew_card_view(card.show_card), name="card"),
    path(
        "desk/events/<slug:slug>/cards/<uuid:card_id>/agree/",
        desk_card_view(card.show_card),
        name="desk_card",
    ),
    path(
        "events/<slug:slug>/<slug:contest_slug>/bikes/<uuid:bike_id>/wrong/", objections.send_objection, name="object"
    ),
    path("desk/events/<slug:slug>/objections/", objections.index, name="objections"),
    path("desk/events/<slug:slug>/objections/<uuid:objection_id>/settle/", objections.settle, name="settle_objection"),
]
