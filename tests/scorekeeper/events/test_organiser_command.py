"""`manage.py organiser`: creating accounts, and printing links with which people choose their own password."""

from __future__ import annotations

import io
import re

import pytest
from django.contrib.auth import authenticate
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client
from pytest_django import Settings

from scorekeeper.events.models import Passkey
from tests.scorekeeper.conftest import SignIn
from tests.scorekeeper.events.account_forms import GOOD_PASSWORD, describe_account, describe_password, is_signed_in
from tests.scorekeeper.events.authenticator import SecurityKey, store_passkey

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


def read_link(output: str) -> str:
    """Return the path of the link that is printed."""
    found = re.search(r"^  https://rides\.example\.org(/\S+)$", output, re.MULTILINE)
    assert found, output
    return found[1]


def test_a_link_for_the_first_organiser_is_printed_and_replaces_an_earlier_one(
    client: Client, settings: Settings
) -> None:
    settings.BASE_URL = "https://rides.example.org"
    earlier, link = read_link(run("--set-up")), read_link(run("--set-up"))

    assert client.get(earlier).status_code == 410
    assert client.post(link, describe_account("alice")).status_code == 302
    with pytest.raises(CommandError, match="Someone has an account already"):
        run("--set-up")


def test_a_link_for_a_new_password_is_printed(alice: User, client: Client, settings: Settings) -> None:
    settings.BASE_URL = "https://rides.example.org"
    output = run("alice", "--reset")

    assert "It works once, until" in output
    assert client.post(read_link(output), describe_password()).status_code == 302
    assert authenticate(username="alice", password=GOOD_PASSWORD) == alice


def test_lost_passkeys_are_removed_and_the_lost_device_is_signed_out(alice: User, bob: User, sign_in: SignIn) -> None:
    lost, others = sign_in(alice), sign_in(bob)
    for user in (alice, alice, bob):
        store_passkey(user, SecurityKey())

    output = run("alice", "--remove-passkeys")

    assert output == (
        "2 passkeys of alice have been removed, and all sessions ended. The password is now enough to sign in.\n"
    )
    assert Passkey.objects.get().user == bob
    assert not is_signed_in(lost)
    assert is_signed_in(others)
    assert "1 passkey of bob has been removed, and all sessions ended." in run("bob", "--remove-passkeys")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["dora", "--reset"], "There is no account called “dora”"),
        (["dora", "--remove-passkeys"], "There is no account called “dora”"),
        (["alice", "--remove-passkeys"], "alice has no passkeys. Nothing was removed."),
        (["--remove-passkeys"], "Give a name"),
        ([], "Give a name"),
        (["alice", "--set-up"], "without a name"),
        (["--reset"], "Give a name"),
        (["alice", "--reset", "--password-stdin"], "not allowed with"),
    ],
)
def test_what_cannot_be_done_is_explained(alice: User, arguments: list[str], message: str) -> None:
    with pytest.raises(CommandError, match=message):
        run(*arguments)
