"""A card with an entry that cannot be read opens as far as it goes, says so, and takes nothing more."""

from __future__ import annotations

import csv
import io
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.urls import reverse

from scorekeeper.scorecards.actors import Actor
from scorekeeper.scorecards.models import Entry, Operation, Turn
from scorekeeper.scorecards.services.bikes import WalkUp, register_bike
from scorekeeper.scorecards.services.cards import Damaged
from scorekeeper.scorecards.services.corrections import Target, amend_turns
from scorekeeper.standings.services.follow import follow_contest
from tests.scorekeeper.conftest import CrewClient, Ride, SignIn
from tests.scorekeeper.damage import UNREADABLE, Damage, rewrite
from tests.scorekeeper.scorecards.conftest import actor, card_of, paper, turns_of
from tests.scorekeeper.scorecards.pages import card_url, crew_url, press, read_form

SAID = "The log of this card is damaged from entry 2 on."
NOT_NOW = "so nothing can be noted on it"


DAMAGES: dict[str, Damage] = {
    **UNREADABLE,
    "a slot nobody knows": lambda entry: rewrite(entry, slot=str(uuid4())),
    "a box nobody knows": lambda entry: rewrite(entry, actions=paper("luck", 15)),
}


def damage(ride: Ride, how: str = "a box nobody knows") -> None:
    """Damage the second of three entries of bike 1's card."""
    entry = Entry.objects.get(chain=card_of(ride, ride.bikes[1]).chain, seq=2)
    Entry.objects.filter(pk=entry.pk).update(body=DAMAGES[how](entry))


@pytest.fixture(autouse=True)
def noted(ride: Ride, note, unguarded: None) -> None:
    """Bike 1 has three turns, bike 2 has one."""
    note(1, 1, paper("chance", 21))
    note(1, 2, paper("fives", 15))
    note(1, 3, paper("sixes", 18))
    note(2, 1, paper("chance", 20))


def open_public(ride: Ride, client, number: int) -> str:
    place = [ride.event.slug, ride.contest.slug, ride.bikes[number].pk]
    response = client.get(reverse("results:bike", args=place))
    assert response.status_code == 200
    return response.content.decode()


def open_desk(ride: Ride, sign_in: SignIn, alice) -> str:
    address = reverse("scorecards:desk_card", args=[ride.event.slug, card_of(ride, ride.bikes[1]).pk])
    response = sign_in(alice).get(address)
    assert response.status_code == 200
    return response.content.decode()


@pytest.mark.parametrize("how", DAMAGES)
def test_the_organisers_page_shows_what_stands_before_the_damage(ride: Ride, sign_in, alice, how: str) -> None:
    damage(ride, how)

    page = open_desk(ride, sign_in, alice)

    assert SAID in page
    assert "manage.py verify" in page
    assert "Chance, 21 points" in page
    assert "Fives, 15 points" not in page
    assert "Sixes, 18 points" not in page


@pytest.mark.parametrize("how", DAMAGES)
def test_the_public_page_shows_what_stands_before_the_damage(ride: Ride, client, how: str) -> None:
    damage(ride, how)

    page = open_public(ride, client, 1)

    assert SAID in page
    assert ">21</td>" in page
    assert ">15</td>" not in page
    assert "damaged" not in open_public(ride, client, 2)


def test_the_first_entry_may_be_the_damaged_one(ride: Ride, client, sign_in, alice) -> None:
    Entry.objects.filter(chain=card_of(ride, ride.bikes[1]).chain, seq=1).update(body="")

    assert "damaged from entry 1 on" in open_desk(ride, sign_in, alice)
    assert "This bike has not rolled yet." in open_public(ride, client, 1)


def test_a_turn_that_was_taken_back_since_damages_nothing(ride: Ride, desk, sign_in, alice) -> None:
    """What no longer stands need not be read by the rules."""
    turn = Turn.objects.get(line="fives")
    amend_turns(desk, uuid4(), ride.contest.pk, ride.bikes[1].pk, [Target(turn.pk, turn.seq, None)], "wrong bike")
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


