"""Organisers' accounts, their passwords and their sessions."""

from __future__ import annotations

import secrets

from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.contrib.sessions.models import Session
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from scorekeeper.events.models import AccountLink

# Passwords are read aloud and typed on phones, so there are no characters that look alike.
_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"


def generate_password() -> str:
    """Return a password that nobody can guess: four groups of four characters, about 79 bits."""
    return "-".join("".join(secrets.choice(_ALPHABET) for _ in range(4)) for _ in range(4))


def create_account(username: str, password: str) -> User:
    """Return a new account that can create events.

    Raises:
        ValidationError: the name is taken or invalid, or the password is too easy.
    """
    user = User(username=username)
    user.full_clean(exclude=["password"])
    validate_password(password, user)
    user.set_password(password)
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as error:  # someone chose the same name at the same moment
        taken: ValidationError = user.unique_error_message(User, ("username",))
        raise ValidationError({"username": taken}) from error
    return user


@transaction.atomic
def change_password(user: User, password: str) -> None:
    """Give the user another password. Their sessions end with the old one, and so do unused links for a new one."""
    user.set_password(password)
    user.save(update_fields=["password"])
    AccountLink.objects.filter(user=user, purpose=AccountLink.Purpose.RESET).expire()


def end_sessions(user: User) -> None:
    """Sign the user out of every browser. Only the content of a session says whose it is, so all are read."""
    for session in Session.objects.filter(expire_date__gt=timezone.now()).iterator():
        if session.get_decoded().get(SESSION_KEY) == str(user.pk):
            session.delete()
