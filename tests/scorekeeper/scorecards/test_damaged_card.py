"""A card with an unreadable entry is shown up to that entry, says so, and nothing more is recorded on it."""

from __future__ import annotations

import csv
import io
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.urls import reverse

from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry, Operation, ReviewItem
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.bike_operations import WalkUp, register_bike
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.locked_cards import DamagedCard
from scorekeeper.scorecards.services.review import CannotDecide, decide_review
from scorekeeper.standings.services.refresh import refresh_standings
from tests.scorekeeper.conftest import CrewClient, Ride, SignIn
from tests.scorekeeper.damaged_entries import UNREADABLE_BODIES, Damage, choose_for_walks, rewrite
from tests.scorekeeper.scorecards.card_forms import card_url, crew_url, press, read_form
from tests.scorekeeper.scorecards.conftest import get_bike_card, list_bike_turns, make_actor, make_paper_turn

pytestmark = pytest.mark.database

SAID = "The log of this scorecard is damaged from entry 2 on."
NOT_NOW = "so nothing can be recorded on it"


DAMAGES: dict[str, Damage] = {
    **UNREADABLE_BODIES,
    "an unknown slot": lambda entry: rewrite(entry, slot=str(uuid4())),
    "an unknown box": lambda entry: rewrite(entry, actions=make_paper_turn("luck", 15)),
}


def damage(ride: Ride, how: str = "an unknown box") -> None:
    """Damage the second of three entries of bike 1's card."""
    entry = Entry.objects.get(chain=get_bike_card(ride, ride.bikes[1]).chain, seq=2)
    Entry.objects.filter(pk=entry.pk).update(body=DAMAGES[how](entry))


@pytest.fixture(autouse=True)
def recorded_turns(ride: Ride, add_turn, without_guards: None) -> None:
    """Bike 1 has three turns, bike 2 has one."""
    add_turn(1, 1, make_paper_turn("chance", 21))
    add_turn(1, 2, make_paper_turn("fives", 15))
    add_turn(1, 3, make_paper_turn("sixes", 18))
    add_turn(2, 1, make_paper_turn("chance", 20))


def open_public(ride: Ride, client, number: int) -> str:
    place = [ride.event.slug, ride.contest.slug, ride.bikes[number].pk]
    response = client.get(reverse("results:bike", args=place))
    assert response.status_code == 200
    return response.content.decode()


def open_desk(ride: Ride, sign_in: SignIn, alice) -> str:
    address = reverse("scorecards:desk_card", args=[ride.event.slug, get_bike_card(ride, ride.bikes[1]).pk])
    response = sign_in(alice).get(address)
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.parametrize("how", DAMAGES)
def test_the_organisers_page_shows_the_turns_before_the_damage(ride: Ride, sign_in, alice, how: str) -> None:
    damage(ride, how)

    page = open_desk(ride, sign_in, alice)

    assert SAID in page
    assert "manage.py verify" in page
    assert "Chance, 21 points" in page
    assert "Fives, 15 points" not in page
    assert "Sixes, 18 points" not in page


@pytest.mark.parametrize("how", DAMAGES)
def test_the_public_page_shows_the_turns_before_the_damage(ride: Ride, client, how: str) -> None:
    damage(ride, how)

    page = open_public(ride, client, 1)

    assert SAID in page
    assert ">21</td>" in page
    assert ">15</td>" not in page
    assert "damaged" not in open_public(ride, client, 2)


def test_the_first_entry_may_be_the_damaged_one(ride: Ride, client, sign_in, alice) -> None:
    Entry.objects.filter(chain=get_bike_card(ride, ride.bikes[1]).chain, seq=1).update(body="")

    assert "damaged from entry 1 on" in open_desk(ride, sign_in, alice)
    assert "This bike has not played yet." in open_public(ride, client, 1)


def test_damage_in_a_voided_turn_does_not_matter(ride: Ride, desk, sign_in, alice) -> None:
    """The rules do not read turns that no longer count."""
    turn = Turn.objects.get(line="fives")
    amend_turns(
        desk, uuid4(), ride.contest.pk, ride.bikes[1].pk, [CorrectionTarget(turn.pk, turn.seq, None)], "wrong bike"
    )
    damage(ride)

    assert "damaged" not in open_desk(ride, sign_in, alice)


def test_no_page_offers_to_change_such_a_card(ride: Ride, sign_in, alice, crew_client: CrewClient) -> None:
    assert "Void" in open_desk(ride, sign_in, alice)
    damage(ride)

    pages = [
        open_desk(ride, sign_in, alice),
        crew_client(ride.rita).get(card_url(ride, 1, 4), follow=True).content.decode(),
    ]

    for page in pages:
        assert SAID in page
        assert not [word for word in ("Correct", "Void", "Wrong bike", "Retire from the ride") if word in page]


def test_nothing_is_recorded_on_it_and_the_page_keeps_the_input(ride: Ride, crew_client: CrewClient) -> None:
    phone = crew_client(ride.rita)
    form = phone.get(card_url(ride, 1, 4, way="paper"))
    damage(ride)
    before = Operation.objects.count()

    answer = press(phone, form, box="twos", points="6")

    assert answer.status_code == 409
    assert NOT_NOW in answer.content.decode()
    assert read_form(answer)["points"] == ["6"]
    assert Operation.objects.count() == before


