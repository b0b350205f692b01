"""The pages for importing a crew list."""

from __future__ import annotations

from django.http import HttpResponse
from django.urls import reverse

from scorekeeper.common.sent_once import sent_once
from scorekeeper.common.spreadsheets.views import ImportPages, send_sample
from scorekeeper.crew.crew_import import CrewImporter
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event


@sent_once
@organiser_required
def upload_crew(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Ask for a crew list, show how it is read and what would change, and import it after confirmation."""
    pages = ImportPages(
        CrewImporter(event),
        folder="crew",
        context={"event": event},
        back=reverse("crew:groups", args=[event.slug]),
        sample=reverse("crew:sample", args=[event.slug]),
    )
    return pages.show(request)


@organiser_required
def download_crew_sample(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Send a sample crew list."""
    return send_sample(CrewImporter, "crew.csv")
