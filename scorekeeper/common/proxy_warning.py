"""A warning when all clients seem to have one private address: then the limits take a proxy for one client.

It is logged once an hour at most, by each web process, in production only: a demo may well have one user.
"""

from __future__ import annotations

import ipaddress
import time
from collections.abc import Callable
from threading import Lock

import structlog
from django.conf import settings
from django.http import HttpRequest, HttpResponse

from scorekeeper.common.client_address import get_client_address

HOUR = 3600  # seconds
MIN_REQUESTS = 100  # in an hour; fewer may come from one person in the same house
LOOPBACK_V6 = "::/64"  # Python calls only ::1 private, and not its network
MONITORED = ("/healthz", "/readyz", "/metrics")  # asked from the same machine, without the proxy

log = structlog.get_logger("tailgunner.proxies")


class ProxyWarningMiddleware:
    """Looks at the addresses of all requests of an hour."""

    def __init__(
        self, get_response: Callable[[HttpRequest], HttpResponse], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.get_response = get_response
        self._clock = clock
        self._lock = Lock()
        self._begin(clock())

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if settings.PRODUCTION and request.path not in MONITORED:
            self._look(get_client_address(request), self._clock())
        return self.get_response(request)

    def _begin(self, now: float) -> None:
        self._began, self._requests = now, 0
        self._only_address: str | None = None  # None once there were two, and before the first

    def _look(self, address: str, now: float) -> None:
        with self._lock:
            if now - self._began >= HOUR:
                if (
                    self._requests >= MIN_REQUESTS
                    and self._only_address is not None
                    and _is_private(self._only_address)
                ):
                    log.warning(
                        "all_requests_from_one_private_address",
                        address=self._only_address or "unknown",
                        requests=self._requests,
                        hint="If this is a proxy, let it send X-Forwarded-For, and name it in FORWARDED_ALLOW_IPS.",
                    )
                self._begin(now)
            if not self._requests:
                self._only_address = address
            elif address != self._only_address:
                self._only_address = None
            self._requests += 1


def _is_private(address: str) -> bool:
    return address in ("", LOOPBACK_V6) or ipaddress.ip_network(address).is_private
