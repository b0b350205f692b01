"""ASGI middleware that serves the static files in front of Django.

Under ASGI, Django passes every request from thread to thread, and a file several times more: it takes six times the CPU
time (`benchmarks/serving_static_files.py`). Somebody's first page needs some twenty files, a phone's app a hundred and
more, so the first leaderboard that somebody opens would cost the server twice as much (decision 65).

Files and responses are WhiteNoise's, as in its middleware for Django, which serves them under WSGI. What is used of it,
its list of files and the response of each, is compared with that middleware by
`tests/scorekeeper/common/test_static_middleware.py`.
"""

from __future__ import annotations

import asyncio
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware

from scorekeeper.common.body_limit import Application, Receive, Scope, Send


class StaticFilesMiddleware:
    """Serves static files, and passes everything else on."""

    def __init__(self, application: Application) -> None:
        """Read which files there are; if `settings.DEBUG` is on, they may change, and Django serves them."""
        self._application = application
        self._files: dict[str, Any] = {} if settings.DEBUG else WhiteNoiseMiddleware(_find_nothing).files

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request for a file. One that has to be repeated over TLS is left to Django."""
        file = self._files.get(scope["path"]) if scope["type"] == "http" else None
        if file is None or (settings.SECURE_SSL_REDIRECT and scope["scheme"] != "https"):
            await self._application(scope, receive, send)
            return
        response = file.get_response(scope["method"], _name_as_in_wsgi(scope))
        lines = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in response.headers]
        body = await asyncio.to_thread(_read, response.file) if response.file else b""
        await send({"type": "http.response.start", "status": int(response.status), "headers": lines})
        await send({"type": "http.response.body", "body": body})


def _find_nothing(_request: HttpRequest) -> HttpResponse:
    return HttpResponse(status=HTTPStatus.NOT_FOUND)


def _name_as_in_wsgi(scope: Scope) -> dict[str, str]:
    """Return the request's headers under the names that WhiteNoise knows them by."""
    return {
        f"HTTP_{name.decode('latin-1').upper().replace('-', '_')}": value.decode("latin-1")
        for name, value in scope["headers"]
    }


def _read(file: Any) -> bytes:
    with file:
        content: bytes = file.read()
        return content
