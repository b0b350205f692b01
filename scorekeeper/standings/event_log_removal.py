"""Removes the whole log of an event, although the database refuses to delete single rows of it (decision 28).

- On SQLite the guards are removed and installed again in the transaction that deletes the rows.
- On PostgreSQL two functions of the tables' owner do the same. `delete_event_log` runs with the owner's rights, so that
  the processes can call it; it refuses an event that has an official revision, unless it is a practice event.
  `purge_event_log` has no such check, and only the owner can use it.

Invariants:
- Nothing is removed without a `DeletedEvent`, which has the hash of the last entry of every chain. It is append-only.
- A chain, an operation or a contest never moves to another event, so no part of a log can be removed as an event of its
  own. An event with a revision never becomes a practice event.
- The guards are back before the transaction commits.
"""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from django.db import IntegrityError, connection, transaction
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import RunPython
from django.utils import timezone

from scorekeeper.events.models import DeletedEvent, Event
from scorekeeper.ledger.append_only import GUARDS, build_guard_sql, build_unguard_sql
from scorekeeper.ledger.models import Entry
from scorekeeper.standings.append_only import REVISION_GUARD
from scorekeeper.standings.models import Revision

LOG_GUARDS = (*GUARDS, REVISION_GUARD)

_OPERATIONS = "SELECT id FROM scorecards_operation WHERE event_id = {event}"
_CHAINS = "SELECT id FROM scorecards_chain WHERE event_id = {event}"
_CONTESTS = "SELECT id FROM events_contest WHERE event_id = {event}"
# Everything that refers to an operation, then the operations. What is left of the event has no guard.
_DELETES = (
    f"DELETE FROM scorecards_note WHERE operation_id IN ({_OPERATIONS})",  # noqa: S608 - built only from our own names
    f"DELETE FROM ledger_cutwitness WHERE operation_id IN ({_OPERATIONS})",  # noqa: S608
    f"DELETE FROM ledger_uncheckedpeople WHERE operation_id IN ({_OPERATIONS})",  # noqa: S608
    f"DELETE FROM scorecards_reviewitem WHERE operation_id IN ({_OPERATIONS})",  # noqa: S608
    f"DELETE FROM standings_revision WHERE contest_id IN ({_CONTESTS})",  # noqa: S608
    f"DELETE FROM scorecards_entry WHERE chain_id IN ({_CHAINS})",  # noqa: S608
    "DELETE FROM scorecards_operation WHERE event_id = {event}",
)


class EventHasResults(Exception):
    """A contest of the event was official at some time, so its log is only removed by the database's owner."""


def remove_event_log(event: Event, *, even_with_results: bool = False) -> DeletedEvent:
    """Delete the event's log and its revisions, and return what is left of it.

    Call it first in a transaction, since it waits until nobody writes to the log.

    Args:
        event: the event; its other rows stay, and the caller deletes them.
        even_with_results: whether to remove official results too.

    Raises:
        EventHasResults: the event has an official result. Nothing was changed, and the transaction has to end.
        ProgrammingError: official results have to be removed by the owner of the tables, which is another role.
    """
    assert connection.in_atomic_block, "the guards must come back if anything fails"
    if connection.vendor == "postgresql":
        return _remove_on_postgresql(event.pk, even_with_results=even_with_results)
    return _remove_on_sqlite(event, even_with_results=even_with_results)


def _remove_on_sqlite(event: Event, *, even_with_results: bool) -> DeletedEvent:
    if not (even_with_results or event.is_practice) and Revision.objects.filter(contest__event=event).exists():
        raise EventHasResults(event.pk)
    entries = Entry.objects.filter(chain__event=event).order_by("chain", "seq")
    heads = {str(chain): head for chain, head in entries.values_list("chain_id", "hash")}
    deleted = DeletedEvent.objects.create(
        id=event.pk, name=event.name, slug=event.slug, deleted_at=timezone.now(), heads=heads
    )
    with connection.cursor() as cursor:
        for guard in LOG_GUARDS:
            for statement in build_unguard_sql(connection.vendor, guard):
                cursor.execute(statement)
        for statement in _DELETES:
            cursor.execute(statement.format(event="%s"), [event.pk.hex])
        for guard in LOG_GUARDS:
            for statement in build_guard_sql(connection.vendor, guard):
                cursor.execute(statement)
    return deleted


def _remove_on_postgresql(event_id: UUID, *, even_with_results: bool) -> DeletedEvent:
    function = "purge_event_log" if even_with_results else "delete_event_log"
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"SELECT {function}(%s)", [event_id])
    except IntegrityError as error:
        if getattr(error.__cause__, "sqlstate", "") != "23514":  # what delete_event_log raises
            raise
        raise EventHasResults(event_id) from error
    return DeletedEvent.objects.get(pk=event_id)


def add_removal_functions() -> RunPython:
    """Return the migration operation that creates the functions, and the triggers that keep events apart."""

    def run(statements: Sequence[str], editor: BaseDatabaseSchemaEditor) -> None:
        if editor.connection.vendor == "postgresql":
            for statement in statements:
                editor.execute(statement)

    return RunPython(
        lambda _apps, editor: run(build_removal_sql(), editor), lambda _apps, editor: run(_build_reversal_sql(), editor)
    )


