"""URLs of the app."""

from django.urls import path

from scorekeeper.dice.views import audit, dice_tests

app_name = "dice"

_EVENT = "desk/events/<slug:slug>/dice/"

urlpatterns = [
    path(_EVENT, audit.index, name="audit"),
    path(f"{_EVENT}tests/new/", dice_tests.start, name="start_test"),
    path(f"{_EVENT}tests/<uuid:dice_test_id>/", dice_tests.enter_throws, name="test"),
]
