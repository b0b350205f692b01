"""`manage.py organiser`."""

from __future__ import annotations

import io

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command("organiser", *arguments, stdout=out)
    return out.getvalue()


def test_without_a_terminal_a_password_is_generated_and_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())

    output = run("alice")

    password = output.split("Password: ")[1].split("\n")[0]
    assert len(password) == 19
    assert authenticate(username="alice", password=password) is not None


def test_a_password_is_read_from_standard_input_and_not_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("four wheels move the body\n"))

    output = run("alice", "--password-stdin")

    assert authenticate(username="alice", password="four wheels move the body") is not None
    assert "four wheels" not in output


@pytest.mark.parametrize(
    ("name", "password", "message"),
    [
        ("alice", "12345678", "too common"),
        ("alice", "alice123x", "too similar"),
        ("al ice", "four wheels move the body", "valid username"),
        ("alice", "", "no password on standard input"),
    ],
)
def test_an_invalid_name_or_password_is_explained_and_nothing_is_created(
    monkeypatch: pytest.MonkeyPatch, name: str, password: str, message: str
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(f"{password}\n"))

    with pytest.raises(CommandError, match=message):
        run(name, "--password-stdin")

    assert not User.objects.exists()


def test_a_name_can_be_used_only_once(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO())

    with pytest.raises(CommandError, match="already exists"):
        run("alice")

    assert User.objects.get() == alice
