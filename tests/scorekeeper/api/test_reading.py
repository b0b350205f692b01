"""What the API tells: anyone what the public pages show, and a program with a token what its organiser sees."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from scorekeeper.audience.services import freeze_standings
from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import AccessToken, Event
from scorekeeper.players.models import ClassMember, EventClass, Player
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.stops.models import Stop
from tests.scorekeeper.api.program import add_token, make_program, read
from tests.scorekeeper.rights.small_ride import SmallRide, make_small_ride

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def ride() -> SmallRide:
    return make_small_ride("Quokka")


@pytest.fixture
def program(ride: SmallRide) -> Client:
    """A program that may read what the ride's organiser sees."""
    return make_program(ride.user)


def list_contest_args(ride: SmallRide) -> list[list[str]]:
    return [[ride.slugs["event"], ride.slugs[name]] for name in ("yahtzee", "campfire", "published")]


def read_file(client: Client, route: str, args: list[str]) -> Any:
    response: Any = client.get(reverse(route, args=[*args, "export.json"]))
    return json.loads(response.getvalue())


def test_results_and_standings_are_those_of_the_files(ride: SmallRide, program: Client) -> None:
    for args in list_contest_args(ride):
        public, full = (
            read_file(Client(), "results:export", args),
            read_file(ride.get_desk(), "results:desk_export", args),
        )
        full.pop("log")
        assert read(Client(), "results", *args) == public
        assert read(program, "results", *args) == full
        for caller, file in ((Client(), public), (program, full)):
            standings = read(caller, "standings", *args)
            assert standings == {
                name: value for name, value in file.items() if name not in ("cards", "stops", "prizes")
            }
            cards = [seat for card in read(caller, "scorecards", *args)["results"] for seat in card["seats"]]
            assert sorted(cards, key=str) == sorted(file["cards"], key=str)


def test_the_log_is_that_of_the_file(ride: SmallRide, program: Client) -> None:
    args = [ride.slugs["event"], ride.slugs["campfire"]]
    log = read_file(ride.get_desk(), "results:desk_export", args)["log"]

    entries = read(program, "entries", *args)["results"]

    assert [(entry["hash"], entry["at"], entry["by"], entry["reason"]) for entry in entries] == [
        (entry["hash"], entry["at"], entry["by"], entry["reason"]) for entry in log
    ]
    roll = next(entry for entry in entries if entry["actions"])
    assert roll["actions"] == [{"seat": 0, "type": "roll", "dice": ["C", 2, 3, 4, 5, 6]}]
    only = read(program, "entries", *args, chain=str(ride.ids["table"]))["results"]
    assert {entry["chain"] for entry in only} == {str(ride.ids["table"])}


def test_the_audience_sees_people_as_the_event_shows_them(ride: SmallRide, program: Client) -> None:
    Event.objects.update(people_shown=Event.PeopleShown.NUMBERS)
    args = [ride.slugs["event"], ride.slugs["yahtzee"]]

    for caller in (Client(), make_program(ride.user, "public")):
        for route in ("standings", "scorecards", "results", "prizes"):
            assert "Ann" not in json.dumps(read(caller, route, *args))
    assert "Quokka Ann" in json.dumps(read(program, "standings", *args))


def test_the_audience_of_a_freeze_sees_its_figures_and_an_organiser_those_of_now(
    ride: SmallRide, program: Client
) -> None:
    event = Event.objects.get(pk=ride.ids["event"])
    freeze_standings(event)
    args = [event.slug, ride.slugs["yahtzee"]]

    assert read(Client(), "standings", *args)["frozen_at"] == read(Client(), "event", event.slug)["frozen_at"]
    assert "frozen_at" not in read(program, "standings", *args)


