"""Which addresses the page of an event may link to."""

from __future__ import annotations

import re

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from scorekeeper.common.request_data import split_address

WEB_SCHEMES = ("http", "https")
# What the text may link to as well. `javascript:` and `data:` are in no list.
OTHER_SCHEMES = ("mailto", "tel")
# A host of two labels or more. Nobody's sponsor is on this machine.
_HOST = re.compile(r"(?!-)[^\s/@:.?#\\]+(?:\.[^\s/@:.?#\\]+)+\.?")
_FORBIDDEN = re.compile(r"[\s\x00-\x1f\x7f<>\"'`\\^{|}]")


def is_web_address(address: str) -> bool:
    """Return whether an address leads to a page on the web."""
    parts = split_address(address)
    has_port = True
    try:
        parts.port  # noqa: B018 - it raises where there is no number
    except ValueError:
        has_port = False
    is_clean = _FORBIDDEN.search(address) is None and "@" not in parts.netloc
    return is_clean and has_port and parts.scheme in WEB_SCHEMES and _HOST.fullmatch(parts.hostname or "") is not None


def is_text_link(address: str) -> bool:
    """Return whether the text of an event may link to an address: a page on the web, mail, or a phone number."""
    scheme = address.partition(":")[0].lower()
    return is_web_address(address) or (scheme in OTHER_SCHEMES and _FORBIDDEN.search(address) is None)


def complete_web_address(text: str) -> str:
    """Return an address with its scheme: people type "example.org"."""
    text = text.strip()
    return text if not text or "://" in text or text.startswith("//") else f"https://{text}"


def check_web_address(address: str) -> None:
    """Raise `ValidationError` unless an address leads to a page on the web."""
    if not is_web_address(address):
        raise ValidationError(_("Enter the address of a website, such as https://example.org."))
