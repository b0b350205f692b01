"""Organisers' accounts: made on the command line by whoever runs the program, and their sessions."""

from __future__ import annotations

import secrets

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.contrib.sessions.models import Session
from django.utils import timezone

# Read out over a shoulder and typed on a phone: no letters that look alike.
_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"


def generate_password() -> str:
    """Return a password nobody guesses: four groups of four letters, about 79 bits."""
    return "-".join("".join(secrets.choice(_ALPHABET) for _ in range(4)) for _ in range(4))


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


def end_sessions(user: User) -> None:
    """Sign an organiser out of every browser. Whose a session is only its content says, so each is read."""
    for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator():
        if session.get_decoded().get(SESSION_KEY) == str(user.pk):
            session.delete()
