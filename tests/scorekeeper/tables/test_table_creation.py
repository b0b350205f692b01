"""Creating tables, and withdrawing one."""

from __future__ import annotations

from collections.abc import Mapping
from uuid import uuid4, uuid5

import pytest

from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry
from scorekeeper.ledger.services.recording import ReasonRequired, UnknownTarget
from scorekeeper.players.models import Player
from scorekeeper.scorecards.models import Scorecard, Seat
from scorekeeper.scorecards.services.actions import NewAction, record_action
from scorekeeper.tables.services import TableOperationError, create_tables, withdraw_table
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_actor
from tests.scorekeeper.table_fixtures import AddAction, AddTable, ReadTable, make_throw

pytestmark = [pytest.mark.django_db, pytest.mark.database]


def codes(refused: pytest.ExceptionInfo[TableOperationError]) -> list[str]:
    return [problem["code"] for problem in refused.value.problems]


def test_one_operation_creates_tables_for_everyone(
    desk: Actor, pig_contest: Contest, people: Mapping[str, Player]
) -> None:
    operation = uuid4()

    receipt = create_tables(desk, operation, pig_contest.pk, [[person.pk] for person in people.values()])

    assert receipt.outcome == "recorded"
    assert Scorecard.objects.filter(contest=pig_contest).count() == len(people) == 9
    assert {entry["chain"] for entry in receipt.entries} == {str(uuid5(operation, str(number))) for number in range(9)}
    pig_contest.refresh_from_db()
    assert pig_contest.frozen_at is not None


def test_the_chain_alone_names_the_seats(
    add_table: AddTable, fetch_table: ReadTable, people: Mapping[str, Player]
) -> None:
    card = add_table("Ann")
    Seat.objects.filter(card_id=card).update(player=people["Ben"])

    assert fetch_table(card).entrants == (people["Ann"],)
    assert "Ann" not in Entry.objects.get(chain_id=card).body


def test_the_same_operation_twice_creates_its_tables_once(
    desk: Actor, pig_contest: Contest, people: Mapping[str, Player]
) -> None:
    operation = uuid4()

    receipts = [create_tables(desk, operation, pig_contest.pk, [[people["Ann"].pk]]) for _ in range(2)]

    assert receipts[0] == receipts[1]
    assert Scorecard.objects.filter(contest=pig_contest).count() == 1


def test_nobody_gets_a_second_table_where_one_is_the_rule(
    desk: Actor, pig_contest: Contest, add_table: AddTable, people: Mapping[str, Player]
) -> None:
    add_table("Ann")

    with pytest.raises(TableOperationError) as refused:
        create_tables(desk, uuid4(), pig_contest.pk, [[people["Ben"].pk], [people["Ann"].pk]])

    assert codes(refused) == ["on_another_card"]
    assert refused.value.problems[0]["params"]["names"] == ["Ann"]
    assert Scorecard.objects.filter(contest=pig_contest).count() == 1


@pytest.mark.parametrize(
    ("seats", "code"), [((), "too_few_seats"), (("Ann", "Ben"), "too_many_seats"), (("Ann", "Ann"), "twice_on_one")]
)
def test_a_table_has_as_many_seats_as_the_game_takes(
    desk: Actor, pig_contest: Contest, people: Mapping[str, Player], seats: tuple[str, ...], code: str
) -> None:
    with pytest.raises(TableOperationError) as refused:
        create_tables(desk, uuid4(), pig_contest.pk, [[people[name].pk for name in seats]])

    assert code in codes(refused)


def test_an_unknown_player_cannot_be_seated(desk: Actor, pig_contest: Contest) -> None:
    with pytest.raises(UnknownTarget):
        create_tables(desk, uuid4(), pig_contest.pk, [[uuid4()]])


def test_a_closed_contest_takes_no_more_tables(desk: Actor, pig_contest: Contest, people: Mapping[str, Player]) -> None:
    pig_contest.status = Contest.Status.CLOSED
    pig_contest.save()

    with pytest.raises(TableOperationError) as refused:
        create_tables(desk, uuid4(), pig_contest.pk, [[people["Ann"].pk]])

    assert codes(refused) == ["contest_closed"]


def test_a_contest_at_stops_has_no_tables(desk: Actor, ride: Ride, people: Mapping[str, Player]) -> None:
    with pytest.raises(TableOperationError) as refused:
        create_tables(desk, uuid4(), ride.contest.pk, [[people["Ann"].pk]])

    assert codes(refused) == ["at_the_stops"]


def test_an_unused_table_can_be_withdrawn_and_its_player_seated_again(desk: Actor, add_table: AddTable) -> None:
    card = add_table("Ann")

    withdraw_table(desk, uuid4(), card, "Ann sat down at the wrong table")

    again = add_table("Ann")
    assert list(Seat.objects.values_list("card_id", flat=True)) == [again]
    assert [entry.kind for entry in Entry.objects.filter(chain_id=card).order_by("seq")] == ["deal", "withdraw"]


def test_a_withdrawn_table_takes_no_action(desk: Actor, add_table: AddTable) -> None:
    card = add_table("Ann")
    withdraw_table(desk, uuid4(), card, "Ann went home")

    with pytest.raises(UnknownTarget):
        record_action(desk, uuid4(), NewAction(card, 2, [make_throw(3)]))


def test_a_table_in_play_cannot_be_withdrawn(desk: Actor, add_table: AddTable, add_action: AddAction) -> None:
    card = add_table("Ann")
    add_action(card, make_throw(3))

    with pytest.raises(TableOperationError) as refused:
        withdraw_table(desk, uuid4(), card, "oops")

    assert codes(refused) == ["in_play"]


def test_withdrawing_needs_a_reason(desk: Actor, add_table: AddTable) -> None:
    with pytest.raises(ReasonRequired):
        withdraw_table(desk, uuid4(), add_table("Ann"), " ")


def test_crew_of_another_event_cannot_create_tables_here(
    pig_contest: Contest, people: Mapping[str, Player], other_event: Event
) -> None:
    with pytest.raises(UnknownTarget):
        create_tables(Actor(uuid4(), other_event.pk, uuid4()), uuid4(), pig_contest.pk, [[people["Ann"].pk]])


def test_crew_create_tables_too(ride: Ride, pig_contest: Contest, people: Mapping[str, Player]) -> None:
    assert create_tables(make_actor(ride.rita), uuid4(), pig_contest.pk, [[people["Ann"].pk]]).outcome == "recorded"
