"""A keyed digest of a network address, for limits on what anyone may send. Without the key, nobody can try them all."""

from __future__ import annotations

import ipaddress
from uuid import UUID

from django.utils.crypto import salted_hmac

IPV6_PREFIX = 64  # one connection has as many addresses as it likes within this prefix


def compute_address_digest(purpose: str, event_id: UUID, address: str) -> str:
    """Return the digest of an address, which differs from purpose to purpose and from event to event."""
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        network = address
    else:
        prefix = IPV6_PREFIX if parsed.version == 6 else parsed.max_prefixlen
        network = str(ipaddress.ip_network((parsed, prefix), strict=False))
    return salted_hmac(purpose, f"{event_id} {network}", algorithm="sha256").hexdigest()
