"""/desk/events/<slug>/bikes/import/"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping
from html import unescape

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from scorekeeper.bikes.models import Bike
from scorekeeper.common.spreadsheets.forms import MAX_BYTES
from scorekeeper.common.spreadsheets.importer import StaleImportPlan
from scorekeeper.crew.models import Group
from scorekeeper.events.models import Event
from scorekeeper.events.services.events import create_event
from scorekeeper.players.models import Player
from scorekeeper.players.roster_import import SAMPLE_CSV, RosterImporter
from tests.scorekeeper.common.test_spreadsheet_files import make_workbook
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.page_checks import PageResponse, assert_refused, get_page_text

pytestmark = pytest.mark.database

ROSTER = (
    "number,rider,passengers,make,model,group\n"
    "1,Ann,,Honda,,Group one\n"  # as it is
    "2,Ben,Max,Honda,Rebel,group ONE\n"  # another passenger, a model
    "57,Ida Lund,,BMW,,Group three\n"  # a new bike in a new group
)


def address_of(event: Event) -> str:
    return f"/desk/events/{event.slug}/bikes/import/"


def confirmation_of(response: PageResponse) -> dict[str, str]:
    """Return the data that the preview's button submits, as a browser would, with the tick for questions."""
    page = response.content.decode()
    text = re.search(r'<textarea name="text"[^>]*>\n?(.*?)</textarea>', page, re.DOTALL)
    digest = re.search(r'name="digest"\s+value="(\w+)"', page)
    assert text is not None
    assert digest is not None
    agreed = {"agreed": "on"} if 'name="agreed"' in page else {}
    return {
        "text": unescape(text[1]).replace("\n", "\r\n"),
        "digest": digest[1],
        **columns_of(page),
        **agreed,
        **how_of(page),
    }


def how_of(page: str) -> dict[str, str]:
    """Return what a preview says of how the text was read: the row of the column names, and what that is about."""
    return {name: re.findall(rf'name="{name}"[^>]*value="([^"]*)"', page)[0] for name in ("read", "heading")}


def columns_of(page: str) -> dict[str, str]:
    """Return the field that each column is read as."""
    selects = re.findall(r'<select name="(column-\d+)".*?</select>', page, re.DOTALL)
    bodies = re.findall(r'<select name="column-\d+".*?</select>', page, re.DOTALL)
    selected = [re.search(r'<option value="(\w+)"\s+selected', body) for body in bodies]
    return {name: match[1] if match else "" for name, match in zip(selects, selected, strict=True)}


def list_everything(event: Event) -> list[tuple[object, ...]]:
    bikes = event.bikes.values_list("number", "suffix", "make", "model", "group__name", "pk")
    people = event.players.values_list("bike__number", "name", "role", "pk")
    return [*bikes, *people, *event.groups.values_list("name", "ordinal")]


@pytest.fixture
def client(alice: User, sign_in: SignIn) -> Client:
    """Alice's browser."""
    return sign_in(alice)


def test_the_preview_shows_every_line_and_what_would_happen(
    bikes: Mapping[int, Bike], event: Event, client: Client
) -> None:
    before = list_everything(event)

    response = client.post(address_of(event), {"text": ROSTER})

    page = get_page_text(response)
    assert response.status_code == 200
    rows = [re.sub(r"<[^>]+>", " ", row) for row in page.split("<tbody>")[2].split("</tr>")[:-1]]
    texts = [" ".join(row.split()) for row in rows]
    assert texts == [
        "1 Unchanged Ann Honda Group one",
        "2 Changed Passengers: Zoe → Max Model: – → Rebel Ben · Max Honda Rebel Group one",
        "57 New Ida Lund BMW Group three",
    ]
    assert "This group is new and will be created: Group three" in page
    assert list_everything(event) == before


