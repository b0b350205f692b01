"""URLs of the roster, its import, its bikes and people, and the printed codes."""

from django.urls import path

from scorekeeper.players import class_pages, views

app_name = "players"

_EVENT = "desk/events/<slug:slug>/"

urlpatterns = [
    path("events/<slug:slug>/sign-up/", views.ask_for_place, name="sign_up"),
    path(f"{_EVENT}sign-ups/", views.list_sign_ups, name="sign_ups"),
    path(f"{_EVENT}sign-ups/<uuid:sign_up_id>/", views.decide_sign_up, name="decide_sign_up"),
    path(f"{_EVENT}sign-ups/<uuid:sign_up_id>/told/", views.mark_as_told, name="mark_as_told"),
    path(f"{_EVENT}bikes/", views.show_roster, name="roster"),
    path(f"{_EVENT}bikes/new/", views.add_bike, name="add_bike"),
    path(f"{_EVENT}bikes/codes/", views.show_codes, name="codes"),
    path(f"{_EVENT}bikes/import/", views.upload_roster, name="import"),
    path(f"{_EVENT}bikes/import/sample.csv", views.download_sample, name="sample"),
    path(f"{_EVENT}bikes/<uuid:bike_id>/", views.edit_bike, name="edit_bike"),
    path(f"{_EVENT}bikes/<uuid:bike_id>/delete/", views.delete_bike, name="delete_bike"),
    path(f"{_EVENT}classes/", class_pages.show_classes, name="classes"),
    path(f"{_EVENT}classes/<uuid:class_id>/", class_pages.edit_class, name="edit_class"),
    path(f"{_EVENT}classes/<uuid:class_id>/move/", class_pages.move_class, name="move_class"),
    path(f"{_EVENT}classes/<uuid:class_id>/delete/", class_pages.delete_class, name="delete_class"),
    path(f"{_EVENT}people/new/", views.add_player, name="add_player"),
    path(f"{_EVENT}people/<uuid:player_id>/", views.edit_player, name="edit_player"),
    path(f"{_EVENT}people/<uuid:player_id>/delete/", views.delete_player, name="delete_player"),
]
