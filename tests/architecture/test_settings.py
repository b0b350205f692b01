"""The settings match their documentation, and production rejects settings that only suit the demo."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from config import environment
from config import settings as product
from tests.faults.figures import Figures
from tests.programs import ROOT, run_manage

OPERATIONS = ROOT / "docs" / "operations.md"
ROW = re.compile(r"^\| `([A-Z_]+)` \| ([^|]*) \|", re.MULTILINE)
GOOD = {
    "TAILGUNNER_MODE": "production",
    "SECRET_KEY": "kN4vT9wQz2xLr7Yc1bHs8Df5Gj3Mp6Ua0EiOoRtWqZxVnBmKlP",
    "BASE_URL": "https://rides.example.org",
}


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
        ({"EXTRA_GAMES": "no_such_game"}, "EXTRA_GAMES names 'no_such_game'"),
    ],
)
def test_production_refuses_to_start_and_says_why(tmp_path: Path, wrong: dict[str, str], said: str) -> None:
    run = run_manage(tmp_path, "check", **GOOD | wrong)

    assert run.returncode != 0
    assert said in run.stderr


@pytest.mark.parametrize(
    ("url", "secure"), [("https://rides.example.org", "True"), ("http://192.168.1.7:8000", "False")]
)
def test_cookies_are_secure_and_hsts_is_sent_only_when_the_address_is_https(
    tmp_path: Path, url: str, secure: str
) -> None:
    shown = "s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.SECURE_SSL_REDIRECT, s.SECURE_HSTS_SECONDS > 0"
    program = f"from django.conf import settings as s; print({shown})"

    run = run_manage(tmp_path, "shell", "--no-imports", "-c", program, **GOOD | {"BASE_URL": url})

    assert run.stdout.split() == [secure] * 4, run.stderr


def test_the_demo_creates_its_own_secret_and_keeps_it(tmp_path: Path) -> None:
    program = "from django.conf import settings; print(settings.SECRET_KEY)"

    first, second = (run_manage(tmp_path, "shell", "--no-imports", "-c", program).stdout for _ in range(2))

    assert len(first.strip()) >= 50
    assert first == second
    assert (tmp_path / "secret-key").stat().st_mode & 0o077 == 0
