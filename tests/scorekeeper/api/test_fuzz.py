"""Any request gets a response: never a server error, and invalid entries do not block the others.

Terms: *junk* is any JSON, including JSON that no program writes: halves of surrogate pairs, NUL, numbers with thousands
of digits, the same name twice in one object, and lists nested too deeply to parse.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scorekeeper.api.json_parser import MAX_BODY_BYTES
from tests.faults.scale import scaled
from tests.scorekeeper.api.conftest import Operation, list_outcomes, rollback_at_end
from tests.scorekeeper.api.signing_phone import RECORDED_AT, SigningPhone, sign
from tests.scorekeeper.conftest import Ride

pytestmark = pytest.mark.django_db

EXPECTED_STATUSES = {200, 400, 413, 422}
LONE = "\ud800"
AGAIN = "@again-"  # prefix of a name: the object has that name twice
RAW_JSON = {  # JSON that no Python value is encoded as
    '"@deep"': "[" * 5_000 + "]" * 5_000,
    '"@deeper"': '{"a":' * 100_000 + "1" + "}" * 100_000,
    '"@fifty"': "[" * 50 + "]" * 50,
    '"@huge"': "9" * 5_000,
    '"@tiny"': "1e-400",
    '"@large"': "-1e400",
}

texts = st.text(st.characters(), max_size=70) | st.sampled_from([LONE, "a\0b", "\udfff\ud800", "ß\u2028", "x" * 5_000])
leaves = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-9, 9)
    | st.floats()
    | texts
    | st.uuids().map(str)
    | st.sampled_from([raw.strip('"') for raw in RAW_JSON])
)
junk = st.recursive(
    leaves, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(texts, inner, max_size=4), max_leaves=8
)
fuzzed = settings(
    max_examples=scaled(2_000, 30), suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None
)


def encode(data: Any) -> str:
    """Return JSON, with the placeholders replaced."""
    text = json.dumps(data).replace(f'"{AGAIN}', '"')
    for name, raw in RAW_JSON.items():
        text = text.replace(name, raw)
    return text


def expect_others_recorded(answer: Any, spoiled: int) -> None:
    """Check that the first and the last were recorded, with so many spoiled ones between them."""
    assert answer.status_code == 200, answer.content
    receipts = answer.json()["receipts"]
    assert len(receipts) == spoiled + 2
    assert list_outcomes([receipts[0], receipts[-1]]) == ["recorded", "recorded"]


@pytest.fixture
def examples(ride: Ride, turn_operation) -> list[Operation]:
    """An operation of each kind, as a phone may send it."""
    contest, bike = str(ride.contest.pk), str(ride.bikes[1].pk)
    turn = turn_operation(1, 1, "aces", 3)
    target = {"turn": turn["id"], "seq": 1, "actions": turn["actions"]}
    card = {"contest": contest, "bike": bike}
    return [
        turn,
        {"kind": "retire", **card, "reason": "flat tyre"},
        {"kind": "amend", **card, "targets": [target], "takes_over": False, "reason": "misread"},
        {
            "kind": "move",
            **card,
            "to_bike": str(ride.bikes[2].pk),
            "turn": turn["id"],
            "seq": 1,
            "reason": "wrong bike",
        },
        {"kind": "register_bike", "bike": str(uuid4()), "number": 57, "rider": "Ida", "make": "BSA", "model": "A10"},
        {"kind": "withdraw_bike", "bike": str(uuid4())},
        {"kind": "sell_sheet", "bike": str(uuid4()), "contest": str(uuid4()), "number": 2},
        {"kind": "withdraw_sheet", "sheet": str(uuid4())},
        {"kind": "action", "card": str(uuid4()), "seen": 1, "actions": [{"type": "roll", "dice": [1]}]},
        {"kind": "correct", "card": str(uuid4()), "targets": [target], "reason": "misread"},
    ]


@st.composite
def spoiled(draw: st.DrawFn, examples: list[Operation]) -> Any:
    """An operation with something wrong somewhere in it, or junk in its place."""
    one: Any = {"id": str(uuid4()), **draw(st.sampled_from(examples))}
    names = st.sampled_from([*one, "id", "kind"])
    match draw(st.sampled_from(["field", "field", "field", "gone", "again", "other", "action", "target", "junk"])):
        case "field":
            one |= {draw(names): draw(junk)}
        case "gone":
            del one[draw(st.sampled_from(list(one)))]
        case "again":
            one |= {f"{AGAIN}{draw(names)}": draw(junk)}
        case "other":
            one |= {draw(texts): draw(junk)}
        case "action" if "actions" in one:
            parts = st.dictionaries(
                st.sampled_from(["type", "box", "points", "dice", "rolls"]) | texts, junk, max_size=3
            )
            one["actions"] = [*one["actions"], {**one["actions"][0], **draw(parts)}]
        case "target" if "targets" in one:
            field = draw(st.sampled_from(["turn", "seq", "actions", "slot"]) | texts)
            one["targets"] = [{**one["targets"][0], field: draw(junk)}]
        case _:
            one = draw(junk)
    return one


@pytest.mark.slow
def test_any_operation_gets_a_receipt_and_blocks_no_other(
    ride: Ride, crew_client, turn_operation, examples: list[Operation]
) -> None:
    rita = crew_client(ride.rita)

    @fuzzed
    @given(st.lists(spoiled(examples), min_size=1, max_size=5))
    def send(bad: list[Any]) -> None:
        good = [turn_operation(4, 1, "aces", 3), turn_operation(4, 2, "twos", 4)]
        body = encode({"operations": [good[0], *bad, good[1]]})
        with rollback_at_end():
            answer = rita.post(reverse("api:operations"), body, content_type="application/json")
            if "@deep" in json.dumps(bad) or len(body) > MAX_BODY_BYTES:  # such a body cannot be parsed
                assert answer.status_code in EXPECTED_STATUSES
                return
            expect_others_recorded(answer, len(bad))

    send()


@pytest.mark.slow
def test_any_envelope_gets_a_receipt_and_blocks_no_other(ride: Ride, turn_operation, examples: list[Operation]) -> None:
    phone, relay = SigningPhone.make_for(ride.rita), SigningPhone.make_for(ride.tom)
    phone.register_key()
    signed_fields = ["device", "sequence", "noted", "operation"]
    envelope_fields = ["device", "operations_json", "signature"]

    @st.composite
    def envelopes(draw: st.DrawFn) -> tuple[Any, Any]:
        """A signed content with a spoiled operation or another error in it, and changes to the envelope."""
        inside = {"device": str(phone.device.pk), "sequence": draw(st.integers(0, 99)), "noted": RECORDED_AT}
        inside["operation"] = draw(spoiled(examples))
        if draw(st.booleans()):
            inside |= {draw(st.sampled_from(signed_fields) | texts): draw(junk)}
        altered = {draw(st.sampled_from(envelope_fields) | texts): draw(junk)} if draw(st.integers(0, 3)) == 0 else {}
        return inside, altered

    def seal(inside: Any, altered: Any) -> Any:
        text = encode(inside)
        return {"device": str(phone.device.pk), "operations_json": text, "signature": sign(phone.key, text), **altered}

    @fuzzed
    @given(st.lists(envelopes() | junk, min_size=1, max_size=5))
    def deliver(drawn: list[Any]) -> None:
        bad = [seal(*one) if isinstance(one, tuple) else one for one in drawn]
        good = [
            phone.make_envelope(turn_operation(4, 1, "aces", 3)),
            phone.make_envelope(turn_operation(4, 2, "twos", 4)),
        ]
        body = encode({"carried": [good[0], *bad, good[1]]})
        with rollback_at_end():
            answer = relay.client.post(reverse("api:carried"), body, content_type="application/json")
            outside = [one[1] if isinstance(one, tuple) else one for one in drawn]
            if "@deep" in json.dumps(outside) or len(body) > MAX_BODY_BYTES:
                assert answer.status_code in EXPECTED_STATUSES
                return
            expect_others_recorded(answer, len(bad))

    deliver()


@pytest.mark.parametrize("address", ["operations", "carried", "key"])
def test_any_body_gets_a_response(ride: Ride, crew_client, address: str) -> None:
    rita = crew_client(ride.rita)
    frames = st.fixed_dictionaries(
        {}, optional={"operations": junk, "report": junk, "carried": junk, "public_key": junk}
    )

    @fuzzed
    @given(st.binary(max_size=200) | junk.map(encode) | frames.map(encode))
    def send(body: bytes | str) -> None:
        with rollback_at_end():
            answer = rita.post(reverse(f"api:{address}"), body, content_type="application/json")
            assert answer.status_code in EXPECTED_STATUSES
            answer.json()

    send()


@pytest.mark.parametrize(
    "spoil",
    [
        lambda one: one | {"id": LONE},
        lambda one: one | {LONE: 1},
        lambda one: one | {"kind": LONE},
        lambda one: one | {"reason": LONE},
        lambda one: one | {"bike": LONE},
        lambda one: {**one, "id": LONE, "slot": LONE},
    ],
    ids=["id", "name", "kind", "reason", "bike", "several"],
)
def test_text_that_cannot_be_encoded_is_unreadable_and_the_rest_recorded(
    ride: Ride, send, turn_operation, spoil: Callable[[Operation], Operation]
) -> None:
    phone, relay = SigningPhone.make_for(ride.rita), SigningPhone.make_for(ride.tom)
    phone.register_key()
    queue = [
        turn_operation(1, 1, "aces", 3),
        spoil(turn_operation(1, 2, "twos", 4)),
        turn_operation(1, 3, "chance", 20),
    ]

    assert list_outcomes(send(*queue)) == ["recorded", "unreadable", "recorded"]
    assert list_outcomes(relay.deliver(*map(phone.make_envelope, queue))) == ["recorded", "unreadable", "recorded"]
