"""What this version makes of a recording: a database that an earlier version left, and entries a phone still held.

`python -m tests.compatibility.replay QUEUE` runs on the database of its environment, already migrated, and prints as
JSON: the head of every chain and the standings of every contest, before and after the entries are sent, and the receipt
of each entry. The clock stands still and the salts of reasons are counted: both are part of what is hashed.

Of a chain of review items only the length is compared: its hashes cover the sentences that explained each problem to
people, and those may be reworded.
"""

from __future__ import annotations

import datetime as dt
import itertools
import json
import os
import secrets
import sys
from pathlib import Path
from typing import Any

TOKEN = "the recorded phone"
AT = dt.datetime(2026, 11, 24, 12, tzinfo=dt.UTC)
PART = 20  # entries sent at once


def replay(queue: dict[str, Any]) -> dict[str, Any]:
    """Send the entries twice, as a phone does that missed the answer; return what there is before and after.

    Args:
        queue: the id of the phone that held the entries, and the entries in their order.
    """
    use_device(queue["device"])
    before = describe()
    receipts = send(queue["operations"])
    assert send(queue["operations"]) == receipts, "a copy is answered in another way"
    return {"before": before, "receipts": receipts, "after": describe()}


def use_device(device_id: str) -> None:
    """Make `TOKEN` the token of a device: only digests of tokens are kept."""
    from scorekeeper.crew.models import Device
    from scorekeeper.crew.tokens import hash_token

    assert Device.objects.filter(pk=device_id).update(token_digest=hash_token(TOKEN)) == 1


def send(operations: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Send entries through the API; return the receipts."""
    from django.test import Client

    from scorekeeper.crew.access import DEVICE_COOKIE

    client = Client(headers={"host": "127.0.0.1"})
    client.cookies[DEVICE_COOKIE] = TOKEN
    receipts: list[dict[str, Any]] = []
    for first in range(0, len(operations), PART):
        batch = {"operations": operations[first : first + PART]}
        answer = client.post("/api/v1/operations", batch, content_type="application/json")
        assert answer.status_code == 200, answer.content
        receipts += [reduce_receipt(receipt) for receipt in answer.json()["receipts"]]
    return receipts


def reduce_receipt(receipt: dict[str, Any]) -> dict[str, Any]:
    """Return what must not change of a receipt: neither the words for people, nor the id of a review item."""
    codes = [problem["code"] for problem in receipt["problems"]]
    entries = [{**entry, "hash": ""} if is_review_chain(entry["chain"]) else entry for entry in receipt["entries"]]
    return {"id": receipt["id"], "outcome": receipt["outcome"], "entries": entries, "problems": codes}


def is_review_chain(chain_id: str) -> bool:
    """Return whether this is the chain of an event's review items."""
    from scorekeeper.scorecards.models import Chain

    return Chain.objects.filter(pk=chain_id, kind=Chain.Kind.REVIEW).exists()


def describe() -> dict[str, Any]:
    """Return all heads and standings, once the log is found to be whole and the standings are up to date."""
    from scorekeeper.events.models import Contest, Event
    from scorekeeper.scorecards.models import Chain
    from scorekeeper.standings.selectors.leaderboard import get_leaderboard
    from scorekeeper.standings.selectors.verification import list_damage
    from scorekeeper.standings.services.refresh import refresh_standings

    contests = Contest.objects.select_related("event").order_by("event__slug", "slug")
    for contest in contests:
        refresh_standings(contest.pk)
    damage = [found for event in Event.objects.all() for found in list_damage(event)]
    assert not damage, damage
    return {
        "heads": {
            str(pk): str(length) if kind == Chain.Kind.REVIEW else f"{length} {head}"
            for pk, kind, length, head in Chain.objects.values_list("pk", "kind", "length", "head")
        },
        "standings": {
            f"{contest.event.slug}/{contest.slug}": {
                str(row.holder_id): [row.rank_label, row.total, row.status] for row in get_leaderboard(contest).rows
            }
            for contest in contests
        },
    }


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django
    from django.utils import timezone

    django.setup()
    timezone.now = lambda: AT
    salts = itertools.count()
    secrets.token_hex = lambda nbytes=None: f"{next(salts):032x}"
    sys.stdout.write(json.dumps(replay(json.loads(Path(sys.argv[1]).read_text("utf-8")))))
