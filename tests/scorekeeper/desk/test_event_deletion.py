"""Deleting an event: everything of it goes, nothing of another event does, and the log stays append-only."""

from __future__ import annotations

import datetime as dt
import io
import re
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.db import DatabaseError, connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scorekeeper.audience.services import freeze_standings
from scorekeeper.bikes.models import Bike
from scorekeeper.check_in.models import BikeCheck, CheckItem
from scorekeeper.common.database_snapshot import consistent_snapshot
from scorekeeper.common.secret_links import hash_token
from scorekeeper.crew.models import CrewMessage, Device, FormerDevice, MessageReceipt
from scorekeeper.crew.services.devices import create_device
from scorekeeper.crew.services.invitations import create_invitation
from scorekeeper.crew.services.phone_memory import PhoneMemory, record_memory
from scorekeeper.desk.models import DismissedWarning
from scorekeeper.desk.services.event_copy import copy_event
from scorekeeper.desk.services.event_deletion import delete_event, purge_event
from scorekeeper.events.models import DeletedEvent, Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Chain, Entry, Operation, ReviewItem
from scorekeeper.ledger.witness import WitnessedOperation
from scorekeeper.live.models import Screen
from scorekeeper.players.models import SignUp
from scorekeeper.standings.event_log_removal import EventHasResults
from scorekeeper.standings.models import Revision
from scorekeeper.standings.selectors.witness_check import compare_with_log
from scorekeeper.standings.services.closure import reopen_contest
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.standings.services.refresh import refresh_standings
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_actor, make_paper_turn

pytestmark = pytest.mark.database

Close = Callable[[], Any]
ALWAYS_THERE = {"sweep", "user", "contenttype", "permission", "deletedevent", "formerdevice", "lastsweep"}


def list_triggers() -> list[Any]:
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name")
        else:
            cursor.execute("SELECT tgname, tgenabled FROM pg_trigger WHERE NOT tgisinternal ORDER BY tgname")
        return list(cursor.fetchall())


def count_rows() -> dict[str, int]:
    models = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
    counts = {model._meta.model_name: model._base_manager.count() for model in models}
    return {name: count for name, count in counts.items() if name and count and name not in ALWAYS_THERE}


@pytest.fixture
def full_ride(ride: Ride, alice: User, add_turn: Callable[..., Any]) -> Ride:
    """The ride with a row in nearly every table: entries, a conflict, an alias, a message, a practice event …"""
    event = ride.event
    add_turn(1, 1, make_paper_turn("chance", 24))
    add_turn(1, 1, make_paper_turn("chance", 20), by=make_actor(ride.tom))
    Bike.objects.create(event=event, number=7, suffix=2, merged_into=ride.bikes[7])
    item = CheckItem.objects.create(event=event, name="Paid", ordinal=1)
    BikeCheck.objects.create(item=item, bike=ride.bikes[1], seq=1)
    ride.gus.any_bike_at.add(ride.stops[3])
    create_invitation(ride.sue)
    message = CrewMessage.objects.create(event=event, text="Rain", group=ride.group_one, sent_at=timezone.now())
    MessageReceipt.objects.create(message=message, device=Device.objects.all()[0], read_at=timezone.now())
    for _number in range(2):  # the second one means that the first is lost
        record_memory(Device.objects.all()[0], PhoneMemory(str(uuid4()), 1), lambda _device: 0)
    SignUp.objects.create(event=event, rider="Nell", bike=ride.bikes[8])
    Screen.objects.create(event=event, is_public=True)
    DismissedWarning.objects.create(event=event, key="k", reason="r", dismissed_by=uuid4(), dismissed_at=timezone.now())
    refresh_standings(ride.contest.pk)
    freeze_standings(event)
    copy_event(event, alice, name="Practice", date=event.date, with_roster=True, is_practice=True)
    return ride


def test_every_row_of_the_event_and_its_practice_goes(full_ride: Ride, other_event: Event) -> None:
    assert ReviewItem.objects.count() == 1
    before = count_rows()

    delete_event(full_ride.event)

    assert {
        "entry",
        "operation",
        "turn",
        "bike",
        "screen",
        "bikecheck",
        "messagereceipt",
        "memoryloss",
    } <= before.keys()
    assert count_rows() == {"event": 1, "organiser": 1}
    assert Event.objects.get() == other_event


def test_nothing_of_another_event_goes(full_ride: Ride, alice: User, desk: Actor) -> None:
    Event.objects.filter(practice_of=full_ride.event).update(practice_of=None)
    before = count_rows()
    copied = copy_event(full_ride.event, alice, name="Next", date=dt.date(2027, 6, 19), with_roster=True)

    delete_event(copied)

    assert count_rows() == before


def test_what_is_left_has_the_last_hash_of_every_chain(full_ride: Ride) -> None:
    heads = {str(chain.pk): chain.head for chain in Chain.objects.filter(event=full_ride.event) if chain.length}
    assert len(heads) == 2

    left = delete_event(full_ride.event)

    left.refresh_from_db()
    assert left == DeletedEvent.objects.get(slug=full_ride.event.slug)
    assert (left.name, left.heads) == (full_ride.event.name, heads)
    assert abs(timezone.now() - left.deleted_at) < dt.timedelta(minutes=1)


