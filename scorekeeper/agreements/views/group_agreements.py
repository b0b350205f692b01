"""The agreed cards of a crew's group, and the page on which a road captain confirms all that are left."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import uuid4

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.agreements.forms.agreement_tap import CardConfirmation
from scorekeeper.agreements.models import Agreement
from scorekeeper.agreements.selectors.group_cards import GroupCards, list_group_cards
from scorekeeper.agreements.services.agreements import SeenCard, agree, can_confirm
from scorekeeper.crew.access import CrewRequest, crew_required
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.services.recording import RecordingError

UNPROCESSABLE = 422


@crew_required
def group_cards(request: CrewRequest) -> HttpResponse:
    """List the bikes of the group with whether their cards are agreed to, in each contest."""
    group = request.device.member.group
    context = {
        "event": group.event,
        "group": group,
        "contests": list_group_cards(group),
        "can_confirm": can_confirm(Actor.from_device(request.device)),
    }
    return render(request, "agreements/group.html", context)


@crew_required
def confirm_group(request: CrewRequest) -> HttpResponse:
    """List the group's cards that are not agreed to, then record that the road captain has confirmed them."""
    group, actor = request.device.member.group, Actor.from_device(request.device)
    wanted = (request.POST if request.method == "POST" else request.GET).get("contest", "")
    cards = next((cards for cards in list_group_cards(group) if str(cards.contest.pk) == wanted), None)
    if cards is None:
        raise Http404
    error = ""
    if request.method == "POST" and not group.event.is_open:
        error = _("The ride is not open, so nothing can be recorded.")
    elif request.method == "POST":
        confirmed = CardConfirmation.parse_all(request.POST.getlist("card"))
        changed = _confirm(actor, cards, confirmed)
        _report(request, len(confirmed) - len(changed), changed)
        return redirect("agreements:group")
    context = {
        "event": group.event,
        "group": group,
        "cards": cards,
        "rows": [(row, uuid4()) for row in cards.open_rows],
        "error": error,
        "back": reverse("agreements:group"),
    }
    return render(request, "agreements/confirm.html", context, status=UNPROCESSABLE if error else 200)


def _confirm(actor: Actor, cards: GroupCards, confirmed: Sequence[CardConfirmation]) -> list[str]:
    """Record the confirmations. Return the numbers of the bikes whose cards have changed since they were listed."""
    current = {row.bike.pk: row for row in cards.rows}
    changed = []
    for card in confirmed:
        row = current.get(card.bike_id)
        if row is None or row.agreement is None or row.agreement.digest != card.digest:
            changed.append("" if row is None else row.bike.label)
            continue
        seen = SeenCard(cards.contest.pk, card.bike_id, card.digest)
        try:
            agree(actor, card.operation_id, seen, Agreement.By.CAPTAIN)
        except RecordingError:
            changed.append(row.bike.label)
    return changed


def _report(request: CrewRequest, count: int, changed: Sequence[str]) -> None:
    if count:
        text = ngettext("%(count)s card confirmed.", "%(count)s cards confirmed.", count)
        messages.success(request, text % {"count": count})
    if numbers := ", ".join(filter(None, changed)):
        text = _("Not confirmed, because these cards have changed since: %(numbers)s. Check them again.")
        messages.warning(request, text % {"numbers": numbers})
