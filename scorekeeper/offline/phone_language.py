"""Installs the language of a phone in its engine: what `scorekeeper.offline.language_pack` makes on the server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.utils import formats
from django.utils.translation import trans_null

from scorekeeper.rulebooks.books import add_translation


def install_pack(pack: Mapping[str, Any]) -> None:
    """Answer in the language of a pack from now on."""
    language = pack["language"]
    for name, value in pack["formats"].items():
        setattr(settings, name, value)
    formats.reset_format_cache()
    for package, text in pack["books"].items():
        add_translation(package, language, text)
    # Here it is tools.phone_engine.shims.django_translations.
    trans_null.install(language, pack["catalogues"])  # type: ignore[attr-defined]
