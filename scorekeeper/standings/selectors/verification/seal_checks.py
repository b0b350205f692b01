"""Checks of the seals of rows that decide or show something and do not follow from the log (`common.models`)."""

from __future__ import annotations

from collections.abc import Iterator

from scorekeeper.common.models import SealedModel
from scorekeeper.scorecards.log_damage import LogDamage
from scorekeeper.standings.selectors.verification.raw_value_checks import list_own_models

# What the program makes again when it is missing: from the log, or from a question about odds.
MADE_AGAIN = {
    "standings.LuckReport",
    "standings.ChancesReport",
    "dice.DiceAudit",
    "coach.OddsAnswer",
    "prints.PrintFile",
}


def list_broken_seals() -> Iterator[LogDamage]:
    """Return every row whose seal is not that of its content; those that older versions stored have none."""
    for model in list_own_models():
        if issubclass(model, SealedModel):
            for row in model._base_manager.exclude(seal="").order_by("pk").iterator(chunk_size=100):  # noqa: SLF001
                fields = row._meta.get_field  # noqa: SLF001
                values = {name: getattr(row, fields(name).attname) for name in row.sealed_fields}
                if row.compute_seal(values) != row.seal:
                    meta = model._meta  # noqa: SLF001
                    columns = ", ".join([*(fields(name).column for name in row.sealed_fields), "seal"])
                    yield LogDamage(
                        f"{meta.db_table} {row.pk}",
                        "its content is not what the program stored: its seal does not match",
                        meta.db_table,
                        str(row.pk),
                        columns,
                        can_be_made_again=meta.label in MADE_AGAIN,
                    )
