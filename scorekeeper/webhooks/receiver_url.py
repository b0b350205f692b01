"""Which addresses a webhook may have.

Invariants:
- Messages go to the public internet only, over HTTPS. Special-purpose addresses are refused: private, loopback,
  link-local, multicast, reserved and documentation ones, and those of IPv6 that contain one of IPv4. The list is
  `NOT_PUBLIC`, the same under every version of Python.
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
LOOPBACK = (ipaddress.ip_network("127.0.0.0/8"), ipaddress.ip_network("::1/128"))
# All of IPv6 that is routed on the internet (RFC 4291). What is outside is refused without a row below: mapped,
# translated (64:ff9b::/96, 64:ff9b:1::/48), discarded, local (fc00::/7, fe80::/10, fec0::/10) and multicast addresses.
GLOBAL_UNICAST = ipaddress.IPv6Network("2000::/3")
# IANA's registries of special-purpose addresses, with multicast and class E. `ipaddress.is_global` is another table in
# each version of Python, so it is not used.
NOT_PUBLIC = tuple(
    map(
        ipaddress.ip_network,
        (
            "0.0.0.0/8",  # this network
            "10.0.0.0/8",  # private
            "100.64.0.0/10",  # between a provider and its customers
            "127.0.0.0/8",  # loopback
            "169.254.0.0/16",  # link-local, and the metadata of clouds
            "172.16.0.0/12",  # private
            "192.0.0.0/24",  # IETF protocol assignments
            "192.0.2.0/24",  # documentation
            "192.31.196.0/24",  # AS112: the root of reverse names of private addresses
            "192.52.193.0/24",  # multicast tunnels
            "192.88.99.0/24",  # relays of 6to4
            "192.168.0.0/16",  # private
            "192.175.48.0/24",  # AS112
            "198.18.0.0/15",  # benchmarks
            "198.51.100.0/24",  # documentation
            "203.0.113.0/24",  # documentation
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, and broadcast
            "2001::/23",  # IETF protocol assignments, Teredo among them
            "2001:db8::/32",  # documentation
            "2002::/16",  # 6to4, with an address of IPv4 in it
            "2620:4f:8000::/48",  # AS112
            "3ffe::/16",  # the former test network 6bone
            "3fff::/20",  # documentation
        ),
    )
)
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

    @property
    def receiver(self) -> str:
        """The host and port, the same for every way to write them."""
        return f"{parse_address(self.host) or self.host.rstrip('.')}:{self.port}"


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
    if not is_secure and not (is_local or (literal is not None and is_loopback(literal))):
        raise UnusableUrl("scheme")
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return ReceiverUrl(is_secure, host, port or PORTS[parts.scheme], path)


def parse_address(host: str) -> IPAddress | None:
    """Return the IP address that a host is; None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def is_loopback(address: IPAddress) -> bool:
    """Return whether an address is of this machine."""
    return any(address in network for network in LOOPBACK)


def is_allowed_address(address: IPAddress) -> bool:
    """Return whether messages may be sent to an address."""
    if is_loopback(address):
        return bool(settings.WEBHOOKS_TO_LOOPBACK)
    if isinstance(address, ipaddress.IPv6Address) and (address.scope_id is not None or address not in GLOBAL_UNICAST):
        return False
    return not any(address in network for network in NOT_PUBLIC)
