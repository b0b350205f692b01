"""Helpers for a phone at a table: read the page's form, and submit it with one button pressed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.urls import reverse

from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.card_forms import list_forms
from tests.scorekeeper.table_fixtures import ReadTable, make_throw

Fields = dict[str, list[str]]
ROLL: tuple[int | str, ...] = ("C", 2, 2, 4, 5, 6)  # at Rogue: a pair of twos, and a rogue that doubles it


def list_action_data(look: ReadTable, card_id: UUID) -> list[Any]:
    """Return the current actions, in order."""
    return [action for one in look(card_id).turns.values() for action in one.actions]


def get_throw_data(*dice: int) -> dict[str, Any]:
    """Return a throw in the format of the log."""
    return {"seat": 0, **make_throw(*dice)}


def get_roll_data(seat: int, *dice: int | str) -> dict[str, Any]:
    """Return a roll at Rogue, by default the one above."""
    return {"seat": seat, "type": "roll", "dice": list(dice or ROLL)}


def get_keep_data(seat: int, *dice: int | str) -> dict[str, Any]:
    """Return dice set aside at Rogue."""
    return {"seat": seat, "type": "keep", "dice": list(dice)}


def get_bank_data(seat: int) -> dict[str, Any]:
    """Return the end of a turn at Rogue."""
    return {"seat": seat, "type": "bank"}


def crew_url(card_id: UUID, page: str = "table") -> str:
    """Return the URL of a page about the table, for the crew."""
    return reverse(f"tables:{page}", args=[card_id])


def desk_url(ride: Ride, card_id: UUID, page: str = "table") -> str:
    """Return the URL of a page about the table, for organisers."""
    return reverse(f"tables:desk_{page}", args=[ride.event.slug, card_id])


def read_entry_form(page: Any) -> Fields:
    """Return the fields of the form that records actions."""
    return next(form for form in list_forms(page) if "seen" in form)


def read_undo_form(page: Any) -> Fields:
    """Return the fields of the form that undoes the last action."""
    return next(form for form in list_forms(page) if "action" in form)


def press(
    phone: Any,
    page: Any,
    pressed: str,
    value: str = "1",
    htmx: bool = False,
    fields: Mapping[str, Any] | None = None,
    **more: Any,
) -> Any:
    """Submit the form that records actions with one button pressed, and optional other fields: `roll__dice=["2"]`."""
    given = {name.replace("__", ":"): words for name, words in more.items()}
    sent = {**read_entry_form(page), **given, **(fields or {}), pressed: value}
    return phone.post(page.wsgi_request.path, sent, headers={"HX-Request": "true"} if htmx else {})


def tap(phone: Any, page: Any, field: str, *faces: object) -> Any:
    """Tap dice one by one: `tap(phone, page, "throw:dice", 2, 5)`."""
    for face in faces:
        page = press(phone, page, f"tap:{field}", str(face))
    return page


def follow_redirect(phone: Any, answer: Any) -> Any:
    """Follow the redirect after a form was accepted."""
    assert answer.status_code == 302, answer.content.decode()
    return phone.get(answer.url)
