"""While a contest is closed its log lists the bikes: organisers add bikes by an operation, and delete none."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.test import Client

from scorekeeper.bikes.models import Bike
from scorekeeper.bikes.services import NumberFixed, RosterFixed
from scorekeeper.common.spreadsheets.importer import StaleImportPlan
from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import Entry
from scorekeeper.players.roster_import import RosterImporter
from scorekeeper.players.services import add_bike, delete_bike, update_bike
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.closure import close_contest, reopen_contest
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.desk.conftest import make_operation_id
from tests.scorekeeper.page_checks import get_page_text, get_visible_text
from tests.scorekeeper.page_forms import save
from tests.scorekeeper.scorecards.conftest import desk

__all__ = ["desk"]


@pytest.fixture
def closed(ride: Ride, desk: Actor) -> None:
    """The ride's contest is closed, and nobody has rolled."""
    close_contest(desk, uuid4(), ride.contest.pk, "the ride is over")


@pytest.fixture
def roster(ride: Ride) -> str:
    """The URL of the roster."""
    return f"/desk/events/{ride.event.slug}/bikes/"


@pytest.mark.usefixtures("closed")
def test_a_bike_of_the_roster_cannot_be_deleted(ride: Ride, organiser: Client, roster: str) -> None:
    with pytest.raises(RosterFixed):
        delete_bike(ride.bikes[8])

    answer = organiser.post(f"{roster}{ride.bikes[8].pk}/delete/", follow=True)

    assert "A contest is closed, and its log lists bike 8, so it cannot be deleted." in get_page_text(answer)
    assert ride.bikes[8].players.exists()


@pytest.mark.usefixtures("closed")
def test_the_page_for_adding_a_bike_registers_it_in_the_log(ride: Ride, organiser: Client, roster: str) -> None:
    page = organiser.get(f"{roster}new/", follow=True)
    assert "A contest is closed, so the log says that you added this bike." in get_visible_text(page)
    ids = {name: str(page.context["form"][name].value()) for name in ("operation", "bike")}

    sent = {**ids, "number": "57", "rider": "Ida", "group": str(ride.group_one.pk), "make": "BMW"}
    answer = organiser.post(page.redirect_chain[-1][0], sent, follow=True)

    assert answer.redirect_chain[-1][0] == roster
    assert "Bike 57 has been added." in get_page_text(answer)
    bike = Bike.objects.get(pk=ids["bike"])
    assert (bike.label, bike.group, bike.make, bike.players.get().name) == ("57", ride.group_one, "BMW", "Ida")
    assert Entry.objects.filter(kind="register_bike").count() == 1
    assert not list(list_damage(ride.event))


@pytest.mark.usefixtures("closed")
def test_registering_without_a_number_is_refused_and_preserves_the_name(
    ride: Ride, organiser: Client, roster: str
) -> None:
    sent = {"operation": make_operation_id(), "bike": str(uuid4()), "number": "", "rider": "Ida"}

    answer = organiser.post(f"{roster}register/", sent)

    assert answer.status_code == 422
    assert "Enter the number on the bike." in get_visible_text(answer)
    assert 'value="Ida"' in get_page_text(answer)


@pytest.mark.usefixtures("closed")
def test_the_same_page_sent_twice_with_other_details_is_refused(ride: Ride, organiser: Client, roster: str) -> None:
    sent = {"operation": make_operation_id(), "bike": str(uuid4()), "number": "57", "rider": "Ida"}
    organiser.post(f"{roster}register/", sent)

    answer = organiser.post(f"{roster}register/", {**sent, "number": "58"})

    assert answer.status_code == 409
    assert "This page was already submitted. Open it again." in get_visible_text(answer)


@pytest.mark.usefixtures("closed")
def test_a_form_opened_before_the_closing_is_refused_with_what_was_typed(
    ride: Ride, organiser: Client, roster: str
) -> None:
    answer = organiser.post(f"{roster}new/", {"number": "57", "rider": "Ida"})

    assert answer.status_code == 409
    assert "A contest has just been closed. Open this page again to add the bike." in get_visible_text(answer)
    assert 'value="Ida"' in get_page_text(answer)
    assert not Bike.objects.filter(number=57).exists()


def test_an_import_cannot_add_bikes_but_can_correct_them(event: Event, ride: Ride, desk: Actor) -> None:
    text = "number,rider\n57,Ida\n8,Hal Hill\n"
    before = RosterImporter(event).make_plan(text)
    close_contest(desk, uuid4(), ride.contest.pk, "the ride is over")

    (problem,) = RosterImporter(event).make_plan(text).problems
    assert (problem.row, problem.text) == (
        2,
        "a contest is closed, so an import cannot add bikes; use “Add a bike”, which the log records",
    )
    with pytest.raises(StaleImportPlan):
        RosterImporter(event).execute_plan(text, before.digest)
    corrected = "number,rider\n8,Hal Hill\n"
    RosterImporter(event).execute_plan(corrected, RosterImporter(event).make_plan(corrected).digest)
    assert ride.bikes[8].players.get().name == "Hal Hill"


def test_a_draft_whose_contest_is_closed_has_fixed_numbers(ride: Ride, desk: Actor) -> None:
    Event.objects.filter(pk=ride.event.pk).update(state=Event.State.DRAFT)
    close_contest(desk, uuid4(), ride.contest.pk, "never started")
    Contest.objects.filter(pk=ride.contest.pk).update(frozen_at=None)

    with pytest.raises(NumberFixed):
        update_bike(ride.bikes[8], number=88, make="", model="", group=None, rider="Hal", passengers=())


@pytest.mark.usefixtures("closed")
def test_after_reopening_the_roster_can_be_edited_again(ride: Ride, desk: Actor) -> None:
    reopen_contest(desk, uuid4(), ride.contest.pk, "somebody is missing")

    delete_bike(ride.bikes[8])
    assert add_bike(ride.event, number=57, rider="Ida").label == "57"
    assert not list(list_damage(ride.event))


def test_the_groups_of_a_contest_change_until_it_is_closed(ride: Ride, organiser: Client, desk: Actor) -> None:
    address = f"/desk/events/{ride.event.slug}/contests/{ride.contest.slug}/settings/"
    sent = {"name": "Night ride", "groups_by": "best", "group_best": "2"}
    Contest.objects.filter(pk=ride.contest.pk).update(frozen_at="2026-06-20T12:00Z")
    assert save(organiser, address, sent).status_code == 302
    close_contest(desk, uuid4(), ride.contest.pk, "the ride is over")

    assert "The contest is closed. Reopen it to change this." in get_visible_text(organiser.get(address))
    for other in ({"groups_by": "mean"}, {"group_best": "3"}):
        stale = organiser.post(address, {**sent, **other})
        assert stale.status_code == 409
        assert "The contest was closed while this page was open, so nothing was changed." in get_visible_text(stale)
    assert save(organiser, address, {"name": "Day ride"}).status_code == 302
    ride.contest.refresh_from_db()
    assert (ride.contest.name, ride.contest.groups_by, ride.contest.group_best) == ("Day ride", "best", 2)