def test_after_confirmation_everything_is_imported(bikes: Mapping[int, Bike], event: Event, client: Client) -> None:
    preview = client.post(address_of(event), {"text": ROSTER})

    response = client.post(address_of(event), confirmation_of(preview), follow=True)

    assert "1 bike added, 1 changed." in get_page_text(response)
    new = event.bikes.get(number=57)
    assert new.group is not None
    assert (new.make, new.group.name) == ("BMW", "Group three")
    assert [dice_set.name for dice_set in new.group.dice_sets.all()] == ["Road captain", "Tail-gunner", "Third"]
    assert list(new.players.values_list("name", "role")) == [("Ida Lund", "rider")]
    changed = event.bikes.get(number=2)
    assert (changed.pk, changed.model) == (bikes[2].pk, "Rebel")
    assert list(changed.players.values_list("name", "role")) == [("Ben", "rider"), ("Max", "passenger")]
    assert event.bikes.count() == 9


def test_the_same_roster_again_changes_nothing(bikes: Mapping[int, Bike], event: Event, client: Client) -> None:
    first = client.post(address_of(event), {"text": ROSTER})
    client.post(address_of(event), confirmation_of(first))
    before = list_everything(event)

    again = client.post(address_of(event), {"text": ROSTER})
    assert "Everything is already on the roster." in get_page_text(again)
    RosterImporter(event).execute_plan(ROSTER, RosterImporter(event).make_plan(ROSTER).digest)

    assert list_everything(event) == before


def test_a_double_click_on_import_adds_nothing_twice(event: Event, client: Client) -> None:
    confirmation = confirmation_of(client.post(address_of(event), {"text": ROSTER}))
    client.post(address_of(event), confirmation)
    before = list_everything(event)

    response = client.post(address_of(event), confirmation)

    assert response.status_code == 409
    assert "Everything is already on the roster." in get_page_text(response)
    assert list_everything(event) == before


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("roster.csv", ROSTER.replace("Ann", "Ånn").encode(), ""),
        ("roster.csv", ROSTER.replace("Ann", "Ånn").encode("cp1252"), "we read it as Windows-1252"),
        ("roster.xlsx", make_workbook([["Nr", "Name"], [1, "Ånn"]]), ""),
    ],
    ids=["utf-8", "windows-1252", "xlsx"],
)
def test_a_file_is_read_and_the_page_says_how(
    event: Event, client: Client, name: str, data: bytes, message: str
) -> None:
    preview = client.post(address_of(event), {"file": SimpleUploadedFile(name, data), "text": ""})
    assert message in get_page_text(preview)
    assert ("Windows-1252" in get_page_text(preview)) == ("Windows-1252" in message)
    client.post(address_of(event), confirmation_of(preview))

    assert Player.objects.filter(name="Ånn", bike__number=1).exists()


def test_columns_are_shown_and_can_be_changed(event: Event, client: Client) -> None:
    text = "Bike,Startnr,Wer\n12,57,Ida\n14,9,Zoe\n"

    page = client.post(address_of(event), {"text": text})
    assert columns_of(page.content.decode()) == {"column-0": "make", "column-1": "number", "column-2": ""}
    assert "This column is not used: Wer" in get_page_text(page)
    assert "Ida · Zoe" in get_page_text(page)
    chosen = {"column-0": "", "column-1": "number", "column-2": "rider"}

    conflict = client.post(address_of(event), {**confirmation_of(page), **chosen})
    assert conflict.status_code == 409, "a column was changed, and its effect has not been shown"
    assert columns_of(conflict.content.decode()) == chosen
    client.post(address_of(event), confirmation_of(conflict))

    assert list(Player.objects.order_by("name").values_list("name", "bike__number", "bike__make")) == [
        ("Ida", 57, ""),
        ("Zoe", 9, ""),
    ]


def test_the_button_below_the_columns_is_called_as_the_page_says(event: Event, client: Client) -> None:
    page = get_page_text(client.post(address_of(event), {"text": ROSTER}))

    assert "Change what is wrong, then check again." in page
    assert "Check again" in page


def test_without_a_number_column_the_page_asks_for_it(event: Event, client: Client) -> None:
    text = "Where,Who\nA57,Ida\n"

    page = client.post(address_of(event), {"text": text})

    assert page.status_code == 422
    assert "No column has the bikes’ numbers. Choose it, or let numbers be given." in get_page_text(page)
    assert 'href="#columns"' in get_page_text(page)
    assert set(columns_of(page.content.decode())) == {"column-0", "column-1"}


