"""A PostgreSQL and a Redis of one's own, which may be stopped and killed: nobody else uses them."""

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
    """Return a server, not started, with a fresh database in the folder; its role `postgres` may do anything.

    Args:
        folder: is made, and given to the user the server runs as, since it will not run as root.
        options: more of its settings, as `name=value`.
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
            # Nobody takes away the power; what is written later is synchronised all the same.
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
        [get_program("postgres"), "-D", data, *(part for one in settings for part in ("-c", one))],
        "database system is ready to accept connections",
        user=user,
        # "Fast": whoever is connected is cut off.
        stop_by=signal.SIGINT,
    )


def postgres_url(port: int, database: str = "postgres", role: str = SUPERUSER) -> str:
    """Return the address of a database of that server, as one of its roles."""
    return f"postgresql://{role}@127.0.0.1:{port}/{database}"


def make_redis(folder: Path, port: int) -> Program:
    """Return a Redis, not started, that keeps nothing: started again it is empty."""
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
    """Return the address of that Redis."""
    return f"redis://127.0.0.1:{port}/0"


def redis_client(port: int) -> redis.Redis:
    """Return a client of that Redis."""
    return redis.Redis.from_url(redis_url(port), socket_timeout=None)
