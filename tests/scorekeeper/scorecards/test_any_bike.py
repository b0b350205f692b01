"""Crew who record any bike at some stops: they do so there without taking over, and nowhere else."""

from __future__ import annotations

from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.crew.models import CrewMember
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry, Operation, ReviewItem
from scorekeeper.ledger.services.recording import NotAllowed
from scorekeeper.scorecards.contest_rules import derive_card_id
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.selectors.group import get_next_bike
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.moves import move_turn
from scorekeeper.scorecards.services.retirement import retire_bike
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.page_checks import get_page_text, get_visible_text
from tests.scorekeeper.page_forms import save
from tests.scorekeeper.scorecards.card_forms import card_url, crew_url, list_forms, press, tap_dice
from tests.scorekeeper.scorecards.conftest import list_bike_turns, make_actor, make_final_turn, make_paper_turn

pytestmark = pytest.mark.django_db

FINALE, PARKS = 4, 2  # slots of the contest
NOT_YOURS = (
    "rides with Group two. Its own crew records its turns. If they are not here, ask a road captain to take it over."
)


@pytest.fixture
def finale_ride(ride: Ride) -> Ride:
    """The ride; Tom, tail-gunner of group one, records any bike at the finale."""
    ride.tom.any_bike_at.add(ride.stops[3])
    return ride


@pytest.fixture
def phone(finale_ride: Ride, crew_client: CrewClient) -> Client:
    """Tom's phone."""
    return crew_client(finale_ride.tom)


def get_turn(ride: Ride, number: int, slot: int) -> Turn:
    card_id = derive_card_id(ride.contest.pk, ride.bikes[number].pk)
    return Turn.objects.get(card=card_id, slot=ride.slots[slot - 1])


def void(ride: Ride, actor: Actor, turn_id: UUID, seq: int) -> Any:
    target = CorrectionTarget(turn_id, seq, None)
    return amend_turns(actor, uuid4(), ride.contest.pk, ride.bikes[5].pk, [target], "wrong dice")


def test_a_turn_at_their_stop_is_recorded_as_any_other(finale_ride: Ride, add_turn) -> None:
    tom = make_actor(finale_ride.tom)

    assert add_turn(5, FINALE, make_paper_turn("chance", 20), by=tom).is_applied

    assert list_bike_turns(finale_ride, 5) == [(FINALE, "chance", 20)]
    assert "takes_over" not in Entry.objects.get().body
    assert Operation.objects.get().actor_id == finale_ride.tom.pk


def test_a_turn_at_another_stop_is_refused(finale_ride: Ride, add_turn) -> None:
    for takes_over in (False, True):
        with pytest.raises(NotAllowed):
            add_turn(5, PARKS, make_paper_turn("chance", 20), by=make_actor(finale_ride.tom), takes_over=takes_over)

    assert list_bike_turns(finale_ride, 5) == []


def test_crew_without_such_a_stop_still_cannot(finale_ride: Ride, add_turn) -> None:
    with pytest.raises(NotAllowed):
        add_turn(5, FINALE, make_paper_turn("chance", 20), by=make_actor(finale_ride.sue))


def test_the_stop_of_another_ride_gives_nothing(ride: Ride, other_event, add_turn) -> None:
    ride.tom.any_bike_at.add(other_event.stops.create(name="Elsewhere", ordinal=1))

    with pytest.raises(NotAllowed):
        add_turn(5, FINALE, make_paper_turn("chance", 20), by=make_actor(ride.tom))


def test_once_the_stop_is_taken_from_them_they_cannot_any_more(finale_ride: Ride, add_turn) -> None:
    finale_ride.tom.any_bike_at.clear()

    with pytest.raises(NotAllowed):
        add_turn(5, FINALE, make_paper_turn("chance", 20), by=make_actor(finale_ride.tom))


def test_they_correct_only_what_was_recorded_at_their_stop(finale_ride: Ride, add_turn) -> None:
    add_turn(5, PARKS, make_paper_turn("aces", 3), by=make_actor(finale_ride.gus))
    add_turn(5, FINALE, make_paper_turn("chance", 20), by=make_actor(finale_ride.gus))
    parks, finale = get_turn(finale_ride, 5, PARKS), get_turn(finale_ride, 5, FINALE)
    tom = make_actor(finale_ride.tom)

    with pytest.raises(NotAllowed):
        void(finale_ride, tom, parks.pk, parks.seq)
    moved_there = [CorrectionTarget(finale.pk, finale.seq, None, finale_ride.slots[PARKS - 1].pk)]
    with pytest.raises(NotAllowed):
        amend_turns(tom, uuid4(), finale_ride.contest.pk, finale_ride.bikes[5].pk, moved_there, "wrong stop")
    assert void(finale_ride, tom, finale.pk, finale.seq).is_applied

    assert list_bike_turns(finale_ride, 5) == [(PARKS, "aces", 3)]


