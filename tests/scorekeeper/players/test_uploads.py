"""Every kind of file that a club may choose for its list of bikes or crew, on the page that takes it."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile

from scorekeeper.crew.models import CrewMember
from scorekeeper.events.models import Event
from scorekeeper.players.models import Player
from tests.scorekeeper.common.uploads import NAME, UploadedList, make_readable, make_unreadable
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.page_checks import PageResponse, get_visible_text
from tests.scorekeeper.players.test_import import confirmation_of

LISTS: Mapping[str, UploadedList] = {
    "bikes": UploadedList(
        "number,rider", "57,{}", "58,{}", "There are column names but no bikes below them. Add a row for each bike."
    ),
    "crew": UploadedList(
        "group,role,name",
        "Group nine,captain,{}",
        "Group nine,sweep,{}",
        "There are column names but no crew below them. Add a row for each person.",
    ),
}
READABLE = [(page, name) for page, upload in LISTS.items() for name in make_readable(upload)]
UNREADABLE = [(page, name) for page, upload in LISTS.items() for name in make_unreadable(upload)]


def _list_names(page: str) -> list[str]:
    """Return everyone who was imported on the page."""
    if page == "bikes":
        return list(Player.objects.values_list("name", flat=True))
    return list(CrewMember.objects.values_list("name", flat=True))


@pytest.fixture
def send(alice: User, sign_in: SignIn, event: Event) -> Callable[[str, bytes], PageResponse]:
    """Choose a file called "list.csv" on a page."""
    client = sign_in(alice)

    def choose(page: str, data: bytes) -> PageResponse:
        file = SimpleUploadedFile("list.csv", data)
        response: PageResponse = client.post(f"/desk/events/{event.slug}/{page}/import/", {"file": file, "text": ""})
        return response

    return choose


@pytest.mark.parametrize(("page", "variant"), READABLE)
def test_every_usual_variant_is_imported(
    page: str, variant: str, send: Callable[[str, bytes], PageResponse], event: Event, alice: User, sign_in: SignIn
) -> None:
    preview = send(page, make_readable(LISTS[page])[variant])
    assert preview.status_code == 200, get_visible_text(preview)

    sign_in(alice).post(f"/desk/events/{event.slug}/{page}/import/", confirmation_of(preview))

    assert NAME in _list_names(page)


@pytest.mark.parametrize(("page", "damage"), UNREADABLE)
def test_everything_else_is_refused_with_the_place_and_a_way_on(
    page: str, damage: str, send: Callable[[str, bytes], PageResponse]
) -> None:
    data, message = make_unreadable(LISTS[page])[damage]

    response = send(page, data)

    assert response.status_code == 422
    text = get_visible_text(response)
    assert text.count(message) >= 2, text  # in the summary and at the field
    assert _list_names(page) == []


@pytest.mark.parametrize("page", LISTS)
def test_what_is_listed_twice_is_named_with_both_rows(page: str, send: Callable[[str, bytes], PageResponse]) -> None:
    upload = LISTS[page]
    row = upload.row.format("Ann")

    response = send(page, f"{upload.header}\n{row}\n{row}\n".encode())

    assert response.status_code == 422
    assert "Rows 2 and 3:" in get_visible_text(response)
    assert "more than once" in get_visible_text(response)


@pytest.mark.parametrize("page", LISTS)
def test_a_nul_in_a_confirmed_text_is_refused(page: str, event: Event, alice: User, sign_in: SignIn) -> None:
    text = LISTS[page].write("An\0n")

    response = sign_in(alice).post(f"/desk/events/{event.slug}/{page}/import/", {"text": text, "digest": "x"})

    assert response.status_code == 422
    assert "has a character that is no text. Delete it." in get_visible_text(response)


def test_a_formula_is_imported_as_text_and_is_harmless_in_an_export(ride: Ride, alice: User, sign_in: SignIn) -> None:
    organiser, page = sign_in(alice), f"/desk/events/{ride.event.slug}/bikes/import/"
    preview = organiser.post(page, {"text": "number,rider\n1,=1+1\n"})
    assert preview.status_code == 200
    organiser.post(page, confirmation_of(preview))
    assert Player.objects.get(bike__number=1, role="rider").name == "=1+1"

    exported = organiser.get(f"/desk/events/{ride.event.slug}/results/{ride.contest.slug}/export.csv")

    assert exported.status_code == 200
    content = b"".join(exported)
    cells = [cell for line in csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")) for cell in line]
    assert [cell for cell in cells if "=1+1" in cell] == ["'=1+1"]
