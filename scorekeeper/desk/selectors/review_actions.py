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
from scorekeeper.desk.waiting import Side, Waiting
from scorekeeper.events.models import Event
from scorekeeper.players.models import Player
from scorekeeper.scorecards.actors import list_actor_names
from scorekeeper.scorecards.explaining import explain_all
from scorekeeper.scorecards.fold import Actions, Change, NotedTurn
from scorekeeper.scorecards.models import Entry, Operation, ReviewItem
from scorekeeper.scorecards.played import PlayedContest, get_played_contest
from scorekeeper.standings.selectors.entrants import get_number
from scorekeeper.standings.selectors.people import get_riders
from scorekeeper.standings.wording import say_seat
from scorekeeper.tables.open_table import OpenTable, TableLog, identify, open_log, read_table
from scorekeeper.tables.wording import tell_actions

MOST = 5  # actions of what was noted meanwhile; the history has them all


@dataclass(frozen=True)
class _At:
    """The table that an item waits for.

    Attributes:
        names: of its seats.
        who: the names of those who noted, by their ids.
    """

    contest: PlayedContest
    entries: Sequence[Entry]
    log: TableLog
    names: Sequence[str]
    who: Mapping[UUID, str]

    @cached_property
    def table(self) -> OpenTable:
        """The table as it stands."""
        return open_log(self.contest, self.log, is_sealed=False)

    def state_seen(self, length: int) -> Any:
        """Return the state of the game when the chain had this length."""
        log = read_table(self.entries[: max(length, 1)])
        assert log is not None, "the first entry says who sits there"
        return open_log(self.contest, log, is_sealed=False).state

    def tell(self, state: Any, actions: Actions) -> str:
        """Return actions in words, in the state before them."""
        return tell_actions(self.contest.ruleset, state, actions, self.names)

    def tell_standing(self, one: NotedTurn) -> str:
        """Return an action that stands in words, with its number."""
        number = list(self.table.noted).index(one.id) + 1
        words = {"number": number, "action": self.tell(self.table.state_before(one.id), one.actions)}
        return _("Action %(number)s: %(action)s") % words


def show_actions(event: Event, items: Sequence[ReviewItem]) -> list[Waiting]:
    """Return actions and corrections with both sides; a fixed number of statements, and one a contest."""
    if not items:
        return []
    contests = {key: get_played_contest(key) for key in {item.contest_id for item in items}}
    chains = _read_chains({item.card_id for item in items if item.card_id})
    read, holders = identify([log for entries in chains.values() if (log := read_table(entries)) is not None])
    logs = {log.card_id: log for log in read}
    people = get_riders(event)
    actors = {item.operation.actor_id for item in items}
    for log in logs.values():
        actors |= {one.origin.noted_by for one in log.noted.values() if one.origin}
    who = list_actor_names(event, actors)
    shown = []
    for item in items:
        assert item.card_id is not None, "what waits at a table waits for its card"
        log = logs[item.card_id]
        names = [_name(holders[holder], people) for holder in log.seats]
        at = _At(contests[item.contest_id], chains[item.card_id], log, names, who)
        shown.append(_show(item, at))
    return shown


def _read_chains(cards: set[UUID]) -> Mapping[UUID, list[Entry]]:
    entries = Entry.objects.filter(chain_id__in=cards).order_by("chain_id", "seq")
    return {card: list(chain) for card, chain in groupby(entries, key=lambda entry: entry.chain_id)}


def _name(holder: Bike | Player, people: Mapping[UUID, str]) -> str:
    return say_seat(get_number(holder), people.get(holder.pk, ""))


def _show(item: ReviewItem, at: _At) -> Waiting:
    is_action = item.operation.kind == "action"
    key = at.contest.ruleset.game.key
    return Waiting(
        item=item,
        game_key=key,
        number="",
        name=", ".join(at.names),
        stands=tuple(_list_meanwhile(item, at) if is_action else _list_targets(item, at)),
        sent=tuple(_list_sent(item, at)),
        why=tuple(explain_all(key, item.problems)),
        can_apply=not at.log.is_withdrawn,
        at_table=True,
    )


def _list_meanwhile(item: ReviewItem, at: _At) -> list[Side]:
    since = [one for one in at.table.noted.values() if one.seq > item.operation.body["seen"]]
    sides = [_stands(one, at) for one in since[:MOST]]
    if more := len(since) - len(sides):
        sides.append(Side(ngettext("and %(count)s more", "and %(count)s more", more) % {"count": more}))
    return sides


def _list_targets(item: ReviewItem, at: _At) -> list[Side]:
    noted = at.table.noted
    targets = [UUID(target["turn"]) for target in item.operation.body["targets"]]
    return [_stands(noted[target], at) for target in targets if target in noted]


def _stands(one: NotedTurn, at: _At) -> Side:
    if one.origin is None:
        return Side(at.tell_standing(one))
    return Side(at.tell_standing(one), (), at.who.get(one.origin.noted_by, ""), one.origin.noted_at)


def _list_sent(item: ReviewItem, at: _At) -> list[Side]:
    operation = item.operation
    who = at.who.get(operation.actor_id, "")
    if operation.kind == "action":
        told = [at.tell(at.state_seen(operation.body["seen"]), tuple(operation.body["actions"]))]
    else:
        changes = _list_changes(operation, at)
        told = [_say_target(target, changes, at) for target in operation.body["targets"]]
    return [Side(what, (), who, operation.received_at) for what in told]


def _list_changes(operation: Operation, at: _At) -> list[Change]:
    """Return a correction's changes to what is still there, in the order of the play."""
    changes = [Change.from_data(target) for target in operation.body["targets"]]
    by_id = {change.turn_id: change for change in changes}
    return [by_id[one] for one in at.table.noted if one in by_id]


def _say_target(target: Mapping[str, Any], changes: Sequence[Change], at: _At) -> str:
    """Return what a correction makes of one action, told as it is played with the whole of the correction."""
    standing = at.table.noted.get(UUID(target["turn"]))
    if standing is None:
        return _("A correction of an action that no longer stands")
    number = {"number": list(at.table.noted).index(standing.id) + 1}
    if target["actions"] is None:
        return _("Void action %(number)s") % number
    told = at.tell(at.table.state_before(standing.id, changes), tuple(target["actions"]))
    return _("Action %(number)s: %(action)s") % {**number, "action": told}
