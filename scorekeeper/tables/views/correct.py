"""Correcting actions: the form of the wrong action's own moment, filled with what was noted, and the reason.

Where the rules no longer allow a later action, nothing is written yet: that action is shown with its own form, and can
be corrected, voided, or have put before it what is missing now. What is decided travels in the form; once the rules
allow all of it, it is written as one operation.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.core.problems import Problem
from games.core.replay import play_on
from scorekeeper.rulebooks.citing import Sentence
from scorekeeper.scorecards.fold import Standoff
from scorekeeper.scorecards.services.recording import NotYet, OtherBody
from scorekeeper.scorecards.views.places import get_data, read_uuid
from scorekeeper.tables.correction import ActionPart, Correction
from scorekeeper.tables.draft import Draft, fill_draft, write_action
from scorekeeper.tables.entry import Asking, list_errors, show_offers, show_problem
from scorekeeper.tables.forms.acting import ActingForm
from scorekeeper.tables.forms.correcting import read_decisions, read_part, write_decisions
from scorekeeper.tables.offers import Offer, find_offer, get_seat_to_act, list_specs, make_offers
from scorekeeper.tables.services.correcting import correct_actions
from scorekeeper.tables.services.playing import written_actions
from scorekeeper.tables.views.errors import about_page, about_reason
from scorekeeper.tables.views.places import Place, render_place
from scorekeeper.tables.views.targets import get_action, go_back, show_gone, show_kept
from scorekeeper.tables.wording import tell_actions

ADD = "add."  # begins the keys of what can be put before an action
MOST_TOLD = 12  # actions in the way, and others that may be the wrong ones; the history has them all


@dataclass(frozen=True)
class Sheet:
    """The form as it lies before the person.

    Attributes:
        part: the action that is corrected now.
        problems: what is wrong with the draft.
        refused: what is wrong with it as a whole.
        texts: what else stands in the way, that no field can mend.
    """

    place: Place
    correction: Correction
    part: ActionPart
    form: ActingForm
    problems: tuple[Problem, ...] = ()
    refused: tuple[Sentence, ...] = ()
    texts: tuple[str, ...] = ()
    reason_error: str = ""

    @cached_property
    def state(self) -> Any:
        """The state in which the action is played."""
        return self.correction.get_state(self.part)

    @cached_property
    def offers(self) -> tuple[Offer, ...]:
        """What its seat could do at that moment."""
        seat = self.correction.get_action(self.part).get("seat")
        return make_offers(list_specs(self.place.game, self.state, seat))

    @cached_property
    def additions(self) -> tuple[Offer, ...]:
        """What could be put before an action that is in the way, under keys of their own."""
        if not self.standoffs:
            return ()
        game, acting = self.place.game, get_seat_to_act(self.place.game, self.state)
        seat = self.correction.get_action(self.part).get("seat") if acting is None else acting
        return tuple(one._replace(key=ADD + one.key) for one in make_offers(list_specs(game, self.state, seat)))

    @cached_property
    def standoffs(self) -> list[Standoff]:
        """What the rules do not allow with what is decided."""
        return self.correction.list_in_the_way() if self.correction.decided else []

    @property
    def offer(self) -> Offer | None:
        """The offer that the action is made of."""
        return find_offer(self.offers, self.correction.get_action(self.part))

    @property
    def key(self) -> str:
        """The key of the offer the person is at."""
        return self.form.key or ("" if self.offer is None else self.offer.key)

    def filled(self) -> Sheet:
        """Return the sheet with the action in its fields."""
        action, offer = self.correction.get_action(self.part), self.offer
        return replace(self, form=replace(self.form, draft=Draft() if offer is None else fill_draft(offer, action)))

    def at(self, part: ActionPart, correction: Correction) -> Sheet:
        """Return a sheet about another action, with what is decided by now."""
        form = self.form.renewed(part.one.seq, Draft())
        return Sheet(self.place, correction, part, replace(form, press=None)).filled()


def correct(request: HttpRequest, place: Place) -> HttpResponse:
    """Show the action as it was noted, take a tap, go to another action, or write what it should be."""
    one = get_action(request, place)
    if one is None:
        return show_gone(request, place)
    data = get_data(request)
    correction, is_current = read_decisions(data, place.table)
    form = ActingForm.from_data(data, one.seq)
    sheet = Sheet(place, correction, read_part(data.get("part"), one, correction), form)
    if request.method != "POST":
        if sheet.offer is None:
            return show_gone(request, place, _("This cannot be put right, only voided: go back and void it."))
        return _show(request, sheet.filled())
    sheet = replace(sheet, form=form.pressed())
    if form.seen != one.seq or not is_current:
        text = _("The action has changed since this page was opened, so nothing was corrected. It is now: %(what)s.")
        return _ask_again(request, sheet, text % {"what": place.tell(one)})
    return _take(request, sheet)


def _take(request: HttpRequest, sheet: Sheet) -> HttpResponse:
    """Do what the button says."""
    data, correction = get_data(request), sheet.correction
    if "at" in data:
        action_id, _space, part = str(data["at"]).partition(" ")
        wanted = read_uuid(action_id)
        one = None if wanted is None else sheet.place.table.noted.get(wanted)
        return _show(request, sheet if one is None else sheet.at(read_part(part, one, correction), correction))
    if "void" in data:
        return _go_on(request, sheet, correction.replace(sheet.part, ()))
    if "void_all" in data:
        return _go_on(request, sheet, correction.leave_out(sheet.standoffs))
    return _judge(request, sheet) if sheet.form.is_noting else _show(request, sheet)


def _judge(request: HttpRequest, sheet: Sheet) -> HttpResponse:
    """Check the action in its place."""
    place, form = sheet.place, sheet.form
    chosen = next((offer for offer in (*sheet.offers, *sheet.additions) if offer.key == form.key), None)
    if chosen is None:
        return _ask_again(request, sheet, _("That could not be noted at this moment."))
    action, problems = write_action(chosen, form.draft)
    actions = written_actions(place.table, [action])
    if not problems:
        problems = play_on(place.table.contest.ruleset, sheet.state, actions).problems
    if problems:
        return _show(request, replace(sheet, problems=problems, reason_error=_find_reason_error(form)), 422)
    change = sheet.correction.add if form.key.startswith(ADD) else sheet.correction.replace
    return _go_on(request, sheet, change(sheet.part, actions))


def _go_on(request: HttpRequest, sheet: Sheet, decided: Correction) -> HttpResponse:
    """Write what is decided if the rules allow all of it; else go on with the first action that is in the way."""
    if not sheet.place.may_correct:
        text = _("The contest is closed: ask the organiser. What you tapped is kept here.")
        return _show(request, replace(sheet, texts=(text,), reason_error=_find_reason_error(sheet.form)), 422)
    if not decided.decided:
        refused = (Sentence(_("Nothing is changed. Change what is wrong.")),)
        return _show(request, replace(sheet, refused=refused, reason_error=_find_reason_error(sheet.form)), 422)
    in_the_way = next(iter(decided.list_in_the_way()), None)
    if in_the_way is not None:
        part = ActionPart(sheet.place.table.noted[in_the_way.turn_id], in_the_way.part)
        sentence = _say_in_the_way(sheet.place, in_the_way)
        return _show(request, replace(sheet.at(part, decided), refused=(sentence,)), 422)
    if not sheet.form.reason:
        return _show(request, replace(sheet, reason_error=_find_reason_error(sheet.form)), 422)
    return _write(request, sheet, decided)


def _find_reason_error(form: ActingForm) -> str:
    return "" if form.reason else _("Say why.")


def _say_in_the_way(place: Place, standoff: Standoff) -> Sentence:
    one, why = place.table.noted[standoff.turn_id], show_problem(place.game, standoff.problems[0])
    words = {"number": place.number(one.id), "what": place.tell(one), "why": why.text}
    return replace(why, text=_("Then action %(number)s is not allowed (%(what)s). %(why)s") % words)


def _write(request: HttpRequest, sheet: Sheet, decided: Correction) -> HttpResponse:
    place, form, targets = sheet.place, sheet.form, decided.targets
    try:
        receipt = correct_actions(place.actor, form.operation, place.table.id, targets, form.reason)
    except OtherBody:
        return _ask_again(request, sheet, _("This page had already been sent with something else in it."))
    except NotYet:
        return show_gone(request, place)
    after = place.as_it_stands()
    if not receipt.is_applied:
        return show_kept(request, after, receipt)
    first = targets[0].turn_id
    if len(targets) == 1 and targets[0].actions is not None and first not in after.table.noted:
        return show_gone(request, after)
    return go_back(request, after, _tell_done(place, after, decided), first)


def _tell_done(before: Place, after: Place, decided: Correction) -> str:
    """Return what was written, for the history."""
    changes = decided.changes
    if len(changes) > 1:
        voided = sum(change.actions is None for change in changes)
        counts = {"corrected": len(changes) - voided, "voided": voided}
        return _("Saved together. Actions corrected: %(corrected)s, voided: %(voided)s.") % counts
    changed = changes[0].turn_id
    place = before if changes[0].actions is None else after
    words = {"number": place.number(changed), "what": place.tell(place.table.noted[changed])}
    if changes[0].actions is None:
        return _("Voided: %(what)s.") % {"what": _("action %(number)s, %(what)s") % words}
    return _("Corrected: action %(number)s, %(what)s.") % words


def _ask_again(request: HttpRequest, sheet: Sheet, why: str) -> HttpResponse:
    """Show the form once more, with all that was tapped and a new operation's id (409)."""
    form = sheet.form.renewed(sheet.part.one.seq, sheet.form.draft)
    return _show(request, replace(sheet, form=form, texts=(why, _("Look at it, then send it again."))), 409)


