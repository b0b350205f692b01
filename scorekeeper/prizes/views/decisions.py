"""The page on which the organiser decides who gets a prize: one of the tied, or anyone if it is given by hand."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _

from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.services.events import EventArchived
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.services.recording import IdReused
from scorekeeper.prizes.forms.decision import HandAwardForm, TieDecisionForm
from scorekeeper.prizes.models import Prize
from scorekeeper.prizes.selectors.awards import AwardPresenter, list_possible_winners, preview_awards
from scorekeeper.prizes.selectors.decisions import get_decision_reasons, list_decisions
from scorekeeper.prizes.selectors.prize_lists import list_prizes
from scorekeeper.prizes.services.decisions import InvalidDecision, decide_award
from scorekeeper.standings.services.contest_chain import WrongContestStatus


@organiser_required
def decide(request: OrganiserRequest, event: Event, prize_id: UUID) -> HttpResponse:
    """Ask who gets the prize and why, and record it."""
    prize = get_object_or_404(list_prizes(event), pk=prize_id)
    award = next(award for award in preview_awards(event) if award.prize_id == prize.pk)
    form = _make_form(request, prize, award)
    status = 422 if form is not None and form.is_bound else 200
    if form is not None and form.is_valid():
        data = form.cleaned_data
        tied, winners = (form.tied, data["winners"]) if isinstance(form, TieDecisionForm) else (set(), form.winners)
        try:
            actor = Actor.from_organiser(request.organiser)
            decide_award(actor, data["operation"], prize, tied, winners, data["reason"])
        except (InvalidDecision, WrongContestStatus, IdReused):
            form.add_error(None, _("Something has changed while this page was open. Open it again, then decide."))
            status = 409
        except EventArchived:
            form.add_error(None, _("%(event)s is in the archive. Take it out first.") % {"event": event})
            status = 409
        else:
            messages.success(request, _("Your decision has been recorded."))
            return redirect("prizes:list", event.slug)
    decision = list_decisions(prize.contest_id).get(prize.pk)
    context = {
        "event": event,
        "prize": prize,
        "award": award,
        "form": form,
        "reason": "" if decision is None else get_decision_reasons(event.pk).get(decision.operation_id, ""),
        "cuts_cards": prize.contest.game.tie_procedure == "cut_cards",
    }
    return render(request, "prizes/decide.html", context, status=status)


def _make_form(
    request: OrganiserRequest, prize: Prize, award: AwardPresenter
) -> TieDecisionForm | HandAwardForm | None:
    """Return the form; None if there is nothing to decide."""
    if award.is_by_hand:
        current = award.winners[0].id if award.winners else None
        return HandAwardForm(request.POST or None, possible=list_possible_winners(prize.contest), current=current)
    tied = [(one.id, one.name) for one in award.tied] if prize.contest.status != Contest.Status.OPEN else []
    return TieDecisionForm(request.POST or None, tied=tied) if tied else None