def test_a_program_sees_the_events_of_its_organiser_and_everyone_else_the_front_page(
    ride: SmallRide, program: Client
) -> None:
    other = make_small_ride("Numbat")
    Event.objects.filter(pk=other.ids["event"]).update(is_listed=True)
    Event.objects.filter(pk=ride.ids["event"]).update(state=Event.State.DRAFT)

    assert [event["name"] for event in read(Client(), "events")["results"]] == ["Numbat ride"]
    assert [event["name"] for event in read(program, "events")["results"]] == ["Quokka ride"]
    assert read(program, "event", ride.slugs["event"])["state"] == "draft"
    assert read(Client(), "event", ride.slugs["event"], status=404)["code"] == "event_not_found"
    # Even what everyone can see is not read with a token for other events.
    foreign = read(program, "event", other.slugs["event"], status=404)
    missing = read(program, "event", "no-such-ride", status=404)
    assert foreign == missing
    assert "Leave the token out" in foreign["detail"]


def test_a_token_that_does_not_work_is_an_error_that_says_why(ride: SmallRide) -> None:
    event = ride.slugs["event"]

    def ask(header: str, status: int = 401, route: str = "event") -> str:
        answer = read(Client(), route, event, status=status, headers={"Authorization": header})
        assert answer.get("status", 200) == status
        return str(answer.get("code", ""))

    secret = f"Bearer {add_token(ride.user)}"
    assert ask("Bearer tgp_wrong") == ask("bearer ") == ask(f"{secret}x") == "token_unknown"
    assert ask(secret, 200, "event") == ""
    AccessToken.objects.update(expires_at=timezone.now())
    assert ask(secret) == "token_expired"
    AccessToken.objects.update(revoked_at=timezone.now())
    assert ask(secret) == ask(secret, route="bikes") == "token_revoked"
    assert read(Client(), "bikes", event, status=401)["code"] == "token_missing"
    public = f"Bearer {add_token(ride.user, 'public')}"
    assert ask(public, 403, "bikes") == "scope_too_small"
    response = Client().get(reverse("api:bikes", args=[event]))
    assert response.headers["WWW-Authenticate"] == 'Bearer realm="api"'


def test_using_a_token_is_noted(ride: SmallRide, program: Client) -> None:
    own = AccessToken.objects.filter(name="to read")
    assert own.get().last_used_at is None
    read(program, "event", ride.slugs["event"])
    assert own.get().last_used_at is not None


def test_a_removed_organiser_loses_the_event(ride: SmallRide, program: Client) -> None:
    Event.objects.get(pk=ride.ids["event"]).organisers.filter(user=ride.user).delete()

    assert read(program, "event", ride.slugs["event"], status=404)["code"] == "event_not_found"


def test_a_scorecard_says_what_can_be_recorded_on_it(ride: SmallRide, program: Client) -> None:
    args = [ride.slugs["event"], ride.slugs["yahtzee"]]
    played = read(program, "scorecard", *args, str(ride.ids["card"]))
    blank_id = str(derive_card_id(ride.ids["yahtzee"], ride.ids["other_bike"]))
    blank = read(program, "scorecard", *args, blank_id)

    assert (played["play"]["length"], played["seats"][0]["total"]) == (2, 20)
    assert played["play"]["free_slots"] == [str(ride.ids["free_slot"])]
    assert blank["play"]["free_slots"] == [str(ride.ids["slot"]), str(ride.ids["free_slot"])]
    kinds = {action["type"] for action in blank["play"]["legal_actions"]}
    assert {"roll", "result", "paper", "forfeit", "retire"} <= kinds
    assert read(Client(), "scorecard", *args, blank_id)["play"] is None
    assert read(program, "scorecard", *args, str(uuid4()), status=404)["code"] == "scorecard_not_found"
    # Its own contest only.
    foreign = read(program, "scorecard", *args, str(ride.ids["table"]), status=404)
    assert foreign["code"] == "scorecard_not_found"


def test_a_closed_choice_says_why_and_by_which_clause(ride: SmallRide, program: Client) -> None:
    args = [ride.slugs["event"], ride.slugs["yahtzee"], str(ride.ids["card"])]
    actions = read(program, "scorecard", *args)["play"]["legal_actions"]
    choices = [choice for action in actions for field in action["fields"] for choice in field.get("choices", ())]

    closed = [choice for choice in choices if not choice["open"]]
    assert closed or choices
    assert all(choice["why_not"] for choice in closed)


