"""docs/hosting.md names files, units, commands and pages that exist. `make hosting` follows it for real."""

from __future__ import annotations

import re

import pytest
from django.core.management import get_commands

from tests.hosting.containerfile import read_steps
from tests.hosting.guide import GUIDE, list_blocks, list_own_blocks
from tests.programs import ROOT

SINGLE = ROOT / "deploy" / "single"
COMMANDS = "\n".join([*list_blocks(), *list_own_blocks()])


def test_every_file_of_the_project_in_a_command_exists() -> None:
    named = set(re.findall(r"(?:requirements|deploy)/[\w./-]+\w", COMMANDS))
    named |= {
        f"deploy/single/{name}" for name in re.findall(r"tailgunner[\w-]*\.(?:env\.example|service|timer)", COMMANDS)
    }

    assert {"requirements/base.txt", "deploy/single/tailgunner-backup.timer"} <= named
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []
    assert set(re.findall(r"python3? -m ([\w.]+)", COMMANDS)) == {"venv", "pip", "tools.phone_engine"}


def test_every_unit_in_a_command_is_installed() -> None:
    units = {"tailgunner", *(path.name.partition(".")[0] for path in SINGLE.glob("*.service"))}
    named = re.findall(r"systemctl (?:start|stop|restart|enable --now) (.+)$", GUIDE.replace("`", "\n"), re.MULTILINE)

    assert len(named) >= 8
    assert {unit.partition(".")[0] for line in named for unit in line.split()} == units | {"caddy"}


def test_every_command_of_the_program_exists() -> None:
    named = set(re.findall(r"tailgunner-manage ([a-z]\w+)", GUIDE))

    assert {"migrate", "verify", "organiser"} <= named <= set(get_commands())


def test_the_folders_agree_with_the_units() -> None:
    units = "".join(path.read_text() for path in SINGLE.iterdir())

    for folder in ("/srv/tailgunner/app", "/var/lib/tailgunner", "/var/backups/tailgunner", "/etc/tailgunner.env"):
        assert folder in COMMANDS
        assert folder in units


def test_every_link_to_a_page_and_a_heading_leads_somewhere() -> None:
    links = re.findall(r"\]\((?!https:)([^)#]+)(?:#([^)]*))?\)", GUIDE)

    assert len(links) >= 4
    for path, anchor in links:
        text = (ROOT / "docs" / path).read_text()
        headings = [re.sub(r"[^\w -]", "", line).strip() for line in re.findall(r"^#+ (.*)$", text, re.MULTILINE)]
        anchors = [heading.lower().replace(" ", "-") for heading in headings]
        assert not anchor or anchor in anchors, (path, anchor)


@pytest.mark.parametrize(
    ("text", "steps"),
    [
        ("FROM a AS b\n# remark\nRUN one \\\n    && two\n", [("FROM", "a AS b"), ("RUN", "one && two")]),
        ("ENV A=1 \\\n    B=2\nUSER 7", [("ENV", "A=1 B=2"), ("USER", "7")]),
    ],
)
def test_the_steps_of_a_containerfile_are_read_with_continued_lines(text: str, steps: list[tuple[str, str]]) -> None:
    assert read_steps(text) == steps
