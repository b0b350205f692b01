"""Rename two models and two fields in Python only. Their tables and columns keep their names."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scorecards", "0009_revoked_phones")]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.RenameModel("Note", "OperationReason"),
                migrations.AlterModelTable("OperationReason", "scorecards_note"),
                migrations.RenameModel("Outdated", "StaleCard"),
                migrations.AlterModelTable("StaleCard", "scorecards_outdated"),
                migrations.AlterField(
                    "OperationReason",
                    "operation",
                    models.OneToOneField(
                        on_delete=models.PROTECT,
                        primary_key=True,
                        related_name="reason",
                        serialize=False,
                        to="scorecards.operation",
                    ),
                ),
                migrations.AlterField(
                    "StaleCard",
                    "contest",
                    models.ForeignKey(on_delete=models.CASCADE, related_name="stale_cards", to="events.contest"),
                ),
                migrations.AlterField(
                    "StaleCard",
                    "card",
                    models.ForeignKey(
                        null=True, on_delete=models.CASCADE, related_name="stale_cards", to="scorecards.scorecard"
                    ),
                ),
                migrations.RenameField("Turn", "noted_by", "actor_id"),
                migrations.AlterField("Turn", "actor_id", models.UUIDField(db_column="noted_by")),
                migrations.RenameField("Turn", "noted_at", "recorded_at"),
                migrations.AlterField("Turn", "recorded_at", models.DateTimeField(db_column="noted_at")),
            ]
        )
    ]