def test_a_table_says_whose_turn_it_is(ride: SmallRide, program: Client) -> None:
    args = [ride.slugs["event"], ride.slugs["campfire"], str(ride.ids["table"])]
    table = read(program, "scorecard", *args)

    assert (table["table"], len(table["seats"]), table["play"]["to_act"]) == (1, 2, 0)
    assert {action["type"] for action in table["play"]["legal_actions"]} >= {"keep"}
    assert read(Client(), "scorecard", *args)["seats"] == read(Client(), "scorecards", *args[:2])["results"][0]["seats"]


def test_prizes_are_those_of_now_for_organisers_and_not_public_yet(ride: SmallRide, program: Client) -> None:
    args = [ride.slugs["event"], ride.slugs["yahtzee"]]

    (prize,) = read(program, "prizes", *args)["results"]

    assert (prize["name"], prize["outcome"], prize["winners"][0]["number"]) == ("Quokka mirror", "figures", "1")
    assert read(Client(), "prizes", *args)["results"] == []


def test_revisions_and_entries_under_review_are_for_organisers(ride: SmallRide, program: Client) -> None:
    args = [ride.slugs["event"], ride.slugs["published"]]
    (revision,) = read(program, "revisions", *args)["results"]
    assert (revision["number"], revision["published_by"], revision["is_current"]) == (1, "quokka-alice", True)
    assert read(program, "revision", *args, 1)["revision"] == 1
    assert read(program, "revision", *args, 2, status=404)["code"] == "revision_not_found"

    (waiting,) = read(program, "review_items", args[0])["results"]
    assert (waiting["reason"], waiting["contest"]) == ("conflict", ride.slugs["yahtzee"])
    assert [side["description"] for side in waiting["under_review"]] == ["Quokka stop 1: Chance, 25 points"]
    (decided,) = read(program, "review_items", args[0], state="decided", contest=ride.slugs["yahtzee"])["results"]
    assert (decided["decision"], decided["current"]) == ("keep", [])


def test_the_roster_can_be_filtered(ride: SmallRide, program: Client) -> None:
    event = ride.slugs["event"]
    Player.objects.filter(name="Quokka Ann").update(role=Player.Role.RIDER)

    assert [bike["label"] for bike in read(program, "bikes", event)["results"]] == ["1", "1 (2)", "2"]
    assert len(read(program, "bikes", event, number=2)["results"]) == 1
    assert read(program, "bikes", event, group=str(ride.ids["other_group"]))["results"] == []
    assert [one["name"] for one in read(program, "players", event, role="rider")["results"]] == ["Quokka Ann"]
    assert [one["name"] for one in read(program, "groups", event)["results"]] == ["Quokka group 1", "Quokka group 2"]
    names = [row["number"] for row in read(program, "standings", event, ride.slugs["yahtzee"], top=1)["standings"]]
    assert names == ["1"]


def test_every_list_can_be_filtered(ride: SmallRide, program: Client) -> None:
    event, contest = ride.slugs["event"], ride.slugs["yahtzee"]

    def count(route: str, *args: str, **query: Any) -> int:
        return len(read(program, route, *args, **query)["results"])

    day = Event.objects.get(slug=event).date
    assert count("events", since=day, until=day, state="open") == 1
    assert count("events", since=day + dt.timedelta(days=1)) == count("events", state="draft") == 0
    Stop.objects.create(event_id=ride.ids["event"], name="Quokka fuel", ordinal=9)
    assert count("stops", event) == count("stops", event, contest=contest) + 1
    assert count("stops", event, contest=ride.slugs["campfire"]) == 0
    crew = read(program, "groups", event, bike=str(ride.ids["bike"]))["results"]
    assert [group["id"] for group in crew] == [str(ride.ids["group"])]
    games = {one["game"] for one in read(program, "contests", event)["results"]}
    assert {one["game"] for one in read(program, "contests", event, game="rogue")["results"]} == {"rogue"} < games
    Bike.objects.filter(pk=ride.ids["other_bike"]).update(did_not_start=True)
    assert count("bikes", event, did_not_start="true") == 1
    assert count("bikes", event, did_not_start="false") == count("bikes", event) - 1
    assert count("players", event, bike=str(ride.ids["bike"])) == 2
    campfire = ride.slugs["campfire"]
    assert count("scorecards", event, campfire, table=1) == count("scorecards", event, campfire) == 1
    assert count("scorecards", event, campfire, table=2) == 0
    assert count("scorecards", event, campfire, holder=str(ride.ids["player"])) == 1
    kinds = [entry["kind"] for entry in read(program, "entries", event, contest)["results"]]
    assert count("entries", event, contest, kind="record") == kinds.count("record") > 0
    assert count("prizes", event, contest, holder=str(ride.ids["bike"])) == 1
    assert count("prizes", event, contest, holder=str(ride.ids["other_bike"])) == 0
    published = ride.slugs["published"]
    assert count("revisions", event, published, current="true") == 1
    assert count("revisions", event, published, current="false") == 0
    assert count("review_items", event, state="decided", contest=contest) == 1


