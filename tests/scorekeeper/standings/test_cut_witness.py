"""The witness of a cut: named with the cards, and kept as a reason is, outside the log and erasable."""

from __future__ import annotations

import io
import json
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.urls import reverse

from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import CutWitness, Entry, Operation
from scorekeeper.ledger.operation_body import compute_digest
from scorekeeper.ledger.services.operation_context import compute_reason_digest
from scorekeeper.ledger.services.recording import RECORDED, IdReused, record
from scorekeeper.standings.selectors.cuts import get_cut_witnesses, list_cuts
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.card_cuts import correct_cut, record_cut
from scorekeeper.standings.services.contest_chain import WitnessRequired, lock_contest
from tests.scorekeeper.conftest import Ride, SignIn
from tests.scorekeeper.scorecards.test_erasing import erase, list_tables_with
from tests.scorekeeper.standings.conftest import WITNESS

CARDS = {1: "QS", 2: "KH", 3: "AD"}

pytestmark = [pytest.mark.usefixtures("tied_bikes"), pytest.mark.database]


def show_cards(ride: Ride) -> dict[UUID, str | None]:
    return {ride.bikes[number].pk: card for number, card in CARDS.items()}


def list_damage_texts(ride: Ride) -> list[str]:
    return [damage.description for damage in list_damage(ride.event)]


@pytest.fixture
def old_cut(ride: Ride, desk: Actor, close) -> Entry:
    """A cut as versions recorded it that did not ask for a witness."""
    close()
    cards = {str(entrant): card for entrant, card in show_cards(ride).items()}

    def handle(context):
        _contest, chain = lock_contest(context, ride.contest.pk, "closed")
        context.append(chain, "cut", data={"cards": cards})
        context.mark_stale(ride.contest.pk)
        return RECORDED

    receipt = record(uuid4(), "cut", desk, {"contest": str(ride.contest.pk), "cards": cards}, handle)
    return Entry.objects.get(operation_id=receipt.operation_id)


@pytest.mark.parametrize("name", ["", " \t"])
def test_a_cut_and_its_correction_need_a_witness(ride: Ride, desk: Actor, close, cut, name: str) -> None:
    close()
    with pytest.raises(WitnessRequired):
        record_cut(desk, uuid4(), ride.contest.pk, show_cards(ride), name)
    seq = cut(CARDS).entries[0]["seq"]
    with pytest.raises(WitnessRequired):
        correct_cut(desk, uuid4(), ride.contest.pk, seq, show_cards(ride), name, "misread")
    assert len(list_cuts(ride.contest.pk)) == 1


def test_the_name_is_only_in_its_own_table_and_the_log_has_a_salted_digest(ride: Ride, close, cut) -> None:
    close()
    receipt = cut(CARDS)

    assert list_tables_with(WITNESS) == {"ledger_cutwitness"}
    witness = CutWitness.objects.get()
    body = json.loads(Entry.objects.get(operation_id=receipt.operation_id).body)
    assert body["data"]["witness"] == compute_reason_digest(witness.salt, WITNESS)
    assert get_cut_witnesses(ride.contest.pk) == {receipt.entries[0]["seq"]: WITNESS}
    assert list_damage_texts(ride) == []


def test_the_same_operation_with_another_witness_is_another_operation(ride: Ride, desk: Actor, close) -> None:
    close()
    operation = uuid4()
    first = record_cut(desk, operation, ride.contest.pk, show_cards(ride), WITNESS)

    assert record_cut(desk, operation, ride.contest.pk, show_cards(ride), f" {WITNESS} ") == first
    with pytest.raises(IdReused):
        record_cut(desk, operation, ride.contest.pk, show_cards(ride), "Somebody else")


def test_a_recut_has_its_own_witness(ride: Ride, desk: Actor, close, cut) -> None:
    close()
    first = cut({1: "QS", 2: "KH", 3: "KD"}).entries[0]["seq"]
    tied = {ride.bikes[2].pk: "2S", ride.bikes[3].pk: "AH"}
    again = record_cut(desk, uuid4(), ride.contest.pk, tied, "Zoe").entries[0]["seq"]

    assert get_cut_witnesses(ride.contest.pk) == {first: WITNESS, again: "Zoe"}


def test_an_old_cut_without_a_witness_still_verifies_and_shows_none(
    ride: Ride, alice: User, sign_in: SignIn, old_cut: Entry, update_standings
) -> None:
    update_standings()

    assert list_damage_texts(ride) == []
    assert get_cut_witnesses(ride.contest.pk) == {}
    page = sign_in(alice).get(reverse("desk:ties", args=[ride.event.slug, ride.contest.slug])).content.decode()
    assert "queen of spades" in page
    assert "Witness:" not in page


@pytest.mark.parametrize(
    ("tamper", "damage"),
    [
        (lambda: CutWitness.objects.update(name="Somebody else"), "it is not the witness that was named"),
        (lambda: CutWitness.objects.update(salt="x"), "it is not the witness that was named"),
        (lambda: CutWitness.objects.all().delete(), "it is missing, but was not erased"),
    ],
    ids=["renamed", "salted", "deleted"],
)
def test_verification_finds_an_altered_witness(ride: Ride, close, cut, update_standings, tamper, damage: str) -> None:
    close()
    cut(CARDS)
    update_standings()

    tamper()

    assert damage in list_damage_texts(ride)


def test_a_witness_added_to_an_old_cut_is_found(ride: Ride, old_cut: Entry, update_standings) -> None:
    update_standings()
    CutWitness.objects.create(operation_id=old_cut.operation_id, salt="x", name="Somebody")

    assert "it is not the witness that was named" in list_damage_texts(ride)


def test_a_witness_is_erased_with_every_name_and_the_log_stays_intact(ride: Ride, desk: Actor, close, cut) -> None:
    close()
    seq = cut(CARDS).entries[0]["seq"]
    corrected = correct_cut(desk, uuid4(), ride.contest.pk, seq, show_cards(ride), "Zoe", f"{WITNESS} misread")
    hashes = list(Entry.objects.order_by("pk").values_list("hash", flat=True))

    output = erase(ride, WITNESS.upper(), "--yes")

    assert output.splitlines() == [f"Reason: {WITNESS} misread", f"Witness of a cut: {WITNESS}", "Erased."]
    assert list_tables_with(WITNESS) == set()
    assert get_cut_witnesses(ride.contest.pk) == {corrected.entries[0]["seq"]: "Zoe"}
    assert hashes == list(Entry.objects.order_by("pk").values_list("hash", flat=True))
    call_command("verify", stdout=io.StringIO())
    operation = Operation.objects.get(entries__chain=ride.contest.pk, entries__seq=seq)
    body = {**operation.body, "witness": WITNESS}
    assert operation.digest != compute_digest("cut", desk.id, body), "no digest is left that confirms a guess"
    assert record_cut(desk, operation.pk, ride.contest.pk, show_cards(ride), WITNESS).outcome == "recorded"


def test_the_organisers_log_names_the_witness(ride: Ride, alice: User, sign_in: SignIn, close, cut) -> None:
    close()
    cut(CARDS)

    file = sign_in(alice).get(reverse("results:desk_export", args=[ride.event.slug, ride.contest.slug, "log.csv"]))

    (line,) = [line for line in file.getvalue().decode().splitlines() if ",cut," in line]
    assert WITNESS in line
