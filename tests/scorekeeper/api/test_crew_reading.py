"""What an app of the crew reads with the token of its device: what the crew's pages show, of its own event only."""

from __future__ import annotations

import datetime as dt
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from scorekeeper.audience.services import freeze_standings
from scorekeeper.bikes.models import Bike
from scorekeeper.common.secret_links import hash_token
from scorekeeper.crew.models import CrewMember, Device, FormerDevice
from scorekeeper.crew.services.devices import create_device, revoke_device
from scorekeeper.events.models import DeletedEvent, Event
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.stops.models import Stop
from tests.scorekeeper.api.program import make_program, read
from tests.scorekeeper.api.test_apps import make_turn, send
from tests.scorekeeper.rights.small_ride import SmallRide, make_small_ride

pytestmark = pytest.mark.django_db

FOR_EVERYONE = ("contests", "stops", "event")
FOR_ROSTER = ("groups", "classes", "bikes", "players")
FOR_ORGANISERS = ("entries", "revisions", "review_items")


@pytest.fixture
def ride() -> SmallRide:
    return make_small_ride("Quokka")


@pytest.fixture
def app(ride: SmallRide) -> Client:
    return ride.get_app(ride.gunner)


@pytest.fixture
def far(ride: SmallRide) -> CrewMember:
    """A member of the other group's crew."""
    role = CrewMember.Role.TAIL_GUNNER
    return CrewMember.objects.create(group_id=ride.ids["other_group"], name="Quokka far", role=role)


def contest_args(ride: SmallRide) -> tuple[str, str]:
    return ride.slugs["event"], ride.slugs["yahtzee"]


@pytest.mark.parametrize("route", FOR_ROSTER)
def test_the_crew_finds_the_whole_roster(ride: SmallRide, app: Client, route: str) -> None:
    rows = read(app, route, ride.slugs["event"])["results"]

    assert rows == read(make_program(ride.user), route, ride.slugs["event"])["results"]
    assert rows


def test_the_crew_sees_its_notes_the_options_and_the_status_of_now(ride: SmallRide, app: Client) -> None:
    """As its phones do; the audience sees neither, and the status of the freeze."""
    Stop.objects.filter(pk=ride.ids["stop"]).update(crew_note="behind the barn")
    event = Event.objects.get(pk=ride.ids["event"])
    freeze_standings(event)
    event.contests.filter(slug=ride.slugs["yahtzee"]).update(status="closed")

    stop = read(app, "stops", ride.slugs["event"])["results"][0]
    contest = read(app, "contest", ride.slugs["event"], ride.slugs["yahtzee"])

    assert stop["crew_note"] == "behind the barn"
    assert read(Client(), "stops", ride.slugs["event"])["results"][0]["crew_note"] is None
    assert contest["options"] == read(make_program(ride.user), "contest", *contest_args(ride))["options"]
    assert contest["options"] is not None
    assert (contest["status"], read(Client(), "contest", *contest_args(ride))["status"]) == ("closed", "open")


@pytest.mark.parametrize("route", ["standings", "scorecards", "results", "prizes", "luck"])
def test_results_are_those_of_the_audience(ride: SmallRide, app: Client, route: str) -> None:
    assert read(app, route, *contest_args(ride)) == read(Client(), route, *contest_args(ride))


@pytest.mark.parametrize("route", FOR_ORGANISERS)
def test_what_only_organisers_see_is_refused_with_what_to_read_instead(
    ride: SmallRide, app: Client, route: str
) -> None:
    args = [ride.slugs["event"]] if route == "review_items" else contest_args(ride)

    refusal = read(app, route, *args, status=403)

    assert refusal["code"] == "not_for_crew"
    assert "/api/v1/ride/sheets" in refusal["detail"]


def test_a_device_that_records_at_the_organisers_address_is_told_its_own(ride: SmallRide, app: Client) -> None:
    refusal = send(app, make_turn(ride), route="organiser_operations", args=[ride.slugs["event"]], status=403)

    assert refusal["code"] == "not_for_crew"
    assert "/api/v1/operations" in refusal["detail"]


