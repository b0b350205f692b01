"""Digests of network addresses, with which public pages limit what one connection can send."""

from __future__ import annotations

import ipaddress

from django.utils.crypto import salted_hmac

IPV6_PREFIX = 64  # one connection has as many addresses as it likes within this prefix


def hash_address(address: str, salt: str, scope: str = "") -> str:
    """Return a keyed digest of an address: without the key, nobody can try all addresses.

    Args:
        salt: names what the digest is for.
        scope: in which the same address has the same digest, such as the id of an event.
    """
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        network = address
    else:
        prefix = IPV6_PREFIX if parsed.version == 6 else parsed.max_prefixlen
        network = str(ipaddress.ip_network((parsed, prefix), strict=False))
    return salted_hmac(salt, f"{scope} {network}", algorithm="sha256").hexdigest()
