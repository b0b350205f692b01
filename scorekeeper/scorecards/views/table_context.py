"""The context of a page about a table: the actor, the table and its contest, for the crew and for organisers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any, Self
from uuid import UUID

from django.http import Http404
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.core.game import Game
from games.core.replay import replay_from
from scorekeeper.common.game_adapter import translate
from scorekeeper.common.names import drop_double_stop
from scorekeeper.common.request_data import parse_uuid
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.usual_reasons import MISREAD, WRONG_CHOICE, WRONG_PLAYER
from scorekeeper.rulebooks.citations import Sentence
from scorekeeper.scorecards.action_draft import draft_from_action
from scorekeeper.scorecards.action_wording import describe_actions, join_names
from scorekeeper.scorecards.display_names import format_damage_notice
from scorekeeper.scorecards.fold import InvalidTurn, RecordedTurn, TurnChange, Turns
from scorekeeper.scorecards.offer_presenter import explain_problem
from scorekeeper.scorecards.offers import find_offer, list_offers
from scorekeeper.scorecards.open_table import TableWithEntrants
from scorekeeper.scorecards.recorded_card import judge_changes
from scorekeeper.scorecards.selectors.seat_names import name_seats
from scorekeeper.scorecards.selectors.table_history import get_history
from scorekeeper.scorecards.selectors.tables import get_table, reload_table
from scorekeeper.scorecards.services.corrections import CorrectionTarget, correct_actions
from scorekeeper.scorecards.table_presenter import present_seats, present_sheet
from scorekeeper.scorecards.views.page_context import Obstacle, PageContext, PageWording, add_query


@dataclass(frozen=True)
class TableContext(PageContext):
    """A table, and the actor who has it open.

    Attributes:
        table: its state when the page was requested; it is not locked.
        names: of the seats, in the order of play.
    """

    table: TableWithEntrants
    names: tuple[str, ...]

    wording = PageWording(
        changed=gettext_lazy("The table has changed"),
        gone=gettext_lazy("This action no longer counts. Someone has changed the table."),
        history=gettext_lazy("Table history"),
        entries=gettext_lazy("Every action, newest first"),
        correct=gettext_lazy("Correct an action"),
        void=gettext_lazy("Void an action"),
        void_effect=gettext_lazy("A voided action no longer counts. It stays in the log with the reason."),
    )
    entry_page = "table"
    target_field = "action"
    history_template = "scorecards/_history_actions.html"
    usual_reasons = (
        ("misread", MISREAD),
        ("wrong_choice", WRONG_CHOICE),
        ("wrong_player", WRONG_PLAYER),
    )

    @property
    def game(self) -> Game[Any]:
        """The game that is played at the table."""
        return self.table.contest.ruleset.game

    @property
    def name(self) -> str:
        """The name of the table in messages: the names of its seats."""
        return join_names(self.names)

    @property
    def recorded(self) -> Turns:
        """The recorded actions."""
        return self.table.turns

    @property
    def is_sealed(self) -> bool:
        """Whether the contest is closed."""
        return self.table.is_sealed

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

    @property
    def frame(self) -> tuple[str, Mapping[str, Any]]:
        """The frame with the menu of the table."""
        template = "scorecards/desk_table_page.html" if self.actor.is_organiser else "scorecards/crew_table_page.html"
        return template, {
            "table_context": self,
            "table_url": self.get_url("table"),
            "rules_url": reverse("rulebooks:book", args=[self.contest.game_key]),
            "list_url": self.list_url,
            "withdraw_url": self.get_url("withdraw") if self.may_withdraw else "",
        }

    def describe(self, recorded: RecordedTurn) -> str:
        """Return a recorded action in words: "Ann: Record roll 2 2 4"."""
        return describe_actions(
            self.table.contest.ruleset, self.table.state_before(recorded.id), recorded.actions, self.names
        )

    def describe_all(self, several: Sequence[RecordedTurn]) -> list[str]:
        """Return recorded actions in words; the game is replayed only once, however many there are."""
        descriptions = self.describe_each({recorded.id for recorded in several})
        return [descriptions[recorded.id] for recorded in several]

    def name_recorded(self, several: Sequence[RecordedTurn]) -> str:
        """Return consecutive actions by their numbers: "action 5, Ann: Record roll 2 2 4", "actions 5 to 9"."""
        first = self.get_action_number(several[0].id)
        if len(several) == 1:
            return _("action %(number)s, %(what)s") % {"number": first, "what": self.describe(several[0])}
        return _("actions %(first)s to %(last)s") % {"first": first, "last": first + len(several) - 1}

    def describe_undone(self, recorded: RecordedTurn) -> str:
        """Return which action no longer counts."""
        return drop_double_stop(_("Undone: %(what)s.") % {"what": self.describe(recorded)})

    def list_with_later(self, recorded: RecordedTurn) -> list[RecordedTurn]:
        """Return an action and all later ones."""
        return list(self.recorded.values())[self.get_action_number(recorded.id) - 1 :]

    def find_undoable(self, recorded_id: UUID | None) -> RecordedTurn | None:
        """Return the last action; an earlier one is not undone, but voided."""
        last = self.table.last_action
        return last if last is not None and last.id == recorded_id and self.may_record else None

    def find_invalid_action(self, changes: Sequence[TurnChange]) -> InvalidTurn | None:
        """Return the first action that the rules do not allow with these changes, and why."""
        return next(iter(judge_changes(self.table, changes).fold.invalid_turns), None)

    def find_obstacle(self, several: Sequence[RecordedTurn]) -> Obstacle | None:
        """Return the first later action that the rules would not allow. It can be decided on, or voided too."""
        invalid = self.find_invalid_action([TurnChange(recorded.id, None) for recorded in several])
        if invalid is None:
            return None
        first, last = self.get_action_number(several[0].id), len(self.recorded)
        params = {
            "number": self.get_action_number(invalid.turn_id),
            "what": self.describe(self.recorded[invalid.turn_id]),
            "why": explain_problem(self.game, invalid.problems[0]),
        }
        label = _("Void everything from here on: actions %(first)s to %(last)s") % {"first": first, "last": last}
        return Obstacle(
            Sentence(_("Without it, action %(number)s is not allowed (%(what)s). %(why)s") % params),
            self.get_url("correct"),
            _("Void it and decide on later actions"),
            takes_decision=True,
            all_later_url=self.get_url("void", action=several[0].id, on=1),
            all_later_label=label,
        )

    def amend(self, operation_id: UUID, targets: Sequence[CorrectionTarget], reason: str) -> Receipt:
        """Amend or void actions of the table."""
        return correct_actions(self.actor, operation_id, self.table.id, targets, reason)

    def get_form_url(self, undone: RecordedTurn, receipt: Receipt) -> str:
        """Return the URL of the form as it was before the action was recorded.

        It says how long the log is with the void; if the table has changed since, the URL brings no dice back.
        """
        action = undone.actions[0]
        offer = find_offer(list_offers(self.game, self.table.state_before(undone.id)), action)
        values = {} if offer is None else draft_from_action(offer, action).field_values
        return self.get_page_url("table", {**values, "seen": receipt.entries[0]["seq"]})

    def present_history(self, query: Mapping[str, str]) -> dict[str, Any]:
        """Return the actions, newest first, and the score sheet. `at` the id of an action shows the page it is on."""
        at = parse_uuid(query.get("at"))
        return {
            "damage": self.damage_message,
            "history": get_history(self.event, self.table, self.names, query.get("page", 1), at),
            "total_label": translate(self.game.total_label),
            "seats": present_seats(self.game, self.table.state, self.names),
            "sheet_template": "scorecards/_table_sheet.html",
            "sheet": present_sheet(self.game, self.table.state),
        }

    def describe_each(self, wanted: Set[UUID]) -> dict[UUID, str]:
        """Return several recorded actions in words, by their ids; the game is replayed only once."""
        ruleset, descriptions = self.table.contest.ruleset, {}
        state = ruleset.game.start(ruleset, self.table.seat_count)
        for recorded in self.table.turns.values():
            if recorded.id in wanted:
                descriptions[recorded.id] = describe_actions(ruleset, state, recorded.actions, self.names)
            state = replay_from(ruleset, state, recorded.actions).state
        return descriptions

    def get_action_number(self, action_id: UUID) -> int:
        """Return the position of an action among the current ones, counted from 1."""
        return list(self.table.turns).index(action_id) + 1

    def get_page_url(self, page: str, query: Mapping[str, object]) -> str:
        """Return the URL of a page about this table, for crew or for the organiser."""
        if self.actor.is_organiser:
            return add_query(reverse(f"tables:desk_{page}", args=[self.event.slug, self.table.id]), query)
        return add_query(reverse(f"tables:{page}", args=[self.table.id]), query)

    @property
    def list_url(self) -> str:
        """The URL of the list that the table is in."""
        if self.actor.is_organiser:
            return reverse("tables:desk_list", args=[self.event.slug, self.contest.slug])
        return reverse("tables:list")

    def reload(self) -> Self:
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
