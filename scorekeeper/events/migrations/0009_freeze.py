"""Adds the freeze of an event: the moment whose standings its audience sees, and the step of the reveal."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('events', "0008_prizes_follow"),
    ]

    operations = [
        migrations.CreateModel(
            name='Freeze',
            fields=[
                ('event', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, primary_key=True, related_name='freeze', serialize=False, to='events.event')),
                ('at', models.DateTimeField(null=True)),
                ('step', models.PositiveSmallIntegerField(null=True)),
                ('version', models.PositiveBigIntegerField(default=0)),
            ],
        ),
    ]