def test_bikes_and_people_have_their_own_classes(ride: SmallRide, program: Client) -> None:
    event = ride.slugs["event"]
    person = Player.objects.get(pk=ride.ids["player"])
    novices = EventClass.objects.create(event_id=ride.ids["event"], name="Novices", ordinal=2)
    ClassMember.objects.create(event_class=novices, player=person)
    ladies: dict[str, Any] = {"id": str(ride.ids["class"]), "name": "Quokka ladies"}
    beginners: dict[str, Any] = {"id": str(novices.pk), "name": "Novices"}

    assert read(program, "classes", event)["results"] == [{**ladies, "position": 1}, {**beginners, "position": 2}]
    bikes = {bike["id"]: bike for bike in read(program, "bikes", event)["results"]}
    bike = bikes.pop(str(ride.ids["bike"]))
    assert bike["classes"] == [ladies]
    assert [one["classes"] for one in bike["people"] if one["id"] == str(person.pk)] == [[beginners]]
    assert all(other["classes"] == [] for other in bikes.values())
    assert [one["id"] for one in read(program, "bikes", event, **{"class": ladies["id"]})["results"]] == [bike["id"]]
    found = read(program, "players", event, **{"class": beginners["id"]})["results"]
    assert [(one["id"], one["classes"]) for one in found] == [(str(person.pk), [beginners])]
    assert read(program, "bikes", event, status=400, **{"class": "ladies"})["field"] == "class"


@pytest.mark.parametrize(
    ("route", "query", "field", "code"),
    [
        ("events", {"since": "2026-06-21", "until": "2026-06-20"}, "until", "empty_range"),
        ("events", {"since": "yesterday"}, "since", "invalid_value"),
        ("events", {"state": "over"}, "state", "invalid_value"),
        ("stops", {"contest": "no-such-contest"}, "contest", "contest_not_found"),
        ("review_items", {"contest": "no-such-contest"}, "contest", "contest_not_found"),
        ("contests", {"game": "poker"}, "game", "invalid_value"),
        ("bikes", {"did_not_start": "perhaps"}, "did_not_start", "invalid_value"),
        ("bikes", {"number": "-1"}, "number", "min_value"),
        ("bikes", {"number": "1e3"}, "number", "invalid_value"),
        ("groups", {"bike": "57"}, "bike", "invalid_value"),
        ("players", {"role": "pillion"}, "role", "invalid_value"),
    ],
)
def test_a_filter_that_makes_no_sense_is_an_error(
    ride: SmallRide, program: Client, route: str, query: Any, field: str, code: str
) -> None:
    args = [] if route == "events" else [ride.slugs["event"]]

    answer = read(program, route, *args, status=400, **query)

    assert (answer["field"], answer["code"]) == (field, code)


