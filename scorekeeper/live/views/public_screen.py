"""The public screen of an event, its settings, and the buttons that control it."""

from __future__ import annotations

from functools import partial

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _

from scorekeeper.audience.services import (
    freeze_standings,
    lift_freeze,
    reveal_to_step,
    start_reveal,
)
from scorekeeper.common.concurrent_edits import Edit
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.edit_lock import one_edit_at_a_time
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import get_open_event, get_organiser, list_contests
from scorekeeper.live.forms import PairingForm, ScreenForm
from scorekeeper.live.selectors.paired_screens import present_paired_screens
from scorekeeper.live.selectors.screen import (
    get_event_phase,
    get_screen,
    get_screen_presenter,
    iterate_public_contests,
)
from scorekeeper.live.services import save_screen
from scorekeeper.live.views.screen_response import render_screen

MAX_DIGITS = 5  # of the number of a step


def show_screen(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the public screen of an event."""
    event = get_open_event(slug)
    if event is None:
        raise Http404
    presenter = get_screen_presenter(get_screen(event))
    steers = request.user.is_authenticated and get_organiser(request.user, slug) is not None
    urls = {"page_url": reverse("live:screen", args=[slug]), "stream_url": reverse("live:screen_stream", args=[slug])}
    response = render_screen(request, presenter, {**urls, "steers": steers})
    response.headers["Cache-Control"] = "no-cache"
    patch_vary_headers(response, ["HX-Request", "Cookie"])
    return response


@organiser_required
@one_edit_at_a_time
def edit_screen(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Show and save the public screen's settings.

    The page also has the buttons that control the reveal on all screens, and lists the paired screens.
    """
    screen, contests = get_screen(event), list(list_contests(event))
    editing = Edit(request, partial(ScreenForm, instance=screen, contests=contests))
    if editing.is_valid():
        save_screen(editing.form.instance)
        editing.announce(request, _("The screen settings have been saved."))
        return redirect("live:settings", event.slug)
    context = {
        "event": event,
        "is_published": contests and all(contest.status == Contest.Status.OFFICIAL for contest in contests),
        **get_event_phase(event)._asdict(),
        "form": editing.form,
        "edit": editing,
        "screens": present_paired_screens(event),
        "pairing_form": PairingForm(event=event),
    }
    return render(request, "live/settings.html", context, status=editing.status)


@organiser_required
def steer_screen(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Freeze the standings, reveal a step, or lift the freeze, depending on the button."""
    match request.POST.get("to", ""):
        case "freeze":
            freeze_standings(event)
        case "reveal":
            start_reveal(event, list(iterate_public_contests(event)))
        case "live":
            lift_freeze(event)
        case step if step.isdecimal() and len(step) <= MAX_DIGITS:
            reveal_to_step(event, int(step))
        case _:
            raise BadRequest
    return HttpResponse(status=204) if request.htmx else redirect("live:settings", event.slug)
