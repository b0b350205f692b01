"""The snapshot of a table matches its log, for every game and after any correction."""

from __future__ import annotations

import io
from random import Random
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.canonical import HASH_LENGTH, sha256
from scorekeeper.ledger.models import Chain
from scorekeeper.scorecards.open_table import TableWithEntrants, read_snapshot
from scorekeeper.scorecards.services.actions import NewAction, record_action
from scorekeeper.scorecards.services.corrections import CorrectionTarget, correct_actions
from tests.games.sampling import list_specs, sample
from tests.scorekeeper.statements import list_statements
from tests.scorekeeper.table_fixtures import BANK, AddAction, AddTable, ReadTable, make_throw

pytestmark = pytest.mark.database

GAMES: list[tuple[str, dict[str, Any], int]] = [
    ("rogue", {"target": 500}, 3),
    ("go-500", {}, 1),
    ("grand-prix", {}, 1),
    ("drag-rage", {}, 2),
]
NAMES = ("Ann", "Ben", "Cleo")


def judge(table: TableWithEntrants, card: UUID) -> bool:
    """Check the snapshot against the log; return whether there is one."""
    read = read_snapshot(table.contest, Chain.objects.get(pk=card))
    if read is None:
        return False
    assert (read.seat_count, read.length, read.state) == (table.seat_count, table.length, table.state)
    return True


@pytest.mark.parametrize(("key", "options", "seats"), GAMES)
def test_the_snapshot_matches_the_log_after_random_play_and_corrections(
    add_game_table: AddTable, desk: Actor, fetch_table: ReadTable, key: str, options: dict[str, Any], seats: int
) -> None:
    random, card, snapshot_count = Random(key), add_game_table(key, *NAMES[:seats], **options), 0
    for _ in range(40):
        table = fetch_table(card)
        offered = list_specs(table.contest.ruleset, table.state)
        if not offered:
            break
        if table.last_action is not None and random.random() < 0.15:
            target = CorrectionTarget(table.last_action.id, table.last_action.seq, None)
            assert correct_actions(desk, uuid4(), card, [target], "read wrongly").outcome == "recorded"
        else:
            usual = [spec for spec in offered if spec.type != "retire"]
            action = sample(random.choice(usual), random)
            assert record_action(desk, uuid4(), NewAction(card, table.length, [action])).outcome == "recorded"
        snapshot_count += judge(fetch_table(card), card)
    assert snapshot_count > 10


def test_after_a_correction_the_next_action_is_judged_without_the_log(
    add_table: AddTable, add_action: AddAction, fetch_table: ReadTable, desk: Actor
) -> None:
    card = add_table("Ann")
    add_action(card, make_throw(6, 6))
    add_action(card, make_throw(5, 5))
    last = fetch_table(card).last_action
    assert last is not None

    correct_actions(desk, uuid4(), card, [CorrectionTarget(last.id, last.seq, None)], "read wrongly")

    assert judge(fetch_table(card), card)


def test_a_current_action_is_checked_without_the_log_and_one_that_is_behind_with_it(
    add_table: AddTable, add_action: AddAction, desk: Actor
) -> None:
    card = add_table("Ann")
    add_action(card, make_throw(6, 6))

    for seen, outcome, is_read in [(2, "recorded", False), (2, "conflict", True), (3, "refused", False)]:
        with CaptureQueriesContext(connection) as queries:
            action = BANK if seen == 3 or outcome == "recorded" else make_throw(1)
            assert record_action(desk, uuid4(), NewAction(card, seen, [action])).outcome == outcome
        assert ("SELECT scorecards_entry" in list_statements(queries)) == is_read


@pytest.mark.parametrize("snapshot", ["", "snow", sha256("[]") + "[]", sha256('{"head":7}') + '{"head":7}'])
def test_a_snapshot_of_another_version_is_ignored(
    add_table: AddTable, add_action: AddAction, fetch_table: ReadTable, snapshot: str
) -> None:
    card = add_table("Ann")
    add_action(card, make_throw(6, 6))
    Chain.objects.filter(pk=card).update(snapshot=snapshot)

    assert add_action(card, BANK).outcome == "recorded"
    assert judge(fetch_table(card), card)


def test_verify_reports_a_snapshot_that_differs_from_the_log(add_table: AddTable, add_action: AddAction) -> None:
    card = add_table("Ann")
    add_action(card, make_throw(6, 6))
    text = Chain.objects.get(pk=card).snapshot[HASH_LENGTH:].replace("[0,12,1,false]", "[0,24,1,false]")
    Chain.objects.filter(pk=card).update(snapshot=sha256(text) + text)
    out = io.StringIO()

    with pytest.raises(CommandError):
        call_command("verify", stdout=out)

    assert f"Card {card}: the data stored with its log does not match the log" in out.getvalue()
