"""A bike of the roster that has never rolled is listed in the results as “Did not take part”."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.ledger.actors import Actor
from scorekeeper.scorecards.services.bike_operations import WalkUp, register_bike
from scorekeeper.standings.models import Revision
from scorekeeper.standings.selectors.checklist import get_checklist
from scorekeeper.standings.selectors.leaderboard import get_leaderboard
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.publication import publish_contest
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.desk.conftest import organiser
from tests.scorekeeper.results.test_exports import get, read_csv
from tests.scorekeeper.scorecards.conftest import make_actor, make_paper_turn

pytestmark = pytest.mark.database

__all__ = ["organiser"]


@pytest.fixture
def closed(ride: Ride, add_turn, close, update_standings) -> Ride:
    """Four bikes have rolled, and the contest is closed."""
    for number in (1, 2, 3, 4):
        add_turn(number, 1, make_paper_turn("chance", 30 - number))
    close()
    update_standings()
    ride.contest.refresh_from_db()
    return ride


@pytest.fixture
def official(closed: Ride, desk: Actor) -> Ride:
    publish_contest(desk, uuid4(), closed.contest.pk, "some stayed at home")
    closed.contest.refresh_from_db()
    return closed


def _list_absent_numbers(ride: Ride) -> list[str]:
    return [str(number) for number in ride.bikes if number > 4]


def test_the_checklist_lists_it(closed: Ride, organiser: Client) -> None:
    assert [row.number for row in get_checklist(closed.contest).report.absent] == _list_absent_numbers(closed)

    page = organiser.get(reverse("desk:finish", args=[closed.event.slug, closed.contest.slug])).content.decode()

    assert (
        f"{len(_list_absent_numbers(closed))} bikes have not played: they will be listed as “Did not take part”" in page
    )


def test_the_revision_and_the_leaderboard_list_it_below_all_others(official: Ride, client: Client) -> None:
    assert [row["number"] for row in Revision.objects.get().standings["absent"]] == _list_absent_numbers(official)
    row = get_leaderboard(official.contest).rows[-1]
    assert (row.number, row.rank_label, row.status) == (_list_absent_numbers(official)[-1], "–", "absent")

    page = client.get(reverse("results:leaderboard", args=[official.event.slug, official.contest.slug]))

    assert "Did not take part" in page.content.decode()


def test_the_file_lists_it(official: Ride, client: Client) -> None:
    last = read_csv(get(client, "export", official, "export.csv"))[-1]

    assert (last["Place"], last["Bike"], last["Status"]) == (
        "–",
        _list_absent_numbers(official)[-1],
        "Did not take part",
    )


def test_a_bike_that_is_registered_later_changes_no_revision(official: Ride, organiser: Client) -> None:
    register_bike(make_actor(official.rita), uuid4(), WalkUp(uuid4(), 999, official.group_one.pk, "Zoe"))

    assert "999" not in [row.number for row in get_leaderboard(official.contest).rows]
    assert list(list_damage(official.event)) == []


def test_a_revision_of_an_older_version_can_be_read(official: Ride) -> None:
    data = {name: value for name, value in Revision.objects.get().standings.items() if name != "absent"}

    assert type(get_checklist(official.contest).report).from_data(data).absent == ()
