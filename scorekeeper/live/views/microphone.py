"""The page of the microphone, which moves the reveal on the screens."""

from __future__ import annotations

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.audience.reveals import get_reveal_steps
from scorekeeper.audience.services import (
    move_reveal,
    start_reveal,
)
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.live.microphone_script import get_script
from scorekeeper.live.selectors.screen import iterate_public_contests

MAX_DIGITS = 5  # of the number of a step or an item


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
    start_reveal(event, list(iterate_public_contests(event)))
    return redirect("live:microphone", event.slug)


@organiser_required
def step_microphone(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Move the screens to the step of an item, unless the page is of another reveal, and say where they are.

    A script receives the step and the digest of the reveal, a browser without scripts is sent to the item.
    """
    reveal = get_reveal_steps(event, iterate_public_contests(event))
    if request.method == "POST":
        seen = (_read_number(request, "lowest"), _read_number(request, "highest"))
        to, item = _read_number(request, "to"), _read_number(request, "item")
        is_current = reveal.step is not None and request.POST.get("reveal") == reveal.get_digest()
        if is_current:
            move_reveal(event, seen, to)
            reveal = get_reveal_steps(event, iterate_public_contests(event))
        if request.accepts("text/html"):
            if not is_current:
                messages.warning(request, _("The reveal was started again or has ended. This is the current script."))
            return redirect(f"{reverse('live:microphone', args=[event.slug])}?item={item}")
    return JsonResponse({"step": reveal.step, "reveal": reveal.get_digest()})


def _read_number(request: HttpRequest, name: str) -> int:
    number = _parse_number(request.POST.get(name, ""))
    if number is None:
        raise BadRequest
    return number


def _parse_number(text: str) -> int | None:
    return int(text) if text.isdecimal() and len(text) <= MAX_DIGITS else None
