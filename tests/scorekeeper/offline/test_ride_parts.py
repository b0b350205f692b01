"""/api/v1/ride/parts: a phone receives its whole ride once, and afterwards only changes."""

from __future__ import annotations

import base64
import gzip
import json
import random
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from scorekeeper.bikes.models import Bike
from scorekeeper.crew.access import DEVICE_COOKIE
from scorekeeper.crew.models import CrewMessage, Device
from scorekeeper.crew.services.devices import create_device
from scorekeeper.crew.services.messages import record_messages_read, send_message, withdraw_message
from scorekeeper.events.models import Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Operation, OperationReason, ReviewItem
from scorekeeper.offline.buckets import MAX_BUCKETS, MIN_BUCKETS, count_buckets, fill_buckets, find_bucket, pack_buckets
from scorekeeper.offline.row_codec import join_parts, load_rows
from scorekeeper.players.models import Player
from scorekeeper.players.services import add_player, delete_player
from scorekeeper.scorecards.services.bike_operations import WalkUp, merge_bikes, register_bike
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.erasure import erase_name
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.scorecards.services.review import decide_review, revert_review_decision
from scorekeeper.standings.services.closure import close_contest, reopen_contest
from scorekeeper.stops.models import Stop
from tests.faults.scale import FULL
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.large_ride import make_large_ride
from tests.scorekeeper.offline.ride_copy import FORMAT, URL, RideCopy, make_digest
from tests.scorekeeper.scorecards.conftest import make_actor, make_paper_turn
from tests.scorekeeper.statements import list_statements
from tests.services import find_node

SCRIPT = Path(settings.BASE_DIR, "static", "js", "phone", "ride_parts.js")


@pytest.fixture
def captain(ride: Ride, crew_client: CrewClient) -> RideCopy:
    """The copy on the road captain's phone."""
    return RideCopy(crew_client(ride.rita))


@pytest.fixture
def gunner(ride: Ride, crew_client: CrewClient) -> RideCopy:
    """The copy on the tail-gunner's phone."""
    return RideCopy(crew_client(ride.tom))


def assert_as_fresh(copy: RideCopy) -> None:
    """Compare a copy with a new one, and that with the rows in tables."""
    assert copy.contents == RideCopy(copy.client).contents
    assert_as_tables(copy)


def assert_as_tables(copy: RideCopy) -> None:
    """Compare a copy with the rows in tables, which older versions of the app ask for."""
    facts, tables = join_parts(copy.contents.values())
    older = copy.client.get("/api/v1/ride", headers=FORMAT).json()
    assert (facts, tables) == ({name: older[name] for name in facts}, older["tables"])


def test_only_crew_phones_may_fetch_it(ride: Ride, client: Client) -> None:
    for ask in (client.get, client.head, client.post):
        answer = ask(URL)

        assert answer.status_code == 401
        assert answer["Cache-Control"] == "private, no-store"
    assert client.put(URL).status_code == 405


def test_an_unchanged_ride_needs_no_body_and_no_log(ride: Ride, captain: RideCopy, add_turn) -> None:
    add_turn(1, 1, make_paper_turn("chance", 22))
    captain.refresh()

    with CaptureQueriesContext(connection) as queries:
        captain.refresh()

    assert captain.how == "nothing"
    asked = list_statements(queries.captured_queries)
    assert not {"SELECT scorecards_turn", "SELECT scorecards_entry"} & set(asked)


def test_one_turn_sends_only_its_scorecard(ride: Ride, captain: RideCopy, add_turn) -> None:
    for number in (1, 2, 3, 4):
        add_turn(number, 1, make_paper_turn("chance", 20 + number))
    captain.refresh()
    before = dict(captain.fingerprints)

    add_turn(2, 2, make_paper_turn("fives", 15))
    captain.refresh()

    assert captain.how == "changes"
    assert set(captain.fingerprints) == set(before)
    changed = {key for key, fingerprint in captain.fingerprints.items() if fingerprint != before[key]}
    buckets = {find_bucket(key, count_buckets(len(before))) for key in changed}
    assert len([key for key in changed if key.startswith("card:")]) == 1
    assert set(captain.sent) == {key for key in before if find_bucket(key, count_buckets(len(before))) in buckets}
    assert_as_fresh(captain)


