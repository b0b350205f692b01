"""Responses that a browser saves as a file."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from typing import Any

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, StreamingHttpResponse


class Download(StreamingHttpResponse):
    """A streamed response, after which something is closed, also if the browser goes away before it has everything."""

    def __init__(self, content: Any, *, on_close: Callable[[], object], **options: Any) -> None:
        super().__init__(content, **options)
        self._on_close = on_close

    def close(self) -> None:
        """Close the response and what it was made from; the server calls this at the end of each request."""
        super().close()
        self._on_close()


def stream_file(
    request: HttpRequest,
    chunks: Iterable[bytes],
    content_type: str,
    name: str,
    *,
    on_close: Callable[[], object] = lambda: None,
) -> Download:
    """Return a response with a download, streamed as it is made."""
    # An asynchronous server would first collect all of an ordinary iterator.
    content: Any = _iterate_async(iter(chunks)) if isinstance(request, ASGIRequest) else chunks
    response = Download(content, on_close=on_close, content_type=content_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


async def _iterate_async(chunks: Iterator[bytes]) -> AsyncIterator[bytes]:
    take = sync_to_async(lambda: next(chunks, None))
    while (chunk := await take()) is not None:
        yield chunk
