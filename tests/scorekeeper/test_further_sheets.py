"""Further sheets of a bike on every page, in every file and on every phone that shows scorecards."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import connection
from django.test import Client
from django.urls import reverse

from games.core.bundle.report import check_bundle
from games.core.registry import find_games
from scorekeeper.agreements.models import Agreement
from scorekeeper.agreements.selectors import list_group_cards
from scorekeeper.bikes.codes import make_code
from scorekeeper.bikes.models import Bike, FurtherSheet
from scorekeeper.check_in.selectors import list_items
from scorekeeper.crew.models import CrewMember
from scorekeeper.desk.selectors.live_grid import get_live_grid
from scorekeeper.desk.services.event_copy import copy_event
from scorekeeper.desk.services.event_deletion import delete_event
from scorekeeper.events.group_setting import GroupSetting
from scorekeeper.events.models import Contest, Event
from scorekeeper.events.services.contests import rename_contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.offline.selectors.ride_columns import PARTS_FORMAT, RideColumns
from scorekeeper.players.models import Player
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.scorecards.selectors.crew_standings import list_crew_standings
from scorekeeper.scorecards.services.non_starters import mark_did_not_start
from scorekeeper.seasons.selectors import get_finishes
from scorekeeper.standings.selectors.group_rankings import list_entrants_by_group
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.closure import close_contest
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.standings.services.refresh import refresh_standings
from tests.scorekeeper.api.conftest import post
from tests.scorekeeper.api.program import get_schema, make_program, read
from tests.scorekeeper.bundles.conftest import export, import_file, remove_event, zoe
from tests.scorekeeper.conftest import CrewClient, Ride, SignIn
from tests.scorekeeper.offline.ride_copy import RideCopy
from tests.scorekeeper.page_checks import get_visible_text
from tests.scorekeeper.page_forms import read_forms
from tests.scorekeeper.prints.conftest import get_pages
from tests.scorekeeper.scorecards.conftest import desk, make_actor
from tests.scorekeeper.sheet_rides import add_poker_run, get_card_id, make_dice_run, roll, sell
from tests.scorekeeper.statements import record_statements

__all__ = ["desk", "import_file", "zoe"]

pytestmark = pytest.mark.database


@pytest.fixture
def seller(ride: Ride) -> Actor:
    """Rita's phone, in a ride whose bikes can have three sheets."""
    make_dice_run(ride)
    return make_actor(ride.rita)


@pytest.fixture
def second(ride: Ride, seller: Actor) -> Bike:
    """The second sheet of bike 2. Both sheets and bike 3 have rolled at the first stop; the second sheet leads."""
    sheet = sell(ride, seller, 2)
    for bike, total in ((ride.bikes[2], 12), (sheet, 28), (ride.bikes[3], 20)):
        roll(ride, seller, bike, 1, total)
    refresh_standings(ride.contest.pk)
    return sheet


def finish(ride: Ride, desk: Actor) -> None:
    close_contest(desk, uuid4(), ride.contest.pk, "The ride is over.")
    refresh_standings(ride.contest.pk)
    publish_contest(desk, uuid4(), ride.contest.pk, "All is decided.")
    ride.contest.refresh_from_db()


# The contest's form


def test_the_form_of_a_contest_asks_who_has_scorecards(event: Event, alice: User, sign_in: SignIn) -> None:
    client, url = sign_in(alice), f"/desk/events/{event.slug}/contests/new/dice-run/"
    page = client.get(url).content.decode()
    assert "Each rider, passengers too" in page

    [form] = [form for form in read_forms(page) if "sheets_max" in form]
    refused = client.post(url, {**form, "sheets_for": "rider", "sheets_max": "10"})
    assert refused.status_code == 422
    assert "Enter a number from 1 to 9." in refused.content.decode()
    assert client.post(url, {**form, "sheets_for": "rider", "sheets_max": "2"}).status_code == 302

    contest = Contest.objects.get()
    assert (contest.sheets_for, contest.sheets_max) == ("rider", 2)


