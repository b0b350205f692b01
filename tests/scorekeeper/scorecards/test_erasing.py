"""`manage.py erase`: a name is permanently removed from a ride, and the log stays intact."""

from __future__ import annotations

import io
from dataclasses import replace
from uuid import uuid4

import pytest
from django.apps import apps
from django.core.management import CommandError, call_command
from django.utils import timezone

from scorekeeper.crew.models import CrewMessage
from scorekeeper.crew.services.members import add_member
from scorekeeper.crew.services.messages import send_message
from scorekeeper.desk.models import DismissedWarning
from scorekeeper.events.models import Organiser
from scorekeeper.events.services.events import remove_organiser
from scorekeeper.ledger.actors import Actor, list_actor_names
from scorekeeper.ledger.models import Operation, OperationReason, UncheckedPeople
from scorekeeper.ledger.operation_body import compute_digest
from scorekeeper.ledger.services.recording import IdReused
from scorekeeper.players.models import Player
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.bike_operations import WalkUp, register_bike
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.standings.selectors.verification import list_damage
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import get_bike_card, list_bike_turns, make_actor, make_paper_turn

pytestmark = pytest.mark.database

NAME = "Ivy Longfellow"


def erase(ride: Ride, *arguments: str) -> str:
    out = io.StringIO()
    call_command("erase", ride.event.slug, *arguments, stdout=out)
    return out.getvalue()


def list_tables_with(words: str) -> set[str]:
    """The tables in which the text occurs, in any column."""
    rows = {model._meta.db_table: model._base_manager.values_list() for model in apps.get_models()}
    return {table for table, found in rows.items() if words in str(list(found))}


def correct(ride: Ride, by: Actor, points: int, reason: str) -> None:
    """Correct the only recorded turn to this many points for fives."""
    turn = Turn.objects.get()
    target = CorrectionTarget(turn.pk, turn.seq, make_paper_turn("fives", points))
    amend_turns(by, uuid4(), ride.contest.pk, ride.bikes[1].pk, [target], reason)


@pytest.fixture
def walk_up(ride: Ride) -> WalkUp:
    return WalkUp(uuid4(), 57, ride.group_one.pk, rider=NAME, passenger="Jo Quill")


@pytest.fixture
def ivy(ride: Ride, walk_up: WalkUp) -> Actor:
    """Ivy, a crew member who registered her own bike."""
    ivy = make_actor(add_member(ride.group_one, name=NAME, role="supervisor"))
    register_bike(ivy, uuid4(), walk_up)
    return ivy


def test_a_name_is_stored_only_where_it_can_be_erased(ride: Ride, ivy: Actor, desk: Actor) -> None:
    retire_bike(desk, uuid4(), ride.contest.pk, ride.bikes[1].pk, f"{NAME} saw it leave")

    assert list_tables_with(NAME) == {"players_player", "crew_crewmember", "scorecards_note"}
    assert list_tables_with("saw it leave") == {"scorecards_note"}


def test_after_erasing_no_table_holds_the_name(ride: Ride, ivy: Actor, add_turn, desk: Actor) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20), by=ivy)
    correct(ride, desk, 15, f"{NAME} said")
    correct(ride, desk, 20, "read again")
    head = get_bike_card(ride, ride.bikes[1]).chain.head

    output = erase(ride, NAME.upper(), "--yes")

    assert output.splitlines() == [f"Person: {NAME}", f"Crew: {NAME}", f"Reason: {NAME} said", "Erased."]
    assert list_tables_with(NAME) == set()
    assert [reason.text for reason in OperationReason.objects.all()] == ["read again"]
    assert list(Player.objects.filter(bike__number=57).values_list("name", flat=True)) == ["Jo Quill"]
    assert list_bike_turns(ride, 1) == [(1, "fives", 20)]
    assert get_bike_card(ride, ride.bikes[1]).chain.head == head
    call_command("verify", stdout=io.StringIO())


def test_duplicates_are_still_recognised_after_erasure(ride: Ride, ivy: Actor, walk_up: WalkUp) -> None:
    operation = Operation.objects.get()
    erase(ride, NAME, "--yes")

    assert register_bike(ivy, operation.pk, walk_up).outcome == "recorded"
    assert register_bike(ivy, uuid4(), walk_up).outcome == "merged"
    for another in (replace(walk_up, number=58), replace(walk_up, make="Honda")):
        with pytest.raises(IdReused):
            register_bike(ivy, operation.pk, another)
        with pytest.raises(IdReused):
            register_bike(ivy, uuid4(), another)


