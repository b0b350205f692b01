"""A bike's card at a stop: the dice are tapped, and the tap on a box records the turn.

Every tap is a form that works by itself; the draft travels in it and is worked out anew each time. What has been
noted is shown instead of the form.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any
from uuid import UUID, uuid4

from django.http import Http404, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from scorekeeper.crew.access import CrewRequest, crew_required
from scorekeeper.crew.selectors import list_dice_sets
from scorekeeper.rulebooks.citing import Sentence
from scorekeeper.scorecards.draft import Draft, OpenDraft, open_draft, step_back
from scorekeeper.scorecards.entry import show_draft, show_other_ways, show_problems
from scorekeeper.scorecards.explaining import explain_all
from scorekeeper.scorecards.forms.noting import NoteFields, read_posted_draft
from scorekeeper.scorecards.forms.taps import is_whole_turn, read_tap, read_whole_turn
from scorekeeper.scorecards.selectors.turn_due import get_state_before, get_why_not
from scorekeeper.scorecards.services.cards import Damaged
from scorekeeper.scorecards.services.recording import NotYet, NotYours, OtherBody
from scorekeeper.scorecards.services.turns import TurnNote, judge_turn, record_turn, written_actions
from scorekeeper.scorecards.views.dice_set import get_dice_set
from scorekeeper.scorecards.views.doors import DAMAGED
from scorekeeper.scorecards.views.noted import PAGE, make_frame, make_noted_url, show_noted, show_waiting
from scorekeeper.scorecards.views.places import (
    STOP,
    Place,
    get_data,
    is_fragment,
    open_crew_place,
    read_uuid,
    render_part,
)
from scorekeeper.scorecards.views.signed_out import keeps_what_was_typed
from scorekeeper.scorecards.views.take_over import refuse


@dataclass(frozen=True)
class Sheet:
    """The form as it lies before the person: the slot, the hidden fields, the draft on its card.

    Attributes:
        way: the type of the action that notes the turn in one go; "" while dice are tapped.
    """

    place: Place
    slot_id: UUID
    fields: NoteFields
    opened: OpenDraft
    way: str = ""


@keeps_what_was_typed
@crew_required
def card(request: CrewRequest, bike_id: UUID) -> HttpResponse:
    """Show the form for the turn due, take a tap, or record the turn."""
    place = open_crew_place(request, bike_id)
    data = get_data(request)
    if place.takes_over and not (data.get("takes_over") == "1" and place.actor.can_take_over):
        return refuse(request, place)
    if request.method != "POST" and place.card.damaged_from is not None:
        return redirect(place.url("history"))
    slot_id = _choose_slot(request, place)
    if request.method == "POST":
        return _take_tap(request, place, slot_id)
    if place.card.turn_in(slot_id) is not None:
        return show_noted(request, place, slot_id, read_uuid(data.get("done")))
    chosen = get_dice_set(request)
    fields = NoteFields.from_data(data, None if chosen is None else chosen.pk)
    return _show_form(request, Sheet(place, slot_id, fields, _open(place, slot_id, data), data.get("way", "")))


def _open(place: Place, slot_id: UUID, data: QueryDict) -> OpenDraft:
    """Open the draft of an address. With `again` it is of a turn that came to nothing: its last dice are in sight."""
    state = get_state_before(place.card, slot_id)
    draft, _malformed = read_posted_draft(data)
    opened = open_draft(place.ruleset, state, draft)
    if not data.get("again"):
        return opened
    if opened.problems:
        return replace(open_draft(place.ruleset, state, Draft()), problems=opened.problems)
    return open_draft(place.ruleset, state, step_back(place.ruleset, state, opened.draft))


def _choose_slot(request: CrewRequest, place: Place) -> UUID:
    """Return the slot to note: the one asked for, else the next free one at the stop, else the next free one.

    Raises:
        Http404: the contest has no such slot, or none at all.
    """
    data = get_data(request)
    if data.get("slot"):
        slot_id = read_uuid(data.get("slot"))
        if slot_id is None or slot_id not in place.slots:
            raise Http404
        return slot_id
    stop_id = read_uuid(data.get("stop")) or read_uuid(request.session.get(STOP))
    slots = list(place.slots.values())
    here = [slot for slot in slots if slot.stop_id == stop_id] or slots
    if not here:
        raise Http404
    free = [slot for slot in here if place.card.turn_in(slot.pk) is None]
    return (free or here[-1:])[0].pk


def _take_tap(request: CrewRequest, place: Place, slot_id: UUID) -> HttpResponse:
    data, state = request.POST, get_state_before(place.card, slot_id)
    fields = NoteFields.from_data(data, None)
    draft, malformed = read_posted_draft(data)
    opened = open_draft(place.ruleset, state, draft)
    key = place.contest.game_key
    errors = [] if malformed is None else show_problems(key, [malformed.as_problem()])
    if is_whole_turn(data):
        sheet = Sheet(place, slot_id, fields, opened, data.get("way", ""))
        if place.card.damaged_from is not None:
            return _ask_again(request, sheet, str(DAMAGED))
        return _record(request, sheet, read_whole_turn(opened, data), errors)
    after = open_draft(place.ruleset, state, read_tap(place.ruleset, state, opened, data))
    errors += show_problems(key, after.problems)
    if after.problems and "again" in data:
        after = opened  # the dice and their pins, so that one can be taken off
    return _show_form(request, Sheet(place, slot_id, fields, after), errors, 422 if errors else 200)


def _record(
    request: CrewRequest, sheet: Sheet, actions: Sequence[Mapping[str, Any]], errors: Sequence[Sentence]
) -> HttpResponse:
    place, slot_id, fields = sheet.place, sheet.slot_id, sheet.fields
    if not place.event.is_open:
        errors = [*errors, Sentence(_("The ride is not open: nothing can be noted. What you typed is kept here."))]
    problems = judge_turn(place.card, slot_id, written_actions(place.card, actions), fields.operation).problems
    errors = [*errors, *explain_all(place.contest.game_key, problems)]
    if errors:
        return _show_form(request, sheet, errors, 422)
    ours = {dice_set.pk for dice_set in list_dice_sets(request.device.member.group)}
    dice_set = fields.dice_set if fields.dice_set in ours else None
    note = TurnNote(place.contest.pk, place.bike.pk, slot_id, actions, dice_set, fields.takes_over, fields.reason)
    try:
        receipt = record_turn(place.actor, fields.operation, note)
    except OtherBody:
        return _ask_again(request, sheet, _("This page had already been sent with other dice or another box."))
    except NotYours:
        return refuse(request, place)
    except Damaged:
        return _ask_again(request, sheet, str(DAMAGED))
    except NotYet:
        return _ask_again(request, sheet, _("The organiser has just merged bikes or changed the turns."))
    after = open_crew_place(request, place.bike.pk)
    if not receipt.is_applied:
        return show_waiting(request, after, slot_id, receipt)
    if after.card.turn_in(slot_id) is None:
        return _ask_again(request, sheet, _("This page had already been sent, and its turn was taken back since."))
    if is_fragment(request):
        return show_noted(request, after, slot_id, fields.operation)
    return redirect(make_noted_url(place, slot_id, fields.operation))


def _ask_again(request: CrewRequest, sheet: Sheet, why: str) -> HttpResponse:
    """Show the form once more, with all that was typed and a new operation's id (409)."""
    fresh = Sheet(sheet.place, sheet.slot_id, sheet.fields.renewed(), sheet.opened, sheet.way)
    return _show_form(request, fresh, [Sentence(why), Sentence(_("Look at the card, then tap again."))], 409)


