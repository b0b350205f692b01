"""Reassigning seats at tables: a bike that is merged into another gives it its seats, until the merge is undone.

- Each card's own log has an entry `reseat` for it. A revision from an earlier point in the log has the first bike.
- No bike ends up with two seats at one table, or with two tables in a contest that allows one: such bikes are not
  merged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from uuid import UUID

from django.db.models import QuerySet

from games.core.problems import NO_CLAUSE, Problem
from games.core.text import gettext_noop
from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.scorecards.bike_merge import BikeMerge
from scorekeeper.scorecards.models import Seat

BOTH_SEATED = gettext_noop("Both have a table in %(contest)s. Remove one of the tables first.")
BOTH_AT_ONE_TABLE = gettext_noop("Both are at the same table in %(contest)s. Remove that table first.")


def list_seat_problems(contests: Sequence[Contest], bike: Bike, into: Bike) -> Iterator[Problem]:
    """Return what prevents the first bike's seats from becoming the second's, for each contest at tables."""
    for contest in contests:
        its, others = _list_cards(contest, bike), _list_cards(contest, into)
        if its & others:
            yield Problem("both_at_one_table", NO_CLAUSE, BOTH_AT_ONE_TABLE, params={"contest": contest.name})
        elif its and others and not contest.game.many_cards:
            yield Problem("both_sit", NO_CLAUSE, BOTH_SEATED, params={"contest": contest.name})


def reassign_seats(context: OperationContext, contests: Sequence[Contest], bike: Bike, into: Bike) -> None:
    """Give the first bike's seats to the second, in the log of each card and in the `Seat` rows."""
    _give_seats(context, Seat.objects.filter(contest__in=contests, bike=bike), bike, into)


def restore_seats(context: OperationContext, merge: BikeMerge) -> None:
    """Give back the seats that the merge moved, in the log of each table and in the `Seat` rows."""
    cards = [entry.chain_id for entry in merge.entries.get("reseat", ())]
    _give_seats(context, Seat.objects.filter(card_id__in=cards, bike=merge.into), merge.into, merge.bike)


def _give_seats(context: OperationContext, seats: QuerySet[Seat], giver: Bike, taker: Bike) -> None:
    context.lock_chains(seats.values_list("card_id", flat=True))
    # Read them again: a table may have been removed before its chain was locked.
    for card_id, contest_id in list(seats.order_by("card_id").values_list("card_id", "contest_id")):
        context.append(context.get_chain(card_id), "reseat", data={"bike": str(giver.pk), "into": str(taker.pk)})
        context.mark_stale(contest_id)
    context.after_insert(lambda: seats.update(bike=taker))


def _list_cards(contest: Contest, bike: Bike) -> set[UUID]:
    return set(Seat.objects.filter(contest=contest, bike=bike).values_list("card_id", flat=True))