def test_a_game_with_one_scorecard_per_bike_names_its_clause(event: Event, alice: User, sign_in: SignIn) -> None:
    """ROCK-1."""
    client, url = sign_in(alice), f"/desk/events/{event.slug}/contests/new/rock-yahtzee/"
    page = client.get(url).content.decode()
    assert "The rule book gives every bike one scorecard (ROCK-1)." in page
    [form] = [form for form in read_forms(page) if "name" in form]

    client.post(url, {**form, "sheets_max": "3"})
    assert Contest.objects.get().sheets_max == 1
    with pytest.raises(ValidationError, match="ROCK-1"):
        Contest(event=event, game_key="rock-yahtzee", rules_version=1, sheets_max=2).clean()


def test_the_setting_is_fixed_with_the_first_further_sheet(
    ride: Ride, seller: Actor, alice: User, sign_in: SignIn
) -> None:
    url = f"/desk/events/{ride.event.slug}/contests/{ride.contest.slug}/settings/"
    assert "sheets_max" in sign_in(alice).get(url).content.decode()

    sell(ride, seller, 2)

    assert "sheets_max" not in sign_in(alice).get(url).content.decode()


# Desk and crew


def test_what_is_left_to_do_before_closing_counts_sheets(
    ride: Ride, second: Bike, seller: Actor, alice: User, sign_in: SignIn
) -> None:
    mark_did_not_start(seller, uuid4(), ride.bikes[4].pk, value=True)
    sell(ride, seller, 4)
    page = f"/desk/events/{ride.event.slug}/finish/{ride.contest.slug}/"

    text = get_visible_text(sign_in(alice).get(f"{page}close/"))

    assert "3 sheets have turns missing. They will be recorded as missed." in text
    listed = get_visible_text(sign_in(alice).get(page))
    assert "3 sheets have turns missing" in listed
    assert "5 sheets have not played: they will be listed" in listed
    assert "2 sheets of bikes that did not start: they will be listed" in listed


def test_the_live_grid_has_a_row_for_each_sheet(ride: Ride, second: Bike) -> None:
    rows = {row.bike.label: (row.riders, row.cells[0].text) for row in get_live_grid(ride.contest).rows}

    assert list(rows) == ["1", "2", "2/2", "3", "4", "5", "6", "7", "8"]
    assert rows["2/2"] == (rows["2"][0], "28")


def test_check_in_and_groups_count_bikes_and_group_boards_every_sheet(ride: Ride, second: Bike) -> None:
    assert not list_items(ride.event).exists()
    assert ride.group_one.bikes.count() == 4
    assert second.pk in list_entrants_by_group(ride.contest)[ride.group_one.pk]


def test_the_crews_standings_and_agreements_list_each_sheet(ride: Ride, second: Bike) -> None:
    standings = list_crew_standings(ride.group_one)[0].rows
    assert [(row.number, row.place) for row in standings] == [
        ("2/2", "1"),
        ("3", "2"),
        ("2", "3"),
        ("1", ""),
        ("4", ""),
    ]
    assert standings[0].riders == standings[2].riders != ""
    assert [row.bike.label for row in list_group_cards(ride.group_one)[0].rows] == ["1", "2", "2/2", "3", "4"]


def test_a_rider_agrees_to_each_sheet(ride: Ride, second: Bike, crew_client: CrewClient) -> None:
    client, url = crew_client(ride.rita), f"/crew/bikes/{second.pk}/agree/"
    page = client.get(url)
    assert "2/2" in page.content.decode()
    [form] = [form for form in read_forms(page.content.decode()) if "digest" in form]

    client.post(url, {**form, "by": "rider"})

    assert Agreement.objects.get().bike == second
    assert list(list_damage(ride.event)) == []


def test_a_scanned_code_opens_the_first_sheet_to_roll(ride: Ride, second: Bike, crew_client: CrewClient) -> None:
    query = f"?contest={ride.contest.pk}&stop={ride.slots[1].stop_id}"
    client, url = crew_client(ride.rita), f"/b/{make_code(ride.bikes[2].pk)}/{query}"
    roll(ride, make_actor(ride.rita), ride.bikes[2], 2, 20)

    assert f"/crew/bikes/{second.pk}/" in client.get(url).headers["Location"]


