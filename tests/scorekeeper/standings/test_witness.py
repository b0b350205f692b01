"""`manage.py verify --witness`: a log that was rewritten from end to end does not match the phones' receipts."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scorekeeper.events.models import Event
from scorekeeper.ledger.canonical import canonical_json, sha256
from scorekeeper.ledger.models import Chain, Entry, Operation
from scorekeeper.ledger.operation_body import compute_digest
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.scorecards.models import Scorecard, Turn
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import get_bike_card, make_final_turn, make_paper_turn

Saved = dict[str, Any]
Save = Callable[..., Path]
FOREIGN = "0b0e7a66-6f1d-4c3b-9f5e-3f3a3f3a3f3a"

pytestmark = pytest.mark.django_db


@pytest.fixture
def receipts(add_turn) -> list[Receipt]:
    """Rita's phone has recorded two turns of bike 1 and one of bike 2."""
    return [
        add_turn(1, 1, make_paper_turn("aces", 3)),
        add_turn(1, 2, make_paper_turn("chance", 20)),
        add_turn(2, 1, make_final_turn([6, 6, 6, 1, 2], "sixes")),
    ]


@pytest.fixture
def save(tmp_path: Path, ride: Ride) -> Save:
    """Save the phone's receipts, as static/js/phone/witness.js does."""

    def make(receipts: list[Receipt], **more: Any) -> Path:
        saved = [
            {
                "operation": str(receipt.operation_id),
                "outcome": receipt.outcome,
                "entries": [dict(entry) for entry in receipt.entries],
            }
            for receipt in receipts
        ]
        phone = {"device": str(uuid4()), "event": str(ride.event.pk), "receipts": saved, **more.pop("phone", {})}
        file = tmp_path / "rita.json"
        file.write_text(json.dumps({"format": "tailgunner-witness", "version": 1, "phones": [phone], **more}))
        return file

    return make


def verify(*args: object) -> str:
    """The output of the command when everything is in order."""
    out = StringIO()
    call_command("verify", *map(str, args), stdout=out)
    return out.getvalue()


def find_faults(*args: object) -> list[str]:
    """The lines that the command prints before it exits with 1."""
    out = StringIO()
    with pytest.raises(CommandError) as failed:
        call_command("verify", *map(str, args), stdout=out)
    assert failed.value.returncode == 1
    return out.getvalue().splitlines()


def truncate(card: Scorecard, length: int) -> None:
    """Remove the last entries of a card, and make everything else consistent with that."""
    removed = Entry.objects.filter(chain=card.chain, seq__gt=length)
    operations = list(removed.values_list("operation_id", flat=True))
    removed._raw_delete("default")
    Operation.objects.filter(pk__in=operations)._raw_delete("default")
    Turn.objects.filter(card=card, seq__gt=length).delete()
    head = Entry.objects.get(chain=card.chain, seq=length).hash
    Chain.objects.filter(pk=card.pk).update(length=length, head=head, snapshot="")


def rewrite(card: Scorecard, change: Callable[[str], str]) -> None:
    """Change the content of a card's entries, and recompute the hashes of the whole chain."""
    head = ""
    for entry in Entry.objects.filter(chain=card.chain).order_by("seq"):
        body = canonical_json({**json.loads(change(entry.body)), "prev": head})
        head = sha256(body)
        Entry.objects.filter(pk=entry.pk).update(body=body, hash=head)
        receipt = entry.operation.receipt
        entries = [{**item, "hash": head} if item["seq"] == entry.seq else item for item in receipt["entries"]]
        Operation.objects.filter(pk=entry.operation_id).update(receipt={**receipt, "entries": entries})
    Chain.objects.filter(pk=card.pk).update(head=head, snapshot="")


def test_an_untouched_log_matches_the_receipts(ride: Ride, receipts, save) -> None:
    file = save(receipts)
    assert verify("--witness", file).splitlines()[-1] == f"{file}: 3 receipts, all matching the log"
    assert "all in order" in verify(ride.event.slug, "--witness", file, file)


