"""The PostgreSQL privileges of the processes, for installations where another role owns the tables.

The owner of a table can remove its guards, so the processes should not be the owner. The owner runs `migrate` and
grants the processes' role what they need. That role can read and insert everywhere. It cannot change or delete rows of
append-only tables, and it cannot alter any table. It can have the owner's function delete the whole log of an event
without official results (`scorekeeper.standings.event_log_removal`).
"""

from __future__ import annotations

from django.db import transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

from scorekeeper.ledger.append_only import ENTRY_GUARD, GUARDS
from scorekeeper.standings.append_only import DELETED_EVENT_GUARD, REVISION_GUARD
from scorekeeper.standings.event_log_removal import REMOVAL_FUNCTIONS


class NoSuchRole(Exception):
    """The database has no such role."""


class NotTableOwner(Exception):
    """The tables belong to a role other than that of this connection."""


class RoleIsTableOwner(Exception):
    """The role owns the tables or is a superuser, so no privilege can be withheld from it."""


def grant_privileges(connection: BaseDatabaseWrapper, role: str) -> None:
    """Grant a role what the processes need, and no more. It is safe to repeat.

    Args:
        connection: to a PostgreSQL database, as the owner of the tables.

    Raises:
        NoSuchRole, NotTableOwner, RoleIsTableOwner: nothing was changed.
    """
    to = connection.ops.quote_name(role)
    with transaction.atomic(using=connection.alias), connection.cursor() as cursor:
        _check_roles(cursor, role)
        cursor.execute(f"GRANT USAGE ON SCHEMA public TO {to}")
        cursor.execute(f"GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {to}")
        cursor.execute(f"GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {to}")
        cursor.execute(f"REVOKE INSERT, UPDATE, DELETE ON django_migrations FROM {to}")
        for guard in (*GUARDS, REVISION_GUARD, DELETED_EVENT_GUARD):
            cursor.execute(f"REVOKE {', '.join(guard.verbs)} ON {guard.table} FROM {to}")
        for function in REMOVAL_FUNCTIONS:  # a restored backup may have lost who may use them
            cursor.execute(f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC, {to}")
        cursor.execute(f"GRANT EXECUTE ON FUNCTION delete_event_log(uuid) TO {to}")


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
