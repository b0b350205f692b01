"""Rename two fields in Python only; their columns keep their names."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("live", "0001_initial")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameField("Screen", "kept_at", "frozen_at"),
                migrations.AlterField(
                    "Screen",
                    "frozen_at",
                    models.DateTimeField(null=True, editable=False, db_column="kept_at"),
                ),
                migrations.RenameField("Screen", "kept", "frozen_boards"),
                migrations.AlterField(
                    "Screen",
                    "frozen_boards",
                    models.JSONField(default=dict, editable=False, db_column="kept"),
                ),
            ]
        )
    ]
