"""`manage.py organiser`: accounts for the people who set up rides, and one-time links for them.

Links can be printed for two purposes: with --set-up for the first organiser of a new installation, which `serve` does
by itself, and with --reset for someone who has forgotten their password. --remove-passkeys is for someone who has lost
theirs: no page can do that. --deactivate keeps a person out, for good or until --activate.
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from getpass import getpass

from django.conf import settings
from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from scorekeeper.common.date_wording import format_date
from scorekeeper.events.models import AccountLink
from scorekeeper.events.services.account_links import AlreadySetUp, create_reset_link, create_setup_link
from scorekeeper.events.services.accounts import (
    activate_account,
    create_account,
    deactivate_account,
    generate_password,
)
from scorekeeper.events.services.passkeys import remove_passkeys


class Command(BaseCommand):
    """Creates an account, prints a one-time link, or removes passkeys. Every password and link is printed only once."""

    help = (
        "Create an organiser's account, print a link with which people choose their own password, remove passkeys, or "
        "deactivate an account."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", nargs="?", help="what the organiser types to sign in")
        actions = parser.add_mutually_exclusive_group()
        actions.add_argument(
            "--password-stdin", action="store_true", help="read the password from one line of standard input"
        )
        actions.add_argument(
            "--reset", action="store_true", help="print a link with which NAME, who has an account, gets a new password"
        )
        actions.add_argument(
            "--remove-passkeys",
            action="store_true",
            help="remove all passkeys of NAME, who has lost them; the password is then enough to sign in",
        )
        actions.add_argument(
            "--set-up", action="store_true", help="print a new link for the first organiser, if nobody has an account"
        )

        actions.add_argument(
            "--deactivate",
            action="store_true",
            help="keep NAME from signing in, and end their sessions, access tokens and links",
        )
        actions.add_argument("--activate", action="store_true", help="let NAME sign in again")

    def handle(
        self,
        *,
        name: str | None,
        password_stdin: bool,
        reset: bool,
        remove_passkeys: bool,
        set_up: bool,
        deactivate: bool,
        activate: bool,
        **_options: object,
    ) -> None:
        if set_up == bool(name):
            raise CommandError(_("Give a name, or --set-up without a name."))
        if set_up:
            self._print_setup_link()
        elif reset:
            self._print_reset_link(name or "")
        elif remove_passkeys:
            self._remove_passkeys(name or "")
        elif deactivate:
            deactivate_account(self._get_account(name or ""))
            text = _("%(name)s can no longer sign in. Their sessions, access tokens and links have ended.")
            self.stdout.write(text % {"name": name})
        elif activate:
            activate_account(self._get_account(name or ""))
            self.stdout.write(_("%(name)s can sign in again, with the same password.") % {"name": name})
        else:
            self._create_account(name or "", password_stdin=password_stdin)

    def _print_setup_link(self) -> None:
        try:
            link, token = create_setup_link()
        except AlreadySetUp as error:
            raise CommandError(
                _(
                    "Someone has an account already. An organiser can invite others to an event, and "
                    "“manage.py organiser NAME” creates one more account."
                )
            ) from error
        self.stdout.write(_("Nobody has an account yet. To create the first one, open this link:"))
        self._print_link(link, reverse("events:welcome", args=[token]))

    def _print_reset_link(self, name: str) -> None:
        user = self._get_account(name)
        link, token = create_reset_link(user, created_by=None)
        self.stdout.write(_("With this link %(name)s chooses a new password:") % {"name": name})
        self._print_link(link, reverse("events:new_password", args=[token]))

    def _remove_passkeys(self, name: str) -> None:
        count = remove_passkeys(self._get_account(name))
        if not count:
            raise CommandError(_("%(name)s has no passkeys. Nothing was removed.") % {"name": name})
        text = ngettext(
            "1 passkey of %(name)s has been removed, and all sessions ended. The password is now enough to sign in.",
            "%(count)s passkeys of %(name)s have been removed, and all sessions ended. "
            "The password is now enough to sign in.",
            count,
        )
        self.stdout.write(text % {"name": name, "count": count})

    def _get_account(self, name: str) -> User:
        user = User.objects.filter(username=name).first()
        if user is None:
            raise CommandError(_("There is no account called “%(name)s”.") % {"name": name})
        return user

    def _print_link(self, link: AccountLink, path: str) -> None:
        ends = format_date(timezone.localtime(link.expires_at), _("j F Y, H:i"))
        self.stdout.write(f"  {settings.BASE_URL}{path}")
        text = _("It works once, until %(ends)s (%(zone)s), or until a newer one is printed.")
        self.stdout.write(text % {"ends": ends, "zone": settings.TIME_ZONE})

    def _create_account(self, name: str, *, password_stdin: bool) -> None:
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
