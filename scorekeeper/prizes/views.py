"""The organiser's pages of prizes, decisions about who wins, and sponsors' logos."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import NamedTuple
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.common.concurrent_edits import Edit, show_deleted
from scorekeeper.common.ordering import is_move_up
from scorekeeper.common.pictures import is_presentable
from scorekeeper.common.public_files import send_public_file
from scorekeeper.common.sent_once import sent_once
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.confirmation import Confirmation
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import get_open_event
from scorekeeper.events.services.events import EventArchived
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.services.recording import IdReused
from scorekeeper.prizes import services
from scorekeeper.prizes.forms import HandAwardForm, PrizeForm, TieDecisionForm
from scorekeeper.prizes.models import Prize, PrizeLogo
from scorekeeper.prizes.selectors.announcements import list_prize_changes
from scorekeeper.prizes.selectors.awards import AwardPresenter, list_award_ties, list_possible_winners, preview_awards
from scorekeeper.prizes.selectors.decisions import get_decision_reasons, list_decisions
from scorekeeper.prizes.selectors.prize_lists import list_prizes
from scorekeeper.prizes.services import InvalidDecision, decide_award
from scorekeeper.standings.services.contest_chain import WrongContestStatus

ONE_YEAR = 365 * 24 * 3600  # seconds
MAX_DIGITS = 5  # of a position in the list
UPDATE_KINDS = "update_kinds"  # the name of the button
KINDS = "prize-kinds"  # the id of the element with the fields that depend on the contest
CACHE_CONTROL = f"public, max-age={ONE_YEAR}, immutable"


@sent_once
@organiser_required
def index(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Show every prize with whoever wins it now, ties first, and add one.

    The form is also sent once another contest is chosen in it, to be shown with what can be won in that.
    """
    draft = request.POST if UPDATE_KINDS in request.POST else None
    form = PrizeForm(*(() if draft else (request.POST or None, request.FILES or None)), event=event, draft=draft)
    if request.htmx.target == KINDS:
        return render(request, "prizes/_kinds.html", {"event": event, "form": form})
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
        "entries": _list_entries(event, awards),
        "ties": list_award_ties(awards),
        "prize_changes": list_prize_changes(event),
        "has_contests": bool(form.contests),
        "orders_contests": len({award.contest.pk for award in awards if award.is_for_place}) > 1,
    }
    return render(request, "prizes/list.html", context, status=422 if form.is_bound else 200)


class _Entry(NamedTuple):
    """A prize in the list.

    Attributes:
        reason: why the organisers decided so; "" where they did not.
        is_top, is_bottom: whether it cannot be announced before the one above it, or after the one below: there is
            none, or both are for places of one contest.
    """

    award: AwardPresenter
    reason: str
    is_top: bool
    is_bottom: bool


def _list_entries(event: Event, awards: Sequence[AwardPresenter]) -> list[_Entry]:
    chosen = {award.contest.pk for award in awards if award.outcome == "choice"}
    decisions = {prize: one for contest in chosen for prize, one in list_decisions(contest).items()}
    reasons = get_decision_reasons(event.pk) if chosen else {}
    fixed = [
        above.is_for_place and below.is_for_place and above.contest == below.contest
        for above, below in pairwise(awards)
    ]
    return [
        _Entry(
            award,
            reasons.get(decisions[award.prize_id].operation_id, "") if award.outcome == "choice" else "",
            is_top,
            is_bottom,
        )
        for award, is_top, is_bottom in zip(awards, [True, *fixed], [*fixed, True], strict=False)
    ]


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
            editing.announce(request, _("The prize has been changed."))
            return redirect("prizes:list", event.slug)
    context = {"event": event, "prize": prize, "form": form, "edit": editing}
    return render(request, "prizes/edit.html", context, status=editing.status)


@organiser_required
def move(request: OrganiserRequest, event: Event, prize_id: UUID) -> HttpResponse:
    """Move a prize up or down by one in the order of announcing, or to where it was dragged."""
    prize = get_object_or_404(list_prizes(event), pk=prize_id)
    index = request.POST.get("index", "")
    if index.isdecimal() and len(index) <= MAX_DIGITS:
        services.move_prize_to(prize, int(index))
    else:
        services.move_prize(prize, upwards=is_move_up(request))
    return redirect("prizes:list", event.slug)


@organiser_required
def delete(request: OrganiserRequest, event: Event, prize_id: UUID) -> HttpResponse:
    """Delete a prize, after confirmation."""
    prize = get_object_or_404(list_prizes(event), pk=prize_id)
    if prize.contest.status == Contest.Status.OFFICIAL:
        explanation = _("The published results keep it. It will be missing from the next revision.")
    else:
        explanation = _("Nobody will win it. The results themselves do not change.")
    return Confirmation(
        event=event,
        tab="prizes",
        title=_("Delete a prize"),
        question=_("Delete “%(prize)s”?") % {"prize": prize},
        explanation=explanation,
        button=_("Delete this prize"),
        done=_("The prize has been deleted."),
        back=reverse("prizes:list", args=[event.slug]),
        refusals={EventArchived: _explain_archive(event)},
    ).answer(request, partial(services.delete_prize, Actor.from_organiser(request.organiser), prize))


def _add_logo(event: Event, form: PrizeForm) -> services.PrizeSettings:
    """Return the settings of a valid form, with the picture that was sent, if there is one."""
    logo = form.cleaned_data["logo"]
    if logo is None:
        return form.settings
    return replace(form.settings, logo_id=services.add_logo(event, logo.media_type, logo.content).pk)


def _explain_archive(event: Event) -> str:
    return _("%(event)s is in the archive. Take it out to change its prizes.") % {"event": event}


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
        "is_reason_public": decision is not None and decision.is_reason_public,
        "reason": "" if decision is None else get_decision_reasons(event.pk).get(decision.operation_id, ""),
        "cuts_cards": prize.contest.ruleset.tie_procedure == "cut_cards",
    }
    return render(request, "prizes/decide.html", context, status=status)


def _make_form(
    request: OrganiserRequest, prize: Prize, award: AwardPresenter
) -> TieDecisionForm | HandAwardForm | None:
    """Return the form; None if there is nothing to decide."""
    if award.is_by_hand:
        current = award.winners[0].id if award.winners else None
        possible = list_possible_winners(prize.contest, prize.event_class_id)
        return HandAwardForm(request.POST or None, possible=possible, current=current)
    tied = [(one.id, one.name) for one in award.tied] if prize.contest.status != Contest.Status.OPEN else []
    return TieDecisionForm(request.POST or None, tied=tied) if tied else None


def show_logo(request: HttpRequest, slug: str, logo_id: UUID) -> HttpResponseBase:
    """Send a logo of an open event. Its content never changes, so browsers may keep it.

    One that is no longer accepted is not found: it could be more than the browser of a phone can take. Reads are not
    limited: a page has several, and a whole ride may be behind one address.
    """
    event = get_open_event(slug)
    if event is None:
        raise Http404
    logo = get_object_or_404(PrizeLogo.objects.defer("content"), event=event, pk=logo_id)

    def read() -> tuple[str, list[bytes]]:
        content = bytes(logo.content)
        if not is_presentable(content, logo.media_type):
            raise Http404
        return "", [content]

    return send_public_file(request, logo.pk, read, logo.media_type, CACHE_CONTROL, has_language=False)
