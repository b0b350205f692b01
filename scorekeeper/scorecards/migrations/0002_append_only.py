"""Install the append-only guard of the log."""

from django.db import migrations

from scorekeeper.ledger.append_only import ENTRY_GUARD, guard_tables


class Migration(migrations.Migration):
    dependencies = [("scorecards", "0001_initial")]

    operations = [guard_tables(ENTRY_GUARD)]
