"""`/desk/events/<slug>/contests/<contest>/tables/plan/`: scorecards for everybody, shown before they are drawn up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scorekeeper.crew.models import Group
from scorekeeper.events.models import Contest
from scorekeeper.players.models import Player
from scorekeeper.scorecards.models import Scorecard, Seat
from scorekeeper.tables.selectors.table_summaries import list_tables
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import assert_refused, get_page_text
from tests.scorekeeper.tables.conftest import AddTable

People = Mapping[str, Player]


def address(contest: Contest) -> str:
    return reverse("tables:desk_plan", args=[contest.event.slug, contest.slug])


def show(organiser: Client, contest: Contest, **asked: Any) -> Any:
    """The plan for what was asked; where nothing else is, for everybody."""
    return organiser.post(address(contest), {"whose": "all", **asked})


def sent_back(shown: Any, **pressed: Any) -> dict[str, Any]:
    """What the page of a plan sends when one of its buttons is pressed."""
    return {**{name: shown.context["form"][name].value() for name in ("operation", "way", "size", "order")}, **pressed}


def planned(shown: Any) -> list[list[str]]:
    return [[one.name.partition(" ")[0] for one in seats] for seats in shown.context["plan"].tables]


def seated(contest: Contest) -> list[list[str]]:
    return [[seat["name"] for seat in table.seats] for table in list_tables(contest)]


def test_a_solo_game_is_planned_with_a_card_for_each_in_the_order_of_the_roster(
    organiser: Client, ride: Ride, pig_contest: Contest
) -> None:
    shown = show(organiser, pig_contest)

    names = ["Ann", "Ben", "Zoe", "Cleo", "Dan", "Eve", "Finn", "Gail", "Hal"]
    assert planned(shown) == [[name] for name in names]
    assert "Draw up 9 scorecards" in get_page_text(shown)
    assert Scorecard.objects.filter(contest=pig_contest).count() == 0

    done = organiser.post(address(pig_contest), sent_back(shown), follow=True)

    assert "9 tables have been created." in get_page_text(done)
    assert seated(pig_contest) == [[name] for name in names]


def test_those_who_have_a_card_are_left_alone(organiser: Client, pig_contest: Contest, add_table: AddTable) -> None:
    add_table("Ben")

    page = get_page_text(organiser.get(address(pig_contest)))
    assert "8 on the roster have no scorecard of this contest yet." in page
    assert ["Ben"] not in planned(show(organiser, pig_contest))


def test_tables_of_so_many_at_most(organiser: Client, ride: Ride, rogue_contest: Contest) -> None:
    shown = show(organiser, rogue_contest, size="4")

    assert planned(shown) == [["Ann", "Ben", "Zoe"], ["Cleo", "Dan", "Eve"], ["Finn", "Gail", "Hal"]]
    organiser.post(address(rogue_contest), sent_back(shown))
    assert seated(rogue_contest) == planned(shown)


def test_one_group_alone(organiser: Client, ride: Ride, rogue_contest: Contest) -> None:
    assert planned(show(organiser, rogue_contest, size="4", whose="in:Group two")) == [["Eve", "Finn", "Gail", "Hal"]]


def test_everybody_against_everybody_or_pairs(organiser: Client, ride: Ride, duel_contest: Contest) -> None:
    everybody = show(organiser, duel_contest, way="everybody", whose="in:Group two")
    pairs = show(organiser, duel_contest, way="pairs")

    assert len(planned(everybody)) == 6
    assert planned(pairs)[:2] == [["Ann", "Ben"], ["Zoe", "Cleo"]]
    assert "One is left over, without a seat: see below." in get_page_text(pairs)
    organiser.post(address(duel_contest), sent_back(everybody))
    assert seated(duel_contest) == planned(everybody)


def test_somebody_moves_up_or_down_or_is_left_out_before_it_is_confirmed(
    organiser: Client, ride: Ride, rogue_contest: Contest, people: People
) -> None:
    shown = show(organiser, rogue_contest, size="4", whose="in:Group two")
    for pressed in ({"up": people["Hal"].pk}, {"down": people["Eve"].pk}, {"out": people["Gail"].pk}):
        shown = organiser.post(address(rogue_contest), sent_back(shown, **pressed))

    assert planned(shown) == [["Finn", "Eve", "Hal"]]
    organiser.post(address(rogue_contest), sent_back(shown))
    assert seated(rogue_contest) == [["Finn", "Eve", "Hal"]]


def test_the_first_does_not_move_up_and_the_last_not_down(
    organiser: Client, ride: Ride, rogue_contest: Contest, people: People
) -> None:
    shown = show(organiser, rogue_contest, size="4", whose="in:Group two")
    for pressed in ({"up": people["Eve"].pk}, {"down": people["Hal"].pk}, {"up": uuid4()}):
        shown = organiser.post(address(rogue_contest), sent_back(shown, **pressed))

    assert planned(shown) == [["Eve", "Finn", "Gail", "Hal"]]


def test_a_plan_sent_twice_is_done_once(organiser: Client, ride: Ride, rogue_contest: Contest) -> None:
    sent = sent_back(show(organiser, rogue_contest, size="8"))

    answers = [organiser.post(address(rogue_contest), sent) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [302, 302]
    assert Scorecard.objects.filter(contest=rogue_contest).count() == 2


def test_somebody_who_was_seated_meanwhile_is_named_and_the_plan_is_kept(
    organiser: Client, pig_contest: Contest, add_table: AddTable
) -> None:
    shown = show(organiser, pig_contest)
    add_table("Ben")

    refused = organiser.post(address(pig_contest), sent_back(shown))

    assert refused.status_code == 422
    assert "these already have one: Ben." in get_page_text(refused)
    assert planned(refused) == planned(shown)
    assert seated(pig_contest) == [["Ben"]]


def test_somebody_who_left_the_roster_meanwhile_makes_one_look_again(
    organiser: Client, ride: Ride, rogue_contest: Contest, people: People
) -> None:
    shown = show(organiser, rogue_contest, size="8")
    people["Zoe"].delete()

    refused = organiser.post(address(rogue_contest), sent_back(shown))

    assert refused.status_code == 409
    assert "Somebody left the roster while you were looking." in get_page_text(refused)
    assert organiser.post(address(rogue_contest), sent_back(refused)).status_code == 302


def test_an_id_that_was_used_for_another_plan_is_a_conflict(
    organiser: Client, ride: Ride, duel_contest: Contest
) -> None:
    first = sent_back(show(organiser, duel_contest, way="pairs"))
    organiser.post(address(duel_contest), first)

    response = organiser.post(address(duel_contest), {**first, "way": "everybody"})

    assert response.status_code == 409
    assert Scorecard.objects.filter(contest=duel_contest).count() == 4


def test_a_plan_that_cannot_be_read_begins_anew(organiser: Client, ride: Ride, rogue_contest: Contest) -> None:
    sent = {"operation": str(uuid4()), "way": "tables", "size": "4"}
    many = " ".join(str(uuid4()) for _ in range(1002))
    for bad in (
        {"order": "nonsense"},
        {"order": ""},
        {"order": str(uuid4()), "way": "everybody"},
        {"order": many, "size": "2"},
    ):
        assert organiser.post(address(rogue_contest), {**sent, **bad}).headers["Location"] == address(rogue_contest)


def test_too_few_people_for_a_card_are_said_where_they_are_chosen(
    organiser: Client, ride: Ride, rogue_contest: Contest, people: People
) -> None:
    Player.objects.create(event=ride.event, name="Uma")

    response = show(organiser, rogue_contest, size="4", whose="in:On no bike")

    said = "A table needs at least 2 seats, and there is only 1 person to choose from."
    assert_refused(response, "id_whose", said)


def test_more_cards_than_can_be_drawn_up_at_once_are_refused_with_the_nearest_way(
    organiser: Client, ride: Ride, pig_contest: Contest, duel_contest: Contest, group_one: Group
) -> None:
    Player.objects.bulk_create(Player(event=ride.event, name=f"Rider {number}") for number in range(500))

    alone, everybody = show(organiser, pig_contest), show(organiser, duel_contest, way="everybody")

    assert_refused(
        alone,
        "id_whose",
        "These would be 509 scorecards, and 500 can be drawn up at once. Put the people into groups, and choose one "
        "group after the other.",
    )
    assert_refused(
        everybody,
        "id_whose",
        "Everybody against everybody would be 129286 scorecards. At once 500 can be drawn up, enough for 32 people: "
        "choose one group, or pairs.",
    )
    assert show(organiser, pig_contest, whose="in:On no bike").status_code == 200


def test_a_way_or_a_size_that_is_not_offered_is_refused(organiser: Client, ride: Ride, rogue_contest: Contest) -> None:
    assert show(organiser, rogue_contest, size="9").status_code == 422
    assert show(organiser, rogue_contest).status_code == 422


def test_once_everybody_has_a_card_there_is_nothing_to_plan(organiser: Client, pig_contest: Contest) -> None:
    organiser.post(address(pig_contest), sent_back(show(organiser, pig_contest)))

    assert "Everyone has a table" in get_page_text(organiser.get(address(pig_contest)))
    assert show(organiser, pig_contest).status_code == 200
    assert Seat.objects.filter(contest=pig_contest).count() == 9


def test_without_a_roster_the_way_leads_there(organiser: Client, pig_contest: Contest) -> None:
    Player.objects.all().delete()

    page = get_page_text(organiser.get(address(pig_contest)))

    assert reverse("players:roster", args=[pig_contest.event.slug]) in page.partition("<main")[2]


def test_a_closed_contest_is_refused(organiser: Client, pig_contest: Contest) -> None:
    shown = show(organiser, pig_contest)
    pig_contest.status = Contest.Status.CLOSED
    pig_contest.save()

    response = organiser.post(address(pig_contest), sent_back(shown))

    assert response.status_code == 422
    assert "The contest is closed, so no more tables can be created." in get_page_text(response)


@pytest.mark.parametrize("method", ["get", "post"])
def test_to_others_the_page_is_not_there(
    client: Client, charlie: User, sign_in, ride: Ride, rogue_contest: Contest, method: str
) -> None:
    assert getattr(sign_in(charlie), method)(address(rogue_contest)).status_code == 404
    assert getattr(client, method)(address(rogue_contest)).headers["Location"].startswith("/sign-in/")
    assert getattr(sign_in(charlie), method)(address(ride.contest)).status_code == 404