def test_the_number_of_statements_does_not_grow_with_the_changes(ride: Ride, captain: RideCopy, add_turn) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            is_complete = captain.fetch_changes()
        if not is_complete:
            captain.fetch_all()
        return len(queries)

    add_turn(1, 1, make_paper_turn("chance", 22))
    few = count()
    for number in (2, 3, 4):
        add_turn(number, 1, make_paper_turn("chance", 22), reason="Rain")
    Bike.objects.bulk_create([Bike(event=ride.event, number=number) for number in range(100, 160)])

    assert count() == few


@pytest.mark.slow
def test_after_any_change_the_copy_equals_a_new_one(
    ride: Ride, captain: RideCopy, gunner: RideCopy, add_turn, desk: Actor
) -> None:
    """In a short run, the two copies are compared by turns, each after one of four changes, and both at the end.

    What a change leaves out of a copy stays out of it until something else changes the same part.
    """
    copies = (captain, gunner)
    for number, change in enumerate(_list_changes(ride, add_turn, desk, captain)):
        change()
        for copy in copies:
            copy.refresh()
            assert copy.how == "changes" or copy.has_collided, change
        for copy in copies if FULL else copies[number % 4 : number % 4 + 1]:
            assert copy.contents == RideCopy(copy.client).contents, change
            if FULL:
                assert_as_tables(copy)
    for copy in copies:
        assert_as_fresh(copy)


def _list_changes(ride: Ride, add_turn, desk: Actor, captain: RideCopy) -> list[Callable[[], Any]]:
    bikes, contest = ride.bikes, ride.contest
    walk_up = WalkUp(uuid4(), 57, ride.group_one.pk, rider="Ivy", passenger="Jo")
    phone = Device.objects.get(pk=captain.ride["device"])
    own = Actor.from_device(Device.objects.select_related("member__group__event").get(pk=phone.pk))
    message = CrewMessage(event=ride.event, text="Ivy says it rains")
    rider = add_player(ride.event, name="On foot")

    def amend() -> None:
        receipt = add_turn(2, 1, make_paper_turn("chance", 18))
        target = CorrectionTarget(receipt.operation_id, 1, make_paper_turn("chance", 19))
        amend_turns(desk, uuid4(), contest.pk, bikes[2].pk, [target], "Misread by Ivy")

    def settle() -> None:
        decide_review(desk, uuid4(), ReviewItem.objects.get(settled_at=None).pk, "keep", "As seen")

    return [
        lambda: add_turn(1, 1, make_paper_turn("chance", 22)),
        lambda: add_turn(1, 2, make_paper_turn("fives", 15), by=own, reason="It rained"),
        lambda: add_turn(5, 1, make_paper_turn("chance", 12), by=make_actor(ride.gus), reason="Gus was late"),
        amend,
        lambda: add_turn(
            1, 1, make_paper_turn("chance", 25), by=make_actor(ride.tom)
        ),  # another phone recorded it differently
        settle,
        lambda: register_bike(make_actor(ride.tom), uuid4(), walk_up),
        lambda: add_turn(3, 1, make_paper_turn("chance", 11)),
        lambda: Bike.objects.filter(pk=bikes[3].pk).update(group=ride.group_two),
        lambda: retire_bike(desk, uuid4(), contest.pk, bikes[3].pk, "Ivy saw it leave"),
        lambda: merge_bikes(desk, uuid4(), walk_up.id, bikes[4].pk, "The same"),
        lambda: send_message(message),
        lambda: withdraw_message(message),
        lambda: delete_player(rider),
        lambda: erase_name(ride.event, "Ivy"),
        lambda: close_contest(desk, uuid4(), contest.pk, "Over"),
        lambda: reopen_contest(desk, uuid4(), contest.pk, "Not yet"),
        lambda: Player.objects.filter(bike=bikes[1]).update(name="Another"),
    ]


