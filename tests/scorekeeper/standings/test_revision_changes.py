"""What a revision changes: on the overview, before and after it is published, and on the page of each revision."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scorekeeper.audience.services import freeze_standings, lift_freeze
from scorekeeper.events.models import Event
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.standings.revision_changes import compare_reports
from scorekeeper.standings.selectors.reports import fold_report
from scorekeeper.standings.selectors.revisions import get_frozen_report, get_last_revision
from scorekeeper.standings.services.closure import reopen_contest
from scorekeeper.standings.services.publication import publish_contest
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.page_checks import get_visible_text
from tests.scorekeeper.scorecards.conftest import make_paper_turn

pytestmark = pytest.mark.usefixtures("tied_bikes")


@pytest.fixture
def publish(ride: Ride, desk):
    """Publish the next revision."""

    def make() -> None:
        publish_contest(desk, uuid4(), ride.contest.pk, "as agreed")
        ride.contest.refresh_from_db()

    return make


@pytest.fixture
def published(close, cut, publish) -> None:
    """Revision 1: bikes 3, 2 and 1 with 24 points, then bike 4 with 20."""
    close()
    cut({1: "QS", 2: "KH", 3: "AD"})
    publish()


@pytest.fixture
def correct(ride: Ride, desk, published: None):
    """Correct the turn of bike 4, at first to 26 points."""

    def make(points: int = 26, number: int = 4) -> None:
        turn = Turn.objects.get(card__seats__bike=ride.bikes[number], slot=ride.slots[0])
        target = CorrectionTarget(turn.pk, turn.seq, make_paper_turn("chance", points))
        amend_turns(desk, uuid4(), ride.contest.pk, ride.bikes[number].pk, [target], "misread")
        ride.contest.refresh_from_db()

    return make


@pytest.fixture
def organiser(alice: User, sign_in: SignIn) -> Client:
    """Alice's browser."""
    return sign_in(alice)


def public_url(ride: Ride, number: int) -> str:
    return reverse("results:revision", args=[ride.event.slug, ride.contest.slug, number])


def desk_url(ride: Ride, page: str, *args: Any) -> str:
    return reverse(f"desk:{page}", args=[ride.event.slug, *([] if page == "event" else [ride.contest.slug]), *args])


def test_whose_result_was_corrected_comes_before_whose_place_moves(ride: Ride, correct) -> None:
    correct()
    last = get_last_revision(ride.contest)
    assert last is not None

    changes = compare_reports(get_frozen_report(last), fold_report(ride.contest))

    assert [(change.number, change.is_corrected) for change in changes] == [
        ("4", True),
        ("3", False),
        ("2", False),
        ("1", False),
    ]
    assert [(line.before, line.after) for line in changes[0].lines] == [(20, 26)]


def test_a_cut_that_no_longer_counts_is_a_change_but_no_correction(ride: Ride, correct) -> None:
    correct(22, number=3)
    last = get_last_revision(ride.contest)
    assert last is not None

    changes = compare_reports(get_frozen_report(last), fold_report(ride.contest))

    assert [change.number for change in changes if change.is_corrected] == [changes[0].number] == ["3"]
    assert [change.number for change in changes[1:]] == ["1", "2"], "tied again"


def test_equal_reports_have_no_differences(ride: Ride, published: None) -> None:
    last = get_last_revision(ride.contest)
    assert last is not None

    assert compare_reports(get_frozen_report(last), fold_report(ride.contest)) == []


