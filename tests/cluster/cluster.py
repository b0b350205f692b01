"""Tailgunner with many processes, as on many machines: the real programs, with ports and data of their own.

Terms: `postgres` and `redis` are servers of this cluster alone; `web-1` and `web-2` serve pages and API under gunicorn;
`streams` is the ASGI process; `worker-1` and `worker-2` serve the queues `follow` and `slow`, `webhooks` and `push` the
others; `sweeper` sweeps; `front` is nginx with the locations from `deploy/nginx`, at the only public address. Each can
be stopped, killed, frozen and started.
"""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, LiteralString

import psycopg

from tests.cluster.ports import find_port
from tests.cluster.program import TIMEOUT_SECONDS, Program
from tests.cluster.services import OWNER, ROLE, make_postgres, make_redis, postgres_url, redis_client, redis_url
from tests.demo_data import copy_static
from tests.programs import ROOT, make_environment
from tests.services import get_program

ORDER = (
    "postgres",
    "redis",
    "web-1",
    "web-2",
    "streams",
    "worker-1",
    "worker-2",
    "webhooks",
    "push",
    "sweeper",
    "front",
)
# In one process, since most of the time of `grant` is its start.
MIGRATE_AND_GRANT = f"""
from django.core.management import call_command
call_command("migrate", verbosity=0)
call_command("grant", "{ROLE}")
"""
NGINX = """
daemon off;
pid {folder}/nginx.pid;
error_log stderr notice;
events {{}}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    access_log off;
    upstream tailgunner_pages {{
        {pages}
    }}
    upstream tailgunner_streams {{
        {streams}
    }}
    server {{
        listen 127.0.0.1:{port};
        error_log {folder}/error.log warn;
        include {locations};
    }}
}}
"""


