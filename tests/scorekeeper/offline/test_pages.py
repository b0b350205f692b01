"""The phone serves the crew's pages as the server does, and records the same."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.urls import URLResolver, get_resolver, reverse

from scorekeeper.api.forms.operation_parser import parse_operation
from scorekeeper.bikes.models import Bike
from scorekeeper.crew.models import CrewMessage, Device
from scorekeeper.crew.services.messages import send_message
from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry, Operation
from scorekeeper.ledger.receipts import Receipt
from scorekeeper.ledger.services.batch import record_batch
from scorekeeper.offline import app_files
from scorekeeper.players.class_members import read_own_classes
from scorekeeper.players.class_settings import add_class, give_classes
from scorekeeper.players.models import Player
from scorekeeper.scorecards.models import Scorecard
from scorekeeper.scorecards.services.actions import NewAction, record_action
from scorekeeper.standings.services.closure import close_contest, reopen_contest
from scorekeeper.tables.services import create_tables
from tests.scorekeeper import table_forms as tables
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.offline.conftest import MakeOfflinePhone
from tests.scorekeeper.offline.offline_phone import OfflinePhone
from tests.scorekeeper.page_checks import get_page_text, get_visible_text
from tests.scorekeeper.scorecards.card_forms import HTMX, card_url, crew_url, list_forms, press, read_form, tap_dice
from tests.scorekeeper.scorecards.conftest import list_bike_turns, make_actor, make_final_turn, make_paper_turn

phone_urls = Path(app_files.__file__).with_name("phone_urls.py")

pytestmark = pytest.mark.node


@pytest.fixture
def phone(ride: Ride, make_offline_phone: MakeOfflinePhone) -> OfflinePhone:
    """Rita's phone."""
    return make_offline_phone(ride.rita)


def record_turn(phone: Any, ride: Ride, number: int, slot: int, faces: str, box: str) -> Any:
    page = tap_dice(phone, phone.get(card_url(ride, number, slot)), faces)
    return press(phone, page, choose=f"score:{box}")


def test_every_page_of_a_new_ride_equals_the_servers(ride: Ride, phone: OfflinePhone) -> None:
    bike = ride.bikes[1]
    for name in ("group", "dice_set", "walk_up"):
        phone.get(reverse(f"scorecards:{name}"))
    for page in ("card", "history", "other_turn", "correct"):
        phone.get(reverse(f"scorecards:{page}", args=[bike.pk]))
    for path in (
        "/crew/?q=5",
        "/crew/?q=99",
        "/crew/?q=zo%C3%AB",
        "/crew/?q=nobody",
        f"/crew/?stop={ride.stops[2].pk}",
        "/crew/tables/",
        "/rules/",
    ):
        phone.get(path)
    phone.get(card_url(ride, 5, 1))  # another group's
    phone.get(card_url(ride, 5, 1, takes_over=1))


def test_a_number_with_letters_is_on_the_phones_pages_and_registered_without_signal(
    ride: Ride, phone: OfflinePhone
) -> None:
    Bike.objects.filter(pk=ride.bikes[2].pk).update(number="1A")
    phone.load()
    text = get_visible_text(phone.get("/crew/"))
    assert re.search(r"\b1 .*\b1A .*\b3 ", text)
    assert "1A" in get_visible_text(phone.get("/crew/?q=1a"))

    phone.is_connected = False
    path = reverse("scorecards:walk_up")
    answer = phone.post(path, {**list_forms(phone.get(path))[0], "number": "57a", "rider": "Ivy"})
    (sent,) = answer.operations
    assert sent["number"] == "57A"
    assert phone.load() == []
    assert [receipt["outcome"] for receipt in phone.send()] == ["recorded"]
    assert Bike.objects.filter(number="57A").exists()


def test_a_walk_up_gets_its_class_without_signal(ride: Ride, phone: OfflinePhone) -> None:
    ladies = add_class(ride.event, "Ladies")
    give_classes(ride.bikes[2], [ladies.pk])
    phone.load()

    phone.is_connected = False
    path = reverse("scorecards:walk_up")
    page = phone.get(path)
    assert "Ladies" in get_visible_text(page)
    answer = phone.post(path, {**list_forms(page)[0], "number": "57", "rider": "Ivy", "classes": str(ladies.pk)})
    (sent,) = answer.operations
    assert sent["classes"] == [str(ladies.pk)]
    assert [receipt["outcome"] for receipt in phone.send()] == ["recorded"]
    assert read_own_classes(ride.event.pk)[Bike.objects.get(number=57).pk] == {ladies.pk}
    phone.is_connected = True
    phone.load()
    phone.get(path)


