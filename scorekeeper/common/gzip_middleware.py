"""Compresses pages with gzip, but not streamed files."""

from __future__ import annotations

from typing import TypeVar

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

R = TypeVar("R", bound=HttpResponseBase)


class BufferedGZipMiddleware(GZipMiddleware):
    """Compresses responses for clients that accept gzip."""

    def process_response(self, request: HttpRequest, response: R) -> R:
        """Compress a response that is complete.

        Django compresses each chunk of an asynchronous response separately. That is valid gzip, but browsers and curl
        decompress only the first chunk and save a truncated file without any error.
        """
        if response.streaming:
            return response
        compressed: R = super().process_response(request, response)  # type: ignore[assignment]
        return compressed
