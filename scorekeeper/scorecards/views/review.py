"""The organiser's review list: entries that need a decision, and names of walk-ups that nobody has checked."""

from __future__ import annotations

from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.bikes.models import Bike
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.forms.operation_forms import ReasonForm
from scorekeeper.ledger.models import ReviewItem, UncheckedPeople
from scorekeeper.ledger.problem_messages import explain_all
from scorekeeper.ledger.services.recording import IdReused
from scorekeeper.rulebooks.citations import Sentence
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.scorecards.forms.review import SLOT_PREFIX, DecisionForm
from scorekeeper.scorecards.review_presenter import ReviewItemPresenter
from scorekeeper.scorecards.selectors.review_items import (
    find_open_item,
    list_decided_items,
    list_unchecked_people,
    paginate_open_items,
)
from scorekeeper.scorecards.services.review import CannotDecide, decide_review, revert_review_decision
from scorekeeper.scorecards.services.unchecked_people import add_unchecked_people, leave_out_unchecked_people

CANNOT_REVERT = gettext_lazy(
    "This decision cannot be undone, so nothing was changed. Correct or void the entry on its scorecard instead."
)
LEAVE_OUT = "leave_out"  # the value of the button; any other adds the names


@organiser_required
def list_review(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List the open items, each with both sides next to each other, and the decided ones. `?page=` is optional."""
    return _render_list(request, event)


@organiser_required
def decide(request: OrganiserRequest, event: Event, item_id: UUID) -> HttpResponse:
    """Decide about an item, or say why this decision is not possible."""
    try:
        presenter = find_open_item(event, item_id)
    except ReviewItem.DoesNotExist:
        raise Http404 from None
    if presenter is None:
        messages.info(request, _("This has already been decided."))
        return _redirect_to_list(request, event)
    form = DecisionForm(request.POST, item_id=item_id, choices=_list_choices(presenter))
    if not form.is_valid():
        return _render_list(request, event, form, item_id, 422)
    try:
        decision, slot_id = form.decision_and_slot
        decide_review(
            Actor.from_organiser(request.organiser),
            form.cleaned_data["operation"],
            item_id,
            decision,
            form.cleaned_data["reason"],
            slot_id,
        )
    except CannotDecide as error:
        sentences = explain_all(presenter.game_key, error.problems)
        # Without a problem, somebody else was faster.
        for sentence in sentences or [Sentence(_("Someone else has just decided this. Load the page again."))]:
            form.add_error("decision", sentence.to_error())
        return _render_list(request, event, form, item_id, 422 if error.problems else 409)
    except IdReused:
        form.add_error(None, _("This page was already submitted. Check it, then decide again."))
        return _render_list(request, event, form, item_id, 409)
    messages.success(request, _("%(name)s: decided.") % {"name": presenter.name})
    return _redirect_to_list(request, event)


@organiser_required
def revert_decision(request: OrganiserRequest, event: Event, item_id: UUID) -> HttpResponse:
    """Ask for the reason, then undo a decision; an accepted entry no longer counts on its card."""
    item = get_object_or_404(ReviewItem.objects.select_related("contest"), contest__event=event, pk=item_id)
    if item.settled_at is None:
        messages.info(request, _("This entry already needs your decision."))
        return redirect("desk:review", event.slug)
    form = ReasonForm(request.POST or None)
    status = 422 if form.is_bound else 200
    if form.is_valid():
        operation_id, reason = form.cleaned_data["operation"], form.cleaned_data["reason"]
        try:
            revert_review_decision(Actor.from_organiser(request.organiser), operation_id, item.pk, reason)
        except CannotDecide as error:
            form.add_error(None, CANNOT_REVERT)
            for sentence in explain_all(item.contest.game_key, error.problems):
                form.add_error(None, sentence.to_error())
            status = 409
        except IdReused:
            form.add_error(None, _("This page was already submitted. Open it again."))
            status = 409
        else:
            messages.success(request, _("The decision has been undone. The entry needs your decision again."))
            return redirect("desk:review", event.slug)
    card_url = get_kind(item.contest.game).get_history_url(event, item.card_id) if item.card_id else ""
    context = {"event": event, "item": item, "form": form, "card_url": card_url}
    return render(request, "desk/take_back.html", context, status=status)


def _redirect_to_list(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Go back to the page of the list that the form was on."""
    page = request.GET.get("page")
    url = reverse("desk:review", args=[event.slug])
    return redirect(f"{url}?{urlencode({'page': page})}" if page else url)


def _render_list(
    request: OrganiserRequest,
    event: Event,
    bound: DecisionForm | None = None,
    item_id: UUID | None = None,
    status: int = 200,
) -> HttpResponse:
    rows = []
    page, presenters = paginate_open_items(event, request.GET.get("page", 1), item_id)
    for presenter in presenters:
        form = bound if bound is not None and presenter.item.pk == item_id else None
        rows.append((presenter, form or DecisionForm(item_id=presenter.item.pk, choices=_list_choices(presenter))))
    unchecked = list_unchecked_people(event)
    context = {
        "event": event,
        "rows": rows,
        "names_contests": event.contests.count() > 1,
        "page": page,
        "bound": bound,
        "decided": list_decided_items(event),
        "names_to_check": [one for one in unchecked if not one.people.is_left_out],
        "names_left_out": [one for one in unchecked if one.people.is_left_out],
    }
    return render(request, "desk/review.html", context, status=status)


def _list_choices(presenter: ReviewItemPresenter) -> list[tuple[str, str]]:
    keep = _("Keep the current entry") if presenter.current else _("Dismiss the entry under review")
    choices = [(str(ReviewItem.Decision.KEEP), keep)]
    if presenter.can_apply:
        label = _("Replace the missed turn") if presenter.replaces_missed_turn else presenter.apply_label
        choices.append((str(ReviewItem.Decision.APPLY), label))
    for slot, ordinal in presenter.free_slots:
        label = _("Both were played: record the entry under review as turn %(number)s") % {"number": ordinal}
        choices.append((f"{SLOT_PREFIX}{slot}", label))
    return choices


@organiser_required
def decide_names(request: OrganiserRequest, event: Event, bike_id: UUID) -> HttpResponse:
    """Add the names or leave them out, then show the review list again."""
    bike = get_object_or_404(Bike, event=event, pk=bike_id)
    is_left_out = request.POST.get("decision") == LEAVE_OUT
    try:
        named = (leave_out_unchecked_people if is_left_out else add_unchecked_people)(event, bike.pk)
    except UncheckedPeople.DoesNotExist:
        messages.info(request, _("These names have already been added or erased."))
    else:
        text = _("Bike %(number)s: names left out.") if is_left_out else _("Bike %(number)s: names added.")
        messages.success(request, text % {"number": named})
    return redirect("desk:review", event.slug)
