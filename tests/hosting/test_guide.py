"""docs/hosting.md, followed on a Debian with systemd: every block that is typed on the server, in its order.

What differs from a rented server: the name leads to the machine itself, Caddy makes its own certificate for it, pip
finds its packages in a folder, and the phone's engine is the one that `make offline` has built.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.broker import QUEUES
from tests.demo_data import copy_data
from tests.hosting.debian import TIMEOUT_SECONDS, Machine, Root
from tests.hosting.guide import list_blocks, list_own_blocks
from tests.programs import ROOT, run_manage

pytestmark = pytest.mark.hosting

BUILD = re.compile(r"^(?=DATA_DIR=\S+ \.venv/bin/python -m tools\.phone_engine$)", re.MULTILINE)
AUTHORITY = "/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt"
OWN_CERTIFICATES = "{\\n\\tlocal_certs\\n\\tskip_install_trust\\n}\\n"


def put_engine(block: str) -> str:
    """Return the block with the phone's engine put in place before the command that builds it."""
    changed, number = BUILD.subn("cp -r /root/engine built\n", block)
    assert number == 1
    return changed


def pack(target: Path) -> None:
    """Pack the project with the guide's own command, including changes that are not committed."""
    (command,) = (line for line in list_own_blocks()[0].splitlines() if line.startswith("git archive"))
    changed = subprocess.run(["git", "stash", "create"], capture_output=True, text=True, cwd=ROOT, check=True)
    words = command.replace("tailgunner.tar.gz", str(target)).replace("HEAD", changed.stdout.strip() or "HEAD").split()
    subprocess.run(words, cwd=ROOT, check=True, timeout=TIMEOUT_SECONDS)


@pytest.fixture(scope="module")
def server(debian: Root, engine: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Machine]:
    """A server on which everything up to "Start" was done as the guide says."""
    root = debian.copy("server")
    packages, *install = list_blocks("2. Install")
    root.run("/bin/bash", "-ec", packages, environment={"DEBIAN_FRONTEND": "noninteractive"}, network=True)
    archive = tmp_path_factory.mktemp("guide") / "tailgunner.tar.gz"
    pack(archive)
    root.copy_in(archive, "/root/tailgunner.tar.gz")
    root.copy_in(engine, "/root/engine")
    root.write("/etc/hosts", "127.0.0.1 localhost rides.example.org\n")
    with root.started() as machine:
        user_and_program, libraries = install
        machine.run(user_and_program)
        machine.run(put_engine(libraries))
        (settings,) = list_blocks("3. Settings")
        machine.run(settings)
        machine.run(f"sed -i '1i {OWN_CERTIFICATES}' /etc/caddy/Caddyfile")
        machine.run(list_blocks("4. Start")[0])
        # A browser knows the public authorities; this one has to be told.
        machine.run(f"timeout 60 sh -c 'until [ -s {AUTHORITY} ]; do sleep 0.1; done'")
        machine.run(f"cp {AUTHORITY} /usr/local/share/ca-certificates/caddy.crt && update-ca-certificates")
        yield machine


def check_health(server: Machine) -> dict[str, object]:
    """Run the block that asks whether it runs, and return what `/readyz` says."""
    health, _, ready = server.run(list_blocks("4. Start")[1]).partition("\n")
    assert health == "ok"
    answer: dict[str, object] = json.loads(ready)
    return answer


def test_the_program_runs_behind_caddy_and_its_first_link_opens(server: Machine) -> None:
    ready = check_health(server)
    printed = server.run(list_blocks("4. Start")[2])

    assert list(ready.items())[:2] == [("ready", True), ("database", "ok")]
    (link,) = re.findall(r"https://rides\.example\.org/\S+", printed)
    assert "Tailgunner" in server.run(f"curl --fail --silent --show-error {link}")
    # What phones need without signal.
    assert json.loads(server.run("curl --fail --silent https://rides.example.org/offline/manifest.json"))["digest"]
    # Monitors have to be on the machine.
    assert server.run("curl --silent -o /dev/null -w '%{http_code}' https://rides.example.org/readyz") == "404"
    assert server.run("curl --silent -o /dev/null -w '%{http_code}' http://rides.example.org/") == "301"