def test_problems_are_listed_by_row_and_nothing_is_imported(event: Event, client: Client) -> None:
    broken = "number,rider\n1,Ann\nx,Ben\n"

    response = client.post(address_of(event), {"text": broken})

    assert_refused(
        response, "id_text", "Cell A3: the number is not one from 1 to 99999, perhaps with letters, such as 12A (“x”)."
    )
    assert "Nothing was imported." in get_page_text(response)
    assert broken in unescape(response.content.decode())
    assert not Bike.objects.exists()


def test_the_text_of_a_broken_file_can_be_fixed_on_the_page(event: Event, client: Client) -> None:
    file = SimpleUploadedFile("roster.csv", b"number,rider\nx,Ben\n")

    response = client.post(address_of(event), {"file": file})

    assert response.status_code == 422
    assert "number,rider x,Ben" in get_page_text(response)


def test_only_the_first_of_very_many_problems_are_listed(event: Event, client: Client) -> None:
    response = client.post(address_of(event), {"text": "number\n" + "".join(f"{n}\n" * 2 for n in range(1, 61))})

    assert "There are 10 more problems like these." in get_page_text(response)


@pytest.mark.parametrize(
    ("file", "field", "message"),
    [
        (None, "file", "Choose a file, or paste its content below."),
        (
            SimpleUploadedFile("roster.csv", b""),
            "file",
            "The file is empty. Choose another one, or paste its content below.",
        ),
        (
            SimpleUploadedFile("roster.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"),
            "file",
            "This is an old Excel file (.xls), or one with a password. Save it as .xlsx or CSV and choose it again.",
        ),
        (
            SimpleUploadedFile("roster.csv", b"1" * (MAX_BYTES + 1)),
            "file",
            "The file is larger than 1 megabyte. Choose a smaller file with only what to import.",
        ),
    ],
)
def test_a_file_that_cannot_be_read_is_explained(
    event: Event, client: Client, file: SimpleUploadedFile | None, field: str, message: str
) -> None:
    response = client.post(address_of(event), {"text": "", **({"file": file} if file else {})})

    assert_refused(response, f"id_{field}", message)


def test_a_shared_number_must_be_resolved_first(bikes: Mapping[int, Bike], event: Event, client: Client) -> None:
    Bike.objects.create(event=event, number=2, suffix=2)

    response = client.post(address_of(event), {"text": ROSTER})

    assert_refused(
        response, "id_text", "Row 3: several bikes already have the number 2; give each its own number first."
    )


def test_a_concurrent_change_is_shown_before_anything_is_imported(
    bikes: Mapping[int, Bike], event: Event, client: Client
) -> None:
    confirmation = confirmation_of(client.post(address_of(event), {"text": ROSTER}))
    Player.objects.filter(name="Ann").update(name="Anna")
    before = list_everything(event)

    response = client.post(address_of(event), confirmation)

    assert response.status_code == 409
    assert "The event or your columns have changed since you checked." in get_page_text(response)
    assert "Rider: Anna → Ann" in get_page_text(response)
    assert list_everything(event) == before

    assert client.post(address_of(event), confirmation_of(response)).status_code == 302
    assert Player.objects.filter(name="Ann").exists()


def test_a_roster_that_was_altered_after_the_preview_is_shown_again(event: Event, client: Client) -> None:
    confirmation = confirmation_of(client.post(address_of(event), {"text": ROSTER}))

    altered = {**confirmation, "text": confirmation["text"].replace("57", "x")}
    response = client.post(address_of(event), altered)

    assert_refused(
        response, "id_text", "Cell A4: the number is not one from 1 to 99999, perhaps with letters, such as 12A (“x”)."
    )
    assert not Bike.objects.exists()


def test_when_the_last_step_fails_nothing_is_imported(event: Event, monkeypatch: pytest.MonkeyPatch) -> None:
    digest = RosterImporter(event).make_plan(ROSTER).digest

    def run_out_of_space(_people: list[Player]) -> list[Player]:
        assert event.bikes.count() == 3, "the bikes are written by now"
        raise OSError

    monkeypatch.setattr(Player.objects, "bulk_create", run_out_of_space)

    with pytest.raises(OSError):  # noqa: PT011 - it has no message to match
        RosterImporter(event).execute_plan(ROSTER, digest)

    assert list_everything(event) == []


