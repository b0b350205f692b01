"""`manage.py grant ROLE`: grants a PostgreSQL role what the processes need, without the right to alter tables."""

from __future__ import annotations

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import connection
from django.utils.translation import gettext as _

from scorekeeper.standings.database_privileges import NoSuchRole, NotTableOwner, RoleIsTableOwner, grant_privileges


class Command(BaseCommand):
    help = (
        "Gives a PostgreSQL role the rights that the processes need, and no more: it cannot change or delete rows of "
        "append-only tables, or alter tables. Run it as the owner of the tables after every migrate."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("role", help="the role that the processes use in their DATABASE_URL")

    def handle(self, *args: Any, **options: Any) -> None:
        role: str = options["role"]
        if connection.vendor != "postgresql":
            raise CommandError(
                _("Only PostgreSQL has roles. With SQLite, anyone who can write to the file can do anything.")
            )
        try:
            grant_privileges(connection, role)
        except NoSuchRole:
            text = _("There is no role “%(role)s”. Create it with CREATE ROLE … LOGIN.")
            raise CommandError(text % {"role": role}) from None
        except RoleIsTableOwner:
            text = _("“%(role)s” owns the tables or is a superuser. Name the role that the processes use.")
            raise CommandError(text % {"role": role}) from None
        except NotTableOwner as error:
            text = _("The tables belong to “%(owner)s”. Run this as that role.")
            raise CommandError(text % {"owner": error}) from None
        self.stdout.write(_("“%(role)s” can use the tables but not alter them.") % {"role": role})
