"""What verification found: where, and what."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.db.models import Model


@dataclass(frozen=True, slots=True)
class LogDamage:
    """Something that does not fit.

    Attributes:
        where: the chain and the sequence number of the entry, or what else is damaged.
        what: in words for whoever looks after the program.
    """

    location: str
    description: str


def report_differences(where: str, pairs: dict[str, tuple[object, object]]) -> Iterator[LogDamage]:
    """Return one damage that names everything in which a row differs from the log; nothing where they agree.

    Args:
        pairs: for each column what the row says, and what the log does.
    """
    if unlike := [name for name, (kept, told) in pairs.items() if kept != told]:
        yield LogDamage(where, f"it does not match the log: {', '.join(unlike)}")


def list_columns(model: type[Model], *names: str) -> tuple[str, ...]:
    """Return the columns of some fields, by which they are compared without reading what they point to."""
    fields = {field.name: field.attname for field in model._meta.concrete_fields}  # noqa: SLF001
    return tuple(fields[name] for name in names)