class Cluster:
    """All programs of an installation.

    Attributes:
        url: the public URL, at the front.
        ports: the port of each program, by name.
        data: their data folder.
        variables: the environment variables of Tailgunner's processes.
    """

    def __init__(self, folder: Path, process_variables: Mapping[str, str] | None = None, **variables: str) -> None:
        """Prepare it.

        Args:
            folder: an empty folder with a short path, open to other users.
            process_variables: more of the environment of its Python processes, but not of commands.
            variables: more of the environment of both.
        """
        self._process_variables = dict(process_variables or {})
        self.ports = {name: find_port() for name in (*ORDER[:5], "front")}
        self.url = f"http://127.0.0.1:{self.ports['front']}"
        self.variables = {
            "TAILGUNNER_MODE": "production",
            "SECRET_KEY": "8Zq1vTn5cYw3Xb7Lk2Rj9Hs4Gd6Fp0Mt-aQeWiUoPySxCzVnBm",
            # Production refuses 127.0.0.1 as its public address, but still answers requests to it.
            "BASE_URL": f"http://rides.test:{self.ports['front']}",
            "DATABASE_URL": postgres_url(self.ports["postgres"], "tailgunner", ROLE),
            "METRICS_TOKEN": "watch-the-cluster",
            "REDIS_URL": redis_url(self.ports["redis"]),
            **variables,
        }
        self.data = folder / "data"
        self._folder = folder
        servers = [
            make_postgres(folder / "pg", self.ports["postgres"]),
            make_redis(folder / "redis", self.ports["redis"]),
        ]
        programs = [*servers, *self._make_processes(), self._make_front()]
        self.programs = {program.name: program for program in programs}
        assert tuple(self.programs) == ORDER
        self._output_condition = threading.Condition()
        for program in programs:
            program.output_condition = self._output_condition

    def __getitem__(self, name: str) -> Program:
        """Return a program by its name."""
        return self.programs[name]

    def set_up(self) -> None:
        """Create the database and start everything."""
        self["postgres"].start()
        self.query(f"CREATE ROLE {OWNER} LOGIN", database="postgres")
        self.query(f"CREATE ROLE {ROLE} LOGIN", database="postgres")
        self.query(f"CREATE DATABASE tailgunner OWNER {OWNER}", database="postgres")
        copy_static(self.data)
        self.manage("shell", "--no-imports", "-c", MIGRATE_AND_GRANT, DATABASE_URL=self.owned)
        self.restore()

    def restore(self) -> None:
        """Start the programs that do not run, and thaw those that are frozen."""
        for names in (ORDER[:2], ORDER[2:]):
            down = [self[name] for name in names if not self[name].is_running]
            for name in names:
                if self[name].is_running:
                    self[name].thaw()
            self._start(down)

    def start(self, *names: str) -> None:
        """Start these together, and return when all are ready."""
        self._start([self[name] for name in names])

    def stop(self, *names: str) -> None:
        """Ask these to stop, all together, and return when all have stopped."""
        for name in names:
            self[name].ask_to_end()
        for name in names:
            self[name].end()

    def end(self) -> None:
        """Stop everything, the database and Redis last."""
        for names in (ORDER[2:], ORDER[:2]):
            running = [self[name] for name in names if self[name].is_running]
            for program in running:
                program.thaw()
                program.ask_to_end()
            for program in running:
                program.end()

    def manage(self, *arguments: str, typed: str = "", **variables: str) -> str:
        """Run a management command, optionally with other variables, and return its output."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment() | variables,
            input=typed,
            capture_output=True,
            text=True,
            timeout=TIMEOUT_SECONDS,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def environment(self) -> dict[str, str]:
        """Return the environment of a process of Tailgunner."""
        return make_environment(self.data, **self.variables)

    @property
    def database(self) -> str:
        """The URL of the database."""
        return self.variables["DATABASE_URL"]

    @property
    def owned(self) -> str:
        """The URL of the database as the owner of its tables."""
        return postgres_url(self.ports["postgres"], "tailgunner", OWNER)

    def query(self, statement: LiteralString, *values: Any, database: str = "tailgunner") -> list[tuple[Any, ...]]:
        """Query the database directly, not through the program."""
        with psycopg.connect(postgres_url(self.ports["postgres"], database), autocommit=True) as connection:
            cursor = connection.execute(statement, values or None)
            return cursor.fetchall() if cursor.description else []

    def wait_until(self, condition: Callable[[], bool], timeout: float = TIMEOUT_SECONDS) -> None:
        """Return once the condition is true; check it now, and after every line that any program writes.

        That is enough, since the programs write a line about everything they do.
        """
        until = time.monotonic() + timeout
        while True:
            line_count = self._count_lines()
            if condition():
                return
            with self._output_condition:
                has_more = partial(self._has_more_than, line_count)
                went_on = self._output_condition.wait_for(has_more, until - time.monotonic())
            assert went_on, f"not in {timeout} seconds:\n" + self.describe()

    def wait_until_sent(self, queue: str) -> None:
        """Return once the queue has a message. No worker may run, since it would take the message."""
        with redis_client(self.ports["redis"]) as client:
            # Moved to where it was: this only waits until there is a message.
            assert client.blmove(queue, queue, timeout=TIMEOUT_SECONDS), f"nothing was sent to {queue}"

    def wait_for_line(self, kind: str, part: str) -> str:
        """Return the first line with this text that any program of a kind ("web", "worker") ever wrote."""
        programs = [program for name, program in self.programs.items() if name.startswith(kind)]

        def find() -> str | None:
            return next((line for program in programs for line in list(program.lines) if part in line), None)

        self.wait_until(lambda: find() is not None)
        return find() or ""

    def describe(self) -> str:
        """Return the last lines of every program."""
        return "\n".join(f"== {name}\n{program.log[-2000:]}" for name, program in self.programs.items())

    def _start(self, programs: Sequence[Program]) -> None:
        for program in programs:
            program.launch()
        for program in programs:
            program.wait_until_ready()

    def _has_more_than(self, lines: int) -> bool:
        return self._count_lines() > lines

    def _count_lines(self) -> int:
        return sum(len(program.lines) for program in self.programs.values())

    def _make_processes(self) -> list[Program]:
        python = (sys.executable, "-m")
        env = self.environment() | self._process_variables

        def make(name: str, command: Sequence[str], ready: str) -> Program:
            return Program(name, [*python, *command], ready, variables=env | {"PGAPPNAME": f"tailgunner-{name}"})

        def web(name: str) -> Program:
            bind = f"127.0.0.1:{self.ports[name]}"
            return make(
                name, ["gunicorn", "-c", "deploy/gunicorn.conf.py", "--bind", bind, "config.wsgi"], "Ready to answer"
            )

        def worker(name: str, queues: str, *pool: str) -> Program:
            # As in `deploy`, except that two of them serve two queues.
            options = ["--queues", queues, *pool, "-n", f"{name}@%h", "--without-gossip", "--without-mingle"]
            return make(name, ["celery", "-A", "config", "worker", *options], rf"{name}@\S+ ready")

        streams = ["uvicorn", "config.asgi:application", "--port", str(self.ports["streams"]), "--no-access-log"]
        streams += ["--timeout-graceful-shutdown", "1", "--log-level", "info"]
        return [
            web("web-1"),
            web("web-2"),
            make("streams", streams, "Uvicorn running on"),
            worker("worker-1", "follow,slow", "--concurrency", "1"),
            worker("worker-2", "follow,slow", "--concurrency", "1"),
            worker("webhooks", "webhooks", "--pool", "threads", "--concurrency", "8"),
            worker("push", "push", "--pool", "threads", "--concurrency", "8"),
            make("sweeper", ["manage", "sweep"], '"sweeping"'),
        ]

    def read_proxy_log(self) -> str:
        """Return the end of the proxy's error log."""
        return (self._folder / "front" / "error.log").read_text("utf-8")[-10_000:]

    def _make_front(self) -> Program:
        folder = self._folder / "front"
        folder.mkdir()
        lines = {
            kind: "\n".join(f"server 127.0.0.1:{self.ports[name]} fail_timeout=1s;" for name in names)
            for kind, names in (("pages", ("web-1", "web-2")), ("streams", ("streams",)))
        }
        config = folder / "nginx.conf"
        locations = ROOT / "deploy" / "nginx" / "locations.conf"
        config.write_text(NGINX.format(folder=folder, port=self.ports["front"], locations=locations, **lines))
        return Program(
            "front", [get_program("nginx"), "-p", folder, "-c", config, "-e", "stderr"], "start worker process "
        )
