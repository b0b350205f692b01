"""The template tag `{% language_menu %}`: the languages to choose from, and then to come back to this page."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.translation import get_language

from scorekeeper.common.languages import list_languages

register = template.Library()


@register.inclusion_tag("components/language_menu.html", takes_context=True)
def language_menu(context: template.Context) -> dict[str, Any]:
    """Render the menu; nothing if there is only one language.

    It is the same for every reader, so it has no token against forged forms: the view asks where a form came from.
    """
    request = context.get("request")
    return {
        "languages": list_languages(),
        "current": get_language(),
        "page": request.get_full_path() if request is not None else "/",
    }
