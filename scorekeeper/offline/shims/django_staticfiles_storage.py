"""Instead of `django.contrib.staticfiles.storage`: static files have the addresses that the server gave them."""

from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings


class StaticUrls:
    """The addresses of static files, by their names."""

    def __init__(self) -> None:
        self._urls: Mapping[str, str] = {}

    def set_urls(self, addresses: Mapping[str, str]) -> None:
        """Take in what the server said."""
        self._urls = addresses

    def url(self, name: str) -> str:
        """Return the address of a file; of one that the server did not name, the plain one."""
        return self._urls.get(name) or f"{settings.STATIC_URL}{name}"


staticfiles_storage = StaticUrls()
