"""ETags of answers that have no cheaper version than what they say."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from rest_framework.request import Request
from rest_framework.response import Response

from scorekeeper.ledger.canonical import sha256

READS = ("GET", "HEAD")


def compare_when_rendered(request: Request, response: Any) -> None:
    """Give an answer to a reader the ETag of its text, unless it has one, and make it a 304 if the reader has it."""
    if not isinstance(response, Response) or request.method not in READS:
        return
    if response.status_code != 200 or "ETag" in response.headers:
        return

    def compare(rendered: HttpResponse) -> HttpResponse | None:
        etag = quote_etag(sha256(rendered.content.decode())[:32])
        rendered.headers["ETag"] = etag
        return get_conditional_response(request, etag=etag, response=rendered)

    response.add_post_render_callback(compare)
