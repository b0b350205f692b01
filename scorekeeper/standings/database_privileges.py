"""What the processes may do in PostgreSQL, where the tables belong to somebody else.

The owner of a table can take its guards down, so the processes should not be the owner: the owner runs `migrate`, and
gives the role of the processes what they need. That role reads and adds everywhere; what only grows it can neither
change nor delete, and it can alter no table.
"""

from __future__ import annotations

from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

from scorekeeper.scorecards.append_only import ENTRY_GUARD, GUARDS
from scorekeeper.standings.append_only import REVISION_GUARD


class NoSuchRole(Exception):
    """The database has no such role."""


class NotTableOwner(Exception):
    """The tables belong to somebody else than the role of this connection."""


class RoleIsTableOwner(Exception):
    """The role owns the tables or may do anything, so nothing can be kept from it."""


def grant_privileges(connection: BaseDatabaseWrapper, role: str) -> None:
    """Give a role what the processes need, and no more. It may be done again.

    Args:
        connection: to a PostgreSQL, as the owner of the tables.

    Raises:
        NoSuchRole, NotTheOwner, IsTheOwner: nothing was changed.
    """
    to = connection.ops.quote_name(role)
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        _check_roles(cursor, role)
        cursor.execute(f"GRANT USAGE ON SCHEMA public TO {to}")
        cursor.execute(f"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {to}")
        cursor.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {to}")
        cursor.execute(f"REVOKE INSERT, UPDATE, DELETE ON django_migrations FROM {to}")
        for guard in (*GUARDS, REVISION_GUARD):
            cursor.execute(f"REVOKE {', '.join(guard.verbs)} ON {guard.table} FROM {to}")


def _check_roles(cursor: CursorWrapper, role: str) -> None:
    cursor.execute("SELECT rolsuper FROM pg_roles WHERE rolname = %s", [role])
    found = cursor.fetchone()
    if found is None:
        raise NoSuchRole(role)
    find_owner = "SELECT pg_get_userbyid(relowner), current_user FROM pg_class WHERE oid = %s::regclass"
    cursor.execute(find_owner, [ENTRY_GUARD.table])
    owner, user = cursor.fetchone()
    if found[0] or role == owner:
        raise RoleIsTableOwner(role)
    if user != owner:
        raise NotTableOwner(owner)
