"""URLs of the app. Crew pages name the bike, organiser pages name the card."""

from django.urls import path

from scorekeeper.scorecards.views import (
    after_last_turn,
    correct,
    group,
    history,
    late_turns,
    move,
    non_starters,
    record_turn,
    retire,
    sheets,
    walk_ups,
)
from scorekeeper.scorecards.views.access import crew_card_view, desk_card_view

app_name = "scorecards"

_BIKE = "crew/bikes/<uuid:bike_id>/"
_CARD = "desk/events/<slug:slug>/cards/<uuid:card_id>/"

urlpatterns = [
    path("b/<str:code>/", group.open_scanned_code, name="scanned"),
    path("crew/", group.group, name="group"),
    path("crew/dice-set/", group.dice_set, name="dice_set"),
    path("crew/standing/", group.group_standings, name="standing"),
    path("crew/walk-up/", walk_ups.walk_up, name="walk_up"),
    path(_BIKE, record_turn.enter_turn, name="card"),
    path(f"{_BIKE}undo/", crew_card_view(history.undo), name="undo"),
    path(f"{_BIKE}withdraw/", walk_ups.withdraw, name="withdraw"),
    path(f"{_BIKE}another-sheet/", crew_card_view(sheets.sell), name="sell_sheet"),
    path(f"{_BIKE}withdraw-sheet/", crew_card_view(sheets.withdraw), name="withdraw_sheet"),
    path(f"{_BIKE}other-turn/", crew_card_view(late_turns.other_turn), name="other_turn"),
    path(f"{_BIKE}history/", crew_card_view(history.history), name="history"),
    path(f"{_BIKE}buy/", crew_card_view(after_last_turn.follow_last_turn), name="buy"),
    path(f"{_BIKE}correct/", crew_card_view(correct.correct), name="correct"),
    path(f"{_BIKE}void/", crew_card_view(history.void), name="void"),
    path(f"{_BIKE}move/", crew_card_view(move.move), name="move"),
    path(f"{_BIKE}did-not-start/", non_starters.crew_did_not_start, name="did_not_start"),
    path(f"{_BIKE}retire/", crew_card_view(retire.retire), name="retire"),
    path(
        "desk/events/<slug:slug>/bikes/<uuid:bike_id>/did-not-start/",
        non_starters.desk_did_not_start,
        name="desk_did_not_start",
    ),
    path(_CARD, desk_card_view(history.history), name="desk_card"),
    path(f"{_CARD}note/", desk_card_view(late_turns.record_late_turn), name="desk_note"),
    path(f"{_CARD}buy/", desk_card_view(after_last_turn.follow_last_turn), name="desk_buy"),
    path(f"{_CARD}correct/", desk_card_view(correct.correct), name="desk_correct"),
    path(f"{_CARD}void/", desk_card_view(history.void), name="desk_void"),
    path(f"{_CARD}move/", desk_card_view(move.move), name="desk_move"),
    path(f"{_CARD}another-sheet/", desk_card_view(sheets.sell), name="desk_sell_sheet"),
    path(f"{_CARD}withdraw-sheet/", desk_card_view(sheets.withdraw), name="desk_withdraw_sheet"),
    path(f"{_CARD}retire/", desk_card_view(retire.retire), name="desk_retire"),
]
