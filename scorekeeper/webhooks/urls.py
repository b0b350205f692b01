"""URLs of the app."""

from django.urls import path

from scorekeeper.webhooks.views import webhooks

app_name = "webhooks"

_LIST = "desk/events/<slug:slug>/webhooks/"
_WEBHOOK = f"{_LIST}<uuid:webhook_id>/"

urlpatterns = [
    path(_LIST, webhooks.index, name="list"),
    path(_WEBHOOK, webhooks.show, name="webhook"),
    path(f"{_WEBHOOK}steer/", webhooks.steer, name="steer"),
    path(f"{_WEBHOOK}secret/", webhooks.rotate, name="rotate"),
    path(f"{_WEBHOOK}delete/", webhooks.delete, name="delete"),
    path(f"{_WEBHOOK}messages/<uuid:delivery_id>/send-again/", webhooks.send_again, name="send_again"),
]
