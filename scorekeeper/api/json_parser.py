"""Parsing of JSON from untrusted clients: any input is either parsed completely or refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import BaseParser

MAX_BODY_BYTES = 2_000_000  # 500 operations of complete turns take about 300,000
MAX_DIGITS = 20


class BodyTooLarge(APIException):
    """The body is longer than any valid batch."""

    status_code = 413
    default_detail = gettext_lazy("This request is too large. Send fewer operations at once.")
    default_code = "too_large"


class StrictJsonParser(BaseParser):
    """Parses UTF-8 JSON. A number with too many digits becomes infinity, so that only its operation is refused."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None) -> Any:
        """Return the value.

        Raises:
            BodyTooLarge: it is longer than 2 MB. Nothing of it is read.
            ParseError: it is not JSON.
        """
        length = int(stream.META.get("CONTENT_LENGTH") or 0)
        if length > MAX_BODY_BYTES:
            raise BodyTooLarge
        try:
            return parse_json(stream.read(length).decode())
        except ValueError:
            raise ParseError(_("The request body is not valid JSON."), "unreadable") from None


def parse_json(text: str) -> Any:
    """Return the value.

    Raises:
        ValueError: it is not JSON, or it is nested too deeply.
    """
    try:
        return json.loads(text, parse_int=_parse_whole_number)
    except RecursionError:
        raise ValueError from None


def _parse_whole_number(digits: str) -> int | float:
    return int(digits) if len(digits) <= MAX_DIGITS else float("inf")
