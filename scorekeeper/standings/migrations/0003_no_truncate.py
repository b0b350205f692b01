"""Put up the guard of the revisions once more: it did not keep PostgreSQL from truncating the table."""

from django.db import migrations

from scorekeeper.standings.append_only import guard_statements


def put_up(apps, schema_editor):
    for statement in guard_statements(schema_editor.connection.vendor):
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("standings", "0002_append_only")]

    operations = [migrations.RunPython(put_up, migrations.RunPython.noop)]
