"""/crew/standing/: the standings within the crew's group, from its own cards."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from scorekeeper.bikes.models import Bike
from scorekeeper.events.models import Contest
from scorekeeper.ledger.models import Entry
from scorekeeper.scorecards.selectors.crew_standings import list_crew_standings
from scorekeeper.scorecards.services.bike_operations import merge_bikes
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.scorecards.services.retirement import retire_bike
from scorekeeper.standings.models import StandingsRow
from scorekeeper.standings.selectors.reports import fold_report
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.damaged_entries import rewrite
from tests.scorekeeper.page_checks import get_visible_text
from tests.scorekeeper.scorecards.conftest import get_bike_card, make_actor, make_paper_turn
from tests.scorekeeper.statements import list_statements

URL = reverse("scorecards:standing")


def rows_of(ride: Ride) -> list[tuple[str, str, int, int]]:
    """Place, number, total and turns of each bike in group one, best first."""
    (standing,) = list_crew_standings(ride.group_one)
    return [(row.place, row.number, row.total, row.turn_count) for row in standing.rows]


def test_before_the_first_turn_it_says_so(ride: Ride, crew_client: CrewClient) -> None:
    page = get_visible_text(crew_client(ride.tom).get(URL))

    assert "Standings of Group one" in page
    assert "Nobody in the group has played yet." in page


def test_the_groups_bikes_are_ranked_among_themselves(ride: Ride, add_turn, crew_client: CrewClient) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(2, 1, make_paper_turn("chance", 24))
    add_turn(2, 2, make_paper_turn("aces", 3))
    add_turn(3, 1, make_paper_turn("chance", 20))
    add_turn(5, 1, make_paper_turn("yahtzee", 50), by=make_actor(ride.gus))

    assert rows_of(ride) == [("1", "2", 27, 2), ("2=", "1", 20, 1), ("2=", "3", 20, 1), ("", "4", 0, 0)]
    page = get_visible_text(crew_client(ride.tom).get(URL))
    assert "1 2 Ben and Zoe 2/5 27 2= 1 Ann 1/5 20 2= 3 Cleo 1/5 20 – 4 Dan 0/5 –" in page
    assert "5 Eve" not in page


def test_the_order_is_the_same_as_on_the_leaderboard(ride: Ride, add_turn) -> None:
    """ROCK-24, TABLE-3: a retired bike ranks below all bikes that stayed, whatever its total."""
    for number, points in ((1, 20), (2, 24), (3, 24), (4, 5)):
        add_turn(number, 1, make_paper_turn("chance", points))
    retire_bike(make_actor(ride.rita), uuid4(), ride.contest.pk, ride.bikes[2].pk, "flat tyre")

    whole = [(row.rank_label, row.number, row.total) for row in fold_report(ride.contest).rows]

    assert whole == [("1", "3", 24), ("2", "1", 20), ("3", "4", 5), ("4", "2", 24)]
    assert [row[:3] for row in rows_of(ride)] == whole


def test_it_does_not_depend_on_the_refreshed_standings(ride: Ride, add_turn) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))

    with CaptureQueriesContext(connection) as queries:
        rows = rows_of(ride)

    assert rows[0] == ("1", "1", 20, 1)
    assert not StandingsRow.objects.exists()
    assert [name for name in list_statements(queries) if "standings" in name or "turn" in name] == []


def test_a_card_without_current_turns_has_no_place(ride: Ride, add_turn) -> None:
    receipt: Any = add_turn(1, 1, make_paper_turn("chance", 20))
    rita = make_actor(ride.rita)
    targets = [CorrectionTarget(receipt.operation_id, 1, None)]
    amend_turns(rita, uuid4(), ride.contest.pk, ride.bikes[1].pk, targets, "wrong bike")

    assert rows_of(ride)[0] == ("", "1", 0, 0)


def test_a_merged_bike_is_listed_once(ride: Ride, add_turn, desk) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(2, 2, make_paper_turn("aces", 3))
    merge_bikes(desk, uuid4(), ride.bikes[2].pk, ride.bikes[1].pk, "it is one bike")

    assert rows_of(ride) == [("1", "1", 23, 2), ("", "3", 0, 0), ("", "4", 0, 0)]


@pytest.mark.usefixtures("without_guards")
def test_a_damaged_card_has_no_place_and_says_so(ride: Ride, add_turn, crew_client: CrewClient) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(2, 1, make_paper_turn("chance", 24))
    entry = Entry.objects.get(chain=get_bike_card(ride, ride.bikes[2]).pk)
    Entry.objects.filter(pk=entry.pk).update(body=rewrite(entry, actions=[{"type": "dance"}]))

    page = get_visible_text(crew_client(ride.tom).get(URL))

    assert rows_of(ride)[0][:2] == ("1", "1")
    assert "– 2 Ben and Zoe The log of this scorecard is damaged 0/5 –" in page


def test_each_contest_at_the_stops_has_its_own_places(ride: Ride, add_turn, crew_client: CrewClient) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    more = {"event": ride.event, "game_key": "rock-yahtzee", "rules_version": 1}
    Contest.objects.create(name="Evening", slug="evening", ordinal=2, **more)
    Contest.objects.create(name="At the tables", slug="tables", **{**more, "game_key": "rogue"})

    page = get_visible_text(crew_client(ride.tom).get(URL))

    assert page.index("R.O.C.K. Yahtzee") < page.index("1 1 Ann") < page.index("Evening")
    assert "At the tables" not in page


def test_the_number_of_queries_does_not_grow_with_the_group(ride: Ride, add_turn, crew_client: CrewClient) -> None:
    phone = crew_client(ride.tom)

    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            assert phone.get(URL).status_code == 200
        return len(list_statements(queries))

    add_turn(1, 1, make_paper_turn("chance", 20))
    count()
    few = count()
    for number in (2, 3, 4):
        add_turn(number, 1, make_paper_turn("chance", 20))
    Bike.objects.bulk_create([Bike(event=ride.event, group=ride.group_one, number=100 + n) for n in range(20)])

    assert count() == few


def test_the_groups_menu_links_to_it(ride: Ride, crew_client: CrewClient) -> None:
    assert f'href="{URL}"' in crew_client(ride.tom).get(reverse("scorecards:group")).content.decode()
