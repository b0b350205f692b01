"""A log of an older version, without digests of what was sent and without review entries, is reported as in order."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from scorekeeper.bikes.models import Bike
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.ledger.models import Chain, Entry, Operation, ReviewItem
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.review import decide_review
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import make_paper_turn

pytestmark = pytest.mark.database


@pytest.fixture
def older_log(ride: Ride, add_turn, without_guards) -> None:
    """Two pairs of conflicting entries, as an older version stored them."""
    for number in (1, 2):
        add_turn(number, 1, make_paper_turn("chance", 24))
        add_turn(number, 1, make_paper_turn("chance", 25))
    _make_older()


@pytest.mark.usefixtures("older_log")
def test_the_numbers_of_bikes_are_not_in_an_older_log(ride: Ride, add_turn, capsys: pytest.CaptureFixture[str]) -> None:
    Bike.objects.filter(pk=ride.bikes[1].pk).update(number=90)
    call_command("verify")
    assert "all in order" in capsys.readouterr().out

    add_turn(3, 1, make_paper_turn("chance", 24))
    Bike.objects.filter(pk=ride.bikes[3].pk).update(number=93)
    with pytest.raises(CommandError):
        call_command("verify")
    assert f"Bike {ride.bikes[3].pk}: it does not match the log: number or suffix" in capsys.readouterr().out


def _make_older() -> None:
    Entry.objects.filter(kind="review")._raw_delete("default")
    Chain.objects.filter(kind=Chain.Kind.REVIEW).delete()
    for chain in Chain.objects.all():
        head = ""
        for entry in Entry.objects.filter(chain=chain).order_by("seq"):
            body = {name: value for name, value in json.loads(entry.body).items() if name not in ("sent", "bikes")}
            text = canonical_json({**body, "prev": head})
            head = sha256(text)
            Entry.objects.filter(pk=entry.pk).update(body=text, hash=head)
        Chain.objects.filter(pk=chain.pk).update(head=head, snapshot="")
    for operation in Operation.objects.all():
        written = operation.entries.order_by("pk")
        receipt_entries = [{"chain": str(entry.chain_id), "seq": entry.seq, "hash": entry.hash} for entry in written]
        operation.receipt = {**operation.receipt, "entries": receipt_entries}
        operation.save()


@pytest.mark.usefixtures("older_log")
def test_an_older_log_is_in_order_and_can_be_continued(
    ride: Ride, add_turn, desk, capsys: pytest.CaptureFixture[str]
) -> None:
    call_command("verify")
    out = capsys.readouterr().out
    assert "2 entries in 2 chains, all in order" in out
    assert "2 entries and 2 review items come from older versions" in out

    decide_review(desk, uuid4(), ReviewItem.objects.order_by("opened_at")[0].pk, "apply", "the paper card says so")
    add_turn(3, 1, make_paper_turn("chance", 24))
    add_turn(3, 1, make_paper_turn("chance", 25))

    call_command("verify")
    out = capsys.readouterr().out
    assert "5 entries in 4 chains, all in order" in out
    assert "2 entries and 2 review items come from older versions" in out


@pytest.mark.usefixtures("older_log")
def test_alterations_of_an_older_log_are_still_found(capsys: pytest.CaptureFixture[str]) -> None:
    operation = ReviewItem.objects.order_by("opened_at")[0].operation
    operation.body["actions"][0]["points"] = 30
    operation.save()

    with pytest.raises(CommandError):
        call_command("verify")

    assert "it does not match the log: digest" in capsys.readouterr().out


def test_a_log_of_this_version_is_not_reported_as_older(
    ride: Ride, add_turn, capsys: pytest.CaptureFixture[str]
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 24))
    add_turn(1, 1, make_paper_turn("chance", 25))
    call_command("verify")
    assert "older" not in capsys.readouterr().out


def test_a_repeat_that_went_to_review_by_a_correction_is_not_reported_as_older(
    ride: Ride, add_turn, desk, capsys: pytest.CaptureFixture[str]
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 24))
    add_turn(1, 1, make_paper_turn("chance", 24))
    turn = Turn.objects.get()
    target = CorrectionTarget(turn.pk, turn.seq, None)
    amend_turns(desk, uuid4(), ride.contest.pk, ride.bikes[1].pk, [target], "not rolled")
    assert ReviewItem.objects.get().reason == ReviewItem.Reason.UNDONE

    call_command("verify")

    assert "older" not in capsys.readouterr().out
