"""Instead of `django.core.mail`: a phone sends no mails."""

from __future__ import annotations


def mail_managers(*args: object) -> None:
    """Send nothing."""
