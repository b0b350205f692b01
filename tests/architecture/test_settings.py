"""The settings match their documentation, and production rejects settings that only suit the demo."""

from __future__ import annotations

import os
import re
import runpy
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import environment
from config import settings as product
from tests.faults.figures import Figures
from tests.programs import ROOT, make_environment, run_manage

OPERATIONS = ROOT / "docs" / "operations.md"
ROW = re.compile(r"^\| `([A-Z_]+)` \| ([^|]*) \|", re.MULTILINE)
GOOD = {
    "TAILGUNNER_MODE": "production",
    "SECRET_KEY": "kN4vT9wQz2xLr7Yc1bHs8Df5Gj3Mp6Ua0EiOoRtWqZxVnBmKlP",
    "BASE_URL": "https://rides.example.org",
}


def read_settings(data: Path, **variables: str) -> dict[str, Any]:
    """Return the settings that a process with this data folder and these variables gets."""
    with patch.dict(os.environ, make_environment(data, **variables), clear=True):
        return runpy.run_path(str(ROOT / "config" / "settings.py"))


def test_every_variable_is_documented_with_its_default_and_none_besides() -> None:
    documented = {name: default.strip().strip("`") for name, default in ROW.findall(OPERATIONS.read_text())}

    assert documented == environment.VARIABLES


def test_nothing_else_reads_the_environment_for_a_setting() -> None:
    readers = [
        str(path.relative_to(ROOT))
        for folder in ("config", "scorekeeper")
        for path in (ROOT / folder).rglob("*.py")
        if re.search(r"os\.getenv|environ\.get\(|environ\[", path.read_text())
    ]
    # `serve` passes BASE_URL on to its child processes.
    assert sorted(readers) == ["config/environment.py", "scorekeeper/common/management/commands/serve.py"]


def test_passwords_are_hashed_with_argon2() -> None:
    assert product.PASSWORD_HASHERS[0].endswith("Argon2PasswordHasher")


def test_production_with_all_it_needs_passes_the_deployment_check(tmp_path: Path, figures: Figures) -> None:
    run = run_manage(tmp_path, "check", "--deploy", "--fail-level", "WARNING", **GOOD)

    assert run.returncode == 0, run.stderr
    assert "no issues" in run.stdout
    figures.add("25 · settings for production", f"`check --deploy --fail-level WARNING`: {run.stdout.strip()}")


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"SECRET_KEY": ""}, "Production needs a SECRET_KEY of its own"),
        ({"SECRET_KEY": "changeme"}, "Production needs a SECRET_KEY of its own"),
        ({"SECRET_KEY": "x" * 60}, "Production needs a SECRET_KEY of its own"),
        ({"BASE_URL": ""}, "Production needs BASE_URL"),
        ({"BASE_URL": "rides.example.org"}, "BASE_URL is 'rides.example.org'"),
        ({"DEBUG": "yes"}, "Production cannot run with DEBUG"),
        ({"TAILGUNNER_MODE": "live"}, "it can be demo or production"),
        ({"FORWARDED_ALLOW_IPS": "10.0.0.1,front"}, "FORWARDED_ALLOW_IPS: 'front' does not appear to be"),
        ({"EXTRA_GAMES": "no_such_game"}, "EXTRA_GAMES names 'no_such_game'"),
    ],
)
def test_production_refuses_settings_and_says_why(tmp_path: Path, wrong: dict[str, str], said: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=re.escape(said)):
        read_settings(tmp_path, **GOOD | wrong)


def test_the_program_does_not_start_with_settings_that_are_refused(tmp_path: Path) -> None:
    run = run_manage(tmp_path, "check", **GOOD | {"SECRET_KEY": "changeme"})

    assert run.returncode != 0
    assert "Production needs a SECRET_KEY of its own" in run.stderr


@pytest.mark.parametrize(("url", "secure"), [("https://rides.example.org", True), ("http://192.168.1.7:8000", False)])
def test_cookies_are_secure_and_hsts_is_sent_only_when_the_address_is_https(
    tmp_path: Path, url: str, secure: bool
) -> None:
    read = read_settings(tmp_path, **GOOD | {"BASE_URL": url})

    names = ("SESSION_COOKIE_SECURE", "CSRF_COOKIE_SECURE", "SECURE_SSL_REDIRECT", "SECURE_HSTS_SECONDS")
    assert [bool(read[name]) for name in names] == [secure] * 4


def test_the_demo_creates_its_own_secret_and_keeps_it(tmp_path: Path) -> None:
    first, second = (read_settings(tmp_path)["SECRET_KEY"] for _ in range(2))

    assert len(first) >= 50
    assert first == second
    assert (tmp_path / "secret-key").stat().st_mode & 0o077 == 0