def test_a_message_is_on_the_phones_pages_as_on_the_servers_until_it_is_read(ride: Ride, phone: OfflinePhone) -> None:
    message = CrewMessage(event=ride.event, text="Rain & <wind> at Parks")
    send_message(message)
    phone.load()

    assert "Rain &amp; &lt;wind&gt; at Parks" in phone.get("/crew/").content.decode()
    phone.client.post(f"/crew/messages/{message.pk}/read/")
    phone.load()
    assert "Rain" not in phone.get("/crew/").content.decode()


def test_a_turn_recorded_on_the_phone_equals_the_servers(ride: Ride, phone: OfflinePhone) -> None:
    answer = record_turn(phone, ride, 2, 2, "34552", "small_straight")

    assert [one["kind"] for one in answer.operations] == ["turn"]
    assert list_bike_turns(ride, 2) == [(2, "small_straight", 30)]
    text = get_visible_text(phone.follow(answer))
    assert "Small straight 30 points Bike 2, Ben and Zoe, at Parks" in text
    assert "Saved on this phone, not sent yet" in text
    phone.get("/crew/")
    phone.get(crew_url(ride, 2, "history"))


def test_an_undo_on_the_phone_voids_the_turn_on_the_server(ride: Ride, phone: OfflinePhone) -> None:
    page = phone.follow(record_turn(phone, ride, 1, 1, "66666", "yahtzee"))

    answer = phone.post(crew_url(ride, 1, "undo"), list_forms(page)[0])

    assert [one["kind"] for one in answer.operations] == ["amend"]
    assert list_bike_turns(ride, 1) == []
    assert "Undone. Ozweld" in get_page_text(phone.request("GET", answer.url))
    phone.get(crew_url(ride, 1, "history"))


def test_what_a_closing_by_mistake_recorded_can_be_recorded_again_on_the_phone(
    ride: Ride, add_turn, desk: Actor, make_offline_phone: MakeOfflinePhone
) -> None:
    add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "small_straight"))
    phone = make_offline_phone(ride.rita)
    closing = close_contest(desk, uuid4(), ride.contest.pk, "by mistake")
    phone.load()
    assert "Missed" in get_visible_text(phone.get(card_url(ride, 1, 2)))
    reopen_contest(desk, uuid4(), ride.contest.pk, "it was a mistake", closing.operation_id)
    phone.load()

    answer = record_turn(phone, ride, 1, 2, "66666", "yahtzee")

    assert [one["kind"] for one in answer.operations] == ["turn"]
    assert list_bike_turns(ride, 1) == [(1, "small_straight", 30), (2, "yahtzee", 50)]
    phone.get(crew_url(ride, 1, "history"))


def test_a_correction_on_the_phone_equals_the_servers(
    ride: Ride, add_turn, make_offline_phone: MakeOfflinePhone
) -> None:
    turn = add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "small_straight")).operation_id
    phone = make_offline_phone(ride.tom)
    page = phone.get(f"{crew_url(ride, 1, 'correct')}?turn={turn}&typing=1")
    fields = {**list_forms(page)[0], f"{turn}-way": ["same"], f"{turn}-choice": ["chance"], "reason": "misread"}

    answer = phone.post(crew_url(ride, 1, "correct"), fields)

    assert [(one["kind"], one["reason"]) for one in answer.operations] == [("amend", "misread")]
    assert list_bike_turns(ride, 1) == [(1, "chance", 19)]
    phone.get(crew_url(ride, 1, "history"))


