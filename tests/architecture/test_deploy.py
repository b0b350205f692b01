"""The files of deploy/ match each other, the settings and the documentation, and their programs accept them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from http.client import RemoteDisconnected
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from threading import Thread
from typing import Any
from uuid import UUID

import pytest
import yaml
from django.urls import reverse

from config import broker, environment
from scorekeeper.common.body_limit import MAX_DESK_BODY_BYTES
from scorekeeper.common.database_unavailable import RETRY_AFTER_SECONDS
from scorekeeper.common.management.commands.serve import WORKER_POOLS
from scorekeeper.common.security_headers import ANY_ANCESTOR, HEADERS, HSTS_HEADER, TAILGUNNER_HEADER
from scorekeeper.live.stream_middleware import FINDERS
from tests.cluster.ports import find_port
from tests.deploy_proxies import request, running, wait_for_certificate, write_caddyfile, write_nginx_files
from tests.programs import ROOT, run_manage
from tests.services import get_program

DEPLOY = ROOT / "deploy"
OPERATIONS = (ROOT / "docs" / "operations.md").read_text()
UNITS = sorted(DEPLOY.glob("systemd/*.service"))
SINGLE_UNITS = sorted([*DEPLOY.glob("single/*.service"), *DEPLOY.glob("single/*.timer")])
# The directives of the sandbox, shared by all units.
SANDBOX = re.compile(
    r"^(?:Protect|Private(?!Network)|Restrict(?!Address)|SystemCall|Capability|Ambient)\w*=.*"
    r"|^(?:NoNewPrivileges|RemoveIPC|LockPersonality|MemoryDeny\w+|ProcSubset)=.*",
    re.MULTILINE,
)
CADDYFILES = ("caddy/Caddyfile", "container/Caddyfile", "single/Caddyfile")
INSTANCES = {
    "tailgunner-web@.service": "8001",
    "tailgunner-streams@.service": "8101",
    "tailgunner-worker@.service": "follow",
    "tailgunner-webhooks.service": "",
    "tailgunner-push.service": "",
    "tailgunner-sweeper.service": "",
}
COMPOSE = yaml.safe_load((DEPLOY / "container" / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if service["image"] == "tailgunner"}
# The views that the proxies must send to the streams, and addresses that they must not.
STREAMS = {
    "live:changes": [str(UUID(int=1))],
    "live:board": ["rock-the-roll-abcd1234", "rock-yahtzee"],
    "live:class_board": ["rock-the-roll-abcd1234", "rock-yahtzee", str(UUID(int=1))],
    "live:event": ["rock-the-roll-abcd1234"],
    "live:screen_stream": ["rock-the-roll-abcd1234"],
    "live:paired_stream": [str(UUID(int=1))],
}
PAGES = ("/events/a/b/c/stream", "/events/a/b/stream/", "/events/stream", "/desk/events/a/b/stream", "/")


def read(path: str) -> str:
    return (DEPLOY / path).read_text()


def run(*command: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, env=os.environ | variables, cwd=ROOT)


# Everything that the files name exists


def list_variables() -> set[str]:
    """Return every variable that a file of deploy/ sets for one of our processes."""
    units = "\n".join(path.read_text() for path in DEPLOY.glob("systemd/**/*") if path.is_file())
    named = set(re.findall(r"^Environment=([A-Z_]+)=", units, re.MULTILINE))
    for example in DEPLOY.glob("**/*.env.example"):
        named |= set(re.findall(r"^([A-Z_]+)=", example.read_text(), re.MULTILINE))
    named |= {name for service in OURS.values() for name in service["environment"]}
    return named


def test_every_variable_is_explained_in_the_documentation() -> None:
    named = list_variables()

    assert {"DATABASE_URL", "REDIS_URL", "PGAPPNAME", "FORWARDED_ALLOW_IPS"} <= named
    assert [name for name in named if f"`{name}`" not in OPERATIONS] == []
    assert named - set(environment.VARIABLES) == {"PGAPPNAME"}


def list_commands() -> list[list[str]]:
    """Return the command line of every process, as words."""
    units = [re.sub(r"\\\n\s*", "", path.read_text()) for path in [*UNITS, *SINGLE_UNITS]]
    lines = [line.split() for unit in units for line in re.findall(r"^ExecStart=(/srv/.*)$", unit, re.MULTILINE)]
    image = re.findall(r"^CMD (\[.*\])$", read("container/Containerfile"), re.MULTILINE)[0]
    return [
        *lines,
        json.loads(image),
        *(list(map(str, service["command"])) for service in OURS.values() if "command" in service),
    ]


def test_every_command_is_one_that_the_lock_installs_and_every_file_it_names_exists() -> None:
    commands = list_commands()

    assert len(commands) >= 8
    for command in commands:
        program = Path(command[0]).name
        assert program == "python" or find_spec(program) is not None, command
        assert [word for word in command if word.endswith((".py", ".conf")) and not (ROOT / word).exists()] == []


@pytest.mark.parametrize("command", [c for c in list_commands() if "celery" in c[0]], ids=" ".join)
def test_celery_understands_its_options(command: list[str]) -> None:
    words = [word.replace("%i", "follow").replace("%%", "%") for word in command[1:]]

    assert run(sys.executable, "-m", "celery", *words, "--help").returncode == 0


def find_options(command: list[str], option: str) -> list[str]:
    return [then for first, then in pairwise(command) if first == option]


def test_the_workers_serve_every_queue_and_no_other() -> None:
    queues = {queue.name for queue in broker.QUEUES}
    units = {name for path in UNITS for name in re.findall(r"tailgunner-worker@(\w+)", path.read_text())}
    units |= {name for name in ("webhooks", "push") if (DEPLOY / "systemd" / f"tailgunner-{name}.service").exists()}
    services = {name for service in OURS.values() for name in find_options(service.get("command", []), "--queues")}

    assert units == services == WORKER_POOLS.keys() == queues


def test_no_worker_serves_a_second_queue() -> None:
    """What waits for other servers, and what takes long, never delays the standings."""
    workers = [command for command in list_commands() if "celery" in command[0]]

    assert workers
    assert [command for command in workers if len(find_options(command, "--queues")) != 1] == []
    assert [command for command in workers if "," in find_options(command, "--queues")[0]] == []


@pytest.mark.parametrize("queue", ["webhooks", "push"])
def test_what_waits_for_other_servers_has_as_many_threads_everywhere(queue: str) -> None:
    commands = [command for command in list_commands() if queue in find_options(command, "--queues")]
    pools = [find_options(command, "--pool") + find_options(command, "--concurrency") for command in commands]

    assert pools == [["threads", WORKER_POOLS[queue][-1]]] * 2


def test_ports_agree() -> None:
    web = set(re.findall(r"tailgunner-web@(\d+)", read("systemd/tailgunner-web@.service")))
    streams = set(re.findall(r"tailgunner-streams@(\d+)", read("systemd/tailgunner-streams@.service")))
    nginx = read("nginx/tailgunner.conf")
    caddy = read("caddy/Caddyfile")

    assert set(re.findall(r"server 127\.0\.0\.1:(80\d\d)", nginx)) == web
    assert set(re.findall(r"server 127\.0\.0\.1:(81\d\d)", nginx)) == streams
    assert set(re.findall(r"127\.0\.0\.1:(\d+)", caddy)) == web | streams
    assert set(re.findall(r"reverse_proxy 127\.0\.0\.1:(\d+)", read("single/Caddyfile"))) == {"8000"}
    assert "serve --host 127.0.0.1 --port 8000\n" in read("single/tailgunner.service")
    assert re.findall(r"EXPOSE (\d+)", read("container/Containerfile")) == ["8000"]
    assert set(re.findall(r"dynamic a \w+ (\d+)", read("container/Caddyfile"))) == {"8000"}


def test_timeouts_are_nested() -> None:
    """Statement, worker, proxy, stop: each timeout is longer than the one inside it."""
    settings: dict[str, Any] = {}
    exec(read("gunicorn.conf.py"), settings)
    locations = read("nginx/locations.conf")
    unit = read("systemd/tailgunner-web@.service")

    def seconds(pattern: str, text: str) -> int:
        return int(re.findall(pattern, text, re.MULTILINE)[0])

    assert 20 < settings["timeout"] < seconds(r"^proxy_read_timeout (\d+)s", locations)
    assert settings["graceful_timeout"] < seconds(r"TimeoutStopSec=(\d+)", unit)
    assert settings["timeout"] > RETRY_AFTER_SECONDS


@pytest.mark.parametrize("path", ["nginx/locations.conf", *CADDYFILES])
def test_live_pages_and_nothing_else_go_to_the_streams(path: str) -> None:
    pattern = re.findall(r"(\^/events/\S+)", read(path))[0]

    assert STREAMS.keys() == FINDERS.keys()
    assert [view for view, names in STREAMS.items() if not re.search(pattern, reverse(view, args=names))] == []
    assert not any(re.search(pattern, address) for address in PAGES)


def test_only_requests_that_count_once_are_retried_on_a_second_process() -> None:
    pattern = re.findall(r"location ~ (\^/\(crew\S+) \{[^}]*non_idempotent", read("nginx/locations.conf"))[0]

    assert all(re.search(pattern, path) for path in ("/crew/bikes/1/", "/crew/tables/1/undo/", "/api/v1/operations"))
    assert not any(
        re.search(pattern, path) for path in ("/", "/crew/", "/crew/join/x/", "/desk/events/a/groups/", "/sign-in/")
    )
    for path in CADDYFILES:
        assert "path /crew/bikes/* /crew/tables/* /api/*" in read(path)


# The programs that read them


def test_the_proxies_have_the_headers_of_every_response() -> None:
    wanted = {**HEADERS, HSTS_HEADER: "max-age=31536000"}
    maps = dict(re.findall(r'map \$\S+ \$(own_\w+) \{\n    "\w*" "(.*)";', read("nginx/security_headers.conf")))
    added = dict(re.findall(r"^add_header (\S+) \$(\w+) always;", read("nginx/own_answers.conf"), re.MULTILINE))

    assert {name: maps[variable] for name, variable in added.items()} == wanted
    for path in CADDYFILES:
        assert dict(re.findall(r'\?([A-Z]\S+) "(.*)"', read(path))) == wanted
    assert "$host" not in read("nginx/tailgunner.conf")


@pytest.mark.deploy
def test_nginx_accepts_its_files_and_protects_its_own_responses(tmp_path: Path, program: int) -> None:
    plain, secure = find_port(), find_port()
    write_nginx_files(tmp_path, plain, secure, pages=program, streams=find_port())
    options = ("-e", "stderr", "-p", tmp_path, "-c", tmp_path / "nginx.conf")

    tried = run(get_program("nginx"), "-t", *options)

    assert tried.returncode == 0, tried.stderr
    assert "warn" not in tried.stderr
    with running(get_program("nginx"), *options, port=plain):
        expect_protected(plain, secure)
        status, headers = request(secure, "/", Content_Length=str(MAX_DESK_BODY_BYTES + 1))
        assert (status, headers["X-Frame-Options"]) == (413, "DENY")


@pytest.mark.deploy
@pytest.mark.parametrize("folder", ["caddy", "container", "single"])
def test_caddy_accepts_its_file(folder: str, tmp_path: Path) -> None:
    options: list[str | Path] = ["--adapter", "caddyfile", "--config", DEPLOY / folder / "Caddyfile"]

    tried = run(get_program("caddy"), "validate", *options, SITE="rides.example.org", HOME=str(tmp_path))

    assert tried.returncode == 0, tried.stderr
    assert "Valid configuration" in tried.stdout + tried.stderr


@pytest.mark.deploy
@pytest.mark.parametrize("folder", ["caddy", "container", "single"])
def test_caddy_protects_its_own_responses(folder: str, tmp_path: Path, program: int) -> None:
    plain, secure = find_port(), find_port()
    # On a single server the same process has the streams; here nobody answers them, as in the other files.
    write_caddyfile(tmp_path, folder, plain, secure, pages=program, streams=find_port())
    options = ("run", "--adapter", "caddyfile", "--config", tmp_path / "Caddyfile")

    with running(get_program("caddy"), *options, port=secure, HOME=str(tmp_path), SITE="rides.example.org"):
        wait_for_certificate(secure)
        expect_protected(plain, secure)


class Program(BaseHTTPRequestHandler):
    """Responds like our program: with the Tailgunner header, and with its own policy."""

    def do_GET(self) -> None:
        self.send_response(200)
        is_frame = self.path.startswith("/embed/")
        policy = ANY_ANCESTOR if is_frame else "default-src 'self'"
        for name, value in {**HEADERS, TAILGUNNER_HEADER: "1", "Content-Security-Policy": policy}.items():
            if not (is_frame and name == "X-Frame-Options"):
                self.send_header(name, value)
        self.end_headers()

    def log_message(self, *args: Any) -> None:
        """Log nothing."""


@pytest.fixture
def program() -> Iterator[int]:
    """The program behind a proxy; yields its port."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Program) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


