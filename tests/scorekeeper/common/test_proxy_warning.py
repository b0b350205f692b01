"""The warning that the program sees its proxy instead of its clients."""

from __future__ import annotations

import re

import pytest
from django.http import HttpResponse
from django.test import RequestFactory
from pytest_django import Settings

from scorekeeper.common.proxy_warning import HOUR, MIN_REQUESTS, ProxyWarningMiddleware

WARNING = "all_requests_from_one_private_address"


@pytest.fixture(autouse=True)
def _production(settings: Settings) -> None:
    settings.PRODUCTION = True


def send(
    caplog: pytest.LogCaptureFixture, *addresses: str, hours: int = 1, path: str = "/", forwarded: str = ""
) -> list[str]:
    """Send requests from these addresses, by turns, for some hours; return the addresses in the warnings."""
    now = [1000.0]
    middleware = ProxyWarningMiddleware(lambda _request: HttpResponse(), clock=lambda: now[0])
    caplog.clear()
    for _hour in range(hours):
        for number in range(2 * MIN_REQUESTS):
            address = addresses[number % len(addresses)]
            middleware(RequestFactory().get(path, REMOTE_ADDR=address, HTTP_X_FORWARDED_FOR=forwarded))
        now[0] += HOUR
    middleware(RequestFactory().get("/", REMOTE_ADDR=addresses[0], HTTP_X_FORWARDED_FOR=forwarded))
    return re.findall(rf"'address': '([^']*)'.*'event': '{WARNING}'", caplog.text)


@pytest.mark.parametrize("address", ["10.1.2.3", "127.0.0.1", "172.18.0.2", "::1", ""])
def test_it_comes_once_an_hour_while_all_requests_have_one_private_address(caplog, address: str) -> None:
    assert len(send(caplog, address, hours=3)) == 3


def test_it_names_the_address(caplog) -> None:
    assert send(caplog, "10.1.2.3") == ["10.1.2.3"]
    assert send(caplog, "") == ["unknown"]


@pytest.mark.parametrize("addresses", [("10.1.2.3", "10.1.2.4"), ("9.9.9.9",), ("127.0.0.1", "9.9.9.9")])
def test_there_is_none_for_two_addresses_or_a_public_one(caplog, addresses: tuple[str, ...]) -> None:
    assert send(caplog, *addresses) == []


def test_there_is_none_while_the_proxy_forwards_and_is_trusted(caplog) -> None:
    assert send(caplog, "127.0.0.1", forwarded="9.9.9.9") == []


def test_monitors_and_the_demo_are_not_looked_at(caplog, settings: Settings) -> None:
    assert send(caplog, "127.0.0.1", path="/healthz") == []
    settings.PRODUCTION = False
    assert send(caplog, "127.0.0.1") == []
