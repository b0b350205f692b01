"""Reading what a request sends: the form or the query string, and ids in it."""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit
from uuid import UUID

from django.http import HttpRequest, QueryDict


def get_request_data(request: HttpRequest) -> QueryDict:
    """Return the form's data, or the query string of a GET request."""
    return request.POST if request.method == "POST" else request.GET


def parse_uuid(text: object) -> UUID | None:
    """Return the text as a UUID, or None if it is not one."""
    try:
        return UUID(str(text))
    except ValueError:
        return None


def split_address(sent: str) -> SplitResult:
    """Return the parts of an address that a browser sent; of something that is none, they are empty."""
    try:
        return urlsplit(sent)
    except ValueError:  # such as http://[
        return urlsplit("")
