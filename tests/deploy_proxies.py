"""nginx and Caddy with the files of deploy/, on ports of this machine, in front of any program."""

from __future__ import annotations

import os
import re
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from email.message import Message
from http.client import HTTPConnection
from pathlib import Path

from tests.programs import ROOT
from tests.services import get_program

DEPLOY = ROOT / "deploy"
SITE = "rides.example.org"  # the name in the files
TEMPORARY = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")


def write_nginx_files(folder: Path, plain: int, secure: int, *, pages: int, streams: int) -> None:
    """Write `nginx.conf`, which includes the files of deploy/nginx, and a certificate.

    Args:
        plain, secure: the ports to listen at, without TLS and with it.
        pages, streams: the ports of the programs behind it.
    """
    keys: list[str | Path] = ["-keyout", folder / "privkey.pem", "-out", folder / "fullchain.pem"]
    subject = ["-subj", f"/CN={SITE}", "-days", "1", "-nodes", "-newkey", "rsa:2048"]
    subprocess.run([get_program("openssl"), "req", "-x509", *subject, *keys], check=True, capture_output=True)
    site = (DEPLOY / "nginx" / "tailgunner.conf").read_text()
    for there, here in (
        ("/etc/ssl/tailgunner", str(folder)),
        ("/etc/nginx/tailgunner", str(DEPLOY / "nginx")),
        ("/var/log/nginx", str(folder)),
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ", f"listen 127.0.0.1:{secure} "),
        ("server 127.0.0.1:8001", f"server 127.0.0.1:{pages}"),
        ("server 127.0.0.1:8101", f"server 127.0.0.1:{streams}"),
    ):
        assert there in site
        site = site.replace(there, here)
    site = re.sub(r"\n    listen \[::\].*|\n    server 127\.0\.0\.1:8002.*", "", site)
    (folder / "site.conf").write_text(site)
    (folder / "nginx.conf").write_text(
        f"pid {folder}/pid;\ndaemon off;\nevents {{}}\nhttp {{\n"
        + "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in TEMPORARY)
        + f"include {folder}/site.conf;\n}}\n"
    )


def write_caddyfile(folder: Path, kind: str, plain: int, secure: int, *, pages: int, streams: int) -> None:
    """Write a `Caddyfile` that is one of deploy/; arguments as for `write_nginx_files`.

    Args:
        kind: its folder in deploy/.
    """
    site = (DEPLOY / kind / "Caddyfile").read_text()
    for there, here in (
        ("127.0.0.1:8001 127.0.0.1:8002", f"127.0.0.1:{pages}"),
        ("127.0.0.1:8101", f"127.0.0.1:{streams}"),
        ("127.0.0.1:8000 {\n\t\t\tflush_interval", f"127.0.0.1:{streams} {{\n\t\t\tflush_interval"),
        ("127.0.0.1:8000 {", f"127.0.0.1:{pages} {{"),
        ("dynamic a web 8000", f"dynamic a 127.0.0.1 {pages}"),
        ("dynamic a streams 8000", f"dynamic a 127.0.0.1 {streams}"),
    ):
        site = site.replace(there, here)
    here = f"http_port {plain}\nhttps_port {secure}\ndefault_bind 127.0.0.1"
    (folder / "Caddyfile").write_text(f"{{\n{here}\nlocal_certs\nskip_install_trust\nadmin off\n}}\n{site}")


@contextmanager
def running(*command: str | Path, port: int, **variables: str) -> Iterator[None]:
    """Run a proxy during the context, and wait until it accepts connections."""
    process = subprocess.Popen(command, env=os.environ | variables, cwd=ROOT, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 30
        while time.monotonic() < until:
            with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
                break
            assert process.poll() is None, "it ended"
        yield
    finally:
        process.terminate()
        process.wait(10)


def wait_for_certificate(port: int) -> None:
    """Wait until a proxy that makes its own certificate has one."""
    until = time.monotonic() + 30
    while True:
        try:
            request(port, "/")
        except ssl.SSLError:
            assert time.monotonic() < until
        else:
            return


def request(port: int, path: str, **headers: str) -> tuple[int, Message]:
    """Request a path under the host name in the files, and return the status and headers of the response."""
    is_plain = headers.pop("plain", "")
    named = {"Host": SITE, **{name.replace("_", "-"): value for name, value in headers.items()}}
    return send(port, "GET", path, headers=named, is_plain=bool(is_plain))


def send(
    port: int,
    method: str,
    path: str,
    *,
    headers: dict[str, str],
    body: str | None = None,
    is_plain: bool = False,
    source: str = "127.0.0.1",
) -> tuple[int, Message]:
    """Send a request, and return the status and headers of the response.

    Args:
        is_plain: whether without TLS.
        source: the address of this machine to connect from.
    """
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with closing(HTTPConnection("127.0.0.1", port, timeout=60, source_address=(source, 0))) as connection:
        connection.connect()
        if not is_plain:
            connection.sock = context.wrap_socket(connection.sock, server_hostname=SITE)
        connection.request(method, path, body=body, headers=headers)
        with connection.getresponse() as answer:
            answer.read()
            return answer.status, answer.headers
