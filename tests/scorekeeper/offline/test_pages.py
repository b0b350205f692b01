"""The phone answers the crew's pages as the server does, and what it records is what the server records."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.urls import URLResolver, get_resolver, reverse

from scorekeeper.bikes.models import Bike
from scorekeeper.crew.models import Device
from scorekeeper.events.models import Contest
from scorekeeper.offline import engine_build
from scorekeeper.offline.forms.operation_parser import parse_operation
from scorekeeper.players.models import Player
from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.models import Entry, Operation, Scorecard
from scorekeeper.scorecards.receipts import Receipt
from scorekeeper.scorecards.services.batch import record_batch
from scorekeeper.tables.services.actions import NewAction, record_action
from scorekeeper.tables.services.table_creation import create_tables
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.offline.conftest import MakeOfflinePhone
from tests.scorekeeper.offline.offline_phone import OfflinePhone
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.scorecards.card_forms import HTMX, card_url, crew_url, list_forms, press, tap_dice
from tests.scorekeeper.scorecards.conftest import list_bike_turns, make_actor, make_final_turn, make_paper_turn
from tests.scorekeeper.tables import table_forms as tables

phone_urls = Path(engine_build.__file__).with_name("phone_urls.py")

pytestmark = pytest.mark.node


@pytest.fixture
def twin(ride: Ride, make_offline_phone: MakeOfflinePhone) -> OfflinePhone:
    """Rita's phone."""
    return make_offline_phone(ride.rita)


def note_turn(phone: Any, ride: Ride, number: int, slot: int, faces: str, box: str) -> Any:
    page = tap_dice(phone, phone.get(card_url(ride, number, slot)), faces)
    return press(phone, page, choose=f"score:{box}")


def test_every_page_of_a_fresh_ride_is_the_servers(ride: Ride, twin: OfflinePhone) -> None:
    bike = ride.bikes[1]
    for name in ("group", "dice_set", "walk_up"):
        twin.get(reverse(f"scorecards:{name}"))
    for page in ("card", "history", "other_turn", "correct"):
        twin.get(reverse(f"scorecards:{page}", args=[bike.pk]))
    for path in ("/crew/?q=5", "/crew/?q=99", f"/crew/?stop={ride.stops[2].pk}", "/crew/tables/", "/rules/"):
        twin.get(path)
    twin.get(card_url(ride, 5, 1))  # another group's
    twin.get(card_url(ride, 5, 1, takes_over=1))


def test_a_turn_that_is_noted_on_the_phone_is_the_servers_turn(ride: Ride, twin: OfflinePhone) -> None:
    answer = note_turn(twin, ride, 2, 2, "34552", "small_straight")

    assert [one["kind"] for one in answer.operations] == ["turn"]
    assert list_bike_turns(ride, 2) == [(2, "small_straight", 30)]
    told = get_page_text(twin.follow(answer))
    assert "Bike 2, Ben and Zoe: Small straight, 30 points at Parks." in told
    assert "Saved on this phone, waiting to send" in told
    twin.get("/crew/")
    twin.get(crew_url(ride, 2, "history"))


def test_an_undo_on_the_phone_voids_the_turn_on_the_server(ride: Ride, twin: OfflinePhone) -> None:
    page = twin.follow(note_turn(twin, ride, 1, 1, "66666", "yahtzee"))

    answer = twin.post(crew_url(ride, 1, "undo"), list_forms(page)[0])

    assert [one["kind"] for one in answer.operations] == ["amend"]
    assert list_bike_turns(ride, 1) == []
    assert "Undone: nothing is noted at Ozweld" in get_page_text(twin.request("GET", answer.url))
    twin.get(crew_url(ride, 1, "history"))


def test_a_correction_on_the_phone_is_the_servers_correction(
    ride: Ride, add_turn, make_offline_phone: MakeOfflinePhone
) -> None:
    turn = add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "small_straight")).operation_id
    twin = make_offline_phone(ride.tom)
    page = twin.get(f"{crew_url(ride, 1, 'correct')}?turn={turn}")
    fields = {**list_forms(page)[0], f"{turn}-way": ["same"], f"{turn}-choice": ["chance"], "reason": "misread"}

    answer = twin.post(crew_url(ride, 1, "correct"), fields)

    assert [(one["kind"], one["reason"]) for one in answer.operations] == [("amend", "misread")]
    assert list_bike_turns(ride, 1) == [(1, "chance", 19)]
    twin.get(crew_url(ride, 1, "history"))


