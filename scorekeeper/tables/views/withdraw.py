"""Removing (withdrawing) a table without current actions."""

from __future__ import annotations

from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.problem_messages import explain
from scorekeeper.ledger.services.recording import IdReused, UnknownTarget
from scorekeeper.scorecards.action_wording import join_names
from scorekeeper.scorecards.card_kinds import is_of_kind
from scorekeeper.scorecards.forms.correction import CorrectionReasonForm
from scorekeeper.scorecards.selectors.seat_names import name_seats
from scorekeeper.scorecards.selectors.tables import get_table
from scorekeeper.tables.services.table_creation import TableOperationError, withdraw_table


@organiser_required
def withdraw(request: OrganiserRequest, event: Event, card_id: UUID) -> HttpResponse:
    """Show the table and ask for the reason; then withdraw it."""
    table = get_table(event, card_id)
    if table is None:
        return _redirect_to_list(request, event, card_id)
    contest = Contest.objects.get(pk=table.contest.id)
    names = join_names(name_seats(table))
    form = CorrectionReasonForm(request.POST or None)
    status = 422 if form.is_bound else 200
    if form.is_valid():
        operation, reason = form.cleaned_data["operation"], form.cleaned_data["reason"]
        try:
            withdraw_table(Actor.from_organiser(request.organiser), operation, card_id, reason)
        except TableOperationError as refused:
            for problem in refused.problems:
                form.add_error("reason", explain(contest.game_key, problem).to_error())
        except IdReused:
            form, status = CorrectionReasonForm({"operation": uuid4(), "reason": reason}), 409
            form.add_error(None, _("This page was already submitted. Try again."))
        except UnknownTarget:
            return _redirect_to_list(request, event, card_id)
        else:
            messages.success(request, _("The table of %(names)s has been removed.") % {"names": names})
            return redirect("tables:desk_list", event.slug, contest.slug)
    context = {"event": event, "contest": contest, "names": names, "form": form}
    return render(request, "tables/withdraw.html", context, status=status)


def _redirect_to_list(request: OrganiserRequest, event: Event, card_id: UUID) -> HttpResponse:
    """Say that the table has been removed: by someone else, or by this form if it was sent twice."""
    contest = Contest.objects.filter(event=event, cards__pk=card_id).first()
    if contest is None or not is_of_kind(contest.game, "action"):
        raise Http404
    messages.info(request, _("This table has been removed."))
    return redirect("tables:desk_list", event.slug, contest.slug)
