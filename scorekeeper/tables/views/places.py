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
from games.core.replay import play_on
from scorekeeper.events.models import Contest, Event
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.fold import NotedTurn
from scorekeeper.scorecards.naming import say_damage
from scorekeeper.scorecards.views.places import render_part
from scorekeeper.tables.open_table import SeatedTable
from scorekeeper.tables.selectors.folding import get_table, read_again
from scorekeeper.tables.selectors.seats import name_seats
from scorekeeper.tables.wording import list_names, tell_actions


@dataclass(frozen=True)
class Place:
    """A table, and who has it open.

    Attributes:
        table: as it stood when the page was asked for; it is not locked.
        names: of the seats, in the order of the play.
    """

    actor: Actor
    event: Event
    contest: Contest
    table: SeatedTable
    names: tuple[str, ...]

    @property
    def game(self) -> Game[Any]:
        """The game that is played here."""
        return self.table.contest.ruleset.game

    @property
    def name(self) -> str:
        """The table as messages name it: whoever sits at it."""
        return list_names(self.names)

    @property
    def may_note(self) -> bool:
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
    def damage(self) -> str:
        """What to say of a damaged log; "" of one that is whole."""
        damaged_from = self.table.log.damaged_from
        return "" if damaged_from is None else say_damage(damaged_from)

    @property
    def may_withdraw(self) -> bool:
        """Whether the actor can take the card back; that is the organiser's to do."""
        return self.actor.is_organiser and self.table.can_withdraw

    def tell(self, one: NotedTurn) -> str:
        """Return a noted action in words: "Ann: Note the roll 2 2 4"."""
        return tell_actions(self.table.contest.ruleset, self.table.state_before(one.id), one.actions, self.names)

    def tell_each(self, wanted: Set[UUID]) -> dict[UUID, str]:
        """Return several noted actions in words, the play being read once."""
        ruleset, told = self.table.contest.ruleset, {}
        state = ruleset.game.start(ruleset, self.table.seats)
        for one in self.table.noted.values():
            if one.id in wanted:
                told[one.id] = tell_actions(ruleset, state, one.actions, self.names)
            state = play_on(ruleset, state, one.actions).state
        return told

    def number(self, action_id: UUID) -> int:
        """Return the place of an action among those that stand, counted from 1."""
        return list(self.table.noted).index(action_id) + 1

    def url(self, page: str) -> str:
        """Return the address of a page about this table, behind the door that the actor came by."""
        if self.actor.is_organiser:
            return reverse(f"tables:desk_{page}", args=[self.event.slug, self.table.id])
        return reverse(f"tables:{page}", args=[self.table.id])

    def history_at(self, action_id: UUID) -> str:
        """Return the address of the page of the history that an action is on."""
        return f"{self.url('history')}?at={action_id}"

    @property
    def list_url(self) -> str:
        """Return the address of the list that the table stands in."""
        if self.actor.is_organiser:
            return reverse("tables:desk_list", args=[self.event.slug, self.contest.slug])
        return reverse("tables:list")

    def as_it_stands(self) -> Place:
        """Return the place with the table as it stands by now."""
        return replace(self, table=read_again(self.table))

    def as_seen_at(self, length: int) -> Place:
        """Return the place with the table as it stood when its chain had that length, as far as it ever had."""
        if not 1 <= length < self.table.length:
            return self
        return replace(self, table=read_again(self.table, length))


def open_place(actor: Actor, event: Event, card_id: UUID) -> Place:
    """Return the place of a table of the event, read without a lock.

    Raises:
        Http404: there is none at this event.
    """
    table = get_table(event, card_id)
    if table is None:
        raise Http404
    return Place(actor, event, Contest.objects.get(pk=table.contest.id), table, name_seats(table))


def render_place(
    request: HttpRequest,
    place: Place,
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
        "table_url": place.url("table"),
        "history_url": place.url("history"),
        "rules_url": reverse("rulebooks:book", args=[place.contest.game_key]),
        "list_url": place.list_url,
        "withdraw_url": place.url("withdraw") if place.may_withdraw else "",
    }
    return render_part(request, page, part, {**frame, **context}, status)
