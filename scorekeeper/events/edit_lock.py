"""The lock under which organisers' forms are saved: one after another for each event.

Under it the form is merged with what is saved now (`scorekeeper.common.concurrent_edits`), and that does not change
until the form is saved. Deleting takes it too, so that no row disappears in between.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.db import transaction
from django.http import Http404, HttpResponse

from scorekeeper.events.access import OrganiserRequest
from scorekeeper.events.models import Event
from scorekeeper.events.services.events import lock_event

P = ParamSpec("P")
EventView = Callable[Concatenate[OrganiserRequest, Event, P], HttpResponse]


def one_edit_at_a_time(view: EventView[P]) -> EventView[P]:
    """Answer each POST in a transaction with the event locked, and pass on the event as it is then."""

    @wraps(view)
    def locked(request: OrganiserRequest, event: Event, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if request.method != "POST":
            return view(request, event, *args, **kwargs)
        with transaction.atomic():
            try:
                current = lock_event(event)
            except Event.DoesNotExist as error:
                raise Http404 from error
            return view(request, current, *args, **kwargs)

    return locked
