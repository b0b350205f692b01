"""A PostgreSQL and a Redis for one test alone, which can be stopped and killed."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from pathlib import Path

import redis

from tests.cluster.program import Program
from tests.services import get_program

SUPERUSER, OWNER, ROLE = "postgres", "tailgunner_owner", "tailgunner"


def make_postgres(folder: Path, port: int, *options: str) -> Program:
    """Return a server, not started, with a new database in the folder; its role `postgres` is a superuser.

    Args:
        folder: is created, and given to the user that the server runs as, since it does not run as root.
        options: more settings, as `name=value`.
    """
    user = "postgres" if os.geteuid() == 0 else None
    data = folder / "data"
    data.mkdir(parents=True)
    if user:
        shutil.chown(folder, user)
        shutil.chown(data, user)
    subprocess.run(
        [
            get_program("initdb"),
            "-D",
            data,
            "-U",
            SUPERUSER,
            "-E",
            "UTF8",
            "--locale=C.UTF-8",
            "-A",
            "trust",
            # No power failure is expected here; later writes are synchronised anyway.
            "--no-sync",
        ],
        check=True,
        capture_output=True,
        user=user,
        cwd=folder,
    )
    settings = [f"port={port}", "listen_addresses=127.0.0.1", f"unix_socket_directories={folder}", *options]
    return Program(
        "postgres",
        [get_program("postgres"), "-D", data, *(part for setting in settings for part in ("-c", setting))],
        "database system is ready to accept connections",
        user=user,
        # "Fast" shutdown: cuts off all clients.
        stop_by=signal.SIGINT,
    )


def postgres_url(port: int, database: str = "postgres", role: str = SUPERUSER) -> str:
    """Return the URL of a database on that server, for one of its roles."""
    return f"postgresql://{role}@127.0.0.1:{port}/{database}"


def make_redis(folder: Path, port: int) -> Program:
    """Return a Redis, not started, without persistence: after a restart it is empty."""
    folder.mkdir(parents=True)
    command = [
        get_program("redis-server"),
        "--port",
        str(port),
        "--bind",
        "127.0.0.1",
        "--save",
        "",
        "--dir",
        str(folder),
    ]
    return Program("redis", command, "Ready to accept connections")


def redis_url(port: int) -> str:
    """Return the URL of that Redis."""
    return f"redis://127.0.0.1:{port}/0"


def redis_client(port: int) -> redis.Redis:
    """Return a client of that Redis."""
    return redis.Redis.from_url(redis_url(port), socket_timeout=None)