def test_its_phones_are_remembered_by_their_tokens_alone(ride: Ride) -> None:
    device, token = create_device(ride.rita)
    Device.objects.filter(pk=device.pk).update(revoked_at=timezone.now())

    left = delete_event(ride.event)

    former = FormerDevice.objects.get()
    assert (former.token_digest, former.event) == (hash_token(token), left)


@pytest.mark.parametrize(
    "statement",
    ["DELETE FROM scorecards_entry", "DELETE FROM scorecards_operation", "UPDATE events_deletedevent SET name = 'x'"],
)
def test_single_rows_cannot_be_removed_after_an_event_was(full_ride: Ride, alice: User, statement: str) -> None:
    before = list_triggers()
    copied = copy_event(full_ride.event, alice, name="Next", date=dt.date(2027, 6, 19), with_roster=True)

    delete_event(copied)

    assert list_triggers() == before
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)
    assert Entry.objects.exists()


def test_the_guards_are_back_when_a_deletion_fails(full_ride: Ride, alice: User, close: Close, desk: Actor) -> None:
    close()
    publish_contest(desk, uuid4(), full_ride.contest.pk, "ties stay")
    before, entries = list_triggers(), Entry.objects.count()

    with pytest.raises(EventHasResults), transaction.atomic():
        delete_event(full_ride.event)

    assert list_triggers() == before
    assert Entry.objects.count() == entries
    assert not DeletedEvent.objects.exists()


def test_only_a_purge_removes_an_official_result(full_ride: Ride, close: Close, desk: Actor) -> None:
    close()
    publish_contest(desk, uuid4(), full_ride.contest.pk, "ties stay")

    left = purge_event(full_ride.event)

    assert not Revision.objects.exists()
    assert not Event.objects.exists()
    assert str(full_ride.contest.pk) in left.heads


def test_a_reopened_contest_was_official_once(full_ride: Ride, close: Close, desk: Actor) -> None:
    close()
    publish_contest(desk, uuid4(), full_ride.contest.pk, "ties stay")
    reopen_contest(desk, uuid4(), full_ride.contest.pk, "a mistake")

    with pytest.raises(EventHasResults), transaction.atomic():
        delete_event(full_ride.event)


def test_a_practice_event_is_deleted_whatever_was_published_in_it(full_ride: Ride, close: Close, desk: Actor) -> None:
    Event.objects.filter(pk=full_ride.event.pk).update(is_practice=True)
    full_ride.event.refresh_from_db()
    close()
    publish_contest(desk, uuid4(), full_ride.contest.pk, "ties stay")

    delete_event(full_ride.event)

    assert not Revision.objects.exists()


def test_ten_times_the_bikes_cost_the_same_statements(ride: Ride, alice: User) -> None:
    def count(bikes: int) -> int:
        copied = copy_event(ride.event, alice, name="Next", date=dt.date(2027, 6, 19), with_roster=True)
        Bike.objects.bulk_create(Bike(event=copied, number=number) for number in range(1000, 1000 + bikes))
        with CaptureQueriesContext(connection) as queries:
            delete_event(copied)
        return len(queries)

    assert count(2) == count(2000)


def test_a_task_that_comes_after_the_deletion_does_nothing(full_ride: Ride) -> None:
    delete_event(full_ride.event)

    with consistent_snapshot():
        assert refresh_standings(full_ride.contest.pk) is False


@pytest.mark.postgres
@pytest.mark.parametrize("model", [Chain, Operation])
def test_no_part_of_a_log_can_be_moved_away_to_be_deleted(full_ride: Ride, other_event: Event, model: Any) -> None:
    with pytest.raises(DatabaseError, match="never moves"), transaction.atomic():
        model.objects.filter(event=full_ride.event).update(event=other_event)
    with pytest.raises(DatabaseError, match="never moves"), transaction.atomic():
        full_ride.event.contests.update(event=other_event)


@pytest.mark.postgres
def test_an_event_with_a_result_never_becomes_practice(full_ride: Ride, close: Close, desk: Actor) -> None:
    close()
    publish_contest(desk, uuid4(), full_ride.contest.pk, "ties stay")

    with pytest.raises(DatabaseError, match="never becomes"), transaction.atomic():
        Event.objects.filter(pk=full_ride.event.pk).update(is_practice=True)


def verify(*arguments: str) -> str:
    out = io.StringIO()
    call_command("verify", *arguments, stdout=out)
    return out.getvalue()


def test_verify_lists_deleted_events_and_finds_the_others_in_order(full_ride: Ride, alice: User) -> None:
    copied = copy_event(full_ride.event, alice, name="Next", date=dt.date(2027, 6, 19), with_roster=True)
    delete_event(full_ride.event)

    said = verify()

    assert f"{copied.slug}: 0 entries in 0 chains, all in order" in said
    assert re.search(rf"{full_ride.event.slug}: deleted on \d{{4}}-\d\d-\d\d; the last hashes of its 2 chains", said)
    with pytest.raises(CommandError, match="deleted on"):
        verify(full_ride.event.slug)


def test_receipts_of_a_deleted_event_are_named_as_such(full_ride: Ride) -> None:
    operation = Operation.objects.first()
    assert operation is not None
    receipts = [WitnessedOperation(operation.pk, full_ride.event.pk, "recorded", ())]
    delete_event(full_ride.event)

    [damage] = compare_with_log(receipts, [])

    assert "which was deleted on" in damage.location
    assert damage.description == "1 of the receipts belong to this event and were not compared"
