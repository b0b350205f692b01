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

    @property
    def has_new_error(self) -> bool:
        """Whether this request has added a message that something failed."""
        return any(message.level >= ERROR for message in self._queued_messages)  # type: ignore[attr-defined]