def _show(request: HttpRequest, sheet: Sheet, status: int = 200) -> HttpResponse:
    place, one = sheet.place, sheet.part.one
    asking = Asking(place.game, place.names, sheet.form.draft, sheet.key, sheet.problems, corrects=True)
    offers, additions = sheet.offers, sheet.additions
    refused = [sentence.to_data() for sentence in sheet.refused]
    listed = list_errors(asking, (*offers, *additions))
    of_offers = [*({"field_id": "offers", **sentence} for sentence in refused), *listed]
    context = {
        "here": place.url("correct"),
        "history_url": place.history_at(one.id),
        "form": sheet.form,
        "one": one,
        "part_index": sheet.part.index,
        "number": place.number(one.id),
        "told": place.tell(one),
        "errors": [*about_page(sheet.texts), *about_reason(sheet.reason_error), *of_offers],
        "reason_error": sheet.reason_error,
        "refused": refused,
        "offers": show_offers(asking, offers) if offers else [],
        "parts": _list_parts(sheet),
        **_show_decisions(sheet),
        "additions": show_offers(asking, additions) if additions else [],
        "adds": sheet.form.key.startswith(ADD),
    }
    return render_place(request, place, _("Correct an action"), "tables/_correct.html", context, status)


def _list_parts(sheet: Sheet) -> list[dict[str, Any]]:
    """Return the other parts of an action that was corrected to several."""
    ruleset, one = sheet.place.table.contest.ruleset, sheet.part.one
    state, parts = sheet.correction.get_state(ActionPart(one)), []
    for index, action in enumerate(sheet.correction.get_actions(one)):
        told = tell_actions(ruleset, state, [action], sheet.place.names)
        parts.append({"at": f"{one.id} {index}", "told": told, "is_here": index == sheet.part.index})
        state = play_on(ruleset, state, [action]).state
    return parts if len(parts) > 1 else []


