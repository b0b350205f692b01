"""Requests made from the schema, valid ones and broken ones, as every kind of caller: each answer is as described.

`make api-fuzz` makes 20,000 of them. All checks of schemathesis run.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given
from hypothesis import settings as run_settings
from pytest_django import Settings
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.core.result import Ok
from schemathesis.generation import GenerationMode

from scorekeeper.crew.services.devices import create_device
from tests.scorekeeper.api.program import add_token
from tests.scorekeeper.rights.small_ride import SmallRide, make_small_ride

pytestmark = [pytest.mark.django_db, pytest.mark.timeout(0)]

CASES = int(os.environ.get("API_FUZZ_CASES", "250"))
FULL_CASES = 1_000
MODES = (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)
# Between them, these may send every kind of request. In a short run, only they send broken ones.
ADMITTED = {"recorder", "device"}
# What no schema can say: a cursor comes from another page, a key is a point on a curve, an invitation exists once,
# the first of two days is not after the second, a contest is one of the event, and an id is written in one way only.
BEYOND_THE_SCHEMA = {
    *("invalid_cursor", "no_key", "no_batch", "no_messages", "invitation_unusable"),
    *("empty_range", "contest_not_found"),
}


@pytest.fixture
def ride(settings: Settings) -> Iterator[SmallRide]:
    """The ride. As with Django's test client, a request does not close the connection of the test's transaction.

    Nothing is logged: a line for each of 20,000 requests would hide the report.
    """
    logging.disable(logging.WARNING)
    settings.ALLOWED_HOSTS = ["*"]
    made = make_small_ride("Quokka")  # by requests of Django's test client, which connects the signals again
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    yield made
    for signal in signals:
        signal.connect(close_old_connections)
    logging.disable(logging.NOTSET)


def list_callers(ride: SmallRide) -> Mapping[str, str]:
    """Return the tokens of every kind of caller; "" for none."""
    return {
        "nobody": "",
        "reader": add_token(ride.user),
        "recorder": add_token(ride.user, "record"),
        "device": create_device(ride.captain)[1],
    }


def make_headers(token: str) -> dict[str, str]:
    # Packed answers are not what is tested here.
    return {"Accept-Encoding": "identity", **({"Authorization": f"Bearer {token}"} if token else {})}


def use_real_names(case: Any, ride: SmallRide) -> None:
    """Put the ride's own event, contest and card into addresses, since made-up ones lead nowhere."""
    own = {"slug": ride.slugs["event"], "contest_slug": ride.slugs["yahtzee"], "card_id": str(ride.ids["card"])}
    for name in case.path_parameters or {}:
        if name in own:
            case.path_parameters[name] = own[name]


def is_expected(failure: Failure, response: Any) -> bool:
    """Return whether the schema cannot say why a request was refused, or an operation in it is refused by itself."""
    if failure.title == "Schema-valid request rejected":
        return json.loads(response.content).get("code") in BEYOND_THE_SCHEMA
    if failure.title == "Schema-violating request accepted":
        receipts = json.loads(response.content).get("receipts", ())
        return any(receipt["outcome"] not in ("recorded", "merged") for receipt in receipts)
    return False


class Sender:
    """Sends requests as one caller, and collects what is wrong with the answers."""

    def __init__(self, ride: SmallRide) -> None:
        self.ride = ride
        self.count = 0
        self.wrong: dict[str, str] = {}

    def send_all(self, operation: Any, mode: GenerationMode, who: str, token: str, each: int) -> None:
        """Send requests for one operation."""
        headers = make_headers(token)
        run = run_settings(
            max_examples=each,
            deadline=None,
            database=None,
            derandomize=CASES < FULL_CASES,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        )

        @run
        @given(case=operation.as_strategy(generation_mode=mode))
        def send(case: Any) -> None:
            self.count += 1
            if mode is GenerationMode.POSITIVE and self.count % 2:
                use_real_names(case, self.ride)
            response = case.call(headers=headers)
            try:
                case.validate_response(response, headers=headers)
            except FailureGroup as group:
                for failure in group.exceptions:
                    if not is_expected(failure, response):
                        self.wrong.setdefault(f"{operation.label} {mode.name} {who} {failure.title}", str(group))

        send()

    def report(self, operation: Any) -> None:
        """Print how far it has come, for `make api-fuzz`."""
        print(f"{self.count:,} requests, {len(self.wrong)} failures, {operation.label}", flush=True)  # noqa: T201


@pytest.mark.slow
def test_every_answer_to_every_request_is_as_the_schema_says(ride: SmallRide) -> None:
    schema = schemathesis.openapi.from_wsgi("/api/v1/schema", get_wsgi_application())
    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    assert len(operations) > 20
    callers, sender = list_callers(ride), Sender(ride)
    each = max(1, CASES // (len(operations) * len(MODES) * len(callers)))
    for operation in operations:
        for mode in MODES:
            for who, token in callers.items():
                if CASES >= FULL_CASES or mode is GenerationMode.POSITIVE or who in ADMITTED:
                    sender.send_all(operation, mode, who, token, each)
        sender.report(operation)

    assert "\n".join(f"{what}: {text}" for what, text in sender.wrong.items()) == ""
    assert sender.count >= len(operations) * len(callers)