def test_own_operations_come_with_their_scorecard_or_alone_if_it_is_not_readable(
    ride: Ride, gunner: RideCopy, add_turn
) -> None:
    device = Device.objects.select_related("member__group__event").get(pk=gunner.ride["device"])
    receipt = add_turn(1, 1, make_paper_turn("chance", 22), by=Actor.from_device(device), reason="It rained")
    sent = f"sent:{receipt.operation_id}"

    gunner.refresh()
    (card,) = [key for key in gunner.fingerprints if key.startswith("card:")]
    assert [row[0] for row in gunner.contents[card]["scorecards.Operation"]] == [str(receipt.operation_id)]
    assert sent not in gunner.fingerprints

    Bike.objects.filter(pk=ride.bikes[1].pk).update(group=ride.group_two)
    gunner.refresh()
    assert "scorecards.Operation" not in gunner.contents[card]
    assert "It rained" in json.dumps(gunner.contents[sent])
    assert_as_fresh(gunner)


def test_a_phone_receives_the_decisions_on_its_own_entries(
    ride: Ride, captain: RideCopy, gunner: RideCopy, add_turn, desk: Actor
) -> None:
    add_turn(1, 1, make_paper_turn("chance", 22), by=make_actor(ride.rita))
    sent = str(add_turn(1, 1, make_paper_turn("chance", 25), by=make_actor(ride.tom)).operation_id)
    item = ReviewItem.objects.get()

    def tell(copy: RideCopy) -> dict[str, str]:
        copy.refresh()
        return dict(copy.contents["own"]["own"]["decisions"])

    assert (tell(gunner), tell(captain)) == ({sent: ""}, {})
    decide_review(desk, uuid4(), item.pk, "keep", "As seen")
    assert tell(gunner) == {sent: "keep"}
    revert_review_decision(desk, uuid4(), item.pk, "Read it again")
    decide_review(desk, uuid4(), item.pk, "apply", "As seen")
    assert (tell(gunner), tell(captain)) == ({sent: "apply"}, {})
    [phone] = Operation.objects.filter(actor_id=ride.tom.pk).values_list("device_id", flat=True)
    assert gunner.contents["own"]["own"]["counts"] == {str(phone): 1}


def test_changes_to_another_ride_change_nothing(ride: Ride, other_event, captain: RideCopy) -> None:
    Bike.objects.create(event=other_event, number=1, make="Elsewhere")

    captain.refresh()

    assert captain.how == "nothing"
    assert "Elsewhere" not in json.dumps(captain.contents)


def test_a_copy_with_another_digest_is_fetched_completely(ride: Ride, captain: RideCopy, add_turn) -> None:
    # The buckets have the same numbers. With so many buckets, not all are sent because of another change.
    for key in [one for one in captain.fingerprints if one.startswith("bike:")]:
        captain.fingerprints[key] = captain.fingerprints[key][:4] + "0" * 8

    add_turn(2, 1, make_paper_turn("chance", 22))
    captain.refresh()

    assert captain.how == "all"
    assert captain.has_collided
    assert_as_fresh(captain)


def test_a_phone_receives_no_reasons_of_other_groups(ride: Ride, gunner: RideCopy, add_turn) -> None:
    add_turn(5, 1, make_paper_turn("chance", 22), by=make_actor(ride.gus), reason="Gus was late")
    salt = OperationReason.objects.get().salt
    gunner.refresh()

    text = json.dumps(gunner.contents)
    for secret in ("Gus was late", salt, *Device.objects.values_list("token_digest", flat=True)):
        assert secret not in text
    assert [
        operation for content in gunner.contents.values() for operation in content.get("scorecards.Operation", [])
    ] == []


@pytest.mark.parametrize(
    "size", [0, 1, 2, MIN_BUCKETS * 2 - 2, MIN_BUCKETS * 2 + 2, MIN_BUCKETS * 3, MAX_BUCKETS * 4, 1_000_000]
)
def test_invalid_buckets_are_refused(ride: Ride, captain: RideCopy, size: int) -> None:
    answer = captain.client.post(URL, b"x" * size, content_type="application/octet-stream")

    assert answer.status_code == 400
    assert answer.json()["error"]["code"] == "bad_buckets"