def _show_decisions(sheet: Sheet) -> dict[str, Any]:
    """Return what is decided so far, what is in the way of it, and which other actions may be the wrong ones."""
    place, correction = sheet.place, sheet.correction
    in_the_way = list(dict.fromkeys(one.turn_id for one in sheet.standoffs))
    others = correction.list_others(sheet.part)[-MOST_TOLD:] if in_the_way else []
    told = place.tell_each({*in_the_way[:MOST_TOLD], *others})
    rest = len(in_the_way) - MOST_TOLD
    return {
        "decisions": write_decisions(correction),
        "decided": [
            {
                "number": place.number(change.turn_id),
                "told": _tell_change(sheet, change.turn_id),
            }
            for change in correction.changes
        ],
        "in_the_way": [{"number": place.number(one), "told": told[one]} for one in in_the_way[:MOST_TOLD]],
        "rest": ngettext("and %(count)s more", "and %(count)s more", rest) % {"count": rest} if rest > 0 else "",
        "count": len(in_the_way),
        "others": [{"id": one, "number": place.number(one), "told": told[one]} for one in others],
    }


def _tell_change(sheet: Sheet, action_id: Any) -> str:
    """Return what an action is to be, in words; "" where it is to be voided."""
    actions = sheet.correction.decided[action_id]
    if not actions:
        return ""
    state = sheet.place.table.state_before(action_id, sheet.correction.changes)
    return tell_actions(sheet.place.table.contest.ruleset, state, actions, sheet.place.names)
