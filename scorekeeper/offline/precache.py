"""The precache: the files of the app that a phone stores, so that the app opens without signal.

Terms: the *version* is a digest of everything in the precache. A phone stores one complete version at a time. Any
change makes a new version, which is downloaded separately and activated when no entry has been begun.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from django.conf import settings
from django.urls import reverse
from django.utils.translation import get_language

from scorekeeper.common.languages import get_english
from scorekeeper.offline.app_files import ENGINE_FILES, ENGINE_URL, get_build_dir, get_static_urls
from scorekeeper.offline.language_pack import get_pack_digest

SCRIPT_DIR = Path(settings.BASE_DIR, "static", "js", "phone")
EXCLUDED_PREFIX = "img/screenshots/"  # needed only for installing, which needs signal anyway
# Pages that are the same for everyone; the phone fills them in.
PRECACHED_PAGES = ("offline:shell", "offline:ready", "offline:swap", "offline:plain")

FILES_FOR_EVERYONE = ("offline:engine_worker", "offline:manifest", "offline:language")


def read_script(name: str) -> str:
    """Return a script of `static/js/phone` that is served at its own URL."""
    return (SCRIPT_DIR / name).read_text("utf-8")


def list_precached_urls() -> list[str]:
    """Return the URLs of everything in the precache except the pages."""
    return [*_list_static_urls(), *_list_engine_urls()]


def compute_app_version() -> str:
    """Return the current version in the current language.

    The URLs of static files change with their content; the engine's do not.
    """
    language = get_language() or get_english()
    build = get_build_dir() / "manifest.json"
    parts = [
        *list_precached_urls(),
        *settings.EXTRA_GAMES,
        language,
        get_pack_digest(language),
        build.read_text("utf-8") if build.is_file() else "",
        *(path.read_text("utf-8") for path in sorted(SCRIPT_DIR.rglob("*.js"))),
        *(path.read_text("utf-8") for path in sorted(Path(settings.BASE_DIR, "templates", "offline").glob("*.html"))),
        Path(settings.BASE_DIR, "templates", "crew_base.html").read_text("utf-8"),
    ]
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


def render_worker_config() -> str:
    """Return the configuration of the service worker, as JSON."""
    pages = [reverse(name) for name in PRECACHED_PAGES]
    return json.dumps(
        {
            "version": compute_app_version(),
            "language": get_language(),
            "files": [*list_precached_urls(), *map(reverse, FILES_FOR_EVERYONE)],
            "pages": pages,
            "hasEngine": bool(_list_engine_urls()),
        }
    )


def _list_static_urls() -> list[str]:
    return [address for name, address in get_static_urls().items() if not name.startswith(EXCLUDED_PREFIX)]


def _list_engine_urls() -> list[str]:
    home = get_build_dir()
    return (
        [f"{ENGINE_URL}{name}" for name in ENGINE_FILES]
        if all((home / name).is_file() for name in ENGINE_FILES)
        else []
    )
