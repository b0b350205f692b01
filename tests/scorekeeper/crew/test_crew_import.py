"""/desk/events/<slug>/crew/import/"""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from scorekeeper.common.spreadsheets.importer import StaleImportPlan
from scorekeeper.crew.crew_import import CrewImporter
from scorekeeper.crew.models import CrewMember
from scorekeeper.events.models import Event
from scorekeeper.stops.models import Stop
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.page_checks import assert_refused, get_page_text
from tests.scorekeeper.players.test_import import confirmation_of

pytestmark = pytest.mark.database

CREW = (
    "group,name,role,any bike at\n"
    "Group one,Rita,road captain,\n"  # as she is
    "GROUP ONE,tom,supervisor,\n"  # another role
    'group one,Sue,supervisor,"bbq, FINALE"\n'  # stops
    "Group two,Tom,sweep,Finale\n"  # another Tom
    "Group three,Ida Lund,captain,\n"  # a new group
)


def address_of(event: Event) -> str:
    return f"/desk/events/{event.slug}/crew/import/"


def list_crew(event: Event) -> list[tuple[str, str, str, list[str]]]:
    members = CrewMember.objects.filter(group__event=event).in_order_of_groups().select_related("group")
    return [(m.group.name, m.name, m.role, [stop.name for stop in m.any_bike_at.all()]) for m in members]


@pytest.fixture
def client(alice: User, sign_in: SignIn) -> Client:
    """Alice's browser."""
    return sign_in(alice)


def test_the_preview_shows_every_line_and_what_would_happen(ride: Ride, client: Client) -> None:
    before = list_crew(ride.event)

    response = client.post(address_of(ride.event), {"text": CREW})

    page = get_page_text(response)
    assert response.status_code == 200
    rows = [re.sub(r"<[^>]+>", " ", row) for row in page.split("<tbody>")[2].split("</tr>")[:-1]]
    assert [" ".join(row.split()) for row in rows] == [
        "Rita Unchanged Group one Road captain –",
        "tom Changed Role: Tail-gunner → Supervisor Group one Supervisor –",
        "Sue Changed Any bike at: – → BBQ, Finale Group one Supervisor BBQ, Finale",
        "Tom New Group two Tail-gunner Finale",
        "Ida Lund New Group three Road captain –",
    ]
    assert "This group is new and will be created: Group three" in page
    assert "Someone of the same name is already in another group and stays there: Tom (Group one)" in page
    assert list_crew(ride.event) == before


def test_after_confirmation_everything_is_imported(ride: Ride, client: Client) -> None:
    preview = client.post(address_of(ride.event), {"text": CREW})

    response = client.post(address_of(ride.event), confirmation_of(preview), follow=True)

    assert "2 crew members added, 2 changed." in get_page_text(response)
    assert list_crew(ride.event) == [
        ("Group one", "Rita", "road_captain", []),
        ("Group one", "Sue", "supervisor", ["BBQ", "Finale"]),
        ("Group one", "Tom", "supervisor", []),
        ("Group two", "Gus", "road_captain", []),
        ("Group two", "Tom", "tail_gunner", ["Finale"]),
        ("Group three", "Ida Lund", "road_captain", []),
    ]
    third = ride.event.groups.get(name="Group three")
    assert [dice_set.name for dice_set in third.dice_sets.all()] == ["Road captain", "Tail-gunner", "Third"]


def test_the_same_list_again_changes_nothing(ride: Ride, client: Client) -> None:
    CrewImporter(ride.event).execute_plan(CREW, CrewImporter(ride.event).make_plan(CREW).digest)
    before, ids = list_crew(ride.event), set(CrewMember.objects.values_list("pk", flat=True))

    assert "Everyone is already in the crew." in get_page_text(client.post(address_of(ride.event), {"text": CREW}))
    CrewImporter(ride.event).execute_plan(CREW, CrewImporter(ride.event).make_plan(CREW).digest)

    assert (list_crew(ride.event), set(CrewMember.objects.values_list("pk", flat=True))) == (before, ids)


def test_a_double_click_on_import_adds_nobody_twice(ride: Ride, client: Client) -> None:
    confirmation = confirmation_of(client.post(address_of(ride.event), {"text": CREW}))
    client.post(address_of(ride.event), confirmation)
    before = list_crew(ride.event)

    response = client.post(address_of(ride.event), confirmation)

    assert response.status_code == 409
    assert list_crew(ride.event) == before


def test_an_import_that_would_now_do_something_else_is_shown_again(ride: Ride, client: Client) -> None:
    confirmation = confirmation_of(client.post(address_of(ride.event), {"text": CREW}))
    CrewMember.objects.filter(name="Rita").update(role="supervisor")

    response = client.post(address_of(ride.event), confirmation)

    page = get_page_text(response)
    assert response.status_code == 409
    assert "The event or your columns have changed since you checked." in page
    assert "Role: Supervisor → Road captain" in page
    assert confirmation_of(response)["digest"] != confirmation["digest"]
    with pytest.raises(StaleImportPlan):
        CrewImporter(ride.event).execute_plan(CREW, confirmation["digest"])
    assert not ride.event.groups.filter(name="Group three").exists()


def test_without_the_column_the_stops_stay_and_an_empty_cell_clears_them(ride: Ride) -> None:
    ride.sue.any_bike_at.add(ride.stops[3])
    without, cleared = "group,name,role\nGroup one,Sue,third\n", "group,name,role,stops\nGroup one,Sue,third,\n"

    assert [line.status for line in CrewImporter(ride.event).make_plan(without).lines] == ["unchanged"]
    CrewImporter(ride.event).execute_plan(cleared, CrewImporter(ride.event).make_plan(cleared).digest)

    assert not ride.sue.any_bike_at.exists()


