"""`manage.py changepassword NAME`: Django's command, which also ends all access with the old password."""

from __future__ import annotations

from getpass import getuser
from typing import Any

from django.contrib.auth.management.commands import changepassword
from django.contrib.auth.models import User

from scorekeeper.events.services.accounts import end_access


class Command(changepassword.Command):
    """Django's own command would leave access tokens and links as they are."""

    def handle(self, *args: Any, **options: Any) -> str | None:
        """Change the password and end all access."""
        username = options["username"] or getuser()
        result = super().handle(*args, **options)
        for user in User.objects.filter(username=username):
            end_access(user)
        return result
