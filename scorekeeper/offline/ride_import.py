"""Imports a ride into the phone's database, and replays the operations that the server does not have yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.staticfiles.storage import staticfiles_storage

from scorekeeper.api.forms.operation_parser import parse_operation
from scorekeeper.api.operation_results import serialize_results
from scorekeeper.common.secret_links import hash_token
from scorekeeper.crew.models import Device
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Operation
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.batch import BatchResult, record_batch
from scorekeeper.ledger.services.recording import RecordingError
from scorekeeper.offline import clock, phone_database, row_codec
from scorekeeper.offline.phone_site import start_session
from scorekeeper.offline.time_zones import install_zones
from scorekeeper.scorecards.contest_rules import clear_contest_rules_cache

# 1 has tables, stored by an older version of the app; 2 and 3 have parts.
SUPPORTED_FORMATS = (1, 2, 3)
PHONE_TOKEN = "this phone"  # noqa: S105 - a phone has only its owner; the real token stays in the browser's cookie
response_headers: dict[str, str] = {}  # added to every response


def replay_operations(
    actor: Actor, operations: Sequence[Mapping[str, Any]], times: Mapping[str, str], default_time: str
) -> list[dict[str, Any]]:
    """Record operations in order and return the results of those that were not applied.

    Args:
        times: when each was recorded on the phone, by its id.
        default_time: the time for those without one.
    """
    known = {str(pk) for pk in Operation.objects.values_list("pk", flat=True)}
    problems = []
    for operation in operations:
        sent_id = str(operation.get("id"))
        if sent_id in known:
            continue
        with clock.override_time(times.get(sent_id, default_time)):
            result = _record(actor, operation)
            if not (isinstance(result, Receipt) and result.is_applied):
                problems += serialize_results([sent_id], [result])
    return problems


def _record(actor: Actor, operation: Mapping[str, Any]) -> BatchResult:
    try:
        return record_batch([parse_operation(actor, operation)])[0]
    except RecordingError as error:
        return error


class UnknownRideFormat(Exception):
    """The ride has a format that this version does not know, because it is older or newer than the server's."""


def import_ride(
    ride: Mapping[str, Any], operations: Sequence[Mapping[str, Any]], times: Mapping[str, str]
) -> list[Any]:
    """Load the server's ride, and replay the operations that it does not contain.

    Args:
        operations: the bodies that are sent to the server, oldest first.
        times: when each of them was recorded on this phone, by its id.

    Returns:
        The results of the operations that were not applied, as the server would return them.

    Raises:
        UnknownRideFormat: the server uses another format.
    """
    if ride["format"] not in SUPPORTED_FORMATS:
        raise UnknownRideFormat(ride["format"])
    facts, tables = (ride, ride["tables"]) if "tables" in ride else row_codec.join_parts(ride["parts"])
    response_headers.clear()
    response_headers.update(facts["headers"])
    staticfiles_storage.set_urls(facts["static"])  # type: ignore[attr-defined]
    install_zones(facts["zones"])
    start_session(ride["device"])
    phone_database.reset_database()
    clear_contest_rules_cache()
    row_codec.load_rows({name: _add_token_digest(name, table) for name, table in tables.items()})
    device = Device.objects.select_related("member__group__event").get(pk=ride["device"])
    return replay_operations(Actor.from_device(device), operations, times, ride["server_time"])


def _add_token_digest(name: str, table: row_codec.RowTable) -> row_codec.RowTable:
    """Add the digest of the token that all requests on a phone have to this phone's row."""
    if name != "crew.Device":
        return table
    rows = [[*row, hash_token(PHONE_TOKEN)] for row in table["rows"]]
    return {"columns": [*table["columns"], "token_digest"], "rows": rows}
