"""The static files that the crew's pages are made of, with the addresses they have on this server.

Named are those that lie in the folders such pages take them from, whether or not a certain page does.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from django.contrib.staticfiles.finders import FileSystemFinder
from django.contrib.staticfiles.storage import staticfiles_storage

# Of the desk's and the public's pages, which a phone does not answer.
NOT_FOR_CREW = frozenset(
    {"css/board.css", "css/desk.css", "css/options.css", "css/screen.css", "js/board.js", "js/live.js", "js/screen.js"}
)
FILE_EXTENSIONS = (".css", ".js", ".svg", ".png", ".webp", ".woff2")


@cache
def list_static_names() -> tuple[str, ...]:
    """Return the names of the files, in order."""
    # Our own and those of the games; libraries bring along many more, of which no page uses one.
    ours = {name for name, _storage in FileSystemFinder().list([]) if name.endswith(FILE_EXTENSIONS)}
    return tuple(sorted(name for name in ours - NOT_FOR_CREW if "htmx-ext-sse" not in name))


def get_static_urls() -> Mapping[str, str]:
    """Return the address of each file by its name, as `{% static %}` writes it."""
    return {name: staticfiles_storage.url(name) for name in list_static_names()}


def list_static_urls() -> list[str]:
    """Return the addresses of all static files that a page of the crew may need."""
    return list(get_static_urls().values())