def test_nothing_is_recorded_on_it_and_the_page_keeps_what_was_typed(ride: Ride, crew_client: CrewClient) -> None:
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


def test_a_roll_is_recorded_beside_the_damage_by_what_was_kept_of_the_card(ride: Ride, note, desk: Actor) -> None:
    """Decision 9: the snapshot tells what the log said while it was whole."""
    entry = Entry.objects.get(chain=card_of(ride, ride.bikes[1]).chain, seq=2)
    damage(ride)

    assert note(1, 4, paper("fives", 5)).problems[0]["rule"] == "ROCK-16"  # the damaged entry's box is still taken
    assert note(1, 4, paper("twos", 6)).outcome == "recorded"
    target = Target(Turn.objects.get(line="twos").pk, 4, None)
    with pytest.raises(Damaged):
        amend_turns(desk, uuid4(), ride.contest.pk, ride.bikes[1].pk, [target], "what stands is never changed so")

    Entry.objects.filter(pk=entry.pk).update(body=entry.body)
    call_command("verify")
    assert turns_of(ride, 1) == [(1, "chance", 21), (2, "fives", 15), (3, "sixes", 18), (4, "twos", 6)]


def test_without_a_snapshot_the_same_operation_is_taken_once_the_card_is_mended(ride: Ride, note) -> None:
    entry = Entry.objects.get(chain=card_of(ride, ride.bikes[1]).chain, seq=2)
    operation, rita = uuid4(), actor(ride.rita)
    damage(ride)
    call_command("drop_snapshots")
    with pytest.raises(Damaged):
        note(1, 4, paper("twos", 6), by=rita, operation=operation)

    Entry.objects.filter(pk=entry.pk).update(body=entry.body)

    assert note(1, 4, paper("twos", 6), by=rita, operation=operation).outcome == "recorded"


def test_the_rest_of_the_ride_goes_on(ride: Ride, note) -> None:
    damage(ride)

    assert note(2, 2, paper("fives", 15)).outcome == "recorded"
    assert register_bike(actor(ride.rita), uuid4(), WalkUp(uuid4(), 57, ride.group_one.pk)).outcome == "recorded"


@pytest.mark.parametrize("how", DAMAGES)
def test_the_pages_about_the_whole_ride_open(
    ride: Ride, client, sign_in, alice, crew_client: CrewClient, how: str
) -> None:
    damage(ride, how)
    follow_contest(ride.contest.pk)
    contest = [ride.event.slug, ride.contest.slug]

    for page in ("event", "cards", "review"):
        assert sign_in(alice).get(reverse(f"desk:{page}", args=contest[:1])).status_code == 200, page
    assert sign_in(alice).get(reverse("desk:finish", args=contest)).status_code == 200
    assert client.get(reverse("results:leaderboard", args=contest)).status_code == 200
    assert crew_client(ride.rita).get(reverse("scorecards:group")).status_code == 200


@pytest.mark.parametrize("how", DAMAGES)
def test_the_log_can_be_taken_away_with_the_damage_in_it(ride: Ride, sign_in, alice, how: str) -> None:
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

    assert f"Scorecard {card_of(ride, ride.bikes[1]).pk}, entry 2: " in out.getvalue()


def test_a_bike_with_a_damaged_card_is_not_merged_and_what_was_typed_is_kept(
    ride: Ride, sign_in: SignIn, alice: User
) -> None:
    damage(ride)
    page = reverse("desk:merge", args=[ride.event.slug, ride.bikes[1].pk])
    sent = {"operation": str(uuid4()), "into": str(ride.bikes[2].pk), "reason": "one machine"}

    answer = sign_in(alice).post(page, sent)

    assert answer.status_code == 409
    assert "cannot be read to its end" in answer.content.decode()
    assert 'value="one machine"' in answer.content.decode()
