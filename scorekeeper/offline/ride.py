"""The body of `GET /api/v1/ride`: what a phone needs to answer the crew's pages by itself.

`format` changes whenever a phone with older programs could misread the rest.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.utils import timezone

from scorekeeper.crew.models import Device
from scorekeeper.offline.app_files import list_addresses
from scorekeeper.offline.one_moment import at_one_moment
from scorekeeper.offline.selectors.ride import list_tables
from scorekeeper.offline.zones import read_zone

FORMAT = 1


def make_ride(device: Device, headers: Mapping[str, str]) -> tuple[str, str]:
    """Return the body and its digest, which tells whether anything but the time has changed.

    Args:
        device: with its member, group and event at hand.
        headers: what the server sends with every page, and the phone is to send too.
    """
    event = device.member.group.event
    with at_one_moment():
        tables = list_tables(device)
    content: dict[str, Any] = {
        "format": FORMAT,
        "device": str(device.pk),
        "headers": dict(headers),
        "static": list_addresses(),
        "zones": {name: read_zone(name) for name in sorted({event.time_zone, settings.TIME_ZONE, "UTC"})},
        "tables": tables,
    }
    digest = hashlib.sha256(_write(content).encode()).hexdigest()
    return _write({**content, "server_time": timezone.now().isoformat()}), digest


def _write(content: Mapping[str, Any]) -> str:
    return json.dumps(content, separators=(",", ":"), ensure_ascii=False, sort_keys=True)
