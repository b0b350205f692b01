"""`manage.py organiser NAME` creates an account for someone who sets up rides."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from getpass import getpass

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext as _

from scorekeeper.events.services.accounts import create_account, generate_password


class Command(BaseCommand):
    """Creates the account. Asks for its password, or generates one and prints it once."""

    help = "Create an organiser's account."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="what the organiser types to sign in")
        parser.add_argument(
            "--password-stdin", action="store_true", help="read the password from one line of standard input"
        )

    def handle(self, *, name: str, password_stdin: bool, **_options: object) -> None:
        given = sys.stdin.readline().rstrip("\n") if password_stdin else self._prompt_for_password()
        if password_stdin and not given:
            raise CommandError(_("There is no password on standard input."))
        password = given or generate_password()
        try:
            create_account(name, password)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from error
        self.stdout.write(_("%(name)s can sign in now.") % {"name": name})
        if not given:
            self.stdout.write(_("Password: %(password)s") % {"password": password})
            self.stdout.write(_("It is shown only once. Pass it on and keep it safe."))

    def _prompt_for_password(self) -> str:
        """Return the password that is typed twice; "" without a terminal."""
        if not sys.stdin.isatty():
            return ""
        first = getpass(_("Password (leave it empty to generate one): "))
        if first and getpass(_("Password again: ")) != first:
            raise CommandError(_("The two passwords do not match. No account was created."))
        return first