def test_the_history_of_a_sheet_leads_to_the_others(ride: Ride, second: Bike, alice: User, sign_in: SignIn) -> None:
    card = get_card_id(ride, second)
    page = sign_in(alice).get(f"/desk/events/{ride.event.slug}/cards/{card}/").content.decode()

    assert "Bike 2/2" in page
    assert str(get_card_id(ride, ride.bikes[2])) in page
    assert "Another sheet for 2" in page


# The audience


def test_the_public_page_of_a_bike_shows_all_its_sheets(ride: Ride, second: Bike, client: Client) -> None:
    base = f"/events/{ride.event.slug}/{ride.contest.slug}"
    for bike in (ride.bikes[2], second):
        text = get_visible_text(client.get(f"{base}/bikes/{bike.pk}/"))
        assert "2: 12" in text
        assert "2/2: 28" in text
    assert "Scorecards of this bike" not in client.get(f"{base}/bikes/{ride.bikes[3].pk}/").content.decode()
    board = get_visible_text(client.get(f"{base}/"))
    assert board.index("2/2") < board.index("Zoe")


def test_each_rider_is_named_on_their_own_sheet(ride: Ride, seller: Actor, client: Client) -> None:
    make_dice_run(ride, most=1, each=Contest.SheetsFor.RIDER)
    passenger = sell(ride, seller, 2)
    roll(ride, seller, passenger, 1, 28)
    roll(ride, seller, ride.bikes[2], 1, 27)
    refresh_standings(ride.contest.pk)
    rider = Player.objects.get(bike=ride.bikes[2], role=Player.Role.RIDER).name

    text = get_visible_text(client.get(f"/events/{ride.event.slug}/{ride.contest.slug}/"))

    assert text.count("Zoe") == 1
    assert text.index("Zoe") < text.index(rider)


def test_boards_of_groups_and_the_places_chart_count_sheets(
    ride: Ride, second: Bike, desk: Actor, client: Client
) -> None:
    rename_contest(ride.contest, name=ride.contest.name, groups=GroupSetting("mean", 3))
    finish(ride, desk)
    here = [ride.event.slug, ride.contest.slug]

    page = get_visible_text(client.get(reverse("results:leaderboard", args=here)))

    assert "Place Group Sheets" in page
    assert "How the places of 3 sheets changed" in page
    assert "Sheets that count" in client.get(reverse("results:export", args=[*here, "groups.csv"])).content.decode()


def test_exports_and_prints_have_a_row_and_a_page_for_each(
    ride: Ride, second: Bike, desk: Actor, alice: User, sign_in: SignIn
) -> None:
    finish(ride, desk)
    client, base = sign_in(alice), f"/desk/events/{ride.event.slug}"
    public = f"/events/{ride.event.slug}/{ride.contest.slug}"
    for file in ("export.csv", "cards.csv"):
        response = client.get(f"{public}/{file}")
        text = b"".join(response).decode()
        assert response.status_code == 200
        assert "2/2" in text, file

    [certificate] = get_pages(client.get(f"{public}/print/certificates.pdf?of={second.pk}"))
    assert "2/2" in certificate
    blank = get_pages(client.get(reverse("prints:contest_file", args=[ride.event.slug, "dice-run", "blank-cards"])))
    assert sum("2/2" in page for page in blank) == 1
    assert len(blank) == 9
    sheets = get_pages(client.get(f"{base}/prints/stop-sheets.pdf"))
    assert sum("2/2" in page for page in sheets) == len(ride.stops)


# Programs