def test_the_service_rejects_a_stale_import_plan(event: Event) -> None:
    digest = RosterImporter(event).make_plan(ROSTER).digest
    Bike.objects.create(event=event, number=57)

    with pytest.raises(StaleImportPlan):
        RosterImporter(event).execute_plan(ROSTER, digest)

    assert event.bikes.count() == 1


def test_when_a_walk_up_takes_a_number_meanwhile_nothing_is_imported(
    event: Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    digest = RosterImporter(event).make_plan(ROSTER).digest
    write = Bike.objects.bulk_create

    def write_too_late(bikes: list[Bike]) -> list[Bike]:
        Bike.objects.create(event=event, number=57)
        return write(bikes)

    monkeypatch.setattr(Bike.objects, "bulk_create", write_too_late)

    with pytest.raises(StaleImportPlan):
        RosterImporter(event).execute_plan(ROSTER, digest)

    assert list_everything(event) == []


def test_missing_columns_leave_values_unchanged(bikes: Mapping[int, Bike], event: Event) -> None:
    text = "number,rider\n2,Benno\n"

    RosterImporter(event).execute_plan(text, RosterImporter(event).make_plan(text).digest)

    bike = event.bikes.get(number=2)
    assert (bike.make, bike.group, bike.players.count()) == ("Honda", bikes[2].group, 2)
    assert bike.players.get(role="rider").name == "Benno"


def test_an_empty_cell_clears_the_value(bikes: Mapping[int, Bike], event: Event) -> None:
    text = "number,passengers,make,group\n2,,,\n"

    RosterImporter(event).execute_plan(text, RosterImporter(event).make_plan(text).digest)

    bike = event.bikes.get(number=2)
    assert (bike.make, bike.group) == ("", None)
    assert [player.name for player in bike.players.all()] == ["Ben"]


def test_the_sample_can_be_downloaded_and_imported(event: Event, client: Client) -> None:
    assert f"{address_of(event)}sample.csv" in get_page_text(client.get(address_of(event)))

    sample = client.get(f"{address_of(event)}sample.csv")
    assert sample.content.startswith(b"\xef\xbb\xbf")
    assert sample["Content-Disposition"] == 'attachment; filename="roster.csv"'
    file = SimpleUploadedFile("roster.csv", sample.content)
    client.post(address_of(event), confirmation_of(client.post(address_of(event), {"file": file})))

    assert event.bikes.count() == len(SAMPLE_CSV.splitlines()) - 1


def test_names_are_escaped(event: Event, client: Client) -> None:
    text = 'number,rider,group\n1,<script>alert(1)</script>,"</textarea><b>"\n'

    response = client.post(address_of(event), {"text": text})

    raw = response.content.decode()
    assert "<script>alert" not in raw
    assert "</textarea><b>" not in raw
    client.post(address_of(event), confirmation_of(response))
    assert Player.objects.get().name == "<script>alert(1)</script>"
    assert Group.objects.get().name == "</textarea><b>"


def test_the_number_of_queries_of_a_plan_does_not_grow_with_bikes(
    bikes: Mapping[int, Bike], event: Event, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(5):  # the groups twice, the bikes, the people on them, whether a contest is closed
        plan = RosterImporter(event).make_plan("number,rider\n" + "".join(f"{n},Rider {n}\n" for n in range(1, 200)))

    assert (plan.counts["changed"], plan.counts["new"]) == (8, 191)


TWO_SHEETS = make_workbook(
    [["number", "rider", "group"], [7, "Old Hand", "One"]],
    [["number", "rider", "group"], [8, "Ann", "One"], [9, "Ben", "One"]],
)


def test_another_sheet_of_a_workbook_can_be_chosen(event: Event, client: Client) -> None:
    page = client.post(address_of(event), {"file": SimpleUploadedFile("roster.xlsx", TWO_SHEETS)})
    html = page.content.decode()
    assert re.findall(r'<option value="(\d)"\s+(?:selected)?>(Sheet\d)', html) == [("0", "Sheet2"), ("1", "Sheet1")]
    (sheets,) = re.findall(r'<textarea name="sheets" hidden>\n(.*?)</textarea>', html, re.DOTALL)
    confirmed = confirmation_of(page)
    form = {**confirmed, "sheets": unescape(sheets), "shown_sheet": "0", "sheet": "1"}
    form.pop("digest")

    other = client.post(address_of(event), form)
    client.post(address_of(event), confirmation_of(other))

    assert list(Bike.objects.values_list("number", flat=True)) == [7]
    back = {
        **form,
        "sheets": re.findall(r'<textarea name="sheets" hidden>\n(.*?)</textarea>', other.content.decode())[0],
    }
    again = client.post(
        address_of(event), {**back, "sheets": unescape(back["sheets"]), "shown_sheet": "1", "sheet": "0"}
    )
    assert "Ben" in get_page_text(again)


@pytest.mark.parametrize("sheets", ["", "{", "[1]", "[" * 9_000, '[["a", "number,rider\\n5,Zed"]]'])
def test_sheets_that_no_page_has_made_do_no_harm(event: Event, client: Client, sheets: str) -> None:
    form = {"text": ROSTER, "sheets": sheets, "shown_sheet": "7", "sheet": "-1"}

    assert client.post(address_of(event), form).status_code == 200


def test_after_an_edit_everything_is_read_anew(event: Event, client: Client) -> None:
    page = client.post(address_of(event), {"text": "who,what\n7,Ann\n"}).content.decode()
    typed = {"text": "Our ride\nnumber,rider\n7,Ann\n", **columns_of(page), **how_of(page)}

    response = client.post(address_of(event), typed)

    assert response.status_code == 200
    assert columns_of(response.content.decode()) == {"column-0": "number", "column-1": "rider"}
    assert how_of(response.content.decode())["heading"] == "2"


def test_the_row_with_the_column_names_can_be_changed(event: Event, client: Client) -> None:
    text = "number,rider\nNo,Name\n7,Ann\n"
    page = client.post(address_of(event), {"text": text}).content.decode()

    response = client.post(address_of(event), {"text": text, **columns_of(page), **how_of(page), "heading": "2"})

    assert response.status_code == 200
    assert "The rows above the column names are not read." in get_page_text(response)
    assert "Ann" in get_page_text(response)


def test_bikes_without_rider_or_group_are_imported_only_after_a_tick(event: Event, client: Client) -> None:
    page = client.post(address_of(event), {"text": "number\n7\n8\n"})
    assert "2 bikes would have no rider. 2 bikes would have no group. Import it like this." in get_page_text(page)
    form = confirmation_of(page)

    refused = client.post(address_of(event), {name: value for name, value in form.items() if name != "agreed"})
    assert refused.status_code == 422
    assert 'href="#agreed"' in get_page_text(refused)
    assert not Bike.objects.exists()

    client.post(address_of(event), form)
    assert Bike.objects.count() == 2


def test_numbers_are_given_on_request(event: Event, client: Client) -> None:
    text = "Rider,Group\nAnn,One\nBen,One\n"
    page = client.post(address_of(event), {"text": text})
    assert "Give numbers to bikes without one" in get_page_text(page)

    numbered = client.post(
        address_of(event), {"text": text, **columns_of(page.content.decode()), "gives_numbers": "on"}
    )
    client.post(address_of(event), {**confirmation_of(numbered), "gives_numbers": "on"})

    assert list(Player.objects.order_by("name").values_list("name", "bike__number")) == [("Ann", 1), ("Ben", 2)]


@pytest.mark.parametrize("language", [code for code, _name in settings.LANGUAGES])
def test_a_file_of_results_is_read_back_in_every_language(
    ride: Ride, alice: User, sign_in: SignIn, language: str
) -> None:
    """Last year's results, with their full names, are this year's roster."""
    desk = sign_in(alice)
    desk.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    results = desk.get(reverse("results:desk_export", args=[ride.event.slug, ride.contest.slug, "export.csv"]))
    file = SimpleUploadedFile("results.csv", results.getvalue())
    next_year = create_event(alice, name="Next year", date=dt.date(2027, 6, 19), time_zone="America/Edmonton")

    preview = desk.post(address_of(next_year), {"file": file})
    desk.post(address_of(next_year), confirmation_of(preview))

    def list_people(event: Event) -> list[tuple[int, str, str]]:
        return list(event.players.order_by("bike__number", "role").values_list("bike__number", "name", "role"))

    assert list_people(next_year) == list_people(ride.event)
    assert len(list_people(next_year)) > len(ride.bikes), "with a passenger"
