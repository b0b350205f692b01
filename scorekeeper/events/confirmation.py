"""The page that asks before something is deleted or ended, and what follows its answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from scorekeeper.events.models import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmation:
    """What the page says, and where it leads.

    Attributes:
        event: what the question is about belongs to it.
        tab: the key of the event's tab that the page belongs to.
        title: of the page.
        question: its heading, which names what it is about.
        explanation: the consequences.
        detail: an address or a code, shown below the question.
        button: what the button says, if that is not the title.
        done: what is said afterwards.
        back: the address behind "Cancel".
        next_url: the address to go on to afterwards, if that is not `back`.
        refusals: what is said instead, by the exception that says why it cannot be done.
        refused_url: the address to go on to after a refusal, if that is not `back`.
    """

    event: Event | None = None
    tab: str = ""
    title: str
    question: str
    explanation: str
    detail: str = ""
    button: str = ""
    done: str
    back: str
    next_url: str = ""
    refusals: Mapping[type[Exception], str] = field(default_factory=dict)
    refused_url: str = ""

    def answer(self, request: HttpRequest, act: Callable[[], object]) -> HttpResponse:
        """Show the question. Once it is confirmed, act, say what has happened and go on.

        Args:
            act: does what the question is about. What it raises beyond the refusals goes on to the caller.
        """
        if request.method != "POST":
            return render(request, "events/confirm.html", {"event": self.event, "confirmation": self})
        try:
            act()
        except tuple(self.refusals) as error:
            messages.error(request, next(text for kind, text in self.refusals.items() if isinstance(error, kind)))
            return redirect(self.refused_url or self.back)
        messages.success(request, self.done)
        return redirect(self.next_url or self.back)
