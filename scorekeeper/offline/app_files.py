"""The static files that the crew's pages use, with their URLs on this server, and the files of the phone's engine.

All files in the folders that such pages use are listed, whether or not a particular page needs them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

from django.conf import settings
from django.contrib.staticfiles.finders import FileSystemFinder
from django.contrib.staticfiles.storage import staticfiles_storage

# Used only by the organiser and public pages, which a phone does not serve.
NOT_FOR_CREW = frozenset(
    {
        *("css/board.css", "css/desk.css", "css/draw.css", "css/options.css", "css/screen.css", "css/theme.css"),
        *("js/board.js", "js/draw.js", "js/live.js", "js/screen.js", "js/stream_limit.js"),
        *("css/event_page.css", "js/board_columns.js", "js/board_search.js", "js/my_bike.js", "js/search_text.js"),
        *("css/embed_frame.css", "js/embed_frame.js", "js/embed_host.js", "js/push.js", "js/push/service_worker.js"),
    }
)
FILE_EXTENSIONS = (".css", ".js", ".svg", ".png", ".webp", ".woff2")
# What a phone downloads. The build also contains licences and the list of its sources.
ENGINE_FILES = (
    "manifest.json",
    "engine.mjs",
    "pyodide.mjs",
    "pyodide.asm.mjs",
    "pyodide.asm.wasm",
    "python.zip",
    "tailgunner.zip",
)
ENGINE_URL = "/offline/"  # by the name of the folder in BUILT_DIR


@cache
def list_static_names() -> tuple[str, ...]:
    """Return the names of the files, in order."""
    # Our own files and the games'. Libraries contain many more, which no page uses.
    ours = {name for name, _storage in FileSystemFinder().list([]) if name.endswith(FILE_EXTENSIONS)}
    return tuple(sorted(name for name in ours - NOT_FOR_CREW if "htmx-ext-sse" not in name))


def get_static_urls() -> Mapping[str, str]:
    """Return the URL of each file by its name, as `{% static %}` renders it."""
    return {name: staticfiles_storage.url(name) for name in list_static_names()}


def list_static_urls() -> list[str]:
    """Return the URLs of all static files that a crew page may need."""
    return list(get_static_urls().values())


def get_build_dir() -> Path:
    """Return the folder of the build that is served."""
    return Path(settings.BUILT_DIR, "offline")
