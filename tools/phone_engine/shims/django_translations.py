"""Instead of `django.utils.translation.trans_null`: the texts of one language, which `install` gets as data.

English is the texts themselves. Until a language is installed, and for any other, texts stay as they are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from gettext import c2py
from typing import Any

from django.conf import settings

CONTEXT = "\x04"  # between the context of a text and the text

_installed = ""  # the language
_catalogues: Sequence[_Catalogue] = ()  # its texts, the first one that has a text counts
_current: str | None = None  # None for texts as they are


class _Catalogue:
    def __init__(self, data: Mapping[str, Any]) -> None:
        self.texts: Mapping[str, str] = data["texts"]
        self.plurals: Mapping[str, Sequence[str]] = data["plurals"]
        self.choose = c2py(data["plural"])


def install(language: str, catalogues: Sequence[Mapping[str, Any]]) -> None:
    """Set the language of the phone.

    Args:
        catalogues: each with the rule for `plural` forms, such as "n != 1", its `texts`, and the forms in `plurals`.
    """
    global _installed, _catalogues
    _installed, _catalogues = language, [_Catalogue(data) for data in catalogues]
    activate(language)


def activate(language: str) -> None:
    """Use a language."""
    global _current  # noqa: PLW0603
    _current = language


def deactivate() -> None:
    """Use the language of the phone again."""
    activate(_installed or settings.LANGUAGE_CODE)


def deactivate_all() -> None:
    """Leave texts as they are."""
    global _current  # noqa: PLW0603
    _current = None


def get_language() -> str | None:
    """Return the language that is used."""
    return _current


def get_language_bidi() -> bool:
    """Return whether it is written from right to left."""
    return (_current or "").partition("-")[0] in settings.LANGUAGES_BIDI


def check_for_language(code: str) -> bool:
    """Return whether Django has files for a language. A phone has none: what it needs of them is installed."""
    return False


def gettext(message: str) -> str:
    """Return a text in the language."""
    if _current == _installed:
        for catalogue in _catalogues:
            if message in catalogue.texts:
                return catalogue.texts[message]
    return message


def ngettext(singular: str, plural: str, number: int) -> str:
    """Return a text for a number of things."""
    if _current == _installed:
        for catalogue in _catalogues:
            if singular in catalogue.plurals:
                return catalogue.plurals[singular][catalogue.choose(number)]
    return singular if number == 1 else plural


def pgettext(context: str, message: str) -> str:
    """Return a text with a context."""
    key = f"{context}{CONTEXT}{message}"
    found = gettext(key)
    return message if found == key else found


def npgettext(context: str, singular: str, plural: str, number: int) -> str:
    """Return a text with a context for a number of things."""
    keys = f"{context}{CONTEXT}{singular}", f"{context}{CONTEXT}{plural}"
    found = ngettext(*keys, number)
    return (singular if number == 1 else plural) if found in keys else found


def gettext_noop(message: str) -> str:
    """Mark a text."""
    return message


def get_language_from_request(request: object, check_path: bool = False) -> str:
    """Return the language of the phone: it has one for every request."""
    return _installed or settings.LANGUAGE_CODE


def get_language_from_path(path: str) -> None:
    """Return that no address names a language."""


def get_supported_language_variant(code: str, strict: bool = False) -> str:
    """Return the language of the phone if that is meant.

    Raises:
        LookupError: it is another.
    """
    if code != (_installed or settings.LANGUAGE_CODE):
        raise LookupError(code)
    return code


_current = settings.LANGUAGE_CODE
