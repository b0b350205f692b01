"""The bodies of `GET /api/v1/ride` and `/api/v1/ride/parts`: what a phone needs to serve the crew's pages itself.

A phone without a copy receives all parts. A phone with a copy sends its buckets (`scorekeeper.offline.buckets`) and
receives the parts it lacks. Both responses include the digest of the whole ride. If the phone computes a different
digest, it requests everything again. `format` is increased whenever an older version of the app could misread the
rest. A phone says which format it knows; the columns depend on it (`scorekeeper.offline.selectors.ride_columns`).
Format 1, which older apps request, has tables instead of parts.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.conf import settings
from django.utils import timezone

from scorekeeper.crew.models import Device
from scorekeeper.events.models import Event
from scorekeeper.offline.app_files import get_static_urls
from scorekeeper.offline.buckets import fill_buckets, find_bucket
from scorekeeper.offline.row_codec import dump_rows, join_parts
from scorekeeper.offline.selectors.ride_columns import PARTS_FORMAT, TABLES_FORMAT, RideColumns
from scorekeeper.offline.selectors.ride_parts import RideParts
from scorekeeper.offline.time_zones import read_zone_file


class RidePayload:
    """The ride of one phone. Create and serialize it in one transaction, so that its parts are consistent.

    Attributes:
        digest: changes whenever anything except the time changes.
    """

    def __init__(self, device: Device, headers: Mapping[str, str], ride_format: int = PARTS_FORMAT) -> None:
        """Read everything needed for the digest.

        Args:
            device: with its member, group and event prefetched.
            headers: the headers of the server's pages, which the phone adds to its pages as well.
            ride_format: the latest format that the phone's app knows.
        """
        self._device, self._event = device, device.member.group.event
        facts = {
            "headers": dict(headers),
            "static": dict(get_static_urls()),
            "zones": {
                name: read_zone_file(name) for name in sorted({self._event.time_zone, settings.TIME_ZONE, "UTC"})
            },
        }
        self._format = ride_format
        self._parts = RideParts(device, facts, RideColumns(ride_format))
        self.digest = self._parts.digest

    def serialize_tables(self) -> str:
        """Return all tables, for older apps."""
        facts, tables = join_parts(self._parts.fetch_contents(self._parts.fingerprints).values())
        return self._serialize({"format": TABLES_FORMAT, **facts, "tables": tables})

    def serialize_parts(self) -> str:
        """Return all parts."""
        return self._serialize(self._build_parts(self._parts.fingerprints))

    def serialize_missing_parts(self, buckets: Sequence[int]) -> str:
        """Return the parts that a phone lacks.

        Args:
            buckets: the phone's numbers.
        """
        ours = fill_buckets(self._parts.fingerprints, len(buckets))
        differing = {index for index, (our, its) in enumerate(zip(ours, buckets, strict=True)) if our != its}
        missing = [key for key in self._parts.fingerprints if find_bucket(key, len(buckets)) in differing]
        return self._serialize({**self._build_parts(missing), "buckets": sorted(differing)})

    def _build_parts(self, keys: Collection[str]) -> dict[str, Any]:
        contents = self._parts.fetch_contents(keys)
        parts = {key: [self._parts.fingerprints[key], content] for key, content in contents.items()}
        member = self._device.member
        is_draft = self._event.state == Event.State.DRAFT
        offset = timezone.now().astimezone(self._event.zone).utcoffset() or dt.timedelta()
        owner = {
            "device": self._device.pk,
            "member": member.pk,
            "event": self._event.pk,
            "name": member.name,
            "is_draft": is_draft,
            "is_practice": self._event.is_practice,
            "utc_offset": offset.total_seconds(),
        }
        return {"format": self._format, "owner": owner, "digest": self.digest, "parts": parts}

    def _serialize(self, content: Mapping[str, Any]) -> str:
        return dump_rows({**content, "device": self._device.pk, "server_time": timezone.now()})
