"""The page of the microphone, which moves the reveal on the screens."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.audience.reveals import get_running_reveal
from scorekeeper.audience.services import move_reveal, start_reveal
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.events.selectors import list_unofficial_contests
from scorekeeper.live.microphone_script import get_script
from scorekeeper.live.selectors.screen import iterate_revealed_contests
from scorekeeper.prizes.selectors.announcements import arrange_announcements, list_prize_changes

MAX_DIGITS = 5  # of the number of a step


@organiser_required
def show_microphone(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Show what is said at the microphone now; the page has the whole script, also for printing."""
    script = get_script(event)
    current = script.current
    context = {
        "event": event,
        "script": script,
        "unofficial": list_unofficial_contests(event),
        "next": reverse("live:settings", args=[event.slug]),
        "prize_changes": list_prize_changes(event),
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
    start_reveal(event, list(iterate_revealed_contests(event)), arrange_announcements)
    return redirect("live:microphone", event.slug)


@organiser_required
def step_microphone(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Move the screens to an item, unless the page is of another reveal, and say where they are.

    A script receives the step and the digest of the reveal, a browser without scripts is sent to the page.
    """
    reveal = get_running_reveal(event)
    if request.method == "POST":
        seen = (_read_number(request, "lowest"), _read_number(request, "highest"))
        to = _read_number(request, "to")
        is_current = reveal is not None and request.POST.get("reveal") == reveal.get_digest()
        if is_current:
            move_reveal(event, seen, to)
            reveal = get_running_reveal(event)
        if request.accepts("text/html"):
            if not is_current:
                messages.warning(request, _("The reveal was started again or has ended. This is the current script."))
            return redirect("live:microphone", event.slug)
    if reveal is None:
        return JsonResponse({"step": None, "reveal": ""})
    return JsonResponse({"step": reveal.step, "reveal": reveal.get_digest()})


def _read_number(request: HttpRequest, name: str) -> int:
    text = request.POST.get(name, "")
    if not text.isdecimal() or len(text) > MAX_DIGITS:
        raise BadRequest
    return int(text)
