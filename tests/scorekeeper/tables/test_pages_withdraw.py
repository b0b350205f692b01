"""`/desk/events/<slug>/tables/<card>/withdraw/`: removing an unused table."""

from __future__ import annotations

from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from scorekeeper.events.models import Contest, Event
from scorekeeper.ledger.models import Entry, OperationReason
from scorekeeper.scorecards.models import Seat
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.page_checks import assert_refused, get_page_text
from tests.scorekeeper.table_fixtures import AddAction, AddTable, make_throw
from tests.scorekeeper.table_forms import crew_url, desk_url


def address(event: Event, card: UUID) -> str:
    return reverse("tables:desk_withdraw", args=[event.slug, card])


def sent(reason: str = "sat down at the wrong table") -> dict[str, str]:
    return {"operation": str(uuid4()), "reason": reason}


def test_the_page_names_the_seats_and_removes_the_table(organiser: Client, ride: Ride, add_table: AddTable) -> None:
    card = add_table("Ann")
    assert "Remove the table of Ann?" in get_page_text(organiser.get(address(ride.event, card)))

    done = organiser.post(address(ride.event, card), sent(), follow=True)

    assert "The table of Ann has been removed." in get_page_text(done)
    assert not Seat.objects.filter(card_id=card).exists()
    assert list(Entry.objects.filter(chain_id=card).values_list("kind", flat=True)) == ["deal", "withdraw"]
    assert OperationReason.objects.get().text == "sat down at the wrong table"


def test_the_table_page_links_to_it_only_for_those_who_may_remove(
    organiser: Client, ride: Ride, add_table: AddTable, add_action: AddAction, phone: Client
) -> None:
    card = add_table("Ann")
    assert address(ride.event, card) in get_page_text(organiser.get(desk_url(ride, card)))
    assert "withdraw" not in get_page_text(phone.get(crew_url(card))).lower()

    add_action(card, make_throw(3))

    assert "withdraw" not in get_page_text(organiser.get(desk_url(ride, card))).lower()


def test_a_reason_is_needed(organiser: Client, ride: Ride, add_table: AddTable) -> None:
    card = add_table("Ann")

    assert_refused(organiser.post(address(ride.event, card), sent("")), "id_reason", "Enter a reason.")
    assert Seat.objects.filter(card_id=card).exists()


def test_a_table_in_play_is_not_removed_and_the_reason_is_preserved(
    organiser: Client, ride: Ride, add_table: AddTable, add_action: AddAction
) -> None:
    card = add_table("Ann")
    add_action(card, make_throw(3))

    response = organiser.post(address(ride.event, card), sent())

    message = "Something has already been recorded at this table. Void it first, or let the seats retire."
    assert_refused(response, "id_reason", message)
    assert 'value="sat down at the wrong table"' in get_page_text(response)


def test_once_withdrawn_the_page_leads_back_to_the_list(
    organiser: Client, ride: Ride, pig_contest: Contest, add_table: AddTable
) -> None:
    card, form = add_table("Ann"), sent()
    organiser.post(address(ride.event, card), form)

    again = organiser.post(address(ride.event, card), form)

    assert again.headers["Location"] == reverse("tables:desk_list", args=[ride.event.slug, pig_contest.slug])
    assert Entry.objects.filter(chain_id=card).count() == 2


def test_a_used_id_is_a_conflict_and_the_form_can_be_submitted_again(
    organiser: Client, ride: Ride, add_table: AddTable
) -> None:
    first, second, form = add_table("Ann"), add_table("Ben"), sent()
    organiser.post(address(ride.event, first), form)

    response = organiser.post(address(ride.event, second), form)
    again = {**sent(), "operation": response.context["form"]["operation"].value()}

    assert response.status_code == 409
    assert "This page was already submitted." in get_page_text(response)
    assert organiser.post(address(ride.event, second), again).status_code == 302


@pytest.mark.parametrize("method", ["get", "post"])
def test_the_page_is_not_found_by_others_or_for_other_cards(
    client: Client,
    organiser: Client,
    charlie: User,
    other_event: Event,
    sign_in,
    ride: Ride,
    add_table: AddTable,
    method: str,
) -> None:
    card = add_table("Ann")

    assert getattr(sign_in(charlie), method)(address(ride.event, card)).status_code == 404
    assert getattr(sign_in(charlie), method)(address(other_event, card)).status_code == 404
    assert getattr(organiser, method)(address(ride.event, uuid4())).status_code == 404
    assert getattr(client, method)(address(ride.event, card)).headers["Location"].startswith("/sign-in/")
