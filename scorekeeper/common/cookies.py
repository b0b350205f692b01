"""Cookie names. Over TLS they begin with `__Host-`, so that no other host of the same domain can set or read them.

Over TLS a cookie without the prefix is never accepted: another host of the domain may have set it, and someone would
then work in an account that is not theirs. A browser that has only such a cookie, from before there was the prefix,
signs in again; a crew phone keeps its entries and joins with a new link.
"""

from __future__ import annotations

from django.conf import settings

HOST_PREFIX = "__Host-"


def get_cookie_name(name: str) -> str:
    """Return the name that one of our cookies has at the site's public address."""
    return f"{HOST_PREFIX}{name}" if settings.SESSION_COOKIE_SECURE else name
