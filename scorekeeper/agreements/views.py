"""The card as its rider sees it, with “I agree”; the cards of a crew's group; and objections.

The public page of an objection says nothing about the card, and nothing about what others have sent.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.agreements import services
from scorekeeper.agreements.forms import AgreementTap, AnswerForm, CardConfirmation, ObjectionForm
from scorekeeper.agreements.models import Agreement, Objection
from scorekeeper.agreements.selectors import (
    GroupCards,
    find_objection,
    get_card_agreement,
    list_group_cards,
    list_open_objections,
    list_settled_objections,
)
from scorekeeper.agreements.services import SeenCard, agree, can_confirm
from scorekeeper.agreements.sheet_digest import compute_state_digest
from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.selectors import get_sheet
from scorekeeper.common.client_address import get_client_address
from scorekeeper.common.game_adapter import translate
from scorekeeper.common.request_data import parse_uuid
from scorekeeper.crew.access import CrewRequest, crew_required
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Event
from scorekeeper.events.selectors import get_open_contest
from scorekeeper.ledger.actors import Actor, list_actor_names
from scorekeeper.ledger.services.recording import IdReused, RecordingError
from scorekeeper.scorecards.card_kinds import get_kind
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.scorecards.display_names import format_total
from scorekeeper.scorecards.fold import sort_by_slot
from scorekeeper.scorecards.turn_form_presenter import present_sheet
from scorekeeper.scorecards.views.card_context import CardContext
from scorekeeper.scorecards.views.page_context import add_query, make_page_errors, render_page

CONFLICT, UNPROCESSABLE, TOO_MANY = 409, 422, 429


def get_agreement_url(card_context: CardContext) -> str:
    """Return the URL: for the crew by the card's bike, for organisers by the card."""
    if card_context.actor.is_organiser:
        return reverse("agreements:desk_card", args=[card_context.event.slug, card_context.card.id])
    url = reverse("agreements:card", args=[card_context.bike.pk])
    return add_query(url, {"contest": card_context.contest.pk})


def show_card(request: HttpRequest, card_context: CardContext) -> HttpResponse:
    """Show the card, and record that it is agreed to or no longer. `?done=` is what was just recorded."""
    if request.method != "POST":
        return _render_card(request, card_context)
    tap = AgreementTap.parse(request.POST)
    if not (card_context.event.is_open or card_context.actor.is_organiser):
        return _render_card(
            request, card_context, _("The event is not open, so nothing can be recorded."), UNPROCESSABLE
        )
    if tap.is_agreed and tap.digest != compute_state_digest(card_context.card):
        text = _("The scorecard has changed since this page was opened. Check it again.")
        return _render_card(request, card_context, text, CONFLICT)
    seen = SeenCard(card_context.contest.pk, card_context.bike.pk, tap.digest)
    try:
        agree(card_context.actor, tap.operation_id, seen, tap.by, is_agreed=tap.is_agreed)
    except IdReused:
        return _render_card(request, card_context, _("This page is out of date. Check it, then tap again."), CONFLICT)
    except RecordingError:
        text = _("You cannot record this. Ask the bike’s own crew, or the organiser.")
        return _render_card(request, card_context, text, CONFLICT)
    return redirect(add_query(get_agreement_url(card_context), {"done": tap.operation_id} if tap.is_agreed else {}))


def _render_card(request: HttpRequest, card_context: CardContext, error: str = "", status: int = 200) -> HttpResponse:
    card, game = card_context.card, card_context.ruleset.game
    sheet = game.sheet(card.fold.state)
    digest = compute_state_digest(card)
    context = {
        "page_context": card_context,
        "agreement": get_card_agreement(card_context.contest.pk, card_context.bike.pk, digest),
        "rows": _list_turn_rows(card_context),
        "total_label": translate(game.total_label),
        "total": format_total(game, sheet.totals[0]),
        "sheet": present_sheet(card_context.contest.game_key, sheet, card.list_ordinals()),
        "errors": make_page_errors([error] if error else []),
        "operation": uuid4(),
        "done": parse_uuid(request.GET.get("done")),
        "can_confirm": can_confirm(card_context.actor),
        "captain": Agreement.By.CAPTAIN.value,
        "rider": Agreement.By.RIDER.value,
        "page_url": get_agreement_url(card_context),
    }
    return render_page(request, card_context, _("Your scorecard"), "agreements/_card.html", context, status)


