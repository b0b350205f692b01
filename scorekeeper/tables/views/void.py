"""Voiding an action: it no longer counts, and stays in the log with the reason.

Where the rules do not allow a later action without it, that one is named. Then everything from here on can be voided,
or each of the later actions can be decided about on the page that corrects.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import uuid4

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from scorekeeper.scorecards.fold import Change, NotedTurn, Standoff
from scorekeeper.scorecards.forms.correction import ReasonForm
from scorekeeper.scorecards.services.corrections import Target
from scorekeeper.scorecards.services.recording import NotYet, OtherBody
from scorekeeper.scorecards.views.places import get_data
from scorekeeper.tables.entry import show_problem
from scorekeeper.tables.services.correcting import correct_actions
from scorekeeper.tables.views.errors import about_page
from scorekeeper.tables.views.places import Place, render_place
from scorekeeper.tables.views.targets import find_obstacle, get_action, go_back, show_gone, show_kept


def void(request: HttpRequest, place: Place) -> HttpResponse:
    """Name the action and ask for the reason; then void it, or with `on` everything from it on."""
    action = get_action(request, place)
    form = ReasonForm(request.POST or None)
    if action is None:
        return show_gone(request, place)
    targets = _list_targets(place, action) if get_data(request).get("on") else [action]
    if request.method != "POST":
        return _show(request, place, targets, form)
    if request.POST.get("seq") != _write_seqs(targets):
        text = _("The table has changed since this page was opened, so nothing was voided. This is how it stands now.")
        return _show(request, place, targets, form, [text], 409)
    if not place.may_correct:
        text = _("The contest is closed: ask the organiser. Nothing was voided.")
        return _show(request, place, targets, form, [text], 422)
    if not form.is_valid() or _find_obstacle(place, targets):
        return _show(request, place, targets, form, status=422)
    return _write(request, place, targets, form)


def _write(request: HttpRequest, place: Place, targets: Sequence[NotedTurn], form: ReasonForm) -> HttpResponse:
    told, why = _name(place, targets), form.cleaned_data["reason"]
    changes = [Target(one.id, one.seq, None) for one in targets]
    try:
        receipt = correct_actions(place.actor, form.cleaned_data["operation"], place.table.id, changes, why)
    except OtherBody:
        fresh = ReasonForm({"operation": uuid4(), "reason": why})
        return _show(request, place, targets, fresh, [_("This page had already been sent. Send it again.")], 409)
    except NotYet:
        return show_gone(request, place)
    if not receipt.is_applied:
        return show_kept(request, place.as_it_stands(), receipt)
    return go_back(request, place, _("Voided: %(what)s.") % {"what": told}, targets[0].id)


def _list_targets(place: Place, first: NotedTurn) -> list[NotedTurn]:
    """Return an action and all that came after it."""
    return list(place.table.noted.values())[place.number(first.id) - 1 :]


def _write_seqs(targets: Sequence[NotedTurn]) -> str:
    """Return how the actions were last seen, as the form carries it."""
    return " ".join(str(one.seq) for one in targets)


def _name(place: Place, targets: Sequence[NotedTurn]) -> str:
    first = place.number(targets[0].id)
    if len(targets) == 1:
        return _("action %(number)s, %(what)s") % {"number": first, "what": place.tell(targets[0])}
    return _("actions %(first)s to %(last)s") % {"first": first, "last": first + len(targets) - 1}


def _show(
    request: HttpRequest,
    place: Place,
    targets: Sequence[NotedTurn],
    form: ReasonForm,
    texts: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    errors = about_page(texts)
    if form.is_bound:
        errors += [{"field_id": form["reason"].auto_id, "text": str(one)} for one in form["reason"].errors]
    context = {
        "form": form,
        "action_id": targets[0].id,
        "seq": _write_seqs(targets),
        "is_on": len(targets) > 1 or bool(get_data(request).get("on")),
        "name": _name(place, targets),
        "told": [place.tell(one) for one in targets],
        "errors": errors,
        "here": request.path,
        "correct_url": place.url("correct"),
        "history_url": place.history_at(targets[0].id),
        **_show_obstacle(place, targets),
    }
    return render_place(request, place, _("Void an action"), "tables/_void.html", context, status)


def _find_obstacle(place: Place, targets: Sequence[NotedTurn]) -> Standoff | None:
    return find_obstacle(place, [Change(one.id, None) for one in targets])


def _show_obstacle(place: Place, targets: Sequence[NotedTurn]) -> dict[str, str]:
    """Return which later action could not stand, in words, and the way to void that too."""
    obstacle = _find_obstacle(place, targets)
    if obstacle is None:
        return {"obstacle": ""}
    in_the_way = place.table.noted[obstacle.turn_id]
    words = {
        "number": place.number(in_the_way.id),
        "what": place.tell(in_the_way),
        "why": show_problem(place.game, obstacle.problems[0]),
    }
    first, last = place.number(targets[0].id), len(place.table.noted)
    return {
        "obstacle": _("Without it, action %(number)s is not allowed (%(what)s). %(why)s") % words,
        "on_url": f"{place.url('void')}?action={targets[0].id}&on=1",
        "on_label": _("Void everything from here on: actions %(first)s to %(last)s") % {"first": first, "last": last},
    }