def test_before_erasure_another_name_is_another_operation(ivy: Actor, walk_up: WalkUp) -> None:
    operation = Operation.objects.get()
    for another in (replace(walk_up, rider="Ivy"), replace(walk_up, rider="", passenger="")):
        with pytest.raises(IdReused):
            register_bike(ivy, operation.pk, another)


def test_no_digest_is_left_that_confirms_a_guess(ride: Ride, ivy: Actor, walk_up: WalkUp) -> None:
    digest = compute_digest("register_bike", ivy.id, walk_up.to_body())
    assert Operation.objects.filter(digest=digest).exists()

    erase(ride, NAME, "--yes")

    assert not Operation.objects.filter(digest=digest).exists()


def test_it_only_lists_matches_without_yes(ride: Ride, ivy: Actor) -> None:
    assert "add --yes" in erase(ride, NAME)
    assert list_tables_with(NAME) == {"players_player", "crew_crewmember"}


def test_other_people_and_other_rides_keep_their_names(ride: Ride, other_event, add_turn) -> None:
    Player.objects.create(event=other_event, name="Ann")
    add_turn(1, 1, make_paper_turn("chance", 20), reason="Annie was late")

    erase(ride, "ann", "--yes")

    assert list(Player.objects.filter(name__startswith="Ann").values_list("event__slug")) == [(other_event.slug,)]
    assert OperationReason.objects.get().text == "Annie was late"


def test_a_former_organiser_is_named_only_by_their_account(ride: Ride, add_turn) -> None:
    bob = Organiser.objects.get(event=ride.event, user__username="bob")
    add_turn(1, 1, make_paper_turn("chance", 20), by=Actor.from_organiser(bob))
    bobs = bob.pk
    with pytest.raises(CommandError, match="Remove them from its organisers first"):
        erase(ride, "Bob", "--yes")
    remove_organiser(bob)
    assert list_actor_names(ride.event, [bobs]) == {bobs: "bob"}

    assert "Former organiser: bob" in erase(ride, "Bob", "--yes")

    assert list_actor_names(ride.event, [bobs]) == {}


@pytest.mark.parametrize(
    ("name", "message"), [("Nemo", "was not found in Rock the Roll"), (" ", "Enter the name to erase.")]
)
def test_an_unknown_name_is_explained(ride: Ride, name: str, message: str) -> None:
    with pytest.raises(CommandError, match=message):
        erase(ride, name, "--yes")


def test_an_unknown_ride_is_explained(db: None) -> None:
    with pytest.raises(CommandError, match="There is no event with the address “nowhere”"):
        call_command("erase", "nowhere", NAME)


def test_a_name_that_the_organiser_has_yet_to_accept_is_erased_and_the_other_stays(ride: Ride, walk_up: WalkUp) -> None:
    register_bike(replace(make_actor(ride.rita), needs_review=True), uuid4(), walk_up)
    assert list_tables_with(NAME) == {"ledger_uncheckedpeople"}

    assert f"Name sent with bike 57: {NAME}, Jo Quill" in erase(ride, NAME).splitlines()
    erase(ride, NAME, "--yes")

    assert list_tables_with(NAME) == set()
    assert str(UncheckedPeople.objects.get()) == "Jo Quill"
    erase(ride, "Jo Quill", "--yes")
    assert not UncheckedPeople.objects.exists()
    assert list(list_damage(ride.event)) == []


def test_messages_and_dismissals_that_name_someone_are_erased_and_others_stay(ride: Ride, desk: Actor) -> None:
    for text in (f"{NAME} has the spare dice", "Rain at Parks"):
        send_message(CrewMessage(event=ride.event, text=text))
    for key, reason in (("one", f"Asked {NAME}"), ("two", "Seen")):
        DismissedWarning.objects.create(
            event=ride.event, key=key, reason=reason, dismissed_by=desk.id, dismissed_at=timezone.now()
        )

    output = erase(ride, NAME, "--yes")

    assert output.splitlines() == [f"Message: {NAME} has the spare dice", f"Reason: Asked {NAME}", "Erased."]
    assert list_tables_with(NAME) == set()
    assert [message.text for message in CrewMessage.objects.all()] == ["Rain at Parks"]
    assert [row.reason for row in DismissedWarning.objects.order_by("key")] == ["—", "Seen"]