def test_the_api_takes_sales_from_phones_and_lists_each_sheet(
    ride: Ride, seller: Actor, crew_client: CrewClient
) -> None:
    sale = {
        "id": str(uuid4()),
        "kind": "sell_sheet",
        "bike": str(ride.bikes[2].pk),
        "contest": str(ride.contest.pk),
        "number": 2,
    }
    client = crew_client(ride.rita)
    turn = {
        "id": str(uuid4()),
        "kind": "turn",
        "contest": str(ride.contest.pk),
        "bike": None,
        "slot": str(ride.slots[0].pk),
        "actions": [{"type": "paper", "total": 20}],
    }

    (receipt,) = post(client, {"operations": [sale]}).json()["receipts"]
    turn["bike"] = receipt["data"]["sheet"]
    receipts = post(client, {"operations": [{**sale, "id": str(uuid4())}, turn]}).json()["receipts"]

    assert receipt["outcome"] == "recorded"
    assert [one["outcome"] for one in receipts] == ["merged", "recorded"]
    refused = post(client, {"operations": [{**sale, "id": str(uuid4()), "number": 9}]}).json()["receipts"][0]
    assert (refused["outcome"], refused["problems"][0]["message"]) == ("no_sheet", "Bike 2 can have at most 3 sheets.")
    refresh_standings(ride.contest.pk)
    rows = Client().get(f"/api/v1/events/{ride.event.slug}/contests/{ride.contest.slug}/standings").json()
    assert "2/2" in json.dumps(rows)


def test_programs_read_the_further_sheets_of_each_bike(ride: Ride, second: Bike, seller: Actor, alice: User) -> None:
    """`read` compares the answer with the schema."""
    contest = ride.contest.pk
    poker = add_poker_run(ride, most=2)
    ride.contest.pk = poker.pk
    hand = sell(ride, seller, 2)

    bikes = {bike["label"]: bike for bike in read(make_program(alice), "bikes", ride.event.slug)["results"]}

    assert len(bikes) == len(ride.bikes)
    assert bikes["3"]["further_sheets"] == []
    assert bikes["2"]["further_sheets"] == [
        {
            "id": str(sheet.pk),
            "label": "2/2",
            "number": 2,
            "contest": str(of),
            "card": str(derive_card_id(of, sheet.pk)),
        }
        for sheet, of in ((second, contest), (hand, poker.pk))
    ]
    described = get_schema()["components"]["schemas"]["Bike"]
    assert described["properties"]["further_sheets"]["items"] == {"$ref": "#/components/schemas/FurtherSheet"}
    assert "further_sheets" in described["required"]


def test_the_further_sheets_of_a_page_of_bikes_take_one_statement(
    ride: Ride, second: Bike, seller: Actor, alice: User
) -> None:
    program, url = make_program(alice), f"/api/v1/events/{ride.event.slug}/bikes"
    program.get(url)  # when the token was last used is written once a minute

    def count() -> int:
        with record_statements() as statements:
            assert program.get(url).status_code == 200
        return len(statements)

    before = count()
    for number in (1, 3, 4):
        sell(ride, seller, number)
    assert count() == before


# Phones


def test_phones_get_further_sheets_as_rows_that_older_apps_skip(
    ride: Ride, second: Bike, crew_client: CrewClient
) -> None:
    copy = RideCopy(crew_client(ride.rita))

    content = copy.contents[f"bike:{second.pk}"]
    assert list(content) == ["bikes.FurtherSheet"]
    assert str(ride.bikes[2].pk) in content["bikes.FurtherSheet"][0]
    assert all(len(part.get("bikes.Bike", ())) < 2 for part in copy.contents.values())
    listed = [row[0] for part in copy.contents.values() for row in part.get("bikes.Bike", ())]
    assert str(second.pk) not in listed
    assert len(listed) == len(ride.bikes)
    assert f"card:{get_card_id(ride, second)}" in copy.contents
    assert "bikes.FurtherSheet" not in RideColumns(PARTS_FORMAT).names
    assert "sheet_of_id" not in RideColumns().names["bikes.Bike"]


# The event as a whole


