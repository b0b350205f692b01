"""Entries under review: conflicts between phones, entries against the rules, late entries to a closed contest."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.desk.forms.operation_forms import ReasonForm
from scorekeeper.desk.forms.review import SLOT_PREFIX, DecisionForm
from scorekeeper.desk.review_presenter import ReviewItemPresenter
from scorekeeper.desk.selectors.review import list_decided_items, list_open_items
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.rulebooks.citations import Sentence
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.models import ReviewItem
from scorekeeper.scorecards.problem_messages import explain_all
from scorekeeper.scorecards.services.recording import IdReused
from scorekeeper.scorecards.services.review import revert_review_decision, settle_review
from scorekeeper.scorecards.services.review_decisions import CannotSettle
from scorekeeper.tables.services.review import reopen_table_item, settle_table_item

CANNOT_REVERT = gettext_lazy(
    "This decision cannot be undone: the bike was merged, someone else has already undone it, or newer "
    "entries depend on the accepted entry. Correct or void the entry on its scorecard instead."
)


@organiser_required
def index(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List the open items, each with both sides next to each other, and the decided ones."""
    return _render_list(request, event)


@organiser_required
def decide(request: OrganiserRequest, event: Event, item_id: UUID) -> HttpResponse:
    """Decide about an item, or say why this decision is not possible."""
    presenter = next((shown for shown in list_open_items(event) if shown.item.pk == item_id), None)
    if presenter is None:
        if not ReviewItem.objects.filter(pk=item_id, contest__event=event).exists():
            raise Http404
        messages.info(request, _("This has already been decided."))
        return redirect("desk:review", event.slug)
    form = DecisionForm(request.POST, item_id=item_id, choices=_list_choices(presenter))
    if not form.is_valid():
        return _render_list(request, event, form, item_id, 422)
    try:
        _record_decision(Actor.from_organiser(request.organiser), presenter, form)
    except CannotSettle as error:
        sentences = explain_all(presenter.game_key, error.problems)
        for sentence in sentences or [Sentence(_("This no longer fits. Check it, then decide again."))]:
            form.add_error("decision", sentence.to_error())
        return _render_list(request, event, form, item_id, 422 if error.problems else 409)
    except IdReused:
        form.add_error(None, _("This page was already submitted. Check it, then decide again."))
        return _render_list(request, event, form, item_id, 409)
    messages.success(request, _("%(name)s: decided.") % {"name": presenter.name})
    return redirect("desk:review", event.slug)


@organiser_required
def revert_decision(request: OrganiserRequest, event: Event, item_id: UUID) -> HttpResponse:
    """Ask for the reason, then undo a decision; an accepted entry no longer counts on its card."""
    item = get_object_or_404(ReviewItem.objects.select_related("contest"), contest__event=event, pk=item_id)
    if item.settled_at is None:
        messages.info(request, _("This entry already needs your decision."))
        return redirect("desk:review", event.slug)
    revert = reopen_table_item if item.contest.is_table_game else revert_review_decision
    form = ReasonForm(request.POST or None)
    status = 422 if form.is_bound else 200
    if form.is_valid():
        operation_id, reason = form.cleaned_data["operation"], form.cleaned_data["reason"]
        try:
            revert(Actor.from_organiser(request.organiser), operation_id, item.pk, reason)
        except CannotSettle as error:
            for sentence in explain_all(item.contest.game_key, error.problems):
                form.add_error(None, sentence.to_error())
            form.add_error(None, CANNOT_REVERT)
            status = 409
        except IdReused:
            form.add_error(None, _("This page was already submitted. Open it again."))
            status = 409
        else:
            messages.success(request, _("The decision has been undone. The entry needs your decision again."))
            return redirect("desk:review", event.slug)
    context = {"event": event, "item": item, "form": form, "card_url": _get_card_url(event, item)}
    return render(request, "desk/take_back.html", context, status=status)


def _get_card_url(event: Event, item: ReviewItem) -> str:
    """Return the address where the card of an item can be corrected; "" where it has none."""
    name = "tables:desk_history" if item.contest.is_table_game else "scorecards:desk_card"
    return reverse(name, args=[event.slug, item.card_id]) if item.card_id else ""


def _record_decision(actor: Actor, presenter: ReviewItemPresenter, form: DecisionForm) -> None:
    operation_id, reason = form.cleaned_data["operation"], form.cleaned_data["reason"]
    decision, slot_id = form.decision_and_slot
    if presenter.is_at_table:
        settle_table_item(actor, operation_id, presenter.item.pk, decision, reason)
    else:
        settle_review(actor, operation_id, presenter.item.pk, decision, reason, slot_id)


def _render_list(
    request: OrganiserRequest,
    event: Event,
    bound: DecisionForm | None = None,
    item_id: UUID | None = None,
    status: int = 200,
) -> HttpResponse:
    rows = []
    for presenter in list_open_items(event):
        form = bound if bound is not None and presenter.item.pk == item_id else None
        rows.append((presenter, form or DecisionForm(item_id=presenter.item.pk, choices=_list_choices(presenter))))
    context = {"event": event, "rows": rows, "bound": bound, "decided": list_decided_items(event)}
    return render(request, "desk/review.html", context, status=status)


def _list_choices(presenter: ReviewItemPresenter) -> list[tuple[str, str]]:
    keep = _("Keep the current entry") if presenter.current else _("Dismiss the entry under review")
    choices = [(str(ReviewItem.Decision.KEEP), keep)]
    if presenter.can_apply:
        choices.append((str(ReviewItem.Decision.APPLY), _get_apply_label(presenter)))
    for slot, ordinal in presenter.free_slots:
        label = _("Both were rolled: record the entry under review as turn %(number)s") % {"number": ordinal}
        choices.append((f"{SLOT_PREFIX}{slot}", label))
    return choices


def _get_apply_label(presenter: ReviewItemPresenter) -> str:
    if presenter.replaces_missed_turn:
        return _("Replace the missed turn")
    if presenter.is_at_table and presenter.item.operation.kind == "action":
        return _("Record it now, after the current entries")
    return _("Use the entry under review")