def expect_protected(plain: int, secure: int) -> None:
    """Expect the headers on the proxy's own errors and redirects, and each only once on responses of the program."""
    wanted = {**HEADERS, HSTS_HEADER: "max-age=31536000"}
    for path, expected in (("/readyz", 404), ("/events/a/b/stream", 502)):
        status, headers = request(secure, path)
        assert (status, {name: headers[name] for name in wanted}) == (expected, wanted)
    _status, headers = request(secure, "/")
    policy = {**HEADERS, "Content-Security-Policy": "default-src 'self'"}
    assert {name: headers.get_all(name) for name in HEADERS} == {name: [value] for name, value in policy.items()}
    _status, headers = request(secure, "/embed/events/a/")
    framed = {"Content-Security-Policy": ANY_ANCESTOR, "X-Frame-Options": None}
    assert {name: headers[name] for name in framed} == framed, "every site may show it"
    for name in ("rides.example.org", "elsewhere.example"):
        try:
            status, headers = request(plain, "/a?b", Host=name, plain="yes")
        except RemoteDisconnected:
            continue  # another host name gets no response
        assert {name: headers[name] for name in HEADERS} == HEADERS
        assert (status, headers["Location"]) == (301, "https://rides.example.org/a?b")


@pytest.mark.deploy
@pytest.mark.parametrize("unit", [*UNITS, *SINGLE_UNITS], ids=lambda path: path.name)
def test_systemd_accepts_every_unit_and_its_sandboxing(unit: Path, tmp_path: Path) -> None:
    folder = tmp_path / "units"
    # The drop-in for all units is included; the programs are found where they are on this machine.
    for path in unit.parent.glob("**/*"):
        if path.is_file():
            copy = folder / path.relative_to(unit.parent)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(path.read_text().replace("/srv/tailgunner/app/.venv/bin", str(Path(sys.executable).parent)))
    name = unit.name.replace("@.", f"@{INSTANCES.get(unit.name, '')}.")
    if name != unit.name:
        (folder / unit.name).rename(folder / name)

    verified = run(get_program("systemd-analyze"), "verify", "--man=no", folder / name, SYSTEMD_UNIT_PATH=f"{folder}:")
    assert verified.returncode == 0, verified.stderr
    assert name not in verified.stderr
    if unit.suffix == ".timer":
        return
    checked = run(
        get_program("systemd-analyze"), "security", "--offline=yes", "--threshold=20", folder / name,
        SYSTEMD_UNIT_PATH=f"{folder}:",
    )  # fmt: skip

    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_units_of_a_single_server_are_sandboxed_like_the_others() -> None:
    shared = SANDBOX.findall(read("systemd/tailgunner-.service.d/shared.conf"))

    assert len(shared) >= 20
    for path in DEPLOY.glob("single/*.service"):
        assert SANDBOX.findall(path.read_text()) == shared


