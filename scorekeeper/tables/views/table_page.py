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
from scorekeeper.common.game_adapter import get_display, translate
from scorekeeper.rulebooks.citations import Sentence
from scorekeeper.tables.action_draft import ActionDraft
from scorekeeper.tables.consequences import describe_consequences
from scorekeeper.tables.forms.action import ActionForm
from scorekeeper.tables.offer_presenter import ActionFormState, explain_problem, list_errors, present_offers
from scorekeeper.tables.offers import Offer, list_offers, list_retirable_seats
from scorekeeper.tables.table_presenter import describe_outcome, present_seats, present_sheet
from scorekeeper.tables.views.error_summary import make_page_errors, make_reason_errors
from scorekeeper.tables.views.table_context import TableContext, render_table_page
from scorekeeper.tables.wording import describe_actions


@dataclass(frozen=True)
class TablePage:
    """The form, and what there is to say about it.

    Attributes:
        problems: what is wrong with the draft.
        texts: what else stands in the way, that no field can mend.
        reason_error: what is wrong with the reason.
        kept: why the organiser has to decide about what was sent.
        news: what was noted elsewhere while the draft was made.
    """

    form: ActionForm
    problems: Sequence[Problem] = ()
    page_errors: Sequence[str] = ()
    reason_error: str = ""
    review_reasons: Sequence[Sentence] = ()
    news: Sequence[str] = ()

    @property
    def has_errors(self) -> bool:
        """Whether anything is wrong with the form."""
        return bool(self.problems or self.page_errors or self.reason_error)


def render_table(
    request: HttpRequest, place: TableContext, page: TablePage, status: int = 200, done: UUID | None = None
) -> HttpResponse:
    """Show the table.

    Args:
        done: the action that has just been noted; where it is the last and the actor's own, Undo is offered.
    """
    game, state, form = place.game, place.table.state, page.form
    foresee = partial(_preview_action, place)
    asking = ActionFormState(game, place.names, form.draft, form.key, page.problems, preview_action=foresee)
    offers = _list_available_offers(place, form)
    context = {
        "is_table": True,
        "here": place.get_url("table"),
        "form": form,
        "is_desk": place.actor.is_organiser,
        "is_sealed": place.table.is_sealed,
        "errors": [
            *make_page_errors(page.page_errors),
            *list_errors(asking, offers),
            *make_reason_errors(page.reason_error),
        ],
        "reason_error": page.reason_error,
        "kept": page.review_reasons,
        "news": page.news,
        "obstacle": _get_obstacle(place),
        "seats": present_seats(game, state, place.names),
        "outcome": describe_outcome(game, state, place.names),
        "total_label": translate(game.total_label),
        "offers": present_offers(asking, offers) if offers else [],
        "picture": get_display(game, state),
        "sheet": present_sheet(game, state),
        "retiring": [(seat, place.names[seat]) for seat in list_retirable_seats(game, state)]
        if place.may_record
        else [],
        "retire_url": place.get_url("retire"),
        "poll": get_version(place),
        **_present_last_action(place, done),
    }
    return render_table_page(request, place, place.contest.name, "tables/_table.html", context, status)


def filter_draft(before: TableContext, after: TableContext, draft: ActionDraft) -> ActionDraft:
    """Return what of a draft fits the table as it stands now: what belongs to offers that are still just the same."""
    same = list_offers(before.game, before.table.state)
    return draft.restrict_to([offer for offer in list_offers(after.game, after.table.state) if offer in same])


def get_version(place: TableContext) -> str:
    """Return a word that changes whenever a page of the table should."""
    return f"{place.table.length}-{'open' if place.may_record else 'closed'}"


def _list_available_offers(place: TableContext, form: ActionForm) -> tuple[Offer, ...]:
    """Return what is offered. What was tapped before the contest was closed stays on the page, to be written down."""
    if not place.actor.is_organiser and place.table.is_sealed and form.draft.is_empty:
        return ()
    return () if place.table.damaged_from else list_offers(place.game, place.table.state)


def _get_obstacle(place: TableContext) -> str:
    """Return why nothing can be noted at this table, if so."""
    if place.is_damaged:
        return ""  # said at more length
    standoff = place.table.fold.invalid_action
    if standoff is not None:
        words = {
            "number": place.get_action_number(standoff.turn_id),
            "why": explain_problem(place.game, standoff.problems[0]),
        }
        return _("Action %(number)s is not allowed: %(why)s Correct it in the history.") % words
    if not place.event.is_open:
        return _("The ride is not open yet, so nothing can be recorded.")
    if not place.table.is_sealed:
        return ""
    if place.actor.is_organiser:
        return _("The contest is closed. What you record now needs a reason and goes into the next revision.")
    return _("The contest is closed. Only the organiser can still record something.")


def _preview_action(place: TableContext, action: Mapping[str, Any]) -> str:
    """Return what an action would bring about now."""
    return describe_consequences(place.table.contest.ruleset, place.table.state, [action], place.names)


def _present_last_action(place: TableContext, done: UUID | None) -> dict[str, Any]:
    last = place.table.last_action
    if last is None:
        return {"last": None}
    ruleset, before = place.table.contest.ruleset, place.table.state_before(last.id)
    is_done = done == last.id
    is_own = is_done and last.origin is not None and last.origin.actor_id == place.actor.id
    return {
        "last": last,
        "last_told": describe_actions(ruleset, before, last.actions, place.names),
        "came": describe_consequences(ruleset, before, last.actions, place.names),
        "is_done": is_done,
        "can_undo": is_own and place.may_record,
        "undo_url": place.get_url("undo"),
        "undo_operation": uuid4(),
    }
