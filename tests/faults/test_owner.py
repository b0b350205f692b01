"""The processes use PostgreSQL with a role that owns nothing: it can record, but not rewrite what was recorded.

All other tests of the cluster use this role too.
"""

from __future__ import annotations

from typing import LiteralString

import psycopg
import pytest

from tests.cluster.cluster import Cluster
from tests.cluster.services import ROLE

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


def test_its_privileges_can_be_granted_again_and_nobody_gets_them_by_mistake(cluster: Cluster) -> None:
    assert ROLE in cluster.manage("grant", ROLE, DATABASE_URL=cluster.owned)

    for role, url, said in (
        ("nobody_at_all", cluster.owned, "no role"),
        ("tailgunner_owner", cluster.owned, "owns the tables"),
        ("tailgunner", cluster.database, "Run this as that role"),
    ):
        with pytest.raises(AssertionError, match=said):
            cluster.manage("grant", role, DATABASE_URL=url)
