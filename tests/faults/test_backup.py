"""A backup of PostgreSQL, made while everything runs, and restored into an empty database."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import LiteralString

from tests.cluster.cluster import Cluster
from tests.cluster.program import TIMEOUT_SECONDS
from tests.cluster.ride import load_rides
from tests.cluster.services import OWNER, ROLE, postgres_url
from tests.faults.scale import STAGE
from tests.services import get_program

HEADS: LiteralString = "SELECT id, length, head FROM scorecards_chain ORDER BY id"


def run(*command: str | Path) -> None:
    done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS)
    assert done.returncode == 0, done.stderr


def test_a_restored_database_has_the_same_heads_and_still_refuses_changes(cluster: Cluster, tmp_path: Path) -> None:
    load_rides(cluster, [STAGE])
    port = cluster.ports["postgres"]
    target, owned = (postgres_url(port, "restored", role) for role in (ROLE, OWNER))

    run(get_program("pg_dump"), "--format=custom", f"--file={tmp_path}/tailgunner.dump", cluster.owned)
    cluster.query(f"CREATE DATABASE restored OWNER {OWNER}", database="postgres")
    options = ("--exit-on-error", "--no-owner", "--no-privileges", f"--dbname={owned}")
    run(get_program("pg_restore"), *options, tmp_path / "tailgunner.dump")
    cluster.manage("grant", ROLE, DATABASE_URL=owned)

    assert cluster.query(HEADS, database="restored") == cluster.query(HEADS) != []
    assert "all in order, head" in cluster.manage("verify", DATABASE_URL=target)
    guards = "SELECT tgname FROM pg_trigger WHERE NOT tgisinternal ORDER BY tgname"
    assert cluster.query(guards, database="restored") == cluster.query(guards) != []
