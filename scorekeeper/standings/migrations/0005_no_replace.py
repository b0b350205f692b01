"""Also guard the revisions against being replaced."""

from django.db import migrations

from scorekeeper.ledger.append_only import guard_tables
from scorekeeper.standings.append_only import REVISION_GUARD


class Migration(migrations.Migration):
    dependencies = [("standings", "0004_what_can_still_be_reached")]

    operations = [guard_tables(REVISION_GUARD, takes_down=False)]
