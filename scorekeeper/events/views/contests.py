"""Pages on which an organiser makes and changes contests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from scorekeeper.common.rules import list_games, say
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.forms.contests import ContestForm, FrozenContestForm
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import list_contests
from scorekeeper.events.services import contests as services

form_methods = require_http_methods(["GET", "HEAD", "POST"])


@organiser_required
@require_safe
def index(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List the event's contests."""
    rows = [(contest, say(contest.game.name)) for contest in list_contests(event)]
    return render(request, "events/contests.html", {"event": event, "rows": rows})


@organiser_required
@require_safe
def choose_game(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Ask which game is to be played; with one game there is nothing to ask."""
    games = list_games()
    if len(games) == 1:
        return redirect("events:create_contest", event.slug, *games)
    choices = [(key, say(game.name)) for key, game in games.items()]
    return render(request, "events/choose_game.html", {"event": event, "games": choices})


@organiser_required
@form_methods
def create(request: OrganiserRequest, event: Event, game_key: str) -> HttpResponse:
    """Make a contest of the game."""
    game = list_games().get(game_key)
    if game is None:
        raise Http404
    unsaved = Contest(event=event, game_key=game.key, rules_version=game.version)
    form = ContestForm(request.POST or None, instance=unsaved, initial={"name": say(game.name)})
    if form.is_valid():
        contest = services.create_contest(event, game, **form.cleaned_data)
        messages.success(request, _("%(contest)s is made.") % {"contest": contest})
        return redirect(_get_next_page(contest))
    context = {"event": event, "game": say(game.name), "form": form}
    return render(request, "events/create_contest.html", context, status=422 if form.is_bound else 200)


@organiser_required
@form_methods
def edit(request: OrganiserRequest, event: Event, contest_slug: str) -> HttpResponse:
    """Change a contest: everything before its first entry, its name and prizes after."""
    contest = get_object_or_404(event.contests, slug=contest_slug)
    try:
        form = _make_form(contest, request.POST or None)
        if form.is_valid():
            _save(contest, form)
            messages.success(request, _("%(contest)s is changed.") % {"contest": contest})
            return redirect("events:contests", event.slug)
        status = 422 if form.is_bound else 200
    except services.ContestFrozen:
        contest.refresh_from_db()
        form, status = FrozenContestForm(instance=contest, initial=request.POST.dict()), 409
    context = {
        "event": event,
        "contest": contest,
        "game": say(contest.game.name),
        "form": form,
        "options": _list_options(contest) if contest.frozen_at else (),
        "is_conflict": status == 409,
    }
    return render(request, "events/edit_contest.html", context, status=status)


@organiser_required
@form_methods
def delete(request: OrganiserRequest, event: Event, contest_slug: str) -> HttpResponse:
    """Ask, then take away a contest that was never played."""
    contest = get_object_or_404(event.contests, slug=contest_slug)
    if request.method == "POST":
        try:
            services.delete_contest(contest)
        except services.ContestFrozen:
            messages.error(request, _("%(contest)s has been played, so it stays.") % {"contest": contest})
            return redirect("events:edit_contest", event.slug, contest.slug)
        messages.success(request, _("%(contest)s is gone.") % {"contest": contest})
        return redirect("events:contests", event.slug)
    return render(request, "events/delete_contest.html", {"event": event, "contest": contest})


def _make_form(contest: Contest, data: QueryDict | None) -> forms.ModelForm[Contest]:
    """Return the form for a contest as it stands.

    Raises:
        ContestFrozen: the page was made before the first dice, and asks for what can no longer change.
    """
    if contest.frozen_at is None:
        return ContestForm(data, instance=contest)
    if data is not None and "seats_are" in data:
        raise services.ContestFrozen
    return FrozenContestForm(data, instance=contest)


def _save(contest: Contest, form: forms.ModelForm[Contest]) -> None:
    if isinstance(form, ContestForm):
        services.update_contest(contest, **form.cleaned_data)
    else:
        services.rename_contest(contest, **form.cleaned_data)


def _list_options(contest: Contest) -> Sequence[tuple[str, Any]]:
    """Return the options of a contest that can no longer change, as label and value."""
    fields = ContestForm(instance=contest).fields.items()
    return [(str(f.label), f.prepare_value(f.initial)) for name, f in fields if name.startswith("option_")]


def _get_next_page(contest: Contest) -> str:
    """Return where its turns are given to stops, for a game that has them; else its settings."""
    page = "stops:slots" if contest.game.slot_option else "events:edit_contest"
    return reverse(page, args=[contest.event.slug, contest.slug])
