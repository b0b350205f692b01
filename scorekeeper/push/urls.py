"""URLs of the app. The service worker controls only what is below its own URL, where no page is."""

from django.urls import path

from scorekeeper.push import views

app_name = "push"

urlpatterns = [
    path("push/worker.js", views.service_worker, name="worker"),
    path("push/key", views.key, name="key"),
    path("push/told", views.told, name="told"),
    path("push/follow", views.follow, name="follow"),
    path("push/stop", views.stop, name="stop"),
    path("push/move", views.move, name="move"),
    path("push/events/<slug:slug>/app.webmanifest", views.manifest, name="manifest"),
]