def test_later_entries_do_not_contradict_the_receipts(ride: Ride, receipts, save, add_turn, desk) -> None:
    file = save(receipts)
    turn = Turn.objects.get(card=get_bike_card(ride, ride.bikes[1]), line="aces")
    amend_turns(
        desk, uuid4(), ride.contest.pk, ride.bikes[1].pk, [CorrectionTarget(turn.pk, turn.seq, None)], "not rolled"
    )
    assert "3 receipts" in verify("--witness", file)


def test_a_truncated_log_that_was_made_consistent_is_found(ride: Ride, receipts, save, without_guards) -> None:
    file = save(receipts)
    card = get_bike_card(ride, ride.bikes[1])

    truncate(card, 1)

    assert "all in order" in verify(), "on its own it is consistent"
    description = f"it is missing; the phone’s receipt says “recorded”, entry 2 of chain {card.pk}"
    assert find_faults("--witness", file)[1:] == [f"{file}: Operation {receipts[1].operation_id}: {description}"]


def test_a_rewritten_log_is_found(ride: Ride, receipts, save, without_guards) -> None:
    file = save(receipts)
    card = get_bike_card(ride, ride.bikes[1])

    rewrite(card, lambda body: body.replace('"points":3', '"points":5'))
    Turn.objects.filter(card=card, line="aces").update(points=5)

    assert "all in order" in verify(), "on its own it is consistent"
    first, second = (receipt.operation_id for receipt in receipts[:2])
    found = find_faults("--witness", file)[1:]
    assert [line.split(": ")[1] for line in found] == [f"Operation {first}", f"Operation {second}"]
    assert all(f"of chain {card.pk} is" in line and "the phone’s receipt says" in line for line in found)


def _renumber(receipt: Saved) -> None:
    receipt["entries"][0]["seq"] = 7


def _rehash(receipt: Saved) -> None:
    receipt["entries"][0]["hash"] = "0" * 64


def _move(receipt: Saved) -> None:
    receipt["entries"][0]["chain"] = FOREIGN


def _make_another(receipt: Saved) -> None:
    receipt["entries"][0].update(seq=7, hash="0" * 64)


def _rename(receipt: Saved) -> None:
    receipt["operation"] = FOREIGN


def _refuse(receipt: Saved) -> None:
    receipt["outcome"] = "refused"


@pytest.mark.parametrize(
    ("alter", "message"),
    [
        (_renumber, "it is entry 1; the phone’s receipt says entry 7"),
        (_rehash, "the phone’s receipt says 0000"),
        (_move, f"it is no longer in the log; the phone’s receipt says entry 1 of chain {FOREIGN}"),
        (_make_another, "it is entry 1 with the hash"),
        (_rename, "it is missing; the phone’s receipt says “recorded”, entry 1"),
        (_refuse, "its outcome is “recorded”; the phone’s receipt says “refused”"),
    ],
)
def test_differences_are_reported(receipts, save, alter: Callable[[Saved], None], message: str) -> None:
    file = save(receipts)
    data = json.loads(file.read_text())
    alter(data["phones"][0]["receipts"][0])
    file.write_text(json.dumps(data))

    (line,) = find_faults("--witness", file)[1:]

    assert message in line


def test_entries_under_review_are_compared_too(ride: Ride, receipts, save, add_turn, without_guards) -> None:
    conflict = add_turn(1, 1, make_paper_turn("aces", 5))
    file = save([conflict])
    assert "1 receipt, matching the log" in verify("--witness", file)

    conflict_row = Operation.objects.get(pk=conflict.operation_id)
    conflict_row.entries.all()._raw_delete("default")
    conflict_row.review.delete()
    conflict_row.delete()

    assert "it is missing; the phone’s receipt says “conflict”" in find_faults("--witness", file)[-1]