@pytest.mark.parametrize("route", [*FOR_EVERYONE, *FOR_ROSTER])
def test_nothing_of_another_event_is_found(ride: SmallRide, app: Client, route: str) -> None:
    """Not even what everyone can see: an app that mixes up two addresses gets an error."""
    other = make_small_ride("Numbat")

    refusal = read(app, route, other.slugs["event"], status=404)

    assert refusal["code"] == "event_not_found"
    assert "another event" in refusal["detail"]
    assert [one["slug"] for one in read(app, "events")["results"]] == [ride.slugs["event"]]


def test_the_ride_can_be_read_before_it_is_open(ride: SmallRide, app: Client) -> None:
    Event.objects.filter(pk=ride.ids["event"]).update(state=Event.State.DRAFT)

    assert read(app, "event", ride.slugs["event"])["state"] == "draft"
    assert read(app, "ride_progress")["event"]["state"] == "draft"
    assert read(Client(), "event", ride.slugs["event"], status=404)["code"] == "event_not_found"


def test_a_card_of_its_own_is_read_as_it_is_now_and_others_as_the_audience_sees_them(
    ride: SmallRide, app: Client, far: CrewMember
) -> None:
    freeze_standings(Event.objects.get(pk=ride.ids["event"]))
    card = derive_card_id(ride.ids["yahtzee"], ride.ids["other_bike"])
    path, far_app = [*contest_args(ride), str(card)], ride.get_app(far)
    etag = app.get(reverse("api:scorecard", args=path)).headers["ETag"]
    assert read(app, "scorecard", *path)["seats"][0]["total"] == 0

    send(app, make_turn(ride))

    mine, theirs = read(app, "scorecard", *path, headers={"If-None-Match": etag}), read(far_app, "scorecard", *path)
    assert (mine["seats"][0]["total"], mine["play"]["length"]) == (22, 1)
    assert mine == read(app, "crew_scorecard", str(card))
    assert (theirs["seats"][0]["total"], theirs["play"]) == (0, None)
    table = [ride.slugs["event"], ride.slugs["campfire"], str(ride.ids["table"])]
    assert read(far_app, "scorecard", *table)["play"], "every phone of the crew records at every table"


@pytest.mark.parametrize("route", [*FOR_EVERYONE, *FOR_ROSTER, "review_items"])
def test_a_device_that_has_ended_is_told_what_to_do(ride: SmallRide, route: str) -> None:
    device, secret = create_device(ride.gunner)
    app = Client(headers={"Authorization": f"Bearer {secret}"})

    Device.objects.filter(pk=device.pk).update(expires_at=timezone.now() - dt.timedelta(days=1))
    expired = read(app, route, ride.slugs["event"], status=401)
    Device.objects.filter(pk=device.pk).update(expires_at=timezone.now() + dt.timedelta(days=1))
    revoke_device(device)
    revoked = read(app, route, ride.slugs["event"], status=401)

    assert (expired["code"], revoked["code"]) == ("token_expired", "token_revoked")
    assert "Ask the organiser for a new link" in expired["detail"]
    assert "Ask for a new link" in revoked["detail"]


def test_an_unknown_token_is_told_of_both_kinds(ride: SmallRide) -> None:
    refusal = read(Client(headers={"Authorization": "Bearer abc"}), "event", ride.slugs["event"], status=401)
    missing = read(Client(), "bikes", ride.slugs["event"], status=401)

    assert refusal["code"] == "token_unknown"
    assert "/api/v1/devices" in refusal["detail"]
    assert (missing["code"], "app of the crew" in missing["detail"]) == ("token_missing", True)


def test_a_device_of_a_deleted_event_is_told_so(ride: SmallRide) -> None:
    gone = DeletedEvent.objects.create(id=uuid4(), name="Old", slug="old", deleted_at=timezone.now())
    FormerDevice.objects.create(token_digest=hash_token("former"), event=gone)
    app = Client(headers={"Authorization": "Bearer former"})

    assert read(app, "event", "old", status=410)["code"] == "event_deleted"
    assert read(app, "bikes", "old", status=410)["code"] == "event_deleted"
    assert read(app, "sheets", status=410)["code"] == "event_deleted"