def test_a_turn_is_voided_and_another_moved_as_on_the_server(
    ride: Ride, add_turn, make_offline_phone: MakeOfflinePhone
) -> None:
    wrong = add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "small_straight")).operation_id
    moved = add_turn(1, 2, make_paper_turn("chance", 22)).operation_id
    twin = make_offline_phone(ride.tom)
    page = twin.get(f"{crew_url(ride, 1, 'void')}?turn={wrong}")
    void = twin.post(crew_url(ride, 1, "void"), {**list_forms(page)[0], "turn": wrong, "reason": "never rolled"})
    page = twin.get(f"{crew_url(ride, 1, 'move')}?turn={moved}")
    move = twin.post(crew_url(ride, 1, "move"), {**list_forms(page)[0], "to_bike": ride.bikes[3].pk})

    assert [one["kind"] for one in (*void.operations, *move.operations)] == ["amend", "move"]
    assert (list_bike_turns(ride, 1), list_bike_turns(ride, 3)) == ([], [(2, "chance", 22)])
    for number in (1, 3):
        twin.get(crew_url(ride, number, "history"))


def test_a_bike_is_retired_and_comes_back_as_on_the_server(
    ride: Ride, add_turn, make_offline_phone: MakeOfflinePhone
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 22))
    twin = make_offline_phone(ride.rita)
    kinds = []
    for reason in ("broke down", "mended at the roadside"):
        page = twin.get(crew_url(ride, 1, "retire"))
        answer = twin.post(crew_url(ride, 1, "retire"), {**list_forms(page)[0], "reason": reason})
        kinds += [(one["kind"], one["reason"]) for one in answer.operations]
        twin.get(crew_url(ride, 1, "history"))

    assert kinds == [("retire", "broke down"), ("amend", "mended at the roadside")]


def test_a_walk_up_on_the_phone_has_its_card_on_the_server(ride: Ride, twin: OfflinePhone) -> None:
    page = twin.request("GET", "/crew/walk-up/")
    typed = {"number": "3", "rider": "Sam", "passenger": "Kim", "make": "BMW"}

    asked = twin.post("/crew/walk-up/", {**list_forms(page)[0], **typed})
    assert (asked.status_code, asked.operations) == (409, [])
    assert "Bike 3 is Cleo, Group one: the same bike?" in get_page_text(asked)
    answer = twin.post("/crew/walk-up/", {**list_forms(page)[0], **typed, "another": "3"})

    assert [one["kind"] for one in answer.operations] == ["register_bike"]
    bike = Bike.objects.get(is_walk_up=True)
    assert (bike.number, bike.suffix, bike.group) == (3, 2, ride.group_one)
    assert sorted(bike.players.values_list("name", "role")) == [("Kim", "passenger"), ("Sam", "rider")]
    assert answer.url.startswith(f"/crew/bikes/{bike.pk}/")
    assert "3 is taken" in get_page_text(twin.request("GET", answer.url))
    twin.get("/crew/")
    twin.get("/crew/?q=3")

    undone = twin.post(f"/crew/bikes/{bike.pk}/withdraw/", {})
    assert [one["kind"] for one in undone.operations] == ["withdraw_bike"]
    assert not Bike.objects.filter(is_walk_up=True).exists()
    twin.get("/crew/")


def test_another_turn_is_noted_with_its_reason_and_by_a_road_captain(ride: Ride, twin: OfflinePhone) -> None:
    page = twin.get(f"{crew_url(ride, 5, 'other_turn')}")
    asked = {**list_forms(page)[0], "slot": ride.slots[2].pk, "reason": "came late"}
    page = twin.follow(twin.post(crew_url(ride, 5, "other_turn"), asked))
    answer = press(twin, tap_dice(twin, page, "11123"), choose="score:aces")

    (sent,) = answer.operations
    assert (sent["takes_over"], sent["reason"]) == (True, "came late")
    assert list_bike_turns(ride, 5) == [(3, "aces", 3)]


def test_the_dice_set_goes_with_every_turn(ride: Ride, twin: OfflinePhone) -> None:
    chosen = ride.group_one.dice_sets.get(name="Third")
    twin.request("POST", "/crew/dice-set/", f"set={chosen.pk}&next=/crew/")
    twin.client.post("/crew/dice-set/", {"set": chosen.pk, "next": "/crew/"})

    (sent,) = note_turn(twin, ride, 2, 1, "34552", "small_straight").operations

    assert sent["dice_set"] == str(chosen.pk)
    twin.get(crew_url(ride, 2, "history"))


