"""Selling further sheets of a bike, one tap and a confirmation, and undoing that while nothing is recorded on one."""

from __future__ import annotations

from uuid import uuid4

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from scorekeeper.bikes.models import Bike, derive_sheet_id
from scorekeeper.bikes.selectors import list_sheets_of_bike
from scorekeeper.common.game_adapter import translate
from scorekeeper.common.request_data import parse_uuid
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.sheet_setting import describe_sheet_setting, sells_sheets
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.services.recording import IdReused, NotAllowed, UnknownTarget
from scorekeeper.players.selectors import list_riders
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.scorecards.display_names import format_riders
from scorekeeper.scorecards.forms.sheets import SellSheetForm, SheetSearchForm
from scorekeeper.scorecards.selectors.cards import list_contests_at_stops
from scorekeeper.scorecards.selectors.sheet_offers import (
    explain_refusal,
    get_sheets_contest_name,
    list_stops_to_make_up,
)
from scorekeeper.scorecards.services.sheet_sales import (
    NoMoreSheets,
    sell_passenger_sheets,
    sell_sheet,
    withdraw_sheet,
)
from scorekeeper.scorecards.views.card_context import CardContext
from scorekeeper.scorecards.views.page_context import add_query, make_page_errors, render_page
from scorekeeper.scorecards.views.responses import render_changed

TEMPLATE = "scorecards/_sell_sheet.html"


def sell(request: HttpRequest, card_context: CardContext) -> HttpResponse:
    """Ask whether the bike gets another sheet, then sell it and open its card."""
    form = SellSheetForm(request.POST or None)
    if not form.is_valid():
        return _ask(request, card_context, status=422 if form.is_bound else 200)
    number, bike_id = form.cleaned_data["number"], card_context.bike.real_bike_id
    try:
        receipt = sell_sheet(
            card_context.actor, form.cleaned_data["operation"], bike_id, card_context.contest.pk, number
        )
    except NoMoreSheets as error:
        return _ask(request, card_context, str(error), 409)
    except IdReused:
        return _ask(request, card_context, _("This page was already submitted. Check the sheets, then tap again."), 409)
    sheet = Bike.entrants.filter(pk=derive_sheet_id(bike_id, card_context.contest.pk, number)).first()
    if sheet is None:  # an old page was submitted again, after its sale had been undone
        return _ask(request, card_context, _("This page was already submitted. Check the sheets, then tap again."), 409)
    if receipt.outcome == "merged":
        messages.info(request, _("Sheet %(number)s is there already.") % {"number": sheet.label})
    else:
        messages.success(request, _("Sheet %(number)s has been added.") % {"number": sheet.label})
    return redirect(_get_card_url(card_context, sheet, request.GET.get("stop", "")))


def _ask(request: HttpRequest, card_context: CardContext, error: str = "", status: int = 200) -> HttpResponse:
    contest, bike = card_context.contest, card_context.bike
    offers, ruleset = card_context.sheet_offers, card_context.ruleset
    sheets = list_sheets_of_bike(contest, bike)
    stop = None if card_context.actor.is_organiser else parse_uuid(request.GET.get("stop"))
    context = {
        "offers": offers,
        "operation": uuid4(),
        "sheets": ", ".join(sheet.label for sheet in sheets),
        "sheet_count": len(sheets),
        "bike_label": sheets[0].label,
        "contest_name": get_sheets_contest_name(contest),
        "to_make_up": list_stops_to_make_up(contest, bike, stop) if offers else [],
        "worth_of_missed": translate(*ruleset.game.describe_missed_turn(ruleset.setup)),
        "refusal": "" if offers else explain_refusal(contest, bike),
        "errors": make_page_errors([error] if error else []),
        "back": _get_card_url(card_context, bike, request.GET.get("stop", "")),
    }
    return render_page(request, card_context, _("Another sheet"), TEMPLATE, context, status)


def _get_card_url(card_context: CardContext, sheet: Bike, stop: str) -> str:
    if card_context.actor.is_organiser:
        card = derive_card_id(card_context.contest.pk, sheet.pk)
        return reverse("scorecards:desk_card", args=[card_context.event.slug, card])
    query = {"contest": card_context.contest.pk, **({"stop": stop} if parse_uuid(stop) else {})}
    return add_query(reverse("scorecards:card", args=[sheet.pk]), query)


