"""Notes that wait for the organiser: two phones that differ, a rule, a closed contest."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from scorekeeper.desk.forms.operations import ReasonForm
from scorekeeper.desk.forms.review import SLOT, SettleForm
from scorekeeper.desk.selectors.review import list_settled, list_waiting
from scorekeeper.desk.waiting import Waiting
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.rulebooks.citing import Sentence
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.explaining import explain_all
from scorekeeper.scorecards.models import ReviewItem
from scorekeeper.scorecards.services.deciding import CannotSettle
from scorekeeper.scorecards.services.recording import OtherBody
from scorekeeper.scorecards.services.review import settle_review, take_back_review
from scorekeeper.tables.services.settling import settle_at_table, take_back_at_table

CANNOT_TAKE_BACK = gettext_lazy(
    "The decision stays: its bike was merged, somebody else took it back, or something newer rests on what was "
    "accepted. Correct or void the entry on its card instead."
)


@organiser_required
def index(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List what waits, both sides of each next to each other, and what was settled."""
    return _show(request, event)


@organiser_required
def settle(request: OrganiserRequest, event: Event, item_id: UUID) -> HttpResponse:
    """Settle one item, or say why it cannot be settled so."""
    waiting = next((one for one in list_waiting(event) if one.item.pk == item_id), None)
    if waiting is None:
        if not ReviewItem.objects.filter(pk=item_id, contest__event=event).exists():
            raise Http404
        messages.info(request, _("This was settled already."))
        return redirect("desk:review", event.slug)
    form = SettleForm(request.POST, item_id=item_id, choices=_list_choices(waiting))
    if not form.is_valid():
        return _show(request, event, form, item_id, 422)
    try:
        _settle(Actor.of_organiser(request.organiser), waiting, form)
    except CannotSettle as refused:
        sentences = explain_all(waiting.game_key, refused.problems)
        for sentence in sentences or [Sentence(_("This no longer fits: look at it again."))]:
            form.add_error("decision", sentence.to_error())
        return _show(request, event, form, item_id, 422 if refused.problems else 409)
    except OtherBody:
        form.add_error(None, _("This page was used before. Decide again on a fresh one."))
        return _show(request, event, form, item_id, 409)
    messages.success(request, _("%(name)s: settled.") % {"name": waiting.name})
    return redirect("desk:review", event.slug)


@organiser_required
def take_back(request: OrganiserRequest, event: Event, item_id: UUID) -> HttpResponse:
    """Ask for the reason, then let an entry wait again; what was accepted is taken off its card."""
    item = get_object_or_404(ReviewItem.objects.select_related("contest"), contest__event=event, pk=item_id)
    if item.settled_at is None:
        messages.info(request, _("This entry already needs your decision."))
        return redirect("desk:review", event.slug)
    take_back = take_back_at_table if item.contest.is_at_tables else take_back_review
    form = ReasonForm(request.POST or None)
    status = 422 if form.is_bound else 200
    if form.is_valid():
        operation_id, reason = form.cleaned_data["operation"], form.cleaned_data["reason"]
        try:
            take_back(Actor.of_organiser(request.organiser), operation_id, item.pk, reason)
        except CannotSettle as refused:
            for sentence in explain_all(item.contest.game_key, refused.problems):
                form.add_error(None, sentence.to_error())
            form.add_error(None, CANNOT_TAKE_BACK)
            status = 409
        except OtherBody:
            form.add_error(None, _("This page was used before. Open it again."))
            status = 409
        else:
            messages.success(request, _("The decision is taken back: the entry needs your decision again."))
            return redirect("desk:review", event.slug)
    context = {"event": event, "item": item, "form": form, "card_url": _get_card_url(event, item)}
    return render(request, "desk/take_back.html", context, status=status)


def _get_card_url(event: Event, item: ReviewItem) -> str:
    """Return where the card is corrected that an item is about; "" where it has none."""
    name = "tables:desk_history" if item.contest.is_at_tables else "scorecards:desk_card"
    return reverse(name, args=[event.slug, item.card_id]) if item.card_id else ""


def _settle(actor: Actor, waiting: Waiting, form: SettleForm) -> None:
    operation_id, reason = form.cleaned_data["operation"], form.cleaned_data["reason"]
    decision, slot_id = form.decided
    if waiting.at_table:
        settle_at_table(actor, operation_id, waiting.item.pk, decision, reason)
    else:
        settle_review(actor, operation_id, waiting.item.pk, decision, reason, slot_id)


def _show(
    request: OrganiserRequest,
    event: Event,
    bound: SettleForm | None = None,
    item_id: UUID | None = None,
    status: int = 200,
) -> HttpResponse:
    rows = []
    for one in list_waiting(event):
        form = bound if bound is not None and one.item.pk == item_id else None
        rows.append((one, form or SettleForm(item_id=one.item.pk, choices=_list_choices(one))))
    context = {"event": event, "rows": rows, "bound": bound, "settled": list_settled(event)}
    return render(request, "desk/review.html", context, status=status)


def _list_choices(waiting: Waiting) -> list[tuple[str, str]]:
    keep = _("Keep what stands") if waiting.stands else _("Lay the waiting note aside")
    choices = [(str(ReviewItem.Decision.KEEP), keep)]
    if waiting.can_apply:
        choices.append((str(ReviewItem.Decision.APPLY), _say_apply(waiting)))
    for slot, ordinal in waiting.free:
        words = _("Both were rolled: the waiting note is turn %(number)s") % {"number": ordinal}
        choices.append((f"{SLOT}{slot}", words))
    return choices


def _say_apply(waiting: Waiting) -> str:
    if waiting.is_forfeit:
        return _("Replace what was noted as missed")
    if waiting.at_table and waiting.item.operation.kind == "action":
        return _("Note it now, after all that stands")
    return _("Take the waiting note")
