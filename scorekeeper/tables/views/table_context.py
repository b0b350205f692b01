"""Where a page about a table stands: who acts, at which table of which contest. Crew and organisers share the pages."""

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
from scorekeeper.events.models import Contest, Event
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.display_names import format_damage_notice
from scorekeeper.scorecards.fold import RecordedTurn
from scorekeeper.scorecards.views.card_context import render_partial
from scorekeeper.tables.open_table import TableWithHolders
from scorekeeper.tables.selectors.seat_names import name_seats
from scorekeeper.tables.selectors.tables import get_table, reload_table
from scorekeeper.tables.wording import describe_actions, join_names


@dataclass(frozen=True)
class TableContext:
    """A table, and who has it open.

    Attributes:
        table: as it stood when the page was asked for; it is not locked.
        names: of the seats, in the order of the play.
    """

    actor: Actor
    event: Event
    contest: Contest
    table: TableWithHolders
    names: tuple[str, ...]

    @property
    def game(self) -> Game[Any]:
        """The game that is played here."""
        return self.table.contest.ruleset.game

    @property
    def name(self) -> str:
        """The table as messages name it: whoever sits at it."""
        return join_names(self.names)

    @property
    def may_record(self) -> bool:
        """Whether the actor's notes count now."""
        return self.event.is_open and self.may_correct

    @property
    def may_correct(self) -> bool:
        """Whether the actor's corrections count now: a closed contest takes the organiser's, a damaged log nobody's."""
        return not self.is_damaged and (self.actor.is_organiser or not self.table.is_sealed)

    @property
    def is_damaged(self) -> bool:
        """Whether the log cannot be read to its end, so that nothing can be noted or corrected."""
        return self.table.log.damaged_from is not None

    @property
    def damage_message(self) -> str:
        """What to say of a damaged log; "" of one that is whole."""
        damaged_from = self.table.log.damaged_from
        return "" if damaged_from is None else format_damage_notice(damaged_from)

    @property
    def may_withdraw(self) -> bool:
        """Whether the actor can take the card back; that is the organiser's to do."""
        return self.actor.is_organiser and self.table.can_withdraw

    def describe_action(self, one: RecordedTurn) -> str:
        """Return a noted action in words: "Ann: Note the roll 2 2 4"."""
        return describe_actions(self.table.contest.ruleset, self.table.state_before(one.id), one.actions, self.names)

    def describe_each(self, wanted: Set[UUID]) -> dict[UUID, str]:
        """Return several noted actions in words, the play being read once."""
        ruleset, told = self.table.contest.ruleset, {}
        state = ruleset.game.start(ruleset, self.table.seats)
        for one in self.table.recorded_actions.values():
            if one.id in wanted:
                told[one.id] = describe_actions(ruleset, state, one.actions, self.names)
            state = replay_from(ruleset, state, one.actions).state
        return told

    def get_action_number(self, action_id: UUID) -> int:
        """Return the place of an action among those that stand, counted from 1."""
        return list(self.table.recorded_actions).index(action_id) + 1

    def get_url(self, page: str) -> str:
        """Return the address of a page about this table, behind the door that the actor came by."""
        if self.actor.is_organiser:
            return reverse(f"tables:desk_{page}", args=[self.event.slug, self.table.id])
        return reverse(f"tables:{page}", args=[self.table.id])

    def get_history_url(self, action_id: UUID) -> str:
        """Return the address of the page of the history that an action is on."""
        return f"{self.get_url('history')}?at={action_id}"

    @property
    def list_url(self) -> str:
        """Return the address of the list that the table stands in."""
        if self.actor.is_organiser:
            return reverse("tables:desk_list", args=[self.event.slug, self.contest.slug])
        return reverse("tables:list")

    def with_current_table(self) -> TableContext:
        """Return the place with the table as it stands by now."""
        return replace(self, table=reload_table(self.table))

    def with_table_at(self, length: int) -> TableContext:
        """Return the place with the table as it stood when its chain had that length, as far as it ever had."""
        if not 1 <= length < self.table.length:
            return self
        return replace(self, table=reload_table(self.table, length))


def get_table_context(actor: Actor, event: Event, card_id: UUID) -> TableContext:
    """Return the place of a table of the event, read without a lock.

    Raises:
        Http404: there is none at this event.
    """
    table = get_table(event, card_id)
    if table is None:
        raise Http404
    return TableContext(actor, event, Contest.objects.get(pk=table.contest.id), table, name_seats(table))


def render_table_page(
    request: HttpRequest,
    place: TableContext,
    title: str | Promise,
    part: str,
    context: Mapping[str, object],
    status: int = 200,
) -> HttpResponse:
    """Render a page about a table in the frame of whoever looks at it, or its part alone."""
    page = "tables/desk_page.html" if place.actor.is_organiser else "tables/crew_page.html"
    frame = {
        "place": place,
        "event": place.event,
        "title": title,
        "table_url": place.get_url("table"),
        "history_url": place.get_url("history"),
        "rules_url": reverse("rulebooks:book", args=[place.contest.game_key]),
        "list_url": place.list_url,
        "withdraw_url": place.get_url("withdraw") if place.may_withdraw else "",
    }
    return render_partial(request, page, part, {**frame, **context}, status)