def test_a_turn_is_voided_and_another_moved_as_on_the_server(
    ride: Ride, add_turn, make_offline_phone: MakeOfflinePhone
) -> None:
    wrong = add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "small_straight")).operation_id
    moved = add_turn(1, 2, make_paper_turn("chance", 22)).operation_id
    phone = make_offline_phone(ride.tom)
    page = phone.get(f"{crew_url(ride, 1, 'void')}?turn={wrong}")
    void = phone.post(crew_url(ride, 1, "void"), {**list_forms(page)[0], "turn": wrong, "reason": "never rolled"})
    page = phone.get(f"{crew_url(ride, 1, 'move')}?turn={moved}")
    move = phone.post(crew_url(ride, 1, "move"), {**list_forms(page)[0], "to_bike": ride.bikes[3].pk})

    assert [one["kind"] for one in (*void.operations, *move.operations)] == ["amend", "move"]
    assert (list_bike_turns(ride, 1), list_bike_turns(ride, 3)) == ([], [(2, "chance", 22)])
    for number in (1, 3):
        phone.get(crew_url(ride, number, "history"))


def test_a_bike_retires_and_returns_as_on_the_server(
    ride: Ride, add_turn, make_offline_phone: MakeOfflinePhone
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 22))
    phone = make_offline_phone(ride.rita)
    kinds = []
    for reason in ("broke down", "mended at the roadside"):
        page = phone.get(crew_url(ride, 1, "retire"))
        answer = phone.post(crew_url(ride, 1, "retire"), {**list_forms(page)[0], "reason": reason})
        kinds += [(one["kind"], one["reason"]) for one in answer.operations]
        phone.get(crew_url(ride, 1, "history"))

    assert kinds == [("retire", "broke down"), ("amend", "mended at the roadside")]


def test_a_walk_up_on_the_phone_has_its_scorecard_on_the_server(ride: Ride, phone: OfflinePhone) -> None:
    page = phone.request("GET", "/crew/walk-up/")
    typed = {"number": "3", "rider": "Sam", "passenger": "Kim", "make": "BMW"}

    asked = phone.post("/crew/walk-up/", {**list_forms(page)[0], **typed})
    assert (asked.status_code, asked.operations) == (409, [])
    assert "Bike 3 is Cleo, Group one: the same bike?" in get_page_text(asked)
    answer = phone.post("/crew/walk-up/", {**list_forms(page)[0], **typed, "another": "3"})

    assert [one["kind"] for one in answer.operations] == ["register_bike"]
    bike = Bike.objects.get(is_walk_up=True)
    assert (bike.number, bike.suffix, bike.group) == (3, 2, ride.group_one)
    assert sorted(bike.players.values_list("name", "role")) == [("Kim", "passenger"), ("Sam", "rider")]
    assert answer.url.startswith(f"/crew/bikes/{bike.pk}/")
    assert "3 was taken" in get_page_text(phone.request("GET", answer.url))
    phone.get("/crew/")
    phone.get("/crew/?q=3")

    undone = phone.post(f"/crew/bikes/{bike.pk}/withdraw/", {})
    assert [one["kind"] for one in undone.operations] == ["withdraw_bike"]
    assert not Bike.objects.filter(is_walk_up=True).exists()
    phone.get("/crew/")


def test_a_missing_turn_is_recorded_with_its_reason_and_by_a_road_captain(ride: Ride, phone: OfflinePhone) -> None:
    page = phone.get(f"{crew_url(ride, 5, 'other_turn')}")
    asked = {**list_forms(page)[0], "slot": ride.slots[2].pk, "reason": "came late"}
    page = phone.follow(phone.post(crew_url(ride, 5, "other_turn"), asked))
    answer = press(phone, tap_dice(phone, page, "11123"), choose="score:aces")

    (sent,) = answer.operations
    assert (sent["takes_over"], sent["reason"]) == (True, "came late")
    assert list_bike_turns(ride, 5) == [(3, "aces", 3)]


def test_the_dice_set_is_sent_with_every_turn(ride: Ride, phone: OfflinePhone) -> None:
    chosen = ride.group_one.dice_sets.get(name="Third")
    phone.request("POST", "/crew/dice-set/", f"set={chosen.pk}&next=/crew/")
    phone.client.post("/crew/dice-set/", {"set": chosen.pk, "next": "/crew/"})

    (sent,) = record_turn(phone, ride, 2, 1, "34552", "small_straight").operations

    assert sent["dice_set"] == str(chosen.pk)
    phone.get(crew_url(ride, 2, "history"))


