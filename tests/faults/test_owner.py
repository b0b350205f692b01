"""The processes use PostgreSQL with a role that owns nothing: it can record, but not rewrite what was recorded.

All other tests of the cluster use this role too.
"""

from __future__ import annotations

import json
from typing import LiteralString

import psycopg
import pytest

from tests.cluster.cluster import Cluster
from tests.cluster.services import OWNER, ROLE

GUARDED: tuple[LiteralString, ...] = ("scorecards_entry", "scorecards_operation", "standings_revision")
ATTACKS: tuple[LiteralString, ...] = (
    "DELETE FROM {table}",
    "TRUNCATE {table} CASCADE",
    "ALTER TABLE {table} DISABLE TRIGGER ALL",
    "ALTER TABLE {table} DISABLE TRIGGER {table}_append_only",
    "DROP TRIGGER {table}_append_only ON {table}",
    "DROP FUNCTION {table}_refuse_change() CASCADE",
    "DROP TABLE {table} CASCADE",
    "ALTER TABLE {table} OWNER TO tailgunner",
)
ONCE: tuple[LiteralString, ...] = (
    "SET session_replication_role = replica",
    "UPDATE scorecards_entry SET body = '{}'",
    "UPDATE standings_revision SET number = 9",
    "SET ROLE tailgunner_owner",
    "DELETE FROM django_migrations",
    "DELETE FROM events_deletedevent",
    "UPDATE events_deletedevent SET heads = '{}'",
    "SELECT purge_event_log(gen_random_uuid())",
    "ALTER TABLE scorecards_chain DISABLE TRIGGER scorecards_chain_keeps_event",
)


@pytest.mark.parametrize("statement", [*(attack.format(table=table) for attack in ATTACKS for table in GUARDED), *ONCE])
def test_the_role_of_the_processes_cannot_rewrite_anything(cluster: Cluster, statement: LiteralString) -> None:
    with psycopg.connect(cluster.database, autocommit=True) as connection, pytest.raises(psycopg.Error) as refused:
        connection.execute(statement)

    assert refused.value.sqlstate == "42501", refused.value  # insufficient privilege


# In one process, since most of the time of each is its start.
_GRANT = f"""
from django.core.management import CommandError, call_command
for role in ("{ROLE}", "nobody_at_all", "{OWNER}"):
    try:
        call_command("grant", role)
    except CommandError as refused:
        print(refused)
"""


def test_its_privileges_can_be_granted_again_and_nobody_gets_them_by_mistake(cluster: Cluster) -> None:
    by_owner = cluster.manage("shell", "--no-imports", "-c", _GRANT, DATABASE_URL=cluster.owned).splitlines()

    assert [ROLE in by_owner[0], "no role" in by_owner[1], "owns the tables" in by_owner[2]] == [True] * 3, by_owner
    with pytest.raises(AssertionError, match="Run this as that role"):
        cluster.manage("grant", ROLE, DATABASE_URL=cluster.database)


# Runs in the program itself: the pages call the same services.
_RECORD = """
import datetime as dt
import json
from uuid import uuid4
from django.contrib.auth.models import User
from scorekeeper.common.game_adapter import get_game
from scorekeeper.events.models import Organiser
from scorekeeper.events.services.contests import create_contest
from scorekeeper.events.services.events import create_event, open_event
from scorekeeper.ledger.actors import Actor
from scorekeeper.standings.services.closure import close_contest
from scorekeeper.standings.services.publication import publish_contest
user = User.objects.get_or_create(username="owner-test")[0]
slugs = {}
for use in ("unofficial", "purged", "moved"):
    event = create_event(user, name="To delete", date=dt.date(2026, 6, 20), time_zone="UTC")
    open_event(event)
    contest = create_contest(event, get_game("rogue"), name="Rogue", seats_are="players", options={})
    actor = Actor.from_organiser(Organiser.objects.get(event=event))
    close_contest(actor, uuid4(), contest.pk, "over")
    if use != "unofficial":
        publish_contest(actor, uuid4(), contest.pk, "nobody came")
    slugs[use] = event.slug
print(json.dumps(slugs))
"""
_DELETE = """
from scorekeeper.desk.services.event_deletion import delete_event
from scorekeeper.events.models import Event
delete_event(Event.objects.get(slug="SLUG"))
"""


@pytest.fixture(scope="module")
def slugs(running_cluster: Cluster) -> dict[str, str]:
    """The events of these tests: one without official results, and two with."""
    running_cluster.restore()
    printed = running_cluster.manage("shell", "--verbosity", "0", "-c", _RECORD)
    return dict(json.loads(printed.splitlines()[-1]))


def _delete(cluster: Cluster, slug: str) -> None:
    cluster.manage("shell", "--verbosity", "0", "-c", _DELETE.replace("SLUG", slug))


def test_the_processes_can_delete_a_whole_event_and_the_guards_are_back(
    cluster: Cluster, slugs: dict[str, str]
) -> None:
    slug = slugs["unofficial"]

    _delete(cluster, slug)

    assert cluster.query("SELECT count(*) FROM events_event WHERE slug = %s", slug) == [(0,)]
    [(heads,)] = cluster.query("SELECT heads FROM events_deletedevent WHERE slug = %s", slug)
    assert len(heads) == 1
    guards = cluster.query("SELECT tgenabled FROM pg_trigger WHERE tgname LIKE '%%\\_append\\_only'")
    assert guards == [("A",)] * 4


def test_only_the_owner_can_purge_an_official_event(cluster: Cluster, slugs: dict[str, str]) -> None:
    slug = slugs["purged"]

    with pytest.raises(AssertionError, match="EventHasResults"):
        _delete(cluster, slug)
    with pytest.raises(AssertionError, match="Another role owns the tables"):
        cluster.manage("purge_event", slug, "--yes")
    assert cluster.query("SELECT count(*) FROM events_event WHERE slug = %s", slug) == [(1,)]

    printed = cluster.manage("purge_event", slug, typed="to delete\n", DATABASE_URL=cluster.owned)

    [(heads,)] = cluster.query("SELECT heads FROM events_deletedevent WHERE slug = %s", slug)
    assert heads
    assert all(f"{chain} {head}" in printed for chain, head in heads.items())


def test_a_part_of_a_log_cannot_be_moved_away_to_be_deleted(cluster: Cluster, slugs: dict[str, str]) -> None:
    slug = slugs["moved"]

    for statement in (
        "UPDATE scorecards_chain SET event_id = gen_random_uuid()",
        "UPDATE scorecards_operation SET event_id = gen_random_uuid()",
        "UPDATE events_contest SET event_id = gen_random_uuid()",
        "UPDATE events_event SET is_practice = true WHERE slug = %(slug)s",
    ):
        with psycopg.connect(cluster.database) as connection, pytest.raises(psycopg.errors.RaiseException):
            connection.execute(statement, {"slug": slug} if "slug" in statement else None)