@pytest.mark.slow
def test_a_ride_of_200_bikes_takes_300_kb(alice) -> None:
    crowd = make_large_ride(alice, 200)
    _device, token = create_device(crowd.captain)
    client = Client()
    client.cookies[DEVICE_COOKIE] = token

    content = client.get(URL).content

    assert Operation.objects.count() > 1_000
    assert len(gzip.compress(content, 6)) <= 300_000


@pytest.mark.node
def test_the_phones_script_computes_the_same_buckets() -> None:
    node = find_node()
    assert node is not None
    chance = random.Random(1)
    parts = {f"card:{chance.getrandbits(128):032x}": f"{chance.getrandbits(48):012x}" for _ in range(700)}
    module = base64.b64encode(SCRIPT.read_bytes()).decode()
    program = f"""
        import {{ fillBuckets, makeDigest }} from "data:text/javascript;base64,{module}";
        const parts = {json.dumps(parts)};
        const some = Object.fromEntries(Object.entries(parts).slice(0, 3));
        const show = (of) => Buffer.from(fillBuckets(of)).toString("hex");
        console.log(JSON.stringify([show(parts), show(some), show({{}}), await makeDigest(parts)]));
    """
    command = [str(node.program), "--input-type=module", "--eval", program]
    result = json.loads(
        subprocess.run(command, env=node.environment, capture_output=True, text=True, check=True).stdout
    )

    some = dict(list(parts.items())[:3])
    filled = [pack_buckets(fill_buckets(of, count_buckets(len(of)))).hex() for of in (parts, some, {})]
    assert result == [*filled, make_digest(parts)]


def test_a_phone_whose_app_knows_only_the_older_format_gets_no_columns_that_it_cannot_load(
    gunner: RideCopy,
) -> None:
    client = gunner.client
    older, latest = (client.get(URL, headers=headers).json() for headers in ({}, {"X-Ride-Format": "3"}))
    columns_of = [reply["parts"]["columns"][1]["columns"] for reply in (older, latest)]
    assert [reply["format"] for reply in (older, latest)] == [2, 3]
    assert "check_in.CheckItem" in columns_of[1]
    assert "check_in.CheckItem" not in columns_of[0]
    assert set(columns_of[1]["stops.Stop"]) - set(columns_of[0]["stops.Stop"]) >= {"opens_at", "address"}


def test_a_format_that_no_app_can_know_is_answered_in_the_older_one(gunner: RideCopy) -> None:
    for sent in ("9" * 5_000, "three", ""):
        assert gunner.client.get(URL, headers={"X-Ride-Format": sent}).json()["format"] == 2


def test_the_engine_skips_models_and_columns_that_a_later_server_sends(event: Event) -> None:
    row = {
        "columns": ["id", "event_id", "name", "ordinal", "altitude"],
        "rows": [[str(uuid4()), event.pk, "Top", 9, 3]],
    }
    load_rows({"stops.Stop": row, "stops.Weather": {"columns": ["id"], "rows": [[1]]}})
    assert Stop.objects.get(ordinal=9).name == "Top"


def test_a_message_is_sent_to_the_phones_of_its_group_until_it_is_read(
    ride: Ride, captain: RideCopy, crew_client: CrewClient
) -> None:
    gus = RideCopy(crew_client(ride.gus))
    to_one = CrewMessage(event=ride.event, text="Rain at Parks", group=ride.group_one)
    send_message(to_one)

    def list_texts(copy: RideCopy) -> list[str]:
        copy.refresh()
        _facts, tables = join_parts(copy.contents.values())
        table = tables["crew.CrewMessage"]
        return [row[table["columns"].index("text")] for row in table["rows"]]

    assert (list_texts(captain), list_texts(gus)) == (["Rain at Parks"], [])
    device = Device.objects.select_related("member__group__event").get(pk=captain.ride["device"])
    record_messages_read(device, [to_one.pk])
    assert list_texts(captain) == []
