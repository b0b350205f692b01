"""The template tag `{% language_menu %}`: the languages to choose from."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.translation import get_language

from scorekeeper.common.languages import list_languages

register = template.Library()


@register.inclusion_tag("components/language_menu.html")
def language_menu() -> dict[str, Any]:
    """Render the menu; nothing if there is only one language.

    It is the same for every reader, so it has no token against forged forms: the view asks where a form came from, and
    goes back there.
    """
    return {"languages": list_languages(), "current": get_language()}
