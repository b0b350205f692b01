"""Adds the awards of a revision."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('standings', '0009_races_won_and_reach'),
    ]

    operations = [
        migrations.AddField(
            model_name='revision',
            name='awards',
            field=models.JSONField(null=True),
        ),
    ]
