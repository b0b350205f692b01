"""What a request for a crew sheet asks for, whether it is printed from a page or as a PDF.

A sheet is printed once: its links exist only in the response. So each request has the id of its sheet, and the
organiser's session remembers the ids of the sheets that were created.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID, uuid4

from django.http import HttpRequest

from scorekeeper.common.request_data import parse_uuid
from scorekeeper.crew.models import CrewMember

WITHOUT_PHONE, EVERYONE = "without_phone", "everyone"  # values of the field `who`; others are the id of a member
PRINTED_KEY = "printed_crew_sheets"  # in the organiser's session: the ids of the sheets that were created
MAX_REMEMBERED = 20


def choose_members(members: Sequence[CrewMember], who: str) -> list[CrewMember] | None:
    """Return the members whose links are printed; None for somebody who is not in the crew, or not any more."""
    if who == EVERYONE:
        return list(members)
    if who == WITHOUT_PHONE:
        return list_without_phone(members)
    return [member for member in members if str(member.pk) == who] or None


def list_without_phone(members: Sequence[CrewMember]) -> list[CrewMember]:
    """Return the members without a valid phone. They come from `list_members_with_phones`."""
    return [member for member in members if not member.phones]  # type: ignore[attr-defined]


def read_sheet_id(request: HttpRequest) -> UUID:
    """Return the id of the sheet that a form asks for; a new one if it has none."""
    return parse_uuid(request.POST.get("sheet")) or uuid4()


def is_printed(request: HttpRequest, sheet_id: UUID) -> bool:
    """Return whether the sheet was created before."""
    return str(sheet_id) in request.session.get(PRINTED_KEY, [])


def remember_printed(request: HttpRequest, sheet_id: UUID) -> None:
    """Remember that the sheet was created."""
    printed = request.session.get(PRINTED_KEY, [])
    request.session[PRINTED_KEY] = [*printed, str(sheet_id)][-MAX_REMEMBERED:]
