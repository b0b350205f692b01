"""Guard the log against replaced rows too, and operations against deleted and replaced rows."""

from django.db import migrations

from scorekeeper.ledger.append_only import ENTRY_GUARD, OPERATION_GUARD, guard_tables


class Migration(migrations.Migration):
    dependencies = [("scorecards", "0005_chain_snapshot")]

    operations = [guard_tables(ENTRY_GUARD, takes_down=False), guard_tables(OPERATION_GUARD)]