def test_the_overview_says_that_the_next_revision_is_ready_and_what_it_changes(
    ride: Ride, organiser: Client, correct, publish
) -> None:
    overview = desk_url(ride, "event")
    assert "is ready" not in get_visible_text(organiser.get(overview))

    correct()
    page = get_visible_text(organiser.get(overview))
    assert "Revision 2 of R.O.C.K. Yahtzee is ready" in page
    assert "Bike 4 (Dan) Place: from 4 to 1 Total: from 20 to 26 Chance: from 20 to 26" in page
    assert "Bike 3 (Cleo) Place: from 1 to 2" in page
    for waiting in ("finish", "publish"):
        text = get_visible_text(organiser.get(desk_url(ride, waiting)))
        assert "What revision 2 changes" in text
        assert "Chance: from 20 to 26" in text

    publish()
    assert "is ready" not in get_visible_text(organiser.get(overview))
    after = get_visible_text(organiser.get(desk_url(ride, "revision", 2)))
    assert "What revision 2 changed Bike 4 (Dan) Place: from 4 to 1 Total: from 20 to 26" in after


def test_a_correction_that_was_undone_changes_nothing(ride: Ride, organiser: Client, correct) -> None:
    correct()
    correct(20)

    page = get_visible_text(organiser.get(desk_url(ride, "event")))

    assert "Revision 2 of R.O.C.K. Yahtzee is ready" in page
    assert "No place, total, line of a scorecard or prize changes." in page


def test_an_old_revision_opens_as_it_was_published(
    ride: Ride, organiser: Client, client: Client, correct, publish
) -> None:
    correct()
    publish()
    for browser, first, second in (
        (organiser, desk_url(ride, "revision", 1), desk_url(ride, "revision", 2)),
        (client, public_url(ride, 1), public_url(ride, 2)),
    ):
        old, new = get_visible_text(browser.get(first)), get_visible_text(browser.get(second))
        assert "1 3 Cleo 24 2 2 Ben, Zoe 24" in old
        assert "1 4 Dan 26 2 3 Cleo 24" in new
        assert "What revision 1 changed" not in old, "there is none before it"
        assert "Chance: from 20 to 26" in new
        assert second in browser.get(first).content.decode()
    assert "These results are no longer the official ones." in get_visible_text(client.get(public_url(ride, 1)))
    assert "These are the official results." in get_visible_text(client.get(public_url(ride, 2)))
    assert client.get(public_url(ride, 3)).status_code == 404
    assert organiser.get(desk_url(ride, "revision", 3)).status_code == 404
    board = client.get(reverse("results:leaderboard", args=[ride.event.slug, ride.contest.slug])).content.decode()
    assert board.index(public_url(ride, 2)) < board.index(public_url(ride, 1))


def test_the_public_page_never_names_the_organiser_or_shows_what_is_not_published(
    ride: Ride, client: Client, correct
) -> None:
    correct()

    page = client.get(public_url(ride, 1))
    assert "alice" not in page.content.decode()
    assert ">26<" not in page.content.decode()
    assert "Published " in get_visible_text(page)
    assert client.get(public_url(ride, 2)).status_code == 404


def test_public_names_are_as_the_event_shows_people(ride: Ride, client: Client, published: None) -> None:
    Event.objects.update(people_shown=Event.PeopleShown.NUMBERS)

    assert "Cleo" not in client.get(public_url(ride, 1)).content.decode()


def test_a_freeze_withholds_every_revision_alike(ride: Ride, client: Client, correct, publish) -> None:
    freeze_standings(ride.event)
    correct()
    publish()

    answers = [client.get(public_url(ride, number)) for number in (1, 2, 3)]
    board = reverse("results:leaderboard", args=[ride.event.slug, ride.contest.slug])
    assert [(answer.status_code, answer["Location"]) for answer in answers] == [(302, board)] * 3
    assert "revisions/" not in client.get(board).content.decode()

    lift_freeze(ride.event)
    assert client.get(public_url(ride, 2)).status_code == 200


def test_a_reopened_contest_keeps_its_revisions_open_to_everyone(
    ride: Ride, client: Client, desk, published: None
) -> None:
    reopen_contest(desk, uuid4(), ride.contest.pk, "one group was forgotten")

    page = get_visible_text(client.get(public_url(ride, 1)))

    assert "These results are no longer the official ones." in page
    assert "1 3 Cleo 24" in page
