"""`/desk/events/<slug>/contests/<contest>/tables/plan/`: tables for everyone, shown before they are created."""

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
from scorekeeper.scorecards.selectors.table_summaries import list_tables
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import assert_refused, get_page_text
from tests.scorekeeper.table_fixtures import AddTable

People = Mapping[str, Player]


def address(contest: Contest) -> str:
    return reverse("tables:desk_plan", args=[contest.event.slug, contest.slug])


def show(organiser: Client, contest: Contest, **asked: Any) -> Any:
    """Return the plan for these form values, by default for everyone."""
    return organiser.post(address(contest), {"whose": "all", **asked})


def sent_back(shown: Any, **pressed: Any) -> dict[str, Any]:
    """Return the form data that the page of a plan sends when a button is pressed."""
    return {**{name: shown.context["form"][name].value() for name in ("operation", "way", "size", "order")}, **pressed}


def planned(shown: Any) -> list[list[str]]:
    return [[one.name.partition(" ")[0] for one in seats] for seats in shown.context["plan"].tables]


def seated(contest: Contest) -> list[list[str]]:
    return [[seat["name"] for seat in table.seats] for table in list_tables(contest)]


def test_a_solo_game_is_planned_with_a_table_for_each_in_roster_order(
    organiser: Client, ride: Ride, pig_contest: Contest
) -> None:
    shown = show(organiser, pig_contest)

    names = ["Ann", "Ben", "Zoe", "Cleo", "Dan", "Eve", "Finn", "Gail", "Hal"]
    assert planned(shown) == [[name] for name in names]
    assert "Create 9 tables" in get_page_text(shown)
    assert Scorecard.objects.filter(contest=pig_contest).count() == 0

    done = organiser.post(address(pig_contest), sent_back(shown), follow=True)

    assert "9 tables have been created." in get_page_text(done)
    assert seated(pig_contest) == [[name] for name in names]


def test_people_who_have_a_table_are_not_planned_again(
    organiser: Client, pig_contest: Contest, add_table: AddTable
) -> None:
    add_table("Ben")

    page = get_page_text(organiser.get(address(pig_contest)))
    assert "8 on the roster have no table in this contest yet." in page
    assert ["Ben"] not in planned(show(organiser, pig_contest))


def test_tables_of_a_maximum_size(organiser: Client, ride: Ride, rogue_contest: Contest) -> None:
    shown = show(organiser, rogue_contest, size="4")

    assert planned(shown) == [["Ann", "Ben", "Zoe"], ["Cleo", "Dan", "Eve"], ["Finn", "Gail", "Hal"]]
    organiser.post(address(rogue_contest), sent_back(shown))
    assert seated(rogue_contest) == planned(shown)


def test_a_plan_for_one_group(organiser: Client, ride: Ride, rogue_contest: Contest) -> None:
    assert planned(show(organiser, rogue_contest, size="4", whose="in:Group two")) == [["Eve", "Finn", "Gail", "Hal"]]


def test_everyone_against_everyone_or_pairs(organiser: Client, ride: Ride, duel_contest: Contest) -> None:
    everybody = show(organiser, duel_contest, way="everybody", whose="in:Group two")
    pairs = show(organiser, duel_contest, way="pairs")

    assert len(planned(everybody)) == 6
    assert planned(pairs)[:2] == [["Ann", "Ben"], ["Zoe", "Cleo"]]
    assert "One is left over, without a seat: see below." in get_page_text(pairs)
    organiser.post(address(duel_contest), sent_back(everybody))
    assert seated(duel_contest) == planned(everybody)


def test_people_can_be_moved_or_left_out_before_the_plan_is_confirmed(
    organiser: Client, ride: Ride, rogue_contest: Contest, people: People
) -> None:
    shown = show(organiser, rogue_contest, size="4", whose="in:Group two")
    for pressed in ({"up": people["Hal"].pk}, {"down": people["Eve"].pk}, {"out": people["Gail"].pk}):
        shown = organiser.post(address(rogue_contest), sent_back(shown, **pressed))

    assert planned(shown) == [["Finn", "Eve", "Hal"]]
    organiser.post(address(rogue_contest), sent_back(shown))
    assert seated(rogue_contest) == [["Finn", "Eve", "Hal"]]


def test_the_first_cannot_move_up_nor_the_last_down(
    organiser: Client, ride: Ride, rogue_contest: Contest, people: People
) -> None:
    shown = show(organiser, rogue_contest, size="4", whose="in:Group two")
    for pressed in ({"up": people["Eve"].pk}, {"down": people["Hal"].pk}, {"up": uuid4()}):
        shown = organiser.post(address(rogue_contest), sent_back(shown, **pressed))

    assert planned(shown) == [["Eve", "Finn", "Gail", "Hal"]]


def test_a_plan_submitted_twice_is_created_once(organiser: Client, ride: Ride, rogue_contest: Contest) -> None:
    sent = sent_back(show(organiser, rogue_contest, size="8"))

    answers = [organiser.post(address(rogue_contest), sent) for _ in range(2)]

    assert [answer.status_code for answer in answers] == [302, 302]
    assert Scorecard.objects.filter(contest=rogue_contest).count() == 2


