"""`/desk/events/<slug>/finish/<contest>/` of a contest that is played at tables."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.events.models import Contest
from scorekeeper.standings.models import Revision
from scorekeeper.tables.services.table_creation import create_tables
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.desk.conftest import make_operation_id
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.standings.conftest import get_status
from tests.scorekeeper.statements import count_statements
from tests.scorekeeper.tables.conftest import AddAction, AddTable, make_throw


def page_of(contest: Contest, page: str = "finish") -> str:
    return reverse(f"desk:{page}", args=[contest.event.slug, contest.slug])


def test_tables_that_are_not_finished_are_listed_and_lead_to_the_table(
    organiser: Client, rogue_contest: Contest, rogue_tables: list[UUID]
) -> None:
    page = get_page_text(organiser.get(page_of(rogue_contest)))

    assert "2 tables are not finished" in page
    href = reverse("tables:desk_table", args=[rogue_contest.event.slug, rogue_tables[1]])
    assert f'<a href="{href}">Table 2</a>: Cleo, Dan, Eve' in page
    assert "Table 1" not in page
    assert "Closing leaves every game as it stands" in page
    assert "missed" not in page
    assert "level" not in page


def test_bikes_are_named_by_number_and_riders(ride: Ride, organiser: Client, rogue_contest: Contest, desk) -> None:
    Contest.objects.filter(pk=rogue_contest.pk).update(seats_are="bikes")
    create_tables(desk, UUID(make_operation_id()), rogue_contest.pk, [[ride.bikes[2].pk, ride.bikes[1].pk]])

    assert "</a>: Bike 2 (Ben, Zoe), Bike 1 (Ann)" in get_page_text(organiser.get(page_of(rogue_contest)))


@pytest.mark.usefixtures("rogue_tables")
def test_closing_says_what_becomes_of_games_in_play(organiser: Client, rogue_contest: Contest) -> None:
    page = get_page_text(organiser.get(page_of(rogue_contest, "close")))
    assert "2 tables are not finished; what was noted there counts as it stands." in page
    assert 'value="The games are over."' in page

    sent = {"operation": make_operation_id(), "reason": "bedtime"}
    assert "Campfire is closed." in get_page_text(organiser.post(page_of(rogue_contest, "close"), sent, follow=True))
    assert get_status(rogue_contest) == "closed"


@pytest.mark.usefixtures("rogue_tables")
def test_publishing_shows_names_and_needs_a_reason_while_a_table_is_in_play(
    organiser: Client, rogue_contest: Contest
) -> None:
    organiser.post(page_of(rogue_contest, "close"), {"operation": make_operation_id(), "reason": "bedtime"})
    page = get_page_text(organiser.get(page_of(rogue_contest, "publish")))
    assert '<td>1</td> <th scope="row">Ben</th> <td class="num">300</td>' in page
    assert ">Points</th>" in page
    assert "Bike</th>" not in page

    refused = organiser.post(page_of(rogue_contest, "publish"), {"operation": make_operation_id()})
    assert refused.status_code == 422
    assert get_page_text(refused).count("say why it is published all the same") == 2

    organiser.post(page_of(rogue_contest, "publish"), {"operation": make_operation_id(), "reason": "they fell asleep"})
    assert Revision.objects.get().operation.reason.text == "they fell asleep"


def test_a_finished_contest_is_published_without_a_reason(
    organiser: Client, pig_contest: Contest, add_table: AddTable, add_action: AddAction
) -> None:
    card = add_table("Ann")
    for action in (make_throw(5, 5), make_throw(5, 5), {"type": "bank"}):
        add_action(card, action)
    assert "Every table is finished. What still comes" in get_page_text(organiser.get(page_of(pig_contest, "close")))
    organiser.post(page_of(pig_contest, "close"), {"operation": make_operation_id(), "reason": "over"})
    assert "Every table is finished" in get_page_text(organiser.get(page_of(pig_contest)))

    done = organiser.post(page_of(pig_contest, "publish"), {"operation": make_operation_id()}, follow=True)

    assert "is official" in get_page_text(done)
    assert "cuts of cards" not in get_page_text(organiser.get(page_of(pig_contest, "reopen")))


@pytest.mark.usefixtures("pig_tables")
def test_a_game_that_does_not_cut_has_no_page_of_ties(organiser: Client, pig_contest: Contest) -> None:
    assert organiser.get(page_of(pig_contest, "ties")).status_code == 404
    organiser.post(page_of(pig_contest, "close"), {"operation": make_operation_id(), "reason": "bedtime"})
    assert page_of(pig_contest, "ties") not in get_page_text(organiser.get(page_of(pig_contest)))


@pytest.mark.usefixtures("pig_tables")
def test_the_number_of_statements_does_not_depend_on_the_number_of_tables(
    organiser: Client, pig_contest: Contest, add_table: AddTable
) -> None:
    def statements() -> int:
        return count_statements(organiser, page_of(pig_contest))

    few = statements()
    for name in ("Finn", "Gail", "Hal", "Zoe"):
        add_table(name)

    assert statements() == few
