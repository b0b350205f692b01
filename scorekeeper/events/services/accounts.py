"""Organisers' accounts: made on the command line by whoever runs the program."""

from __future__ import annotations

import secrets

from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password

# Read out over a shoulder and typed on a phone: no letters that look alike.
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"


def make_password_to_hand_out() -> str:
    """Return a password nobody guesses: four groups of four letters, about 79 bits."""
    return "-".join("".join(secrets.choice(_LETTERS) for _ in range(4)) for _ in range(4))


def create_account(username: str, password: str) -> User:
    """Return a new account with which events can be made.

    Raises:
        ValidationError: the name is taken or cannot be used, or the password is too easy.
    """
    user = User(username=username)
    user.full_clean(exclude=["password"])
    validate_password(password, user)
    user.set_password(password)
    user.save()
    return user
