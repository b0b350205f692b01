"""URLs of the app."""

from django.urls import path

from scorekeeper.audience.views import steer_draw
from scorekeeper.desk.views import event_copy, event_deletion, live_grid, overview, practice, worth_a_look
from scorekeeper.scorecards.views import duplicates, registration, review, sheets
from scorekeeper.standings.views import class_members, finish, revisions, ties

app_name = "desk"

_EVENT = "desk/events/<slug:slug>/"
_FINISH = f"{_EVENT}finish/<slug:contest_slug>/"

urlpatterns = [
    path("desk/copy/", event_copy.copy, name="copy"),
    path(f"{_EVENT}copied/", event_copy.show_copy, name="copied"),
    path(f"{_EVENT}delete/", event_deletion.delete, name="delete"),
    path(_EVENT, overview.show_event, name="event"),
    path(f"{_EVENT}practice/", practice.start, name="practice"),
    path(f"{_EVENT}practice/play/", practice.play, name="practice_play"),
    path(f"{_EVENT}practice/progress/", practice.show_progress, name="practice_progress"),
    path(f"{_EVENT}practice/restart/", practice.restart, name="practice_restart"),
    path(f"{_EVENT}live/", live_grid.show_grid, name="live"),
    path(f"{_EVENT}live/changes/", live_grid.show_changes, name="live_changes"),
    path(f"{_EVENT}worth-a-look/", worth_a_look.index, name="warnings"),
    path(f"{_EVENT}worth-a-look/restore/", worth_a_look.restore, name="restore_warning"),
    path(f"{_EVENT}cards/", overview.show_cards, name="cards"),
    path(f"{_EVENT}phones/", overview.show_phones, name="phones"),
    path(f"{_EVENT}phones/lost/<uuid:loss_id>/", overview.confirm_lost_phone, name="confirm_lost_phone"),
    path(f"{_EVENT}review/", review.list_review, name="review"),
    path(f"{_EVENT}review/<uuid:item_id>/", review.decide, name="settle"),
    path(f"{_EVENT}review/<uuid:item_id>/take-back/", review.revert_decision, name="take_back"),
    path(f"{_EVENT}bikes/register/", registration.register, name="register_bike"),
    path(f"{_EVENT}review/names/<uuid:bike_id>/", review.decide_names, name="walk_up_names"),
    path(f"{_EVENT}classes/corrections/", class_members.show_corrections, name="class_corrections"),
    path(f"{_EVENT}classes/<uuid:class_id>/members/", class_members.edit_members, name="class_members"),
    path(f"{_EVENT}bikes/<uuid:bike_id>/classes/", class_members.edit_bike_classes, name="bike_classes"),
    path(f"{_EVENT}people/<uuid:player_id>/classes/", class_members.edit_person_classes, name="person_classes"),
    path(f"{_EVENT}sheets/", sheets.list_sheets_page, name="sheets"),
    path(f"{_EVENT}sheets/passengers/", sheets.add_for_passengers, name="passenger_sheets"),
    path(f"{_EVENT}duplicates/", duplicates.list_pages, name="duplicates"),
    path(f"{_EVENT}duplicates/<uuid:bike_id>/merge/", duplicates.merge, name="merge"),
    path(f"{_EVENT}duplicates/<uuid:bike_id>/renumber/", duplicates.renumber, name="renumber"),
    path(f"{_EVENT}duplicates/<uuid:bike_id>/unmerge/", duplicates.unmerge, name="unmerge"),
    path(_FINISH, finish.index, name="finish"),
    path(f"{_FINISH}close/", finish.close, name="close"),
    path(f"{_FINISH}reopen/", finish.reopen, name="reopen"),
    path(f"{_FINISH}missed/", finish.clear_missed, name="clear_missed"),
    path(f"{_FINISH}ties/", ties.index, name="ties"),
    path(f"{_FINISH}ties/screens/", steer_draw, name="steer_draw"),
    path(f"{_FINISH}publish/", finish.publish, name="publish"),
    path(f"{_FINISH}revisions/<int:number>/", revisions.show_revision, name="revision"),
]
