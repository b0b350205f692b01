"""`manage.py verify` checks the data derived from the log: an example of each kind of row, with its message."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest
from scorekeeper.ledger.models import Chain, Entry, Operation, ReviewItem
from scorekeeper.ledger.operation_body import compute_digest
from scorekeeper.scorecards.models import Scorecard, Seat, Turn
from scorekeeper.standings.models import Revision, StandingsRow, StandingsState
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.standings.services.refresh import refresh_standings
from scorekeeper.stops.models import Slot
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_paper_turn

pytestmark = [pytest.mark.usefixtures("published", "without_guards"), pytest.mark.database]


@pytest.fixture
def published(ride: Ride, tied_bikes, close, cut, desk, add_turn) -> None:
    """Bikes 1 to 3 had to cut; a second entry of bike 4 is under review, since it differs from the first."""
    add_turn(4, 1, make_paper_turn("chance", 25))
    close()
    cut({1: "QS", 2: "KH", 3: "AD"})
    publish_contest(desk, uuid4(), ride.contest.pk, "one waits")
    refresh_standings(ride.contest.pk)


def find_damage(capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(CommandError):
        call_command("verify")
    return capsys.readouterr().out


def _change_points_under_review() -> None:
    operation = ReviewItem.objects.get().operation
    operation.body["actions"][0]["points"] = 30
    operation.save()


def _change_points_and_digest_under_review() -> None:
    _change_points_under_review()
    operation = ReviewItem.objects.get().operation
    operation.digest = compute_digest("turn", operation.actor_id, {**operation.body, "reason": ""})
    operation.save()


def _clear_conflicting_turns() -> None:
    ReviewItem.objects.update(against=[])


def _delete_review_items() -> None:
    ReviewItem.objects.all().delete()


def _settle_by_hand() -> None:
    ReviewItem.objects.update(decision="keep", settled_at=dt.datetime(2026, 6, 20, tzinfo=dt.UTC))


def _move_review_item_to_another_card() -> None:
    ReviewItem.objects.update(card_id=Scorecard.objects.exclude(chain__reviews__isnull=False).order_by("pk")[0].pk)


def _change_actor() -> None:
    Operation.objects.filter(kind="close").update(actor_id=uuid4())


def _change_receipt() -> None:
    operation = Operation.objects.filter(kind="turn", outcome="recorded").order_by("received_at")[0]
    operation.receipt["entries"][0]["seq"] = 7
    operation.save()


def _change_outcome() -> None:
    Operation.objects.filter(kind="close").update(outcome="refused")


def _change_entry_time() -> None:
    Entry.objects.filter(kind="publish").update(at=dt.datetime(2026, 6, 20, tzinfo=dt.UTC))


def _change_options() -> None:
    Contest.objects.update(options={"bonus": {"from": 50, "points": 35}})


def _swap_stops() -> None:
    first, second = Slot.objects.order_by("ordinal")[:2]
    Slot.objects.filter(pk=first.pk).update(stop=second.stop)


def _delete_revision() -> None:
    Revision.objects.all()._raw_delete("default")


def _change_publication_time() -> None:
    Revision.objects.update(published_at=dt.datetime(2026, 6, 20, tzinfo=dt.UTC))


def _change_number_in_revision() -> None:
    revision = Revision.objects.get()
    revision.standings["rows"][0]["number"] = "77"
    revision.save()


def _change_publisher() -> None:
    Revision.objects.update(published_by=uuid4())


def _change_turn_actor() -> None:
    Turn.objects.filter(points=20).update(actor_id=uuid4())


def _unseal() -> None:
    Chain.objects.filter(pk=Turn.objects.get(points=20).card_id).update(is_sealed=False)


def _make_alias() -> None:
    Chain.objects.filter(pk=Turn.objects.get(points=20).card_id).update(is_alias=True)


def _swap_bikes() -> None:
    first, second = Seat.objects.order_by("pk")[:2]
    first_bike, second_bike = first.bike_id, second.bike_id
    Seat.objects.filter(pk=first.pk).update(bike=Bike.objects.get(number=8))
    Seat.objects.filter(pk=second.pk).update(bike=first_bike)
    Seat.objects.filter(pk=first.pk).update(bike=second_bike)


def _merge_by_hand() -> None:
    Bike.objects.filter(number=8).update(merged_into=Bike.objects.get(number=7))


def _change_total() -> None:
    StandingsRow.objects.filter(bike__number=4).update(total=99)


def _change_tie_key() -> None:
    StandingsRow.objects.filter(bike__number=1).update(tie_key=1)


def _change_stale_cuts() -> None:
    StandingsState.objects.update(stale_cuts=[1])


@pytest.mark.parametrize(
    ("tamper", "message"),
    [
        (_change_points_under_review, "it does not match the log: digest, kind or body"),
        (_change_points_and_digest_under_review, "it does not match the log: kind or body"),
        (_clear_conflicting_turns, "it does not match the log: reason, contest, problems or against"),
        (_delete_review_items, "it is missing"),
        (_settle_by_hand, "it does not match the log: settled_at, decision"),
        (_move_review_item_to_another_card, "it does not match the log: card"),
        (_change_actor, "it does not match the log: actor"),
        (_change_receipt, "it does not match the log: receipt"),
        (_change_outcome, "it does not match the log: outcome"),
        (_change_entry_time, "its columns do not match its body: at"),
        (_change_options, "its rules differ from those that card"),
        (_swap_stops, "its rules differ from those that card"),
        (_delete_revision, "Revision 1 of rock-yahtzee: it is missing"),
        (_change_publication_time, "Revision 1 of rock-yahtzee: it does not match the log: published_at"),
        (_change_number_in_revision, "Revision 1 of rock-yahtzee: it does not match the log: standings"),
        (_change_publisher, "Revision 1 of rock-yahtzee: it does not match the log: published_by"),
        (_change_turn_actor, "its turns do not match its log"),
        (_unseal, "it does not match the log: sealed"),
        (_make_alias, "it does not match the log: alias"),
        (_swap_bikes, "its seats do not match its log"),
        (_merge_by_hand, "it does not match the log: merged_into"),
        (_change_total, "it does not match the log: total"),
        (_change_tie_key, "it does not match the log: tie_key"),
        (_change_stale_cuts, "the cuts that no longer count do not match the log"),
    ],
)
def test_altered_derived_data_is_reported(
    tamper: Callable[[], None], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("verify")
    assert "all in order" in capsys.readouterr().out

    tamper()

    assert message in find_damage(capsys)


def test_stale_standings_are_not_damage(ride: Ride, add_turn, desk, capsys) -> None:
    add_turn(5, 1, make_paper_turn("chance", 20), by=desk, reason="found in a pocket")
    call_command("verify")
    assert "all in order" in capsys.readouterr().out
