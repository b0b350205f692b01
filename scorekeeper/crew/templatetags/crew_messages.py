"""The organiser's messages at the top of the crew's pages: `{% crew_messages %}`."""

from __future__ import annotations

from typing import Any

from django import template
from django.http import HttpRequest

from scorekeeper.crew.models import Device
from scorekeeper.crew.selectors import list_unread_messages

register = template.Library()


@register.inclusion_tag("offline/messages.html", takes_context=True)
def crew_messages(context: template.Context) -> dict[str, Any]:
    """Render the messages that the phone's member has not read; none on a page for everyone."""
    request: HttpRequest | None = context.get("request")
    device: Device | None = getattr(request, "device", None)
    is_page = request is not None and request.method == "GET"
    return {
        "unread": [] if device is None else list_unread_messages(device),
        "next_url": request.get_full_path() if request is not None and is_page else "",
    }
