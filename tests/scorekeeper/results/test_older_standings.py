"""Standings that an earlier version of a game's rules computed: stored rows are computed again, revisions stay."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from importlib import import_module
from uuid import UUID, uuid4

import pytest
from django.apps import apps
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from games.core.standing import Standing
from scorekeeper.events.models import Contest
from scorekeeper.ledger.actors import Actor
from scorekeeper.ledger.models import StaleCard
from scorekeeper.standings.models import Revision, StandingsRow
from scorekeeper.standings.selectors.verification import list_damage
from scorekeeper.standings.services.closure import close_contest, reopen_contest
from scorekeeper.standings.services.publication import publish_contest
from scorekeeper.standings.services.refresh import refresh_standings
from tests.scorekeeper.page_checks import get_page_text
from tests.scorekeeper.results.test_leaderboard_at_tables import board_of, rows_of

pytestmark = pytest.mark.database

HEATS_FIRST = [("1", "Ann", "", "2 tables", "3"), ("2=", "Ben", "Tied", "1 table", "0")]


def add_up_heats(self: object, standings: Sequence[Standing]) -> Standing:
    """Version 1 of the rule: the heats won in all races."""
    won = sum(standing.total for standing in standings)
    return Standing(won, (won,), standings[0].status)


@pytest.fixture
def older_rule(request: pytest.FixtureRequest, drag_contest: Contest) -> Iterator[pytest.MonkeyPatch]:
    """The rule as it was before DRAG-29, until `undo` is called."""
    with pytest.MonkeyPatch.context() as patch:
        game = type(drag_contest.game)
        patch.setattr(game, "combine", add_up_heats)
        patch.setattr(game, "standings_version", 1)
        patch.setattr(game, "combined_label", None)
        patch.setattr(game, "margin_label", None)
        request.getfixturevalue("drag_tables")
        yield patch


def upgrade(older_rule: pytest.MonkeyPatch) -> None:
    """Install the current rule, and run the migration that comes with it and the sweeper."""
    older_rule.undo()
    migration = import_module("scorekeeper.standings.migrations.0009_races_won_and_reach")
    migration.mark_standings_stale(apps, None)
    for contest_id in StaleCard.objects.values_list("contest", flat=True).distinct():
        refresh_standings(contest_id)


def test_an_upgrade_computes_stored_standings_again(
    client: Client, drag_contest: Contest, older_rule: pytest.MonkeyPatch
) -> None:
    """DRAG-29"""
    assert rows_of(client, drag_contest)[:2] == HEATS_FIRST
    older_rule.undo()
    assert rows_of(client, drag_contest)[0][-1] == "3", "until the sweeper has come by"

    upgrade(older_rule)

    assert [(rank, name, total) for rank, name, _note, _far, total in rows_of(client, drag_contest)] == [
        ("1", "Ann", "1"),
        ("2", "Cleo", "0"),
        ("3", "Ben", "0"),
    ]
    assert not list(list_damage(drag_contest.event))


def test_a_revision_keeps_the_standings_and_the_heading_that_it_was_published_with(
    client: Client,
    desk: Actor,
    drag_contest: Contest,
    older_rule: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    close_contest(desk, uuid4(), drag_contest.pk, "bedtime")
    publish_contest(desk, uuid4(), drag_contest.pk, "the last race is off")
    upgrade(older_rule)
    drag_contest.refresh_from_db()

    assert rows_of(client, drag_contest)[:2] == HEATS_FIRST
    assert "Heats won</th>" in get_page_text(client.get(board_of(drag_contest)))
    event_page = get_page_text(client.get(reverse("results:event", args=[drag_contest.event.slug])))
    assert "Ann, Heats won: 3" in event_page
    export = client.get(reverse("results:export", args=[drag_contest.event.slug, drag_contest.slug, "export.csv"]))
    heading = export.getvalue().decode("utf-8-sig").splitlines()[0]
    assert heading.startswith("Place,Name,Heats won,Tables")
    call_command("verify")
    assert "all in order" in capsys.readouterr().out

    reopen_contest(desk, uuid4(), drag_contest.pk, "one more")
    close_contest(desk, uuid4(), drag_contest.pk, "bedtime")
    publish_contest(desk, uuid4(), drag_contest.pk, "the last race is off")
    drag_contest.refresh_from_db()
    assert [row[-1] for row in rows_of(client, drag_contest)] == ["1", "0", "0"]
    assert [revision.standings.get("standings_version") for revision in Revision.objects.order_by("number")] == [
        None,
        2,
    ]
    assert not list(list_damage(drag_contest.event))


@pytest.mark.parametrize("part", ["rows", "cards"])
def test_an_altered_revision_of_an_older_rule_is_still_found(
    desk: Actor, drag_contest: Contest, older_rule: pytest.MonkeyPatch, without_guards: None, part: str
) -> None:
    close_contest(desk, uuid4(), drag_contest.pk, "bedtime")
    publish_contest(desk, uuid4(), drag_contest.pk, "the last race is off")
    upgrade(older_rule)
    revision = Revision.objects.get()
    standings = json.loads(json.dumps(revision.standings))
    standings[part][0]["total"] += 1
    Revision.objects.filter(pk=revision.pk).update(standings=standings)

    damage = [found.description for found in list_damage(drag_contest.event)]
    assert any("standings" in text or "figures" in text for text in damage)


def test_every_contest_with_standings_is_marked(drag_contest: Contest, drag_tables: list[UUID]) -> None:
    assert not StaleCard.objects.exists()
    import_module("scorekeeper.standings.migrations.0009_races_won_and_reach").mark_standings_stale(apps, None)
    assert {(card.contest_id, card.card_id) for card in StaleCard.objects.all()} == {(drag_contest.pk, None)}
    assert StandingsRow.objects.exists()
