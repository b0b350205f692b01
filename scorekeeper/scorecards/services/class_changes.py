"""Writing changes of classes into the log, for operations that change who is in a class once anything is recorded.

- The event's chain has the own classes before and after. The chain of each contest that is closed has who is
  in which classes of it since: its next revision is pending from then on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from scorekeeper.events.models import Contest
from scorekeeper.ledger.models import Chain
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.players.class_members import list_class_members
from scorekeeper.players.class_settings import write_classes

SET_CLASSES = "set_classes"  # the kind of its entries, stored in the log


class ClassChange(NamedTuple):
    """What a bike or a person is to have.

    Attributes:
        column: "bike" or "player".
        before: the own classes that the page showed.
        after: those that it is to have.
    """

    column: str
    subject_id: UUID
    before: frozenset[UUID]
    after: frozenset[UUID]

    def to_data(self) -> dict[str, Any]:
        """Return it as the operation and the log have it."""
        before, after = (sorted(map(str, classes)) for classes in (self.before, self.after))
        return {self.column: str(self.subject_id), "from": before, "to": after}


def record_class_changes(
    context: OperationContext, chain: Chain, contests: Sequence[Contest], changes: Sequence[ClassChange]
) -> None:
    """Store changes of classes, and write them into the log.

    Args:
        chain: that of the event, locked.
        contests: all of the event's, locked.
        changes: of bikes and people of the event, each of whom has the classes before now.
    """
    closed = [contest for contest in contests if contest.status != Contest.Status.OPEN]
    before = {contest.pk: _read_entrants(contest) for contest in closed}
    for change in changes:
        write_classes(change.column, change.subject_id, change.before, change.after)
    context.append(chain, SET_CLASSES, data={"changes": [change.to_data() for change in changes]})
    for contest in closed:
        _append_to_contest(context, contest, before[contest.pk], _read_entrants(contest))
    for contest in contests:
        context.mark_stale(contest.pk)


def _read_entrants(contest: Contest) -> Mapping[UUID, list[UUID]]:
    """Return the classes of everyone who is in one in a contest, in the order of their ids.

    Also of those who have not rolled: an entry that is late may put them into the ranking.
    """
    entrants: dict[UUID, list[UUID]] = {}
    for class_id, members in sorted(list_class_members(contest).items()):
        for member in members:
            entrants.setdefault(member, []).append(class_id)
    return entrants


def _append_to_contest(
    context: OperationContext, contest: Contest, before: Mapping[UUID, list[UUID]], after: Mapping[UUID, list[UUID]]
) -> None:
    changed = sorted(one for one in {*before, *after} if before.get(one) != after.get(one))
    if not changed:
        return
    chain = context.lock_or_create_chain(contest.pk, Chain.Kind.CONTEST)
    entrants = {str(entrant): [str(pk) for pk in after.get(entrant, ())] for entrant in changed}
    context.append(chain, SET_CLASSES, data={"entrants": entrants})
