"""The chart of places in the published results."""

from __future__ import annotations

import re
from itertools import pairwise
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given

from scorekeeper.ledger.actors import Actor
from scorekeeper.players.models import Player
from scorekeeper.results.place_chart import HIGHLIGHTED, get_place_chart, make_place_chart
from scorekeeper.standings.place_history import PlaceAfter, PlaceHistory, PlaceLine, Step, make_place_history
from scorekeeper.standings.services.closure import reopen_contest
from scorekeeper.standings.services.publication import publish_contest
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.scorecards.conftest import make_paper_turn
from tests.scorekeeper.standings.test_place_history import CARDS, RULESET, Points, make_report


@pytest.fixture
def url(ride: Ride) -> str:
    return reverse("results:leaderboard", args=[ride.event.slug, ride.contest.slug])


@pytest.fixture
def published(ride: Ride, desk: Actor, close, add_turn) -> Ride:
    """Bike 2 leads after the first turn, bike 1 after the second; bike 3 missed the first."""
    for number, slot, points in ((1, 1, 10), (2, 1, 20), (1, 2, 25), (2, 2, 9), (3, 2, 5)):
        add_turn(
            number,
            slot,
            make_paper_turn("chance" if slot == 1 else "fives", points if slot == 1 else 5 * (points // 5)),
        )
    close()
    publish_contest(desk, uuid4(), ride.contest.pk, "some turns were missed")
    ride.contest.refresh_from_db()
    return ride


@pytest.mark.django_db
def test_published_results_show_the_places_as_a_chart_and_as_a_table(published: Ride, url: str) -> None:
    page = get_page_text(Client().get(url))

    assert page.count("<polyline ") == 3
    assert "<title>Bike 1 (Ann), places: 2, 1, 1, 1, 1, 1</title>" in page
    rows = re.findall(r'<tr> <th scope="row">(Bike [^<]*)</th>(.*?)</tr>', page)
    places = {name: re.findall("<td>(.*?)</td>", cells) for name, cells in rows}
    assert places["Bike 1 (Ann)"] == ["2", "1", "1", "1", "1", "1"]
    assert places["Bike 3 (Cleo)"] == ["–", "3", "3", "3", "3", "3"]
    assert list(places) == ["Bike 1 (Ann)", "Bike 2 (Ben, Zoe)", "Bike 3 (Cleo)"]


@pytest.mark.django_db
def test_the_chart_of_a_game_of_hands_compares_hands_and_not_points(
    ride: Ride, desk: Actor, close, add_turn, url: str
) -> None:
    ride.contest.game_key, ride.contest.options = "poker-run", {}
    ride.contest.save()
    for number, slot, card in ((1, 1, "KS"), (2, 1, "AD"), (1, 2, "KH"), (2, 2, "9C")):
        add_turn(number, slot, [{"type": "draw", "cards": [card]}])
    close()
    publish_contest(desk, uuid4(), ride.contest.pk, "some turns were missed")

    page = get_page_text(Client().get(url))

    chart = page[page.index('id="places"') :].split("</section>")[0]
    assert "<title>Bike 1 (Ann), places: 2, 1, 1, 1, 1, 1</title>" in chart
    assert "by the hand so far" in chart
    assert "point" not in chart.replace("points=", "")


@pytest.mark.django_db
def test_there_is_no_chart_before_publication_nor_after_reopening(published: Ride, desk: Actor, url: str) -> None:
    assert get_place_chart(published.contest, {}) is not None

    reopen_contest(desk, uuid4(), published.contest.pk, "a card was found")

    assert "place-chart" not in get_page_text(Client().get(url))


@pytest.mark.django_db
def test_a_name_that_is_removed_is_not_in_the_chart(published: Ride, url: str) -> None:
    assert "Cleo" in get_page_text(Client().get(url))

    Player.objects.filter(event=published.event, name="Cleo").update(name="Erased")

    assert "Cleo" not in get_page_text(Client().get(url))


@given(CARDS)
def test_labels_never_overlap_and_everything_is_within_the_chart(cards: list[list[Points]]) -> None:
    history = make_place_history(make_report([*cards, [1], [1]] * 9), RULESET)
    assert history is not None

    chart = make_place_chart(history, {})

    for marks in (chart.axis, chart.labels):
        assert all(after.y - before.y >= 18 for before, after in pairwise(marks))
    assert all(chart.top <= mark.y <= chart.bottom < chart.height for mark in (*chart.axis, *chart.labels))
    assert len(chart.lines) == min(HIGHLIGHTED, len(history.lines))
    assert chart.rest.count("M") == len(history.lines) - len(chart.lines)
    assert len(chart.rows) == len(history.lines)
    assert {len(places) for _entrant, places in chart.rows} == {len(chart.columns)}


@pytest.mark.parametrize("last", [2, 9, 10, 11, 12, 25, 57, 99, 200, 383, 1000, 2999])
def test_the_labels_of_the_axis_never_overlap(last: int) -> None:
    lines = [PlaceLine(uuid4(), str(rank), (None,), PlaceAfter(rank, is_tied=False)) for rank in (1, last)]

    chart = make_place_chart(PlaceHistory((Step(1, "Parks"),), tuple(lines)), {})

    assert all(after.y - before.y >= 18 for before, after in pairwise(chart.axis))
    assert chart.axis[0].text == "1"
    assert chart.height <= 700