def test_a_table_is_played_and_corrected_on_the_phone_and_a_player_retires(
    ride: Ride, desk, make_offline_phone: MakeOfflinePhone
) -> None:
    contest = Contest.objects.create(
        event=ride.event, name="Campfire", slug="campfire", ordinal=2, game_key="rogue", rules_version=1,
        seats_are=Contest.SeatsAre.PLAYERS,
    )  # fmt: skip
    people = [Player.objects.get(name=name).pk for name in ("Ben", "Cleo")]
    create_tables(desk, uuid4(), contest.pk, [people])
    table = tables.crew_url(Scorecard.objects.get(contest=contest).pk)
    phone = make_offline_phone(ride.tom)
    phone.get("/crew/tables/")
    page = tables.tap(phone, phone.get(table), "roll:dice", "C", 2, 2, 4, 5, 6)
    page = phone.follow(tables.press(phone, page, list_record_buttons(page)[0]))
    undone = phone.post(f"{table}undo/", tables.read_undo_form(page))
    again = phone.get(undone.url)
    page = phone.follow(tables.press(phone, again, list_record_buttons(again)[0]))
    phone.get(f"{table}history/")
    leave = phone.get(f"{table}retire/?seat=1")
    phone.follow(phone.post(f"{table}retire/", next(form for form in list_forms(leave) if "seat" in form)))
    phone.get("/crew/tables/")

    assert [one["kind"] for one in phone.sent] == ["action", "correct", "action", "action"]
    log = Entry.objects.filter(chain__card__contest=contest).order_by("seq").values_list("kind", flat=True)
    assert list(log) == ["deal", "record", "amend", "record", "record"]


def test_a_wrong_roll_and_its_consequences_are_corrected_together_on_the_phone(
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
    phone = make_offline_phone(ride.tom)
    url = tables.crew_url(card, "correct")

    page = phone.get(f"{url}?action={first}")
    threes = ["C", "3", "3", "4", "5", "6"]
    page = tables.press(phone, page, "note:roll:", roll__dice=threes, reason="threes, not twos")
    done = tables.press(phone, page, "note:keep:", keep__dice="0 1")

    (sent,) = done.operations
    assert (sent["kind"], len(sent["targets"])) == ("correct", 2)
    log = Entry.objects.filter(chain_id=card).order_by("seq").values_list("kind", flat=True)
    assert list(log) == ["deal", "record", "record", "record", "amend"]


def list_record_buttons(page: Any) -> list[str]:
    """Return the names of the buttons that record something."""
    return re.findall(r'name="(note:[^"]*)"', page.content.decode())


def test_a_day_is_recorded_without_signal_and_sent_later(ride: Ride, add_turn, phone: OfflinePhone) -> None:
    phone.is_connected = False
    record_turn(phone, ride, 1, 1, "66666", "yahtzee")
    record_turn(phone, ride, 2, 1, "12345", "large_straight")
    page = phone.get(record_turn(phone, ride, 3, 1, "11123", "aces").url)
    phone.post(crew_url(ride, 3, "undo"), list_forms(page)[0])
    add_turn(2, 1, make_paper_turn("chance", 20), by=make_actor(ride.tom))

    assert [one["outcome"] for one in phone.load()] == ["conflict"], "Tom's entry for bike 2 was there first"
    assert [one["kind"] for one in phone.pending] == ["turn", "turn", "turn", "amend"]
    assert [one["outcome"] for one in phone.send()] == ["recorded", "conflict", "recorded", "recorded"]
    phone.is_connected = True
    assert phone.load() == []
    for path in ("/crew/", *(crew_url(ride, number, "history") for number in (1, 2, 3))):
        phone.get(path)


def test_operations_that_the_ride_contains_are_not_replayed(ride: Ride, phone: OfflinePhone) -> None:
    (sent,) = record_turn(phone, ride, 1, 1, "66666", "yahtzee").operations
    phone.pending = [sent]

    assert phone.load() == []

    phone.get(crew_url(ride, 1, "history"))


def test_a_malformed_operation_is_reported_and_blocks_no_other(ride: Ride, phone: OfflinePhone) -> None:
    phone.is_connected = False
    record_turn(phone, ride, 1, 1, "66666", "yahtzee")
    phone.pending.insert(0, {"id": "0f8fad5b-d9cb-469f-a165-70867728950e", "kind": "turn"})

    (problem,) = phone.load()

    assert (problem["id"], problem["outcome"]) == ("0f8fad5b-d9cb-469f-a165-70867728950e", "unreadable")
    assert "Yahtzee" in get_page_text(phone.get(crew_url(ride, 1, "history")))


def test_the_phone_sends_exactly_what_it_recorded(ride: Ride, add_turn, phone: OfflinePhone) -> None:
    """The server stores a digest of what was sent: it equals the digest of what the phone recorded."""
    page = phone.follow(record_turn(phone, ride, 1, 1, "66666", "yahtzee"))
    phone.post(crew_url(ride, 1, "undo"), list_forms(page)[0])
    bodies = {one["id"]: one for one in phone.sent}

    for known in Operation.objects.all():
        again = parse_operation(actor_of(known), bodies[str(known.pk)])
        (answer,) = record_batch([again])
        assert isinstance(answer, Receipt), "a copy, and nothing else under the same id"
        assert answer.outcome == known.outcome
    assert Operation.objects.count() == 2


def actor_of(operation: Operation) -> Actor:
    assert operation.device_id is not None
    return Actor.from_device(Device.objects.select_related("member__group").get(pk=operation.device_id))


def test_slots_that_this_phone_does_not_know_are_listed_on_the_scorecard(
    ride: Ride, add_turn, phone: OfflinePhone
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 22))
    phone.load()

    text = get_page_text(phone.request("GET", card_url(ride, 1, 3)))

    assert "Not on this phone: Parks. Check the paper card." in text
    assert "Not on this phone: Ozweld's, Parks. Check the paper card." in get_page_text(
        phone.request("GET", card_url(ride, 2, 3))
    ), "in one line"
    assert "Not on this phone" not in get_page_text(phone.client.get(card_url(ride, 1, 3)))


