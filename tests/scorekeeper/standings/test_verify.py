"""`manage.py verify`: every change past the database's guards is found and reported."""

from __future__ import annotations

from collections.abc import Callable
from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from scorekeeper.events.models import Contest
from scorekeeper.ledger.canonical import sha256
from scorekeeper.ledger.models import Chain, Entry, OperationReason
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.bike_operations import renumber_bike
from scorekeeper.scorecards.services.erasure import erase_name
from scorekeeper.standings.models import Revision
from scorekeeper.standings.selectors.log_head import compute_event_head, list_chain_heads
from scorekeeper.standings.services.publication import publish_contest
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import get_bike_card, make_paper_turn

pytestmark = [pytest.mark.usefixtures("published"), pytest.mark.database]


@pytest.fixture
def published(ride: Ride, tied_bikes, close, cut, desk) -> None:
    close()
    cut({1: "QS", 2: "KH", 3: "AD"})
    publish_contest(desk, uuid4(), ride.contest.pk)


def verify(*args: str) -> str:
    """The output of the command."""
    out = StringIO()
    call_command("verify", *args, stdout=out)
    return out.getvalue()


def find_damage() -> str:
    """The output of the command when it exits with 1."""
    out = StringIO()
    with pytest.raises(CommandError) as failed:
        call_command("verify", stdout=out)
    assert failed.value.returncode == 1
    return out.getvalue()


def test_an_untouched_log_is_in_order(ride: Ride) -> None:
    assert "all in order" in verify()
    assert "all in order" in verify(ride.event.slug)


def test_the_head_is_that_of_the_log_and_changes_with_it(ride: Ride, add_turn, desk) -> None:
    before = verify().split()[-1]
    assert before == compute_event_head(list_chain_heads(ride.event.pk, {}))

    add_turn(5, 1, make_paper_turn("chance", 20), by=desk, reason="found in a pocket")

    assert verify().split()[-1] != before


def test_an_unknown_event_is_reported() -> None:
    with pytest.raises(CommandError, match="no event"):
        verify("nowhere")


def test_a_later_entry_leaves_everything_in_order(ride: Ride, add_turn, desk) -> None:
    add_turn(5, 1, make_paper_turn("chance", 20), by=desk, reason="found in a pocket")
    assert "all in order" in verify()


def test_an_edited_entry_is_reported(ride: Ride, without_guards) -> None:
    chain = get_bike_card(ride, ride.bikes[4]).chain
    entry = Entry.objects.get(chain=chain, seq=1)
    Entry.objects.filter(pk=entry.pk).update(body=entry.body.replace('"points":20', '"points":30'))

    found = find_damage()

    assert f"Scorecard {chain.pk}, entry 1: its hash does not match its content" in found
    assert f"Card {chain.pk}: its turns do not match its log" in found
    assert "Revision 1 of rock-yahtzee: its figures do not match the log" in found


def test_an_entry_edited_with_its_hash_is_found_by_the_next_one(ride: Ride, without_guards) -> None:
    chain = get_bike_card(ride, ride.bikes[4]).chain
    entry = Entry.objects.get(chain=chain, seq=1)
    body = entry.body.replace('"points":20', '"points":30')
    Entry.objects.filter(pk=entry.pk).update(body=body, hash=sha256(body))

    assert f"Scorecard {chain.pk}, entry 2: it does not link to the entry before it" in find_damage()


def _delete_last(chain: Chain) -> None:
    Entry.objects.filter(chain=chain, seq=chain.length)._raw_delete("default")


def _delete_first(chain: Chain) -> None:
    Entry.objects.filter(chain=chain, seq=1)._raw_delete("default")


def _swap(chain: Chain) -> None:
    Entry.objects.filter(chain=chain, seq=1).update(seq=99)
    Entry.objects.filter(chain=chain, seq=2).update(seq=1)
    Entry.objects.filter(chain=chain, seq=99).update(seq=2)


def _relabel(chain: Chain) -> None:
    Entry.objects.filter(chain=chain, seq=1).update(kind="amend")


def _shorten(chain: Chain) -> None:
    Chain.objects.filter(pk=chain.pk).update(length=1)


def _behead(chain: Chain) -> None:
    Chain.objects.filter(pk=chain.pk).update(head="0" * 64)


@pytest.mark.parametrize(
    ("tamper", "message"),
    [
        (_delete_last, "it should have 5 entries and has 4"),
        (_delete_first, "entry 2: entry 1 is missing before it"),
        (_swap, "it does not link to the entry before it"),
        (_relabel, "its columns do not match its body: kind"),
        (_shorten, "it should have 1 entries and has 5"),
        (_behead, "its head is not the hash of its last entry"),
    ],
)
def test_deleting_reordering_and_relabelling_are_found(
    ride: Ride, without_guards, tamper: Callable[[Chain], None], message: str
) -> None:
    chain = get_bike_card(ride, ride.bikes[4]).chain
    tamper(chain)

    assert [line for line in find_damage().splitlines() if str(chain.pk) in line and message in line]


def test_a_changed_turn_is_found(ride: Ride) -> None:
    Turn.objects.filter(card=get_bike_card(ride, ride.bikes[4]), line="chance").update(points=99)
    assert "its turns do not match its log" in find_damage()


def test_a_changed_reason_is_found_and_an_erased_one_is_not(ride: Ride) -> None:
    erase_name(ride.event, "ride")
    assert not OperationReason.objects.exists()
    assert "all in order" in verify()

    closing = Entry.objects.filter(kind="close").first()
    assert closing is not None
    OperationReason.objects.create(operation_id=closing.operation_id, salt="x", text="something else")
    assert "it is not the reason that was given" in find_damage()


def test_a_reason_that_was_deleted_without_erasing_it_is_found(ride: Ride) -> None:
    OperationReason.objects.all().delete()
    assert "it is missing, but was not erased" in find_damage()


def test_a_contest_of_an_unknown_game_is_found(ride: Ride) -> None:
    Contest.objects.filter(pk=ride.contest.pk).update(game_key="gone")

    assert "its rules differ" in find_damage()


def test_a_changed_status_is_found(ride: Ride) -> None:
    type(ride.contest).objects.update(status="open")
    assert "it is open, but its log says official" in find_damage()


def test_a_changed_revision_is_found(without_guards) -> None:
    revision = Revision.objects.get()
    revision.standings["rows"][0]["total"] = 99
    revision.save()
    assert "its figures do not match the log" in find_damage()

    revision.chains[0][1] += 1
    revision.save()
    assert "its head is not that of the chains that it lists" in find_damage()


def test_a_bike_renumbered_after_publishing_is_not_damage(ride: Ride, desk) -> None:
    renumber_bike(desk, uuid4(), ride.bikes[3].pk, 300, "the plate fell off")
    assert "all in order" in verify()
