"""The language of a phone without signal: all its texts, rule books, and ways to write dates and figures, as data.

The server makes it from its catalogues, and the phone's engine installs it when it starts (`phone_language`). A phone
stores the pack of the language that it uses, as one of the app's files, so another language is another version of the
app.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import django
import polib
from django.conf import settings
from django.utils import formats
from django.utils.translation import to_locale

from games.core.registry import list_game_packages
from scorekeeper.rulebooks.books import CORE, read_translation

DJANGO_CATALOGUES = [Path(django.__file__).parent / folder for folder in ("conf/locale", "contrib/humanize/locale")]
# The settings with which Django writes dates and figures.
FORMATS = (
    *("DATE_FORMAT", "DATETIME_FORMAT", "TIME_FORMAT", "YEAR_MONTH_FORMAT", "MONTH_DAY_FORMAT"),
    *("SHORT_DATE_FORMAT", "SHORT_DATETIME_FORMAT", "FIRST_DAY_OF_WEEK"),
    *("DECIMAL_SEPARATOR", "THOUSAND_SEPARATOR", "NUMBER_GROUPING"),
    *("DATE_INPUT_FORMATS", "TIME_INPUT_FORMATS", "DATETIME_INPUT_FORMATS"),
)


@cache
def make_pack(code: str) -> str:
    """Return the pack of a language as JSON."""
    packages = (CORE, *list_game_packages(tuple(settings.EXTRA_GAMES)))
    books = {package: read_translation(package, code) for package in packages}
    content = {
        "language": code,
        "catalogues": [
            catalogue
            for catalogue in (_read(settings.LOCALE_PATHS, code), _read(DJANGO_CATALOGUES, code))
            if catalogue is not None
        ],
        "formats": {name: formats.get_format(name, code) for name in FORMATS},
        "books": {package: text for package, text in books.items() if text is not None},
    }
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


@cache
def get_pack_digest(code: str) -> str:
    """Return a digest of the pack of a language."""
    return hashlib.sha256(make_pack(code).encode()).hexdigest()


def _read(folders: Iterable[Path], code: str) -> dict[str, Any] | None:
    """Return the texts of catalogues that have the same rule for plural forms; None if there are none."""
    texts: dict[str, str] = {}
    plurals: dict[str, list[str]] = {}
    rule = ""
    for folder in folders:
        file = folder / to_locale(code) / "LC_MESSAGES" / "django.po"
        if not file.is_file():
            continue
        catalogue = polib.pofile(str(file))
        rule = catalogue.metadata["Plural-Forms"].partition("plural=")[2].strip(" ;")
        for entry in catalogue.translated_entries():
            key = entry.msgid if entry.msgctxt is None else f"{entry.msgctxt}\x04{entry.msgid}"
            if entry.msgid_plural:
                plurals[key] = [text for _index, text in sorted(entry.msgstr_plural.items())]
            else:
                texts[key] = entry.msgstr
    return {"plural": rule, "texts": texts, "plurals": plurals} if texts else None
