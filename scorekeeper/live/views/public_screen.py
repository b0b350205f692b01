"""The public screen of an event, its settings, and the buttons that control it."""

from __future__ import annotations

from django.contrib import messages
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
from scorekeeper.common.ordered_choice import is_move
from scorekeeper.common.request_data import get_next_url
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.edit_lock import one_edit_at_a_time
from scorekeeper.events.models import Event
from scorekeeper.events.selectors import (
    get_open_event,
    get_organiser,
    is_official,
    list_contests,
    list_unofficial_contests,
)
from scorekeeper.live.forms import PairingForm
from scorekeeper.live.selectors.paired_screens import present_paired_screens
from scorekeeper.live.selectors.screen import (
    get_event_phase,
    get_screen,
    get_screen_presenter,
    iterate_revealed_contests,
)
from scorekeeper.live.services import save_screen
from scorekeeper.live.views.screen_form import edit_screen_form, get_status, make_form_context
from scorekeeper.live.views.screen_response import render_screen
from scorekeeper.prizes.selectors.announcements import arrange_announcements, list_prize_changes

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
    editing = edit_screen_form(request, screen, contests)
    if not is_move(request) and editing.is_valid():
        save_screen(editing.form.instance)
        editing.announce(request, _("The screen settings have been saved."))
        return redirect("live:settings", event.slug)
    context = {
        "event": event,
        "is_published": is_official(event),
        "unofficial": list_unofficial_contests(event),
        **get_event_phase(event)._asdict(),
        **make_form_context(request, event, editing),
        "prize_changes": list_prize_changes(event),
        "screens": present_paired_screens(event),
        "pairing_form": PairingForm(event=event),
    }
    return render(request, "live/settings.html", context, status=get_status(request, editing))


@organiser_required
def steer_screen(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Freeze the standings, reveal a step, or lift the freeze, depending on the button."""
    match request.POST.get("to", ""):
        case "freeze":
            freeze_standings(event)
        case "reveal":
            start_reveal(event, list(iterate_revealed_contests(event)), arrange_announcements)
        case "live":
            lift_freeze(event)
            if not request.htmx:
                messages.success(request, _describe_lifted(event))
        case step if step.isdecimal() and len(step) <= MAX_DIGITS:
            reveal_to_step(event, int(step))
        case _:
            raise BadRequest
    if request.htmx:
        return HttpResponse(status=204)
    return redirect(get_next_url(request, reverse("live:settings", args=[event.slug])))


def _describe_lifted(event: Event) -> str:
    unofficial = list_unofficial_contests(event)
    if not unofficial:
        return _("Everyone now sees the official results: on the screens, on the public pages and in the files.")
    return _("Everyone now sees live standings: on the screens, on the public pages and in the files.")