def test_a_correction_of_a_turn_that_is_gone_goes_to_review(finale_ride: Ride, add_turn) -> None:
    """The phone may have undone, without signal, a turn that someone else recorded first."""
    assert not void(finale_ride, make_actor(finale_ride.tom), uuid4(), 1).is_applied

    assert ReviewItem.objects.get().reason == ReviewItem.Reason.STALE


def test_they_move_a_turn_of_their_stop_between_any_bikes(finale_ride: Ride, add_turn) -> None:
    tom, bikes, contest = make_actor(finale_ride.tom), finale_ride.bikes, finale_ride.contest.pk
    add_turn(5, FINALE, make_paper_turn("chance", 20), by=tom)
    add_turn(5, PARKS, make_paper_turn("aces", 3), by=make_actor(finale_ride.gus))
    turn, foreign = get_turn(finale_ride, 5, FINALE), get_turn(finale_ride, 5, PARKS)

    with pytest.raises(NotAllowed):
        move_turn(tom, uuid4(), contest, bikes[5].pk, bikes[6].pk, foreign.pk, foreign.seq, "wrong bike")
    assert move_turn(tom, uuid4(), contest, bikes[5].pk, bikes[6].pk, turn.pk, turn.seq, "wrong bike").is_applied

    assert list_bike_turns(finale_ride, 6) == [(FINALE, "chance", 20)]


def test_they_cannot_retire_another_groups_bike(finale_ride: Ride, add_turn) -> None:
    finale_ride.gus.any_bike_at.add(finale_ride.stops[3])  # a road captain, who may retire bikes of group two
    gus, contest = make_actor(finale_ride.gus), finale_ride.contest.pk

    with pytest.raises(NotAllowed):
        retire_bike(gus, uuid4(), contest, finale_ride.bikes[1].pk, "flat tyre")
    retire_bike(make_actor(finale_ride.rita), uuid4(), contest, finale_ride.bikes[1].pk, "flat tyre")
    target = CorrectionTarget(Operation.objects.get(kind="retire").pk, 1, None)
    with pytest.raises(NotAllowed):
        amend_turns(gus, uuid4(), contest, finale_ride.bikes[1].pk, [target], "back again")


def test_the_next_bike_is_of_any_group_at_their_stop_alone(finale_ride: Ride, add_turn) -> None:
    here, elsewhere = finale_ride.slots[3:], finale_ride.slots[:1]
    tom, sue, last = finale_ride.tom, finale_ride.sue, finale_ride.bikes[4]

    assert get_next_bike(tom, finale_ride.contest, here, last).number == "5"
    assert get_next_bike(tom, finale_ride.contest, here, last).bike_count == 8
    assert get_next_bike(tom, finale_ride.contest, elsewhere, last).number == "1"
    assert get_next_bike(sue, finale_ride.contest, here, last).number == "1"
    assert get_next_bike(sue, finale_ride.contest, here, last).bike_count == 4


def test_the_group_page_lists_every_bike_at_their_stop(finale_ride: Ride, phone: Client) -> None:
    here = get_visible_text(phone.get(f"/crew/?stop={finale_ride.stops[3].pk}"))
    elsewhere = get_visible_text(phone.get(f"/crew/?stop={finale_ride.stops[1].pk}"))

    assert "All bikes at Finale 0 of 8 have played" in here
    assert "Eve" in here
    assert "Group two" in here
    assert "Group one at Parks 0 of 4 have played" in elsewhere
    assert "Eve" not in elsewhere


def test_a_stop_is_done_for_them_once_every_bike_has_rolled(finale_ride: Ride, phone: Client, add_turn) -> None:
    for number in range(1, 5):
        add_turn(number, 4, make_paper_turn("aces", 3))
        add_turn(number, 5, make_paper_turn("twos", 6))
    done = '<span class="visually-hidden">done</span> Finale'

    assert done not in get_page_text(phone.get("/crew/"))
    assert "4 of 8 have played" in get_visible_text(phone.get(f"/crew/?stop={finale_ride.stops[3].pk}"))


def test_other_phones_see_their_own_group(finale_ride: Ride, crew_client: CrewClient) -> None:
    page = get_visible_text(crew_client(finale_ride.sue).get(f"/crew/?stop={finale_ride.stops[3].pk}"))

    assert "Group one at Finale 0 of 4 have played" in page
    assert "Eve" not in page


def test_they_record_and_undo_from_their_page(finale_ride: Ride, phone: Client) -> None:
    page = tap_dice(phone, phone.get(card_url(finale_ride, 5, FINALE)), "34552")
    result = phone.get(press(phone, page, choose="score:small_straight").url)

    assert list_bike_turns(finale_ride, 5) == [(FINALE, "small_straight", 30)]
    assert "takes_over" not in Entry.objects.get().body
    assert "takes_over=1" not in get_page_text(result)
    assert "Next bike" in get_visible_text(result) or "Turn 5" in get_visible_text(result)

    undone = phone.post(crew_url(finale_ride, 5, "undo"), list_forms(result)[0])

    assert list_bike_turns(finale_ride, 5) == []
    assert "takes_over=1" not in undone["Location"]
    assert phone.get(undone["Location"]).status_code == 200


