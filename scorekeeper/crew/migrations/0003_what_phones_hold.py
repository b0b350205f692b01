# The columns have database defaults, because the previous version still creates devices without them.
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('crew', '0002_crew_order'),
    ]

    operations = [
        migrations.AddField(
            model_name='device',
            name='attention',
            field=models.PositiveIntegerField(default=0, db_default=0),
        ),
        migrations.AddField(
            model_name='device',
            name='reported_at',
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name='device',
            name='unsent',
            field=models.PositiveIntegerField(default=0, db_default=0),
        ),
    ]