def test_a_stop_may_have_a_comma_in_its_name(ride: Ride) -> None:
    Stop.objects.filter(pk=ride.stops[3].pk).update(name="Hall, Finale")
    text = 'group,name,role,any bike at\nGroup one,Sue,third,"Hall, Finale"\n'

    (line,) = CrewImporter(ride.event).make_plan(text).lines

    assert line.stops_text == "Hall, Finale"


def test_an_unknown_stop_and_an_ambiguous_name_are_explained(ride: Ride, client: Client) -> None:
    CrewMember.objects.create(group=ride.group_one, name="RITA", role="supervisor")
    text = "group,name,role,any bike at\nGroup one,Rita,rc,\nGroup one,Sue,third,Moon;BBQ\n"

    response = client.post(address_of(ride.event), {"text": text})

    page = get_page_text(response)
    assert response.status_code == 422
    assert "Row 2: Rita is already in Group one more than once; change one of the names first." in page
    assert "Row 3: this event has no stop of that name (“Moon”)." in page
    assert 'name="digest"' not in page


def test_columns_can_be_chosen(ride: Ride, client: Client) -> None:
    text = "a,b,c\nGroup one,Uma,third\n"
    first = client.post(address_of(ride.event), {"text": text})
    assert first.status_code == 422
    assert "Choose the columns for: Group, Name, Role." in get_page_text(first)

    chosen = {"column-0": "group", "column-1": "name", "column-2": "role"}
    preview = client.post(address_of(ride.event), {"text": text, **chosen})
    client.post(address_of(ride.event), confirmation_of(preview))

    assert CrewMember.objects.filter(name="Uma", group=ride.group_one).exists()


@pytest.mark.parametrize(
    "text",
    [
        "Gruppe;Name;Aufgabe;Jedes Motorrad bei\nGroup one;Uma;Schlussfahrer;Finale\n",
        "Groupe;Nom;Rôle;Toute moto à\nGroup one;Uma;Serre-file;Finale\n",
        "Grupo;Nombre;Función;Cualquier moto en\nGroup one;Uma;Escoba;Finale\n",
    ],
    ids=["german", "french", "spanish"],
)
def test_columns_and_roles_may_be_german_french_or_spanish(ride: Ride, client: Client, text: str) -> None:
    preview = client.post(address_of(ride.event), {"text": text})

    client.post(address_of(ride.event), confirmation_of(preview))

    assert ("Group one", "Uma", "tail_gunner", ["Finale"]) in list_crew(ride.event)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (CREW.replace("Ida", "Ída").encode("utf-8-sig"), ""),
        (CREW.replace("Ida", "Ída").replace(",", ";").replace('"bbq; FINALE"', "bbq").encode("cp1252"), "Windows-1252"),
    ],
    ids=["bom", "semicolons-cp1252"],
)
def test_a_file_is_read_and_the_page_says_how(ride: Ride, client: Client, data: bytes, message: str) -> None:
    preview = client.post(address_of(ride.event), {"file": SimpleUploadedFile("crew.csv", data), "text": ""})

    assert message in get_page_text(preview)
    client.post(address_of(ride.event), confirmation_of(preview))
    assert CrewMember.objects.filter(name="Ída Lund").exists()


def test_nothing_at_all_is_refused(event: Event, client: Client) -> None:
    response = client.post(address_of(event), {"text": " "})

    assert_refused(response, "id_file", "Choose a file, or paste its content below.")


def test_names_are_escaped(event: Event, client: Client) -> None:
    response = client.post(address_of(event), {"text": "group,name,role\n<b>One</b>,<script>x</script>,captain\n"})

    page = response.content.decode()
    assert "&lt;script&gt;x&lt;/script&gt;" in page
    assert "<script>x" not in page
    assert "<b>One" not in page


def test_the_number_of_queries_does_not_grow_with_the_list(
    event: Event, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    text = "group,name,role\n" + "".join(f"Group {n % 3},Name {n},third\n" for n in range(300))
    plan = CrewImporter(event).make_plan(text)

    with django_assert_num_queries(3):  # groups, stops, members; without members there are no stops of theirs
        CrewImporter(event).make_plan(text)
    CrewImporter(event).execute_plan(text, plan.digest)

    assert CrewMember.objects.filter(group__event=event).count() == 300


def test_the_sample_can_be_downloaded_and_imported_and_the_groups_page_links_to_the_import(
    event: Event, stops: list[Stop], client: Client
) -> None:
    sample = client.get(f"{address_of(event)}sample.csv").content

    preview = client.post(address_of(event), {"file": SimpleUploadedFile("crew.csv", sample), "text": ""})

    assert preview.status_code == 200
    assert address_of(event) in get_page_text(client.get(f"/desk/events/{event.slug}/groups/"))


@pytest.mark.parametrize("text", ["who,what\nRita,captain\n", CREW])
def test_only_bikes_are_given_numbers(ride: Ride, client: Client, text: str) -> None:
    page = client.post(address_of(ride.event), {"text": text, "gives_numbers": "on"})

    assert page.status_code == (200 if text == CREW else 422)
    assert client.post(address_of(ride.event), {"text": text}).status_code == page.status_code
    assert "Give numbers" not in get_page_text(client.post(address_of(ride.event), {"text": text}))
