"""Install the guard on the revisions again: the first one did not stop PostgreSQL from truncating the table."""

from django.db import migrations

from scorekeeper.ledger.append_only import guard_tables
from scorekeeper.standings.append_only import REVISION_GUARD


class Migration(migrations.Migration):
    dependencies = [("standings", "0002_append_only")]

    operations = [guard_tables(REVISION_GUARD, takes_down=False)]
