"""`/desk/events/<slug>/phones/`, and what the overview, finish and publish pages say about the phones."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from django.utils import timezone

from scorekeeper.crew.models import CrewMember, Device
from scorekeeper.crew.services.devices import create_device, record_phone_report
from scorekeeper.standings.models import Revision
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.desk.conftest import make_operation_id
from tests.scorekeeper.page_checks import assert_refused, get_page_text, get_visible_text
from tests.scorekeeper.scorecards.conftest import make_actor, make_paper_turn

AT_FIVE_PAST_TWO = dt.datetime(2026, 6, 20, 20, 5, tzinfo=dt.UTC)


def add_phone(member: CrewMember, report: tuple[int, int] | None = None) -> Device:
    """Add a phone of the member, last seen at 14:05 in the ride's time zone."""
    device, _token = create_device(member)
    if report is not None:
        record_phone_report(device, *report)
    Device.objects.filter(pk=device.pk).update(last_seen_at=AT_FIVE_PAST_TWO)
    return device


def sign_all_out() -> None:
    """Sign out the phones that recorded the test's entries."""
    Device.objects.update(revoked_at=timezone.now())


def test_the_overview_says_when_all_have_sent_everything(ride: Ride, organiser: Client, url) -> None:
    for member in (ride.rita, ride.tom, ride.gus):
        add_phone(member, (0, 0))

    page = get_visible_text(organiser.get(url("event")))

    assert "3 of 3 phones have sent everything, 0 open conflicts" in page
    assert "not reported" not in page


def test_the_overview_counts_unsent_entries_and_conflicts(ride: Ride, organiser: Client, url, add_turn) -> None:
    add_turn(1, 1, make_paper_turn("chance", 20))
    add_turn(1, 1, make_paper_turn("chance", 22), by=make_actor(ride.tom))
    sign_all_out()
    for member, report in ((ride.rita, (3, 0)), (ride.tom, (0, 1)), (ride.gus, (0, 0)), (ride.sue, None)):
        add_phone(member, report)

    page = get_visible_text(organiser.get(url("event")))

    assert "1 of 4 phones have sent everything, 1 open conflict" in page
    assert "3 entries are still on phones." in page
    assert "1 entry on a phone needs attention there." in page
    assert "1 phone has not reported yet." in page


def test_without_phones_the_pages_do_not_mention_them(ride: Ride, organiser: Client, url) -> None:
    assert "sent everything" not in get_page_text(organiser.get(url("event")))
    assert "sent everything" not in get_page_text(organiser.get(url("finish")))
    assert "No phone is signed in" in get_page_text(organiser.get(url("phones")))


def test_the_phones_are_listed_with_what_each_has_reported(ride: Ride, organiser: Client, url) -> None:
    add_phone(ride.rita, (0, 0))
    add_phone(ride.tom)
    add_phone(ride.gus, (3, 1))
    Device.objects.filter(member=ride.tom).update(last_seen_at=None)

    page = get_visible_text(organiser.get(url("phones")))

    assert "1 of 3 phones have sent everything" in page
    gus, tom, rita = (page.index(name) for name in ("Gus Group two", "Tom Group one", "Rita Group one"))
    assert gus < tom < rita
    assert "Gus Group two 20 Jun, 14:05 3 1" in page
    assert "Tom Group one None yet Has not reported yet" in page
    assert "Rita Group one 20 Jun, 14:05 0 0" in page


@pytest.mark.usefixtures("tied_bikes")
class TestPublishing:
    """While a phone has unsent entries, publishing requires a reason."""

    def test_a_phone_with_unsent_entries_requires_a_reason(
        self, ride: Ride, organiser: Client, url, close, cut
    ) -> None:
        close()
        cut({1: "QS", 2: "KH", 3: "AD"})
        sign_all_out()
        add_phone(ride.rita, (2, 0))
        assert "0 of 1 phone has sent everything, 0 open conflicts" in get_visible_text(organiser.get(url("finish")))
        assert "1 phone still has entries that are not in these results." in get_visible_text(
            organiser.get(url("publish"))
        )

        refused = organiser.post(url("publish"), {"operation": make_operation_id()})
        assert_refused(refused, "id_reason", "Some things are still to do. Enter a reason for publishing anyway.")
        assert not Revision.objects.exists()

        organiser.post(url("publish"), {"operation": make_operation_id(), "reason": "the phone fell into the river"})
        revision = Revision.objects.get()
        assert revision.operation.reason.text == "the phone fell into the river"
        assert "the phone fell into the river" in get_page_text(organiser.get(url("finish")))

    def test_a_report_that_arrived_in_the_meantime_requires_a_reason(
        self, ride: Ride, organiser: Client, url, close, cut
    ) -> None:
        close()
        cut({1: "QS", 2: "KH", 3: "AD"})
        assert 'name="reason"' not in get_page_text(organiser.get(url("publish")))
        add_phone(ride.rita, (0, 1))

        assert organiser.post(url("publish"), {"operation": make_operation_id()}).status_code == 422
        assert not Revision.objects.exists()

    def test_the_publish_page_mentions_an_entry_under_review(
        self, organiser: Client, url, close, cut, add_turn
    ) -> None:
        close()
        cut({1: "QS", 2: "KH", 3: "AD"})
        add_turn(4, 2, make_paper_turn("sixes", 30))

        assert "1 entry needs your decision. Decide first" in get_visible_text(organiser.get(url("publish")))

    @pytest.mark.parametrize("report", [None, (0, 0)])
    def test_a_phone_without_unsent_entries_or_without_a_report_blocks_nothing(
        self, ride: Ride, organiser: Client, url, close, cut, report: tuple[int, int] | None
    ) -> None:
        close()
        cut({1: "QS", 2: "KH", 3: "AD"})
        sign_all_out()
        add_phone(ride.rita, report)

        done = organiser.post(url("publish"), {"operation": make_operation_id()}, follow=True)

        assert "are official" in get_page_text(done)
        expected = "1 phone has not reported yet" if report is None else "1 of 1 phone has sent everything"
        assert f"{expected}, 0 open conflicts" in get_visible_text(done)
