"""Lets the database's functions that delete an event also delete the witnesses of its cuts."""

from collections.abc import Sequence
from typing import Any

from django.db import migrations

from scorekeeper.standings.event_log_removal import build_removal_sql


def replace_functions(_apps: Any, editor: Any) -> None:
    if editor.connection.vendor == "postgresql":
        for statement in build_removal_sql():
            editor.execute(statement)


class Migration(migrations.Migration):
    dependencies: Sequence[tuple[str, str]] = [
        ("ledger", "0003_cut_witnesses"),
        ("standings", "0011_frozen_standings"),
    ]

    operations = [migrations.RunPython(replace_functions, migrations.RunPython.noop)]
