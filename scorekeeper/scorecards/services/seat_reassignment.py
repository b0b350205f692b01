"""The seats of a bike that is merged into another: at the tables they become the other's.

Each card's own log says so, with an entry `reseat`; a revision that kept a shorter log still has the bike as it was.
Nobody ends with two seats of one card, or with two cards where one is the rule: then the bikes are not merged.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from uuid import UUID

from games.core.problems import NO_CLAUSE, Problem
from games.core.text import gettext_noop
from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest
from scorekeeper.scorecards.models import Seat
from scorekeeper.scorecards.services.operation_context import OperationContext

BOTH_SEATED = gettext_noop("Both have a table in %(contest)s. Remove one of the tables first.")
BOTH_AT_ONE_TABLE = gettext_noop("Both are at the same table in %(contest)s. Remove that table first.")


def list_seat_problems(contests: Sequence[Contest], bike: Bike, into: Bike) -> Iterator[Problem]:
    """Return what keeps the seats of the first bike from becoming the second's, for each contest at the tables."""
    for contest in contests:
        its, others = _list_cards(contest, bike), _list_cards(contest, into)
        if its & others:
            yield Problem("both_at_one_table", NO_CLAUSE, BOTH_AT_ONE_TABLE, params={"contest": contest.name})
        elif its and others and not contest.game.many_cards:
            yield Problem("both_sit", NO_CLAUSE, BOTH_SEATED, params={"contest": contest.name})


def reassign_seats(book: OperationContext, contests: Sequence[Contest], bike: Bike, into: Bike) -> None:
    """Give the first bike's seats to the second, in the log of each card and beside it."""
    seats = Seat.objects.filter(contest__in=contests, bike=bike)
    book.lock_chains(seats.values_list("card_id", flat=True))
    # Read once more: a card may have been withdrawn until its chain was locked.
    for card_id, contest_id in list(seats.order_by("card_id").values_list("card_id", "contest_id")):
        book.append(book.get_chain(card_id), "reseat", data={"bike": str(bike.pk), "into": str(into.pk)})
        book.mark_stale(contest_id)
    book.after_insert(lambda: seats.update(bike=into))


def _list_cards(contest: Contest, bike: Bike) -> set[UUID]:
    return set(Seat.objects.filter(contest=contest, bike=bike).values_list("card_id", flat=True))
