"""Corrections of more than 100 actions at once, from phones and on the pages, and the limit of 1,000."""

from __future__ import annotations

import json
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.urls import reverse

from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry
from scorekeeper.ledger.services.recording import MalformedOperation
from scorekeeper.scorecards.services.corrections import MAX_TARGETS, CorrectionTarget, correct_actions
from tests.scorekeeper.api.signing_phone import SigningPhone
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.scorecards.card_forms import list_forms
from tests.scorekeeper.table_fixtures import AddAction, ReadTable, make_throw
from tests.scorekeeper.table_forms import crew_url, follow_redirect, press

pytestmark = [pytest.mark.django_db, pytest.mark.database]

BATCH = 500  # operations in one request


def add_throws(phone: Any, card_id: UUID, count: int, length: int) -> None:
    """Record throws that score nothing, as a phone sends them.

    Args:
        length: how many entries the card has before.
    """
    throw = {"kind": "action", "card": str(card_id), "actions": [make_throw(1)]}
    queue = [{**throw, "id": str(uuid4()), "seen": length + place} for place in range(count)]
    for start in range(0, count, BATCH):
        receipts = send(phone, *queue[start : start + BATCH])
        assert {receipt["outcome"] for receipt in receipts} == {"recorded"}


def send(phone: Any, *operations: dict[str, Any]) -> list[dict[str, Any]]:
    """Send operations and return the receipts."""
    response = phone.post(
        reverse("api:operations"), json.dumps({"operations": operations}), content_type="application/json"
    )
    assert response.status_code == 200, response.content
    receipts: list[dict[str, Any]] = response.json()["receipts"]
    return receipts


def make_voids(fetch_table: ReadTable, card_id: UUID, count: int) -> list[dict[str, Any]]:
    """The targets that void the first actions of a table."""
    first = list(fetch_table(card_id).turns.values())[:count]
    return [{"turn": str(one.id), "seq": one.seq, "actions": None, "slot": None} for one in first]


def make_correction(card_id: UUID, targets: list[dict[str, Any]]) -> dict[str, Any]:
    """A correction as a phone sends it."""
    return {"id": str(uuid4()), "kind": "correct", "card": str(card_id), "targets": targets, "reason": "misread"}


@pytest.fixture
def long_table(phone: Any, pig_table: UUID, add_action: AddAction) -> UUID:
    """A table at which Ann could bank at once, followed by 101 throws."""
    for _ in range(2):
        add_action(pig_table, make_throw(6, 6))
    add_throws(phone, pig_table, 101, 3)
    return pig_table


@pytest.fixture
def longest_table(phone: Any, pig_table: UUID, add_action: AddAction) -> UUID:
    """A table at which Ann could bank at once, followed by one throw more than a correction may change."""
    for _ in range(2):
        add_action(pig_table, make_throw(6, 6))
    add_throws(phone, pig_table, MAX_TARGETS + 1, 3)
    return pig_table


@pytest.mark.parametrize("count", [101, 103])
def test_a_phone_corrects_more_than_a_hundred_actions_at_once(
    phone: Any, long_table: UUID, fetch_table: ReadTable, count: int
) -> None:
    voids = make_voids(fetch_table, long_table, count)

    (receipt,) = send(phone, make_correction(long_table, voids))

    assert receipt["outcome"] == "recorded"
    assert len(fetch_table(long_table).turns) == 103 - count


@pytest.mark.slow
def test_a_phone_relays_a_correction_of_a_thousand_actions(
    ride: Ride, longest_table: UUID, fetch_table: ReadTable
) -> None:
    relaying = SigningPhone.make_for(ride.rita)
    relaying.register_key()
    targets = make_voids(fetch_table, longest_table, MAX_TARGETS)
    for target in targets:
        target["actions"] = [make_throw(1)]

    envelope = relaying.make_envelope(make_correction(longest_table, targets))

    assert [receipt["outcome"] for receipt in relaying.deliver(envelope)] == ["recorded"]


def test_more_than_a_thousand_are_unreadable_and_the_service_refuses_them_too(
    desk: Actor, phone: Any, longest_table: UUID, fetch_table: ReadTable
) -> None:
    voids = make_voids(fetch_table, longest_table, MAX_TARGETS + 1)
    before = Entry.objects.count()

    (receipt,) = send(phone, make_correction(longest_table, voids))
    with pytest.raises(MalformedOperation):
        correct_actions(desk, uuid4(), longest_table, [CorrectionTarget.from_data(void) for void in voids], "misread")

    assert receipt["outcome"] == "unreadable"
    assert Entry.objects.count() == before
    (receipt,) = send(phone, make_correction(longest_table, voids[:-1]))
    assert receipt["outcome"] == "recorded"


