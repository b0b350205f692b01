"""How push services can reach whoever runs this installation."""

from __future__ import annotations

from urllib.parse import urlsplit

from django.conf import settings

from scorekeeper.common.public_address import get_address_problem


def get_subject() -> str:
    """Return the contact that push services are told; "" if there is none, and nothing can be sent.

    It is `PUSH_CONTACT`, otherwise the public address. Some push services refuse messages without one.
    """
    if settings.PUSH_CONTACT:
        return str(settings.PUSH_CONTACT)
    address = urlsplit(settings.BASE_URL)
    is_public = address.scheme == "https" and get_address_problem() is None
    return f"https://{address.hostname}" if is_public else ""