def test_each_device_has_its_own_limit_of_reads(ride: SmallRide, app: Client, settings: Settings) -> None:
    settings.API_READS_PER_TOKEN = 2
    for _number in range(2):
        read(app, "sheets")

    assert read(app, "sheets", status=429)["code"] == "too_many_requests"
    assert read(app, "bikes", ride.slugs["event"], status=429)["code"] == "too_many_requests"
    read(ride.get_app(ride.captain), "sheets")


def get_sheet(app: Client, ride: SmallRide, bike: str = "other_bike", **query: Any) -> Any:
    (sheet,) = read(app, "sheets", bike=str(ride.ids[bike]), **query)["results"]
    return sheet


def test_the_sheets_of_the_group_say_what_is_recorded_and_what_is_next(ride: SmallRide, app: Client) -> None:
    """The first bike has a turn with an entry under review against it; the second has nothing."""
    sheets = read(app, "sheets")["results"]

    assert [sheet["label"] for sheet in sheets] == ["1", "1 (2)", "2"]
    first, _twin, blank = sheets
    assert first["riders"] == "Quokka Ann and Quokka Ben"
    assert first["card"] == str(ride.ids["card"])
    assert [slot["state"] for slot in first["slots"]] == ["conflict", "missing"]
    assert (first["slots"][0]["turn"]["points"], first["slots"][0]["label"]) == (20, "Chance")
    assert (first["state"], first["next"]) == ("to_roll", str(ride.ids["free_slot"]))
    assert [slot["state"] for slot in blank["slots"]] == ["missing", "missing"]
    assert blank["card"] == str(derive_card_id(ride.ids["yahtzee"], ride.ids["other_bike"]))
    assert blank["next"] == str(ride.ids["slot"])
    assert {slot["turn"] for slot in blank["slots"]} == {None}


def test_a_sheet_follows_what_is_recorded(ride: SmallRide, app: Client) -> None:
    send(app, make_turn(ride))
    later = {"slot": str(ride.ids["free_slot"])}
    assert get_sheet(app, ride)["next"] == str(ride.ids["free_slot"])

    send(app, make_turn(ride, actions=[{"type": "forfeit"}], **later))
    sheet = get_sheet(app, ride)
    assert [slot["state"] for slot in sheet["slots"]] == ["recorded", "missed"]
    assert (sheet["state"], sheet["next"]) == ("done", None)
    assert [one["id"] for one in (slot["turn"] for slot in sheet["slots"])]


def test_nothing_can_be_recorded_on_a_closed_contest_or_for_a_bike_that_is_not_there(
    ride: SmallRide, app: Client
) -> None:
    captain = ride.get_app(ride.captain)
    where = {"contest": str(ride.ids["yahtzee"]), "bike": str(ride.ids["other_bike"])}
    send(captain, {"id": str(uuid4()), "kind": "retire", **where, "reason": "flat tyre"})
    Bike.objects.filter(pk=ride.ids["twin"]).update(did_not_start=True)

    retired, absent = get_sheet(app, ride), get_sheet(app, ride, "twin")
    assert (retired["state"], {slot["state"] for slot in retired["slots"]}) == ("retired", {"not_open"})
    assert (absent["state"], absent["next"]) == ("did_not_start", None)
    assert [one["label"] for one in read(app, "sheets", state="retired")["results"]] == ["2"]

    Event.objects.get(pk=ride.ids["event"]).contests.update(status="closed")
    assert [slot["state"] for slot in get_sheet(app, ride, "bike")["slots"]] == ["conflict", "not_open"]