def test_one_action_still_has_at_most_a_hundred_parts(phone: Any, pig_table: UUID) -> None:
    throw = {"id": str(uuid4()), "kind": "action", "card": str(pig_table), "seen": 1, "actions": [make_throw(1)] * 101}

    assert [receipt["outcome"] for receipt in send(phone, throw)] == ["unreadable"]


def open_void(phone: Any, card_id: UUID, fetch_table: ReadTable, place: int) -> Any:
    """Open the page that voids everything from the action at a position on."""
    action_id = list(fetch_table(card_id).turns)[place]
    return phone.get(crew_url(card_id, "void"), {"action": str(action_id), "on": "1"})


def test_everything_from_an_action_on_is_voided_on_the_page(
    phone: Any, long_table: UUID, fetch_table: ReadTable
) -> None:
    page = open_void(phone, long_table, fetch_table, 1)
    assert "Void actions 2 to 103?" in get_page_text(page)
    fields = next(form for form in list_forms(page) if "seq" in form)

    done = follow_redirect(phone, phone.post(page.wsgi_request.path, {**fields, "reason": "another game"}))

    assert "Voided: actions 2 to 103." in get_page_text(done)
    assert len(fetch_table(long_table).turns) == 1


def test_the_page_refuses_to_void_more_than_a_thousand(phone: Any, longest_table: UUID, fetch_table: ReadTable) -> None:
    most = open_void(phone, longest_table, fetch_table, 3)
    fields = next(form for form in list_forms(most) if "seq" in form)
    before = Entry.objects.count()

    page = open_void(phone, longest_table, fetch_table, 2)
    action_id = str(list(fetch_table(longest_table).turns)[2])
    sent = phone.post(most.wsgi_request.path, {**fields, "action": action_id, "reason": "another game"})

    for refused in (page, sent):
        assert refused.status_code == 422
        assert "This would change 1001 actions. At most 1000 can be changed at once" in get_page_text(refused)
    assert Entry.objects.count() == before
    done = follow_redirect(phone, phone.post(most.wsgi_request.path, {**fields, "reason": "another game"}))
    assert "Voided: actions 4 to 1003." in get_page_text(done)


@pytest.mark.slow
def test_the_correction_page_saves_up_to_a_thousand_decisions_and_refuses_more(
    phone: Any, longest_table: UUID, fetch_table: ReadTable
) -> None:
    """TABLE-2: with a bank as action 3, Ann has finished before everything that follows."""
    third = list(fetch_table(longest_table).turns)[2]
    page = phone.get(crew_url(longest_table, "correct"), {"action": str(third)})
    invalid = press(phone, page, "note:bank:", reason="she banked")
    assert invalid.status_code == 422

    refused = press(phone, invalid, "void_all", "1", reason="she banked")

    assert refused.status_code == 422
    assert "This would change 1001 actions. At most 1000 can be changed at once" in get_page_text(refused)
    last = list(fetch_table(longest_table).turns.values())[-1]
    targets = [CorrectionTarget(last.id, last.seq, None)]
    correct_last = {"id": str(uuid4()), "kind": "correct", "card": str(longest_table), "reason": "one less"}
    send(phone, {**correct_last, "targets": [target.to_data() for target in targets]})
    saved = press(phone, refused, "void_all", "1", reason="she banked")
    assert saved.status_code == 302
    assert len(fetch_table(longest_table).turns) == 3


def test_a_correction_of_many_actions_in_review_lists_a_few_of_them(
    ride: Ride, alice: User, sign_in: SignIn, phone: Any, long_table: UUID, fetch_table: ReadTable
) -> None:
    voids = [{**void, "seq": 999} for void in make_voids(fetch_table, long_table, 101)]
    (receipt,) = send(phone, make_correction(long_table, voids))
    assert receipt["outcome"] == "conflict"

    page = get_page_text(sign_in(alice).get(reverse("desk:review", args=[ride.event.slug])))

    assert "Void action 12" in page
    assert "Void action 13" not in page
    assert page.count("and 89 more") == 2
