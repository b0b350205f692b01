"""Put up the guard of the log once more: it did not keep PostgreSQL from truncating the table."""

from django.db import migrations

from scorekeeper.scorecards.append_only import guard_statements


def put_up(apps, schema_editor):
    for statement in guard_statements(schema_editor.connection.vendor):
        schema_editor.execute(statement)


class Migration(migrations.Migration):
    dependencies = [("scorecards", "0003_words_apart")]

    operations = [migrations.RunPython(put_up, migrations.RunPython.noop)]
