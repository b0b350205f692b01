"""The template tag `{% form_id %}`: the id of a form that creates something, so that it does so once (`sent_once`)."""

from __future__ import annotations

from uuid import uuid4

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from scorekeeper.common.request_data import parse_uuid

FORM_ID = "form_id"

register = template.Library()


@register.simple_tag(takes_context=True)
def form_id(context: template.Context) -> SafeString:
    """Return the hidden field: of a form that shows again the id that it had, otherwise a new one."""
    request = context.get("request")
    sent = parse_uuid(request.POST.get(FORM_ID)) if request is not None else None
    return format_html('<input type="hidden" name="{}" value="{}">', FORM_ID, sent or uuid4())
