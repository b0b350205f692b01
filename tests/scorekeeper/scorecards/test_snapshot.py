"""A card is loaded from its snapshot if that matches the log; any other snapshot is ignored."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.canonical import HASH_LENGTH, canonical_json, sha256
from scorekeeper.ledger.models import Chain
from scorekeeper.scorecards.bike_card import fold_chain, load_snapshot
from scorekeeper.scorecards.contest_rules import get_contest_rules
from scorekeeper.scorecards.models import Turn
from scorekeeper.scorecards.services.corrections import CorrectionTarget, amend_turns
from scorekeeper.standings.services.closure import close_contest, reopen_contest
from tests.scorekeeper.conftest import Ride
from tests.scorekeeper.scorecards.conftest import get_bike_card, list_bike_turns, make_final_turn, make_paper_turn
from tests.scorekeeper.statements import list_statements


def chain_of(ride: Ride, number: int = 1) -> Chain:
    return get_bike_card(ride, ride.bikes[number]).chain


def is_read(ride: Ride, add_turn, slot: int = 4) -> bool:
    """Whether recording the next turn reads the log."""
    with CaptureQueriesContext(connection) as queries:
        add_turn(1, slot, make_paper_turn("twos", 6))
    return "SELECT scorecards_entry" in list_statements(queries)


@pytest.fixture(autouse=True)
def recorded_turns(add_turn) -> None:
    """Bike 1 has three turns, two of them Yahtzees."""
    add_turn(1, 2, make_final_turn([6] * 5, "yahtzee"))
    add_turn(1, 1, make_final_turn([5] * 5, "yahtzee"))
    add_turn(1, 3, make_paper_turn("chance", 20))


def test_a_turn_is_judged_without_the_log(ride: Ride, add_turn) -> None:
    assert not is_read(ride, add_turn)
    assert list_bike_turns(ride, 1) == [(1, "yahtzee", 50), (2, "yahtzee", 50), (3, "chance", 20), (4, "twos", 6)]


def test_the_snapshot_matches_the_log(ride: Ride) -> None:
    contest, chain = get_contest_rules(ride.contest.pk), chain_of(ride)
    card = fold_chain(contest, chain, ride.bikes[1])

    assert load_snapshot(contest, chain) == (card.turns, card.fold)


def test_after_a_correction_it_has_the_current_turns(ride: Ride, add_turn, desk: Actor) -> None:
    first = Turn.objects.get(slot=ride.slots[0])
    amend_turns(
        desk, uuid4(), ride.contest.pk, ride.bikes[1].pk, [CorrectionTarget(first.pk, first.seq, None)], "not rolled"
    )

    test_the_snapshot_matches_the_log(ride)
    assert not is_read(ride, add_turn)


def test_closing_and_reopening_keep_it_valid(ride: Ride, add_turn, desk: Actor) -> None:
    close_contest(desk, uuid4(), ride.contest.pk, "over")

    test_the_snapshot_matches_the_log(ride)
    assert add_turn(1, 4, make_paper_turn("twos", 6)).outcome == "late"
    reopen_contest(desk, uuid4(), ride.contest.pk, "one more")
    assert add_turn(1, 4, make_paper_turn("twos", 6)).outcome == "conflict"


def changed(chain: Chain, change: Callable[[dict], object]) -> str:
    """A snapshot with changed data and a correct digest."""
    data = json.loads(chain.snapshot[HASH_LENGTH:])
    change(data)
    text = canonical_json(data)
    return sha256(text) + text


FOREIGN: dict[str, Callable[[Chain], str]] = {
    "none": lambda chain: "",
    "cut short": lambda chain: chain.snapshot[:-1],
    "changed": lambda chain: chain.snapshot.replace('"chance"', '"fives"'),
    "not JSON": lambda chain: sha256("snow") + "snow",
    "not an object": lambda chain: sha256("[]") + "[]",
    "of another head": lambda chain: changed(chain, lambda data: data.update(head=sha256("another"))),
    "of an older head": lambda chain: changed(chain, lambda data: data.update(head="")),
    "of other rules": lambda chain: changed(chain, lambda data: data.update(rules="1/rock-yahtzee/0/0")),
    "without turns": lambda chain: changed(chain, lambda data: data["data"].pop("turns")),
    "with fewer turns than its state": lambda chain: changed(chain, lambda data: data["data"]["turns"].pop()),
    "with an unknown slot": lambda chain: changed(
        chain, lambda data: data["data"]["turns"][0].update(slot=str(uuid4()))
    ),
    "with a state of another shape": lambda chain: changed(chain, lambda data: data["data"].update(state=[1, 2])),
    "with a state too deep to read": lambda chain: sha256("[" * 9999) + "[" * 9999,
}


@pytest.mark.parametrize("how", FOREIGN)
def test_a_foreign_snapshot_is_ignored_and_replaced(ride: Ride, add_turn, how: str) -> None:
    chain = chain_of(ride)
    Chain.objects.filter(pk=chain.pk).update(snapshot=FOREIGN[how](chain))

    assert is_read(ride, add_turn)
    test_the_snapshot_matches_the_log(ride)
    assert not is_read(ride, add_turn, 5)


def test_verify_names_a_snapshot_that_differs_from_the_log(ride: Ride) -> None:
    chain = chain_of(ride)
    actions = [{"type": "paper", "box": "chance", "points": 30}]
    lie = changed(chain, lambda data: data["data"]["turns"][2].update(actions=actions))
    Chain.objects.filter(pk=chain.pk).update(snapshot=lie)
    out = io.StringIO()

    with pytest.raises(CommandError):
        call_command("verify", stdout=out)

    assert f"Card {chain.pk}: the data stored with its log does not match the log" in out.getvalue()


def test_all_snapshots_can_be_dropped(ride: Ride, add_turn) -> None:
    call_command("drop_snapshots", stdout=(out := io.StringIO()))

    assert out.getvalue() == "1 snapshot dropped.\n"
    assert is_read(ride, add_turn)
