"""Retiring a bike from the ride and bringing it back, with a reason (TABLE-3)."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse

from scorekeeper.ledger.models import Entry, Operation
from scorekeeper.ledger.services.recording import NotAllowed, ReasonRequired
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.standings.models import StandingsRow
from scorekeeper.standings.services.refresh import refresh_standings
from tests.scorekeeper.conftest import CrewClient, Ride, SignIn
from tests.scorekeeper.scorecards.card_forms import crew_url, read_form
from tests.scorekeeper.scorecards.conftest import get_bike_card, list_bike_turns, make_actor, make_final_turn


@pytest.fixture
def url(ride: Ride, add_turn) -> str:
    """The page for bike 1, which has rolled once."""
    add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "chance"))
    return reverse("scorecards:desk_retire", args=[ride.event.slug, get_bike_card(ride, ride.bikes[1]).pk])


def test_the_bike_is_retired_and_keeps_its_points(ride: Ride, url: str, alice, sign_in: SignIn) -> None:
    desk: Any = sign_in(alice)

    answer = desk.post(url, {"operation": ride.event.pk, "reason": "broke down"})

    assert "Retired: Bike 1, Ann." in desk.get(answer.url).content.decode()
    assert list_bike_turns(ride, 1) == [(1, "chance", 19)]
    assert Entry.objects.order_by("-seq")[0].kind == "retire"
    assert Operation.objects.get(kind="retire").reason.text == "broke down"


def test_a_reason_is_required(ride: Ride, url: str, alice, sign_in: SignIn) -> None:
    answer = sign_in(alice).post(url, {"operation": ride.event.pk, "reason": ""})

    assert answer.status_code == 422
    assert answer.content.decode().count("Enter a reason.") == 2
    assert not Operation.objects.filter(kind="retire").exists()


def test_a_retired_bike_is_not_retired_again(ride: Ride, url: str, alice, sign_in: SignIn) -> None:
    desk: Any = sign_in(alice)
    desk.post(url, {"operation": ride.event.pk, "reason": "broke down"})

    answer = desk.post(url, {"operation": ride.contest.pk, "reason": "once more"})

    assert "already retired" in answer.content.decode()
    assert Operation.objects.filter(kind="retire").count() == 1


def test_a_retired_bike_is_brought_back_with_a_reason_and_ranks_as_before(
    ride: Ride, url: str, alice, sign_in: SignIn
) -> None:
    desk: Any = sign_in(alice)
    desk.post(url, {"operation": ride.event.pk, "reason": "broke down"})
    history = desk.get(url.replace("retire/", ""))
    assert f'href="{url}"' in history.content.decode()
    page = read_form(desk.get(url), 1)
    assert (page["back"], "Return to the ride" in desk.get(url).content.decode()) == (["2"], True)

    assert desk.post(url, {**page, "reason": ""}).status_code == 422
    answer = desk.post(url, {**page, "reason": "mended at the roadside"})

    assert "Returned to the ride: Bike 1, Ann." in desk.get(answer.url).content.decode()
    assert list_bike_turns(ride, 1) == [(1, "chance", 19)]
    assert final_status(ride) == "playing"
    again = desk.post(url, {**page, "operation": ride.group_one.pk, "reason": "once more"})
    assert (again.status_code, "already back in the ride" in again.content.decode()) == (409, True)
    assert desk.post(url, {"operation": ride.group_two.pk, "reason": "broke down again"}).status_code == 302
    assert final_status(ride) == "retired"


def final_status(ride: Ride) -> str:
    """The status of bike 1 in the standings."""
    refresh_standings(ride.contest.pk)
    return StandingsRow.objects.get(contest=ride.contest, bike=ride.bikes[1]).status


def test_a_road_captain_retires_a_bike_and_brings_it_back_on_the_crews_pages(
    ride: Ride, add_turn, crew_client: CrewClient
) -> None:
    add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "chance"))
    phone: Any = crew_client(ride.rita)
    where = crew_url(ride, 1, "retire")
    assert "Retire from the ride" in phone.get(crew_url(ride, 1, "history")).content.decode()

    assert phone.post(where, {**read_form(phone.get(where)), "reason": " "}).status_code == 422
    answer = phone.post(where, {**read_form(phone.get(where)), "reason": "broke down"})
    history = phone.get(answer.url).content.decode()
    assert ("Retired: Bike 1, Ann." in history, "Return to the ride" in history) == (True, True)
    assert final_status(ride) == "retired"
    phone.post(where, {**read_form(phone.get(where)), "reason": "mended at the roadside"})
    assert final_status(ride) == "playing"
    assert where not in crew_client(ride.tom).get(crew_url(ride, 1, "history")).content.decode()


@pytest.mark.parametrize(
    ("member", "reason", "raised"),
    [
        ("tom", "flat tyre", NotAllowed),
        ("sue", "flat tyre", NotAllowed),
        ("gus", "flat tyre", NotAllowed),
        ("rita", " ", ReasonRequired),
    ],
)
def test_a_phone_retires_a_bike_only_as_its_road_captains_and_with_a_reason(
    ride: Ride, add_turn, member: str, reason: str, raised: type[Exception]
) -> None:
    add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "chance"))
    who = make_actor(getattr(ride, member))

    with pytest.raises(raised):
        retire_bike(who, uuid4(), ride.contest.pk, ride.bikes[1].pk, reason)
    assert not Operation.objects.filter(kind="retire").exists()


def test_only_those_who_may_retire_a_bike_may_bring_it_back(ride: Ride, add_turn) -> None:
    add_turn(1, 1, make_final_turn([3, 4, 5, 5, 2], "chance"))
    where = ride.contest.pk, ride.bikes[1].pk
    retirement = uuid4()
    retire_bike(make_actor(ride.rita), retirement, *where, "flat tyre")
    target = [CorrectionTarget(retirement, 2, None)]

    with pytest.raises(NotAllowed):
        amend_turns(make_actor(ride.tom), uuid4(), *where, target, "no, it is here")
    assert amend_turns(make_actor(ride.rita), uuid4(), *where, target, "mended").outcome == "recorded"
