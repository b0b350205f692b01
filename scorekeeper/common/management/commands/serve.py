"""`manage.py serve`: everything a small club needs, in one command.

The command keeps six children running: the ASGI server, a Celery worker for each queue, and the sweeper. It opens
the listening socket itself and passes it on, so no client fails while the server restarts. A lock in the data folder
keeps a second instance out.

With --tls the server has a certificate of our own authority. Another child serves plain HTTP at a port of its own:
phones get the authority there, and everything else redirects to HTTPS.

While nobody has an account, each start prints a new one-time link for the first organiser.
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
from contextlib import AbstractContextManager, nullcontext, suppress
from typing import IO, Any
from urllib.parse import urlsplit

import segno
from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.utils.translation import gettext as _

from scorekeeper.common.certificate_views import get_fingerprint
from scorekeeper.common.certificates import Certificates, ensure_certificates
from scorekeeper.common.data_folder_check import DATA_CHECKS, find_unusable_file
from scorekeeper.common.network import get_public_host, is_local_only, list_host_names, open_listening_socket
from scorekeeper.common.open_files import get_max_connections, raise_file_limit
from scorekeeper.common.static_files import collect_static_files
from scorekeeper.common.supervisor import ChildProcess, supervise

LAST_PORT = 65535
# Connections that are accepted in one batch, before any can be refused: three batches must fit into RESERVED_FILES.
BACKLOG = 64
# How the worker of each queue runs tasks: one at a time in its own process, or in threads. Deliveries to webhooks and
# push services wait for other servers, which costs a thread little.
WORKER_POOLS = {
    "follow": ["--pool", "solo"],
    "slow": ["--pool", "solo"],
    "webhooks": ["--pool", "threads", "--concurrency", "8"],
    "push": ["--pool", "threads", "--concurrency", "8"],
}
FEW_CONNECTIONS = 1000  # more than the phones and screens on the ride day of one club


class Command(BaseCommand):
    requires_system_checks = DATA_CHECKS
    help = "Runs Tailgunner: the web server and the background workers, until Ctrl-C."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on; 0.0.0.0 for the local network")
        parser.add_argument("--port", type=int, default=8000, help="port to listen on; 0 takes any free one")
        parser.add_argument("--tls", action="store_true", help="serve HTTPS with a certificate made here; see /trust/")
        parser.add_argument("--demo", action="store_true", help="load the demo first if the database is empty")

    def handle(self, *args: Any, host: str, port: int, tls: bool, demo: bool, **options: Any) -> None:
        raise_file_limit()
        if unusable := find_unusable_file():
            raise CommandError(unusable)
        lock = _lock_data()
        with lock, _open_listener(host, port) as listener, _open_http_listener(host, listener, tls) as http_listener:
            environment = _make_environment(host, listener.getsockname()[1], tls)
            certificates = (
                ensure_certificates(settings.DATA_DIR / "tls", _list_certificate_names(host, environment))
                if tls
                else None
            )
            collect_static_files()
            if demo:
                _load_demo(environment, local_only=is_local_only(host))
            self._warn_of_few_connections()
            self._announce(environment["BASE_URL"], with_code=tls or not is_local_only(host))
            if certificates is not None:
                self._explain_trust(certificates, environment["BASE_URL"], http_listener)
            if not demo and _is_new_installation():
                _print_setup_link(environment)
            asyncio.run(supervise(_list_children(listener, certificates, http_listener), environment))

    def _warn_of_few_connections(self) -> None:
        most = get_max_connections()
        if most < FEW_CONNECTIONS:
            self.stderr.write(
                _(
                    "This system limits how many files a program can open, so only %(most)s phones and "
                    "screens can connect at once. To allow more, raise the limit first (ulimit -n 65536)."
                )
                % {"most": most}
            )

    def _announce(self, url: str, *, with_code: bool) -> None:
        self.stdout.write(_("Tailgunner is at %(url)s (Ctrl-C stops it).") % {"url": f"{url}/"})
        if with_code:
            code = io.StringIO()
            segno.make(url, error="m").terminal(code, compact=True)
            self.stdout.write(code.getvalue())
        self.stdout.flush()

    def _explain_trust(self, certificates: Certificates, url: str, http_listener: socket.socket | None) -> None:
        if certificates.is_new:
            self.stdout.write(_("Its certificate is new: no phone trusts it yet."))
        if http_listener is not None:
            parts = urlsplit(url)
            url = f"http://{parts.netloc.removesuffix(f':{parts.port}')}:{http_listener.getsockname()[1]}"
        self.stdout.write(_("To make a phone trust it, open %(url)s on the phone") % {"url": f"{url}/trust/"})
        fingerprint = get_fingerprint(certificates.authority.read_text("ascii"))
        self.stdout.write(_("Its fingerprint is %(fingerprint)s") % {"fingerprint": fingerprint})
        self.stdout.flush()


def _lock_data() -> IO[str]:
    """Return the open file whose lock shows that this data folder is being served."""
    file = (settings.DATA_DIR / "serve.lock").open("a")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        raise CommandError(
            _("Tailgunner is already running on the data in %(folder)s.") % {"folder": settings.DATA_DIR}
        ) from error
    return file


def _open_listener(host: str, port: int) -> socket.socket:
    try:
        return open_listening_socket(host, port)
    except OSError as error:
        raise CommandError(
            _("Cannot listen on %(host)s, port %(port)s: %(why)s. Try another port: make run PORT=8001")
            % {"host": host, "port": port, "why": error.strerror}
        ) from error


def _open_http_listener(host: str, listener: socket.socket, tls: bool) -> AbstractContextManager[socket.socket | None]:
    """Return the listener for plain HTTP, at the next port or any free one. It is optional: None if there is none."""
    if not tls:
        return nullcontext()
    port = listener.getsockname()[1]
    for candidate in (port + 1, 0) if port < LAST_PORT else (0,):
        with suppress(OSError):
            return open_listening_socket(host, candidate)
    return nullcontext()


def _make_environment(host: str, port: int, tls: bool) -> dict[str, str]:
    """Return the environment of the children, which tells them their host names and URL.

    Raises:
        CommandError: BASE_URL is set to a URL without TLS, but TLS is requested.
    """
    host_name = get_public_host(host)
    public = f"[{host_name}]" if ":" in host_name else host_name
    url = os.environ.get("BASE_URL") or f"{'https' if tls else 'http'}://{public}:{port}"
    if tls and not url.startswith("https://"):
        raise CommandError(_("BASE_URL is %(url)s. With --tls it must start with https://") % {"url": url})
    own = [f"[{name}]" if ":" in name else name for name in list_host_names(host)]
    names = [*settings.ALLOWED_HOSTS, public, *own, f"{socket.gethostname()}.local"]
    addresses = {"BASE_URL": url, "ALLOWED_HOSTS": ",".join(dict.fromkeys(names))}
    return {**os.environ, **addresses, "LOCAL_TLS": "yes" if tls else ""}


def _list_certificate_names(host: str, environment: dict[str, str]) -> list[str]:
    """Return the names that the certificate is made for."""
    public = urlsplit(environment["BASE_URL"]).hostname or ""
    return [*list_host_names(host), public]


def _load_demo(environment: dict[str, str], *, local_only: bool) -> None:
    # The documented password is only for people at this machine.
    options = [] if local_only else ["--random-password"]
    command = [sys.executable, "manage.py", "demo", "--if-empty", *options]
    if subprocess.run(command, env=environment, cwd=settings.BASE_DIR, check=False).returncode:  # noqa: S603
        raise CommandError(_("The demo could not be loaded."))


def _is_new_installation() -> bool:
    """Return whether nobody has an account. No: also if the database cannot say, since it is not migrated or away."""
    try:
        return not get_user_model().objects.exists()
    except DatabaseError:
        return False
    finally:
        connection.close()  # the children have their own


def _print_setup_link(environment: dict[str, str]) -> None:
    # A command, because it needs the URL of the children, and an app above this one.
    command = [sys.executable, "manage.py", "organiser", "--set-up"]
    subprocess.run(command, env=environment, cwd=settings.BASE_DIR, check=False)  # noqa: S603


def _list_children(
    listener: socket.socket, certificates: Certificates | None, http_listener: socket.socket | None
) -> list[ChildProcess]:
    python = [sys.executable, "-m"]
    web = ["uvicorn", "config.asgi:application", "--timeout-graceful-shutdown=1", "--no-access-log"]
    web += ["--http=scorekeeper.common.connection_limit:LimitedProtocol", f"--backlog={BACKLOG}"]
    tls = [f"--ssl-certfile={certificates.certificate}", f"--ssl-keyfile={certificates.key}"] if certificates else []
    children = [
        ChildProcess("web", [*python, *web, *tls, f"--fd={listener.fileno()}"], pass_fds=(listener.fileno(),)),
        *(ChildProcess(f"worker-{queue}", [*python, *_make_worker_command(queue)]) for queue in WORKER_POOLS),
        ChildProcess("sweeper", [sys.executable, str(settings.BASE_DIR / "manage.py"), "sweep", "--skip-checks"]),
    ]
    if http_listener is not None:
        plain = [*python, *web, f"--fd={http_listener.fileno()}"]
        children.append(ChildProcess("beside", plain, pass_fds=(http_listener.fileno(),)))
    return children


def _make_worker_command(queue: str) -> list[str]:
    # This command has made the checks of the data. The others load all pages, which takes half of the time in which a
    # process starts; a route without a row in the table of rights is refused by the web server (`access_control`).
    command = ["celery", "--quiet", "--skip-checks", "-A", "config", "worker", "--queues", queue]
    return [*command, *WORKER_POOLS[queue], "--hostname", f"{queue}@%h", "--without-gossip", "--without-mingle"]
