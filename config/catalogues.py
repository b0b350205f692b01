"""The languages of the pages: each has a catalogue of translations for the pages, and one in the folder of each game.

A catalogue is a text file (`django.po`). Django reads another form of it (`django.mo`), which is no source: it is made
here whenever it is missing or older, so that no step of installing or updating can be forgotten.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Sequence
from pathlib import Path

from django.conf.locale import LANG_INFO
from django.utils.translation import to_language, to_locale

ENGLISH = "en-gb"


def list_languages(folders: Sequence[Path], default: str) -> list[tuple[str, str]]:
    """Return the languages that pages can have, each by its code and its own name; English, the texts' own, is first.

    A language is offered only if its catalogues can be read: otherwise Django's own translations would be mixed with
    our English.

    Args:
        folders: with catalogues in `<locale>/LC_MESSAGES`; the first one has the pages'.
        default: the language of the installation, which may be another English than the British one.
    """
    english = default if default.partition("-")[0] == "en" else ENGLISH
    codes = sorted(to_language(path.parents[1].name) for path in folders[0].glob("*/LC_MESSAGES/django.po"))
    ready = [code for code in codes if all(_compile(folder, code) for folder in folders)]
    return [(english, "English"), *((code, _get_own_name(code)) for code in ready)]


def _get_own_name(code: str) -> str:
    return str(LANG_INFO[code]["name_local"]).capitalize() if code in LANG_INFO else code


def _compile(folder: Path, code: str) -> bool:
    """Make the form that Django reads, if there is none as new as the catalogue; return whether there is one."""
    source = folder / to_locale(code) / "LC_MESSAGES" / "django.po"
    target = source.with_suffix(".mo")
    if not source.is_file() or (target.is_file() and target.stat().st_mtime_ns >= source.stat().st_mtime_ns):
        return True
    try:
        compile_catalogue(source)
    except OSError as error:
        if target.is_file():
            return True  # a version behind
        warnings.warn(f"Pages cannot be shown in {code}: {error}", RuntimeWarning, stacklevel=2)
        return False
    return True


def compile_catalogue(source: Path) -> None:
    """Write the form that Django reads, beside the catalogue.

    Raises:
        OSError: it cannot be written, or the catalogue cannot be read.
    """
    import polib  # rarely needed

    target = source.with_suffix(".mo")
    # Several processes may start at once, each with a file of its own.
    own = target.with_suffix(f".{os.getpid()}")
    try:
        polib.pofile(str(source)).save_as_mofile(str(own))
        own.replace(target)
    except OSError:
        own.unlink(missing_ok=True)
        raise