def test_someone_who_got_a_table_in_the_meantime_is_named_and_the_plan_is_preserved(
    organiser: Client, pig_contest: Contest, add_table: AddTable
) -> None:
    shown = show(organiser, pig_contest)
    add_table("Ben")

    refused = organiser.post(address(pig_contest), sent_back(shown))

    assert refused.status_code == 422
    assert "these already have one: Ben." in get_page_text(refused)
    assert planned(refused) == planned(shown)
    assert seated(pig_contest) == [["Ben"]]


def test_someone_removed_from_the_roster_in_the_meantime_requires_another_look(
    organiser: Client, ride: Ride, rogue_contest: Contest, people: People
) -> None:
    shown = show(organiser, rogue_contest, size="8")
    people["Zoe"].delete()

    refused = organiser.post(address(rogue_contest), sent_back(shown))

    assert refused.status_code == 409
    assert "Someone was removed from the roster while you had this page open." in get_page_text(refused)
    assert organiser.post(address(rogue_contest), sent_back(refused)).status_code == 302


def test_an_id_that_was_used_for_another_plan_is_a_conflict(
    organiser: Client, ride: Ride, duel_contest: Contest
) -> None:
    first = sent_back(show(organiser, duel_contest, way="pairs"))
    organiser.post(address(duel_contest), first)

    response = organiser.post(address(duel_contest), {**first, "way": "everybody"})

    assert response.status_code == 409
    assert Scorecard.objects.filter(contest=duel_contest).count() == 4


def test_an_unreadable_plan_starts_over(organiser: Client, ride: Ride, rogue_contest: Contest) -> None:
    sent = {"operation": str(uuid4()), "way": "tables", "size": "4"}
    many = " ".join(str(uuid4()) for _ in range(1002))
    for bad in (
        {"order": "nonsense"},
        {"order": ""},
        {"order": str(uuid4()), "way": "everybody"},
        {"order": many, "size": "2"},
    ):
        assert organiser.post(address(rogue_contest), {**sent, **bad}).headers["Location"] == address(rogue_contest)


def test_too_few_people_for_a_table_is_an_error_at_the_field(
    organiser: Client, ride: Ride, rogue_contest: Contest, people: People
) -> None:
    Player.objects.create(event=ride.event, name="Uma")

    response = show(organiser, rogue_contest, size="4", whose="in:Not on a bike")

    message = "A table needs at least 2 seats, and there is only 1 person to choose from."
    assert_refused(response, "id_whose", message)


def test_too_many_tables_at_once_are_rejected_with_an_alternative(
    organiser: Client, ride: Ride, pig_contest: Contest, duel_contest: Contest, group_one: Group
) -> None:
    Player.objects.bulk_create(Player(event=ride.event, name=f"Rider {number}") for number in range(500))

    alone, everybody = show(organiser, pig_contest), show(organiser, duel_contest, way="everybody")

    assert_refused(
        alone,
        "id_whose",
        "That would make 509 tables, and at most 500 can be created at once. Put the people into groups, and choose "
        "one group at a time.",
    )
    assert_refused(
        everybody,
        "id_whose",
        "Everyone against everyone would make 129286 tables. At most 500 can be created at once, enough for 32 people. "
        "Choose one group, or pairs.",
    )
    assert show(organiser, pig_contest, whose="in:Not on a bike").status_code == 200


def test_an_unknown_grouping_or_size_is_rejected(organiser: Client, ride: Ride, rogue_contest: Contest) -> None:
    assert show(organiser, rogue_contest, size="9").status_code == 422
    assert show(organiser, rogue_contest).status_code == 422


def test_once_everyone_has_a_table_there_is_nothing_to_plan(organiser: Client, pig_contest: Contest) -> None:
    organiser.post(address(pig_contest), sent_back(show(organiser, pig_contest)))

    assert "Everyone has a table" in get_page_text(organiser.get(address(pig_contest)))
    assert show(organiser, pig_contest).status_code == 200
    assert Seat.objects.filter(contest=pig_contest).count() == 9


def test_without_a_roster_the_page_links_to_it(organiser: Client, pig_contest: Contest) -> None:
    Player.objects.all().delete()

    page = get_page_text(organiser.get(address(pig_contest)))

    assert reverse("players:roster", args=[pig_contest.event.slug]) in page.partition("<main")[2]


def test_a_closed_contest_is_rejected(organiser: Client, pig_contest: Contest) -> None:
    shown = show(organiser, pig_contest)
    pig_contest.status = Contest.Status.CLOSED
    pig_contest.save()

    response = organiser.post(address(pig_contest), sent_back(shown))

    assert response.status_code == 422
    assert "The contest is closed, so no more tables can be created." in get_page_text(response)


@pytest.mark.parametrize("method", ["get", "post"])
def test_others_cannot_find_the_page(
    client: Client, charlie: User, sign_in, ride: Ride, rogue_contest: Contest, method: str
) -> None:
    assert getattr(sign_in(charlie), method)(address(rogue_contest)).status_code == 404
    assert getattr(client, method)(address(rogue_contest)).headers["Location"].startswith("/sign-in/")
    assert getattr(sign_in(charlie), method)(address(ride.contest)).status_code == 404
