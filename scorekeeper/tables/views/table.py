"""A table: who sits there, how it stands, and what may be done now. A tap on what was done records it.

Every tap is a form that works by itself; the draft travels in it and is read anew each time against what the game
offers at that moment. A draft that breaks a rule, or that somebody was faster than, is shown with everything tapped
and does not reach the log. The page asks now and then whether something was noted elsewhere; a draft that was begun
is left in peace.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _

from games.core.replay import play_on
from scorekeeper.scorecards.explaining import explain_all
from scorekeeper.scorecards.fold import NotedTurn
from scorekeeper.scorecards.services.recording import NotYet, OtherBody
from scorekeeper.scorecards.views.doors import DAMAGED
from scorekeeper.scorecards.views.places import get_data, is_fragment, read_uuid
from scorekeeper.tables.draft import write_action
from scorekeeper.tables.forms.acting import ActingForm
from scorekeeper.tables.offers import list_offers
from scorekeeper.tables.services.playing import ActionNote, record_action, written_actions
from scorekeeper.tables.views.places import Place
from scorekeeper.tables.views.polled import answer_poll
from scorekeeper.tables.views.showing import Page, keep_fitting, show
from scorekeeper.tables.wording import say_offer

CONFLICT = 409
REFUSED = 422


def table(request: HttpRequest, place: Place) -> HttpResponse:
    """Show the table, take a tap, or record the action."""
    form = ActingForm.from_data(get_data(request), place.table.length)
    if request.method == "POST" and form.is_noting:
        return _note(request, place, form)
    if "poll" in request.GET:
        return answer_poll(request, place, form)
    if request.method != "POST" and form.seen < place.table.length:  # the address of an undo, opened once more
        form = ActingForm(place.table.length)
    seen = place.as_seen_at(form.seen)
    draft = keep_fitting(seen, place, form.pressed().draft)
    page = Page(form.renewed(place.table.length, draft), news=_tell_since(place, form.seen))
    return show(request, place, page, done=read_uuid(request.GET.get("done")))


def _note(request: HttpRequest, place: Place, form: ActingForm) -> HttpResponse:
    """Judge the action as the page had shown the table, and record it."""
    form = form.pressed()
    seen = place.as_seen_at(form.seen)
    offer = next((offer for offer in list_offers(seen.game, seen.table.state) if offer.key == form.key), None)
    if offer is None:
        return _ask_again(request, place, form, _("That cannot be noted here now."))
    action, problems = write_action(offer, form.draft)
    actions = written_actions(place.table, [action])
    since = _list_since(place, form.seen)
    is_same = bool(since) and since[0].actions == actions
    if form.seen < place.table.length and not is_same:
        return _ask_again(request, place, form, _("The table has changed meanwhile, so yours was not noted."))
    if place.table.standoff is not None:
        problems = place.table.standoff.problems
    if not problems:
        problems = play_on(seen.table.contest.ruleset, seen.table.state, actions).problems
    page = Page(form, problems, _list_obstacles(place), reason_error=_find_reason_error(place, form))
    if page.is_refused:
        return show(request, place, page, REFUSED)
    note = ActionNote(place.table.id, form.seen, actions, form.reason)
    return _record(request, place, form, note)


def _record(request: HttpRequest, place: Place, form: ActingForm, note: ActionNote) -> HttpResponse:
    try:
        receipt = record_action(place.actor, form.operation, note)
    except OtherBody:
        return _ask_again(request, place, form, _("This page had already been sent with something else in it."))
    except NotYet:
        return _ask_again(request, place, form, _("The table has changed since this page was opened."))
    after = place.as_it_stands()
    if not receipt.is_applied:
        kept = explain_all(place.game.key, receipt.problems)
        page = Page(form.renewed(after.table.length, keep_fitting(place, after, form.draft)), kept=kept)
        return show(request, after, page, CONFLICT)
    noted = read_uuid((receipt.data or {}).get("turn")) or form.operation
    if noted not in after.table.noted:
        return _ask_again(request, after, form, _("This was noted before, and taken back since."))
    if is_fragment(request):
        return show(request, after, Page(ActingForm(after.table.length)), done=noted)
    return redirect(f"{place.url('table')}?done={noted}")


def _list_obstacles(place: Place) -> list[str]:
    """Return what stands in the way of any note whatever."""
    if place.is_damaged:
        return [str(DAMAGED)]
    if not place.event.is_open:
        return [_("The ride is not open: nothing can be noted. What you tapped is kept here.")]
    if place.table.is_sealed and not place.actor.is_organiser:
        return [_("The contest is closed: ask the organiser. What you tapped is kept here.")]
    return []


def _find_reason_error(place: Place, form: ActingForm) -> str:
    """Return what is wrong with the reason: after the closing the organiser has to give one."""
    if form.reason or not (place.table.is_sealed and place.actor.is_organiser):
        return ""
    return _("The contest is closed: say why this is noted all the same.")


def _ask_again(request: HttpRequest, place: Place, form: ActingForm, why: str) -> HttpResponse:
    """Show the table as it stands now, what was tapped where it still fits, and a new operation's id (409)."""
    seen = place.as_seen_at(form.seen)
    draft = keep_fitting(seen, place, form.draft)
    texts = [why, *_tell_since(place, form.seen), *_tell_dropped(seen, form, is_kept=not draft.is_empty)]
    return show(request, place, Page(form.renewed(place.table.length, draft), texts=texts), CONFLICT)


def _tell_dropped(seen: Place, form: ActingForm, *, is_kept: bool) -> list[str]:
    """Return what was tapped, in words, where the form cannot keep it."""
    if is_kept:
        return [_("Look at the table, then tap again.")]
    said = [
        say_offer(offer, write_action(offer, form.draft).action, seen.names)
        for offer in list_offers(seen.game, seen.table.state)
        if offer.key == form.key
    ]
    return [_("Not noted: %(what)s.") % {"what": what} for what in said]


def _list_since(place: Place, seen: int) -> list[NotedTurn]:
    return [one for one in place.table.noted.values() if one.seq > seen]


def _tell_since(place: Place, seen: int) -> list[str]:
    """Return what was noted since the page was made, in words."""
    return [_("Noted meanwhile: %(what)s.") % {"what": place.tell(one)} for one in _list_since(place, seen)]
