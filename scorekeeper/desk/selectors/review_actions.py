"""Actions at the tables that wait for a decision: what was noted meanwhile, and what was sent.

A waiting action is told in the state that its sender saw, so that it reads as it was meant. What was noted meanwhile is
whatever stands and was written after that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.bikes.models import Bike
from scorekeeper.desk.review_presenter import ReviewItemPresenter, ReviewSide
from scorekeeper.events.models import Event
from scorekeeper.players.models import Player
from scorekeeper.scorecards.actors import list_actor_names
from scorekeeper.scorecards.contest_rules import ContestRules, get_contest_rules
from scorekeeper.scorecards.fold import Actions, RecordedTurn, TurnChange
from scorekeeper.scorecards.models import Entry, Operation, ReviewItem
from scorekeeper.scorecards.problem_messages import explain_all
from scorekeeper.standings.selectors.entrants import get_bike_number
from scorekeeper.standings.selectors.holder_names import get_full_names
from scorekeeper.standings.wording import format_holder
from scorekeeper.tables.open_table import OpenTable, TableLog, fold_log, read_log, resolve_holders
from scorekeeper.tables.wording import describe_actions

MAX_ENTRIES = 5  # actions of what was noted meanwhile; the history has them all


@dataclass(frozen=True)
class _ReviewedTable:
    """The table that an item waits for.

    Attributes:
        names: of its seats.
        who: the names of those who noted, by their ids.
    """

    contest: ContestRules
    entries: Sequence[Entry]
    log: TableLog
    names: Sequence[str]
    actor_names: Mapping[UUID, str]

    @cached_property
    def table(self) -> OpenTable:
        """The table as it stands."""
        return fold_log(self.contest, self.log, is_sealed=False)

    def get_seen_state(self, length: int) -> Any:
        """Return the state of the game when the chain had this length."""
        log = read_log(self.entries[: max(length, 1)])
        assert log is not None, "the first entry says who sits there"
        return fold_log(self.contest, log, is_sealed=False).state

    def describe_actions(self, state: Any, actions: Actions) -> str:
        """Return actions in words, in the state before them."""
        return describe_actions(self.contest.ruleset, state, actions, self.names)

    def describe_current(self, one: RecordedTurn) -> str:
        """Return an action that stands in words, with its number."""
        number = list(self.table.recorded_actions).index(one.id) + 1
        words = {"number": number, "action": self.describe_actions(self.table.state_before(one.id), one.actions)}
        return _("Action %(number)s: %(action)s") % words


def present_actions(event: Event, items: Sequence[ReviewItem]) -> list[ReviewItemPresenter]:
    """Return actions and corrections with both sides; a fixed number of statements, and one a contest."""
    if not items:
        return []
    contests = {key: get_contest_rules(key) for key in {item.contest_id for item in items}}
    chains = _load_chains({item.card_id for item in items if item.card_id})
    read, holders = resolve_holders([log for entries in chains.values() if (log := read_log(entries)) is not None])
    logs = {log.card_id: log for log in read}
    people = get_full_names(event)
    actors = {item.operation.actor_id for item in items}
    for log in logs.values():
        actors |= {one.origin.actor_id for one in log.recorded_actions.values() if one.origin}
    who = list_actor_names(event, actors)
    shown = []
    for item in items:
        assert item.card_id is not None, "what waits at a table waits for its card"
        log = logs[item.card_id]
        names = [_format_holder(holders[holder], people) for holder in log.seats]
        at = _ReviewedTable(contests[item.contest_id], chains[item.card_id], log, names, who)
        shown.append(_present_item(item, at))
    return shown


def _load_chains(cards: set[UUID]) -> Mapping[UUID, list[Entry]]:
    entries = Entry.objects.filter(chain_id__in=cards).order_by("chain_id", "seq")
    return {card: list(chain) for card, chain in groupby(entries, key=lambda entry: entry.chain_id)}


def _format_holder(holder: Bike | Player, people: Mapping[UUID, str]) -> str:
    return format_holder(get_bike_number(holder), people.get(holder.pk, ""))


def _present_item(item: ReviewItem, at: _ReviewedTable) -> ReviewItemPresenter:
    is_action = item.operation.kind == "action"
    key = at.contest.ruleset.game.key
    return ReviewItemPresenter(
        item=item,
        game_key=key,
        bike_number="",
        name=", ".join(at.names),
        current=tuple(_list_newer_entries(item, at) if is_action else _list_targets(item, at)),
        under_review=tuple(_list_sides_under_review(item, at)),
        problems=tuple(explain_all(key, item.problems)),
        can_apply=not at.log.is_withdrawn,
        is_at_table=True,
    )


def _list_newer_entries(item: ReviewItem, at: _ReviewedTable) -> list[ReviewSide]:
    since = [one for one in at.table.recorded_actions.values() if one.seq > item.operation.body["seen"]]
    sides = [_make_current_side(one, at) for one in since[:MAX_ENTRIES]]
    if more := len(since) - len(sides):
        sides.append(ReviewSide(ngettext("and %(count)s more", "and %(count)s more", more) % {"count": more}))
    return sides


def _list_targets(item: ReviewItem, at: _ReviewedTable) -> list[ReviewSide]:
    noted = at.table.recorded_actions
    targets = [UUID(target["turn"]) for target in item.operation.body["targets"]]
    return [_make_current_side(noted[target], at) for target in targets if target in noted]


def _make_current_side(one: RecordedTurn, at: _ReviewedTable) -> ReviewSide:
    if one.origin is None:
        return ReviewSide(at.describe_current(one))
    return ReviewSide(at.describe_current(one), (), at.actor_names.get(one.origin.actor_id, ""), one.origin.recorded_at)


def _list_sides_under_review(item: ReviewItem, at: _ReviewedTable) -> list[ReviewSide]:
    operation = item.operation
    who = at.actor_names.get(operation.actor_id, "")
    if operation.kind == "action":
        told = [at.describe_actions(at.get_seen_state(operation.body["seen"]), tuple(operation.body["actions"]))]
    else:
        changes = _list_changes(operation, at)
        told = [_describe_target(target, changes, at) for target in operation.body["targets"]]
    return [ReviewSide(what, (), who, operation.received_at) for what in told]


def _list_changes(operation: Operation, at: _ReviewedTable) -> list[TurnChange]:
    """Return a correction's changes to what is still there, in the order of the play."""
    changes = [TurnChange.from_data(target) for target in operation.body["targets"]]
    by_id = {change.turn_id: change for change in changes}
    return [by_id[one] for one in at.table.recorded_actions if one in by_id]


def _describe_target(target: Mapping[str, Any], changes: Sequence[TurnChange], at: _ReviewedTable) -> str:
    """Return what a correction makes of one action, told as it is played with the whole of the correction."""
    standing = at.table.recorded_actions.get(UUID(target["turn"]))
    if standing is None:
        return _("A correction of an action that no longer counts")
    number = {"number": list(at.table.recorded_actions).index(standing.id) + 1}
    if target["actions"] is None:
        return _("Void action %(number)s") % number
    told = at.describe_actions(at.table.state_before(standing.id, changes), tuple(target["actions"]))
    return _("Action %(number)s: %(action)s") % {**number, "action": told}
