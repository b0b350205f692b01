"""Creating and withdrawing tables. One operation creates any number of tables, all of them or none.

- The first entry of a table's chain names the entrants of its seats, so the log alone is enough to know them.
- Creating the first table freezes the options of the contest.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID, uuid5

from games.core.problems import NO_CLAUSE, Problem
from games.core.text import gettext_noop, ngettext_lazy
from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain
from scorekeeper.ledger.problem_messages import problems_to_data
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.operation_context import OperationContext
from scorekeeper.ledger.services.recording import (
    RECORDED,
    OperationResult,
    RecordingError,
    UnknownTarget,
    check_reason,
    record,
)
from scorekeeper.players.models import Player
from scorekeeper.scorecards.card_kinds import is_of_kind
from scorekeeper.scorecards.contest_rules import get_contest_rules
from scorekeeper.scorecards.models import Scorecard, Seat
from scorekeeper.scorecards.services.actions import lock_table
from scorekeeper.scorecards.services.locked_cards import freeze_contest
from scorekeeper.tables.seating_plan import get_seat_limits

EntrantsByTable = Sequence[Sequence[UUID]]
MAX_TABLES_AT_ONCE = 500
NOT_OPEN = gettext_noop("The contest is closed, so no more tables can be created.")
NOT_AT_TABLES = gettext_noop("This contest is played at the stops. Its scorecards are created automatically.")
TOO_FEW = ngettext_lazy("A table has at least %(count)s seat.", "A table has at least %(count)s seats.")
TOO_MANY = ngettext_lazy("A table has at most %(count)s seat.", "A table has at most %(count)s seats.")
TWO_SEATS = gettext_noop("Nobody can have two seats at one table.")
HAS_ANOTHER_CARD = gettext_noop("Everyone has one table in this contest, and these already have one: %(names)s.")
TOO_MANY_CARDS = gettext_noop(
    "That makes %(cards)s tables, and at most %(most)s can be created at once. Create some first, then the others."
)
NO_PLAYERS = gettext_noop("Choose who plays.")
HAS_ENTRIES = gettext_noop("Something has already been recorded at this table. Void it first, or let the seats retire.")


class TableOperationError(RecordingError):
    """The tables cannot be created or withdrawn like this; nothing was written.

    Attributes:
        problems: why, as data.
    """

    def __init__(self, *problems: Problem):
        super().__init__(problems)
        self.problems = problems_to_data(problems)


def create_tables(actor: Actor, operation_id: UUID, contest_id: UUID, tables: EntrantsByTable) -> Receipt:
    """Create tables, each with a scorecard of its own.

    Args:
        tables: for each table, the bikes or players in seat order.

    Raises:
        TableOperationError: they do not fit the game, or someone would have two tables where one is the rule.
        UnknownTarget: the actor's event has no such contest, bike or player.
        IdReused: the id was used for something else.
    """
    body = {"contest": str(contest_id), "tables": [[str(entrant) for entrant in table] for table in tables]}

    def handle(context: OperationContext) -> OperationResult:
        # Closing the contest locks this row, so no table can appear while that runs.
        contests = Contest.objects.select_for_update(no_key=True)
        contest = contests.filter(pk=contest_id, event_id=actor.event_id).first()
        if contest is None:
            raise UnknownTarget(contest_id)
        _check_tables(contest, tables)
        freeze_contest(contest)
        rules = get_contest_rules(contest_id).rules_digest
        bikes = Bike.objects.in_bulk({entrant for table in tables for entrant in table})
        for number, table in enumerate(tables):
            numbers = [bikes[entrant] for entrant in table if entrant in bikes]
            _create_table(context, contest, uuid5(context.operation_id, str(number)), table, rules, numbers)
        return RECORDED

    return record(operation_id, "deal", actor, body, handle)


def withdraw_table(actor: Actor, operation_id: UUID, card_id: UUID, reason: str) -> Receipt:
    """Withdraw a table without current actions, so that its players can get another one.

    Raises:
        TableOperationError: the table has current actions, or the contest is closed.
        ReasonRequired: no reason is given.
        UnknownTarget, NotAllowed, IdReused: as for every operation.
    """

    def handle(context: OperationContext) -> OperationResult:
        table = lock_table(context, card_id)
        if table.is_sealed:
            raise TableOperationError(_make_problem("contest_closed", NOT_OPEN))
        if table.turns:
            raise TableOperationError(_make_problem("in_play", HAS_ENTRIES))
        context.append(context.get_chain(card_id), "withdraw")
        context.after_insert(lambda: Seat.objects.filter(card_id=card_id).delete())
        context.mark_stale(table.contest.id)
        return RECORDED

    check_reason(reason)
    return record(operation_id, "withdraw", actor, {"card": str(card_id), "reason": reason}, handle, reason)


def _check_tables(contest: Contest, tables: EntrantsByTable) -> None:
    if contest.status != Contest.Status.OPEN:
        raise TableOperationError(_make_problem("contest_closed", NOT_OPEN))
    if not is_of_kind(contest.game, "action"):
        raise TableOperationError(_make_problem("at_the_stops", NOT_AT_TABLES))
    if not tables:
        raise TableOperationError(_make_problem("nobody", NO_PLAYERS))
    limits = get_seat_limits(contest.game)
    problems = []
    if len(tables) > MAX_TABLES_AT_ONCE:
        problems.append(
            _make_problem("too_many_cards", TOO_MANY_CARDS, {"cards": len(tables), "most": MAX_TABLES_AT_ONCE})
        )
    if any(len(table) < limits.low for table in tables):
        problems.append(_make_problem("too_few_seats", TOO_FEW, {"count": limits.low}))
    if limits.high is not None and any(len(table) > limits.high for table in tables):
        problems.append(_make_problem("too_many_seats", TOO_MANY, {"count": limits.high}))
    if any(len(set(table)) < len(table) for table in tables):
        problems.append(_make_problem("twice_on_one", TWO_SEATS))
    problems += _check_entrants(contest, tables)
    if problems:
        raise TableOperationError(*problems)


def _check_entrants(contest: Contest, tables: EntrantsByTable) -> list[Problem]:
    counts = Counter(entrant for table in tables for entrant in table)
    names = _get_names(contest, set(counts))
    if len(names) < len(counts):
        raise UnknownTarget(*sorted(set(counts) - set(names)))
    if contest.game.many_cards:
        return []
    seats = Seat.objects.filter(contest=contest)
    seated = {entrant for pair in seats.values_list("bike_id", "player_id") for entrant in pair if entrant}
    taken = [names[entrant] for entrant, count in counts.items() if count > 1 or entrant in seated]
    return [_make_problem("on_another_card", HAS_ANOTHER_CARD, {"names": tuple(taken)})] if taken else []


def _get_names(contest: Contest, entrants: set[UUID]) -> Mapping[UUID, str]:
    if contest.seats_are == Contest.SeatsAre.BIKES:
        bikes = Bike.objects.filter(event_id=contest.event_id, merged_into=None, pk__in=entrants)
        return {bike.pk: bike.label for bike in bikes}
    return dict(Player.objects.filter(event_id=contest.event_id, pk__in=entrants).values_list("pk", "name"))


def _create_table(
    context: OperationContext,
    contest: Contest,
    card_id: UUID,
    table: Sequence[UUID],
    rules: str,
    numbers: Sequence[Bike],
) -> None:
    kind = "bike" if contest.seats_are == Contest.SeatsAre.BIKES else "player"
    chain = Chain.objects.create(id=card_id, event_id=contest.event_id, kind=Chain.Kind.CARD)
    Scorecard.objects.create(id=card_id, chain=chain, contest=contest)
    is_only = not contest.game.many_cards
    Seat.objects.bulk_create(
        Seat(card_id=card_id, contest=contest, index=index, is_only=is_only, **{f"{kind}_id": entrant})
        for index, entrant in enumerate(table)
    )
    context.add_locked(chain)
    seats = [{kind: str(entrant)} for entrant in table]
    data = {"contest": str(contest.pk), "seats": seats}
    context.append(chain, "deal", data=data, rules=rules, numbers=numbers or None)
    context.mark_stale(contest.pk, card_id)


def _make_problem(code: str, text: Any, params: Mapping[str, Any] | None = None) -> Problem:
    return Problem(code, NO_CLAUSE, text, params=params or {})
