"""Pages on which organisers add and remove organisers."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.forms.events import OrganiserForm
from scorekeeper.events.models import Event
from scorekeeper.events.selectors import list_organisers
from scorekeeper.events.services import events as services


@organiser_required
def add(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List the organisers of the event, and add one."""
    form = OrganiserForm(request.POST or None)
    if form.is_valid():
        user = form.cleaned_data["username"]
        services.add_organiser(event, user)
        messages.success(request, _("%(name)s is now an organiser of the event.") % {"name": user})
        return redirect("events:organisers", event.slug)
    context = {
        "event": event,
        "form": form,
        "organisers": list_organisers(event),
        "current_organiser": request.organiser,
    }
    return render(request, "events/organisers.html", context, status=422 if form.is_bound else 200)


@organiser_required
def remove(request: OrganiserRequest, event: Event, organiser_id: UUID) -> HttpResponse:
    """Remove an organiser, after confirmation."""
    organiser = get_object_or_404(list_organisers(event), pk=organiser_id)
    is_self = organiser == request.organiser
    if request.method == "POST":
        try:
            services.remove_organiser(organiser)
        except services.LastOrganiser:
            messages.error(request, _("An event needs at least one organiser. Add another organiser first."))
            return redirect("events:organisers", event.slug)
        messages.success(
            request, _("%(name)s is no longer an organiser of %(event)s.") % {"name": organiser, "event": event}
        )
        return redirect("events:list") if is_self else redirect("events:organisers", event.slug)
    context = {"event": event, "organiser": organiser, "is_self": is_self}
    return render(request, "events/remove_organiser.html", context)
