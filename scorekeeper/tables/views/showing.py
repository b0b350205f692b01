"""The page of a table, made of the table as it stands and the form as it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from games.core.problems import Problem
from scorekeeper.common.rules import draw_play, say
from scorekeeper.rulebooks.citing import Sentence
from scorekeeper.tables.consequences import tell_consequences
from scorekeeper.tables.draft import Draft
from scorekeeper.tables.entry import Asking, list_errors, show_offers, show_problem
from scorekeeper.tables.forms.acting import ActingForm
from scorekeeper.tables.offers import Offer, list_offers, list_retiring
from scorekeeper.tables.seats import say_outcome, show_seats, show_sheet
from scorekeeper.tables.views.errors import about_page, about_reason
from scorekeeper.tables.views.places import Place, render_place
from scorekeeper.tables.wording import tell_actions


@dataclass(frozen=True)
class Page:
    """The form, and what there is to say about it.

    Attributes:
        problems: what is wrong with the draft.
        texts: what else stands in the way, that no field can mend.
        reason_error: what is wrong with the reason.
        kept: why the organiser has to decide about what was sent.
        news: what was noted elsewhere while the draft was made.
    """

    form: ActingForm
    problems: Sequence[Problem] = ()
    texts: Sequence[str] = ()
    reason_error: str = ""
    kept: Sequence[Sentence] = ()
    news: Sequence[str] = ()

    @property
    def is_refused(self) -> bool:
        """Whether anything is wrong with the form."""
        return bool(self.problems or self.texts or self.reason_error)


def show(request: HttpRequest, place: Place, page: Page, status: int = 200, done: UUID | None = None) -> HttpResponse:
    """Show the table.

    Args:
        done: the action that has just been noted; where it is the last and the actor's own, Undo is offered.
    """
    game, state, form = place.game, place.table.state, page.form
    foresee = partial(_foresee, place)
    asking = Asking(game, place.names, form.draft, form.key, page.problems, foresee=foresee)
    offers = _list_open_offers(place, form)
    context = {
        "is_table": True,
        "here": place.url("table"),
        "form": form,
        "is_desk": place.actor.is_organiser,
        "is_sealed": place.table.is_sealed,
        "errors": [*about_page(page.texts), *list_errors(asking, offers), *about_reason(page.reason_error)],
        "reason_error": page.reason_error,
        "kept": page.kept,
        "news": page.news,
        "obstacle": _say_obstacle(place),
        "seats": show_seats(game, state, place.names),
        "outcome": say_outcome(game, state, place.names),
        "total_label": say(game.total_label),
        "offers": show_offers(asking, offers) if offers else [],
        "picture": draw_play(game, state),
        "sheet": show_sheet(game, state),
        "retiring": [(seat, place.names[seat]) for seat in list_retiring(game, state)] if place.may_note else [],
        "retire_url": place.url("retire"),
        "poll": get_version(place),
        **_tell_last(place, done),
    }
    return render_place(request, place, place.contest.name, "tables/_table.html", context, status)


def keep_fitting(before: Place, after: Place, draft: Draft) -> Draft:
    """Return what of a draft fits the table as it stands now: what belongs to offers that are still just the same."""
    same = list_offers(before.game, before.table.state)
    return draft.only([offer for offer in list_offers(after.game, after.table.state) if offer in same])


def get_version(place: Place) -> str:
    """Return a word that changes whenever a page of the table should."""
    return f"{place.table.length}-{'open' if place.may_note else 'closed'}"


def _list_open_offers(place: Place, form: ActingForm) -> tuple[Offer, ...]:
    """Return what is offered. What was tapped before the contest was closed stays on the page, to be written down."""
    if not place.actor.is_organiser and place.table.is_sealed and form.draft.is_empty:
        return ()
    return () if place.table.damaged_from else list_offers(place.game, place.table.state)


def _say_obstacle(place: Place) -> str:
    """Return why nothing can be noted at this table, if so."""
    if place.is_damaged:
        return ""  # said at more length
    standoff = place.table.fold.standoff
    if standoff is not None:
        words = {"number": place.number(standoff.turn_id), "why": show_problem(place.game, standoff.problems[0])}
        return _("Action %(number)s cannot stand: %(why)s Put it right in the history.") % words
    if not place.event.is_open:
        return _("The ride is not open: nothing can be noted yet.")
    if not place.table.is_sealed:
        return ""
    if place.actor.is_organiser:
        return _("The contest is closed: what you note now needs a reason, and makes the next revision pending.")
    return _("The contest is closed: only the organiser can still note something.")


def _foresee(place: Place, action: Mapping[str, Any]) -> str:
    """Return what an action would bring about now."""
    return tell_consequences(place.table.contest.ruleset, place.table.state, [action], place.names)


def _tell_last(place: Place, done: UUID | None) -> dict[str, Any]:
    last = place.table.last
    if last is None:
        return {"last": None}
    ruleset, before = place.table.contest.ruleset, place.table.state_before(last.id)
    is_done = done == last.id
    is_own = is_done and last.origin is not None and last.origin.noted_by == place.actor.id
    return {
        "last": last,
        "last_told": tell_actions(ruleset, before, last.actions, place.names),
        "came": tell_consequences(ruleset, before, last.actions, place.names),
        "is_done": is_done,
        "can_undo": is_own and place.may_note,
        "undo_url": place.url("undo"),
        "undo_operation": uuid4(),
    }