def test_a_walk_up_that_this_phone_registers_has_no_turns_elsewhere(ride: Ride, phone: OfflinePhone) -> None:
    phone.is_connected = False
    path = f"{reverse('scorecards:walk_up')}?stop={ride.stops[2].pk}"
    added = phone.post(path, {**read_form(phone.get(path)), "number": "57", "rider": "Ida"})

    text = get_page_text(phone.request("GET", added.url))

    assert "Registered. To undo it, tap ⋮ at the top." in text
    assert "Not on this phone" not in text


@pytest.mark.parametrize(
    "path", ["/crew/sign-out/", "/crew/switch/", "/crew/tables/new/campfire/", "/crew/join/abc/", "/desk/", "/"]
)
def test_pages_that_need_the_server_say_so(ride: Ride, phone: OfflinePhone, path: str) -> None:
    for method in ("GET", "POST"):
        answer = phone.request(method, path)

        assert answer.status_code == 503
        assert "This needs signal" in get_page_text(answer)
        assert answer.operations == []
        assert ("What you have just sent was not recorded." in get_page_text(answer)) == (method == "POST")


def test_a_page_that_is_not_on_the_phone_says_so(ride: Ride, phone: OfflinePhone) -> None:
    answer = phone.request("GET", f"/crew/bikes/{uuid4()}/")

    assert answer.status_code == 404
    assert "Not on this phone" in get_page_text(answer)


def test_a_fragment_equals_the_servers(ride: Ride, phone: OfflinePhone) -> None:
    page = phone.get(card_url(ride, 1, 1), headers=HTMX)
    answer = phone.post(page.wsgi_request.path, {**list_forms(page)[0], "face": "3"}, headers=HTMX)

    assert answer.content.decode().lstrip().startswith("<form")


def test_every_url_on_the_phone_exists_on_the_server() -> None:
    """The phone's URL patterns are compared with the server's."""
    spelt = re.findall(r'path\("([^"]*)", needs_signal, name="(\w+)"\)', phone_urls.read_text())

    assert len(spelt) == 8
    assert set(spelt) <= {(str(one.pattern), one.name) for one in list_patterns(get_resolver().url_patterns)}


def list_patterns(patterns: Any) -> Iterator[Any]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from list_patterns(pattern.url_patterns)
        else:
            yield pattern
