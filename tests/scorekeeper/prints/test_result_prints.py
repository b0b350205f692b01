"""Standings and scorecards as PDF: the same figures as the pages, and nobody gets more than the pages show them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.urls import reverse

from scorekeeper.audience.services import freeze_standings
from scorekeeper.audience.visible_standings import get_audience_view, get_organiser_view
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.players.models import Player
from scorekeeper.players.selectors import get_full_names, get_public_names
from scorekeeper.prints.models import PrintFile
from scorekeeper.scorecards.services.erasure import erase_name
from scorekeeper.standings.models import Revision
from scorekeeper.standings.selectors.log_head import get_current_head
from scorekeeper.standings.services.publication import publish_contest
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.prints.conftest import A4, LETTER, get_pages, measure_pages, read_pages
from tests.scorekeeper.scorecards.conftest import make_final_turn, make_paper_turn

pytestmark = pytest.mark.django_db


def get_url(contest: Contest, kind: str, *, is_public: bool = True) -> str:
    return reverse(f"prints:{'public' if is_public else 'contest'}_file", args=[contest.event.slug, contest.slug, kind])


def drop_made(page: str) -> str:
    """Return the text of a page without the time at which it was made."""
    return re.sub(r"Made .*? Log", "Log", page)


@pytest.fixture
def played(ride: Ride, add_turn: Callable[..., Any], update_standings: Callable[[], bool]) -> Ride:
    """Bike 2 leads with 65 points, bike 1 has 24."""
    add_turn(2, 1, make_final_turn([6, 6, 6, 2, 5], "three_of_a_kind"))
    add_turn(2, 2, make_final_turn([2, 3, 4, 5, 6], "large_straight"))
    add_turn(1, 1, make_paper_turn("chance", 24))
    update_standings()
    return ride


@pytest.mark.parametrize("is_public", [True, False])
def test_the_standings_have_the_rows_of_the_leaderboard_in_their_order(
    played: Ride, client: Client, organiser: Client, is_public: bool
) -> None:
    view = (get_audience_view if is_public else get_organiser_view)(played.contest)
    (page,) = get_pages(
        (client if is_public else organiser).get(get_url(played.contest, "standings", is_public=is_public))
    )

    names = (get_public_names if is_public else get_full_names)(played.event)
    rows = view.get_leaderboard().rows
    assert [row.total for row in rows[:2]] == [65, 24]
    at = 0
    for row in rows:
        total = str(row.total) if row.is_ranked else "–"
        at = page.index(f"{row.rank_label} {row.number} {names[row.entrant_id]}", at)
        assert f"{row.turn_count}/5 {total}" in page[at:]
    assert "Unofficial" in page
    assert f"Log {get_current_head(played.event.pk)[:12]}" in page


def test_a_scorecard_has_every_line_and_turn_of_its_bike(played: Ride, client: Client) -> None:
    pages = get_pages(client.get(get_url(played.contest, "scorecards")))

    cards = get_audience_view(played.contest).get_report()[1].cards
    assert len(pages) == len(cards) == 2
    for page, card in zip(pages, cards, strict=True):
        for line in card.lines:
            assert f"{line.label}" in page
            if line.points is not None:
                assert str(line.points) in page
        for turn in card.turns:
            assert f"{turn.ordinal} {turn.stop}" in page
            assert f"{' '.join(map(str, turn.dice))} {turn.label} {turn.points}".strip() in page
    assert "6 6 6 2 5 Three of a kind 25" in pages[0]
    assert "Grand total 65" in pages[0]


def test_one_bike_is_printed_alone_even_before_it_has_rolled(played: Ride, client: Client) -> None:
    url = get_url(played.contest, "scorecards")
    (page,) = get_pages(client.get(url, {"of": str(played.bikes[1].pk)}))
    assert "Grand total 24" in page
    (page,) = get_pages(client.get(url, {"of": str(played.bikes[8].pk)}))
    assert "Hal" in page
    assert "Grand total 0" in page

    assert client.get(url, {"of": str(uuid4())}).status_code == 404
    assert client.get(url, {"of": "../x"}).status_code == 404


def test_the_scorecards_of_tables_have_a_page_for_each_table_with_all_seats(
    ride: Ride, rogue_contest: Contest, rogue_tables: list[UUID], client: Client
) -> None:
    pages = get_pages(client.get(get_url(rogue_contest, "scorecards")))

    cards = get_audience_view(rogue_contest).get_report()[1].cards
    assert len(pages) == len({card.card_id for card in cards}) == 2
    for page in pages:
        number = int(page.partition("Table ")[2].split()[0])
        for card in (card for card in cards if card.table == number):
            assert Player.objects.get(pk=card.entrant_id).name in page
            for line in card.lines:
                assert line.label in page


def test_an_official_result_says_its_revision_and_the_head_that_was_published(
    ride: Ride, desk: Actor, tied_bikes: None, close: Any, cut: Any, client: Client
) -> None:
    close()
    cut({1: "QS", 2: "KS", 3: "2H"})
    publish_contest(desk, uuid4(), ride.contest.pk, "some turns were missed")

    head = Revision.objects.get().event_head
    for kind in ("standings", "scorecards"):
        for page in get_pages(client.get(get_url(ride.contest, kind))):
            assert "Official, revision 1" in page
            assert f"Log {head[:12]}" in page
    (standings,) = get_pages(client.get(get_url(ride.contest, "standings")))
    assert "Cut cards: king of spades" in standings


def test_a_frozen_event_prints_only_what_its_reader_may_see(
    played: Ride, client: Client, organiser: Client, add_turn: Callable[..., Any], update_standings: Callable[[], bool]
) -> None:
    freeze_standings(played.event)
    before = [client.get(get_url(played.contest, kind)).content for kind in ("standings", "scorecards")]
    add_turn(1, 2, make_paper_turn("sixes", 24))
    add_turn(3, 1, make_paper_turn("chance", 29))
    update_standings()
    PrintFile.objects.all().delete()

    for kind, content in zip(("standings", "scorecards"), before, strict=True):
        pages = get_pages(client.get(get_url(played.contest, kind)))
        assert list(map(drop_made, pages)) == list(map(drop_made, read_pages(content)))
        assert all("frozen at" in page for page in pages)
    (for_organisers,) = get_pages(organiser.get(get_url(played.contest, "standings", is_public=False)))
    assert "1 Ann" in for_organisers
    assert "2/5 48" in for_organisers


def test_the_head_of_a_frozen_event_does_not_show_that_something_was_recorded(
    played: Ride, client: Client, add_turn: Callable[..., Any]
) -> None:
    (live,) = get_pages(client.get(get_url(played.contest, "standings")))
    freeze_standings(played.event)
    (before,) = get_pages(client.get(get_url(played.contest, "standings")))
    add_turn(1, 2, make_paper_turn("sixes", 24))
    PrintFile.objects.all().delete()
    (after,) = get_pages(client.get(get_url(played.contest, "standings")))

    heads = [page.partition("Log ")[2][:12] for page in (live, before, after)]
    assert heads[0] == heads[1] == heads[2]
    assert get_current_head(played.event.pk)[:12] != heads[0]


def test_a_draft_and_what_everyone_may_not_have_are_not_found(ride: Ride, client: Client) -> None:
    assert client.get(get_url(ride.contest, "standings")).status_code == 200
    assert client.get(get_url(ride.contest, "unknown")).status_code == 404
    assert client.get(get_url(ride.contest, "standings"), {"paper": "a0"}).status_code == 404
    Event.objects.filter(pk=ride.event.pk).update(state=Event.State.DRAFT)
    assert client.get(get_url(ride.contest, "standings")).status_code == 404


def test_an_empty_contest_says_so(ride: Ride, client: Client) -> None:
    (page,) = get_pages(client.get(get_url(ride.contest, "scorecards")))

    assert "No bike has played yet" in page or "Nobody" in page


def test_public_names_are_those_of_the_settings_and_organisers_have_full_names(
    played: Ride, client: Client, organiser: Client
) -> None:
    Player.objects.filter(name="Ann").update(name="Ann Other")
    Event.objects.filter(pk=played.event.pk).update(people_shown=Event.PeopleShown.NUMBERS)

    (public,) = get_pages(client.get(get_url(played.contest, "standings")))
    response = organiser.get(get_url(played.contest, "standings", is_public=False))
    (full,) = get_pages(response)

    assert response.headers["Cache-Control"] == "private, no-store"
    assert "Ann" not in public
    assert "Ann Other" in full


def test_the_usual_paper_follows_from_where_the_event_is(played: Ride, client: Client) -> None:
    url = get_url(played.contest, "standings")
    assert measure_pages(client.get(url).content) == {LETTER}, "Edmonton"
    response = client.get(url, {"paper": "a4"})
    assert measure_pages(response.content) == {A4}
    assert response.headers["Content-Disposition"] == (
        'inline; filename="rock-the-roll-abcd1234-rock-yahtzee-standings-a4.pdf"'
    )


def test_the_same_document_is_made_once_until_something_in_it_changes(
    played: Ride, client: Client, add_turn: Callable[..., Any], update_standings: Callable[[], bool]
) -> None:
    url = get_url(played.contest, "standings")
    first = client.get(url)
    assert client.get(url).content == first.content
    assert client.get(url, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
    assert PrintFile.objects.count() == 1

    add_turn(1, 2, make_paper_turn("sixes", 24))
    update_standings()

    assert client.get(url).headers["ETag"] != first.headers["ETag"]


def test_erasing_a_name_deletes_the_files_that_may_show_it(played: Ride, client: Client) -> None:
    client.get(get_url(played.contest, "standings"))
    erase_name(played.event, "Ann")

    assert not PrintFile.objects.exists()
    (page,) = get_pages(client.get(get_url(played.contest, "standings")))
    assert "Ann" not in page
