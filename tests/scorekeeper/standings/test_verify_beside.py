"""`manage.py verify` holds to the log what is kept beside it: each kind of row by an example, named as it is said."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest
from scorekeeper.scorecards.models import Chain, Entry, Operation, ReviewItem, Scorecard, Seat, Turn
from scorekeeper.scorecards.operation_body import compute_digest
from scorekeeper.standings.models import Revision, StandingsRow, StandingsState
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.standings.services.refresh import refresh_standings
from scorekeeper.stops.models import Slot
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_paper_turn

pytestmark = pytest.mark.usefixtures("published", "without_guards")


@pytest.fixture
def published(ride: Ride, tied_bikes, close, cut, desk, add_turn) -> None:
    """Bikes 1 to 3 had to cut; of bike 4 a second entry waits, since it differs from the first."""
    add_turn(4, 1, make_paper_turn("chance", 25))
    close()
    cut({1: "QS", 2: "KH", 3: "AD"})
    publish_contest(desk, uuid4(), ride.contest.pk, "one waits")
    refresh_standings(ride.contest.pk)


def find_damage(capsys: pytest.CaptureFixture[str]) -> str:
    with pytest.raises(CommandError):
        call_command("verify")
    return capsys.readouterr().out


def _raise_what_waits() -> None:
    operation = ReviewItem.objects.get().operation
    operation.body["actions"][0]["points"] = 30
    operation.save()


def _raise_it_with_its_digest() -> None:
    _raise_what_waits()
    operation = ReviewItem.objects.get().operation
    operation.digest = compute_digest("turn", operation.actor_id, {**operation.body, "reason": ""})
    operation.save()


def _set_it_against_nothing() -> None:
    ReviewItem.objects.update(against=[])


def _delete_what_waits() -> None:
    ReviewItem.objects.all().delete()


def _settle_what_waits() -> None:
    ReviewItem.objects.update(decision="keep", settled_at=dt.datetime(2026, 6, 20, tzinfo=dt.UTC))


def _give_it_to_another_card() -> None:
    ReviewItem.objects.update(card=Scorecard.objects.exclude(reviews__isnull=False).order_by("pk")[0])


def _blame_another() -> None:
    Operation.objects.filter(kind="close").update(actor_id=uuid4())


def _answer_otherwise() -> None:
    operation = Operation.objects.filter(kind="turn", outcome="recorded").order_by("received_at")[0]
    operation.receipt["entries"][0]["seq"] = 7
    operation.save()


def _refuse_afterwards() -> None:
    Operation.objects.filter(kind="close").update(outcome="refused")


def _write_later() -> None:
    Entry.objects.filter(kind="publish").update(at=dt.datetime(2026, 6, 20, tzinfo=dt.UTC))


def _play_without_the_bonus() -> None:
    Contest.objects.update(options={"bonus": {"from": 50, "points": 35}})


def _exchange_stops() -> None:
    one, other = Slot.objects.order_by("ordinal")[:2]
    Slot.objects.filter(pk=one.pk).update(stop=other.stop)


def _delete_revision() -> None:
    Revision.objects.all()._raw_delete("default")


def _publish_earlier() -> None:
    Revision.objects.update(published_at=dt.datetime(2026, 6, 20, tzinfo=dt.UTC))


def _print_another_number() -> None:
    revision = Revision.objects.get()
    revision.standings["rows"][0]["number"] = "77"
    revision.save()


def _publish_as_another() -> None:
    Revision.objects.update(published_by=uuid4())


def _note_as_another() -> None:
    Turn.objects.filter(points=20).update(actor_id=uuid4())


def _unseal() -> None:
    Chain.objects.filter(pk=Turn.objects.get(points=20).card_id).update(is_sealed=False)


def _make_alias() -> None:
    Chain.objects.filter(pk=Turn.objects.get(points=20).card_id).update(is_alias=True)


def _exchange_bikes() -> None:
    one, other = Seat.objects.order_by("pk")[:2]
    one_bike, other_bike = one.bike_id, other.bike_id
    Seat.objects.filter(pk=one.pk).update(bike=Bike.objects.get(number=8))
    Seat.objects.filter(pk=other.pk).update(bike=one_bike)
    Seat.objects.filter(pk=one.pk).update(bike=other_bike)


def _merge_by_hand() -> None:
    Bike.objects.filter(number=8).update(merged_into=Bike.objects.get(number=7))


def _win() -> None:
    StandingsRow.objects.filter(bike__number=4).update(total=99)


def _decide_otherwise() -> None:
    StandingsRow.objects.filter(bike__number=1).update(tie_key=1)


def _forget_cuts() -> None:
    StandingsState.objects.update(stale_cuts=[1])


@pytest.mark.parametrize(
    ("tamper", "said"),
    [
        (_raise_what_waits, "it is not what the log tells: digest, kind or body"),
        (_raise_it_with_its_digest, "it is not what the log tells: kind or body"),
        (_set_it_against_nothing, "it is not what the log tells: reason, contest, problems or against"),
        (_delete_what_waits, "it is missing"),
        (_settle_what_waits, "it is not what the log tells: settled_at, decision"),
        (_give_it_to_another_card, "it is not what the log tells: card"),
        (_blame_another, "it is not what the log tells: actor"),
        (_answer_otherwise, "it is not what the log tells: receipt"),
        (_refuse_afterwards, "it is not what the log tells: outcome"),
        (_write_later, "beside it stands something else than in it: at"),
        (_play_without_the_bonus, "its rules are not those by which card"),
        (_exchange_stops, "its rules are not those by which card"),
        (_delete_revision, "Revision 1 of rock-yahtzee: it is missing"),
        (_publish_earlier, "Revision 1 of rock-yahtzee: it is not what the log tells: published_at"),
        (_print_another_number, "Revision 1 of rock-yahtzee: it is not what the log tells: standings"),
        (_publish_as_another, "Revision 1 of rock-yahtzee: it is not what the log tells: published_by"),
        (_note_as_another, "its turns are not those that its log tells"),
        (_unseal, "it is not what the log tells: sealed"),
        (_make_alias, "it is not what the log tells: alias"),
        (_exchange_bikes, "it is not what the log tells: seats"),
        (_merge_by_hand, "it is not what the log tells: merged_into"),
        (_win, "it is not what the log tells: total"),
        (_decide_otherwise, "it is not what the log tells: tie_key"),
        (_forget_cuts, "the cuts that rank nobody are not those that the log tells"),
    ],
)
def test_what_was_altered_beside_the_log_is_named(
    tamper: Callable[[], None], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("verify")
    assert "all in order" in capsys.readouterr().out

    tamper()

    assert said in find_damage(capsys)


def test_standings_that_have_still_to_follow_are_no_damage(ride: Ride, add_turn, desk, capsys) -> None:
    add_turn(5, 1, make_paper_turn("chance", 20), by=desk, reason="found in a pocket")
    call_command("verify")
    assert "all in order" in capsys.readouterr().out
