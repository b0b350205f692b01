"""`/desk/events/<slug>/finish/<contest>/` of a contest that is played at tables."""

from __future__ import annotations

from uuid import UUID

import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.events.models import Contest
from scorekeeper.standings.models import Revision
from scorekeeper.tables.services.dealing import deal_tables
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.desk.conftest import operation
from tests.scorekeeper.pages import text_of
from tests.scorekeeper.standings.conftest import get_status
from tests.scorekeeper.statements import count_statements
from tests.scorekeeper.tables.conftest import Act, Deal, throw


def page_of(contest: Contest, page: str = "finish") -> str:
    return reverse(f"desk:{page}", args=[contest.event.slug, contest.slug])


def test_tables_that_are_not_finished_are_listed_and_lead_to_the_table(
    organiser: Client, campfire: Contest, campfires: list[UUID]
) -> None:
    page = text_of(organiser.get(page_of(campfire)))

    assert "2 tables are not finished" in page
    href = reverse("tables:desk_table", args=[campfire.event.slug, campfires[1]])
    assert f'<a href="{href}">Table 2</a>: Cleo, Dan, Eve' in page
    assert "Table 1" not in page
    assert "Closing leaves every game as it stands" in page
    assert "missed" not in page
    assert "level" not in page


def test_bikes_are_named_by_number_and_riders(ride: Ride, organiser: Client, campfire: Contest, desk) -> None:
    Contest.objects.filter(pk=campfire.pk).update(seats_are="bikes")
    deal_tables(desk, UUID(operation()), campfire.pk, [[ride.bikes[2].pk, ride.bikes[1].pk]])

    assert "</a>: Bike 2 (Ben, Zoe), Bike 1 (Ann)" in text_of(organiser.get(page_of(campfire)))


@pytest.mark.usefixtures("campfires")
def test_closing_says_what_becomes_of_games_in_play(organiser: Client, campfire: Contest) -> None:
    page = text_of(organiser.get(page_of(campfire, "close")))
    assert "2 tables are not finished; what was noted there counts as it stands." in page
    assert 'value="The games are over."' in page

    sent = {"operation": operation(), "reason": "bedtime"}
    assert "Campfire is closed." in text_of(organiser.post(page_of(campfire, "close"), sent, follow=True))
    assert get_status(campfire) == "closed"


@pytest.mark.usefixtures("campfires")
def test_publishing_shows_names_and_needs_a_reason_while_a_table_is_in_play(
    organiser: Client, campfire: Contest
) -> None:
    organiser.post(page_of(campfire, "close"), {"operation": operation(), "reason": "bedtime"})
    page = text_of(organiser.get(page_of(campfire, "publish")))
    assert '<td>1</td> <th scope="row">Ben</th> <td class="num">300</td>' in page
    assert ">Points</th>" in page
    assert "Bike</th>" not in page

    refused = organiser.post(page_of(campfire, "publish"), {"operation": operation()})
    assert refused.status_code == 422
    assert text_of(refused).count("say why it is published all the same") == 2

    organiser.post(page_of(campfire, "publish"), {"operation": operation(), "reason": "they fell asleep"})
    assert Revision.objects.get().operation.note.text == "they fell asleep"


def test_a_finished_contest_is_published_without_a_reason(
    organiser: Client, pig: Contest, deal: Deal, act: Act
) -> None:
    card = deal("Ann")
    for action in (throw(5, 5), throw(5, 5), {"type": "bank"}):
        act(card, action)
    assert "Every table is finished. What still comes" in text_of(organiser.get(page_of(pig, "close")))
    organiser.post(page_of(pig, "close"), {"operation": operation(), "reason": "over"})
    assert "Every table is finished" in text_of(organiser.get(page_of(pig)))

    done = organiser.post(page_of(pig, "publish"), {"operation": operation()}, follow=True)

    assert "is official" in text_of(done)
    assert "cuts of cards" not in text_of(organiser.get(page_of(pig, "reopen")))


@pytest.mark.usefixtures("pigs")
def test_a_game_that_does_not_cut_has_no_page_of_ties(organiser: Client, pig: Contest) -> None:
    assert organiser.get(page_of(pig, "ties")).status_code == 404
    organiser.post(page_of(pig, "close"), {"operation": operation(), "reason": "bedtime"})
    assert page_of(pig, "ties") not in text_of(organiser.get(page_of(pig)))


@pytest.mark.usefixtures("pigs")
def test_the_number_of_statements_does_not_depend_on_the_number_of_tables(
    organiser: Client, pig: Contest, deal: Deal
) -> None:
    def statements() -> int:
        return count_statements(organiser, page_of(pig))

    few = statements()
    for name in ("Finn", "Gail", "Hal", "Zoe"):
        deal(name)

    assert statements() == few
