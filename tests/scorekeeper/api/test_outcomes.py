"""Every outcome of an operation is made to happen, and is as the schema's example and the row of docs/api.md say."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.utils import timezone

from scorekeeper.api.examples import list_receipt_examples
from scorekeeper.api.operation_results import ERRORS
from scorekeeper.api.outcomes import OUTCOMES
from scorekeeper.crew.models import Device
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Operation
from scorekeeper.standings.services.closure import close_contest
from tests.scorekeeper.api.conftest import Send
from tests.scorekeeper.api.program import get_schema
from tests.scorekeeper.api.signing_phone import SigningPhone
from tests.scorekeeper.api.test_guide import GUIDE
from tests.scorekeeper.conftest import Ride

pytestmark = pytest.mark.database

Receipt = dict[str, Any]


@pytest.fixture
def make(ride: Ride, send: Send, turn_operation, phone: SigningPhone, desk: Actor) -> Callable[[str], Receipt]:
    """Make an outcome happen, and return its receipt."""
    turn = turn_operation(1, 1, "chance", 20)

    def send_one(operation: Any, **more: Any) -> Receipt:
        (receipt,) = send(operation, **more)
        return receipt

    def send_after(*earlier: Any, then: Any, **more: Any) -> Receipt:
        send(*earlier)
        return send_one(then, **more)

    def send_late() -> Receipt:
        close_contest(desk, uuid4(), ride.contest.pk, "over")
        return send_one(turn)

    def send_withdrawn() -> Receipt:
        bike = str(uuid4())
        register = {"id": str(uuid4()), "kind": "register_bike", "bike": bike, "number": 77}
        withdraw = {"id": str(uuid4()), "kind": "withdraw_bike", "bike": bike}
        return send_after(register, withdraw, then={**turn, "bike": bike})

    def deliver(**changes: Any) -> Receipt:
        envelope = phone.make_envelope(turn)
        if "revoked" in changes:
            Device.objects.filter(pk=phone.device.pk).update(revoked_at=timezone.now())
        else:
            envelope |= changes
        (receipt,) = phone.deliver(envelope)
        return receipt

    ways: dict[str, Callable[[], Receipt]] = {
        "recorded": lambda: send_one(turn),
        "merged": lambda: send_after(turn, then={**turn, "id": str(uuid4())}, by=ride.tom),
        "conflict": lambda: send_after(turn, then=turn_operation(1, 1, "chance", 22), by=ride.tom),
        "refused": lambda: send_one({**turn, "actions": [{"type": "roll", "dice": [1, 2, 3, 4, 5]}]}),
        "late": send_late,
        "review": lambda: deliver(revoked=True),
        "not_yet": lambda: send_one({**turn, "bike": str(uuid4())}),
        "withdrawn": send_withdrawn,
        "no_sheet": lambda: send_one(
            {
                "id": str(uuid4()),
                "kind": "sell_sheet",
                "bike": str(ride.bikes[1].pk),
                "contest": str(ride.contest.pk),
                "number": 2,
            }
        ),
        "not_yours": lambda: send_one(turn_operation(5, 1, "chance", 20)),
        "other_body": lambda: send_after(turn, then={**turn, "slot": str(ride.slots[1].pk)}),
        "unreadable": lambda: send_one({**turn, "kind": "dance"}),
        "forged": lambda: deliver(signature="AAAA"),
    }
    assert ways.keys() == OUTCOMES.keys(), "every outcome is made"
    return lambda outcome: ways[outcome]()


def leave_out_game(problem: dict[str, Any]) -> dict[str, Any]:
    """Return a problem without the address of its clause, which has the name of the game."""
    return {name: value for name, value in problem.items() if name != "href"}


def test_the_list_has_every_outcome_of_the_code_and_no_other() -> None:
    envelopes = (settings.BASE_DIR / "scorekeeper" / "api" / "forms" / "envelopes.py").read_text("utf-8")
    of_envelopes = set(re.findall(r'RejectedEnvelope\(\w+, "(\w+)"', envelopes))

    assert set(OUTCOMES) == {*Operation.Outcome.values, *(name for _error, name, _text in ERRORS), *of_envelopes}


@pytest.mark.parametrize("outcome", OUTCOMES)
def test_each_outcome_is_as_its_example_says(make: Callable[[str], Receipt], outcome: str) -> None:
    examples = {example.name: example.value["receipts"][0] for example in list_receipt_examples()}
    example = examples[outcome]

    receipt = make(outcome)

    assert receipt["outcome"] == outcome
    assert receipt.keys() == example.keys()
    assert bool(receipt["entries"]) == bool(example["entries"])
    assert (receipt["review"] is None) == (example["review"] is None)
    if outcome not in (
        "unreadable",
        "no_sheet",
    ):  # their sentences say what is wrong with the operation, or with which bike
        assert list(map(leave_out_game, receipt["problems"])) == list(map(leave_out_game, example["problems"]))
    assert [one["code"] for one in receipt["problems"]] == [one["code"] for one in example["problems"]]


def test_the_schema_says_what_each_means_with_an_example() -> None:
    schema = get_schema()
    outcome = schema["components"]["schemas"]["Receipt"]["properties"]["outcome"]
    enum = schema["components"]["schemas"][outcome["$ref"].rpartition("/")[2]]
    for path in ("/api/v1/operations", "/api/v1/carried", "/api/v1/events/{slug}/operations"):
        answer = schema["paths"][path]["post"]["responses"]["200"]["content"]["application/json"]
        assert [example["summary"] for example in answer["examples"].values()] == list(OUTCOMES), path
    assert enum["enum"] == list(OUTCOMES)
    for name, (meaning, next_step) in OUTCOMES.items():
        assert f"`{name}` - {meaning} {next_step}" in enum["description"]


def test_the_guide_has_a_row_for_each_outcome() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (.+) \| (.+) \|$", GUIDE.partition("### Outcomes")[2], re.MULTILINE)

    assert rows == [(name, *help_) for name, help_ in OUTCOMES.items()]
