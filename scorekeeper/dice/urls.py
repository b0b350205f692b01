"""URLs of the app."""

from django.urls import path

from scorekeeper.dice import views

app_name = "dice"

_EVENT = "desk/events/<slug:slug>/dice/"

urlpatterns = [
    path(_EVENT, views.show_audit, name="audit"),
    path(f"{_EVENT}tests/new/", views.add_test, name="start_test"),
    path(f"{_EVENT}tests/<uuid:dice_test_id>/", views.enter_throws, name="test"),
]
