"""`manage.py serve`: everything a small club needs, in one command.

Two children are kept running: the ASGI server, and a Celery worker with its scheduler. The address is opened here and
handed down, so a server that is started again loses no caller; a lock among the data keeps a second instance out.
"""

from __future__ import annotations

import asyncio
import fcntl
import io
import os
import socket
import subprocess
import sys
from argparse import ArgumentParser
from typing import IO, Any

import segno
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from scorekeeper.common.address import get_public_host, is_local_only, listen
from scorekeeper.common.supervisor import Child, supervise


class Command(BaseCommand):
    help = "Serves Tailgunner: the web server and the background worker, until Ctrl-C."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on; 0.0.0.0 for the local network")
        parser.add_argument("--port", type=int, default=8000, help="port to listen on; 0 takes any free one")
        parser.add_argument("--demo", action="store_true", help="load the demo ride first if the database is empty")

    def handle(self, *args: Any, host: str, port: int, demo: bool, **options: Any) -> None:
        lock = _lock_data()
        with lock, _open(host, port) as listener:
            environment = _describe_address(host, listener.getsockname()[1])
            call_command("collectstatic", interactive=False, verbosity=0)
            if demo:
                _load_demo(environment, local_only=is_local_only(host))
            self._announce(environment["BASE_URL"], with_code=not is_local_only(host))
            asyncio.run(supervise(_children(listener), environment))

    def _announce(self, url: str, *, with_code: bool) -> None:
        self.stdout.write(_("Tailgunner is at %(url)s (Ctrl-C stops it).") % {"url": f"{url}/"})
        if with_code:
            code = io.StringIO()
            segno.make(url, error="m").terminal(code, compact=True)
            self.stdout.write(code.getvalue())
        self.stdout.flush()


def _lock_data() -> IO[str]:
    """Return the file whose lock says that these data are being served."""
    file = (settings.DATA_DIR / "serve.lock").open("a")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise CommandError(
            _("Tailgunner is already running on the data in %(folder)s.") % {"folder": settings.DATA_DIR}
        ) from error
    return file


def _open(host: str, port: int) -> socket.socket:
    try:
        return listen(host, port)
    except OSError as error:
        raise CommandError(
            _("Cannot listen on %(host)s, port %(port)s: %(why)s. Another port: make run PORT=8001")
            % {"host": host, "port": port, "why": error.strerror}
        ) from error


def _describe_address(host: str, port: int) -> dict[str, str]:
    """Return the environment of the children, which know from it under what names they are called."""
    public = get_public_host(host)
    shown = f"[{public}]" if ":" in public else public
    names = [*settings.ALLOWED_HOSTS, shown, socket.gethostname(), f"{socket.gethostname()}.local"]
    return {
        **os.environ,
        "BASE_URL": os.environ.get("BASE_URL") or f"http://{shown}:{port}",
        "ALLOWED_HOSTS": ",".join(dict.fromkeys(names)),
    }


def _load_demo(environment: dict[str, str], *, local_only: bool) -> None:
    # Only somebody at this machine may come in with a password that stands in the documentation.
    options = [] if local_only else ["--random-password"]
    command = [sys.executable, "manage.py", "demo", "--if-empty", *options]
    if subprocess.run(command, env=environment, cwd=settings.BASE_DIR, check=False).returncode:  # noqa: S603
        raise CommandError(_("The demo ride could not be loaded."))


def _children(listener: socket.socket) -> list[Child]:
    descriptor = listener.fileno()
    python = [sys.executable, "-m"]
    web = [
        "uvicorn",
        "config.asgi:application",
        f"--fd={descriptor}",
        "--timeout-graceful-shutdown=1",
        "--no-access-log",
    ]
    worker = [
        "celery",
        "--quiet",
        "-A",
        "config",
        "worker",
        "-P",
        "solo",
        "-B",
        "--without-gossip",
        "--without-mingle",
    ]
    return [
        Child("web", [*python, *web], keep_open=(descriptor,)),
        Child("worker", [*python, *worker]),
    ]