def withdraw(request: HttpRequest, card_context: CardContext) -> HttpResponse:
    """Undo the sale of a sheet, and go back to its bike. If that is not possible, say why."""
    sheet = card_context.bike
    if request.method != "POST" or sheet.sheet_of_id is None:
        return redirect(_get_card_url(card_context, sheet, ""))
    operation = parse_uuid(request.POST.get("operation")) or uuid4()
    try:
        receipt = withdraw_sheet(card_context.actor, operation, sheet.pk)
    except NotAllowed:
        messages.warning(request, _("Only the person who sold this sheet can undo it. Ask the organiser."))
    except NoMoreSheets as error:
        messages.warning(request, str(error))
    except IdReused:
        messages.warning(request, _("Nothing was undone. Check the scorecard, then try again."))
    except UnknownTarget:
        return render_changed(request, card_context, _("This sheet is not there any more."))
    else:
        if receipt.outcome == "recorded":
            messages.success(request, _("Undone: sheet %(number)s is not sold.") % {"number": sheet.label})
            bike = Bike.objects.get(pk=sheet.sheet_of_id)
            return redirect(_get_card_url(card_context, bike, ""))
        if not Bike.entrants.filter(pk=sheet.pk).exists():
            return render_changed(request, card_context, _("This sheet is not there any more."))
        text = _("Something has been recorded on this sheet, or someone else has sold it too, so it stays.")
        messages.warning(request, text)
    return redirect(_get_card_url(card_context, sheet, ""))


@organiser_required
def list_sheets_page(request: OrganiserRequest, event: Event) -> HttpResponse:
    """List the sheets that were sold in each contest, and find a bike to sell it another one."""
    contests = [contest for contest in list_contests_at_stops(event) if sells_sheets(contest)]
    form = SheetSearchForm(request.GET or None, contests=contests)
    if form.is_valid():
        found = list(event.bikes.filter(number=form.cleaned_data["number"], merged_into=None).order_by("suffix"))
        if len(found) == 1:
            contest = form.cleaned_data["contest"] or contests[0]
            return redirect(_get_sale_url(event, contest, found[0]))
        if not found:
            form.add_error("number", _("No bike has this number. Check it, or add the bike first."))
        else:
            text = _("Several bikes have this number. Open the right one from the live page.")
            form.add_error("number", text)
    context = {
        "event": event,
        "form": form,
        "contests": [_present_contest(contest) for contest in contests],
    }
    return render(request, "desk/sheets.html", context, status=422 if form.errors else 200)


def _get_sale_url(event: Event, contest: Contest, bike: Bike) -> str:
    return reverse("scorecards:desk_sell_sheet", args=[event.slug, derive_card_id(contest.pk, bike.pk)])


def _present_contest(contest: Contest) -> dict[str, object]:
    event = contest.event
    sheets = list(Bike.entrants.filter(event=event, sheet_contest=contest).order_by("number", "suffix", "sheet"))
    riders = list_riders(contest, sheets)
    return {
        "contest": contest,
        "setting": describe_sheet_setting(contest),
        "is_for_riders": contest.sheets_for == Contest.SheetsFor.RIDER and contest.status == Contest.Status.OPEN,
        "operation": uuid4(),
        "sheets": [
            (
                sheet,
                format_riders(riders[sheet.pk]),
                reverse("scorecards:desk_card", args=[event.slug, derive_card_id(contest.pk, sheet.pk)]),
            )
            for sheet in sheets
        ],
    }


@organiser_required
def add_for_passengers(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Give every passenger the first scorecard of their own in a contest, unless they have it."""
    contests = {str(contest.pk): contest for contest in list_contests_at_stops(event)}
    contest = contests.get(request.POST.get("contest", ""))
    if contest is not None and contest.sheets_for == Contest.SheetsFor.RIDER:
        try:
            count = sell_passenger_sheets(Actor.from_organiser(request.organiser), contest)
        except NoMoreSheets as error:
            messages.warning(request, str(error))
        else:
            text = _("Sheets added for passengers: %(count)s.") if count else _("Every passenger has a sheet already.")
            messages.success(request, text % {"count": count})
    return redirect("desk:sheets", event.slug)
