"""Loading a ride into the phone, and doing again what the server does not have yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib.staticfiles.storage import staticfiles_storage

from scorekeeper.crew.models import Device
from scorekeeper.crew.tokens import get_digest
from scorekeeper.offline import database, spelling
from scorekeeper.offline.replaying import replay
from scorekeeper.offline.zones import learn_zones
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.played import forget_contests

FORMATS = (1, 2)  # 1 has tables, as a phone keeps from an older version of the app; 2 has parts
TOKEN = "this phone"  # noqa: S105 - on a phone everybody is its owner; the real token stays in the browser's cookie

headers: dict[str, str] = {}  # what goes with every answer


class UnknownFormat(Exception):
    """The ride is spelled in a way that this program does not know: it is older or newer than the server's."""


def load(ride: Mapping[str, Any], operations: Sequence[Mapping[str, Any]], times: Mapping[str, str]) -> list[Any]:
    """Begin with the ride as the server told it, and do again on top what it does not contain.

    Args:
        operations: as they go to the server, the oldest first.
        times: when each of them was noted on this phone, by its id.

    Returns:
        What became of those that do not stand now, as the server would answer them.

    Raises:
        UnknownFormat: the server speaks another language.
    """
    if ride["format"] not in FORMATS:
        raise UnknownFormat(ride["format"])
    facts, tables = (ride, ride["tables"]) if "tables" in ride else spelling.join_parts(ride["parts"])
    headers.clear()
    headers.update(facts["headers"])
    staticfiles_storage.learn(facts["static"])  # type: ignore[attr-defined]
    learn_zones(facts["zones"])
    database.start_afresh()
    forget_contests()
    spelling.read({name: _with_secrets(name, table) for name, table in tables.items()})
    device = Device.objects.select_related("member__group__event").get(pk=ride["device"])
    return replay(Actor.of_device(device), operations, times, ride["server_time"])


def _with_secrets(name: str, table: spelling.Table) -> spelling.Table:
    """Give this phone's row the digest of the one token that requests on a phone come with."""
    if name != "crew.Device":
        return table
    rows = [[*row, get_digest(TOKEN)] for row in table["rows"]]
    return {"columns": [*table["columns"], "token_digest"], "rows": rows}
