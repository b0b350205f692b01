"""A phone tells of its memory with each request: a memory that is gone is found, and counts until it is confirmed."""

from __future__ import annotations

import datetime as dt
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from scorekeeper.crew.models import CrewMember, Device, MemoryLoss
from scorekeeper.crew.phones import count_phones
from scorekeeper.crew.services.invitations import create_invitation
from scorekeeper.crew.services.phone_memory import MAX_OPEN
from scorekeeper.events.models import Organiser
from tests.scorekeeper.api.conftest import post, turn_operation
from tests.scorekeeper.conftest import CrewClient, Ride
from tests.scorekeeper.page_checks import get_visible_text
from tests.scorekeeper.statements import list_statements

__all__ = ["turn_operation"]

pytestmark = [pytest.mark.django_db, pytest.mark.database]

NOTHING_PENDING = {"unsent": 0, "attention": 0}


def make_memory() -> str:
    return str(uuid4())


def report(
    phone: Client, memory: str | None, made: int, unsent: int = 0, lost: int | None = None, **more: object
) -> None:
    """Send what a phone reports when it has nothing to send now: `memory` as the browser's storage has it."""
    told = [part for part in (memory, made, lost) if part is not None]
    headers = {} if memory is None else {"X-Tailgunner-Memory": " ".join(map(str, told))}
    body = {"operations": [], "report": {"unsent": unsent, "attention": 0}, **more}
    assert post(phone, body, **headers).status_code == 200


def join(phone: Client, member: CrewMember) -> Client:
    """Open a new link of the member on a phone; return the phone."""
    _invitation, token = create_invitation(member)
    assert phone.post(f"/crew/join/{token}/").status_code == 302
    return phone


def list_told(phone: Client) -> list[dict[str, object]]:
    """Return the losses that the phone's copy of the ride has."""
    parts = phone.get("/api/v1/ride/parts", headers={"X-Ride-Format": "3"}).json()["parts"]
    losses: list[dict[str, object]] = parts["own"][1]["own"].get("losses", [])
    return losses


@pytest.fixture
def phone(crew_client: CrewClient, ride: Ride) -> Client:
    return crew_client(ride.rita)


def test_a_phone_that_keeps_its_memory_has_lost_nothing(ride: Ride, phone: Client) -> None:
    memory = make_memory()
    report(phone, memory, 0)
    report(phone, memory, 3, unsent=3)
    report(phone, memory, 3)
    phone.get("/api/v1/ride/parts", headers={"X-Tailgunner-Memory": f"{memory} 4"})

    device = Device.objects.get()
    assert (device.memory, device.made, device.lost_at) == (memory, 4, None)
    assert not MemoryLoss.objects.exists()
    assert count_phones(ride.event).all_synced
    assert list_told(phone) == []


def test_a_cleared_memory_is_found_whatever_the_phone_asks_first(ride: Ride, phone: Client) -> None:
    report(phone, make_memory(), 4, unsent=2)

    phone.head("/api/v1/ride/parts", headers={"X-Tailgunner-Memory": f"{make_memory()} 0"})

    [loss] = MemoryLoss.objects.all()
    assert (loss.reason, loss.unsent, loss.attention) == ("cleared", 2, 0)
    count = count_phones(ride.event)
    assert (count.total, count.lost, count.synced, count.with_pending, count.unsent) == (1, 1, 0, 0, 0)
    [told] = list_told(phone)
    assert (told["reason"], told["missing"]) == ("cleared", 2)


def test_what_the_phone_itself_had_counted_is_more_than_its_last_report(ride: Ride, phone: Client) -> None:
    report(phone, make_memory(), 4, unsent=2)
    report(phone, make_memory(), 0, lost=5)
    assert MemoryLoss.objects.get().missing == 5


def test_a_lost_phone_counts_again_once_an_organiser_has_confirmed_it(
    ride: Ride, organiser: Client, phone: Client, url, alice: User
) -> None:
    report(phone, make_memory(), 4, unsent=2)
    current = make_memory()
    report(phone, current, 0)
    report(phone, current, 1)
    page = get_visible_text(organiser.get(url("phones")))
    assert "0 of 1 phone has sent everything" in page
    assert "The phone of Rita has lost its memory" in page
    assert "2 entries that had not been sent are missing" in page
    assert "Group one. No entry had arrived from it." in page
    assert "1 phone may have lost entries that were not sent" in get_visible_text(organiser.get(url("finish")))

    loss = MemoryLoss.objects.get()
    assert organiser.post(url("confirm_lost_phone", loss.pk), follow=True).status_code == 200

    loss.refresh_from_db()
    assert (loss.confirmed_by, loss.confirmed_at is None) == (Organiser.objects.get(user=alice).pk, False)
    page = get_visible_text(organiser.get(url("phones")))
    assert "1 of 1 phone has sent everything" in page
    assert f"Confirmed by {alice.username}" in page
    assert list_told(phone) == []


def test_each_loss_of_a_phone_is_confirmed_by_itself(ride: Ride, organiser: Client, phone: Client, url) -> None:
    for _number in range(3):
        report(phone, make_memory(), 1)
    first, second = MemoryLoss.objects.all()

    organiser.post(url("confirm_lost_phone", first.pk))
    assert count_phones(ride.event).lost == 1
    organiser.post(url("confirm_lost_phone", second.pk))
    assert count_phones(ride.event).all_synced


