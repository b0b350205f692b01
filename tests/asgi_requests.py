"""Sends requests to ASGI applications in this process, without a server."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from asgiref.sync import sync_to_async
from django.db import connections


async def request(
    application: Any, path: str, *, method: str = "GET", scheme: str = "http", headers: Mapping[str, str]
) -> list[Any]:
    """Send a request without a body; return the messages of the response.

    The client leaves a stream as soon as it has the headers, since its body has no end.

    Args:
        headers: by name; `_` stands for `-`.
    """
    sent: list[Any] = []
    is_left = asyncio.Event()
    lines = [(name.lower().replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": "http", "method": method, "path": path, "raw_path": path.encode(), "scheme": scheme}
    scope |= {"query_string": b"", "headers": lines, "http_version": "1.1", "root_path": "", "server": ("a", 80)}

    coming = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> Any:
        if coming:
            return coming.pop()
        await is_left.wait()
        return {"type": "http.disconnect"}

    async def keep(message: Any) -> None:
        sent.append(message)
        if any(value.startswith(b"text/event-stream") for _name, value in message.get("headers", ())):
            is_left.set()

    try:
        await application(scope, receive, keep)
    finally:
        await sync_to_async(connections.close_all)()  # those of the thread in which Django's views ran
    return sent
