"""Instead of `django.contrib.staticfiles.storage`: the URLs of static files come from the server."""

from __future__ import annotations

from collections.abc import Mapping

from django.conf import settings


class StaticUrls:
    """The URLs of static files, by their names."""

    def __init__(self) -> None:
        self._urls: Mapping[str, str] = {}

    def set_urls(self, urls: Mapping[str, str]) -> None:
        """Set the URLs that the server sent."""
        self._urls = urls

    def url(self, name: str) -> str:
        """Return the URL of a file; for a file that the server did not send, one without a digest."""
        return self._urls.get(name) or f"{settings.STATIC_URL}{name}"


staticfiles_storage = StaticUrls()