def test_a_correction_of_it_is_refused_with_the_reason(ride: Ride, crew_client: CrewClient) -> None:
    turn = Turn.objects.get(line="chance", points=21)
    damage(ride)

    data = {"turn": turn.pk, "seq": turn.seq, "reason": "read wrongly", "operation": uuid4()}
    answer = crew_client(ride.rita).post(crew_url(ride, 1, "void"), data)

    assert answer.status_code == 409
    assert NOT_NOW in answer.content.decode()


def test_a_turn_is_recorded_despite_the_damage_with_the_snapshot(ride: Ride, add_turn, desk: Actor) -> None:
    """Decision 9: the snapshot has what the log had before it was damaged."""
    entry = Entry.objects.get(chain=get_bike_card(ride, ride.bikes[1]).chain, seq=2)
    damage(ride)

    assert (
        add_turn(1, 4, make_paper_turn("fives", 5)).problems[0]["rule"] == "ROCK-16"
    )  # the damaged entry's box is still taken
    assert add_turn(1, 4, make_paper_turn("twos", 6)).outcome == "recorded"
    target = CorrectionTarget(Turn.objects.get(line="twos").pk, 4, None)
    with pytest.raises(DamagedCard):
        amend_turns(
            desk, uuid4(), ride.contest.pk, ride.bikes[1].pk, [target], "current turns are never changed this way"
        )

    Entry.objects.filter(pk=entry.pk).update(body=entry.body)
    call_command("verify")
    assert list_bike_turns(ride, 1) == [(1, "chance", 21), (2, "fives", 15), (3, "sixes", 18), (4, "twos", 6)]


def test_without_a_snapshot_the_same_operation_is_recorded_once_the_card_is_repaired(ride: Ride, add_turn) -> None:
    entry = Entry.objects.get(chain=get_bike_card(ride, ride.bikes[1]).chain, seq=2)
    operation, rita = uuid4(), make_actor(ride.rita)
    damage(ride)
    call_command("drop_snapshots")
    with pytest.raises(DamagedCard):
        add_turn(1, 4, make_paper_turn("twos", 6), by=rita, operation=operation)

    Entry.objects.filter(pk=entry.pk).update(body=entry.body)

    assert add_turn(1, 4, make_paper_turn("twos", 6), by=rita, operation=operation).outcome == "recorded"


def test_an_entry_under_review_can_be_dismissed_but_not_used(ride: Ride, add_turn, desk: Actor) -> None:
    add_turn(1, 1, make_paper_turn("chance", 22), by=make_actor(ride.tom))
    item = ReviewItem.objects.get()
    damage(ride)

    with pytest.raises(CannotDecide):
        decide_review(desk, uuid4(), item.pk, "apply", "Tom was nearer")
    decide_review(desk, uuid4(), item.pk, "keep", "Rita was nearer")

    item.refresh_from_db()
    assert item.decision == "keep"
    assert Entry.objects.filter(kind="settle").exists()


def test_the_rest_of_the_ride_goes_on(ride: Ride, add_turn) -> None:
    damage(ride)

    assert add_turn(2, 2, make_paper_turn("fives", 15)).outcome == "recorded"
    assert register_bike(make_actor(ride.rita), uuid4(), WalkUp(uuid4(), 57, ride.group_one.pk)).outcome == "recorded"


@pytest.mark.parametrize("how", choose_for_walks(DAMAGES))
def test_the_pages_about_the_whole_ride_open(
    ride: Ride, client, sign_in, alice, crew_client: CrewClient, how: str
) -> None:
    damage(ride, how)
    refresh_standings(ride.contest.pk)
    contest = [ride.event.slug, ride.contest.slug]

    for page in ("event", "cards", "review"):
        assert sign_in(alice).get(reverse(f"desk:{page}", args=contest[:1])).status_code == 200, page
    assert sign_in(alice).get(reverse("desk:finish", args=contest)).status_code == 200
    assert client.get(reverse("results:leaderboard", args=contest)).status_code == 200
    assert crew_client(ride.rita).get(reverse("scorecards:group")).status_code == 200


@pytest.mark.parametrize("how", DAMAGES)
def test_the_log_can_be_exported_with_the_damage(ride: Ride, sign_in, alice, how: str) -> None:
    damage(ride, how)
    address = reverse("results:desk_export", args=[ride.event.slug, ride.contest.slug, "log.csv"])

    response = sign_in(alice).get(address)

    assert response.status_code == 200
    rows = list(csv.DictReader(io.StringIO(response.getvalue().decode("utf-8-sig"))))
    assert [row["Kind"] for row in rows] == ["record"] * 4


@pytest.mark.parametrize("how", DAMAGES)
def test_verify_names_the_entry(ride: Ride, how: str) -> None:
    damage(ride, how)
    out = io.StringIO()

    with pytest.raises(CommandError):
        call_command("verify", stdout=out)

    assert f"Scorecard {get_bike_card(ride, ride.bikes[1]).pk}, entry 2: " in out.getvalue()


def test_a_bike_with_a_damaged_card_is_not_merged_and_the_input_is_kept(
    ride: Ride, sign_in: SignIn, alice: User
) -> None:
    damage(ride)
    page = reverse("desk:merge", args=[ride.event.slug, ride.bikes[1].pk])
    sent = {"operation": str(uuid4()), "into": str(ride.bikes[2].pk), "reason": "one machine"}

    answer = sign_in(alice).post(page, sent)

    assert answer.status_code == 409
    assert "is damaged. Have it repaired" in answer.content.decode()
    assert 'value="one machine"' in answer.content.decode()
