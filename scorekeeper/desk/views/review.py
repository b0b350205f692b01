"""Notes that wait for the organiser: two phones that differ, a rule, a closed contest."""

from __future__ import annotations

from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

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
from scorekeeper.scorecards.services.review import settle_review
from scorekeeper.tables.services.settling import settle_at_table


@organiser_required
@require_safe
def index(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List what waits, both sides of each next to each other, and what was settled."""
    return _show(request, event)


@organiser_required
@require_POST
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
