"""Addresses of the room. The crew come by the bike, organisers by the card."""

from django.urls import path

from scorekeeper.scorecards.views import (
    card,
    correct,
    dice_set,
    group,
    history,
    move,
    note,
    other_turn,
    retire,
    scanned,
    standing,
    undo,
    void,
    walk_up,
    withdraw,
)
from scorekeeper.scorecards.views.doors import for_crew, for_desk

app_name = "scorecards"

_BIKE = "crew/bikes/<uuid:bike_id>/"
_CARD = "desk/events/<slug:slug>/cards/<uuid:card_id>/"

urlpatterns = [
    path("b/<str:code>/", scanned.scanned, name="scanned"),
    path("crew/", group.group, name="group"),
    path("crew/dice-set/", dice_set.dice_set, name="dice_set"),
    path("crew/standing/", standing.standing, name="standing"),
    path("crew/walk-up/", walk_up.walk_up, name="walk_up"),
    path(_BIKE, card.card, name="card"),
    path(f"{_BIKE}undo/", undo.undo, name="undo"),
    path(f"{_BIKE}withdraw/", withdraw.withdraw, name="withdraw"),
    path(f"{_BIKE}other-turn/", for_crew(other_turn.other_turn), name="other_turn"),
    path(f"{_BIKE}history/", for_crew(history.history), name="history"),
    path(f"{_BIKE}correct/", for_crew(correct.correct), name="correct"),
    path(f"{_BIKE}void/", for_crew(void.void), name="void"),
    path(f"{_BIKE}move/", for_crew(move.move), name="move"),
    path(f"{_BIKE}retire/", for_crew(retire.retire), name="retire"),
    path(_CARD, for_desk(history.history), name="desk_card"),
    path(f"{_CARD}note/", for_desk(note.note), name="desk_note"),
    path(f"{_CARD}correct/", for_desk(correct.correct), name="desk_correct"),
    path(f"{_CARD}void/", for_desk(void.void), name="desk_void"),
    path(f"{_CARD}move/", for_desk(move.move), name="desk_move"),
    path(f"{_CARD}retire/", for_desk(retire.retire), name="desk_retire"),
]