def _list_turn_rows(card_context: CardContext) -> list[dict[str, Any]]:
    """Return the turns in order: where, which dice, which box, and the points."""
    rows = []
    for turn in sort_by_slot(card_context.card.contest, card_context.card.turns):
        result = card_context.card.fold.results.get(turn.id)
        if turn.slot_id is None or result is None:
            continue
        rows.append(
            {
                "stop": card_context.slot_names[turn.slot_id],
                "dice": result.dice,
                "box": translate(result.label),
                "points": result.points if card_context.ruleset.game.points_of_turns else None,
            }
        )
    return rows


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
        error = _("The event is not open, so nothing can be recorded.")
    elif request.method == "POST":
        confirmed = CardConfirmation.parse_all(request.POST.getlist("card"))
        changed = _confirm_cards(actor, cards, confirmed)
        _report_confirmed(request, len(confirmed) - len(changed), changed)
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


def _confirm_cards(actor: Actor, cards: GroupCards, confirmed: Sequence[CardConfirmation]) -> list[str]:
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


def _report_confirmed(request: CrewRequest, count: int, changed: Sequence[str]) -> None:
    if count:
        text = ngettext("%(count)s card confirmed.", "%(count)s cards confirmed.", count)
        messages.success(request, text % {"count": count})
    if numbers := ", ".join(filter(None, changed)):
        text = _("Not confirmed, because these cards have changed since: %(numbers)s. Check them again.")
        messages.warning(request, text % {"numbers": numbers})


def send_objection(request: HttpRequest, slug: str, contest_slug: str, bike_id: UUID) -> HttpResponse:
    """Ask what is wrong, and send it to the organisers. `?sent` thanks for it."""
    contest = get_open_contest(slug, contest_slug)
    if contest is None or contest.event.archived_at is not None or not get_kind(contest.game).is_agreed_to:
        raise Http404
    try:
        bike = get_sheet(contest, bike_id)
    except Bike.DoesNotExist:
        raise Http404 from None
    context = {
        "event": contest.event,
        "contest": contest,
        "bike": bike,
        "back": reverse("results:bike", args=[slug, contest_slug, bike.pk]),
    }
    if "sent" in request.GET and request.method != "POST":
        return render(request, "agreements/objection_sent.html", context)
    form = ObjectionForm(request.POST or None)
    status = UNPROCESSABLE if form.is_bound else 200
    if form.is_valid():
        data, address = form.cleaned_data, get_client_address(request)
        try:
            services.add_objection(contest, bike, data["objection"], data["text"], address)
        except services.TooManyObjections:
            text = _(
                "Too many reports have been sent. Speak to the organiser, or try again later. Your text is still here."
            )
            form.add_error(None, text)
            status = TOO_MANY
        else:
            return redirect(f"{request.path}?sent")
    return render(request, "agreements/object.html", {**context, "form": form}, status=status)


@organiser_required
def list_objections(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List the objections, each with a link to its card: those that are open, and those that were settled."""
    return _render_objections(request, event)


@organiser_required
def settle_objection(request: OrganiserRequest, event: Event, objection_id: UUID) -> HttpResponse:
    """Settle an objection with an answer."""
    objection = find_objection(event, objection_id)
    if objection is None:
        raise Http404
    form = AnswerForm(request.POST, objection_id=objection.pk)
    if not form.is_valid():
        return _render_objections(request, event, form, objection, UNPROCESSABLE)
    try:
        services.settle_objection(objection, request.organiser.pk, form.cleaned_data["answer"])
    except services.AlreadySettled:
        messages.warning(request, _("Another organiser has already settled this."))
    else:
        messages.success(request, _("Settled."))
    return redirect("agreements:objections", event.slug)


def _render_objections(
    request: OrganiserRequest,
    event: Event,
    refused: AnswerForm | None = None,
    objection: Objection | None = None,
    status: int = 200,
) -> HttpResponse:
    settled = list(list_settled_objections(event))
    names = list_actor_names(event, [row.settled_by for row in settled if row.settled_by is not None])
    context = {
        "event": event,
        "rows": [
            (row, _get_objection_card_url(event, row), _choose_answer_form(row, refused, objection))
            for row in list_open_objections(event)
        ],
        "refused": refused,
        "settled": [
            (row, _get_objection_card_url(event, row), names.get(row.settled_by, "") if row.settled_by else "")
            for row in settled
        ],
    }
    return render(request, "agreements/objections.html", context, status=status)


def _choose_answer_form(row: Objection, refused: AnswerForm | None, objection: Objection | None) -> AnswerForm:
    """Return the form that was refused if it is about this objection, or else an empty one."""
    return refused if refused is not None and row == objection else AnswerForm(objection_id=row.pk)


def _get_objection_card_url(event: Event, objection: Objection) -> str:
    """Return the address of the card; "" if there is none any more."""
    if objection.bike is None:
        return ""
    bike = objection.bike.merged_into or objection.bike
    return reverse("scorecards:desk_card", args=[event.slug, derive_card_id(objection.contest_id, bike.pk)])