def test_a_phone_that_tells_another_memory_each_time_cannot_fill_the_list(ride: Ride, phone: Client) -> None:
    for _time in range(MAX_OPEN + 5):
        report(phone, make_memory(), 3, lost=2)
        report(phone, Device.objects.get().memory, 3, unsent=1)
    losses = MemoryLoss.objects.all()
    assert len(losses) == MAX_OPEN
    assert sum(loss.missing for loss in losses) == (MAX_OPEN + 4) * 2, "what is missing is still counted"
    assert count_phones(ride.event).lost == 1


def test_a_delayed_request_from_before_the_loss_changes_nothing(ride: Ride, phone: Client) -> None:
    before, after = make_memory(), make_memory()
    report(phone, before, 3)
    report(phone, after, 0)
    report(phone, before, 3)
    report(phone, after, 1)

    assert MemoryLoss.objects.count() == 1
    assert Device.objects.get().memory == after


def test_a_cleared_phone_that_joins_by_a_link_with_its_cookie_is_found(ride: Ride, phone: Client) -> None:
    report(phone, make_memory(), 3, unsent=1)
    join(phone, ride.rita)
    report(phone, make_memory(), 0)

    count = count_phones(ride.event)
    assert (count.total, count.lost, count.synced) == (2, 1, 1)
    assert MemoryLoss.objects.get().missing == 1
    assert len(list_told(phone)) == 1


def test_a_phone_that_joins_by_a_link_and_keeps_its_memory_has_lost_nothing(ride: Ride, phone: Client) -> None:
    memory = make_memory()
    report(phone, memory, 3, unsent=1)
    join(phone, ride.tom)
    report(phone, memory, 3)
    assert not MemoryLoss.objects.exists()


def test_a_phone_that_lost_its_cookie_and_kept_its_memory_goes_on_as_the_new_device(ride: Ride, phone: Client) -> None:
    memory = make_memory()
    report(phone, memory, 3, unsent=1)
    again = join(Client(), ride.rita)
    assert count_phones(ride.event).lost == 1, "it may be another phone"
    report(again, memory, 3)

    count = count_phones(ride.event)
    assert (count.total, count.lost, count.synced) == (1, 0, 1)
    assert list_told(again) == []


def test_a_phone_that_was_replaced_is_lost_until_it_is_heard_of_again(
    ride: Ride, organiser: Client, phone: Client, url
) -> None:
    memory = make_memory()
    report(phone, memory, 3)
    for _number in range(2):  # joining twice is one loss for each phone before
        other = join(Client(), ride.rita)
        report(other, make_memory(), 0)

    count = count_phones(ride.event)
    assert (count.total, count.lost, count.synced) == (3, 2, 1)
    assert "Rita has signed in on a phone again" in get_visible_text(organiser.get(url("phones")))
    assert len(list_told(other)) == 2

    report(phone, memory, 4)
    assert count_phones(ride.event).lost == 1
    assert MemoryLoss.objects.exclude(returned_at=None).count() == 1


def test_a_replaced_phone_without_a_memory_id_returns_as_well(ride: Ride, phone: Client) -> None:
    report(phone, None, 0)
    report(join(Client(), ride.rita), make_memory(), 0)
    assert count_phones(ride.event).lost == 1
    report(phone, None, 0)
    assert count_phones(ride.event).all_synced


def test_a_phone_of_which_the_server_has_more_than_it_ever_made_was_cleared_before_it_told_its_memory(
    ride: Ride, phone: Client, turn_operation
) -> None:
    post(phone, {"operations": [turn_operation(1, 1, "aces", 3)], "report": NOTHING_PENDING})
    report(phone, make_memory(), 0)
    assert MemoryLoss.objects.get().memory == ""


def test_a_phone_that_tells_its_memory_for_the_first_time_has_lost_nothing(
    ride: Ride, phone: Client, turn_operation
) -> None:
    post(phone, {"operations": [turn_operation(1, 1, "aces", 3)], "report": {"unsent": 2, "attention": 0}})
    report(phone, make_memory(), 3)
    assert not MemoryLoss.objects.exists()


def test_a_lost_phone_that_was_revoked_or_has_expired_is_still_counted(ride: Ride, phone: Client) -> None:
    report(phone, make_memory(), 3)
    report(phone, make_memory(), 0)
    Device.objects.update(revoked_at=timezone.now(), expires_at=timezone.now() - dt.timedelta(days=1))
    count = count_phones(ride.event)
    assert (count.total, count.lost) == (1, 1)


@pytest.mark.parametrize("told", ["", "x", "1 2 3", f"{'a' * 37} 1", f"{'a' * 36} -1", f"{'a' * 36} {'9' * 12}"])
def test_what_cannot_be_read_is_ignored(phone: Client, told: str) -> None:
    assert post(phone, {"operations": []}, **{"X-Tailgunner-Memory": told}).status_code == 200
    assert Device.objects.get().memory == ""


def test_telling_nothing_new_takes_no_statement(phone: Client) -> None:
    memory = make_memory()
    report(phone, memory, 1)

    def list_statements_with(headers: dict[str, str]) -> list[str]:
        with CaptureQueriesContext(connection) as queries:
            post(phone, {"operations": []}, **headers)
        return list_statements(queries)

    assert list_statements_with({"X-Tailgunner-Memory": f"{memory} 1"}) == list_statements_with({})


def test_an_organiser_of_another_ride_confirms_nothing(ride: Ride, phone: Client, charlie: User, sign_in, url) -> None:
    report(phone, make_memory(), 3)
    report(phone, make_memory(), 0)
    loss = MemoryLoss.objects.get()
    assert sign_in(charlie).post(url("confirm_lost_phone", loss.pk)).status_code in (403, 404)
    assert count_phones(ride.event).lost == 1
