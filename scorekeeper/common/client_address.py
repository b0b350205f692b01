"""The network address of the client, for limits. Nothing else reads REMOTE_ADDR or X-Forwarded-For.

Terms: the *peer* has opened the connection: it is the client, or a proxy in front of the program. A *hop* is an entry
of X-Forwarded-For; each proxy adds the address that it was called from at the right.

Invariants:
- The header is read from the right, and only as far as trusted proxies (`FORWARDED_ALLOW_IPS`) wrote it. What a client
  or an unknown proxy puts into it changes nothing.
- It does not depend on the server: gunicorn leaves the proxy in REMOTE_ADDR, and uvicorn has already replaced it.
- One IPv6 connection has as many addresses as it likes within its /64, so it is named by that network.
"""

from __future__ import annotations

import ipaddress
from functools import lru_cache

from django.conf import settings
from django.http import HttpRequest

IPV6_PREFIX = 64
ANY_PEER = "*"
MAX_TEXT = 64  # characters; no address is longer

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network


def get_client_address(request: HttpRequest) -> str:
    """Return the address of the client, an IPv6 one as its /64; "" if it is not known."""
    meta = request.META
    return format_network(find_client(meta.get("REMOTE_ADDR", ""), meta.get("HTTP_X_FORWARDED_FOR", "")))


def find_client(peer: str, forwarded_for: str) -> Address | None:
    """Return the address of the client; None if it is not known.

    A peer without an address is connected by a Unix socket, and trusted. Where every peer is trusted (`*`), its last
    hop is the client: nothing is known about the hops before. An unreadable hop ends the search at the proxy that
    passed it on.

    Args:
        peer: the address of the peer, "" for one at a Unix socket.
        forwarded_for: the header X-Forwarded-For.
    """
    address = parse_address(peer)
    is_trusted = _is_trusted(peer, address)
    for hop in reversed(forwarded_for.split(",")):
        if not is_trusted:
            break
        if not hop.strip():
            continue
        previous = parse_address(hop.strip())
        if previous is None:
            break
        address = previous
        is_trusted = ANY_PEER not in settings.FORWARDED_ALLOW_IPS and _is_trusted("", address)
    return address


def _is_trusted(peer: str, address: Address | None) -> bool:
    trusted = tuple(settings.FORWARDED_ALLOW_IPS)
    if address is None:
        return not peer
    return ANY_PEER in trusted or any(address in network for network in parse_networks(trusted))


def format_network(address: Address | None) -> str:
    """Return an IPv4 address as it is, and an IPv6 address as its /64; "" for None."""
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, IPV6_PREFIX), strict=False))
    return "" if address is None else str(address)


@lru_cache(maxsize=4096)
def _parse(text: str) -> Address | None:
    host = text
    if text.startswith("["):
        host, bracket, port = text[1:].partition("]")
        if not bracket or (port and not port.startswith(":")):
            return None
    elif text.count(":") == 1:
        host = text.partition(":")[0]
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def parse_address(text: str) -> Address | None:
    """Return an address as proxies write it, with a port, brackets or a zone or without; None if it is none.

    An IPv4 address that is mapped into IPv6 is returned as IPv4.
    """
    return _parse(text) if len(text) <= MAX_TEXT else None


@lru_cache(maxsize=16)
def parse_networks(texts: tuple[str, ...]) -> tuple[Network, ...]:
    """Return the addresses and networks, without `*`.

    Raises:
        ValueError: one of them is neither.
    """
    return tuple(ipaddress.ip_network(text) for text in texts if text != ANY_PEER)