def test_a_bundle_has_the_sheets_and_another_installation_gets_them(
    ride: Ride, second: Bike, desk: Actor, import_file: Callable[..., Any], tmp_path: Any
) -> None:
    sell(ride, desk, 3)
    finish(ride, desk)
    assert list(list_damage(ride.event)) == []
    content = export(ride.event)
    lines = [json.loads(line) for line in content.decode().splitlines()]
    assert lines[0]["data"]["version"] == 4
    assert sum(line["section"] == "sheets" for line in lines) == 2
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    with path.open("rb") as file:
        report = check_bundle(file, find_games())
    assert report.is_in_order, [str(finding) for finding in report.findings]
    public = export(ride.event, "public")
    remove_event(ride.event)
    assert not Bike.entrants.exists()

    for bundle in (content, public):
        status, printed = import_file(bundle)
        assert status == 0, printed
        event = Event.objects.get()
        assert {sheet.label for sheet in FurtherSheet.objects.all()} == {"2/2", "3/2"}
        assert Contest.objects.get().sheets_max == 3
        assert list(list_damage(event)) == []
        remove_event(event)


def test_a_ride_without_further_sheets_has_the_bundle_that_it_always_had(ride: Ride) -> None:
    lines = [json.loads(line) for line in export(ride.event).decode().splitlines()]

    assert lines[0]["data"]["version"] == 1
    assert not {line["section"] for line in lines} & {"sheets", "sheet_rules"}


def test_verification_names_an_altered_sheet(ride: Ride, second: Bike) -> None:
    def alter(**values: Any) -> list[str]:
        before = {name: getattr(second, name) for name in values}
        Bike.entrants.filter(pk=second.pk).update(**values)
        found = [str(damage) for damage in list_damage(ride.event)]
        Bike.entrants.filter(pk=second.pk).update(**before)
        return found

    for values in ({"sheet": 3}, {"sheet_of": ride.bikes[3]}, {"number": 9}, {"group": None}, {"did_not_start": True}):
        assert any(str(second.pk) in text for text in alter(**values)), values
    assert list(list_damage(ride.event)) == []
    Bike.entrants.create(
        event=ride.event, number=3, sheet=2, sheet_of=ride.bikes[3], sheet_contest=ride.contest, group=ride.group_one
    )
    assert list(list_damage(ride.event)), "nobody sold it"


def test_a_copy_has_the_setting_and_no_further_sheet(ride: Ride, second: Bike, alice: User) -> None:
    copied = copy_event(ride.event, alice, name="Next year", date=dt.date(2027, 6, 19), with_roster=True)

    assert copied.contests.get().sheets_max == 3
    assert copied.bikes.count() == Bike.entrants.filter(event=copied).count() == len(ride.bikes)


def test_an_event_with_further_sheets_can_be_deleted(ride: Ride, second: Bike) -> None:
    delete_event(ride.event)

    assert not Bike.entrants.exists()
    connection.check_constraints()


def test_a_season_counts_the_best_sheet_of_a_bike_or_rider(ride: Ride, second: Bike, desk: Actor) -> None:
    finish(ride, desk)

    finishes = get_finishes(ride.contest)

    assert finishes is not None
    assert second.pk not in finishes
    assert (finishes[ride.bikes[2].pk].place, finishes[ride.bikes[2].pk].number) == (1, "2/2")
    assert finishes[ride.bikes[3].pk].place == 2


def test_personal_data_has_every_sheet_of_the_bike(ride: Ride, second: Bike, alice: User, sign_in: SignIn) -> None:
    passenger = Player.objects.get(name="Zoe")
    url = reverse("personal_data:file", args=[ride.event.slug])

    text = sign_in(alice).get(f"{url}?record=player:{passenger.pk}").content.decode()

    assert "2/2" in text
    assert str(get_card_id(ride, second)) in text
    assert str(ride.bikes[3].pk) not in text


def test_a_walk_up_can_have_further_sheets_of_its_own(ride: Ride, seller: Actor, crew_client: CrewClient) -> None:
    client: Client = crew_client(ride.rita)
    form = {"operation": uuid4(), "bike": uuid4(), "event": ride.event.pk, "number": "57", "rider": "Ivy"}
    client.post("/crew/walk-up/", form)
    bike = Bike.objects.get(number=57)

    client.post(f"/crew/bikes/{bike.pk}/another-sheet/", {"operation": uuid4(), "number": 2})

    assert FurtherSheet.objects.get().label == "57/2"
    member: CrewMember = ride.rita
    assert member.group.bikes.filter(number=57).count() == 1
