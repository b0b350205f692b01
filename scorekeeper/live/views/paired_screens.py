"""The organiser's pages for paired screens: pairing a television, what it shows, and unpairing it."""

from __future__ import annotations

from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.common.concurrent_edits import show_deleted
from scorekeeper.common.ordered_choice import is_move
from scorekeeper.common.sent_once import sent_once
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.confirmation import Confirmation
from scorekeeper.events.edit_lock import one_edit_at_a_time
from scorekeeper.events.models import Event
from scorekeeper.events.selectors import list_contests
from scorekeeper.live.forms import PairingForm, ScreenForm
from scorekeeper.live.models import Screen
from scorekeeper.live.selectors.screen import list_paired_screens
from scorekeeper.live.services import save_screen, unpair_screen
from scorekeeper.live.views.screen_form import edit_screen_form, get_status, make_form_context

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
@one_edit_at_a_time
def edit(request: OrganiserRequest, event: Event, screen_id: UUID) -> HttpResponse:
    """Show and save the name of a paired screen and what it shows."""
    contests = list(list_contests(event))
    screen = _find_screen(event, screen_id)
    if screen is None:
        form = ScreenForm(request.POST, instance=Screen(event=event), contests=contests)
        return show_deleted(request, form, {"event": event}, reverse("live:settings", args=[event.slug]))
    editing = edit_screen_form(request, screen, contests)
    if not is_move(request) and editing.is_valid():
        screen = editing.form.instance
        save_screen(screen)
        editing.announce(request, _("The settings of %(screen)s have been saved.") % {"screen": screen})
        return redirect("live:settings", event.slug)
    back = reverse("live:settings", args=[event.slug])
    context = {"event": event, "screen": screen, "back": back, **make_form_context(request, event, editing)}
    return render(request, "live/edit_screen.html", context, status=get_status(request, editing))


@organiser_required
@one_edit_at_a_time
def unpair(request: OrganiserRequest, event: Event, screen_id: UUID) -> HttpResponse:
    """Unpair a television, after confirmation."""
    screen = _find_screen(event, screen_id)
    if screen is None:
        raise Http404
    return Confirmation(
        event=event,
        tab="screens",
        title=_("Unpair a television"),
        question=_("Unpair “%(screen)s”?") % {"screen": screen},
        explanation=_(
            "The television shows a code again at once. What you chose for it is forgotten; to use it again, pair it "
            "and choose again."
        ),
        button=_("Unpair this television"),
        done=_("%(screen)s is unpaired. Its television shows a code again.") % {"screen": screen},
        back=reverse("live:settings", args=[event.slug]),
    ).answer(request, partial(unpair_screen, screen))


def _find_screen(event: Event, screen_id: UUID) -> Screen | None:
    screen = list_paired_screens(event).filter(pk=screen_id).first()
    if screen is not None:
        screen.event = event
    return screen
