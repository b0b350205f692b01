"""Replays a recording with this version: the database of an earlier version, and entries that a phone had not sent yet.

`python -m tests.compatibility.replay QUEUE` migrates the database of its environment. As JSON it then
prints the head of every chain and the standings of every contest, before and after the entries are sent, and the
receipt of each entry. The clock is frozen and the salts of reasons are numbers in sequence, since hashes cover both.

For a chain of review items, only the length is compared: its hashes cover the sentences that explained each problem to
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
BATCH_SIZE = 20  # entries per request


def replay(queue: dict[str, Any]) -> dict[str, Any]:
    """Send the entries twice, as a phone does that missed the response; return the state before and after.

    Args:
        queue: the id of the phone that had the entries, and the entries in order.
    """
    use_device(queue["device"])
    before = describe()
    receipts = send(queue["operations"])
    assert send(queue["operations"]) == receipts, "a repeated entry gets another receipt"
    return {"before": before, "receipts": receipts, "after": describe()}


def use_device(device_id: str) -> None:
    """Make `TOKEN` the token of a device, since the recording has only digests of tokens."""
    from scorekeeper.common.secret_links import hash_token
    from scorekeeper.crew.models import Device

    assert Device.objects.filter(pk=device_id).update(token_digest=hash_token(TOKEN)) == 1


def send(operations: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Send entries through the API; return the receipts."""
    from django.test import Client

    from scorekeeper.crew.access import DEVICE_COOKIE

    client = Client(headers={"host": "127.0.0.1"})
    client.cookies[DEVICE_COOKIE] = TOKEN
    receipts: list[dict[str, Any]] = []
    for first in range(0, len(operations), BATCH_SIZE):
        batch = {"operations": operations[first : first + BATCH_SIZE]}
        response = client.post("/api/v1/operations", batch, content_type="application/json")
        assert response.status_code == 200, response.content
        receipts += [reduce_receipt(receipt) for receipt in response.json()["receipts"]]
    return receipts


def reduce_receipt(receipt: dict[str, Any]) -> dict[str, Any]:
    """Return the parts of a receipt that must not change: without texts for people and ids of review items."""
    codes = [problem["code"] for problem in receipt["problems"]]
    entries = [{**entry, "hash": ""} if is_review_chain(entry["chain"]) else entry for entry in receipt["entries"]]
    return {"id": receipt["id"], "outcome": receipt["outcome"], "entries": entries, "problems": codes}


def is_review_chain(chain_id: str) -> bool:
    """Return whether this is the chain of an event's review items."""
    from scorekeeper.ledger.models import Chain

    return Chain.objects.filter(pk=chain_id, kind=Chain.Kind.REVIEW).exists()


def describe() -> dict[str, Any]:
    """Refresh the standings, check that the log is undamaged, and return all heads and standings."""
    from scorekeeper.events.models import Contest, Event
    from scorekeeper.ledger.models import Chain
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
                str(row.entrant_id): [row.rank_label, row.total, row.status] for row in get_leaderboard(contest).rows
            }
            for contest in contests
        },
    }


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django
    from django.core.management import call_command
    from django.utils import timezone

    django.setup()
    call_command("migrate", verbosity=0)
    timezone.now = lambda: AT
    salts = itertools.count()
    secrets.token_hex = lambda nbytes=None: f"{next(salts):032x}"
    sys.stdout.write(json.dumps(replay(json.loads(Path(sys.argv[1]).read_text("utf-8")))))
