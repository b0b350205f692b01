"""Loading a ride into the phone, and doing again what the server does not have yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.staticfiles.storage import staticfiles_storage

from scorekeeper.crew.models import Device
from scorekeeper.crew.tokens import hash_token
from scorekeeper.offline import phone_database, row_codec
from scorekeeper.offline.operation_replay import replay_operations
from scorekeeper.offline.time_zones import install_zones
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.contest_rules import clear_contest_rules_cache

SUPPORTED_FORMATS = (1, 2)  # 1 has tables, as a phone keeps from an older version of the app; 2 has parts
PHONE_TOKEN = "this phone"  # noqa: S105 - on a phone everybody is its owner; the real token stays in the browser's cookie

response_headers: dict[str, str] = {}  # what goes with every answer


class UnknownRideFormat(Exception):
    """The ride is spelled in a way that this program does not know: it is older or newer than the server's."""


def import_ride(
    ride: Mapping[str, Any], operations: Sequence[Mapping[str, Any]], times: Mapping[str, str]
) -> list[Any]:
    """Begin with the ride as the server told it, and do again on top what it does not contain.

    Args:
        operations: as they go to the server, the oldest first.
        times: when each of them was noted on this phone, by its id.

    Returns:
        What became of those that do not stand now, as the server would answer them.

    Raises:
        UnknownFormat: the server speaks another language.
    """
    if ride["format"] not in SUPPORTED_FORMATS:
        raise UnknownRideFormat(ride["format"])
    facts, tables = (ride, ride["tables"]) if "tables" in ride else row_codec.join_parts(ride["parts"])
    response_headers.clear()
    response_headers.update(facts["headers"])
    staticfiles_storage.set_urls(facts["static"])  # type: ignore[attr-defined]
    install_zones(facts["zones"])
    phone_database.reset_database()
    clear_contest_rules_cache()
    row_codec.load_rows({name: _add_token_digest(name, table) for name, table in tables.items()})
    device = Device.objects.select_related("member__group__event").get(pk=ride["device"])
    return replay_operations(Actor.from_device(device), operations, times, ride["server_time"])


def _add_token_digest(name: str, table: row_codec.RowTable) -> row_codec.RowTable:
    """Give this phone's row the digest of the one token that requests on a phone come with."""
    if name != "crew.Device":
        return table
    rows = [[*row, hash_token(PHONE_TOKEN)] for row in table["rows"]]
    return {"columns": [*table["columns"], "token_digest"], "rows": rows}
