"""The security headers of every response, defined once.

Django's middleware sets the policy of pages. All other responses get the missing headers here: those that Django makes
before any middleware, the streams, and the server's own. The proxies' files in deploy/ repeat the list for responses
that nginx and Caddy make themselves; a test compares them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from csp.utils import build_policy
from django.conf import settings

from scorekeeper.common.body_limit import Application, Message, Receive, Scope, Send
from scorekeeper.common.permissions_policy import DENY_ALL, PERMISSIONS_POLICY_HEADER

# By this a phone recognises our responses: a hotel's login page has status 200 too.
TAILGUNNER_HEADER, TAILGUNNER_VALUE = "X-Tailgunner", "1"
HSTS_HEADER = "Strict-Transport-Security"
HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    PERMISSIONS_POLICY_HEADER: DENY_ALL,
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
# In the content policy of the pages that every site may show in a frame (`scorekeeper.embeds.framing`).
ANY_ANCESTOR = "frame-ancestors *"
FAILURE_BODY = b"The server failed. Try again.\n"


def list_headers(*, is_secure: bool) -> dict[str, str]:
    """Return the headers of a response, over TLS or not."""
    hsts = (
        {HSTS_HEADER: f"max-age={settings.SECURE_HSTS_SECONDS}"} if is_secure and settings.SECURE_HSTS_SECONDS else {}
    )
    return {**HEADERS, **hsts}


def list_page_headers() -> dict[str, str]:
    """Return the headers of a page, with lower-case names, for pages that a phone renders itself."""
    return {
        # In a fixed order, so that every process returns the same value.
        "content-security-policy": "; ".join(sorted((build_policy() or "").split("; "))),
        **{name.lower(): HEADERS[name] for name in ("X-Content-Type-Options", "X-Frame-Options", "Referrer-Policy")},
    }


class SecurityHeadersMiddleware:
    """ASGI middleware that adds the security headers and the Tailgunner header to every response."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on; if it fails before a response has begun, answer 500."""
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        has_begun = False

        async def send_protected(message: Message) -> None:
            nonlocal has_begun
            if message["type"] == "http.response.start":
                has_begun = True
                message = {**message, "headers": _add_missing(message["headers"], scope)}
            await send(message)

        try:
            await self._application(scope, receive, send_protected)
        except Exception:
            if not has_begun:
                plain = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
                await send_protected({"type": "http.response.start", "status": 500, "headers": plain})
                await send({"type": "http.response.body", "body": FAILURE_BODY})
            raise


def _add_missing(lines: Iterable[tuple[bytes, bytes]], scope: Scope) -> list[tuple[bytes, bytes]]:
    lines = list(lines)
    present = {name.lower() for name, _value in lines}
    if any(name.lower() == b"content-security-policy" and ANY_ANCESTOR.encode() in value for name, value in lines):
        present.add(b"x-frame-options")  # it would contradict the policy
    required = {**list_headers(is_secure=scope.get("scheme") == "https"), TAILGUNNER_HEADER: TAILGUNNER_VALUE}
    encoded = [(name.lower().encode(), value.encode()) for name, value in required.items()]
    return [*lines, *(line for line in encoded if line[0] not in present)]


def add_security_headers(application: Callable[..., Iterable[bytes]]) -> Callable[..., Iterable[bytes]]:
    """Return a WSGI application that does the same as `SecurityHeadersMiddleware`."""

    def protected(request: dict[str, Any], start_response: Callable[..., Any]) -> Iterable[bytes]:
        def start(status: str, lines: list[tuple[str, str]], *more: Any) -> Any:
            present = {name.lower() for name, _value in lines}
            if any(name.lower() == "content-security-policy" and ANY_ANCESTOR in value for name, value in lines):
                present.add("x-frame-options")
            required = {
                **list_headers(is_secure=request.get("wsgi.url_scheme") == "https"),
                TAILGUNNER_HEADER: TAILGUNNER_VALUE,
            }
            missing = [(name, value) for name, value in required.items() if name.lower() not in present]
            return start_response(status, [*lines, *missing], *more)

        return application(request, start)

    return protected
