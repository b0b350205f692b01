"""The language of an account: its owner has chosen it, and gets it in every browser they sign in to."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest

from scorekeeper.common.languages import remember_language
from scorekeeper.events.models import AccountLanguage


def set_account_language(user: User, code: str) -> None:
    """Store the language."""
    AccountLanguage.objects.update_or_create(user=user, defaults={"code": code})


@receiver(user_logged_in)
def follow_account(request: HttpRequest, user: User, **_: Any) -> None:
    """Show everything in the account's language after signing in."""
    chosen = AccountLanguage.objects.filter(user=user).first()
    if chosen is not None:
        remember_language(request, chosen.code)
