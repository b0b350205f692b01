"""Ties at the places that win something: the cards that were cut are entered here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from scorekeeper.common.rules import ACTIVE
from scorekeeper.desk.forms.cut import CutForm, group_key
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Contest, Event
from scorekeeper.rulebooks.citing import cite
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.services.recording import OtherBody
from scorekeeper.standings.board import BoardRow
from scorekeeper.standings.selectors.checklist import Checklist, Tie, get_checklist
from scorekeeper.standings.selectors.cuts import Cut
from scorekeeper.standings.selectors.people import get_riders
from scorekeeper.standings.services.contest_chain import CannotCut, WrongStatus
from scorekeeper.standings.services.cutting import cut_cards, list_cut_problems
from scorekeeper.standings.wording import say_card, say_cards


@organiser_required
@require_http_methods(["GET", "HEAD", "POST"])
def index(request: OrganiserRequest, event: Event, contest_slug: str) -> HttpResponse:
    """Show the level groups and take the cards that one of them cut."""
    contest = get_object_or_404(Contest.objects.select_related("event"), event=event, slug=contest_slug)
    if contest.game.tie_procedure != "cut_cards":
        raise Http404
    riders = get_riders(event)
    if request.method != "POST":
        return _show(request, contest, riders)
    tie = _find(request, get_checklist(contest).ties)
    if tie is None or contest.status == Contest.Status.OPEN:
        return _show(request, contest, riders, is_conflict=True)
    form = CutForm(request.POST, rows=tie.rows, riders=riders)
    if form.is_valid():
        for problem in list_cut_problems(contest, form.cleaned_data["cards"]):
            form.add_error(None, cite(contest.game_key, problem.rule, problem.message(ACTIVE)).to_error())
    if not form.is_valid():
        return _show(request, contest, riders, form)
    actor = Actor.of_organiser(request.organiser)
    try:
        cut_cards(actor, form.cleaned_data["operation"], contest.pk, form.cleaned_data["cards"])
    except (CannotCut, WrongStatus, OtherBody):
        return _show(request, contest, riders, is_conflict=True)
    messages.success(request, _("The cut is noted."))
    return redirect("desk:ties", event.slug, contest.slug)


def _find(request: OrganiserRequest, ties: Sequence[Tie]) -> Tie | None:
    """Return the tie that a sent form is about, if it still is one."""
    sent = {value for name, value in request.POST.items() if name.endswith("-group")}
    return next((tie for tie in ties if group_key(tie.rows) in sent), None)


def _show(
    request: OrganiserRequest,
    contest: Contest,
    riders: Mapping[UUID, str],
    bound: CutForm | None = None,
    *,
    is_conflict: bool = False,
) -> HttpResponse:
    checklist = get_checklist(contest)
    forms = []
    for tie in checklist.ties:
        same = bound is not None and bound.key == group_key(tie.rows)
        forms.append((tie, bound if same else CutForm(rows=tie.rows, riders=riders)))
    context = {
        "event": contest.event,
        "contest": contest,
        "forms": forms,
        "bound": bound,
        "decided": _list_decided(checklist.report.rows, riders),
        "stale": _list_stale(checklist),
        "is_conflict": is_conflict,
    }
    return render(request, "desk/ties.html", context, status=409 if is_conflict else 422 if bound else 200)


def _list_decided(rows: Sequence[BoardRow], riders: Mapping[UUID, str]) -> list[tuple[BoardRow, str, str]]:
    return [(row, riders.get(row.holder_id, ""), say_cards(row)) for row in rows if row.by == "cut"]


def _list_stale(checklist: Checklist) -> list[tuple[Cut, list[tuple[str, str]]]]:
    """Return the cuts that rank nobody now, with the number and the card of each bike."""
    numbers = {row.holder_id: row.number for row in checklist.report.rows}
    return [
        (
            cut,
            [
                (numbers.get(holder, "?"), say_card(None if card is None else str(card)))
                for holder, card in cut.cards.items()
            ],
        )
        for cut in checklist.stale_cuts
    ]
