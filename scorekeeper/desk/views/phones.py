"""The phones of the crew: the last contact with each, and its unsent entries."""

from __future__ import annotations

from django.http import HttpResponse
from django.shortcuts import render

from scorekeeper.crew.phones import count_phones, list_phones
from scorekeeper.desk.selectors.overview import count_conflicts
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event


@organiser_required
def index(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List the phones, those that need attention first."""
    context = {
        "event": event,
        "phones": count_phones(event),
        "conflicts": count_conflicts(event),
        "listed": list_phones(event),
    }
    return render(request, "desk/phones.html", context)