def test_progress_says_where_the_group_is_and_what_is_next(ride: SmallRide, app: Client) -> None:
    progress = read(app, "ride_progress")

    assert progress["event"]["slug"] == ride.slugs["event"]
    assert (progress["member"]["id"], progress["group"]["id"]) == (str(ride.gunner.pk), str(ride.ids["group"]))
    assert [dice["id"] for dice in progress["dice_sets"]] == [str(ride.ids["dice_set"])]
    (contest,) = progress["contests"]
    assert contest["stop"] == str(ride.ids["stop"])
    assert [(stop["rolled"], stop["to_roll"]) for stop in contest["stops"]] == [(1, 2), (0, 3)]
    assert (contest["next"]["label"], contest["next"]["slot"]) == ("1 (2)", str(ride.ids["slot"]))

    for bike in ("other_bike", "twin"):
        send(app, make_turn(ride, bike=str(ride.ids[bike])))
    (contest,) = read(app, "ride_progress")["contests"]
    assert (contest["stop"], contest["next"]["slot"]) == (str(ride.ids["last_stop"]), str(ride.ids["free_slot"]))

    Event.objects.get(pk=ride.ids["event"]).contests.update(status="closed")
    (contest,) = read(app, "ride_progress")["contests"]
    assert (contest["status"], contest["next"]) == ("closed", None)


def test_members_get_the_sheets_that_they_record_on(ride: SmallRide, app: Client, far: CrewMember) -> None:
    Bike.objects.create(event_id=ride.ids["event"], number=9)
    Bike.objects.create(event_id=ride.ids["event"], number=73, group_id=ride.ids["other_group"])
    own, other = str(ride.ids["group"]), str(ride.ids["other_group"])

    def list_labels(by: Client, **query: Any) -> list[str]:
        return [sheet["label"] for sheet in read(by, "sheets", **query)["results"]]

    far_app, captain = ride.get_app(far), ride.get_app(ride.captain)
    assert list_labels(app) == ["1", "1 (2)", "2", "9"]
    assert list_labels(far_app) == ["9", "73"]
    assert list_labels(far_app, group=own) == []
    assert list_labels(captain, group=other) == ["73"], "a road captain may open every scorecard"
    assert list_labels(app, group=own) == ["1", "1 (2)", "2"]

    far.any_bike_at.add(Stop.objects.get(pk=ride.ids["last_stop"]))
    assert list_labels(far_app) == ["1", "1 (2)", "2", "9", "73"]
    assert read(far_app, "ride_progress")["contests"][0]["next"]["label"] == "73", "at the first stop, its own group's"


def test_sheets_come_in_pages_with_etags_and_refuse_what_they_do_not_know(ride: SmallRide, app: Client) -> None:
    url, seen = f"{reverse('api:sheets')}?limit=2", []
    while url:
        page = app.get(url).json()
        seen += [sheet["label"] for sheet in page["results"]]
        url = page["next"]
    assert seen == ["1", "1 (2)", "2"]

    etag = app.get(reverse("api:sheets")).headers["ETag"]
    assert app.get(reverse("api:sheets"), headers={"If-None-Match": etag}).status_code == 304
    send(app, make_turn(ride))
    assert app.get(reverse("api:sheets"), headers={"If-None-Match": etag}).status_code == 200
    assert read(app, "sheets", contest=ride.slugs["campfire"], status=400)["code"] == "contest_not_found"
    assert read(app, "sheets", contest=ride.slugs["yahtzee"])["results"]
    assert read(app, "sheets", slot="x", status=400)["code"] == "unknown_parameter"
    assert read(app, "sheets", state="lost", status=400)["field"] == "state"


def test_our_own_phones_read_the_same_with_their_cookie(ride: SmallRide, app: Client) -> None:
    phone = ride.get_phone(ride.gunner)

    assert read(phone, "sheets") == read(app, "sheets")
    assert read(phone, "ride_progress", status=403, headers={"Origin": "https://elsewhere.example"})
    assert read(Client(), "sheets", status=401)["code"] == "signed_out"


def test_the_statements_do_not_grow_with_the_ride(ride: SmallRide, app: Client, django_assert_max_num_queries) -> None:
    for number in range(100, 140):
        Bike.objects.create(event_id=ride.ids["event"], number=number, group_id=ride.ids["group"])
    with django_assert_max_num_queries(14):
        read(app, "sheets")
    with django_assert_max_num_queries(26):
        read(app, "ride_progress")
