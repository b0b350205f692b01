"""The address and keys that a browser hands over when it subscribes: what is accepted of them.

Invariants:
- Anyone may send anything. An endpoint is HTTPS at the usual port of a host that has a name, as every push service is.
  `webhooks.receiver_url` refuses names and addresses that are not public, and each attempt checks again to what the
  name leads (`webhooks.receiver_connection`).
- With the setting WEBHOOKS_TO_LOOPBACK, for tests and development, loopback addresses are allowed too.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from scorekeeper.push.encryption import UnusableKeys, decode_keys
from scorekeeper.push.models import MAX_ENDPOINT
from scorekeeper.push.selectors import digest_endpoint
from scorekeeper.webhooks.receiver_url import PORTS, UnusableUrl, is_loopback, parse_address, parse_receiver_url


class UnusableEndpoint(Exception):
    """Nothing can be sent there."""


@dataclass(frozen=True, slots=True)
class PushTarget:
    """A browser, as it has described itself."""

    endpoint: str
    receiver: str
    p256dh: str
    auth: str

    @property
    def digest(self) -> str:
        """By which its subscriptions are found."""
        return digest_endpoint(self.endpoint)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Self:
        """Return the browser from what `PushSubscription.toJSON()` returns in it.

        Raises:
            UnusableEndpoint: nothing can be sent there.
        """
        keys = data.get("keys")
        fields = (keys.get("p256dh"), keys.get("auth")) if isinstance(keys, dict) else (None, None)
        endpoint, (p256dh, auth) = data.get("endpoint"), fields
        if not isinstance(endpoint, str) or not isinstance(p256dh, str) or not isinstance(auth, str):
            raise UnusableEndpoint
        if not is_readable_endpoint(endpoint):
            raise UnusableEndpoint
        p256dh, auth = p256dh.rstrip("="), auth.rstrip("=")
        try:
            decode_keys(p256dh, auth)
        except UnusableKeys as error:
            raise UnusableEndpoint from error
        return cls(endpoint, find_receiver(endpoint), p256dh, auth)


def is_readable_endpoint(endpoint: object) -> bool:
    """Return whether something that was sent as an endpoint can be one at all: a text of ASCII, and not too long."""
    return isinstance(endpoint, str) and len(endpoint) <= MAX_ENDPOINT and endpoint.isascii() and endpoint.isprintable()


def find_receiver(endpoint: str) -> str:
    """Return the host and port of an endpoint.

    Raises:
        UnusableEndpoint: nothing can be sent there.
    """
    try:
        url = parse_receiver_url(endpoint)
    except UnusableUrl as error:
        raise UnusableEndpoint from error
    address = parse_address(url.host)
    # `parse_receiver_url` has let a loopback address through, so it is allowed.
    is_here = is_loopback(address) if address is not None else url.host.rstrip(".").endswith("localhost")
    if not is_here and (address is not None or url.port != PORTS["https"]):
        raise UnusableEndpoint
    return url.receiver