def test_a_table_is_played_put_right_and_left_on_the_phone(
    ride: Ride, desk, make_offline_phone: MakeOfflinePhone
) -> None:
    contest = Contest.objects.create(
        event=ride.event, name="Campfire", slug="campfire", ordinal=2, game_key="rogue", rules_version=1,
        seats_are=Contest.SeatsAre.PLAYERS,
    )  # fmt: skip
    people = [Player.objects.get(name=name).pk for name in ("Ben", "Cleo")]
    create_tables(desk, uuid4(), contest.pk, [people])
    table = tables.crew_url(Scorecard.objects.get(contest=contest).pk)
    twin = make_offline_phone(ride.tom)
    twin.get("/crew/tables/")
    page = tables.tap(twin, twin.get(table), "roll:dice", "C", 2, 2, 4, 5, 6)
    page = twin.follow(tables.press(twin, page, list_notes(page)[0]))
    undone = twin.post(f"{table}undo/", tables.read_undo_form(page))
    again = twin.get(undone.url)
    page = twin.follow(tables.press(twin, again, list_notes(again)[0]))
    twin.get(f"{table}history/")
    leave = twin.get(f"{table}retire/?seat=1")
    twin.follow(twin.post(f"{table}retire/", next(form for form in list_forms(leave) if "seat" in form)))
    twin.get("/crew/tables/")

    assert [one["kind"] for one in twin.sent] == ["action", "correct", "action", "action"]
    log = Entry.objects.filter(chain__card__contest=contest).order_by("seq").values_list("kind", flat=True)
    assert list(log) == ["deal", "record", "amend", "record", "record"]


def test_a_wrong_roll_and_what_it_brings_in_the_way_are_corrected_together_on_the_phone(
    ride: Ride, desk, make_offline_phone: MakeOfflinePhone
) -> None:
    contest = Contest.objects.create(
        event=ride.event, name="Campfire", slug="campfire", ordinal=2, game_key="rogue", rules_version=1,
        seats_are=Contest.SeatsAre.PLAYERS,
    )  # fmt: skip
    people = [Player.objects.get(name=name).pk for name in ("Ben", "Cleo")]
    create_tables(desk, uuid4(), contest.pk, [people])
    card = Scorecard.objects.get(contest=contest).pk
    for seen, action in enumerate((tables.get_roll_data(0), tables.get_keep_data(0, 2, 2), tables.get_bank_data(0)), 1):
        record_action(desk, uuid4(), NewAction(card, seen, [action]))
    first = Entry.objects.get(chain_id=card, seq=2).operation_id
    twin = make_offline_phone(ride.tom)
    url = tables.crew_url(card, "correct")

    page = twin.get(f"{url}?action={first}")
    threes = ["C", "3", "3", "4", "5", "6"]
    page = tables.press(twin, page, "note:roll:", roll__dice=threes, reason="threes, not twos")
    done = tables.press(twin, page, "note:keep:", keep__dice="0 1")

    (sent,) = done.operations
    assert (sent["kind"], len(sent["targets"])) == ("correct", 2)
    log = Entry.objects.filter(chain_id=card).order_by("seq").values_list("kind", flat=True)
    assert list(log) == ["deal", "record", "record", "record", "amend"]


def list_notes(page: Any) -> list[str]:
    """The names of the buttons that note something."""
    return re.findall(r'name="(note:[^"]*)"', page.content.decode())


def test_without_signal_a_day_is_noted_and_sent_later(ride: Ride, add_turn, twin: OfflinePhone) -> None:
    twin.is_connected = False
    note_turn(twin, ride, 1, 1, "66666", "yahtzee")
    note_turn(twin, ride, 2, 1, "12345", "large_straight")
    page = twin.get(note_turn(twin, ride, 3, 1, "11123", "aces").url)
    twin.post(crew_url(ride, 3, "undo"), list_forms(page)[0])
    add_turn(2, 1, make_paper_turn("chance", 20), by=make_actor(ride.tom))

    assert [one["outcome"] for one in twin.load()] == ["conflict"], "Tom's note of bike 2 was there first"
    assert [one["kind"] for one in twin.pending] == ["turn", "turn", "turn", "amend"]
    assert [one["outcome"] for one in twin.send()] == ["recorded", "conflict", "recorded", "recorded"]
    twin.is_connected = True
    assert twin.load() == []
    for path in ("/crew/", *(crew_url(ride, number, "history") for number in (1, 2, 3))):
        twin.get(path)


