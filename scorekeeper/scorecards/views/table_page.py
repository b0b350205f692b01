"""Rendering the page of a table from its current state and the form."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from games.core.game import Ruleset
from games.core.problems import Malformed, Problem, is_blocked
from scorekeeper.common.game_adapter import ACTIVE_TRANSLATIONS, get_display, translate
from scorekeeper.rulebooks.citations import Sentence
from scorekeeper.scorecards.action_draft import ActionDraft
from scorekeeper.scorecards.action_wording import describe_actions
from scorekeeper.scorecards.forms.action import ActionForm
from scorekeeper.scorecards.next_step import describe_next_step
from scorekeeper.scorecards.offer_presenter import ActionFormState, explain_problem, list_errors, present_offers
from scorekeeper.scorecards.offers import Offer, list_offers, list_retirable_seats
from scorekeeper.scorecards.table_presenter import describe_outcome, present_seats, present_sheet
from scorekeeper.scorecards.views.page_context import make_page_errors, make_reason_errors, render_page
from scorekeeper.scorecards.views.table_context import TableContext

VERSION_DIGITS = 12


def describe_consequences(
    ruleset: Ruleset, state: Any, actions: Sequence[Mapping[str, Any]], names: Sequence[str]
) -> str:
    """Return the consequences of actions in one line, as far as the rules allow the actions; "" if there are none.

    Args:
        state: of the game just before the first of the actions.
        names: of the seats.
    """
    game = ruleset.game
    sentences: list[str] = []
    for data in actions:
        try:
            action = ruleset.read_action(data, game.seats(state))
        except Malformed:
            break
        if is_blocked(game.problems(state, action)):
            break
        after = game.apply(state, action)
        sentences += [
            consequence.fill(names, ACTIVE_TRANSLATIONS) for consequence in game.consequences(state, action, after)
        ]
        state = after
    return " ".join(sentences)


@dataclass(frozen=True)
class TablePage:
    """The form and the messages about it.

    Attributes:
        problems: what is wrong with the draft.
        page_errors: other errors that no field can fix.
        reason_error: what is wrong with the reason.
        review_reasons: why the action was sent to review.
        news: what was recorded elsewhere while the draft was made.
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
    request: HttpRequest, table_context: TableContext, page: TablePage, status: int = 200, done: UUID | None = None
) -> HttpResponse:
    """Show the table.

    Args:
        done: the action that has just been recorded; Undo is offered if it is the last one and the actor's own.
    """
    game, state, form = table_context.game, table_context.table.state, page.form
    preview = partial(_preview_action, table_context)
    form_state = ActionFormState(game, table_context.names, form.draft, form.key, page.problems, preview_action=preview)
    offers = _list_available_offers(table_context, form)
    context = {
        "is_table": True,
        "page_url": table_context.get_url("table"),
        "form": form,
        "is_desk": table_context.actor.is_organiser,
        "is_sealed": table_context.table.is_sealed,
        "errors": [
            *make_page_errors(page.page_errors),
            *list_errors(form_state, offers),
            *make_reason_errors(page.reason_error),
        ],
        "reason_error": page.reason_error,
        "review_reasons": page.review_reasons,
        "news": page.news,
        "obstacle": _get_obstacle(table_context),
        "seats": present_seats(game, state, table_context.names),
        "outcome": describe_outcome(game, state, table_context.names),
        "total_label": translate(game.total_label),
        "offers": present_offers(form_state, offers) if offers else [],
        "next_step": describe_next_step(game, state, table_context.names, offers),
        "picture": get_display(game, state),
        "sheet": present_sheet(game, state),
        "retiring": [(seat, table_context.names[seat]) for seat in list_retirable_seats(game, state)]
        if table_context.may_record
        else [],
        "retire_url": table_context.get_url("retire"),
        "poll": get_version(table_context),
        **_present_last_action(table_context, done),
    }
    return render_page(request, table_context, table_context.contest.name, "scorecards/_table.html", context, status)


def filter_draft(before: TableContext, after: TableContext, draft: ActionDraft) -> ActionDraft:
    """Return the part of a draft that still fits the table: the values of offers that have not changed."""
    same = list_offers(before.game, before.table.state)
    return draft.restrict_to([offer for offer in list_offers(after.game, after.table.state) if offer in same])


def get_version(table_context: TableContext) -> str:
    """Return a string that changes whenever the page of the table should.

    As many other actions may have taken the place of those that a phone has shown without signal. So the length of the
    log is not enough; and its head is another one on the phone than on the server.
    """
    turns = [[str(turn.id), turn.actions] for turn in table_context.table.turns.values()]
    digest = hashlib.sha256(json.dumps(turns, sort_keys=True).encode()).hexdigest()[:VERSION_DIGITS]
    return f"{table_context.table.length}-{digest}-{'open' if table_context.may_record else 'closed'}"


def _list_available_offers(table_context: TableContext, form: ActionForm) -> tuple[Offer, ...]:
    """Return the offers to show. A draft from before the contest was closed stays on the page, to be written down."""
    if not table_context.actor.is_organiser and table_context.table.is_sealed and form.draft.is_empty:
        return ()
    return () if table_context.table.damaged_from else list_offers(table_context.game, table_context.table.state)


def _get_obstacle(table_context: TableContext) -> str:
    """Return why nothing can be recorded at this table; "" if something can."""
    if table_context.is_damaged:
        return ""  # the damage notice says more
    invalid = table_context.table.invalid_action
    if invalid is not None:
        params = {
            "number": table_context.get_action_number(invalid.turn_id),
            "why": explain_problem(table_context.game, invalid.problems[0]),
        }
        return _("Action %(number)s is not allowed: %(why)s Correct it in the history.") % params
    if not table_context.event.is_open:
        return _("The event is not open yet, so nothing can be recorded.")
    if not table_context.table.is_sealed:
        return ""
    if table_context.actor.is_organiser:
        return _("The contest is closed. What you record now needs a reason and goes into the next revision.")
    return _("The contest is closed. Only the organiser can still record something.")


def _preview_action(table_context: TableContext, action: Mapping[str, Any]) -> str:
    """Return the consequences that an action would have now."""
    return describe_consequences(
        table_context.table.contest.ruleset, table_context.table.state, [action], table_context.names
    )


def _present_last_action(table_context: TableContext, done: UUID | None) -> dict[str, Any]:
    last = table_context.table.last_action
    if last is None:
        return {"last": None}
    ruleset, before = table_context.table.contest.ruleset, table_context.table.state_before(last.id)
    is_done = done == last.id
    is_own = is_done and last.origin is not None and last.origin.actor_id == table_context.actor.id
    return {
        "last": last,
        "last_description": describe_actions(ruleset, before, last.actions, table_context.names),
        "consequences": describe_consequences(ruleset, before, last.actions, table_context.names),
        "is_done": is_done,
        "can_undo": is_own and table_context.may_record,
        "undo_url": table_context.get_url("undo"),
        "undo_operation": uuid4(),
    }
