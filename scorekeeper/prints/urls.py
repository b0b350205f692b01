"""URLs of the app. The size of paper is in the query, `?paper=letter`; without it, it is the usual one of the event."""

from django.urls import path

from scorekeeper.prints import views

app_name = "prints"

_DESK = "desk/events/<slug:slug>/prints/"

urlpatterns = [
    path("events/<slug:slug>/<slug:contest_slug>/print/<slug:kind>.pdf", views.public_file, name="public_file"),
    path("events/<slug:slug>/prints/<uuid:job_id>/", views.public_job, name="public_job"),
    path("events/<slug:slug>/prints/<uuid:job_id>.pdf", views.public_job_file, name="public_job_file"),
    path(_DESK, views.list_prints, name="list"),
    path(f"{_DESK}certificate/", views.certificate, name="certificate"),
    path(f"{_DESK}crew-sheet.pdf", views.crew_links, name="crew_links"),
    path(f"{_DESK}jobs/<uuid:job_id>/", views.job, name="job"),
    path(f"{_DESK}jobs/<uuid:job_id>.pdf", views.job_file, name="job_file"),
    path(f"{_DESK}<slug:kind>.pdf", views.event_file, name="event_file"),
    path(f"{_DESK}of/<slug:contest_slug>/<slug:kind>.pdf", views.contest_file, name="contest_file"),
]
