"""The public screen with its settings and controls, the microphone's page, and responses at the URLs of streams.

The latter are for servers that have no streams.
"""

from __future__ import annotations

from functools import partial
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _

from scorekeeper.common.concurrent_edits import Edit
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.edit_lock import one_edit_at_a_time
from scorekeeper.events.models import Event
from scorekeeper.events.selectors import get_open_contest, get_open_event, get_organiser, list_contests
from scorekeeper.live.forms import PairingForm, ScreenForm
from scorekeeper.live.reveal_moves import begin_reveal, move_reveal
from scorekeeper.live.selectors.microphone import get_script
from scorekeeper.live.selectors.paired_screens import present_paired_screens
from scorekeeper.live.selectors.reveal_steps import get_reveal_steps
from scorekeeper.live.selectors.screen import (
    get_event_phase,
    get_screen,
    get_screen_presenter,
    list_screen_contests,
)
from scorekeeper.live.services.screens import save_screen
from scorekeeper.live.views.screen_response import render_screen
from scorekeeper.standings.services.freeze import freeze_standings, lift_freeze, reveal_to_step, start_reveal

MAX_DIGITS = 5  # of the number of a step or an item


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
        messages.success(request, _("The screen settings have been saved."))
        editing.announce(request)
        return redirect("live:settings", event.slug)
    context = {
        "event": event,
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
            start_reveal(event, list_screen_contests(get_screen(event)))
        case "live":
            lift_freeze(event)
        case step if step.isdecimal():
            reveal_to_step(event, int(step))
        case _:
            raise BadRequest
    return HttpResponse(status=204) if request.htmx else redirect("live:settings", event.slug)


@organiser_required
def show_microphone(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Show what is said at the microphone now; the page has the whole script, also for printing."""
    script = get_script(event)
    current = script.find_current(_parse_number(request.GET.get("item", "")))
    context = {
        "event": event,
        "script": script,
        "is_revealing": script.reveal.step is not None,
        "reveal": script.reveal.get_digest(),
        "current": current,
        "before": script.items[current - 1] if current > 0 else None,
        "after": script.items[current + 1] if current + 1 < len(script.items) else None,
    }
    return render(request, "live/microphone.html", context)


@organiser_required
def start_announcing(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Start the reveal, and go to the first item."""
    begin_reveal(event)
    return redirect("live:microphone", event.slug)


@organiser_required
def step_microphone(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Move the screens to the step of an item, unless the page is of another reveal, and say where they are.

    A script receives the step and the digest of the reveal, a browser without scripts is sent to the item.
    """
    reveal = get_reveal_steps(event)
    if request.method == "POST":
        seen = (_read_number(request, "lowest"), _read_number(request, "highest"))
        to, item = _read_number(request, "to"), _read_number(request, "item")
        is_current = reveal.step is not None and request.POST.get("reveal") == reveal.get_digest()
        if is_current:
            move_reveal(event, seen, to)
            reveal = get_reveal_steps(event)
        if request.accepts("text/html"):
            if not is_current:
                messages.warning(request, _("The reveal was started again or has ended. This is the current script."))
            return redirect(f"{reverse('live:microphone', args=[event.slug])}?item={item}")
    return JsonResponse({"step": reveal.step, "reveal": reveal.get_digest()})


def leaderboard_stream(request: HttpRequest, slug: str, contest_slug: str) -> HttpResponse:
    """Answer that there is no stream (204), so that the page polls instead; a WSGI server has no streams.

    Under ASGI, `live.stream_middleware` serves the streams, and only the requests that it passes on come here.
    """
    if get_open_contest(slug, contest_slug) is None:
        raise Http404
    return HttpResponse(status=204)


def event_stream(request: HttpRequest, slug: str) -> HttpResponse:
    """Answer that there is no stream for an event's page or screen, as `leaderboard_stream` does."""
    if get_open_event(slug) is None:
        raise Http404
    return HttpResponse(status=204)


def changes_stream(request: HttpRequest, event_id: UUID) -> HttpResponse:
    """Answer that there is no stream for the phones of a ride, as `leaderboard_stream` does.

    The guard has found the event.
    """
    return HttpResponse(status=204)


def _read_number(request: HttpRequest, name: str) -> int:
    number = _parse_number(request.POST.get(name, ""))
    if number is None:
        raise BadRequest
    return number


def _parse_number(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) <= MAX_DIGITS else None
