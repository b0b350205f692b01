"""Pages on which an organiser adds, changes and deletes single people."""

from __future__ import annotations

from functools import partial
from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.common.concurrent_edits import Edit, show_deleted
from scorekeeper.common.next_url import get_next_url
from scorekeeper.common.sent_once import sent_once
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.edit_lock import one_edit_at_a_time
from scorekeeper.events.models import Event
from scorekeeper.players.forms.roster import PlayerForm
from scorekeeper.players.services import people as services


@sent_once
@organiser_required
def add(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Add a person. `?next=` is the page to return to."""
    form = PlayerForm(request.POST or None, event=event)
    back = get_next_url(request, reverse("players:roster", args=[event.slug]))
    if form.is_valid():
        player = services.add_player(event, **form.cleaned_data)
        messages.success(request, _("%(player)s has been added.") % {"player": player})
        return redirect(back)
    context = {"event": event, "form": form, "back": back}
    return render(request, "players/add_player.html", context, status=422 if form.is_bound else 200)


@organiser_required
@one_edit_at_a_time
def edit(request: OrganiserRequest, event: Event, player_id: UUID) -> HttpResponse:
    """Change a person."""
    people = event.players.select_for_update(no_key=True) if request.method == "POST" else event.players
    player = people.filter(pk=player_id).first()
    if player is None:
        back = reverse("players:roster", args=[event.slug])
        return show_deleted(request, PlayerForm(request.POST, event=event), {"event": event}, back)
    editing = Edit(request, partial(PlayerForm, event=event, instance=player))
    if editing.is_valid():
        services.update_player(player, **editing.form.cleaned_data)
        messages.success(request, _("%(player)s has been changed.") % {"player": player})
        editing.announce(request)
        return redirect("players:roster", event.slug)
    context = {"event": event, "player": player, "form": editing.form, "edit": editing}
    return render(request, "players/edit_player.html", context, status=editing.status)


@organiser_required
@one_edit_at_a_time
def delete(request: OrganiserRequest, event: Event, player_id: UUID) -> HttpResponse:
    """Delete a person who has no scorecard, after confirmation."""
    player = get_object_or_404(event.players, pk=player_id)
    if request.method == "POST":
        try:
            services.delete_player(player)
        except services.PlayerInUse:
            messages.error(
                request, _("%(player)s has a scorecard, so the name cannot be deleted.") % {"player": player}
            )
        else:
            messages.success(request, _("%(player)s has been deleted.") % {"player": player})
        return redirect("players:roster", event.slug)
    return render(request, "players/delete_player.html", {"event": event, "player": player})
