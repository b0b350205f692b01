"""Reading what a request sends: the form or the query string, and ids in it."""

from __future__ import annotations

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
