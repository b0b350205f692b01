"""The handouts of all games as PDF, at both sizes of paper."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.events.models import Contest
from scorekeeper.prints.handout_pages import list_handouts
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.prints.conftest import get_pages, measure_pages
from tests.scorekeeper.table_fixtures import make_contest

pytestmark = pytest.mark.django_db


def get_url(contest: Contest, key: str) -> str:
    return reverse("prints:contest_file", args=[contest.event.slug, contest.slug, f"table-{key}"])


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("game", ["drag-rage", "go-500", "grand-prix", "rock-yahtzee", "rogue"])
def test_every_handout_is_one_page_with_the_title_and_the_contest(
    ride: Ride, organiser: Client, game: str, paper: str
) -> None:
    contest = make_contest(ride.event, game, f"The {game} of the club", 5)
    handouts = list_handouts(contest)

    assert handouts[0].key == "rules"
    for handout in handouts:
        response = organiser.get(get_url(contest, handout.key), {"paper": paper})
        pages = get_pages(response)
        assert len(pages) == 1, handout.key
        assert handout.title.fill() in pages[0]
        assert contest.name in pages[0]
        assert "Unofficial" in pages[0]
        assert "\x00" not in pages[0]
        ((width, height),) = measure_pages(response.content)
        assert (width > height) == handout.is_across


def test_what_organisers_named_is_printed_as_a_text(ride: Ride, organiser: Client) -> None:
    circuit = {"name": "100% #panic() <b>", "time": 5, "damage": 2, "sections": [3, 1, 3]}
    contest = make_contest(ride.event, "grand-prix", "GP", 5, options={"sheet": {"circuits": [circuit]}})

    (page,) = get_pages(organiser.get(get_url(contest, "sheet")))
    assert "100% #panic() <b>" in page


def test_the_list_has_the_handouts_of_each_contest(ride: Ride, rogue_contest: Contest, organiser: Client) -> None:
    page = get_page_text(organiser.get(reverse("prints:list", args=[ride.event.slug])))

    assert get_url(rogue_contest, "chart") in page
    assert get_url(ride.contest, "rules") in page
    assert get_url(ride.contest, "chart") not in page
    assert "US Letter" in page


def test_a_handout_that_a_game_does_not_have_is_not_found(ride: Ride, organiser: Client, client: Client) -> None:
    assert organiser.get(get_url(ride.contest, "chart")).status_code == 404
    public = reverse("prints:public_file", args=[ride.event.slug, ride.contest.slug, "table-rules"])
    assert client.get(public).status_code == 404
