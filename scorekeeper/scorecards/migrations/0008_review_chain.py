"""Add the kind of chain for reviews. Only Django's choices change, not the table."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scorecards", "0007_repeats")]

    operations = [
        migrations.AlterField(
            model_name="chain",
            name="kind",
            field=models.CharField(
                choices=[
                    ("card", "Scorecard"),
                    ("contest", "Contest"),
                    ("event", "Event"),
                    ("review", "Review"),
                ],
                max_length=10,
            ),
        ),
    ]