def test_what_the_ride_contains_already_is_not_done_twice(ride: Ride, twin: OfflinePhone) -> None:
    (sent,) = note_turn(twin, ride, 1, 1, "66666", "yahtzee").operations
    twin.pending = [sent]

    assert twin.load() == []

    twin.get(crew_url(ride, 1, "history"))


def test_an_operation_that_cannot_be_read_is_told_and_stops_no_other(ride: Ride, twin: OfflinePhone) -> None:
    twin.is_connected = False
    note_turn(twin, ride, 1, 1, "66666", "yahtzee")
    twin.pending.insert(0, {"id": "0f8fad5b-d9cb-469f-a165-70867728950e", "kind": "turn"})

    (problem,) = twin.load()

    assert (problem["id"], problem["outcome"]) == ("0f8fad5b-d9cb-469f-a165-70867728950e", "unreadable")
    assert "Yahtzee" in get_page_text(twin.get(crew_url(ride, 1, "history")))


def test_what_the_phone_sends_is_word_for_word_what_was_recorded(ride: Ride, add_turn, twin: OfflinePhone) -> None:
    """The server keeps a digest of all that was sent: it is the one that the phone's own recording made."""
    page = twin.follow(note_turn(twin, ride, 1, 1, "66666", "yahtzee"))
    twin.post(crew_url(ride, 1, "undo"), list_forms(page)[0])
    bodies = {one["id"]: one for one in twin.sent}

    for known in Operation.objects.all():
        again = parse_operation(actor_of(known), bodies[str(known.pk)])
        (answer,) = record_batch([again])
        assert isinstance(answer, Receipt), "a copy, and nothing else under the same id"
        assert answer.outcome == known.outcome
    assert Operation.objects.count() == 2


def actor_of(operation: Operation) -> Actor:
    assert operation.device_id is not None
    return Actor.from_device(Device.objects.select_related("member__group").get(pk=operation.device_id))


def test_slots_that_this_phone_does_not_know_of_are_named_on_the_card(ride: Ride, add_turn, twin: OfflinePhone) -> None:
    add_turn(1, 1, make_paper_turn("chance", 22))
    twin.load()

    told = get_page_text(twin.request("GET", card_url(ride, 1, 3)))

    assert "Parks is not on this phone. Check the rider’s paper card." in told
    assert "Ozweld's: not on this phone" not in told
    assert "BBQ: not on this phone" not in told
    assert "not on this phone" not in get_page_text(twin.client.get(card_url(ride, 1, 3)))


@pytest.mark.parametrize("path", ["/crew/sign-out/", "/crew/tables/new/campfire/", "/crew/join/abc/", "/desk/", "/"])
def test_pages_that_need_the_server_say_so(ride: Ride, twin: OfflinePhone, path: str) -> None:
    for method in ("GET", "POST"):
        answer = twin.request(method, path)

        assert answer.status_code == 503
        assert "This needs signal" in get_page_text(answer)
        assert answer.operations == []
        assert ("What you have just sent was not recorded." in get_page_text(answer)) == (method == "POST")


def test_what_is_not_on_the_phone_is_told_in_words(ride: Ride, twin: OfflinePhone) -> None:
    answer = twin.request("GET", f"/crew/bikes/{uuid4()}/")

    assert answer.status_code == 404
    assert "Not on this phone" in get_page_text(answer)


def test_a_fragment_is_the_servers_fragment(ride: Ride, twin: OfflinePhone) -> None:
    page = twin.get(card_url(ride, 1, 1), headers=HTMX)
    answer = twin.post(page.wsgi_request.path, {**list_forms(page)[0], "face": "3"}, headers=HTMX)

    assert answer.content.decode().lstrip().startswith("<form")


def test_every_address_on_the_phone_is_one_of_the_servers() -> None:
    """The addresses that the phone spells for itself are held to the server's."""
    spelt = re.findall(r'path\("([^"]*)", needs_signal, name="(\w+)"\)', phone_urls.read_text())

    assert len(spelt) == 5
    assert set(spelt) <= {(str(one.pattern), one.name) for one in list_patterns(get_resolver().url_patterns)}


def list_patterns(patterns: Any) -> Iterator[Any]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from list_patterns(pattern.url_patterns)
        else:
            yield pattern
