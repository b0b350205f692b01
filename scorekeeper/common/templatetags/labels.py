"""The template filter `{{ label|with_colon }}`, for a label before what it labels."""

from __future__ import annotations

from django import template
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe

from scorekeeper.common import labels

register = template.Library()


@register.filter
def with_colon(label: str) -> SafeString:
    """Return the label with a colon: "Rider:"; in some languages there is a space before it."""
    return mark_safe(labels.with_colon(conditional_escape(label)))  # noqa: S308 - it is escaped