REMOVAL_FUNCTIONS = ("delete_event_log(uuid)", "purge_event_log(uuid)")
# The columns that say which event a row of the log belongs to.
_EVENT_COLUMNS = ("scorecards_chain", "scorecards_operation", "events_contest")
_LOCK = f"LOCK TABLE {', '.join(guard.table for guard in LOG_GUARDS)} IN SHARE ROW EXCLUSIVE MODE;"
_HAS_REVISION = (
    "EXISTS (SELECT 1 FROM standings_revision JOIN events_contest ON events_contest.id = contest_id "
    "WHERE event_id = {event})"
)


def build_removal_sql() -> Sequence[str]:
    """Return the SQL that creates the functions on PostgreSQL. It is safe to repeat."""
    disable, enable = (
        " ".join(f"ALTER TABLE {guard.table} {verb} TRIGGER {guard.table}_append_only;" for guard in LOG_GUARDS)
        for verb in ("DISABLE", "ENABLE ALWAYS")
    )
    deletes = " ".join(f"{statement};" for statement in _DELETES).format(event="removed")
    purge = f"""
        CREATE OR REPLACE FUNCTION purge_event_log(removed uuid) RETURNS void
        LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
        BEGIN
            {_LOCK}
            SET CONSTRAINTS ALL IMMEDIATE;
            INSERT INTO events_deletedevent (id, name, slug, deleted_at, heads)
                SELECT id, name, slug, now(), coalesce((
                    SELECT jsonb_object_agg(chain_id, hash) FROM (
                        SELECT DISTINCT ON (chain_id) chain_id, hash FROM scorecards_entry
                        WHERE chain_id IN ({_CHAINS.format(event="removed")}) ORDER BY chain_id, seq DESC
                    ) AS last
                ), '{{}}') FROM events_event WHERE id = removed;
            IF NOT FOUND THEN RAISE EXCEPTION 'there is no such event'; END IF;
            {disable}
            SET CONSTRAINTS ALL DEFERRED;
            {deletes}
            SET CONSTRAINTS ALL IMMEDIATE;
            {enable}
            SET CONSTRAINTS ALL DEFERRED;
        END $$"""  # noqa: S608 - built only from our own names
    delete = f"""
        CREATE OR REPLACE FUNCTION delete_event_log(removed uuid) RETURNS void
        LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
        BEGIN
            {_LOCK}
            IF {_HAS_REVISION.format(event="removed")}
                AND NOT (SELECT is_practice FROM events_event WHERE id = removed)
            THEN RAISE check_violation USING MESSAGE = 'an event with an official result is never deleted'; END IF;
            PERFORM purge_event_log(removed);
        END $$"""  # noqa: S608 - as above
    return [
        purge,
        delete,
        *(f"REVOKE ALL ON FUNCTION {function} FROM PUBLIC" for function in REMOVAL_FUNCTIONS),
        *_build_event_guards(),
    ]


def _build_event_guards() -> list[str]:
    """Return the SQL of the triggers that keep rows of the log at their event."""
    return [
        "CREATE OR REPLACE FUNCTION refuse_other_event() RETURNS trigger LANGUAGE plpgsql AS "
        "$$ BEGIN RAISE EXCEPTION 'what is in a log never moves to another event'; END $$",
        "CREATE OR REPLACE FUNCTION refuse_practice() RETURNS trigger LANGUAGE plpgsql "
        f"SET search_path = public, pg_temp AS $$ BEGIN IF {_HAS_REVISION.format(event='OLD.id')} THEN "
        "RAISE EXCEPTION 'an event with an official result never becomes a practice event'; END IF; RETURN NEW; END $$",
        *build_event_unguards(),
        *(
            statement
            for table in _EVENT_COLUMNS
            for statement in (
                f"CREATE TRIGGER {table}_keeps_event BEFORE UPDATE OF event_id ON {table} FOR EACH ROW "
                "WHEN (OLD.event_id IS DISTINCT FROM NEW.event_id) EXECUTE FUNCTION refuse_other_event()",
                f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {table}_keeps_event",
            )
        ),
        "CREATE TRIGGER events_event_keeps_purpose BEFORE UPDATE OF is_practice ON events_event FOR EACH ROW "
        "WHEN (NEW.is_practice AND NOT OLD.is_practice) EXECUTE FUNCTION refuse_practice()",
        "ALTER TABLE events_event ENABLE ALWAYS TRIGGER events_event_keeps_purpose",
    ]


def build_event_unguards() -> list[str]:
    """Return the SQL, of PostgreSQL, that drops these triggers."""
    return [
        *(f"DROP TRIGGER IF EXISTS {table}_keeps_event ON {table}" for table in _EVENT_COLUMNS),
        "DROP TRIGGER IF EXISTS events_event_keeps_purpose ON events_event",
    ]


def _build_reversal_sql() -> Sequence[str]:
    return [
        *build_event_unguards(),
        *(f"DROP FUNCTION IF EXISTS {function}" for function in (*REMOVAL_FUNCTIONS, "refuse_other_event()")),
        "DROP FUNCTION IF EXISTS refuse_practice()",
    ]
