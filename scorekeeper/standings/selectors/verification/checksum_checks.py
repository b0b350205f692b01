"""Checks of the checksums of rows that decide or show something and do not follow from the log (`common.models`)."""

from __future__ import annotations

from collections.abc import Iterator

from scorekeeper.common.models import ChecksummedModel
from scorekeeper.scorecards.log_damage import LogDamage
from scorekeeper.standings.selectors.verification.raw_value_checks import get_column, list_own_models

# What the program makes again when it is missing: from the log, or from a question about odds.
MADE_AGAIN = {
    "standings.LuckReport",
    "standings.ChancesReport",
    "dice.DiceAudit",
    "coach.OddsAnswer",
    "prints.PrintFile",
}


def list_wrong_checksums() -> Iterator[LogDamage]:
    """Return every row whose checksum is not that of its content; those that older versions stored have none."""
    for model in list_own_models():
        if issubclass(model, ChecksummedModel):
            meta = model._meta  # noqa: SLF001
            columns = [get_column(field) for field in meta.concrete_fields if field.name in model.checksum_fields]
            for row in model._base_manager.exclude(checksum="").order_by("pk").iterator(chunk_size=100):  # noqa: SLF001
                if row.compute_checksum(row.get_checksum_values()) != row.checksum:
                    yield LogDamage(
                        f"{meta.db_table} {row.pk}",
                        "its content is not what the program stored: its checksum does not match",
                        meta.db_table,
                        str(row.pk),
                        ", ".join([*columns, "checksum"]),
                        can_be_made_again=meta.label in MADE_AGAIN,
                    )
