"""The organiser's pages for paired screens: pairing a television, what it shows, and unpairing it."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from scorekeeper.common.sent_once import sent_once
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.events.selectors import list_contests
from scorekeeper.live.forms import PairingForm, ScreenForm
from scorekeeper.live.models import Screen
from scorekeeper.live.selectors.screen import list_paired_screens
from scorekeeper.live.services.screens import save_screen, unpair_screen

REFUSED, THROTTLED = 422, 429


@sent_once
@organiser_required
def pair(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Pair the television that shows a code, and go on to what it shows."""
    form = PairingForm(request.POST or None, event=event)
    screen = form.pair(request.user) if form.is_valid() else None
    if screen is not None:
        messages.success(request, _("%(screen)s is paired. Choose what it shows.") % {"screen": screen})
        return redirect("live:edit_screen", event.slug, screen.pk)
    status = (THROTTLED if form.is_throttled else REFUSED) if form.is_bound else 200
    return render(request, "live/pair.html", {"event": event, "form": form}, status=status)


@organiser_required
def edit(request: OrganiserRequest, event: Event, screen_id: UUID) -> HttpResponse:
    """Show and save the name of a paired screen and what it shows."""
    screen = _get_screen(event, screen_id)
    name = screen.name  # a refused form changes the screen's own
    form = ScreenForm(request.POST or None, instance=screen, contests=list(list_contests(event)))
    if form.is_valid():
        save_screen(form.instance)
        messages.success(request, _("The settings of %(screen)s have been saved.") % {"screen": form.instance})
        return redirect("live:settings", event.slug)
    context = {"event": event, "screen": screen, "name": name, "form": form}
    return render(request, "live/edit_screen.html", context, status=REFUSED if form.is_bound else 200)


@organiser_required
def unpair(request: OrganiserRequest, event: Event, screen_id: UUID) -> HttpResponse:
    """Unpair a television, after confirmation."""
    screen = _get_screen(event, screen_id)
    if request.method == "POST":
        unpair_screen(screen)
        messages.success(request, _("%(screen)s is unpaired. Its television shows a code again.") % {"screen": screen})
        return redirect("live:settings", event.slug)
    return render(request, "live/unpair.html", {"event": event, "screen": screen})


def _get_screen(event: Event, screen_id: UUID) -> Screen:
    screen = list_paired_screens(event).filter(pk=screen_id).first()
    if screen is None:
        raise Http404
    screen.event = event
    return screen
