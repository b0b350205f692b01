"""The contests of an event: listing, creating, changing and deleting them.

The form of a contest is submitted in three ways: to be validated and saved; by a button that changes the content of the
form; and by the page itself, to update the preview. With htmx the response is only the form or only the preview,
without it the whole page.
"""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRedirect

from games.core.game import Game
from scorekeeper.common.concurrent_edits import Edit, show_deleted
from scorekeeper.common.game_adapter import find_fragment, get_preview, list_games, translate
from scorekeeper.common.sent_once import sent_once
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.confirmation import Confirmation
from scorekeeper.events.edit_lock import one_edit_at_a_time
from scorekeeper.events.forms.contests import (
    GROUP_FIELDS,
    ContestForm,
    DeletedContestForm,
    FrozenContestForm,
    apply_form_button,
    changes_fixed_groups,
    includes_frozen_fields,
    is_form_button,
    is_frozen_field,
)
from scorekeeper.events.forms.options.form_data import OptionsEdit
from scorekeeper.events.forms.options.presets import list_preset_buttons
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.options_summary import describe_options
from scorekeeper.events.rules_preview import has_preview, make_rules_preview
from scorekeeper.events.selectors import find_free_name, list_contests
from scorekeeper.events.services import contests as services
from scorekeeper.events.services.events import EventArchived

DRAWING = "drawing"  # the id of the element with the preview


