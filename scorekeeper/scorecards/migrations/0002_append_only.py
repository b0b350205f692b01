"""Put up the database's guard of the log."""

from django.db import migrations

from scorekeeper.scorecards.append_only import guard_statements, unguard_statements


def put_up(apps, schema_editor):
    for statement in guard_statements(schema_editor.connection.vendor):
        schema_editor.execute(statement)


def take_down(apps, schema_editor):
    for statement in unguard_statements(schema_editor.connection.vendor):
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("scorecards", "0001_initial")]

    operations = [migrations.RunPython(put_up, take_down)]
