"""Install the append-only guard on the revisions."""

from django.db import migrations

from scorekeeper.ledger.append_only import guard_tables
from scorekeeper.standings.append_only import REVISION_GUARD


class Migration(migrations.Migration):
    dependencies = [("standings", "0001_initial")]

    operations = [guard_tables(REVISION_GUARD)]
