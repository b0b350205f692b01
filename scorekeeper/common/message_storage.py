"""Where the messages for a person's next page are: in a cookie, or in the session if there are too many for one."""

from __future__ import annotations

from django.contrib.messages.constants import ERROR
from django.contrib.messages.storage.cookie import CookieStorage
from django.contrib.messages.storage.fallback import FallbackStorage
from django.contrib.messages.storage.session import SessionStorage

from scorekeeper.common.cookies import get_cookie_name


class HostCookieStorage(CookieStorage):
    """Django's storage, in a cookie of our own name: no other host of the domain can have a page show its texts."""

    @property
    def cookie_name(self) -> str:  # type: ignore[override]
        """The name that the cookie has at the site's public address."""
        return get_cookie_name("messages")


class MessageStorage(FallbackStorage):
    """Django's usual storage, with that cookie."""

    storage_classes = (HostCookieStorage, SessionStorage)

    has_new_error = False  # whether this request has added a message that something failed

    def add(self, level: int, message: str, extra_tags: str | None = "") -> None:
        """Add a message for the next page."""
        self.has_new_error |= int(level) >= ERROR
        super().add(level, message, extra_tags)
