"""Whether links and codes work on other people's phones."""

from __future__ import annotations

import pytest

from scorekeeper.common.public_address import AddressProblem, find_address_problem


@pytest.mark.parametrize(
    ("problem", "hosts"),
    [
        (AddressProblem.THIS_COMPUTER, "127.0.0.1 127.8.9.10 localhost LOCALHOST. a.localhost"),
        (AddressProblem.THIS_COMPUTER, "::1 ::ffff:127.0.0.1 0.0.0.0 ::"),
        (AddressProblem.CAN_CHANGE, "192.168.1.20 10.0.0.4 172.16.0.1 172.31.255.255 169.254.3.4 100.64.0.1"),
        (AddressProblem.CAN_CHANGE, "fe80::1 fe80::1%eth0 fd12:3456::1 ::ffff:192.168.1.20"),
        (AddressProblem.ONE_NETWORK, "tailgunner.local Laptop.Local. club-laptop ride.lan pi.home.arpa ride.internal"),
        (None, "rides.example.org 203.0.113.example.org 172.32.0.1 8.8.8.8 2001:4860:4860::8888 local.example.org"),
    ],
)
def test_an_address_is_judged_by_its_host(problem: AddressProblem | None, hosts: str) -> None:
    assert {host: find_address_problem(host) for host in hosts.split()} == dict.fromkeys(hosts.split(), problem)