def test_a_filter_by_something_of_another_event_finds_nothing(ride: SmallRide, program: Client) -> None:
    other = make_small_ride("Numbat")
    event, contest = ride.slugs["event"], ride.slugs["yahtzee"]

    filters: list[tuple[str, list[str], dict[str, Any]]] = [
        ("bikes", [event], {"group": other.ids["group"]}),
        ("players", [event], {"bike": other.ids["bike"]}),
        ("groups", [event], {"bike": other.ids["bike"]}),
        ("bikes", [event], {"class": other.ids["class"]}),
        ("players", [event], {"class": other.ids["class"]}),
        ("scorecards", [event, contest], {"holder": other.ids["bike"]}),
        ("entries", [event, contest], {"chain": other.ids["card"]}),
        ("prizes", [event, contest], {"holder": other.ids["bike"]}),
    ]
    for route, args, query in filters:
        assert read(program, route, *args, **query) == {"results": [], "next": None}, route
    answer = read(program, "stops", event, status=400, contest=other.slugs["yahtzee"])
    assert answer["code"] == "contest_not_found"


LISTS = {
    "events": (),
    "stops": ("event",),
    "groups": ("event",),
    "classes": ("event",),
    "bikes": ("event",),
    "players": ("event",),
    "contests": ("event",),
    "scorecards": ("event", "yahtzee"),
    "entries": ("event", "yahtzee"),
    "prizes": ("event", "yahtzee"),
    "revisions": ("event", "published"),
    "review_items": ("event",),
}


@pytest.mark.parametrize("route", LISTS)
def test_every_list_is_the_same_in_pages_of_one(ride: SmallRide, program: Client, route: str) -> None:
    args = [ride.slugs[name] for name in LISTS[route]]
    whole = read(program, route, *args)
    found, url = [], reverse(f"api:{route}", args=args) + "?limit=1"
    while url:
        page = program.get(url).json()
        assert len(page["results"]) <= 1
        found += page["results"]
        url = page["next"]

    assert whole["next"] is None
    assert found == whole["results"] != []


@pytest.mark.parametrize(
    ("query", "field", "code"),
    [
        ({"limt": 5}, "limt", "unknown_parameter"),
        ({"limit": 0}, "limit", "min_value"),
        ({"limit": "many"}, "limit", "invalid_value"),
        ({"group": "one"}, "group", "invalid_value"),
        ({"cursor": "one"}, "cursor", "invalid_cursor"),
        ({"cursor": "WyJ4IiwieSIsInoiXQ=="}, "cursor", "invalid_cursor"),
    ],
)
def test_a_wrong_parameter_is_named(ride: SmallRide, program: Client, query: Any, field: str, code: str) -> None:
    answer = read(program, "bikes", ride.slugs["event"], status=400, **query)

    assert (answer["field"], answer["code"]) == (field, code)
    assert answer["detail"]


def test_several_mistakes_are_all_listed(ride: SmallRide, program: Client) -> None:
    answer = read(program, "bikes", ride.slugs["event"], status=400, limit=0, number=0)

    assert {mistake["field"] for mistake in answer["errors"]} == {"limit", "number"}


def test_a_list_is_read_page_by_page_and_new_rows_move_nothing(ride: SmallRide, program: Client) -> None:
    event = Event.objects.get(pk=ride.ids["event"])
    event.bikes.bulk_create(type(event.bikes.get(pk=ride.ids["bike"]))(event=event, number=n) for n in range(10, 15))
    labels, url = [], reverse("api:bikes", args=[event.slug]) + "?limit=2"
    while url:
        page = program.get(url).json()
        labels += [bike["label"] for bike in page["results"]]
        if len(labels) == 4:
            event.bikes.create(number=5)  # before where the program is
        url = page["next"]

    assert labels == ["1", "1 (2)", "2", "10", "11", "12", "13", "14"]


def test_what_is_not_there_or_not_possible_is_told_in_the_same_form(ride: SmallRide) -> None:
    for response in (Client().post(reverse("api:events")), Client().put(reverse("api:bikes", args=["x"]))):
        assert response.status_code == 405
        assert response.headers["Content-Type"] == "application/problem+json"
        assert response.json()["code"] == "method_not_allowed"
    nowhere: Any = Client().get("/api/v1/nowhere")
    assert (nowhere.status_code, nowhere.json()["code"]) == (404, "not_found")
    assert nowhere.headers["Content-Type"] == "application/problem+json"
