"""`manage.py verify --witness`: a log that was made anew from end to end does not fit what phones were told."""

from __future__ import annotations

import json
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from scorekeeper.events.models import Event
from scorekeeper.scorecards.canonical import canonical_json, sha256
from scorekeeper.scorecards.models import Chain, Entry, Operation, Scorecard, Turn
from scorekeeper.scorecards.operation_body import compute_digest
from scorekeeper.scorecards.receipts import Receipt
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import get_bike_card, make_final_turn, make_paper_turn

Saved = dict[str, Any]
Save = Callable[..., Path]
FOREIGN = "0b0e7a66-6f1d-4c3b-9f5e-3f3a3f3a3f3a"

pytestmark = pytest.mark.django_db


@pytest.fixture
def receipts(add_turn) -> list[Receipt]:
    """Rita's phone has noted two turns of bike 1 and one of bike 2."""
    return [
        add_turn(1, 1, make_paper_turn("aces", 3)),
        add_turn(1, 2, make_paper_turn("chance", 20)),
        add_turn(2, 1, make_final_turn([6, 6, 6, 1, 2], "sixes")),
    ]


@pytest.fixture
def save(tmp_path: Path, ride: Ride) -> Save:
    """Save what the phone was told, as static/js/phone/witness.js does."""

    def make(receipts: list[Receipt], **more: Any) -> Path:
        told = [
            {
                "operation": str(one.operation_id),
                "outcome": one.outcome,
                "entries": [dict(entry) for entry in one.entries],
            }
            for one in receipts
        ]
        phone = {"device": str(uuid4()), "event": str(ride.event.pk), "receipts": told, **more.pop("phone", {})}
        file = tmp_path / "rita.json"
        file.write_text(json.dumps({"format": "tailgunner-witness", "version": 1, "phones": [phone], **more}))
        return file

    return make


def verify(*args: object) -> str:
    """What the command prints where all is in order."""
    out = StringIO()
    call_command("verify", *map(str, args), stdout=out)
    return out.getvalue()


def find_faults(*args: object) -> list[str]:
    """The lines the command prints before it ends with 1."""
    out = StringIO()
    with pytest.raises(CommandError) as failed:
        call_command("verify", *map(str, args), stdout=out)
    assert failed.value.returncode == 1
    return out.getvalue().splitlines()


def cut_short(card: Scorecard, length: int) -> None:
    """Take the last entries off a card and put in order whatever would tell of it."""
    gone = Entry.objects.filter(chain=card.chain, seq__gt=length)
    operations = list(gone.values_list("operation_id", flat=True))
    gone._raw_delete("default")
    Operation.objects.filter(pk__in=operations)._raw_delete("default")
    Turn.objects.filter(card=card, seq__gt=length).delete()
    head = Entry.objects.get(chain=card.chain, seq=length).hash
    Chain.objects.filter(pk=card.pk).update(length=length, head=head, snapshot="")


def write_anew(card: Scorecard, change: Callable[[str], str]) -> None:
    """Change what a card's entries say, and hash the whole chain again."""
    head = ""
    for entry in Entry.objects.filter(chain=card.chain).order_by("seq"):
        body = canonical_json({**json.loads(change(entry.body)), "prev": head})
        head = sha256(body)
        Entry.objects.filter(pk=entry.pk).update(body=body, hash=head)
        receipt = entry.operation.receipt
        told = [{**one, "hash": head} if one["seq"] == entry.seq else one for one in receipt["entries"]]
        Operation.objects.filter(pk=entry.operation_id).update(receipt={**receipt, "entries": told})
    Chain.objects.filter(pk=card.pk).update(head=head, snapshot="")


def test_an_untouched_log_is_as_the_phone_was_told(ride: Ride, receipts, save) -> None:
    file = save(receipts)
    assert verify("--witness", file).splitlines()[-1] == f"{file}: 3 receipts, all matching the log"
    assert "all in order" in verify(ride.event.slug, "--witness", file, file)


def test_what_came_later_contradicts_nobody(ride: Ride, receipts, save, add_turn, desk) -> None:
    file = save(receipts)
    turn = Turn.objects.get(card=get_bike_card(ride, ride.bikes[1]), line="aces")
    amend_turns(
        desk, uuid4(), ride.contest.pk, ride.bikes[1].pk, [CorrectionTarget(turn.pk, turn.seq, None)], "not rolled"
    )
    assert "3 receipts" in verify("--witness", file)


def test_a_log_that_was_cut_short_and_put_in_order_is_found(ride: Ride, receipts, save, without_guards) -> None:
    file = save(receipts)
    card = get_bike_card(ride, ride.bikes[1])

    cut_short(card, 1)

    assert "all in order" in verify(), "by itself it looks right"
    told = f"it is missing; the phone was told “recorded”, entry 2 of chain {card.pk}"
    assert find_faults("--witness", file)[1:] == [f"{file}: Operation {receipts[1].operation_id}: {told}"]


def test_a_log_that_was_written_anew_is_found(ride: Ride, receipts, save, without_guards) -> None:
    file = save(receipts)
    card = get_bike_card(ride, ride.bikes[1])

    write_anew(card, lambda body: body.replace('"points":3', '"points":5'))
    Turn.objects.filter(card=card, line="aces").update(points=5)

    assert "all in order" in verify(), "by itself it looks right"
    first, second = (one.operation_id for one in receipts[:2])
    found = find_faults("--witness", file)[1:]
    assert [line.split(": ")[1] for line in found] == [f"Operation {first}", f"Operation {second}"]
    assert all(f"of chain {card.pk} is" in line and "the phone was told" in line for line in found)