def _show_form(request: CrewRequest, sheet: Sheet, errors: Sequence[Sentence] = (), status: int = 200) -> HttpResponse:
    place, opened = sheet.place, sheet.opened
    ways = show_other_ways(opened, get_data(request))
    why_not = get_why_not(place.card, sheet.slot_id, opened.actions, place.slot_names)
    context = {
        **make_frame(place, sheet.slot_id),
        "entry": show_draft(place.contest.game_key, opened, why_not),
        "ways": ways,
        "way": next((way for way in ways if way["type"] == sheet.way), None),
        "hidden": sheet.fields.to_hidden(),
        "errors": [{"field_id": "entry", **sentence.to_data()} for sentence in errors],
        "dice_set": get_dice_set(request),
        "reason": sheet.fields.reason,
        "can_withdraw": place.bike.is_walk_up and not (place.takes_over or place.card.turns),
        "withdraw_operation": uuid4(),
        # What a phone by itself does not know of: it may have been noted on another one.
        "earlier": _list_free_before(place, sheet.slot_id),
    }
    return render_part(request, PAGE, "scorecards/_form.html", context, status)


def _list_free_before(place: Place, slot_id: UUID) -> list[str]:
    """Return the names of the slots before this one in which nothing stands."""
    before = takewhile(lambda slot: slot != slot_id, place.slots)
    return [place.slot_names[slot] for slot in before if place.card.turn_in(slot) is None]