def test_the_program_starts_with_the_server_and_so_does_the_timer(server: Machine) -> None:
    units = "tailgunner.service tailgunner-backup.timer caddy.service"

    assert server.run(f"systemctl is-enabled {units}").split() == ["enabled"] * 3
    assert server.run(f"systemctl is-active {units}").split() == ["active"] * 3
    # Its workers and its sweeper too, without privileges.
    theirs = server.run("find /proc -maxdepth 1 -user tailgunner -exec sh -c 'xargs -0 < {}/cmdline' ';'")
    assert all(word in theirs for word in ("manage.py serve", "uvicorn", "manage.py sweep"))
    assert all(f"celery --quiet --skip-checks -A config worker --queues {queue.name} " in theirs for queue in QUEUES)
    assert "manage.py" not in server.run("find /proc -maxdepth 1 -user root -exec sh -c 'xargs -0 < {}/cmdline' ';'")


def test_a_killed_program_is_started_again(server: Machine) -> None:
    before = server.run("systemctl show --property=MainPID --value tailgunner")
    server.run("systemctl kill --signal=KILL tailgunner")

    check_health(server)
    assert server.run("systemctl show --property=MainPID --value tailgunner") != before


def test_the_settings_can_be_read_by_the_program_and_by_nobody_else(server: Machine) -> None:
    assert server.run("stat -c '%a %U %G' /etc/tailgunner.env") == "640 root tailgunner\n"
    assert server.run("stat -c '%a %U %G' /var/lib/tailgunner") == "700 tailgunner tailgunner\n"
    writable = "find /srv/tailgunner -writable ! -type l -prune"
    assert server.run(f"setpriv --reuid=tailgunner --regid=tailgunner --clear-groups {writable}", folder="/") == ""
    assert len(server.run("sed -n 's/^SECRET_KEY=//p' /etc/tailgunner.env").strip()) >= 50


def test_a_backup_is_made_and_the_next_one_is_planned(server: Machine) -> None:
    (backup,) = list_blocks("Backup")

    printed = server.run(backup)

    assert re.search(r"-rw------- 1 tailgunner tailgunner .* tailgunner-\d{8}T\d{6}Z\.sqlite3\n", printed)
    assert re.search(r"-rw------- 1 tailgunner tailgunner .* tailgunner\.env\n", printed)
    assert re.search(r"03:[1-4]\d:\d\d .*tailgunner-backup\.timer", printed)
    assert server.run("cat /etc/tailgunner.env") == server.run("cat /var/backups/tailgunner/tailgunner.env")


def restore(server: Machine, *replaced: tuple[str, str]) -> str:
    (block,) = list_blocks("Restore")
    for there, here in replaced:
        assert there in block
        block = block.replace(there, here)
    return server.run(block)


def test_backups_of_another_server_are_restored_with_the_same_heads(server: Machine, tmp_path: Path) -> None:
    data = tmp_path / "data"
    copy_data(data, ["published"])
    original = run_manage(data, "verify").stdout
    assert "all in order, head" in original
    assert run_manage(data, "backup", str(tmp_path / "tailgunner")).returncode == 0
    (tmp_path / "tailgunner" / "tailgunner.env").write_text(server.run("cat /etc/tailgunner.env"))
    server.receive(tmp_path / "tailgunner", "/root/tailgunner")

    printed = restore(server)

    assert original in printed
    assert check_health(server)["ready"] is True
    assert "Nobody has an account" not in server.run("journalctl -u tailgunner --since=-10s --no-pager")


def test_an_upgrade_keeps_the_data_and_the_way_back_too(server: Machine) -> None:
    update, back = list_blocks("Upgrade")
    before = server.run("tailgunner-manage verify")
    assert server.run("ls -d /srv/tailgunner/*") == "/srv/tailgunner/app\n"

    server.run(put_engine(update))
    assert check_health(server)["database"] == "ok"
    assert server.run("tailgunner-manage verify") == before

    server.run(back)
    assert before in restore(server, ("FROM=/root/tailgunner", "FROM=/var/backups/tailgunner"))
    assert check_health(server)["database"] == "ok"
