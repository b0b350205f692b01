"""Which address a request comes from, behind proxies that are trusted and others that are not."""

from __future__ import annotations

import pytest
from django.test import RequestFactory
from pytest_django import Settings

from scorekeeper.common.client_address import get_client_address, parse_address

PROXY, INNER, CLIENT = "127.0.0.1", "10.1.2.3", "203.0.113.7"


def find(peer: str, *headers: str) -> str:
    request = RequestFactory().get("/", REMOTE_ADDR=peer)
    if headers:
        request.META["HTTP_X_FORWARDED_FOR"] = ",".join(headers)
    return get_client_address(request)


def test_without_a_proxy_it_is_the_peer() -> None:
    assert find(CLIENT) == CLIENT
    assert find(PROXY) == PROXY


@pytest.mark.parametrize("peer", [PROXY, "::1", "::ffff:127.0.0.1", ""])
def test_a_proxy_on_this_machine_or_at_a_unix_socket_is_trusted(peer: str) -> None:
    assert find(peer, CLIENT) == CLIENT


def test_what_a_client_writes_into_the_header_changes_nothing() -> None:
    assert find(CLIENT, "198.51.100.1") == CLIENT
    assert find(PROXY, "198.51.100.1", CLIENT) == CLIENT
    assert find(PROXY, PROXY, "198.51.100.1", CLIENT) == CLIENT


def test_the_header_is_followed_over_trusted_proxies_only(settings: Settings) -> None:
    assert find(PROXY, CLIENT, INNER) == INNER
    settings.FORWARDED_ALLOW_IPS = ["127.0.0.1", "10.0.0.0/8"]
    assert find(PROXY, CLIENT, INNER) == CLIENT
    assert find(INNER, "198.51.100.1", CLIENT, "10.9.9.9") == CLIENT
    assert find(INNER, INNER, PROXY) == INNER, "a request of a proxy itself"
    assert find("::1", CLIENT) == "::/64", "not named, so not trusted"


def test_where_every_peer_is_trusted_nothing_before_its_last_hop_is(settings: Settings) -> None:
    settings.FORWARDED_ALLOW_IPS = ["*"]
    assert find(INNER, "198.51.100.1", CLIENT) == CLIENT
    # uvicorn has put the first hop into the peer's place.
    assert find("198.51.100.1", "198.51.100.1", CLIENT) == CLIENT
    assert find(INNER) == INNER


@pytest.mark.parametrize(
    ("written", "address"),
    [
        ("203.0.113.7:49152", CLIENT),
        (" 203.0.113.7 ", CLIENT),
        ("::ffff:203.0.113.7", CLIENT),
        ("2001:db8:1:2:3::1", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2:3::1]", "2001:db8:1:2::/64"),
        ("[2001:db8:1:2:3::1]:443", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", PROXY),
        ("unknown", PROXY),
        ("_hidden", PROXY),
        ("203.0.113.7 or so", PROXY),
        ("[2001:db8::1", PROXY),
        ("[203.0.113.7]x", PROXY),
        ("203.0.113.0/24", PROXY),
        ("203.0.113.7:1:2", PROXY),
        ("9" * 5_000, PROXY),
    ],
)
def test_addresses_are_read_as_proxies_write_them_and_garbage_is_the_proxy_itself(written: str, address: str) -> None:
    assert find(PROXY, written) == address


def test_garbage_is_not_skipped_for_what_the_client_wrote_before_it() -> None:
    assert find(PROXY, "198.51.100.1", "unknown") == PROXY
    assert find(PROXY, "198.51.100.1", "", CLIENT, "") == CLIENT


def test_a_peer_that_is_no_address_is_not_trusted() -> None:
    assert find("unknown", CLIENT) == ""


def test_addresses_of_one_ipv6_connection_are_one() -> None:
    assert find("2001:db8:1:2::1") == find("2001:db8:1:2:ffff::1") != find("2001:db8:1:3::1")


def test_a_name_is_no_address() -> None:
    assert parse_address("localhost") is None
