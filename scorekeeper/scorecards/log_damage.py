"""The result of verification: a description of each damage and its location."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Model


@dataclass(frozen=True, slots=True)
class LogDamage:
    """Data that does not match the log, or a log that is not in order.

    Attributes:
        location: the chain and the sequence number of the entry, or the other data that is damaged.
        description: a text for the administrator.
    """

    location: str
    description: str


def report_differences(location: str, pairs: dict[str, tuple[object, object]]) -> Iterator[LogDamage]:
    """Return a single damage that names all columns in which a row differs from the log; nothing where they agree.

    Args:
        pairs: for each column, the value in the row and the value in the log.
    """
    if differing := [name for name, (stored, logged) in pairs.items() if stored != logged]:
        yield LogDamage(location, f"it does not match the log: {', '.join(differing)}")


def list_columns(model: type[Model], *names: str) -> tuple[str, ...]:
    """Return the columns of these fields, so that rows can be compared without loading what they reference."""
    fields = {field.name: field.attname for field in model._meta.concrete_fields}  # noqa: SLF001
    return tuple(fields[name] for name in names)
