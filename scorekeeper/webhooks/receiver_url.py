"""Which addresses a webhook may have.

Invariants:
- Messages go to the public internet only, over HTTPS. What is not global is refused: private, loopback, link-local,
  multicast and reserved addresses, also where an IPv6 address contains one of IPv4.
- With the setting WEBHOOKS_TO_LOOPBACK, for tests and development, loopback addresses are allowed, also over HTTP.
- A name is resolved for every attempt, and the attempt connects to the address that was checked
  (`webhooks.receiver_connection`).
"""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
PORTS = {"https": 443, "http": 80}
# Addresses of IPv6 that translators turn into addresses of IPv4 (RFC 6052, RFC 8215).
TRANSLATED = tuple(map(ipaddress.IPv6Network, ("64:ff9b::/96", "64:ff9b:1::/48", "::/96")))
_PRINTABLE = re.compile(r"[!-~]+")  # ASCII without spaces and control characters
_HOST_NAME = re.compile(r"(?!-)[a-z0-9_-]{1,63}(?<!-)(\.(?!-)[a-z0-9_-]{1,63}(?<!-))*\.?", re.IGNORECASE)


class UnusableUrl(Exception):
    """The address cannot be that of a webhook. The argument is one of `REASONS`."""


REASONS = ("unreadable", "scheme", "credentials", "fragment", "private")


@dataclass(frozen=True, slots=True)
class ReceiverUrl:
    """A parsed address. The path includes the query."""

    is_secure: bool
    host: str
    port: int
    path: str


def parse_receiver_url(url: str) -> ReceiverUrl:
    """Return the parts of an address.

    Raises:
        UnusableUrl: it cannot be used. A host name is not resolved here, so whether it is public is found out later.
    """
    if not _PRINTABLE.fullmatch(url) or "\\" in url:
        raise UnusableUrl("unreadable")
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise UnusableUrl("unreadable") from error
    if parts.scheme not in PORTS:
        raise UnusableUrl("scheme")
    if "@" in parts.netloc:
        raise UnusableUrl("credentials")
    if "#" in url:
        raise UnusableUrl("fragment")
    literal = parse_address(host)
    if port == 0 or (literal is None and not (_HOST_NAME.fullmatch(host) and len(host) <= 253)):
        raise UnusableUrl("unreadable")
    is_local = host.rstrip(".") == "localhost" or host.rstrip(".").endswith(".localhost")
    if is_local and not settings.WEBHOOKS_TO_LOOPBACK:
        raise UnusableUrl("private")
    if literal is not None and not is_allowed_address(literal):
        raise UnusableUrl("private")
    is_secure = parts.scheme == "https"
    if not is_secure and not (is_local or (literal is not None and literal.is_loopback)):
        raise UnusableUrl("scheme")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return ReceiverUrl(is_secure, host, port or PORTS[parts.scheme], path)


def parse_address(host: str) -> IPAddress | None:
    """Return the IP address that a host is; None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def is_allowed_address(address: IPAddress) -> bool:
    """Return whether messages may be sent to an address."""
    if address.is_loopback:
        return bool(settings.WEBHOOKS_TO_LOOPBACK)
    if isinstance(address, ipaddress.IPv6Address):
        if address.scope_id is not None or address.ipv4_mapped or address.sixtofour or address.teredo:
            return False
        if any(address in network for network in TRANSLATED):
            return False
    return address.is_global and not (address.is_multicast or address.is_reserved)
