"""Lets a whole event be deleted, and guards what is left of it."""

from django.db import migrations

from scorekeeper.ledger.append_only import guard_tables
from scorekeeper.standings.append_only import DELETED_EVENT_GUARD
from scorekeeper.standings.event_log_removal import add_removal_functions


class Migration(migrations.Migration):
    dependencies = [
        ("events", "0006_practice_accounts_deletion"),
        ("ledger", "0002_unchecked_people"),
        ("scorecards", "0013_log_moves_to_ledger"),
        ("standings", "0007_log_moves_to_ledger"),
    ]

    operations = [guard_tables(DELETED_EVENT_GUARD), add_removal_functions()]