def test_an_entry_under_review_that_was_rewritten_with_its_hashes_is_found(
    ride: Ride, receipts, save, add_turn, without_guards
) -> None:
    """The review entry contains the digest of what was sent, and the phone's receipt contains its hash."""
    conflict = add_turn(1, 1, make_paper_turn("aces", 4))
    file = save([conflict])

    operation = Operation.objects.get(pk=conflict.operation_id)
    before, actor = operation.body, operation.actor_id
    operation.body = {**before, "actions": [{"type": "paper", "box": "aces", "points": 5}]}
    operation.digest = compute_digest("turn", actor, {**operation.body, "reason": ""})
    sent = [compute_digest("turn", actor, body) for body in (before, operation.body)]
    entry = operation.entries.get()
    body = entry.body.replace(sent[0], sent[1])
    Entry.objects.filter(pk=entry.pk).update(body=body, hash=sha256(body))
    Chain.objects.filter(pk=entry.chain_id).update(head=sha256(body))
    operation.receipt["entries"][0]["hash"] = sha256(body)
    operation.save()

    assert "all in order" in verify(), "on its own it is consistent"
    assert f"of chain {entry.chain_id} is {sha256(body)}" in find_faults("--witness", file)[-1]


def test_receipts_of_an_unknown_event_do_not_pass_silently(receipts, save) -> None:
    file = save(receipts, phone={"event": FOREIGN})
    description = f"Event {FOREIGN}, which is not here: 3 of the receipts belong to this event and were not compared"
    assert find_faults("--witness", file)[-1] == f"{file}: {description}"


def test_receipts_of_an_event_that_is_not_checked_are_reported(ride: Ride, receipts, save, other_event: Event) -> None:
    file = save(receipts)
    assert f"Event {ride.event.slug}: 3 of the receipts" in find_faults(other_event.slug, "--witness", file)[-1]
    assert "3 receipts, all" in verify("--witness", file)


def test_receipts_of_a_phone_that_no_longer_knows_its_event_are_still_compared(
    receipts, save, other_event: Event
) -> None:
    file = save(receipts, phone={"event": None, "device": None})
    assert "3 receipts, all" in verify("--witness", file)
    assert "it belongs to another event and was not compared" in find_faults(other_event.slug, "--witness", file)[-1]


def test_a_thousand_receipts_are_compared_in_a_few_statements(receipts, save, django_assert_max_num_queries) -> None:
    file = save(receipts * 400)
    with CaptureQueriesContext(connection) as without:
        verify()
    with django_assert_max_num_queries(len(without) + 20):
        assert "1200 receipts" in verify("--witness", file)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it is not JSON"),
        ("[" * 100_000, "it is not JSON"),
        ("[]", "it has no receipts from a phone"),
        ('{"format": "another"}', "it has no receipts from a phone"),
        (
            '{"format": "tailgunner-witness", "version": 2}',
            "its version is 2; this version of Tailgunner reads version 1",
        ),
        ('{"format": "tailgunner-witness", "version": 1}', "a part of it cannot be read (KeyError"),
        ('{"format": "tailgunner-witness", "version": 1, "phones": []}', "it has no receipts"),
        (
            '{"format": "tailgunner-witness", "version": 1, "phones": [{"event": 7, "receipts": [{}]}]}',
            "cannot be read",
        ),
        ('{"format": "tailgunner-witness", "version": 1, "phones": 7}', "cannot be read"),
    ],
    ids=["empty", "deep", "list", "another", "newer", "headless", "none", "number", "no list"],
)
def test_a_file_that_is_not_a_witness_does_not_pass_silently(ride: Ride, tmp_path: Path, text: str, why: str) -> None:
    file = tmp_path / "file.json"
    file.write_text(text)
    assert why in find_faults("--witness", file)[-1]


@pytest.mark.parametrize("bad", ["1", 1.5, None, True])
def test_an_entry_without_a_number_makes_the_file_unreadable(receipts, save, bad: Any) -> None:
    file = save(receipts)
    data = json.loads(file.read_text())
    data["phones"][0]["receipts"][2]["entries"][0]["seq"] = bad
    file.write_text(json.dumps(data))
    assert "cannot be read: a part of it" in find_faults("--witness", file)[-1]


def test_a_missing_file_does_not_pass_silently(ride: Ride, tmp_path: Path, receipts, save) -> None:
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    found = find_faults("--witness", tmp_path / "nowhere", binary, save(receipts))
    assert ["cannot be read" in line for line in found[1:]] == [True, True, False]
