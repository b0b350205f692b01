"""Whether the address that links and QR codes begin with (`BASE_URL`) works on other people's phones.

A printed code cannot be corrected, so pages that print or hand out links say what is wrong with it first.
"""

from __future__ import annotations

import enum
import ipaddress
from urllib.parse import urlsplit

from django.conf import settings

# Of names that exist in one network only: Bonjour, routers (RFC 8375 and before it), and those reserved by ICANN.
LOCAL_ENDINGS = (".local", ".home.arpa", ".lan", ".internal")


class AddressProblem(enum.StrEnum):
    """What is wrong with an address for links on paper and on other people's phones."""

    THIS_COMPUTER = "this_computer"  # loopback: it means the device that opens it
    CAN_CHANGE = "can_change"  # numbers that the router hands out: good in one network, and until they change
    ONE_NETWORK = "one_network"  # a name that only the local network knows; it does not change


def get_address_problem() -> AddressProblem | None:
    """Return what is wrong with the address of links and codes; None for one that everybody can open."""
    return find_address_problem(urlsplit(settings.BASE_URL).hostname or "")


def find_address_problem(host: str) -> AddressProblem | None:
    """Return what is wrong with a host name, an IPv4 or an IPv6 address, given without brackets and port."""
    name = host.rstrip(".").lower()
    try:
        address = ipaddress.ip_address(name.partition("%")[0])
    except ValueError:
        if name == "localhost" or name.endswith(".localhost"):
            return AddressProblem.THIS_COMPUTER
        return AddressProblem.ONE_NETWORK if name.endswith(LOCAL_ENDINGS) or "." not in name else None
    address = getattr(address, "ipv4_mapped", None) or address
    if address.is_loopback or address.is_unspecified:
        return AddressProblem.THIS_COMPUTER
    return None if address.is_global else AddressProblem.CAN_CHANGE
