"""The context of a page about a table: the actor, the table and its contest. Crew and organisers share the pages."""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.functional import Promise

from games.core.game import Game
from games.core.replay import replay_from
from scorekeeper.common.partial_pages import render_partial
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.scorecards.action_wording import describe_actions, join_names
from scorekeeper.scorecards.display_names import format_damage_notice
from scorekeeper.scorecards.fold import RecordedTurn
from scorekeeper.scorecards.open_table import TableWithHolders
from scorekeeper.scorecards.selectors.seat_names import name_seats
from scorekeeper.scorecards.selectors.tables import get_table, reload_table


@dataclass(frozen=True)
class TableContext:
    """A table, and the actor who has it open.

    Attributes:
        table: its state when the page was requested; it is not locked.
        names: of the seats, in the order of play.
    """

    actor: Actor
    event: Event
    contest: Contest
    table: TableWithHolders
    names: tuple[str, ...]

    @property
    def game(self) -> Game[Any]:
        """The game that is played at the table."""
        return self.table.contest.ruleset.game

    @property
    def name(self) -> str:
        """The name of the table in messages: the names of its seats."""
        return join_names(self.names)

    @property
    def may_record(self) -> bool:
        """Whether the actor's entries count now."""
        return self.event.is_open and self.may_correct

    @property
    def may_correct(self) -> bool:
        """Whether the actor's corrections count now: in a closed contest only the organiser's, with a damaged log
        nobody's."""
        return not self.is_damaged and (self.actor.is_organiser or not self.table.is_sealed)

    @property
    def is_damaged(self) -> bool:
        """Whether the log cannot be read to its end, so that nothing can be recorded or corrected."""
        return self.table.log.damaged_from is not None

    @property
    def damage_message(self) -> str:
        """The notice about a damaged log; "" if the log is undamaged."""
        damaged_from = self.table.log.damaged_from
        return "" if damaged_from is None else format_damage_notice(damaged_from)

    @property
    def may_withdraw(self) -> bool:
        """Whether the actor can remove the table; only the organiser can."""
        return self.actor.is_organiser and self.table.can_withdraw

    def describe_action(self, recorded: RecordedTurn) -> str:
        """Return a recorded action in words: "Ann: Record roll 2 2 4"."""
        return describe_actions(
            self.table.contest.ruleset, self.table.state_before(recorded.id), recorded.actions, self.names
        )

    def describe_each(self, wanted: Set[UUID]) -> dict[UUID, str]:
        """Return several recorded actions in words, by their ids; the game is replayed only once."""
        ruleset, descriptions = self.table.contest.ruleset, {}
        state = ruleset.game.start(ruleset, self.table.seats)
        for recorded in self.table.recorded_actions.values():
            if recorded.id in wanted:
                descriptions[recorded.id] = describe_actions(ruleset, state, recorded.actions, self.names)
            state = replay_from(ruleset, state, recorded.actions).state
        return descriptions

    def get_action_number(self, action_id: UUID) -> int:
        """Return the position of an action among the current ones, counted from 1."""
        return list(self.table.recorded_actions).index(action_id) + 1

    def get_url(self, page: str) -> str:
        """Return the URL of a page about this table, for crew or for the organiser."""
        if self.actor.is_organiser:
            return reverse(f"tables:desk_{page}", args=[self.event.slug, self.table.id])
        return reverse(f"tables:{page}", args=[self.table.id])

    def get_history_url(self, action_id: UUID) -> str:
        """Return the URL of the history page that an action is on."""
        return f"{self.get_url('history')}?at={action_id}"

    @property
    def list_url(self) -> str:
        """The URL of the list that the table is in."""
        if self.actor.is_organiser:
            return reverse("tables:desk_list", args=[self.event.slug, self.contest.slug])
        return reverse("tables:list")

    def with_current_table(self) -> TableContext:
        """Return the context with the current state of the table."""
        return replace(self, table=reload_table(self.table))

    def with_table_at(self, length: int) -> TableContext:
        """Return the context with the table as it was when its chain had that length; unchanged if it never had."""
        if not 1 <= length < self.table.length:
            return self
        return replace(self, table=reload_table(self.table, length))


def get_table_context(actor: Actor, event: Event, card_id: UUID) -> TableContext:
    """Return the context of a table of the event, read without a lock.

    Raises:
        Http404: the event has no such table.
    """
    table = get_table(event, card_id)
    if table is None:
        raise Http404
    return TableContext(actor, event, Contest.objects.get(pk=table.contest.id), table, name_seats(table))


def render_table_page(
    request: HttpRequest,
    table_context: TableContext,
    title: str | Promise,
    part: str,
    context: Mapping[str, object],
    status: int = 200,
) -> HttpResponse:
    """Render a page about a table with the crew's or the organiser's page frame, or its part alone."""
    page = "scorecards/desk_table_page.html" if table_context.actor.is_organiser else "scorecards/crew_table_page.html"
    frame = {
        "table_context": table_context,
        "event": table_context.event,
        "title": title,
        "table_url": table_context.get_url("table"),
        "history_url": table_context.get_url("history"),
        "rules_url": reverse("rulebooks:book", args=[table_context.contest.game_key]),
        "list_url": table_context.list_url,
        "withdraw_url": table_context.get_url("withdraw") if table_context.may_withdraw else "",
    }
    return render_partial(request, page, part, {**frame, **context}, status)
