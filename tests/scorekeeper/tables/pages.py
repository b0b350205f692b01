"""A phone at a table: it reads the page's form and sends it back with one button pressed."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.urls import reverse

from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.pages import list_forms

Fields = dict[str, list[str]]


def crew_url(card_id: UUID, page: str = "table") -> str:
    """Return the address of a page about the table, for the crew."""
    return reverse(f"tables:{page}", args=[card_id])


def desk_url(ride: Ride, card_id: UUID, page: str = "table") -> str:
    """Return the address of a page about the table, for organisers."""
    return reverse(f"tables:desk_{page}", args=[ride.event.slug, card_id])


def entry_of(page: Any) -> Fields:
    """Return the fields of the form in which actions are noted."""
    return next(form for form in list_forms(page) if "seen" in form)


def undo_of(page: Any) -> Fields:
    """Return the fields of the form that undoes the last action."""
    return next(form for form in list_forms(page) if "action" in form)


def press(phone: Any, page: Any, pressed: str, value: str = "1", htmx: bool = False, **more: Any) -> Any:
    """Send the entry's form back with one button pressed, and perhaps other fields: `roll__dice=["2"]`."""
    given = {name.replace("__", ":"): words for name, words in more.items()}
    fields = {**entry_of(page), **given, pressed: value}
    return phone.post(page.wsgi_request.path, fields, headers={"HX-Request": "true"} if htmx else {})


def tap(phone: Any, page: Any, field: str, *faces: object) -> Any:
    """Tap dice one after the other: `tap(phone, page, "throw:dice", 2, 5)`."""
    for face in faces:
        page = press(phone, page, f"tap:{field}", str(face))
    return page


def settle(phone: Any, answer: Any) -> Any:
    """Follow the answer to a form that was taken."""
    assert answer.status_code == 302, answer.content.decode()
    return phone.get(answer.url)
