"""URLs of the app."""

from django.urls import path

from scorekeeper.webhooks import views

app_name = "webhooks"

_LIST = "desk/events/<slug:slug>/webhooks/"
_WEBHOOK = f"{_LIST}<uuid:webhook_id>/"

urlpatterns = [
    path(_LIST, views.index, name="list"),
    path(_WEBHOOK, views.show, name="webhook"),
    path(f"{_WEBHOOK}steer/", views.steer, name="steer"),
    path(f"{_WEBHOOK}secret/", views.rotate, name="rotate"),
    path(f"{_WEBHOOK}delete/", views.delete, name="delete"),
    path(f"{_WEBHOOK}messages/<uuid:delivery_id>/send-again/", views.send_again, name="send_again"),
]
