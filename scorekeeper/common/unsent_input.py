"""What a form had sent that was refused before its view saw it, so that it can show again and be sent again.

Terms:
- *Unsent input* is what such a form had sent, with its address.
- The *page* of a form is where it is shown: its own address, or the page that it was on (`Referer`).

Invariant: secrets, and the content of files, are never part of it. `stale_forms` says where it shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.conf import settings
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, UnreadablePostError

from scorekeeper.common.form_refill import FORM_TOKEN, Fields
from scorekeeper.common.request_data import split_address
from scorekeeper.rights import ROUTES

MAX_CHARACTERS = 100_000  # of names and values; the longest form of a contest has some 40,000
SECRET = re.compile(r"token|pin$|password|passwd|secret|credential|private|csrf", re.IGNORECASE)
_CONTROLS = {FORM_TOKEN, "next"}


@dataclass(frozen=True)
class UnsentInput:
    """What a form had sent.

    Attributes:
        action: the address to which it was sent.
        page: the address of the page that has the form.
        fields: the names and values, without secrets.
        has_secrets: whether there were some.
        files: the names of the files that had been chosen, by the names of their fields.
        is_too_long: whether it was too much to keep; then there are no fields.
    """

    action: str
    page: str
    fields: Fields
    has_secrets: bool
    files: Mapping[str, str]
    is_too_long: bool = False

    @property
    def entered(self) -> list[tuple[str, str]]:
        """What a person can recognise: the fields with a value, by readable names."""
        return describe_fields(self.fields)


def list_file_names(request: HttpRequest) -> dict[str, str]:
    """Return the names of the files that were sent, by the names of their fields."""
    return {name: str(file.name) for name, file in request.FILES.items() if not isinstance(file, list) and file.name}


def describe_fields(fields: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the fields that have a value, each with its name in readable words."""
    readable = ((re.sub(r"[_\-.:]+", " ", name).strip().capitalize(), value) for name, value in fields)
    return [(name, value) for name, value in readable if value]


def read_unsent_input(request: HttpRequest) -> UnsentInput:
    """Return what the form had sent."""
    try:
        sent = [(name, value) for name, values in request.POST.lists() for value in values if name not in _CONTROLS]
        files = list_file_names(request)
    except (SuspiciousOperation, UnreadablePostError):
        sent, files = [], {}
    fields = [(name, value) for name, value in sent if not SECRET.search(name)]
    is_too_long = sum(len(name) + len(value) for name, value in fields) > MAX_CHARACTERS
    return UnsentInput(
        action=request.get_full_path(),
        page=next(iter(list_form_pages(request)), settings.LOGIN_REDIRECT_URL),
        fields=[] if is_too_long else fields,
        has_secrets=any(value for name, value in sent if SECRET.search(name)),
        files=files,
        is_too_long=is_too_long,
    )


def list_form_pages(request: HttpRequest) -> list[str]:
    """Return the addresses that may have the form: its own, if that has a page, and the page that it was sent from."""
    match = request.resolver_match
    has_page = match is not None and "GET" in ROUTES.get(match.view_name, {})
    return list(dict.fromkeys([*([request.get_full_path()] if has_page else []), *_list_referrers(request)]))


def _list_referrers(request: HttpRequest) -> list[str]:
    parts = split_address(request.headers.get("Referer", ""))
    if parts.netloc != request.get_host() or not parts.path.startswith("/") or parts.path.startswith("//"):
        return []
    return [f"{parts.path}?{parts.query}" if parts.query else parts.path]
