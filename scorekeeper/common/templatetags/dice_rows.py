"""The template filter for texts with dice: `{{ "12 points with 6 6 1 2 3"|dice_rows }}` keeps each row on one line."""

from __future__ import annotations

import re

from django import template

register = template.Library()
_ROW = re.compile(r"(?<!\S)(?:[A-Z]|-?\d{1,2})(?: (?:[A-Z]|-?\d{1,2})){2,}(?!\w)")


@register.filter
def dice_rows(text: object) -> str:
    """Return the text without a line break within three or more faces that follow each other."""
    return _ROW.sub(lambda row: row[0].replace(" ", "\u00a0"), str(text))