def _renumber(told: Saved) -> None:
    told["entries"][0]["seq"] = 7


def _rehash(told: Saved) -> None:
    told["entries"][0]["hash"] = "0" * 64


def _move(told: Saved) -> None:
    told["entries"][0]["chain"] = FOREIGN


def _make_another(told: Saved) -> None:
    told["entries"][0].update(seq=7, hash="0" * 64)


def _rename(told: Saved) -> None:
    told["operation"] = FOREIGN


def _refuse(told: Saved) -> None:
    told["outcome"] = "refused"


@pytest.mark.parametrize(
    ("alter", "said"),
    [
        (_renumber, "it is entry 1; the phone was told entry 7"),
        (_rehash, "the phone was told 0000"),
        (_move, f"it no longer stands in the log as entry 1 of chain {FOREIGN}"),
        (_make_another, "it is entry 1 with the hash"),
        (_rename, "it is missing; the phone was told “recorded”, entry 1"),
        (_refuse, "what became of it is “recorded”; the phone was told “refused”"),
    ],
)
def test_what_differs_is_named(receipts, save, alter: Callable[[Saved], None], said: str) -> None:
    file = save(receipts)
    data = json.loads(file.read_text())
    alter(data["phones"][0]["receipts"][0])
    file.write_text(json.dumps(data))

    (line,) = find_faults("--witness", file)[1:]

    assert said in line


def test_what_waits_for_the_organiser_is_witnessed_too(ride: Ride, receipts, save, add_turn, without_guards) -> None:
    conflict = add_turn(1, 1, make_paper_turn("aces", 5))
    file = save([conflict])
    assert "1 receipt, as the log has it" in verify("--witness", file)

    conflict_row = Operation.objects.get(pk=conflict.operation_id)
    conflict_row.entries.all()._raw_delete("default")
    conflict_row.review.delete()
    conflict_row.delete()

    assert "it is missing; the phone was told “conflict”" in find_faults("--witness", file)[-1]


def test_what_waits_cannot_be_altered_with_every_hash_made_again(
    ride: Ride, receipts, save, add_turn, without_guards
) -> None:
    """The entry that tells of it has the digest of what was sent, and the phone was told its hash."""
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

    assert "all in order" in verify(), "by itself it looks right"
    assert f"of chain {entry.chain_id} is {sha256(body)}" in find_faults("--witness", file)[-1]


def test_receipts_of_an_event_that_is_not_here_are_no_silent_pass(receipts, save) -> None:
    file = save(receipts, phone={"event": FOREIGN})
    said = f"Event {FOREIGN}, which is not here: 3 of the receipts are of this event and were not compared"
    assert find_faults("--witness", file)[-1] == f"{file}: {said}"


def test_receipts_of_another_event_than_the_one_looked_at_are_said(
    ride: Ride, receipts, save, other_event: Event
) -> None:
    file = save(receipts)
    assert f"Event {ride.event.slug}: 3 of the receipts" in find_faults(other_event.slug, "--witness", file)[-1]
    assert "3 receipts, all" in verify("--witness", file)


def test_a_phone_that_does_not_know_its_event_any_more_is_compared_all_the_same(
    receipts, save, other_event: Event
) -> None:
    file = save(receipts, phone={"event": None, "device": None})
    assert "3 receipts, all" in verify("--witness", file)
    assert "it is of another event and was not compared" in find_faults(other_event.slug, "--witness", file)[-1]


def test_a_thousand_receipts_are_compared_at_the_cost_of_a_few_statements(
    receipts, save, django_assert_max_num_queries
) -> None:
    file = save(receipts * 400)
    with django_assert_max_num_queries(60):
        assert "1200 receipts" in verify("--witness", file)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("", "it is not JSON"),
        ("[" * 100_000, "it is not JSON"),
        ("[]", "it holds no receipts of a phone"),
        ('{"format": "another"}', "it holds no receipts of a phone"),
        ('{"format": "tailgunner-witness", "version": 2}', "its version is 2; this program reads version 1"),
        ('{"format": "tailgunner-witness", "version": 1}', "a part of it cannot be read (KeyError"),
        ('{"format": "tailgunner-witness", "version": 1, "phones": []}', "it holds not a single receipt"),
        (
            '{"format": "tailgunner-witness", "version": 1, "phones": [{"event": 7, "receipts": [{}]}]}',
            "cannot be read",
        ),
        ('{"format": "tailgunner-witness", "version": 1, "phones": 7}', "cannot be read"),
    ],
    ids=["empty", "deep", "list", "another", "newer", "headless", "none", "number", "no list"],
)
def test_a_file_that_is_no_witness_is_no_silent_pass(ride: Ride, tmp_path: Path, text: str, why: str) -> None:
    file = tmp_path / "file.json"
    file.write_text(text)
    assert why in find_faults("--witness", file)[-1]


@pytest.mark.parametrize("bad", ["1", 1.5, None, True])
def test_an_entry_without_a_number_makes_the_file_unreadable(receipts, save, bad: Any) -> None:
    file = save(receipts)
    data = json.loads(file.read_text())
    data["phones"][0]["receipts"][2]["entries"][0]["seq"] = bad
    file.write_text(json.dumps(data))
    assert "it cannot be read: a part of it" in find_faults("--witness", file)[-1]


def test_a_file_that_is_not_there_is_no_silent_pass(ride: Ride, tmp_path: Path, receipts, save) -> None:
    binary = tmp_path / "binary"
    binary.write_bytes(b"\xff\xfe\x00")
    found = find_faults("--witness", tmp_path / "nowhere", binary, save(receipts))
    assert ["it cannot be read" in line for line in found[1:]] == [True, True, False]
