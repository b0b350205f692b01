"""Presenters for actions at the tables under review: the entries recorded since, and what was sent.

An action under review is described in the state that its sender saw, so that it reads as it was meant. The entries
recorded since are the current ones that were written after that state.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import list_actor_names
from scorekeeper.ledger.chain_entries import split_by_chain
from scorekeeper.ledger.models import Entry, Operation, ReviewItem
from scorekeeper.players.models import Player
from scorekeeper.players.selectors import format_entrant, get_bike_number, get_full_names
from scorekeeper.scorecards.action_wording import describe_actions
from scorekeeper.scorecards.contest_rules import ContestRules, get_contest_rules
from scorekeeper.scorecards.fold import Actions, RecordedTurn, TurnChange
from scorekeeper.scorecards.open_table import OpenTable, TableLog, fold_log, read_log, resolve_entrants
from scorekeeper.scorecards.review_presenter import ReviewItemPresenter, ReviewSide, explain_further

MAX_ENTRIES = 5  # newer actions listed for an item; the history has all of them
MAX_LISTED_TARGETS = 12  # actions of a correction that are described; it may change a thousand


@dataclass(frozen=True)
class _ReviewedTable:
    """The table of a review item.

    Attributes:
        names: the names of the seats.
        actor_names: the names of the people who recorded entries, by their ids.
    """

    contest: ContestRules
    entries: Sequence[Entry]
    log: TableLog
    names: Sequence[str]
    actor_names: Mapping[UUID, str]

    @cached_property
    def table(self) -> OpenTable:
        """The current table."""
        return fold_log(self.contest, self.log, is_sealed=False)

    def get_seen_state(self, length: int) -> Any:
        """Return the state of the game when the chain had this length."""
        log = read_log(self.entries[: max(length, 1)])
        assert log is not None, "the first entry lists the seats"
        return fold_log(self.contest, log, is_sealed=False).state

    def describe_actions(self, state: Any, actions: Actions) -> str:
        """Return actions as text, in the state before them."""
        return describe_actions(self.contest.ruleset, state, actions, self.names)

    def describe_current(self, action: RecordedTurn) -> str:
        """Return a current action as text, with its number."""
        number = list(self.table.turns).index(action.id) + 1
        state = self.table.state_before(action.id)
        params = {"number": number, "action": self.describe_actions(state, action.actions)}
        return _("Action %(number)s: %(action)s") % params


def present_actions(event: Event, items: Sequence[ReviewItem]) -> list[ReviewItemPresenter]:
    """Return actions and corrections with both sides, in a fixed number of statements plus one for each contest."""
    if not items:
        return []
    contests = {key: get_contest_rules(key) for key in {item.contest_id for item in items}}
    chains = _load_chains({item.card_id for item in items if item.card_id})
    resolved, entrants = resolve_entrants(
        [log for entries in chains.values() if (log := read_log(entries)) is not None]
    )
    logs = {log.card_id: log for log in resolved}
    people = get_full_names(event)
    actors = {item.operation.actor_id for item in items}
    for log in logs.values():
        actors |= {action.origin.actor_id for action in log.turns.values() if action.origin}
    actor_names = list_actor_names(event, actors)
    presenters = []
    for item in items:
        assert item.card_id is not None, "an item at a table has a card"
        log = logs[item.card_id]
        names = [_format_entrant(entrants[entrant], people) for entrant in log.seats]
        reviewed = _ReviewedTable(contests[item.contest_id], chains[item.card_id], log, names, actor_names)
        history_url = reverse("tables:desk_history", args=[event.slug, item.card_id])
        presenters.append(_present_item(item, reviewed, history_url))
    return presenters


def _load_chains(cards: set[UUID]) -> Mapping[UUID, list[Entry]]:
    entries = Entry.objects.filter(chain_id__in=cards).order_by("chain_id", "seq")
    return dict(split_by_chain(entries))


def _format_entrant(entrant: Bike | Player, people: Mapping[UUID, str]) -> str:
    return format_entrant(get_bike_number(entrant), people.get(entrant.pk, ""))


def _present_item(item: ReviewItem, reviewed: _ReviewedTable, history_url: str) -> ReviewItemPresenter:
    is_action = item.operation.kind == "action"
    key = reviewed.contest.ruleset.game.key
    return ReviewItemPresenter(
        item=item,
        game_key=key,
        bike_number=None,
        name=", ".join(reviewed.names),
        current=tuple(_list_newer_entries(item, reviewed) if is_action else _list_targets(item, reviewed)),
        under_review=tuple(_list_sides_under_review(item, reviewed)),
        problems=explain_further(key, item.problems),
        no_current=_("Nothing else has been recorded since."),
        can_apply=not reviewed.log.is_withdrawn,
        apply_label=_("Record it now, after the current entries") if is_action else _("Use the entry under review"),
        history_url="" if reviewed.log.is_withdrawn else history_url,
    )


def _list_newer_entries(item: ReviewItem, reviewed: _ReviewedTable) -> list[ReviewSide]:
    since = [action for action in reviewed.table.turns.values() if action.seq > item.operation.body["seen"]]
    sides = [_make_current_side(action, reviewed) for action in since[:MAX_ENTRIES]]
    return [*sides, *_count_more(len(since) - len(sides))]


def _count_more(more: int) -> list[ReviewSide]:
    """Return a side that says how many more there are; nothing if there are none."""
    if more <= 0:
        return []
    return [ReviewSide(ngettext("and %(count)s more", "and %(count)s more", more) % {"count": more})]


def _list_targets(item: ReviewItem, reviewed: _ReviewedTable) -> list[ReviewSide]:
    recorded = reviewed.table.turns
    targets = [UUID(target["turn"]) for target in item.operation.body["targets"]]
    current = [target for target in targets if target in recorded]
    sides = [_make_current_side(recorded[target], reviewed) for target in current[:MAX_LISTED_TARGETS]]
    return [*sides, *_count_more(len(current) - len(sides))]


def _make_current_side(action: RecordedTurn, reviewed: _ReviewedTable) -> ReviewSide:
    description, origin = reviewed.describe_current(action), action.origin
    if origin is None:
        return ReviewSide(description)
    return ReviewSide(description, (), reviewed.actor_names.get(origin.actor_id, ""), origin.recorded_at)


def _list_sides_under_review(item: ReviewItem, reviewed: _ReviewedTable) -> list[ReviewSide]:
    operation = item.operation
    actor_name = reviewed.actor_names.get(operation.actor_id, "")
    if operation.kind == "action":
        state = reviewed.get_seen_state(operation.body["seen"])
        descriptions = [reviewed.describe_actions(state, tuple(operation.body["actions"]))]
    else:
        changes, listed = _list_changes(operation, reviewed), operation.body["targets"][:MAX_LISTED_TARGETS]
        descriptions = [_describe_target(target, changes, reviewed) for target in listed]
    sides = [ReviewSide(description, (), actor_name, operation.received_at) for description in descriptions]
    return [*sides, *_count_more(len(operation.body.get("targets", ())) - MAX_LISTED_TARGETS)]


def _list_changes(operation: Operation, reviewed: _ReviewedTable) -> list[TurnChange]:
    """Return a correction's changes to actions that still count, in order of play."""
    changes = [TurnChange.from_data(target) for target in operation.body["targets"]]
    by_id = {change.turn_id: change for change in changes}
    return [by_id[action_id] for action_id in reviewed.table.turns if action_id in by_id]


def _describe_target(target: Mapping[str, Any], changes: Sequence[TurnChange], reviewed: _ReviewedTable) -> str:
    """Return a text about what a correction changes in one action, described in the game as corrected."""
    current = reviewed.table.turns.get(UUID(target["turn"]))
    if current is None:
        return _("A correction of an action that no longer counts")
    number = {"number": list(reviewed.table.turns).index(current.id) + 1}
    if target["actions"] is None:
        return _("Void action %(number)s") % number
    description = reviewed.describe_actions(reviewed.table.state_before(current.id, changes), tuple(target["actions"]))
    return _("Action %(number)s: %(action)s") % {**number, "action": description}