def test_at_another_stop_the_page_says_whom_to_ask(finale_ride: Ride, phone: Client) -> None:
    for query in ({}, {"takes_over": 1}):
        response = phone.get(card_url(finale_ride, 5, PARKS, **query))
        assert response.status_code == 403
        assert NOT_YOURS in get_visible_text(response)
    sent = {"dice": list("34552"), "choose": "score:chance", "slot": finale_ride.slots[PARKS - 1].pk, "takes_over": "1"}
    assert phone.post(card_url(finale_ride, 5), sent).status_code == 403
    assert list_bike_turns(finale_ride, 5) == []


@pytest.mark.parametrize("page", ["history", "correct", "void", "move", "other_turn", "undo"])
def test_a_phone_without_such_a_stop_opens_no_page_of_the_bike(
    finale_ride: Ride, crew_client: CrewClient, add_turn, page: str
) -> None:
    add_turn(5, FINALE, make_paper_turn("chance", 20), by=make_actor(finale_ride.gus))
    sue = crew_client(finale_ride.sue)

    url = f"{crew_url(finale_ride, 5, page)}?turn={get_turn(finale_ride, 5, FINALE).pk}"

    assert (sue.post(url) if page == "undo" else sue.get(url)).status_code == 403


def test_the_history_offers_to_change_only_turns_of_their_stop(finale_ride: Ride, phone: Client, add_turn) -> None:
    gus = make_actor(finale_ride.gus)
    add_turn(5, PARKS, make_final_turn([1, 1, 1, 2, 3], "aces"), by=gus)
    add_turn(5, FINALE, make_final_turn([2, 2, 1, 5, 3], "twos"), by=gus)
    parks, finale = get_turn(finale_ride, 5, PARKS), get_turn(finale_ride, 5, FINALE)

    page = get_page_text(phone.get(crew_url(finale_ride, 5, "history")))

    assert f"turn={finale.pk}" in page
    assert f"turn={parks.pk}" not in page
    for name in ("correct", "void", "move"):
        assert phone.get(f"{crew_url(finale_ride, 5, name)}?turn={finale.pk}").status_code == 200
        refused = phone.get(f"{crew_url(finale_ride, 5, name)}?turn={parks.pk}")
        assert refused.status_code == 403
        assert NOT_YOURS in get_visible_text(refused)
    assert list_forms(phone.get(crew_url(finale_ride, 5, "correct")))[-1]["turn"] == [str(finale.pk)]


def test_only_turns_of_their_stop_are_offered_as_missing(finale_ride: Ride, phone: Client) -> None:
    page = phone.get(crew_url(finale_ride, 5, "other_turn"))

    offered = list_forms(page)[-1]
    assert "slot" not in offered or offered["slot"] == []  # radio buttons, none chosen yet
    text = get_page_text(page)
    assert [str(slot.pk) in text for slot in finale_ride.slots] == [False, False, False, True, True]
    asked = {"slot": finale_ride.slots[4].pk, "reason": "came late"}
    answer = phone.post(crew_url(finale_ride, 5, "other_turn"), asked)
    assert "takes_over" not in answer["Location"]
    assert phone.get(answer["Location"]).status_code == 200


def test_the_organiser_chooses_the_stops_on_the_members_page(finale_ride: Ride, alice, sign_in) -> None:
    sue, stops = finale_ride.sue, finale_ride.stops
    url = reverse("crew:member", args=[finale_ride.event.slug, sue.pk])
    data = {"name": "Sue", "role": "supervisor", "group": finale_ride.group_one.pk}

    save(sign_in(alice), url, {**data, "any_bike_at": [stops[2].pk, stops[3].pk]})
    assert set(CrewMember.objects.get(pk=sue.pk).any_bike_at.all()) == {stops[2], stops[3]}

    save(sign_in(alice), url, data)
    assert not sue.any_bike_at.exists()


def test_a_new_member_gets_their_stops_at_once_and_only_of_this_ride(ride: Ride, other_event, alice, sign_in) -> None:
    elsewhere = other_event.stops.create(name="Elsewhere", ordinal=1)
    url = reverse("crew:new_member", args=[ride.event.slug, ride.group_one.pk])
    data = {"name": "Uma", "role": "supervisor", "group": ride.group_one.pk}

    assert sign_in(alice).post(url, {**data, "any_bike_at": [elsewhere.pk]}).status_code == 422
    sign_in(alice).post(url, {**data, "any_bike_at": [ride.stops[3].pk]})

    assert [stop.name for stop in CrewMember.objects.get(name="Uma").any_bike_at.all()] == ["Finale"]


def test_without_stops_the_form_does_not_ask_for_them(event, group_one, alice, sign_in) -> None:
    page = get_page_text(sign_in(alice).get(reverse("crew:new_member", args=[event.slug, group_one.pk])))

    assert "any_bike_at" not in page
