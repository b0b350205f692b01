"""The places for viewers in a process: how many there are, and how many of them one network address may take.

Without the second limit, one address could take every place, and all other pages would have to poll.

- Addresses that are not public are not limited: behind them is a club in its own network, the proxy on this machine, or
  the laptop itself. Nobody on the internet has such an address.
- With IPv6, a connection has a whole prefix of addresses, so the prefix is counted.
"""

from __future__ import annotations

from collections import Counter

from scorekeeper.common.client_address import Address, format_network


class CapacityExceeded(Exception):
    """The process has as many viewers as it can serve, in all or from this address, or is shutting down."""


class StreamPlaces:
    """The places of a process.

    Args:
        capacity: how many there are.
        share: how many of them a public address may take, in percent, but always one.
    """

    def __init__(self, capacity: int, share: int = 100) -> None:
        self._capacity = capacity
        self._max_per_network = max(1, capacity * share // 100)
        self._taken: Counter[str] = Counter()

    def take(self, address: Address | None) -> str:
        """Take a place; return what `give_back` needs.

        Args:
            address: of the client, None if it is not known.

        Raises:
            CapacityExceeded: no place is left, or the address has its share.
        """
        network = get_public_network(address)
        if self._taken.total() >= self._capacity or (network and self._taken[network] >= self._max_per_network):
            raise CapacityExceeded
        self._taken[network] += 1
        return network

    def give_back(self, network: str) -> None:
        """Give a place back."""
        self._taken[network] -= 1
        if not self._taken[network]:
            del self._taken[network]


def get_public_network(address: Address | None) -> str:
    """Return the network that an address counts for; "" for one that is not public, or is not known."""
    return format_network(address) if address is not None and address.is_global else ""
