"""The template filter for times of day: `{{ "Agreed at 17:05"|clock }}` marks up each time in a text.

Pages have times in the ride's time zone and in 24 hours. `static/js/time_elements.js` shows what is marked up as the
phone writes times, which may be with am and pm.
"""

from __future__ import annotations

import re

from django import template
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe

register = template.Library()
_TIME = re.compile(r"\b((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)\b")


@register.filter
def clock(text: str) -> SafeString:
    """Return the text with each time in it, such as 17:05 or 17:05:30, as an element `time`."""
    marked = _TIME.sub(r'<time datetime="\1">\1</time>', conditional_escape(text))
    return mark_safe(marked)  # noqa: S308 - the text is escaped, and a time has only digits and colons
