"""A phone's copy of its ride, refreshed as `static/js/phone/ride_copy.js` does."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from django.test import Client

from scorekeeper.offline.buckets import count_buckets, fill_buckets, find_bucket, pack_buckets

URL = "/api/v1/ride/parts"
FORMAT = {"X-Ride-Format": "3"}


class RideCopy:
    """The parts that the phone has.

    Attributes:
        fingerprints: the parts' fingerprints, by key.
        contents: the parts' contents, by key.
        sent: the keys of the parts in the last response.
        how: what the last refresh fetched: "nothing", "changes" or "all".
        has_collided: whether it fetched all because two different buckets had the same number, as one in 65,536 has.
    """

    def __init__(self, client: Client) -> None:
        self.client = client
        self.fingerprints: dict[str, str] = {}
        self.contents: dict[str, Any] = {}
        self.digest = ""
        self.has_collided = False
        self.sent: list[str] = []
        self.refresh()

    @property
    def ride(self) -> dict[str, Any]:
        """The argument for the engine."""
        return {**self._head, "parts": list(self.contents.values())}

    def refresh(self) -> None:
        """Fetch the changes, or everything if they do not result in the server's digest."""
        self.has_collided = False
        if self.fingerprints:
            self.sent = []
            self.how = "nothing"
            head = self.client.head(URL, headers={**FORMAT, "if-none-match": f'"{self.digest}"'})
            assert head.content == b""
            if head.status_code == 304:
                return
            self.how = "changes"
            before = dict(self.fingerprints)
            if self.fetch_changes():
                return
            self.fetch_all()
            self.has_collided = hides_change(before, self.fingerprints)
            return
        self.fetch_all()

    def fetch_all(self) -> None:
        """Fetch everything."""
        self.how = "all"
        self.fingerprints, self.contents = {}, {}
        answer = self.client.get(URL, headers=FORMAT)
        assert answer.status_code == 200
        self._apply_reply(answer.json())
        assert self.digest == make_digest(self.fingerprints)

    def fetch_changes(self) -> bool:
        """Fetch the changes; return whether they result in the server's digest."""
        count = count_buckets(len(self.fingerprints))
        body = pack_buckets(fill_buckets(self.fingerprints, count))
        answer = self.client.post(URL, body, content_type="application/octet-stream", headers=FORMAT)
        assert answer.status_code == 200, answer.content
        reply = answer.json()
        for key in [name for name in self.fingerprints if find_bucket(name, count) in set(reply["buckets"])]:
            del self.fingerprints[key], self.contents[key]
        self._apply_reply(reply)
        return self.digest == make_digest(self.fingerprints)

    def _apply_reply(self, reply: dict[str, Any]) -> None:
        self.sent = list(reply["parts"])
        for key, (fingerprint, content) in reply["parts"].items():
            self.fingerprints[key], self.contents[key] = fingerprint, content
        self._head = {name: reply[name] for name in ("format", "device", "server_time")}
        self.digest = reply["digest"]


def make_digest(fingerprints: Mapping[str, str]) -> str:
    """Return the digest of the whole ride."""
    lines = (f"{key} {fingerprints[key]}\n" for key in sorted(fingerprints))
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def hides_change(before: Mapping[str, str], after: Mapping[str, str]) -> bool:
    """Return whether a bucket has the same number before and after, though its parts differ."""
    count = count_buckets(len(before))
    numbers = zip(fill_buckets(before, count), fill_buckets(after, count), strict=True)
    changed = {find_bucket(key, count) for key, _fingerprint in before.items() ^ after.items()}
    return any(old == new and bucket in changed for bucket, (old, new) in enumerate(numbers))
