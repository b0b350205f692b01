"""Install the guard of the log again: before, it did not prevent TRUNCATE on PostgreSQL."""

from django.db import migrations

from scorekeeper.ledger.append_only import ENTRY_GUARD, guard_tables


class Migration(migrations.Migration):
    dependencies = [("scorecards", "0003_words_apart")]

    operations = [guard_tables(ENTRY_GUARD, takes_down=False)]
