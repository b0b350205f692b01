"""The bodies of `GET /api/v1/ride` and `/api/v1/ride/parts`: what a phone needs to answer the crew's pages by itself.

A phone that has nothing is sent all parts. One that has some sends its buckets (`scorekeeper.offline.buckets`) and is
sent the parts it lacks. With both goes the digest of the whole, which the phone has to come to as well; else it asks
for everything again. `format` changes whenever a phone with older programs could misread the rest. Format 1, which
older apps ask for, has tables instead of parts.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.conf import settings
from django.utils import timezone

from scorekeeper.crew.models import Device
from scorekeeper.events.models import Event
from scorekeeper.offline.app_files import get_static_urls
from scorekeeper.offline.buckets import fill_buckets, find_bucket
from scorekeeper.offline.row_codec import dump_rows, join_parts
from scorekeeper.offline.selectors.ride_parts import RideParts
from scorekeeper.offline.time_zones import read_zone_file

TABLES_FORMAT, PARTS_FORMAT = 1, 2


class RidePayload:
    """The ride of one phone. It is made and written in one transaction, or its parts are of different moments.

    Attributes:
        digest: tells whether anything but the time has changed.
    """

    def __init__(self, device: Device, headers: Mapping[str, str]) -> None:
        """Read what it takes to know the digest.

        Args:
            device: with its member, group and event at hand.
            headers: what the server sends with every page, and the phone is to send too.
        """
        self._device, self._event = device, device.member.group.event
        facts = {
            "headers": dict(headers),
            "static": dict(get_static_urls()),
            "zones": {
                name: read_zone_file(name) for name in sorted({self._event.time_zone, settings.TIME_ZONE, "UTC"})
            },
        }
        self._parts = RideParts(device, facts)
        self.digest = self._parts.digest

    def serialize_tables(self) -> str:
        """Return everything, as older apps read it."""
        facts, tables = join_parts(self._parts.fetch_contents(self._parts.fingerprints).values())
        return self._serialize({"format": TABLES_FORMAT, **facts, "tables": tables})

    def serialize_parts(self) -> str:
        """Return everything."""
        return self._serialize(self._build_parts(self._parts.fingerprints))

    def serialize_missing_parts(self, buckets: Sequence[int]) -> str:
        """Return the parts that a phone lacks.

        Args:
            buckets: as the phone has filled them.
        """
        ours = fill_buckets(self._parts.fingerprints, len(buckets))
        others = {place for place, (mine, its) in enumerate(zip(ours, buckets, strict=True)) if mine != its}
        missing = [key for key in self._parts.fingerprints if find_bucket(key, len(buckets)) in others]
        return self._serialize({**self._build_parts(missing), "buckets": sorted(others)})

    def _build_parts(self, keys: Collection[str]) -> dict[str, Any]:
        contents = self._parts.fetch_contents(keys)
        parts = {key: [self._parts.fingerprints[key], content] for key, content in contents.items()}
        member = self._device.member
        is_draft = self._event.state == Event.State.DRAFT
        owner = {
            "device": self._device.pk,
            "member": member.pk,
            "event": self._event.pk,
            "name": member.name,
            "is_draft": is_draft,
        }
        return {"format": PARTS_FORMAT, "owner": owner, "digest": self.digest, "parts": parts}

    def _serialize(self, content: Mapping[str, Any]) -> str:
        return dump_rows({**content, "device": self._device.pk, "server_time": timezone.now()})
