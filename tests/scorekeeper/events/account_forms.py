"""What people type into the forms for accounts and passwords."""

from __future__ import annotations

from django.test import Client

from tests.scorekeeper.conftest import PASSWORD

GOOD_PASSWORD = "gravel, dust and chrome"
OWN_PASSWORD = {"own_password": PASSWORD}  # of whoever is signed in


def describe_account(name: str, password: str = GOOD_PASSWORD, again: str | None = None) -> dict[str, str]:
    """Return the fields of a new account."""
    return {"username": name, "password1": password, "password2": password if again is None else again}


def describe_password(password: str = GOOD_PASSWORD, again: str | None = None) -> dict[str, str]:
    """Return the fields of a new password."""
    return {"new_password1": password, "new_password2": password if again is None else again}


def can_sign_in(name: str, password: str) -> bool:
    """Return whether a new browser can sign in."""
    response = Client().post("/sign-in/", {"username": name, "password": password})
    return response.status_code == 302


def is_signed_in(client: Client) -> bool:
    """Return whether the browser may open organisers' pages."""
    return client.get("/desk/").status_code == 200
