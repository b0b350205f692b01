"""The form of a screen's settings, with a preview: the screen itself in a frame, as the form would save it."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any

from csp.constants import HEADER, SELF
from csp.utils import build_policy
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse

from scorekeeper.common.concurrent_edits import Edit
from scorekeeper.common.ordered_choice import is_move, move_row
from scorekeeper.events.access import OrganiserRequest, organiser_required
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.selectors import list_contests
from scorekeeper.live.forms import ScreenForm, get_part_key
from scorekeeper.live.models import Screen
from scorekeeper.live.selectors.screen import get_screen_presenter, list_parts
from scorekeeper.live.views.screen_response import render_screen


def edit_screen_form(request: HttpRequest, screen: Screen, contests: Sequence[Contest]) -> Edit[ScreenForm]:
    """Return the form of a screen. One that was sent only to move a row is a draft."""

    def make_form(data: Any, files: Any) -> ScreenForm:
        if data is not None and is_move(request):
            return ScreenForm(move_row(data, "parts"), files, instance=copy(screen), contests=contests)
        return ScreenForm(data, files, instance=screen, contests=contests)

    return Edit(request, make_form, is_draft=is_move(request))


def make_form_context(request: HttpRequest, event: Event, editing: Edit[ScreenForm]) -> dict[str, Any]:
    """Return the context of `live/_screen_form.html`."""
    address = reverse("live:preview", args=[event.slug])
    preview = editing.form.make_preview()
    return {"form": editing.form, "edit": editing, "preview": address, "preview_query": _make_query(preview)}


def get_status(request: HttpRequest, editing: Edit[ScreenForm]) -> int:
    """Return the status of the page with the form."""
    return 200 if is_move(request) else editing.status


@organiser_required
def show_preview(request: OrganiserRequest, event: Event) -> HttpResponse:
    """Show the screen that a form with these fields would save; nothing is stored.

    Only our own pages may put it into a frame.
    """
    screen = Screen(event=event, is_public="name" not in request.GET)
    form = ScreenForm(request.GET, instance=screen, contests=list(list_contests(event)))
    context = {"page_url": request.get_full_path(), "is_preview": True}
    response = render_screen(request, get_screen_presenter(form.make_preview()), context)
    response.headers["Cache-Control"] = "private, no-store"
    response.headers["X-Frame-Options"] = "SAMEORIGIN"
    response.headers[HEADER] = build_policy(replace={"frame-ancestors": [SELF]})
    return response


def _make_query(screen: Screen) -> str:
    query = QueryDict(mutable=True)
    query.setlist("parts", [get_part_key(part) for part in list_parts(screen)])
    query.update({name: str(getattr(screen, name)) for name in ("groups", "seconds", "theme", "language", "sponsor")})
    if screen.has_messages:
        query["has_messages"] = "on"
    if not screen.is_public:
        query["name"] = screen.name
    return query.urlencode()
