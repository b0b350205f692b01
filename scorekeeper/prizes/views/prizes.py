"""The organiser's pages of an event's prizes: the list with the winners as they are now, and changing it."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.common.concurrent_edits import Edit, show_deleted
from scorekeeper.common.ordering import is_move_up
from scorekeeper.common.sent_once import sent_once
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.events.services.events import EventArchived
from scorekeeper.ledger.actors import Actor
from scorekeeper.prizes.forms.prize import PrizeForm
from scorekeeper.prizes.selectors.awards import preview_awards
from scorekeeper.prizes.selectors.prize_lists import list_prizes
from scorekeeper.prizes.services import prizes as services


@sent_once
@organiser_required
def index(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Show every prize with whoever wins it now, ties first, and add one."""
    form = PrizeForm(request.POST or None, request.FILES or None, event=event)
    if form.is_valid():
        try:
            actor, prize_id = Actor.from_organiser(request.organiser), form.cleaned_data["prize_id"]
            services.add_prize(actor, event, prize_id, _add_logo(event, form))
        except services.TooManyPrizes:
            text = _("The list is full: it can have %(most)s prizes. Delete one first.")
            form.add_error(None, text % {"most": services.MAX_PRIZES})
        except EventArchived:
            form.add_error(None, _explain_archive(event))
        else:
            messages.success(request, _("The prize has been added."))
            return redirect("prizes:list", event.slug)
    awards = preview_awards(event)
    context = {
        "event": event,
        "form": form,
        "awards": awards,
        "tied": [award for award in awards if award.is_tied],
        "has_contests": bool(form.contests),
    }
    return render(request, "prizes/list.html", context, status=422 if form.is_bound else 200)


@organiser_required
def edit(request: OrganiserRequest, event: Event, prize_id: UUID) -> HttpResponse:
    """Change a prize."""
    prize = list_prizes(event).filter(pk=prize_id).first()
    if prize is None:
        back = reverse("prizes:list", args=[event.slug])
        return show_deleted(request, PrizeForm(request.POST, event=event), {"event": event}, back)
    editing = Edit(request, partial(PrizeForm, event=event, prize=prize))
    form = editing.form
    if editing.is_valid():
        try:
            services.change_prize(Actor.from_organiser(request.organiser), prize, _add_logo(event, form))
        except EventArchived:
            form.add_error(None, _explain_archive(event))
        except services.PrizeChanged:  # at this very moment; an operation cannot run inside a lock of the whole view
            return edit(request, event.slug, prize_id)
        else:
            messages.success(request, _("The prize has been changed."))
            editing.announce(request)
            return redirect("prizes:list", event.slug)
    context = {"event": event, "prize": prize, "form": form, "edit": editing}
    return render(request, "prizes/edit.html", context, status=editing.status)


@organiser_required
def move(request: OrganiserRequest, event: Event, prize_id: UUID) -> HttpResponse:
    """Move a prize up or down by one in the order of announcing."""
    services.move_prize(get_object_or_404(list_prizes(event), pk=prize_id), upwards=is_move_up(request))
    return redirect("prizes:list", event.slug)


@organiser_required
def delete(request: OrganiserRequest, event: Event, prize_id: UUID) -> HttpResponse:
    """Delete a prize, after confirmation."""
    prize = get_object_or_404(list_prizes(event), pk=prize_id)
    if request.method == "POST":
        try:
            services.delete_prize(Actor.from_organiser(request.organiser), prize)
        except EventArchived:
            messages.error(request, _explain_archive(event))
        else:
            messages.success(request, _("The prize has been deleted."))
        return redirect("prizes:list", event.slug)
    return render(request, "prizes/delete.html", {"event": event, "prize": prize})


def _add_logo(event: Event, form: PrizeForm) -> services.PrizeSettings:
    """Return the settings of a valid form, with the picture that was sent, if there is one."""
    logo = form.cleaned_data["logo"]
    if logo is None:
        return form.settings
    return replace(form.settings, logo_id=services.add_logo(event, logo.media_type, logo.content).pk)


def _explain_archive(event: Event) -> str:
    return _("%(event)s is in the archive. Take it out to change its prizes.") % {"event": event}
