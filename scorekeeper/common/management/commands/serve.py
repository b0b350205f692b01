"""`manage.py serve`: everything a small club needs, in one command.

Three children are kept running: the ASGI server, a Celery worker, and the sweeper. The address is opened here and
handed down, so a server that is started again loses no caller; a lock among the data keeps a second instance out.

With --tls the server has a certificate of our own making. A fourth child answers without TLS at a port beside: phones
get there what they have to trust, and are otherwise led to the address with TLS.
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
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from scorekeeper.common.certificate_views import get_fingerprint
from scorekeeper.common.certificates import Certificates, ensure_certificates
from scorekeeper.common.network import get_public_host, is_local_only, list_host_names, open_listening_socket
from scorekeeper.common.open_files import get_max_connections, raise_file_limit
from scorekeeper.common.static_files import collect_static_files
from scorekeeper.common.supervisor import ChildProcess, supervise

LAST_PORT = 65535
# Connections that are accepted in one go, before any of them can be refused: three goes have to fit into OTHER_FILES.
BACKLOG = 64
FEW_CONNECTIONS = 1000  # a ride day of one club has fewer phones and screens


class Command(BaseCommand):
    help = "Runs Tailgunner: the web server and the background worker, until Ctrl-C."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on; 0.0.0.0 for the local network")
        parser.add_argument("--port", type=int, default=8000, help="port to listen on; 0 takes any free one")
        parser.add_argument("--tls", action="store_true", help="serve HTTPS with a certificate made here; see /trust/")
        parser.add_argument("--demo", action="store_true", help="load the demo ride first if the database is empty")

    def handle(self, *args: Any, host: str, port: int, tls: bool, demo: bool, **options: Any) -> None:
        raise_file_limit()
        lock = _lock_data()
        with lock, _open_listener(host, port) as listener, _open_http_listener(host, listener, tls) as beside:
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
                self._explain_trust(certificates, environment["BASE_URL"], beside)
            asyncio.run(supervise(_list_children(listener, certificates, beside), environment))

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

    def _explain_trust(self, certificates: Certificates, url: str, beside: socket.socket | None) -> None:
        if certificates.is_new:
            self.stdout.write(_("Its certificate is new: no phone trusts it yet."))
        if beside is not None:
            parts = urlsplit(url)
            url = f"http://{parts.netloc.removesuffix(f':{parts.port}')}:{beside.getsockname()[1]}"
        self.stdout.write(_("To make a phone trust it, open %(url)s on the phone") % {"url": f"{url}/trust/"})
        fingerprint = get_fingerprint(certificates.authority.read_text("ascii"))
        self.stdout.write(_("Its fingerprint is %(fingerprint)s") % {"fingerprint": fingerprint})
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


def _open_listener(host: str, port: int) -> socket.socket:
    try:
        return open_listening_socket(host, port)
    except OSError as error:
        raise CommandError(
            _("Cannot listen on %(host)s, port %(port)s: %(why)s. Try another port: make run PORT=8001")
            % {"host": host, "port": port, "why": error.strerror}
        ) from error


def _open_http_listener(host: str, listener: socket.socket, tls: bool) -> AbstractContextManager[socket.socket | None]:
    """Return what listens without TLS, at the next port; nothing where that is taken, since it can be done without."""
    if not tls:
        return nullcontext()
    port = listener.getsockname()[1]
    for wanted in (port + 1, 0) if port < LAST_PORT else (0,):
        with suppress(OSError):
            return open_listening_socket(host, wanted)
    return nullcontext()


def _make_environment(host: str, port: int, tls: bool) -> dict[str, str]:
    """Return the environment of the children, which know from it under what names they are called.

    Raises:
        CommandError: the address that is set is not one with TLS, and TLS is asked for.
    """
    public = get_public_host(host)
    shown = f"[{public}]" if ":" in public else public
    url = os.environ.get("BASE_URL") or f"{'https' if tls else 'http'}://{shown}:{port}"
    if tls and not url.startswith("https://"):
        raise CommandError(_("BASE_URL is %(url)s. With --tls it must start with https://") % {"url": url})
    own = [f"[{name}]" if ":" in name else name for name in list_host_names(host)]
    names = [*settings.ALLOWED_HOSTS, shown, *own, f"{socket.gethostname()}.local"]
    described = {"BASE_URL": url, "ALLOWED_HOSTS": ",".join(dict.fromkeys(names))}
    return {**os.environ, **described, "LOCAL_TLS": "yes" if tls else ""}


def _list_certificate_names(host: str, environment: dict[str, str]) -> list[str]:
    """Return the names that the certificate is made for."""
    called = urlsplit(environment["BASE_URL"]).hostname or ""
    return [*list_host_names(host), called]


def _load_demo(environment: dict[str, str], *, local_only: bool) -> None:
    # Only somebody at this machine may come in with a password that stands in the documentation.
    options = [] if local_only else ["--random-password"]
    command = [sys.executable, "manage.py", "demo", "--if-empty", *options]
    if subprocess.run(command, env=environment, cwd=settings.BASE_DIR, check=False).returncode:  # noqa: S603
        raise CommandError(_("The demo ride could not be loaded."))


def _list_children(
    listener: socket.socket, certificates: Certificates | None, beside: socket.socket | None
) -> list[ChildProcess]:
    python = [sys.executable, "-m"]
    web = ["uvicorn", "config.asgi:application", "--timeout-graceful-shutdown=1", "--no-access-log"]
    web += ["--http=scorekeeper.common.connection_limit:LimitedProtocol", f"--backlog={BACKLOG}"]
    tls = [f"--ssl-certfile={certificates.certificate}", f"--ssl-keyfile={certificates.key}"] if certificates else []
    worker = [
        "celery",
        "--quiet",
        "-A",
        "config",
        "worker",
        "-P",
        "solo",
        "--without-gossip",
        "--without-mingle",
    ]
    children = [
        ChildProcess("web", [*python, *web, *tls, f"--fd={listener.fileno()}"], pass_fds=(listener.fileno(),)),
        ChildProcess("worker", [*python, *worker]),
        ChildProcess("sweeper", [sys.executable, str(settings.BASE_DIR / "manage.py"), "sweep"]),
    ]
    if beside is not None:
        children.append(ChildProcess("beside", [*python, *web, f"--fd={beside.fileno()}"], pass_fds=(beside.fileno(),)))
    return children
