"""URLs of the app. The size of paper is in the query, `?paper=letter`; without it, it is the usual one of the event."""

from django.urls import path

from scorekeeper.prints.views import certificate, crew_links, print_list, prints

app_name = "prints"

_DESK = "desk/events/<slug:slug>/prints/"

urlpatterns = [
    path("events/<slug:slug>/<slug:contest_slug>/print/<slug:kind>.pdf", prints.public_file, name="public_file"),
    path("events/<slug:slug>/prints/<uuid:job_id>/", prints.public_job, name="public_job"),
    path("events/<slug:slug>/prints/<uuid:job_id>.pdf", prints.public_job_file, name="public_job_file"),
    path(_DESK, print_list.index, name="list"),
    path(f"{_DESK}certificate/", certificate.certificate, name="certificate"),
    path(f"{_DESK}crew-sheet.pdf", crew_links.crew_links, name="crew_links"),
    path(f"{_DESK}jobs/<uuid:job_id>/", prints.job, name="job"),
    path(f"{_DESK}jobs/<uuid:job_id>.pdf", prints.job_file, name="job_file"),
    path(f"{_DESK}<slug:kind>.pdf", prints.event_file, name="event_file"),
    path(f"{_DESK}of/<slug:contest_slug>/<slug:kind>.pdf", prints.contest_file, name="contest_file"),
]