@organiser_required
def index(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List the event's contests."""
    rows = [(contest, translate(contest.game.name)) for contest in list_contests(event)]
    return render(request, "events/contests.html", {"event": event, "rows": rows})


@organiser_required
def choose_game(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Ask which game is played. With only one game there is nothing to choose."""
    games = list_games()
    if len(games) == 1:
        return redirect("events:create_contest", event.slug, *games)
    at_stops = [_describe_game(game) for game in games.values() if game.slot_option]
    at_tables = [_describe_game(game) for game in games.values() if not game.slot_option]
    context = {"event": event, "at_stops": at_stops, "at_tables": at_tables}
    return render(request, "events/choose_game.html", context)


def _describe_game(game: Game[Any]) -> dict[str, str]:
    """Return what helps to choose a game; its picture is a template of the game's own, "" if it has none."""
    return {
        "key": game.key,
        "name": translate(game.name),
        "summary": translate(game.summary),
        "who_plays": translate(game.who_plays),
        "takes": translate(game.takes),
        "picture": find_fragment(game, "picture.html") or "",
    }


@organiser_required
@one_edit_at_a_time
def delete(request: OrganiserRequest, event: Event, contest_slug: str) -> HttpResponse:
    """Delete a contest that was never played, after confirmation."""
    contest = get_object_or_404(event.contests, slug=contest_slug)
    frozen = _("%(contest)s has been played or closed, so it cannot be deleted.")
    return Confirmation(
        event=event,
        tab="contests",
        title=_("Delete the contest"),
        question=_("Delete %(contest)s?") % {"contest": contest},
        explanation=_("Nobody has played it yet. Its options and its turns at the stops are deleted too."),
        done=_("%(contest)s has been deleted.") % {"contest": contest},
        back=reverse("events:edit_contest", args=[event.slug, contest.slug]),
        next_url=reverse("events:contests", args=[event.slug]),
        refusals={
            services.ContestFrozen: frozen % {"contest": contest},
            services.StandingsFrozen: _(
                "The standings are frozen for the prize giving, so no contest can be deleted now. Show everyone the"
                " live standings first, on the page of the big screen."
            ),
        },
    ).answer(request, partial(services.delete_contest, contest))


@sent_once
@organiser_required
def create(request: OrganiserRequest, event: Event, game_key: str) -> HttpResponse:
    """Create a contest of the game."""
    game = list_games().get(game_key)
    if game is None:
        raise Http404
    unsaved = Contest(event=event, game_key=game.key, rules_version=game.version)
    unsaved.name = find_free_name(unsaved, translate(game.name))
    unsaved.seats_are = unsaved.seats_may_be[0]
    change = _apply_button(request, unsaved)
    form = ContestForm(request.POST or None, instance=unsaved, change=change)
    if form.is_valid():
        try:
            contest = services.create_contest(event, game, **form.values)
        except EventArchived:
            messages.error(request, _("%(event)s is in the archive. Take it out to add a contest.") % {"event": event})
            return _redirect(request, reverse("events:edit", args=[event.slug]))
        messages.success(request, _("%(contest)s has been created.") % {"contest": contest})
        return _redirect(request, _get_next_url(contest))
    return _render_form(request, "events/create_contest.html", unsaved, form, change)


@organiser_required
def edit(request: OrganiserRequest, event: Event, contest_slug: str) -> HttpResponse:
    """Change a contest: everything before its first entry; then its name, and its groups until it is closed."""
    is_draft = request.htmx.target == DRAWING or is_form_button(request.POST)
    return (_edit if is_draft else one_edit_at_a_time(_edit))(request, event, contest_slug)


def _edit(request: OrganiserRequest, event: Event, contest_slug: str) -> HttpResponse:
    contest = event.contests.filter(slug=contest_slug).first()
    if contest is None:
        back = reverse("events:contests", args=[event.slug])
        return show_deleted(request, DeletedContestForm(request.POST), {"event": event}, back)
    change = _apply_button(request, contest)
    try:
        editing = Edit(
            request,
            lambda data, _files: _make_form(contest, data, change if data else None),
            is_draft=change is not None,
        )
        if editing.is_valid():
            _save(contest, editing.form)
            editing.announce(request, _("%(contest)s has been changed.") % {"contest": editing.form.instance})
            return _redirect(request, reverse("events:contests", args=[event.slug]))
    except services.GroupsFixed:
        text = _(
            "The contest was closed while this page was open, so nothing was changed. Reopen it to change the groups."
        )
        return _render_conflict(request, contest, text)
    except services.ContestFrozen:
        text = _(
            "The first entries were recorded, or the contest was closed, while this page was open, so nothing was "
            "changed. You can still change the settings below."
        )
        return _render_conflict(request, contest, text)
    return _render_form(request, "events/edit_contest.html", contest, editing.form, change, editing=editing)


def _apply_button(request: OrganiserRequest, contest: Contest) -> OptionsEdit | None:
    """Return the form to show again; None when it was submitted to be saved."""
    return OptionsEdit(request.POST) if request.htmx.target == DRAWING else apply_form_button(contest, request.POST)


def _make_form(contest: Contest, data: QueryDict | None, change: OptionsEdit | None) -> ContestForm | FrozenContestForm:
    """Return the form for a contest in its current state.

    Raises:
        ContestFrozen: the page was opened before the first entry, and the data has settings that can no longer change.
        GroupsFixed: the page was opened before the contest was closed, and the data has other groups.
    """
    if data is not None and changes_fixed_groups(contest, data):
        raise services.GroupsFixed
    if contest.frozen_at is None:
        return ContestForm(data, instance=contest, change=change)
    if data is not None and includes_frozen_fields(data):
        raise services.ContestFrozen
    return FrozenContestForm(data, instance=contest)


def _render_conflict(request: OrganiserRequest, contest: Contest, text: str) -> HttpResponse:
    """Render the form of the contest as it is now, with what was entered and can still be changed."""
    contest.refresh_from_db()
    data = request.POST.copy()
    for name in request.POST:
        is_fixed = contest.status != Contest.Status.OPEN and name in GROUP_FIELDS
        if is_fixed or (contest.frozen_at is not None and is_frozen_field(name)):
            del data[name]
    editing = Edit(request, lambda sent, _files: _make_form(contest, sent, None), data=data)
    return _render_form(request, "events/edit_contest.html", contest, editing.form, editing=editing, conflict=text)


def _save(contest: Contest, form: ContestForm | FrozenContestForm) -> None:
    if isinstance(form, ContestForm):
        services.update_contest(contest, **form.values)
    else:
        services.rename_contest(contest, **form.values)


def _render_form(
    request: OrganiserRequest,
    page: str,
    contest: Contest,
    form: ContestForm | FrozenContestForm,
    change: OptionsEdit | None = None,
    *,
    editing: Edit[ContestForm | FrozenContestForm] | None = None,
    conflict: str = "",
) -> HttpResponse:
    """Render the page, or the part of it that was requested."""
    is_open = isinstance(form, ContestForm)
    ruleset = form.read_ruleset() if isinstance(form, ContestForm) else contest.ruleset
    context = {
        "event": contest.event,
        "contest": contest,
        "game": translate(contest.game.name),
        "form_url": request.path,
        "form": form,
        "edit": editing,
        "fields": [form[name] for name in form.Meta.fields if name in form.fields],  # the others are the options'
        "presets": list_preset_buttons(contest),
        "options_summary": [] if is_open else describe_options(contest.ruleset),
        "change": change,
        "has_drawing": has_preview(contest.game),
        "drawing": get_preview(ruleset) if ruleset else None,
        "rules_preview": make_rules_preview(ruleset) if ruleset else None,
        "conflict": conflict,
    }
    status = 409 if conflict or (editing and editing.conflicts) else 422 if form.is_bound else 200
    if request.htmx.target == DRAWING:  # while the options are invalid, the last preview stays
        return render(request, "events/_drawing.html", context) if ruleset else HttpResponse(status=204)
    return render(request, "events/_contest_form.html" if request.htmx else page, context, status=status)


def _redirect(request: OrganiserRequest, url: str) -> HttpResponse:
    return HttpResponseClientRedirect(url) if request.htmx else redirect(url)


def _get_next_url(contest: Contest) -> str:
    """Return the URL for assigning turns to stops if the game has them, otherwise that of the settings."""
    page = "stops:slots" if contest.game.slot_option else "events:edit_contest"
    return reverse(page, args=[contest.event.slug, contest.slug])
