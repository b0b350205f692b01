"""`/desk/events/<slug>/finish/<contest>/` of a contest that is played at tables."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.events.models import Contest
from scorekeeper.standings.models import Revision
from scorekeeper.standings.services.refresh import refresh_standings
from scorekeeper.tables.services import create_tables
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.desk.conftest import make_operation_id
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.standings.conftest import get_status
from tests.scorekeeper.statements import count_statements
from tests.scorekeeper.table_fixtures import AddAction, AddTable, make_throw


def get_page_url(contest: Contest, page: str = "finish") -> str:
    return reverse(f"desk:{page}", args=[contest.event.slug, contest.slug])


def test_unfinished_tables_are_listed_with_links(
    organiser: Client, rogue_contest: Contest, rogue_tables: list[UUID]
) -> None:
    page = get_page_text(organiser.get(get_page_url(rogue_contest)))

    assert "2 tables are not finished" in page
    href = reverse("tables:desk_table", args=[rogue_contest.event.slug, rogue_tables[1]])
    assert f'<a href="{href}">Table 2</a>: Cleo, Dan, Eve' in page
    assert "Table 1" not in page
    assert "Closing keeps every game as it is" in page
    assert "missed" not in page
    assert "tied" not in page


def test_bikes_are_named_by_number_and_riders(ride: Ride, organiser: Client, rogue_contest: Contest, desk) -> None:
    Contest.objects.filter(pk=rogue_contest.pk).update(seats_are="bikes")
    create_tables(desk, UUID(make_operation_id()), rogue_contest.pk, [[ride.bikes[2].pk, ride.bikes[1].pk]])

    assert "</a>: Bike 2 (Ben, Zoe), Bike 1 (Ann)" in get_page_text(organiser.get(get_page_url(rogue_contest)))


@pytest.mark.usefixtures("rogue_tables")
def test_the_closing_page_says_what_happens_to_games_in_play(organiser: Client, rogue_contest: Contest) -> None:
    page = get_page_text(organiser.get(get_page_url(rogue_contest, "close")))
    assert "2 tables are not finished. What has been recorded there counts." in page
    assert 'value="The games are over."' in page

    sent = {"operation": make_operation_id(), "reason": "bedtime"}
    assert "Campfire is closed." in get_page_text(
        organiser.post(get_page_url(rogue_contest, "close"), sent, follow=True)
    )
    assert get_status(rogue_contest) == "closed"


@pytest.mark.usefixtures("rogue_tables")
def test_publishing_shows_names_and_requires_a_reason_while_a_table_is_in_play(
    organiser: Client, rogue_contest: Contest
) -> None:
    organiser.post(get_page_url(rogue_contest, "close"), {"operation": make_operation_id(), "reason": "bedtime"})
    page = get_page_text(organiser.get(get_page_url(rogue_contest, "publish")))
    assert '<td>1</td> <th scope="row" class="table__names">Ben</th> <td class="num">300</td>' in page
    assert ">Points</th>" in page
    assert "Bike</th>" not in page

    refused = organiser.post(get_page_url(rogue_contest, "publish"), {"operation": make_operation_id()})
    assert refused.status_code == 422
    assert get_page_text(refused).count("Enter a reason for publishing anyway.") == 2

    organiser.post(
        get_page_url(rogue_contest, "publish"), {"operation": make_operation_id(), "reason": "they fell asleep"}
    )
    assert Revision.objects.get().operation.reason.text == "they fell asleep"


def test_a_finished_contest_is_published_without_a_reason(
    organiser: Client, pig_contest: Contest, add_table: AddTable, add_action: AddAction
) -> None:
    card = add_table("Ann")
    for action in (make_throw(5, 5), make_throw(5, 5), {"type": "bank"}):
        add_action(card, action)
    assert "Every table is finished. Entries that arrive later" in get_page_text(
        organiser.get(get_page_url(pig_contest, "close"))
    )
    organiser.post(get_page_url(pig_contest, "close"), {"operation": make_operation_id(), "reason": "over"})
    assert "Every table is finished" in get_page_text(organiser.get(get_page_url(pig_contest)))

    done = organiser.post(get_page_url(pig_contest, "publish"), {"operation": make_operation_id()}, follow=True)

    assert "are official" in get_page_text(done)
    assert "Cut cards" not in get_page_text(organiser.get(get_page_url(pig_contest, "reopen")))


@pytest.mark.usefixtures("pig_tables")
def test_a_game_without_cutting_has_no_ties_page(organiser: Client, pig_contest: Contest) -> None:
    assert organiser.get(get_page_url(pig_contest, "ties")).status_code == 404
    organiser.post(get_page_url(pig_contest, "close"), {"operation": make_operation_id(), "reason": "bedtime"})
    assert get_page_url(pig_contest, "ties") not in get_page_text(organiser.get(get_page_url(pig_contest)))


@pytest.mark.usefixtures("pig_tables")
def test_the_number_of_statements_does_not_depend_on_the_number_of_tables(
    organiser: Client, pig_contest: Contest, add_table: AddTable
) -> None:
    def count_page_statements() -> int:
        refresh_standings(pig_contest.pk)
        return count_statements(organiser, get_page_url(pig_contest))

    few = count_page_statements()
    for name in ("Finn", "Gail", "Hal", "Zoe"):
        add_table(name)

    assert count_page_statements() == few
