"""Handles a request on the phone, with the server's own views, and returns the operations that it recorded.

- Every request gets a response, whatever happens. If something fails, the response still includes the operations that
  were recorded before, as bodies for `POST /api/v1/operations`. An operation is stored without its personal text, which
  is in separate rows where it can be erased; here that text is inserted again.
- The ride may have been a draft when this phone's copy was made, and be open by now. Only the server knows. If it
  cannot be reached, an entry is recorded as if the ride were open, and stays pending until the server accepts it.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import unquote_to_bytes
from uuid import UUID

from django.core.handlers.base import BaseHandler
from django.core.handlers.wsgi import WSGIRequest
from django.db import connection
from django.http import HttpRequest, HttpResponse
from django.template.engine import Engine
from django.template.loader import get_template, render_to_string
from django.urls import reverse

from scorekeeper.api.forms.operation_parser import OPERATION_FORMS
from scorekeeper.common.cookies import get_cookie_name
from scorekeeper.crew.access import DEVICE_COOKIE
from scorekeeper.events.models import Event
from scorekeeper.ledger.models import Operation, OperationReason, UncheckedPeople
from scorekeeper.offline import clock, ride_import
from scorekeeper.offline.phone_site import NEEDS_SIGNAL, SERVER_ERROR
from scorekeeper.players.models import Player

FALLBACK_PAGE = (
    "<!DOCTYPE html><title>Tailgunner</title><p>Something went wrong on this phone. Your entries are kept.</p>"
)
log = logging.getLogger("tailgunner.phone")
_may_be_open = False


def handle_request(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the response to a request, and the operations that it recorded.

    Args:
        data: `method`, `path` with its query, `headers` with lower-case names, form-encoded `body`, `now`, and
            optionally `may_be_open`: a ride that was a draft may be open by now.
    """
    if connection.connection is None:
        return _serialize_response(HttpResponse(render_to_string("offline/no_ride.html"), status=NEEDS_SIGNAL), [])
    last_row_id = get_last_row_id()
    try:
        with clock.override_time(data.get("now", "")), assume_open(data.get("may_be_open", False)):
            response = _get_handler().get_response(_make_request(data))
    except Exception:  # otherwise the page would wait forever
        log.exception("request failed")
        response = HttpResponse(FALLBACK_PAGE, status=SERVER_ERROR)
    try:
        operations = list_recorded_since(last_row_id)
    except Exception:
        log.exception("operations not readable")
        response, operations = HttpResponse(FALLBACK_PAGE, status=SERVER_ERROR), []
    return _serialize_response(response, operations)


def warm_up() -> None:
    """Import the views and compile the templates of all pages."""
    _get_handler()
    reverse("scorecards:group")
    for folder in map(Path, Engine.get_default().dirs):
        for path in folder.rglob("*.html"):
            get_template(path.relative_to(folder).as_posix())


@cache
def _get_handler() -> BaseHandler:
    handler = BaseHandler()
    handler.load_middleware()
    return handler


def _make_request(data: Mapping[str, Any]) -> HttpRequest:
    path, _, query = data["path"].partition("#")[0].partition("?")
    headers, body = data.get("headers") or {}, (data.get("body") or "").encode()
    http_headers = {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in headers.items()}
    return WSGIRequest(
        {
            **http_headers,
            "REQUEST_METHOD": data["method"].upper(),
            "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
            "QUERY_STRING": query,
            "CONTENT_TYPE": headers.get("content-type", "application/x-www-form-urlencoded" if body else ""),
            "CONTENT_LENGTH": str(len(body)),
            "SERVER_NAME": "localhost",
            "SERVER_PORT": "80",
            "SERVER_PROTOCOL": "HTTP/1.1",
            "HTTP_COOKIE": f'{get_cookie_name(DEVICE_COOKIE)}="{ride_import.PHONE_TOKEN}"',
            "wsgi.url_scheme": "http",
            "wsgi.input": io.BytesIO(body),
        }
    )


def _serialize_response(response: Any, operations: list[dict[str, Any]]) -> dict[str, Any]:
    headers = {name.lower(): value for name, value in response.headers.items()}
    return {
        "status": response.status_code,
        "headers": {**ride_import.response_headers, **headers},
        "body": b"".join(response).decode(),
        "operations": operations,
    }


def patch_event() -> None:
    """Replace `Event.is_open` with what this phone has to assume."""
    Event.is_open = property(_is_open)  # type: ignore[assignment, method-assign]


@contextmanager
def assume_open(is_assumed: bool) -> Iterator[None]:
    """Treat a draft as an open ride, if `is_assumed`."""
    global _may_be_open  # noqa: PLW0603 - a phone answers one request at a time
    before, _may_be_open = _may_be_open, is_assumed
    try:
        yield
    finally:
        _may_be_open = before


def _is_open(event: Event) -> bool:
    return event.state == Event.State.OPEN or (_may_be_open and event.state == Event.State.DRAFT)


def get_last_row_id() -> int:
    """Return the highest row id of an operation so far."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT COALESCE(MAX(rowid), 0) FROM scorecards_operation")
        row_id: int = cursor.fetchone()[0]
    return row_id


def list_recorded_since(row_id: int) -> list[dict[str, Any]]:
    """Return the operations recorded after a row id, in order.

    Raises:
        KeyError: a phone cannot send an operation of this kind.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT id FROM scorecards_operation WHERE rowid > %s ORDER BY rowid", [row_id])
        ids = [UUID(row[0]) for row in cursor.fetchall()]
    recorded = Operation.objects.in_bulk(ids) if ids else {}
    return [build_body(recorded[operation_id]) for operation_id in ids]


def build_body(operation: Operation) -> dict[str, Any]:
    """Return the operation as a phone sends it."""
    fields = OPERATION_FORMS[operation.kind].fields
    values = {**operation.body, **_get_redacted_text(operation), "id": str(operation.pk)}
    return {"kind": operation.kind, **{name: values[name] for name in fields if name in values}}


def _get_redacted_text(operation: Operation) -> dict[str, str]:
    if operation.kind == "register_bike":
        unchecked = UncheckedPeople.objects.filter(pk=operation.pk).first()
        if unchecked is not None:
            return {"rider": unchecked.rider, "passenger": unchecked.passenger}
        return dict(Player.objects.filter(bike_id=operation.body["bike"]).values_list("role", "name"))
    reason = OperationReason.objects.filter(pk=operation.pk).first()
    return {"reason": "" if reason is None else reason.text}
