"""Correcting an action: the same form as at its moment of the play, filled with what was noted, and the reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games.core.problems import Problem
from games.core.replay import play_on
from scorekeeper.rulebooks.citing import Sentence
from scorekeeper.scorecards.fold import Actions, Change, NotedTurn
from scorekeeper.scorecards.services.corrections import Target
from scorekeeper.scorecards.services.recording import NotYet, OtherBody
from scorekeeper.scorecards.views.places import get_data
from scorekeeper.tables.draft import fill_draft, write_action
from scorekeeper.tables.entry import Asking, list_errors, show_offers, show_problem
from scorekeeper.tables.forms.acting import ActingForm
from scorekeeper.tables.offers import Offer, find_offer, list_specs, make_offers
from scorekeeper.tables.services.correcting import correct_actions
from scorekeeper.tables.services.playing import written_actions
from scorekeeper.tables.views.errors import about_page, about_reason
from scorekeeper.tables.views.places import Place, render_place
from scorekeeper.tables.views.targets import find_obstacle, get_action, go_back, show_gone, show_kept


@dataclass(frozen=True)
class Sheet:
    """The form as it lies before the person.

    Attributes:
        one: the action that is put right.
        offers: what could be done at its moment.
        key: of the offer the person is at.
        problems: what is wrong with the draft.
        refused: what is wrong with it as a whole.
        texts: what else stands in the way, that no field can mend.
        more: what the page needs besides.
    """

    place: Place
    one: NotedTurn
    offers: tuple[Offer, ...]
    form: ActingForm
    key: str
    problems: tuple[Problem, ...] = ()
    refused: tuple[Sentence, ...] = ()
    texts: tuple[str, ...] = ()
    reason_error: str = ""
    more: Mapping[str, str] = field(default_factory=dict)


@require_http_methods(["GET", "HEAD", "POST"])
def correct(request: HttpRequest, place: Place) -> HttpResponse:
    """Show the action as it was noted, take a tap, or write what it should be."""
    one = get_action(request, place)
    if one is None:
        return show_gone(request, place)
    state = place.table.state_before(one.id)
    offers = make_offers(list_specs(place.game, state, one.actions[0].get("seat")))
    offer = find_offer(offers, one.actions[0])
    if offer is None or len(one.actions) > 1:
        return show_gone(request, place, _("This cannot be put right, only voided: go back and void it."))
    form = ActingForm.from_data(get_data(request), one.seq)
    if request.method != "POST":
        filled = replace(form, draft=fill_draft(offer, one.actions[0]))
        return _show(request, Sheet(place, one, offers, filled, offer.key))
    sheet = Sheet(place, one, offers, form.pressed(), form.key or offer.key)
    if form.seen != one.seq:
        text = _("The action has changed since this page was opened, so nothing was corrected. It is now: %(what)s.")
        return _ask_again(request, sheet, text % {"what": place.tell(one)})
    return _judge(request, sheet) if form.is_noting else _show(request, sheet)


def _judge(request: HttpRequest, sheet: Sheet) -> HttpResponse:
    """Check the action in its place, and then whether all that was noted later can still stand."""
    place, one, form = sheet.place, sheet.one, sheet.form
    chosen = next((offer for offer in sheet.offers if offer.key == form.key), None)
    if chosen is None:
        return _ask_again(request, sheet, _("That could not be noted at this moment."))
    action, problems = write_action(chosen, form.draft)
    actions = written_actions(place.table, [action])
    if not problems:
        problems = play_on(place.table.contest.ruleset, place.table.state_before(one.id), actions).problems
    if not place.may_correct:
        sheet = replace(sheet, texts=(_("The contest is closed: ask the organiser. What you tapped is kept here."),))
    if not problems and actions == one.actions:
        sheet = replace(sheet, refused=(Sentence(_("Nothing is changed. Change what is wrong.")),))
    sheet = replace(sheet, problems=problems, reason_error="" if form.reason else _("Say why."))
    if problems or sheet.refused or sheet.texts or sheet.reason_error:
        return _show(request, sheet, 422)
    refused = _find_what_is_in_the_way(sheet, actions)
    return _write(request, sheet, actions) if refused is None else _show(request, refused, 422)


def _find_what_is_in_the_way(sheet: Sheet, actions: Actions) -> Sheet | None:
    """Name the later action that could not stand, and lead to where it can be voided with all that follows."""
    place = sheet.place
    obstacle = find_obstacle(place, [Change(sheet.one.id, actions)])
    if obstacle is None:
        return None
    in_the_way = place.table.noted[obstacle.turn_id]
    number = place.number(in_the_way.id)
    why = show_problem(place.game, obstacle.problems[0])
    words = {"number": number, "what": place.tell(in_the_way), "why": why.text}
    sentence = replace(why, text=_("Then action %(number)s could not stand (%(what)s). %(why)s") % words)
    on_label = _("Void everything from action %(number)s on") % {"number": number}
    on_url = f"{place.url('void')}?action={in_the_way.id}&on=1"
    return replace(sheet, refused=(sentence,), more={"on_label": on_label, "on_url": on_url})


def _write(request: HttpRequest, sheet: Sheet, actions: Actions) -> HttpResponse:
    place, one, form = sheet.place, sheet.one, sheet.form
    target = Target(one.id, one.seq, actions)
    try:
        receipt = correct_actions(place.actor, form.operation, place.table.id, [target], form.reason)
    except OtherBody:
        return _ask_again(request, sheet, _("This page had already been sent with something else in it."))
    except NotYet:
        return show_gone(request, place)
    after = place.as_it_stands()
    if not receipt.is_applied:
        return show_kept(request, after, receipt)
    noted = after.table.noted.get(one.id)
    return show_gone(request, after) if noted is None else go_back(request, after, _told(after, noted), one.id)


def _told(place: Place, noted: NotedTurn) -> str:
    words = {"number": place.number(noted.id), "what": place.tell(noted)}
    return _("Corrected: action %(number)s, %(what)s.") % words


def _ask_again(request: HttpRequest, sheet: Sheet, why: str) -> HttpResponse:
    """Show the form once more, with all that was tapped and a new operation's id (409)."""
    form = sheet.form.renewed(sheet.one.seq, sheet.form.draft)
    return _show(request, replace(sheet, form=form, texts=(why, _("Look at it, then send it again."))), 409)


def _show(request: HttpRequest, sheet: Sheet, status: int = 200) -> HttpResponse:
    place, one = sheet.place, sheet.one
    asking = Asking(place.game, place.names, sheet.form.draft, sheet.key, sheet.problems, corrects=True)
    refused = [sentence.to_data() for sentence in sheet.refused]
    of_offers = [*({"field_id": "offers", **sentence} for sentence in refused), *list_errors(asking, sheet.offers)]
    context = {
        "here": place.url("correct"),
        "history_url": place.history_at(one.id),
        "form": sheet.form,
        "one": one,
        "number": place.number(one.id),
        "told": place.tell(one),
        "errors": [*about_page(sheet.texts), *about_reason(sheet.reason_error), *of_offers],
        "reason_error": sheet.reason_error,
        "refused": refused,
        "offers": show_offers(asking, sheet.offers),
        **sheet.more,
    }
    return render_place(request, place, _("Correct an action"), "tables/_correct.html", context, status)
