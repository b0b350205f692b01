"""Pages go out packed; files that are sent as they are made do not."""

from __future__ import annotations

from typing import TypeVar

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

R = TypeVar("R", bound=HttpResponseBase)


class BufferedGZipMiddleware(GZipMiddleware):
    """Packs answers for whoever takes gzip."""

    def process_response(self, request: HttpRequest, response: R) -> R:
        """Pack an answer that is there as a whole.

        Django packs each piece of an asynchronous answer by itself. By the book that is gzip; browsers and curl unpack
        the first piece, and keep a file that ends there without a word.
        """
        if response.streaming:
            return response
        packed: R = super().process_response(request, response)  # type: ignore[assignment]
        return packed