def test_the_timer_makes_a_backup_where_the_unit_may_write() -> None:
    unit = read("single/tailgunner-backup.service")

    assert (DEPLOY / "single" / "tailgunner-backup.timer").exists()
    assert re.findall(r"manage\.py backup (\S+) --keep \d+$", unit, re.MULTILINE) == re.findall(
        r"^ReadWritePaths=(.*)$", unit, re.MULTILINE
    )
    assert "DATA_DIR=/var/lib/tailgunner\n" in read("single/tailgunner.env.example")
    assert "StateDirectory=tailgunner\n" in unit


# Compose and the image: checked without a container engine


def test_services_depend_on_existing_services_with_health_checks() -> None:
    for service in SERVICES.values():
        waited = service.get("depends_on", {})
        for name in waited:
            assert name in SERVICES
            if isinstance(waited, dict) and waited[name]["condition"] == "service_healthy":
                assert "healthcheck" in SERVICES[name]


def test_networks_and_volumes_are_declared_and_used() -> None:
    used = {name for service in SERVICES.values() for name in service["networks"]}
    mounts = [mount.partition(":") for service in SERVICES.values() for mount in service.get("volumes", [])]

    assert used == set(COMPOSE["networks"])
    assert {source for source, _, _ in mounts if not source.startswith(".")} == set(COMPOSE["volumes"])
    assert all((DEPLOY / "container" / source).exists() for source, _, _ in mounts if source.startswith("."))
    # Only the front can be reached from outside.
    assert [name for name, service in SERVICES.items() if "ports" in service] == ["front"]


