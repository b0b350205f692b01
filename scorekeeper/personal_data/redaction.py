"""Taking other people out of data and texts that are about several.

Invariant: the log names people, bikes and scorecards by their ids only.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any
from uuid import UUID

from django.utils.translation import gettext as _

_NOTHING = object()


def redact_others(data: Any, others: Collection[str]) -> Any:
    """Return plain data without what it says of others; None if nothing is left.

    A list of ids loses those of others. Any other list or object that names another is left out as a whole, since its
    numbers are about that one too. The keys of an object lose those that are others.

    Args:
        others: the ids of everyone and everything that is not the person's.
    """
    kept = _keep(data, others, is_outermost=True)
    return None if kept is _NOTHING else kept


def _keep(data: Any, others: Collection[str], *, is_outermost: bool = False) -> Any:
    if isinstance(data, str):
        return _NOTHING if data in others else data
    if isinstance(data, list):
        is_of_ids = all(isinstance(item, str) and _is_id(item) for item in data)
        if not is_of_ids and _names_any(data, others):
            return _NOTHING
        return _drop_nothing(_keep(item, others) for item in data)
    if isinstance(data, Mapping):
        if not is_outermost and _names_any(data.values(), others):
            return _NOTHING
        kept = {key: _keep(value, others) for key, value in data.items() if key not in others}
        return {key: value for key, value in kept.items() if value is not _NOTHING}
    return data


def _drop_nothing(items: Iterable[Any]) -> list[Any]:
    return [item for item in items if item is not _NOTHING]


def _names_any(items: Iterable[Any], others: Collection[str]) -> bool:
    return any(isinstance(item, str) and item in others for item in items)


def _is_id(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


class OtherNames:
    """The names of everyone else at an event, to be taken out of texts.

    A first name or a surname alone is taken out too, if it is spelled as in the name, and if the person does not have
    it as well.
    """

    def __init__(self, names: Iterable[str], own: Iterable[str]) -> None:
        own_names = {name.strip().casefold() for name in own}
        own_words = {word for name in own_names for word in _list_words(name)}
        others = {name for name in map(str.strip, names) if re.search(r"\w", name) and name.casefold() not in own_names}
        words = {word for name in others for word in _list_words(name) if word.casefold() not in own_words}
        self._whole = _compile(others, re.IGNORECASE)
        self._words = _compile(words)

    def remove_from(self, text: str) -> str:
        """Return a text without these names."""
        mark = _("[somebody else]")
        for pattern in (self._whole, self._words):
            if pattern is not None:
                text = pattern.sub(lambda _match: mark, text)
        return text


def _list_words(name: str) -> list[str]:
    return [word for word in re.findall(r"\w+", name) if len(word) > 1 and not word.isdigit()]


def _compile(texts: Collection[str], flags: re.RegexFlag = re.NOFLAG) -> re.Pattern[str] | None:
    """Return a pattern that finds any of the texts as whole words, the longest first."""
    if not texts:
        return None
    found = "|".join(re.escape(text) for text in sorted(texts, key=lambda text: (-len(text), text)))
    return re.compile(rf"(?<!\w)(?:{found})(?!\w)", flags)
