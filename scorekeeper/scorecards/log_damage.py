"""The result of verification: a description of each damage, where it is, and what to do about it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.db.models import Model
from django.utils.translation import gettext as _

from games.core.canonical import is_same


@dataclass(frozen=True, slots=True)
class LogDamage:
    """Data that does not match the log, or a log that is not in order.

    Attributes:
        location: the chain and the sequence number of the entry, or the other data that is damaged.
        description: a text for the administrator.
        table: the table in the database; "" if it is not one row that is damaged.
        row: the primary key of the row.
        columns: the columns that differ; "" if the whole row is missing or too many.
        can_be_made_again: whether the program makes the row again once it is deleted.
    """

    location: str
    description: str
    table: str = ""
    row: str = ""
    columns: str = ""
    can_be_made_again: bool = False

    @property
    def place(self) -> str:
        """The table, the row and the columns, for someone at the database; "" if they are not known."""
        parts = [
            _("table %(table)s") % {"table": self.table} if self.table else "",
            _("row %(row)s") % {"row": self.row} if self.row else "",
            _("column %(columns)s") % {"columns": self.columns} if self.columns else "",
        ]
        return ", ".join(part for part in parts if part)

    @property
    def advice(self) -> str:
        """What to do next."""
        if self.can_be_made_again:
            return _("Delete this row; the program makes it again.")
        return _("Restore the newest backup that has no faults (docs/operations.md, “When verify finds faults”).")


def damage_in(table: type[Model], row: object, location: str, description: str, columns: str = "") -> LogDamage:
    """Return a damage of the row of a table with this primary key."""
    return LogDamage(location, description, table._meta.db_table, str(row), columns)  # noqa: SLF001


def report_differences(
    location: str, pairs: Mapping[str, tuple[object, object]], table: type[Model] | None = None, row: object = ""
) -> Iterator[LogDamage]:
    """Return a single damage that names all columns in which a row differs from the log; nothing where they agree.

    Args:
        pairs: for each column, the value in the row and the value in the log.
        table: the model of the row.
        row: the primary key of the row.
    """
    if differing := [name for name, (stored, logged) in pairs.items() if not is_same(stored, logged)]:
        columns = ", ".join(differing)
        name = "" if table is None else table._meta.db_table  # noqa: SLF001
        yield LogDamage(location, f"it does not match the log: {columns}", name, str(row), columns)


def list_columns(model: type[Model], *names: str) -> tuple[str, ...]:
    """Return the columns of these fields, so that rows can be compared without loading what they reference."""
    fields = {field.name: field.attname for field in model._meta.concrete_fields}  # noqa: SLF001
    return tuple(fields[name] for name in names)