def test_every_process_runs_sandboxed_and_without_a_secret_in_the_file() -> None:
    text = read("container/compose.yaml")

    assert all(service["read_only"] and service["cap_drop"] == ["ALL"] for service in OURS.values())
    assert set(re.findall(r"\$\{([A-Z_]+)", text)) == {
        "SITE",
        "SECRET_KEY",
        "METRICS_TOKEN",
        "OWNER_PASSWORD",
        "POSTGRES_PASSWORD",
    }


def test_the_settings_accept_the_compose_environment(tmp_path: Path) -> None:
    given = {"SITE": "rides.example.org", "SECRET_KEY": "kN4vT9wQz2xLr7Yc1bHs8Df5Gj3Mp6Ua0EiOoRtWqZxVnBmKlP"}
    given |= {"POSTGRES_PASSWORD": "letters", "OWNER_PASSWORD": "others"}
    variables = {
        name: re.sub(r"\$\{([A-Z_]+)[^}]*\}", lambda found: given.get(found[1], ""), str(value))
        for name, value in OURS["web"]["environment"].items()
    }

    checked = run_manage(tmp_path, "check", "--deploy", "--fail-level", "WARNING", **variables)

    assert checked.returncode == 0, checked.stderr


def test_the_image_is_built_from_existing_files_and_runs_without_privileges() -> None:
    lines = read("container/Containerfile").replace("\\\n", " ").splitlines()
    copied = [line.split()[1:-1] for line in lines if line.startswith("COPY ") and "--from" not in line]
    sent = {line[1:] for line in read("container/Containerfile.dockerignore").splitlines() if line.startswith("!")}
    users = [line.split()[1] for line in lines if line.startswith("USER ")]
    stages = [line.split()[-1] for line in lines if line.startswith("FROM ") and " AS " in line]
    bases = [line.split()[1] for line in lines if line.startswith("FROM ")]
    outside = [base for base in bases if base not in stages]

    assert {path for paths in copied for path in paths} == sent
    assert all((ROOT / path).exists() for path in sent)
    assert users == ["10001"]
    assert all(":" in base and not base.endswith(":latest") for base in outside)
    assert all("--no-cache-dir" in line for line in lines if "pip install" in line)


def test_the_image_leaves_no_part_of_the_program_out() -> None:
    folders = {path.name for path in ROOT.iterdir() if (path / "__init__.py").exists()}

    final = read("container/Containerfile").rpartition("FROM ")[2].split()
    # `/readyz` reads the version from pyproject.toml.
    assert (folders - {"tests", "benchmarks", "tools"}) | {"pyproject.toml"} <= set(final)
