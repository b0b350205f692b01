"""Which addresses a webhook may have."""

from __future__ import annotations

import ipaddress

import pytest
from pytest_django import Settings

from scorekeeper.webhooks.receiver_url import (
    NOT_PUBLIC,
    ReceiverUrl,
    UnusableUrl,
    is_allowed_address,
    parse_receiver_url,
)

Network = ipaddress.IPv4Network | ipaddress.IPv6Network


@pytest.mark.parametrize(
    ("url", "parsed"),
    [
        ("https://club.example.org/hook?a=1", ReceiverUrl(True, "club.example.org", 443, "/hook?a=1")),
        ("HTTPS://Club.Example.org:8443", ReceiverUrl(True, "club.example.org", 8443, "/")),
        ("https://93.184.216.34/", ReceiverUrl(True, "93.184.216.34", 443, "/")),
        ("https://[2606:2800:220:1::1]:444/x", ReceiverUrl(True, "2606:2800:220:1::1", 444, "/x")),
        ("https://xn--bcher-kva.example/", ReceiverUrl(True, "xn--bcher-kva.example", 443, "/")),
    ],
)
def test_public_addresses_are_parsed(url: str, parsed: ReceiverUrl) -> None:
    assert parse_receiver_url(url) == parsed


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("", "unreadable"),
        ("club.example.org", "scheme"),
        ("http://club.example.org/", "scheme"),
        ("ftp://club.example.org/", "scheme"),
        ("file:///etc/passwd", "scheme"),
        ("gopher://club.example.org", "scheme"),
        ("https://", "unreadable"),
        ("https:///hook", "unreadable"),
        ("https://club.example.org:0/", "unreadable"),
        ("https://club.example.org:99999/", "unreadable"),
        ("https://club.example.org:port/", "unreadable"),
        ("https://[::1/", "unreadable"),
        ("https://a b/", "unreadable"),
        ("https://a.example/\r\nHost: b", "unreadable"),
        ("https://a.example\\@b.example/", "unreadable"),
        ("https://bücher.example/", "unreadable"),
        ("https://me:word@club.example.org/", "credentials"),
        ("https://club.example.org@10.0.0.1/", "credentials"),
        ("https://club.example.org/#part", "fragment"),
        ("https://localhost/", "private"),
        ("https://LOCALHOST./", "private"),
        ("https://a.localhost/", "private"),
        ("https://127.0.0.1/", "private"),
        ("https://10.1.2.3/", "private"),
        ("https://[::1]/", "private"),
        ("https://[::ffff:10.0.0.1]/", "private"),
        ("https://169.254.169.254/latest/meta-data/", "private"),
    ],
)
def test_everything_else_is_refused_with_its_reason(url: str, reason: str) -> None:
    with pytest.raises(UnusableUrl, match=reason):
        parse_receiver_url(url)


@pytest.mark.parametrize(
    "address",
    [
        *("0.0.0.0", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.9.9.9", "169.254.1.1", "172.16.0.1", "172.31.255.255"),
        *("192.0.0.1", "192.0.2.1", "192.168.1.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1"),
        *("240.0.0.1", "255.255.255.255", "::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd12::1", "ff02::1"),
        *("ff0e::1", "::ffff:127.0.0.1", "::ffff:93.184.216.34", "::7f00:1", "2002:7f00:1::", "2002:a00:1::"),
        *("2001:0:4136:e378:8000:63bf:3fff:fdd2", "64:ff9b::7f00:1", "64:ff9b:1::a00:1", "2001:db8::1"),
        *("64:ff9b::5db8:d822", "fec0::1", "feff::1", "3fff::1", "3fff:fff:ffff::1", "192.88.99.1", "192.88.99.255"),
        *("100::1", "100:0:0:1::1", "5f00::1", "4000::1", "1fff::1", "2001:1::1", "2001:2::1", "2001:20::1"),
        *("192.0.0.9", "192.0.0.10", "192.0.0.170", "192.31.196.1", "192.52.193.1", "192.175.48.1", "100.127.255.255"),
        *("198.19.255.255", "239.255.255.255", "2620:4f:8000::1", "3ffe::1", "::ffff:0:5db8:d822", "fdff::1"),
    ],
)
def test_addresses_that_are_not_public_are_refused(address: str) -> None:
    assert not is_allowed_address(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "address",
    [
        *("93.184.216.34", "1.1.1.1", "2606:4700::1111", "2001:200::1", "2001:4860:4860::8888", "2a01:4f8::1"),
        *("3fff:1000::1", "3fee::1", "2003::1", "9.255.255.255", "11.0.0.0", "172.32.0.1", "192.88.98.1"),
    ],
)
def test_public_ip_addresses_are_allowed(address: str) -> None:
    assert is_allowed_address(ipaddress.ip_address(address))


@pytest.mark.parametrize("network", NOT_PUBLIC, ids=str)
def test_a_range_is_refused_from_its_first_address_to_its_last(network: Network) -> None:
    assert not is_allowed_address(network[0])
    assert not is_allowed_address(network[-1])


def test_nothing_is_allowed_that_this_python_calls_special() -> None:
    """At both sides of every edge of a range: whatever a version of Python knows more than the table, this finds."""
    edges = [ipaddress.ip_address(2**32 // 2**12 * step) for step in range(2**12)]
    edges += [ipaddress.IPv6Address(2**112 * step) for step in range(2**16)]
    edges += [address for network in NOT_PUBLIC for address in (network[0], network[1], network[-1])]

    assert [
        address
        for address in edges
        if is_allowed_address(address)
        and (not address.is_global or address.is_multicast or address.is_reserved or address.is_private)
    ] == []


def test_a_setting_allows_this_machine_and_nothing_else(settings: Settings) -> None:
    settings.WEBHOOKS_TO_LOOPBACK = True

    assert parse_receiver_url("http://127.0.0.1:9/x") == ReceiverUrl(False, "127.0.0.1", 9, "/x")
    assert parse_receiver_url("http://localhost/") == ReceiverUrl(False, "localhost", 80, "/")
    assert is_allowed_address(ipaddress.ip_address("::1"))
    assert not is_allowed_address(ipaddress.ip_address("10.0.0.1"))
    with pytest.raises(UnusableUrl, match="scheme"):
        parse_receiver_url("http://club.example.org/")


@pytest.mark.parametrize(
    ("url", "receiver"),
    [
        ("https://Club.example.org./hook", "club.example.org:443"),
        ("https://club.example.org:443/other?a", "club.example.org:443"),
        ("https://club.example.org:8443/", "club.example.org:8443"),
        ("https://[2606:4700:0:0::1111]/", "2606:4700::1111:443"),
    ],
)
def test_a_receiver_has_one_name_however_its_address_is_written(url: str, receiver: str) -> None:
    assert parse_receiver_url(url).receiver == receiver
