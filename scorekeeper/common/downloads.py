"""Responses that a browser saves as a file."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Iterator
from typing import Any

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, StreamingHttpResponse


def stream_file(request: HttpRequest, chunks: Iterable[bytes], content_type: str, name: str) -> StreamingHttpResponse:
    """Return a response with a download, streamed as it is made."""
    # An asynchronous server would first collect all of an ordinary iterator.
    content: Any = _iterate_async(iter(chunks)) if isinstance(request, ASGIRequest) else chunks
    response = StreamingHttpResponse(content, content_type=content_type)
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


async def _iterate_async(chunks: Iterator[bytes]) -> AsyncIterator[bytes]:
    take = sync_to_async(lambda: next(chunks, None))
    while (chunk := await take()) is not None:
        yield chunk
